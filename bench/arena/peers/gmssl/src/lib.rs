//! GmSSL 3.2 or newer, a libgmssl.so that GMSSL_LIB names: the registries have no version with its
//! fast code for SM2. The declarations are ours; its functions return 1 on success.

mod sm2;
mod sm4;

use arena_peer::{Job, Peer, Task};
use libloading::Library;
use std::ffi::{c_char, c_int, CStr};
use std::sync::OnceLock;

struct Gmssl;

impl Peer for Gmssl {
    const NAME: &'static str = "gmssl";

    fn version() -> String {
        type Version = unsafe extern "C" fn() -> *const c_char;
        let version = || unsafe { Some(CStr::from_ptr(find::<Version>(c"gmssl_version_str")?())) };
        let text = version().map_or("?".into(), |v| v.to_string_lossy().into_owned());
        text.trim_start_matches("GmSSL ").into()
    }

    fn prepare(job: &Job) -> Option<Task> {
        match (job.family, job.op) {
            ("sm2", _) => sm2::prepare(job),
            ("sm3", "hash") => hash(job),
            ("sm3", "hmac") => hmac(job),
            ("sm4", _) => sm4::prepare(job),
            _ => None,
        }
    }
}

fn find<F: Copy>(name: &CStr) -> Option<F> {
    static LIBRARY: OnceLock<Option<Library>> = OnceLock::new();
    let open = || unsafe { Library::new(std::env::var("GMSSL_LIB").ok()?).ok() };
    let library = LIBRARY.get_or_init(open).as_ref()?;
    unsafe { library.get::<F>(name.to_bytes_with_nul()).ok().map(|f| *f) }
}

/// Room for `SM3_CTX` or `SM3_HMAC_CTX`, which are smaller.
#[repr(C, align(64))]
#[derive(Clone)]
struct Context([u8; 256]);

type Init = unsafe extern "C" fn(*mut Context);
type InitKey = unsafe extern "C" fn(*mut Context, *const u8, usize);
type Update = unsafe extern "C" fn(*mut Context, *const u8, usize);
type Finish = unsafe extern "C" fn(*mut Context, *mut u8);

struct Sm3 {
    init: Init,
    update: Update,
    finish: Finish,
}

impl Sm3 {
    fn new() -> Option<Sm3> {
        let (init, update) = (find(c"sm3_init")?, find(c"sm3_update")?);
        Some(Sm3 { init, update, finish: find(c"sm3_finish")? })
    }

    fn hash(&self, parts: &[&[u8]]) -> [u8; 32] {
        let (mut context, mut digest) = (Context([0; 256]), [0; 32]);
        unsafe {
            (self.init)(&mut context);
            parts.iter().for_each(|p| (self.update)(&mut context, p.as_ptr(), p.len()));
            (self.finish)(&mut context, digest.as_mut_ptr());
        }
        digest
    }
}

fn hash(job: &Job) -> Option<Task> {
    let sm3 = Sm3::new()?;
    let once = move |(input, digest): &mut (Vec<u8>, [u8; 32])| {
        *digest = sm3.hash(&[input]);
        true
    };
    Some(Task::new((job.input.to_vec(), [0; 32]), once, |s| s.1.to_vec()))
}

/// The context with the key is copied for every message: the library has no function that resets
/// it.
fn hmac(job: &Job) -> Option<Task> {
    let init: InitKey = find(c"sm3_hmac_init")?;
    let (update, finish): (Update, Finish) = (find(c"sm3_hmac_update")?, find(c"sm3_hmac_finish")?);
    let mut keyed = Context([0; 256]);
    unsafe { init(&mut keyed, job.key.as_ptr(), job.key.len()) };
    let once = move |(input, mac): &mut (Vec<u8>, [u8; 32])| unsafe {
        let mut context = keyed.clone();
        update(&mut context, input.as_ptr(), input.len());
        finish(&mut context, mac.as_mut_ptr());
        true
    };
    Some(Task::new((job.input.to_vec(), [0; 32]), once, |s| s.1.to_vec()))
}

/// Whether a function succeeded
fn fine(result: c_int) -> bool {
    result == 1
}

arena_peer::export!(Gmssl);
