//! Binary curves. The scalar of a multiplication is in the state's `iv`.

use crate::api::{self, Api};
use crate::{State, Tier};
use arena_peer::{Job, Task};
use std::ffi::CString;

pub fn prepare(api: &Api, job: &Job, tier: Tier) -> Option<Task> {
    let (name, op) = job.op.split_once('/')?;
    let name = CString::new(name).ok()?;
    let curve = unsafe { api.find::<api::CurveNamed>(c"ty_ec_curve_named")?(name.as_ptr()) };
    if curve.is_null() {
        return None;
    }
    let set_key: api::CurveKeySet = api.find(c"ty_ec_key_set")?;
    let mut private = Box::<api::Object>::default();
    let mut public = Box::<api::Object>::default();
    let fine = unsafe {
        let set_public: api::CurvePubSet = api.find(c"ty_ec_pub_set")?;
        set_key(private.at(), curve, job.key.as_ptr(), job.key.len())
            | set_public(public.at(), curve, job.public.as_ptr(), job.public.len())
    };
    if fine != 0 {
        return None;
    }
    match op {
        "kp" => {
            let mut s =
                State::new(tier, api.find::<api::CurveMul>(c"ty_ec_mul")?, job, job.public.len());
            (s.key, s.iv) = (public, job.key.to_vec());
            let once = |s: &mut State<api::CurveMul>| unsafe {
                (s.f)(s.running.at(), s.iv.as_ptr(), s.key.at()) == 0
            };
            point(api, s, once)
        }
        "kp-fixed" => {
            let mut s = State::new(tier, set_key, job, job.public.len());
            s.iv = job.key.to_vec();
            let once = move |s: &mut State<api::CurveKeySet>| unsafe {
                (s.f)(s.running.at(), curve, s.iv.as_ptr(), s.iv.len()) == 0
            };
            point(api, s, once)
        }
        "sign" => {
            let mut s = State::new(
                tier,
                api.find::<api::EcdsaSign>(c"ty_ecdsa_sign")?,
                job,
                2 * job.key.len(),
            );
            (s.key, s.rng) = (private, unsafe { api.find::<api::RngSystem>(c"ty_rng_system")?() });
            s.task(|s| unsafe {
                let (out, input) = (s.out.as_mut_ptr(), s.input.as_ptr());
                (s.f)(out, input, s.input.len(), s.key.at(), s.rng) == 0
            })
        }
        "verify" => {
            let mut s = State::new(tier, api.find::<api::EcdsaVerify>(c"ty_ecdsa_verify")?, job, 1);
            s.key = public;
            s.task(|s| unsafe {
                let sig = (s.input.as_ptr().add(32), s.input.len() - 32);
                s.accepted = (s.f)(sig.0, sig.1, s.input.as_ptr(), 32, s.key.at()) == 0;
                s.out[0] = u8::from(s.accepted);
                s.accepted
            })
        }
        _ => None,
    }
}

/// The object that `once` makes begins with a public key, whose encoding is the output.
fn point<F: 'static>(
    api: &Api, s: State<F>, once: impl Fn(&mut State<F>) -> bool + 'static,
) -> Option<Task> {
    let get: api::CurvePubGet = api.find(c"ty_ec_pub_get")?;
    let output = move |s: &mut State<F>| unsafe {
        get(s.out.as_mut_ptr(), s.running.at());
        s.out.clone()
    };
    Some(Task::with_begin(s, |s| s.tier.set(), once, output))
}
