//! AWS-LC: integers, and ML-DSA, which is mldsa-native with assembly for the transforms. The
//! functions below EVP are used, which take encoded keys, so that only the operation itself is
//! timed.

use arena_peer::mldsa::{Name, Verb};
use arena_peer::{Job, Peer, Task};

#[path = "../../bn/bn.rs"]
mod bn;

/// What bn.rs needs.
mod raw {
    pub use aws_lc_sys::{
        BN_CTX_new, BN_MONT_CTX_free, BN_MONT_CTX_new_consttime as new_mont, BN_bin2bn, BN_bn2bin,
        BN_bn2dec, BN_dec2bn, BN_div, BN_free, BN_gcd, BN_mod_exp_mont, BN_mod_exp_mont_consttime,
        BN_mod_exp_mont_consttime_x2, BN_mod_inverse, BN_mul, BN_num_bits, BN_sqr, BIGNUM, BN_CTX,
    };

    pub const HAS_SECRET_INVERSE: bool = false;

    pub unsafe fn mark_secret(_: *mut BIGNUM) {}

    pub unsafe fn free_text(text: *mut std::ffi::c_char) {
        unsafe { aws_lc_sys::OPENSSL_free(text.cast()) }
    }
}

type Keypair = unsafe extern "C" fn(public: *mut u8, private: *mut u8, seed: *const u8) -> i32;
type Sign = unsafe extern "C" fn(
    private: *const u8,
    sig: *mut u8,
    sig_len: *mut usize,
    msg: *const u8,
    msg_len: usize,
    prefix: *const u8,
    prefix_len: usize,
    random: *const u8,
) -> i32;
type Verify = unsafe extern "C" fn(
    public: *const u8,
    sig: *const u8,
    sig_len: usize,
    msg: *const u8,
    msg_len: usize,
    ctx: *const u8,
    ctx_len: usize,
) -> i32;

macro_rules! set {
    ($module:ident, $keypair:literal, $sign:literal, $verify:literal) => {
        mod $module {
            unsafe extern "C" {
                #[link_name = $keypair]
                pub fn keypair(public: *mut u8, private: *mut u8, seed: *const u8) -> i32;
                #[link_name = $sign]
                pub fn sign(
                    private: *const u8, sig: *mut u8, sig_len: *mut usize, msg: *const u8,
                    msg_len: usize, prefix: *const u8, prefix_len: usize, random: *const u8,
                ) -> i32;
                #[link_name = $verify]
                pub fn verify(
                    public: *const u8, sig: *const u8, sig_len: usize, msg: *const u8,
                    msg_len: usize, ctx: *const u8, ctx_len: usize,
                ) -> i32;
            }
        }
    };
}

set!(
    set44,
    "aws_lc_0_47_0_ml_dsa_44_keypair_internal",
    "aws_lc_0_47_0_ml_dsa_44_sign_internal",
    "aws_lc_0_47_0_ml_dsa_44_verify"
);
set!(
    set65,
    "aws_lc_0_47_0_ml_dsa_65_keypair_internal",
    "aws_lc_0_47_0_ml_dsa_65_sign_internal",
    "aws_lc_0_47_0_ml_dsa_65_verify"
);
set!(
    set87,
    "aws_lc_0_47_0_ml_dsa_87_keypair_internal",
    "aws_lc_0_47_0_ml_dsa_87_sign_internal",
    "aws_lc_0_47_0_ml_dsa_87_verify"
);

struct AwsLc;

struct State {
    public: Vec<u8>,
    private: Vec<u8>,
    input: Vec<u8>,
    sig: Vec<u8>,
    keypair: Keypair,
    sign: Sign,
    verify: Verify,
}

impl Peer for AwsLc {
    const NAME: &'static str = "aws-lc";

    fn version() -> String {
        "0.47.0".into() // of the package; the library's own version is that of its API
    }

    fn prepare(job: &Job) -> Option<Task> {
        if job.family == "mp" {
            return bn::prepare(job);
        }
        let name = Name::plain(job.op)?;
        let (keypair, sign, verify): (Keypair, Sign, Verify) = match name.set {
            44 => (set44::keypair, set44::sign, set44::verify),
            65 => (set65::keypair, set65::sign, set65::verify),
            _ => (set87::keypair, set87::sign, set87::verify),
        };
        let (msg, sig) = name.split(job.input);
        let mut s = State {
            public: vec![0; name.public_len()],
            private: vec![0; name.private_len()],
            input: msg.to_vec(),
            sig: if sig.is_empty() { vec![0; name.sig_len()] } else { sig.to_vec() },
            keypair,
            sign,
            verify,
        };
        if unsafe { keypair(s.public.as_mut_ptr(), s.private.as_mut_ptr(), job.key.as_ptr()) } != 1
        {
            return None;
        }
        Some(match name.verb {
            Verb::Keygen => Task::new(
                s,
                |s| unsafe {
                    let (public, private) = (s.public.as_mut_ptr(), s.private.as_mut_ptr());
                    (s.keypair)(public, private, s.input.as_ptr()) == 1
                },
                |s| s.public.clone(),
            ),
            Verb::Sign => Task::new(
                s,
                |s| unsafe {
                    let mut len = s.sig.len();
                    // pure, an empty context; deterministic
                    let (msg, prefix, zeros) = (&s.input, [0u8; 2], [0u8; 32]);
                    (s.sign)(
                        s.private.as_ptr(),
                        s.sig.as_mut_ptr(),
                        &mut len,
                        msg.as_ptr(),
                        msg.len(),
                        prefix.as_ptr(),
                        2,
                        zeros.as_ptr(),
                    ) == 1
                },
                |s| s.sig.clone(),
            ),
            Verb::Verify => Task::new(
                s,
                |s| unsafe {
                    let (sig, msg) = (&s.sig, &s.input);
                    let (key, no_context) = (s.public.as_ptr(), std::ptr::null());
                    (s.verify)(key, sig.as_ptr(), sig.len(), msg.as_ptr(), msg.len(), no_context, 0)
                        == 1
                },
                |_| vec![1],
            ),
        })
    }
}

arena_peer::export!(AwsLc);
