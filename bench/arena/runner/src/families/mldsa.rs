//! ML-DSA: three parameter sets, the same operations for each.
//!
//! The number of attempts of a signature depends on message and key: the mean is that of 192 fixed
//! messages, signed deterministically, so that every library makes the same attempts. An
//! operation's name tells a peer the parameter set, the verb, "ready" where the key may be expanded
//! beforehand, and "batch8" where one call has eight messages.

use super::{bytes, op, op_from, Family, Inputs, Op, Pick, Proof};

const MESSAGES: usize = 192;

macro_rules! set {
    ($n:literal) => {
        [
            op(
                concat!($n, "-keygen"),
                concat!("ML-DSA-", $n, ": a key from its seed"),
                Proof::Same,
            ),
            op(
                concat!($n, "-keygen-batch8"),
                concat!("ML-DSA-", $n, ": one of 8 keys"),
                Proof::Same,
            )
            .over(8)
            .together(8, concat!($n, "-keygen")),
            op(concat!($n, "-sign"), concat!("ML-DSA-", $n, ": sign, mean of 192"), Proof::Same)
                .over(MESSAGES),
            op(
                concat!($n, "-sign-first"),
                concat!("ML-DSA-", $n, ": sign, one attempt"),
                Proof::Same,
            )
            .picks(concat!($n, "-sign"), Pick::Least),
            op(
                concat!($n, "-sign-median"),
                concat!("ML-DSA-", $n, ": sign, median of 192"),
                Proof::Same,
            )
            .picks(concat!($n, "-sign"), Pick::Median),
            op(
                concat!($n, "-sign-4k"),
                concat!("ML-DSA-", $n, ": sign 4 KB, mean of 192"),
                Proof::Same,
            )
            .over(MESSAGES),
            op(
                concat!($n, "-sign-batch8"),
                concat!("ML-DSA-", $n, ": sign, one of 8"),
                Proof::Same,
            )
            .over(MESSAGES)
            .together(8, concat!($n, "-sign")),
            op(
                concat!($n, "-sign-ready"),
                concat!("ML-DSA-", $n, ": sign, ready key"),
                Proof::Same,
            )
            .over(MESSAGES)
            .or(concat!($n, "-sign")),
            op(
                concat!($n, "-sign-ready-4k"),
                concat!("ML-DSA-", $n, ": sign 4 KB, ready key"),
                Proof::Same,
            )
            .over(MESSAGES)
            .or(concat!($n, "-sign-4k")),
            op(
                concat!($n, "-sign-ready-batch8"),
                concat!("ML-DSA-", $n, ": sign, ready key, one of 8"),
                Proof::Same,
            )
            .over(MESSAGES)
            .together(8, concat!($n, "-sign-ready")),
            op_from(
                concat!($n, "-verify"),
                concat!("ML-DSA-", $n, ": verify"),
                Proof::Accepts,
                concat!($n, "-sign"),
            )
            .over(8),
            op_from(
                concat!($n, "-verify-4k"),
                concat!("ML-DSA-", $n, ": verify 4 KB"),
                Proof::Accepts,
                concat!($n, "-sign-4k"),
            )
            .over(8),
            op_from(
                concat!($n, "-verify-batch8"),
                concat!("ML-DSA-", $n, ": verify, one of 8"),
                Proof::Accepts,
                concat!($n, "-sign"),
            )
            .over(8)
            .together(8, concat!($n, "-verify")),
            op_from(
                concat!($n, "-verify-ready"),
                concat!("ML-DSA-", $n, ": verify, ready key"),
                Proof::Accepts,
                concat!($n, "-sign"),
            )
            .over(8)
            .or(concat!($n, "-verify")),
            op_from(
                concat!($n, "-verify-ready-4k"),
                concat!("ML-DSA-", $n, ": verify 4 KB, ready key"),
                Proof::Accepts,
                concat!($n, "-sign-4k"),
            )
            .over(8)
            .or(concat!($n, "-verify-4k")),
            op_from(
                concat!($n, "-verify-ready-batch8"),
                concat!("ML-DSA-", $n, ": verify, ready key, one of 8"),
                Proof::Accepts,
                concat!($n, "-sign"),
            )
            .over(8)
            .together(8, concat!($n, "-verify-ready")),
        ]
    };
}

const EACH: usize = 16;

/// The operations of the three sets, one set after the other.
const fn all() -> [Op; 3 * EACH] {
    let sets = [set!("44"), set!("65"), set!("87")];
    let mut ops = [sets[0][0]; 3 * EACH];
    let mut i = 0;
    while i < ops.len() {
        ops[i] = sets[i / EACH][i % EACH];
        i += 1;
    }
    ops
}
static OPS: [Op; 3 * EACH] = all();

pub const FAMILY: Family = Family {
    name: "mldsa",
    peer_name: "mldsa",
    title: "ML-DSA",
    about: "Signatures from module lattices, FIPS 204. Keys are derived from a seed and parsed \
            beforehand; messages have 32 bytes or 4096, no context, and are signed \
            deterministically: every library makes the same attempts. A ready key has its matrix \
            and vectors expanded; libraries without such a key, or without a call for eight \
            messages, are measured with what they have.",
    sizes: &[0],
    ops: &OPS,
};

/// Message `i`, or for key generation seed `i`; `key` is the seed of the key for all messages.
pub fn inputs(op: &str, i: usize) -> Inputs {
    let len = if op.contains("-4k") { 4096 } else { 32 };
    Inputs {
        key: bytes(9, 32),
        public: vec![],
        iv: vec![],
        aad: vec![],
        input: bytes(1000 + i as u64, len),
    }
}
