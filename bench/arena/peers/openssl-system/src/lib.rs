//! The libcrypto that is installed, through EVP.

#[path = "../../evp/evp.rs"]
mod evp;

use arena_peer::{Job, Peer, Task};

struct System;

impl Peer for System {
    const NAME: &'static str = "openssl-system";

    fn version() -> String {
        evp::version()
    }

    fn prepare(job: &Job) -> Option<Task> {
        evp::prepare(job)
    }
}

arena_peer::export!(System);
