//! Complex numbers: their operations, and what each of these is in real numbers.
//!
//! In: operands, and who computes with real numbers. Out: the result. Assumes: operands are complex
//! numbers or their components, at least one a complex number.
//!
//! The formulas are part of the language's meaning (`docs/language.md`). Where the crate
//! `num-complex` has the operation without special cases, they are the ones that it has.

use super::{MathsFn, Scalar, ScalarOp};
use crate::ids::StructId;

/// The component types of complex numbers. Each has a struct, `Complex<f32>` is the first of every
/// program, `Complex<f64>` the second.
const COMPONENTS: [Scalar; 2] = [Scalar::F32, Scalar::F64];

/// The struct of complex numbers with components of type `part`.
pub fn complex_struct(part: Scalar) -> Option<StructId> {
    let at = COMPONENTS.iter().position(|it| *it == part)?;
    Some(StructId(at as u32))
}

/// The type of the components, if `id` is a struct of complex numbers.
pub fn component(id: StructId) -> Option<Scalar> {
    COMPONENTS.get(id.index()).copied()
}

/// Operations of which an operand is a complex number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ComplexOp {
    /// `-z`
    Neg,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// The mirror image at the real axis.
    Conj,
    /// The square of the distance from 0.
    NormSqr,
    /// The distance from 0.
    Abs,
    /// The angle from the positive real axis.
    Arg,
    /// e to the power of a number.
    Exp,
    /// The natural logarithm.
    Ln,
    /// The square root whose real part is not negative.
    Sqrt,
}

/// A function of complex numbers that is called by name.
pub struct ComplexFn {
    /// Its name, as method and free function.
    pub name: &'static str,
    /// What it becomes.
    pub op: ComplexOp,
    /// What it gives, as a formula.
    pub doc: &'static str,
}

/// The functions of one complex number.
pub const COMPLEX_FNS: &[ComplexFn] = &[
    ComplexFn {
        name: "conj",
        op: ComplexOp::Conj,
        doc: "`complex(re, -im)`",
    },
    ComplexFn {
        name: "norm_sqr",
        op: ComplexOp::NormSqr,
        doc: "`re * re + im * im`",
    },
    ComplexFn {
        name: "abs",
        op: ComplexOp::Abs,
        doc: "`hypot(re, im)`",
    },
    ComplexFn {
        name: "arg",
        op: ComplexOp::Arg,
        doc: "`atan2(im, re)`",
    },
    ComplexFn {
        name: "exp",
        op: ComplexOp::Exp,
        doc: "`complex(exp(re) * cos(im), exp(re) * sin(im))`",
    },
    ComplexFn {
        name: "ln",
        op: ComplexOp::Ln,
        doc: "`complex(ln(abs(z)), arg(z))`",
    },
    ComplexFn {
        name: "sqrt",
        op: ComplexOp::Sqrt,
        doc: "with `t = sqrt((abs(re) + abs(z)) * 0.5)` and `u = abs(im) / (2.0 * t)`, 0 where `t` \
              is 0: `complex(t, copysign(u, im))` for `re >= 0.0`, else \
              `complex(u, copysign(t, im))`",
    },
];

/// The function of a complex number called `name`.
pub fn complex_fn(name: &str) -> Option<&'static ComplexFn> {
    COMPLEX_FNS.iter().find(|function| function.name == name)
}

impl ComplexOp {
    /// Whether it gives a complex number, not a component of one.
    pub fn gives_complex(self) -> bool {
        !matches!(self, ComplexOp::NormSqr | ComplexOp::Abs | ComplexOp::Arg)
    }

    /// How many operands it has.
    pub fn arity(self) -> usize {
        match self {
            ComplexOp::Add | ComplexOp::Sub | ComplexOp::Mul | ComplexOp::Div => 2,
            ComplexOp::Neg
            | ComplexOp::Conj
            | ComplexOp::NormSqr
            | ComplexOp::Abs
            | ComplexOp::Arg
            | ComplexOp::Exp
            | ComplexOp::Ln
            | ComplexOp::Sqrt => 1,
        }
    }

    /// The operator on each component, if it is one that works on each on its own.
    pub fn by_component(self) -> Option<ScalarOp> {
        (self == ComplexOp::Add).then_some(ScalarOp::Add)
    }
}

