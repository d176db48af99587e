//! What Rust's parser expects, and words of other languages.

use ragged::accel;

accel! {
    pub fn no_type(x: ) -> f32 { x }

    pub fn number_type(x: 32) -> f32 { 1.0 }

    pub fn no_pattern(x: f32) -> f32 { let = x; x }

    pub fn no_braces(x: f32) -> f32 = x + 1.0;

    pub fn no_semicolon(x: f32) -> f32 { let y = x + 1.0 y }

    pub fn if_without(x: f32) -> f32 { if x > 0.0 x else { 0.0 } }

    pub fn alternative(a: bool, b: bool) -> bool { a or b }

    pub fn negation(a: bool) -> bool { not a }

    pub fn variable(x: f32) -> f32 { var y = x; y }

    pub fn anonymous(xs: [f32]) -> [f32] { xs.map(lambda x: x + 1.0) }

    pub fn otherwise(x: f32) -> f32 { if x > 1.0 { 1.0 } elif x > 0.0 { x } else { 0.0 } }
}

fn main() {}
