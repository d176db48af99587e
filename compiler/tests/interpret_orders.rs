//! The order of combination: reductions and scans against the same orders written on plain slices.

mod interpret_support;

use interpret_support::build::{array, closure, expr, local, op, param, prim, result, scalar};
use interpret_support::{build, floats};
use ragged_compiler::interpret::Value;
use ragged_compiler::prims::{Prim, Scalar, ScalarOp};
use ragged_compiler::typed::ir::{Const, Expr, ExprKind, Lambda};

const LENGTHS: [usize; 13] = [0, 1, 2, 15, 16, 17, 63, 64, 65, 1000, 16384, 16385, 40000];

fn chunk_total(chunk: &[f32]) -> f32 {
    let mut lanes = [-0.0_f32; 64];
    for (i, x) in chunk.iter().enumerate() {
        lanes[i % 64] += x;
    }
    for width in [32, 16, 8, 4, 2, 1] {
        for l in 0..width {
            lanes[l] += lanes[l + width];
        }
    }
    lanes[0]
}

fn reduce(init: f32, xs: &[f32], chunk_total: fn(&[f32]) -> f32) -> f32 {
    let totals = xs.chunks(16384).map(chunk_total);
    totals
        .reduce(|a, b| a + b)
        .map_or(init, |total| init + total)
}

/// Exclusive and inclusive prefixes, and the total.
fn scan(init: f32, xs: &[f32]) -> (Vec<f32>, Vec<f32>, f32) {
    let (mut exclusive, mut inclusive, mut carry) = (vec![], vec![], init);
    for chunk in xs.chunks(16384) {
        let mut within = carry;
        for block in chunk.chunks(16) {
            let mut t = block.to_vec();
            for d in [1, 2, 4, 8] {
                let old = t.clone();
                for l in d..t.len() {
                    t[l] = old[l - d] + old[l];
                }
            }
            exclusive.push(within);
            exclusive.extend(t[..t.len() - 1].iter().map(|x| within + x));
            inclusive.extend(t.iter().map(|x| within + x));
            within += t[t.len() - 1];
        }
        carry += chunk_total(chunk);
    }
    (exclusive, inclusive, carry)
}

fn add() -> Lambda {
    closure(&scalar(Scalar::F32), |a, b| op(ScalarOp::Add, b, a))
}

/// `|a, b| a + b * 1.0`: the same sums, not recognised.
fn unrecognised_add() -> Lambda {
    closure(&scalar(Scalar::F32), |a, b| {
        let ty = Scalar::F32;
        let bits = u64::from(1_f32.to_bits());
        let one = expr(ExprKind::Const(Const { ty, bits }), scalar(ty));
        op(ScalarOp::Add, a, op(ScalarOp::Mul, b, one))
    })
}

/// `prim(xs, init?, lambda?)` of floats.
fn of_floats(which: Prim, init: Option<f32>, lambda: Option<Lambda>, xs: &[f32]) -> Value {
    let f32 = scalar(Scalar::F32);
    let params = [array(f32.clone()), f32.clone()];
    let mut inputs: Vec<Expr> = vec![param(0, &params[0])];
    inputs.extend(init.map(|_| param(1, &params[1])));
    let ty = match which {
        Prim::Sum | Prim::Reduce | Prim::Min => f32,
        Prim::ScanFrom | Prim::RscanFrom => {
            ragged_compiler::typed::ir::Type::Tuple(vec![params[0].clone(), f32])
        }
        _ => params[0].clone(),
    };
    let body = prim(which, inputs, lambda, ty);
    let args = vec![Value::from(xs), Value::from(init.unwrap_or(0.0))];
    result(&params, body, args).expect("a value")
}

#[test]
fn recognised_reductions_use_64_lanes() {
    for n in LENGTHS {
        let xs = floats(n);
        let expected = Value::from(reduce(0.5, &xs, chunk_total));
        assert_eq!(
            of_floats(Prim::Reduce, Some(0.5), Some(add()), &xs),
            expected
        );
        let expected = Value::from(reduce(0.0, &xs, chunk_total));
        assert_eq!(of_floats(Prim::Sum, None, None, &xs), expected);
    }
}

#[test]
fn other_reductions_go_left_to_right_in_chunks() {
    let sequential = |xs: &[f32]| xs[1..].iter().fold(xs[0], |a, b| a + b);
    for n in LENGTHS {
        let xs = floats(n);
        let expected = Value::from(reduce(0.5, &xs, sequential));
        let actual = of_floats(Prim::Reduce, Some(0.5), Some(unrecognised_add()), &xs);
        assert_eq!(actual, expected);
    }
}

