//! Operations inside of nests: the same bits as the skeletons give on the same data.

use ragged_core::{CHUNK, Combine, Kernel, Nest, Product, Report, Rows, inner, load, nest};
use ragged_core::{Flag, fold, reduce_from, scan, write};

use crate::everywhere;
use crate::values::{Cheap, One, Two, Value, values};

/// Lengths of rows around the blocks of all levels, rounds and chunks.
pub const WIDTHS: [usize; 23] = [
    0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 100, 128, 1000, CHUNK, 16_385, 32_768,
    40_000,
];

/// Rows of each nest, which overlap: row `i` of width `w` begins at element `i * STEP`.
const ROWS: usize = 5;
const STEP: usize = 7;

/// All operations on one row; `C`: the operator is commutative.
struct All<'a, T, const C: bool> {
    data: &'a [T],
    width: usize,
}

impl<'a, T, const C: bool> All<'a, T, C> {
    fn row(&self, index: usize) -> &'a [T] {
        &self.data[index * STEP..][..self.width]
    }
}

macro_rules! all_operations {
    ($($t:ident)*) => { $(
        impl<const C: bool> Nest for All<'_, $t, C> {
            /// The row, its sum, its fold and the steps of that; prefixes and total of a scan, the
            /// same from a cheap kernel, and of an exclusive one with a start.
            type Outs = ($t, $t, $t, u64, $t, $t, $t, $t, $t, $t);
            const CHECKS: bool = false;
            fn cost(&self) -> usize {
                1 << 21
            }
            #[inline(always)]
            fn run<const L: usize, F: Flag>(
                &self,
                index: usize,
                rows: &mut <Self::Outs as Rows>::Places<'_>,
                flag: &mut F,
            ) {
                let (row, sum, acc, steps, to, total, cheap_to, cheap_total, before, after) = Self::Outs::slices(rows);
                let (xs, n) = (self.row(index), self.width);
                let (kernel, start) = (One::<$t, C>(xs), ($t::made_up(99),));
                inner::write::<L, _, F>(&kernel, n, (row,), flag);
                (sum[0],) = inner::reduce_from::<L, _, F>(&kernel, n, start, flag);
                (acc[0], steps[0]) = inner::fold::<L, _, F>(&kernel, n, (start.0, 7), flag);
                let missing = ($t::made_up(98),);
                let all = inner::scan::<L, _, F>(&kernel, n, None, false, (to,), flag);
                (total[0],) = all.unwrap_or(missing);
                let kernel = Cheap(kernel);
                let all = inner::scan::<L, _, F>(&kernel, n, None, false, (cheap_to,), flag);
                (cheap_total[0],) = all.unwrap_or(missing);
                let all = inner::scan::<L, _, F>(&kernel, n, Some(start), true, (before,), flag);
                (after[0],) = all.unwrap_or(missing);
            }
        }

        #[test]
        fn $t() {
            let data = values::<$t>(ROWS * STEP + 40_000);
            for width in WIDTHS {
                compare::<$t, true>(&All::<$t, true> { data: &data, width });
                compare::<$t, false>(&All::<$t, false> { data: &data, width });
            }
        }

        impl Whole for $t {
            fn rows<const C: bool>(it: &All<'_, $t, C>) -> Rowwise<$t> {
                let w = it.width;
                let widths = (w, 1, 1, 1, w, 1, w, 1, w, 1);
                let (row, sum, acc, steps, to, total, cheap_to, cheap_total, before, after) =
                    nest(it, ROWS, widths).unwrap();
                let wide = [row, to, cheap_to, before];
                let single = [sum, acc, total, cheap_total, after];
                Rowwise { wide, single, steps }
            }
        }
    )* };
}
all_operations!(i8 u16 i32 u64 f32 f64 bool);

/// What `All` gives.
struct Rowwise<T> {
    wide: [Vec<T>; 4],
    single: [Vec<T>; 5],
    steps: Vec<u64>,
}

