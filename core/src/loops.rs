//! Arrays whose elements come out of loops that end at different times.
//!
//! In: a kernel whose body is one loop, in its parts. Out: one array per component, as `write`
//! gives. Assumes: nothing of the state of a lane whose loop has ended.
//!
//! Note \[Slots\]. A block of lanes waits for its slowest lane. So a thread keeps several blocks of
//! one vector each (slots) going, steps all of them a few times without looking, then looks which
//! have no live lane left: those are written out and start over with the next block. The slots are
//! independent, which hides the latencies of the loop's chain of operations. How often it looks
//! adapts: loops of few trips are looked at after each, long ones after [`MOST_TRIPS`].
//!
//! Note \[Live lanes\]. Which lanes live is a mask beside the state, so that what nobody reads after
//! the loop goes on being computed without it: the mask stays out of the chain from trip to trip.
//! Where the processor has no registers for masks, that costs more than it saves; there every lane
//! keeps the state that ended its loop, and so ends again.
//! Where a counter bounds the loop, its lanes that live all hold the same count; then the count is
//! compared once per look instead of once per trip, and tells which lanes live.

use core::hint::black_box;
use core::ops::Range;

use crate::error::Failure;
use crate::kernel::{Fast, Flag, Kernel, Product};
use crate::level::{NarrowTask, Task, dispatch_narrow};
use crate::product::Bases;
use crate::write::{Write, fill, write_scalars};

/// Trips of all slots between two looks at most.
const MOST_TRIPS: usize = 10;

/// Numbers that the optimiser must not know. It would turn a masked addition of 1 into two
/// instructions, and a multiplication by 2 into an addition, of which loops have more than enough.
#[derive(Clone, Copy, Debug)]
pub struct Hidden {
    /// 1
    pub one: i64,
    /// 2.0
    pub two: f64,
}

impl Hidden {
    #[inline(always)]
    fn new() -> Self {
        Hidden {
            one: black_box(1),
            two: black_box(2.0),
        }
    }
}

/// A kernel whose body is a prologue, one loop and an epilogue. [`Kernel::block`] is the same
/// computation as a whole.
pub trait Looping: Kernel {
    /// Values of a block of lanes that live through the loop.
    type State<const L: usize>: Copy;
    /// Bytes of the largest scalar in the state.
    const WIDEST: usize;
    /// Whether anything is checked besides what [`fits`](Self::fits) looks at.
    const CHECKED: bool;
    /// Whether blocks of `L` lanes up to index `end` can [`enter`](Self::enter), and the checks that are the same for
    /// each index hold.
    fn fits<const L: usize>(&self, end: usize) -> bool;
    /// Trips after which every lane has left because of the loop's counter; `usize::MAX` where
    /// there is none. [`step`](Self::step) does not look at the counter.
    fn bound(&self) -> usize;
    /// What is before the loop, for the indices `start .. start + L`.
    fn enter<const L: usize, F: Flag>(&self, start: usize, flag: &mut F) -> Self::State<L>;
    /// Which lanes live, where the counter tells it: those that count `done` trips.
    fn live<const L: usize>(&self, state: &Self::State<L>, done: usize, live: &mut [bool; L]);
    /// One trip of the lanes that live and whose condition holds; the others live no more. With
    /// `KEEP` their state stays as it was, so that `live` need not be right before; without, that is
    /// so for what is used after the loop and for its counter only.
    fn step<const L: usize, const KEEP: bool, F: Flag>(
        &self,
        start: usize,
        state: &mut Self::State<L>,
        live: &mut [bool; L],
        hidden: Hidden,
        flag: &mut F,
    );
    /// What is after the loop.
    fn leave<const L: usize, F: Flag>(
        &self,
        start: usize,
        state: &Self::State<L>,
        out: <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    );
}

/// The values of `0..n`, straight into the caller's memory.
///
/// Cost: as [`write`](crate::write()); lanes wait for each other only within a vector.
/// Errors: as [`write_to`](crate::write_to).
pub fn write_loops_to<K: Looping>(
    kernel: &K,
    n: usize,
    mut outs: <K::Out as Product>::Outs<'_>,
) -> Result<(), Failure> {
    let out = Bases::new(K::Out::prepare(&mut outs, n)?);
    fill(kernel, n, &|range, _stream| {
        dispatch_narrow(Loops { kernel, range, out })
    })?;
    // SAFETY: `prepare` made room for `n`, and `fill` without an error has written `0..n`.
    unsafe { K::Out::finish(outs, n) };
    Ok(())
}

struct Loops<'a, K: Kernel> {
    kernel: &'a K,
    range: Range<usize>,
    out: Bases<K::Out>,
}

