//! `NAME::into`: results written into what the caller has.

#![allow(missing_docs, reason = "tests only")]

use ragged::{ErrorKind, Result, accel};

accel! {
    #[derive(Debug, PartialEq)]
    pub struct Extent { pub lo: f32, pub at: (usize, i8) }

    pub fn dotp(xs: [f32; n], ys: [f32; n]) -> f32 { zip(xs, ys).map(|(x, y)| x * y).sum() }

    #[instances(i8, i16, i32, i64, u8, u16, u32, u64, usize, f32, f64)]
    pub fn twice<T: Num>(xs: [T; n]) -> [T; n] { for x in xs { x + x } }

    #[instances(i8, i16, i32, i64, u8, u16, u32, u64, usize, f32, f64)]
    pub fn sums<T: Num>(xs: [T; n]) -> [T; n] { xs.scan(|a, b| a + b) }

    pub fn flip(xs: [bool; n]) -> [bool; n] { for x in xs { !x } }

    pub fn pairs(xs: [f64; n]) -> [(u8, f64); n] { for (i, x) in xs.enumerate() { (i as u8, x) } }

    pub fn steps(xs: [u64; n]) -> [u64; n] {
        for x in xs {
            let mut y = x;
            let mut count = 0;
            while y > 1 { y = y / 2; count += 1; }
            count
        }
    }

    pub fn placed(ix: [usize; n], xs: [i32; n]) -> [i32; n] { scatter(fill(0, n), ix, xs) }

    pub fn sorted_in(xs: [i32; n]) -> [i32; n] {
        let mut ys = xs;
        for i in 0..n {
            for j in 0..n - 1 - i {
                if ys[j] > ys[j + 1] { let y = ys[j]; ys[j] = ys[j + 1]; ys[j + 1] = y; }
            }
        }
        ys
    }

    pub fn itself(xs: [f32; n]) -> [f32; n] { xs }
    pub fn firsts(xs: [(f32, u8); n]) -> [f32; n] { xs.map(|(x, _)| x).rev().rev() }
    pub fn either(xs: [f32; n], ys: [f32; n], first: bool) -> [f32; n] {
        if first { for x in xs { x + 1.0 } } else { ys }
    }
    pub fn same_twice(xs: [f32; n]) -> ([f32; n], [f32; n]) {
        let ys = for x in xs { x + 1.0 };
        (ys, ys)
    }
    pub fn mixed(xs: [f32; n]) -> ([f32; n], (f32, Extent), [usize; n]) {
        let sums = xs.scan(|a, b| a + b);
        let lo = xs.min_or(0.0);
        (sums, (sums[n - 1], Extent { lo: lo, at: (n, 3) }), for i in 0..n { i })
    }
    pub fn filled(out: i32, n: usize) -> [i32; n] { fill(out, n) }
    pub fn checked(xs: [i32; n], d: i32) -> [i32; n] { for x in xs { x / d } }
}

const SIZES: [usize; 5] = [0, 1, 2, 1000, 300_000];

/// Calls of `into` with a vector of another length, the same again, and slices.
fn check<T: Copy + Default + PartialEq + std::fmt::Debug>(
    expected: &[T],
    into_vec: impl Fn(&mut Vec<T>) -> Result<()>,
    into_slice: impl Fn(&mut [T]) -> Result<()>,
) {
    let n = expected.len();
    let mut vec = vec![T::default(); n / 2 + 3];
    into_vec(&mut vec).unwrap();
    assert!(vec == expected, "a vector, {n}");
    vec.fill(T::default());
    let memory = (vec.as_ptr(), vec.capacity());
    into_vec(&mut vec).unwrap();
    assert!(vec == expected, "again, {n}");
    assert_eq!((vec.as_ptr(), vec.capacity()), memory, "in its memory, {n}");
    let mut around = vec![T::default(); n + 2];
    into_slice(&mut around[1..=n]).unwrap();
    assert!(around[1..=n] == *expected, "a slice, {n}");
    assert_eq!((around[0], around[n + 1]), (T::default(), T::default()));
    let error = into_slice(&mut around[1..]).unwrap_err();
    let room = n + 1;
    assert_eq!(*error.kind(), ErrorKind::ResultLength { len: n, room });
}

