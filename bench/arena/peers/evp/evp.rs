//! OpenSSL's EVP interface, for every libcrypto with the interface of 3.x or 4.x: OpenSSL, Tongsuo,
//! the system's own.
//!
//! The crate of each of them includes this file and links its own libcrypto. Algorithms are fetched
//! and keys expanded once; for each message the existing context gets a new IV, which is the
//! fastest use of EVP. Declarations are our own, after the manual pages.

#[path = "curves.rs"]
mod curves;

use arena_peer::{der, Job, Task};
use std::ffi::{c_char, c_int, c_uint, c_void, CStr, CString};
use std::ptr::{null, null_mut};

pub type Ptr = *mut c_void;

#[repr(C)]
pub struct Param {
    pub key: *const c_char,
    pub kind: c_uint,
    pub data: *const c_void,
    pub len: usize,
    pub written: usize,
}

const UNSIGNED: c_uint = 2;
const UTF8: c_uint = 4;
pub const OCTETS: c_uint = 5;
pub const END: Param = Param { key: null(), kind: 0, data: null(), len: 0, written: 0 };

const SET_IV_LEN: c_int = 0x9;
const GET_TAG: c_int = 0x10;
const SET_TAG: c_int = 0x11;
const PUBLIC: c_int = 0x86;
pub const KEY_PAIR: c_int = 0x87;

unsafe extern "C" {
    fn OpenSSL_version(what: c_int) -> *const c_char;

    fn EVP_CIPHER_fetch(lib: Ptr, name: *const c_char, properties: *const c_char) -> Ptr;
    fn EVP_CIPHER_CTX_new() -> Ptr;
    fn EVP_CIPHER_CTX_free(ctx: Ptr);
    fn EVP_CIPHER_CTX_ctrl(ctx: Ptr, what: c_int, arg: c_int, at: *mut c_void) -> c_int;
    fn EVP_CIPHER_CTX_set_padding(ctx: Ptr, on: c_int) -> c_int;
    fn EVP_CIPHER_CTX_set_params(ctx: Ptr, params: *const Param) -> c_int;
    fn EVP_CipherInit_ex2(
        ctx: Ptr, cipher: Ptr, key: *const u8, iv: *const u8, enc: c_int, params: *const Param,
    ) -> c_int;
    fn EVP_CipherUpdate(
        ctx: Ptr, out: *mut u8, out_len: *mut c_int, input: *const u8, len: c_int,
    ) -> c_int;
    fn EVP_CipherFinal_ex(ctx: Ptr, out: *mut u8, out_len: *mut c_int) -> c_int;

    fn EVP_MD_fetch(lib: Ptr, name: *const c_char, properties: *const c_char) -> Ptr;
    fn EVP_MD_CTX_new() -> Ptr;
    fn EVP_MD_CTX_free(ctx: Ptr);
    fn EVP_DigestInit_ex2(ctx: Ptr, md: Ptr, params: *const Param) -> c_int;
    fn EVP_DigestUpdate(ctx: Ptr, input: *const u8, len: usize) -> c_int;
    fn EVP_DigestFinal_ex(ctx: Ptr, out: *mut u8, len: *mut c_uint) -> c_int;

    fn EVP_MAC_fetch(lib: Ptr, name: *const c_char, properties: *const c_char) -> Ptr;
    fn EVP_MAC_CTX_new(mac: Ptr) -> Ptr;
    fn EVP_MAC_CTX_free(ctx: Ptr);
    fn EVP_MAC_init(ctx: Ptr, key: *const u8, key_len: usize, params: *const Param) -> c_int;
    fn EVP_MAC_update(ctx: Ptr, input: *const u8, len: usize) -> c_int;
    fn EVP_MAC_final(ctx: Ptr, out: *mut u8, len: *mut usize, room: usize) -> c_int;

    fn PKCS5_PBKDF2_HMAC(
        password: *const u8, password_len: c_int, salt: *const u8, salt_len: c_int,
        iterations: c_int, md: Ptr, out_len: c_int, out: *mut u8,
    ) -> c_int;

    fn EVP_PKEY_CTX_new_from_name(lib: Ptr, name: *const c_char, properties: *const c_char) -> Ptr;
    fn EVP_PKEY_CTX_new_from_pkey(lib: Ptr, key: Ptr, properties: *const c_char) -> Ptr;
    fn EVP_PKEY_CTX_free(ctx: Ptr);
    fn EVP_PKEY_free(key: Ptr);
    fn EVP_PKEY_fromdata_init(ctx: Ptr) -> c_int;
    fn EVP_PKEY_fromdata(ctx: Ptr, key: *mut Ptr, selection: c_int, params: *const Param) -> c_int;
    fn EVP_PKEY_keygen_init(ctx: Ptr) -> c_int;
    fn EVP_PKEY_generate(ctx: Ptr, key: *mut Ptr) -> c_int;
    fn EVP_PKEY_get_bn_param(key: Ptr, name: *const c_char, number: *mut Ptr) -> c_int;
    fn EVP_PKEY_sign_init(ctx: Ptr) -> c_int;
    fn EVP_PKEY_sign(
        ctx: Ptr, sig: *mut u8, sig_len: *mut usize, digest: *const u8, digest_len: usize,
    ) -> c_int;
    fn EVP_PKEY_verify_init(ctx: Ptr) -> c_int;
    fn EVP_PKEY_verify(
        ctx: Ptr, sig: *const u8, sig_len: usize, digest: *const u8, digest_len: usize,
    ) -> c_int;
    fn EVP_PKEY_encrypt_init(ctx: Ptr) -> c_int;
    fn EVP_PKEY_encrypt(
        ctx: Ptr, out: *mut u8, out_len: *mut usize, input: *const u8, len: usize,
    ) -> c_int;
    fn EVP_PKEY_decrypt_init(ctx: Ptr) -> c_int;
    fn EVP_PKEY_decrypt(
        ctx: Ptr, out: *mut u8, out_len: *mut usize, input: *const u8, len: usize,
    ) -> c_int;
    fn EVP_PKEY_derive_init(ctx: Ptr) -> c_int;
    fn EVP_PKEY_derive_set_peer(ctx: Ptr, peer: Ptr) -> c_int;
    fn EVP_PKEY_derive(ctx: Ptr, out: *mut u8, out_len: *mut usize) -> c_int;

    fn BN_bn2binpad(number: Ptr, out: *mut u8, len: c_int) -> c_int;
    fn BN_free(number: Ptr);
    fn BN_new() -> Ptr;
    fn BN_bin2bn(bytes: *const u8, len: c_int, number: Ptr) -> Ptr;
    fn BN_CTX_new() -> Ptr;
    fn BN_MONT_CTX_new() -> Ptr;
    fn BN_MONT_CTX_set(mont: Ptr, modulus: Ptr, ctx: Ptr) -> c_int;
    fn BN_to_montgomery(r: Ptr, x: Ptr, mont: Ptr, ctx: Ptr) -> c_int;
    fn BN_from_montgomery(r: Ptr, x: Ptr, mont: Ptr, ctx: Ptr) -> c_int;
    fn BN_mod_mul_montgomery(r: Ptr, x: Ptr, y: Ptr, mont: Ptr, ctx: Ptr) -> c_int;
    fn BN_mod_inverse(r: Ptr, x: Ptr, modulus: Ptr, ctx: Ptr) -> Ptr;
    fn BN_copy(to: Ptr, from: Ptr) -> Ptr;
}

