//! Functions and closures that grow with each use.

use ragged::accel;

accel! {
    fn noise(x: f32) -> f32 { fract(sin(x) * 43758.547) }

    fn octaves_1(x: f32) -> f32 { noise(x) + noise(2.0 * x) + noise(3.0 * x) + noise(5.0 * x) }

    fn octaves_2(x: f32) -> f32 { octaves_1(x) + octaves_1(x + 1.0) + octaves_1(x + 2.0) + octaves_1(x + 3.0) }

    fn octaves_3(x: f32) -> f32 { octaves_2(x) + octaves_2(x + 1.0) + octaves_2(x + 2.0) + octaves_2(x + 3.0) }

    fn octaves_4(x: f32) -> f32 { octaves_3(x) + octaves_3(x + 1.0) + octaves_3(x + 2.0) + octaves_3(x + 3.0) }

    fn octaves_5(x: f32) -> f32 { octaves_4(x) + octaves_4(x + 1.0) + octaves_4(x + 2.0) + octaves_4(x + 3.0) }

    fn octaves_6(x: f32) -> f32 { octaves_5(x) + octaves_5(x + 1.0) + octaves_5(x + 2.0) + octaves_5(x + 3.0) }

    fn octaves_7(x: f32) -> f32 { octaves_6(x) + octaves_6(x + 1.0) + octaves_6(x + 2.0) + octaves_6(x + 3.0) }

    pub fn turbulence(x: f32) -> f32 { octaves_7(x) + octaves_7(x + 1.0) + octaves_7(x + 2.0) + octaves_7(x + 3.0) }
}

accel! {
    pub fn turbulence_of_closures(x: f32) -> f32 {
        let noise = |x: f32| fract(sin(x) * 43758.547);
        let octaves_1 = |x| noise(x) + noise(2.0 * x) + noise(3.0 * x) + noise(5.0 * x);
        let octaves_2 = |x| octaves_1(x) + octaves_1(x + 1.0) + octaves_1(x + 2.0) + octaves_1(x + 3.0);
        let octaves_3 = |x| octaves_2(x) + octaves_2(x + 1.0) + octaves_2(x + 2.0) + octaves_2(x + 3.0);
        let octaves_4 = |x| octaves_3(x) + octaves_3(x + 1.0) + octaves_3(x + 2.0) + octaves_3(x + 3.0);
        octaves_4(x) + octaves_4(x + 1.0) + octaves_4(x + 2.0) + octaves_4(x + 3.0)
    }
}

fn main() {}
