//! What goes from one loop over the lanes of a block to the next, for emitted code.
//!
//! In: a value per lane, in order, or of groups of lanes abreast. Out: all of them as an array. Assumes
//! nothing: what has not been filled cannot be read.
//! Arrays that were cleared first would be written twice, for each block: LLVM does not see that the
//! loop writes all of them, and behind stores that go round the caches the first writes wait. Nor do
//! compilers align arrays on the stack to cache lines, which vectors of that size need.

use core::mem::MaybeUninit;

use crate::kernel::Element;

/// Room for a value per lane, at the start of a cache line.
#[repr(align(64))]
pub struct Room<T, const L: usize> {
    lanes: MaybeUninit<[T; L]>,
}

impl<T, const L: usize> Room<T, L> {
    /// Nothing in it.
    #[allow(clippy::new_without_default, reason = "emitted code calls `new`")]
    #[inline(always)]
    pub fn new() -> Self {
        Room {
            lanes: MaybeUninit::uninit(),
        }
    }
}

/// An array of which the first lanes have their values.
pub struct Filling<'a, T, const L: usize> {
    room: &'a mut Room<T, L>,
    /// How many; behind it nothing is initialised.
    len: usize,
}

impl<'a, T: Copy, const L: usize> Filling<'a, T, L> {
    /// None yet.
    #[inline(always)]
    pub fn new(room: &'a mut Room<T, L>) -> Self {
        Filling { room, len: 0 }
    }

    /// The next lane. The check costs nothing in a loop over `0..L`.
    ///
    /// # Panics
    /// When there are `L`.
    #[inline(always)]
    pub fn push(&mut self, value: T) {
        assert!(self.len < L);
        let lanes = self.room.lanes.as_mut_ptr().cast::<T>();
        // SAFETY: the line before the last: the lane is one of the room's.
        unsafe { lanes.add(self.len).write(value) };
        self.len += 1;
    }

    /// All lanes.
    ///
    /// # Panics
    /// When some are missing.
    #[inline(always)]
    pub fn filled(self) -> &'a [T; L] {
        assert!(self.len == L);
        // SAFETY: `push` alone counts, and has written a lane each time: all, by the line before.
        unsafe { self.room.lanes.assume_init_ref() }
    }
}

/// Lanes that are written in any order, at the start of a cache line.
#[repr(C, align(64))]
pub struct Apart<T, const L: usize>([T; L]);

impl<T: Element, const L: usize> Apart<T, L> {
    /// Default values.
    #[allow(clippy::new_without_default, reason = "emitted code calls `new`")]
    #[inline(always)]
    pub fn new() -> Self {
        Apart([T::default(); L])
    }

    /// The lanes, to be written.
    #[inline(always)]
    pub fn lanes(&mut self) -> &mut [T; L] {
        &mut self.0
    }

    /// The lanes, read from memory: LLVM does not bring together what has made them and what is made of
    /// them.
    #[inline(always)]
    pub fn moved(&self) -> [T; L] {
        #[cfg(target_arch = "x86_64")]
        {
            use core::arch::x86_64::{__m128i, __m256i, __m512i};
            // Vectors of the level that has so many lanes, or a third of them.
            match L {
                64 => self.moved_by::<__m512i>(),
                32 | 96 => self.moved_by::<__m256i>(),
                _ => self.moved_by::<__m128i>(),
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        self.0
    }

    /// The same, in pieces as large as `V`; as they are, if these do not fit.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn moved_by<V>(&self) -> [T; L] {
        if const { !size_of::<[T; L]>().is_multiple_of(size_of::<V>()) || align_of::<V>() > 64 } {
            return self.0;
        }
        let mut lanes = MaybeUninit::<[T; L]>::uninit();
        let from = (&raw const self.0).cast::<MaybeUninit<V>>();
        let to = lanes.as_mut_ptr().cast::<MaybeUninit<V>>();
        for at in 0..const { size_of::<[T; L]>() / size_of::<V>() } {
            // SAFETY: `at` is one of the pieces that both consist of, as was asked above. The first begins at a
            // cache line, which is a multiple of `V`'s alignment, and the second is written unaligned.
            unsafe { to.add(at).write_unaligned(from.add(at).read_volatile()) };
        }
        // SAFETY: the loop has written all pieces, as they are in `self`.
        unsafe { lanes.assume_init() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_what_was_pushed() {
        let mut room = Room::new();
        let mut filling = Filling::<_, 4>::new(&mut room);
        for l in 0..4 {
            filling.push(l * l);
        }
        assert_eq!(filling.filled(), &[0, 1, 4, 9]);
    }

    #[test]
    fn moves_what_was_written() {
        fn moves<const L: usize>() {
            let mut apart = Apart::<u32, L>::new();
            let mut flags = Apart::<bool, L>::new();
            for l in 0..L {
                apart.lanes()[L - 1 - l] = l as u32;
                flags.lanes()[l] = l % 3 == 0;
            }
            assert_eq!(apart.moved(), core::array::from_fn(|l| (L - 1 - l) as u32));
            assert_eq!(flags.moved(), core::array::from_fn(|l| l % 3 == 0));
        }
        moves::<1>();
        moves::<16>();
        moves::<32>();
        moves::<64>();
    }

    #[test]
    #[should_panic]
    fn too_many_are_refused() {
        let mut room = Room::new();
        let mut filling = Filling::<_, 1>::new(&mut room);
        filling.push(1);
        filling.push(2);
    }

    #[test]
    #[should_panic]
    fn too_few_are_not_read() {
        let mut room = Room::new();
        let mut filling = Filling::<_, 2>::new(&mut room);
        filling.push(1);
        filling.filled();
    }
}
