//! SM2. A signature is r || s and a ciphertext a structure with C1, C3 and C2, so that nothing is
//! converted while the clock runs, except that a new public key is made affine.

use crate::{find, fine, Sm3};
use arena_peer::{Job, Task};
use std::ffi::c_int;

/// `sm2_z256_t`, the least significant word first
type Number = [u64; 4];

/// `SM2_Z256_POINT`
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Point([Number; 3]);

/// `SM2_KEY`
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Key {
    public: Point,
    private: Number,
}

/// `SM2_SIGN_PRE_COMP`: a nonce and its point's x modulo the order
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Nonce([Number; 2]);

/// How many nonces one call makes
const NONCES: usize = 32;

/// `SM2_CIPHERTEXT`: C1, C3, the length of C2, and C2
#[repr(C)]
#[derive(Clone, Copy)]
struct Ciphertext([u8; 352]);

const LEN_AT: usize = 96;

type ToNumber = unsafe extern "C" fn(*mut u64, *const u8);
type ToBytes = unsafe extern "C" fn(*const u64, *mut u8);
type ToPoint = unsafe extern "C" fn(*mut Point, *const u8, usize) -> c_int;
type ToOctets = unsafe extern "C" fn(*const Point, *mut u8) -> c_int;
type SetPrivate = unsafe extern "C" fn(*mut Key, *const u64) -> c_int;
type Generate = unsafe extern "C" fn(*mut Key) -> c_int;
type Sign = unsafe extern "C" fn(*const Key, *const u8, *mut u8) -> c_int;
type Verify = unsafe extern "C" fn(*const Key, *const u8, *const u8) -> c_int;
type FastKey = unsafe extern "C" fn(*const Key, *mut u64) -> c_int;
type Nonces = unsafe extern "C" fn(*mut Nonce) -> c_int;
type FastSign = unsafe extern "C" fn(*const u64, *mut Nonce, *const u8, *mut u8) -> c_int;
type Table = unsafe extern "C" fn(*const Point, *mut Point);
type FastVerify = unsafe extern "C" fn(*const Point, *const u8, *const u8) -> c_int;
type ComputeZ = unsafe extern "C" fn(*mut u8, *const Point, *const u8, usize) -> c_int;
type Ecdh = unsafe extern "C" fn(*const Key, *const Key, *mut u8) -> c_int;
type Encrypt = unsafe extern "C" fn(*const Key, *const u8, usize, *mut Ciphertext) -> c_int;
type Decrypt = unsafe extern "C" fn(*const Key, *const Ciphertext, *mut u8, *mut usize) -> c_int;
type Product = unsafe extern "C" fn(*mut u64, *const u64, *const u64);
type Into = unsafe extern "C" fn(*const u64, *mut u64);
type OutOf = unsafe extern "C" fn(*mut u64, *const u64);

struct State {
    key: Key,
    input: Vec<u8>,
    id: Vec<u8>,
    out: Vec<u8>,
}

impl State {
    fn new(job: &Job, private: &[u8], public: &[u8], out_len: usize) -> Option<State> {
        let mut key = Key::default();
        unsafe {
            let done = match private {
                [] => find::<ToPoint>(c"sm2_z256_point_from_octets")?(
                    &mut key.public,
                    public.as_ptr(),
                    public.len(),
                ),
                d => find::<SetPrivate>(c"sm2_key_set_private_key")?(&mut key, number(d)?.as_ptr()),
            };
            fine(done).then_some(())?;
        }
        let (input, id) = (job.input.to_vec(), job.iv.to_vec());
        Some(State { key, input, id, out: vec![0; out_len] })
    }

    fn task(self, once: impl Fn(&mut State) -> bool + 'static) -> Option<Task> {
        Some(Task::new(self, once, |s| s.out.clone()))
    }
}

fn number(big_endian: &[u8]) -> Option<Number> {
    let mut made = [0; 4];
    unsafe { find::<ToNumber>(c"sm2_z256_from_bytes")?(made.as_mut_ptr(), big_endian.as_ptr()) };
    Some(made)
}

