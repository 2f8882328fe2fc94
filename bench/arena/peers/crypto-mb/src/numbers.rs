//! Eight exponentiations. A number is a list of 64-bit words, the least significant one first.

use crate::find;
use arena_peer::integers::name;
use arena_peer::{Job, Task};
use std::ffi::c_int;

pub const MANY: usize = 8;

pub type Words = Vec<u64>;
pub type In = *const [*const u64; MANY];
pub type Out = *mut [*mut u64; MANY];

fn words(big_endian: &[u8]) -> Words {
    big_endian
        .rchunks(8)
        .map(|bytes| bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte)))
        .collect()
}

/// Eight numbers of n bytes each, which are concatenated in `bytes`; fewer are used in turn.
pub fn eight(bytes: &[u8], n: usize) -> Vec<Words> {
    bytes.chunks(n).cycle().take(MANY).map(words).collect()
}

pub fn pointers(numbers: &[Words]) -> [*const u64; MANY] {
    std::array::from_fn(|i| numbers[i].as_ptr())
}

/// x^e mod m: the job's input is the bases x, its IV the exponents e, its key the moduli m. Two
/// powers take the time of eight; the library supports only multiples of 1024 bits.
pub fn powers(job: &Job) -> Option<Task> {
    type Size = unsafe extern "C" fn(c_int) -> c_int;
    type Exp = unsafe extern "C" fn(Out, In, In, c_int, In, c_int, *mut u8, c_int) -> u32;
    let (op, bits) = name(job)?;
    if !matches!(op, "expmod-ct-batch8" | "expmod-ct-batch2") || bits % 1024 != 0 {
        return None;
    }
    let n = bits / 8;
    let wanted = job.input.len() / n;
    let exp: Exp = find(c"mbx_exp_mb8")?;
    let buffer =
        vec![
            0;
            usize::try_from(unsafe { find::<Size>(c"mbx_exp_BufferSize")?(bits as c_int) }).ok()?
        ];
    let numbers = [eight(job.input, n), eight(job.iv, n), eight(job.key, n)];
    let once = move |(numbers, out, buffer): &mut ([Vec<Words>; 3], Vec<Words>, Vec<u8>)| unsafe {
        let mut z: [*mut u64; MANY] = std::array::from_fn(|i| out[i].as_mut_ptr());
        let ([x, e, m], bits) = (numbers.each_ref().map(|n| pointers(n)), bits as c_int);
        exp(&mut z, &x, &e, bits, &m, bits, buffer.as_mut_ptr(), buffer.len() as c_int) == 0
    };
    Some(Task::new((numbers, vec![vec![0; n / 8]; MANY], buffer), once, move |s| {
        s.1.iter().take(wanted).flat_map(|z| z.iter().rev().flat_map(|w| w.to_be_bytes())).collect()
    }))
}
