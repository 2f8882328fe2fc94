//! The libgcrypt that is installed. It is under the LGPL, so it is only linked dynamically.

use arena_peer::{Job, Peer, Task};
use std::ffi::{c_char, c_int, c_uint, c_void, CStr, CString};
use std::ptr::{null, null_mut};

struct Gcrypt;

type Ptr = *mut c_void;

const SM4: c_int = 318;
const SM3: c_int = 326;
const HMAC_SM3: c_int = 128;
const CMAC_SM4: c_int = 212;
const PBKDF2: c_int = 34;
const RESET: c_int = 4;
const DISABLE_SECURE_MEMORY: c_int = 37;
const INITIALIZATION_FINISHED: c_int = 38;
const SET_CCM_LENGTHS: c_int = 69;
const FINALIZE: c_int = 5;

unsafe extern "C" {
    fn gcry_check_version(least: *const c_char) -> *const c_char;
    fn gcry_control(what: c_int, ...) -> c_uint;

    fn gcry_cipher_open(h: *mut Ptr, algorithm: c_int, mode: c_int, flags: c_uint) -> c_uint;
    fn gcry_cipher_close(h: Ptr);
    fn gcry_cipher_ctl(h: Ptr, what: c_int, at: *const c_void, len: usize) -> c_uint;
    fn gcry_cipher_setkey(h: Ptr, key: *const u8, len: usize) -> c_uint;
    fn gcry_cipher_setiv(h: Ptr, iv: *const u8, len: usize) -> c_uint;
    fn gcry_cipher_setctr(h: Ptr, ctr: *const u8, len: usize) -> c_uint;
    fn gcry_cipher_authenticate(h: Ptr, aad: *const u8, len: usize) -> c_uint;
    fn gcry_cipher_encrypt(
        h: Ptr, out: *mut u8, room: usize, input: *const u8, len: usize,
    ) -> c_uint;
    fn gcry_cipher_decrypt(
        h: Ptr, out: *mut u8, room: usize, input: *const u8, len: usize,
    ) -> c_uint;
    fn gcry_cipher_gettag(h: Ptr, tag: *mut u8, len: usize) -> c_uint;
    fn gcry_cipher_checktag(h: Ptr, tag: *const u8, len: usize) -> c_uint;

    fn gcry_md_open(h: *mut Ptr, algorithm: c_int, flags: c_uint) -> c_uint;
    fn gcry_md_close(h: Ptr);
    fn gcry_md_reset(h: Ptr);
    fn gcry_md_write(h: Ptr, input: *const u8, len: usize);
    fn gcry_md_read(h: Ptr, algorithm: c_int) -> *const u8;

    fn gcry_mac_open(h: *mut Ptr, algorithm: c_int, flags: c_uint, ctx: Ptr) -> c_uint;
    fn gcry_mac_close(h: Ptr);
    fn gcry_mac_ctl(h: Ptr, what: c_int, at: *const c_void, len: usize) -> c_uint;
    fn gcry_mac_setkey(h: Ptr, key: *const u8, len: usize) -> c_uint;
    fn gcry_mac_write(h: Ptr, input: *const u8, len: usize) -> c_uint;
    fn gcry_mac_read(h: Ptr, out: *mut u8, len: *mut usize) -> c_uint;

    fn gcry_kdf_derive(
        password: *const u8, password_len: usize, algorithm: c_int, sub: c_int, salt: *const u8,
        salt_len: usize, iterations: std::ffi::c_ulong, out_len: usize, out: *mut u8,
    ) -> c_uint;

    fn gcry_sexp_new(made: *mut Ptr, text: *const u8, len: usize, detect: c_int) -> c_uint;
    fn gcry_sexp_release(s: Ptr);
    fn gcry_sexp_find_token(s: Ptr, token: *const c_char, len: usize) -> Ptr;
    fn gcry_sexp_nth_data(s: Ptr, n: c_int, len: *mut usize) -> *const u8;
    fn gcry_pk_genkey(key: *mut Ptr, parameters: Ptr) -> c_uint;
    fn gcry_pk_sign(result: *mut Ptr, data: Ptr, key: Ptr) -> c_uint;
    fn gcry_pk_verify(sig: Ptr, data: Ptr, key: Ptr) -> c_uint;
    fn gcry_pk_encrypt(result: *mut Ptr, data: Ptr, key: Ptr) -> c_uint;
    fn gcry_pk_decrypt(result: *mut Ptr, data: Ptr, key: Ptr) -> c_uint;

    fn gcry_mpi_scan(
        made: *mut Ptr, format: c_int, bytes: *const u8, len: usize, used: *mut usize,
    ) -> c_uint;
    fn gcry_mpi_print(
        format: c_int, out: *mut u8, room: usize, written: *mut usize, x: Ptr,
    ) -> c_uint;
    fn gcry_mpi_set(to: Ptr, from: Ptr) -> Ptr;
    fn gcry_mpi_mulm(r: Ptr, x: Ptr, y: Ptr, modulus: Ptr);
    fn gcry_mpi_invm(r: Ptr, x: Ptr, modulus: Ptr) -> c_int;
}

