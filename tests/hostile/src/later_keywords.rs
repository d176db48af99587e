//! `gen`, a keyword of Rust from edition 2024 on, is a name in blocks as any other.

ragged::accel! {
    /// A field.
    #[derive(Debug)]
    pub struct Parts {
        /// The field.
        pub gen: i32,
        /// Another.
        pub other: i32,
    }

    /// The function, a parameter and a local.
    pub fn gen(gen: i32) -> i32 {
        let r#gen = gen + 1;
        gen
    }

    /// A size and a closure's parameter.
    pub fn sizes(xs: [i32; gen]) -> [i32; gen] { xs.map(|gen| next(gen) * len(xs) as i32) }

    fn next(x: i32) -> i32 { gen(x) + Parts { gen: x, other: 1 }.gen }

    /// In and out.
    pub fn parts(gen: [Parts; n]) -> [Parts; n] {
        for Parts { gen, other } in gen { Parts { gen: other, other: gen } }
    }

    /// A type parameter.
    #[instances(i32)]
    pub fn raw<r#gen: Num>(r#gen: [r#gen]) -> r#gen { r#gen.sum() }
}

/// Calls them.
///
/// # Errors
/// None.
pub fn calls() -> ragged::Result<i32> {
    let parts = parts(&[Parts { r#gen: 1, other: 2 }])?;
    let sizes = sizes(&[1, 2])?;
    Ok(r#gen(3)? + parts[0].r#gen + sizes[0] + raw_i32(&sizes)?)
}

pub mod importer {
    //! Imports it.
    ragged::accel! {
        use super::r#gen;
        use super::Parts as Both;

        /// Twice.
        pub fn twice(both: Both) -> i32 { gen(gen(both.gen)) }
    }
}
