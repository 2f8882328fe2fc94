//! Tongsuo 8.5, with its 64-bit SM2 field, through EVP.

#[path = "../../evp/evp.rs"]
mod evp;

use arena_peer::{Job, Peer, Task};

struct Tongsuo;

unsafe extern "C" {
    fn Tongsuo_version_num() -> std::ffi::c_ulong;
}

impl Peer for Tongsuo {
    const NAME: &'static str = "tongsuo";

    fn version() -> String {
        // Its own version, 0xMNN00PP0, not that of the OpenSSL from which it was forked.
        let n = unsafe { Tongsuo_version_num() };
        format!("{}.{}.{}", n >> 28 & 15, n >> 20 & 255, n >> 4 & 255)
    }

    fn prepare(job: &Job) -> Option<Task> {
        evp::prepare(job)
    }
}

arena_peer::export!(Tongsuo);
