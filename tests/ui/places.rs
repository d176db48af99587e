//! Blocks in odd places, and blocks with odd text in them.

fn main() {
    let x = ragged::accel! { pub fn f(x: f32) -> f32 { x } };

    ragged::accel! { let x = 1; }

    ragged::accel! { hello world }

    ragged::accel! {
        pub fn g(x: f32) -> f32 { x. }
        pub fn h(x: f32) -> f32
    }
}
