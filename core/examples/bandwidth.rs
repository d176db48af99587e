//! Skeletons beside plain loops over the same memory: `cargo run --release --example bandwidth`.
//!
//! Prints the best of several interleaved runs in GB/s of useful traffic (reads + writes once).

#![allow(clippy::needless_range_loop, reason = "the loops are what is measured")]

use std::hint::black_box;
use std::time::Instant;

use ragged_core::*;

macro_rules! kernel {
    ($name:ident, $t:ty, ($($xs:ident),+), $cost:expr, $e:expr) => {
        struct $name<'a> { $($xs: &'a [$t]),+ }
        impl Kernel for $name<'_> {
            type Out = ($t,);
            const COST: u32 = $cost;
            const CHECKS: bool = false;
            #[inline(always)]
            fn block<const L: usize, F: Flag>(
                &self,
                start: usize,
                out: <Self::Out as Product>::Slots<'_, L>,
                _flag: &mut F,
            ) {
                let (o0,) = out;
                $(let $xs = load::<$t, L>(self.$xs, start);)+
                for l in 0..L {
                    $(let $xs = $xs[l];)+
                    o0[l] = $e;
                }
            }
        }
        impl Combine for $name<'_> {
            const COMMUTATIVE: bool = true;
            const OPERATOR: Operator = Operator::Add;
            fn neutral(&self) -> ($t,) {
                (-(0 as $t),)
            }
            #[inline(always)]
            fn combine<F: Flag>(&self, a: ($t,), b: ($t,), _flag: &mut F) -> ($t,) {
                (a.0 + b.0,)
            }
        }
    };
}

kernel!(Times, f32, (xs, ys), 4, xs * ys);
kernel!(Affine, f32, (xs), 3, xs * 2.0 + 1.0);
kernel!(Value, f64, (xs), 2, xs);
kernel!(Int, i32, (xs), 2, xs);

struct Gather<'a> {
    ix: &'a [usize],
    xs: NonEmpty<'a, f64>,
}

impl Kernel for Gather<'_> {
    type Out = (f64,);
    const COST: u32 = 4;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        let (o0,) = out;
        let ix = load::<usize, L>(self.ix, start);
        for l in 0..L {
            let i = ix[l];
            flag.check(i >= self.xs.len(), 0, [i as i64, self.xs.len() as i64, 0]);
            o0[l] = self.xs.get(i);
        }
    }
}

impl Combine for Gather<'_> {
    const COMMUTATIVE: bool = true;
    const OPERATOR: Operator = Operator::Add;
    fn neutral(&self) -> (f64,) {
        (-0.0,)
    }
    #[inline(always)]
    fn combine<F: Flag>(&self, a: (f64,), b: (f64,), _flag: &mut F) -> (f64,) {
        (a.0 + b.0,)
    }
}

fn best<R>(runs: usize, mut f: impl FnMut() -> R) -> f64 {
    let mut best = f64::MAX;
    for _ in 0..runs {
        let t = Instant::now();
        let result = black_box(f());
        best = best.min(t.elapsed().as_secs_f64());
        drop(result);
    }
    best
}

fn show(name: &str, bytes: usize, seconds: f64) {
    println!(
        "{name:44} {:10.3} us  {:7.1} GB/s",
        seconds * 1e6,
        bytes as f64 / seconds / 1e9
    );
}

fn read(xs: &[f32]) {
    let half = xs.len() / 2;
    let sum = |xs: &[f32]| {
        let mut acc = [0_u32; 128];
        for block in xs.chunks_exact(128) {
            for l in 0..128 {
                acc[l] = acc[l].wrapping_add(block[l].to_bits());
            }
        }
        black_box(acc);
    };
    rayon::join(|| sum(&xs[..half]), || sum(&xs[half..]));
}

fn copy<T: Copy + Send + Sync>(xs: &[T], ys: &mut [T]) {
    let half = xs.len() / 2;
    let (y0, y1) = ys.split_at_mut(half);
    rayon::join(
        || y0.copy_from_slice(&xs[..half]),
        || y1.copy_from_slice(&xs[half..]),
    );
}

