//! Batches of SM2 and SM3, and verification with a public key whose table is precomputed.

use crate::api::{self, Api};
use crate::{State, Tier};
use arena_peer::{Job, Task};
use std::ffi::c_int;
use std::ptr::null;

type Verifier = unsafe extern "C" fn(
    verifier: *mut std::ffi::c_void,
    public: *mut std::ffi::c_void,
    *const u8,
    usize,
) -> c_int;

/// `ty_sm3_job`
#[repr(C)]
struct HashJob {
    out: *mut u8,
    input: *const u8,
    len: usize,
}

/// `ty_sm2_sign_job` and, except for const, `ty_sm2_verify_job`
#[repr(C)]
struct SignatureJob {
    sig: *mut u8,
    e: *const u8,
    msg: *const u8,
    msg_len: usize,
    id: *const u8,
    id_len: usize,
    key: *mut std::ffi::c_void,
    err: c_int,
}

/// Room for a private key or a public one, at least as large as the headers' types.
#[repr(C, align(16))]
#[derive(Clone)]
struct Key([u8; 256]);

impl Key {
    fn at(&mut self) -> *mut std::ffi::c_void {
        self.0.as_mut_ptr().cast()
    }
}

pub fn hash_x16(api: &Api, job: &Job, tier: Tier) -> Option<Task> {
    const MANY: usize = 16;
    type HashMany = unsafe extern "C" fn(jobs: *const HashJob, usize);
    let s = State::new(tier, api.find::<HashMany>(c"ty_sm3_many_hash")?, job, 32 * MANY);
    let each = job.input.len() / MANY;
    s.task(move |s| unsafe {
        let (out, input) = (s.out.as_mut_ptr(), s.input.as_ptr());
        let job =
            |i: usize| HashJob { out: out.add(32 * i), input: input.add(each * i), len: each };
        let jobs: [HashJob; MANY] = std::array::from_fn(job);
        (s.f)(jobs.as_ptr(), MANY);
        true
    })
}

/// `ty_sm2_keygen_job`
#[repr(C)]
struct KeygenJob {
    key: *mut std::ffi::c_void,
    err: c_int,
}

/// As many keys as the input has parts of 32 bytes.
pub fn keygen(api: &Api, job: &Job, tier: Tier) -> Option<Task> {
    type KeygenMany = unsafe extern "C" fn(*mut KeygenJob, usize, *const api::Rng) -> c_int;
    type F = (KeygenMany, Vec<Key>);
    let n = job.input.len() / 32;
    let many = api.find::<KeygenMany>(c"ty_sm2_many_keygen")?;
    let mut s = State::new(tier, (many, vec![Key([0; 256]); n]), job, 0);
    s.rng = unsafe { api.find::<api::RngSystem>(c"ty_rng_system")?() };
    let once = move |s: &mut State<F>| unsafe {
        let job = |key: &mut Key| KeygenJob { key: key.at(), err: 0 };
        let mut jobs: Vec<_> = s.f.1.iter_mut().map(job).collect();
        (s.f.0)(jobs.as_mut_ptr(), n, s.rng) == 0
    };
    // as in the operation for one key
    let pair = |Key(bytes): &Key| [&bytes[..32], &[4], &bytes[64..128]].concat();
    let output = move |s: &mut State<F>| s.f.1.iter().flat_map(pair).collect();
    Some(Task::with_begin(s, |s| s.tier.set(), once, output))
}

/// The input is digests of 32 bytes, or messages of this length; one key signs all of them.
pub fn sign(api: &Api, job: &Job, tier: Tier) -> Option<Task> {
    type SignMany = unsafe extern "C" fn(jobs: *mut SignatureJob, usize, *const api::Rng) -> c_int;
    let n = job.input.len() / 32;
    let mut s = State::new(tier, api.find::<SignMany>(c"ty_sm2_many_sign")?, job, 64 * n);
    s.rng = unsafe { api.find::<api::RngSystem>(c"ty_rng_system")?() };
    if unsafe { api.find::<api::KeySet>(c"ty_sm2_key_set")?(s.key.at(), job.key.as_ptr()) } != 0 {
        return None;
    }
    let id = id(job);
    s.task(move |s| unsafe {
        let (sig, e, key) = (s.out.as_mut_ptr(), s.input.as_ptr(), s.key.at());
        let job = |i: usize| signature_job(sig.add(64 * i), e.add(32 * i), &id, key);
        let mut jobs: Vec<_> = (0..n).map(job).collect();
        (s.f)(jobs.as_mut_ptr(), n, s.rng) == 0
    })
}

