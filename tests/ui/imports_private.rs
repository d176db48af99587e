//! A struct whose fields Rust hides from the block that imports it.

pub mod shapes {
    ragged::accel! {
        pub struct Closed { x: f32, pub y: f32 }

        pub fn closed(x: f32) -> Closed { Closed { x, y: 1.0 } }

        pub fn of_closed(c: Closed) -> f32 { c.x }
    }
}

mod private_fields {
    ragged::accel! {
        use crate::shapes::{Closed, closed, of_closed};

        pub fn g(c: Closed) -> f32 { of_closed(c) }
    }
}

// It need not be imported by name to go from one function to another.
mod private_fields_inside {
    ragged::accel! {
        use crate::shapes::{closed, of_closed};

        pub fn h(x: f32) -> f32 { of_closed(closed(x)) }
    }
}

fn main() {}
