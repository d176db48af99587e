//! Elements whose bits can be compared, and kernels that read, combine and check them.

use ragged_core::{Combine, Element, Flag, Fold, Kernel, Operator, Product, load};

/// An element with an operator, and a way to make it up.
pub trait Value: Element {
    type Bits: PartialEq + std::fmt::Debug + Send + Sync;
    const OPERATOR: Operator = Operator::Add;
    fn bits(self) -> Self::Bits;
    fn made_up(i: usize) -> Self;
    fn neutral() -> Self;
    fn add(self, other: Self) -> Self;
}

fn scrambled(i: usize) -> u64 {
    (i as u64)
        .wrapping_add(1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(29)
}

macro_rules! int {
    ($($t:ty)*) => { $(
        impl Value for $t {
            type Bits = $t;
            fn bits(self) -> $t {
                self
            }
            fn made_up(i: usize) -> $t {
                scrambled(i) as $t
            }
            fn neutral() -> $t {
                0
            }
            #[inline(always)]
            fn add(self, other: $t) -> $t {
                self.wrapping_add(other)
            }
        }
    )* };
}
int!(i8 u8 u16 i32 u64 usize i64);

macro_rules! float {
    ($($t:ty)*) => { $(
        impl Value for $t {
            type Bits = u64;
            fn bits(self) -> u64 {
                self.to_bits() as u64
            }
            fn made_up(i: usize) -> $t {
                (scrambled(i) >> 40) as $t / 12345.0 - 600.0
            }
            fn neutral() -> $t {
                -0.0
            }
            #[inline(always)]
            fn add(self, other: $t) -> $t {
                self + other
            }
        }
    )* };
}
float!(f32 f64);

impl Value for bool {
    const OPERATOR: Operator = Operator::Other;
    type Bits = bool;
    fn bits(self) -> bool {
        self
    }
    fn made_up(i: usize) -> bool {
        scrambled(i).is_multiple_of(3)
    }
    fn neutral() -> bool {
        false
    }
    #[inline(always)]
    fn add(self, other: bool) -> bool {
        self ^ other
    }
}

/// What `made_up` gives for `0..n`.
pub fn values<T: Value>(n: usize) -> Vec<T> {
    (0..n).map(T::made_up).collect()
}

/// The elements of an array.
pub struct One<'a, T, const COMMUTATIVE: bool>(pub &'a [T]);

impl<T: Value, const C: bool> Kernel for One<'_, T, C> {
    type Out = (T,);
    const COST: u32 = 64;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        let (o0,) = out;
        let xs = load::<T, L>(self.0, start);
        for l in 0..L {
            o0[l] = xs[l];
        }
    }
}

impl<T: Value, const C: bool> Combine for One<'_, T, C> {
    const COMMUTATIVE: bool = C;
    const OPERATOR: Operator = T::OPERATOR;
    fn neutral(&self) -> (T,) {
        (T::neutral(),)
    }
    #[inline(always)]
    fn combine<F: Flag>(&self, a: (T,), b: (T,), _flag: &mut F) -> (T,) {
        (a.0.add(b.0),)
    }
}

impl<T: Value, const C: bool> Fold for One<'_, T, C> {
    type Acc = (T, u64);
    #[inline(always)]
    fn step<F: Flag>(&self, acc: (T, u64), x: (T,), _flag: &mut F) -> (T, u64) {
        (acc.0.add(x.0), acc.1.wrapping_mul(31).wrapping_add(1))
    }
}

/// The same, at a cost at which bodies are computed twice rather than kept.
pub struct Cheap<'a, T, const COMMUTATIVE: bool>(pub One<'a, T, COMMUTATIVE>);

impl<T: Value, const C: bool> Kernel for Cheap<'_, T, C> {
    type Out = (T,);
    const COST: u32 = 1;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        self.0.block::<L, F>(start, out, flag);
    }
}

impl<T: Value, const C: bool> Combine for Cheap<'_, T, C> {
    const COMMUTATIVE: bool = C;
    const OPERATOR: Operator = T::OPERATOR;
    fn neutral(&self) -> (T,) {
        (T::neutral(),)
    }
    #[inline(always)]
    fn combine<F: Flag>(&self, a: (T,), b: (T,), flag: &mut F) -> (T,) {
        self.0.combine(a, b, flag)
    }
}

/// Two arrays at once; not commutative: composition of affine functions beside a float sum.
pub struct Two<'a, const COMMUTATIVE: bool>(pub &'a [f32], pub &'a [i64]);

impl<const C: bool> Kernel for Two<'_, C> {
    type Out = (f32, i64, i64);
    const COST: u32 = 64;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        let (o0, o1, o2) = out;
        let xs = load::<f32, L>(self.0, start);
        let ys = load::<i64, L>(self.1, start);
        for l in 0..L {
            o0[l] = xs[l];
            o1[l] = ys[l] | 1;
            o2[l] = ys[l];
        }
    }
}

impl<const C: bool> Combine for Two<'_, C> {
    const COMMUTATIVE: bool = C;
    fn neutral(&self) -> Self::Out {
        (-0.0, 1, 0)
    }
    #[inline(always)]
    fn combine<F: Flag>(&self, a: Self::Out, b: Self::Out, _flag: &mut F) -> Self::Out {
        let slope = a.1.wrapping_mul(b.1);
        (a.0 + b.0, slope, a.2.wrapping_mul(b.1).wrapping_add(b.2))
    }
}
