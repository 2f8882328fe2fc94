//! Tongsuo 8.5, with its 64-bit SM2 field, through EVP.

#[path = "../../evp/evp.rs"]
mod evp;

use arena_peer::{Job, Peer, Task};

struct Tongsuo;

impl Peer for Tongsuo {
    const NAME: &'static str = "tongsuo";

    fn version() -> String {
        evp::version()
    }

    fn prepare(job: &Job) -> Option<Task> {
        evp::prepare(job)
    }
}

arena_peer::export!(Tongsuo);
