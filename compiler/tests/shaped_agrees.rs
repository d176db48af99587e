//! Lowered programs compute what the interpreter says, on random arguments: the same results, or
//! the same error at the same place; and no read is out of range that was proven to be in range.

mod interpret_support;
mod shaped_support;

use interpret_support::StdMaths;
use ragged_compiler::checks::CheckKind;
use ragged_compiler::ids::SizeId;
use ragged_compiler::interpret::{TroubleKind, Value, run};
use ragged_compiler::prims::{Scalar, records};
use ragged_compiler::source::LineColumn;
use ragged_compiler::typed::ir::{Const, Function, ParamType, SigType, SizeSpec};
use shaped_support::{eval, scalar};

/// How many arguments each function is tried on.
const TRIES: u64 = 60;

/// Splitmix.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn scalar(&mut self, ty: Scalar) -> Const {
        let n = i128::from(self.below(9));
        match ty {
            Scalar::Bool => scalar::integer(ty, n % 2),
            Scalar::F32 | Scalar::F64 => {
                let special = [f64::NAN, -0.0, 0.0, 1.5, -2.0, f64::INFINITY, 4.0, 0.5, 3.0];
                scalar::rounded(ty, special[n as usize])
            }
            Scalar::Usize if self.below(40) == 0 => scalar::integer(ty, -1 - n),
            Scalar::Usize => scalar::integer(ty, n),
            _ => scalar::integer(ty, n - 3 * i128::from(ty.is_signed_int())),
        }
    }

    fn value(&mut self, ty: &SigType, sizes: &mut Vec<(SizeId, u64)>) -> Value {
        match ty {
            SigType::Scalar(ty) => Value::Scalar(self.scalar(*ty)),
            SigType::Tuple(parts) | SigType::Struct(_, parts) => {
                Value::Tuple(parts.iter().map(|part| self.value(part, sizes)).collect())
            }
            SigType::Vector(..) => unreachable!("a signature has none"),
            SigType::Array { .. } => {
                let mut extents = Vec::new();
                self.extents(ty, sizes, &mut extents);
                self.array(ty, &extents, sizes)
            }
        }
    }

    /// The extents of an array and of all arrays in it, which are as long as each other.
    fn extents(&mut self, ty: &SigType, sizes: &mut Vec<(SizeId, u64)>, out: &mut Vec<u64>) {
        if let SigType::Array { elem, size, .. } = ty {
            let n = self.length(*size, sizes);
            let exact = out.is_empty() || matches!(size, SizeSpec::Inline(_));
            out.push(if exact { n } else { n.min(4) });
            self.extents(elem, sizes, out);
        }
    }

    fn array(&mut self, ty: &SigType, extents: &[u64], sizes: &mut Vec<(SizeId, u64)>) -> Value {
        match (ty, extents.split_first()) {
            (SigType::Array { elem, .. }, Some((n, inner))) => {
                let mut element = || self.array(elem, inner, sizes);
                let elements = (0..*n).map(|_| element()).collect();
                Value::array(elements, element)
            }
            (_, _) => self.value(ty, sizes),
        }
    }

    fn length(&mut self, size: SizeSpec, sizes: &mut Vec<(SizeId, u64)>) -> u64 {
        let random = self.below(7);
        match size {
            SizeSpec::Inline(n) => n,
            SizeSpec::Known(n) if random > 0 => n,
            SizeSpec::Named(id) => {
                let known = sizes
                    .iter()
                    .find(|(known, _)| *known == id)
                    .map(|known| known.1);
                match known {
                    Some(n) if self.below(8) > 0 => n,
                    _ => {
                        sizes.push((id, random));
                        random
                    }
                }
            }
            SizeSpec::Own
            | SizeSpec::Seq
            | SizeSpec::Known(_)
            | SizeSpec::Held(_)
            | SizeSpec::Param(_) => random,
        }
    }

    fn args(&mut self, function: &Function) -> Vec<Value> {
        let mut sizes = Vec::new();
        let params = function.params.iter();
        params
            .map(|param| match &param.ty {
                ParamType::Value(ty) => self.value(ty, &mut sizes),
                ParamType::Fn { .. } => panic!("an exported function takes no functions"),
            })
            .collect()
    }
}

