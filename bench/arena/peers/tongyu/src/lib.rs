//! Tongyu: the shared library that TONGYU_LIB names; each of its tiers is a separate contender.
//!
//! Functions are looked up one by one, so that a library without some of them is measured with the
//! rest.

mod api;
mod batch;
mod curves;
mod field;
mod integers;
mod mldsa;

use api::{Api, Limit, Rng};
use arena_peer::{Job, Peer, Task};
use std::ffi::{c_int, c_void, CStr, CString};

struct Tongyu;

/// The tier that a program gets if it sets no limit.
const DEFAULT: &str = "default";

impl Peer for Tongyu {
    const NAME: &'static str = "tongyu";

    fn version() -> String {
        api::get().and_then(|api| api.version()).unwrap_or_else(|| "?".into())
    }

    fn tiers(family: &str) -> Vec<String> {
        let mut names: Vec<String> = vec![];
        for row in api::get().map(Api::tier_rows).unwrap_or_default() {
            if parts_of(family, "").iter().any(|p| row.family.contains(p))
                && row.runs
                && !names.contains(&row.tier)
            {
                names.push(row.tier);
            }
        }
        names.push(DEFAULT.into());
        names
    }

    fn prepare(job: &Job) -> Option<Task> {
        let api = api::get()?;
        // A tier that only another part of the family has would repeat the measurement of a weaker
        // one.
        let parts = parts_of(job.family, job.op);
        let own = |row: &api::TierRow| {
            row.tier == job.tier && parts.iter().any(|p| row.family.contains(p))
        };
        if job.tier != DEFAULT && !api.tier_rows().iter().any(own) {
            return None;
        }
        let tier = Tier::new(api, job.tier)?;
        tier.set();
        match job.family {
            "sm4" if job.op == "x16-init" => sm4_many_keys(api, job, tier),
            "sm4" if job.op.starts_with("x16-") => sm4_many(api, job, tier),
            "sm4" => sm4(api, job, tier),
            "sm3" => sm3(api, job, tier),
            "sm2" => sm2(api, job, tier),
            "mldsa" => mldsa::prepare(api, job, tier),
            "ec2m" => curves::prepare(api, job, tier),
            "mp" => integers::prepare(api, job, tier),
            _ => None,
        }
    }
}

/// Words that occur in the names of those families of the tier list that the operation uses, or,
/// for an empty `op`, that any operation of the family uses.
fn parts_of(family: &str, op: &str) -> &'static [&'static str] {
    match (family, op) {
        (
            "sm4",
            "" | "gcm-seal" | "gcm-open" | "gmac" | "gcm-siv-seal" | "hctr-enc" | "x16-gcm-seal",
        ) => &["sm4", "ghash", "f2_128"],
        ("sm4", _) => &["sm4"],
        ("sm3", _) => &["sm3"],
        ("sm2", _) => &["sm2"],
        ("mldsa", _) => &["mldsa", "keccak"],
        ("ec2m", _) => &["ec2m"],
        ("mp", _) => &["mp"],
        _ => &[],
    }
}

/// Sets the limit before every batch, as calls without a key read it each time.
struct Tier {
    limit: Limit,
    name: Option<CString>,
}

impl Tier {
    fn new(api: &Api, name: &str) -> Option<Tier> {
        let name = if name == DEFAULT { None } else { Some(CString::new(name).ok()?) };
        Some(Tier { limit: api.find(c"ty_tier_limit")?, name })
    }

    fn set(&self) {
        unsafe { (self.limit)(self.name.as_ref().map_or(std::ptr::null(), |n| n.as_ptr())) };
    }
}

struct State<F> {
    tier: Tier,
    f: F,
    key: Box<api::Object>,
    running: Box<api::Object>,
    iv: Vec<u8>,
    aad: Vec<u8>,
    input: Vec<u8>,
    out: Vec<u8>,
    rng: *const Rng,
    accepted: bool,
}