/// An operand or a result.
#[derive(Clone, Copy, Debug)]
pub enum Number<R> {
    /// A real number.
    Real(R),
    /// A complex number.
    Complex(R, R),
}

/// Who computes with real numbers of one type.
pub trait Reals {
    /// A real number, or a truth value.
    type Real: Copy;
    /// `op` of `args`; a comparison gives a truth value.
    fn apply(&mut self, op: ScalarOp, args: &[Self::Real]) -> Self::Real;
    /// The number `x`.
    fn number(&mut self, x: f64) -> Self::Real;
}

/// `op` of `args`.
pub fn compute<A: Reals>(op: ComplexOp, args: &[Number<A::Real>], on: &mut A) -> Number<A::Real> {
    match *args {
        [Number::Complex(re, im)] => one(op, re, im, on),
        [a, b] => two(op, a, b, on),
        _ => unreachable!("typed: {op:?} has {} operands", op.arity()),
    }
}

fn one<A: Reals>(op: ComplexOp, re: A::Real, im: A::Real, on: &mut A) -> Number<A::Real> {
    use ScalarOp as Op;
    match op {
        ComplexOp::Neg => Number::Complex(on.apply(Op::Neg, &[re]), on.apply(Op::Neg, &[im])),
        ComplexOp::Conj => Number::Complex(re, on.apply(Op::Neg, &[im])),
        ComplexOp::NormSqr => Number::Real(norm_sqr(re, im, on)),
        ComplexOp::Abs => Number::Real(on.apply(Op::Maths(MathsFn::Hypot), &[re, im])),
        ComplexOp::Arg => Number::Real(on.apply(Op::Maths(MathsFn::Atan2), &[im, re])),
        ComplexOp::Exp => {
            let size = on.apply(Op::Maths(MathsFn::Exp), &[re]);
            let cos = on.apply(Op::Maths(MathsFn::Cos), &[im]);
            let sin = on.apply(Op::Maths(MathsFn::Sin), &[im]);
            Number::Complex(
                on.apply(Op::Mul, &[size, cos]),
                on.apply(Op::Mul, &[size, sin]),
            )
        }
        ComplexOp::Ln => {
            let size = on.apply(Op::Maths(MathsFn::Hypot), &[re, im]);
            let angle = on.apply(Op::Maths(MathsFn::Atan2), &[im, re]);
            Number::Complex(on.apply(Op::Maths(MathsFn::Ln), &[size]), angle)
        }
        ComplexOp::Sqrt => sqrt(re, im, on),
        ComplexOp::Add | ComplexOp::Sub | ComplexOp::Mul | ComplexOp::Div => {
            unreachable!("typed: {op:?} has 2 operands")
        }
    }
}

fn norm_sqr<A: Reals>(re: A::Real, im: A::Real, on: &mut A) -> A::Real {
    let (a, b) = (
        on.apply(ScalarOp::Mul, &[re, re]),
        on.apply(ScalarOp::Mul, &[im, im]),
    );
    on.apply(ScalarOp::Add, &[a, b])
}

fn sqrt<A: Reals>(re: A::Real, im: A::Real, on: &mut A) -> Number<A::Real> {
    use ScalarOp as Op;
    let (zero, half, two) = (on.number(0.0), on.number(0.5), on.number(2.0));
    let size = on.apply(Op::Maths(MathsFn::Hypot), &[re, im]);
    let width = on.apply(Op::Abs, &[re]);
    let sum = on.apply(Op::Add, &[width, size]);
    let square = on.apply(Op::Mul, &[sum, half]);
    let t = on.apply(Op::Sqrt, &[square]);
    let height = on.apply(Op::Abs, &[im]);
    let twice = on.apply(Op::Mul, &[two, t]);
    let quotient = on.apply(Op::Div, &[height, twice]);
    let at_zero = on.apply(Op::Eq, &[t, zero]);
    let u = on.apply(Op::Select, &[at_zero, zero, quotient]);
    let right = on.apply(Op::Ge, &[re, zero]);
    let new_re = on.apply(Op::Select, &[right, t, u]);
    let new_im = on.apply(Op::Select, &[right, u, t]);
    Number::Complex(
        new_re,
        on.apply(Op::Maths(MathsFn::Copysign), &[new_im, im]),
    )
}

