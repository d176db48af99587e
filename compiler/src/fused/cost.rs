//! What it costs to compute an element again instead of storing it.
//!
//! In: bodies of segmented operations. Out: a rough count of scalar operations, memory reads
//! included. Only comparisons with [`CHEAP`] and the decision on threads depend on it.

use crate::flat::ir::{Body, Op};
use crate::fused::linear::{Defs, Poly, normal};
use crate::hash::HashSet;
use crate::ids::Var;
use crate::prims::{FastOp, MathsFn, Method, Scalar, ScalarOp};
use crate::shaped::ir::Atom;

/// Up to this cost an element is computed again rather than stored: a memory round trip costs more.
pub const CHEAP: u32 = 4;

/// Up to this cost of where it reads an element is computed again: any number of sums, products and
/// comparisons that a chain of index functions has, but no division. Measured on 7.5 million `i32`, a
/// division that is left costs 2 ns per read, and a round trip through memory 1.4 ns per element.
pub const CHEAP_POSITIONS: u32 = POSITION_DIVISION - 1;

const POSITION_DIVISION: u32 = 16;

/// Cost of a division, or a square root, of floats.
pub const DIVISION: u32 = 4;

/// Cost of a loop in a body, whose trip count is not known.
const LOOP: u32 = 200;

/// Operations per element of `body`, without the producers that it reads.
pub fn body_cost(body: &Body) -> u32 {
    body.stmts
        .iter()
        .map(|stmt| op_cost(&stmt.op))
        .fold(0, u32::saturating_add)
}

/// What of that is spent on where `body` reads.
pub fn spent_on_positions(body: &Body) -> u32 {
    positions(body, |op| scalar_cost(op, None))
}

/// What it costs at most to find where `body` reads, in units of [`CHEAP_POSITIONS`].
pub fn most_position_cost(body: &Body) -> u32 {
    positions(body, index_cost)
}

fn positions(body: &Body, cost: impl Fn(ScalarOp) -> u32) -> u32 {
    let mut needed: HashSet<Var> = HashSet::default();
    let mut total = 0;
    for stmt in body.stmts.iter().rev() {
        match &stmt.op {
            Op::Read { index, .. } => needed.extend(vars(index)),
            Op::Scalar(op, args) if needed.contains(&stmt.outs[0]) => {
                needed.extend(vars(args));
                total += cost(*op);
            }
            _other => {}
        }
    }
    total
}

/// What positions in normal form cost that are made of scalars for which `moves` holds.
pub fn position_cost(positions: &[Poly], defs: &Defs<'_>, moves: &impl Fn(Var) -> bool) -> u32 {
    let mut seen: HashSet<Var> = HashSet::default();
    let mut total = 0;
    let mut left = positions.to_vec();
    while let Some(position) = left.pop() {
        for (factors, _) in position.terms() {
            let mut moving = factors.iter().filter(|var| moves(**var)).peekable();
            total += u32::from(moving.peek().is_some());
            for var in moving {
                if let Some((op, args)) = defs.get(var)
                    && seen.insert(*var)
                {
                    total += index_cost(*op);
                    left.extend(args.iter().map(|arg| normal(*arg, defs)));
                }
            }
        }
    }
    total
}

fn index_cost(op: ScalarOp) -> u32 {
    match op {
        ScalarOp::Div | ScalarOp::Rem => POSITION_DIVISION,
        op => scalar_cost(op, Some(Scalar::Usize)),
    }
}

fn vars(atoms: &[Atom]) -> impl Iterator<Item = Var> {
    atoms.iter().filter_map(|atom| match atom {
        Atom::Var(var) => Some(*var),
        Atom::Const(_) => None,
    })
}

fn op_cost(op: &Op) -> u32 {
    match op {
        Op::Scalar(op, _) => scalar_cost(*op, None),
        Op::Check { .. } | Op::Len { .. } => 0,
        Op::Read { .. } => 1,
        Op::Literal(elems) => elems.len() as u32,
        Op::Update { .. } => 2,
        Op::If { then, else_, .. } => 1 + body_cost(then) + body_cost(else_),
        Op::Loop(it) => LOOP + 10 * (body_cost(&it.cond) + body_cost(&it.body)),
        Op::Seg(_) => LOOP,
    }
}