pub fn prepare(job: &Job) -> Option<Task> {
    let private = |out_len| State::new(job, job.key, &[], out_len);
    let public = |out_len| State::new(job, &[], job.public, out_len);
    match job.op {
        "keygen" => keygen(),
        "sign" => {
            let f: Sign = find(c"sm2_do_sign")?;
            private(64)?
                .task(move |s| unsafe { fine(f(&s.key, s.input.as_ptr(), s.out.as_mut_ptr())) })
        }
        "sign-batch" if job.input.len() == 32 * NONCES => sign_many(private(64 * NONCES)?),
        "sign-msg" => {
            let (f, digest): (Sign, Digest) = (find(c"sm2_do_sign")?, Digest::new()?);
            private(64)?.task(move |s| unsafe {
                let e = digest.of(&s.key.public, &s.id, &s.input);
                fine(f(&s.key, e.as_ptr(), s.out.as_mut_ptr()))
            })
        }
        "verify" => {
            let f: Verify = find(c"sm2_do_verify")?;
            public(1)?.task(move |s| unsafe {
                s.out = vec![1];
                fine(f(&s.key, s.input.as_ptr(), s.input.as_ptr().add(32)))
            })
        }
        "verify-msg" => {
            let (f, digest): (Verify, Digest) = (find(c"sm2_do_verify")?, Digest::new()?);
            public(1)?.task(move |s| unsafe {
                let (message, sig) = s.input.split_at(s.input.len() - 64);
                let e = digest.of(&s.key.public, &s.id, message);
                fine(f(&s.key, e.as_ptr(), sig.as_ptr()))
            })
        }
        "verify-cached" => verify_with_table(public(1)?, true),
        "verify-batch-key" if job.public.len() == 65 => verify_with_table(public(1)?, false),
        "ecdh" => {
            let f: Ecdh = find(c"sm2_do_ecdh")?;
            let other = State::new(job, &[], job.input, 0)?.key;
            private(32)?.task(move |s| unsafe { fine(f(&s.key, &other, s.out.as_mut_ptr())) })
        }
        "encrypt-32" => encrypt(public(0)?),
        "decrypt-32" => decrypt(private(0)?),
        "field-mul" => field(job),
        _ => None,
    }
}

/// Computes the digest of a signature, with Z, which is the hash of identity and key.
struct Digest {
    compute_z: ComputeZ,
    sm3: Sm3,
}

impl Digest {
    fn new() -> Option<Digest> {
        Some(Digest { compute_z: find(c"sm2_compute_z")?, sm3: Sm3::new()? })
    }

    fn of(&self, public: &Point, id: &[u8], message: &[u8]) -> [u8; 32] {
        let mut z = [0; 32];
        unsafe { (self.compute_z)(z.as_mut_ptr(), public, id.as_ptr(), id.len()) };
        self.sm3.hash(&[&z, message])
    }
}

fn keygen() -> Option<Task> {
    let generate: Generate = find(c"sm2_key_generate")?;
    let affine: ToOctets = find(c"sm2_z256_point_to_uncompressed_octets")?;
    let bytes: ToBytes = find(c"sm2_z256_to_bytes")?;
    let once = move |(key, public): &mut (Key, [u8; 65])| unsafe {
        fine(generate(key)) && fine(affine(&key.public, public.as_mut_ptr()))
    };
    Some(Task::new((Key::default(), [0; 65]), once, move |(key, public)| {
        let mut d = [0; 32];
        unsafe { bytes(key.private.as_ptr(), d.as_mut_ptr()) };
        [&d[..], &public[..]].concat()
    }))
}

