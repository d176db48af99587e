//! Convoys, against the same kernels one after another.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ragged_core::{
    ArrayOut, Arrays, Carries, Combine, Convoy, Failure, Flag, Kernel, Product, Strip, Totals,
    convoy, convoy_to, reduce_from, scan, write,
};

use crate::values::values;
use crate::{SIZES, everywhere, on_each_pool};

/// Elements from the index `from` on, doubled; sums of them.
struct Doubled<'a> {
    xs: &'a [f64],
    from: usize,
    /// The element that fails.
    fails: Option<usize>,
}

impl Kernel for Doubled<'_> {
    type Out = (f64,);
    const COST: u32 = 8;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        (out,): <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        for l in 0..L {
            let at = start + l;
            flag.check(self.fails.is_some_and(|it| it <= at), 3, [at as i64, 0, 0]);
            out[l] = 2.0 * self.xs[at - self.from];
        }
    }
}

impl Combine for Doubled<'_> {
    const COMMUTATIVE: bool = true;
    fn neutral(&self) -> (f64,) {
        (-0.0,)
    }
    #[inline(always)]
    fn combine<F: Flag>(&self, a: (f64,), b: (f64,), _flag: &mut F) -> (f64,) {
        (a.0 + b.0,)
    }
}

/// Prefixes, which nobody keeps; twice these; their sum.
struct Three<'a> {
    xs: &'a [f64],
    exclusive: bool,
    fails: Option<usize>,
    panics: Option<usize>,
}

fn all(xs: &[f64]) -> Doubled<'_> {
    Doubled {
        xs,
        from: 0,
        fails: None,
    }
}

impl Convoy for Three<'_> {
    type Outs = (f64,);
    type Own = (f64,);
    type State = (Carries<(f64,)>, Totals<(f64,)>);
    const CHECKS: bool = true;
    fn cost(&self) -> usize {
        100
    }
    #[inline(always)]
    fn strip<'r, const L: usize, F: Flag>(
        &self,
        strip: &Strip,
        (carries, totals): &Self::State,
        outs: <Self::Outs as Arrays>::Rooms<'r>,
        own: <Self::Own as Arrays>::Rooms<'r>,
        flag: &mut F,
    ) -> <Self::Outs as Arrays>::Views<'r> {
        let from = strip.start();
        let (kernel, exclusive) = (all(self.xs), self.exclusive);
        let (prefixes,) =
            convoy::scan::<L, _, F>(&kernel, strip, carries, exclusive, own, false, flag);
        assert!(self.panics != Some(from), "a panic");
        let kernel = Doubled {
            xs: prefixes,
            from,
            fails: self.fails,
        };
        let twice = convoy::write::<L, _, F>(&kernel, strip, outs, false, flag);
        let kernel = Doubled {
            xs: twice.0,
            from,
            fails: None,
        };
        convoy::reduce::<L, _, F>(&kernel, strip, totals, flag);
        twice
    }
}

fn bits(xs: &[f64]) -> Vec<u64> {
    xs.iter().map(|x| x.to_bits()).collect()
}

/// The elements, the total of the scan, the sum.
type Made = (Vec<f64>, Option<(f64,)>, (f64,));

fn made(it: &Three<'_>, start: Option<(f64,)>) -> Result<Made, Failure> {
    let mut out = Vec::new();
    let state = (Carries::new(start), Totals::new((0.5,)));
    let (carries, totals) = convoy_to(it, it.xs.len(), state, (ArrayOut::vec(&mut out),))?;
    Ok((out, carries.total(), totals.total()))
}

#[test]
fn a_convoy_gives_what_its_kernels_give_one_by_one() {
    everywhere(|| {
        for n in SIZES {
            let xs = &values::<f64>(n)[..];
            for (start, exclusive) in [(None, false), (Some((3.0,)), true)] {
                let three = Three {
                    xs,
                    exclusive,
                    fails: None,
                    panics: None,
                };
                let (out, total, sum) = made(&three, start).unwrap();
                let ((prefixes,), wanted) = scan(&all(xs), n, start, exclusive).unwrap();
                let (twice,) = write(&all(&prefixes), n).unwrap();
                let sum_wanted = reduce_from(&all(&twice), n, (0.5,)).unwrap();
                assert_eq!(bits(&out), bits(&twice), "{n}");
                let totals = [total.unwrap_or_default().0, sum.0];
                let wanted = [wanted.unwrap_or_default().0, sum_wanted.0];
                assert_eq!(bits(&totals), bits(&wanted), "{n}");
            }
        }
    });
}

#[test]
fn the_lowest_index_that_fails_is_found() {
    on_each_pool(|_| {
        let xs = &values::<f64>(100_000)[..];
        for at in [0, 77, 16_384, 40_000, 99_999] {
            let three = Three {
                xs,
                exclusive: false,
                fails: Some(at),
                panics: None,
            };
            let failure = Failure::Check {
                id: 3,
                values: [at as i64, 0, 0],
            };
            assert_eq!(made(&three, None).err(), Some(failure));
        }
    });
}

#[test]
fn nobody_waits_for_a_worker_that_panicked() {
    on_each_pool(|_| {
        let three = Three {
            xs: &values::<f64>(300_000)[..],
            exclusive: false,
            fails: None,
            panics: Some(16_384),
        };
        assert!(catch_unwind(AssertUnwindSafe(|| made(&three, None))).is_err());
    });
}

#[test]
fn results_have_the_length_of_the_space() {
    let three = Three {
        xs: &[1.0; 5],
        exclusive: false,
        fails: None,
        panics: None,
    };
    let state = (Carries::new(None), Totals::new((0.5,)));
    let failure = convoy_to(&three, 5, state, (ArrayOut::slice(&mut [0.0; 4]),)).err();
    assert_eq!(failure, Some(Failure::ResultLength { len: 5, room: 4 }));
}

/// Gives other elements than those of its room.
struct Elsewhere;

impl Convoy for Elsewhere {
    type Outs = (f64,);
    type Own = ();
    type State = ();
    const CHECKS: bool = false;
    fn cost(&self) -> usize {
        1
    }
    fn strip<'r, const L: usize, F: Flag>(
        &self,
        _strip: &Strip,
        (): &(),
        _outs: <Self::Outs as Arrays>::Rooms<'r>,
        (): (),
        _flag: &mut F,
    ) -> <Self::Outs as Arrays>::Views<'r> {
        (&[1.0; 3],)
    }
}

#[test]
fn a_room_that_nobody_writes_is_seen() {
    let mut out = Vec::new();
    let run = || convoy_to(&Elsewhere, 3, (), (ArrayOut::vec(&mut out),));
    assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
}
