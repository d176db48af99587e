//! Counts: in bytes, and by rank of many rows together: what a plain count gives.

use ragged_core::{
    ArrayOut, Combine, Counted, Failure, Flag, Kernel, Nest, Operator, Product, Rows, Segments,
    Tally, counted_to, inner, nest_to, reduce_from,
};

use super::segments::{offsets, shapes};
use crate::{SIZES, everywhere};

/// Whether each byte from `start` on is even, as a number; `O`: also behind the last one.
struct Even<'a, const O: bool> {
    xs: &'a [u8],
    start: usize,
    /// The element that fails.
    fails: Option<usize>,
}

impl<const O: bool> Even<'_, O> {
    #[inline(always)]
    fn at<F: Flag>(&self, index: usize, flag: &mut F) -> bool {
        let at = self.start + index;
        flag.check(self.fails == Some(at), 7, [at as i64, 0, 0]);
        assert!(O || at < self.xs.len(), "a block reaches behind the array");
        self.xs.get(at).is_none_or(|x| x.is_multiple_of(2))
    }
}

impl<const O: bool> Kernel for Even<'_, O> {
    type Out = (u16,);
    const COST: u32 = 2;
    const OVERHANGS: bool = O;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        (out,): <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        for l in 0..L {
            out[l] = u16::from(self.at(start + l, flag));
        }
    }
}

impl<const O: bool> Combine for Even<'_, O> {
    const COMMUTATIVE: bool = true;
    const OPERATOR: Operator = Operator::Add;
    const TELLS: bool = true;
    #[inline(always)]
    fn neutral(&self) -> (u16,) {
        (0,)
    }
    #[inline(always)]
    fn combine<F: Flag>(&self, (a,): (u16,), (b,): (u16,), _flag: &mut F) -> (u16,) {
        (a.wrapping_add(b),)
    }
    #[inline(always)]
    fn holds<const L: usize, F: Flag>(&self, start: usize, out: &mut [bool; L], flag: &mut F) {
        for l in 0..L {
            out[l] = self.at(start + l, flag);
        }
    }
    #[inline(always)]
    fn number(&self, count: usize) -> (u16,) {
        (count as u16,)
    }
}

fn bytes(n: usize) -> Vec<u8> {
    (0..n).map(|i| (i * 7919 % 1009) as u8).collect()
}

#[test]
fn counts_are_the_sums_of_conditions() {
    everywhere(|| {
        for n in SIZES {
            let xs = &bytes(n)[..];
            let wanted = xs.iter().filter(|x| **x % 2 == 0).count() as u16;
            let kernel = Even::<false> {
                xs,
                start: 0,
                fails: None,
            };
            let sum = reduce_from(&kernel, n, (1,));
            assert_eq!(sum, Ok((wanted.wrapping_add(1),)), "of {n}");
        }
    });
}

#[test]
fn the_first_condition_fails_first() {
    everywhere(|| {
        for n in SIZES.into_iter().filter(|n| *n > 0) {
            let kernel = Even::<false> {
                xs: &bytes(n),
                start: 0,
                fails: Some(n - 1),
            };
            let id = 7;
            let values = [n as i64 - 1, 0, 0];
            assert_eq!(
                reduce_from(&kernel, n, (0,)),
                Err(Failure::Check { id, values })
            );
        }
    });
}

/// The same, counted in lanes of four bytes, or of eight.
struct InLanes<'a, const LONG: bool>(Even<'a, false>);

impl<const LONG: bool> Kernel for InLanes<'_, LONG> {
    type Out = (u16,);
    const COST: u32 = 2;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        self.0.block::<L, F>(start, out, flag);
    }
}

impl<const LONG: bool> Combine for InLanes<'_, LONG> {
    const COMMUTATIVE: bool = true;
    const OPERATOR: Operator = Operator::Add;
    const TELLS: bool = true;
    const TALLY: Tally = if LONG { Tally::Longs } else { Tally::Words };
    #[inline(always)]
    fn neutral(&self) -> (u16,) {
        (0,)
    }
    #[inline(always)]
    fn combine<F: Flag>(&self, a: (u16,), b: (u16,), flag: &mut F) -> (u16,) {
        self.0.combine(a, b, flag)
    }
    #[inline(always)]
    fn holds<const L: usize, F: Flag>(&self, start: usize, out: &mut [bool; L], flag: &mut F) {
        self.0.holds(start, out, flag);
    }
    #[inline(always)]
    fn tally<const L: usize, F: Flag>(&self, start: usize, counts: &mut [u64; L], flag: &mut F) {
        assert!(LONG, "counted in words");
        for (l, count) in counts.iter_mut().enumerate() {
            *count += u64::from(self.0.at(start + l, flag));
        }
    }
    #[inline(always)]
    fn tally_words<const L: usize, F: Flag>(
        &self,
        start: usize,
        counts: &mut [u32; L],
        flag: &mut F,
    ) {
        assert!(!LONG, "counted in longs");
        for (l, count) in counts.iter_mut().enumerate() {
            *count += u32::from(self.0.at(start + l, flag));
        }
    }
    #[inline(always)]
    fn number(&self, count: usize) -> (u16,) {
        (count as u16,)
    }
}

