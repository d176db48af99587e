//! A struct from outside that is not there.

use ragged::accel;

accel! {
    #[element(crate::Nowhere)]
    struct Nowhere { x: f32 }
    pub fn nowhere(ps: [Nowhere]) -> [f32] { ps.map(|p| p.x + 1.0) }
}

fn main() {}