/// The kind of a run-time error.
#[derive(PartialEq, Eq, Debug)]
enum Kind {
    Index,
    Division,
    Sizes,
    Underflow,
    Overflow,
    Slice,
    Empty,
    Assert,
    Step,
    Duplicate,
    TooLarge,
}

fn of_trouble(kind: &TroubleKind) -> Kind {
    match kind {
        TroubleKind::IndexOutOfRange { .. } => Kind::Index,
        TroubleKind::DivisionByZero => Kind::Division,
        TroubleKind::SizeMismatch { .. } => Kind::Sizes,
        TroubleKind::SizeUnderflow { .. } => Kind::Underflow,
        TroubleKind::SizeOverflow { .. } => Kind::Overflow,
        TroubleKind::SliceOutOfRange { .. } => Kind::Slice,
        TroubleKind::EmptyArray => Kind::Empty,
        TroubleKind::Assertion { .. } => Kind::Assert,
        TroubleKind::StepZero => Kind::Step,
        TroubleKind::DuplicateIndex { .. } => Kind::Duplicate,
        TroubleKind::TooLarge { .. } => Kind::TooLarge,
        TroubleKind::OutOfFuel => panic!("a loop without end"),
    }
}

fn of_check(kind: &CheckKind) -> Kind {
    match kind {
        CheckKind::Index => Kind::Index,
        CheckKind::Slice => Kind::Slice,
        CheckKind::Division => Kind::Division,
        CheckKind::Underflow => Kind::Underflow,
        CheckKind::Overflow => Kind::Overflow,
        CheckKind::Sizes { .. } => Kind::Sizes,
        CheckKind::Empty { .. } => Kind::Empty,
        CheckKind::Step { .. } => Kind::Step,
        CheckKind::Duplicate => Kind::Duplicate,
        CheckKind::TooLarge => Kind::TooLarge,
        CheckKind::Assert { .. } => Kind::Assert,
        CheckKind::Print { .. } => panic!("what prints fails"),
    }
}

type Outcome = Result<Value, (Kind, LineColumn)>;

fn agree(text: &str) {
    let typed = shaped_support::typed(text);
    let shaped = shaped_support::shaped(text).unwrap_or_else(|text| panic!("{text}"));
    let (at, function) = typed
        .functions
        .iter()
        .enumerate()
        .find(|(_, function)| function.export.is_some())
        .expect("an exported function");
    let func = ragged_compiler::ids::FuncId(at as u32);
    let mut random = Random(7);
    let mut succeeded = 0;
    for _ in 0..TRIES {
        let args = random.args(function);
        let meant: Outcome = run(&typed, func, args.clone(), &StdMaths)
            .map_err(|trouble| (of_trouble(&trouble.kind), trouble.at));
        let found: Outcome =
            eval::run(&shaped.functions[0], &args).map_err(|(kind, at)| (of_check(&kind), at));
        succeeded += u32::from(meant.is_ok());
        assert_eq!(found, meant, "{args:?}\n{text}\n{}", shaped.functions[0]);
    }
    assert!(succeeded > 0, "no arguments are right for {text}");
}

#[test]
fn operators() {
    records().for_each(|info| agree(info.example));
}

