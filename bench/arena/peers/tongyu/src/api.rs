//! The functions of include/tongyu that the arena calls, found by name when they are needed.

use libloading::Library;
use std::ffi::{c_char, c_int, c_void, CStr};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

type Ptr = *mut c_void;
type Out = *mut u8;
type In = *const u8;
type Len = usize;

pub type Rng = c_void;
pub type Limit = unsafe extern "C" fn(name: *const c_char) -> c_int;
pub type RngSystem = unsafe extern "C" fn() -> *const Rng;

pub type Sm4Init = unsafe extern "C" fn(key: Ptr, bytes: In);
pub type XtsInit = unsafe extern "C" fn(key: Ptr, bytes: In) -> c_int;
pub type Mac = unsafe extern "C" fn(tag: Out, Len, In, Len, key: Ptr) -> c_int;
pub type Ecb = unsafe extern "C" fn(Out, In, Len, key: Ptr) -> c_int;
pub type WithIv<R> = unsafe extern "C" fn(Out, In, Len, iv: In, key: Ptr) -> R;
pub type Seal = unsafe extern "C" fn(
    Out,
    tag: Out,
    Len,
    In,
    Len,
    aad: In,
    Len,
    nonce: In,
    Len,
    key: Ptr,
) -> c_int;
pub type SealSiv =
    unsafe extern "C" fn(Out, tag: Out, In, Len, aad: In, Len, nonce: In, key: Ptr) -> c_int;
pub type Many = unsafe extern "C" fn(jobs: Ptr, Len) -> c_int;
pub type Open = unsafe extern "C" fn(
    Out,
    In,
    Len,
    tag: In,
    Len,
    aad: In,
    Len,
    nonce: In,
    Len,
    key: Ptr,
) -> c_int;

pub type Hash = unsafe extern "C" fn(Out, In, Len);
pub type HmacInit = unsafe extern "C" fn(c: Ptr, key: In, Len);
pub type Update = unsafe extern "C" fn(c: Ptr, In, Len);
pub type Final = unsafe extern "C" fn(Out, c: Ptr);
pub type Pbkdf2 =
    unsafe extern "C" fn(Out, Len, password: In, Len, salt: In, Len, iterations: u32) -> c_int;

pub type KeySet = unsafe extern "C" fn(key: Ptr, d: In) -> c_int;
pub type PubSet = unsafe extern "C" fn(public: Ptr, In, Len) -> c_int;
pub type Keygen = unsafe extern "C" fn(key: Ptr, *const Rng) -> c_int;
pub type Sign = unsafe extern "C" fn(Out, e: In, key: Ptr, *const Rng) -> c_int;
pub type Verify = unsafe extern "C" fn(sig: In, e: In, public: Ptr) -> c_int;
pub type SignMsg =
    unsafe extern "C" fn(Out, msg: In, Len, id: In, Len, key: Ptr, *const Rng) -> c_int;
pub type VerifyMsg = unsafe extern "C" fn(sig: In, msg: In, Len, id: In, Len, public: Ptr) -> c_int;
pub type CurveNamed = unsafe extern "C" fn(name: *const c_char) -> *const c_void;
pub type CurvePubSet = unsafe extern "C" fn(public: Ptr, curve: *const c_void, In, Len) -> c_int;
pub type CurvePubGet = unsafe extern "C" fn(Out, public: Ptr);
pub type CurveKeySet = unsafe extern "C" fn(key: Ptr, curve: *const c_void, d: In, Len) -> c_int;
pub type CurveMul = unsafe extern "C" fn(public: Ptr, k: In, of: Ptr) -> c_int;
pub type EcdsaSign = unsafe extern "C" fn(Out, digest: In, Len, key: Ptr, *const Rng) -> c_int;
pub type EcdsaVerify = unsafe extern "C" fn(sig: In, Len, digest: In, Len, public: Ptr) -> c_int;
pub type MpClear = unsafe extern "C" fn(x: Ptr);
pub type MpSet = unsafe extern "C" fn(z: Ptr, In, Len) -> c_int;
pub type MpGet = unsafe extern "C" fn(Out, Len, x: Ptr) -> c_int;
pub type MpBytes = unsafe extern "C" fn(x: Ptr) -> usize;
pub type MpTwo = unsafe extern "C" fn(z: Ptr, x: Ptr) -> c_int;
pub type MpThree = unsafe extern "C" fn(z: Ptr, x: Ptr, y: Ptr) -> c_int;
pub type MpFour = unsafe extern "C" fn(z: Ptr, x: Ptr, y: Ptr, m: Ptr) -> c_int;
pub type MpToText = unsafe extern "C" fn(Out, Len, len: *mut Len, x: Ptr, radix: c_int) -> c_int;
pub type MpFromText = unsafe extern "C" fn(z: Ptr, In, Len, radix: c_int) -> c_int;
pub type Encrypt =
    unsafe extern "C" fn(Out, In, Len, order: c_int, public: Ptr, *const Rng) -> c_int;
