//! libcrux-ml-dsa, verified; it chooses AVX2 by itself.

use arena_peer::mldsa::{Name, Verb};
use arena_peer::{Job, Peer, Task};

struct Libcrux;

macro_rules! set {
    ($function:ident, $module:ident, $sig:ident) => {
        fn $function(job: &Job, name: Name) -> Option<Task> {
            use libcrux_ml_dsa::$module as set;
            let pair = set::generate_key_pair(job.key.try_into().ok()?);
            let (msg, sig) = name.split(job.input);
            let input = msg.to_vec();
            Some(match name.verb {
                Verb::Keygen => {
                    let seed: [u8; 32] = msg.try_into().ok()?;
                    Task::new(
                        (seed, pair),
                        |(seed, pair)| {
                            *pair = set::generate_key_pair(*seed);
                            true
                        },
                        |(_, pair)| pair.verification_key.as_slice().to_vec(),
                    )
                }
                Verb::Sign => Task::new(
                    (pair.signing_key, input, libcrux_ml_dsa::$module::$sig::zero()),
                    |(key, input, sig)| match set::sign(key, input, &[], [0; 32]) {
                        Ok(made) => {
                            *sig = made;
                            true
                        }
                        Err(_) => false,
                    },
                    |(_, _, sig)| sig.as_slice().to_vec(),
                ),
                Verb::Verify => Task::new(
                    (pair.verification_key, input, set::$sig::new(sig.try_into().ok()?)),
                    |(key, input, sig)| set::verify(key, input, &[], sig).is_ok(),
                    |_| vec![1],
                ),
            })
        }
    };
}

set!(set44, ml_dsa_44, MLDSA44Signature);
set!(set65, ml_dsa_65, MLDSA65Signature);
set!(set87, ml_dsa_87, MLDSA87Signature);

impl Peer for Libcrux {
    const NAME: &'static str = "libcrux";

    fn version() -> String {
        "0.0.11".into()
    }

    fn prepare(job: &Job) -> Option<Task> {
        let name = Name::plain(job.op)?;
        match name.set {
            44 => set44(job, name),
            65 => set65(job, name),
            _ => set87(job, name),
        }
    }
}

arena_peer::export!(Libcrux);
