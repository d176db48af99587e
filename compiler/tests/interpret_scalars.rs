//! Scalar operations, against Rust's own on the edges of each type.

mod interpret_support;

use interpret_support::build::{expr, param, result, scalar};
use ragged_compiler::interpret::{TroubleKind, Value};
use ragged_compiler::prims::{MathsFn, Method, Scalar, ScalarOp};
use ragged_compiler::typed::ir::{Const, ExprKind, Type};

/// `op` of values, giving a scalar of type `ty`.
fn apply(op: ScalarOp, checked: bool, args: &[Value], ty: Scalar) -> Result<Value, TroubleKind> {
    let params: Vec<Type> = args.iter().map(|arg| scalar(arg.scalar().ty)).collect();
    let args_read = params.iter().zip(0..).map(|(ty, i)| param(i, ty));
    let kind = ExprKind::Scalar {
        op,
        args: args_read.collect(),
        checked,
    };
    result(&params, expr(kind, scalar(ty)), args.to_vec()).map_err(|trouble| trouble.kind)
}

fn same<T: Into<Value> + Copy, U: Into<Value>>(op: ScalarOp, args: &[T], expected: U) {
    let expected = expected.into();
    let args: Vec<Value> = args.iter().map(|arg| (*arg).into()).collect();
    let actual = apply(op, false, &args, expected.scalar().ty);
    assert_eq!(actual, Ok(expected), "{op:?} of {args:?}");
}

/// The type of a value.
fn scalar_of<T: Into<Value>>(value: T) -> Scalar {
    value.into().scalar().ty
}

macro_rules! integers {
    ($($test:ident $ty:ident $scalar:ident;)*) => {$(
        #[test]
        fn $test() {
            let edges: [$ty; 8] = [$ty::MIN, $ty::MIN + 1, 0, 1, 3, 100, $ty::MAX - 1, $ty::MAX];
            for a in edges {
                same(ScalarOp::Neg, &[a], a.wrapping_neg());
                same(ScalarOp::Not, &[a], !a);
                same(ScalarOp::CountOnes, &[a], a.count_ones());
                same(ScalarOp::CountZeros, &[a], a.count_zeros());
                same(ScalarOp::LeadingZeros, &[a], a.leading_zeros());
                same(ScalarOp::TrailingZeros, &[a], a.trailing_zeros());
                same(ScalarOp::Method(Method::LeadingOnes), &[a], a.leading_ones());
                same(ScalarOp::Method(Method::TrailingOnes), &[a], a.trailing_ones());
                same(ScalarOp::Method(Method::SwapBytes), &[a], a.swap_bytes());
                same(ScalarOp::Method(Method::ReverseBits), &[a], a.reverse_bits());
                for amount in [0_u32, 1, 7, 8, 31, 63, 64, 77] {
                    let by = |op| apply(op, false, &[a.into(), amount.into()], Scalar::$scalar);
                    assert_eq!(by(ScalarOp::Shl), Ok(a.wrapping_shl(amount).into()));
                    assert_eq!(by(ScalarOp::Shr), Ok(a.wrapping_shr(amount).into()));
                    assert_eq!(by(ScalarOp::RotateLeft), Ok(a.rotate_left(amount).into()));
                    assert_eq!(by(ScalarOp::RotateRight), Ok(a.rotate_right(amount).into()));
                    let power = by(ScalarOp::Method(Method::WrappingPow));
                    assert_eq!(power, Ok(a.wrapping_pow(amount).into()));
                }
                for b in edges {
                    same(ScalarOp::Add, &[a, b], a.wrapping_add(b));
                    same(ScalarOp::Sub, &[a, b], a.wrapping_sub(b));
                    same(ScalarOp::Mul, &[a, b], a.wrapping_mul(b));
                    same(ScalarOp::BitAnd, &[a, b], a & b);
                    same(ScalarOp::BitOr, &[a, b], a | b);
                    same(ScalarOp::BitXor, &[a, b], a ^ b);
                    same(ScalarOp::Min, &[a, b], a.min(b));
                    same(ScalarOp::Max, &[a, b], a.max(b));
                    same(ScalarOp::Clamp, &[a, 1, b], a.max(1).min(b));
                    same(ScalarOp::Eq, &[a, b], a == b);
                    same(ScalarOp::Ne, &[a, b], a != b);
                    same(ScalarOp::Lt, &[a, b], a < b);
                    same(ScalarOp::Le, &[a, b], a <= b);
                    same(ScalarOp::Gt, &[a, b], a > b);
                    same(ScalarOp::Ge, &[a, b], a >= b);
                    same(ScalarOp::Method(Method::AbsDiff), &[a, b], a.abs_diff(b));
                    same(ScalarOp::Method(Method::SaturatingAdd), &[a, b], a.saturating_add(b));
                    same(ScalarOp::Method(Method::SaturatingSub), &[a, b], a.saturating_sub(b));
                    same(ScalarOp::Method(Method::SaturatingMul), &[a, b], a.saturating_mul(b));
                    if b != 0 {
                        same(ScalarOp::DivEuclid, &[a, b], a.wrapping_div_euclid(b));
                        same(ScalarOp::RemEuclid, &[a, b], a.wrapping_rem_euclid(b));
                        same(ScalarOp::Div, &[a, b], a.wrapping_div(b));
                        same(ScalarOp::Rem, &[a, b], a.wrapping_rem(b));
                    }
                }
                let zero = [Value::from(a), Value::from(0 as $ty)];
                let divisions = [
                    ScalarOp::Div, ScalarOp::Rem, ScalarOp::DivEuclid, ScalarOp::RemEuclid,
                ];
                for op in divisions {
                    let divided = apply(op, true, &zero, Scalar::$scalar);
                    assert_eq!(divided, Err(TroubleKind::DivisionByZero));
                }
            }
        }
    )*};
}