impl<F: 'static> State<F> {
    fn new(tier: Tier, f: F, job: &Job, out_len: usize) -> State<F> {
        State {
            tier,
            f,
            key: Box::default(),
            running: Box::default(),
            iv: job.iv.to_vec(),
            aad: job.aad.to_vec(),
            input: job.input.to_vec(),
            out: vec![0; out_len],
            rng: std::ptr::null(),
            accepted: false,
        }
    }

    fn task(self, once: impl Fn(&mut State<F>) -> bool + 'static) -> Option<Task> {
        Some(Task::with_begin(self, |s| s.tier.set(), once, |s| s.out.clone()))
    }
}

fn sm4(api: &Api, job: &Job, tier: Tier) -> Option<Task> {
    let n = job.input.len();
    match job.op {
        "ecb-enc" | "ecb-dec" => {
            let f: api::Ecb =
                api.find(pick(job.op, c"ty_sm4_ecb_encrypt", c"ty_sm4_ecb_decrypt"))?;
            let mut s = State::new(tier, f, job, n);
            unsafe { api.find::<api::Sm4Init>(c"ty_sm4_init")?(s.key.at(), job.key.as_ptr()) };
            s.task(|s| unsafe {
                (s.f)(s.out.as_mut_ptr(), s.input.as_ptr(), s.input.len(), s.key.at()) == 0
            })
        }
        "cbc-enc" | "cbc-dec" => {
            let f: api::WithIv<c_int> =
                api.find(pick(job.op, c"ty_sm4_cbc_encrypt", c"ty_sm4_cbc_decrypt"))?;
            let mut s = State::new(tier, f, job, n);
            unsafe { api.find::<api::Sm4Init>(c"ty_sm4_init")?(s.key.at(), job.key.as_ptr()) };
            s.task(|s| unsafe {
                (s.f)(
                    s.out.as_mut_ptr(),
                    s.input.as_ptr(),
                    s.input.len(),
                    s.iv.as_ptr(),
                    s.key.at(),
                ) == 0
            })
        }
        "ctr" | "ofb" | "cfb-enc" | "cfb-dec" => {
            let name = match job.op {
                "ctr" => c"ty_sm4_ctr",
                "ofb" => c"ty_sm4_ofb",
                op => pick(op, c"ty_sm4_cfb_encrypt", c"ty_sm4_cfb_decrypt"),
            };
            let mut s = State::new(tier, api.find::<api::WithIv<()>>(name)?, job, n);
            unsafe { api.find::<api::Sm4Init>(c"ty_sm4_init")?(s.key.at(), job.key.as_ptr()) };
            s.task(|s| unsafe {
                (s.f)(
                    s.out.as_mut_ptr(),
                    s.input.as_ptr(),
                    s.input.len(),
                    s.iv.as_ptr(),
                    s.key.at(),
                );
                true
            })
        }
        "xts-enc" | "xts-gb-enc" => {
            let name = if job.op == "xts-enc" {
                c"ty_sm4_xts_ieee_encrypt"
            } else {
                c"ty_sm4_xts_gb_encrypt"
            };
            let mut s = State::new(tier, api.find::<api::WithIv<c_int>>(name)?, job, n);
            if unsafe {
                api.find::<api::XtsInit>(c"ty_sm4_xts_init")?(s.key.at(), job.key.as_ptr())
            } != 0
            {
                return None;
            }
            s.task(|s| unsafe {
                (s.f)(
                    s.out.as_mut_ptr(),
                    s.input.as_ptr(),
                    s.input.len(),
                    s.iv.as_ptr(),
                    s.key.at(),
                ) == 0
            })
        }
        "hctr-enc" => {
            let mut s =
                State::new(tier, api.find::<api::WithIv<c_int>>(c"ty_sm4_hctr_encrypt")?, job, n);
            unsafe { api.find::<api::Sm4Init>(c"ty_sm4_hctr_init")?(s.key.at(), job.key.as_ptr()) };
            s.task(|s| unsafe {
                (s.f)(
                    s.out.as_mut_ptr(),
                    s.input.as_ptr(),
                    s.input.len(),
                    s.iv.as_ptr(),
                    s.key.at(),
                ) == 0
            })
        }
        "gcm-siv-seal" => {
            let mut s =
                State::new(tier, api.find::<api::SealSiv>(c"ty_sm4_gcm_siv_seal")?, job, n + 16);
            unsafe { api.find::<api::Sm4Init>(c"ty_sm4_init")?(s.key.at(), job.key.as_ptr()) };
            s.task(|s| unsafe {
                let (n, out) = (s.input.len(), s.out.as_mut_ptr());
                let aad = (s.aad.as_ptr(), s.aad.len());
                (s.f)(out, out.add(n), s.input.as_ptr(), n, aad.0, aad.1, s.iv.as_ptr(), s.key.at())
                    == 0
            })
        }
        "cmac" => {
            let mut s = State::new(tier, api.find::<api::Mac>(c"ty_sm4_cmac_mac")?, job, 16);
            unsafe { api.find::<api::Sm4Init>(c"ty_sm4_cmac_init")?(s.key.at(), job.key.as_ptr()) };
            s.task(|s| unsafe {
                (s.f)(s.out.as_mut_ptr(), 16, s.input.as_ptr(), s.input.len(), s.key.at()) == 0
            })
        }
        "gcm-seal" | "ccm-seal" | "ocb-seal" => {
            let (seal, init) = match job.op {
                "ocb-seal" => (c"ty_sm4_ocb_seal", c"ty_sm4_ocb_init"),
                op => aead(op, c"ty_sm4_gcm_seal", c"ty_sm4_ccm_seal"),
            };
            let mut s = State::new(tier, api.find::<api::Seal>(seal)?, job, n + 16);
            unsafe { api.find::<api::Sm4Init>(init)?(s.key.at(), job.key.as_ptr()) };
            s.task(|s| unsafe {
                let (n, out) = (s.input.len(), s.out.as_mut_ptr());
                let (aad, iv) = ((s.aad.as_ptr(), s.aad.len()), (s.iv.as_ptr(), s.iv.len()));
                (s.f)(
                    out,
                    out.add(n),
                    16,
                    s.input.as_ptr(),
                    n,
                    aad.0,
                    aad.1,
                    iv.0,
                    iv.1,
                    s.key.at(),
                ) == 0
            })
        }
        "gmac" => {
            let mut s = State::new(tier, api.find::<api::Seal>(c"ty_sm4_gcm_seal")?, job, 16);
            unsafe { api.find::<api::Sm4Init>(c"ty_sm4_gcm_init")?(s.key.at(), job.key.as_ptr()) };
            s.task(|s| unsafe {
                let (none, tag) = (std::ptr::null_mut(), s.out.as_mut_ptr());
                let (aad, iv) = ((s.input.as_ptr(), s.input.len()), (s.iv.as_ptr(), s.iv.len()));
                (s.f)(none, tag, 16, none, 0, aad.0, aad.1, iv.0, iv.1, s.key.at()) == 0
            })
        }
        "gcm-open" | "ccm-open" => {
            let (open, init) = aead(job.op, c"ty_sm4_gcm_open", c"ty_sm4_ccm_open");
            let mut s = State::new(tier, api.find::<api::Open>(open)?, job, n - 16);
            unsafe { api.find::<api::Sm4Init>(init)?(s.key.at(), job.key.as_ptr()) };
            s.task(|s| unsafe {
                let (n, at) = (s.input.len() - 16, s.input.as_ptr());
                let (aad, iv) = ((s.aad.as_ptr(), s.aad.len()), (s.iv.as_ptr(), s.iv.len()));
                (s.f)(
                    s.out.as_mut_ptr(),
                    at,
                    n,
                    at.add(n),
                    16,
                    aad.0,
                    aad.1,
                    iv.0,
                    iv.1,
                    s.key.at(),
                ) == 0
            })
        }
        _ => None,
    }
}

