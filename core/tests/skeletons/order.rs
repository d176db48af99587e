//! Results: each skeleton, type, size, level and thread count.

use ragged_core::{ArrayOut, CHUNK, Combine, Failure, Fast, Flag, Kernel, Product, load};
use ragged_core::{fold, reduce, reduce_on, scan, scan_to, scatter, write, write_to};

use crate::reference;
use crate::values::{Cheap, One, Two, Value, values};
use crate::{SIZES, everywhere, on_each_pool};

fn bits<T: Value>(xs: &[T]) -> Vec<T::Bits> {
    xs.iter().map(|x| x.bits()).collect()
}

fn check_type<T: Value>() {
    let all = values::<T>(200_003);
    for n in SIZES {
        let xs = &all[..n];
        check_write(xs);
        check_order::<T, true>(xs);
        check_order::<T, false>(xs);
    }
}

fn check_write<T: Value>(xs: &[T]) {
    let n = xs.len();
    let expected = bits(xs);
    let stepped = xs.iter().fold((T::default(), 7_u64), |(sum, steps), &x| {
        (sum.add(x), steps.wrapping_mul(31).wrapping_add(1))
    });
    let kernel = One::<T, true>(xs);
    everywhere(|| {
        let (ys,) = write(&kernel, n).unwrap();
        assert_eq!(bits(&ys), expected, "write {n}");
        let mut zs = vec![T::default(); n / 2 + 3];
        write_to(&kernel, n, (ArrayOut::vec(&mut zs),)).unwrap();
        assert_eq!(bits(&zs), expected, "a vector of another length, {n}");
        zs.fill(T::default());
        let at = zs.as_ptr();
        write_to(&kernel, n, (ArrayOut::vec(&mut zs),)).unwrap();
        assert_eq!(bits(&zs), expected, "again, {n}");
        assert_eq!(zs.as_ptr(), at, "in the same memory, {n}");
        zs.fill(T::default());
        write_to(&kernel, n, (ArrayOut::slice(&mut zs),)).unwrap();
        assert_eq!(bits(&zs), expected, "a slice, {n}");
        let acc = fold(&kernel, n, (T::default(), 7)).unwrap();
        assert_eq!(
            (acc.0.bits(), acc.1),
            (stepped.0.bits(), stepped.1),
            "fold {n}"
        );
    });
}

fn check_order<T: Value, const C: bool>(xs: &[T]) {
    let n = xs.len();
    let kernel = One::<T, C>(xs);
    let neutral = C.then(T::neutral);
    let expected = reference::reduce(xs, neutral, T::add).map(T::bits);
    everywhere(|| {
        let sum = reduce(&kernel, n).unwrap().map(|sum| sum.0.bits());
        assert_eq!(sum, expected, "reduce {n} {C}");
    });
    check_going_on::<T, C>(xs);
    check_scan::<T, C>(xs, None, false);
    check_scan::<T, C>(xs, Some(T::made_up(99)), true);
    if C {
        check_scan::<T, C>(xs, None, true);
    } else {
        check_scan::<T, C>(xs, Some(T::made_up(99)), false);
        let failure = scan(&kernel, n, None, true).err();
        assert_eq!(failure, (n > 0).then_some(Failure::Internal));
    }
}

/// Whole chunks first, then the rest, is all at once.
fn check_going_on<T: Value, const C: bool>(xs: &[T]) {
    let expected = reference::reduce(xs, C.then(T::neutral), T::add).map(T::bits);
    for chunks in [1, 2, 5] {
        let Some((first, rest)) = xs.split_at_checked(chunks * CHUNK) else {
            return;
        };
        let before = reduce(&One::<T, C>(first), first.len()).unwrap().unwrap();
        everywhere(|| {
            let sum = reduce_on(&One::<T, C>(rest), rest.len(), before).unwrap();
            let sum = Some(sum.0.bits());
            assert_eq!(sum, expected, "{} behind {chunks} chunks, {C}", rest.len());
        });
    }
}

fn check_scan<T: Value, const C: bool>(xs: &[T], start: Option<T>, exclusive: bool) {
    let n = xs.len();
    let neutral = C.then(T::neutral);
    let (expected, sum) = reference::scan(xs, neutral, start, exclusive, T::add);
    let (expected, sum) = (bits(&expected), sum.map(T::bits));
    everywhere(|| {
        let start = start.map(|s| (s,));
        for result in [
            scan(&One::<T, C>(xs), n, start, exclusive),
            scan(&Cheap(One::<T, C>(xs)), n, start, exclusive),
        ] {
            let ((ys,), total) = result.unwrap();
            assert_eq!(bits(&ys), expected, "scan {n} {C} {exclusive}");
            assert_eq!(total.map(|t| t.0.bits()), sum, "total {n} {C}");
        }
    });
}

macro_rules! types {
    ($($t:ident)*) => { $(
        #[test]
        fn $t() {
            check_type::<$t>();
        }
    )* };
}
types!(i8 u16 i32 u64 f32 f64 bool);

