//! Botan 3 through its C interface.

use arena_peer::{Job, Peer, Task};
use std::ffi::{c_char, c_int, c_void, CStr};
use std::ptr::null_mut;

struct Botan;

type Ptr = *mut c_void;
type View = extern "C" fn(to: Ptr, bytes: *const u8, len: usize) -> c_int;

const DECRYPT: u32 = 1;
const FINAL: u32 = 1;
const CURVE: &CStr = c"sm2p256v1";

unsafe extern "C" {
    fn botan_version_string() -> *const c_char;
    fn botan_rng_init(rng: *mut Ptr, kind: *const c_char) -> c_int;

    fn botan_block_cipher_init(bc: *mut Ptr, name: *const c_char) -> c_int;
    fn botan_block_cipher_set_key(bc: Ptr, key: *const u8, len: usize) -> c_int;
    fn botan_block_cipher_encrypt_blocks(
        bc: Ptr, input: *const u8, out: *mut u8, blocks: usize,
    ) -> c_int;
    fn botan_block_cipher_decrypt_blocks(
        bc: Ptr, input: *const u8, out: *mut u8, blocks: usize,
    ) -> c_int;
    fn botan_block_cipher_destroy(bc: Ptr) -> c_int;

    fn botan_cipher_init(c: *mut Ptr, name: *const c_char, flags: u32) -> c_int;
    fn botan_cipher_set_key(c: Ptr, key: *const u8, len: usize) -> c_int;
    fn botan_cipher_set_associated_data(c: Ptr, aad: *const u8, len: usize) -> c_int;
    fn botan_cipher_start(c: Ptr, nonce: *const u8, len: usize) -> c_int;
    fn botan_cipher_update(
        c: Ptr, flags: u32, out: *mut u8, room: usize, written: *mut usize, input: *const u8,
        len: usize, used: *mut usize,
    ) -> c_int;
    fn botan_cipher_destroy(c: Ptr) -> c_int;

    fn botan_hash_init(h: *mut Ptr, name: *const c_char, flags: u32) -> c_int;
    fn botan_hash_update(h: Ptr, input: *const u8, len: usize) -> c_int;
    fn botan_hash_final(h: Ptr, out: *mut u8) -> c_int;
    fn botan_hash_destroy(h: Ptr) -> c_int;

    fn botan_mac_init(m: *mut Ptr, name: *const c_char, flags: u32) -> c_int;
    fn botan_mac_set_key(m: Ptr, key: *const u8, len: usize) -> c_int;
    fn botan_mac_set_nonce(m: Ptr, nonce: *const u8, len: usize) -> c_int;
    fn botan_mac_update(m: Ptr, input: *const u8, len: usize) -> c_int;
    fn botan_mac_final(m: Ptr, out: *mut u8) -> c_int;
    fn botan_mac_destroy(m: Ptr) -> c_int;

    fn botan_pwdhash(
        name: *const c_char, param1: usize, param2: usize, param3: usize, out: *mut u8,
        out_len: usize, password: *const u8, password_len: usize, salt: *const u8, salt_len: usize,
    ) -> c_int;

    fn botan_mp_init(mp: *mut Ptr) -> c_int;
    fn botan_mp_from_bin(mp: Ptr, bytes: *const u8, len: usize) -> c_int;
    fn botan_mp_destroy(mp: Ptr) -> c_int;
    fn botan_mp_to_bin(mp: Ptr, out: *mut u8) -> c_int;
    fn botan_mp_num_bytes(mp: Ptr, len: *mut usize) -> c_int;
    fn botan_mp_set_from_mp(to: Ptr, from: Ptr) -> c_int;
    fn botan_mp_mod_mul(r: Ptr, x: Ptr, y: Ptr, modulus: Ptr) -> c_int;
    fn botan_mp_mod_inverse(r: Ptr, x: Ptr, modulus: Ptr) -> c_int;
    fn botan_privkey_create(
        key: *mut Ptr, algorithm: *const c_char, parameters: *const c_char, rng: Ptr,
    ) -> c_int;
    fn botan_privkey_load_sm2(key: *mut Ptr, d: Ptr, curve: *const c_char) -> c_int;
    fn botan_privkey_load_ecdh(key: *mut Ptr, d: Ptr, curve: *const c_char) -> c_int;
    fn botan_privkey_view_raw(key: Ptr, to: Ptr, view: View) -> c_int;
    fn botan_privkey_export_pubkey(public: *mut Ptr, key: Ptr) -> c_int;
    fn botan_privkey_destroy(key: Ptr) -> c_int;
    fn botan_pubkey_load_sm2_sec1(
        key: *mut Ptr, bytes: *const u8, len: usize, curve: *const c_char,
    ) -> c_int;
    fn botan_pubkey_view_raw(key: Ptr, to: Ptr, view: View) -> c_int;
    fn botan_pubkey_destroy(key: Ptr) -> c_int;

    fn botan_pk_op_sign_create(op: *mut Ptr, key: Ptr, how: *const c_char, flags: u32) -> c_int;
    fn botan_pk_op_sign_update(op: Ptr, input: *const u8, len: usize) -> c_int;
    fn botan_pk_op_sign_finish(op: Ptr, rng: Ptr, sig: *mut u8, len: *mut usize) -> c_int;
    fn botan_pk_op_sign_destroy(op: Ptr) -> c_int;
    fn botan_pk_op_verify_create(op: *mut Ptr, key: Ptr, how: *const c_char, flags: u32) -> c_int;
    fn botan_pk_op_verify_update(op: Ptr, input: *const u8, len: usize) -> c_int;
    fn botan_pk_op_verify_finish(op: Ptr, sig: *const u8, len: usize) -> c_int;
    fn botan_pk_op_verify_destroy(op: Ptr) -> c_int;
    fn botan_pk_op_encrypt_create(op: *mut Ptr, key: Ptr, how: *const c_char, flags: u32) -> c_int;
    fn botan_pk_op_encrypt(
        op: Ptr, rng: Ptr, out: *mut u8, len: *mut usize, text: *const u8, n: usize,
    ) -> c_int;
    fn botan_pk_op_encrypt_destroy(op: Ptr) -> c_int;
    fn botan_pk_op_decrypt_create(op: *mut Ptr, key: Ptr, how: *const c_char, flags: u32) -> c_int;
    fn botan_pk_op_decrypt(
        op: Ptr, out: *mut u8, len: *mut usize, text: *const u8, n: usize,
    ) -> c_int;
    fn botan_pk_op_decrypt_destroy(op: Ptr) -> c_int;
    fn botan_pk_op_key_agreement_create(
        op: *mut Ptr, key: Ptr, kdf: *const c_char, flags: u32,
    ) -> c_int;
    fn botan_pk_op_key_agreement(
        op: Ptr, out: *mut u8, len: *mut usize, other: *const u8, other_len: usize,
        salt: *const u8, salt_len: usize,
    ) -> c_int;
    fn botan_pk_op_key_agreement_destroy(op: Ptr) -> c_int;
}

