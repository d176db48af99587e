//! Scalars as keys.
//!
//! In: a scalar. Out: a number without a sign, in the order of the language. Assumes: nothing.

use super::items::Item;
use crate::rows::Zeroed;

/// A scalar of the language as a key. Sealed: code rests on it that its bits do not change.
pub trait Key: Zeroed {
    /// Numbers without a sign, in the order of the keys.
    type Bits: Item + Key<Bits = Self::Bits>;
    /// How many of the lowest of `Item::bits` are used.
    const BITS: u32;
    /// That of the greatest number.
    const GREATEST: Self;
    /// The number of a key.
    fn to_bits(self) -> Self::Bits;
    /// The key of a number.
    fn of_bits(bits: Self::Bits) -> Self;
    /// The key of a number that has more bits.
    fn of_number(number: u64) -> Self;
}

macro_rules! keys {
    ($($t:ty as $bits:ty, $count:block, $it:ident => $to:expr, $of:expr;)*) => { $(
        impl Key for $t {
            type Bits = $bits;
            const BITS: u32 = $count;
            const GREATEST: $t = {
                let $it = <$bits>::MAX;
                $of
            };

            #[inline(always)]
            fn to_bits(self) -> $bits {
                let $it = self;
                $to
            }

            #[inline(always)]
            fn of_bits($it: $bits) -> $t {
                $of
            }

            #[inline(always)]
            fn of_number(number: u64) -> $t {
                Self::of_bits(number as $bits)
            }
        }
    )* };
}

/// Integers: those with a sign have it turned round, so that what is negative is before what is not.
macro_rules! integers {
    ($($t:ty as $bits:ty;)*) => {
        keys! { $(
            $t as $bits, { <$bits>::BITS }, it =>
                it as $bits ^ <$t>::MIN as $bits,
                (it ^ <$t>::MIN as $bits) as $t;
        )* }
    };
}

/// Floats: of what has a sign all bits are turned round, so that the order of the others is, and it is
/// before what has none, whose first bit is turned round. The order of `total_cmp`.
macro_rules! floats {
    ($($t:ty as $bits:ty, $signed:ty;)*) => {
        keys! { $(
            $t as $bits, { <$bits>::BITS }, it => {
                let bits = it.to_bits();
                bits ^ ((bits as $signed >> (<$bits>::BITS - 1)) as $bits | <$signed>::MIN as $bits)
            }, <$t>::from_bits(
                it ^ ((!it as $signed >> (<$bits>::BITS - 1)) as $bits | <$signed>::MIN as $bits)
            );
        )* }
    };
}

keys! { bool as u8, { 1 }, it => u8::from(it), it != 0; }

integers! {
    u8 as u8;
    u16 as u16;
    u32 as u32;
    u64 as u64;
    usize as u64;
    i8 as u8;
    i16 as u16;
    i32 as u32;
    i64 as u64;
}

floats! {
    f32 as u32, i32;
    f64 as u64, i64;
}

#[cfg(feature = "half")]
floats! {
    half::f16 as u16, i16;
    half::bf16 as u16, i16;
}
