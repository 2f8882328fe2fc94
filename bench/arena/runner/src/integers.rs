//! Integers of any size: what the family mp is asked, at which sizes, and the numbers that every library gets.

use crate::families::{Inputs, Op, Proof, bytes, op, op_from};

macro_rules! of {
    ($($bits:literal)*; $($long:literal)*; $($many:literal)*) => {
        &[
            $(op(concat!("mul/", $bits), concat!($bits, " bits, multiply"), Proof::Same),)*
            $(op(concat!("mul/", $long), concat!($long, " bits, multiply"), Proof::Same),)*
            $(op(concat!("sqr/", $bits), concat!($bits, " bits, square"), Proof::Same),)*
            $(op(concat!("div/", $bits), concat!($bits, " bits into twice as many"), Proof::Same),)*
            $(op(concat!("expmod/", $bits), concat!($bits, " bits, x^y mod m"), Proof::Same),)*
            $(op(concat!("expmod-ct/", $bits), concat!($bits, " bits, x^y mod m, constant time"), Proof::Same),)*
            $(op(concat!("expmod-batch8/", $many), concat!($many, " bits, x^y mod m, one of 8 at once"), Proof::Same)
                .over(8).together(8, concat!("expmod/", $many)),)*
            $(op(concat!("expmod-ct-batch8/", $many), concat!($many, " bits, x^y mod m, one of 8, constant time"),
                Proof::Same).over(8).together(8, concat!("expmod-ct/", $many)),)*
            $(op(concat!("invmod/", $bits), concat!($bits, " bits, 1/x mod m"), Proof::Same),)*
            $(op(concat!("invmod-ct/", $bits), concat!($bits, " bits, 1/x mod m, constant time"), Proof::Same),)*
            $(op(concat!("gcd/", $bits), concat!($bits, " bits, gcd"), Proof::Same),)*
            $(op(concat!("gcd/", $long), concat!($long, " bits, gcd"), Proof::Same),)*
            $(op(concat!("to-radix/", $bits), concat!($bits, " bits, to decimal"), Proof::Same),)*
            $(op(concat!("to-radix/", $long), concat!($long, " bits, to decimal"), Proof::Same),)*
            $(op_from(concat!("from-radix/", $bits), concat!($bits, " bits, from decimal"), Proof::Same,
                concat!("to-radix/", $bits)),)*
            $(op_from(concat!("from-radix/", $long), concat!($long, " bits, from decimal"), Proof::Same,
                concat!("to-radix/", $long)),)*
        ]
    };
}

#[rustfmt::skip]
pub const OPS: &[Op] = of! { 128 256 512 1024 2048 4096; 16384 65536 1048576; 512 1024 2048 4096 };

/// m is odd and has its top bit set, y its two top bits, x the second one alone, so that x < m; x has an inverse modulo m at
/// all sizes (were it otherwise, everybody would fail). Message `i` has numbers of its own, a modulus too.
pub fn inputs(name: &str, i: usize) -> Inputs {
    let (op, bits) = name.split_once('/').unwrap_or((name, "128"));
    let n = bits.parse::<usize>().unwrap_or(128) / 8;
    let own = |seed| bytes(seed + 100 * i as u64, n);
    let (mut m, mut x, mut y) = (own(SEEDS[0]), own(SEEDS[1]), own(SEEDS[2]));
    m[0] |= 0x80;
    m[n - 1] |= 1;
    x[0] = x[0] & 0x7f | 0x40;
    y[0] |= 0xc0;
    if op == "div" {
        x.extend(own(SEEDS[3]));
    }
    Inputs { key: m, public: vec![], iv: y, aad: vec![], input: x }
}

/// Of m, x, y, and the lower half of a dividend.
const SEEDS: [u64; 4] = [20, 21, 22, 23];

#[cfg(test)]
mod tests {
    use super::inputs;

    #[test]
    fn numbers_have_their_lengths() {
        let of = |name| {
            let i = inputs(name, 0);
            (i.key.len(), i.iv.len(), i.input.len())
        };
        assert_eq!((of("mul/128"), of("div/256")), ((16, 16, 16), (32, 32, 64)));
        for message in 0..8 {
            let i = inputs("expmod-batch8/1024", message);
            assert!(i.input < i.key && i.key[127] & 1 == 1 && i.iv[0] >= 0xc0);
            assert_eq!(message == 0, i.key == inputs("expmod/1024", 0).key);
        }
    }
}
