//! Rows of programs on grids of pixels.

use crate::inputs::scattered;
use crate::table::{Row, Table, run};
use ragged::DenseArg;
use ragged_bench::limits::Limit;
use ragged_bench::programs::{fluid as flows, images as programs};
use ragged_bench::rivals::canny::{self, Picture, Slopes};
use ragged_bench::rivals::fluid::{self, Flow};

/// The side of the picture.
const SIDE: usize = 4096;

const SLOPES: Slopes = Slopes { low: 40, high: 100 };

/// Rings whose contrast comes and goes, so that edges fade, on a noisy ground: an edge in one of 40 pixels.
fn picture(side: usize) -> Vec<u8> {
    let pixel = |at: usize| {
        let (i, j) = ((at / side) as f64, (at % side) as f64);
        let (y, x) = (i % 331.0 - 165.0, j % 277.0 - 138.0);
        let is_ring = (x.hypot(y) / 29.0) as usize % 2 == 1;
        let contrast = 24.0 + 22.0 * (i * 0.013 + j * 0.017).sin();
        let ground = 90.0 + (scattered(at, 3) % 9) as f64;
        (ground + if is_ring { contrast } else { 0.0 }) as u8
    };
    (0..side * side).map(pixel).collect()
}

/// Each pixel is read and written once.
fn once(pixels: &[u8]) -> Option<Limit> {
    Some(Limit::Copy(2.0 * pixels.len() as f64))
}

pub(crate) fn edges(table: &mut Table) {
    let side = table.side(SIDE);
    let pixels = &picture(side)[..];
    let picture = Picture::new(pixels, side);
    let argument = || DenseArg::new([side, side], pixels).expect("it is square");
    let mut out = programs::edges(argument(), SLOPES.low, SLOPES.high).expect("there is memory");
    let mut rival_out = canny::expert(picture, SLOPES);
    assert!(
        out.iter().eq(&rival_out),
        "the program and its rival differ"
    );
    table.row(Row {
        rival: run(|| canny::expert_into(&mut rival_out, picture, SLOPES)),
        ours: run(|| {
            programs::edges::into(&mut out, argument(), SLOPES.low, SLOPES.high)
                .expect("as before");
        }),
        limit: once(pixels),
        expert: None,
    });
}

/// Up to where edges are followed.
pub(crate) fn marks(table: &mut Table) {
    let side = table.side(SIDE);
    let pixels = &picture(side)[..];
    let picture = Picture::new(pixels, side);
    let argument = || DenseArg::new([side, side], pixels).expect("it is square");
    let mut out = programs::marks(argument(), SLOPES.low, SLOPES.high).expect("there is memory");
    let mut rival_out = vec![0; pixels.len()];
    canny::marks_into(&mut rival_out, picture, SLOPES);
    // The rival's marks are 1 for sure and 2 for perhaps.
    let same = |(ours, rival): (&u8, &u8)| *ours == [0, 2, 1][usize::from(*rival)];
    assert!(
        out.iter().zip(&rival_out).all(same),
        "the program and its rival differ"
    );
    table.row(Row {
        rival: run(|| canny::marks_into(&mut rival_out, picture, SLOPES)),
        ours: run(|| {
            programs::marks::into(&mut out, argument(), SLOPES.low, SLOPES.high)
                .expect("as before");
        }),
        limit: once(pixels),
        expert: None,
    });
}

/// A step of a flow, up to three pixels long.
pub(crate) fn flow(table: &mut Table) {
    const TRIPS: usize = 40;
    /// Three additions, a subtraction and a multiplication for each trip; two interpolations, sources, pushes.
    const OPERATIONS_PER_PIXEL: usize = 5 * TRIPS + 32;
    let side = table.side(2000);
    let waves = |down: f64, across: f64| {
        let at = |place: usize| (place / side, place % side);
        let turn = |i: usize| i as f64 / side as f64 * std::f64::consts::TAU;
        let wave =
            |place| (turn(at(place).0) * down).sin() * (turn(at(place).1) * across + 0.5).cos();
        Vec::from_iter((0..side * side).map(|place| 3.0 * wave(place) as f32))
    };
    let start = &Flow {
        width: side,
        across: waves(2.0, 3.0),
        down: waves(3.0, 1.0),
        pressure: vec![0.0; side * side],
    };
    let argument = |grid| DenseArg::new([side, side], grid).expect("it is square");
    let [across, down, pressure] =
        [&start.across, &start.down, &start.pressure].map(|grid| &grid[..]);
    let ours = || {
        let step = flows::flow(argument(across), argument(down), argument(pressure), TRIPS);
        step.expect("there is memory")
    };
    let (found, wanted) = (ours(), fluid::expert(start, TRIPS));
    let same = found.0.iter().eq(&wanted.across)
        && found.1.iter().eq(&wanted.down)
        && found.2.iter().eq(&wanted.pressure);
    assert!(same, "the program and its rival differ");
    table.row(Row {
        rival: run(|| fluid::expert(start, TRIPS)),
        ours: run(ours),
        limit: Some(Limit::Lanes32((OPERATIONS_PER_PIXEL * side * side) as f64)),
        expert: None,
    });
}
