//! Convoys, against the same kernels one after another.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ragged_core::{
    ArrayOut, Arrays, Carries, Combine, Convoy, Failure, Flag, Keeps, Kernel, Placing, Product,
    Strip, Totals, convoy, convoy_to, reduce_from, scan, write,
};

use crate::values::values;
use crate::{SIZES, everywhere, on_each_pool};

/// Elements from the index `from` on, doubled; sums of them.
pub(super) struct Doubled<'a> {
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
    /// The elements of which the prefixes fail, and twice these.
    fails: [Option<usize>; 2],
    panics: Option<usize>,
}

/// All elements.
pub(super) fn all(xs: &[f64]) -> Doubled<'_> {
    Doubled {
        xs,
        from: 0,
        fails: None,
    }
}

impl Convoy for Three<'_> {
    type Outs = (f64,);
    type Own = (f64,);
    type State<'s> = (Carries<(f64,)>, Totals<(f64,)>);
    const CHECKS: &'static [usize] = &[0, 1];
    fn cost(&self) -> usize {
        100
    }
    #[inline(always)]
    fn strip<'r, const L: usize, F: Flag>(
        &self,
        strip: &Strip,
        (carries, totals): &Self::State<'_>,
        outs: <Self::Outs as Arrays>::Rooms<'r>,
        own: <Self::Own as Arrays>::Rooms<'r>,
        flag: &mut F,
    ) -> <Self::Outs as Arrays>::Views<'r> {
        let from = strip.start();
        let kernel = Doubled {
            fails: self.fails[0],
            ..all(self.xs)
        };
        let (prefixes,) =
            convoy::scan::<L, _, F>(&kernel, strip, carries, self.exclusive, own, false, flag);
        assert!(self.panics != Some(from), "a panic");
        let kernel = Doubled {
            xs: prefixes,
            from,
            fails: self.fails[1],
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

pub(super) fn bits(xs: &[f64]) -> Vec<u64> {
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
                    fails: [None; 2],
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
fn the_first_kernel_that_fails_does_so_at_its_lowest_index() {
    on_each_pool(|_| {
        let xs = &values::<f64>(100_000)[..];
        for at in [0, 77, 16_384, 40_000, 99_999] {
            for fails in [[None, Some(at)], [Some(at), None], [Some(at), Some(3)]] {
                let three = Three {
                    xs,
                    exclusive: false,
                    fails,
                    panics: None,
                };
                let failure = Failure::Check {
                    id: 3,
                    values: [at as i64, 0, 0],
                };
                assert_eq!(made(&three, None).err(), Some(failure));
            }
        }
    });
}

#[test]
fn nobody_waits_for_a_worker_that_panicked() {
    on_each_pool(|_| {
        let three = Three {
            xs: &values::<f64>(300_000)[..],
            exclusive: false,
            fails: [None; 2],
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
        fails: [None; 2],
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
    type State<'s> = ();
    const CHECKS: &'static [usize] = &[];
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

/// Positions, each of which comes to lie at the index that it has here.
struct Placed<'a> {
    at: &'a [usize],
    panics: Option<usize>,
}

impl Kernel for Placed<'_> {
    type Out = (usize, u32);
    const COST: u32 = 1;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        (at, out): <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        for l in 0..L {
            assert!(self.panics != Some(start + l), "a panic");
            (at[l], out[l]) = (self.at[start + l], (start + l) as u32);
        }
    }
}

impl Convoy for Placed<'_> {
    type Outs = ();
    type Own = ();
    type State<'s> = (Placing<'s, (usize, u32)>,);
    const CHECKS: &'static [usize] = &[0];
    fn cost(&self) -> usize {
        100
    }
    #[inline(always)]
    fn strip<'r, const L: usize, F: Flag>(
        &self,
        strip: &Strip,
        (placing,): &Self::State<'_>,
        (): <Self::Outs as Arrays>::Rooms<'r>,
        (): (),
        flag: &mut F,
    ) -> <Self::Outs as Arrays>::Views<'r> {
        convoy::scatter::<L, _, F>(self, strip, placing, 7, flag);
    }
}

fn placed(at: &[usize], panics: Option<usize>, targets: &mut [u32]) -> Result<(), Failure> {
    let placing = Placing::new((targets,));
    convoy_to(&Placed { at, panics }, at.len(), (placing,), ()).map(|_| ())
}

#[test]
fn of_several_elements_with_one_index_the_last_one_stays() {
    everywhere(|| {
        for n in SIZES {
            let at: Vec<usize> = (0..n).map(|i| i * i % 1000).collect();
            let mut targets = vec![9; 1000];
            placed(&at, None, &mut targets).unwrap();
            let mut wanted = vec![9; 1000];
            at.iter().zip(0..).for_each(|(at, i)| wanted[*at] = i);
            assert_eq!(targets, wanted, "{n}");
        }
    });
}

