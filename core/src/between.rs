//! What goes from one loop over the lanes of a block to the next, for emitted code.
//!
//! In: a value per lane, in order. Out: all of them as an array. Assumes nothing: what has not been
//! filled cannot be read.
//! Arrays that were cleared first would be written twice, for each block: LLVM does not see that the
//! loop writes all of them, and behind stores that go round the caches the first writes wait. Nor do
//! compilers align arrays on the stack to cache lines, which vectors of that size need.

use core::mem::MaybeUninit;

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