#[test]
fn counts_in_lanes_are_those_in_bytes() {
    everywhere(|| {
        for n in SIZES {
            let xs = &bytes(n)[..];
            let even = || Even::<false> {
                xs,
                start: 0,
                fails: None,
            };
            let wanted = reduce_from(&even(), n, (1,));
            assert_eq!(reduce_from(&InLanes::<false>(even()), n, (1,)), wanted);
            assert_eq!(reduce_from(&InLanes::<true>(even()), n, (1,)), wanted);
        }
    });
}

/// How many of each row's first bytes are even: of all but `less`, of `most` at most.
struct InRows<'a, const O: bool> {
    xs: &'a [u8],
    offsets: &'a [i64],
    less: usize,
    most: usize,
}

impl<const O: bool> Nest for InRows<'_, O> {
    type Outs = (u16,);
    const CHECKS: bool = false;
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
        let kernel = Even::<O> {
            start: self.offsets[index] as usize,
            ..self.values()
        };
        let (count,) = inner::reduce_from::<L, _, F>(&kernel, self.among(index), (9,), flag);
        rows.0.put(count);
    }
}

impl<const O: bool> Segments for InRows<'_, O> {
    type Value = (u16,);
    type Values<'s>
        = Even<'s, O>
    where
        Self: 's;
    #[inline(always)]
    fn values(&self) -> Self::Values<'_> {
        Even {
            xs: self.xs,
            start: 0,
            fails: None,
        }
    }
    #[inline(always)]
    fn close<const L: usize, F: Flag>(
        &self,
        _index: usize,
        _len: usize,
        total: Option<(u16,)>,
        rows: &mut <Self::Outs as Rows>::Places<'_>,
        _flag: &mut F,
    ) {
        rows.0
            .put(total.map_or(9, |(total,)| total.wrapping_add(9)));
    }
}

impl<const O: bool> Counted for InRows<'_, O> {
    #[inline(always)]
    fn among(&self, index: usize) -> usize {
        let len = self.offsets[index + 1].wrapping_sub(self.offsets[index]) as usize;
        len.saturating_sub(self.less).min(self.most)
    }
}

impl<const O: bool> InRows<'_, O> {
    fn both(&self) -> [Result<Vec<u16>, Failure>; 2] {
        let n = self.offsets.len() - 1;
        [false, true].map(|together| {
            let mut out = Vec::new();
            let outs = (ArrayOut::vec(&mut out),);
            match together {
                true => counted_to(self, n, self.offsets, (1,), outs)?,
                false => nest_to(self, n, (1,), outs)?,
            }
            Ok(out)
        })
    }

    fn wanted(&self) -> Vec<u16> {
        let rows = 0..self.offsets.len() - 1;
        let count = |row: usize| {
            let start = self.offsets[row] as usize;
            let xs = &self.xs[start..start + self.among(row)];
            9 + xs.iter().filter(|x| **x % 2 == 0).count() as u16
        };
        rows.map(count).collect()
    }
}

#[test]
fn rows_together_count_as_rows_alone() {
    everywhere(|| {
        let far = [vec![4096, 4097, 5, 4000, 96], vec![4095, 1, 1, 9000, 4096]];
        for lens in shapes().into_iter().chain(far) {
            let offsets = &offsets(&lens);
            let xs = &bytes(lens.iter().sum())[..];
            for (less, most) in [(0, usize::MAX), (6, usize::MAX), (0, 3), (1, 60)] {
                let open = InRows::<true> {
                    xs,
                    offsets,
                    less,
                    most,
                };
                let closed = InRows::<false> {
                    xs,
                    offsets,
                    less,
                    most,
                };
                let wanted = open.wanted();
                for got in open.both().into_iter().chain(closed.both()) {
                    assert_eq!(got.as_ref(), Ok(&wanted));
                }
            }
        }
    });
}

#[test]
fn what_are_no_offsets_reads_nothing_outside() {
    for bad in [
        &[100, 90, 80, 0][..],
        &[0, 1, 2, 200],
        &[-5, 3, 7, 9],
        &[0, i64::MAX, i64::MIN, 4],
        &[90, 120, 140, 160, 170],
    ] {
        let nest = InRows::<true> {
            xs: &bytes(100),
            offsets: bad,
            less: 0,
            most: 1000,
        };
        // Counts or a panic, whatever they are.
        let _ = std::panic::catch_unwind(|| nest.both());
    }
}
