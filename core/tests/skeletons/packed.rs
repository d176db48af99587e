//! Products as elements, as arrays of products leave a function: with and without padding, larger
//! than the caches, at addresses that do and do not start a line.

use std::fmt::Debug;

use ragged_core::{ArrayOut, Element, Flag, Kernel, Product, write, write_to};

use crate::everywhere;

/// The product of each index.
struct Packed<T>(fn(usize) -> T);

impl<T: Element> Kernel for Packed<T> {
    type Out = (T,);
    const COST: u32 = 1;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        for l in 0..L {
            out.0[l] = self.0(start + l);
        }
    }
}

fn check<T: Element + PartialEq + Debug>(product: fn(usize) -> T) {
    let n = (33 << 20) / size_of::<T>() + 5;
    let right = |ys: &[T]| (0..n).all(|i| ys[i] == product(i));
    everywhere(|| {
        let (mut ys,) = write(&Packed(product), n).unwrap();
        assert_eq!(ys.len(), n);
        assert!(right(&ys));
        ys.fill(T::default());
        ys.push(T::default());
        write_to(&Packed(product), n, (ArrayOut::slice(&mut ys[1..]),)).unwrap();
        assert!(right(&ys[1..]));
        assert_eq!(ys[0], T::default());
    });
}

#[test]
fn padded() {
    check(|i| (i as u8, i as f64));
    check(|i| (i as u16, (i as u32, i as u8), i % 3 == 0));
}

#[test]
fn dense() {
    check(|i| (i as f32, -(i as f32)));
    check(|i| (i as u8, (i >> 8) as u8, (i >> 16) as u8));
}
