//! The cycle counter, which user code can read without a system call, on the CPU to which the
//! thread is bound.

use anyhow::{Context, Result};
use std::time::{Duration, Instant};

/// The time-stamp counter on x86-64, the virtual counter on AArch64. Both tick at a fixed rate,
/// whatever the core's clock does: "cycles" in the results are ticks of this counter.
#[inline]
pub fn ticks() -> u64 {
    #[cfg(target_arch = "x86_64")]
    unsafe {
        // The fences keep the measured code from being moved across RDTSC.
        std::arch::x86_64::_mm_lfence();
        let now = std::arch::x86_64::_rdtsc();
        std::arch::x86_64::_mm_lfence();
        now
    }
    #[cfg(target_arch = "aarch64")]
    unsafe {
        let now: u64;
        std::arch::asm!("isb", "mrs {}, cntvct_el0", "isb", out(reg) now, options(nomem, nostack));
        now
    }
}

pub struct Clock {
    pub hertz: f64,
}

impl Clock {
    /// Binds this thread to the last CPU it may use and finds the rate of the counter.
    pub fn start() -> Result<Clock> {
        let allowed = rustix::thread::sched_getaffinity(None).context("sched_getaffinity")?;
        let last = (0..rustix::thread::CpuSet::MAX_CPU)
            .rfind(|&cpu| allowed.is_set(cpu))
            .context("no CPU")?;
        let mut one = rustix::thread::CpuSet::new();
        one.set(last);
        rustix::thread::sched_setaffinity(None, &one).context("sched_setaffinity")?;

        let (t0, c0) = (Instant::now(), ticks());
        while t0.elapsed() < Duration::from_millis(50) {
            std::hint::spin_loop();
        }
        let c1 = ticks();
        Ok(Clock { hertz: (c1 - c0) as f64 / t0.elapsed().as_secs_f64() })
    }

    pub fn ticks_in(&self, time: Duration) -> f64 {
        self.hertz * time.as_secs_f64()
    }
}