#[test]
fn an_index_out_of_range_is_found_behind_many() {
    on_each_pool(|_| {
        for at in [0, 77, 16_384, 99_999] {
            let mut ix = vec![1; 100_000];
            ix[at] = 5;
            let failure = Failure::Check {
                id: 7,
                values: [5, 5, 0],
            };
            assert_eq!(placed(&ix, None, &mut [0; 5]), Err(failure));
        }
    });
}

#[test]
fn nobody_waits_for_a_scatter_that_panicked() {
    on_each_pool(|_| {
        let run = || placed(&vec![1; 300_000], Some(20_000), &mut [0; 5]);
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    });
}

/// Elements, doubled, of which those that are large are kept.
struct Large<'a> {
    xs: &'a [f64],
    fails: Option<usize>,
    panics: Option<usize>,
}

/// Those of the doubled elements from `from` on.
struct Kept<'a> {
    twice: &'a [f64],
    from: usize,
}

impl Kernel for Kept<'_> {
    type Out = (bool, f64);
    const COST: u32 = 1;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        (kept, out): <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        for l in 0..L {
            out[l] = self.twice[start + l - self.from];
            kept[l] = out[l] > 0.5;
        }
    }
}

impl Convoy for Large<'_> {
    type Outs = ();
    type Own = (f64,);
    type State<'s> = (Keeps<'s, (bool, f64)>,);
    const CHECKS: &'static [usize] = &[0];
    fn cost(&self) -> usize {
        100
    }
    #[inline(always)]
    fn strip<'r, const L: usize, F: Flag>(
        &self,
        strip: &Strip,
        (keeps,): &Self::State<'_>,
        (): <Self::Outs as Arrays>::Rooms<'r>,
        own: <Self::Own as Arrays>::Rooms<'_>,
        flag: &mut F,
    ) -> <Self::Outs as Arrays>::Views<'r> {
        let from = strip.start();
        let kernel = Doubled {
            fails: self.fails,
            ..all(self.xs)
        };
        let (twice,) = convoy::write::<L, _, F>(&kernel, strip, own, false, flag);
        assert!(self.panics != Some(from), "a panic");
        convoy::keep::<L, _, _, F>(&Kept { twice, from }, strip, keeps, flag);
    }
}

fn large(it: &Large<'_>, out: ArrayOut<'_, f64>) -> Result<usize, Failure> {
    let n = it.xs.len();
    let (keeps,) = convoy_to(it, n, (Keeps::new((out,), n)?,), ())?;
    keeps.finish()
}

fn quiet(xs: &[f64]) -> Large<'_> {
    Large {
        xs,
        fails: None,
        panics: None,
    }
}

#[test]
fn what_is_kept_comes_in_order_wherever_it_goes() {
    everywhere(|| {
        let (mut again, mut out) = (Vec::new(), Vec::new());
        for n in SIZES {
            let xs = &values::<f64>(n)[..];
            let twice = xs.iter().map(|x| 2.0 * x);
            let wanted: Vec<f64> = twice.filter(|x| *x > 0.5).collect();
            assert_eq!(large(&quiet(xs), ArrayOut::vec(&mut out)), Ok(wanted.len()));
            assert_eq!(bits(&out), bits(&wanted), "{n}");
            let mut new = Vec::new();
            assert_eq!(large(&quiet(xs), ArrayOut::vec(&mut new)), Ok(wanted.len()));
            assert!(new.capacity() <= wanted.len() + wanted.len() / 3 + 4, "{n}");
            // Into a vector that has elements, and room for some.
            assert_eq!(
                large(&quiet(xs), ArrayOut::vec(&mut again)),
                Ok(wanted.len())
            );
            assert_eq!(bits(&again), bits(&wanted), "{n}");
            let mut slice = vec![7.0; wanted.len()];
            assert_eq!(
                large(&quiet(xs), ArrayOut::slice(&mut slice)),
                Ok(wanted.len())
            );
            assert_eq!(bits(&slice), bits(&wanted), "{n}");
            let mut longer = vec![7.0; wanted.len() + 1];
            let (len, room) = (wanted.len(), wanted.len() + 1);
            let failure = Failure::ResultLength { len, room };
            assert_eq!(
                large(&quiet(xs), ArrayOut::slice(&mut longer)),
                Err(failure)
            );
        }
    });
}

#[test]
fn failures_and_panics_beside_what_is_kept_end_all() {
    on_each_pool(|_| {
        let xs = &values::<f64>(100_000)[..];
        for at in [0, 77, 16_384, 99_999] {
            let mut out = Vec::new();
            let failing = Large {
                fails: Some(at),
                ..quiet(xs)
            };
            let failure = Failure::Check {
                id: 3,
                values: [at as i64, 0, 0],
            };
            assert_eq!(large(&failing, ArrayOut::vec(&mut out)), Err(failure));
        }
        let panicking = Large {
            panics: Some(32_768),
            ..quiet(xs)
        };
        let run = || large(&panicking, ArrayOut::vec(&mut Vec::new()));
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    });
}
