//! Copies of views of any strides.
//!
//! In: a view of `ndarray`. Out: its elements in row-major order. Assumes: nothing.
//!
//! Where rows are contiguous, they are copied one by one. Else (a transpose) the view is halved
//! along its longest axis, down to blocks whose cache lines fit into the first cache on both sides.

use core::mem::MaybeUninit;

use ndarray::{ArrayView, ArrayViewMut, Axis, Dimension, Zip};

use crate::error::Failure;
use crate::kernel::Element;
use crate::memory;
use crate::recycle::Buffer;

/// Elements of a block.
const BLOCK: usize = 1024;

/// Elements of a piece for one thread: some tens of microseconds.
const PIECE: usize = 1 << 16;

/// The elements of `xs` in row-major order.
///
/// Cost: one pass, parallel. Errors: no memory.
pub(crate) fn copy<T: Element, D: Dimension>(
    xs: ArrayView<'_, T, D>,
) -> Result<Buffer<T>, Failure> {
    let n = xs.len();
    let mut copied = Buffer::new();
    let vec = copied.as_vec();
    memory::reserve(vec, n)?;
    let room = vec.spare_capacity_mut().get_mut(..n);
    let room = room.and_then(|room| ArrayViewMut::from_shape(xs.raw_dim(), room).ok());
    fill(xs, room.ok_or(Failure::Internal)?);
    // SAFETY: `reserve` made room for `n` elements, and `fill` has written each place of `room`.
    unsafe { vec.set_len(n) };
    Ok(copied)
}

/// Writes each element to its place.
fn fill<T: Element, D: Dimension>(
    xs: ArrayView<'_, T, D>,
    room: ArrayViewMut<'_, MaybeUninit<T>, D>,
) {
    let n = xs.len();
    let Some(axis) = longest(&xs).filter(|_| n > BLOCK) else {
        Zip::from(room).and(xs).for_each(|to, from| {
            to.write(*from);
        });
        return;
    };
    let half = xs.len_of(axis) / 2;
    let (left, right) = xs.split_at(axis, half);
    let (left_room, right_room) = room.split_at(axis, half);
    let halves = (|| fill(left, left_room), || fill(right, right_room));
    if n > PIECE {
        rayon::join(halves.0, halves.1);
    } else {
        (halves.0)();
        (halves.1)();
    }
}

/// The axis to be halved: the longest, but the rows stay whole where they are contiguous.
fn longest<T, D: Dimension>(xs: &ArrayView<'_, T, D>) -> Option<Axis> {
    let last = xs.ndim().checked_sub(1)?;
    let rows = xs.strides()[last] == 1;
    let axes = (0..=last).filter(|axis| !(rows && *axis == last));
    let axis = axes.max_by_key(|axis| xs.len_of(Axis(*axis)))?;
    (xs.len_of(Axis(axis)) > 1).then_some(Axis(axis))
}
