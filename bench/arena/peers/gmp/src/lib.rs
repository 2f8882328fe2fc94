//! GMP 6.3, built from source, static.

#[path = "../../mpz/mpz.rs"]
mod mpz;

use arena_peer::{Job, Peer, Task};
use gmp_mpfr_sys as _; // links the library

struct Gmp;

impl Peer for Gmp {
    const NAME: &'static str = "gmp";

    fn version() -> String {
        mpz::version()
    }

    fn prepare(job: &Job) -> Option<Task> {
        mpz::prepare(job)
    }
}

arena_peer::export!(Gmp);
