//! Functions, parameters and surroundings named as emitted code names things.
#![allow(
    non_snake_case,
    dead_code,
    non_camel_case_types,
    reason = "names of emitted code"
)]

const SITE: u8 = 1;
const COST: u8 = 1;
const COMMUTATIVE: bool = false;
struct Kernel;
struct Out;
struct Element;
trait Fold {}
trait Combine {}
trait Flag {}
trait Product {}
mod __r {}
mod __private {}
const fn v0() {}
const fn v1() {}
const fn p0_0() {}
const fn a0_0() {}
const fn out() {}
const fn flag() {}
const fn start() {}
const fn combine() {}
const fn neutral() {}

ragged::accel! {
    const SITE: f32 = 1.0;
    const LANES: usize = 3;

    /// A struct of the name of a kernel's parameter.
    #[derive(Debug, PartialEq, Eq)]
    pub struct L { /// One field.
        pub out: i32 }

    /// A struct of the name of a kernel's parameter.
    #[derive(Debug, PartialEq, Eq)]
    pub struct F { /// One field.
        pub flag: i32, /// And another.
        pub run: L }

    /// A struct of a kernel's name.
    #[derive(Debug, PartialEq, Eq)]
    pub struct K0 { /// One field.
        pub v0: i32, /// And another.
        pub v1: i32 }

    /// Arrays of them, both ways.
    pub fn structs(fs: [F; n], ks: [K0; n], one: L) -> ([F; n], [K0; n], F) {
        let gs = zip(fs, ks).map(|(f, k)| F { flag: f.flag + k.v0, ..f });
        (gs, gs.map(|g| K0 { v0: g.run.out, v1: 0 }).scan(|a, b| K0 { v0: a.v0 + b.v0, v1: 0 }), F { flag: 1, run: one })
    }

    /// A function of the name of the inner one.
    pub fn run(run: [f32]) -> f32 { run.map(|v1| v1 * SITE).sum() }

    /// Parameters of the names of variables, and of fields.
    pub fn kernel(v0: [f32; n], v1: f32, v2: f32, p0_0: f32, a0_0: [f32; n]) -> f32 {
        let w0 = zip(v0, a0_0).map(|(K0, K1)| K0 * K1 + v1 * v2 * p0_0);
        w0.sum()
    }

    /// Names of what kernels are made of.
    pub fn block(out: [f32], flag: usize, start: usize, o0: f32, F: f32) -> [f32] {
        let end = out.len();
        for (index, x) in out[start..end].enumerate() {
            if index < flag { x * o0 } else { x * F }
        }
    }

    /// A scan, a fold and a reduction with an operator that may fail.
    pub fn step(flag: [usize], acc: usize) -> ([usize], usize, usize) {
        let combine = flag.scan(|left, right| left + right);
        let neutral = flag.fold(acc, |acc, it| acc + it / acc);
        (combine, neutral, flag.reduce(1, |total, slots| max(total, slots - 0)))
    }

    /// The arguments of the outer function.
    pub fn __ragged_args(__ragged_args: [f32], arg0: (f32, f32), args: f32) -> f32 {
        let (a, b) = arg0;
        __ragged_args.sum() + a + b + args
    }

    /// A pattern for a parameter next to its stand-in's name.
    pub fn patterns((a, b): (f32, f32), arg0: f32, arg1: [f32]) -> f32 { a + b + arg0 + arg1.sum() }

    /// Types and functions of Rust's library.
    pub fn Vec(String: [u8], some: u8) -> [u8] { for None in String { None ^ some } }

    /// Raw names.
    pub fn r#type(r#match: [f32], r#fn: f32) -> f32 { r#match.sum() + r#fn }

    /// Fields too.
    #[derive(Debug)]
    pub struct Raw { /// One.
        pub r#type: i32, /// Two.
        pub r#as: i32 }

    /// In and out.
    pub fn r#struct(r#in: [Raw]) -> ([Raw], i32) {
        (r#in.map(|r| Raw { r#type: r.r#as, r#as: r.r#type }), r#in.map(|r| r.r#type).sum())
    }

    /// A private struct of a kernel's name inside.
    pub fn K1(v0: [i32]) -> i32 { for x in v0 { K0 { v0: x, v1: x } }.map(|k| k.v0 + k.v1).sum() }

    /// The names of what stands beside a function over sequences, and of its variables.
    pub fn for_each(sink: Seq<i32>, limits: [i32], p0: i32) -> Seq<i32> {
        sink.map(|chunk| chunk + limits[0] + p0)
    }

    /// The same.
    pub fn with(with: Seq<i32>, last: Seq<i32>) -> Seq<i32> { zip(with, last).map(|(out, v0)| out * v0) }

    /// Numbers that come from nowhere.
    pub fn __prepare(chunk: usize) -> Seq<usize> { produce(chunk, |n0| n0 * chunk) }

    /// The names of integer types' methods, and of the run time's traits.
    pub fn wrapping_add(w0: [i64], o0: i64, s0: i64) -> i64 { w0.map(|l0| l0 * o0).sum() - s0 }
}

pub mod named_ragged {
    //! A function of the crate's name, which is a type too: the crate is `::ragged` beside it.
    ::ragged::accel! {
        /// A failure inside of it.
        pub fn ragged(core: [i32], std: i32) -> [i32] { for x in core { x / std } }
    }
}

#[test]
fn test() -> ::ragged::Result<()> {
    let f = F {
        flag: 1,
        run: L { out: 2 },
    };
    let (gs, ks, one) = structs(&[f, f], &[K0 { v0: 5, v1: 0 }; 2], L { out: 7 })?;
    assert_eq!(
        (gs[1].flag, &*ks, one.run),
        (
            6,
            &[K0 { v0: 2, v1: 0 }, K0 { v0: 4, v1: 0 }][..],
            L { out: 7 }
        )
    );
    let close = |a: f32, b: f32| assert!((a - b).abs() < 1e-6);
    close(run(&[1.0, 2.0])?, 3.0);
    close(kernel(&[1.0], 2.0, 3.0, 4.0, &[5.0])?, 29.0);
    assert_eq!(
        block(&[1.0, 2.0, 3.0], 1, 1, 10.0, 100.0),
        Ok(vec![20.0, 300.0])
    );
    assert_eq!(step(&[1, 2, 3], 1)?, (vec![1, 3, 6], 4, 3));
    close(__ragged_args(&[1.0], (2.0, 3.0), 4.0)?, 10.0);
    close(patterns((1.0, 2.0), 3.0, &[4.0])?, 10.0);
    assert_eq!(Vec(&[1, 2], 3)?, [2, 1]);
    close(r#type(&[1.0], 2.0)?, 3.0);
    let (raw, total) = r#struct(&[Raw { r#type: 1, r#as: 2 }])?;
    assert_eq!((raw[0].r#type, raw[0].r#as, total), (2, 1, 1));
    assert_eq!(K1(&[1]), Ok(2));
    assert_eq!(named_ragged::ragged(&[4], 2)?, [2]);
    let error = named_ragged::ragged(&[4], 0).unwrap_err();
    assert_eq!(error.function(), "ragged");
    assert_eq!(wrapping_add(&[1, 2], 3, 4), Ok(5));
    assert!(run::EXPLAIN.starts_with("run: "));
    let mut seen = vec![];
    let mut sink = |x| {
        seen.push(x);
        Ok::<_, std::convert::Infallible>(())
    };
    for_each::for_each([1, 2], &[3], 4, &mut sink)?;
    with::for_each([1, 2], [3, 4], &mut sink)?;
    __prepare::for_each(3, |x| sink(if x == 6 { 6 } else { 0 }))?;
    assert_eq!(seen, [8, 9, 3, 8, 0, 0, 6]);
    Ok(())
}