macro_rules! check {
    ($expected:expr, $function:ident($($arg:expr),*)) => {
        check(
            &$expected,
            |out| $function::into(out, $($arg),*),
            |out| $function::into(out, $($arg),*),
        )
    };
}

macro_rules! every_type {
    ($($ty:ident $twice:ident $sums:ident;)*) => { $(
        #[test]
        fn $ty() {
            for n in SIZES {
                let xs: Vec<$ty> = (0..n).map(|i| (i % 5) as $ty).collect();
                let twice: Vec<$ty> = xs.iter().map(|x| x + x).collect();
                check!(twice, $twice(&xs));
                let mut sum = 0 as $ty;
                let mut add = |x: &$ty| {
                    // Exact for floats of this size; integers wrap.
                    sum = (sum as i128 + *x as i128) as $ty;
                    sum
                };
                let sums: Vec<$ty> = xs.iter().map(&mut add).collect();
                check!(sums, $sums(&xs));
            }
        }
    )* };
}

every_type! {
    i8 twice_i8 sums_i8;
    i16 twice_i16 sums_i16;
    i32 twice_i32 sums_i32;
    i64 twice_i64 sums_i64;
    u8 twice_u8 sums_u8;
    u16 twice_u16 sums_u16;
    u32 twice_u32 sums_u32;
    u64 twice_u64 sums_u64;
    usize twice_usize sums_usize;
    f32 twice_f32 sums_f32;
    f64 twice_f64 sums_f64;
}

#[test]
fn other_elements_and_skeletons() {
    for n in SIZES {
        let flags: Vec<bool> = (0..n).map(|i| i % 3 == 0).collect();
        let flipped: Vec<bool> = flags.iter().map(|x| !x).collect();
        check!(flipped, flip(&flags));
        let xs: Vec<f64> = (0..n).map(|i| i as f64 / 2.0).collect();
        let numbered: Vec<(u8, f64)> = (0..n).map(|i| (i as u8, xs[i])).collect();
        check!(numbered, pairs(&xs));
        let counts: Vec<u64> = (0..n as u64).map(|i| u64::from(i.max(1).ilog2())).collect();
        check!(counts, steps(&(0..n as u64).collect::<Vec<_>>()));
        let ix: Vec<usize> = (0..n).map(|i| i / 2).collect();
        let values: Vec<i32> = (0..n as i32).collect();
        let mut scattered = vec![0; n];
        (0..n).for_each(|i| scattered[i / 2] = i as i32);
        check!(scattered, placed(&ix, &values));
    }
}

#[test]
fn changed_in_place() {
    for n in [0, 1, 2, 50] {
        let xs: Vec<i32> = (0..n).map(|i| i * 7 % 11).collect();
        let mut sorted = xs.clone();
        sorted.sort_unstable();
        let mut out = vec![9; 3];
        sorted_in::into(&mut out, &xs).unwrap();
        assert_eq!(out, sorted);
        out.fill(0);
        sorted_in::into(&mut out[..], &xs).unwrap();
        assert_eq!(out, sorted);
    }
}

#[test]
fn what_no_kernel_makes() {
    let xs = [1.0, 2.0, 3.0];
    check!(xs, itself(&xs));
    let mut out = vec![7.0; 9];
    firsts::into(&mut out, &[(1.0, 4), (2.0, 5)]).unwrap();
    assert_eq!(out, [1.0, 2.0]);
    either::into(&mut out, &xs, &xs, true).unwrap();
    assert_eq!(out, [2.0, 3.0, 4.0]);
    either::into(&mut out[..], &xs, &xs, false).unwrap();
    assert_eq!(out, xs);
    let mut again = [0.0; 3];
    same_twice::into((&mut out, &mut again), &xs).unwrap();
    assert_eq!(out, [2.0, 3.0, 4.0]);
    assert_eq!(out, again);
}

