//! `accel!` under other names, and inside of `macro_rules!`.

pub mod inner {
    //! Renamed.
    use ragged::accel as compute;

    compute! {
        /// The largest.
        pub fn largest(xs: [i32]) -> i32 { xs.max() }
    }
}

pub use inner::largest;

macro_rules! scaled {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($k:expr) -> $ty:ty) => {
        ragged::accel! {
            $(#[$meta])*
            $vis fn $name(xs: [$ty; n]) -> [$ty; n] { for x in xs { x * $k } }
        }
    };
}

scaled! {
    /// Three times.
    pub fn triple(3.0) -> f32
}

scaled! {
    /// A constant expression.
    pub(crate) fn sevenfold(1 + 2 * 3) -> i64
}

macro_rules! items {
    ($($item:item)*) => { ragged::accel! { $($item)* } };
}

items! {
    /// Through `item` fragments.
    pub fn shifted(xs: [i32]) -> [i32] { helper(xs) }

    fn helper(xs: [i32]) -> [i32] { for x in xs { x + 1 } }
}

#[test]
fn run() {
    assert_eq!(largest(&[1, 3, 2]), Ok(3));
    assert_eq!(triple(&[1.0]), Ok(vec![3.0]));
    assert_eq!(sevenfold(&[1]), Ok(vec![7]));
    assert_eq!(shifted(&[1]), Ok(vec![2]));
}
