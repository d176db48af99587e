//! Arrays that grow: elements behind those that are there.
//!
//! In: a kernel and its indices, and arrays that nobody else reads. Out: the arrays with the values behind
//! their ends. Assumes: nothing; after an error the arrays are as they were.
//!
//! Note \[Arrays that grow\]. An array that has no room for more gets twice the room that it had, so the
//! elements that are copied are together no more than those that have been appended. Where that is too
//! much, as under a budget, it gets what it needs. A result gives back what is much more than its elements
//! (`fitted`).

use std::mem;

use crate::budget;
use crate::error::Failure;
use crate::join::Joined;
use crate::kernel::{Element, Kernel};
use crate::memory;
use crate::product::Bases;
use crate::recycle::{self, Buffer};
use crate::write::write_all;

/// Puts the values of `0..n` behind the ends of arrays.
///
/// Cost: as [`write()`](crate::write()), and sometimes a copy of what the arrays hold; see Note [Arrays
/// that grow].
/// Errors: the violated check of the lowest index; no memory.
pub fn append<K: Kernel<Out: Joined>>(
    kernel: &K,
    n: usize,
    mut ends: <K::Out as Joined>::Onto<'_, '_>,
) -> Result<(), Failure> {
    let out = Bases::new(K::Out::room(&mut ends, n)?);
    write_all(kernel, n, out)?;
    // SAFETY: `room` made room for `n`, and `write_all` without an error has written `0..n`.
    unsafe { K::Out::grown(ends, n) };
    Ok(())
}

impl<T: Element> Buffer<T> {
    /// Puts an element behind the others.
    ///
    /// Errors: no memory.
    #[inline]
    pub fn push(&mut self, element: T) -> Result<(), Failure> {
        let vec = self.as_vec();
        if vec.len() == vec.capacity() {
            grow(vec, 1)?;
        }
        vec.push(element);
        Ok(())
    }
}

/// Makes room for `n` more elements, and for as many as are there.
#[cold]
#[inline(never)]
pub(crate) fn grow<T: Element>(vec: &mut Vec<T>, n: usize) -> Result<(), Failure> {
    let need = vec.len().saturating_add(n);
    let more = need.max(vec.capacity().saturating_mul(2)).max(FEW);
    let mut larger = Vec::new();
    memory::reserve(&mut larger, more).or_else(|_| memory::reserve(&mut larger, need))?;
    larger.extend_from_slice(vec);
    recycle::recycle(mem::replace(vec, larger));
    Ok(())
}

/// Elements for which there is room at least.
const FEW: usize = 4;

/// The same elements, in memory that is not much more than they need.
pub(crate) fn fitted<T: Element>(mut vec: Vec<T>) -> Vec<T> {
    let room = vec.capacity();
    if room - vec.len() > room / 5 {
        vec.shrink_to_fit();
        budget::give((room - vec.capacity()) * size_of::<T>());
    }
    vec
}
