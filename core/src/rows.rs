//! Products of scalars as rows of arrays: what a nest computes per index.
//!
//! In: a number of rows and the width of each component's. Out: memory for all rows, and single rows
//! of it.
//! Assumes: nothing; the unsafe methods pass their caller's promises on to each component.

use core::ops::Range;

use crate::error::Failure;
use crate::kernel::{Element, Product};

/// A scalar of the language. Sealed: bytes that are all zero are one of its values.
///
/// # Safety
/// They are.
#[doc(hidden)]
pub unsafe trait Zeroed: Element {}

macro_rules! zeroed {
    ($($t:ty)*) => { $(
        // SAFETY: `false`, or the number 0.
        unsafe impl Zeroed for $t {}
    )* };
}

zeroed!(bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64);
#[cfg(feature = "half")]
zeroed!(half::f16 half::bf16);

/// A product of scalars, `(A,)`, `(A, B)`, … to 12, of each of which a nest computes a row per index.
pub trait Rows: Product {
    /// One mutable slice per component: a row of each.
    type Slices<'a>;
    /// The length of each component's rows.
    type Widths: Copy + Send + Sync;
    /// One vector per component: its rows, one after another.
    type Vecs;

    /// The same vectors.
    #[doc(hidden)]
    fn vecs(vecs: <Self as Product>::Vecs) -> <Self as Rows>::Vecs;
    /// Makes room for `n` rows in each place, and says where they go.
    #[doc(hidden)]
    fn prepare_rows(
        outs: &mut Self::Outs<'_>,
        n: usize,
        widths: Self::Widths,
    ) -> Result<Self::Bases, Failure>;
    /// Declares `n` rows of each place written.
    ///
    /// # Safety
    /// `prepare_rows` succeeded for so many, and each has been written since.
    #[doc(hidden)]
    unsafe fn finish_rows(outs: Self::Outs<'_>, n: usize, widths: Self::Widths);
    /// The bytes of one row of each.
    #[doc(hidden)]
    fn row_bytes(widths: Self::Widths) -> usize;
    /// Makes the rows of a range zero.
    ///
    /// # Safety
    /// There is room for these rows behind `starts`, and nobody else accesses them meanwhile.
    #[doc(hidden)]
    unsafe fn clear(starts: Self::Bases, widths: Self::Widths, range: Range<usize>);
    /// Row `index` of each.
    ///
    /// # Safety
    /// The row has been made zero, and while the slices live nobody else accesses it.
    #[doc(hidden)]
    unsafe fn row<'a>(
        starts: Self::Bases,
        widths: Self::Widths,
        index: usize,
    ) -> <Self as Rows>::Slices<'a>;
}

macro_rules! rows {
    (@width $T:ident) => { usize };
    ($($T:ident $i:tt),+) => {
        impl<$($T: Zeroed),+> Rows for ($($T,)+) {
            type Slices<'a> = ($(&'a mut [$T],)+);
            type Widths = ($(rows!(@width $T),)+);
            type Vecs = ($(Vec<$T>,)+);

            fn vecs(vecs: <Self as Product>::Vecs) -> <Self as Rows>::Vecs {
                vecs
            }

            fn prepare_rows(
                outs: &mut Self::Outs<'_>,
                n: usize,
                widths: Self::Widths,
            ) -> Result<Self::Bases, Failure> {
                Ok(($(outs.$i.prepare(n.saturating_mul(widths.$i))?,)+))
            }

            unsafe fn finish_rows(outs: Self::Outs<'_>, n: usize, widths: Self::Widths) {
                // SAFETY: the caller has prepared and written so many rows of each component.
                unsafe { $(outs.$i.finish(n * widths.$i);)+ }
            }

            fn row_bytes(widths: Self::Widths) -> usize {
                0_usize $(.saturating_add(widths.$i * size_of::<$T>()))+
            }

            unsafe fn clear(starts: Self::Bases, widths: Self::Widths, range: Range<usize>) {
                $(let len = range.len() * widths.$i;
                // SAFETY: the caller says that there is room for these rows.
                unsafe { starts.$i.add(range.start * widths.$i).write_bytes(0, len) };)+
            }

            #[inline(always)]
            unsafe fn row<'a>(
                starts: Self::Bases,
                widths: Self::Widths,
                index: usize,
            ) -> <Self as Rows>::Slices<'a> {
                // SAFETY: the row is the caller's alone, and made of zero bytes, which `Zeroed` says
                // are values.
                ($(unsafe {
                    core::slice::from_raw_parts_mut(starts.$i.add(index * widths.$i), widths.$i)
                },)+)
            }
        }
    };
}

rows!(A 0);
rows!(A 0, B 1);
rows!(A 0, B 1, C 2);
rows!(A 0, B 1, C 2, D 3);
rows!(A 0, B 1, C 2, D 3, E 4);
rows!(A 0, B 1, C 2, D 3, E 4, G 5);
rows!(A 0, B 1, C 2, D 3, E 4, G 5, H 6);
rows!(A 0, B 1, C 2, D 3, E 4, G 5, H 6, I 7);
rows!(A 0, B 1, C 2, D 3, E 4, G 5, H 6, I 7, J 8);
rows!(A 0, B 1, C 2, D 3, E 4, G 5, H 6, I 7, J 8, K 9);
rows!(A 0, B 1, C 2, D 3, E 4, G 5, H 6, I 7, J 8, K 9, M 10);
rows!(A 0, B 1, C 2, D 3, E 4, G 5, H 6, I 7, J 8, K 9, M 10, N 11);
