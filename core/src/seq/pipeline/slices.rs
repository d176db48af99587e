//! How long a thread may run before others are asked whether it is their turn.
//!
//! In: the calling thread. Out: nothing; elsewhere than on Linux, or where it is not allowed, nothing is done.
//! Assumes: nothing.
//!
//! Note \[Short slices\]: a source that waits is waited for if it does not get a processor at once when it has
//! what it waited for, and all processors compute meanwhile. Linux takes a processor away from the thread whose
//! turn ends last, and a turn ends a slice after it begins. So the thread that reads has a shorter slice than those
//! that compute: a source that sleeps as long as computing takes, 0.17 ms, was awake 0.05 ms sooner each time.
//! Kernels before 6.12 have one slice for all threads, and ignore it.

/// Lets the calling thread run soon after each time that it has waited.
pub(super) fn shorten() {
    #[cfg(target_os = "linux")]
    linux::shorten();
}

#[cfg(target_os = "linux")]
mod linux {
    use libc::{SYS_sched_getattr, SYS_sched_setattr, sched_attr, syscall};

    /// Nanoseconds: a few times what taking turns costs, and much less than the 3 ms that are usual.
    const SLICE: u64 = 400_000;

    pub(super) fn shorten() {
        const ITSELF: libc::pid_t = 0;
        const NO_FLAGS: libc::c_uint = 0;
        let size = size_of::<sched_attr>() as u32;
        // SAFETY: numbers, of which all may be 0.
        let mut attr: sched_attr = unsafe { core::mem::zeroed() };
        // SAFETY: there is room for what is asked for.
        let failed = unsafe { syscall(SYS_sched_getattr, ITSELF, &raw mut attr, size, NO_FLAGS) };
        if failed != 0 || attr.sched_policy != libc::SCHED_OTHER as u32 {
            return;
        }
        attr.size = size;
        // Threads that a source begins have the usual one.
        attr.sched_flags |= libc::SCHED_FLAG_RESET_ON_FORK as u64;
        attr.sched_runtime = SLICE;
        // SAFETY: what has been read, changed where it may be. If it is refused, the thread remains as it was.
        unsafe { syscall(SYS_sched_setattr, ITSELF, &raw const attr, NO_FLAGS) };
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        /// The slice of the calling thread, where the kernel tells.
        fn slice() -> u64 {
            // SAFETY: as above.
            let mut attr: sched_attr = unsafe { core::mem::zeroed() };
            // SAFETY: as above.
            let failed = unsafe {
                syscall(
                    SYS_sched_getattr,
                    0,
                    &raw mut attr,
                    size_of::<sched_attr>() as u32,
                    0,
                )
            };
            assert_eq!(failed, 0);
            attr.sched_runtime
        }

        #[test]
        fn threads_of_a_source_have_the_usual_slice() {
            let usual = slice();
            let (own, inherited) = std::thread::spawn(|| {
                shorten();
                let inherited = std::thread::spawn(slice).join().expect("no panic");
                (slice(), inherited)
            })
            .join()
            .expect("no panic");
            assert!(own == SLICE || own == usual, "{own}");
            assert_eq!(inherited, usual);
        }
    }
}
