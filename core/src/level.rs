//! Feature levels: one kernel body, compiled for several instruction sets, chosen at run time.
//!
//! In: a task whose body is `#[inline(always)]`. Out: the task run inside of a function that
//! has the level's instructions enabled, with the level's number of lanes.
//! Assumes: the bits of results do not depend on the level (IEEE operations, no contraction).
//!
//! Note [Inlined by force]: what runs inside of a level's function must be inlined into it, or it has
//! the baseline's instructions. That is so where rustc optimises (`cfg(optimised)`, from the build
//! script). Elsewhere calls are as good, and copies of all that is called in all that calls it would
//! be most of a program's code.
//!
//! Note [Decided before code is made]: what only some numbers of lanes, operators or types need is asked for in
//! a `const` block that gives a truth value or a number. Of a branch on one, or on a constant's name, rustc makes
//! code for the side that is taken. Of all else that is constant, `!K::CHECKS` or `L >= 32`, an enum, what a called
//! function finds, it makes both sides, and LLVM has to throw one away. Types cannot be compared in constants, but
//! their sizes can, which leaves a few of a dozen. What depends on no type of the user's and is called seldom
//! has no parameters: so it is compiled with this crate, not with each of the user's.
//!
//! Note \[Apart\]: a row of a nest may hold a thousand loops over lanes. Where all of them stand inside of the
//! loop over rows, LLVM's loop rotation forgets what it knows of the whole nest at each of them: its time
//! is quadratic, and was two thirds of what rustc took for N-body. So what a task does again and again is a
//! function of its own with the level's instructions (`apart`). LLVM simplifies it first, and then inlines
//! it if it is small.
//!
//! Note \[Frames\]: LLVM keeps vectors that registers have no room for at addresses that are multiples of 16 or 32
//! only, if nothing in the function asks for more before it chooses registers. Then most accesses to them cross a
//! border of cache lines, which takes twice as long: Black-Scholes took 1.05 of the time. (In functions that are apart,
//! and of narrow blocks, it made no difference.)

use core::sync::atomic::{AtomicU8, Ordering};
use std::sync::OnceLock;

use crate::vector::{Real, Vector};

/// What the processor can do, in the steps of the x86-64 ABI. Other architectures are `V1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The baseline: SSE2 on x86-64.
    V1 = 1,
    /// SSE4.2. Runs the code of `V1`.
    V2 = 2,
    /// AVX2 and FMA.
    V3 = 3,
    /// AVX-512 F, BW, CD, DQ, VL.
    V4 = 4,
}

impl Level {
    /// The level that kernels run at: the machine's best, or what `RAGGED_LEVEL` asks for.
    ///
    /// `RAGGED_LEVEL=v1|v2|v3|v4` is read once; a level above the machine's means the machine's,
    /// and any other value is ignored.
    #[inline]
    pub fn current() -> Level {
        match FORCED.load(Ordering::Relaxed) {
            0 => *CHOSEN.get_or_init(choose),
            forced => Level::from_number(forced),
        }
    }

    /// The machine's best.
    pub fn detect() -> Level {
        detect()
    }

    fn from_number(number: u8) -> Level {
        match number {
            4 => Level::V4,
            3 => Level::V3,
            2 => Level::V2,
            _ => Level::V1,
        }
    }

    fn parse(text: &str) -> Option<Level> {
        match text {
            "v1" => Some(Level::V1),
            "v2" => Some(Level::V2),
            "v3" => Some(Level::V3),
            "v4" => Some(Level::V4),
            _ => None,
        }
    }
}

/// Forces a level for the whole process (never above the machine's), or stops forcing. For tests.
#[doc(hidden)]
pub fn force(level: Option<Level>) {
    let number = level.map_or(0, |level| level.min(best()) as u8);
    FORCED.store(number, Ordering::Relaxed);
}

/// 0, or a level that `force` has found the machine to have.
static FORCED: AtomicU8 = AtomicU8::new(0);
static CHOSEN: OnceLock<Level> = OnceLock::new();

#[cold]
fn choose() -> Level {
    let best = best();
    match std::env::var("RAGGED_LEVEL") {
        Ok(text) => Level::parse(&text).map_or(best, |asked| asked.min(best)),
        Err(_) => best,
    }
}

