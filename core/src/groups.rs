//! Reads of every `K`-th element: the columns of a matrix with short rows.
//!
//! In: an array and where a block's first group of `K` elements begins. Out: one group per lane, of which
//! LLVM reads what is used with vectors, and sorts it. Assumes: nothing; lanes outside of the array read
//! the nearest element, as [`load_near`](crate::load_near) does.

use core::mem::MaybeUninit;

use crate::kernel::Element;

/// The groups of `K` elements from `start` on, one for each of `L` lanes; of elements that are not there,
/// the nearest (the default value, if there is none).
///
/// Cost: none for blocks inside of the array, whatever `K`; others are copied into `room` (without
/// contents before).
#[inline(always)]
pub fn load_groups<'a, T: Element, const K: usize, const L: usize>(
    xs: &'a [T],
    start: usize,
    room: &'a mut MaybeUninit<[[T; K]; L]>,
) -> &'a [[T; K]; L] {
    // How many blocks begin in the array: one comparison, with what does not change in the loop around.
    let starts = (xs.len() + 1).saturating_sub(K * L);
    if start < starts {
        // SAFETY: `start + K * L <= xs.len()` by the line before; an array of arrays has the layout of
        // its elements in a row.
        unsafe { &*xs.as_ptr().add(start).cast::<[[T; K]; L]>() }
    } else {
        near_edge(xs, start, room)
    }
}

#[cold]
#[inline(never)]
fn near_edge<'a, T: Element, const K: usize, const L: usize>(
    xs: &[T],
    start: usize,
    room: &'a mut MaybeUninit<[[T; K]; L]>,
) -> &'a [[T; K]; L] {
    let groups = room.write([[T::default(); K]; L]);
    for (at, element) in groups.as_flattened_mut().iter_mut().enumerate() {
        let i = start.wrapping_add(at).min(xs.len().wrapping_sub(1));
        *element = xs.get(i).copied().unwrap_or_default();
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_read_inside_over_the_end_and_of_nothing() {
        let xs: Vec<u32> = (10..22).collect();
        let read =
            |xs: &[u32], start| *load_groups::<_, 3, 2>(xs, start, &mut MaybeUninit::uninit());
        assert_eq!(read(&xs, 0), [[10, 11, 12], [13, 14, 15]]);
        assert_eq!(read(&xs, 6), [[16, 17, 18], [19, 20, 21]]);
        assert_eq!(read(&xs, 7), [[17, 18, 19], [20, 21, 21]]);
        assert_eq!(read(&xs, 40), [[21; 3]; 2]);
        assert_eq!(read(&xs, usize::MAX), [[21, 10, 11], [12, 13, 14]]);
        assert_eq!(read(&[], 0), [[0; 3]; 2]);
    }
}
