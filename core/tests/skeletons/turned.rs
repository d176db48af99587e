//! Kernels of convoys that go from the end on.

use ragged_core::{
    ArrayOut, Arrays, Carries, Convoy, Failure, Flag, Kernel, Product, Strip, Turning, convoy,
    convoy_to, scan,
};

use super::convoy::{all, bits};
use crate::values::values;
use crate::{SIZES, everywhere};

/// The elements from the index `from` on, as far from the end of `n`; and how far that is.
struct Back<'a> {
    strip: &'a [f64],
    from: usize,
    n: usize,
}

impl Kernel for Back<'_> {
    type Out = (f64, u8);
    const COST: u32 = 2;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        (sums, places): <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        for l in 0..L {
            let at = self.n - 1 - (start + l);
            (sums[l], places[l]) = (self.strip[at - self.from], at as u8);
        }
    }
}

/// Sums from the left, written from the right.
struct Turned<'a> {
    xs: &'a [f64],
    /// A strip of which nothing is written.
    left_out: Option<usize>,
}

impl Convoy for Turned<'_> {
    type Outs = ();
    type Own = (f64,);
    type State<'s> = (Carries<(f64,)>, Turning<'s, (f64, u8)>);
    const CHECKS: &'static [usize] = &[];
    fn cost(&self) -> usize {
        100
    }
    #[inline(always)]
    fn strip<'r, const L: usize, F: Flag>(
        &self,
        strip: &Strip,
        (carries, turning): &Self::State<'_>,
        (): <Self::Outs as Arrays>::Rooms<'r>,
        own: <Self::Own as Arrays>::Rooms<'r>,
        flag: &mut F,
    ) -> <Self::Outs as Arrays>::Views<'r> {
        let kernel = all(self.xs);
        let (sums,) = convoy::scan::<L, _, F>(&kernel, strip, carries, false, own, false, flag);
        if self.left_out != Some(strip.start()) {
            let kernel = Back {
                strip: sums,
                from: strip.start(),
                n: self.xs.len(),
            };
            convoy::turned::<L, _, F>(&kernel, strip, turning, flag);
        }
    }
}

/// The sums, and how far from the end each is.
fn run(
    it: &Turned<'_>,
    (out, places): (ArrayOut<'_, f64>, ArrayOut<'_, u8>),
) -> Result<(), Failure> {
    let n = it.xs.len();
    let state = (Carries::new(None), Turning::new((out, places), n)?);
    let (_, turning) = convoy_to(it, n, state, ())?;
    turning.finish()
}

#[test]
fn what_is_turned_lies_as_far_from_the_end() {
    everywhere(|| {
        for n in SIZES {
            let xs = &values::<f64>(n)[..];
            let it = Turned { xs, left_out: None };
            let (mut out, mut places) = (vec![7.0; 3], Vec::new());
            run(&it, (ArrayOut::vec(&mut out), ArrayOut::vec(&mut places))).unwrap();
            let ((mut wanted,), _) = scan(&all(xs), n, None, false).unwrap();
            wanted.reverse();
            assert_eq!(bits(&out), bits(&wanted), "{n}");
            let wanted: Vec<u8> = (0..n).rev().map(|at| at as u8).collect();
            assert_eq!(places, wanted, "{n}");
        }
    });
}

#[test]
fn a_strip_that_is_left_out_is_seen() {
    let xs = &values::<f64>(40_000)[..];
    for start in [0, 16_384, 32_768] {
        let it = Turned {
            xs,
            left_out: Some(start),
        };
        let (mut out, mut places) = (Vec::new(), Vec::new());
        let failure = run(&it, (ArrayOut::vec(&mut out), ArrayOut::vec(&mut places)));
        assert_eq!(failure, Err(Failure::Internal));
        assert!(out.is_empty() && places.is_empty());
    }
}

#[test]
fn slices_have_the_length_of_the_space() {
    let xs = &values::<f64>(5)[..];
    let it = Turned { xs, left_out: None };
    let places = &mut [0; 4];
    let failure = run(
        &it,
        (ArrayOut::slice(&mut [0.0; 5]), ArrayOut::slice(places)),
    );
    assert_eq!(failure, Err(Failure::ResultLength { len: 5, room: 4 }));
}