trait Whole: Value {
    fn rows<const C: bool>(it: &All<'_, Self, C>) -> Rowwise<Self>;
}

fn bits<T: Value>(xs: &[T]) -> Vec<T::Bits> {
    xs.iter().map(|x| x.bits()).collect()
}

fn compare<T: Whole, const C: bool>(it: &All<'_, T, C>) {
    let w = it.width;
    let mut expected = Rowwise {
        wide: [(); 4].map(|()| Vec::new()),
        single: [(); 5].map(|()| Vec::new()),
        steps: Vec::new(),
    };
    for index in 0..ROWS {
        let (kernel, start) = (One::<T, C>(it.row(index)), (T::made_up(99),));
        let (sum,) = reduce_from(&kernel, w, start).unwrap();
        let (acc, steps) = fold(&kernel, w, (start.0, 7)).unwrap();
        let ((to,), total) = scan(&kernel, w, None, false).unwrap();
        let ((before,), after) = scan(&kernel, w, Some(start), true).unwrap();
        let (total, after) = (total.map_or(T::made_up(98), |t| t.0), after.unwrap().0);
        let wide = [write(&kernel, w).unwrap().0, to.clone(), to, before];
        for (all, row) in expected.wide.iter_mut().zip(wide) {
            all.extend(row);
        }
        let single = [sum, acc, total, total, after];
        for (all, value) in expected.single.iter_mut().zip(single) {
            all.push(value);
        }
        expected.steps.push(steps);
    }
    everywhere(|| {
        let got = T::rows(it);
        for (i, (got, expected)) in got.wide.iter().zip(&expected.wide).enumerate() {
            assert_eq!(bits(got), bits(expected), "array {i}, width {w}, {C}");
        }
        for (i, (got, expected)) in got.single.iter().zip(&expected.single).enumerate() {
            assert_eq!(bits(got), bits(expected), "number {i}, width {w}, {C}");
        }
        assert_eq!(got.steps, expected.steps, "width {w}");
    });
}

/// One lane and a flag that reports: what the search for the first violation computes.
#[test]
fn single_lanes_give_the_same_bits() {
    let data = values::<f32>(40_000);
    for n in WIDTHS {
        let kernel = One::<f32, true>(&data[..n]);
        let mut flag = Report::default();
        let sum = inner::reduce_from::<1, _, _>(&kernel, n, (0.5,), &mut flag);
        assert_eq!(Ok(sum), reduce_from(&kernel, n, (0.5,)), "{n}");
        let mut row = vec![0.0; n];
        let total = inner::scan::<1, _, _>(&kernel, n, None, false, (&mut row,), &mut flag);
        assert_eq!(((row,), total), scan(&kernel, n, None, false).unwrap());
        let mut row = vec![0.0; n];
        inner::write::<1, _, _>(&kernel, n, (&mut row,), &mut flag);
        assert_eq!(row, data[..n]);
        assert_eq!(flag.failure(), None);
    }
}

/// Sums and prefixes of products.
struct Products<'a, const C: bool>(Two<'a, C>, usize);

impl<const C: bool> Nest for Products<'_, C> {
    type Outs = (f32, i64, i64, f32, i64, i64);
    const CHECKS: bool = false;
    fn cost(&self) -> usize {
        100
    }
    #[inline(always)]
    fn run<const L: usize, F: Flag>(
        &self,
        _index: usize,
        rows: &mut <Self::Outs as Rows>::Places<'_>,
        flag: &mut F,
    ) {
        let (a, b, c, to_a, to_b, to_c) = Self::Outs::slices(rows);
        let (kernel, n) = (&self.0, self.1);
        (a[0], b[0], c[0]) = inner::reduce_from::<L, _, F>(kernel, n, (1.5, 3, 4), flag);
        inner::scan::<L, _, F>(kernel, n, None, false, (to_a, to_b, to_c), flag);
    }
}

fn check_products<const C: bool>() {
    let (xs, ys) = (values::<f32>(40_000), values::<i64>(40_000));
    for n in WIDTHS {
        let kernel = Two::<C>(&xs[..n], &ys[..n]);
        let sum = reduce_from(&kernel, n, (1.5, 3, 4)).unwrap();
        let (prefixes, _) = scan(&kernel, n, None, false).unwrap();
        let it = Products(kernel, n);
        everywhere(|| {
            let (a, b, c, to_a, to_b, to_c) = nest(&it, 1, (1, 1, 1, n, n, n)).unwrap();
            assert_eq!(
                (a[0].to_bits(), b[0], c[0]),
                (sum.0.to_bits(), sum.1, sum.2)
            );
            assert_eq!(bits(&to_a), bits(&prefixes.0));
            assert_eq!((&to_b, &to_c), (&prefixes.1, &prefixes.2));
        });
    }
}