/// "OpenSSL 4.0.3 9 Sep 2026" without the name and the date.
#[allow(dead_code, reason = "Tongsuo has its own version numbers")]
pub fn version() -> String {
    let full = unsafe { CStr::from_ptr(OpenSSL_version(0)) }.to_string_lossy();
    full.split(' ').nth(1).unwrap_or("?").to_string()
}

pub fn prepare(job: &Job) -> Option<Task> {
    match (job.family, job.op) {
        ("sm4", "gmac") => gmac(job),
        ("sm4", "cmac") => mac(job, c"CMAC", c"cipher", c"SM4-CBC"),
        ("sm4", op) => match op.rsplit_once('-') {
            Some((mode, "seal")) => aead(job, mode, true),
            Some((mode, "open")) => aead(job, mode, false),
            _ => cipher(job),
        },
        ("sm3", "hash") => hash(job),
        ("sm3", "hmac") => mac(job, c"HMAC", c"digest", c"SM3"),
        ("sm3", "pbkdf2-1000") => pbkdf2(job),
        ("sm2", "field-mul" | "field-inv") => field(job),
        ("sm2", _) => sm2(job),
        ("ec2m", _) => curves::prepare(job),
        _ => None,
    }
}

/// A context with the function that frees it, its inputs, and room for its output.
struct State {
    ctx: Ptr,
    free: unsafe extern "C" fn(Ptr),
    iv: Vec<u8>,
    aad: Vec<u8>,
    input: Vec<u8>,
    out: Vec<u8>,
    tag: [u8; 16],
    len: usize,
    accepted: bool,
}