impl Peer for Botan {
    const NAME: &'static str = "botan";

    fn version() -> String {
        let full = unsafe { CStr::from_ptr(botan_version_string()) }.to_string_lossy();
        full.split(' ').nth(1).unwrap_or("?").to_string() // "Botan 3.13.0 (unreleased, ...)"
    }

    fn prepare(job: &Job) -> Option<Task> {
        match (job.family, job.op) {
            ("sm4", "ecb-enc" | "ecb-dec") => blocks(job),
            ("sm4", "cmac") => mac(job, c"CMAC(SM4)", 16),
            ("sm4", "gmac") => mac(job, c"GMAC(SM4)", 16),
            ("sm4", _) => cipher(job),
            ("sm3", "hash") => hash(job),
            ("sm3", "hmac") => mac(job, c"HMAC(SM3)", 32),
            ("sm3", "pbkdf2-1000") => pbkdf2(job),
            ("sm2", "field-mul" | "field-inv") => field(job),
            ("sm2", _) => sm2(job),
            _ => None,
        }
    }
}

/// An object of Botan's and the function that destroys it.
struct Object(Ptr, unsafe extern "C" fn(Ptr) -> c_int);

impl Object {
    fn new(
        destroy: unsafe extern "C" fn(Ptr) -> c_int, init: impl FnOnce(*mut Ptr) -> c_int,
    ) -> Option<Object> {
        let mut at = null_mut();
        (init(&mut at) == 0).then_some(Object(at, destroy))
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        unsafe { (self.1)(self.0) };
    }
}