integers! {
    i8_as_in_rust i8 I8;
    i16_as_in_rust i16 I16;
    i32_as_in_rust i32 I32;
    i64_as_in_rust i64 I64;
    u8_as_in_rust u8 U8;
    u16_as_in_rust u16 U16;
    u32_as_in_rust u32 U32;
    u64_as_in_rust u64 U64;
    usize_as_in_rust usize Usize;
}

macro_rules! unsigned {
    ($($ty:ident)*) => {$(
        for a in [0, 1, 2, 3, 4, 15, 16, 17, 100, $ty::MAX / 2 + 1, $ty::MAX - 1, $ty::MAX] {
            same(ScalarOp::Method(Method::IsPowerOfTwo), &[a], a.is_power_of_two());
            same(ScalarOp::Method(Method::Isqrt), &[a], a.isqrt());
            for b in [1, 2, 7, $ty::MAX] {
                same(ScalarOp::DivCeil, &[a, b], a.div_ceil(b));
            }
        }
    )*};
}

macro_rules! signed {
    ($($ty:ident)*) => {$(
        for a in [$ty::MIN, -100, -1, 0, 1, $ty::MAX] {
            same(ScalarOp::Method(Method::Signum), &[a], a.signum());
            same(ScalarOp::Method(Method::UnsignedAbs), &[a], a.unsigned_abs());
        }
    )*};
}

#[test]
fn of_one_kind_of_integer_as_in_rust() {
    unsigned!(u8 u16 u32 u64 usize);
    signed!(i8 i16 i32 i64);
}

