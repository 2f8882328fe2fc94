//! OpenSSL 4, through EVP; integers through BIGNUM.

#[path = "../../bn/bn.rs"]
mod bn;
#[path = "../../evp/evp.rs"]
mod evp;
#[path = "../../evp/mldsa.rs"]
mod mldsa;
#[path = "../../bn/openssl.rs"]
mod raw;

use arena_peer::{Job, Peer, Task};

struct Openssl;

impl Peer for Openssl {
    const NAME: &'static str = "openssl";

    fn version() -> String {
        evp::version()
    }

    fn prepare(job: &Job) -> Option<Task> {
        match job.family {
            "mldsa" => mldsa::prepare(job),
            "mp" => bn::prepare(job),
            _ => evp::prepare(job),
        }
    }
}

arena_peer::export!(Openssl);