/// Sixteen keys, concatenated in the input; the output is a block of zeros encrypted with each.
fn sm4_many_keys(api: &Api, job: &Job, tier: Tier) -> Option<Task> {
    type ManyInit = unsafe extern "C" fn(keys: *mut c_void, bytes: *const u8, n: usize);
    /// `sizeof(ty_sm4_key)`, as in tools/sizes.txt
    const SIZE: usize = 264;
    let ecb: api::Ecb = api.find(c"ty_sm4_ecb_encrypt")?;
    let n = job.input.len() / 16;
    let s = State::new(tier, api.find::<ManyInit>(c"ty_sm4_many_init")?, job, 16 * n);
    let once = move |s: &mut State<ManyInit>| unsafe {
        (s.f)(s.key.at(), s.input.as_ptr(), n);
        true
    };
    let output = move |s: &mut State<ManyInit>| {
        for (i, block) in s.out.chunks_mut(16).enumerate() {
            block.fill(0);
            unsafe { ecb(block.as_mut_ptr(), block.as_ptr(), 16, s.key.at().byte_add(SIZE * i)) };
        }
        s.out.clone()
    };
    Some(Task::with_begin(s, |s| s.tier.set(), once, output))
}

/// Sixteen messages at once, each with its own key; the input is their concatenated plaintexts.
fn sm4_many(api: &Api, job: &Job, tier: Tier) -> Option<Task> {
    const MANY: usize = 16;
    let gcm = job.op == "x16-gcm-seal";
    let name = match job.op {
        "x16-gcm-seal" => c"ty_sm4_many_gcm_seal",
        "x16-ecb-enc" => c"ty_sm4_many_ecb_encrypt",
        "x16-ctr" => c"ty_sm4_many_ctr",
        "x16-xts-enc" => c"ty_sm4_many_xts_ieee_encrypt",
        _ => c"ty_sm4_many_cbc_encrypt",
    };
    let mut keys = vec![api::SmallKey::default(); MANY];
    for (i, key) in keys.iter_mut().enumerate() {
        let mut bytes = job.key.to_vec();
        bytes[0] ^= i as u8;
        match job.op {
            "x16-xts-enc" => {
                if unsafe {
                    api.find::<api::XtsInit>(c"ty_sm4_xts_init")?(key.at(), bytes.as_ptr())
                } != 0
                {
                    return None;
                }
            }
            "x16-gcm-seal" => unsafe {
                api.find::<api::Sm4Init>(c"ty_sm4_gcm_init")?(key.at(), bytes.as_ptr())
            },
            _ => unsafe { api.find::<api::Sm4Init>(c"ty_sm4_init")?(key.at(), bytes.as_ptr()) },
        }
    }
    let each = job.input.len() / MANY;
    let tag = if gcm { 16 } else { 0 };
    let s =
        State::new(tier, (api.find::<api::Many>(name)?, keys), job, job.input.len() + MANY * tag);
    s.task(move |s| unsafe {
        let (out, input) = (s.out.as_mut_ptr(), s.input.as_ptr());
        let (aad, iv) = ((s.aad.as_ptr(), s.aad.len()), (s.iv.as_ptr(), s.iv.len()));
        let mut key = |i: usize| s.f.1[i].at();
        if gcm {
            let mut jobs: [api::GcmJob; MANY] = std::array::from_fn(|i| api::GcmJob {
                out: out.add(i * (each + tag)),
                tag: out.add(i * (each + tag) + each),
                tag_len: tag,
                input: input.add(i * each),
                len: each,
                aad: aad.0,
                aad_len: aad.1,
                nonce: iv.0,
                nonce_len: iv.1,
                key: key(i),
                err: 0,
            });
            return (s.f.0)(jobs.as_mut_ptr().cast(), MANY) == 0;
        }
        let mut jobs: [api::StreamJob; MANY] = std::array::from_fn(|i| api::StreamJob {
            out: out.add(i * each),
            input: input.add(i * each),
            len: each,
            iv: iv.0,
            key: key(i),
            err: 0,
        });
        (s.f.0)(jobs.as_mut_ptr().cast(), MANY) == 0
    })
}