#[test]
fn products() {
    check_products::<true>();
    check_products::<false>();
}

/// The product of two matrices, the second transposed, and each row divided by its sum: operations
/// on rows whose results other operations read.
struct Normalised<'a> {
    a: &'a [f32],
    b: &'a [f32],
    inner: usize,
    columns: usize,
}

struct Dot<'a>(&'a [f32], &'a [f32]);

impl Kernel for Dot<'_> {
    type Out = (f32,);
    const COST: u32 = 3;
    const CHECKS: bool = false;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        let (xs, ys) = (load::<_, L>(self.0, start), load::<_, L>(self.1, start));
        for l in 0..L {
            out.0[l] = xs[l] * ys[l];
        }
    }
}

impl Combine for Dot<'_> {
    const COMMUTATIVE: bool = true;
    fn neutral(&self) -> (f32,) {
        (-0.0,)
    }
    #[inline(always)]
    fn combine<F: Flag>(&self, a: (f32,), b: (f32,), _flag: &mut F) -> (f32,) {
        (a.0 + b.0,)
    }
}

/// Each element over a number that is the same for all.
struct Over<'a>(&'a [f32], f32);

impl Kernel for Over<'_> {
    type Out = (f32,);
    const COST: u32 = 3;
    const CHECKS: bool = false;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        let xs = load::<_, L>(self.0, start);
        for l in 0..L {
            out.0[l] = xs[l] / self.1;
        }
    }
}

/// For each column the product of a row with it: a kernel that holds an operation itself.
struct Columns<'a, 'b>(&'b Normalised<'a>, usize);

impl Kernel for Columns<'_, '_> {
    type Out = (f32,);
    const COST: u32 = 100;
    const CHECKS: bool = false;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        let Normalised { a, b, inner: n, .. } = *self.0;
        for l in 0..L {
            let dot = Dot(&a[self.1 * n..][..n], &b[(start + l) * n..][..n]);
            (out.0[l],) = inner::reduce_from::<L, _, F>(&dot, n, (0.0,), flag);
        }
    }
}

impl Nest for Normalised<'_> {
    type Outs = (f32, f32);
    const CHECKS: bool = false;
    fn cost(&self) -> usize {
        self.inner * self.columns * 2
    }
    #[inline(always)]
    fn run<const L: usize, F: Flag>(
        &self,
        index: usize,
        rows: &mut <Self::Outs as Rows>::Places<'_>,
        flag: &mut F,
    ) {
        let (row, sum) = Self::Outs::slices(rows);
        let mut products = [0.0; 40];
        let products = &mut products[..self.columns];
        inner::write::<L, _, F>(&Columns(self, index), self.columns, (products,), flag);
        let all = One::<f32, true>(products);
        (sum[0],) = inner::reduce_from::<L, _, F>(&all, self.columns, (0.0,), flag);
        inner::write::<L, _, F>(&Over(products, sum[0]), self.columns, (row,), flag);
    }
}

#[test]
fn operations_read_what_others_wrote() {
    let (a, b) = (values::<f32>(50 * 130), values::<f32>(40 * 130));
    for (rows, inner, columns) in [(50, 130, 40), (1, 3, 1), (7, 0, 5), (50, 9, 17), (3, 64, 0)] {
        let it = Normalised {
            a: &a,
            b: &b,
            inner,
            columns,
        };
        let mut expected = (Vec::new(), Vec::new());
        for i in 0..rows {
            let dot = |j: usize| {
                let dot = Dot(&a[i * inner..][..inner], &b[j * inner..][..inner]);
                reduce_from(&dot, inner, (0.0,)).unwrap().0
            };
            let products: Vec<f32> = (0..columns).map(dot).collect();
            let (sum,) = reduce_from(&One::<f32, true>(&products), columns, (0.0,)).unwrap();
            expected.0.extend(products.iter().map(|x| x / sum));
            expected.1.push(sum);
        }
        everywhere(|| {
            let got = nest(&it, rows, (columns, 1)).unwrap();
            assert_eq!(bits(&got.0), bits(&expected.0));
            assert_eq!(bits(&got.1), bits(&expected.1));
        });
    }
}
