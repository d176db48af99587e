//! Reductions of many short rows together: the bits that the nest's own body gives.

use ragged_core::{
    ArrayOut, Combine, Failure, Flag, Kernel, Nest, Operator, Product, Rows, Segments, inner,
    nest_to, segments_to,
};

use crate::everywhere;
use crate::reference;
use crate::values::{One, Value, values};

/// The sum of each row of `xs`, and its length; `C`: the operator is commutative.
struct Sums<'a, T, const C: bool> {
    xs: &'a [T],
    offsets: &'a [i64],
    /// The element that fails.
    fails: Option<usize>,
}

/// The elements from `start` on, of which one fails.
struct Checked<'a, T, const C: bool> {
    xs: One<'a, T, C>,
    start: usize,
    fails: Option<usize>,
}

impl<T: Value, const C: bool> Kernel for Checked<'_, T, C> {
    type Out = (T,);
    const COST: u32 = 2;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        let start = start + self.start;
        for at in start..start + L {
            flag.check(self.fails == Some(at), 7, [at as i64, 0, 0]);
        }
        self.xs.block::<L, F>(start, out, flag);
    }
}

impl<T: Value, const C: bool> Combine for Checked<'_, T, C> {
    const COMMUTATIVE: bool = C;
    const OPERATOR: Operator = T::OPERATOR;
    #[inline(always)]
    fn neutral(&self) -> (T,) {
        self.xs.neutral()
    }
    #[inline(always)]
    fn combine<F: Flag>(&self, a: (T,), b: (T,), flag: &mut F) -> (T,) {
        self.xs.combine(a, b, flag)
    }
}

impl<'a, T: Value, const C: bool> Sums<'a, T, C> {
    fn from(&self, start: usize) -> Checked<'a, T, C> {
        Checked {
            xs: One(self.xs),
            start,
            fails: self.fails,
        }
    }

    fn len(&self, index: usize) -> usize {
        (self.offsets[index + 1] - self.offsets[index]) as usize
    }
}

macro_rules! sums {
    ($($t:ident)*) => { $(
        impl<const C: bool> Nest for Sums<'_, $t, C> {
            type Outs = ($t, usize);
            const CHECKS: bool = true;
            fn cost(&self) -> usize {
                1 << 12
            }
            #[inline(always)]
            fn run<const L: usize, F: Flag>(
                &self,
                index: usize,
                rows: &mut <Self::Outs as Rows>::Places<'_>,
                flag: &mut F,
            ) {
                let (kernel, len) = (self.from(self.offsets[index] as usize), self.len(index));
                let init = ($t::made_up(99),);
                let (sum,) = inner::reduce_from::<L, _, F>(&kernel, len, init, flag);
                rows.0.put(sum);
                rows.1.put(len);
            }
        }

        impl<const C: bool> Segments for Sums<'_, $t, C> {
            type Value = ($t,);
            type Values<'s> = Checked<'s, $t, C> where Self: 's;
            #[inline(always)]
            fn values(&self) -> Self::Values<'_> {
                self.from(0)
            }
            #[inline(always)]
            fn close<const L: usize, F: Flag>(
                &self,
                index: usize,
                _len: usize,
                total: Option<($t,)>,
                rows: &mut <Self::Outs as Rows>::Places<'_>,
                flag: &mut F,
            ) {
                let init = ($t::made_up(99),);
                let (sum,) = match total {
                    Some(total) => self.values().combine(init, total, flag),
                    None => init,
                };
                rows.0.put(sum);
                rows.1.put(self.len(index));
            }
        }

        impl<const C: bool> Sums<'_, $t, C> {
            fn both(&self) -> [Result<(Vec<$t>, Vec<usize>), Failure>; 2] {
                let n = self.offsets.len() - 1;
                [false, true].map(|together| {
                    let (mut a, mut b) = (Vec::new(), Vec::new());
                    let outs = (ArrayOut::vec(&mut a), ArrayOut::vec(&mut b));
                    match together {
                        true => segments_to(self, n, self.offsets, (1, 1), outs)?,
                        false => nest_to(self, n, (1, 1), outs)?,
                    }
                    Ok((a, b))
                })
            }

            fn agrees(&self) {
                let [alone, together] = self.both().map(|it| it.expect("nothing fails"));
                assert_eq!(alone.1, together.1);
                for (row, (a, b)) in alone.0.iter().zip(&together.0).enumerate() {
                    assert_eq!(a.bits(), b.bits(), "row {row}, of {} elements", alone.1[row]);
                }
            }
        }
    )* };
}
sums!(i8 i32 u64 f32 f64);

pub(crate) fn offsets(lens: &[usize]) -> Vec<i64> {
    let ends = lens.iter().scan(0, |end, len| {
        *end += *len as i64;
        Some(*end)
    });
    [0].into_iter().chain(ends).collect()
}