#[cfg(target_arch = "x86_64")]
fn detect() -> Level {
    macro_rules! has {
        ($($feature:tt)*) => { $(is_x86_feature_detected!($feature))&&* };
    }
    if !has!("sse3" "ssse3" "sse4.1" "sse4.2" "popcnt") {
        Level::V1
    } else if !has!("avx2" "bmi1" "bmi2" "lzcnt" "movbe" "f16c" "fma") {
        Level::V2
    } else if !has!("avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl") {
        Level::V3
    } else {
        Level::V4
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> Level {
    Level::V1
}

/// Work whose body is instantiated once per level.
pub(crate) trait Task {
    type Out;
    /// The body. Must be inlined by force, and so must be all that it calls in its loops.
    fn run<const L: usize>(self) -> Self::Out;
}

/// 0, or the machine's best level: a number, as it is asked for in loops.
static BEST: AtomicU8 = AtomicU8::new(0);

/// The machine's best, found out once.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn best() -> Level {
    #[cold]
    fn find() -> Level {
        let level = detect();
        BEST.store(level as u8, Ordering::Relaxed);
        level
    }
    match BEST.load(Ordering::Relaxed) {
        0 => find(),
        4 => Level::V4,
        number => Level::from_number(number),
    }
}

/// For code of [`MAX_LANES`] lanes that is not told that the processor has its instructions: nothing is
/// called in loops that go on.
///
/// # Panics
/// When it has not, or nobody has asked yet.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn assert_highest() {
    if !is_found::<MAX_LANES>() {
        missing();
    }
}

#[cfg(target_arch = "x86_64")]
#[cold]
#[inline(never)]
fn missing() -> ! {
    panic!("no level of {MAX_LANES} lanes; please report this");
}

/// Whether it has been found that the processor has the instructions of the level with `L` lanes, 32 or 64:
/// for code that is not told so, and calls nothing.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn is_found<const L: usize>() -> bool {
    let level = const {
        match L {
            MAX_LANES => Level::V4,
            32 => Level::V3,
            _ => panic!("no level that is asked for"),
        }
    };
    BEST.load(Ordering::Relaxed) >= level as u8
}

/// Whether the processor has the instructions of the level with `L` lanes.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn has_lanes<const L: usize>() -> bool {
    match L {
        64 => best() >= Level::V4,
        32 => best() >= Level::V3,
        _ => true,
    }
}

/// The largest number of lanes of any level.
pub(crate) const MAX_LANES: usize = 64;

