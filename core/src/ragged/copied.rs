//! Nested lists as arguments.
//!
//! In: vectors of vectors and the like. Out: offsets per level and the elements, copied, after a look
//! at all lengths, so that each vector is reserved once.
//! Assumes: nothing.

use core::array;
use std::rc::Rc;
use std::sync::Arc;

use super::{AsRagged, RaggedArg};
use crate::args::ArrayArg;
use crate::error::Failure;
use crate::kernel::Element;
use crate::memory;
use crate::recycle::Buffer;

/// More levels than any argument has.
const MANY: usize = 8;

/// What the rows are of an array of `T` with `LEVELS` levels of rows: lists of elements, or lists of
/// such lists.
pub trait List<T: Element, const LEVELS: usize> {
    /// Counts this row, then the rows in it per level, then its elements.
    #[doc(hidden)]
    fn count(&self, counts: &mut [usize]);

    /// Appends its rows and elements, with the ends of all.
    #[doc(hidden)]
    fn append(&self, ends: &mut [Buffer<i64>], elements: &mut Vec<T>);
}

/// The argument made of such rows.
fn copied<T: Element, R: List<T, LEVELS>, const LEVELS: usize>(
    rows: &[R],
) -> RaggedArg<'static, T, LEVELS> {
    copy(rows).unwrap_or_else(RaggedArg::failed)
}

fn copy<T: Element, R: List<T, LEVELS>, const LEVELS: usize>(
    rows: &[R],
) -> Result<RaggedArg<'static, T, LEVELS>, Failure> {
    let mut counts = [0; MANY];
    for row in rows {
        row.count(&mut counts);
    }
    let mut ends: [Buffer<i64>; LEVELS] = array::from_fn(|_| Buffer::new());
    for (ends, count) in ends.iter_mut().zip(counts) {
        memory::reserve(ends.as_vec(), count + 1)?;
        ends.as_vec().push(0);
    }
    let mut elements = Buffer::new();
    memory::reserve(elements.as_vec(), counts[LEVELS])?;
    for row in rows {
        row.append(&mut ends, elements.as_vec());
    }
    Ok(RaggedArg {
        offsets: ends.map(|ends| ArrayArg::copied(Ok(ends))),
        elements: ArrayArg::copied(Ok(elements)),
    })
}

/// Lists of elements, and lists of such lists.
macro_rules! lists {
    ($({$($generics:tt)*} $elements:ty, $rows:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: Element $($generics)*> List<T, 1> for $elements {
            fn count(&self, counts: &mut [usize]) {
                counts[0] += 1;
                counts[1] += self.len();
            }

            fn append(&self, ends: &mut [Buffer<i64>], elements: &mut Vec<T>) {
                elements.extend_from_slice(&self[..]);
                ends[0].as_vec().push(elements.len() as i64);
            }
        }

        lists! { @deeper {$($generics)*} $rows: 1 2, 2 3, 3 4, 4 5 }
    )* };
    (@deeper $generics:tt $rows:ty: $($below:literal $levels:literal),*) => {
        $(lists! { @list $generics $rows: $below $levels })*
    };
    (@list {$($generics:tt)*} $rows:ty: $below:literal $levels:literal) => {
        #[diagnostic::do_not_recommend]
        impl<T: Element, R: List<T, $below> $($generics)*> List<T, $levels> for $rows {
            fn count(&self, counts: &mut [usize]) {
                counts[0] += 1;
                for row in &self[..] {
                    row.count(&mut counts[1..]);
                }
            }

            fn append(&self, ends: &mut [Buffer<i64>], elements: &mut Vec<T>) {
                for row in &self[..] {
                    row.append(&mut ends[1..], elements);
                }
                let below = ends[1].len() - 1;
                ends[0].as_vec().push(below as i64);
            }
        }
    };
}

lists! {
    {} Vec<T>, Vec<R>;
    {} Box<[T]>, Box<[R]>;
    {} Rc<[T]>, Rc<[R]>;
    {} Arc<[T]>, Arc<[R]>;
    {, const N: usize} [T; N], [R; N];
    {} &[T], &[R];
    {} &Vec<T>, &Vec<R>;
    {, const N: usize} &[T; N], &[R; N];
}

macro_rules! as_ragged {
    ($({$($generics:tt)*} $ty:ty;)*) => { $(
        as_ragged!(@one {$($generics)*} &$ty);
        as_ragged!(@one {$($generics)*} &mut $ty);
        as_ragged!(@one {$($generics)*} &&$ty);
        as_ragged!(@one {$($generics)*} &&mut $ty);
    )* };
    (@one {$($generics:tt)*} $ty:ty) => {
        // The note says what to pass; a list of these types would bury it.
        #[diagnostic::do_not_recommend]
        impl<T: Element, R: List<T, LEVELS>, const LEVELS: usize $($generics)*> AsRagged<T, LEVELS>
            for $ty
        {
            fn ragged_arg(&self) -> RaggedArg<'_, T, LEVELS> {
                copied(&self[..])
            }
        }
    };
}

as_ragged! {
    {} [R];
    {, const N: usize} [R; N];
    {} Vec<R>;
    {} Box<[R]>;
    {} Rc<[R]>;
    {} Arc<[R]>;
    {} Rc<Vec<R>>;
    {} Arc<Vec<R>>;
}
