//! What a careless macro takes from the prelude means something else here.
#![allow(
    dead_code,
    non_upper_case_globals,
    non_camel_case_types,
    missing_debug_implementations,
    missing_copy_implementations,
    unused_macros,
    clippy::upper_case_acronyms,
    reason = "names of the prelude, which are in the way here"
)]

struct Vec;
struct Option;
struct Result;
struct String;
struct Box;
struct usize_;
type usize = u8;
type f32 = ();
type f64 = ();
type bool = ();
type str = ();
type u8_ = ();
type i64 = ();
type u32 = ();
const Some: i8 = 1;
const None: i8 = 2;
const Ok: i8 = 3;
const Err: i8 = 4;
trait Default {}
trait Clone {}
trait Copy {}
trait Sized {}
trait Iterator {}
trait Into {}
trait From {}
trait Deref {}
trait AsArray {}
trait IntoIterator {}
trait FnMut {}
trait Send {}
trait Error {}
const fn drop() {}

::ragged::accel! {
    /// A struct.
    pub struct Pair {
        /// First.
        pub a: i32,
        /// Second.
        pub b: i32,
    }

    /// One of everything.
    pub fn everything(xs: [i64; n], at: usize) -> ([i64; n], i64, [Pair; n]) {
        let sums = xs.scan(|a, b| a + b);
        let mut counts = fill(0, xs.len());
        for i in 0..xs.len() { counts[i] = xs[i] / xs[at]; }
        let best = xs.fold(0, |a, x| if x > a { x } else { a });
        let moved = scatter(xs, 0..xs.len(), xs.rev());
        (sums, best + counts.sum() + moved[0], for x in xs { Pair { a: x as i32, b: x as i32 } })
    }

    /// Kinds of results.
    pub fn kinds(xs: [f64], c: bool) -> ([f64], bool, u32) {
        let mut i = 0;
        while i < xs.len() && xs[i] > 0.0 { i += 1; }
        let ys = if c { xs.map(|x| sqrt(abs(x)).sin() as i32 as f64) } else { xs.chain([1.0, 2.0]) };
        (ys, i > 2 && xs.any(|x| x < 0.0), (xs.len() as u32).count_ones())
    }

    /// A sequence, item by item.
    pub fn rows(xs: Seq<[f64]>, by: [f64]) -> Seq<([f64], usize)> {
        xs.map(|x| (x.map(|y| y * by[0]), x.len()))
    }
}

#[test]
fn run() {
    let (sums, best, pairs) = everything(&[1, 2, 3], 0).unwrap();
    assert_eq!((sums, best), (vec![1, 3, 6], 12));
    assert_eq!((pairs[0].a, pairs[0].b), (1, 1));
    let (ys, found, ones) = kinds(&[4.0], false).unwrap();
    assert_eq!((ys, found, ones), (vec![4.0, 1.0, 2.0], false, 1));
    let mut seen = 0;
    let sink = |(row, len): (&[_], _)| {
        seen += row.len() + len;
        ::core::result::Result::Ok::<(), ::core::convert::Infallible>(())
    };
    rows::for_each([&[1.0][..], &[2.0, 3.0]], &[2.0], sink).unwrap();
    assert_eq!(seen, 6);
}
