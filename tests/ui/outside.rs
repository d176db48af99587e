//! Structs from outside whose two declarations differ: rustc's messages, at the block's tokens.

use ragged::accel;

mod outside {
    #[derive(Clone, Copy, Default)]
    pub struct Wide {
        pub x: f64,
    }

    #[derive(Clone, Copy, Default)]
    pub struct More {
        pub x: f32,
        pub mass: f32,
    }

    #[derive(Clone, Copy, Default)]
    pub struct Other {
        pub y: f32,
    }

    #[derive(Clone, Default)]
    pub struct NotCopy {
        pub x: f32,
    }

    #[derive(Clone, Copy)]
    pub struct NoDefault {
        pub x: f32,
    }

    #[derive(Clone, Copy, Default)]
    pub struct Tuple(pub f32);

    #[derive(Clone, Copy, Default)]
    pub struct Generic<T> {
        pub x: T,
    }

    #[derive(Clone, Copy, Default)]
    pub struct Vector {
        pub pos: [f32; 3],
    }
}

accel! {
    #[element(crate::outside::Wide)]
    struct Wide { x: f32 }
    pub fn wide(ps: [Wide]) -> [Wide] { ps.map(|p| Wide { x: p.x + 1.0 }) }
}

accel! {
    #[element(crate::outside::More)]
    struct More { x: f32 }
    pub fn more(ps: [More]) -> [f32] { ps.map(|p| p.x + 1.0) }
}

accel! {
    #[element(crate::outside::Other)]
    struct Other { x: f32 }
    pub fn other(ps: [Other]) -> [f32] { ps.map(|p| p.x + 1.0) }
}

accel! {
    #[element(crate::outside::Tuple)]
    struct Tuple { x: f32 }
    pub fn tuple(ps: [Tuple]) -> [f32] { ps.map(|p| p.x + 1.0) }
}

accel! {
    #[element(crate::outside::Generic<i32>)]
    struct Generic { x: f32 }
    pub fn generic(ps: [Generic]) -> [f32] { ps.map(|p| p.x + 1.0) }
}

accel! {
    #[element(crate::outside::NotCopy)]
    struct NotCopy { x: f32 }
    pub fn not_copy(ps: [NotCopy]) -> [f32] { ps.map(|p| p.x + 1.0) }
}

accel! {
    #[element(crate::outside::NoDefault)]
    struct NoDefault { x: f32 }
    pub fn no_default(ps: [NoDefault]) -> [NoDefault] { ps.map(|p| NoDefault { x: p.x + 1.0 }) }
}

accel! {
    #[element(crate::outside::Vector)]
    struct Vector { pos: [f32; 4] }
    pub fn vector(ps: [Vector]) -> [Vector] { ps.map(|p| Vector { pos: p.pos.rev() }) }
}

fn main() {}
