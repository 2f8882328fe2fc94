//! liboqs 0.13. Its ML-DSA is the code of the CRYSTALS authors, AVX2 included, and takes its seeds
//! from a source of randomness that can be replaced: ours returns the key's seed, and zeros when
//! signing.

use arena_peer::mldsa::{Name, Verb};
use arena_peer::{Job, Peer, Task};
use oqs_sys::rand::OQS_randombytes_custom_algorithm;
use oqs_sys::sig::{
    OQS_SIG_ml_dsa_44_keypair, OQS_SIG_ml_dsa_44_sign, OQS_SIG_ml_dsa_44_verify,
    OQS_SIG_ml_dsa_65_keypair, OQS_SIG_ml_dsa_65_sign, OQS_SIG_ml_dsa_65_verify,
    OQS_SIG_ml_dsa_87_keypair, OQS_SIG_ml_dsa_87_sign, OQS_SIG_ml_dsa_87_verify,
};
use std::cell::Cell;

thread_local! {
    static RANDOM: Cell<[u8; 32]> = const { Cell::new([0; 32]) };
}

unsafe extern "C" fn random(out: *mut u8, len: usize) {
    let bytes = RANDOM.get();
    for i in 0..len {
        unsafe { *out.add(i) = bytes[i % 32] };
    }
}

struct Liboqs;

struct State {
    name: Name,
    public: Vec<u8>,
    private: Vec<u8>,
    input: Vec<u8>,
    sig: Vec<u8>,
}

impl State {
    fn keygen(&mut self, seed: [u8; 32]) -> bool {
        RANDOM.set(seed);
        let (public, private) = (self.public.as_mut_ptr(), self.private.as_mut_ptr());
        let status = unsafe {
            match self.name.set {
                44 => OQS_SIG_ml_dsa_44_keypair(public, private),
                65 => OQS_SIG_ml_dsa_65_keypair(public, private),
                _ => OQS_SIG_ml_dsa_87_keypair(public, private),
            }
        };
        status as i32 == 0
    }

    fn sign(&mut self) -> bool {
        let mut len = self.sig.len();
        let (sig, msg, private) =
            (self.sig.as_mut_ptr(), self.input.as_ptr(), self.private.as_ptr());
        let status = unsafe {
            match self.name.set {
                44 => OQS_SIG_ml_dsa_44_sign(sig, &mut len, msg, self.input.len(), private),
                65 => OQS_SIG_ml_dsa_65_sign(sig, &mut len, msg, self.input.len(), private),
                _ => OQS_SIG_ml_dsa_87_sign(sig, &mut len, msg, self.input.len(), private),
            }
        };
        status as i32 == 0
    }

    fn verify(&self) -> bool {
        let (msg, msg_len) = (self.input.as_ptr(), self.input.len());
        let (sig, sig_len, public) = (self.sig.as_ptr(), self.sig.len(), self.public.as_ptr());
        let status = unsafe {
            match self.name.set {
                44 => OQS_SIG_ml_dsa_44_verify(msg, msg_len, sig, sig_len, public),
                65 => OQS_SIG_ml_dsa_65_verify(msg, msg_len, sig, sig_len, public),
                _ => OQS_SIG_ml_dsa_87_verify(msg, msg_len, sig, sig_len, public),
            }
        };
        status as i32 == 0
    }
}

impl Peer for Liboqs {
    const NAME: &'static str = "liboqs";

    fn version() -> String {
        "0.13.0".into()
    }

    fn prepare(job: &Job) -> Option<Task> {
        let name = Name::plain(job.op)?;
        unsafe { OQS_randombytes_custom_algorithm(Some(random)) };
        let (msg, sig) = name.split(job.input);
        let mut s = State {
            name,
            public: vec![0; name.public_len()],
            private: vec![0; name.private_len()],
            input: msg.to_vec(),
            sig: if sig.is_empty() { vec![0; name.sig_len()] } else { sig.to_vec() },
        };
        if !s.keygen(job.key.try_into().ok()?) {
            return None;
        }
        Some(match name.verb {
            Verb::Keygen => {
                let once = |s: &mut State| s.keygen(s.input[..32].try_into().unwrap_or_default());
                Task::new(s, once, |s| s.public.clone())
            }
            Verb::Sign => {
                Task::with_begin(s, |_| RANDOM.set([0; 32]), State::sign, |s| s.sig.clone())
            }
            Verb::Verify => Task::new(s, |s| s.verify(), |_| vec![1]),
        })
    }
}

arena_peer::export!(Liboqs);
