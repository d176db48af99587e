//! Arrays of a nest's body that it reads, and nobody keeps.
//!
//! In: elements, few or many. Out: them, with some behind the last.
//! Assumes: nothing.
//!
//! Note [Local arrays]: the body of a nest makes its arrays anew for each index, and to ask anybody
//! for memory costs more than to fill a short row. So there is room for a short one in the array
//! itself, which is on the stack. A longer one has memory as others have (Note [Memory of bodies]).

use core::mem::{self, MaybeUninit};
use core::ops::Deref;
use core::slice;

use crate::error::Failure;
use crate::kernel::Element;
use crate::memory;
use crate::recycle::recycle;

/// Bytes of an array that is on the stack.
const NEAR: usize = 4 << 10;

/// Room on the stack. Apart from the array, all else of which stays in registers.
#[repr(C, align(64))]
#[derive(Debug)]
pub struct Near(MaybeUninit<[u8; NEAR]>);

impl Near {
    /// Nothing is in it.
    #[allow(clippy::new_without_default)] // Not to be moved, so only made where it stays.
    #[cfg_attr(optimised, inline(always))]
    pub fn new() -> Self {
        Near(MaybeUninit::uninit())
    }
}

/// An array of a nest's body.
#[derive(Debug)]
pub struct Local<'n, T: Element> {
    near: &'n mut Near,
    far: Vec<T>,
    is_far: bool,
    len: usize,
    /// How many elements are there, with those behind the last.
    written: usize,
}

impl<'n, T: Element> Local<'n, T> {
    /// Without elements.
    #[cfg_attr(optimised, inline(always))]
    pub fn new(near: &'n mut Near) -> Self {
        const { assert!(align_of::<T>() <= align_of::<Near>()) };
        Local {
            near,
            far: Vec::new(),
            is_far: false,
            len: 0,
            written: 0,
        }
    }

    /// The elements, and what has been written behind them.
    #[cfg_attr(optimised, inline(always))]
    pub fn padded(&self) -> &[T] {
        // SAFETY: `fill` was told that so many are written.
        unsafe { slice::from_raw_parts(self.start(), self.written) }
    }

    #[cfg_attr(optimised, inline(always))]
    fn start(&self) -> *const T {
        match self.is_far {
            true => self.far.as_ptr(),
            false => self.near.0.as_ptr().cast(),
        }
    }

    /// Empties the array, makes room for `n` elements, and says where they go.
    #[cfg_attr(optimised, inline(always))]
    pub(crate) fn room(&mut self, n: usize) -> Result<*mut T, Failure> {
        (self.len, self.written) = (0, 0);
        self.is_far = n > NEAR / size_of::<T>().max(1);
        if self.is_far {
            self.far = far(n)?;
            return Ok(self.far.as_mut_ptr());
        }
        Ok(self.near.0.as_mut_ptr().cast())
    }

    /// Declares `n` elements written, and others behind them, `written` in all.
    ///
    /// # Safety
    /// `room` has succeeded for `written` or more, and each of these has been written since; they
    /// are not fewer than `n`.
    #[cfg_attr(optimised, inline(always))]
    pub(crate) unsafe fn fill(&mut self, n: usize, written: usize) {
        (self.len, self.written) = (n, written);
    }
}

/// Room for `n` elements. (By value: an array of which others know the address is kept in memory.)
#[inline(never)]
fn far<T: Element>(n: usize) -> Result<Vec<T>, Failure> {
    let mut vec = Vec::new();
    memory::reserve(&mut vec, n)?;
    Ok(vec)
}

impl<T: Element> Deref for Local<'_, T> {
    type Target = [T];

    #[cfg_attr(optimised, inline(always))]
    fn deref(&self) -> &[T] {
        &self.padded()[..self.len]
    }
}

impl<T: Element> Drop for Local<'_, T> {
    #[cfg_attr(optimised, inline(always))]
    fn drop(&mut self) {
        if self.is_far {
            recycle(mem::take(&mut self.far));
        }
    }
}
