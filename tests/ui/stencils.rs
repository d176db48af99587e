//! Mistakes with stencils.

use ragged::accel;

accel! {
    const HALF: f64 = 0.5;

    pub fn no_boundary(xs: [f32]) -> [f32] { xs.stencil(|at| at(-1) + at(1)) }

    pub fn unknown_boundary(xs: [f32]) -> [f32] { xs.stencil(reflect, |at| at(-1) + at(1)) }

    pub fn bare_fill(xs: [f32]) -> [f32] { xs.stencil(fill, |at| at(-1) + at(1)) }

    pub fn fill_of_another_type(xs: [f32]) -> [f32] { xs.stencil(fill(true), |at| at(-1) + at(1)) }

    pub fn neighbours_as_parameters(xs: [f32]) -> [f32] { xs.stencil(wrap, |a, b, c| a + b + c) }

    pub fn no_closure(xs: [f32]) -> [f32] { xs.stencil(wrap, sqrt) }

    pub fn too_many_offsets(xs: [f32]) -> [f32] { xs.stencil(clamp, |at| at(0, 1)) }

    pub fn different_offsets(a: [[f32; m]; n]) -> [[f32; m]; n] { a.stencil(clamp, |at| at(0, 1) + at(1)) }

    pub fn no_offsets(xs: [f32]) -> [f32] { xs.stencil(clamp, |at| at()) }

    pub fn offset_of_a_variable(xs: [f32], k: i64) -> [f32] { xs.stencil(clamp, |at| at(k)) }

    pub fn offset_of_a_loop(xs: [f32]) -> [f32] {
        xs.stencil(clamp, |at| { let mut s = 0.0; for k in 0..3 { s += at(k); } s })
    }

    pub fn broken_offset(xs: [f32]) -> [f32] { xs.stencil(clamp, |at| at(HALF) + at(0.5)) }

    pub fn far_offset(xs: [f32]) -> [f32] { xs.stencil(clamp, |at| at(-5_000_000)) }

    pub fn looks_at_nothing(xs: [f32]) -> [f32] { xs.stencil(clamp, |at| 1.0) }

    pub fn passes_it_on(xs: [f32]) -> [f32] { xs.stencil(clamp, |at| (0..3).map(at).sum()) }

    pub fn is_no_value(xs: [f32]) -> [f32] { xs.stencil(clamp, |at| at + 1.0) }

    pub fn of_a_number(x: f32) -> f32 { x.stencil(clamp, |at| at(1)) }
}

fn main() {}
