//! Sums of rows of elements anywhere: the bits that the nest's own body gives, and the blocks that make them.

use std::sync::atomic::{AtomicU64, Ordering};

use ragged_core::level::force;
use ragged_core::{
    ArrayOut, Combine, Failure, Flag, Kernel, Level, Nest, Operator, Product, Rows, Segments,
    inner, nest_to, segments_to,
};

use super::segments::{offsets, shapes};
use crate::values::{Value, values};
use crate::{everywhere, on_each_pool};

/// How many lanes blocks of 1, 2, 4, … of them have computed.
type Lanes = [AtomicU64; 7];

/// The sum of what each row names the places of in `xs`.
struct Weighted<'a> {
    xs: &'a [f64],
    at: &'a [usize],
    offsets: &'a [i64],
    lanes: &'a Lanes,
}

/// The elements named from place `start` on.
struct Named<'a> {
    of: &'a Weighted<'a>,
    start: usize,
}

impl Kernel for Named<'_> {
    type Out = (f64,);
    const COST: u32 = 2;
    const GATHERS: bool = true;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        (out,): <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        let lanes = &self.of.lanes[L.ilog2() as usize];
        lanes.fetch_add(L as u64, Ordering::Relaxed);
        let places = &self.of.at[start + self.start..][..L];
        for l in 0..L {
            let at = places[l];
            flag.check(at >= self.of.xs.len(), 7, [at as i64, 0, 0]);
            out[l] = self.of.xs.get(at).copied().unwrap_or_default();
        }
    }
}

impl Combine for Named<'_> {
    const COMMUTATIVE: bool = true;
    const OPERATOR: Operator = Operator::Add;
    fn neutral(&self) -> (f64,) {
        (-0.0,)
    }
    #[inline(always)]
    fn combine<F: Flag>(&self, a: (f64,), b: (f64,), _flag: &mut F) -> (f64,) {
        (a.0 + b.0,)
    }
}

impl Weighted<'_> {
    fn row(&self, index: usize) -> (usize, usize) {
        let start = self.offsets[index] as usize;
        (start, self.offsets[index + 1] as usize - start)
    }

    fn sums(&self, together: bool) -> Result<Vec<f64>, Failure> {
        let (n, mut sums) = (self.offsets.len() - 1, Vec::new());
        let outs = (ArrayOut::vec(&mut sums),);
        match together {
            true => segments_to(self, n, self.offsets, (1,), outs)?,
            false => nest_to(self, n, (1,), outs)?,
        }
        Ok(sums)
    }
}

impl Nest for Weighted<'_> {
    type Outs = (f64,);
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
        let (start, len) = self.row(index);
        let kernel = Named { of: self, start };
        let (sum,) = inner::reduce_from::<L, _, F>(&kernel, len, (0.5,), flag);
        rows.0.put(sum);
    }
}

impl Segments for Weighted<'_> {
    type Value = (f64,);
    type Values<'s>
        = Named<'s>
    where
        Self: 's;
    #[inline(always)]
    fn values(&self) -> Self::Values<'_> {
        Named { of: self, start: 0 }
    }
    #[inline(always)]
    fn close<const L: usize, F: Flag>(
        &self,
        _index: usize,
        _len: usize,
        total: Option<(f64,)>,
        rows: &mut <Self::Outs as Rows>::Places<'_>,
        _flag: &mut F,
    ) {
        rows.0.put(total.map_or(0.5, |(total,)| 0.5 + total));
    }
}

const COUNT: usize = 1000;

/// Places here and there, of the elements of rows of these lengths; the one at `outside` is none.
fn places(lens: &[usize], outside: Option<usize>) -> Vec<usize> {
    let place = |i| match outside == Some(i) {
        true => COUNT + i,
        false => i * 7919 % COUNT,
    };
    (0..lens.iter().sum()).map(place).collect()
}

/// The shapes of other tests, and rows around what is many, a half and a round.
fn all_shapes() -> Vec<Vec<usize>> {
    let cycle = |from: usize, to: usize| (0..300).map(|i| from + i * 7919 % (to - from)).collect();
    let mut all = shapes();
    all.extend([
        vec![7; 200],
        vec![60; 200],
        cycle(1, 9),
        cycle(20, 61),
        cycle(33, 130),
        cycle(0, 600),
    ]);
    all
}

#[test]
fn rows_that_gather_have_the_bits_of_rows_alone() {
    let (xs, lanes) = (&values::<f64>(COUNT)[..], &Lanes::default());
    everywhere(|| {
        for lens in all_shapes() {
            let (at, offsets) = (&places(&lens, None)[..], &offsets(&lens)[..]);
            let nest = Weighted {
                xs,
                at,
                offsets,
                lanes,
            };
            let [alone, together] = [false, true].map(|it| nest.sums(it).expect("nothing fails"));
            for (row, (a, b)) in alone.iter().zip(&together).enumerate() {
                assert_eq!(a.bits(), b.bits(), "row {row}, of {} elements", lens[row]);
            }
        }
    });
}

#[test]
fn the_lowest_place_that_is_none_fails_first() {
    let (xs, lanes) = (&values::<f64>(COUNT)[..], &Lanes::default());
    everywhere(|| {
        for lens in all_shapes() {
            let (n, offsets): (usize, _) = (lens.iter().sum(), &offsets(&lens)[..]);
            for outside in [0, n / 2, n.saturating_sub(1)] {
                let at = &places(&lens, Some(outside))[..];
                let nest = Weighted {
                    xs,
                    at,
                    offsets,
                    lanes,
                };
                let [alone, together] = [false, true].map(|it| nest.sums(it).err());
                assert_eq!(alone.is_some(), n > 0);
                assert_eq!(alone, together);
            }
        }
    });
}

/// How many lanes the blocks have that compute the most values of rows of these lengths.
fn lanes_for(lens: &[usize]) -> usize {
    let (xs, lanes) = (&values::<f64>(COUNT)[..], &Lanes::default());
    let (at, offsets) = (&places(lens, None)[..], &offsets(lens)[..]);
    let nest = Weighted {
        xs,
        at,
        offsets,
        lanes,
    };
    nest.sums(true).expect("nothing fails");
    let most = (0..lanes.len()).max_by_key(|at| lanes[*at].load(Ordering::Relaxed));
    1 << most.expect("blocks of one lane")
}

/// Results are the same whatever the blocks are: that they are those meant shows here, and in times alone. (At the
/// highest level all are blocks of as many lanes.)
#[test]
fn rows_go_by_the_blocks_that_suit_their_lengths() {
    if Level::detect() < Level::V3 {
        return;
    }
    let alike = &vec![7; 2048][..];
    let uneven: &[usize] = &Vec::from_iter((0..2048).map(|i| i % 8 + i / 7 % 3));
    let some = &vec![20; 2048][..];
    on_each_pool(|pool| {
        // Where there are several threads, what each has depends on the others: perhaps too few rows to be looked at.
        if pool == 0 {
            force(Some(Level::V3));
            let found = [alike, uneven, some].map(lanes_for);
            force(None);
            assert_eq!(found, [4, 16, 4], "halves of blocks, or what is wide");
        }
    });
}
