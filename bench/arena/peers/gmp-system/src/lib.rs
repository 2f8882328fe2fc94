//! The GMP installed on this machine, or the one that GMP_LIB names.

#[path = "../../mpz/mpz.rs"]
mod mpz;

use arena_peer::{Job, Peer, Task};

struct System;

impl Peer for System {
    const NAME: &'static str = "gmp-system";

    fn version() -> String {
        mpz::version()
    }

    fn prepare(job: &Job) -> Option<Task> {
        mpz::prepare(job)
    }
}

arena_peer::export!(System);
