//! Integers of any size: what the family mp is asked, at which sizes, and the numbers that every library gets.

use crate::families::{Inputs, Op, Proof, bytes, op, op_from};

macro_rules! of {
    ($($bits:literal)*; $($long:literal)*) => {
        &[
            $(op(concat!("mul/", $bits), concat!($bits, " bits, multiply"), Proof::Same),)*
            $(op(concat!("mul/", $long), concat!($long, " bits, multiply"), Proof::Same),)*
            $(op(concat!("sqr/", $bits), concat!($bits, " bits, square"), Proof::Same),)*
            $(op(concat!("div/", $bits), concat!($bits, " bits into twice as many"), Proof::Same),)*
            $(op(concat!("expmod/", $bits), concat!($bits, " bits, x^y mod m"), Proof::Same),)*
            $(op(concat!("expmod-ct/", $bits), concat!($bits, " bits, x^y mod m, constant time"), Proof::Same),)*
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
pub const OPS: &[Op] = of! { 128 256 512 1024 2048 4096; 16384 65536 1048576 };

/// m is odd and has its top bit set, y its two top bits, x the second one alone, so that x < m; x has an inverse modulo m at
/// all sizes (were it otherwise, everybody would fail).
pub fn inputs(name: &str) -> Inputs {
    let (op, bits) = name.split_once('/').unwrap_or((name, "128"));
    let n = bits.parse::<usize>().unwrap_or(128) / 8;
    let (mut m, mut x, mut y) = (bytes(SEEDS[0], n), bytes(SEEDS[1], n), bytes(SEEDS[2], n));
    m[0] |= 0x80;
    m[n - 1] |= 1;
    x[0] = x[0] & 0x7f | 0x40;
    y[0] |= 0xc0;
    if op == "div" {
        x.extend(bytes(SEEDS[3], n));
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
            let i = inputs(name);
            (i.key.len(), i.iv.len(), i.input.len())
        };
        assert_eq!((of("mul/128"), of("div/256")), ((16, 16, 16), (32, 32, 64)));
        let i = inputs("invmod/1024");
        assert!(i.input < i.key && i.key[127] & 1 == 1 && i.iv[0] >= 0xc0);
    }
}
