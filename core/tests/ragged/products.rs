//! Arrays of products: one array of tuples or a tuple of arrays, without a copy of either.

#![allow(
    clippy::needless_range_loop,
    reason = "loops over lanes, as emitted code has them"
)]

use ragged_core::elements::{Elements, Gather, Lanes};
use ragged_core::inner::reduce_from;
use ragged_core::{
    ArrayOut, AsProducts, Combine, Failure, Flag, Kernel, Nest, NonEmpty, Operator, Product,
    Products, Ragged, Rows, nest_to,
};

/// What is compiled of the sum over a row of `a * v[j]`: the kernel does not know where the
/// components are.
struct Row<'a, S> {
    row: S,
    v: &'a [f64],
}

impl<S: Elements<(usize, f64)>> Kernel for Row<'_, S> {
    type Out = (f64,);
    const COST: u32 = 9;
    const CHECKS: bool = true;

    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        (out,): <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        let block = Elements::load::<L>(self.row, start);
        let none = [0.0];
        let v = NonEmpty::new(self.v, &none);
        for l in 0..L {
            let (j, a) = block.at(l);
            flag.check(j >= v.len(), 0, [j as i64, v.len() as i64, 0]);
            out[l] = a * v.get(j);
        }
    }
}

impl<S: Elements<(usize, f64)>> Combine for Row<'_, S> {
    const COMMUTATIVE: bool = true;
    const OPERATOR: Operator = Operator::Add;

    #[inline(always)]
    fn neutral(&self) -> (f64,) {
        (-0.0,)
    }

    #[inline(always)]
    fn combine<F: Flag>(&self, (a,): (f64,), (b,): (f64,), _flag: &mut F) -> (f64,) {
        (a + b,)
    }
}

struct All<'a, S> {
    offsets: &'a [i64],
    rows: S,
    v: &'a [f64],
}

impl<S: Elements<(usize, f64)>> Nest for All<'_, S> {
    type Outs = (f64,);
    const CHECKS: bool = true;

    fn cost(&self) -> usize {
        9
    }

    #[inline(always)]
    fn run<const L: usize, F: Flag>(
        &self,
        index: usize,
        (out,): &mut <Self::Outs as Rows>::Places<'_>,
        flag: &mut F,
    ) {
        let (lo, hi) = (
            self.offsets[index] as usize,
            self.offsets[index + 1] as usize,
        );
        let row = self.rows.part(lo..hi);
        let (sum,) = reduce_from::<L, _, F>(&Row { row, v: self.v }, row.len(), (0.0,), flag);
        if !flag.violated() {
            out.put(sum);
        }
    }
}

fn smvm(rows: impl AsProducts<(usize, f64), 1>, v: &[f64]) -> Result<Vec<f64>, Failure> {
    let rows = rows.products_arg();
    rows.check(7)?;
    let [offsets] = rows.levels();
    let nest = All {
        offsets,
        rows: rows.elements()?,
        v,
    };
    let mut sums = Vec::new();
    nest_to(&nest, offsets.len() - 1, (1,), (ArrayOut::vec(&mut sums),))?;
    Ok(sums)
}

#[test]
fn pairs_together_and_apart() {
    let (mut columns, mut values) = (Ragged::new(), Ragged::new());
    for row in 0..300_usize {
        let len = row % 7 * (row % 11);
        columns.push((0..len).map(|i| (i * 7 + row) % 50).collect::<Vec<_>>());
        values.push((0..len).map(|i| (i + row) as f64 / 8.0).collect::<Vec<_>>());
    }
    let pairs = columns
        .values()
        .iter()
        .copied()
        .zip(values.values().iter().copied());
    let pairs =
        Ragged::from_offsets(columns.offsets().to_vec(), pairs.collect::<Vec<_>>()).unwrap();
    let v: Vec<f64> = (0..50).map(f64::from).collect();
    let expected: Vec<f64> = pairs
        .iter()
        .map(|row| row.iter().map(|(j, a)| a * v[*j]).sum())
        .collect();
    assert_eq!(smvm(&pairs, &v), Ok(expected.clone()));
    assert_eq!(smvm((&columns, &values), &v), Ok(expected.clone()));
    assert_eq!(smvm((columns.view(), &values), &v), Ok(expected.clone()));
    let nested = (
        Vec::<Vec<usize>>::from(&columns),
        Vec::<Vec<f64>>::from(&values),
    );
    assert_eq!(smvm((&nested.0, &nested.1), &v), Ok(expected.clone()));
    let (upper, lower) = (columns.view().rows(100..300), values.view().rows(100..300));
    assert_eq!(smvm((upper, lower), &v), Ok(expected[100..].to_vec()));
    assert_eq!(smvm(&Ragged::new(), &[]), Ok(vec![]));
    assert_eq!(smvm((&Ragged::new(), &Ragged::new()), &[]), Ok(vec![]));
    let index = Err(Failure::Check {
        id: 0,
        values: [1, 1, 0],
    });
    assert_eq!(smvm(&Ragged::from([[(0, 1.0), (1, 2.0)]]), &[1.0]), index);
    assert_eq!(smvm((&[[0, 1]], &[[1.0, 2.0]]), &[1.0]), index);
}

