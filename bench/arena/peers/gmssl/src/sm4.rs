//! SM4. A key is set up beforehand; GCM computes its hash key in every call.

use crate::{find, fine};
use arena_peer::{Job, Task};
use std::ffi::c_int;

/// `SM4_KEY`
#[repr(C)]
#[derive(Default)]
struct Key([u32; 32]);

type SetKey = unsafe extern "C" fn(*mut Key, *const u8);
type Blocks = unsafe extern "C" fn(*const Key, *const u8, usize, *mut u8);
type BlocksIv = unsafe extern "C" fn(*const Key, *mut u8, *const u8, usize, *mut u8);
type Cfb = unsafe extern "C" fn(*const Key, usize, *mut u8, *const u8, usize, *mut u8);
type Xts =
    unsafe extern "C" fn(*const Key, *const Key, *const u8, *const u8, usize, *mut u8) -> c_int;
/// Key, nonce, additional data, input, output, tag
type Seal = unsafe extern "C" fn(
    *const Key,
    *const u8,
    usize,
    *const u8,
    usize,
    *const u8,
    usize,
    *mut u8,
    usize,
    *mut u8,
) -> c_int;
/// Key, nonce, additional data, input, tag, output
type Open = unsafe extern "C" fn(
    *const Key,
    *const u8,
    usize,
    *const u8,
    usize,
    *const u8,
    usize,
    *const u8,
    usize,
    *mut u8,
) -> c_int;

struct State {
    key: Key,
    tweak: Key,
    iv: Vec<u8>,
    aad: Vec<u8>,
    input: Vec<u8>,
    out: Vec<u8>,
}

impl State {
    fn task(self, once: impl Fn(&mut State) -> bool + 'static) -> Option<Task> {
        Some(Task::new(self, once, |s| s.out.clone()))
    }

    /// With a copy of the IV, which the library's functions advance
    fn stream(self, f: impl Fn(&Key, *mut u8, &[u8], *mut u8) + 'static) -> Option<Task> {
        self.task(move |s| {
            let mut iv: [u8; 16] = s.iv[..16].try_into().expect("an IV of 16 bytes");
            f(&s.key, iv.as_mut_ptr(), &s.input, s.out.as_mut_ptr());
            true
        })
    }
}

fn key(name: &std::ffi::CStr, bytes: &[u8]) -> Option<Key> {
    let mut key = Key::default();
    unsafe { find::<SetKey>(name)?(&mut key, bytes.as_ptr()) };
    Some(key)
}

pub fn prepare(job: &Job) -> Option<Task> {
    let back = matches!(job.op, "ecb-dec" | "cbc-dec");
    let set = if back { c"sm4_set_decrypt_key" } else { c"sm4_set_encrypt_key" };
    let s = State {
        key: key(set, job.key)?,
        tweak: Key::default(),
        iv: job.iv.to_vec(),
        aad: job.aad.to_vec(),
        input: job.input.to_vec(),
        out: vec![0; job.input.len()],
    };
    match job.op {
        "ecb-enc" | "ecb-dec" => {
            let f: Blocks = find(c"sm4_encrypt_blocks")?;
            s.task(move |s| unsafe {
                f(&s.key, s.input.as_ptr(), s.input.len() / 16, s.out.as_mut_ptr());
                true
            })
        }
        "cbc-enc" | "cbc-dec" => {
            let f: BlocksIv =
                find(if back { c"sm4_cbc_decrypt_blocks" } else { c"sm4_cbc_encrypt_blocks" })?;
            s.stream(move |key, iv, input, out| unsafe {
                f(key, iv, input.as_ptr(), input.len() / 16, out)
            })
        }
        "cfb-enc" | "cfb-dec" => {
            let encrypt = job.op == "cfb-enc";
            let f: Cfb = find(if encrypt { c"sm4_cfb_encrypt" } else { c"sm4_cfb_decrypt" })?;
            s.stream(move |key, iv, input, out| unsafe {
                f(key, 16, iv, input.as_ptr(), input.len(), out)
            })
        }
        "ofb" | "ctr" => {
            let f: BlocksIv =
                find(if job.op == "ofb" { c"sm4_ofb_encrypt" } else { c"sm4_ctr_encrypt" })?;
            s.stream(move |key, iv, input, out| unsafe {
                f(key, iv, input.as_ptr(), input.len(), out)
            })
        }
        "xts-gb-enc" => {
            let f: Xts = find(c"sm4_xts_encrypt")?;
            let (first, second) = job.key.split_at(16);
            let s = State { key: key(set, first)?, tweak: key(set, second)?, ..s };
            s.task(move |s| unsafe {
                let (input, out) = (s.input.as_ptr(), s.out.as_mut_ptr());
                fine(f(&s.key, &s.tweak, s.iv.as_ptr(), input, s.input.len(), out))
            })
        }
        "gcm-seal" => seal(s, c"sm4_gcm_encrypt"),
        "ccm-seal" => seal(s, c"sm4_ccm_encrypt"),
        // with nothing to encrypt
        "gmac" => seal(State { aad: job.input.to_vec(), input: vec![], ..s }, c"sm4_gcm_encrypt"),
        "gcm-open" => open(s, c"sm4_gcm_decrypt"),
        "ccm-open" => open(s, c"sm4_ccm_decrypt"),
        _ => None,
    }
}

/// The output is the ciphertext and a tag.
fn seal(s: State, name: &std::ffi::CStr) -> Option<Task> {
    let (f, n): (Seal, usize) = (find(name)?, s.input.len());
    let s = State { out: vec![0; n + 16], ..s };
    s.task(move |s| unsafe {
        let ((iv, iv_len), (aad, aad_len)) = (slice(&s.iv), slice(&s.aad));
        let out = s.out.as_mut_ptr();
        fine(f(&s.key, iv, iv_len, aad, aad_len, s.input.as_ptr(), n, out, 16, out.add(n)))
    })
}

/// The input is a ciphertext and its tag.
fn open(s: State, name: &std::ffi::CStr) -> Option<Task> {
    let (f, n): (Open, usize) = (find(name)?, s.input.len() - 16);
    let s = State { out: vec![0; n], ..s };
    s.task(move |s| unsafe {
        let ((iv, iv_len), (aad, aad_len)) = (slice(&s.iv), slice(&s.aad));
        let (input, out) = (s.input.as_ptr(), s.out.as_mut_ptr());
        fine(f(&s.key, iv, iv_len, aad, aad_len, input, n, input.add(n), 16, out))
    })
}

fn slice(bytes: &[u8]) -> (*const u8, usize) {
    (bytes.as_ptr(), bytes.len())
}