#[test]
fn tuples_are_tuples_of_places() {
    let (mut sums, mut last, mut extent) = (Vec::new(), 0.0, Extent::default());
    let mut ix = Box::<[usize]>::from([9, 9]);
    mixed::into((&mut sums, (&mut last, &mut extent), &mut ix), &[4.0, -1.0]).unwrap();
    assert_eq!((sums.as_slice(), last), (&[4.0, 3.0][..], 3.0));
    assert_eq!(
        extent,
        Extent {
            lo: -1.0,
            at: (2, 3)
        }
    );
    assert_eq!(*ix, [0, 1]);
    assert_eq!(
        mixed(&[4.0, -1.0]),
        Ok((sums, (last, extent), ix.into_vec()))
    );
}

#[test]
fn scalars_and_kinds_of_places() {
    let mut sum = 0.0;
    dotp::into(&mut sum, &[1.0, 2.0], &[3.0, 4.0]).unwrap();
    assert_eq!(sum, 11.0);
    let mut array = [0; 3];
    filled::into(&mut array, 7, 3).unwrap();
    assert_eq!(array, [7; 3]);
    let mut vec = vec![1];
    let (mut by_vec, by_slice) = (&mut vec, &mut array[..]);
    filled::into(by_vec, 8, 3).unwrap();
    filled::into(&mut by_vec, 8, 3).unwrap();
    filled::into(by_slice, 9, 3).unwrap();
    assert_eq!((vec, array), (vec![8; 3], [9; 3]));
}

#[test]
fn errors() {
    let mut out = vec![1, 2, 3];
    let error = checked::into(&mut out, &[1, 2], 0).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::DivisionByZero);
    checked::into(&mut out, &[4, 2], 2).unwrap();
    assert_eq!(out, [2, 1]);
    let error = checked::into(&mut [0; 3], &[4, 2], 2).unwrap_err();
    assert_eq!(error.function(), "checked");
    assert_eq!(
        error.kind().to_string(),
        "the result has length 2, but what it is to be written into has length 3"
    );
    let error = itself::into(&mut [0.0; 3], &[4.0, 2.0]).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::ResultLength { len: 2, room: 3 });
    let error = either::into(&mut [0.0; 1], &[4.0, 2.0], &[], true).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::SizeMismatch { .. }));
    let error = either::into(&mut [0.0; 1], &[4.0, 2.0], &[1.0, 1.0], false).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::ResultLength { len: 2, room: 1 });
}

/// Rows as Rust arrays.
#[test]
fn nested_arrays() {
    accel! {
        pub fn moved(ps: [[f32; 3]; n], by: f32) -> [[f32; 3]; n] { for p in ps { p.map(|x| x + by) } }
        pub fn table(n: usize, m: usize) -> [[usize; m]; n] { for i in 0..n { for j in 0..m { 10 * i + j } } }
        pub fn edges(ps: [[f32; 3]; n]) -> ([[f32; 3]; n], [f32; 3]) {
            (ps, ps.reduce([0.0; 3], |a, b| zip(a, b).map(|(x, y)| max(x, y))))
        }
    }
    let mut ps: Vec<[f32; 3]> = vec![[0.0, 1.0, 2.0], [5.0, 4.0, 3.0]];
    let mut moved_by: Vec<[f32; 3]> = Vec::new();
    moved::into(&mut moved_by, &ps, 1.0).unwrap();
    assert_eq!(moved_by, [[1.0, 2.0, 3.0], [6.0, 5.0, 4.0]]);
    moved::into(&mut ps[..], &moved_by, 1.0).unwrap();
    assert_eq!(ps, [[2.0, 3.0, 4.0], [7.0, 6.0, 5.0]]);
    let (mut copy, mut most) = (Vec::<[f32; 3]>::new(), [0.0; 3]);
    edges::into((&mut copy, &mut most), &ps[..]).unwrap();
    assert_eq!((copy, most), (ps, [7.0, 6.0, 5.0]));

    let mut rows: Vec<[usize; 2]> = Vec::new();
    table::into(&mut rows, 3, 2).unwrap();
    assert_eq!(rows, [[0, 1], [10, 11], [20, 21]]);
    let error = table::into(&mut rows, 2, 3).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::ResultLength { len: 3, room: 2 });
    assert!(table::into(&mut [[0; 2]; 2], 3, 2).is_err());
}
