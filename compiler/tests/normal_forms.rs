//! Normal forms of sums and products: see `fused/linear.rs`.

use ragged_compiler::fused::linear::{Defs, Poly, normal};
use ragged_compiler::ids::Var;
use ragged_compiler::prims::{Scalar, ScalarOp};
use ragged_compiler::shaped::ir::Atom;
use ragged_compiler::typed::ir::Const;

fn size(bits: u64) -> Atom {
    let ty = Scalar::Usize;
    Atom::Const(Const { ty, bits })
}

#[test]
fn the_position_of_a_row_and_column_is_the_index() {
    let [at, m, row, column, first, position] = [0, 1, 2, 3, 4, 5].map(Var);
    let of = |a: Var, b: Var| [Atom::Var(a), Atom::Var(b)];
    let (split, start, sum) = (of(at, m), of(row, m), of(first, column));
    let defs = Defs::from_iter([
        (row, (ScalarOp::Div, split.as_slice())),
        (column, (ScalarOp::Rem, split.as_slice())),
        (first, (ScalarOp::Mul, start.as_slice())),
        (position, (ScalarOp::Add, sum.as_slice())),
    ]);
    assert_eq!(normal(Atom::Var(position), &defs), Poly::var(at));
    assert_ne!(normal(Atom::Var(first), &defs), Poly::var(at));
}

#[test]
fn sums_and_products_are_in_order() {
    let [a, b, twice, back] = [0, 1, 2, 3].map(Var);
    let doubled = [Atom::Var(a), size(2)];
    let less = [Atom::Var(twice), Atom::Var(a)];
    let defs = Defs::from_iter([
        (twice, (ScalarOp::Mul, doubled.as_slice())),
        (back, (ScalarOp::Sub, less.as_slice())),
    ]);
    assert_eq!(normal(Atom::Var(back), &defs), Poly::var(a));
    assert_eq!(normal(Atom::Var(b), &defs), Poly::var(b));
    assert_eq!(normal(size(0), &defs), Poly::known(0));
}
