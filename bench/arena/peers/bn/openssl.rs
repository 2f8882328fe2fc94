//! The functions of OpenSSL that bn.rs needs, declared as in the manual pages.

#![allow(non_camel_case_types, reason = "OpenSSL's names")]

use std::ffi::{c_char, c_int, c_void};

pub type BIGNUM = c_void;
pub type BN_CTX = c_void;
pub type BN_MONT_CTX = c_void;

pub const HAS_SECRET_INVERSE: bool = true;
const SECRET: c_int = 4;

type N = *mut BIGNUM;
type C = *mut BN_CTX;

unsafe extern "C" {
    pub fn BN_bin2bn(input: *const u8, len: c_int, into: N) -> N;
    pub fn BN_bn2bin(x: N, out: *mut u8) -> c_int;
    pub fn BN_num_bits(x: N) -> c_int;
    pub fn BN_free(x: N);
    pub fn BN_CTX_new() -> C;
    pub fn BN_mul(z: N, x: N, y: N, ctx: C) -> c_int;
    pub fn BN_sqr(z: N, x: N, ctx: C) -> c_int;
    pub fn BN_div(q: N, r: N, x: N, y: N, ctx: C) -> c_int;
    pub fn BN_mod_exp_mont(z: N, x: N, e: N, m: N, ctx: C, mont: *mut BN_MONT_CTX) -> c_int;
    pub fn BN_mod_exp_mont_consttime(
        z: N, x: N, e: N, m: N, ctx: C, mont: *mut BN_MONT_CTX,
    ) -> c_int;
    pub fn BN_mod_exp_mont_consttime_x2(
        z: N, x: N, e: N, m: N, mont: *mut BN_MONT_CTX, z2: N, x2: N, e2: N, m2: N,
        mont2: *mut BN_MONT_CTX, ctx: C,
    ) -> c_int;
    pub fn BN_mod_inverse(z: N, x: N, m: N, ctx: C) -> N;
    pub fn BN_gcd(z: N, x: N, y: N, ctx: C) -> c_int;
    pub fn BN_bn2dec(x: N) -> *mut c_char;
    pub fn BN_dec2bn(z: *mut N, text: *const c_char) -> c_int;
    pub fn BN_MONT_CTX_free(mont: *mut BN_MONT_CTX);
    fn BN_set_flags(x: N, flags: c_int);
    fn CRYPTO_free(at: *mut c_void, file: *const c_char, line: c_int);
}

/// Null: then the function for two powers makes its own.
pub unsafe fn new_mont(_: N, _: C) -> *mut BN_MONT_CTX {
    std::ptr::null_mut()
}

pub unsafe fn mark_secret(x: N) {
    unsafe { BN_set_flags(x, SECRET) }
}

pub unsafe fn free_text(text: *mut c_char) {
    unsafe { CRYPTO_free(text.cast(), c"".as_ptr(), 0) }
}