#[test]
fn rows_of_other_lengths() {
    fn check<T>(id: u32, left: i64, right: i64) -> Result<T, Failure> {
        let values = [left, right, 0];
        Err(Failure::Check { id, values })
    }
    let columns = Ragged::from([&[0, 1][..], &[], &[2]]);
    let v = [1.0, 2.0, 3.0];
    assert_eq!(smvm((&columns, &vec![vec![1.0, 2.0]]), &v), check(7, 3, 1));
    assert_eq!(
        smvm((&columns, &vec![vec![1.0, 2.0], vec![3.0], vec![]]), &v),
        check(8, 0, 1)
    );
    assert_eq!(
        smvm((&columns, &vec![vec![1.0, 2.0], vec![], vec![]]), &v),
        check(8, 1, 0)
    );
    assert_eq!(smvm((&Ragged::new(), &vec![vec![]]), &v), check(7, 0, 1));

    /// The offending check and the values.
    fn of<T: ragged_core::Element, const LEVELS: usize>(
        arrays: impl AsProducts<T, LEVELS>,
    ) -> Result<(), Failure> {
        arrays.products_arg().check(0)
    }
    let (a, b) = ([1, 2, 3], [4, 5]);
    assert_eq!(of::<(i32, (i32, i32)), 0>((&a, (&a, &a))), Ok(()));
    assert_eq!(of::<(i32, (i32, i32)), 0>((&a, (&b, &a))), check(0, 3, 2));
    assert_eq!(of::<(i32, (i32, i32)), 0>((&a, (&a, &b))), check(2, 3, 2));
    assert_eq!(of::<((i32, i32), i32), 0>((&[(1, 2), (3, 4)], &b)), Ok(()));
    let (a, b) = (vec![vec![a.to_vec()]], vec![vec![], vec![a.to_vec()]]);
    let c = vec![vec![b[1][0][1..].to_vec()]];
    assert_eq!(of::<(i32, i32), 2>((&a, &b)), check(0, 1, 2));
    assert_eq!(of::<(i32, i32), 2>((&a, &c)), check(1, 3, 2));
    assert_eq!(of::<(i32, i32), 2>((&a, &a)), Ok(()));
}

/// Every read gives what it gives of a slice of tuples.
#[test]
fn reads() {
    fn same<const L: usize>(together: &[(u8, (i16, f32))]) {
        let bytes: Vec<u8> = together.iter().map(|it| it.0).collect();
        let shorts: Vec<i16> = together.iter().map(|it| it.1.0).collect();
        let floats: Vec<f32> = together.iter().map(|it| it.1.1).collect();
        let apart = (&bytes[..], (&shorts[..], &floats[..]));
        reads_of::<_, _, L>(together, apart);
        let pairs: Vec<(i16, f32)> = together.iter().map(|it| it.1).collect();
        reads_of::<_, _, L>(together, (&bytes[..], &pairs[..]));
    }
    for len in 0..40_u8 {
        let all: Vec<(u8, (i16, f32))> = (1..=len)
            .map(|i| (i, (i16::from(i) - 20, f32::from(i) / 4.0)))
            .collect();
        same::<1>(&all);
        same::<4>(&all);
        same::<16>(&all);
    }
}

fn reads_of<A, B, const L: usize>(a: A, b: B)
where
    A: Elements<(u8, (i16, f32))>,
    B: Elements<(u8, (i16, f32))>,
{
    /// The elements of a block.
    fn all<E, const L: usize>(block: impl Lanes<E>) -> [E; L] {
        std::array::from_fn(|l| block.at(l))
    }
    let len = a.len();
    assert_eq!((b.len(), b.is_empty()), (len, len == 0));
    let (no_a, no_b) = (A::none(), B::none());
    let (any_a, any_b) = (a.gather(&no_a), b.gather(&no_b));
    for i in [0, 1, len / 2, len.wrapping_sub(1), len, len + 1, usize::MAX] {
        assert_eq!((a.get(i), any_a.get(i)), (b.get(i), any_b.get(i)));
    }
    let half = len / 2..len;
    assert_eq!(a.part(half.clone()).get(1), b.part(half).get(1));
    let near = |i: usize| i.wrapping_sub(3);
    for start in (0..len + 6).map(near) {
        let (mut for_a, mut for_b) = (A::room::<L>(), B::room::<L>());
        let near: [_; L] = all(a.load_near(start, &mut for_a));
        assert_eq!(near, all(b.load_near(start, &mut for_b)));
        let rem: [_; L] = all(a.load_rem(start, 5, &mut for_a));
        assert_eq!(rem, all(b.load_rem(start, 5, &mut for_b)));
        let div: [_; L] = all(a.load_div::<L>(start, 5));
        assert_eq!(div, all(b.load_div::<L>(start, 5)));
    }
    for start in 0..(len + 1).saturating_sub(L) {
        let block: [_; L] = all(a.load::<L>(start));
        assert_eq!(block[0], a.get(start));
        assert_eq!(block, all(b.load::<L>(start)));
        assert_eq!(block, all(b.load_row::<L>(start)));
        assert_eq!(block, all(b.load_last::<L>(start, 64)));
        let mut reversed: [_; L] = all(b.load_rev::<L>(start + L - 1));
        reversed.reverse();
        assert_eq!(block, reversed);
    }
}
