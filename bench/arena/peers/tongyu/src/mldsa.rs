//! ML-DSA: single calls, with encoded or precomputed keys, and batches.

use crate::api::{Api, Rng};
use crate::Tier;
use arena_peer::mldsa::{Name, Verb};
use arena_peer::{Job, Task};
use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};

type Ptr = *mut c_void;
type FromSeed = unsafe extern "C" fn(key: Ptr, seed: *const u8, set: c_int) -> c_int;
type Init = unsafe extern "C" fn(ready: Ptr, key: Ptr) -> c_int;
type Sign = unsafe extern "C" fn(
    *mut u8,
    usize,
    *const u8,
    usize,
    *const u8,
    usize,
    key: Ptr,
    *const Rng,
) -> c_int;
type Verify =
    unsafe extern "C" fn(*const u8, usize, *const u8, usize, *const u8, usize, key: Ptr) -> c_int;

/// ty_mldsa_keygen_job
#[repr(C)]
struct KeygenJob {
    key: Ptr,
    set: c_int,
    seed: *const u8,
    err: c_int,
}

/// ty_mldsa_sign_job and, except for const, ty_mldsa_verify_job
#[repr(C)]
struct MessageJob {
    sig: *mut u8,
    sig_len: usize,
    mu: *const u8,
    msg: *const u8,
    msg_len: usize,
    ctx: *const u8,
    ctx_len: usize,
    key: Ptr,
    ready: Ptr,
    err: c_int,
}

type ManyKeygen = unsafe extern "C" fn(*mut KeygenJob, usize, *const Rng) -> c_int;
type ManySign = unsafe extern "C" fn(*mut MessageJob, usize, *const Rng) -> c_int;
type ManyVerify = unsafe extern "C" fn(*mut MessageJob, usize) -> c_int;

/// Room for the largest object, a precomputed private key of 83,588 bytes, aligned to a cache line
/// as the header advises.
struct Object(Vec<Line>);

#[derive(Clone)]
#[repr(C, align(64))]
struct Line([u64; 8]);

impl Object {
    fn new() -> Object {
        Object(vec![Line([0; 8]); 12 << 7])
    }

    fn at(&mut self) -> Ptr {
        self.0.as_mut_ptr().cast()
    }
}

struct State<F> {
    tier: Tier,
    f: F,
    name: Name,
    keys: Vec<Object>,
    ready: Object,
    input: Vec<u8>,
    sigs: Vec<u8>,
}

impl<F: 'static> State<F> {
    /// The bytes of the public keys: a key begins with its public half, which begins with the
    /// number of the parameter set.
    fn publics(&mut self) -> Vec<u8> {
        let len = self.name.public_len();
        self.keys
            .iter_mut()
            .flat_map(|k| {
                unsafe { std::slice::from_raw_parts(k.at().cast::<u8>().add(4), len) }.to_vec()
            })
            .collect()
    }

    fn task(
        self, once: impl Fn(&mut State<F>) -> bool + 'static,
        output: impl Fn(&mut State<F>) -> Vec<u8> + 'static,
    ) -> Option<Task> {
        Some(Task::with_begin(self, |s| s.tier.set(), once, output))
    }
}

