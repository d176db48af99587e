//! Which closures are recognised as operators.

mod interpret_support;

use interpret_support::build::{
    A, B, bind, block, closure, expr, field, local, op, pattern, scalar, tuple,
};
use ragged_compiler::interpret::find;
use ragged_compiler::prims::{MathsFn, Scalar, ScalarOp};
use ragged_compiler::source::SrcSpan;
use ragged_compiler::typed::ir::{Expr, ExprKind, FnValue, Lambda, PatternKind, Program, Type};

/// In a program without functions.
fn recognise(lambda: &Lambda) -> Option<Vec<ScalarOp>> {
    let program = Program {
        structs: Vec::new(),
        functions: Vec::new(),
        prints: false,
    };
    ragged_compiler::typed::recognise::recognise(lambda, &program)
}

fn on_f32(body: impl FnOnce(Expr, Expr) -> Expr) -> Option<Vec<ScalarOp>> {
    recognise(&closure(&scalar(Scalar::F32), body))
}

fn pair() -> Type {
    Type::Tuple(vec![scalar(Scalar::F32); 2])
}

fn on_pairs(body: impl FnOnce(Expr, Expr) -> Expr) -> Option<Vec<ScalarOp>> {
    recognise(&closure(&pair(), body))
}

fn part(product: &Expr, i: usize) -> Expr {
    field(product.clone(), i, Scalar::F32)
}

#[test]
fn scalar_operators_either_way_round() {
    for known in [
        ScalarOp::Add,
        ScalarOp::Mul,
        ScalarOp::Min,
        ScalarOp::Max,
        ScalarOp::BitAnd,
        ScalarOp::BitOr,
        ScalarOp::BitXor,
    ] {
        assert_eq!(on_f32(|a, b| op(known, a, b)), Some(vec![known]));
        assert_eq!(on_f32(|a, b| op(known, b, a)), Some(vec![known]));
        assert_eq!(
            on_f32(|a, b| block(op(known, b, block(a)))),
            Some(vec![known])
        );
    }
    for unknown in [
        ScalarOp::Sub,
        ScalarOp::Div,
        ScalarOp::Maths(MathsFn::Pow),
        ScalarOp::Shl,
    ] {
        assert_eq!(on_f32(|a, b| op(unknown, a, b)), None);
    }
}

#[test]
fn lazy_operators() {
    let bool = scalar(Scalar::Bool);
    let and = closure(&bool, |a, b| {
        expr(
            ExprKind::And(Box::new(a), Box::new(b)),
            scalar(Scalar::Bool),
        )
    });
    let or = closure(&bool, |a, b| {
        expr(ExprKind::Or(Box::new(b), Box::new(a)), scalar(Scalar::Bool))
    });
    assert_eq!(recognise(&and), Some(vec![ScalarOp::BitAnd]));
    assert_eq!(recognise(&or), Some(vec![ScalarOp::BitOr]));
}

#[test]
fn other_operands() {
    assert_eq!(on_f32(|a, _| op(ScalarOp::Add, a.clone(), a)), None);
    assert_eq!(
        on_f32(|a, b| op(ScalarOp::Add, a.clone(), op(ScalarOp::Add, a, b))),
        None
    );
    assert_eq!(on_f32(|a, _| a), None);
}

#[test]
fn products_by_fields() {
    let sum_and_max = on_pairs(|a, b| {
        tuple(vec![
            op(ScalarOp::Add, part(&a, 0), part(&b, 0)),
            op(ScalarOp::Max, part(&b, 1), part(&a, 1)),
        ])
    });
    assert_eq!(sum_and_max, Some(vec![ScalarOp::Add, ScalarOp::Max]));
    let crossed = on_pairs(|a, b| {
        tuple(vec![
            op(ScalarOp::Add, part(&a, 1), part(&b, 1)),
            op(ScalarOp::Add, part(&a, 0), part(&b, 0)),
        ])
    });
    assert_eq!(crossed, None);
    let half = on_pairs(|a, b| {
        tuple(vec![
            op(ScalarOp::Add, part(&a, 0), part(&b, 0)),
            part(&a, 1),
        ])
    });
    assert_eq!(half, None);
}

#[test]
fn products_by_patterns() {
    let f32 = scalar(Scalar::F32);
    let names = [A, B].map(|side| [side.0 + 2, side.0 + 4].map(ragged_compiler::ids::LocalId));
    let params = names.map(|[x, y]| {
        let parts = vec![bind(x, &f32), bind(y, &f32)];
        pattern(PatternKind::Tuple(parts), &pair())
    });
    let sum = |i: usize| {
        op(
            ScalarOp::Add,
            local(names[0][i], &f32),
            local(names[1][i], &f32),
        )
    };
    let lambda = |body: Expr| Lambda {
        params: params.to_vec(),
        body: Box::new(body),
        src: SrcSpan::call_site(),
    };
    let sums = lambda(tuple(vec![sum(0), sum(1)]));
    assert_eq!(recognise(&sums), Some(vec![ScalarOp::Add, ScalarOp::Add]));
    assert_eq!(recognise(&lambda(tuple(vec![sum(1), sum(0)]))), None);
}

