//! Arrays whose elements come out of loops that end at different times.
//!
//! In: a kernel whose body is one loop, in its parts. Out: one array per component, as `write`
//! gives. Assumes: nothing of the state of a lane whose loop has ended.
//!
//! Note \[Slots\]. A block of lanes waits for its slowest lane. So a thread keeps several blocks of
//! one vector each (slots) going, steps all of them a few times without looking, then looks which
//! have no live lane left: those are written out and start over with the next block. The slots are
//! independent, which hides the latencies of the loop's chain of operations. How often it looks
//! adapts: loops of few trips are looked at after each; others soon after one has ended, since its
//! neighbours will too, and after `MOST_TRIPS` where none does.
//!
//! Note \[Live lanes\]. Which lanes live is a mask beside the state, so that what nobody reads after
//! the loop goes on being computed without it: the mask stays out of the chain from trip to trip.
//! From look to look it is a number (`masks.rs`): LLVM would make a byte per lane of it, twice a look.
//! Where the processor has no registers for masks, that costs more than it saves; there every lane
//! keeps the state that ended its loop, and so ends again. Who lives is found out of the last trip
//! before a look, slot by slot: masks that outlive all trips would take the registers of the state,
//! of which there are enough for two slots of two vectors.
//!
//! Note \[One clock\]. Where a counter bounds the loop, no trip compares it: a block ends when all
//! slots together have made as many trips since its start as the bound allows. That time is looked
//! at when the clock reaches the soonest of any slot's, up to which the trips between looks go. The
//! soonest is found again only then: a block that has started since ends later than those before.

use core::hint::black_box;
use core::ops::Range;

use crate::error::Failure;
use crate::kernel::{Fast, Flag, Kernel, Product};
use crate::level::{MAX_LANES, NarrowTask, Task, dispatch_narrow};
use crate::masks;
use crate::product::Bases;
use crate::write::{PerElement, Write, fill, write_scalars};

/// Trips of all slots between two looks at most.
const MOST_TRIPS: usize = 24;

/// Trips until the look after one at which a block had ended, at most.
const FEW_TRIPS: usize = 6;

/// Numbers that the optimiser must not know where there are registers for masks. It would turn a
/// masked addition of 1 into two instructions, and a multiplication by 2 into an addition, of which
/// loops have more than enough. Elsewhere both are welcome: a mask is subtracted from a count, and
/// what keeps state needs the pipes of multiplications.
#[derive(Clone, Copy, Debug)]
pub struct Hidden {
    /// 1
    pub one: i64,
    /// 2.0
    pub two: f64,
}

impl Hidden {
    #[cfg_attr(optimised, inline(always))]
    fn new<const KEEP: bool>() -> Self {
        match KEEP {
            true => Hidden { one: 1, two: 2.0 },
            false => Hidden {
                one: black_box(1),
                two: black_box(2.0),
            },
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
    /// One trip of the lanes that live and whose condition holds; the others live no more. With
    /// `KEEP` their state stays as it was, so that `live` need not be right before; without, that is
    /// so for what is used after the loop only; for all of it if the condition checks anything.
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
    let each = PerElement {
        step: step(n),
        cost: cost(K::COST, kernel.bound()),
        ends_early: true,
    };
    fill(kernel, n, each, &|range, _stream| {
        dispatch_narrow(Loops { kernel, range, out })
    })?;
    // SAFETY: `prepare` made room for `n`, and `fill` without an error has written `0..n`.
    unsafe { K::Out::finish(outs, n) };
    Ok(())
}

/// What an index costs: a kernel's `COST` counts [`TRIPS`] of its loop, but a counter may tell how many there are.
fn cost(known: u32, bound: usize) -> usize {
    match bound {
        usize::MAX => known as usize,
        trips => ((known as usize).saturating_mul(trips) / TRIPS).max(1),
    }
}

/// The trips of a loop that the compiler's estimate of a cost assumes.
const TRIPS: usize = 10;

/// How many of `n` indices a thread takes at least: one, of too few for a slot, which go one by one.
fn step(n: usize) -> usize {
    if n < SLOT { 1 } else { MAX_LANES }
}

/// The most lanes of a slot.
const SLOT: usize = 16;

struct Loops<'a, K: Kernel> {
    kernel: &'a K,
    range: Range<usize>,
    out: Bases<K::Out>,
}

impl<K: Looping> NarrowTask for Loops<'_, K> {
    /// Whether a check was violated.
    type Out = bool;
    const WIDEST: usize = K::WIDEST;

    #[cfg_attr(optimised, inline(always))]
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

    #[cfg_attr(optimised, inline(always))]
    unsafe fn run_slots<const L: usize, const MASKS: bool>(self) -> bool {
        if !self.kernel.fits::<L>(self.range.end) {
            return self.run_whole::<L>();
        }
        if self.range.len() < L {
            return write_scalars(self.kernel, self.range, self.out, 0).violated();
        }
        // SAFETY: with `MASKS` the processor has what the caller says.
        unsafe {
            match MASKS {
                true => self.seven::<L>(),
                false => self.two::<L>(),
            }
        }
    }
}