impl<K: Looping> NarrowTask for Loops<'_, K> {
    /// Whether a check was violated.
    type Out = bool;
    const WIDEST: usize = K::WIDEST;

    #[inline(always)]
    fn run_whole<const L: usize>(self) -> bool {
        let Loops { kernel, range, out } = self;
        Write {
            kernel,
            range,
            out,
            stream: false,
        }
        .run::<L>()
    }

    #[inline(always)]
    fn run_slots<const L: usize, const MASKS: bool>(self) -> bool {
        if !self.kernel.fits::<L>(self.range.end) {
            return self.run_whole::<L>();
        }
        let blocks = self.range.len() / L;
        if blocks == 0 {
            return write_scalars(self.kernel, self.range, self.out);
        }
        let rest = self.range.start + blocks * L..self.range.end;
        let violated = if MASKS {
            self.seven::<L>(blocks)
        } else {
            self.four::<L>(blocks)
        };
        violated | write_scalars(self.kernel, rest, self.out)
    }
}

/// A function that keeps some slots going: one local per state and per mask, since arrays of them
/// would live in memory. See Note [Slots]. There is at least one block.
macro_rules! slots {
    ($name:ident, $slots:literal, $keep:literal, $($at:literal $state:ident $live:ident),*) => {
        #[inline(always)]
        fn $name<const L: usize>(&self, blocks: usize) -> bool {
            let kernel = self.kernel;
            let (first, bound, hidden) = (self.range.start, kernel.bound(), Hidden::new());
            let start = |block: usize| block.wrapping_mul(L).wrapping_add(first);
            let mut flag = Fast::default();
            // Slots begin as if they had just ended a block past the last, which is not written.
            let idle = kernel.enter::<L, Fast>(first, &mut flag);
            $(let (mut $state, mut $live) = (idle, [false; L]);)*
            // Each slot's block, and the trips after which the counter ends it.
            let mut block = [usize::MAX; $slots];
            let mut left = [0; $slots];
            let (mut next, mut ended, mut pace) = (0, 0, 1);
            while ended < blocks && !(K::CHECKED && flag.violated()) {
                let mut trips = pace;
                $(trips = trips.min(left[$at]);)*
                $(kernel.live(&$state, bound - left[$at], &mut $live);)*
                for _ in 0..trips {
                    $(kernel.step::<L, $keep, Fast>(
                        start(block[$at]), &mut $state, &mut $live, hidden, &mut flag,
                    );)*
                }
                let before = next;
                $(
                    left[$at] -= trips;
                    // One branch: which of the two holds cannot be foreseen.
                    if (left[$at] == 0) | !any(&$live) {
                        if block[$at] < blocks {
                            self.finish::<L>(start(block[$at]), &$state, &mut flag);
                            ended += 1;
                        }
                        $state = kernel.enter::<L, Fast>(start(next.min(blocks - 1)), &mut flag);
                        $live = [true; L];
                        (block[$at], left[$at]) = (next, bound);
                        next += 1;
                    }
                )*
                pace = adapt(pace, next - before, $slots);
            }
            flag.violated()
        }
    };
}

/// Trips until the next look: more if no slot has ended in so many, fewer if all have. A division by
/// the number of blocks would do better, and take longer than a trip.
#[inline(always)]
fn adapt(pace: usize, ended: usize, slots: usize) -> usize {
    let more = pace << usize::from(ended == 0);
    (more >> usize::from(ended == slots)).clamp(1, MOST_TRIPS)
}

impl<K: Looping> Loops<'_, K> {
    slots!(seven, 7, false, 0 s0 l0, 1 s1 l1, 2 s2 l2, 3 s3 l3, 4 s4 l4, 5 s5 l5, 6 s6 l6);
    slots!(four, 4, true, 0 s0 l0, 1 s1 l1, 2 s2 l2, 3 s3 l3);

    #[inline(always)]
    fn finish<const L: usize>(&self, start: usize, state: &K::State<L>, flag: &mut Fast) {
        let mut lanes = K::Out::zero().splat::<L>();
        self.kernel
            .leave::<L, Fast>(start, state, K::Out::slots(&mut lanes), flag);
        // SAFETY: `start + L` is inside of the range that `fill` gave to this task alone.
        unsafe { K::Out::store(&lanes, self.out.get(), start, false) };
    }
}

/// Whether any lane lives.
#[inline(always)]
fn any<const L: usize>(live: &[bool; L]) -> bool {
    let mut any = 0;
    for lane in live {
        any |= u32::from(*lane);
    }
    any != 0
}