pub type Decrypt = unsafe extern "C" fn(Out, In, Len, order: c_int, key: Ptr) -> c_int;
pub type Ecdh = unsafe extern "C" fn(Out, public: Ptr, key: Ptr) -> c_int;

/// `ty_sm4_job`
#[repr(C)]
pub struct StreamJob {
    pub out: Out,
    pub input: In,
    pub len: Len,
    pub iv: In,
    pub key: Ptr,
    pub err: c_int,
}

/// `ty_sm4_gcm_job`
#[repr(C)]
pub struct GcmJob {
    pub out: Out,
    pub tag: Out,
    pub tag_len: Len,
    pub input: In,
    pub len: Len,
    pub aad: In,
    pub aad_len: Len,
    pub nonce: In,
    pub nonce_len: Len,
    pub key: Ptr,
    pub err: c_int,
}

/// Room for the key of any SM4 mode, where many keys are needed.
#[repr(C, align(64))]
#[derive(Clone)]
pub struct SmallKey([u8; 576]);

impl Default for SmallKey {
    fn default() -> SmallKey {
        SmallKey([0; 576])
    }
}

impl SmallKey {
    pub fn at(&mut self) -> Ptr {
        self.0.as_mut_ptr().cast()
    }
}

/// Room for any object of the library except ML-DSA's signer and verifier, which are larger.
#[repr(C, align(64))]
pub struct Object([u8; 1 << 16]);

impl Default for Object {
    fn default() -> Object {
        Object([0; 1 << 16])
    }
}

impl Object {
    pub fn at(&mut self) -> Ptr {
        self.0.as_mut_ptr().cast()
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
struct RawRow {
    family: *const c_char,
    tier: *const c_char,
    runs: c_int,
    chosen: c_int,
}

pub struct TierRow {
    pub family: String,
    pub tier: String,
    pub runs: bool,
}

pub struct Api(Library, PathBuf);

/// The library that TONGYU_LIB names, opened once; None if it cannot be opened.
pub fn get() -> Option<&'static Api> {
    static OPEN: OnceLock<Option<Api>> = OnceLock::new();
    let open = || {
        let path = std::env::var("TONGYU_LIB").unwrap_or_else(|_| "libtongyu.so".into());
        match unsafe { Library::new(&path) } {
            Ok(library) => Some(Api(library, path.into())),
            Err(error) => {
                eprintln!("tongyu: {error}");
                None
            }
        }
    };
    OPEN.get_or_init(open).as_ref()
}

impl Api {
    pub fn find<F: Copy>(&self, name: &CStr) -> Option<F> {
        unsafe { self.0.get::<F>(name.to_bytes_with_nul()).ok().map(|f| *f) }
    }

    pub fn path(&self) -> &Path {
        &self.1
    }

    pub fn version(&self) -> Option<String> {
        let version: unsafe extern "C" fn() -> *const c_char = self.find(c"ty_version")?;
        Some(unsafe { CStr::from_ptr(version()) }.to_string_lossy().into_owned())
    }

    /// Every tier of every family. Removes the current limit.
    pub fn tier_rows(&self) -> Vec<TierRow> {
        let list: Option<unsafe extern "C" fn(*mut RawRow, usize) -> usize> =
            self.find(c"ty_tier_list");
        let (Some(list), Some(limit)) = (list, self.find::<Limit>(c"ty_tier_limit")) else {
            return vec![];
        };
        let empty = RawRow { family: c"".as_ptr(), tier: c"".as_ptr(), runs: 0, chosen: 0 };
        let mut rows = [empty; 256];
        let text = |s| unsafe { CStr::from_ptr(s) }.to_string_lossy().into_owned();
        unsafe { limit(std::ptr::null()) };
        let count = unsafe { list(rows.as_mut_ptr(), rows.len()) }.min(rows.len());
        let row =
            |r: &RawRow| TierRow { family: text(r.family), tier: text(r.tier), runs: r.runs != 0 };
        rows[..count].iter().map(row).collect()
    }
}
