//! Arrays of products as arguments: one array of tuples, or a tuple of arrays.
//!
//! In: what a user passes for an array of products, of any depth. Out: its offsets, and its elements
//! where they are, see `elements.rs`.
//! Assumes: nothing. That the arrays of a tuple have rows of the same lengths, [`Products::check`]
//! finds out; arrays that share their offsets in memory need no look at them.

#[cfg(feature = "ndarray")]
use ndarray::{ArrayBase, ViewRepr};

use super::{AsRagged, Item, RaggedArg, RaggedView};
use crate::args::{ArrayArg, AsArray};
use crate::dense::DenseArg;
use crate::elements::Elements;
use crate::error::Failure;
use crate::kernel::Element;

/// What may be passed for an array of products `T` with `LEVELS` levels of rows of any lengths, 0 for
/// `[T]`, 1 for `[[T]]`, to 5: what [`AsArray`] and [`AsRagged`] take, or, if `T` is a tuple, a tuple
/// of such arrays of its components, whose rows have the same lengths.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed as an array of `{T}`",
    label = "expected an array of `{T}` with {LEVELS} levels of rows, or a tuple of arrays of its components",
    note = "without rows (0 levels) pass `&[{T}]` and what is like it, with 1 level a `&Ragged<{T}>`, with 2 \
            a `&Ragged<Ragged<{T}>>`; or a tuple with such an array for each component"
)]
pub trait AsProducts<T: Element, const LEVELS: usize> {
    /// See [`Products`].
    type Arg<'a>: Products<T, LEVELS>
    where
        Self: 'a;

    /// The offsets and the elements.
    fn products_arg(&self) -> Self::Arg<'_>;
}

/// An array of products as an argument.
pub trait Products<T: Element, const LEVELS: usize> {
    /// Where the elements are.
    type Elements<'a>: Elements<T>
    where
        Self: 'a;

    /// The offsets of all levels, the outermost first.
    fn levels(&self) -> [&[i64]; LEVELS];

    /// The elements.
    ///
    /// Errors: `OutOfMemory` if anything had to be copied, and could not be.
    fn elements(&self) -> Result<Self::Elements<'_>, Failure>;

    /// That all arrays of a tuple have as many rows (elements, if there are no rows), and rows of
    /// the same lengths, as the first. Arrays have numbers in the order of the tuple.
    ///
    /// Cost: none for arrays that share their offsets, else a pass over these. Errors: no memory;
    /// check `id + 2 * (number - 1)` with the numbers of rows, or the one after it with the lengths
    /// of the first row that differs, of the first array and of the other.
    fn check(&self, id: u32) -> Result<(), Failure> {
        let mut checks = Checks {
            first: None,
            next: id,
        };
        self.check_with(&mut checks)
    }

    /// See there.
    #[doc(hidden)]
    fn check_with<'a>(&'a self, checks: &mut Checks<'a, LEVELS>) -> Result<(), Failure>;
}

/// The lengths that all arrays have to have, once there is a first array, and the number of the next
/// check.
pub struct Checks<'a, const LEVELS: usize> {
    first: Option<Shape<'a, LEVELS>>,
    next: u32,
}

/// Offsets per level, and how many elements.
#[derive(Clone, Copy)]
struct Shape<'a, const LEVELS: usize> {
    levels: [&'a [i64]; LEVELS],
    elements: usize,
}

impl<'a, const LEVELS: usize> Checks<'a, LEVELS> {
    fn look(&mut self, this: Shape<'a, LEVELS>) -> Result<(), Failure> {
        let Some(first) = self.first else {
            self.first = Some(this);
            return Ok(());
        };
        let id = self.next;
        self.next += 2;
        same(first, this, id)
    }
}

fn same<const LEVELS: usize>(
    left: Shape<'_, LEVELS>,
    right: Shape<'_, LEVELS>,
    id: u32,
) -> Result<(), Failure> {
    let failure = |id, left: usize, right: usize| {
        let values = [left as i64, right as i64, 0];
        Err(Failure::Check { id, values })
    };
    let rows = |shape: Shape<'_, LEVELS>| match shape.levels.first() {
        Some(offsets) => offsets.len() - 1,
        None => shape.elements,
    };
    if rows(left) != rows(right) {
        return failure(id, rows(left), rows(right));
    }
    for (left, right) in left.levels.into_iter().zip(right.levels) {
        if let Some(row) = first_difference(left, right) {
            let len = |offsets: &[i64]| (offsets[row + 1] - offsets[row]) as usize;
            return failure(id + 1, len(left), len(right));
        }
    }
    Ok(())
}

/// The first row with a length of its own; both have as many rows, and begin at 0.
fn first_difference(left: &[i64], right: &[i64]) -> Option<usize> {
    if core::ptr::eq(left, right) || left == right {
        return None;
    }
    let mut ends = left.iter().zip(right).skip(1);
    ends.position(|(left, right)| left != right)
}

impl<T: Element, const LEVELS: usize> Products<T, LEVELS> for RaggedArg<'_, T, LEVELS> {
    type Elements<'a>
        = &'a [T]
    where
        Self: 'a;

    #[inline]
    fn levels(&self) -> [&[i64]; LEVELS] {
        self.levels()
    }

    #[inline]
    fn elements(&self) -> Result<&[T], Failure> {
        self.elements()
    }

    fn check_with<'a>(&'a self, checks: &mut Checks<'a, LEVELS>) -> Result<(), Failure> {
        checks.look(Shape {
            levels: self.levels(),
            elements: self.elements()?.len(),
        })
    }
}