fn main() {
    let only = std::env::args().nth(1).unwrap_or_default();
    println!(
        "level {:?}, threads {}",
        Level::current(),
        rayon::current_num_threads()
    );
    if only.is_empty() || only == "dot" {
        let n = 134 << 20;
        let xs: Vec<f32> = (0..n).map(|i| (i % 100) as f32).collect();
        let ys = xs.clone();
        let r = best(8, || {
            read(&xs);
            read(&ys);
        });
        show("read, 2 x f32 134M", 8 * n, r);
        let k = Times { xs: &xs, ys: &ys };
        show("dot f32 134M", 8 * n, best(8, || reduce(&k, n)));
    }
    if only.is_empty() || only == "sum" {
        for n in [100usize, 1000, 10_000, 100_000, 1_000_000] {
            let xs = vec![1.0f32; n];
            let k = Times { xs: &xs, ys: &xs };
            show(
                &format!("sum of squares f32 {n}"),
                4 * n,
                best(2000, || reduce(&k, n)),
            );
            let xs = vec![1.0f64; n];
            let k = Value { xs: &xs };
            show(&format!("sum f64 {n}"), 8 * n, best(2000, || reduce(&k, n)));
        }
    }
    if only.is_empty() || only == "map" {
        for n in [100usize, 1000, 10_000, 100_000, 1_000_000, 100_000_000] {
            let runs = if n > 10_000_000 { 8 } else { 2000 };
            let xs = vec![1.0f32; n];
            let mut ys = vec![0.0f32; n];
            show(
                &format!("copy f32 {n}"),
                8 * n,
                best(runs, || copy(&xs, &mut ys)),
            );
            let k = Affine { xs: &xs };
            show(
                &format!("map f32 into {n}"),
                8 * n,
                best(runs, || {
                    write_to(&k, n, (ArrayOut::slice(&mut ys),)).unwrap()
                }),
            );
            show(
                &format!("map f32 new {n}"),
                8 * n,
                best(runs, || write(&k, n)),
            );
            show(
                &format!("loop with calloc {n}"),
                8 * n,
                best(runs, || {
                    let mut zs = vec![0.0f32; n];
                    for i in 0..n {
                        zs[i] = xs[i] * 2.0 + 1.0;
                    }
                    black_box(zs);
                }),
            );
        }
    }
    if only.is_empty() || only == "scan" {
        for n in [100usize, 1000, 10_000, 100_000, 1_000_000, 33 << 20] {
            let runs = if n > 10_000_000 { 8 } else { 1000 };
            let xs = vec![1.0f64; n];
            let mut ys = vec![0.0f64; n];
            show(
                &format!("copy f64 {n}"),
                16 * n,
                best(runs, || copy(&xs, &mut ys)),
            );
            let k = Value { xs: &xs };
            show(
                &format!("scan f64 into {n}"),
                16 * n,
                best(runs, || {
                    scan_to(&k, n, None, false, (ArrayOut::slice(&mut ys),))
                }),
            );
            show(
                &format!("scan f64 new {n}"),
                16 * n,
                best(runs, || scan(&k, n, None, false)),
            );
            let xs = vec![1i32; n];
            let mut ys = vec![0i32; n];
            let k = Int { xs: &xs };
            show(
                &format!("scan i32 into {n}"),
                8 * n,
                best(runs, || {
                    scan_to(&k, n, None, false, (ArrayOut::slice(&mut ys),))
                }),
            );
        }
    }
    if only.is_empty() || only == "gather" {
        for n in [1000usize, 10_000, 100_000] {
            let ix: Vec<usize> = (0..n).map(|i| i * 7919 % n).collect();
            let xs: Vec<f64> = (0..n).map(|i| i as f64).collect();
            let k = Gather {
                ix: &ix,
                xs: NonEmpty::new(&xs, &[0.0]),
            };
            show(
                &format!("sum of gather f64 {n}"),
                16 * n,
                best(1000, || reduce(&k, n)),
            );
            show(
                &format!("plain loop {n}"),
                16 * n,
                best(1000, || {
                    let mut sum = 0.0;
                    for &i in &ix {
                        sum += xs[i];
                    }
                    black_box(sum);
                }),
            );
        }
    }
}