macro_rules! floats {
    ($($test:ident $ty:ident;)*) => {$(
        #[test]
        fn $test() {
            let edges: [$ty; 12] = [
                $ty::NAN, $ty::NEG_INFINITY, $ty::MIN, -1.5, -0.5, -0.0, 0.0, 0.5, 2.5, 1e-30,
                $ty::MAX, $ty::INFINITY,
            ];
            for a in edges {
                same(ScalarOp::Neg, &[a], -a);
                same(ScalarOp::Abs, &[a], a.abs());
                same(ScalarOp::Sqrt, &[a], a.sqrt());
                same(ScalarOp::Floor, &[a], a.floor());
                same(ScalarOp::Ceil, &[a], a.ceil());
                same(ScalarOp::Round, &[a], a.round());
                same(ScalarOp::Trunc, &[a], a.trunc());
                same(ScalarOp::Maths(MathsFn::Exp), &[a], a.exp());
                same(ScalarOp::Method(Method::Signum), &[a], a.signum());
                same(ScalarOp::Method(Method::Recip), &[a], a.recip());
                same(ScalarOp::Method(Method::Fract), &[a], a.fract());
                same(ScalarOp::Method(Method::ToDegrees), &[a], a.to_degrees());
                same(ScalarOp::Method(Method::ToRadians), &[a], a.to_radians());
                same(ScalarOp::Method(Method::IsNan), &[a], a.is_nan());
                same(ScalarOp::Method(Method::IsFinite), &[a], a.is_finite());
                same(ScalarOp::Method(Method::IsInfinite), &[a], a.is_infinite());
                let (below, above) = (a.is_sign_negative(), a.is_sign_positive());
                same(ScalarOp::Method(Method::IsSignNegative), &[a], below && !a.is_nan());
                same(ScalarOp::Method(Method::IsSignPositive), &[a], above && !a.is_nan());
                for n in [-2, 0, 1, 5] {
                    let power = apply(ScalarOp::Powi, false, &[a.into(), n.into()], scalar_of(a));
                    assert_eq!(power, Ok(a.powi(n).into()));
                }
                for b in edges {
                    same(ScalarOp::Add, &[a, b], a + b);
                    same(ScalarOp::Sub, &[a, b], a - b);
                    same(ScalarOp::Mul, &[a, b], a * b);
                    same(ScalarOp::Div, &[a, b], a / b);
                    same(ScalarOp::Rem, &[a, b], a % b);
                    same(ScalarOp::DivEuclid, &[a, b], a.div_euclid(b));
                    same(ScalarOp::RemEuclid, &[a, b], a.rem_euclid(b));
                    same(ScalarOp::Maths(MathsFn::Pow), &[a, b], a.powf(b));
                    same(ScalarOp::Eq, &[a, b], a == b);
                    same(ScalarOp::Ne, &[a, b], a != b);
                    same(ScalarOp::Lt, &[a, b], a < b);
                    same(ScalarOp::Ge, &[a, b], a >= b);
                    if a != b {
                        same(ScalarOp::Min, &[a, b], a.min(b));
                        same(ScalarOp::Max, &[a, b], a.max(b));
                        same(ScalarOp::Clamp, &[0.25, a, b], (0.25 as $ty).max(a).min(b));
                    }
                }
            }
            for zeros in [[-0.0, 0.0], [0.0, -0.0 as $ty]] {
                same(ScalarOp::Min, &zeros, -0.0 as $ty);
                same(ScalarOp::Max, &zeros, 0.0 as $ty);
            }
        }
    )*};
}

floats! {
    f32_as_in_rust f32;
    f64_as_in_rust f64;
}

macro_rules! casts {
    ($x:expr => $($to:ident $scalar:ident)*) => {$(
        let x = $x;
        let cast = apply(ScalarOp::Cast, false, &[x.into()], Scalar::$scalar);
        assert_eq!(cast, Ok((x as $to).into()), "{x:?} as {}", stringify!($to));
    )*};
}

macro_rules! casts_to_all {
    ($($x:expr),* $(,)?) => {$(
        casts! {
            $x => i8 I8 i16 I16 i32 I32 i64 I64 u8 U8 u16 U16 u32 U32 u64 U64 usize Usize
                f32 F32 f64 F64
        }
    )*};
}

