//! Arrays whose elements come out of loops that end at different times.
//!
//! In: a kernel whose body is one loop, in its parts. Out: one vector per component, as `write`
//! gives. Assumes: a lane whose loop has ended keeps its state when it is stepped again.
//!
//! Note \[Slots\]. A block of lanes waits for its slowest lane. So a thread keeps four small blocks
//! (slots) going, steps all of them a few times without looking, then looks which have no live lane
//! left: those are written out and start over with the next block. The four are independent, which
//! hides the latencies of the loop's chain of operations. How often it looks adapts: loops of few
//! trips are looked at after each, long ones after [`MOST_TRIPS`].

use core::hint::black_box;
use core::ops::Range;

use crate::error::Failure;
use crate::kernel::{Fast, Flag, Kernel, Product};
use crate::level::{NarrowTask, Task, dispatch_narrow};
use crate::product::Bases;
use crate::write::{Write, fill, write_scalars};

/// Trips of all slots between two looks at most.
const MOST_TRIPS: usize = 8;

/// A kernel whose body is a prologue, one loop and an epilogue. [`Kernel::block`] is the same
/// computation as a whole.
pub trait Looping: Kernel {
    /// Values of a block of lanes that live through the loop.
    type State<const L: usize>: Copy;
    /// What is before the loop, for the indices `start .. start + L`.
    fn enter<const L: usize, F: Flag>(&self, start: usize, flag: &mut F) -> Self::State<L>;
    /// One trip of every lane whose condition holds.
    fn step<const L: usize, F: Flag>(&self, start: usize, state: &mut Self::State<L>, flag: &mut F);
    /// Whether the condition holds in any lane.
    fn live<const L: usize, F: Flag>(
        &self,
        start: usize,
        state: &Self::State<L>,
        flag: &mut F,
    ) -> bool;
    /// What is after the loop.
    fn leave<const L: usize, F: Flag>(
        &self,
        start: usize,
        state: &Self::State<L>,
        out: <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    );
}

/// The values of `0..n`, in new vectors.
///
/// Cost: as [`write`](crate::write()); lanes wait for each other only within a quarter of a block.
/// Errors: the violated check of the lowest index; no memory.
pub fn write_loops<K: Looping>(kernel: &K, n: usize) -> Result<<K::Out as Product>::Vecs, Failure> {
    let mut vecs = K::Out::empty();
    K::Out::reserve(&mut vecs, n)?;
    let out = Bases::new(K::Out::bases(&mut vecs));
    fill(kernel, n, &|range, _stream| {
        dispatch_narrow(Loops { kernel, range, out })
    })?;
    // SAFETY: `reserve` made room for `n`, and `fill` without an error has written `0..n`.
    unsafe { K::Out::set_len(&mut vecs, n) };
    Ok(vecs)
}

struct Loops<'a, K: Kernel> {
    kernel: &'a K,
    range: Range<usize>,
    out: Bases<K::Out>,
}

impl<K: Looping> NarrowTask for Loops<'_, K> {
    /// Whether a check was violated.
    type Out = bool;

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
    fn run_slots<const L: usize>(self) -> bool {
        let blocks = self.range.len() / L;
        if blocks < 4 {
            return write_scalars(self.kernel, self.range, self.out);
        }
        let rest = self.range.start + blocks * L..self.range.end;
        let violated = self.slots::<L>(blocks);
        violated | write_scalars(self.kernel, rest, self.out)
    }
}

impl<K: Looping> Loops<'_, K> {
    /// See Note [Slots]. There are at least four blocks.
    #[inline(always)]
    fn slots<const L: usize>(&self, blocks: usize) -> bool {
        let kernel = self.kernel;
        let first = self.range.start;
        let mut flag = Fast::default();
        let mut starts = [first, first + L, first + 2 * L, first + 3 * L];
        let mut running = [true; 4];
        let mut s0 = kernel.enter::<L, Fast>(starts[0], &mut flag);
        let mut s1 = kernel.enter::<L, Fast>(starts[1], &mut flag);
        let mut s2 = kernel.enter::<L, Fast>(starts[2], &mut flag);
        let mut s3 = kernel.enter::<L, Fast>(starts[3], &mut flag);
        let (mut next, mut left, mut trips, mut done) = (4, blocks, 1, 0);
        while left > 0 && !flag.violated() {
            // An unknown number, or LLVM unrolls the trips and runs one slot after another.
            for _ in 0..black_box(trips) {
                kernel.step::<L, Fast>(starts[0], &mut s0, &mut flag);
                kernel.step::<L, Fast>(starts[1], &mut s1, &mut flag);
                kernel.step::<L, Fast>(starts[2], &mut s2, &mut flag);
                kernel.step::<L, Fast>(starts[3], &mut s3, &mut flag);
            }
            macro_rules! look {
                ($slot:literal, $state:ident) => {
                    let start = starts[$slot];
                    if running[$slot] && !kernel.live::<L, Fast>(start, &$state, &mut flag) {
                        self.finish::<L>(start, &$state, &mut flag);
                        left -= 1;
                        running[$slot] = next < blocks;
                        if next < blocks {
                            starts[$slot] = first + next * L;
                            $state = kernel.enter::<L, Fast>(starts[$slot], &mut flag);
                            next += 1;
                        }
                    }
                };
            }
            look!(0, s0);
            look!(1, s1);
            look!(2, s2);
            look!(3, s3);
            // Trips that a block has taken on average, of which one in eight may be in vain.
            done += 4 * trips;
            trips = (done / (blocks - left).max(1) / 8).clamp(1, MOST_TRIPS);
        }
        flag.violated()
    }

    #[inline(always)]
    fn finish<const L: usize>(&self, start: usize, state: &K::State<L>, flag: &mut Fast) {
        let mut lanes = K::Out::zero().splat::<L>();
        self.kernel
            .leave::<L, Fast>(start, state, K::Out::slots(&mut lanes), flag);
        // SAFETY: `start + L` is inside of the range that `fill` gave to this task alone.
        unsafe { K::Out::store(&lanes, self.out.get(), start, false) };
    }
}