impl Peer for Gcrypt {
    const NAME: &'static str = "libgcrypt";

    fn version() -> String {
        unsafe {
            let version = CStr::from_ptr(gcry_check_version(null())).to_string_lossy().into_owned();
            gcry_control(DISABLE_SECURE_MEMORY, 0 as c_int);
            gcry_control(INITIALIZATION_FINISHED, 0 as c_int);
            version
        }
    }

    fn prepare(job: &Job) -> Option<Task> {
        match (job.family, job.op) {
            ("sm4", "cmac") => mac(job, CMAC_SM4),
            ("sm4", "gmac") => gmac(job),
            ("sm4", _) => cipher(job),
            ("sm3", "hash") => hash(job),
            ("sm3", "hmac") => mac(job, HMAC_SM3),
            ("sm3", "pbkdf2-1000") => pbkdf2(job),
            ("sm2", "field-mul" | "field-inv") => field(job),
            ("sm2", _) => sm2(job),
            _ => None,
        }
    }
}

struct State {
    h: Ptr,
    close: unsafe extern "C" fn(Ptr),
    iv: Vec<u8>,
    aad: Vec<u8>,
    input: Vec<u8>,
    out: Vec<u8>,
    tag: [u8; 16],
}

impl State {
    fn new(h: Ptr, close: unsafe extern "C" fn(Ptr), job: &Job) -> State {
        let out = vec![0; job.input.len().max(32)];
        let (iv, aad, input) = (job.iv.to_vec(), job.aad.to_vec(), job.input.to_vec());
        State { h, close, iv, aad, input, out, tag: [0; 16] }
    }
}

impl Drop for State {
    fn drop(&mut self) {
        unsafe { (self.close)(self.h) }
    }
}

fn cipher(job: &Job) -> Option<Task> {
    let (mode, encrypt) = match job.op {
        "ecb-enc" => (1, true),
        "ecb-dec" => (1, false),
        "cbc-enc" => (3, true),
        "cbc-dec" => (3, false),
        "cfb-enc" => (2, true),
        "cfb-dec" => (2, false),
        "ofb" => (5, true),
        "ctr" => (6, true),
        "ccm-seal" => (8, true),
        "ccm-open" => (8, false),
        "gcm-seal" => (9, true),
        "gcm-open" => (9, false),
        "ocb-seal" => (11, true),
        "gcm-siv-seal" => (16, true),
        "xts-enc" => (13, true),
        "xts-dec" => (13, false),
        _ => return None,
    };
    let (ecb, ctr, ccm, ocb, siv) = (mode == 1, mode == 6, mode == 8, mode == 11, mode == 16);
    let tagged = ccm || ocb || siv || mode == 9;
    let mut s = unsafe {
        let mut h = null_mut();
        if gcry_cipher_open(&mut h, SM4, mode, 0) != 0 {
            return None;
        }
        if gcry_cipher_setkey(h, job.key.as_ptr(), job.key.len()) != 0 {
            gcry_cipher_close(h);
            return None;
        }
        State::new(h, gcry_cipher_close, job)
    };
    if tagged && !encrypt {
        let text_len = s.input.len() - 16;
        s.tag.copy_from_slice(&s.input[text_len..]);
        s.input.truncate(text_len);
    }
    let once = move |s: &mut State| unsafe {
        let (h, n) = (s.h, s.input.len());
        let mut bad = 0;
        if siv {
            bad |= gcry_cipher_ctl(h, RESET, null(), 0); // else it refuses a second nonce
        }
        if ctr {
            bad |= gcry_cipher_setctr(h, s.iv.as_ptr(), s.iv.len());
        } else if !ecb {
            bad |= gcry_cipher_setiv(h, s.iv.as_ptr(), s.iv.len());
        }
        if ccm {
            let lengths = [n as u64, s.aad.len() as u64, 16];
            bad |=
                gcry_cipher_ctl(h, SET_CCM_LENGTHS, lengths.as_ptr().cast(), size_of_val(&lengths));
        }
        if tagged {
            bad |= gcry_cipher_authenticate(h, s.aad.as_ptr(), s.aad.len());
        }
        if ocb || siv {
            bad |= gcry_cipher_ctl(h, FINALIZE, null(), 0);
        }
        bad |= match encrypt {
            true => gcry_cipher_encrypt(h, s.out.as_mut_ptr(), s.out.len(), s.input.as_ptr(), n),
            false => gcry_cipher_decrypt(h, s.out.as_mut_ptr(), s.out.len(), s.input.as_ptr(), n),
        };
        if tagged {
            bad |= match encrypt {
                true => gcry_cipher_gettag(h, s.tag.as_mut_ptr(), 16),
                false => gcry_cipher_checktag(h, s.tag.as_ptr(), 16),
            };
        }
        bad == 0
    };
    Some(Task::new(s, once, move |s| {
        let mut all = s.out[..s.input.len()].to_vec();
        if tagged && encrypt {
            all.extend(s.tag);
        }
        all
    }))
}