/// Integers modulo p, as the curve's own field is not accessible.
fn field(job: &Job) -> Option<Task> {
    struct Field {
        p: Object,
        now: Object,
        x: Object,
        y: Object,
        inverts: bool,
    }
    let number = |bytes: &[u8]| {
        let mp = Object::new(botan_mp_destroy, |p| unsafe { botan_mp_init(p) })?;
        (unsafe { botan_mp_from_bin(mp.0, bytes.as_ptr(), bytes.len()) } == 0).then_some(mp)
    };
    let (x, y) = job.input.split_at(32);
    let inverts = job.op == "field-inv";
    let s = Field {
        p: number(&arena_peer::SM2_P)?,
        now: number(x)?,
        x: number(x)?,
        y: number(y)?,
        inverts,
    };
    let begin = |s: &mut Field| unsafe {
        botan_mp_set_from_mp(s.now.0, s.x.0);
    };
    let times = |s: &mut Field, n: u64| {
        let mut wrong = 0;
        for _ in 0..n {
            wrong |= match s.inverts {
                true => unsafe { botan_mp_mod_inverse(s.now.0, s.now.0, s.p.0) },
                false => unsafe { botan_mp_mod_mul(s.now.0, s.now.0, s.y.0, s.p.0) },
            };
        }
        wrong == 0
    };
    let output = |s: &mut Field| unsafe {
        let (mut out, mut len) = (vec![0; 64], 0);
        botan_mp_num_bytes(s.now.0, &mut len);
        botan_mp_to_bin(s.now.0, out.as_mut_ptr());
        [vec![0; 32usize.saturating_sub(len)], out[..len].to_vec()].concat()
    };
    Some(Task::looped(s, begin, times, output))
}

struct State {
    object: Object,
    rng: Ptr,
    iv: Vec<u8>,
    aad: Vec<u8>,
    input: Vec<u8>,
    out: Vec<u8>,
    len: usize,
    accepted: bool,
}

impl State {
    fn new(object: Object, job: &Job) -> State {
        let (iv, aad, input) = (job.iv.to_vec(), job.aad.to_vec(), job.input.to_vec());
        let out = vec![0; input.len() + 256];
        let mut rng = null_mut();
        // its DRBG; never freed
        unsafe { botan_rng_init(&mut rng, c"user".as_ptr()) };
        State { object, rng, iv, aad, input, out, len: 0, accepted: false }
    }

    fn output(&mut self) -> Vec<u8> {
        self.out[..self.len].to_vec()
    }
}

/// Botan has no ECB mode; its block cipher takes many blocks at once, which is equivalent.
fn blocks(job: &Job) -> Option<Task> {
    let object = Object::new(botan_block_cipher_destroy, |p| unsafe {
        botan_block_cipher_init(p, c"SM4".as_ptr())
    })?;
    unsafe { botan_block_cipher_set_key(object.0, job.key.as_ptr(), job.key.len()) };
    let encrypt = job.op == "ecb-enc";
    let once = move |s: &mut State| unsafe {
        s.len = s.input.len();
        let (bc, from, to, n) = (s.object.0, s.input.as_ptr(), s.out.as_mut_ptr(), s.len / 16);
        0 == if encrypt {
            botan_block_cipher_encrypt_blocks(bc, from, to, n)
        } else {
            botan_block_cipher_decrypt_blocks(bc, from, to, n)
        }
    };
    Some(Task::new(State::new(object, job), once, State::output))
}

fn cipher(job: &Job) -> Option<Task> {
    let (name, decrypt, aead) = match job.op {
        "cbc-enc" => (c"SM4/CBC/NoPadding", false, false),
        "cbc-dec" => (c"SM4/CBC/NoPadding", true, false),
        "cfb-enc" => (c"SM4/CFB", false, false),
        "cfb-dec" => (c"SM4/CFB", true, false),
        "ofb" => (c"OFB(SM4)", false, false),
        "ctr" => (c"CTR-BE(SM4)", false, false),
        "gcm-seal" => (c"SM4/GCM", false, true),
        "gcm-open" => (c"SM4/GCM", true, true),
        "ccm-seal" => (c"SM4/CCM(16,3)", false, true),
        "ccm-open" => (c"SM4/CCM(16,3)", true, true),
        "xts-enc" => (c"SM4/XTS", false, false),
        "xts-dec" => (c"SM4/XTS", true, false),
        _ => return None,
    };
    let flags = if decrypt { DECRYPT } else { 0 };
    let object = Object::new(botan_cipher_destroy, |p| unsafe {
        botan_cipher_init(p, name.as_ptr(), flags)
    })?;
    unsafe { botan_cipher_set_key(object.0, job.key.as_ptr(), job.key.len()) };
    let once = move |s: &mut State| unsafe {
        let (c, mut used) = (s.object.0, 0);
        let mut bad = 0;
        if aead {
            bad |= botan_cipher_set_associated_data(c, s.aad.as_ptr(), s.aad.len());
        }
        bad |= botan_cipher_start(c, s.iv.as_ptr(), s.iv.len());
        let (to, room) = (s.out.as_mut_ptr(), s.out.len());
        bad |= botan_cipher_update(
            c,
            FINAL,
            to,
            room,
            &mut s.len,
            s.input.as_ptr(),
            s.input.len(),
            &mut used,
        );
        bad == 0
    };
    Some(Task::new(State::new(object, job), once, State::output))
}