/// Cost of one scalar operation, in additions.
pub fn scalar_cost(op: ScalarOp, ty: Option<Scalar>) -> u32 {
    match op {
        ScalarOp::Maths(function) => maths_cost(function),
        ScalarOp::Fast(FastOp::Exp) => maths_cost(MathsFn::Exp),
        ScalarOp::Fast(FastOp::Ln) => maths_cost(MathsFn::Ln),
        ScalarOp::Fast(FastOp::OverCube) => 7,
        ScalarOp::Powi => 60,
        ScalarOp::Method(function) => method_cost(function),
        ScalarOp::Div | ScalarOp::Rem if ty.is_some_and(Scalar::is_int) => 10,
        ScalarOp::DivEuclid | ScalarOp::RemEuclid | ScalarOp::DivCeil => 12,
        ScalarOp::Div | ScalarOp::Rem | ScalarOp::Sqrt | ScalarOp::Fast(FastOp::Rsqrt) => DIVISION,
        ScalarOp::Neg
        | ScalarOp::Not
        | ScalarOp::Cast
        | ScalarOp::Abs
        | ScalarOp::Floor
        | ScalarOp::Ceil
        | ScalarOp::Round
        | ScalarOp::Trunc
        | ScalarOp::CountOnes
        | ScalarOp::CountZeros
        | ScalarOp::LeadingZeros
        | ScalarOp::TrailingZeros
        | ScalarOp::Add
        | ScalarOp::Sub
        | ScalarOp::Mul
        | ScalarOp::BitAnd
        | ScalarOp::BitOr
        | ScalarOp::BitXor
        | ScalarOp::Shl
        | ScalarOp::Shr
        | ScalarOp::RotateLeft
        | ScalarOp::RotateRight
        | ScalarOp::Min
        | ScalarOp::Max
        | ScalarOp::Eq
        | ScalarOp::Ne
        | ScalarOp::Lt
        | ScalarOp::Le
        | ScalarOp::Gt
        | ScalarOp::Ge
        | ScalarOp::Clamp
        | ScalarOp::Select
        | ScalarOp::Before(_)
        | ScalarOp::Precedes
        | ScalarOp::Fast(FastOp::MulAdd | FastOp::MulSub | FastOp::SubMul) => 1,
    }
}

fn maths_cost(function: MathsFn) -> u32 {
    match function {
        MathsFn::Copysign => 2,
        MathsFn::Exp | MathsFn::Exp2 | MathsFn::Ln | MathsFn::Hypot => 20,
        MathsFn::ExpM1 | MathsFn::Ln1p | MathsFn::Log2 | MathsFn::Log10 | MathsFn::Cbrt => 30,
        MathsFn::Sin | MathsFn::Cos | MathsFn::Tanh => 30,
        MathsFn::Asin | MathsFn::Acos | MathsFn::Atan | MathsFn::Atan2 => 40,
        MathsFn::Tan | MathsFn::Sinh | MathsFn::Cosh => 40,
        MathsFn::Pow | MathsFn::Log | MathsFn::Asinh | MathsFn::Acosh | MathsFn::Atanh => 60,
        MathsFn::Erf | MathsFn::Erfc => 80,
    }
}

fn method_cost(function: Method) -> u32 {
    match function {
        Method::Recip => DIVISION,
        Method::Isqrt | Method::WrappingPow => 40,
        Method::Signum
        | Method::Fract
        | Method::ToDegrees
        | Method::ToRadians
        | Method::IsNan
        | Method::IsFinite
        | Method::IsInfinite
        | Method::IsSignNegative
        | Method::IsSignPositive
        | Method::LeadingOnes
        | Method::TrailingOnes
        | Method::SwapBytes
        | Method::ReverseBits
        | Method::IsPowerOfTwo
        | Method::AbsDiff
        | Method::UnsignedAbs
        | Method::SaturatingAdd
        | Method::SaturatingSub
        | Method::SaturatingMul => 2,
    }
}