/// A function that keeps some slots going: one local per state and per mask, since arrays of them
/// would live in memory. See Note [Slots]. There is at least one block, the last of which may begin before the
/// one in front of it has ended: lanes by themselves would take as long one after the other as all of it
/// together. With `$keep`, `live` is 0 or 1.
///
/// Its safety: without `$keep` the processor has what `Level::V4` names.
macro_rules! slots {
    (
        $name:ident, $slots:literal, $keep:literal,
        $($at:literal $state:ident $live:ident $mask:ident),*
    ) => {
        #[cfg_attr(optimised, inline(always))]
        unsafe fn $name<const L: usize>(&self) -> bool {
            let kernel = self.kernel;
            let (first, bound, hidden) = (self.range.start, kernel.bound(), Hidden::new::<$keep>());
            let (blocks, last) = (self.range.len().div_ceil(L), self.range.end - L);
            let start = |block: usize| block.wrapping_mul(L).wrapping_add(first).min(last);
            let mut flag = Fast::default();
            // Slots begin as if they had just ended a block past the last, which is not written.
            let idle = kernel.enter::<L, Fast>(first, &mut flag);
            $(let (mut $state, mut $live) = (idle, 0);)*
            // Each slot's block, and when the counter ends it. See Note [One clock].
            let mut block = [usize::MAX; $slots];
            let mut until = [0; $slots];
            let (mut clock, mut soonest) = (0_usize, 0);
            let (mut next, mut ended, mut pace) = (0, 0, 1);
            while ended < blocks && !(K::CHECKED && flag.violated()) {
                let trips = pace.min(soonest - clock);
                if $keep {
                    for _ in 1..trips {
                        $(kernel.step::<L, $keep, Fast>(
                            start(block[$at]), &mut $state, &mut [true; L], hidden, &mut flag,
                        );)*
                    }
                    if trips > 0 {
                        $(
                            let mut $mask = [true; L];
                            kernel.step::<L, $keep, Fast>(
                                start(block[$at]), &mut $state, &mut $mask, hidden, &mut flag,
                            );
                            $live = u16::from(any(&$mask));
                        )*
                    }
                } else {
                    // SAFETY: as this function.
                    $(let mut $mask = unsafe { masks::lanes::<L>($live) };)*
                    for _ in 0..trips {
                        $(kernel.step::<L, $keep, Fast>(
                            start(block[$at]), &mut $state, &mut $mask, hidden, &mut flag,
                        );)*
                    }
                    // SAFETY: as this function.
                    $($live = unsafe { masks::bits::<L>(&$mask) };)*
                }
                clock += trips;
                let end = bound.saturating_add(clock);
                if clock == soonest {
                    soonest = end;
                    $(if until[$at] == clock {
                        $live = 0;
                    } else {
                        soonest = soonest.min(until[$at]);
                    })*
                }
                let before = next;
                $(
                    if $live == 0 {
                        if block[$at] < blocks {
                            self.finish::<L>(start(block[$at]), &$state, &mut flag);
                            ended += 1;
                        }
                        $state = kernel.enter::<L, Fast>(start(next.min(blocks - 1)), &mut flag);
                        ($live, block[$at], until[$at]) = (u16::MAX, next, end);
                        next += 1;
                    }
                )*
                pace = adapt(pace, next - before, $slots);
            }
            flag.violated()
        }
    };
}

/// Trips until the next look, after one at which so many slots have ended.
#[cfg_attr(optimised, inline(always))]
fn adapt(pace: usize, ended: usize, slots: usize) -> usize {
    if ended == 0 {
        (2 * pace).min(MOST_TRIPS)
    } else if ended < slots {
        pace.min(FEW_TRIPS)
    } else {
        (pace / 2).max(1)
    }
}

impl<K: Looping> Loops<'_, K> {
    slots!(seven, 7, false, 0 s0 l0 m0, 1 s1 l1 m1, 2 s2 l2 m2, 3 s3 l3 m3, 4 s4 l4 m4, 5 s5 l5 m5, 6 s6 l6 m6);
    slots!(two, 2, true, 0 s0 l0 m0, 1 s1 l1 m1);

    #[cfg_attr(optimised, inline(always))]
    fn finish<const L: usize>(&self, start: usize, state: &K::State<L>, flag: &mut Fast) {
        let mut lanes = K::Out::zero().splat::<L>();
        self.kernel
            .leave::<L, Fast>(start, state, K::Out::slots(&mut lanes), flag);
        // SAFETY: `start + L` is inside of the range that `fill` gave to this task alone.
        unsafe { K::Out::store(&lanes, self.out.get(), start, false) };
    }
}

/// Whether any lane lives.
#[cfg_attr(optimised, inline(always))]
fn any<const L: usize>(live: &[bool; L]) -> bool {
    if let Ok(live) = <&[bool; 16]>::try_from(&live[..]) {
        // SAFETY: sixteen lanes are those of the baseline.
        return unsafe { masks::word(live) } != 0;
    }
    let mut any = 0;
    for lane in live {
        any |= u32::from(*lane);
    }
    any != 0
}

#[cfg(test)]
mod tests {
    use super::{TRIPS, cost};

    #[test]
    fn an_index_costs_what_its_trips_do() {
        assert_eq!(cost(52, usize::MAX), 52);
        assert_eq!(cost(52, 10), 52);
        assert_eq!(cost(52, 0), 1);
        assert_eq!(cost(52, 1_000_000), 5_200_000);
        assert_eq!(cost(52, usize::MAX - 1), usize::MAX / TRIPS);
    }
}
