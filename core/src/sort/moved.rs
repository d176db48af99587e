//! Sorts of elements by their keys: what is asked for of an element moves along with its key.
//!
//! In: a kernel that computes keys and scalars. Out: what is made of both, in the order of the keys, of
//! equal ones the first first. Assumes: nothing.
//!
//! Note \[What moves along\]. To sort positions and then to read elements there is to read memory in any
//! order, which takes as long as the sort. So the elements move along, if they are short: an item is the
//! bits of the key and below those what moves along, but not the key again, which is made of its bits.
//! Items of one key can be told apart then. So no sort of them will do that does not keep their order: few
//! are sorted as ranks, which are keys and positions, and fetched from where they are (`near.rs`).
//!
//! Elements are computed when they are counted and again when they are moved, one by one, if that is cheap:
//! they are most often read from memory, and to write them there first would take another pass. That they
//! have the same keys then is looked at where no room is left for them (`lines.rs`, `runs.rs`).

use core::marker::PhantomData;

use super::along::{Along, Laden, Long, Longest, Short};
use super::items::{Item, Source};
use super::key::Key;
use super::lines;
use super::places::Place;
use super::run;
use crate::error::Failure;
use crate::kernel::{Element, Fast, Kernel, Product};
use crate::out::ArrayOut;
use crate::product::Bases;
use crate::recycle::Buffer;
use crate::write::write_to;

/// A kernel whose values are keys and what moves along with them.
pub trait Moves: Kernel<Out: Keyed> {
    /// What is asked for of each element.
    type To: Product;
    /// It, of the values. Emitted with `#[inline(always)]`.
    fn result(values: Self::Out) -> Self::To;
}

/// A product with a key in front.
pub trait Keyed: Product {
    /// The key.
    type Key: Key;
    /// The other components.
    type Along: Along;
    /// Arrays of each component.
    type Buffers;
    /// Both parts.
    fn apart(self) -> (Self::Key, Self::Along);
    /// The product of both parts.
    fn join(key: Self::Key, along: Self::Along) -> Self;
    /// Arrays without elements.
    fn buffers() -> Self::Buffers;
    /// As places for elements.
    fn places(buffers: &mut Self::Buffers) -> Self::Outs<'_>;
    /// Where their elements are; `None` unless there are `n` of each.
    fn elements(buffers: &mut Self::Buffers, n: usize) -> Option<Self::Bases>;
}

macro_rules! keyed {
    ($($T:ident $i:tt $j:tt),*) => {
        impl<Q: Key, $($T: Element + Along),*> Keyed for (Q, $($T,)*) {
            type Key = Q;
            type Along = ($($T,)*);
            type Buffers = (Buffer<Q>, $(Buffer<$T>,)*);

            #[inline(always)]
            fn apart(self) -> (Q, ($($T,)*)) {
                (self.0, ($(self.$j,)*))
            }

            #[inline(always)]
            fn join(key: Q, _along: ($($T,)*)) -> Self {
                (key, $(_along.$i,)*)
            }

            fn buffers() -> Self::Buffers {
                (Buffer::new(), $(Buffer::<$T>::new(),)*)
            }

            fn places(buffers: &mut Self::Buffers) -> Self::Outs<'_> {
                (ArrayOut::buffer(&mut buffers.0), $(ArrayOut::buffer(&mut buffers.$j),)*)
            }

            fn elements(buffers: &mut Self::Buffers, n: usize) -> Option<Self::Bases> {
                let equal = buffers.0.len() == n $(&& buffers.$j.len() == n)*;
                equal.then(|| (buffers.0.as_mut_ptr(), $(buffers.$j.as_mut_ptr(),)*))
            }
        }
    };
}

keyed!();
keyed!(A 0 1);
keyed!(A 0 1, B 1 2);
keyed!(A 0 1, B 1 2, C 2 3);
keyed!(A 0 1, B 1 2, C 2 3, D 3 4);
keyed!(A 0 1, B 1 2, C 2 3, D 3 4, E 4 5);
keyed!(A 0 1, B 1 2, C 2 3, D 3 4, E 4 5, F 5 6);

/// Operations from which on values are computed once, to memory.
const DEAR: u32 = 16;

/// The elements of `0..n` in ascending order of their keys, of equal ones the first first.
///
/// Cost: a few moves of each element, in parallel, and `n` bodies, or twice as many of cheap ones.
/// Errors: as [`write_to`].
pub fn sort_elements_to<K: Moves>(
    kernel: &K,
    n: usize,
    mut outs: <K::To as Product>::Outs<'_>,
) -> Result<(), Failure> {
    let to = Bases::new(K::To::prepare(&mut outs, n)?);
    // SAFETY: `prepare` made room for `n`, all of which are written without an error.
    unsafe {
        sort_elements(kernel, n, to, |places| write_to(kernel, n, places))?;
        K::To::finish(outs, n);
    }
    Ok(())
}

/// Writes the elements in the order of their keys; `write` computes all values where they are dear.
///
/// # Safety
/// There is room for `n` results at `to`, which nobody else accesses meanwhile.
#[inline]
pub(crate) unsafe fn sort_elements<K: Moves>(
    kernel: &K,
    n: usize,
    to: Bases<K::To>,
    write: impl FnOnce(<K::Out as Product>::Outs<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if const { !K::CHECKS && !K::GATHERS && K::COST <= DEAR } {
        // SAFETY: promised by the caller.
        return unsafe { sort_from(Computed(kernel), n, to) };
    }
    let mut columns = K::Out::buffers();
    write(K::Out::places(&mut columns))?;
    let from = K::Out::elements(&mut columns, n).ok_or(Failure::Internal)?;
    // SAFETY: as above; there are `n` elements of each column.
    unsafe { sort_from(Columns::<K>(Bases::new(from)), n, to) }
}

/// A kernel's values.
trait Values: Copy + Sync {
    /// Whose they are.
    type Kernel: Moves;
    /// Those of an index.
    ///
    /// # Safety
    /// There are some.
    unsafe fn values(&self, at: usize) -> <Self::Kernel as Kernel>::Out;
}

/// Values that are computed each time.
struct Computed<'k, K>(&'k K);