/// The input is digests of 32 bytes, or messages of this length, each followed by its signature;
/// there is one public key for all of them or one for each.
pub fn verify(api: &Api, job: &Job, tier: Tier) -> Option<Task> {
    type VerifyMany = unsafe extern "C" fn(jobs: *mut SignatureJob, usize) -> c_int;
    let set: api::PubSet = api.find(c"ty_sm2_pub_set")?;
    let mut keys = vec![];
    for public in job.public.chunks(65) {
        let mut key = Key([0; 256]);
        if unsafe { set(key.at(), public.as_ptr(), 65) } != 0 {
            return None;
        }
        keys.push(key);
    }
    let n = job.input.len() / 96;
    let s = State::new(tier, (api.find::<VerifyMany>(c"ty_sm2_many_verify")?, keys), job, n);
    let id = id(job);
    s.task(move |s| unsafe {
        let (input, keys) = (s.input.as_ptr(), &mut s.f.1);
        let many = keys.len();
        let mut job = |i: usize| {
            let at = input.add(96 * i);
            signature_job(at.add(32).cast_mut(), at, &id, keys[i % many].at())
        };
        let mut jobs: Vec<_> = (0..n).map(&mut job).collect();
        s.accepted = (s.f.0)(jobs.as_mut_ptr(), n) == 0;
        s.out.fill(u8::from(s.accepted));
        s.accepted
    })
}

/// `ty_sm2_ecdh_job`
#[repr(C)]
struct EcdhJob {
    out: *mut u8,
    public: *mut std::ffi::c_void,
    key: *mut std::ffi::c_void,
    err: c_int,
}

/// The input is points of 65 bytes; one private key multiplies all of them.
pub fn ecdh(api: &Api, job: &Job, tier: Tier) -> Option<Task> {
    type EcdhMany = unsafe extern "C" fn(jobs: *mut EcdhJob, usize) -> c_int;
    let set: api::PubSet = api.find(c"ty_sm2_pub_set")?;
    let mut points = vec![];
    for point in job.input.chunks(65) {
        let mut public = Key([0; 256]);
        if unsafe { set(public.at(), point.as_ptr(), point.len()) } != 0 {
            return None;
        }
        points.push(public);
    }
    let n = points.len();
    let mut s = State::new(tier, (api.find::<EcdhMany>(c"ty_sm2_many_ecdh")?, points), job, 32 * n);
    if unsafe { api.find::<api::KeySet>(c"ty_sm2_key_set")?(s.key.at(), job.key.as_ptr()) } != 0 {
        return None;
    }
    s.task(move |s| unsafe {
        let (out, key) = (s.out.as_mut_ptr(), s.key.at());
        let job = |(i, public): (usize, &mut Key)| EcdhJob {
            out: out.add(32 * i),
            public: public.at(),
            key,
            err: 0,
        };
        let mut jobs: Vec<_> = s.f.1.iter_mut().enumerate().map(job).collect();
        (s.f.0)(jobs.as_mut_ptr(), n) == 0
    })
}

/// The identity of whoever signs a message; none where the digest is given.
fn id(job: &Job) -> Option<Vec<u8>> {
    job.op.contains("-msg").then(|| job.iv.to_vec())
}

