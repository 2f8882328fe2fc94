//! ML-DSA through EVP, for a libcrypto that has it.

use crate::evp::{Param, Ptr, END, KEY_PAIR, OCTETS};
use arena_peer::mldsa::{Name, Verb};
use arena_peer::{Job, Task};
use std::ffi::{c_char, c_int, c_uint, CString};
use std::ptr::{null, null_mut};

const INTEGER: c_uint = 1;

unsafe extern "C" {
    fn EVP_PKEY_CTX_new_from_name(lib: Ptr, name: *const c_char, properties: *const c_char) -> Ptr;
    fn EVP_PKEY_CTX_new_from_pkey(lib: Ptr, key: Ptr, properties: *const c_char) -> Ptr;
    fn EVP_PKEY_CTX_free(ctx: Ptr);
    fn EVP_PKEY_CTX_set_params(ctx: Ptr, params: *const Param) -> c_int;
    fn EVP_PKEY_free(key: Ptr);
    fn EVP_PKEY_fromdata_init(ctx: Ptr) -> c_int;
    fn EVP_PKEY_fromdata(ctx: Ptr, key: *mut Ptr, selection: c_int, params: *const Param) -> c_int;
    fn EVP_PKEY_keygen_init(ctx: Ptr) -> c_int;
    fn EVP_PKEY_generate(ctx: Ptr, key: *mut Ptr) -> c_int;
    fn EVP_PKEY_get_octet_string_param(
        key: Ptr, name: *const c_char, out: *mut u8, room: usize, len: *mut usize,
    ) -> c_int;
    fn EVP_SIGNATURE_fetch(lib: Ptr, name: *const c_char, properties: *const c_char) -> Ptr;
    fn EVP_PKEY_sign_message_init(ctx: Ptr, algorithm: Ptr, params: *const Param) -> c_int;
    fn EVP_PKEY_sign(
        ctx: Ptr, sig: *mut u8, sig_len: *mut usize, msg: *const u8, msg_len: usize,
    ) -> c_int;
    fn EVP_PKEY_verify_message_init(ctx: Ptr, algorithm: Ptr, params: *const Param) -> c_int;
    fn EVP_PKEY_verify(
        ctx: Ptr, sig: *const u8, sig_len: usize, msg: *const u8, msg_len: usize,
    ) -> c_int;
}

struct State {
    ctx: Ptr,
    made: Ptr,
    input: Vec<u8>,
    sig: Vec<u8>,
    public: Vec<u8>,
}

impl Drop for State {
    fn drop(&mut self) {
        unsafe {
            EVP_PKEY_free(self.made);
            EVP_PKEY_CTX_free(self.ctx);
        }
    }
}

fn seed(bytes: &[u8]) -> [Param; 2] {
    [
        Param {
            key: c"seed".as_ptr(),
            kind: OCTETS,
            data: bytes.as_ptr().cast(),
            len: bytes.len(),
            written: 0,
        },
        END,
    ]
}

/// A context for the key that is derived from a seed.
unsafe fn context(algorithm: *const c_char, bytes: &[u8]) -> Option<Ptr> {
    let mut key = null_mut();
    unsafe {
        let maker = EVP_PKEY_CTX_new_from_name(null_mut(), algorithm, null());
        if maker.is_null() {
            return None;
        }
        let fine = EVP_PKEY_fromdata_init(maker) == 1
            && EVP_PKEY_fromdata(maker, &mut key, KEY_PAIR, seed(bytes).as_ptr()) == 1;
        EVP_PKEY_CTX_free(maker);
        let ctx =
            if fine { EVP_PKEY_CTX_new_from_pkey(null_mut(), key, null()) } else { null_mut() };
        EVP_PKEY_free(key); // the context has its own reference
        (!ctx.is_null()).then_some(ctx)
    }
}

pub fn prepare(job: &Job) -> Option<Task> {
    let name = Name::plain(job.op)?;
    let algorithm = CString::new(format!("ML-DSA-{}", name.set)).ok()?;
    let (msg, sig) = name.split(job.input);
    let sig = if sig.is_empty() { vec![0; name.sig_len()] } else { sig.to_vec() };
    let mut s = State {
        ctx: null_mut(),
        made: null_mut(),
        input: msg.to_vec(),
        sig,
        public: vec![0; name.public_len()],
    };
    unsafe {
        if name.verb == Verb::Keygen {
            s.ctx = EVP_PKEY_CTX_new_from_name(null_mut(), algorithm.as_ptr(), null());
            let fine = !s.ctx.is_null()
                && EVP_PKEY_keygen_init(s.ctx) == 1
                && EVP_PKEY_CTX_set_params(s.ctx, seed(&s.input).as_ptr()) == 1;
            return fine.then(|| Task::new(s, keygen, public));
        }
        s.ctx = context(algorithm.as_ptr(), job.key)?;
        let scheme = EVP_SIGNATURE_fetch(null_mut(), algorithm.as_ptr(), null());
        let yes: c_int = 1;
        let deterministic = [
            Param {
                key: c"deterministic".as_ptr(),
                kind: INTEGER,
                data: (&raw const yes).cast(),
                len: 4,
                written: 0,
            },
            END,
        ];
        let fine = match name.verb {
            Verb::Sign => EVP_PKEY_sign_message_init(s.ctx, scheme, deterministic.as_ptr()),
            _ => EVP_PKEY_verify_message_init(s.ctx, scheme, null()),
        };
        (fine == 1).then(|| match name.verb {
            Verb::Sign => Task::new(s, sign, |s| s.sig.clone()),
            _ => Task::new(s, verify, |_| vec![1]),
        })
    }
}

fn keygen(s: &mut State) -> bool {
    unsafe {
        EVP_PKEY_free(s.made);
        s.made = null_mut();
        EVP_PKEY_generate(s.ctx, &mut s.made) == 1
    }
}

fn public(s: &mut State) -> Vec<u8> {
    let mut len = 0;
    unsafe {
        EVP_PKEY_get_octet_string_param(
            s.made,
            c"pub".as_ptr(),
            s.public.as_mut_ptr(),
            s.public.len(),
            &mut len,
        )
    };
    s.public.clone()
}

fn sign(s: &mut State) -> bool {
    let mut len = s.sig.len();
    unsafe {
        EVP_PKEY_sign(s.ctx, s.sig.as_mut_ptr(), &mut len, s.input.as_ptr(), s.input.len()) == 1
    }
}

fn verify(s: &mut State) -> bool {
    unsafe {
        EVP_PKEY_verify(s.ctx, s.sig.as_ptr(), s.sig.len(), s.input.as_ptr(), s.input.len()) == 1
    }
}
