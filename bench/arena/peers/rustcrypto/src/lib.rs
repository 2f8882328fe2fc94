//! RustCrypto's ml-dsa, portable. Its keys are always expanded, so it has no separate operations
//! with precomputed keys.

use arena_peer::mldsa::{Name, Verb};
use arena_peer::{Job, Peer, Task};
use ml_dsa::{Keypair, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Signature, SigningKey, B32};

struct RustCrypto;

fn of<P: MlDsaParams + 'static>(job: &Job, name: Name) -> Option<Task> {
    let seed = |bytes: &[u8]| B32::try_from(bytes).ok();
    let key = SigningKey::<P>::from_seed(&seed(job.key)?);
    let (msg, sig) = name.split(job.input);
    let input = msg.to_vec();
    Some(match name.verb {
        Verb::Keygen => Task::new(
            (seed(&input)?, None),
            |(seed, made)| {
                *made = Some(SigningKey::<P>::from_seed(seed));
                true
            },
            |(_, made)| {
                let key = made.as_ref().map(|k| k.verifying_key().encode());
                key.map(|k| k.to_vec()).unwrap_or_default()
            },
        ),
        Verb::Sign => Task::new(
            (key, input, None),
            |(key, input, sig)| {
                *sig = key.expanded_key().sign_deterministic(input, &[]).ok();
                sig.is_some()
            },
            |(_, _, sig): &mut (_, _, Option<Signature<P>>)| {
                sig.as_ref().map(|s| s.encode().to_vec()).unwrap_or_default()
            },
        ),
        Verb::Verify => {
            let sig = sig.to_vec();
            let public = key.verifying_key();
            Task::new(
                (public, input, sig),
                |(public, input, sig)| {
                    let sig = Signature::<P>::try_from(sig.as_slice());
                    sig.is_ok_and(|sig| public.verify_with_context(input, &[], &sig))
                },
                |_| vec![1],
            )
        }
    })
}

impl Peer for RustCrypto {
    const NAME: &'static str = "rustcrypto";

    fn version() -> String {
        "0.1.2".into()
    }

    fn prepare(job: &Job) -> Option<Task> {
        let name = Name::plain(job.op)?;
        match name.set {
            44 => of::<MlDsa44>(job, name),
            65 => of::<MlDsa65>(job, name),
            _ => of::<MlDsa87>(job, name),
        }
    }
}

arena_peer::export!(RustCrypto);
