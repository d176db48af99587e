//! The shape of emitted code, and what argument inference has to do.

#![allow(
    clippy::needless_range_loop,
    reason = "loops over lanes, as emitted code has them"
)]

use ragged_core::*;

struct Times<'a> {
    xs: &'a [f32],
    ys: &'a [f32],
}

impl Kernel for Times<'_> {
    type Out = (f32,);
    const COST: u32 = 4;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        let (o0,) = out;
        let xs = load::<f32, L>(self.xs, start);
        let ys = load::<f32, L>(self.ys, start);
        for l in 0..L {
            o0[l] = xs[l] * ys[l];
        }
    }
}

impl Combine for Times<'_> {
    const COMMUTATIVE: bool = true;
    fn neutral(&self) -> (f32,) {
        (-0.0,)
    }
    #[inline(always)]
    fn combine<F: Flag>(&self, a: (f32,), b: (f32,), _flag: &mut F) -> (f32,) {
        (a.0 + b.0,)
    }
}

static SITE: Site = Site {
    function: "dotp",
    file: file!(),
    line: 1,
    column: 1,
    checks: &[Check {
        file: None,
        line: 3,
        column: 9,
        kind: CheckKind::SizeMismatch,
        text: &["`xs`", "`ys`"],
    }],
};

fn dotp(xs: impl AsArray<f32>, ys: impl AsArray<f32>) -> Result<f32> {
    let (xs, ys) = (xs.array_arg(), ys.array_arg());
    let (xs, ys) = (
        xs.elements().expect("memory"),
        ys.elements().expect("memory"),
    );
    if xs.len() != ys.len() {
        return Err(SITE.error(0, [xs.len() as i64, ys.len() as i64, 0]));
    }
    let kernel = Times { xs, ys };
    let sum = reduce(&kernel, xs.len()).map_err(|failure| SITE.failure(failure))?;
    Ok(0.0 + sum.unwrap_or((-0.0,)).0)
}

#[test]
fn literals_infer() {
    let v = vec![3.0, 4.0];
    assert_eq!(dotp(&[1.0, 2.0], &v), Ok(11.0));
    assert_eq!(dotp(&[], &[]), Ok(0.0));
    assert_eq!(dotp(vec![1.0; 70].as_slice(), &[2.0; 70]), Ok(140.0));
}

#[test]
fn errors_read_well() {
    let error = dotp(&[1.0], &[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "`dotp` at {}:3:9: `xs` has size 1, but `ys` has size 0; they must be equal",
            file!()
        )
    );
    let assertion = |message| ErrorKind::Assertion { message }.to_string();
    assert_eq!(assertion(""), "assertion failed");
    assert_eq!(assertion("no rows"), "assertion failed: no rows");
}

fn check_indices<const L: usize>() {
    let near =
        |at: u64| (0..3 * L as u64).map(move |i| at.wrapping_sub(2 * L as u64).wrapping_add(i));
    for start in [0, 1 << 24, 1 << 31, 1 << 32, 1 << 52, 1 << 53]
        .into_iter()
        .flat_map(near)
    {
        let start = start as usize;
        let at = |l: usize| start.wrapping_add(l);
        let whole = index_f64::<L>(start, 1 << 52, |i| i as f64);
        let short = index_f64::<L>(start, 1 << 31, |i| i as i32 as f64);
        let single = index_f32::<L>(start, 1 << 31, |i| i as f32);
        for l in 0..L {
            assert_eq!(whole[l].to_bits(), (at(l) as f64).to_bits(), "{}", at(l));
            assert_eq!(
                short[l].to_bits(),
                (at(l) as i32 as f64).to_bits(),
                "{}",
                at(l)
            );
            assert_eq!(single[l].to_bits(), (at(l) as f32).to_bits(), "{}", at(l));
        }
    }
}

#[test]
fn indices_as_floats() {
    check_indices::<1>();
    check_indices::<16>();
    check_indices::<32>();
    check_indices::<64>();
}
