//! Values that are kept, against a filter of the same values.

use ragged_core::{
    ArrayOut, Buffer, Element, Failure, Flag, Kernel, Make, Product, keep_packed_to, keep_to,
};
use std::marker::PhantomData;

use crate::everywhere;
use crate::values::{Value, values};

/// Sizes around blocks, buffers and parts.
const SIZES: [usize; 12] = [
    0, 1, 15, 17, 63, 64, 65, 1000, 1100, 16_384, 16_385, 100_003,
];

/// Which of 97 are kept.
const KEPT: [usize; 5] = [0, 1, 48, 96, 97];

fn is_kept(at: usize, of_97: usize) -> bool {
    at.wrapping_mul(7919) % 97 < of_97
}

/// The elements, of some of which it says that they are kept, beside their places.
struct Some97<'a, T> {
    xs: &'a [T],
    of_97: usize,
    /// The element that fails.
    fails: Option<usize>,
}

impl<T: Element> Kernel for Some97<'_, T> {
    type Out = (bool, T, u16);
    const COST: u32 = 64;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        (kept, xs, places): <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        for l in 0..L {
            let at = start + l;
            flag.check(self.fails == Some(at), 7, [at as i64, 0, 0]);
            kept[l] = is_kept(at, self.of_97);
            xs[l] = self.xs[at];
            places[l] = at as u16;
        }
    }
}

fn kept<T: Element>(nest: &Some97<'_, T>) -> Result<(Vec<T>, Vec<u16>), Failure> {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    let outs = (ArrayOut::vec(&mut a), ArrayOut::vec(&mut b));
    let count = keep_to(nest, nest.xs.len(), outs)?;
    assert_eq!((count, count), (a.len(), b.len()));
    Ok((a, b))
}

fn is_filter<T: Value>(n: usize, of_97: usize) {
    let xs = &values::<T>(n)[..];
    let nest = Some97 {
        xs,
        of_97,
        fails: None,
    };
    let (a, b) = kept(&nest).unwrap();
    let places: Vec<usize> = (0..n).filter(|at| is_kept(*at, of_97)).collect();
    assert!(
        a.iter()
            .map(|x| x.bits())
            .eq(places.iter().map(|at| xs[*at].bits()))
    );
    assert!(b.iter().copied().eq(places.iter().map(|at| *at as u16)));
}

#[test]
fn kept_values_are_in_order() {
    everywhere(|| {
        for n in SIZES {
            for of_97 in KEPT {
                is_filter::<i8>(n, of_97);
                is_filter::<f32>(n, of_97);
                is_filter::<f64>(n, of_97);
                is_filter::<bool>(n, of_97);
            }
        }
    });
}

#[test]
fn what_has_room_is_written_at_once_and_all_else_later() {
    everywhere(|| {
        let xs = &values::<i32>(100_003)[..];
        for of_97 in KEPT {
            let nest = Some97 {
                xs,
                of_97,
                fails: None,
            };
            let wanted = kept(&nest).unwrap();
            let count = wanted.0.len();
            for room in [1, count / 2, count.saturating_sub(1), count, 100_003] {
                let (mut a, mut b) = (Vec::with_capacity(room), vec![7; room]);
                let outs = (ArrayOut::vec(&mut a), ArrayOut::vec(&mut b));
                assert_eq!(keep_to(&nest, xs.len(), outs), Ok(count));
                assert!((&a, &b) == (&wanted.0, &wanted.1), "{of_97} {room}");
            }
            let (mut a, mut b) = (Buffer::new(), Buffer::new());
            let outs = (ArrayOut::buffer(&mut a), ArrayOut::buffer(&mut b));
            assert_eq!(keep_to(&nest, xs.len(), outs), Ok(count));
            assert!(a[..] == wanted.0 && b[..] == wanted.1, "{of_97}");
        }
    });
}

#[test]
fn the_lowest_index_fails_and_slices_have_the_length() {
    everywhere(|| {
        let xs = &values::<i32>(40_000)[..];
        let fails = Some(30_001);
        let failure = kept(&Some97 {
            xs,
            of_97: 50,
            fails,
        });
        let values = [30_001, 0, 0];
        assert_eq!(failure.err(), Some(Failure::Check { id: 7, values }));
        let all = Some97 {
            xs,
            of_97: 97,
            fails: None,
        };
        let (mut a, mut b) = (vec![0; 40_000], [0; 39_999]);
        let outs = (ArrayOut::slice(&mut a), ArrayOut::slice(&mut b));
        let (len, room) = (40_000, 39_999);
        assert_eq!(
            keep_to(&all, 40_000, outs),
            Err(Failure::ResultLength { len, room })
        );
    });
}

/// An element beside its place, as one element of an array: with gaps, for most types.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Placed<T> {
    place: u16,
    x: T,
}

struct Placing<T>(PhantomData<T>);

impl<T: Element> Make for Placing<T> {
    type Parts = (T, u16);
    type Whole = Placed<T>;
    #[inline(always)]
    fn make((x, place): (T, u16)) -> Placed<T> {
        Placed { place, x }
    }
}

fn packed<T: Element>(
    nest: &Some97<'_, T>,
    out: ArrayOut<'_, Placed<T>>,
) -> Result<usize, Failure> {
    keep_packed_to::<_, Placing<T>>(nest, nest.xs.len(), (out,))
}

fn is_packed<T: Value>(n: usize, of_97: usize) {
    let xs = &values::<T>(n)[..];
    let nest = Some97 {
        xs,
        of_97,
        fails: None,
    };
    let (a, b) = kept(&nest).unwrap();
    let mut wanted = a.iter().map(|x| x.bits()).zip(b.iter().copied());
    for room in [0, 1, a.len() / 2, a.len(), n] {
        let mut out = Vec::with_capacity(room);
        assert_eq!(packed(&nest, ArrayOut::vec(&mut out)), Ok(a.len()));
        let found = out.iter().map(|it| (it.x.bits(), it.place));
        assert!(found.eq(wanted.clone()), "{n} {of_97} {room}");
    }
    let mut out = vec![Placed::default(); a.len()];
    assert_eq!(packed(&nest, ArrayOut::slice(&mut out)), Ok(a.len()));
    assert!(
        out.iter()
            .all(|it| wanted.next() == Some((it.x.bits(), it.place)))
    );
}

#[test]
fn kept_values_are_made_elements_of() {
    everywhere(|| {
        for n in SIZES {
            for of_97 in KEPT {
                is_packed::<i8>(n, of_97);
                is_packed::<f64>(n, of_97);
            }
        }
    });
}

#[test]
fn what_elements_are_made_of_fails_as_by_itself() {
    let xs = &values::<i32>(40_000)[..];
    let nest = |of_97, fails| Some97 { xs, of_97, fails };
    let mut out = vec![Placed::default(); 39_999];
    let values = [30_001, 0, 0];
    assert_eq!(
        packed(&nest(50, Some(30_001)), ArrayOut::slice(&mut out)),
        Err(Failure::Check { id: 7, values })
    );
    let (len, room) = (40_000, 39_999);
    assert_eq!(
        packed(&nest(97, None), ArrayOut::slice(&mut out)),
        Err(Failure::ResultLength { len, room })
    );
}
