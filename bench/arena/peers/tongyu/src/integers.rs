//! Integers of any size.

use crate::api::{self, Api};
use crate::Tier;
use arena_peer::integers::{name, padded, task_with_begin, Number, Work};
use arena_peer::{Job, Task};
use std::ffi::{c_int, c_void};

/// A `ty_mp`: an object whose bytes are all zero is the number 0.
struct Mp(Box<api::Object>, &'static Api);

impl Mp {
    fn at(&mut self) -> *mut c_void {
        self.0.at()
    }
}

impl Number for Mp {
    fn new(big_endian: &[u8]) -> Mp {
        let api = api::get().expect("opened by prepare");
        let mut z = Mp(Box::default(), api);
        if let Some(set) = api.find::<api::MpSet>(c"ty_mp_set_be") {
            unsafe { set(z.at(), big_endian.as_ptr(), big_endian.len()) };
        }
        z
    }

    fn bytes(&mut self) -> Vec<u8> {
        let find = || {
            Some((
                self.1.find::<api::MpBytes>(c"ty_mp_bytes")?,
                self.1.find::<api::MpGet>(c"ty_mp_get_be")?,
            ))
        };
        let Some((size, get)) = find() else { return vec![] };
        unsafe {
            let mut out = vec![0; size(self.at())];
            get(out.as_mut_ptr(), out.len(), self.at());
            out
        }
    }
}

impl Drop for Mp {
    fn drop(&mut self) {
        if let Some(clear) = self.1.find::<api::MpClear>(c"ty_mp_clear") {
            unsafe { clear(self.at()) };
        }
    }
}

type W<F> = Work<Mp, (Tier, F)>;

pub fn prepare(api: &'static Api, job: &Job, tier: Tier) -> Option<Task> {
    let (op, bits) = name(job)?;
    if bits > 65536 && job.tier == "c" {
        return None; // they take seconds, and add no information
    }
    match op {
        "sqr" => {
            let f: api::MpTwo = api.find(c"ty_mp_sqr")?;
            task(job, tier, f, |w| unsafe { (w.ctx.1)(w.z.at(), w.x.at()) == 0 })
        }
        "mul" | "gcd" => {
            let f: api::MpThree =
                api.find(if op == "mul" { c"ty_mp_mul" } else { c"ty_mp_gcd_vt" })?;
            task(job, tier, f, |w| unsafe { (w.ctx.1)(w.z.at(), w.x.at(), w.y.at()) == 0 })
        }
        "invmod" | "invmod-ct" => {
            let f: api::MpThree =
                api.find(if op == "invmod" { c"ty_mp_invmod_vt" } else { c"ty_mp_invmod" })?;
            task(job, tier, f, |w| unsafe { (w.ctx.1)(w.z.at(), w.x.at(), w.m.at()) == 0 })
        }
        "div" => {
            let f: api::MpFour = api.find(c"ty_mp_div_vt")?;
            task(job, tier, f, |w| unsafe {
                (w.ctx.1)(w.z.at(), w.r.at(), w.x.at(), w.m.at()) == 0
            })
        }
        "expmod" | "expmod-ct" => {
            let f: api::MpFour =
                api.find(if op == "expmod" { c"ty_mp_powm_vt" } else { c"ty_mp_powm" })?;
            task(job, tier, f, |w| unsafe {
                (w.ctx.1)(w.z.at(), w.x.at(), w.y.at(), w.m.at()) == 0
            })
        }
        "expmod-batch8" | "expmod-ct-batch8" | "expmod-ct-batch2" => {
            powers(api, job, tier, bits / 8)
        }
        "to-radix" => {
            let f: api::MpToText = api.find(c"ty_mp_get_str_vt")?;
            task(job, tier, f, |w| unsafe {
                (w.ctx.1)(w.text.as_mut_ptr(), w.text.len(), std::ptr::null_mut(), w.x.at(), 10)
                    == 0
            })
        }
        "from-radix" => {
            let f: api::MpFromText = api.find(c"ty_mp_set_str_vt")?;
            task(job, tier, f, |w| unsafe {
                (w.ctx.1)(w.z.at(), w.text.as_ptr(), w.text.len() - 1, 10) == 0
            })
        }
        _ => None,
    }
}

fn task<F: 'static>(
    job: &Job, tier: Tier, f: F, once: impl Fn(&mut W<F>) -> bool + 'static,
) -> Option<Task> {
    task_with_begin(job, (tier, f), |w: &mut W<F>| w.ctx.0.set(), once)
}

/// `ty_mp_powm_job`
#[repr(C)]
struct PowmJob {
    z: *mut c_void,
    x: *const c_void,
    e: *const c_void,
    m: *const c_void,
    err: c_int,
}

type ManyPowm = unsafe extern "C" fn(*mut PowmJob, usize) -> c_int;

/// The numbers of one job, in the order of its fields
struct Power {
    z: Mp,
    x: Mp,
    e: Mp,
    m: Mp,
}

/// Several powers at once, of numbers of n bytes, by one function, in constant time.
fn powers(api: &'static Api, job: &Job, tier: Tier, n: usize) -> Option<Task> {
    let f: ManyPowm = api.find(c"ty_mp_many_powm")?;
    let numbers = job.input.chunks(n).zip(job.iv.chunks(n)).zip(job.key.chunks(n));
    let power =
        |((x, e), m)| Power { z: Mp::new(&[]), x: Mp::new(x), e: Mp::new(e), m: Mp::new(m) };
    let powers: Vec<Power> = numbers.map(power).collect();
    let once = |(_, f, powers): &mut (Tier, ManyPowm, Vec<Power>)| {
        let job =
            |p: &mut Power| PowmJob { z: p.z.at(), x: p.x.at(), e: p.e.at(), m: p.m.at(), err: 0 };
        let mut jobs: Vec<_> = powers.iter_mut().map(job).collect();
        unsafe { f(jobs.as_mut_ptr(), jobs.len()) == 0 }
    };
    let output = move |s: &mut (Tier, ManyPowm, Vec<Power>)| {
        s.2.iter_mut().flat_map(|p| padded(&p.z.bytes(), n)).collect::<Vec<u8>>()
    };
    Some(Task::with_begin((tier, f, powers), |s| s.0.set(), once, output))
}
