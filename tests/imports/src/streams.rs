//! Functions over sequences: `again` uses `frames`, which uses `library`.

pub mod library {
    //! What the others import.
    ragged::accel! {
        /// From where to where.
        pub struct Extent {
            /// The least.
            pub low: f32,
            /// The greatest.
            pub high: f32,
        }

        fn square(x: f32) -> f32 { x * x }

        /// A sequence of a sequence.
        pub fn energies(frames: Seq<[f32]>) -> Seq<f32> { frames.map(|xs| xs.map(square).sum()) }

        /// A value of a sequence.
        pub fn extent(xs: Seq<f32>) -> Extent { Extent { low: xs.min_or(0.0), high: xs.max_or(0.0) } }

        /// A sequence of a number.
        pub fn evens(n: usize) -> Seq<usize> { produce(n, |i| 2 * i) }

        /// May fail.
        pub fn quotients(xs: Seq<i32>, by: i32) -> Seq<i32> { xs.map(|x| x / by) }

        /// Rows of one length, and an array beside them.
        pub fn weighted(rows: Seq<[f32; n]>, ws: [f32; n]) -> Seq<f32> {
            rows.map(|row| zip(row, ws).map(|(x, w)| x * w).sum())
        }
    }
}

pub mod frames {
    //! Its own `square` is another one.
    ragged::accel! {
        use super::library::{Extent, energies, evens as even_numbers, extent, quotients, weighted};

        fn square(x: f32) -> f32 { 100.0 * x }

        /// In the middle of a sequence.
        pub fn loud(frames: Seq<[f32]>, least: f32) -> Seq<f32> {
            energies(frames).filter(|e| e >= least).map(square)
        }

        /// One imported function behind the other, and a struct.
        pub fn range(frames: Seq<[f32]>) -> Extent {
            let all = extent(energies(frames));
            Extent { low: all.low, high: all.high - all.low }
        }

        /// Under another name.
        pub fn numbered(frames: Seq<[f32]>) -> Seq<(usize, f32)> {
            zip(even_numbers(3), energies(frames))
        }

        /// Fails over there.
        pub fn shares(xs: Seq<i32>, by: i32) -> Seq<i32> { quotients(xs.map(|x| x + 1), by) }

        /// Two sequences of one, in one pass.
        pub fn means(rows: Seq<[f32; n]>, ws: [f32; n]) -> (f32, f32) {
            (weighted(rows, ws).sum(), weighted(rows, ws.map(|w| w + 1.0)).sum())
        }

        /// An array as a sequence.
        pub fn of_matrix(m: [[f32; k]; n]) -> Extent { extent(m.stream().map(|row| row.sum())) }
    }
}

pub mod again {
    //! What imports is imported.
    ragged::accel! {
        use super::frames::loud;

        /// How many are loud.
        pub fn count(frames: Seq<[f32]>, least: f32) -> usize { loud(frames, least).count(|_| true) }
    }
}