impl<T: Element> Products<T, 0> for ArrayArg<'_, T> {
    type Elements<'a>
        = &'a [T]
    where
        Self: 'a;

    #[inline]
    fn levels(&self) -> [&[i64]; 0] {
        []
    }

    #[inline]
    fn elements(&self) -> Result<&[T], Failure> {
        self.elements()
    }

    fn check_with<'a>(&'a self, checks: &mut Checks<'a, 0>) -> Result<(), Failure> {
        let (levels, elements) = ([], self.elements()?.len());
        checks.look(Shape { levels, elements })
    }
}

/// What is no tuple: arrays by reference, and views by value.
macro_rules! together {
    (rows: $($levels:literal),*) => { $(
        together! { @impls $levels, AsRagged<T, $levels>, ragged_arg, RaggedArg<'a, T, $levels>:
            {X: ?Sized} &X;
            {X: ?Sized} &mut X;
            {U: Item} RaggedView<'_, U>;
            {} RaggedArg<'_, T, $levels>;
            {const RANK: usize} DenseArg<'_, T, RANK>;
        }
        #[cfg(feature = "ndarray")]
        together! { @impls $levels, AsRagged<T, $levels>, ragged_arg, RaggedArg<'a, T, $levels>:
            {D} ArrayBase<ViewRepr<&'_ T>, D, T>;
            {D} ArrayBase<ViewRepr<&'_ mut T>, D, T>;
        }
    )* };
    (elements) => {
        together! { @impls 0, AsArray<T>, array_arg, ArrayArg<'a, T>:
            {X: ?Sized} &X;
            {X: ?Sized} &mut X;
            {} ArrayArg<'_, T>;
        }
        #[cfg(feature = "ndarray")]
        together! { @impls 0, AsArray<T>, array_arg, ArrayArg<'a, T>:
            {D} ArrayBase<ViewRepr<&'_ T>, D, T>;
            {D} ArrayBase<ViewRepr<&'_ mut T>, D, T>;
        }
    };
    (@impls $levels:literal, $as_arg:path, $arg:ident, $whole:ty: $({$($generics:tt)*} $ty:ty;)*) => { $(
        // The note says what to pass.
        #[diagnostic::do_not_recommend]
        impl<T: Element, $($generics)*> AsProducts<T, $levels> for $ty
        where
            Self: $as_arg,
        {
            type Arg<'a> = $whole where Self: 'a;

            #[inline]
            fn products_arg(&self) -> Self::Arg<'_> {
                self.$arg()
            }
        }
    )* };
}

together! { elements }
together! { rows: 1, 2, 3, 4, 5 }

/// Tuples of arrays, each with its number.
macro_rules! apart {
    ($($T:ident $A:ident $i:tt),+) => {
        #[diagnostic::do_not_recommend]
        impl<$($T: Element, $A: AsProducts<$T, LEVELS>,)+ const LEVELS: usize>
            AsProducts<($($T,)+), LEVELS> for ($($A,)+)
        {
            type Arg<'a> = ($($A::Arg<'a>,)+) where Self: 'a;

            #[inline]
            fn products_arg(&self) -> Self::Arg<'_> {
                ($(self.$i.products_arg(),)+)
            }
        }

        impl<$($T: Element, $A: Products<$T, LEVELS>,)+ const LEVELS: usize>
            Products<($($T,)+), LEVELS> for ($($A,)+)
        {
            type Elements<'a> = ($($A::Elements<'a>,)+) where Self: 'a;

            #[inline]
            fn levels(&self) -> [&[i64]; LEVELS] {
                self.0.levels()
            }

            #[inline]
            fn elements(&self) -> Result<Self::Elements<'_>, Failure> {
                Ok(($(self.$i.elements()?,)+))
            }

            fn check_with<'a>(&'a self, checks: &mut Checks<'a, LEVELS>) -> Result<(), Failure> {
                $(self.$i.check_with(checks)?;)+
                Ok(())
            }
        }
    };
}

apart!(A N 0, B O 1);
apart!(A N 0, B O 1, C P 2);
apart!(A N 0, B O 1, C P 2, D Q 3);
apart!(A N 0, B O 1, C P 2, D Q 3, E R 4);
apart!(A N 0, B O 1, C P 2, D Q 3, E R 4, F S 5);
apart!(A N 0, B O 1, C P 2, D Q 3, E R 4, F S 5, G T 6);
apart!(A N 0, B O 1, C P 2, D Q 3, E R 4, F S 5, G T 6, H U 7);
apart!(A N 0, B O 1, C P 2, D Q 3, E R 4, F S 5, G T 6, H U 7, I V 8);
apart!(A N 0, B O 1, C P 2, D Q 3, E R 4, F S 5, G T 6, H U 7, I V 8, J W 9);
apart!(A N 0, B O 1, C P 2, D Q 3, E R 4, F S 5, G T 6, H U 7, I V 8, J W 9, K X 10);
apart!(A N 0, B O 1, C P 2, D Q 3, E R 4, F S 5, G T 6, H U 7, I V 8, J W 9, K X 10, M Y 11);
