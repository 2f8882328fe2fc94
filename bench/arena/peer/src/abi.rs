//! The C interface between the runner and a peer.

use crate::{Job, Peer, Task};
use std::ffi::{c_char, c_int, c_void, CStr, CString};

/// Changes whenever the interface does; the runner loads no peer with another version.
pub const VERSION: u32 = 1;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Bytes {
    pub at: *const u8,
    pub len: usize,
}

impl From<&[u8]> for Bytes {
    fn from(s: &[u8]) -> Bytes {
        Bytes { at: s.as_ptr(), len: s.len() }
    }
}

impl Bytes {
    unsafe fn slice<'a>(self) -> &'a [u8] {
        if self.len == 0 {
            &[]
        } else {
            unsafe { std::slice::from_raw_parts(self.at, self.len) }
        }
    }
}

/// [`Job`] in C. Strings end in a zero byte; the peer keeps no pointer after `arena_prepare`
/// returns.
#[repr(C)]
pub struct RawJob {
    pub family: *const c_char,
    pub op: *const c_char,
    pub tier: *const c_char,
    pub key: Bytes,
    pub public: Bytes,
    pub iv: Bytes,
    pub aad: Bytes,
    pub input: Bytes,
}

// The nine functions. The runner looks them up by the name of the type in lower case, after
// "arena_".
pub type Abi = unsafe extern "C" fn() -> u32;
pub type Name = unsafe extern "C" fn() -> *const c_char;
pub type Version = unsafe extern "C" fn() -> *const c_char;
/// Comma-separated. All strings are valid as long as the library is loaded.
pub type Tiers = unsafe extern "C" fn(family: *const c_char) -> *const c_char;
/// NULL: this peer does not have the operation.
pub type Prepare = unsafe extern "C" fn(job: *const RawJob) -> *mut c_void;
/// Sets global state before a batch; not timed.
pub type Begin = unsafe extern "C" fn(task: *mut c_void);
/// 0 if every iteration succeeded. A signature or tag that does not verify is a failure.
pub type Run = unsafe extern "C" fn(task: *mut c_void, iterations: u64) -> c_int;
/// Writes at most `room` bytes of the last iteration's output; returns the whole output's length.
pub type Output = unsafe extern "C" fn(task: *mut c_void, out: *mut u8, room: usize) -> usize;
pub type Free = unsafe extern "C" fn(task: *mut c_void);

fn leak(text: String) -> *const c_char {
    CString::new(text).map_or(c"?".as_ptr(), |s| s.into_raw().cast_const())
}

pub fn name<P: Peer>() -> *const c_char {
    leak(P::NAME.into())
}

pub fn version<P: Peer>() -> *const c_char {
    leak(P::version())
}

/// # Safety
/// `family` is a C string.
pub unsafe fn tiers<P: Peer>(family: *const c_char) -> *const c_char {
    leak(P::tiers(&unsafe { text(family) }).join(","))
}

/// # Safety
/// `raw` follows the rules of [`RawJob`].
pub unsafe fn prepare<P: Peer>(raw: *const RawJob) -> *mut c_void {
    let raw = unsafe { &*raw };
    let (family, op, tier) = unsafe { (text(raw.family), text(raw.op), text(raw.tier)) };
    let task = unsafe {
        P::prepare(&Job {
            family: &family,
            op: &op,
            tier: &tier,
            key: raw.key.slice(),
            public: raw.public.slice(),
            iv: raw.iv.slice(),
            aad: raw.aad.slice(),
            input: raw.input.slice(),
        })
    };
    task.map_or(std::ptr::null_mut(), |t| Box::into_raw(Box::new(t)).cast())
}

/// # Safety
/// `task` came from [`prepare`] and was not freed.
pub unsafe fn begin(task: *mut c_void) {
    unsafe { (*task.cast::<Task>()).0.begin() }
}

/// # Safety
/// `task` came from [`prepare`] and was not freed.
pub unsafe fn run(task: *mut c_void, iterations: u64) -> c_int {
    c_int::from(!unsafe { (*task.cast::<Task>()).0.run(iterations) })
}

/// # Safety
/// `task` came from [`prepare`] and was not freed; `out` has `room` bytes.
pub unsafe fn output(task: *mut c_void, out: *mut u8, room: usize) -> usize {
    let made = unsafe { (*task.cast::<Task>()).0.output() };
    unsafe { std::ptr::copy_nonoverlapping(made.as_ptr(), out, made.len().min(room)) };
    made.len()
}

/// # Safety
/// `task` came from [`prepare`] and is not used again.
pub unsafe fn free(task: *mut c_void) {
    drop(unsafe { Box::from_raw(task.cast::<Task>()) });
}

unsafe fn text(s: *const c_char) -> String {
    unsafe { CStr::from_ptr(s) }.to_string_lossy().into_owned()
}

/// Exports a [`Peer`] to the runner.
#[macro_export]
macro_rules! export {
    ($peer:ty) => {
        mod arena_interface {
            use super::*;
            use std::ffi::{c_char, c_int, c_void};
            use $crate::abi;

            #[unsafe(no_mangle)]
            extern "C" fn arena_abi() -> u32 {
                abi::VERSION
            }
            #[unsafe(no_mangle)]
            extern "C" fn arena_name() -> *const c_char {
                abi::name::<$peer>()
            }
            #[unsafe(no_mangle)]
            extern "C" fn arena_version() -> *const c_char {
                abi::version::<$peer>()
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn arena_tiers(family: *const c_char) -> *const c_char {
                unsafe { abi::tiers::<$peer>(family) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn arena_prepare(job: *const abi::RawJob) -> *mut c_void {
                unsafe { abi::prepare::<$peer>(job) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn arena_begin(task: *mut c_void) {
                unsafe { abi::begin(task) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn arena_run(task: *mut c_void, iterations: u64) -> c_int {
                unsafe { abi::run(task, iterations) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn arena_output(
                task: *mut c_void, out: *mut u8, room: usize,
            ) -> usize {
                unsafe { abi::output(task, out, room) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn arena_free(task: *mut c_void) {
                unsafe { abi::free(task) }
            }
        }
    };
}
