//! A struct that Rust has already.

/// Of a crate that has never heard of `ragged`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sample {
    /// When.
    pub at: u64,
    /// How much.
    pub value: f32,
}

ragged::accel! {
    #[element(Sample)]
    struct Reading { at: u64, value: f32 }

    /// Later by `n` ticks.
    pub fn later(rs: [Reading], n: u64) -> [Reading] { rs.map(|r| Reading { at: r.at + n, ..r }) }

    /// The first of them.
    pub fn first(rs: [Reading]) -> Reading { rs.first() }
}
