//! Rows of norms.

use crate::dense::{SIDE, argument};
use crate::table::{Row, Table, assert_near, run};
use ragged_bench::limits::Limit;
use ragged_bench::memory;
use ragged_bench::programs::norms as programs;
use ragged_bench::rivals::norms::{self as rivals, Norms};

/// What an expert reached of a sum of products, of which these are others.
const EXPERT: Option<f64> = Some(1.0);

/// Numbers of both signs, the largest of which stands somewhere inside.
fn numbers(len: usize) -> Vec<f32> {
    memory::generate(len, |i| (i * 7919 % 10_007) as f32 * 2e-4 - 1.0)
}

macro_rules! norm {
    ($name:ident, $T:ident, $module:ident, $full:literal) => {
        pub(crate) fn $name(table: &mut Table) {
            let len = table.size($full);
            let xs = &memory::generate(len, |i| (i % 1000) as $T * 1e-3)[..];
            let ours = || programs::$name(xs).unwrap();
            assert_near(ours().into(), rivals::$module::expert(xs).into(), 1e-3);
            table.row(Row {
                rival: run(|| rivals::$module::expert(xs)),
                ours: run(ours),
                limit: Some(Limit::Read(size_of_val(xs) as f64)),
                expert: EXPERT,
            });
        }
    };
}

norm!(norm_f32, f32, of_f32, 134_217_728);
norm!(norm_f64, f64, of_f64, 67_108_864);

fn assert_same(ours: Norms, rival: Norms) {
    assert_near(ours.0.into(), rival.0.into(), 1e-3);
    assert_near(ours.1.into(), rival.1.into(), 1e-3);
    assert_eq!(ours.2, rival.2);
}

pub(crate) fn norms(table: &mut Table) {
    let xs = &numbers(table.size(134_217_728))[..];
    let ours = || programs::norms(xs).unwrap();
    assert_same(ours(), rivals::expert(xs));
    table.row(Row {
        rival: run(|| rivals::expert(xs)),
        ours: run(ours),
        limit: Some(Limit::Read(size_of_val(xs) as f64)),
        expert: EXPERT,
    });
}

pub(crate) fn norms_of_rows(table: &mut Table) {
    let side = table.side(SIDE);
    let a = &numbers(side * side)[..];
    let ours = || programs::norms_of_rows(argument(a, [side, side])).unwrap();
    let (found, expected) = (ours(), rivals::rows(a, side));
    assert_eq!(found.len(), expected.len());
    for (ours, rival) in found.into_iter().zip(expected) {
        assert_same(ours, rival);
    }
    table.row(Row {
        rival: run(|| rivals::rows(a, side)),
        ours: run(ours),
        limit: Some(Limit::Read(size_of_val(a) as f64)),
        expert: EXPERT,
    });
}