#[test]
fn dense() {
    for text in [
        "pub fn f(a: [[i32; m]; n]) -> [[i32; m]; n] { for r in a { for x in r { x * 2 } } }",
        "pub fn f(a: [[i32; m]; n]) -> [i32; n] { for r in a { sum(r) } }",
        "pub fn f(a: [[f32; 4]; n], k: usize) -> [[f32; 4]; n] { for r in a { let mut q = r; q[k % 4] = q.sum(); q[0] = q.reduce(1.0, |x, y| x * y - 1.0); q } }",
        "pub fn f(a: [[i32; 2]; n], k: i32) -> [[i32; 2]; n] { for r in a { let mut q = r; for _ in 0..5 { q = if q[0] > q[1] { [q[1], q[0] / k] } else { q.map(|x| x + k) }; } q } }",
        "pub fn f(a: [[i32; m]; n]) -> [[i32; n]; m] { a.transpose() }",
        "pub fn f(a: [[[i32; k]; m]; n]) -> [[[i32; n]; m]; k] { a.transpose(0, 2) }",
        "pub fn f(a: [[i32; m]; n]) -> i32 { a.transpose().map(|c| c.sum()).sum() }",
        "pub fn f(a: [[i32; m]; n], i: usize) -> [i32; m] { a[i] }",
        "pub fn f(a: [[i32; m]; n], i: usize, j: usize) -> i32 { a[i][j] + a[i].first() }",
        "pub fn f(a: [[i32; m]; n], b: [[i32; l]; m]) -> [[i32; l]; n] { for row in a { for column in b.transpose() { zip(row, column).map(|(x, y)| x * y).sum() } } }",
        "pub fn f(a: [[i32; m]; n], v: [i32; m]) -> [i32; n] { for r in a { zip(r, v).map(|(x, y)| x * y).sum() } }",
        "pub fn f(a: [[i32; m]; n], v: [i32]) -> [i32; n] { for r in a { zip(r, v).map(|(x, y)| x * y).sum() } }",
        "pub fn f(n: usize, m: usize) -> [[usize; w]] { generate((n, m), |i, j| i * 10 + j) }",
        "pub fn f(xs: [i32]) -> [[i32; w]] { for x in xs { for y in xs { x * y } } }",
        "pub fn f(xs: [i32; n]) -> [[i32; 2]] { for x in xs { [x, x + 1] } }",
        "pub fn f(a: [[i32; m]; n]) -> [i32] { a.flatten() }",
        "pub fn f(xs: [i32], n: usize) -> [[i32; w]] { xs.reshape((n, 2)) }",
        "pub fn f(a: [[i32; m]; n]) -> (usize, usize) { a.shape() }",
        "pub fn f(xs: [i32], k: usize) -> [[i32; w]] { xs.chunks_exact(k) }",
        "pub fn f(xs: [i32], k: usize) -> [i32] { for w in xs.windows(k) { w.sum() } }",
        "pub fn f(xs: [i32; n], k: usize) -> [[i32; n]; k] { xs.broadcast((k, n)) }",
        "pub fn f(xs: [i32; n], k: usize) -> [[i32; w]] { fill(xs, k) }",
        "pub fn f(a: [[i32; m]; n]) -> [i32; m] { a.sum_axis(0) }",
        "pub fn f(a: [[i32; m]; n]) -> [[i32; m]; n] { a.scan_axis(0, |x, y| x + y) }",
        "pub fn f(a: [[i32; m]; n]) -> [[i32; m]; n] { for r in a { let s = r.sum(); for x in r { x - s } } }",
        "pub fn f(a: [[i32; m]; n]) -> ([[i32; m]; n], [i32; n]) { a.map(|r| (r.map(|x| x + 1), r.sum())).unzip() }",
        "pub fn f(a: [[i32; m]; n]) -> [[i32; m]; n] { a.rev().map(|r| r.rev()) }",
        "pub fn f(a: [[i32; m]; n], k: usize) -> [[i32; m]] { a.take(k).chain(a.skip(k)) }",
        "pub fn f(a: [[i32; m]; n], lo: usize, hi: usize) -> [[i32; w]] { a.map(|r| r[lo..hi]) }",
        "pub fn f(a: [[i32; m]; n], ix: [usize]) -> [[i32; m]] { a.gather(ix) }",
        "pub fn f(a: [[i32; m]; n], i: usize, j: usize, v: i32) -> [[i32; m]; n] { let mut b = a; b[i][j] = v; b[j][i] += v; b }",
        "pub fn f(a: [[i32; m]; n], i: usize, j: usize) -> [[i32; m]; n] { let mut b = a; b[i] = a[j]; b }",
        "pub fn f(a: [[i32; m]; n], v: [i32], i: usize) -> [[i32; m]; n] { let mut b = a; b[i] = v; b }",
        "pub fn f(xs: [i32], lo: usize, ys: [i32]) -> [i32] { let mut b = xs; b[lo..lo + 2] = ys; b }",
        "pub fn f(xs: [i32]) -> [i32] { let mut b = xs; b[1..] = xs[..len(xs) - 1]; b }",
        "pub fn f(a: [[i32; m]; n]) -> [i32; n] { for r in a { let mut s = r; let mut i = 1; while i < len(s) { s[i] += s[i - 1]; i += 1; } s.sum() } }",
        "pub fn f(a: [[i32; m]; n], k: usize) -> [[i32; m]; n] { let mut b = a; for _ in 0..min(k, 3) { b = b.map(|r| r.map(|x| x + 1)); } b }",
        "pub fn f(a: [[i32; m]; n], b: [[i32; m]; n], c: bool) -> [[i32; m]; n] { if c { a } else { b.rev() } }",
        "pub fn f(a: [[i32; m]; n]) -> i32 { len(a) as i32 }",
        "pub fn f(xs: [i32; n]) -> [[i32; n]; 2] { [xs, xs.map(|x| x + 1)] }",
        "pub fn f(a: [[(i32, bool); m]; n]) -> [[i32; m]; n] { for r in a { for (x, b) in r { if b { x } else { 0 } } } }",
        "pub fn f(a: [[i32; m]; n]) -> [(usize, i32)] { a.enumerate().map(|(i, r)| (i, r.sum())) }",
        "pub fn f(a: [[i32; 3]; n], b: [[i32; 3]; n]) -> [i32; n] { for (p, q) in zip(a, b) { p[0] * q[1] - p[2] } }",
        "fn dot(x: [i32; k], y: [i32; k]) -> i32 { zip(x, y).map(|(a, b)| a * b).sum() } pub fn f(a: [[i32; m]; n]) -> [[i32; n]; n] { for p in a { for q in a { dot(p, q) } } }",
        "pub fn f(a: [[i32; m]; n]) -> i32 { a.fold(0, |acc, r| acc * 3 + r.sum()) }",
        "pub fn f(a: [[i32; m]; n]) -> [i32] { for r in a { r.max_or(7) } }",
        "pub fn f(a: [[f32; m]; n]) -> [usize] { for r in a { r.argmax() } }",
        "pub fn f(a: [[[i32; k]; m]; n]) -> [[i32; k]; n] { for p in a { p.sum_axis(0) } }",
    ] {
        agree(text);
    }
}