/// Lengths around what is short, what is tiny, what fits together, and none at all.
pub(crate) fn shapes() -> Vec<Vec<usize>> {
    let mixed = |n: usize, lens: &[usize]| (0..n).map(|i| lens[i * 7919 % lens.len()]).collect();
    vec![
        vec![],
        vec![0],
        vec![0; 3000],
        vec![1],
        vec![1; 3000],
        (0..200).collect(),
        mixed(5000, &[3, 0, 1, 2, 4, 5]),
        mixed(5000, &[8, 0, 16, 17, 31, 32, 15, 1]),
        mixed(2000, &[8, 0, 7, 1, 4, 5, 3]),
        mixed(2000, &[9, 0, 7, 1, 8, 2]),
        mixed(3000, &[2, 33, 3, 1, 1000, 0, 32, 64]),
        mixed(40, &[1, 40_000, 2]),
        vec![32; 333],
        vec![33; 333],
        vec![512; 5],
        mixed(
            120,
            &[65, 300, 511, 512, 513, 64, 127, 128, 129, 0, 1000, 63, 450],
        ),
    ]
}

#[test]
fn short_rows_have_the_bits_of_rows_alone() {
    everywhere(|| {
        for lens in shapes() {
            let offsets = &offsets(&lens);
            let n = lens.iter().sum();
            let (bytes, halves, wholes) = (values::<i8>(n), values::<i32>(n), values::<u64>(n));
            let (singles, doubles) = (values::<f32>(n), values::<f64>(n));
            macro_rules! agree {
                ($($xs:ident)*) => { $(
                    let (xs, fails) = (&$xs[..], None);
                    Sums::<_, true> { xs, offsets, fails }.agrees();
                    Sums::<_, false> { xs, offsets, fails }.agrees();
                )* };
            }
            agree!(bytes halves wholes singles doubles);
        }
    });
}

#[test]
fn the_lowest_element_fails_first() {
    everywhere(|| {
        for lens in shapes() {
            let offsets = &offsets(&lens);
            let n: usize = lens.iter().sum();
            let xs = &values::<f32>(n)[..];
            for fails in [0, n / 2, n.saturating_sub(1)] {
                let nest = Sums::<_, true> {
                    xs,
                    offsets,
                    fails: Some(fails),
                };
                let [alone, together] = nest.both();
                assert_eq!(alone.is_err(), n > 0);
                assert_eq!(alone.err(), together.err());
            }
        }
    });
}

#[test]
fn what_are_no_offsets_reads_nothing_outside() {
    let xs = &values::<i8>(100)[..];
    for bad in [
        &[100, 90, 80, 0][..],
        &[0, 1, 2, 200],
        &[-5, 3, 7, 9],
        &[0, i64::MAX, i64::MIN, 4],
        &[90, 120, 140, 160, 170],
    ] {
        let nest = Sums::<_, true> {
            xs,
            offsets: bad,
            fails: None,
        };
        // Values or a panic, whatever they are.
        let _ = std::panic::catch_unwind(|| nest.both());
    }
}

/// Rows that all threads reduce together, among short ones; the estimate says so from 1.4 million values on.
const LONG: [usize; 6] = [3, 1_500_000, 0, 40, 1_399_000, 7];

#[test]
fn long_rows_have_the_bits_of_the_language() {
    fn agrees<const C: bool>(xs: &[f64], offsets: &[i64], wanted: &[u64]) {
        let fails = None;
        let nest = Sums::<_, C> { xs, offsets, fails };
        for sums in nest.both() {
            let (sums, lens) = sums.unwrap();
            assert_eq!(Vec::from_iter(sums.iter().map(|it| it.bits())), wanted);
            assert_eq!(lens, LONG);
        }
    }
    let (xs, offsets) = (values::<f64>(LONG.iter().sum()), offsets(&LONG));
    let wanted = |neutral: Option<f64>| {
        let rows = offsets.windows(2).map(|row| {
            let row = &xs[row[0] as usize..row[1] as usize];
            let total = reference::reduce(row, neutral, f64::add);
            let start = f64::made_up(99);
            total.map_or(start, |total| start.add(total)).bits()
        });
        Vec::from_iter(rows)
    };
    let (any_order, in_order) = (wanted(Some(f64::neutral())), wanted(None));
    everywhere(|| {
        agrees::<true>(&xs, &offsets, &any_order);
        agrees::<false>(&xs, &offsets, &in_order);
    });
}

#[test]
fn the_lowest_element_of_a_long_row_fails_first() {
    let (xs, offsets) = (&values::<f64>(LONG.iter().sum())[..], &offsets(&LONG)[..]);
    everywhere(|| {
        for at in [2, 700_000, 1_500_050] {
            let fails = Some(at);
            let nest = Sums::<_, true> { xs, offsets, fails };
            let values = [at as i64, 0, 0];
            for failed in nest.both() {
                assert_eq!(failed.err(), Some(Failure::Check { id: 7, values }));
            }
        }
    });
}
