//! Integers of any size: the operations and sizes of the family mp, and the numbers that every
//! library gets.

use crate::families::{bytes, op, op_from, Inputs, Op, Proof};
use num_bigint::BigUint;
use num_integer::Integer;

macro_rules! of {
    ($($bits:literal)*; $($long:literal)*; $($many:literal)*; $($two:literal)*) => {
        &[
            $(op(concat!("mul/", $bits), concat!($bits, " bits, multiply"), Proof::Same),)*
            $(op(concat!("mul/", $long), concat!($long, " bits, multiply"), Proof::Same),)*
            $(op(concat!("sqr/", $bits), concat!($bits, " bits, square"), Proof::Same),)*
            $(op(concat!("div/", $bits), concat!($bits, " bits, 2n-by-n-bit division"), Proof::Same)
                .turns(OPERANDS),)*
            $(op(concat!("expmod/", $bits), concat!($bits, " bits, x^y mod m"), Proof::Same)
                .turns(powers($bits)),)*
            $(op(concat!("expmod-ct/", $bits), concat!($bits, " bits, x^y mod m, constant time"),
                Proof::Same)
                .turns(powers($bits)),)*
            $(op(concat!("expmod-batch8/", $many),
                concat!($many, " bits, x^y mod m, one of 8 at once"), Proof::Same)
                .over(8).together(8, concat!("expmod/", $many)),)*
            $(op(concat!("expmod-ct-batch8/", $many),
                concat!($many, " bits, x^y mod m, one of 8, constant time"),
                Proof::Same).over(8).together(8, concat!("expmod-ct/", $many)),)*
            // for libraries that compute the two powers of expmod-ct-batch2/1536 one at a time
            op("expmod-ct/1536", "1536 bits, x^y mod m, constant time", Proof::Same)
                .turns(powers(1536)),
            $(op(concat!("expmod-ct-batch2/", $two),
                concat!($two, " bits, x^y mod m, one of 2, constant time"),
                Proof::Same).over(2).together(2, concat!("expmod-ct/", $two)),)*
            $(op(concat!("invmod/", $bits), concat!($bits, " bits, 1/x mod m"), Proof::Same)
                .turns(OPERANDS),)*
            $(op(concat!("invmod-ct/", $bits), concat!($bits, " bits, 1/x mod m, constant time"),
                Proof::Same)
                .turns(OPERANDS),)*
            $(op(concat!("gcd/", $bits), concat!($bits, " bits, gcd"), Proof::Same)
                .turns(OPERANDS),)*
            $(op(concat!("gcd/", $long), concat!($long, " bits, gcd"), Proof::Same),)*
            $(op(concat!("to-radix/", $bits), concat!($bits, " bits, to decimal"), Proof::Same),)*
            $(op(concat!("to-radix/", $long), concat!($long, " bits, to decimal"), Proof::Same),)*
            $(op_from(concat!("from-radix/", $bits), concat!($bits, " bits, from decimal"),
                Proof::Same,
                concat!("to-radix/", $bits)),)*
            $(op_from(concat!("from-radix/", $long), concat!($long, " bits, from decimal"),
                Proof::Same,
                concat!("to-radix/", $long)),)*
        ]
    };
}

/// Pairs of operands for operations that branch on them. With one pair the branch predictor learns
/// the branches, and an inverse of 512 bits seems 1.7 times as fast as it is in practice.
const OPERANDS: usize = 256;

/// Powers branch less, and long ones take milliseconds.
const fn powers(bits: usize) -> usize {
    if bits < 1024 {
        OPERANDS
    } else {
        32768 / bits
    }
}

#[rustfmt::skip]
pub const OPS: &[Op] = of! {
    128 256 512 1024 2048 4096; 16384 65536 1048576; 512 1024 2048 4096; 512 1024 1536 2048
};

/// m is odd and has its top bit set, y its two top bits, x only the second one, so that x < m. For
/// an inverse, x is the first number that has one, from its random bytes upwards. Message `i` has
/// its own numbers, including the modulus.
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
    if op.starts_with("invmod") {
        coprime_from(&mut x, &m);
    }
    Inputs { key: m, public: vec![], iv: y, aad: vec![], input: x }
}

/// Increases x to the first of x, x + 1, ... that is prime to m. For a random odd m the probability
/// that x already is, is 8/pi^2, about 0.81.
fn coprime_from(x: &mut [u8], m: &[u8]) {
    let number = |bytes: &[u8]| BigUint::from_bytes_be(bytes);
    let m = number(m);
    let mut candidate = number(x);
    while candidate.gcd(&m) != BigUint::ONE {
        candidate += 1u32;
    }
    let bytes = candidate.to_bytes_be();
    let zeros = x.len() - bytes.len();
    x[..zeros].fill(0);
    x[zeros..].copy_from_slice(&bytes);
}

/// The seeds of m, x, y, and the lower half of a dividend.
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
        assert_eq!(of("expmod-ct-batch2/1536"), (192, 192, 192));
        assert_ne!(inputs("expmod-ct-batch2/512", 0).key, inputs("expmod-ct-batch2/512", 1).key);
        for message in 0..8 {
            let i = inputs("expmod-batch8/1024", message);
            assert!(i.input < i.key && i.key[127] & 1 == 1 && i.iv[0] >= 0xc0);
            assert_eq!(message == 0, i.key == inputs("expmod/1024", 0).key);
            let inverse = inputs("invmod/128", 100 + message);
            let number = |bytes: &[u8]| num_bigint::BigUint::from_bytes_be(bytes);
            assert!(number(&inverse.input).modinv(&number(&inverse.key)).is_some());
        }
    }
}
