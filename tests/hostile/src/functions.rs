//! Blocks inside functions: plain, generic, methods, closures, constants.

/// Has methods with blocks in them.
#[derive(Clone, Copy, Debug)]
pub struct Scale(
    /// The factor.
    pub f64,
);

impl Scale {
    /// A block in a method that has a `self` and a `Self`.
    ///
    /// # Errors
    /// None.
    pub fn apply(self, xs: &[f64]) -> ragged::Result<Vec<f64>> {
        ragged::accel! {
            fn twice(x: f64) -> f64 { x + x }
            pub fn scaled(xs: [f64], k: f64) -> [f64] { for x in xs { twice(k * x) } }
        }
        scaled(xs, self.0)
    }
}

/// A block in a generic function.
///
/// # Errors
/// None.
pub fn generic<'a, T, const N: usize>(values: &'a [T; N]) -> ragged::Result<u64>
where
    T: Copy + Into<u64> + 'a,
{
    ragged::accel! {
        pub fn total(xs: [u64; n]) -> u64 { xs.sum() }
    }
    let values: Vec<u64> = values.iter().map(|value| (*value).into()).collect();
    total(&values)
}

/// A block in a closure, in a loop.
#[must_use]
pub fn closure(count: usize) -> usize {
    let run = |n: usize| {
        ragged::accel! {
            pub fn below(n: usize) -> usize { (0..n).sum() }
        }
        below(n).unwrap_or(0)
    };
    (0..count).map(run).sum()
}

/// A block in the block of a constant, used through a function pointer.
pub const ADD: fn(i32, i32) -> ragged::Result<i32> = {
    ragged::accel! {
        pub fn add(a: i32, b: i32) -> i32 { a + b }
    }
    add
};

/// A block before the first statement, and one after; the same names twice.
///
/// # Errors
/// None.
pub fn twice() -> ragged::Result<(i32, i32)> {
    let first = {
        ragged::accel! { pub fn one() -> i32 { 1 } }
        one()?
    };
    ragged::accel! { pub fn one() -> i32 { 2 } }
    Ok((first, one()?))
}

#[test]
fn run() {
    assert_eq!(Scale(3.0).apply(&[1.0]), Ok(vec![6.0]));
    assert_eq!(generic(&[1u8, 2]), Ok(3));
    assert_eq!(closure(4), 4);
    assert_eq!(ADD(1, 2), Ok(3));
    assert_eq!(twice(), Ok((1, 2)));
}
