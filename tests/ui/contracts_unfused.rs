//! `#![deny(unfused)]`, and what it is not about.

use ragged::accel;

accel! {
    #![deny(unfused)]

    pub fn total(xs: [f32; n]) -> f32 { xs.map(|x| x * x).sum() }

    pub fn last(xs: [f32; n]) -> f32 {
        let prefix = prefixes(xs);
        prefix.map(|p| p / prefix.last()).sum()
    }

    #[allow(unfused)]
    pub fn some(xs: [f32; n]) -> f32 {
        let prefix = prefixes(xs);
        prefix.map(|p| p / prefix.last()).sum()
    }

    fn prefixes(xs: [f32; n]) -> [f32; n] { xs.scan(|a, b| a + b) }
}

fn main() {}
