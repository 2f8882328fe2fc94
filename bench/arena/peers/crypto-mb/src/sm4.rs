//! SM4 with sixteen keys.

use crate::{find, parts, parts_mut};
use arena_peer::{Job, Task};
use std::ffi::c_int;

const MANY: usize = 16;

type In = *const [*const u8; MANY];
type Out = *mut [*mut u8; MANY];
type Lengths = *const [c_int; MANY];

/// Room for `mbx_sm4_key_schedule` or `SM4_GCM_CTX_mb16`, which are smaller.
#[repr(C, align(64))]
struct Context([u8; 8192]);

type SetKeys = unsafe extern "C" fn(*mut Context, In) -> u64;
type Ecb = unsafe extern "C" fn(Out, In, Lengths, *const Context) -> u64;
type Cbc = unsafe extern "C" fn(Out, In, Lengths, *const Context, In) -> u64;
type Ctr = unsafe extern "C" fn(Out, In, Lengths, *const Context, Out) -> u64;
type XtsSetKeys = unsafe extern "C" fn(*mut Context, *mut Context, In) -> u64;
type Xts = unsafe extern "C" fn(Out, In, Lengths, *const Context, *const Context, In) -> u64;
type GcmInit = unsafe extern "C" fn(In, In, Lengths, *mut Context) -> u64;
type GcmAad = unsafe extern "C" fn(In, Lengths, *mut Context) -> u64;
type GcmSeal = unsafe extern "C" fn(Out, In, Lengths, *mut Context) -> u64;
type GcmTag = unsafe extern "C" fn(Out, Lengths, *mut Context) -> u64;

struct State {
    context: Box<Context>,
    tweak: Box<Context>,
    keys: Vec<u8>,
    iv: Vec<u8>,
    aad: Vec<u8>,
    input: Vec<u8>,
    out: Vec<u8>,
}

/// Key i is the job's with its first byte XORed with i, or, where key setup is measured, block i of
/// the input.
fn state(job: &Job, out_len: usize) -> State {
    let mut keys = if job.op == "x16-init" { job.input.to_vec() } else { job.key.repeat(MANY) };
    if job.op != "x16-init" {
        (0..MANY).for_each(|i| keys[job.key.len() * i] ^= i as u8);
    }
    let (iv, aad, input) = (job.iv.to_vec(), job.aad.to_vec(), job.input.to_vec());
    let room = || Box::new(Context([0; 8192]));
    State { context: room(), tweak: room(), keys, iv, aad, input, out: vec![0; out_len] }
}

pub fn prepare(job: &Job) -> Option<Task> {
    let set: SetKeys = find(c"mbx_sm4_set_key_mb16")?;
    let each = job.input.len() / MANY;
    let mut s = state(job, job.input.len());
    unsafe { set(&mut *s.context, &parts(&s.keys, 16)) };
    let lengths = [each as c_int; MANY];
    match job.op {
        "x16-init" => {
            let ecb: Ecb = find(c"mbx_sm4_encrypt_ecb_mb16")?;
            let once =
                move |s: &mut State| unsafe { set(&mut *s.context, &parts(&s.keys, 16)) == 0 };
            Some(Task::new(s, once, move |s| {
                let zeros = [0; 16];
                let out = &mut parts_mut(&mut s.out, 16);
                unsafe { ecb(out, &[zeros.as_ptr(); MANY], &[16; MANY], &*s.context) };
                s.out.clone()
            }))
        }
        "x16-ecb-enc" => {
            let ecb: Ecb = find(c"mbx_sm4_encrypt_ecb_mb16")?;
            let once = move |s: &mut State| unsafe {
                ecb(&mut parts_mut(&mut s.out, each), &parts(&s.input, each), &lengths, &*s.context)
                    == 0
            };
            Some(Task::new(s, once, |s| s.out.clone()))
        }
        "x16-cbc-enc" => {
            let cbc: Cbc = find(c"mbx_sm4_encrypt_cbc_mb16")?;
            let once = move |s: &mut State| unsafe {
                let (out, input) = (&mut parts_mut(&mut s.out, each), parts(&s.input, each));
                cbc(out, &input, &lengths, &*s.context, &[s.iv.as_ptr(); MANY]) == 0
            };
            Some(Task::new(s, once, |s| s.out.clone()))
        }
        "x16-ctr" => {
            let ctr: Ctr = find(c"mbx_sm4_encrypt_ctr128_mb16")?;
            let once = move |s: &mut State| unsafe {
                let mut counters = s.iv.repeat(MANY); // the call advances them to the next block
                let (out, input) = (&mut parts_mut(&mut s.out, each), parts(&s.input, each));
                ctr(out, &input, &lengths, &*s.context, &mut parts_mut(&mut counters, 16)) == 0
            };
            Some(Task::new(s, once, |s| s.out.clone()))
        }
        "x16-xts-enc" => {
            let (set, xts): (XtsSetKeys, Xts) =
                (find(c"mbx_sm4_xts_set_keys_mb16")?, find(c"mbx_sm4_xts_encrypt_mb16")?);
            unsafe { set(&mut *s.context, &mut *s.tweak, &parts(&s.keys, 32)) };
            let once = move |s: &mut State| unsafe {
                let (out, input) = (&mut parts_mut(&mut s.out, each), parts(&s.input, each));
                xts(out, &input, &lengths, &*s.context, &*s.tweak, &[s.iv.as_ptr(); MANY]) == 0
            };
            Some(Task::new(s, once, |s| s.out.clone()))
        }
        "x16-gcm-seal" => gcm(job, each),
        _ => None,
    }
}

/// The context is initialized with a key and a nonce together, so that key setup is part of every
/// message.
fn gcm(job: &Job, each: usize) -> Option<Task> {
    let init: GcmInit = find(c"mbx_sm4_gcm_init_mb16")?;
    let aad: GcmAad = find(c"mbx_sm4_gcm_update_aad_mb16")?;
    let seal: GcmSeal = find(c"mbx_sm4_gcm_encrypt_mb16")?;
    let tag: GcmTag = find(c"mbx_sm4_gcm_get_tag_mb16")?;
    let s = state(job, MANY * (each + 16));
    let once = move |s: &mut State| unsafe {
        let (context, n) = (&mut *s.context as *mut Context, |len: usize| [len as c_int; MANY]);
        let mut out: [*mut u8; MANY] = parts_mut(&mut s.out, each + 16);
        let mut bad = init(&parts(&s.keys, 16), &[s.iv.as_ptr(); MANY], &n(s.iv.len()), context);
        bad |= aad(&[s.aad.as_ptr(); MANY], &n(s.aad.len()), context);
        bad |= seal(&mut out, &parts(&s.input, each), &n(each), context);
        out.iter_mut().for_each(|at| *at = at.add(each));
        bad |= tag(&mut out, &n(16), context);
        bad == 0
    };
    Some(Task::new(s, once, |s| s.out.clone()))
}