/// The function for this mode, and the one that initializes its key; CCM has a plain SM4 key.
fn aead(op: &str, gcm: &'static CStr, ccm: &'static CStr) -> (&'static CStr, &'static CStr) {
    if op.starts_with("gcm") {
        (gcm, c"ty_sm4_gcm_init")
    } else {
        (ccm, c"ty_sm4_init")
    }
}

fn pick(op: &str, encrypt: &'static CStr, decrypt: &'static CStr) -> &'static CStr {
    if op.ends_with("-enc") {
        encrypt
    } else {
        decrypt
    }
}

fn sm3(api: &Api, job: &Job, tier: Tier) -> Option<Task> {
    match job.op {
        "hash-x16" => batch::hash_x16(api, job, tier),
        "hash" => {
            let s = State::new(tier, api.find::<api::Hash>(c"ty_sm3_hash")?, job, 32);
            s.task(|s| unsafe {
                (s.f)(s.out.as_mut_ptr(), s.input.as_ptr(), s.input.len());
                true
            })
        }
        "hmac" => {
            let init: api::HmacInit = api.find(c"ty_hmac_sm3_init")?;
            let f: (api::Update, api::Final) =
                (api.find(c"ty_hmac_sm3_update")?, api.find(c"ty_hmac_sm3_final")?);
            let mut s = State::new(tier, f, job, 32);
            unsafe { init(s.running.at(), job.key.as_ptr(), job.key.len()) };
            s.task(|s| unsafe {
                (s.f.0)(s.running.at(), s.input.as_ptr(), s.input.len());
                (s.f.1)(s.out.as_mut_ptr(), s.running.at()); // which resets it for the next message
                true
            })
        }
        "pbkdf2-1000" => {
            let mut s = State::new(tier, api.find::<api::Pbkdf2>(c"ty_pbkdf2_sm3")?, job, 32);
            s.aad = job.key.to_vec();
            s.task(|s| unsafe {
                let (password, salt) = (&s.aad, &s.iv);
                let out = (s.out.as_mut_ptr(), s.out.len());
                (s.f)(
                    out.0,
                    out.1,
                    password.as_ptr(),
                    password.len(),
                    salt.as_ptr(),
                    salt.len(),
                    1000,
                ) == 0
            })
        }
        _ => None,
    }
}