pub fn prepare(api: &Api, job: &Job, tier: Tier) -> Option<Task> {
    let name = Name::parse(job.op)?;
    let from_seed: FromSeed = api.find(c"ty_mldsa_key_from_seed")?;
    let set = name.set as c_int;
    let n = name.batch;
    let mut keys: Vec<Object> =
        (0..if name.verb == Verb::Keygen { n } else { 1 }).map(|_| Object::new()).collect();
    let mut ready = Object::new();
    if unsafe { from_seed(keys[0].at(), job.key.as_ptr(), set) } != 0 {
        return None;
    }
    let init: Init = api.find(if name.verb == Verb::Verify {
        c"ty_mldsa_verifier_init"
    } else {
        c"ty_mldsa_signer_init"
    })?;
    if name.ready && unsafe { init(ready.at(), keys[0].at()) } != 0 {
        return None;
    }
    let (input, sigs) = (job.input.to_vec(), vec![0; n * name.sig_len()]);
    macro_rules! state {
        ($f:expr) => {
            State { tier, f: $f, name, keys, ready, input, sigs }
        };
    }
    match (name.verb, n) {
        (Verb::Keygen, 1) => state!(from_seed).task(
            |s| unsafe { (s.f)(s.keys[0].at(), s.input.as_ptr(), s.name.set as c_int) == 0 },
            State::publics,
        ),
        (Verb::Keygen, _) => state!(api.find::<ManyKeygen>(c"ty_mldsa_many_keygen")?).task(
            |s| unsafe {
                let set = s.name.set as c_int;
                let seeds = s.input.chunks(32);
                let job = |(key, seed): (&mut Object, &[u8])| KeygenJob {
                    key: key.at(),
                    set,
                    seed: seed.as_ptr(),
                    err: 0,
                };
                let mut jobs: Vec<_> = s.keys.iter_mut().zip(seeds).map(job).collect();
                (s.f)(jobs.as_mut_ptr(), jobs.len(), null()) == 0
            },
            State::publics,
        ),
        (Verb::Sign, 1) => {
            let f = api.find::<Sign>(if name.ready {
                c"ty_mldsa_signer_sign"
            } else {
                c"ty_mldsa_sign"
            })?;
            state!(f).task(
                |s| unsafe {
                    let key = if s.name.ready { s.ready.at() } else { s.keys[0].at() };
                    let (sig, msg) = (&mut s.sigs, &s.input);
                    (s.f)(
                        sig.as_mut_ptr(),
                        sig.len(),
                        msg.as_ptr(),
                        msg.len(),
                        null(),
                        0,
                        key,
                        null(),
                    ) == 0
                },
                |s| s.sigs.clone(),
            )
        }
        (Verb::Sign, _) => state!(api.find::<ManySign>(c"ty_mldsa_many_sign")?).task(
            |s| unsafe {
                let mut jobs = message_jobs(s);
                (s.f)(jobs.as_mut_ptr(), jobs.len(), null()) == 0
            },
            |s| s.sigs.clone(),
        ),
        (Verb::Verify, 1) => {
            let f = api.find::<Verify>(if name.ready {
                c"ty_mldsa_verifier_verify"
            } else {
                c"ty_mldsa_verify"
            })?;
            state!(f).task(
                |s| unsafe {
                    let key = if s.name.ready { s.ready.at() } else { s.keys[0].at() };
                    let (msg, sig) = s.name.split(&s.input);
                    (s.f)(sig.as_ptr(), sig.len(), msg.as_ptr(), msg.len(), null(), 0, key) == 0
                },
                |_| vec![1],
            )
        }
        (Verb::Verify, _) => state!(api.find::<ManyVerify>(c"ty_mldsa_many_verify")?).task(
            |s| unsafe {
                let mut jobs = message_jobs(s);
                (s.f)(jobs.as_mut_ptr(), jobs.len()) == 0
            },
            |s| vec![1; s.name.batch],
        ),
    }
}

/// Jobs for messages, or for messages each followed by its signature, with one key
fn message_jobs<F>(s: &mut State<F>) -> Vec<MessageJob> {
    let (name, key, ready) = (s.name, s.keys[0].at(), s.ready.at());
    let each = s.input.len() / name.batch;
    let sigs = s.sigs.chunks_mut(name.sig_len());
    let job = |(input, sig): (&[u8], &mut [u8])| {
        let (msg, theirs) = name.split(input);
        MessageJob {
            sig: if theirs.is_empty() { sig.as_mut_ptr() } else { theirs.as_ptr().cast_mut() },
            sig_len: name.sig_len(),
            mu: null(),
            msg: msg.as_ptr(),
            msg_len: msg.len(),
            ctx: null(),
            ctx_len: 0,
            key: if name.ready { null_mut() } else { key },
            ready: if name.ready { ready } else { null_mut() },
            err: 0,
        }
    };
    s.input.chunks(each).zip(sigs).map(job).collect()
}