fn hash(job: &Job) -> Option<Task> {
    let object =
        Object::new(botan_hash_destroy, |p| unsafe { botan_hash_init(p, c"SM3".as_ptr(), 0) })?;
    let once = |s: &mut State| unsafe {
        s.len = 32;
        botan_hash_update(s.object.0, s.input.as_ptr(), s.input.len()) == 0
            && botan_hash_final(s.object.0, s.out.as_mut_ptr()) == 0
    };
    Some(Task::new(State::new(object, job), once, State::output))
}

fn mac(job: &Job, name: &CStr, len: usize) -> Option<Task> {
    let object =
        Object::new(botan_mac_destroy, |p| unsafe { botan_mac_init(p, name.as_ptr(), 0) })?;
    unsafe { botan_mac_set_key(object.0, job.key.as_ptr(), job.key.len()) };
    let nonce = name.to_bytes().starts_with(b"GMAC");
    let once = move |s: &mut State| unsafe {
        s.len = len;
        (!nonce || botan_mac_set_nonce(s.object.0, s.iv.as_ptr(), s.iv.len()) == 0)
            && botan_mac_update(s.object.0, s.input.as_ptr(), s.input.len()) == 0
            && botan_mac_final(s.object.0, s.out.as_mut_ptr()) == 0
    };
    Some(Task::new(State::new(object, job), once, State::output))
}

fn pbkdf2(job: &Job) -> Option<Task> {
    let s = (job.key.to_vec(), job.iv.to_vec(), [0u8; 32]);
    let once = |(password, salt, out): &mut (Vec<u8>, Vec<u8>, [u8; 32])| unsafe {
        let name = c"PBKDF2(SM3)".as_ptr();
        let (p, p_len, s, s_len) = (password.as_ptr(), password.len(), salt.as_ptr(), salt.len());
        botan_pwdhash(name, 1000, 0, 0, out.as_mut_ptr(), 32, p, p_len, s, s_len) == 0
    };
    Some(Task::new(s, once, |s| s.2.to_vec()))
}

fn number(bytes: &[u8]) -> Option<Object> {
    let mp = Object::new(botan_mp_destroy, |p| unsafe { botan_mp_init(p) })?;
    (unsafe { botan_mp_from_bin(mp.0, bytes.as_ptr(), bytes.len()) } == 0).then_some(mp)
}

fn private(
    job: &Job, load: unsafe extern "C" fn(*mut Ptr, Ptr, *const c_char) -> c_int,
) -> Option<Object> {
    let d = number(job.key)?;
    Object::new(botan_privkey_destroy, |p| unsafe { load(p, d.0, CURVE.as_ptr()) })
}

fn public(bytes: &[u8]) -> Option<Object> {
    let (at, len) = (bytes.as_ptr(), bytes.len());
    Object::new(botan_pubkey_destroy, |p| unsafe {
        botan_pubkey_load_sm2_sec1(p, at, len, CURVE.as_ptr())
    })
}

extern "C" fn collect(to: Ptr, bytes: *const u8, len: usize) -> c_int {
    unsafe { (*to.cast::<Vec<u8>>()).extend(std::slice::from_raw_parts(bytes, len)) };
    0
}

