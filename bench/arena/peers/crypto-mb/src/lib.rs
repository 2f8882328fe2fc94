//! Intel's crypto_mb: eight exponentiations or SM2 operations, sixteen SM3 messages or SM4 keys in
//! one call, with AVX-512. The library is in the Python package ipp-crypto, the libraries that it
//! needs in intel-cmplr-lib-rt; CRYPTO_MB_LIB is the path of crypto_mb, and the others are in the
//! same folder. It refuses CPUs without AVX-512 IFMA. The declarations are ours, from its manual.

mod numbers;
mod sm2;
mod sm4;

use arena_peer::{Job, Peer, Task};
use libloading::Library;
use std::ffi::{c_int, CStr};
use std::path::Path;
use std::sync::OnceLock;

struct CryptoMb;

impl Peer for CryptoMb {
    const NAME: &'static str = "crypto_mb";

    fn version() -> String {
        type Version = unsafe extern "C" fn() -> *const [c_int; 4];
        let version = || Some(unsafe { *find::<Version>(c"mbx_getversion")?().as_ref()? });
        version().map_or("?".into(), |v| format!("{}.{}.{}", v[0], v[1], v[2]))
    }

    fn prepare(job: &Job) -> Option<Task> {
        match (job.family, job.op) {
            ("sm3", "hash-x16") => hashes(job),
            ("sm4", op) if op.starts_with("x16-") => sm4::prepare(job),
            ("sm2", _) => sm2::prepare(job),
            ("mp", _) => numbers::powers(job),
            _ => None,
        }
    }
}

fn library() -> Option<&'static Library> {
    static LIBRARY: OnceLock<Option<Library>> = OnceLock::new();
    LIBRARY.get_or_init(open).as_ref()
}

/// The libraries of the compiler's run time are loaded first, so that the loader finds them by
/// name.
fn open() -> Option<Library> {
    let path = std::env::var("CRYPTO_MB_LIB").ok()?;
    let folder = Path::new(&path).parent()?;
    for needed in ["libintlc.so.5", "libimf.so", "libirng.so", "libsvml.so"] {
        std::mem::forget(unsafe { Library::new(folder.join(needed)) }.ok()?);
    }
    unsafe { Library::new(&path) }.ok()
}

fn find<F: Copy>(name: &CStr) -> Option<F> {
    unsafe { library()?.get::<F>(name.to_bytes_with_nul()).ok().map(|f| *f) }
}

/// The addresses of N consecutive parts of `each` bytes.
fn parts<const N: usize>(bytes: &[u8], each: usize) -> [*const u8; N] {
    std::array::from_fn(|i| bytes[i * each..].as_ptr())
}

fn parts_mut<const N: usize>(bytes: &mut [u8], each: usize) -> [*mut u8; N] {
    let at = bytes.as_mut_ptr();
    assert!(N * each <= bytes.len());
    std::array::from_fn(|i| unsafe { at.add(i * each) })
}

fn hashes(job: &Job) -> Option<Task> {
    type Digest =
        unsafe extern "C" fn(*const [*const u8; 16], *const [c_int; 16], *mut [*mut u8; 16]) -> u64;
    let digest: Digest = find(c"mbx_sm3_msg_digest_mb16")?;
    let each = job.input.len() / 16;
    let once = move |s: &mut (Vec<u8>, Vec<u8>)| unsafe {
        digest(&parts(&s.0, each), &[each as c_int; 16], &mut parts_mut(&mut s.1, 32)) == 0
    };
    Some(Task::new((job.input.to_vec(), vec![0; 16 * 32]), once, |s| s.1.clone()))
}

arena_peer::export!(CryptoMb);
