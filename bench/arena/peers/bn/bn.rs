//! BIGNUM, in OpenSSL and its forks. Each library's crate includes this file and declares the
//! library's functions in a module `raw`, because the types of lengths and the prefixes of names
//! differ.

use super::raw;
use arena_peer::integers::{name, padded, task_with_begin, Number, Work};
use arena_peer::{Job, Task};
use std::ffi::CStr;
use std::ptr::null_mut;

struct Bn(*mut raw::BIGNUM);

impl Number for Bn {
    fn new(big_endian: &[u8]) -> Bn {
        Bn(unsafe { raw::BN_bin2bn(big_endian.as_ptr(), big_endian.len() as _, null_mut()) })
    }

    fn bytes(&mut self) -> Vec<u8> {
        unsafe {
            let mut out = vec![0; (raw::BN_num_bits(self.0) as usize).div_ceil(8)];
            raw::BN_bn2bin(self.0, out.as_mut_ptr());
            out
        }
    }
}

impl Drop for Bn {
    fn drop(&mut self) {
        unsafe { raw::BN_free(self.0) }
    }
}

type W = Work<Bn, *mut raw::BN_CTX>;

pub fn prepare(job: &Job) -> Option<Task> {
    let (op, bits) = name(job)?;
    let max = if op == "gcd" { 4096 } else { 65536 }; // longer ones take seconds
    if bits > max {
        return None;
    }
    if op == "expmod-ct-batch2" {
        return Some(two_powers(job, bits / 8));
    }
    let once: fn(&mut W) -> bool = match op {
        "mul" => |w| unsafe { raw::BN_mul(w.z.0, w.x.0, w.y.0, *w.ctx) == 1 },
        "sqr" => |w| unsafe { raw::BN_sqr(w.z.0, w.x.0, *w.ctx) == 1 },
        "div" => |w| unsafe { raw::BN_div(w.z.0, w.r.0, w.x.0, w.m.0, *w.ctx) == 1 },
        "expmod" => {
            |w| unsafe { raw::BN_mod_exp_mont(w.z.0, w.x.0, w.y.0, w.m.0, *w.ctx, null_mut()) == 1 }
        }
        "expmod-ct" => |w| unsafe {
            raw::BN_mod_exp_mont_consttime(w.z.0, w.x.0, w.y.0, w.m.0, *w.ctx, null_mut()) == 1
        },
        "invmod" => |w| unsafe { !raw::BN_mod_inverse(w.z.0, w.x.0, w.m.0, *w.ctx).is_null() },
        "invmod-ct" if raw::HAS_SECRET_INVERSE => {
            |w| unsafe { !raw::BN_mod_inverse(w.z.0, w.x.0, w.m.0, *w.ctx).is_null() }
        }
        "gcd" => |w| unsafe { raw::BN_gcd(w.z.0, w.x.0, w.y.0, *w.ctx) == 1 },
        "to-radix" => to_decimal,
        "from-radix" => |w| unsafe { raw::BN_dec2bn(&mut w.z.0, w.text.as_ptr().cast()) != 0 },
        _ => return None,
    };
    let secret = op == "invmod-ct";
    let begin = move |w: &mut W| {
        if secret {
            unsafe { raw::mark_secret(w.x.0) }
        }
    };
    task_with_begin(job, unsafe { raw::BN_CTX_new() }, begin, once)
}

/// Two powers of numbers of n bytes in one call, in constant time. The library has code for two at
/// some lengths; at the others it computes one after the other.
fn two_powers(job: &Job, n: usize) -> Task {
    type State = ([Bn; 2], [Bn; 2], [Bn; 2], [Bn; 2], *mut raw::BN_CTX);
    let two = |bytes: &[u8]| [Bn::new(&bytes[..n]), Bn::new(&bytes[n..])];
    let (x, y, m) = (two(job.input), two(job.iv), two(job.key));
    let z = [Bn::new(&[]), Bn::new(&[])];
    let once = |(z, x, y, m, ctx): &mut State| unsafe {
        let (mont, mont2) = (raw::new_mont(m[0].0, *ctx), raw::new_mont(m[1].0, *ctx));
        let fine = raw::BN_mod_exp_mont_consttime_x2(
            z[0].0, x[0].0, y[0].0, m[0].0, mont, z[1].0, x[1].0, y[1].0, m[1].0, mont2, *ctx,
        );
        raw::BN_MONT_CTX_free(mont);
        raw::BN_MONT_CTX_free(mont2);
        fine == 1
    };
    let output = move |s: &mut State| s.0.iter_mut().flat_map(|z| padded(&z.bytes(), n)).collect();
    Task::new((z, x, y, m, unsafe { raw::BN_CTX_new() }), once, output)
}

/// The library allocates the text, so it also frees it.
fn to_decimal(w: &mut W) -> bool {
    unsafe {
        let text = raw::BN_bn2dec(w.x.0);
        if text.is_null() {
            return false;
        }
        let bytes = CStr::from_ptr(text).to_bytes_with_nul();
        w.text[..bytes.len()].copy_from_slice(bytes);
        raw::free_text(text);
        true
    }
}
