//! Views of any strides: read where they lie, or copied.
//!
//! In: a view of `ndarray`. Out: its elements in row-major order, all of them or some. Assumes: nothing.
//!
//! A copy of all: where rows are contiguous, they are copied one by one. Else (a transpose) the view
//! is halved along its longest axis, down to blocks whose cache lines fit into the first cache on both
//! sides.
//!
//! No slice here covers anything but elements of the view: what lies between these may be another's,
//! who changes it meanwhile. `ndarray` gives the slices, so no `unsafe` code rests on strides.

use core::mem::MaybeUninit;
use core::ops::Range;
use std::sync::{Arc, OnceLock};

use ndarray::{ArrayView, ArrayViewMut, Axis, Dimension, Slice, Zip};

use crate::args::{ArrayArg, View};
use crate::budget::apart;
use crate::error::Failure;
use crate::kernel::Element;
use crate::memory;
use crate::recycle::Buffer;

/// Elements of a block.
const BLOCK: usize = 1024;

/// Elements of a piece for one thread: some tens of microseconds.
const PIECE: usize = 1 << 16;

/// A view that is not contiguous, as an argument. It has elements.
struct Strided<'a, T: Element, D: Dimension> {
    /// With as few axes of more than one index as give the same elements in the same order.
    view: ArrayView<'a, T, D>,
    copied: OnceLock<Result<Buffer<T>, Failure>>,
}

/// The view as an argument.
pub(crate) fn argument<'a, T: Element, D: Dimension + 'a>(
    mut view: ArrayView<'a, T, D>,
) -> ArrayArg<'a, T> {
    let mut into = last(&view);
    for axis in (0..into).rev() {
        if !view.merge_axes(Axis(axis), Axis(into)) {
            into = axis;
        }
    }
    let copied = OnceLock::new();
    ArrayArg::strided(Arc::new(Strided { view, copied }))
}

/// The axis of neighbours: those before it go from one line of elements to the next.
fn last<T, D: Dimension>(view: &ArrayView<'_, T, D>) -> usize {
    view.ndim().saturating_sub(1)
}

impl<T: Element, D: Dimension> View<T> for Strided<'_, T, D> {
    fn len(&self) -> usize {
        self.view.len()
    }

    fn elements(&self) -> Result<&[T], Failure> {
        let copied = self.copied.get_or_init(|| copy(self.view.view()));
        copied.as_deref().map_err(|failure| *failure)
    }

    fn is_along_memory(&self) -> bool {
        let own = self.view.stride_of(Axis(last(&self.view)));
        let mut axes = self.view.axes().filter(|it| it.len > 1 && it.stride != 0);
        axes.all(|it| own.unsigned_abs() <= it.stride.unsigned_abs())
    }

    fn has_rows(&self, width: usize) -> bool {
        let along = Axis(last(&self.view));
        let line = self.view.len_of(along);
        let contiguous = line == 1 || self.view.stride_of(along) == 1;
        contiguous && width > 0 && line.is_multiple_of(width)
    }

    fn slice(&self, range: Range<usize>) -> Option<&[T]> {
        let along = last(&self.view);
        let width = self.view.len_of(Axis(along));
        let (mut line, first) = (range.start / width, range.start % width);
        let mut view = self.view.view();
        for axis in (0..along).rev() {
            let len = view.len_of(Axis(axis));
            view.slice_axis_inplace(Axis(axis), Slice::from(line % len..=line % len));
            line /= len;
        }
        view.to_slice()?
            .get(first..first.saturating_add(range.len()))
    }

    fn gather(&self, range: Range<usize>, room: &mut [T]) {
        gather(self.view.view(), 0, range, room);
    }
}

/// Writes the elements `range` of a view that has elements, and one index on each axis before `axis`.
fn gather<T: Element, D: Dimension>(
    view: ArrayView<'_, T, D>,
    axis: usize,
    range: Range<usize>,
    room: &mut [T],
) {
    let some = |indices: Range<usize>| {
        let mut view = view.view();
        view.slice_axis_inplace(Axis(axis), Slice::from(indices));
        view
    };
    let inner: usize = view.shape()[axis + 1..].iter().product();
    let (first, end) = (range.start.div_ceil(inner), range.end / inner);
    if first > end {
        let start = end * inner;
        let part = some(end..end + 1);
        return gather(part, axis + 1, range.start - start..range.end - start, room);
    }
    let (head, room) = room.split_at_mut(first * inner - range.start);
    let (whole, tail) = room.split_at_mut((end - first) * inner);
    if !head.is_empty() {
        let part = inner - head.len()..inner;
        gather(some(first - 1..first), axis + 1, part, head);
    }
    let view = some(first..end);
    let room = ArrayViewMut::from_shape(view.raw_dim(), whole);
    room.expect("as many places").assign(&view);
    if !tail.is_empty() {
        gather(some(end..end + 1), axis + 1, 0..tail.len(), tail);
    }
}

/// The elements of `xs` in row-major order.
///
/// Cost: one pass, parallel. Errors: no memory.
fn copy<T: Element, D: Dimension>(xs: ArrayView<'_, T, D>) -> Result<Buffer<T>, Failure> {
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
        apart(|here| rayon::join(|| here.on(halves.0), || here.on(halves.1)));
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
