//! Many random runs with faults in them: no item is lost or comes twice, and nothing hangs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ragged_core::seq::{Limits, Rows, Source, for_each, items, stream};
use ragged_core::{ErrorKind, Ragged, Result};

use super::{SITE, with_threads};

/// A generator of random numbers: splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}

/// What steps give: two results for each item.
type Results = (Vec<usize>, Ragged<usize>);

/// Where and how a run fails.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Nothing,
    SourceError,
    SourcePanic,
    StepError,
    StepPanic,
    Dropped,
    TooLarge,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    items: usize,
    longest: usize,
    fault: Fault,
    at: usize,
    naps: bool,
    limit: Option<usize>,
}

impl Run {
    fn random(random: &mut Random) -> Self {
        use Fault::*;
        let faults = [
            Nothing,
            SourceError,
            SourcePanic,
            StepError,
            StepPanic,
            Dropped,
            TooLarge,
        ];
        let most = [10, 200, 3000][random.below(3) as usize];
        let items = 1 + random.below(most) as usize;
        Run {
            items,
            longest: 1 + random.below(40) as usize,
            fault: faults[random.below(7) as usize],
            at: random.below(items as u64) as usize,
            naps: random.below(4) == 0,
            limit: (random.below(2) == 0).then_some(20_000),
        }
    }

    fn item(&self, i: usize) -> Vec<usize> {
        vec![i; i * 7 % self.longest]
    }

    fn source(self) -> impl Iterator<Item = std::result::Result<Vec<usize>, String>> {
        (0..self.items).map(move |i| {
            if self.naps && i % 50 == 3 {
                std::thread::sleep(Duration::from_micros(60));
            }
            match self.fault {
                Fault::SourceError if i == self.at => Err("torn".to_owned()),
                Fault::SourcePanic if i == self.at => panic!("injected"),
                Fault::TooLarge if i == self.at => Ok(vec![0; 10_000]),
                _ => Ok(self.item(i)),
            }
        })
    }

    /// The index of each item, and the item; the state is as it was where this fails.
    fn step(self, state: &mut usize, chunk: &Rows<'_, usize>, out: &mut Results) -> Result<bool> {
        for (i, row) in (*state..).zip(chunk.view()) {
            match self.fault {
                Fault::StepError if i == self.at => return Err(SITE.error(0, [0; 3])),
                Fault::StepPanic if i == self.at => panic!("injected"),
                _ => {}
            }
            if self.naps && i % 40 == 3 {
                std::thread::sleep(Duration::from_micros(60));
            }
            out.0.push(i);
            out.1.push(row);
        }
        *state += chunk.view().len();
        Ok(true)
    }

    /// The number of results before the first that is none, and whether that was an error.
    fn results(self) -> (usize, bool) {
        let mut results = stream(self.items(), self.limits(), self.steps());
        let mut seen = 0;
        while let Some(result) = results.next() {
            let Ok(result) = result else {
                assert!(results.next().is_none());
                return (seen, true);
            };
            self.see(&mut seen, (result.0, &result.1));
            if matches!(self.fault, Fault::Dropped) && seen > self.at {
                break;
            }
        }
        (seen, false)
    }

    /// The same, in three stages.
    fn results_in_stages(self) -> (usize, bool) {
        let mut seen = 0;
        let sink = |result: (usize, &[usize])| {
            self.see(&mut seen, result);
            match self.fault {
                Fault::Dropped if seen > self.at => Err("no more"),
                _ => Ok(()),
            }
        };
        let end = for_each(&SITE, self.items(), self.limits(), self.steps(), sink);
        let kind = end.map_err(|error| error.kind().clone());
        let is_end = match &kind {
            Err(ErrorKind::Sink { result, .. }) => *result == self.at,
            end => end.is_ok(),
        };
        (seen, !is_end)
    }

    fn items(self) -> impl Source<Chunk = Rows<'static, usize>> + Send {
        items::<Rows<'_, usize>, _, _>(&SITE, "xs", self.source())
    }

    fn limits(self) -> Limits {
        let limited = |it| Limits::new().memory(it);
        self.limit.map_or(Limits::new(), limited)
    }

    fn steps(self) -> impl FnMut(&Rows<'static, usize>, bool, &mut Results) -> Result<bool> + Send {
        let mut state = 0;
        move |chunk, _last, out| self.step(&mut state, chunk, out)
    }

    /// Looks at the next result.
    fn see(&self, seen: &mut usize, (i, item): (usize, &[usize])) {
        if !(self.too_large() && i == self.at) {
            assert_eq!((i, item), (*seen, &self.item(*seen)[..]));
        }
        *seen += 1;
    }

    fn too_large(&self) -> bool {
        matches!(self.fault, Fault::TooLarge)
    }

    fn check(self, results: fn(Self) -> (usize, bool)) {
        let got = catch_unwind(AssertUnwindSafe(|| results(self)));
        match (self.fault, got) {
            (Fault::Nothing, Ok(got)) => assert_eq!(got, (self.items, false)),
            (Fault::SourceError | Fault::StepError, Ok(got)) => assert_eq!(got, (self.at, true)),
            (Fault::TooLarge, Ok(got)) if self.limit.is_some() => assert_eq!(got, (self.at, true)),
            (Fault::TooLarge, Ok(got)) => assert_eq!(got, (self.items, false)),
            (Fault::Dropped, Ok(got)) => assert_eq!(got, (self.at + 1, false)),
            (Fault::SourcePanic | Fault::StepPanic, Err(panic)) => {
                assert_eq!(panic.downcast_ref(), Some(&"injected"), "{self:?}");
            }
            (_, got) => panic!("{self:?}: {:?}", got.ok()),
        }
    }
}

fn check(seed: u64, results: fn(Run) -> (usize, bool)) {
    for (part, threads) in [(0, 1), (1, 2), (2, 4), (3, 2)] {
        with_threads(threads, || {
            let mut random = Random(seed + part);
            for _ in 0..250 {
                Run::random(&mut random).check(results);
            }
        });
    }
    // From a thread that is none of the pool's.
    let mut random = Random(seed + 4);
    for _ in 0..50 {
        Run::random(&mut random).check(results);
    }
}

#[test]
fn no_result_of_a_stream_is_lost_or_doubled() {
    check(0x5eed, Run::results);
}

#[test]
fn no_result_in_stages_is_lost_or_doubled() {
    check(0xfeed, Run::results_in_stages);
}