fn check_two<const C: bool>() {
    let (xs, ys) = (values::<f32>(200_003), values::<i64>(200_003));
    let all: Vec<_> = xs.iter().zip(&ys).map(|(&x, &y)| (x, y | 1, y)).collect();
    let kernel = Two::<C>(&xs, &ys);
    let op = |a, b| kernel.combine(a, b, &mut Fast::default());
    let neutral = C.then(|| kernel.neutral());
    let flat = |x: &(f32, i64, i64)| (x.0.to_bits(), x.1, x.2);
    for n in SIZES {
        let expected = reference::reduce(&all[..n], neutral, op);
        let (prefixes, _) = reference::scan(&all[..n], neutral, None, false, op);
        let prefixes: Vec<_> = prefixes.iter().map(flat).collect();
        everywhere(|| {
            let sum = reduce(&kernel, n).unwrap();
            assert_eq!(sum.as_ref().map(flat), expected.as_ref().map(flat));
            let ((a, b, c), _) = scan(&kernel, n, None, false).unwrap();
            let got: Vec<_> = (0..n).map(|i| flat(&(a[i], b[i], c[i]))).collect();
            assert_eq!(got, prefixes);
        });
    }
}

#[test]
fn products() {
    check_two::<true>();
    check_two::<false>();
}

#[test]
fn results_larger_than_caches() {
    let n = 4_500_001;
    let xs = values::<f64>(n);
    everywhere(|| {
        let (ys,) = write(&One::<f64, true>(&xs), n).unwrap();
        assert!(ys == xs);
        for shift in 0..3 {
            let mut ys = vec![0.0; n];
            let m = n - shift;
            write_to(
                &One::<f64, true>(&xs[..m]),
                m,
                (ArrayOut::slice(&mut ys[shift..]),),
            )
            .unwrap();
            assert!(ys[shift..] == xs[..m]);
        }
    });
    let (zs, sum) = reference::scan(&xs, Some(-0.0), None, true, f64::add);
    everywhere(|| {
        let mut ys = vec![0.0; n + 1];
        let total = scan_to(
            &One::<f64, true>(&xs),
            n,
            None,
            true,
            (ArrayOut::slice(&mut ys[1..]),),
        )
        .unwrap();
        assert!(ys[1..] == zs);
        assert_eq!(total.map(|t| t.0), sum);
        let cheap = Cheap(One::<f64, true>(&xs));
        ys.fill(0.0);
        let total = scan_to(&cheap, n, None, true, (ArrayOut::slice(&mut ys[1..]),)).unwrap();
        assert!(ys[1..] == zs);
        assert_eq!(total.map(|t| t.0), sum);
    });
}

/// Prefixes that go round the caches, into memory that begins anywhere in a line.
fn check_large_prefixes<T: Value>(n: usize) {
    let xs = values::<T>(n);
    let (expected, sum) = reference::scan(&xs, Some(T::neutral()), None, false, T::add);
    let (expected, sum) = (bits(&expected), sum.map(T::bits));
    let mut ys = vec![T::default(); n + 3];
    on_each_pool(|shift| {
        let kernel = One::<T, true>(&xs);
        for again in [false, true] {
            ys.fill(T::default());
            let to = (ArrayOut::slice(&mut ys[shift..shift + n]),);
            let total = match again {
                true => scan_to(&Cheap(One::<T, true>(&xs)), n, None, false, to),
                false => scan_to(&kernel, n, None, false, to),
            };
            assert_eq!(total.unwrap().map(|t| t.0.bits()), sum);
            assert!(bits(&ys[shift..shift + n]) == expected, "{shift} {again}");
        }
        let outside = ys[..shift].iter().chain(&ys[shift + n..]);
        assert!(outside.copied().all(|y| y.bits() == T::default().bits()));
    });
}

#[test]
fn prefixes_larger_than_caches() {
    check_large_prefixes::<f32>(8_400_021);
    check_large_prefixes::<u64>(4_200_005);
}

/// Pairs of an index and values.
struct Pairs<'a>(&'a [usize], &'a [f32], &'a [u8]);

impl Kernel for Pairs<'_> {
    type Out = (usize, f32, u8);
    const COST: u32 = 3;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        let (o0, o1, o2) = out;
        let (ix, xs, ys) = (
            load::<_, L>(self.0, start),
            load::<_, L>(self.1, start),
            load::<_, L>(self.2, start),
        );
        for l in 0..L {
            o0[l] = ix[l];
            o1[l] = xs[l];
            o2[l] = ys[l];
        }
    }
}

#[test]
fn scatter_keeps_the_last() {
    let ix: Vec<usize> = values::<usize>(50_000).iter().map(|i| i % 777).collect();
    let (xs, ys) = (values::<f32>(50_000), values::<u8>(50_000));
    everywhere(|| {
        for n in SIZES.into_iter().filter(|&n| n <= 50_000) {
            let (mut a, mut b) = (vec![0.5; 777], vec![3; 777]);
            scatter(&Pairs(&ix, &xs, &ys), n, (&mut a, &mut b), 0).unwrap();
            let (mut c, mut d) = (vec![0.5; 777], vec![3; 777]);
            for i in 0..n {
                c[ix[i]] = xs[i];
                d[ix[i]] = ys[i];
            }
            assert_eq!((a, b), (c, d));
        }
    });
}