/// GCM with nothing to encrypt, as libgcrypt has no GMAC with SM4.
fn gmac(job: &Job) -> Option<Task> {
    let mut h = null_mut();
    unsafe {
        if gcry_cipher_open(&mut h, SM4, 9, 0) != 0 {
            return None;
        }
        gcry_cipher_setkey(h, job.key.as_ptr(), job.key.len());
    }
    let once = |s: &mut State| unsafe {
        gcry_cipher_setiv(s.h, s.iv.as_ptr(), s.iv.len())
            | gcry_cipher_authenticate(s.h, s.input.as_ptr(), s.input.len())
            | gcry_cipher_gettag(s.h, s.tag.as_mut_ptr(), 16)
            == 0
    };
    Some(Task::new(State::new(h, gcry_cipher_close, job), once, |s| s.tag.to_vec()))
}

fn hash(job: &Job) -> Option<Task> {
    let mut h = null_mut();
    if unsafe { gcry_md_open(&mut h, SM3, 0) } != 0 {
        return None;
    }
    let once = |s: &mut State| unsafe {
        gcry_md_reset(s.h);
        gcry_md_write(s.h, s.input.as_ptr(), s.input.len());
        let digest = gcry_md_read(s.h, SM3);
        s.out[..32].copy_from_slice(std::slice::from_raw_parts(digest, 32));
        true
    };
    Some(Task::new(State::new(h, gcry_md_close, job), once, |s| s.out[..32].to_vec()))
}

fn mac(job: &Job, algorithm: c_int) -> Option<Task> {
    let mut h = null_mut();
    let len = if algorithm == HMAC_SM3 { 32 } else { 16 };
    unsafe {
        if gcry_mac_open(&mut h, algorithm, 0, null_mut()) != 0 {
            return None;
        }
        gcry_mac_setkey(h, job.key.as_ptr(), job.key.len());
    }
    let once = move |s: &mut State| unsafe {
        let mut made = len;
        let reset = gcry_mac_ctl(s.h, RESET, null(), 0);
        let write = gcry_mac_write(s.h, s.input.as_ptr(), s.input.len());
        reset | write | gcry_mac_read(s.h, s.out.as_mut_ptr(), &mut made) == 0
    };
    Some(Task::new(State::new(h, gcry_mac_close, job), once, move |s| s.out[..len].to_vec()))
}

fn pbkdf2(job: &Job) -> Option<Task> {
    let s = (job.key.to_vec(), job.iv.to_vec(), [0u8; 32]);
    let once = |(password, salt, out): &mut (Vec<u8>, Vec<u8>, [u8; 32])| unsafe {
        gcry_kdf_derive(
            password.as_ptr(),
            password.len(),
            PBKDF2,
            SM3,
            salt.as_ptr(),
            salt.len(),
            1000,
            32,
            out.as_mut_ptr(),
        ) == 0
    };
    Some(Task::new(s, once, |s| s.2.to_vec()))
}

const UNSIGNED: c_int = 5;

/// Integers modulo p; they are never freed.
fn field(job: &Job) -> Option<Task> {
    struct Field {
        p: Ptr,
        now: Ptr,
        x: Ptr,
        y: Ptr,
        inverts: bool,
    }
    let number = |bytes: &[u8]| unsafe {
        let mut made = null_mut();
        (gcry_mpi_scan(&mut made, UNSIGNED, bytes.as_ptr(), bytes.len(), null_mut()) == 0)
            .then_some(made)
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
        gcry_mpi_set(s.now, s.x);
    };
    let times = |s: &mut Field, n: u64| {
        let mut fine = true;
        for _ in 0..n {
            match s.inverts {
                true => fine &= unsafe { gcry_mpi_invm(s.now, s.now, s.p) != 0 },
                false => unsafe { gcry_mpi_mulm(s.now, s.now, s.y, s.p) },
            }
        }
        fine
    };
    let output = |s: &mut Field| unsafe {
        let (mut out, mut len) = (vec![0; 32], 0);
        gcry_mpi_print(UNSIGNED, out.as_mut_ptr(), 32, &mut len, s.now);
        [vec![0; 32 - len], out[..len].to_vec()].concat()
    };
    Some(Task::looped(s, begin, times, output))
}

