//! Arrays as results: memory of the caller's that a function writes into.
//!
//! In: what a user passes to `NAME::into` for an array. Out: where the skeletons write.
//! Assumes: nothing. A vector gets its length only when each element has been written.

use core::mem;

use crate::append::fitted;
use crate::elements::Elements;
use crate::error::Failure;
use crate::kernel::Element;
use crate::memory;
use crate::recycle::{Buffer, recycle};

/// What an array of `T` may be written into by `NAME::into`: a vector, which takes the result's
/// length and keeps its memory where that suffices, or a slice, array or boxed slice of exactly the
/// result's length. Each by `&mut`.
#[diagnostic::on_unimplemented(
    message = "an array of `{T}` cannot be written into `{Self}`",
    label = "expected a `Vec<{T}>` or a slice of `{T}`",
    note = "pass `&mut Vec<{T}>`, which is resized, or `&mut [{T}]` of exactly the result's length"
)]
pub trait AsArrayOut<T: Element> {
    /// Where the elements go.
    fn array_out(&mut self) -> ArrayOut<'_, T>;
}

/// Where the elements of a result go.
#[derive(Debug)]
pub struct ArrayOut<'a, T: Element>(Place<'a, T>);

#[derive(Debug)]
enum Place<'a, T> {
    /// Takes any length.
    Vec(&'a mut Vec<T>),
    /// The same, of an array that nobody sees.
    Inside(&'a mut Vec<T>),
    /// Takes its own.
    Slice(&'a mut [T]),
}

impl<'a, T: Element> ArrayOut<'a, T> {
    /// A vector, which is resized.
    #[inline]
    pub fn vec(vec: &'a mut Vec<T>) -> Self {
        ArrayOut(Place::Vec(vec))
    }

    /// An array inside of a function, which is resized.
    #[inline]
    pub fn buffer(buffer: &'a mut Buffer<T>) -> Self {
        ArrayOut(Place::Inside(buffer.as_vec()))
    }

    /// A slice, which has to have the result's length.
    #[inline]
    pub fn slice(slice: &'a mut [T]) -> Self {
        ArrayOut(Place::Slice(slice))
    }

    /// The same place, for as long as it is borrowed.
    #[inline]
    pub fn reborrow(&mut self) -> ArrayOut<'_, T> {
        match &mut self.0 {
            Place::Vec(vec) => ArrayOut::vec(vec),
            Place::Inside(vec) => ArrayOut(Place::Inside(vec)),
            Place::Slice(slice) => ArrayOut::slice(slice),
        }
    }

    /// What is there.
    #[inline]
    pub fn into_slice(self) -> &'a mut [T] {
        match self.0 {
            Place::Vec(vec) | Place::Inside(vec) => vec,
            Place::Slice(slice) => slice,
        }
    }

    /// Puts an array there that is needed no longer: moves it where that is possible.
    ///
    /// Errors: `ResultLength`.
    pub fn give(self, made: Buffer<T>) -> Result<(), Failure> {
        match self.0 {
            Place::Vec(vec) => recycle(mem::replace(vec, fitted(made.into_vec()))),
            Place::Inside(vec) => recycle(mem::replace(vec, made.into_vec())),
            Place::Slice(slice) => same_len(made.len(), slice)?.copy_from_slice(&made),
        }
        Ok(())
    }

    /// Copies an array there.
    ///
    /// Errors: `ResultLength`; no memory.
    pub fn copy(self, from: &[T]) -> Result<(), Failure> {
        match self.0 {
            Place::Vec(vec) | Place::Inside(vec) => {
                memory::reserve(vec, from.len())?;
                vec.extend_from_slice(from);
            }
            Place::Slice(slice) => same_len(from.len(), slice)?.copy_from_slice(from),
        }
        Ok(())
    }

    /// Makes room for `n` elements, and says where they go.
    pub(crate) fn prepare(&mut self, n: usize) -> Result<*mut T, Failure> {
        match &mut self.0 {
            Place::Vec(vec) | Place::Inside(vec) => {
                memory::reserve(vec, n)?;
                Ok(vec.as_mut_ptr())
            }
            Place::Slice(slice) => Ok(same_len(n, slice)?.as_mut_ptr()),
        }
    }

    /// Where elements go for which there is room already, and how many these are. Room for `n`, or as many
    /// as are not too large, is made where there is none yet and nobody sees it.
    pub(crate) fn at_hand(&mut self, n: usize) -> (*mut T, usize) {
        match &mut self.0 {
            Place::Vec(vec) => (vec.as_mut_ptr(), vec.capacity()),
            Place::Inside(vec) => {
                if vec.capacity() == 0 {
                    // Without memory there is no room, which is an answer.
                    let _ = memory::reserve(vec, n.min(AT_HAND / size_of::<T>().max(1)));
                }
                (vec.as_mut_ptr(), vec.capacity())
            }
            Place::Slice(slice) => (slice.as_mut_ptr(), slice.len()),
        }
    }

    /// Whether it has so many elements as it has, whatever is written.
    pub(crate) fn is_slice(&self) -> bool {
        matches!(self.0, Place::Slice(_))
    }

    /// Declares `n` elements written of more for which room was made: a vector that others see gives back what
    /// it does not need.
    ///
    /// # Safety
    /// As for [`finish`](Self::finish).
    pub(crate) unsafe fn finish_few(mut self, n: usize) {
        if let Place::Vec(vec) = &mut self.0 {
            // SAFETY: promised by the caller.
            unsafe { vec.set_len(n) };
            **vec = fitted(mem::take(*vec));
        } else {
            // SAFETY: promised by the caller.
            unsafe { self.finish(n) };
        }
    }

    /// Declares `n` elements written.
    ///
    /// # Safety
    /// `prepare(n)` succeeded, and each of these elements has been written since.
    pub(crate) unsafe fn finish(self, n: usize) {
        match self.0 {
            // SAFETY: `prepare` made room for `n` elements, the caller has written them.
            Place::Vec(vec) | Place::Inside(vec) => unsafe { vec.set_len(n) },
            Place::Slice(_) => {}
        }
    }
}

