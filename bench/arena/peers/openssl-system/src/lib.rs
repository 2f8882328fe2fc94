//! The libcrypto that is installed, through EVP; integers through BIGNUM.

#[path = "../../bn/bn.rs"]
mod bn;
#[path = "../../evp/evp.rs"]
mod evp;
#[path = "../../bn/openssl.rs"]
mod raw;

use arena_peer::{Job, Peer, Task};

struct System;

impl Peer for System {
    const NAME: &'static str = "openssl-system";

    fn version() -> String {
        evp::version()
    }

    fn prepare(job: &Job) -> Option<Task> {
        if job.family == "mp" {
            bn::prepare(job)
        } else {
            evp::prepare(job)
        }
    }
}

arena_peer::export!(System);
