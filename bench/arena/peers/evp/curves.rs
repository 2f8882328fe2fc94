//! Binary curves in a libcrypto that has them: points by the functions of EC_GROUP and EC_POINT,
//! signatures through EVP.

use super::{key, state_of_key, Ptr};
use arena_peer::{der, Job, Task};
use std::ffi::{c_char, c_int, CString};
use std::ptr::null_mut;

const UNCOMPRESSED: c_int = 4;

unsafe extern "C" {
    fn OBJ_sn2nid(name: *const c_char) -> c_int;
    fn EC_GROUP_new_by_curve_name(nid: c_int) -> Ptr;
    fn EC_GROUP_order_bits(group: Ptr) -> c_int;
    fn EC_POINT_new(group: Ptr) -> Ptr;
    fn EC_POINT_oct2point(group: Ptr, point: Ptr, input: *const u8, len: usize, ctx: Ptr) -> c_int;
    fn EC_POINT_point2oct(
        group: Ptr, point: Ptr, form: c_int, out: *mut u8, len: usize, ctx: Ptr,
    ) -> usize;
    fn EC_POINT_mul(group: Ptr, r: Ptr, of_g: Ptr, q: Ptr, m: Ptr, ctx: Ptr) -> c_int;
    fn BN_bin2bn(input: *const u8, len: c_int, number: Ptr) -> Ptr;
    fn BN_CTX_new() -> Ptr;
}

/// A scalar multiplication of a point, or of the generator where the point is null. Its objects are
/// never freed.
struct Product {
    group: Ptr,
    scalar: Ptr,
    point: Ptr,
    result: Ptr,
    ctx: Ptr,
}

impl Product {
    fn bytes(&mut self) -> Vec<u8> {
        let mut out = vec![0; 256];
        let room = out.len();
        let len = unsafe {
            EC_POINT_point2oct(
                self.group,
                self.result,
                UNCOMPRESSED,
                out.as_mut_ptr(),
                room,
                self.ctx,
            )
        };
        out.truncate(len);
        out
    }
}

pub fn prepare(job: &Job) -> Option<Task> {
    let (curve, op) = job.op.split_once('/')?;
    let name = CString::new(curve).ok()?;
    let group = unsafe { EC_GROUP_new_by_curve_name(OBJ_sn2nid(name.as_ptr())) };
    if group.is_null() {
        return None;
    }
    let len = unsafe { EC_GROUP_order_bits(group) }.unsigned_abs().div_ceil(8) as usize;
    match op {
        "kp" => product(job, group, true),
        "kp-fixed" => product(job, group, false),
        "sign" => {
            let key = key(c"EC", &name, job.public, job.key)?;
            let s = state_of_key(job, key, job.input.to_vec(), super::EVP_PKEY_sign_init)?;
            let once = |s: &mut super::State| unsafe {
                s.len = s.out.len();
                super::EVP_PKEY_sign(s.ctx, s.out.as_mut_ptr(), &mut s.len, s.input.as_ptr(), 32)
                    == 1
            };
            Some(Task::new(s, once, move |s| {
                der::to_signature(&s.out[..s.len], len).unwrap_or_default()
            }))
        }
        "verify" => {
            let key = key(c"EC", &name, job.public, &[])?;
            let mut s =
                state_of_key(job, key, job.input[..32].to_vec(), super::EVP_PKEY_verify_init)?;
            s.out = der::from_signature(&job.input[32..]);
            let once = |s: &mut super::State| unsafe {
                s.accepted = super::EVP_PKEY_verify(
                    s.ctx,
                    s.out.as_ptr(),
                    s.out.len(),
                    s.input.as_ptr(),
                    32,
                ) == 1;
                s.accepted
            };
            Some(Task::new(s, once, |s| vec![u8::from(s.accepted)]))
        }
        _ => None,
    }
}

fn product(job: &Job, group: Ptr, of_point: bool) -> Option<Task> {
    let s = unsafe {
        let point = EC_POINT_new(group);
        let s = Product {
            group,
            scalar: BN_bin2bn(job.key.as_ptr(), job.key.len() as c_int, null_mut()),
            point: if of_point { point } else { null_mut() },
            result: EC_POINT_new(group),
            ctx: BN_CTX_new(),
        };
        if EC_POINT_oct2point(group, point, job.public.as_ptr(), job.public.len(), s.ctx) != 1 {
            return None;
        }
        s
    };
    let once = |s: &mut Product| unsafe {
        match s.point.is_null() {
            true => EC_POINT_mul(s.group, s.result, s.scalar, null_mut(), null_mut(), s.ctx) == 1,
            false => EC_POINT_mul(s.group, s.result, null_mut(), s.point, s.scalar, s.ctx) == 1,
        }
    };
    Some(Task::new(s, once, |s| s.bytes()))
}
