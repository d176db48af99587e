//! Structs that several blocks share: one Rust type for all.

/// Declared in Rust; blocks declare it again.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Body {
    /// Where.
    pub at: [f64; 2],
    /// How heavy.
    pub mass: f64,
}

pub mod geometry {
    //! Declares them.
    ragged::accel! {
        /// A place.
        #[derive(Debug, PartialEq)]
        pub struct Point {
            /// `x`.
            pub x: f64,
            /// `y`.
            pub y: f64,
        }

        /// From one place to another.
        #[derive(Debug, PartialEq)]
        pub struct Line {
            /// `from`.
            pub from: Point,
            /// `to`.
            pub to: Point,
        }

        // Of the name of a function.
        #[allow(non_camel_case_types)]
        struct weigh { by: f64 }

        // It stays inside of blocks.
        struct Mesh { points: [Point], weights: [f64] }

        fn weigh(x: f64, w: weigh) -> f64 { x * w.by }

        /// Half-way.
        pub fn middle(line: Line) -> Point {
            Point { x: (line.from.x + line.to.x) / 2.0, y: (line.from.y + line.to.y) / 2.0 }
        }

        /// To the right.
        pub fn moved(p: Point, by: f64) -> Point { Point { x: p.x + weigh(by, weigh { by: 1.0 }), ..p } }

        /// All with weight 2.
        pub fn mesh(points: [Point]) -> Mesh {
            let weights = fill(2.0, points.len());
            Mesh { points, weights }
        }

        /// Their sum.
        pub fn weight(mesh: Mesh) -> f64 { mesh.weights.sum() }
    }
}

pub mod bodies {
    //! Declares a struct of Rust, and one that holds it.
    ragged::accel! {
        #[element(crate::structs::Body)]
        struct Body { at: [f64; 2], mass: f64 }

        /// Two of them.
        pub struct Pair {
            /// `a`.
            pub a: Body,
            /// `b`.
            pub b: Body,
        }

        /// Of both.
        pub fn mass(pair: Pair) -> f64 { pair.a.mass + pair.b.mass }

        /// To the right.
        pub fn shifted(body: Body) -> Body { Body { at: [body.at[0] + 1.0, body.at[1]], ..body } }
    }
}

pub mod named {
    //! Imports by name: values are made, read, passed and returned.
    use super::geometry::{Line, Point};

    ragged::accel! {
        use super::geometry::{Line, Point, middle, moved as shifted};

        /// With a weight.
        #[derive(Debug, PartialEq)]
        pub struct Heavy {
            /// `at`.
            pub at: Point,
            /// `weight`.
            pub weight: f64,
        }

        /// Between neighbours.
        pub fn middles(points: [Point]) -> [Point] {
            points.pairwise(|from, to| middle(Line { from, to }))
        }

        /// In a struct of this block.
        pub fn heavy(line: Line, weight: f64) -> Heavy { Heavy { at: shifted(line.to, 1.0), weight } }
    }

    /// Rust's type is one and the same.
    #[must_use]
    pub fn line() -> Line {
        let from = Point { x: 0.0, y: 2.0 };
        Line { from, to: from }
    }
}

pub mod renamed {
    //! Another name; the block has a struct of the first one.
    ragged::accel! {
        use crate::structs::geometry::{Line as L, Point as Place, middle};

        struct Point { x: f64 }

        /// Picks by the block's own struct.
        pub fn left(lines: [L; n]) -> [Place; n] {
            for l in lines {
                let p = Point { x: min(l.from.x, l.to.x) };
                Place { x: p.x, ..middle(l) }
            }
        }

        /// Named after the import.
        #[instances(Place)]
        pub fn first<T>(xs: [T]) -> T { xs[0] }
    }
}

pub mod unnamed {
    //! Values go from one function of a block to another without a name for their type.
    ragged::accel! {
        use super::geometry::{Point, mesh, moved, weight};
        use super::bodies::shifted;

        #[element(crate::structs::Body)]
        struct Body { at: [f64; 2], mass: f64 }

        /// Through a struct with arrays.
        pub fn weights(points: [Point]) -> f64 { weight(mesh(points.map(|p| moved(moved(p, 1.0), 2.0)))) }

        /// A struct of Rust that both blocks declare.
        pub fn twice(body: Body) -> Body { shifted(shifted(Body { mass: 1.0, ..body })) }
    }
}

pub mod unnamed_chain {
    //! Imports a struct, and is imported.
    ragged::accel! {
        use super::geometry::{Line, Point, middle};

        /// From there to the origin, half of it.
        pub fn spread(x: f64) -> f64 {
            let p = Point { x, y: 0.0 };
            middle(Line { from: p, to: Point { x: 0.0, ..p } }).x
        }
    }
}

pub mod inside {
    //! A struct with arrays in it, and one with a struct of Rust.
    ragged::accel! {
        use super::bodies::{Pair, mass};
        use super::unnamed_chain::spread;

        /// Both.
        pub fn masses(pairs: [Pair; n]) -> [f64; n] { for p in pairs { mass(p) + p.a.at[1] } }

        /// What another block imports is not seen here.
        pub fn spreads(xs: [f64; n]) -> [f64; n] { for x in xs { spread(x) } }
    }
}
