//! What the peers of the family `mp` have in common: conversion of numbers, and the operations'
//! names.
//!
//! An operation is called "mul/1024": a name and n, the length of its numbers in bits. `key` is the
//! modulus or divisor m, odd, of exactly n bits; `iv` is y, of n bits; `input` is x, below m and
//! padded to n bits, for `div` below m 2^n and padded to 2n bits, for `from-radix` a decimal text.
//! Outputs are big-endian bytes of fixed length, or a text. `-batch8` and `-batch2` have eight or
//! two of each, concatenated, and compute as many results in one call; where another operation has
//! several of each, they are used in turn, so that the branch predictor does not learn one of them.

use crate::{Job, Task};
use std::rc::Rc;

pub trait Number: 'static {
    fn new(big_endian: &[u8]) -> Self;
    /// Big-endian, with or without leading zeros.
    fn bytes(&mut self) -> Vec<u8>;
}

/// The operands of an operation, which reads x, y, m or the text, and writes its results to z and r
/// or the text. Operands that are used in turn share a context.
pub struct Work<N, C> {
    pub x: N,
    pub y: N,
    pub m: N,
    pub z: N,
    pub r: N,
    /// A text with a zero byte at its end, or room for one.
    pub text: Vec<u8>,
    pub ctx: Rc<C>,
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

/// As [`task`], with a step that runs before every batch and is not timed.
pub fn task_with_begin<N: Number, C: 'static>(
    job: &Job, ctx: C, begin: impl Fn(&mut Work<N, C>) + 'static,
    once: impl Fn(&mut Work<N, C>) -> bool + 'static,
) -> Option<Task> {
    let (op, bits) = name(job)?;
    let op = op.to_string();
    let (n, ctx) = (bits / 8, Rc::new(ctx));
    let new =
        |x, y, m, text| Work { x, y, m, z: N::new(&[]), r: N::new(&[]), text, ctx: ctx.clone() };
    let works: Vec<Work<N, C>> = if op == "from-radix" {
        vec![new(N::new(&[]), N::new(job.iv), N::new(job.key), [job.input, &[0]].concat())]
    } else {
        let x = job.input.chunks(if op == "div" { 2 * n } else { n });
        let numbers = x.zip(job.iv.chunks(n)).zip(job.key.chunks(n));
        numbers
            .map(|((x, y), m)| new(N::new(x), N::new(y), N::new(m), vec![0; 4 * n + 64]))
            .collect()
    };
    let output = move |works: &mut Vec<Work<N, C>>| {
        works.iter_mut().flat_map(|w| result(&op, n, w)).collect()
    };
    let all =
        move |works: &mut Vec<Work<N, C>>| works.iter_mut().fold(true, |fine, w| once(w) & fine);
    Some(Task::with_begin(works, move |works| works.iter_mut().for_each(&begin), all, output))
}

fn result<N: Number, C>(op: &str, n: usize, w: &mut Work<N, C>) -> Vec<u8> {
    match op {
        "mul" | "sqr" => padded(&w.z.bytes(), 2 * n),
        "div" => [padded(&w.z.bytes(), n), padded(&w.r.bytes(), n)].concat(),
        "to-radix" => w.text.iter().copied().take_while(|&c| c != 0).collect(),
        _ => padded(&w.z.bytes(), n),
    }
}

/// Pads a number to `len` bytes. A longer one keeps its length, and the comparison finds it.
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
    fn numbers_are_padded() {
        assert_eq!(padded(&[0, 0, 1, 2], 3), [0, 1, 2]);
        assert_eq!(padded(&[1, 2, 3], 2), [1, 2, 3]);
        assert_eq!(padded(&[], 2), [0, 0]);
    }
}