/// Runs a task at the current level.
#[inline]
pub(crate) fn dispatch<T: Task>(task: T) -> T::Out {
    match Level::current() {
        // SAFETY: `Level::current` is at most what `detect` found, which names these features.
        #[cfg(target_arch = "x86_64")]
        Level::V4 => unsafe { v4(task) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::V3 => unsafe { v3(task) },
        _ => v1(task),
    }
}

#[inline(never)]
fn v1<T: Task>(task: T) -> T::Out {
    task.run::<16>()
}

/// Has the caller's frame begin at a cache line: rustc has a place of no bytes there. See Note [Frames].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[allow(
    clippy::pointers_in_nomem_asm_block,
    reason = "there is no instruction that could read it"
)]
fn align_frame() {
    #[repr(align(64))]
    struct Line;
    let line = Line;
    // SAFETY: no instruction.
    unsafe {
        core::arch::asm!("/* {0} */", in(reg) &raw const line, options(nomem, nostack, preserves_flags));
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt,f16c,fma")]
#[inline(never)]
fn v3<T: Task>(task: T) -> T::Out {
    align_frame();
    task.run::<32>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt,f16c,fma")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline(never)]
fn v4<T: Task>(task: T) -> T::Out {
    align_frame();
    task.run::<64>()
}

/// Runs a task at the level with `L` lanes, as [`dispatch`] does; at the baseline's if there is none.
///
/// # Safety
/// The processor has the instructions of that level.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn dispatch_at<T: Task, const L: usize>(task: T) -> T::Out {
    match const { L } {
        // SAFETY: promised by the caller.
        #[cfg(target_arch = "x86_64")]
        64 => unsafe { v4(task) },
        // SAFETY: promised by the caller.
        #[cfg(target_arch = "x86_64")]
        32 => unsafe { v3(task) },
        _ => v1(task),
    }
}

/// Runs a part of a task of the level with `L` lanes, in a function of its own unless it is small. See Note
/// [Apart].
///
/// # Safety
/// The processor has the instructions of that level: true of all code that [`dispatch`] has called with `L`.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn apart<T: Task, const L: usize>(task: T) -> T::Out {
    match const { L } {
        // SAFETY: promised by the caller.
        #[cfg(target_arch = "x86_64")]
        64 => unsafe { apart_v4(task) },
        // SAFETY: promised by the caller.
        #[cfg(target_arch = "x86_64")]
        32 => unsafe { apart_v3(task) },
        // SAFETY: the baseline.
        #[cfg(target_arch = "x86_64")]
        _ => unsafe { apart_v1::<T, L>(task) },
        #[cfg(not(target_arch = "x86_64"))]
        _ => apart_v1::<T, L>(task),
    }
}

// (With a feature that all of them have, since rustc would inline it otherwise, before LLVM sees that it is apart.)
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse2"))]
#[inline]
fn apart_v1<T: Task, const L: usize>(task: T) -> T::Out {
    task.run::<L>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt,f16c,fma")]
#[inline]
fn apart_v3<T: Task>(task: T) -> T::Out {
    task.run::<32>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt,f16c,fma")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn apart_v4<T: Task>(task: T) -> T::Out {
    task.run::<64>()
}

/// Work in small blocks, several of them in flight: a whole block where registers are few.
pub(crate) trait NarrowTask {
    type Out;
    /// Bytes of its largest scalar: with masks, a block is one vector of these.
    const WIDEST: usize;
    /// The body in one block at a time.
    fn run_whole<const L: usize>(self) -> Self::Out;
    /// The body in several blocks at once; `MASKS`: in registers for masks.
    ///
    /// # Safety
    /// With `MASKS` the processor has what `Level::V4` names.
    unsafe fn run_slots<const L: usize, const MASKS: bool>(self) -> Self::Out;
}

/// Runs a task at the current level.
#[inline]
pub(crate) fn dispatch_narrow<T: NarrowTask>(task: T) -> T::Out {
    match Level::current() {
        // SAFETY: `Level::current` is at most what `detect` found, which names these features.
        #[cfg(target_arch = "x86_64")]
        Level::V4 => unsafe { narrow_v4(task) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::V3 => unsafe { narrow_v3(task) },
        _ => narrow_v1(task),
    }
}

#[inline(never)]
fn narrow_v1<T: NarrowTask>(task: T) -> T::Out {
    task.run_whole::<16>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt,f16c,fma")]
#[inline(never)]
fn narrow_v3<T: NarrowTask>(task: T) -> T::Out {
    // Two vectors of four bytes a lane.
    // SAFETY: without masks.
    unsafe { task.run_slots::<16, false>() }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt,f16c,fma")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline(never)]
fn narrow_v4<T: NarrowTask>(task: T) -> T::Out {
    // SAFETY: this function is called at that level.
    unsafe {
        if const { T::WIDEST > 4 } {
            task.run_slots::<8, true>()
        } else {
            task.run_slots::<16, true>()
        }
    }
}

/// Work in tiles of vectors that stay in registers.
pub trait TileTask {
    /// What it gives.
    type Out;
    /// What the tiles are made of.
    type Scalar: Real;
    /// The body, in tiles of `R` rows, or `S`, of which there is room for three, of two vectors, which
    /// have `C` lanes; a block of the level has `LEVEL`. `R` is a multiple of `S`. Must be `#[inline(always)]`.
    fn run<
        V: Vector<Scalar = Self::Scalar>,
        const R: usize,
        const S: usize,
        const C: usize,
        const LEVEL: usize,
    >(
        self,
    ) -> Self::Out;
}

/// Runs a task at the current level, in tiles of as many rows as there are registers for.
#[inline]
pub(crate) fn dispatch_tiles<T: TileTask>(task: T) -> T::Out {
    match Level::current() {
        // SAFETY: `Level::current` is at most what `detect` found, which names these features.
        #[cfg(target_arch = "x86_64")]
        Level::V4 => unsafe { tiles_v4(task) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::V3 => unsafe { tiles_v3(task) },
        _ => tiles_v1(task),
    }
}

#[inline(never)]
fn tiles_v1<T: TileTask>(task: T) -> T::Out {
    T::Scalar::tiles_v1(task)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt,f16c,fma")]
#[inline(never)]
fn tiles_v3<T: TileTask>(task: T) -> T::Out {
    // SAFETY: this function is called at that level.
    unsafe { T::Scalar::tiles_v3(task) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt,f16c,fma")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline(never)]
fn tiles_v4<T: TileTask>(task: T) -> T::Out {
    // SAFETY: this function is called at that level.
    unsafe { T::Scalar::tiles_v4(task) }
}