impl State {
    fn new(ctx: Ptr, free: unsafe extern "C" fn(Ptr), job: &Job, input: Vec<u8>) -> Option<State> {
        let out = vec![0; input.len().max(32) + 256];
        let (iv, aad) = (job.iv.to_vec(), job.aad.to_vec());
        (!ctx.is_null()).then_some(State {
            ctx,
            free,
            iv,
            aad,
            input,
            out,
            tag: [0; 16],
            len: 0,
            accepted: false,
        })
    }
}

impl Drop for State {
    fn drop(&mut self) {
        unsafe { (self.free)(self.ctx) }
    }
}

fn utf8(key: &'static CStr, text: &CStr) -> Param {
    Param {
        key: key.as_ptr(),
        kind: UTF8,
        data: text.as_ptr().cast(),
        len: text.to_bytes().len(),
        written: 0,
    }
}

/// A cipher context with its key, or None where this libcrypto lacks the mode.
fn keyed(job: &Job, mode: &str, encrypt: bool, input: Vec<u8>) -> Option<State> {
    let name = CString::new(format!("SM4-{}", mode.to_uppercase())).ok()?;
    unsafe {
        let cipher = EVP_CIPHER_fetch(null_mut(), name.as_ptr(), null());
        if cipher.is_null() {
            return None;
        }
        let s = State::new(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free, job, input)?;
        let mut fine =
            EVP_CipherInit_ex2(s.ctx, cipher, null(), null(), c_int::from(encrypt), null());
        if matches!(mode, "gcm" | "ccm") {
            fine &= EVP_CIPHER_CTX_ctrl(s.ctx, SET_IV_LEN, s.iv.len() as c_int, null_mut());
        }
        if mode == "ccm" {
            let tag = if encrypt { null_mut() } else { s.tag.as_ptr().cast_mut().cast() };
            fine &= EVP_CIPHER_CTX_ctrl(s.ctx, SET_TAG, 16, tag);
        }
        fine &= EVP_CipherInit_ex2(s.ctx, null_mut(), job.key.as_ptr(), null(), -1, null());
        EVP_CIPHER_CTX_set_padding(s.ctx, 0);
        (fine == 1).then_some(s)
    }
}

fn cipher(job: &Job) -> Option<Task> {
    let encrypt = !job.op.ends_with("-dec");
    let (mode, standard) = match job.op {
        "xts-enc" | "xts-dec" => ("xts", Some(c"IEEE")),
        "xts-gb-enc" | "xts-gb-dec" => ("xts", Some(c"GB")),
        op => (op.split('-').next()?, None),
    };
    let s = keyed(job, mode, encrypt, job.input.to_vec())?;
    if let Some(standard) = standard {
        let params = [utf8(c"xts_standard", standard), END];
        if unsafe { EVP_CIPHER_CTX_set_params(s.ctx, params.as_ptr()) } != 1 {
            return None;
        }
    }
    let iv_each_time = mode != "ecb";
    let once = move |s: &mut State| unsafe {
        let mut len = 0;
        let set = !iv_each_time
            || EVP_CipherInit_ex2(s.ctx, null_mut(), null(), s.iv.as_ptr(), -1, null()) == 1;
        set && EVP_CipherUpdate(
            s.ctx,
            s.out.as_mut_ptr(),
            &mut len,
            s.input.as_ptr(),
            s.input.len() as c_int,
        ) == 1
    };
    Some(Task::new(s, once, |s| s.out[..s.input.len()].to_vec()))
}

