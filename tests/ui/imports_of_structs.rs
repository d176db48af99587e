//! Structs of other blocks that cannot be used as written.

/// Declared in Rust.
#[derive(Clone, Copy, Default)]
pub struct Body {
    pub mass: f32,
}

pub mod shapes {
    use super::Body;

    ragged::accel! {
        #[derive(Debug)]
        pub struct Point { pub x: f32, pub y: f32 }

        pub struct Line { pub from: Point, pub to: Point }

        struct Private { x: f32 }

        #[element(Body)]
        struct Body { mass: f32 }

        pub struct Pair { pub a: Body, pub b: Body }

        pub fn norm(p: Point) -> f32 { sqrt(p.x * p.x + p.y * p.y) }

        pub fn hidden(x: f32) -> f32 { Private { x }.x }
    }
}

mod own_declaration {
    ragged::accel! {
        use crate::shapes::norm;

        struct Point { x: f32, y: f32 }

        pub fn a(x: f32) -> f32 { norm(Point { x, y: 1.0 }) }
    }
}

mod no_name {
    ragged::accel! {
        use crate::shapes::norm;

        pub fn b(points: [Point]) -> f32 { norm(points[0]) }

        pub fn c(x: f32) -> f32 { norm(Point { x, y: 1.0 }) }
    }
}

mod through_another {
    pub mod middle {
        ragged::accel! {
            use crate::shapes::{Point, norm};

            pub fn between(x: f32) -> f32 { norm(Point { x, y: 1.0 }) }
        }
    }

    ragged::accel! {
        use self::middle::between;

        pub fn d(x: f32) -> f32 { between(Point { x, y: 1.0 }.x) }
    }
}

mod not_all {
    ragged::accel! {
        use crate::shapes::Line;

        pub fn e(line: Line) -> f32 { line.from.x }
    }
}

mod path_from_elsewhere {
    ragged::accel! {
        use crate::shapes::Pair;

        pub fn f(pair: Pair) -> f32 { pair.a.mass }
    }
}

mod private_struct {
    ragged::accel! {
        use crate::shapes::Private;

        pub fn i(x: f32) -> f32 { Private { x }.x }
    }
}

mod twice {
    ragged::accel! {
        use crate::shapes::Point;

        struct Point { x: f32 }

        pub fn j(x: f32) -> f32 { Point { x }.x }
    }
}

mod of_rust {
    ragged::accel! {
        use crate::Body;

        pub fn k(body: Body) -> f32 { body.mass }
    }
}

pub mod broken {
    ragged::accel! {
        pub struct Broken { pub x: f32 }

        pub fn l(x: f32) -> f32 { x + y }
    }
}

mod after_broken {
    ragged::accel! {
        use crate::broken::Broken;
        use crate::shapes::Point;

        pub fn m(all: [Broken; n], point: Point) -> [Broken; n] { all }
    }
}

fn main() -> ragged::Result<()> {
    let all = after_broken::m(&[broken::Broken { x: 1.0 }], shapes::Point { x: 1.0, y: 1.0 })?;
    let _x: f32 = all[0].x;
    Ok(())
}
