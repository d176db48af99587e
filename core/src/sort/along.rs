//! What moves along with a key.
//!
//! In: scalars. Out: their bits as one number, and items that hold it below the key. Assumes: nothing.

use super::items::Item;

/// Scalars, as the lowest bits of a number.
pub trait Along: Copy {
    /// How many bits.
    const BITS: u32;
    /// As a number, all other bits of which are 0.
    fn pack(self) -> u128;
    /// Of the lowest bits of a number.
    fn unpack(bits: u128) -> Self;
}

macro_rules! scalars {
    ($($t:ty as $bits:ty, $it:ident => $to:expr, $of:expr;)*) => { $(
        impl Along for $t {
            const BITS: u32 = <$bits>::BITS;

            #[inline(always)]
            fn pack(self) -> u128 {
                let $it = self;
                u128::from($to)
            }

            #[inline(always)]
            fn unpack(bits: u128) -> Self {
                let $it = bits as $bits;
                $of
            }
        }
    )* };
}

macro_rules! integers {
    ($($t:ty as $bits:ty;)*) => {
        scalars! { $( $t as $bits, it => it as $bits, it as $t; )* }
    };
}

macro_rules! floats {
    ($($t:ty as $bits:ty;)*) => {
        scalars! { $( $t as $bits, it => it.to_bits(), <$t>::from_bits(it); )* }
    };
}

scalars! { bool as u8, it => u8::from(it), it != 0; }

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
    f32 as u32;
    f64 as u64;
}

#[cfg(feature = "half")]
floats! {
    half::f16 as u16;
    half::bf16 as u16;
}

/// Products, the first component lowest.
macro_rules! products {
    ($($T:ident $i:tt),*) => {
        #[allow(non_snake_case, reason = "components are called as their types")]
        impl<$($T: Along),*> Along for ($($T,)*) {
            const BITS: u32 = 0 $(+ $T::BITS)*;

            #[inline(always)]
            fn pack(self) -> u128 {
                let (bits, _low) = (0, 0);
                $(let (bits, _low) = (bits | self.$i.pack() << _low, _low + $T::BITS);)*
                bits
            }

            #[inline(always)]
            fn unpack(bits: u128) -> Self {
                let _low = 0;
                $(let ($T, _low) = ($T::unpack(bits >> _low), _low + $T::BITS);)*
                ($($T,)*)
            }
        }
    };
}

impl Along for () {
    const BITS: u32 = 0;

    #[inline(always)]
    fn pack(self) -> u128 {
        0
    }

    #[inline(always)]
    fn unpack(_: u128) -> Self {}
}

products!(A 0);
products!(A 0, B 1);
products!(A 0, B 1, C 2);
products!(A 0, B 1, C 2, D 3);
products!(A 0, B 1, C 2, D 3, E 4);
products!(A 0, B 1, C 2, D 3, E 4, F 5);

/// An item that holds what moves along with its key.
pub(super) trait Laden: Item {
    /// Bits of keys, and of what moves along.
    const ROOM: (u32, u32);
    /// Of a key and what moves along.
    fn new(key: u64, along: u128) -> Self;
    /// What moves along.
    fn along(self) -> u128;
}

macro_rules! laden {
    ($($(#[$about:meta])* $name:ident($($t:ty)*), $room:expr, $last:expr;
        $it:ident => $bits:expr, $along:expr; ($key:ident, $load:ident) => $new:expr;)*) => { $(
        $(#[$about])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub(super) struct $name($($t)*);

        impl Item for $name {
            const LAST: Self = $name($last);
            const ALIKE: bool = false;

            #[inline(always)]
            fn bits(self) -> u64 {
                let $it = self.0;
                $bits
            }
        }

        impl Laden for $name {
            const ROOM: (u32, u32) = $room;

            #[inline(always)]
            fn new($key: u64, $load: u128) -> Self {
                $name($new)
            }

            #[inline(always)]
            fn along(self) -> u128 {
                let $it = self.0;
                $along
            }
        }
    )* };
}

laden! {
    /// Both of at most 32 bits.
    Short(u64), (32, 32), u64::MAX;
    it => it >> 32, u128::from(it as u32);
    (key, load) => key << 32 | load as u64;
    /// Both of at most 64 bits.
    Long([u64; 2]), (64, 64), [u64::MAX; 2];
    it => it[0], u128::from(it[1]);
    (key, load) => [key, load as u64];
    /// Twice as much moves along; the last word is for want of padding.
    Longest([u64; 4]), (64, 128), [u64::MAX; 4];
    it => it[0], u128::from(it[1]) | u128::from(it[2]) << 64;
    (key, load) => [key, load as u64, (load >> 64) as u64, 0];
}
