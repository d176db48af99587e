//! Prefix sums of whole blocks for the common types, in vector registers.
//!
//! In: blocks of values and the carry into them. Out: their prefixes, the carry behind them.
//! Assumes: what `scan.rs` says about blocks. Compilers make scalar code of a block's steps, five
//! times slower; these functions are the same steps, the same bits, by hand, for AVX2 and AVX-512.

use crate::kernel::Product;
use crate::memory::LINE;

/// The carry into a block, in each lane of a vector.
#[repr(C, align(64))]
pub(crate) struct Carry([u8; 64]);

impl Carry {
    /// Of a product for which there are [`prefixes`].
    #[inline(always)]
    pub(crate) fn new<P: Product>(carry: P) -> Self {
        let mut all = Carry([0; 64]);
        let mut one = carry.splat::<1>();
        let from = P::first(P::lane_bases(&mut one));
        for to in all.0.chunks_exact_mut(P::BYTES) {
            // SAFETY: the product is one number of `P::BYTES` bytes, none of them padding.
            unsafe { from.copy_to_nonoverlapping(to.as_mut_ptr(), P::BYTES) };
        }
        all
    }

    /// The carry itself.
    #[inline(always)]
    pub(crate) fn get<P: Product>(&self) -> P {
        let mut one = P::zero().splat::<1>();
        let to = P::first(P::lane_bases(&mut one));
        // SAFETY: the product is one number of `P::BYTES` bytes, which any bytes are.
        unsafe { self.0.as_ptr().copy_to_nonoverlapping(to, P::BYTES) };
        P::get(&one, 0)
    }
}

/// Whole cache lines made of vectors that begin in the middle of them.
#[repr(C, align(64))]
pub(crate) struct Lines {
    /// For each four bytes of a line, where they are in the vector before and the next one.
    index: [u32; LINE / 4],
    /// The vector before.
    before: [u8; LINE],
}

impl Lines {
    /// Whose first `held` elements are the last of the line of elements at `before`.
    ///
    /// # Safety
    /// There is a line of them, of at most `held`, numbers of at least four bytes.
    #[inline(always)]
    pub(crate) unsafe fn new<P: Product>(held: usize, before: *const u8) -> Self {
        let first = (LINE - held * P::BYTES) / 4;
        let mut lines = Lines {
            index: core::array::from_fn(|l| (first + l) as u32),
            before: [0; LINE],
        };
        // SAFETY: the caller promises a line.
        unsafe { before.copy_to_nonoverlapping(lines.before.as_mut_ptr(), LINE) };
        lines
    }

    /// Writes the `held` elements.
    ///
    /// # Safety
    /// There is room for them, fewer than a line.
    #[inline(always)]
    pub(crate) unsafe fn put_held<P: Product>(&self, held: usize, to: *mut u8) {
        let bytes = held * P::BYTES;
        // SAFETY: the caller promises the room, and that a line holds so many.
        unsafe {
            let from = self.before.as_ptr().add(LINE - bytes);
            from.copy_to_nonoverlapping(to, bytes);
        }
    }
}

/// Whether there are [`prefixes`] of this product at the level with `L` lanes.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn known<P: Product, const L: usize>() -> bool {
    false
}

/// Never called.
///
/// # Safety
/// See `known`.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) unsafe fn prefixes<P: Product, const L: usize>(
    _from: *const u8,
    _to: *mut u8,
    _blocks: usize,
    _carry: &mut Carry,
) {
}

/// Whether there are [`lines`] at the level with `L` lanes.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) const fn has_lines<const L: usize>() -> bool {
    false
}

/// Never called.
///
/// # Safety
/// See `has_lines`.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) unsafe fn lines<P: Product>(
    _from: *const u8,
    _to: *mut u8,
    _blocks: usize,
    _carry: &mut Carry,
    _lines: &mut Lines,
) {
}

/// Whether there are [`halves`] at the level with `L` lanes, for what begins at `to`.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn has_halves<const L: usize>(_to: *mut u8) -> bool {
    false
}

/// Never called.
///
/// # Safety
/// See `has_halves`.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) unsafe fn halves<P: Product>(
    _from: *const u8,
    _to: *mut u8,
    _blocks: usize,
    _carry: &mut Carry,
) {
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{halves, has_halves, has_lines, known, lines, prefixes};

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod x86;