#[test]
fn casts_as_in_rust() {
    casts_to_all!(
        -1_i8,
        127_i8,
        i32::MIN,
        300_i32,
        i64::MIN,
        i64::MAX,
        255_u8,
        u32::MAX
    );
    casts_to_all!(
        u64::MAX,
        16_777_217_u64,
        (1_u64 << 63) + 1025,
        usize::MAX,
        7_usize
    );
    casts_to_all!(
        f32::NAN,
        f32::INFINITY,
        -1.9_f32,
        3e9_f32,
        f32::MAX,
        -0.0_f32
    );
    casts_to_all!(
        f64::NAN,
        f64::NEG_INFINITY,
        1.9_f64,
        -3e9_f64,
        1e300_f64,
        0.1_f64
    );
    casts!(true => i8 I8 u8 U8 i64 I64 usize Usize);
}

#[test]
fn abs_wraps() {
    same(ScalarOp::Abs, &[i32::MIN], i32::MIN);
    same(ScalarOp::Abs, &[-5_i8], 5_i8);
}

#[test]
fn logic_on_bool() {
    for a in [false, true] {
        same(ScalarOp::Not, &[a], !a);
        for b in [false, true] {
            same(ScalarOp::BitAnd, &[a, b], a & b);
            same(ScalarOp::BitOr, &[a, b], a | b);
            same(ScalarOp::BitXor, &[a, b], a ^ b);
            same(ScalarOp::Eq, &[a, b], a == b);
            same(ScalarOp::Lt, &[a, b], !a & b);
        }
    }
}

#[test]
fn checked_sizes_do_not_wrap() {
    let checked = |op, left: usize, right: usize| {
        apply(op, true, &[left.into(), right.into()], Scalar::Usize)
    };
    assert_eq!(checked(ScalarOp::Sub, 3, 3), Ok(0_usize.into()));
    let (left, right) = (3, 4);
    let underflow = TroubleKind::SizeUnderflow { left, right };
    assert_eq!(checked(ScalarOp::Sub, 3, 4), Err(underflow));
    let (left, right) = (u64::MAX, 2);
    let overflow = TroubleKind::SizeOverflow { left, right };
    assert_eq!(checked(ScalarOp::Add, usize::MAX, 2), Err(overflow.clone()));
    assert_eq!(checked(ScalarOp::Mul, usize::MAX, 2), Err(overflow));
    assert_eq!(checked(ScalarOp::Mul, usize::MAX, 1), Ok(usize::MAX.into()));
    let left = u64::MAX;
    let overflow = TroubleKind::SizeOverflow { left, right: left };
    assert_eq!(
        checked(ScalarOp::Mul, usize::MAX, usize::MAX),
        Err(overflow)
    );
}

#[test]
fn select_takes_any_value() {
    let args = [Value::from(true), Value::from(1_i32), Value::from(2_i32)];
    let selected = apply(ScalarOp::Select, false, &args, Scalar::I32);
    assert_eq!(selected, Ok(1_i32.into()));
}

macro_rules! halves {
    ($($name:ident $half:ident $scalar:ident;)*) => {$(
        #[test]
        fn $name() {
            let constant = |x: half::$half| Const {
                ty: Scalar::$scalar,
                bits: u64::from(x.to_bits()),
            };
            let same = |op, x, y, theirs: half::$half| {
                let ours = apply(op, false, &[constant(x), constant(y)].map(Value::Scalar), Scalar::$scalar);
                assert_eq!(ours, Ok(Value::Scalar(constant(theirs))), "{x} {op:?} {y}");
            };
            let all = || (0..u16::MAX).step_by(367).map(half::$half::from_bits);
            for (x, y) in all().flat_map(|x| all().map(move |y| (x, y))) {
                same(ScalarOp::Add, x, y, x + y);
                same(ScalarOp::Sub, x, y, x - y);
                same(ScalarOp::Mul, x, y, x * y);
                same(ScalarOp::Div, x, y, x / y);
                same(ScalarOp::Rem, x, y, x % y);
            }
        }
    )*};
}

halves! {
    f16_as_in_half f16 F16;
    bf16_as_in_half bf16 Bf16;
}
