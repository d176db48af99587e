//! Rows of lengths that are not known before, joined.

use ragged_core::lanes::NonEmpty;
use ragged_core::{ArrayOut, Buffer, End, Failure, Flag, Join, Joined, Kernel, Product};
use ragged_core::{inner, join_to};

use crate::everywhere;

/// Of the numbers of row `i`, `i * 31 ..`, so many, those that a mask keeps, and beside each its row.
struct Rows {
    lens: Vec<usize>,
    /// What may not be looked at.
    fails: usize,
    /// Whether rows are made first and then copied.
    copies: bool,
}

struct Row {
    index: usize,
    fails: usize,
}

impl Kernel for Row {
    type Out = (bool, usize, u32);
    const COST: u32 = 3;
    const CHECKS: bool = true;
    const OVERHANGS: bool = true;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        let mut violated = [false; L];
        for l in 0..L {
            let x = self.index * 31 + start + l;
            violated[l] = x == self.fails;
            if !F::OVERHANGS {
                flag.check(violated[l], 7, [x as i64, 0, 0]);
            }
            (out.0[l], out.1[l], out.2[l]) = (is_kept(x), x, self.index as u32);
        }
        flag.check_lanes(&violated);
    }
}

fn is_kept(x: usize) -> bool {
    x * 7919 % 5 < 3
}

impl Join for Rows {
    type Outs = (usize, u32);
    const CHECKS: bool = true;
    fn cost(&self) -> usize {
        100
    }
    #[inline(always)]
    fn run<const L: usize, F: Flag>(
        &self,
        index: usize,
        (numbers, rows): &mut <Self::Outs as Joined>::Ends<'_>,
        flag: &mut F,
    ) {
        let (kernel, n) = (
            Row {
                index,
                fails: self.fails,
            },
            self.lens[index],
        );
        if !self.copies {
            inner::keep_onto::<L, _, F>(&kernel, n, (numbers, rows), flag);
            return;
        }
        let (mut a, mut b) = (Buffer::new(), Buffer::new());
        let places = (ArrayOut::buffer(&mut a), ArrayOut::buffer(&mut b));
        let count = inner::keep_to::<L, _, F>(&kernel, n, places, flag);
        assert_eq!((a.len(), b.len()), (count, count));
        numbers.copy(&a, flag);
        rows.copy(&b, flag);
    }
}

fn rows(n: usize, copies: bool) -> Rows {
    let len = |i| match i % 97 {
        3 => 0,
        5 => 700,
        7 => 64,
        _ => i * 7919 % 37,
    };
    Rows {
        lens: (0..n).map(len).collect(),
        fails: usize::MAX,
        copies,
    }
}

fn joined(nest: &Rows) -> Result<(Vec<usize>, Vec<u32>), Failure> {
    let (mut a, mut b) = (vec![5], Vec::new());
    let outs = (ArrayOut::vec(&mut a), ArrayOut::vec(&mut b));
    let count = join_to(nest, nest.lens.len(), outs)?;
    assert_eq!((a.len(), b.len()), (count, count));
    Ok((a, b))
}

fn wanted(nest: &Rows) -> Vec<(usize, u32)> {
    let rows = nest.lens.iter().enumerate();
    let all = rows.flat_map(|(i, len)| (i * 31..i * 31 + len).map(move |x| (x, i as u32)));
    all.filter(|(x, _)| is_kept(*x)).collect()
}

#[test]
fn rows_lie_one_after_another() {
    everywhere(|| {
        for n in [0, 1, 2, 6, 1000, 30_000] {
            for copies in [false, true] {
                let nest = rows(n, copies);
                let (a, b) = joined(&nest).unwrap();
                let pairs: Vec<(usize, u32)> = a.into_iter().zip(b).collect();
                assert!(pairs == wanted(&nest), "{n} {copies}");
            }
        }
    });
}

