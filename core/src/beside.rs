//! Blocks of a row beside another block of it, made of that one in registers.
//!
//! In: a block of lanes, and the one that lies one element before or after it. Out: the latter.
//! Assumes: that they lie so; else the values depend on the feature level.
//!
//! A vector whose elements lie on both sides of a cache line's start costs two loads. Neighbours to
//! the left and right of what is read anyway are mostly such vectors, while all but one of their
//! elements are in registers already. The one is loaded alone.

#[cfg(target_arch = "x86_64")]
use core::arch::{asm, x86_64::*};
#[cfg(target_arch = "x86_64")]
use core::mem::MaybeUninit;

use crate::error::Failure;
use crate::kernel::{Element, Fast, Flag};
#[cfg(target_arch = "x86_64")]
use crate::memory::is_numbers;

/// `there`, which lies one element before `here` in a row.
#[inline(always)]
pub fn before<T: Element, const L: usize, F: Flag>(
    here: &[T; L],
    there: &[T; L],
    flag: &F,
) -> [T; L] {
    #[cfg(target_arch = "x86_64")]
    if let Some(moves) = flag.moves()
        && fits::<T, L>()
    {
        return moves.moved::<T, L, true>(here, there);
    }
    let _ = (here, flag);
    *there
}

/// `there`, which lies one element after `here` in a row.
#[inline(always)]
pub fn after<T: Element, const L: usize, F: Flag>(
    here: &[T; L],
    there: &[T; L],
    flag: &F,
) -> [T; L] {
    #[cfg(target_arch = "x86_64")]
    if let Some(moves) = flag.moves()
        && fits::<T, L>()
    {
        return moves.moved::<T, L, false>(here, there);
    }
    let _ = (here, flag);
    *there
}

/// The bytes of a vector of the highest level, and of a cache line.
#[cfg(target_arch = "x86_64")]
const VECTOR: usize = 64;

/// Whether a block is whole vectors of elements that instructions can move.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn fits<T: Element, const L: usize>() -> bool {
    matches!(size_of::<T>(), 4 | 8)
        && is_numbers::<T>()
        && size_of::<[T; L]>().is_multiple_of(VECTOR)
}

/// The evidence that the processor has the instructions that move elements within vectors.
#[derive(Clone, Copy, Debug)]
pub struct Moves(());

impl Moves {
    /// # Safety
    /// The processor has what `Level::V4` names.
    #[inline(always)]
    pub(crate) unsafe fn new() -> Moves {
        Moves(())
    }

    /// The block one element before `here` or after it, of which the element that is not in `here`
    /// is taken from `there`.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn moved<T: Element, const L: usize, const BEFORE: bool>(
        self,
        here: &[T; L],
        there: &[T; L],
    ) -> [T; L] {
        let mut out = MaybeUninit::<[T; L]>::uninit();
        let new = if BEFORE { &there[0] } else { &there[L - 1] };
        let (from, new, to) = (
            here.as_ptr().cast(),
            (&raw const *new).cast(),
            out.as_mut_ptr(),
        );
        let vectors = size_of::<[T; L]>() / VECTOR;
        // SAFETY: `self` says that the processor has the instructions; `fits`, which has been asked,
        // that these are so many vectors of numbers of this size.
        unsafe {
            match size_of::<T>() {
                4 => moved_words::<BEFORE>(from, new, to.cast(), vectors),
                _eight => moved_pairs::<BEFORE>(from, new.cast(), to.cast(), vectors),
            }
            out.assume_init()
        }
    }
}

/// The flag of blocks that move elements within vectors.
pub(crate) struct Moving {
    pub(crate) flag: Fast,
    moves: Moves,
}

impl Moving {
    /// # Safety
    /// The processor has what the highest level names.
    #[inline(always)]
    pub(crate) unsafe fn new(flag: Fast) -> Moving {
        // SAFETY: promised by the caller.
        let moves = unsafe { Moves::new() };
        Moving { flag, moves }
    }
}

impl Flag for Moving {
    const KEEPS_FIRST: bool = Fast::KEEPS_FIRST;

    #[inline(always)]
    fn check(&mut self, violated: bool, id: u32, values: [i64; 3]) {
        self.flag.check(violated, id, values);
    }

    #[inline(always)]
    fn violated(&self) -> bool {
        self.flag.violated()
    }

    #[inline]
    fn fail(&mut self, failure: Failure) {
        self.flag.fail(failure);
    }

    #[inline(always)]
    fn moves(&self) -> Option<Moves> {
        Some(self.moves)
    }
}

#[cfg(target_arch = "x86_64")]
macro_rules! moved {
    ($name:ident, $number:ty, $same:ident, $instruction:literal, $last:literal) => {
        /// Writes the vectors `from` to `to`, moved by one number; `new` comes in.
        ///
        /// By assembler, since LLVM would make loads of such moves again.
        ///
        /// # Safety
        /// `from` may be read and `to` be written for so many vectors; all are numbers of this size,
        /// or a few that have it together, at any address.
        #[target_feature(enable = "avx512f")]
        #[inline]
        unsafe fn $name<const BEFORE: bool>(
            from: *const __m512i,
            new: *const $number,
            to: *mut __m512i,
            vectors: usize,
        ) {
            // SAFETY: promised by the caller.
            let new = $same(unsafe { new.read_unaligned() });
            for at in 0..vectors {
                let out: __m512i;
                // SAFETY: `at` is one of the vectors, and so is the other of the two where it is asked
                // for; the instruction works on registers alone.
                unsafe {
                    let here = _mm512_loadu_si512(from.add(at));
                    if BEFORE {
                        let low = match at {
                            0 => new,
                            _ => _mm512_loadu_si512(from.add(at - 1)),
                        };
                        asm!(
                            concat!($instruction, " {out}, {high}, {low}, ", $last),
                            out = lateout(zmm_reg) out,
                            high = in(zmm_reg) here,
                            low = in(zmm_reg) low,
                            options(pure, nomem, nostack, preserves_flags),
                        );
                    } else {
                        let high = match at + 1 == vectors {
                            true => new,
                            false => _mm512_loadu_si512(from.add(at + 1)),
                        };
                        asm!(
                            concat!($instruction, " {out}, {high}, {low}, 1"),
                            out = lateout(zmm_reg) out,
                            high = in(zmm_reg) high,
                            low = in(zmm_reg) here,
                            options(pure, nomem, nostack, preserves_flags),
                        );
                    }
                    _mm512_storeu_si512(to.add(at), out);
                }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
moved!(moved_words, i32, _mm512_set1_epi32, "valignd", "15");
#[cfg(target_arch = "x86_64")]
moved!(moved_pairs, i64, _mm512_set1_epi64, "valignq", "7");
