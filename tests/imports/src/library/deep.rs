//! A function deeper down.

ragged::accel! {
    const SCALE: f32 = 10.0;

    fn helper(x: f32) -> f32 { x * SCALE }

    /// With a helper of the name of another block's.
    pub fn ten_times(xs: [f32; n]) -> [f32; n] { xs.map(helper) }
}