#[test]
fn index_spaces() {
    for text in [
        "pub fn f(xs: [i32]) -> [i32] { xs.rev().rev().take(3).skip(1) }",
        "pub fn f(xs: [i32], k: usize) -> [i32] { xs.take(k) }",
        "pub fn f(xs: [i32], k: usize) -> [i32] { xs.skip(k) }",
        "pub fn f(xs: [i32], k: usize, m: usize) -> [i32] { xs.skip(k).take(m) }",
        "pub fn f(xs: [i32], k: usize) -> [i32] { xs.step_by(k) }",
        "pub fn f(xs: [i32]) -> [i32] { xs.step_by(3).rev() }",
        "pub fn f(xs: [i32], k: usize) -> [i32] { xs.rotate_left(k) }",
        "pub fn f(xs: [i32], k: usize) -> [i32] { xs.rotate_right(k) }",
        "pub fn f(xs: [i32], k: usize) -> ([i32], [i32]) { xs.split_at(k) }",
        "pub fn f(xs: [(i32, f32)], ys: [(i32, f32)]) -> [(i32, f32)] { xs.chain(ys).rev() }",
        "pub fn f(xs: [i32], k: usize) -> [i32] { xs.repeat(k) }",
        "pub fn f(xs: [i32]) -> [i32] { xs.pairwise(|a, b| a * b).pairwise(|a, b| a - b) }",
        "pub fn f(xs: [i32], lo: usize, hi: usize) -> [i32] { xs[lo..hi] }",
        "pub fn f(xs: [i32], lo: usize, hi: usize) -> [i32] { xs[lo..=hi] }",
        "pub fn f(xs: [i32], lo: usize) -> [i32] { xs[lo..].chain(xs[..lo]) }",
        "pub fn f(xs: [i32; n]) -> [i32] { xs[1..n - 1] }",
        "pub fn f(xs: [i32], ix: [usize]) -> [i32] { xs.gather(ix) }",
        "pub fn f(xs: [i32; n]) -> [i32] { xs.gather(for i in 0..n { n - 1 - i }) }",
        "pub fn f(xs: [i32], k: usize) -> i32 { xs[k] + xs[k] }",
        "pub fn f(xs: [i32; n], k: usize) -> [i32] { for i in k..n { xs[i] - xs[i - k] } }",
        "pub fn f(xs: [i32; n], k: usize) -> [i32] { for i in 0..=k { xs[i] } }",
        "pub fn f(a: [i32], n: usize, m: usize) -> i32 { let k = n * m; let b = a[0..k]; let mut s = 0; for i in 0..n { for j in 0..m { s = s * 3 + b[i * m + j]; } } s }",
        "pub fn f(a: [i32], n: usize, m: usize) -> [i32] { for k in 0..n * m { a[k / m * m + k % m] } }",
        "pub fn f(xs: [i32], lo: usize, hi: usize) -> [i32] { for i in lo..=hi { xs[i] } }",
        "pub fn f(xs: [i32; n], k: usize) -> [i32; n] { for i in 0..n { xs[max(i, k) - k] + xs[min(i + k, n - 1)] } }",
        "pub fn f(xs: [i32; n], k: usize) -> [i32; n] { for i in 0..n { xs[clamp(i, k, n - 1)] } }",
        "pub fn f(xs: [i32], k: usize) -> i32 { let mut s = 0; let mut i = 0; while i < len(xs) { s += xs[i]; i += k + 1; } s }",
        "pub fn f(a: i32, b: i32) -> [i32] { for i in a..b { i * i } }",
        "pub fn f(a: i8, b: i8) -> [i8] { a..=b }",
        "pub fn f(a: u64, b: u64) -> [u64] { (a..=b).rev() }",
        "pub fn f(n: usize) -> [usize] { (0..n).map(|i| i * 2) }",
        "pub fn f(xs: [i32; n]) -> [i32] { for i in 0..n { xs[i / 2] + xs[(i + 1) % n] } }",
        "pub fn f(xs: [i32; n]) -> [i32] { for i in 0..n - 1 { xs[i] + xs[i + 1] } }",
        "pub fn f(xs: [i32; n], ys: [i32; n]) -> [i32; n] { for i in 0..n { xs[i] + ys[i] } }",
        "pub fn f(xs: [i32; n], ys: [i32; m]) -> [i32] { for i in 0..min(n, m) { xs[i] + ys[i] } }",
        "pub fn f(xs: [i32; 4], ys: [i32]) -> [i32; 4] { zip(xs, ys).map(|(x, y)| x + y) }",
        "pub fn f(xs: [i32], k: usize) -> [i32; k] { xs }",
        "pub fn f(xs: [i32; k], k: usize) -> [i32; k] { for i in 0..k { xs[i] } }",
        "pub fn f(xs: [i32; n], ys: [i32]) -> [i32; n] { xs.chain(ys) }",
        "pub fn f(xs: [i32; n]) -> [(usize, i32); n] { xs.enumerate() }",
        "pub fn f(xs: [(i32, (bool, f32)); n]) -> [(f32, i32); n] { let (a, b) = xs.unzip(); let (_, c) = b.unzip(); zip(c, a) }",
        "pub fn f(into: [(i32, f32)], ix: [usize; m], vs: [(i32, f32); m]) -> [(i32, f32)] { scatter(into, ix, vs) }",
        "pub fn f(n: usize, v: f32) -> [f32; n] { fill(v, n) }",
        "pub fn f(n: usize) -> usize { let m = n + 3; let k = m * 2 - n; k - 6 }",
        "pub fn f(n: usize, m: usize) -> usize { (n - m) * (n + m) }",
        "pub fn f(n: usize, m: usize) -> usize { n / m + n % m }",
        "pub fn f(x: i32, y: i32) -> i32 { x / y + x % y }",
        "pub fn f(xs: [i32]) -> i32 { [3, 1, 2].first() + [xs.first(), 4].last() }",
        "pub fn f(xs: [i32; n], ys: [i32; m]) -> [i32] { for i in 0..n * m { xs[i / m] * ys[i % m] } }",
        "pub fn f(xs: [i32; n]) -> [i32] { for i in 0..n { if i == 0 { xs[i] } else if i == n - 1 { 0 } else { xs[i - 1] + xs[i + 1] } } }",
        "pub fn f(xs: [i32; n]) -> [i32] { for i in 0..n { if i > 0 && xs[i - 1] > 0 || i + 1 < n && xs[i + 1] > 1 { 1 } else { 0 } } }",
    ] {
        agree(text);
    }
}

