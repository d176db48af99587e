//! Where kept values lie: the components of all in an array each, or made elements of one array.
//!
//! In: blocks of lanes, some of which are kept. Out: these, one after another.
//! Assumes: nothing.
//!
//! Note \[Packed where they are kept\]. Elements that differ from numbers (pairs of several types, what has
//! gaps, structs) are no lanes of vectors: a loop that makes them of all values is one of scalar code, with
//! all that it computes for them, and bringing them together goes element by element. So their components
//! are brought together as those of any values are, a block's in memory that is near, and elements are made
//! of those that are left.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::kernel::{Element, Product};
use crate::packing::Kept;

/// How kept values `V` lie in memory.
pub trait Laid<V: Product>: 'static {
    /// The elements of the arrays that they lie in.
    type Arrays: Product;

    /// As [`Kept::pack`], into these arrays.
    ///
    /// # Safety
    /// As for [`Kept::pack`].
    #[doc(hidden)]
    unsafe fn pack<P: Kept<Values = V>, const L: usize>(
        lanes: &P::Lanes<L>,
        bases: <Self::Arrays as Product>::Bases,
        at: usize,
    ) -> usize;
}

/// Each component in an array of its own.
#[derive(Clone, Copy, Debug)]
pub struct Components;

impl<V: Product> Laid<V> for Components {
    type Arrays = V;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn pack<P: Kept<Values = V>, const L: usize>(
        lanes: &P::Lanes<L>,
        bases: V::Bases,
        at: usize,
    ) -> usize {
        // SAFETY: promised by the caller.
        unsafe { P::pack::<L>(lanes, bases, at) }
    }
}

/// How an element is made of its components.
pub trait Make: 'static {
    /// The components.
    type Parts: Product;
    /// The element.
    type Whole: Element;
    /// Makes it.
    fn make(parts: Self::Parts) -> Self::Whole;
}

/// All components in one array, of the elements that `M` makes.
#[derive(Clone, Copy, Debug)]
pub struct Packed<M>(PhantomData<M>);

impl<M: Make> Laid<M::Parts> for Packed<M> {
    type Arrays = (M::Whole,);

    #[cfg_attr(optimised, inline(always))]
    unsafe fn pack<P: Kept<Values = M::Parts>, const L: usize>(
        lanes: &P::Lanes<L>,
        (base,): (*mut M::Whole,),
        at: usize,
    ) -> usize {
        let mut near = MaybeUninit::<<M::Parts as Product>::Lanes<L>>::uninit();
        // SAFETY: it has memory for the lanes.
        let near = unsafe { M::Parts::room_bases::<L>(near.as_mut_ptr()) };
        // SAFETY: there is room for all lanes; the caller says the rest.
        let count = unsafe { P::pack::<L>(lanes, near, 0) };
        for l in 0..count {
            // SAFETY: so many have been written just now, no more than there are lanes, for which there is
            // room behind `base`.
            unsafe { base.add(at + l).write(M::make(M::Parts::read(near, l))) };
        }
        count
    }
}
