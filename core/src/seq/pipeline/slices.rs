//! How long a thread may run before others are asked whether it is their turn.
//!
//! In: the calling thread. Out: nothing; elsewhere than on Linux, or where it may not be, nothing is done.
//! Assumes: nothing.
//!
//! Note \[Short slices\]: a source that waits is waited for if it does not get a processor at once when it has
//! what it waited for, and all processors compute meanwhile. A thread that wakes takes the processor of one
//! whose turn ends later than its own would, and a turn ends a slice after it begins. So the thread that reads has
//! a shorter slice than those that compute: a source that sleeps as long as computing takes, 0.17 ms, was awake
//! 0.05 ms sooner each time. Kernels before 6.12 have one slice for all threads: they tell of none, and
//! are not asked for another. Nor is a kernel that filters system calls, since it may end a process that
//! makes one which is not on its list.

/// Lets the calling thread run soon after each time that it has waited.
pub(super) fn shorten() {
    #[cfg(target_os = "linux")]
    linux::shorten();
}

#[cfg(target_os = "linux")]
mod linux {
    use libc::{SYS_sched_getattr, SYS_sched_setattr, sched_attr, syscall};

    /// Nanoseconds: a hundred times what a switch to another thread takes, and less than the usual 0.7 to 3 ms.
    const SLICE: u64 = 400_000;

    const ITSELF: libc::pid_t = 0;
    const NO_FLAGS: libc::c_uint = 0;

    /// Whether all system calls may be made.
    fn is_unfiltered() -> bool {
        // SAFETY: it only tells.
        unsafe { libc::prctl(libc::PR_GET_SECCOMP) == 0 }
    }

    /// How the calling thread is scheduled, if it is as usual and has a slice of its own.
    fn usual() -> Option<sched_attr> {
        let size = size_of::<sched_attr>() as u32;
        // SAFETY: numbers, of which all may be 0.
        let mut attr: sched_attr = unsafe { core::mem::zeroed() };
        // SAFETY: there is room for what is asked for.
        let failed = unsafe { syscall(SYS_sched_getattr, ITSELF, &raw mut attr, size, NO_FLAGS) };
        attr.size = size;
        let is_usual = attr.sched_policy == libc::SCHED_OTHER as u32 && attr.sched_runtime > 0;
        (failed == 0 && is_usual).then_some(attr)
    }

    pub(super) fn shorten() {
        if !is_unfiltered() {
            return;
        }
        if let Some(mut attr) = usual().filter(|attr| attr.sched_runtime > SLICE) {
            // Threads that a source begins have the usual one again.
            attr.sched_flags |= libc::SCHED_FLAG_RESET_ON_FORK as u64;
            attr.sched_runtime = SLICE;
            // SAFETY: what has been read, changed where it may be; a refusal changes nothing.
            unsafe { syscall(SYS_sched_setattr, ITSELF, &raw const attr, NO_FLAGS) };
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use std::thread;

        fn slice() -> Option<u64> {
            usual().map(|attr| attr.sched_runtime)
        }

        #[test]
        fn the_slice_is_short_but_not_that_of_threads_of_a_source() {
            let before = slice().filter(|_| is_unfiltered());
            let Some(before) = before else { return };
            let reader = thread::spawn(|| {
                shorten();
                let inherited = thread::spawn(slice).join().expect("no panic");
                (slice(), inherited)
            });
            let (own, inherited) = reader.join().expect("no panic");
            assert_eq!(own, Some(before.min(SLICE)));
            assert_eq!(inherited, Some(before));
        }
    }
}