fn aead(job: &Job, mode: &str, seal: bool) -> Option<Task> {
    let text_len = if seal { job.input.len() } else { job.input.len() - 16 };
    let mut s = keyed(job, mode, seal, job.input[..text_len].to_vec())?;
    if !seal {
        s.tag.copy_from_slice(&job.input[text_len..]);
    }
    let ccm = mode == "ccm";
    let once = move |s: &mut State| unsafe {
        let (ctx, n, mut len) = (s.ctx, s.input.len() as c_int, 0);
        let tag = s.tag.as_mut_ptr().cast();
        if !seal && ccm && EVP_CIPHER_CTX_ctrl(ctx, SET_TAG, 16, tag) != 1 {
            return false;
        }
        let mut fine = EVP_CipherInit_ex2(ctx, null_mut(), null(), s.iv.as_ptr(), -1, null());
        if ccm {
            fine &= EVP_CipherUpdate(ctx, null_mut(), &mut len, null(), n);
        }
        fine &= EVP_CipherUpdate(ctx, null_mut(), &mut len, s.aad.as_ptr(), s.aad.len() as c_int);
        if !seal && !ccm {
            fine &= EVP_CIPHER_CTX_ctrl(ctx, SET_TAG, 16, tag);
        }
        let text = EVP_CipherUpdate(ctx, s.out.as_mut_ptr(), &mut len, s.input.as_ptr(), n);
        if seal || !ccm {
            fine &= EVP_CipherFinal_ex(ctx, s.out.as_mut_ptr().add(n as usize), &mut len);
        }
        if seal {
            fine &= EVP_CIPHER_CTX_ctrl(ctx, GET_TAG, 16, tag);
        }
        fine == 1 && text == 1
    };
    Some(Task::new(s, once, move |s| match seal {
        true => [&s.out[..s.input.len()], &s.tag].concat(),
        false => s.out[..s.input.len()].to_vec(),
    }))
}

/// GCM with nothing to encrypt: the cheapest GMAC that EVP has, as EVP_MAC's GMAC sets its key
/// every time.
fn gmac(job: &Job) -> Option<Task> {
    let s = keyed(job, "gcm", true, job.input.to_vec())?;
    let once = |s: &mut State| unsafe {
        let mut len = 0;
        EVP_CipherInit_ex2(s.ctx, null_mut(), null(), s.iv.as_ptr(), -1, null()) == 1
            && EVP_CipherUpdate(
                s.ctx,
                null_mut(),
                &mut len,
                s.input.as_ptr(),
                s.input.len() as c_int,
            ) == 1
            && EVP_CipherFinal_ex(s.ctx, s.out.as_mut_ptr(), &mut len) == 1
            && EVP_CIPHER_CTX_ctrl(s.ctx, GET_TAG, 16, s.tag.as_mut_ptr().cast()) == 1
    };
    Some(Task::new(s, once, |s| s.tag.to_vec()))
}

fn mac(job: &Job, name: &CStr, part: &'static CStr, algorithm: &CStr) -> Option<Task> {
    let s = unsafe {
        let mac = EVP_MAC_fetch(null_mut(), name.as_ptr(), null());
        if mac.is_null() {
            return None;
        }
        let s = State::new(EVP_MAC_CTX_new(mac), EVP_MAC_CTX_free, job, job.input.to_vec())?;
        let params = [utf8(part, algorithm), END];
        if EVP_MAC_init(s.ctx, job.key.as_ptr(), job.key.len(), params.as_ptr()) != 1 {
            return None;
        }
        s
    };
    let once = |s: &mut State| unsafe {
        EVP_MAC_init(s.ctx, null(), 0, null()) == 1
            && EVP_MAC_update(s.ctx, s.input.as_ptr(), s.input.len()) == 1
            && EVP_MAC_final(s.ctx, s.out.as_mut_ptr(), &mut s.len, s.out.len()) == 1
    };
    Some(Task::new(s, once, |s| s.out[..s.len].to_vec()))
}

fn sm3() -> Option<Ptr> {
    let md = unsafe { EVP_MD_fetch(null_mut(), c"SM3".as_ptr(), null()) };
    (!md.is_null()).then_some(md)
}

fn hash(job: &Job) -> Option<Task> {
    let md = sm3()?;
    let s = unsafe { State::new(EVP_MD_CTX_new(), EVP_MD_CTX_free, job, job.input.to_vec())? };
    unsafe { EVP_DigestInit_ex2(s.ctx, md, null()) };
    let once = |s: &mut State| unsafe {
        EVP_DigestInit_ex2(s.ctx, null_mut(), null()) == 1
            && EVP_DigestUpdate(s.ctx, s.input.as_ptr(), s.input.len()) == 1
            && EVP_DigestFinal_ex(s.ctx, s.out.as_mut_ptr(), null_mut()) == 1
    };
    Some(Task::new(s, once, |s| s.out[..32].to_vec()))
}

