//! Kernels some rows ahead of each other against one after the other.

use ragged_core::{
    ArrayOut, Buffer, Cascade, Edged, Failure, Step, Window, cascade_to, write_rows_to,
};

use super::sweeps::{Near, start};
use crate::everywhere;

/// Three kernels, which read one, three and one rows up and down.
struct Chain<'a> {
    x: &'a [i32],
    rows: usize,
    width: usize,
}

impl Chain<'_> {
    fn kernel<'s, const R: usize>(&self, x: &'s [i32], from: usize) -> Near<'s, R> {
        Near {
            x,
            from,
            pad: 0,
            rows: self.rows,
            width: self.width,
            by: R as i32,
            limit: i32::MAX,
        }
    }
}

impl Cascade for Chain<'_> {
    type Out = (i32,);
    type Windows = (Window<(i32,)>, Window<(i32,)>);
    const LEADS: &'static [usize] = &[4, 1, 0];
    const ROUND: bool = false;

    fn cost(&self) -> usize {
        180
    }

    #[inline(always)]
    fn step<const L: usize>(&self, step: &mut Step<Self::Out>, windows: &mut Self::Windows) {
        let (first, second) = windows;
        while step.part(0).is_some() {
            step.window::<L, _>(&self.kernel::<1>(self.x, 0), first);
        }
        let (a,) = first.views();
        while let Some(from) = step.part(1) {
            step.window::<L, _>(&self.kernel::<3>(a, from), second);
        }
        let (b,) = second.views();
        while let Some(from) = step.part(2) {
            step.last::<L, _>(&self.kernel::<1>(b, from));
        }
    }
}

fn alone<K: Edged<Out = (i32,)>>(kernel: &K, [rows, width]: [usize; 2]) -> Vec<i32> {
    let mut out = Buffer::new();
    write_rows_to(kernel, rows * width, width, (ArrayOut::buffer(&mut out),)).expect("no checks");
    out.to_vec()
}

fn together(x: &[i32], [rows, width]: [usize; 2]) -> Result<Vec<i32>, Failure> {
    let mut out = Buffer::new();
    let chain = Chain { x, rows, width };
    cascade_to(&chain, [rows, width], (ArrayOut::buffer(&mut out),))?;
    Ok(out.to_vec())
}

#[test]
fn a_chain_is_one_kernel_after_the_other() {
    for shape in [
        [0, 5],
        [5, 0],
        [1, 1],
        [2, 9],
        [3, 70],
        [70, 3],
        [9, 64],
        [2, 9000],
        [40, 500],
        [500, 40],
        [9000, 2],
        [133, 131],
        [14, 3_000],
        [6, 40_000],
        [1000, 65],
    ] {
        let [rows, width] = shape;
        let x = start(rows * width);
        let chain = Chain { x: &x, rows, width };
        let first = alone(&chain.kernel::<1>(&x, 0), shape);
        let second = alone(&chain.kernel::<3>(&first, 0), shape);
        let expected = Ok(alone(&chain.kernel::<1>(&second, 0), shape));
        everywhere(|| assert_eq!(together(&x, shape), expected, "{shape:?}"));
    }
}

#[test]
fn what_no_memory_holds_is_a_failure() {
    let failed = Err(Failure::OutOfMemory { bytes: usize::MAX });
    assert_eq!(together(&[], [1 << 60, 1 << 8]), failed);
    assert_eq!(together(&[], [usize::MAX, 0]), Ok(Vec::new()));
}

/// Says that its kernels are further behind each other than windows have room for.
struct Unordered<'a>(Chain<'a>);

impl Cascade for Unordered<'_> {
    type Out = (i32,);
    type Windows = (Window<(i32,)>, Window<(i32,)>);
    const LEADS: &'static [usize] = &[1, 40, 0];
    const ROUND: bool = false;

    fn cost(&self) -> usize {
        1
    }

    fn step<const L: usize>(&self, step: &mut Step<Self::Out>, windows: &mut Self::Windows) {
        self.0.step::<L>(step, windows);
    }
}

#[test]
#[should_panic(expected = "rows beyond a window")]
fn leads_in_another_order_are_found() {
    let (rows, width) = (5000, 64);
    let x = start(rows * width);
    let mut out = Buffer::new();
    let chain = Unordered(Chain { x: &x, rows, width });
    let _ = cascade_to(&chain, [rows, width], (ArrayOut::buffer(&mut out),));
}

/// Leaves its last kernel out.
struct Incomplete;

impl Cascade for Incomplete {
    type Out = (i32,);
    type Windows = (Window<(i32,)>,);
    const LEADS: &'static [usize] = &[1, 0];
    const ROUND: bool = false;

    fn cost(&self) -> usize {
        1
    }

    fn step<const L: usize>(&self, _step: &mut Step<Self::Out>, _windows: &mut Self::Windows) {}
}

#[test]
#[should_panic(expected = "rows have been left out")]
fn rows_that_are_left_out_are_found() {
    let mut out = Buffer::new();
    let _ = cascade_to(&Incomplete, [30, 8], (ArrayOut::buffer(&mut out),));
}