fn sm2(api: &Api, job: &Job, tier: Tier) -> Option<Task> {
    match job.op {
        "keygen-batch" | "keygen-batch8" => return batch::keygen(api, job, tier),
        "sign-batch" | "sign-batch8" | "sign-msg-batch8" => return batch::sign(api, job, tier),
        "verify-batch" | "verify-batch8" | "verify-batch-key" | "verify-msg-batch8" => {
            return batch::verify(api, job, tier);
        }
        "ecdh-batch8" => return batch::ecdh(api, job, tier),
        "encrypt-32-batch8" => return batch::encrypt(api, job, tier),
        "decrypt-32-batch8" => return batch::decrypt(api, job, tier),
        "verify-cached" => return batch::verify_cached(api, job, tier),
        op if op.starts_with("field-") => return field::prepare(api, job),
        _ => {}
    }
    let rng = unsafe { api.find::<api::RngSystem>(c"ty_rng_system")?() };
    let set_key: api::KeySet = api.find(c"ty_sm2_key_set")?;
    let set_public: api::PubSet = api.find(c"ty_sm2_pub_set")?;
    let mut private = Box::<api::Object>::default();
    let mut public = Box::<api::Object>::default();
    if unsafe {
        set_key(private.at(), job.key.as_ptr()) | set_public(public.at(), job.public.as_ptr(), 65)
    } != 0
    {
        return None;
    }
    match job.op {
        "keygen" => {
            let mut s = State::new(tier, api.find::<api::Keygen>(c"ty_sm2_keygen")?, job, 97);
            s.rng = rng;
            let once = |s: &mut State<api::Keygen>| unsafe { (s.f)(s.key.at(), s.rng) } == 0;
            // The key object begins with d, then (1 + d)^-1, then the public point.
            Some(Task::with_begin(
                s,
                |s| s.tier.set(),
                once,
                |s| {
                    let bytes = s.key.bytes();
                    [&bytes[..32], &[4], &bytes[64..128]].concat()
                },
            ))
        }
        "sign" => {
            let mut s = State::new(tier, api.find::<api::Sign>(c"ty_sm2_sign_digest")?, job, 64);
            (s.key, s.rng) = (private, rng);
            s.task(
                |s| unsafe { (s.f)(s.out.as_mut_ptr(), s.input.as_ptr(), s.key.at(), s.rng) } == 0,
            )
        }
        "verify" => {
            let mut s = State::new(tier, api.find::<api::Verify>(c"ty_sm2_verify_digest")?, job, 1);
            s.key = public;
            s.task(|s| unsafe {
                s.accepted = (s.f)(s.input.as_ptr().add(32), s.input.as_ptr(), s.key.at()) == 0;
                s.out[0] = u8::from(s.accepted);
                s.accepted
            })
        }
        "sign-msg" => {
            let mut s = State::new(tier, api.find::<api::SignMsg>(c"ty_sm2_sign")?, job, 64);
            (s.key, s.rng) = (private, rng);
            s.task(|s| unsafe {
                let (msg, id) = (s.input.as_ptr(), s.iv.as_ptr());
                let lens = (s.input.len(), s.iv.len());
                (s.f)(s.out.as_mut_ptr(), msg, lens.0, id, lens.1, s.key.at(), s.rng) == 0
            })
        }
        "verify-msg" => {
            let mut s = State::new(tier, api.find::<api::VerifyMsg>(c"ty_sm2_verify")?, job, 1);
            s.key = public;
            s.task(|s| unsafe {
                let (msg, id) = (s.input.as_ptr(), s.iv.as_ptr());
                let len = s.input.len() - 64;
                s.accepted = (s.f)(msg.add(len), msg, len, id, s.iv.len(), s.key.at()) == 0;
                s.out[0] = u8::from(s.accepted);
                s.accepted
            })
        }
        "encrypt-32" => {
            let mut s = State::new(
                tier,
                api.find::<api::Encrypt>(c"ty_sm2_encrypt")?,
                job,
                job.input.len() + 97,
            );
            (s.key, s.rng) = (public, rng);
            s.task(|s| unsafe {
                (s.f)(s.out.as_mut_ptr(), s.input.as_ptr(), s.input.len(), 0, s.key.at(), s.rng)
                    == 0
            })
        }
        "decrypt-32" => {
            let out_len = job.input.len() - 97;
            let mut s =
                State::new(tier, api.find::<api::Decrypt>(c"ty_sm2_decrypt")?, job, out_len);
            s.key = private;
            s.task(|s| unsafe {
                (s.f)(s.out.as_mut_ptr(), s.input.as_ptr(), s.input.len(), 0, s.key.at()) == 0
            })
        }
        "ecdh" => {
            let mut s = State::new(tier, api.find::<api::Ecdh>(c"ty_sm2_ecdh")?, job, 32);
            if unsafe { set_public(s.running.at(), job.input.as_ptr(), 65) } != 0 {
                return None;
            }
            s.key = private;
            s.task(|s| unsafe { (s.f)(s.out.as_mut_ptr(), s.running.at(), s.key.at()) == 0 })
        }
        _ => None,
    }
}

arena_peer::export!(Tongyu);