#[test]
fn nested_products_give_the_operators_of_their_scalars() {
    let inner = pair();
    let outer = Type::Tuple(vec![scalar(Scalar::F32), inner.clone()]);
    let lambda = closure(&outer, |a, b| {
        let deep = |x: &Expr, i| {
            part(
                &expr(ExprKind::Field(Box::new(x.clone()), 1), inner.clone()),
                i,
            )
        };
        let add = |x: Expr, y: Expr| op(ScalarOp::Add, x, y);
        tuple(vec![
            op(ScalarOp::Mul, part(&a, 0), part(&b, 0)),
            tuple(vec![
                add(deep(&a, 0), deep(&b, 0)),
                add(deep(&b, 1), deep(&a, 1)),
            ]),
        ])
    });
    let ops = vec![ScalarOp::Mul, ScalarOp::Add, ScalarOp::Add];
    assert_eq!(recognise(&lambda), Some(ops));
}

/// What is recognised of the operator in `xs.scan(op)`, as written.
fn written(elem: &str, op: &str) -> Option<Vec<ScalarOp>> {
    let text = format!(
        "struct P {{ x: f32, n: usize }}
        fn add(a: f32, b: f32) -> f32 {{ a + b }}
        fn sub(a: f32, b: f32) -> f32 {{ a - b }}
        fn plus(a: P, b: P) -> P {{ P {{ x: add(a.x, b.x), n: b.n + a.n }} }}
        fn sums(a: [f32; n], b: [f32; n]) -> [f32; n] {{ zip(a, b).map(|(x, y)| add(x, y)) }}
        pub fn example(xs: [{elem}]) -> [{elem}] {{ xs.scan({op}) }}"
    );
    let program = interpret_support::text::program(&text);
    let func = find(&program, "example").expect("a function `example`");
    let mut body = &program.functions[func.index()].body;
    while let ExprKind::Block { value, .. } = &body.kind {
        body = value.as_deref().expect("a value");
    }
    let ExprKind::Prim { fns, .. } = &body.kind else {
        panic!("not an operator: {body:?}");
    };
    let [FnValue::Lambda(lambda)] = fns.as_slice() else {
        panic!("not one closure: {fns:?}");
    };
    ragged_compiler::typed::recognise::recognise(lambda, &program)
}

#[test]
fn as_written() {
    use ScalarOp::{Add, BitAnd, BitOr, Max, Min, Mul};
    let pair = "(f32, i32)";
    for (elem, op, ops) in [
        ("usize", "|a, b| a + b", vec![Add]),
        ("usize", "|a, b| b.wrapping_add(a)", vec![Add]),
        ("f32", "|a, b| { a * b }", vec![Mul]),
        ("f32", "f32::max", vec![Max]),
        ("f32", "|a, b| min(a, b)", vec![Min]),
        ("bool", "|a, b| a && b", vec![BitAnd]),
        ("bool", "|a, b| b | a", vec![BitOr]),
        (pair, "|(a, i), (b, j)| (a + b, i.max(j))", vec![Add, Max]),
        (pair, "|a, b| (b.0 * a.0, a.1 & b.1)", vec![Mul, BitAnd]),
        (
            "P",
            "|a, b| P { n: a.n + b.n, x: a.x.min(b.x) }",
            vec![Min, Add],
        ),
        ("f32", "add", vec![Add]),
        ("f32", "|a, b| add(b, a)", vec![Add]),
        ("P", "plus", vec![Add, Add]),
        (
            "[f32; m]",
            "|a, b| zip(a, b).map(|(x, y)| x * y)",
            vec![Mul],
        ),
        (
            "[f32; m]",
            "|a, b| for z in zip(b, a) { max(z.0, z.1) }",
            vec![Max],
        ),
        ("[f32; m]", "sums", vec![Add]),
        (
            "([[i32; k]; m], i32)",
            "|(a, i), (b, j)| (for (p, q) in zip(a, b) { zip(p, q).map(|(x, y)| x & y) }, i * j)",
            vec![BitAnd, Mul],
        ),
        (
            "[(f32, i32); m]",
            "|a, b| zip(a, b).map(|(x, y)| (x.0 + y.0, y.1.min(x.1)))",
            vec![Add, Min],
        ),
    ] {
        assert_eq!(written(elem, op), Some(ops), "{op}");
    }
    for (elem, op) in [
        ("i32", "|a, b| a - b"),
        ("f32", "|a, b| a + b * 1.0"),
        ("f32", "|a, b| { let c = b; a + c }"),
        (pair, "|(a, i), (b, j)| (a + b, j)"),
        ("f32", "sub"),
        ("f32", "|a, b| add(a, a)"),
        ("[f32; m]", "|a, b| zip(a, a).map(|(x, y)| x + y)"),
        ("[f32; m]", "|a, b| zip(a, b).map(|(x, y)| x + x)"),
        ("[f32; m]", "|a, b| zip(a, b).map(|(x, y)| x - y)"),
        ("[f32; m]", "|a, b| zip(a, b, a).map(|(x, y, z)| x + y)"),
        ("[f32; m]", "|a, b| a.map(|x| x + b[0])"),
        // Sums of sizes are checked.
        ("[usize; m]", "|a, b| zip(a, b).map(|(x, y)| x + y)"),
        ("[P; m]", "|a, b| zip(a, b).map(|(x, y)| plus(x, y))"),
    ] {
        assert_eq!(written(elem, op), None, "{op}");
    }
}
