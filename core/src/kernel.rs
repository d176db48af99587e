//! The contract between emitted code and the skeletons.
//!
//! In: nothing. Out: the traits that the compiler's `emit::rust` implements for every kernel and
//! that the skeletons (`write`, `reduce`, `scan`, `fold`, `scatter`) drive.
//! Assumes: emitted code is safe Rust; everything that soundness needs is checked on this side.

/// Lanes of the strided accumulators of a recognised (commutative) reduction.
///
/// Part of the language's meaning: element `i` of a chunk goes to lane `i % LANES`, so the bits of
/// a float sum depend on positions alone.
pub const LANES: usize = 64;

/// Elements of one chunk, the unit of the fixed combination order (the same for every type, level
/// and thread count). Chunk `c` holds the elements `c * CHUNK ..`.
pub const CHUNK: usize = 16384;

use core::ops::Range;

use crate::error::Failure;
pub use crate::flag::{Fast, Flag, Report};
use crate::overhang::PART;

/// What may be an element of an array at the border or inside.
pub trait Element: Copy + Default + Send + Sync + 'static {}
impl<T: Copy + Default + Send + Sync + 'static> Element for T {}

/// A product of element types: `(A,)`, `(A, B)`, … to 12 (implemented in `product.rs`), or
/// a product of products (`wide/`).
///
/// `Slots<'a, L>` is a product of `&'a mut [A; L]`: what a block writes. Sealed: the skeletons send
/// its addresses to other threads.
pub trait Product: crate::product::Sealed + Copy + Send + Sync + 'static {
    /// The type of the first component.
    type First: Element;
    /// One mutable block of `L` lanes per component.
    type Slots<'a, const L: usize>;
    /// One owned block of `L` lanes per component.
    type Lanes<const L: usize>: Copy;
    /// One vector per component.
    type Vecs: Send + Sync;
    /// One [`ArrayOut`](crate::ArrayOut) per component: where results go.
    type Outs<'a>: Send + Sync;
    /// One array of a nest's body per component.
    type Locals<'a, 'n: 'a>;
    /// One mutable slice per component.
    type Slices<'a>: Send;
    /// One base address per component.
    #[doc(hidden)]
    type Bases: Copy;

    /// Each component's `Default`.
    #[doc(hidden)]
    fn zero() -> Self;
    /// `L` copies.
    #[doc(hidden)]
    fn splat<const L: usize>(self) -> Self::Lanes<L>;
    /// All lanes, to be written by a block.
    #[doc(hidden)]
    fn slots<const L: usize>(lanes: &mut Self::Lanes<L>) -> Self::Slots<'_, L>;
    /// `L` of the lanes, from the `first` on, to be written by a block.
    ///
    /// # Panics
    /// When there are fewer lanes.
    #[doc(hidden)]
    fn slots_from<const W: usize, const L: usize>(
        lanes: &mut Self::Lanes<W>,
        first: usize,
    ) -> Self::Slots<'_, L>;
    /// Lane `l`.
    #[doc(hidden)]
    fn get<const L: usize>(lanes: &Self::Lanes<L>, l: usize) -> Self;
    /// Replaces lane `l`.
    #[doc(hidden)]
    fn set<const L: usize>(lanes: &mut Self::Lanes<L>, l: usize, value: Self);
    /// `L` of the lanes, from the `first` on, as they lie in registers.
    ///
    /// # Panics
    /// When there are fewer lanes.
    #[doc(hidden)]
    fn whole<const W: usize, const L: usize>(
        lanes: &Self::Lanes<W>,
        first: usize,
    ) -> Self::Lanes<L>;
    /// Replaces the lanes from the `first` on, as they lie in registers.
    ///
    /// # Panics
    /// When there are fewer.
    #[doc(hidden)]
    fn put_whole<const W: usize, const L: usize>(
        lanes: &Self::Lanes<L>,
        to: &mut Self::Lanes<W>,
        first: usize,
    );
    /// The first component's lanes.
    #[doc(hidden)]
    fn firsts<const L: usize>(lanes: &Self::Lanes<L>) -> &[Self::First; L];
    /// The same, to be written.
    #[doc(hidden)]
    fn firsts_mut<const L: usize>(lanes: &mut Self::Lanes<L>) -> &mut [Self::First; L];
    /// One empty vector per component.
    #[doc(hidden)]
    fn empty() -> Self::Vecs;
    /// Empties the vectors and makes room for `n` elements in each.
    #[doc(hidden)]
    fn reserve(vecs: &mut Self::Vecs, n: usize) -> Result<(), Failure>;
    /// Where the vectors' elements are.
    #[doc(hidden)]
    fn bases(vecs: &mut Self::Vecs) -> Self::Bases;
    /// Where the slices' elements are; `None` unless every slice has `n` of them.
    #[doc(hidden)]
    fn slice_bases(slices: &mut Self::Slices<'_>, n: usize) -> Option<Self::Bases>;
    /// The slices' length; the shortest one's if they differ.
    #[doc(hidden)]
    fn shortest(slices: &Self::Slices<'_>) -> usize;
    /// Writes each component at the index of its slice; out of range, writes nothing.
    #[doc(hidden)]
    fn place_at(self, slices: &mut Self::Slices<'_>, at: usize);
    /// Declares `n` elements of each vector written.
    ///
    /// # Safety
    /// `reserve(vecs, n)` succeeded, and each of the first `n` elements has been written since.
    #[doc(hidden)]
    unsafe fn set_len(vecs: &mut Self::Vecs, n: usize);
    /// The vectors as places for results.
    #[doc(hidden)]
    fn outs(vecs: &mut Self::Vecs) -> Self::Outs<'_>;
    /// Makes room for `n` elements in each place, and says where they go.
    #[doc(hidden)]
    fn prepare(outs: &mut Self::Outs<'_>, n: usize) -> Result<Self::Bases, Failure>;
    /// Where elements go for which each place has room, of `n` at most, before it is known how many
    /// there will be; and how many these are.
    #[doc(hidden)]
    fn at_hand(outs: &mut Self::Outs<'_>, n: usize) -> (Self::Bases, usize);
    /// Whether one of the places is a slice, which has no room for more than are to be there at last.
    #[doc(hidden)]
    fn has_slice(outs: &Self::Outs<'_>) -> bool;
    /// Declares `n` elements of each place written.
    ///
    /// # Safety
    /// `prepare(outs, n)` succeeded, and each of the first `n` elements has been written since.
    #[doc(hidden)]
    unsafe fn finish(outs: Self::Outs<'_>, n: usize);
    /// As [`finish`](Self::finish), of more for which there was room.
    ///
    /// # Safety
    /// As for `finish`.
    #[doc(hidden)]
    unsafe fn finish_few(outs: Self::Outs<'_>, n: usize);
    /// Makes room for `n` elements in each array of a body, and says where they go.
    #[doc(hidden)]
    fn own(locals: &mut Self::Locals<'_, '_>, n: usize) -> Result<Self::Bases, Failure>;
    /// Declares `n` elements of each written, and others behind them, `written` in all.
    ///
    /// # Safety
    /// `own` has succeeded for `written` or more, and each of these has been written since; they are
    /// not fewer than `n`.
    #[doc(hidden)]
    unsafe fn fill(locals: Self::Locals<'_, '_>, n: usize, written: usize);
    /// Copies the elements of a range to where these of the other are.
    ///
    /// # Safety
    /// `from` is valid for reads of these elements, all of which are there, and `to` for writes, which
    /// no other thread accesses meanwhile; they do not overlap.
    #[doc(hidden)]
    unsafe fn copy_range(from: Self::Bases, to: Self::Bases, range: Range<usize>);
    /// Writes all lanes to the elements `at .. at + L`; `stream` goes round the caches.
    ///
    /// # Safety
    /// `bases` are valid for writes of these elements, which no other thread accesses meanwhile; with
    /// `stream`, the processor has what a level of `L` lanes names.
    #[doc(hidden)]
    unsafe fn store<const L: usize>(
        lanes: &Self::Lanes<L>,
        bases: Self::Bases,
        at: usize,
        stream: bool,
    );
    /// As [`store`](Self::store) of a tile's row: `N` lanes, at a level of `L`.
    ///
    /// # Safety
    /// As for `store`.
    #[doc(hidden)]
    unsafe fn store_tile<const N: usize, const L: usize>(
        lanes: &Self::Lanes<N>,
        bases: Self::Bases,
        at: usize,
        stream: bool,
    );
    /// Writes `count` lanes, from the `first`, to the elements from `at` on.
    ///
    /// # Safety
    /// As for `store`.
    ///
    /// # Panics
    /// When there are fewer lanes.
    #[doc(hidden)]
    unsafe fn store_from<const L: usize>(
        lanes: &Self::Lanes<L>,
        first: usize,
        bases: Self::Bases,
        at: usize,
        count: usize,
    );
    /// Writes the first `count` lanes to the elements from `at` on, by instructions that a level of `L`
    /// lanes has.
    ///
    /// # Safety
    /// As for `store`.
    ///
    /// # Panics
    /// When there are fewer lanes.
    #[doc(hidden)]
    unsafe fn store_part<const L: usize>(
        lanes: &Self::Lanes<PART>,
        bases: Self::Bases,
        at: usize,
        count: usize,
    );
    /// Writes the lanes whose flag is set from `at` on, and anything behind them; gives how many they are.
    ///
    /// # Safety
    /// There is room for all lanes, which no other thread accesses meanwhile; the processor has what a
    /// level of `L` lanes names.
    #[doc(hidden)]
    unsafe fn store_kept<const L: usize>(
        lanes: &Self::Lanes<L>,
        flags: &[bool; L],
        bases: Self::Bases,
        at: usize,
    ) -> usize;
    /// As `store_kept`, of the first `count` of a few lanes.
    ///
    /// # Safety
    /// As for `store_kept`.
    #[doc(hidden)]
    unsafe fn store_few_kept<const L: usize>(
        lanes: &Self::Lanes<PART>,
        flags: (&[bool; PART], usize),
        bases: Self::Bases,
        at: usize,
    ) -> usize;
    /// Reads `count` elements, from `at` on, into the lanes from `first` on.
    ///
    /// # Safety
    /// They have been written, and no other thread writes them meanwhile.
    ///
    /// # Panics
    /// When there are fewer lanes.
    #[doc(hidden)]
    unsafe fn fetch_at<const L: usize>(
        lanes: &mut Self::Lanes<L>,
        first: usize,
        bases: Self::Bases,
        at: usize,
        count: usize,
    );
    /// The bytes of one element of each.
    #[doc(hidden)]
    const BYTES: usize;
    /// Elements by which the first component's address `at` misses a cache line.
    #[doc(hidden)]
    fn misses_line(bases: Self::Bases, at: usize) -> usize;
    /// Where the lanes are.
    #[doc(hidden)]
    fn lane_bases<const L: usize>(lanes: &mut Self::Lanes<L>) -> Self::Bases;
    /// The same of lanes that may not be there yet.
    ///
    /// # Safety
    /// There is memory for them.
    #[doc(hidden)]
    unsafe fn room_bases<const L: usize>(room: *mut Self::Lanes<L>) -> Self::Bases;
    /// The first component's address.
    #[doc(hidden)]
    fn first(bases: Self::Bases) -> *mut u8;
    /// Reads the element `at`.
    ///
    /// # Safety
    /// It has been written, and no other thread writes it meanwhile.
    #[doc(hidden)]
    unsafe fn read(bases: Self::Bases, at: usize) -> Self;
    /// Writes the element `at`.
    ///
    /// # Safety
    /// As for `store`.
    #[doc(hidden)]
    unsafe fn put(self, bases: Self::Bases, at: usize);
    /// The addresses of the elements from `at` on.
    ///
    /// # Safety
    /// `bases` have at least `at` elements.
    #[doc(hidden)]
    unsafe fn advance(bases: Self::Bases, at: usize) -> Self::Bases;
}

/// One fused loop: a body over an index space `0..n` that yields a product per index.
pub trait Kernel: Sync {
    /// What the body yields per index.
    type Out: Product;
    /// Estimated scalar operations per index (memory reads count 1, `exp` about 20), for the
    /// decision whether a call is worth other threads.
    const COST: u32;
    /// Whether the body (or the operator or step that goes with it) ever calls [`Flag::check`];
    /// `false` spares rustc the cold re-run.
    const CHECKS: bool = true;
    /// Whether the body reads arrays at indices that it computes.
    const GATHERS: bool = false;
    /// Whether a block may reach over the end of the indices, where its flag says that it does: then
    /// it reads the nearest elements for those outside of arrays, and values behind the end are any.
    /// Never with [`CHECKS`](Self::CHECKS).
    const OVERHANGS: bool = false;
    /// Whether the values' first component is the elements of an array, one after another: then there is
    /// [`lies`](Self::lies).
    const LIES: bool = false;
    /// Whether they are likely to be in the caches, since the body of a nest has made them, or reads them
    /// once more, when it mostly asks for the next index's.
    const NEAR: bool = false;
    /// These elements, from that of index 0 on.
    #[cfg_attr(optimised, inline(always))]
    fn lies(&self) -> &[<Self::Out as Product>::First] {
        unreachable!("`LIES` says that there are none");
    }
    /// Whether the values' first component is the elements of two arrays, one behind the other: then there is
    /// [`joins`](Self::joins).
    const JOINS: bool = false;
    /// These elements, of the first `n` indices.
    #[cfg_attr(optimised, inline(always))]
    fn joins(&self, _n: usize) -> [&[<Self::Out as Product>::First]; 2] {
        unreachable!("`JOINS` says that they are not")
    }
    /// Computes the indices `start .. start + L` into `out`. Emitted with `#[inline(always)]`.
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    );
}

/// Lanes of a block of those that a level has: half as many where a body gathers and its values are
/// long, since LLVM reads all elements first, and would keep what it read of more of them in memory.
pub(crate) const fn lanes_of<K: Kernel>(lanes: usize) -> usize {
    match K::GATHERS && K::Out::BYTES >= 8 && lanes > 32 {
        true => 32,
        false => lanes,
    }
}

/// The operators that the skeletons know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operator {
    /// `+` of floats, or wrapping `+` of integers, without checks.
    Add,
    /// `min` of numbers, or what gives the least and its place.
    Least,
    /// `max` of numbers, or what gives the greatest and its place.
    Greatest,
    /// Any other.
    Other,
}

/// The lanes in which conditions are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tally {
    /// Of a byte.
    Bytes,
    /// Of four bytes.
    Words,
    /// Of eight bytes.
    Longs,
}

/// A kernel whose values are combined by an associative operator.
pub trait Combine: Kernel {
    /// The operator is one of `+ * min max & | ^` per component, or otherwise known commutative:
    /// lanes are strided accumulators that start at `neutral`. Otherwise values are combined
    /// strictly left to right inside a chunk, starting with the chunk's first element, and
    /// `neutral` is never called.
    const COMMUTATIVE: bool;
    /// Which operator `combine` is, if the skeletons have code of their own for it. May be given
    /// for kernels with one component, and for those that find ([`FINDS`](Self::FINDS)).
    const OPERATOR: Operator = Operator::Other;
    /// Whether values need not be computed as written: those of a whole block of a level's lanes are made
    /// by operations that only so many lanes show the level to have.
    const FAST: bool = false;
    /// The operator's own neutral element (`-0.0` for a float `+`), not the user's `init`: combined
    /// with it from the right, it itself and what `combine` gave keep their bits.
    fn neutral(&self) -> Self::Out;
    /// The operator. Emitted with `#[inline(always)]`.
    fn combine<F: Flag>(&self, a: Self::Out, b: Self::Out, flag: &mut F) -> Self::Out;
    /// Whether there is [`roughly`](Self::roughly), and what goes with it.
    const ROUGH: bool = false;
    /// Where accumulators of [`roughly`](Self::roughly) start.
    #[cfg_attr(optimised, inline(always))]
    fn rough_start(&self) -> Self::Out {
        unreachable!("`ROUGH` says that there is none");
    }
    /// As [`combine`](Self::combine), in fewer operations: a total is right if it
    /// [is sure](Self::is_sure). Emitted with `#[inline(always)]`.
    #[cfg_attr(optimised, inline(always))]
    fn roughly(&self, _a: Self::Out, _b: Self::Out) -> Self::Out {
        unreachable!("`ROUGH` says that there is none");
    }
    /// Whether a total of [`roughly`](Self::roughly) is that of [`combine`](Self::combine).
    #[cfg_attr(optimised, inline(always))]
    fn is_sure(&self, _total: Self::Out) -> bool {
        unreachable!("`ROUGH` says that there is none");
    }
    /// Whether a value is a number and its index, and the operator gives that whose number is first in an
    /// order, or else whose index is less. [`roughly`](Self::roughly) then combines numbers alone.
    const FINDS: bool = false;
    /// The value at an index that has the number of a total.
    #[cfg_attr(optimised, inline(always))]
    fn found(&self, _total: Self::Out, _index: usize) -> Self::Out {
        unreachable!("`FINDS` says that there is none");
    }
    /// Whether a value has the number of a total of [`roughly`](Self::roughly), which
    /// [is sure](Self::is_sure).
    #[cfg_attr(optimised, inline(always))]
    fn is_found(&self, _total: Self::Out, _x: Self::Out) -> bool {
        unreachable!("`FINDS` says that there is none");
    }
    /// Whether there is [`accumulate`](Self::accumulate).
    const FUSES: bool = false;
    /// Combines the values of the indices `start .. start + L` with what is in `out`, on the left,
    /// lane by lane, without rounding them first. Emitted with `#[inline(always)]` for sums of
    /// products that need not be computed as written.
    #[cfg_attr(optimised, inline(always))]
    fn accumulate<const L: usize, F: Flag>(
        &self,
        _start: usize,
        _out: <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        unreachable!("`FUSES` says that there is none");
    }
    /// Whether the values are conditions as integers, which are added up: then there are
    /// [`holds`](Self::holds) and [`number`](Self::number).
    const TELLS: bool = false;
    /// In which lanes conditions are counted, if there is a function for it.
    const TALLY: Tally = Tally::Bytes;
    /// Counts, lane by lane, the conditions of the indices `start .. start + L` that hold, for [`Tally::Longs`].
    /// Emitted with `#[inline(always)]`.
    #[cfg_attr(optimised, inline(always))]
    fn tally<const L: usize, F: Flag>(&self, _start: usize, _counts: &mut [u64; L], _flag: &mut F) {
        unreachable!("`TALLY` says that there is none");
    }
    /// The same for [`Tally::Words`].
    #[cfg_attr(optimised, inline(always))]
    fn tally_words<const L: usize, F: Flag>(
        &self,
        _start: usize,
        _counts: &mut [u32; L],
        _flag: &mut F,
    ) {
        unreachable!("`TALLY` says that there is none");
    }
    /// Whether a value is its index where a condition holds, and else `usize::MAX`, of which the least is
    /// wanted, and there are no checks: then there are these and [`index`](Self::index).
    const SEEKS: bool = false;
    /// Whether [`holds`](Self::holds) is made for three vectors at a time where it is asked for 96 lanes, which
    /// the level of 32 lanes may be.
    const IN_THREES: bool = false;
    /// The conditions of the indices `start .. start + L`, as [`Kernel::block`] gives values. Emitted with `#[inline(always)]`.
    #[cfg_attr(optimised, inline(always))]
    fn holds<const L: usize, F: Flag>(&self, _start: usize, _out: &mut [bool; L], _flag: &mut F) {
        unreachable!("`TELLS` and `SEEKS` say that there is none");
    }
    /// Whether [`holds`](Self::holds) wants what [`may_hold`](Self::may_hold) says as well, which takes less.
    const IN_PARTS: bool = false;
    /// A part of the conditions that all must hold: where it gives `false`, `holds` does. Emitted with `#[inline(always)]`.
    #[cfg_attr(optimised, inline(always))]
    fn may_hold<const L: usize, F: Flag>(
        &self,
        _start: usize,
        _out: &mut [bool; L],
        _flag: &mut F,
    ) {
        unreachable!("`IN_PARTS` says that there is none");
    }
    /// A count, or an index, as a value.
    #[cfg_attr(optimised, inline(always))]
    fn number(&self, _count: usize) -> Self::Out {
        unreachable!("`TELLS` and `SEEKS` say that there is none");
    }
    /// A value as an index.
    #[cfg_attr(optimised, inline(always))]
    fn index(&self, _value: Self::Out) -> usize {
        unreachable!("`SEEKS` says that there is none");
    }
    /// Whether there is [`accumulate_rounds`](Self::accumulate_rounds).
    const COUNTS: bool = false;
    /// Combines the values of `rounds` blocks of `L` indices, from `start` on and [`LANES`] apart, with what is
    /// in `out`; whether it has, for it cannot where floats count no longer. Emitted with `#[inline(always)]` for
    /// sums of what is made of the index as a float, which is counted in registers from block to block.
    #[inline(always)]
    fn accumulate_rounds<const L: usize, F: Flag>(
        &self,
        _start: usize,
        _rounds: usize,
        _out: <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) -> bool {
        unreachable!("`COUNTS` says that there is none");
    }
}

/// A kernel whose values are folded left to right, sequentially.
pub trait Fold: Kernel {
    /// The accumulator.
    type Acc: Copy + Send;
    /// One step. Emitted with `#[inline(always)]`.
    fn step<F: Flag>(&self, acc: Self::Acc, x: Self::Out, flag: &mut F) -> Self::Acc;
}
