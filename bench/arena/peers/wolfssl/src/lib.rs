//! wolfSSL with its default options: every call decodes its key.

#[path = "../wolf.rs"]
mod wolf;

use arena_peer::mldsa::Name;
use arena_peer::{Job, Peer, Task};

struct Wolfssl;

impl Peer for Wolfssl {
    const NAME: &'static str = "wolfssl";

    fn version() -> String {
        wolf::version()
    }

    fn prepare(job: &Job) -> Option<Task> {
        wolf::prepare(job, Name::plain(job.op)?)
    }
}

arena_peer::export!(Wolfssl);
