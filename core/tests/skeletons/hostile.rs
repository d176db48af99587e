//! Bodies, numbers of lanes and extents that emitted code never has: wrong values, a failure or a
//! panic, and no memory touched that is not theirs.

use std::cell::RefCell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use rayon::ThreadPoolBuilder;

use ragged_core::{
    Across, ArrayOut, Combine, Failure, Flag, Kernel, Nest, Product, Report, RowOut, Rows, Shape,
    StepOf, columns_to, inner, nest, nest_to, write,
};

use crate::everywhere;

/// Puts other rows where those of the output were.
struct Exchanging;

impl Nest for Exchanging {
    type Outs = (i32, i32);
    const CHECKS: bool = false;
    fn cost(&self) -> usize {
        1
    }
    #[inline(always)]
    fn run<const L: usize, F: Flag>(
        &self,
        index: usize,
        rows: &mut <Self::Outs as Rows>::Places<'_>,
        _flag: &mut F,
    ) {
        match index {
            0 => rows.0 = RowOut::from(Box::leak(Box::new([1, 1])).as_mut_slice()),
            1 => rows.1 = RowOut::from([].as_mut_slice()),
            _ => {
                core::mem::swap(&mut rows.0, &mut rows.1);
                rows.0.slice().fill(5);
            }
        }
    }
}

#[test]
fn rows_that_a_body_exchanges_are_zero() {
    everywhere(|| {
        let (mut a, mut b) = (vec![7; 6], vec![7; 6]);
        let outs = (ArrayOut::vec(&mut a), ArrayOut::vec(&mut b));
        nest_to(&Exchanging, 3, (2, 2), outs).unwrap();
        assert_eq!((a, b), (vec![0; 6], vec![0; 6]));
    });
}

/// The indices.
struct Iota;

impl Kernel for Iota {
    type Out = (u64,);
    const COST: u32 = 1;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        (out,): <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        for l in 0..L {
            out[l] = (start + l) as u64;
        }
    }
}

impl Combine for Iota {
    const COMMUTATIVE: bool = true;
    fn neutral(&self) -> (u64,) {
        (0,)
    }
    #[inline(always)]
    fn combine<F: Flag>(&self, a: (u64,), b: (u64,), _flag: &mut F) -> (u64,) {
        (a.0 + b.0,)
    }
}

/// Keeps the values of a round by blocks of `L` lanes, and says whether that panicked.
fn round_in_lanes<const L: usize>() -> bool {
    let mut room = [7; 256];
    let (own, others) = room.split_at_mut(64);
    let outs = (ArrayOut::slice(own),);
    let mut flag = Report::default();
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let sum = inner::write_and_reduce::<L, _, _>(&Iota, 64, (0,), outs, &mut flag);
        assert_eq!(sum, (2016,));
    }))
    .is_err();
    assert_eq!(others, [7; 192], "{L} lanes");
    panicked
}

#[test]
fn blocks_that_do_not_fill_a_round_panic() {
    assert!(!round_in_lanes::<1>());
    assert!(!round_in_lanes::<16>());
    assert!(!round_in_lanes::<64>());
    assert!(round_in_lanes::<48>());
    assert!(round_in_lanes::<128>());
}

/// Large rows by as many lanes as the highest level has, whether the processor has it or not.
struct Wide;

impl Nest for Wide {
    type Outs = (u64,);
    const CHECKS: bool = false;
    fn cost(&self) -> usize {
        1
    }
    #[inline(always)]
    fn run<const L: usize, F: Flag>(
        &self,
        _index: usize,
        (row,): &mut <Self::Outs as Rows>::Places<'_>,
        flag: &mut F,
    ) {
        inner::write_rows::<64, _, F>(&Iota, 1 << 20, (row,), flag);
    }
}

#[test]
fn more_lanes_than_the_processor_has_write_large_rows() {
    let (rows,) = nest(&Wide, 4, (1 << 20,)).unwrap();
    assert!(rows.iter().zip(0..).all(|(x, at)| *x == at % (1 << 20)));
}

/// Sums of ones.
struct Ones;

impl Nest for Ones {
    type Outs = (u64,);
    const CHECKS: bool = false;
    fn cost(&self) -> usize {
        1
    }
    #[inline(always)]
    fn run<const L: usize, F: Flag>(
        &self,
        _index: usize,
        _rows: &mut <Self::Outs as Rows>::Places<'_>,
        _flag: &mut F,
    ) {
    }
}

impl Across for Ones {
    type Value = (u64,);
    type Step<'s> = StepOf<'s, Self>;
    const COST: u32 = 1;
    fn along(&self, row: usize, k: usize, columns: Range<usize>) -> Self::Step<'_> {
        StepOf::new(self, row, k, columns)
    }
    #[inline(always)]
    fn values<const L: usize, F: Flag>(
        &self,
        _row: usize,
        _start: usize,
        _k: usize,
        (out,): <Self::Value as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        *out = [1; L];
    }
    fn neutral(&self) -> (u64,) {
        (0,)
    }
    #[inline(always)]
    fn combine<F: Flag>(&self, a: (u64,), b: (u64,), _flag: &mut F) -> (u64,) {
        (a.0 + b.0,)
    }
    #[inline(always)]
    fn finish<const L: usize, F: Flag>(
        &self,
        _row: usize,
        _start: usize,
        totals: &<Self::Value as Product>::Lanes<L>,
        (out,): <Self::Outs as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        *out = totals.0;
    }
}

#[test]
fn accumulators_that_no_memory_holds_are_a_failure() {
    let shape = |steps| Shape {
        rows: 256,
        columns: 4,
        steps,
    };
    // More threads than units, so that the totals of all chunks are kept: 2^50 times 256 rows of 32
    // bytes.
    let pool = ThreadPoolBuilder::new().num_threads(257).build().unwrap();
    pool.install(|| {
        let sums = |steps| {
            let mut sums = Vec::new();
            columns_to(&Ones, shape(steps), (1,), (ArrayOut::vec(&mut sums),)).map(|()| sums)
        };
        let failed = Err(Failure::OutOfMemory { bytes: 1 << 63 });
        assert_eq!(sums(usize::MAX), failed);
        assert_eq!(sums(20_000), Ok(vec![20_000; 1024]));
    });
}

/// Computes when its thread ends, and tells whether that went well.
struct AtEnd(Sender<bool>);

impl Drop for AtEnd {
    fn drop(&mut self) {
        let well = catch_unwind(|| {
            let (written,) = write(&Iota, 1000).unwrap();
            let (rows,) = nest(&Wide, 1, (1 << 20,)).unwrap();
            (written.len(), rows.len()) == (1000, 1 << 20)
        });
        let _ = self.0.send(well.unwrap_or(false));
    }
}

thread_local! {
    static AT_END: RefCell<Option<AtEnd>> = const { RefCell::new(None) };
}

#[test]
fn threads_compute_while_they_end() {
    let (sender, receiver) = channel();
    let ending = thread::spawn(|| {
        // In front of what calls keep on this thread, and so destroyed after that.
        AT_END.set(Some(AtEnd(sender)));
        write(&Iota, 1000).map(|(written,)| written.len())
    });
    assert_eq!(ending.join().unwrap(), Ok(1000));
    assert_eq!(receiver.recv(), Ok(true));
}
