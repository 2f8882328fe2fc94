//! wolfSSL built with options that keep a key's matrix and vectors, for the operations with
//! precomputed keys.

#[path = "../../wolfssl/wolf.rs"]
mod wolf;

use arena_peer::mldsa::Name;
use arena_peer::{Job, Peer, Task};

struct WolfsslReady;

impl Peer for WolfsslReady {
    const NAME: &'static str = "wolfssl-ready";

    fn version() -> String {
        wolf::version()
    }

    fn prepare(job: &Job) -> Option<Task> {
        wolf::prepare(job, Name::parse(job.op).filter(|n| n.ready && n.batch == 1)?)
    }
}

arena_peer::export!(WolfsslReady);
