//! Arrays that grow, against vectors that do.

use ragged_core::{ArrayOut, Buffer, Element, End, Flag, Kernel, Product, append};

use crate::everywhere;
use crate::values::{Value, values};

/// How many elements are appended in one step: around blocks and parts, none, and one.
const STEPS: [usize; 10] = [1, 0, 3, 64, 63, 1, 1000, 16_385, 0, 100_003];

/// Some of the elements, beside their places.
struct Part<'a, T> {
    xs: &'a [T],
    /// The element that fails.
    fails: Option<usize>,
}

impl<T: Element> Kernel for Part<'_, T> {
    type Out = (T, u16);
    const COST: u32 = 8;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        (xs, places): <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        for l in 0..L {
            let at = start + l;
            flag.check(self.fails == Some(at), 7, [at as i64, 0, 0]);
            xs[l] = self.xs[at];
            places[l] = at as u16;
        }
    }
}

fn is_a_vector<T: Value>() {
    let all = values::<T>(100_003);
    // One that has room by chance, and one that has none.
    let mut elements = Buffer::from(Vec::with_capacity(5));
    let mut places: Buffer<u16> = Buffer::new();
    let (mut expected, mut numbers) = (Vec::new(), Vec::new());
    for n in STEPS {
        let part = Part {
            xs: &all[..n],
            fails: None,
        };
        let ends = (&mut End::own(&mut elements), &mut End::own(&mut places));
        append(&part, n, ends).unwrap();
        expected.extend_from_slice(&all[..n]);
        numbers.extend((0..n).map(|at| at as u16));
        // What fails appends nothing, to neither.
        let failing = Part {
            xs: &all[..n],
            fails: n.checked_sub(1),
        };
        let ends = (&mut End::own(&mut elements), &mut End::own(&mut places));
        assert_eq!(append(&failing, n, ends).is_err(), n > 0);
        assert_eq!(
            (elements.len(), places.len()),
            (expected.len(), numbers.len())
        );
        elements.push(all[0]).unwrap();
        expected.push(all[0]);
        places.push(7).unwrap();
        numbers.push(7);
    }
    let bits = |xs: &[T]| xs.iter().map(|x| x.bits()).collect::<Vec<_>>();
    assert_eq!(bits(&elements), bits(&expected));
    assert_eq!(*places, *numbers);
}

#[test]
fn arrays_grow_as_vectors_do() {
    everywhere(|| {
        is_a_vector::<u8>();
        is_a_vector::<i32>();
        is_a_vector::<f64>();
    });
}

/// Elements are copied a fixed number of times, however many are appended one by one.
#[test]
fn growing_takes_linear_time() {
    let mut array: Buffer<u64> = Buffer::new();
    let (mut moves, mut place) = (0, array.as_ptr());
    for i in 0..1_000_000 {
        array.push(i).unwrap();
        moves += usize::from(array.as_ptr() != place);
        place = array.as_ptr();
    }
    assert!(moves <= 25, "moved {moves} times");
    assert!(array.iter().copied().eq(0..1_000_000));
}

#[test]
fn results_give_back_what_they_do_not_need() {
    for n in [0, 1, 5, 1000, 70_000] {
        let mut array: Buffer<u64> = Buffer::new();
        for i in 0..n {
            array.push(i).unwrap();
        }
        let mut result = Vec::new();
        ArrayOut::vec(&mut result).give(array).unwrap();
        assert!(result.iter().copied().eq(0..n));
        let room = result.capacity();
        assert!(room - result.len() <= room / 5, "{room} for {n}");
    }
}