/// An S-expression that is freed when it is dropped.
struct Sexp(Ptr);

impl Drop for Sexp {
    fn drop(&mut self) {
        unsafe { gcry_sexp_release(self.0) }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

impl Sexp {
    fn new(text: &str) -> Option<Sexp> {
        let mut made = null_mut();
        let err = unsafe { gcry_sexp_new(&mut made, text.as_ptr(), text.len(), 1) };
        (err == 0).then_some(Sexp(made))
    }

    /// The bytes after the given token, wherever it occurs.
    fn bytes(&self, token: &str) -> Option<Vec<u8>> {
        let token = CString::new(token).ok()?;
        unsafe {
            let found = gcry_sexp_find_token(self.0, token.as_ptr(), 0);
            if found.is_null() {
                return None;
            }
            let found = Sexp(found);
            let mut len = 0;
            let at = gcry_sexp_nth_data(found.0, 1, &mut len);
            (!at.is_null()).then(|| std::slice::from_raw_parts(at, len).to_vec())
        }
    }

    /// A number as 32 bytes: without a sign byte, with leading zeros.
    fn number(&self, token: &str) -> Vec<u8> {
        let raw = self.bytes(token).unwrap_or_default();
        let mut out = vec![0; 32usize.saturating_sub(raw.len())];
        out.extend(&raw[raw.len().saturating_sub(32)..]);
        out
    }
}

struct Pk {
    data: Sexp,
    key: Sexp,
    result: Sexp,
    accepted: bool,
}

fn sm2(job: &Job) -> Option<Task> {
    let curve = "(curve sm2p256v1)(flags sm2)";
    let public = format!("(public-key (ecc {curve} (q #{}#)))", hex(job.public));
    let private =
        format!("(private-key (ecc {curve} (q #{}#)(d #{}#)))", hex(job.public), hex(job.key));
    let digest = |e: &[u8]| format!("(data (flags sm2)(hash sm3 #{}#))", hex(e));
    let s = |data: &str, key: &str| {
        Some(Pk {
            data: Sexp::new(data)?,
            key: Sexp::new(key)?,
            result: Sexp(null_mut()),
            accepted: false,
        })
    };
    match job.op {
        "keygen" => {
            let once = |s: &mut Pk| unsafe {
                s.result = Sexp(null_mut());
                gcry_pk_genkey(&mut s.result.0, s.data.0) == 0
            };
            Some(Task::new(s(&format!("(genkey (ecc {curve}))"), "()")?, once, |s| {
                [s.result.number("d"), s.result.bytes("q").unwrap_or_default()].concat()
            }))
        }
        "sign" => {
            let once = |s: &mut Pk| unsafe {
                s.result = Sexp(null_mut());
                gcry_pk_sign(&mut s.result.0, s.data.0, s.key.0) == 0
            };
            Some(Task::new(s(&digest(job.input), &private)?, once, |s| {
                [s.result.number("r"), s.result.number("s")].concat()
            }))
        }
        "verify" => {
            let (e, sig) = job.input.split_at(32);
            let mut state = s(&digest(e), &public)?;
            state.result = Sexp::new(&format!(
                "(sig-val (sm2 (r #{}#)(s #{}#)))",
                hex(&sig[..32]),
                hex(&sig[32..])
            ))?;
            let once = |s: &mut Pk| unsafe {
                s.accepted = gcry_pk_verify(s.result.0, s.data.0, s.key.0) == 0;
                s.accepted
            };
            Some(Task::new(state, once, |s| vec![u8::from(s.accepted)]))
        }
        "encrypt-32" => {
            let once = |s: &mut Pk| unsafe {
                s.result = Sexp(null_mut());
                gcry_pk_encrypt(&mut s.result.0, s.data.0, s.key.0) == 0
            };
            let data = format!("(data (flags sm2)(hash-algo sm3)(value #{}#))", hex(job.input));
            Some(Task::new(s(&data, &public)?, once, |s| {
                let part = |name| s.result.bytes(name).unwrap_or_default();
                [part("a"), part("b"), part("c")].concat() // C1, C3, C2
            }))
        }
        "decrypt-32" => {
            let (c1, rest) = job.input.split_at(65);
            let (c3, c2) = rest.split_at(32);
            let data = format!(
                "(enc-val (flags sm2)(hash-algo sm3)(sm2 (a #{}#)(b #{}#)(c #{}#)))",
                hex(c1),
                hex(c3),
                hex(c2)
            );
            let once = |s: &mut Pk| unsafe {
                s.result = Sexp(null_mut());
                gcry_pk_decrypt(&mut s.result.0, s.data.0, s.key.0) == 0
            };
            Some(Task::new(s(&data, &private)?, once, |s| s.result.number("value")))
        }
        _ => None,
    }
}

arena_peer::export!(Gcrypt);
