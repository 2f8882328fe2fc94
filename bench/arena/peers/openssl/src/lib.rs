//! OpenSSL 4, through EVP.

#[path = "../../evp/evp.rs"]
mod evp;

use arena_peer::{Job, Peer, Task};

struct Openssl;

impl Peer for Openssl {
    const NAME: &'static str = "openssl";

    fn version() -> String {
        evp::version()
    }

    fn prepare(job: &Job) -> Option<Task> {
        evp::prepare(job)
    }
}

arena_peer::export!(Openssl);