#[test]
fn reductions_and_scans() {
    for text in [
        "pub fn f(xs: [f32]) -> usize { xs.argmin() }",
        "pub fn f(xs: [f32]) -> usize { xs.argmax() }",
        "pub fn f(xs: [f64]) -> f64 { xs.min() }",
        "pub fn f(xs: [f64]) -> f64 { xs.max() }",
        "pub fn f(xs: [i8]) -> (i8, i8, usize, usize) { (xs.min_or(1), xs.max_or(2), xs.argmin_or(3), xs.argmax_or(4)) }",
        "pub fn f(xs: [usize]) -> usize { xs.sum() }",
        "pub fn f(xs: [u8]) -> u8 { xs.product() }",
        "pub fn f(xs: [bool]) -> (bool, bool, usize) { (xs.any(), xs.all(), xs.count()) }",
        "pub fn f(xs: [i32]) -> f64 { xs.map(|x| x as f64).mean_or(0.5) }",
        "pub fn f(xs: [i32]) -> i32 { xs.reduce(1, |a, b| a * 3 + b) }",
        "pub fn f(xs: [(i32, u8)]) -> (i32, u8) { xs.reduce((0, 255), |(a, b), (c, d)| (a + c, b & d)) }",
        "pub fn f(xs: [(i32, i32)]) -> (i32, i32) { xs.reduce((1, 2), |(a, b), (c, d)| (a * c, b * c + d)) }",
        "pub fn f(xs: [i32]) -> [i32] { xs.rscan(|a, b| a * 2 + b) }",
        "pub fn f(xs: [i32]) -> [i32] { xs.rprescan(5, |a, b| a * 2 + b) }",
        "pub fn f(xs: [(i32, i32)]) -> ([(i32, i32)], (i32, i32)) { xs.rscan_from((1, 2), |(a, b), (c, d)| (a * c, b * c + d)) }",
        "pub fn f(xs: [(i32, i32)]) -> ([(i32, i32)], (i32, i32)) { xs.scan_from((1, 2), |(a, b), (c, d)| (a * c, b * c + d)) }",
        "pub fn f(xs: [usize]) -> [usize] { xs.scan(|a, b| a - b) }",
        "pub fn f(xs: [usize]) -> usize { xs.fold(9, |a, x| a - x) }",
        "pub fn f(xs: [i32], v: i32) -> (i32, bool) { xs.fold((v, false), |(a, t), x| if t { (a + x, x > 1) } else { (a, x < 0) }) }",
        "pub fn f(xs: [i32], into: [i32]) -> [i32] { xs.fold(into, |a, x| a.map(|y| y * 2 + x)) }",
        "pub fn f(xs: [i32]) -> [i32] { xs.fold(xs, |a, x| a.chain([x])) }",
        "pub fn f(xs: [i32], v: i32) -> i32 { xs.first_or(v) + xs.last_or(v) }",
        "fn op(a: i32, b: i32) -> i32 { max(a, b) } pub fn f(xs: [i32]) -> i32 { xs.reduce(0, op) }",
    ] {
        agree(text);
    }
}

