//! mpz, GMP's interface for applications. Each crate that includes this file links its own GMP;
//! declarations are ours, after the manual.

use arena_peer::integers::{name, task, Number, Work};
use arena_peer::{Job, Task};
use std::ffi::{c_char, c_int, c_void, CStr};
use std::mem::MaybeUninit;

/// `__mpz_struct`
#[repr(C)]
struct Raw {
    room: c_int,
    size: c_int,
    limbs: *mut c_void,
}

type Z = *mut Raw;
type Q = *const Raw;

unsafe extern "C" {
    #[link_name = "__gmp_version"]
    static VERSION: *const c_char;
    #[link_name = "__gmpz_init"]
    fn init(z: Z);
    #[link_name = "__gmpz_clear"]
    fn clear(z: Z);
    #[link_name = "__gmpz_import"]
    fn import(
        z: Z, count: usize, order: c_int, size: usize, endian: c_int, nails: usize, from: *const u8,
    );
    #[link_name = "__gmpz_export"]
    fn export(
        to: *mut u8, count: *mut usize, order: c_int, size: usize, endian: c_int, nails: usize,
        x: Q,
    ) -> *mut u8;
    #[link_name = "__gmpz_sizeinbase"]
    fn size_in_base(x: Q, base: c_int) -> usize;
    #[link_name = "__gmpz_mul"]
    fn mul(z: Z, x: Q, y: Q);
    #[link_name = "__gmpz_tdiv_qr"]
    fn tdiv_qr(q: Z, r: Z, x: Q, y: Q);
    #[link_name = "__gmpz_powm"]
    fn powm(z: Z, x: Q, e: Q, m: Q);
    #[link_name = "__gmpz_powm_sec"]
    fn powm_sec(z: Z, x: Q, e: Q, m: Q);
    #[link_name = "__gmpz_invert"]
    fn invert(z: Z, x: Q, m: Q) -> c_int;
    #[link_name = "__gmpz_gcd"]
    fn gcd(z: Z, x: Q, y: Q);
    #[link_name = "__gmpz_get_str"]
    fn get_str(text: *mut u8, base: c_int, x: Q) -> *mut u8;
    #[link_name = "__gmpz_set_str"]
    fn set_str(z: Z, text: *const u8, base: c_int) -> c_int;
}

struct Mpz(Raw);

impl Number for Mpz {
    fn new(big_endian: &[u8]) -> Mpz {
        let mut z = MaybeUninit::uninit();
        unsafe {
            init(z.as_mut_ptr());
            import(z.as_mut_ptr(), big_endian.len(), 1, 1, 1, 0, big_endian.as_ptr());
            Mpz(z.assume_init())
        }
    }

    fn bytes(&mut self) -> Vec<u8> {
        unsafe {
            let mut out = vec![0; size_in_base(&self.0, 2).div_ceil(8)];
            let mut len = 0;
            export(out.as_mut_ptr(), &mut len, 1, 1, 1, 0, &self.0);
            out.truncate(len);
            out
        }
    }
}

impl Drop for Mpz {
    fn drop(&mut self) {
        unsafe { clear(&mut self.0) }
    }
}

type W = Work<Mpz, ()>;

pub fn version() -> String {
    unsafe { CStr::from_ptr(VERSION) }.to_string_lossy().into_owned()
}

pub fn prepare(job: &Job) -> Option<Task> {
    let once: fn(&mut W) -> bool = match name(job)?.0 {
        "mul" => |w| unsafe {
            mul(&mut w.z.0, &w.x.0, &w.y.0);
            true
        },
        "sqr" => |w| unsafe {
            mul(&mut w.z.0, &w.x.0, &w.x.0);
            true
        },
        "div" => |w| unsafe {
            tdiv_qr(&mut w.z.0, &mut w.r.0, &w.x.0, &w.m.0);
            true
        },
        "expmod" => |w| unsafe {
            powm(&mut w.z.0, &w.x.0, &w.y.0, &w.m.0);
            true
        },
        "expmod-ct" => |w| unsafe {
            powm_sec(&mut w.z.0, &w.x.0, &w.y.0, &w.m.0);
            true
        },
        "invmod" => |w| unsafe { invert(&mut w.z.0, &w.x.0, &w.m.0) != 0 },
        "gcd" => |w| unsafe {
            gcd(&mut w.z.0, &w.x.0, &w.y.0);
            true
        },
        "to-radix" => |w| unsafe { !get_str(w.text.as_mut_ptr(), 10, &w.x.0).is_null() },
        "from-radix" => |w| unsafe { set_str(&mut w.z.0, w.text.as_ptr(), 10) == 0 },
        _ => return None,
    };
    task(job, (), once)
}