/// Bytes for which an array gets room at most before it is known how much of that it needs: the system
/// gives pages for what is written only.
const AT_HAND: usize = 64 << 20;

fn same_len<T>(len: usize, slice: &mut [T]) -> Result<&mut [T], Failure> {
    match slice.len() {
        room if room == len => Ok(slice),
        room => Err(Failure::ResultLength { len, room }),
    }
}

/// A copy of an array.
///
/// Errors: no memory.
pub fn copy<T: Element>(xs: &[T]) -> Result<Buffer<T>, Failure> {
    let mut copied = Buffer::new();
    ArrayOut::buffer(&mut copied).copy(xs)?;
    Ok(copied)
}

/// One component of an array of products, copied.
///
/// Cost: one pass on the calling thread. Errors: no memory.
pub fn component<T: Element, C: Element>(
    xs: impl Elements<T>,
    get: impl Fn(T) -> C,
) -> Result<Buffer<C>, Failure> {
    let mut made = Buffer::new();
    let vec = made.as_vec();
    memory::reserve(vec, xs.len())?;
    vec.extend((0..xs.len()).map(|i| get(xs.get(i))));
    Ok(made)
}

fn of_array<T: Element, const N: usize>(array: &mut [T; N]) -> ArrayOut<'_, T> {
    ArrayOut::slice(array)
}

macro_rules! as_array_out {
    ($({$($generics:tt)*} $ty:ty: $out:expr;)*) => { $(
        as_array_out!(@one {$($generics)*} $ty: $out);
        as_array_out!(@one {$($generics)*} &mut $ty: $out);
    )* };
    (@one {$($generics:tt)*} $ty:ty: $out:expr) => {
        // The note says what to pass; a list of these types would bury it.
        #[diagnostic::do_not_recommend]
        impl<T: Element $($generics)*> AsArrayOut<T> for $ty {
            #[inline]
            fn array_out(&mut self) -> ArrayOut<'_, T> {
                $out(self)
            }
        }
    };
}

as_array_out! {
    {} Vec<T>: ArrayOut::vec;
    {} [T]: ArrayOut::slice;
    {, const N: usize} [T; N]: of_array;
    {} Box<[T]>: ArrayOut::slice;
}

#[diagnostic::do_not_recommend]
impl<T: Element> AsArrayOut<T> for ArrayOut<'_, T> {
    #[inline]
    fn array_out(&mut self) -> ArrayOut<'_, T> {
        self.reborrow()
    }
}