fn pbkdf2(job: &Job) -> Option<Task> {
    struct Pbkdf2(Ptr, Vec<u8>, Vec<u8>, [u8; 32]);
    let s = Pbkdf2(sm3()?, job.key.to_vec(), job.iv.to_vec(), [0; 32]);
    let once = |s: &mut Pbkdf2| unsafe {
        let (password, salt) = (&s.1, &s.2);
        PKCS5_PBKDF2_HMAC(
            password.as_ptr(),
            password.len() as c_int,
            salt.as_ptr(),
            salt.len() as c_int,
            1000,
            s.0,
            32,
            s.3.as_mut_ptr(),
        ) == 1
    };
    Some(Task::new(s, once, |s| s.3.to_vec()))
}

/// A key on a curve. For ECDH on SM2's curve the type is "EC", as "SM2" does not support it.
fn key(kind: &CStr, curve: &CStr, public: &[u8], private: &[u8]) -> Option<Ptr> {
    // numbers are passed in the machine's byte order
    let little: Vec<u8> = private.iter().rev().copied().collect();
    if cfg!(target_endian = "big") {
        return None;
    }
    let octets = Param {
        key: c"pub".as_ptr(),
        kind: OCTETS,
        data: public.as_ptr().cast(),
        len: public.len(),
        written: 0,
    };
    let number = Param {
        key: c"priv".as_ptr(),
        kind: UNSIGNED,
        data: little.as_ptr().cast(),
        len: little.len(),
        written: 0,
    };
    let secret = !private.is_empty();
    let params = [utf8(c"group", curve), octets, if secret { number } else { END }, END];
    let mut key = null_mut();
    unsafe {
        let ctx = EVP_PKEY_CTX_new_from_name(null_mut(), kind.as_ptr(), null());
        if ctx.is_null() {
            return None;
        }
        let fine = EVP_PKEY_fromdata_init(ctx) == 1
            && EVP_PKEY_fromdata(
                ctx,
                &mut key,
                if secret { KEY_PAIR } else { PUBLIC },
                params.as_ptr(),
            ) == 1;
        EVP_PKEY_CTX_free(ctx);
        fine.then_some(key)
    }
}

fn state_of_key(
    job: &Job, key: Ptr, input: Vec<u8>, init: unsafe extern "C" fn(Ptr) -> c_int,
) -> Option<State> {
    let s = unsafe {
        State::new(
            EVP_PKEY_CTX_new_from_pkey(null_mut(), key, null()),
            EVP_PKEY_CTX_free,
            job,
            input,
        )?
    };
    unsafe { EVP_PKEY_free(key) }; // the context has its own reference
    (unsafe { init(s.ctx) } == 1).then_some(s)
}

fn sm2(job: &Job) -> Option<Task> {
    match job.op {
        "keygen" => keygen(job),
        "sign" => {
            let s = state_of_key(
                job,
                key(c"SM2", c"SM2", job.public, job.key)?,
                job.input.to_vec(),
                EVP_PKEY_sign_init,
            )?;
            let once = |s: &mut State| unsafe {
                s.len = s.out.len();
                EVP_PKEY_sign(s.ctx, s.out.as_mut_ptr(), &mut s.len, s.input.as_ptr(), 32) == 1
            };
            Some(Task::new(s, once, |s| der::to_signature(&s.out[..s.len], 32).unwrap_or_default()))
        }
        "verify" => {
            let mut s = state_of_key(
                job,
                key(c"SM2", c"SM2", job.public, &[])?,
                job.input[..32].to_vec(),
                EVP_PKEY_verify_init,
            )?;
            s.out = der::from_signature(&job.input[32..]);
            let once = |s: &mut State| unsafe {
                s.accepted =
                    EVP_PKEY_verify(s.ctx, s.out.as_ptr(), s.out.len(), s.input.as_ptr(), 32) == 1;
                s.accepted
            };
            Some(Task::new(s, once, |s| vec![u8::from(s.accepted)]))
        }
        "encrypt-32" => {
            let s = state_of_key(
                job,
                key(c"SM2", c"SM2", job.public, &[])?,
                job.input.to_vec(),
                EVP_PKEY_encrypt_init,
            )?;
            let once = |s: &mut State| unsafe {
                s.len = s.out.len();
                EVP_PKEY_encrypt(
                    s.ctx,
                    s.out.as_mut_ptr(),
                    &mut s.len,
                    s.input.as_ptr(),
                    s.input.len(),
                ) == 1
            };
            Some(Task::new(s, once, |s| der::to_ciphertext(&s.out[..s.len]).unwrap_or_default()))
        }
        "decrypt-32" => {
            let text = der::from_ciphertext(job.input);
            let s = state_of_key(
                job,
                key(c"SM2", c"SM2", job.public, job.key)?,
                text,
                EVP_PKEY_decrypt_init,
            )?;
            let once = |s: &mut State| unsafe {
                s.len = s.out.len();
                EVP_PKEY_decrypt(
                    s.ctx,
                    s.out.as_mut_ptr(),
                    &mut s.len,
                    s.input.as_ptr(),
                    s.input.len(),
                ) == 1
            };
            Some(Task::new(s, once, |s| s.out[..s.len].to_vec()))
        }
        "ecdh" => {
            let s = state_of_key(
                job,
                key(c"EC", c"SM2", job.public, job.key)?,
                vec![],
                EVP_PKEY_derive_init,
            )?;
            let other = key(c"EC", c"SM2", job.input, &[])?;
            let set = unsafe { EVP_PKEY_derive_set_peer(s.ctx, other) };
            unsafe { EVP_PKEY_free(other) };
            let once = |s: &mut State| unsafe {
                s.len = s.out.len();
                EVP_PKEY_derive(s.ctx, s.out.as_mut_ptr(), &mut s.len) == 1
            };
            (set == 1).then(|| Task::new(s, once, |s| s.out[..s.len].to_vec()))
        }
        _ => None,
    }
}