#[test]
fn control_flow() {
    for text in [
        "pub fn f(n: u32) -> u32 { let mut i = 0; let mut s = 0; while i < n { i += 1; if i % 3 == 0 { continue; } if i == 7 { break; } s += i; } s }",
        "pub fn f(n: u32) -> (u32, u32) { let mut k = 0; let r = loop { k += 1; if k > n { break k * 10; } if k == 5 { break 1; } }; (r, k) }",
        "pub fn f(n: u32) -> u32 { let mut s = 0; 'a: for i in 0..n { for j in 0..n { if j > i { continue 'a; } if s > 20 { break 'a; } s += i + j; } s += 100; } s }",
        "pub fn f(n: u32) -> u32 { let mut s = 0; 'a: loop { let mut j = 0; while j < 10 { j += 1; if j == 4 { continue; } if s > n { break 'a; } s += j; } s += 1; } s }",
        "pub fn f(xs: [i32]) -> i32 { let mut s = 0; for x in xs { if x < 0 { continue; } s += x; } s }",
        "pub fn f(xs: [i32], v: i32) -> usize { let mut at = len(xs); for (i, x) in xs.enumerate() { if x == v { at = i; break; } } at }",
        "pub fn f(xs: [i32]) -> [i32] { let mut a = xs; for i in 0..len(a) { for j in 0..len(a) - 1 - i { if a[j] > a[j + 1] { let t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; } } } a }",
        "pub fn f(n: usize) -> [bool; n] { let mut a = fill(true, n); let mut i = 2; while i * i < n { if a[i] { let mut j = i * i; while j < n { a[j] = false; j += i; } } i += 1; } a }",
        "pub fn f(xs: [i32; n], k: usize) -> [i32; n] { let mut a = xs; for i in 0..k { a = a.map(|x| x + 1); } a }",
        "pub fn f(xs: [i32], k: usize) -> [i32] { let mut a = xs; for i in 0..k { a = a.chain([i as i32]).skip(i % 2); } a }",
        "pub fn f(xs: [i32], k: usize) -> ([i32], [i32]) { let mut a = xs; let mut b = xs; for i in 0..k { b = a; a = a.take(3 - i); } (a, b) }",
        "pub fn f(xs: [i32], c: bool) -> [i32] { let ys = if c { xs.rev() } else { xs.skip(1) }; ys.map(|y| y + 1) }",
        "pub fn f(xs: [i32; n], c: bool) -> [i32; n] { let ys = if c { xs.rev() } else { xs.map(|x| -x) }; zip(xs, ys).map(|(x, y)| x * y) }",
        "pub fn f(xs: [i32], c: bool, k: usize) -> [i32] { let mut ys = xs; if c { ys = ys.take(k); } else { ys[k] = 9; } ys }",
        "pub fn f(xs: [(i32, f32)], k: usize) -> [(i32, f32)] { let mut a = xs; a[k].0 = 7; a[k] = (a[k].0 + 1, 0.5); a }",
        "pub fn f(a: i32, b: (i32, bool)) -> i32 { match (a, b) { (0, (x, true)) => x, (1..=2, (x, _)) if x > 1 => x * 2, (y, (3 | 4, false)) => y, (_, (x, true)) if x == a => 5, _ => -1 } }",
        "pub fn f(a: i32, b: i32) -> i32 { match (a, b) { (x, 0) | (0, x) => x, (x @ 1..=3, y) => x - y, (x, _) => x } }",
        "pub fn f(x: f32) -> i32 { match x { 1.5 => 1, 3.0 => 2, _ => 0 } }",
        "pub fn f(a: bool, xs: [i32], k: usize) -> bool { a && xs[k] > 0 || !a && xs[0] > 1 }",
        "pub fn f(xs: [i32], k: usize) -> i32 { assert!(k < len(xs), \"k\"); xs[k] }",
        "fn g(xs: [i32; n], ys: [i32; n]) -> [i32; n] { for i in 0..n { xs[i] * ys[i] } } pub fn f(xs: [i32; a], ys: [i32; b]) -> [i32; a] { g(xs, g(ys, ys)) }",
        "fn g(xs: [i32; 3]) -> i32 { xs[0] + xs[1] + xs[2] } pub fn f(xs: [i32], ys: [i32; 3]) -> i32 { g(xs) + g(ys) }",
        "fn twice(f: impl Fn(i32) -> i32, x: i32) -> i32 { f(f(x)) } pub fn f(xs: [i32], k: i32) -> [i32] { xs.map(|x| twice(|y| y * k + x, x)) }",
        "fn h(f: impl Fn(i32) -> i32, xs: [i32]) -> [i32] { xs.map(f) } pub fn f(xs: [i32], k: i32) -> [i32] { h(|x| h(|y| y + x, [k, x]).sum(), [1, 2]) }",
        "pub fn f(xs: [i32], lo: i32) -> [i32] { for x in xs { let mut y = x; let mut n = 0; while y < 40 && n < 9 { y = y * 2 + lo; n += 1; if y == 3 { break; } } y } }",
        "struct P { x: i32, y: f32 } pub fn f(ps: [(i32, f32)]) -> [i32] { let qs = ps.map(|(x, y)| P { x, y }); qs.map(|p| if p.y > 1.0 { p.x } else { -p.x }) }",
        "pub fn f(n: usize, k: usize) -> usize { let mut s = n; while s == clamp(k, s, 4) { s = s + k + 1; } s + k }",
        "pub fn f(xs: [i32]) -> i32 { let mut s = 0; for x in xs { s = if x > 3 { break } else if x < 0 { continue } else { s * 2 + x }; } s }",
        "pub fn f(n: i32) -> (i32, i32) { let mut s = 0; let mut t = 1; 'a: while t < 20 { t += 1; s = loop { t += 2; if t > n { break 'a; } if t > 7 { break t; } }; s += 1; } (s, t) }",
        "pub fn f(x: i32, y: i32) -> (i32, i32) { let mut a = (x, y); if x > y { a.0 = y; a.1 = x; } (a.0, a.1) }",
        "pub fn f(n: usize) -> usize { let mut i = 0; let mut s = 0; while { i += 1; i < n } { if i == 3 { continue; } if i == 6 { break; } s += i; } s * 10 + i }",
        "pub fn f(xs: [i32], n: usize) -> [i32] { let r = loop { if n > 3 { break xs; } break xs.take(n); }; r }",
        "pub fn f(n: i32) -> i32 { let mut x = n; let y = loop { x += 1; let z = if x > 5 { break x } else { x * 2 }; if z > 6 { break z; } }; y }",
        "pub fn f(n: usize) -> [usize] { let mut a: [usize] = []; for i in 0..n { a = a.chain([i]); } a }",
    ] {
        agree(text);
    }
}

