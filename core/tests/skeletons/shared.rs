//! Rows so long that all threads reduce, write, scan or filter them: that they do.

use std::collections::HashSet;
use std::sync::{Condvar, Mutex};
use std::thread::{self, ThreadId};
use std::time::Duration;

use ragged_core::{
    ArrayOut, Combine, Flag, Kernel, Nest, Product, Rows, Segments, inner, nest_to, segments_to,
};

use crate::on_each_pool;

/// What waits, wherever a value is computed, until two threads have come.
#[derive(Default)]
struct Meeting {
    threads: Mutex<HashSet<ThreadId>>,
    changed: Condvar,
}

impl Meeting {
    /// For how long a thread waits for another, which nothing but a row that is not shared keeps away.
    const PATIENCE: Duration = Duration::from_secs(20);

    fn join(&self) {
        let mut threads = self.threads.lock().unwrap();
        threads.insert(thread::current().id());
        self.changed.notify_all();
        let alone = |threads: &mut HashSet<ThreadId>| threads.len() < 2;
        let waited = self
            .changed
            .wait_timeout_while(threads, Self::PATIENCE, alone);
        drop(waited.unwrap());
    }

    fn has_two(&self) -> bool {
        self.threads.lock().unwrap().len() >= 2
    }
}

/// The sum of each row of the numbers of all elements, modulo 2³²: of what is done with these first.
struct Sums<'a> {
    offsets: &'a [i64],
    meeting: &'a Meeting,
    first: First,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum First {
    Nothing,
    Write,
    WriteAndReduce,
    Scan,
    Keep,
}

/// The numbers from one on, at the beginning of whose rounds threads meet.
struct Numbers<'a> {
    first: usize,
    meeting: &'a Meeting,
}

/// Elements from one meeting to the next.
const ROUND: usize = 1 << 16;

impl Kernel for Numbers<'_> {
    type Out = (u32,);
    const COST: u32 = 3;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        (out,): <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        if start % ROUND < L {
            self.meeting.join();
        }
        for (l, out) in out.iter_mut().enumerate() {
            *out = (self.first + start + l) as u32;
        }
    }
}

impl Combine for Numbers<'_> {
    const COMMUTATIVE: bool = true;
    fn neutral(&self) -> (u32,) {
        (0,)
    }
    #[inline(always)]
    fn combine<F: Flag>(&self, a: (u32,), b: (u32,), _flag: &mut F) -> (u32,) {
        (a.0.wrapping_add(b.0),)
    }
}

/// All numbers, each of which is kept.
struct Kept<'a>(Numbers<'a>);

impl Kernel for Kept<'_> {
    type Out = (bool, u32);
    const COST: u32 = 3;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        (keeps, numbers): <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        keeps.fill(true);
        self.0.block::<L, F>(start, (numbers,), flag);
    }
}

impl Nest for Sums<'_> {
    type Outs = (u32,);
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
        let [first, end] = [self.offsets[index], self.offsets[index + 1]].map(|at| at as usize);
        let meeting = self.meeting;
        let (numbers, n) = (Numbers { first, meeting }, end - first);
        let mut made = Vec::new();
        let out = (ArrayOut::vec(&mut made),);
        match self.first {
            First::Nothing => {
                let (sum,) = inner::reduce_from::<L, _, F>(&numbers, n, (0,), flag);
                return rows.0.put(sum);
            }
            First::Write => inner::write_to::<L, _, F>(&numbers, n, out, flag),
            First::WriteAndReduce => {
                let (sum,) = inner::write_and_reduce::<L, _, F>(&numbers, n, (0,), out, flag);
                assert!(made.iter().copied().eq(first as u32..end as u32));
                return rows.0.put(sum);
            }
            First::Scan => {
                inner::scan_to::<L, _, F>(&numbers, n, None, false, out, flag);
                for at in (1..n).rev() {
                    made[at] = made[at].wrapping_sub(made[at - 1]);
                }
            }
            First::Keep => {
                inner::keep_to::<L, _, F>(&Kept(numbers), n, out, flag);
            }
        }
        assert!(made.iter().copied().eq(first as u32..end as u32));
        let sum = made.into_iter().fold(0, u32::wrapping_add);
        rows.0.put(sum);
    }
}

impl Segments for Sums<'_> {
    type Value = (u32,);
    type Values<'s>
        = Numbers<'s>
    where
        Self: 's;
    #[inline(always)]
    fn values(&self) -> Self::Values<'_> {
        let (first, meeting) = (0, self.meeting);
        Numbers { first, meeting }
    }
    #[inline(always)]
    fn close<const L: usize, F: Flag>(
        &self,
        _index: usize,
        _len: usize,
        total: Option<(u32,)>,
        rows: &mut <Self::Outs as Rows>::Places<'_>,
        _flag: &mut F,
    ) {
        rows.0.put(total.map_or(0, |(total,)| total));
    }
}

/// The last row has all elements: unless it is shared, others have nothing to do.
#[test]
fn threads_share_a_long_row() {
    on_each_pool(|pool| {
        use First::{Keep, Nothing, Scan, Write, WriteAndReduce};
        for (first, together, threads) in [
            (Nothing, false, 2),
            (Nothing, true, 2),
            (Write, false, 2),
            // Values are made twice.
            (WriteAndReduce, false, 3),
            (Scan, false, 2),
            (Keep, false, 2),
        ] {
            let n = 1_100_000;
            let (offsets, meeting) = ([0, 0, 0, n], Meeting::default());
            // Fewer would wait for themselves.
            if pool + 1 < threads {
                continue;
            }
            let sums = Sums {
                offsets: &offsets,
                meeting: &meeting,
                first,
            };
            let mut made = Vec::new();
            let out = (ArrayOut::vec(&mut made),);
            match together {
                true => segments_to(&sums, 3, &offsets, (1,), out).unwrap(),
                false => nest_to(&sums, 3, (1,), out).unwrap(),
            }
            let all = (n * (n - 1) / 2) as u32;
            assert_eq!(made, [0, 0, all]);
            assert!(meeting.has_two(), "{first:?}: one thread did all of it");
        }
    });
}