/// Integers modulo p, in Montgomery form for products, as the curve's own field is not accessible.
/// The objects are never freed.
fn field(job: &Job) -> Option<Task> {
    struct Field {
        ctx: Ptr,
        mont: Ptr,
        p: Ptr,
        now: Ptr,
        x: Ptr,
        y: Ptr,
        montgomery: bool,
    }
    let number =
        |bytes: &[u8]| unsafe { BN_bin2bn(bytes.as_ptr(), bytes.len() as c_int, null_mut()) };
    let (x, y) = job.input.split_at(32);
    let montgomery = job.op == "field-mul";
    let s = unsafe {
        let (ctx, mont, p) = (BN_CTX_new(), BN_MONT_CTX_new(), number(&arena_peer::SM2_P));
        let s = Field { ctx, mont, p, now: BN_new(), x: number(x), y: number(y), montgomery };
        let mut fine = BN_MONT_CTX_set(mont, p, ctx) == 1;
        if montgomery {
            fine &= BN_to_montgomery(s.x, s.x, mont, ctx) == 1
                && BN_to_montgomery(s.y, s.y, mont, ctx) == 1;
        }
        fine.then_some(s)?
    };
    let begin = |s: &mut Field| unsafe {
        BN_copy(s.now, s.x);
    };
    let times = |s: &mut Field, n: u64| {
        let mut fine = true;
        for _ in 0..n {
            fine &= match s.montgomery {
                true => unsafe { BN_mod_mul_montgomery(s.now, s.now, s.y, s.mont, s.ctx) == 1 },
                false => unsafe { !BN_mod_inverse(s.now, s.now, s.p, s.ctx).is_null() },
            };
        }
        fine
    };
    let output = |s: &mut Field| unsafe {
        let mut out = vec![0; 32];
        let plain = BN_new();
        match s.montgomery {
            true => BN_from_montgomery(plain, s.now, s.mont, s.ctx),
            false => c_int::from(!BN_copy(plain, s.now).is_null()),
        };
        BN_bn2binpad(plain, out.as_mut_ptr(), 32);
        BN_free(plain);
        out
    };
    Some(Task::looped(s, begin, times, output))
}

fn keygen(job: &Job) -> Option<Task> {
    struct Made(State, Ptr);
    let ctx = unsafe { EVP_PKEY_CTX_new_from_name(null_mut(), c"SM2".as_ptr(), null()) };
    let s = State::new(ctx, EVP_PKEY_CTX_free, job, vec![])?;
    if unsafe { EVP_PKEY_keygen_init(s.ctx) } != 1 {
        return None;
    }
    let once = |s: &mut Made| unsafe {
        EVP_PKEY_free(s.1);
        s.1 = null_mut();
        EVP_PKEY_generate(s.0.ctx, &mut s.1) == 1
    };
    let output = |s: &mut Made| unsafe {
        let mut all = vec![0; 96];
        for (i, name) in [c"priv", c"qx", c"qy"].iter().enumerate() {
            let mut number = null_mut();
            EVP_PKEY_get_bn_param(s.1, name.as_ptr(), &mut number);
            BN_bn2binpad(number, all.as_mut_ptr().add(32 * i), 32);
            BN_free(number);
        }
        all.insert(32, 4);
        all
    };
    Some(Task::new(Made(s, null_mut()), once, output))
}