/// Nonces for all signatures are made in one call, in which the inversion is shared.
fn sign_many(s: State) -> Option<Task> {
    let (nonces, sign): (Nonces, FastSign) =
        (find(c"sm2_fast_sign_pre_compute")?, find(c"sm2_fast_sign")?);
    let mut fast = [0; 4];
    unsafe { fine(find::<FastKey>(c"sm2_fast_sign_compute_key")?(&s.key, fast.as_mut_ptr())) }
        .then_some(())?;
    s.task(move |s| unsafe {
        let mut made = [Nonce::default(); NONCES];
        let mut done = fine(nonces(made.as_mut_ptr()));
        let each = s.input.chunks(32).zip(s.out.chunks_mut(64)).zip(&mut made);
        for ((e, sig), nonce) in each {
            done &= fine(sign(fast.as_ptr(), nonce, e.as_ptr(), sig.as_mut_ptr()));
        }
        done
    })
}

/// The key's table is made beforehand, or once in a call for all signatures.
fn verify_with_table(s: State, ready: bool) -> Option<Task> {
    let (table, verify): (Table, FastVerify) =
        (find(c"sm2_z256_point_mul_pre_compute")?, find(c"sm2_fast_verify")?);
    let mut made = [Point::default(); 16];
    unsafe { table(&s.key.public, made.as_mut_ptr()) };
    s.task(move |s| unsafe {
        let mut own = [Point::default(); 16];
        let points = if ready {
            &made
        } else {
            table(&s.key.public, own.as_mut_ptr());
            &own
        };
        let accepts =
            |part: &[u8]| fine(verify(points.as_ptr(), part.as_ptr(), part[32..].as_ptr()));
        s.input.chunks(96).all(accepts)
    })
}

fn encrypt(s: State) -> Option<Task> {
    let f: Encrypt = find(c"sm2_do_encrypt")?;
    let once = move |(s, made): &mut (State, Ciphertext)| unsafe {
        fine(f(&s.key, s.input.as_ptr(), s.input.len(), made))
    };
    Some(Task::new((s, Ciphertext([0; 352])), once, |(_, made)| {
        let (head, len, text) = (&made.0[..LEN_AT], made.0[LEN_AT], &made.0[LEN_AT + 1..]);
        [&[4], head, &text[..usize::from(len)]].concat()
    }))
}

fn decrypt(s: State) -> Option<Task> {
    let f: Decrypt = find(c"sm2_do_decrypt")?;
    let (head, text) = s.input[1..].split_at(LEN_AT);
    let mut given = [0; 352];
    given[..LEN_AT].copy_from_slice(head);
    given[LEN_AT] = text.len() as u8;
    given[LEN_AT + 1..][..text.len()].copy_from_slice(text);
    let (given, room) = (Ciphertext(given), vec![0; 256]);
    let once = move |(s, len): &mut (State, usize)| unsafe {
        fine(f(&s.key, &given, s.out.as_mut_ptr(), len))
    };
    Some(Task::new((State { out: room, ..s }, 0), once, |(s, len)| s.out[..*len].to_vec()))
}

/// Products modulo p, of numbers in Montgomery form
fn field(job: &Job) -> Option<Task> {
    let product: Product = find(c"sm2_z256_modp_mont_mul")?;
    let into: Into = find(c"sm2_z256_modp_to_mont")?;
    let out_of: OutOf = find(c"sm2_z256_modp_from_mont")?;
    let bytes: ToBytes = find(c"sm2_z256_to_bytes")?;
    let montgomery = |part: &[u8]| {
        let (plain, mut made) = (number(part)?, [0; 4]);
        unsafe { into(plain.as_ptr(), made.as_mut_ptr()) };
        Some(made)
    };
    let (x, y) = job.input.split_at(32);
    let (x, y): (Number, Number) = (montgomery(x)?, montgomery(y)?);
    let begin = move |now: &mut Number| *now = x;
    let times = move |now: &mut Number, n: u64| {
        (0..n).for_each(|_| unsafe { product(now.as_mut_ptr(), now.as_ptr(), y.as_ptr()) });
        true
    };
    Some(Task::looped(x, begin, times, move |now| unsafe {
        let (mut plain, mut out) = ([0; 4], vec![0; 32]);
        out_of(plain.as_mut_ptr(), now.as_ptr());
        bytes(plain.as_ptr(), out.as_mut_ptr());
        out
    }))
}
