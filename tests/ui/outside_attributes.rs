//! Structs from outside: what the block says itself.

use ragged::accel;

#[derive(Clone, Copy, Default)]
pub struct P {
    pub x: f32,
}

accel! {
    #[element]
    struct NoPath { x: f32 }

    #[element("crate::P")]
    struct Text { x: f32 }

    #[element(P)]
    #[element(crate::P)]
    struct Twice { x: f32 }

    #[element(P)]
    #[derive(Debug)]
    struct Derives {
        #[serde(skip)]
        x: f32,
    }

    #[element(P)]
    pub fn function(x: f32) -> f32 { x }
}

accel! {
    #[element(crate::Mesh)]
    struct Mesh { points: [f32], count: usize }

    pub fn count(mesh: Mesh) -> usize { mesh.count }

    struct Pair { both: [f32; 2] }

    #[element(crate::Edge)]
    struct Edge { ends: [Pair; 2] }
}

fn main() {
    let _ = function(1.0);
    let _ = count(2);
}
