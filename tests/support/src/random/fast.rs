//! Programs of `#[fast]` functions, and how far from what is written they may be.
//!
//! All numbers are positive, so nothing cancels, and the relative error of each result follows from
//! what the manual says: an operation is within half a unit in the last place, the reciprocal of a
//! square root within one and a half. Compiled and interpreted, both are that near to what is exact.

use super::Input;
use super::tree::Node;
use crate::rng::Rng;
use ragged_compiler::interpret::Value;
use ragged_compiler::prims::Scalar;
use ragged_compiler::typed::ir::Const;

/// Elements of an axis at most.
const SIZES: [usize; 8] = [0, 1, 5, 17, 64, 65, 300, 1000];
/// Numbers of columns.
const WIDTHS: [usize; 4] = [1, 3, 17, 70];
/// Roundings of a sum of so many, one after the other: of 64 accumulators, then of these.
const OF_SUM: u64 = 1000_u64.div_ceil(64) + 8;

/// An expression, and the relative error that it may have, in halves of a unit in the last place.
struct Near {
    text: String,
    error: u64,
}

struct Fast {
    rng: Rng,
    ty: &'static str,
}

/// The block, with the bound in a comment, and calls.
pub fn program(mut rng: Rng) -> (Node, Vec<Input>) {
    let scalar = *rng.pick(&[Scalar::F32, Scalar::F64]);
    let ty = scalar.name();
    let mut made = Fast { rng, ty };
    let helper = made.expr(&["a", "b"], 2);
    let calls = |x: &Near, y: &Near| Near {
        text: format!("g({}, {})", x.text, y.text),
        // No operation takes more than the errors of both, each at most once per use.
        error: helper.error + 4 * (x.error + y.error),
    };
    let (x, y) = (made.expr(&["x", "y"], 3), made.expr(&["x", "c"], 2));
    let (first, second) = (calls(&x, &y), made.expr(&["x", "y", "c"], 4));
    let total = made.expr(&["x", "y"], 3);
    let row = made.expr(&["x", "c"], 3);
    let step = made.expr(&["x", "c"], 2);
    let trips = 1 + made.rng.below(6) as u64;
    let near = [
        first.error,
        second.error,
        total.error + OF_SUM,
        // The sum under a root, and a quotient of it.
        row.error + (row.error + OF_SUM) + 4,
        trips * (step.error + 2) + 2,
    ];
    let bound = 2 * near.iter().max().expect("there are some") + 2;
    let text = format!(
        "// within {bound} ulp\n\
         #[fast]\nfn g(a: {ty}, b: {ty}) -> {ty} {{ {} }}\n\
         #[fast]\npub fn f0(xs: [{ty}; n], ys: [{ty}; n], c: {ty}) -> ([({ty}, {ty}); n], {ty}) {{\n    \
         let made = for (x, y) in zip(xs, ys) {{ ({}, {}) }};\n    \
         (made, zip(xs, ys).map(|(x, y)| {}).sum())\n}}\n\
         #[fast]\npub fn f1(a: [[{ty}; m]; n], c: {ty}) -> ([[{ty}; m]; n], [{ty}; n]) {{\n    \
         let scaled = for row in a {{ let s = sum(for x in row {{ {row} }}); for x in row {{ ({row}) / sqrt(s) }} }};\n    \
         let states = for row in a {{ let x = row[0]; let mut t = c; for _ in 0..{trips} {{ t = t * ({step}) + x; }} t }};\n    \
         (scaled, states)\n}}\n",
        helper.text,
        first.text,
        second.text,
        total.text,
        row = row.text,
        step = step.text,
    );
    let inputs = (0..3).map(|_| made.of_lists()).collect::<Vec<_>>();
    let of_rows = (0..3).map(|_| made.of_rows()).collect::<Vec<_>>();
    let tree = Node::fixed(vec![text.into()]);
    (tree, [inputs, of_rows].concat())
}

impl Fast {
    /// An expression on these names; no name occurs more than four times in all operands of one.
    fn expr(&mut self, names: &[&str], depth: u32) -> Near {
        if depth == 0 || self.rng.chance(1, 6) {
            let text = match self.rng.chance(1, 5) {
                true => format!(
                    "{}{}",
                    self.rng.pick(&["0.5", "0.7", "1.3", "2.0"]),
                    self.ty
                ),
                false => (*self.rng.pick(names)).to_owned(),
            };
            return Near { text, error: 0 };
        }
        let mut next = || self.expr(names, depth - 1);
        let (a, b) = (next(), next());
        let (one, ty) = ("1.0", self.ty);
        let (text, error) = match self.rng.below(9) {
            0..=2 => (
                format!("({} + {})", a.text, b.text),
                a.error.max(b.error) + 1,
            ),
            3..=5 => (format!("({} * {})", a.text, b.text), a.error + b.error + 1),
            6 => (
                format!("({} / sqrt({}))", a.text, b.text),
                a.error + b.error.div_ceil(2) + 4,
            ),
            7 => (
                format!("({one}{ty} / sqrt({} + {}))", a.text, b.text),
                (a.error.max(b.error) + 1).div_ceil(2) + 3,
            ),
            _ => (format!("({} / {})", a.text, b.text), a.error + b.error + 1),
        };
        Near { text, error }
    }

    fn number(&mut self) -> Value {
        let ty = Scalar::by_name(self.ty).expect("a float");
        let x = 0.5 + self.rng.below(1 << 20) as f64 * 1.5 / f64::from(1 << 20);
        let bits = ty.float_bits(x);
        Value::Scalar(Const { ty, bits })
    }

    fn list(&mut self, len: usize) -> Value {
        Value::Array((0..len).map(|_| self.number()).collect())
    }

    fn call(&mut self, function: &str, arrays: Vec<(&str, Value)>) -> Input {
        let c = ("c", self.number());
        let args = arrays.into_iter().chain([c]);
        Input {
            function: function.to_owned(),
            args: args.map(|(name, value)| (name.to_owned(), value)).collect(),
        }
    }

    fn of_lists(&mut self) -> Input {
        let n = *self.rng.pick(&SIZES);
        let (xs, ys) = (self.list(n), self.list(n));
        self.call("f0", vec![("xs", xs), ("ys", ys)])
    }

    fn of_rows(&mut self) -> Input {
        let (n, m) = (*self.rng.pick(&SIZES[..5]), *self.rng.pick(&WIDTHS));
        let rows = (0..n).map(|_| self.list(m)).collect();
        let a = Value::array(rows, || self.list(m));
        self.call("f1", vec![("a", a)])
    }
}
