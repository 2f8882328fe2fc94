//! What the peers of the family `mp` have in common: numbers in, numbers out, the operations' names.
//!
//! An operation is called "mul/1024": a name and the bits of its numbers. `key` is the modulus or divisor m, odd, of exactly so many
//! bits; `iv` is y, of as many; `input` is x, of as many and below m, for `div` of twice as many and below m times their power of
//! two, for `from-radix` a decimal text. What comes out are big-endian bytes of fixed length, or a text. `-batch8` has eight of
//! each, one behind the other, and gives eight results.

use crate::{Job, Task};

pub trait Number: 'static {
    fn new(big_endian: &[u8]) -> Self;
    /// Big-endian, with zeros in front or without.
    fn bytes(&mut self) -> Vec<u8>;
}

/// What an operation works on: it reads x, y, m or the text, and leaves its results in z and r or the text.
pub struct Work<N, C> {
    pub x: N,
    pub y: N,
    pub m: N,
    pub z: N,
    pub r: N,
    /// A text with a zero byte at its end, or room for one.
    pub text: Vec<u8>,
    pub ctx: C,
}

/// "mul/1024" as "mul" and 1024.
pub fn name<'a>(job: &Job<'a>) -> Option<(&'a str, usize)> {
    let (op, bits) = job.op.split_once('/')?;
    Some((op, bits.parse().ok()?))
}

pub fn task<N: Number, C: 'static>(
    job: &Job, ctx: C, once: impl Fn(&mut Work<N, C>) -> bool + 'static,
) -> Option<Task> {
    task_with_begin(job, ctx, |_| (), once)
}

/// The same with a step before every batch that is not timed.
pub fn task_with_begin<N: Number, C: 'static>(
    job: &Job, ctx: C, begin: impl Fn(&mut Work<N, C>) + 'static, once: impl Fn(&mut Work<N, C>) -> bool + 'static,
) -> Option<Task> {
    let (op, bits) = name(job)?;
    let op = op.to_string();
    let n = bits / 8;
    let mut text = vec![0; 4 * n + 64];
    let x = if op == "from-radix" {
        text = [job.input, &[0]].concat();
        N::new(&[])
    } else {
        N::new(job.input)
    };
    let work = Work { x, y: N::new(job.iv), m: N::new(job.key), z: N::new(&[]), r: N::new(&[]), text, ctx };
    let output = move |w: &mut Work<N, C>| match op.as_str() {
        "mul" | "sqr" => padded(&w.z.bytes(), 2 * n),
        "div" => [padded(&w.z.bytes(), n), padded(&w.r.bytes(), n)].concat(),
        "to-radix" => w.text.iter().copied().take_while(|&c| c != 0).collect(),
        _ => padded(&w.z.bytes(), n),
    };
    Some(Task::with_begin(work, begin, once, output))
}

/// Exactly `len` bytes; too long a number stays too long, and is found out.
pub fn padded(big_endian: &[u8], len: usize) -> Vec<u8> {
    let start = big_endian.iter().position(|&b| b != 0).unwrap_or(big_endian.len());
    let mut out = vec![0; len.saturating_sub(big_endian.len() - start)];
    out.extend(&big_endian[start..]);
    out
}

#[cfg(test)]
mod tests {
    use super::padded;

    #[test]
    fn numbers_get_their_length() {
        assert_eq!(padded(&[0, 0, 1, 2], 3), [0, 1, 2]);
        assert_eq!(padded(&[1, 2, 3], 2), [1, 2, 3]);
        assert_eq!(padded(&[], 2), [0, 0]);
    }
}