/// With an identity, `e` is a message of 32 bytes, else a digest.
fn signature_job(
    sig: *mut u8, e: *const u8, id: &Option<Vec<u8>>, key: *mut std::ffi::c_void,
) -> SignatureJob {
    match id {
        None => {
            SignatureJob { sig, e, msg: null(), msg_len: 0, id: null(), id_len: 0, key, err: 0 }
        }
        Some(id) => {
            let (id, id_len) = (id.as_ptr(), id.len());
            SignatureJob { sig, e: null(), msg: e, msg_len: 32, id, id_len, key, err: 0 }
        }
    }
}

/// `ty_sm2_encrypt_job` and, except for const, `ty_sm2_decrypt_job`
#[repr(C)]
struct TextJob {
    out: *mut u8,
    input: *const u8,
    len: usize,
    order: c_int,
    key: *mut std::ffi::c_void,
    err: c_int,
}

/// What a ciphertext has beyond its message
const OVERHEAD: usize = 97;
const MESSAGE: usize = 32;

/// The input is messages of 32 bytes, for one key.
pub fn encrypt(api: &Api, job: &Job, tier: Tier) -> Option<Task> {
    type EncryptMany = unsafe extern "C" fn(*mut TextJob, usize, *const api::Rng) -> c_int;
    let n = job.input.len() / MESSAGE;
    let many = api.find::<EncryptMany>(c"ty_sm2_many_encrypt")?;
    let mut s = State::new(tier, many, job, n * (MESSAGE + OVERHEAD));
    s.rng = unsafe { api.find::<api::RngSystem>(c"ty_rng_system")?() };
    let set: api::PubSet = api.find(c"ty_sm2_pub_set")?;
    if unsafe { set(s.key.at(), job.public.as_ptr(), job.public.len()) } != 0 {
        return None;
    }
    s.task(move |s| unsafe {
        let mut jobs = text_jobs(s, n, MESSAGE, MESSAGE + OVERHEAD);
        (s.f)(jobs.as_mut_ptr(), n, s.rng) == 0
    })
}

/// The input is ciphertexts of messages of 32 bytes, for one key.
pub fn decrypt(api: &Api, job: &Job, tier: Tier) -> Option<Task> {
    type DecryptMany = unsafe extern "C" fn(*mut TextJob, usize) -> c_int;
    let n = job.input.len() / (MESSAGE + OVERHEAD);
    let many = api.find::<DecryptMany>(c"ty_sm2_many_decrypt")?;
    let mut s = State::new(tier, many, job, n * MESSAGE);
    if unsafe { api.find::<api::KeySet>(c"ty_sm2_key_set")?(s.key.at(), job.key.as_ptr()) } != 0 {
        return None;
    }
    s.task(move |s| unsafe {
        let mut jobs = text_jobs(s, n, MESSAGE + OVERHEAD, MESSAGE);
        (s.f)(jobs.as_mut_ptr(), n) == 0
    })
}

/// n jobs, whose inputs have `each` bytes and whose outputs `made`
unsafe fn text_jobs<F>(s: &mut State<F>, n: usize, each: usize, made: usize) -> Vec<TextJob> {
    let (out, input, key) = (s.out.as_mut_ptr(), s.input.as_ptr(), s.key.at());
    let job = |i: usize| unsafe {
        let (out, input) = (out.add(made * i), input.add(each * i));
        TextJob { out, input, len: each, order: 0, key, err: 0 }
    };
    (0..n).map(job).collect()
}

pub fn verify_cached(api: &Api, job: &Job, tier: Tier) -> Option<Task> {
    let mut public = Box::<api::Object>::default();
    let mut s =
        State::new(tier, api.find::<api::Verify>(c"ty_sm2_verifier_verify_digest")?, job, 1);
    let fine = unsafe {
        api.find::<api::PubSet>(c"ty_sm2_pub_set")?(public.at(), job.public.as_ptr(), 65) == 0
            && api.find::<Verifier>(c"ty_sm2_verifier_init")?(s.key.at(), public.at(), null(), 0)
                == 0
    };
    if !fine {
        return None;
    }
    s.task(|s| unsafe {
        s.accepted = (s.f)(s.input.as_ptr().add(32), s.input.as_ptr(), s.key.at()) == 0;
        s.out[0] = u8::from(s.accepted);
        s.accepted
    })
}
