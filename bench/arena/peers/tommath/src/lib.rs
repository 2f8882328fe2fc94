//! The LibTomMath that is installed, or the one that TOMMATH_LIB names.

use arena_peer::integers::{name, task, Number, Work};
use arena_peer::{Job, Peer, Task};
use libloading::Library;
use std::ffi::{c_char, c_int, c_void, CStr};
use std::sync::OnceLock;

struct Tommath;

/// `mp_int`
#[repr(C)]
struct MpInt {
    used: c_int,
    alloc: c_int,
    sign: c_int,
    dp: *mut u64,
}

type One = unsafe extern "C" fn(*mut MpInt) -> c_int;
type Two = unsafe extern "C" fn(*const MpInt, *mut MpInt) -> c_int;
type Three = unsafe extern "C" fn(*const MpInt, *const MpInt, *mut MpInt) -> c_int;
type Div = unsafe extern "C" fn(*const MpInt, *const MpInt, *mut MpInt, *mut MpInt) -> c_int;
type Four = unsafe extern "C" fn(*const MpInt, *const MpInt, *const MpInt, *mut MpInt) -> c_int;
type FromBytes = unsafe extern "C" fn(*mut MpInt, *const u8, usize) -> c_int;
type ToBytes = unsafe extern "C" fn(*const MpInt, *mut u8, usize, *mut usize) -> c_int;
type ToRadix = unsafe extern "C" fn(*const MpInt, *mut u8, usize, *mut usize, c_int) -> c_int;
type FromRadix = unsafe extern "C" fn(*mut MpInt, *const c_char, c_int) -> c_int;

struct Api {
    init: One,
    clear: unsafe extern "C" fn(*mut MpInt),
    from: FromBytes,
    to: ToBytes,
    mul: Three,
    sqr: Two,
    div: Div,
    exptmod: Four,
    invmod: Three,
    gcd: Three,
    to_radix: ToRadix,
    from_radix: FromRadix,
    file: String,
}

fn open() -> Option<Api> {
    let path = std::env::var("TOMMATH_LIB").unwrap_or_else(|_| "libtommath.so.1".into());
    // Never closed: the functions live as long as the arena.
    let lib = Box::leak(Box::new(unsafe { Library::new(&path) }.ok()?));
    let init = find::<One>(lib, c"mp_init")?;
    Some(Api {
        init,
        clear: find(lib, c"mp_clear")?,
        from: find(lib, c"mp_from_ubin")?,
        to: find(lib, c"mp_to_ubin")?,
        mul: find(lib, c"mp_mul")?,
        sqr: find(lib, c"mp_sqr")?,
        div: find(lib, c"mp_div")?,
        exptmod: find(lib, c"mp_exptmod")?,
        invmod: find(lib, c"mp_invmod")?,
        gcd: find(lib, c"mp_gcd")?,
        to_radix: find(lib, c"mp_to_radix")?,
        from_radix: find(lib, c"mp_read_radix")?,
        file: file_of(init as *const c_void).unwrap_or(path),
    })
}

fn find<F: Copy>(lib: &'static Library, name: &CStr) -> Option<F> {
    unsafe { lib.get::<F>(name.to_bytes_with_nul()).ok().map(|f| *f) }
}

#[repr(C)]
struct DlInfo {
    file: *const c_char,
    base: *mut c_void,
    name: *const c_char,
    at: *mut c_void,
}

unsafe extern "C" {
    fn dladdr(at: *const c_void, info: *mut DlInfo) -> c_int;
}

/// The file that a function is in, symbolic links resolved: its name ends in the version.
fn file_of(at: *const c_void) -> Option<String> {
    let mut info = DlInfo {
        file: std::ptr::null(),
        base: std::ptr::null_mut(),
        name: std::ptr::null(),
        at: std::ptr::null_mut(),
    };
    if unsafe { dladdr(at, &mut info) } == 0 || info.file.is_null() {
        return None;
    }
    let path = unsafe { CStr::from_ptr(info.file) }.to_string_lossy().into_owned();
    Some(std::fs::canonicalize(path).ok()?.file_name()?.to_string_lossy().into_owned())
}

fn api() -> Option<&'static Api> {
    static API: OnceLock<Option<Api>> = OnceLock::new();
    API.get_or_init(open).as_ref()
}

struct Int(&'static Api, MpInt);

impl Number for Int {
    fn new(big_endian: &[u8]) -> Int {
        let api = api().expect("opened by prepare");
        let mut z = MpInt { used: 0, alloc: 0, sign: 0, dp: std::ptr::null_mut() };
        unsafe {
            (api.init)(&mut z);
            (api.from)(&mut z, big_endian.as_ptr(), big_endian.len());
        }
        Int(api, z)
    }

    fn bytes(&mut self) -> Vec<u8> {
        let mut out = vec![0; self.1.used as usize * 8 + 8];
        let mut len = 0;
        unsafe { (self.0.to)(&self.1, out.as_mut_ptr(), out.len(), &mut len) };
        out.truncate(len);
        out
    }
}

impl Drop for Int {
    fn drop(&mut self) {
        unsafe { (self.0.clear)(&mut self.1) }
    }
}

type W = Work<Int, &'static Api>;

impl Peer for Tommath {
    const NAME: &'static str = "libtommath";

    /// "1.2.0" of "libtommath.so.1.2.0"
    fn version() -> String {
        let file = api().map_or("?".into(), |a| a.file.clone());
        file.split_once(".so.").map_or(file.clone(), |(_, version)| version.to_string())
    }

    fn prepare(job: &Job) -> Option<Task> {
        let api = api()?;
        let (op, bits) = name(job)?;
        if bits > 16384 {
            return None; // they take seconds
        }
        let once: fn(&mut W) -> bool = match op {
            "mul" => |w| unsafe { (w.ctx.mul)(&w.x.1, &w.y.1, &mut w.z.1) == 0 },
            "sqr" => |w| unsafe { (w.ctx.sqr)(&w.x.1, &mut w.z.1) == 0 },
            "div" => |w| unsafe { (w.ctx.div)(&w.x.1, &w.m.1, &mut w.z.1, &mut w.r.1) == 0 },
            "expmod" => |w| unsafe { (w.ctx.exptmod)(&w.x.1, &w.y.1, &w.m.1, &mut w.z.1) == 0 },
            "invmod" => |w| unsafe { (w.ctx.invmod)(&w.x.1, &w.m.1, &mut w.z.1) == 0 },
            "gcd" => |w| unsafe { (w.ctx.gcd)(&w.x.1, &w.y.1, &mut w.z.1) == 0 },
            "to-radix" => |w| unsafe {
                let mut len = 0;
                (w.ctx.to_radix)(&w.x.1, w.text.as_mut_ptr(), w.text.len(), &mut len, 10) == 0
            },
            "from-radix" => {
                |w| unsafe { (w.ctx.from_radix)(&mut w.z.1, w.text.as_ptr().cast(), 10) == 0 }
            }
            _ => return None,
        };
        task(job, api, once)
    }
}

arena_peer::export!(Tommath);