fn two<A: Reals>(
    op: ComplexOp,
    left: Number<A::Real>,
    right: Number<A::Real>,
    on: &mut A,
) -> Number<A::Real> {
    use Number::{Complex, Real};
    use ScalarOp as Op;
    match (op, left, right) {
        (ComplexOp::Add, Complex(a, b), Complex(c, d)) => {
            Complex(on.apply(Op::Add, &[a, c]), on.apply(Op::Add, &[b, d]))
        }
        (ComplexOp::Sub, Complex(a, b), Complex(c, d)) => {
            Complex(on.apply(Op::Sub, &[a, c]), on.apply(Op::Sub, &[b, d]))
        }
        (ComplexOp::Mul, Complex(a, b), Complex(c, d)) => product([a, b], [c, d], on),
        (ComplexOp::Div, Complex(a, b), Complex(c, d)) => quotient([a, b], [c, d], on),
        (ComplexOp::Add | ComplexOp::Sub, Complex(a, b), Real(c)) => {
            let op = if op == ComplexOp::Add {
                Op::Add
            } else {
                Op::Sub
            };
            Complex(on.apply(op, &[a, c]), b)
        }
        (ComplexOp::Mul | ComplexOp::Div, Complex(a, b), Real(c)) => {
            let op = if op == ComplexOp::Mul {
                Op::Mul
            } else {
                Op::Div
            };
            Complex(on.apply(op, &[a, c]), on.apply(op, &[b, c]))
        }
        (ComplexOp::Add, Real(a), Complex(c, d)) => Complex(on.apply(Op::Add, &[a, c]), d),
        (ComplexOp::Sub, Real(a), Complex(c, d)) => {
            let zero = on.number(0.0);
            Complex(on.apply(Op::Sub, &[a, c]), on.apply(Op::Sub, &[zero, d]))
        }
        (ComplexOp::Mul, Real(a), Complex(c, d)) => {
            Complex(on.apply(Op::Mul, &[a, c]), on.apply(Op::Mul, &[a, d]))
        }
        (ComplexOp::Div, Real(a), Complex(c, d)) => {
            let (zero, size) = (on.number(0.0), norm_sqr(c, d, on));
            let (re, im) = (on.apply(Op::Mul, &[a, c]), on.apply(Op::Mul, &[a, d]));
            let (re, im) = (
                on.apply(Op::Div, &[re, size]),
                on.apply(Op::Div, &[im, size]),
            );
            Complex(re, on.apply(Op::Sub, &[zero, im]))
        }
        (_, _, _) => unreachable!("typed: {op:?} of two complex numbers"),
    }
}

fn product<A: Reals>([a, b]: [A::Real; 2], [c, d]: [A::Real; 2], on: &mut A) -> Number<A::Real> {
    let (ac, bd) = (
        on.apply(ScalarOp::Mul, &[a, c]),
        on.apply(ScalarOp::Mul, &[b, d]),
    );
    let (ad, bc) = (
        on.apply(ScalarOp::Mul, &[a, d]),
        on.apply(ScalarOp::Mul, &[b, c]),
    );
    let re = on.apply(ScalarOp::Sub, &[ac, bd]);
    Number::Complex(re, on.apply(ScalarOp::Add, &[ad, bc]))
}

fn quotient<A: Reals>([a, b]: [A::Real; 2], [c, d]: [A::Real; 2], on: &mut A) -> Number<A::Real> {
    let size = norm_sqr(c, d, on);
    let (ac, bd) = (
        on.apply(ScalarOp::Mul, &[a, c]),
        on.apply(ScalarOp::Mul, &[b, d]),
    );
    let (bc, ad) = (
        on.apply(ScalarOp::Mul, &[b, c]),
        on.apply(ScalarOp::Mul, &[a, d]),
    );
    let re = on.apply(ScalarOp::Add, &[ac, bd]);
    let im = on.apply(ScalarOp::Sub, &[bc, ad]);
    Number::Complex(
        on.apply(ScalarOp::Div, &[re, size]),
        on.apply(ScalarOp::Div, &[im, size]),
    )
}
