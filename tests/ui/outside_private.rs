//! A struct from outside whose fields are its own business.

use ragged::accel;

mod outside {
    #[derive(Clone, Copy, Default)]
    pub struct Private {
        x: f32,
    }

    impl Private {
        pub fn get(self) -> f32 {
            self.x
        }
    }
}

accel! {
    #[element(crate::outside::Private)]
    struct Private { x: f32 }
    pub fn private(ps: [Private]) -> [f32] { ps.map(|p| p.x + 1.0) }
}

fn main() {
    let _ = outside::Private::default().get();
}