#[test]
fn recognised_scans_go_by_blocks() {
    for n in LENGTHS {
        let xs = floats(n);
        let (exclusive, _, total) = scan(0.5, &xs);
        let (_, inclusive, _) = scan(-0.0, &xs);
        let pair = Value::from((exclusive.clone(), total));
        assert_eq!(
            of_floats(Prim::Scan, None, Some(add()), &xs),
            Value::from(inclusive)
        );
        assert_eq!(
            of_floats(Prim::Prescan, Some(0.5), Some(add()), &xs),
            Value::from(exclusive)
        );
        assert_eq!(of_floats(Prim::ScanFrom, Some(0.5), Some(add()), &xs), pair);
    }
}

#[test]
fn right_scans_mirror_left_scans() {
    for n in [0, 1, 17, 1000, 16385] {
        let mut xs = floats(n);
        let mirrored = |mut ys: Vec<f32>| {
            ys.reverse();
            ys
        };
        let right = [
            of_floats(Prim::Rscan, None, Some(add()), &xs),
            of_floats(Prim::Rprescan, Some(0.5), Some(add()), &xs),
            of_floats(Prim::RscanFrom, Some(0.5), Some(add()), &xs),
        ];
        xs.reverse();
        let (exclusive, _, total) = scan(0.5, &xs);
        let (_, inclusive, _) = scan(-0.0, &xs);
        assert_eq!(right[0], Value::from(mirrored(inclusive)));
        assert_eq!(right[1], Value::from(mirrored(exclusive.clone())));
        assert_eq!(right[2], Value::from((mirrored(exclusive), total)));
    }
}

#[test]
fn other_scans_are_sequential_from_each_chunk_s_carry() {
    let xs = floats(40000);
    let (mut inclusive, mut exclusive, mut carry) = (vec![], vec![], None);
    for chunk in xs.chunks(16384) {
        let (mut before, mut total) = (carry, None);
        for x in chunk {
            exclusive.push(before);
            let add = |prev: Option<f32>| Some(prev.map_or(*x, |prev| prev + x));
            (before, total) = (add(before), add(total));
            inclusive.push(before.expect("an element"));
        }
        carry = carry.map_or(total, |carry| Some(carry + total.expect("an element")));
    }
    let scanned = of_floats(Prim::Scan, None, Some(unrecognised_add()), &xs);
    assert_eq!(scanned, Value::from(inclusive));
    let exclusive: Vec<f32> = exclusive.into_iter().skip(1).flatten().collect();
    let prescanned = of_floats(Prim::Prescan, Some(-0.0), Some(unrecognised_add()), &xs);
    assert_eq!(
        &prescanned.elements()[1..],
        Value::from(exclusive).elements()
    );
}

#[test]
fn right_scans_keep_the_order_of_operands() {
    // Of an associative operator that does not commute: the left one, `|a, b| a`.
    let left = |_: ()| closure(&scalar(Scalar::F32), |a, _| a);
    let xs = [1.0, 2.0, 3.0];
    let scanned = of_floats(Prim::Rscan, None, Some(left(())), &xs);
    assert_eq!(scanned, Value::from([1_f32, 2.0, 3.0]));
    let prescanned = of_floats(Prim::Rprescan, Some(9.0), Some(left(())), &xs);
    assert_eq!(prescanned, Value::from([2_f32, 3.0, 9.0]));
}

#[test]
fn products_combine_component_by_component() {
    let xs = floats(20000);
    let pair = build::tuple(vec![local(build::A, &scalar(Scalar::F32)); 2]).ty;
    let lambda = closure(&pair, |a, b| {
        let part = |x: &Expr, i| build::field(x.clone(), i, Scalar::F32);
        build::tuple(vec![
            op(ScalarOp::Add, part(&a, 0), part(&b, 0)),
            op(ScalarOp::Min, part(&b, 1), part(&a, 1)),
        ])
    });
    let params = [array(pair.clone()), pair.clone()];
    let body = prim(
        Prim::Reduce,
        vec![param(0, &params[0]), param(1, &pair)],
        Some(lambda),
        pair.clone(),
    );
    let pairs: Vec<(f32, f32)> = xs.iter().map(|x| (*x, *x)).collect();
    let args = vec![Value::from(pairs), Value::from((0.0_f32, f32::NAN))];
    let least = xs.iter().copied().fold(f32::NAN, f32::min);
    let expected = Value::from((reduce(0.0, &xs, chunk_total), least));
    assert_eq!(result(&params, body, args), Ok(expected));
}