/// What prints is run in order, and means the same.
#[test]
fn printing() {
    for text in [
        "pub fn f(xs: [i32]) -> [i32] { for x in xs { 2 * dbg!(x + 1) } }",
        "pub fn f(a: [[i32; m]; n]) -> [[i32; n]; m] { dbg!(for r in a { for x in r { dbg!(x) } }).transpose() }",
        "pub fn f(a: [[i32; m]; n], k: i32) -> [[i32; m]; n] { for r in a { for x in dbg!(r) { x / k } } }",
        "pub fn f(n: usize) -> ([usize], [usize]) { let r = dbg!(for i in 0..n { for j in 0..i { dbg!(i * 10 + j) } }); (r.lens(), r.concat()) }",
        "pub fn f(a: [[i32; m]; n], k: i32) -> [i32] { let r = for r in a { if dbg!(r.sum()) > 2 { r.filter(|x| dbg!(x) > k) } else { [] } }; dbg!(r).concat() }",
        "pub fn f(xs: [i32]) -> (i32, [i32], i32) { (xs.reduce(0, |a, b| dbg!(a + b)), xs.scan(|a, b| dbg!(a) + b), xs.fold(1, |a, b| dbg!(a * b))) }",
        "pub fn f(xs: [i32], k: i32) -> (i32, [i32], usize) { (xs.map(|x| dbg!(x) / k).sum(), xs.scan(|a, b| a + b), xs.count(|x| dbg!(x) > 2)) }",
        "pub fn f(xs: [i32], at: [usize]) -> [i32] { scatter(xs, at.map(|i| dbg!(i)), at.map(|i| dbg!(i as i32))) }",
        "pub fn f(xs: [i32], k: usize) -> [i32] { for i in 0..k { xs[dbg!(i)] } }",
        "pub fn f(a: [[i32; 3]; n], k: usize) -> [[i32; 3]; n] { for r in a { let mut q = r; q[k] = dbg!(q).sum(); q } }",
        "pub fn f(xs: [i32]) -> [i32] { for x in xs { let mut y = x; while dbg!(y) > 1 { y = y / 2; } y } }",
    ] {
        agree(text);
    }
}
