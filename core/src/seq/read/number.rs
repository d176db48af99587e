//! Numbers as they lie in files.
//!
//! In: bytes. Out: numbers.
//! Assumes: nothing.

/// A scalar number of which any bits of its size are a value: integers, floats, and with their
/// features floats of 16 bits and complex numbers. (Not `bool` and `char`, which have bits that are
/// none.)
///
/// # Safety
///
/// Any bits are a value, and there is no padding.
pub unsafe trait Number: Copy + Default + Send + Sync + 'static {
    /// The number that these bytes are, the lowest first (little-endian). Complex numbers are their
    /// real part first.
    ///
    /// Panics if there are not as many as the number has.
    fn from_little_endian(bytes: &[u8]) -> Self;
}

macro_rules! numbers {
    ($($ty:ty),* $(,)?) => { $(
        // SAFETY: integers and floats have no padding, and all bits of them are values.
        unsafe impl Number for $ty {
            #[inline]
            fn from_little_endian(bytes: &[u8]) -> Self {
                let bytes = bytes.try_into().expect("as many bytes as a number has");
                <$ty>::from_le_bytes(bytes)
            }
        }
    )* };
}

numbers!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64);
#[cfg(feature = "half")]
numbers!(half::f16, half::bf16);

#[cfg(feature = "complex")]
macro_rules! complex {
    ($($ty:ty),*) => { $(
        // SAFETY: two floats behind each other (`repr(C)`), without padding.
        unsafe impl Number for num_complex::Complex<$ty> {
            #[inline]
            fn from_little_endian(bytes: &[u8]) -> Self {
                let (re, im) = bytes.split_at(size_of::<$ty>());
                num_complex::Complex {
                    re: <$ty>::from_little_endian(re),
                    im: <$ty>::from_little_endian(im),
                }
            }
        }
    )* };
}

#[cfg(feature = "complex")]
complex!(f32, f64);
