//! Eight operations of SM2. Private keys and nonces are given: the library draws none. It computes
//! the digest of a signature itself, from a message and an identity.

use crate::numbers::{eight, pointers, In, Out, Words, MANY};
use crate::{find, parts, parts_mut};
use arena_peer::{Job, Task};
use std::ffi::c_int;
use std::ptr::{null, null_mut};

type Bytes = *const [*const u8; MANY];
type Lengths = *const [c_int; MANY];
type PublicKeys = unsafe extern "C" fn(Out, Out, Out, In, *mut u8) -> u32;
type Ecdh = unsafe extern "C" fn(*mut [*mut u8; MANY], In, In, In, In, *mut u8) -> u32;
/// r, s, identities, messages, nonces, private keys, x, y, z, and a buffer
type Sign = unsafe extern "C" fn(
    *mut [*mut u8; MANY],
    *mut [*mut u8; MANY],
    Bytes,
    Lengths,
    Bytes,
    Lengths,
    In,
    In,
    In,
    In,
    In,
    *mut u8,
) -> u32;
type Verify =
    unsafe extern "C" fn(Bytes, Bytes, Bytes, Lengths, Bytes, Lengths, In, In, In, *mut u8) -> u32;

pub fn prepare(job: &Job) -> Option<Task> {
    match job.op {
        "keygen-batch8" => public_keys(job),
        "sign-msg-batch8" => sign(job),
        "verify-msg-batch8" => verify(job),
        "ecdh-batch8" => exchanges(job),
        _ => None,
    }
}

/// The coordinate that begins at a byte of each of the points, which are 04 || x || y
fn coordinate(points: &[u8], from: usize) -> Vec<Words> {
    let points: Vec<u8> =
        points.chunks(65).flat_map(|p| p[from..from + 32].iter().copied()).collect();
    eight(&points, 32)
}

fn big_endian(number: &Words) -> Vec<u8> {
    number.iter().rev().flat_map(|word| word.to_be_bytes()).collect()
}

/// The points of eight private keys, which are the input: they are below the order, because their
/// first 32 bits are not all ones.
fn public_keys(job: &Job) -> Option<Task> {
    let points: PublicKeys = find(c"mbx_sm2_ecpublic_key_mb8")?;
    type State = (Vec<Words>, [Vec<Words>; 2]);
    let room = || vec![vec![0; 4]; MANY];
    let once = move |(keys, made): &mut State| unsafe {
        let [mut x, mut y]: [[*mut u64; MANY]; 2] =
            made.each_mut().map(|z| std::array::from_fn(|i| z[i].as_mut_ptr()));
        points(&mut x, &mut y, null_mut(), &pointers(keys), null_mut()) == 0
    };
    Some(Task::new((eight(job.input, 32), [room(), room()]), once, |(keys, [x, y])| {
        let pair = |i: usize| {
            [big_endian(&keys[i]), vec![4], big_endian(&x[i]), big_endian(&y[i])].concat()
        };
        (0..MANY).flat_map(pair).collect()
    }))
}

struct Signatures {
    numbers: [Vec<Words>; 4],
    messages: Vec<u8>,
    id: Vec<u8>,
    r: Vec<u8>,
    s: Vec<u8>,
}

/// The input is messages of 32 bytes, followed by their signatures where `each` is 96. Nonces are
/// fixed.
fn signatures(job: &Job, each: usize) -> Signatures {
    let part = |from: usize, len: usize| -> Vec<u8> {
        job.input.chunks(each).flat_map(|m| m.iter().skip(from).take(len).copied()).collect()
    };
    let nonces: Vec<u8> = (0..MANY * 32).map(|i| (i * i % 251) as u8).collect();
    let numbers = [
        eight(&nonces, 32),
        eight(job.key, 32),
        coordinate(job.public, 1),
        coordinate(job.public, 33),
    ];
    let (r, s) =
        if each == 32 { (vec![0; 256], vec![0; 256]) } else { (part(32, 32), part(64, 32)) };
    Signatures { numbers, messages: part(0, 32), id: job.iv.to_vec(), r, s }
}

fn sign(job: &Job) -> Option<Task> {
    let sign: Sign = find(c"mbx_sm2_ecdsa_sign_mb8")?;
    let once = move |s: &mut Signatures| unsafe {
        let [nonce, d, x, y] = s.numbers.each_ref().map(|n| pointers(n));
        let (ids, id_lens) = ([s.id.as_ptr(); MANY], [s.id.len() as c_int; MANY]);
        let (r, out_s) = (&mut parts_mut(&mut s.r, 32), &mut parts_mut(&mut s.s, 32));
        let messages = parts(&s.messages, 32);
        sign(
            r,
            out_s,
            &ids,
            &id_lens,
            &messages,
            &[32; MANY],
            &nonce,
            &d,
            &x,
            &y,
            null(),
            null_mut(),
        ) == 0
    };
    Some(Task::new(signatures(job, 32), once, |s| {
        let both = s.r.chunks(32).zip(s.s.chunks(32));
        both.flat_map(|(r, s)| [r, s].concat()).collect()
    }))
}

fn verify(job: &Job) -> Option<Task> {
    let verify: Verify = find(c"mbx_sm2_ecdsa_verify_mb8")?;
    let once = move |s: &mut Signatures| unsafe {
        let [_, _, x, y] = s.numbers.each_ref().map(|n| pointers(n));
        let (ids, id_lens) = ([s.id.as_ptr(); MANY], [s.id.len() as c_int; MANY]);
        let (r, of_s, messages) = (parts(&s.r, 32), parts(&s.s, 32), parts(&s.messages, 32));
        verify(&r, &of_s, &ids, &id_lens, &messages, &[32; MANY], &x, &y, null(), null_mut()) == 0
    };
    Some(Task::new(signatures(job, 96), once, |_| vec![1; MANY]))
}

/// The input is the other parties' points.
fn exchanges(job: &Job) -> Option<Task> {
    let ecdh: Ecdh = find(c"mbx_sm2_ecdh_mb8")?;
    let numbers = [eight(job.key, 32), coordinate(job.input, 1), coordinate(job.input, 33)];
    let once = move |(numbers, out): &mut ([Vec<Words>; 3], Vec<u8>)| unsafe {
        let [d, x, y] = numbers.each_ref().map(|n| pointers(n));
        ecdh(&mut parts_mut(out, 32), &d, &x, &y, null(), null_mut()) == 0
    };
    Some(Task::new((numbers, vec![0; 32 * MANY]), once, |s| s.1.clone()))
}