fn sm2(job: &Job) -> Option<Task> {
    match job.op {
        "keygen" => {
            let first = private(job, botan_privkey_load_sm2)?;
            let once = |s: &mut State| unsafe {
                let made = Object::new(botan_privkey_destroy, |p| {
                    botan_privkey_create(p, c"SM2".as_ptr(), CURVE.as_ptr(), s.rng)
                });
                made.map(|key| s.object = key).is_some()
            };
            Some(Task::new(State::new(first, job), once, |s| unsafe {
                let mut all: Vec<u8> = vec![];
                botan_privkey_view_raw(s.object.0, (&raw mut all).cast(), collect);
                let public = Object::new(botan_pubkey_destroy, |p| {
                    botan_privkey_export_pubkey(p, s.object.0)
                });
                if let Some(public) = public {
                    botan_pubkey_view_raw(public.0, (&raw mut all).cast(), collect);
                }
                all
            }))
        }
        "sign" => {
            let key = private(job, botan_privkey_load_sm2)?;
            let op = Object::new(botan_pk_op_sign_destroy, |p| unsafe {
                botan_pk_op_sign_create(p, key.0, c",Raw".as_ptr(), 0)
            })?;
            let once = |s: &mut State| unsafe {
                s.len = s.out.len();
                botan_pk_op_sign_update(s.object.0, s.input.as_ptr(), 32) == 0
                    && botan_pk_op_sign_finish(s.object.0, s.rng, s.out.as_mut_ptr(), &mut s.len)
                        == 0
            };
            Some(Task::new(State::new(op, job), once, State::output))
        }
        "verify" => {
            let key = public(job.public)?;
            let op = Object::new(botan_pk_op_verify_destroy, |p| unsafe {
                botan_pk_op_verify_create(p, key.0, c",Raw".as_ptr(), 0)
            })?;
            let once = |s: &mut State| unsafe {
                let (e, sig) = s.input.split_at(32);
                s.accepted = botan_pk_op_verify_update(s.object.0, e.as_ptr(), 32) == 0
                    && botan_pk_op_verify_finish(s.object.0, sig.as_ptr(), sig.len()) == 0;
                s.accepted
            };
            Some(Task::new(State::new(op, job), once, |s| vec![u8::from(s.accepted)]))
        }
        "encrypt-32" => {
            let key = public(job.public)?;
            let op = Object::new(botan_pk_op_encrypt_destroy, |p| unsafe {
                botan_pk_op_encrypt_create(p, key.0, c"SM3".as_ptr(), 0)
            })?;
            let once = |s: &mut State| unsafe {
                s.len = s.out.len();
                let (to, len) = (s.out.as_mut_ptr(), &mut s.len);
                botan_pk_op_encrypt(s.object.0, s.rng, to, len, s.input.as_ptr(), s.input.len())
                    == 0
            };
            Some(Task::new(State::new(op, job), once, |s| {
                arena_peer::der::to_ciphertext(&s.out[..s.len]).unwrap_or_default()
            }))
        }
        "decrypt-32" => {
            let key = private(job, botan_privkey_load_sm2)?;
            let op = Object::new(botan_pk_op_decrypt_destroy, |p| unsafe {
                botan_pk_op_decrypt_create(p, key.0, c"SM3".as_ptr(), 0)
            })?;
            let once = |s: &mut State| unsafe {
                s.len = s.out.len();
                botan_pk_op_decrypt(
                    s.object.0,
                    s.out.as_mut_ptr(),
                    &mut s.len,
                    s.input.as_ptr(),
                    s.input.len(),
                ) == 0
            };
            let mut s = State::new(op, job);
            s.input = arena_peer::der::from_ciphertext(job.input);
            Some(Task::new(s, once, State::output))
        }
        "ecdh" => {
            let key = private(job, botan_privkey_load_ecdh)?;
            let op = Object::new(botan_pk_op_key_agreement_destroy, |p| unsafe {
                botan_pk_op_key_agreement_create(p, key.0, c"Raw".as_ptr(), 0)
            })?;
            let once = |s: &mut State| unsafe {
                s.len = s.out.len();
                let (to, len, other) = (s.out.as_mut_ptr(), &mut s.len, &s.input);
                botan_pk_op_key_agreement(
                    s.object.0,
                    to,
                    len,
                    other.as_ptr(),
                    other.len(),
                    other.as_ptr(),
                    0,
                ) == 0
            };
            Some(Task::new(State::new(op, job), once, State::output))
        }
        _ => None,
    }
}

arena_peer::export!(Botan);
