//! A module without Rust's prelude.
#![no_implicit_prelude]

::ragged::accel! {
    /// A number with a name.
    #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::cmp::PartialEq, ::core::cmp::Eq)]
    pub struct Pair {
        /// First.
        pub a: i64,
        /// Second.
        pub b: i64,
    }

    /// One of everything.
    pub fn everything(xs: [i64; n], at: usize) -> ([i64; n], i64, [Pair; n]) {
        let sums = xs.scan(|a, b| a + b);
        let mut counts = fill(0, xs.len());
        for i in 0..xs.len() { counts[i] = xs[i] / xs[at]; }
        let best = xs.fold(0, |a, x| if x > a { x } else { a });
        let moved = scatter(xs, 0..xs.len(), xs.rev());
        (sums, best + counts.sum() + moved[0], for x in xs { Pair { a: x, b: x } })
    }

    /// Kinds of results.
    pub fn kinds(xs: [f64], c: bool) -> ([f64], bool) {
        let mut i = 0;
        while i < xs.len() && xs[i] > 0.0 { i += 1; }
        let ys = if c { xs.map(|x| sqrt(abs(x)).sin() as i32 as f64) } else { xs.chain([1.0, 2.0]) };
        (ys, i > 2 && xs.any(|x| x < 0.0))
    }

    /// Sequences, item by item.
    pub fn joined(xs: Seq<[f64; n]>, ys: Seq<f64>) -> Seq<f64> { zip(xs, ys).map(|(x, y)| x.sum() + y) }
}

#[test]
fn run() {
    use ::core::assert_eq;
    let (sums, best, pairs) = everything(&[1, 2, 3], 0).unwrap();
    assert_eq!((sums, best), (::std::vec![1, 3, 6], 12));
    assert_eq!(pairs[0], Pair { a: 1, b: 1 });
    let (ys, found) = kinds(&[4.0], false).unwrap();
    assert_eq!((ys, found), (::std::vec![4.0, 1.0, 2.0], false));
    let mut sums = ::std::vec::Vec::new();
    let sink = |sum| {
        sums.push(sum);
        ::core::result::Result::Ok::<(), ::core::fmt::Error>(())
    };
    joined::for_each([[1.0, 2.0], [3.0, 4.0]], [5.0, 6.0], sink).unwrap();
    assert_eq!(sums, [8.0, 13.0]);
}