/// Values in memory.
struct Columns<K: Moves>(Bases<K::Out>);

impl<K> Clone for Computed<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Computed<'_, K> {}

impl<K: Moves> Clone for Columns<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: Moves> Copy for Columns<K> {}

impl<K: Moves> Values for Computed<'_, K> {
    type Kernel = K;

    #[inline(always)]
    unsafe fn values(&self, at: usize) -> K::Out {
        let mut lane = K::Out::zero().splat::<1>();
        let slots = K::Out::slots(&mut lane);
        self.0.block::<1, Fast>(at, slots, &mut Fast::default());
        K::Out::get(&lane, 0)
    }
}

impl<K: Moves> Values for Columns<K> {
    type Kernel = K;

    #[inline(always)]
    unsafe fn values(&self, at: usize) -> K::Out {
        // SAFETY: promised by the caller.
        unsafe { K::Out::read(self.0.get(), at) }
    }
}

type KeyOf<K> = <<K as Kernel>::Out as Keyed>::Key;
type AlongOf<K> = <<K as Kernel>::Out as Keyed>::Along;

/// Writes the elements of `n` values in the order of their keys, as items that have room for what moves
/// along.
///
/// # Safety
/// There are so many, and there is room for as many results at `to`, which nobody else accesses meanwhile.
unsafe fn sort_from<V: Values>(
    from: V,
    n: usize,
    to: Bases<<V::Kernel as Moves>::To>,
) -> Result<(), Failure> {
    // SAFETY: promised by the caller.
    unsafe {
        if const { fits::<V::Kernel>(Short::ROOM) } {
            sort_items::<V, Short>(from, n, to)
        } else if const { fits::<V::Kernel>(Long::ROOM) } {
            sort_items::<V, Long>(from, n, to)
        } else {
            const { assert!(fits::<V::Kernel>(Longest::ROOM)) };
            sort_items::<V, Longest>(from, n, to)
        }
    }
}

/// Whether there is room for a key and what moves along with it.
const fn fits<K: Moves>((key, along): (u32, u32)) -> bool {
    KeyOf::<K>::BITS <= key && AlongOf::<K>::BITS <= along
}

/// # Safety
/// As for [`sort_from`].
unsafe fn sort_items<V: Values, I: Laden>(
    values: V,
    n: usize,
    to: Bases<<V::Kernel as Moves>::To>,
) -> Result<(), Failure> {
    let items = PhantomData;
    let from = Elements::<V, I> { values, items };
    let to = Results::<V::Kernel, I> { to, items };
    // SAFETY: promised by the caller.
    unsafe { run(from, to, n, KeyOf::<V::Kernel>::BITS, false) }
}

/// Values as items.
struct Elements<V, I> {
    values: V,
    items: PhantomData<fn() -> I>,
}

impl<V: Copy, I> Clone for Elements<V, I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V: Copy, I> Copy for Elements<V, I> {}

impl<V: Values, I: Laden> Source for Elements<V, I> {
    type Item = I;

    #[inline(always)]
    unsafe fn item(&self, at: usize) -> I {
        // SAFETY: promised by the caller.
        let (key, along) = unsafe { self.values.values(at) }.apart();
        I::new(key.to_bits().bits(), along.pack())
    }
}

/// What is asked for of items.
struct Results<K: Moves, I> {
    to: Bases<K::To>,
    items: PhantomData<fn() -> I>,
}

impl<K: Moves, I> Clone for Results<K, I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: Moves, I> Copy for Results<K, I> {}

/// Results that are written together.
const LANES: usize = 16;

impl<K: Moves, I: Laden> Results<K, I> {
    #[inline(always)]
    fn result(item: I) -> K::To {
        let key = KeyOf::<K>::of_number(item.bits());
        K::result(K::Out::join(key, AlongOf::<K>::unpack(item.along())))
    }
}

impl<K: Moves, I: Laden> Place for Results<K, I> {
    type Item = I;

    #[inline(always)]
    unsafe fn put(&self, at: usize, item: I) {
        // SAFETY: promised by the caller.
        unsafe { Self::result(item).put(self.to.get(), at) };
    }

    #[inline(always)]
    unsafe fn behind(&self, at: usize) -> Self {
        // SAFETY: promised by the caller.
        let to = Bases::new(unsafe { K::To::advance(self.to.get(), at) });
        Results { to, ..*self }
    }

    fn streams(n: usize) -> bool {
        lines::streams_bytes(n, K::To::BYTES)
    }

    #[inline(always)]
    unsafe fn put_round(&self, n: usize, item: impl Fn(usize) -> I) {
        let to = self.to.get();
        // SAFETY: promised by the caller, for all of `0..n`.
        let one = |at: usize| unsafe { self.put(at, item(at)) };
        let head = (LANES - K::To::misses_line(to, 0) % LANES) % LANES;
        let mut at = head.min(n);
        (0..at).for_each(one);
        let mut lanes = K::To::zero().splat::<LANES>();
        while at + LANES <= n {
            for lane in 0..LANES {
                K::To::set(&mut lanes, lane, Self::result(item(at + lane)));
            }
            // SAFETY: as above; the baseline has so many lanes.
            unsafe { K::To::store(&lanes, to, at, true) };
            at += LANES;
        }
        (at..n).for_each(one);
    }
}