#[test]
fn checks_see_what_is_in_a_row() {
    everywhere(|| {
        let mut nest = rows(5000, false);
        // Behind the end of a row in a block of that row, and in no other row.
        let mut numbers: Vec<bool> = vec![false; 5000 * 31 + 1000];
        let all = nest.lens.iter().enumerate();
        all.for_each(|(i, len)| numbers[i * 31..i * 31 + len].fill(true));
        let behind = |i: usize| i * 31 + nest.lens[i];
        let free = (2000..5000).find(|i| !nest.lens[*i].is_multiple_of(16) && !numbers[behind(*i)]);
        nest.fails = behind(free.unwrap());
        assert!(joined(&nest).is_ok());
        nest.fails -= 1;
        let failure = joined(&nest).unwrap_err();
        let values = [nest.fails as i64, 0, 0];
        assert_eq!(
            format!("{failure:?}"),
            format!("{:?}", Failure::Check { id: 7, values })
        );
    });
}

#[test]
fn a_slice_takes_its_own_length() {
    let nest = rows(50, false);
    let count = wanted(&nest).len();
    for room in [count - 1, count, count + 1] {
        let (mut a, mut b) = (vec![0; room], Vec::new());
        let outs = (ArrayOut::slice(&mut a), ArrayOut::vec(&mut b));
        assert_eq!(join_to(&nest, 50, outs).is_ok(), room == count);
    }
}

#[test]
fn an_end_goes_on_behind_what_is_there() {
    let mut buffer = Buffer::from(vec![1_u8, 2]);
    let mut flag = ragged_core::Fast::default();
    End::from(&mut buffer).copy(&[3; 5000], &mut flag);
    assert_eq!((buffer[..3].to_vec(), buffer.len()), (vec![1, 2, 3], 5002));
    assert!(!flag.violated());
}

/// Of each row's places in an array, those of odd elements.
struct Odd<'a> {
    xs: &'a [u8],
    lens: &'a [usize],
}

struct OddOf<'a> {
    xs: &'a [u8],
    index: usize,
}

/// Where element `k` of row `i` lies.
fn place(i: usize, k: usize) -> usize {
    (i * 7919 + k * 104_729) % 100_003
}

impl Kernel for OddOf<'_> {
    type Out = (bool, usize);
    const COST: u32 = 8;
    const CHECKS: bool = true;
    const GATHERS: bool = true;
    const OVERHANGS: bool = true;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        let xs = NonEmpty::new(self.xs, &[0]);
        let (mut places, mut violated) = ([0; L], [false; L]);
        for l in 0..L {
            places[l] = place(self.index, start + l);
            violated[l] = places[l] >= self.xs.len();
            if !F::OVERHANGS {
                flag.check(violated[l], 7, [places[l] as i64, 0, 0]);
            }
        }
        flag.check_lanes(&violated);
        let found = flag.gather(&xs, &places);
        for l in 0..L {
            (out.0[l], out.1[l]) = (found[l] % 2 == 1, places[l]);
        }
    }
}

impl Join for Odd<'_> {
    type Outs = (usize,);
    const CHECKS: bool = true;
    fn cost(&self) -> usize {
        1000
    }
    #[inline(always)]
    fn run<const L: usize, F: Flag>(
        &self,
        index: usize,
        (places,): &mut <Self::Outs as Joined>::Ends<'_>,
        flag: &mut F,
    ) {
        let kernel = OddOf { xs: self.xs, index };
        inner::keep_onto::<L, _, F>(&kernel, self.lens[index], (places,), flag);
    }
}

#[test]
fn long_rows_find_elements_anywhere() {
    let xs: Vec<u8> = (0..100_003_usize)
        .map(|at| ((at * 31) >> 3) as u8)
        .collect();
    let lens = [0, 5, 79, 80, 81, 95, 96, 1000, 3, 20_000];
    let rows = || (0..lens.len()).flat_map(|i| (0..lens[i]).map(move |k| place(i, k)));
    let wanted: Vec<usize> = rows().filter(|at| xs[*at] % 2 == 1).collect();
    let join = |xs: &[u8]| {
        let mut found = Vec::new();
        let nest = Odd { xs, lens: &lens };
        join_to(&nest, lens.len(), (ArrayOut::vec(&mut found),)).map(|_| found)
    };
    everywhere(|| {
        assert!(join(&xs).unwrap() == wanted);
        // The first place that is out of range of a shorter array is to blame.
        let few = &xs[..90_000];
        let first = rows().find(|at| *at >= few.len()).unwrap();
        let failure = join(few).unwrap_err();
        let values = [first as i64, 0, 0];
        let wanted = Failure::Check { id: 7, values };
        assert_eq!(format!("{failure:?}"), format!("{wanted:?}"));
    });
}
