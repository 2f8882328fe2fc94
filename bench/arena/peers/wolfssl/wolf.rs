//! wolfSSL's ML-DSA, through the functions of shim.c.

use arena_peer::mldsa::{Name, Verb};
use arena_peer::{Job, Task};
use std::ffi::{c_char, c_int, c_void, CStr};

type Ptr = *mut c_void;

unsafe extern "C" {
    fn arena_wolf_version() -> *const c_char;
    fn arena_wolf_key(set: c_int, seed: *const u8) -> Ptr;
    fn arena_wolf_free(key: Ptr);
    fn arena_wolf_keygen(key: Ptr, seed: *const u8) -> c_int;
    fn arena_wolf_public(out: *mut u8, len: u32, key: Ptr) -> c_int;
    fn arena_wolf_sign(sig: *mut u8, sig_len: u32, msg: *const u8, msg_len: u32, key: Ptr)
        -> c_int;
    fn arena_wolf_verify(
        sig: *const u8, sig_len: u32, msg: *const u8, msg_len: u32, key: Ptr,
    ) -> c_int;
}

pub fn version() -> String {
    unsafe { CStr::from_ptr(arena_wolf_version()) }.to_string_lossy().into_owned()
}

struct State {
    key: Ptr,
    input: Vec<u8>,
    sig: Vec<u8>,
    public: Vec<u8>,
}

impl Drop for State {
    fn drop(&mut self) {
        unsafe { arena_wolf_free(self.key) };
    }
}

pub fn prepare(job: &Job, name: Name) -> Option<Task> {
    let (msg, sig) = name.split(job.input);
    let key = unsafe { arena_wolf_key(name.set as c_int, job.key.as_ptr()) };
    let sig = if sig.is_empty() { vec![0; name.sig_len()] } else { sig.to_vec() };
    let s = State { key, input: msg.to_vec(), sig, public: vec![0; name.public_len()] };
    if key.is_null() {
        return None;
    }
    Some(match name.verb {
        Verb::Keygen => Task::new(
            s,
            |s| unsafe { arena_wolf_keygen(s.key, s.input.as_ptr()) } == 1,
            |s| {
                unsafe { arena_wolf_public(s.public.as_mut_ptr(), s.public.len() as u32, s.key) };
                s.public.clone()
            },
        ),
        Verb::Sign => Task::new(
            s,
            |s| unsafe {
                let (sig_len, msg_len) = (s.sig.len() as u32, s.input.len() as u32);
                arena_wolf_sign(s.sig.as_mut_ptr(), sig_len, s.input.as_ptr(), msg_len, s.key) == 1
            },
            |s| s.sig.clone(),
        ),
        Verb::Verify => Task::new(
            s,
            |s| unsafe {
                let (sig_len, msg_len) = (s.sig.len() as u32, s.input.len() as u32);
                arena_wolf_verify(s.sig.as_ptr(), sig_len, s.input.as_ptr(), msg_len, s.key) == 1
            },
            |_| vec![1],
        ),
    })
}
