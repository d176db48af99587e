//! Arrays of arrays, from hand-built trees: types do not allow them yet.

mod interpret_support;

use interpret_support::StdMaths;
use interpret_support::build::{A, array, bind, expr, param, prim, program, result, scalar};
use ragged_compiler::ids::FuncId;
use ragged_compiler::interpret::{TroubleKind, Value, run_within};
use ragged_compiler::prims::{Prim, Scalar};
use ragged_compiler::source::SrcSpan;
use ragged_compiler::typed::ir::{Expr, ExprKind, Lambda, Type};

fn row() -> Type {
    array(scalar(Scalar::F32))
}

/// `|row| body`
fn of_row(body: Expr) -> Lambda {
    Lambda {
        params: vec![bind(A, &row())],
        body: Box::new(body),
        src: SrcSpan::call_site(),
    }
}

fn read_row() -> Expr {
    interpret_support::build::local(A, &row())
}

fn ragged() -> Value {
    Value::from(vec![vec![1_f32, 2.0], vec![], vec![4.0]])
}

#[test]
fn operators_inside_a_map() {
    let rows = array(row());
    let sum = of_row(prim(Prim::Sum, vec![read_row()], None, scalar(Scalar::F32)));
    let sums = prim(Prim::Map, vec![param(0, &rows)], Some(sum), row());
    let sums = result(std::slice::from_ref(&rows), sums, vec![ragged()]);
    assert_eq!(sums, Ok(Value::from([3_f32, 0.0, 4.0])));
    let rev = of_row(prim(Prim::Rev, vec![read_row()], None, row()));
    let reversed = prim(Prim::Map, vec![param(0, &rows)], Some(rev), rows.clone());
    let reversed = result(&[rows], reversed, vec![ragged()]);
    let expected = Value::from(vec![vec![2_f32, 1.0], vec![], vec![4.0]]);
    assert_eq!(reversed, Ok(expected));
}

#[test]
fn an_index_after_another() {
    let params = [array(row()), scalar(Scalar::Usize), scalar(Scalar::Usize)];
    let at =
        |array: Expr, i: Expr, ty: Type| expr(ExprKind::Index(Box::new(array), Box::new(i)), ty);
    let first = at(param(0, &params[0]), param(1, &params[1]), row());
    let second = at(first, param(2, &params[2]), scalar(Scalar::F32));
    let read = |i: usize, j: usize| {
        let args = vec![ragged(), i.into(), j.into()];
        result(&params, second.clone(), args).map_err(|trouble| trouble.kind)
    };
    assert_eq!(read(0, 1), Ok(2_f32.into()));
    let (index, len) = (0, 0);
    assert_eq!(read(1, 0), Err(TroubleKind::IndexOutOfRange { index, len }));
}

#[test]
fn copies_of_rows_cost_what_they_weigh() {
    let usize = scalar(Scalar::Usize);
    let fill = |value: Expr| {
        let ty = array(value.ty.clone());
        prim(Prim::Fill, vec![value, param(0, &usize)], None, ty)
    };
    let cube = fill(fill(fill(param(0, &usize))));
    let program = program(std::slice::from_ref(&usize), cube);
    let run = |n: usize| run_within(&program, FuncId(0), vec![n.into()], &StdMaths, 1_000_000);
    assert!(run(10).is_ok());
    let kind = run(1000).map_err(|trouble| trouble.kind);
    assert_eq!(kind, Err(TroubleKind::OutOfFuel));
}
