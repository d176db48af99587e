//! What may be passed for an array, and that the element type comes from the function.

#![allow(
    clippy::needless_borrows_for_generic_args,
    reason = "borrows are what is tested"
)]

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use ragged_core::{AsArray, NonEmpty, load, load_rev};

fn sum(xs: impl AsArray<f32>) -> (f32, bool) {
    let xs = xs.array_arg();
    (
        xs.elements().expect("memory").iter().sum(),
        xs.is_borrowed(),
    )
}

#[test]
fn contiguous_arrays_are_borrowed() {
    let mut v = vec![1.0, 2.0];
    let boxed: Box<[f32]> = v.clone().into();
    let arc: Arc<[f32]> = v.clone().into();
    let rc: Rc<[f32]> = v.clone().into();
    let cow: Cow<'_, [f32]> = Cow::Borrowed(&v);
    for got in [
        sum(&[1.0, 2.0]),
        sum(&v),
        sum(&v[..]),
        sum(&&v),
        sum(v.as_slice()),
        sum(&boxed),
        sum(&arc),
        sum(&rc),
        sum(&cow),
    ] {
        assert_eq!(got, (3.0, true));
    }
    assert_eq!(sum(&mut v), (3.0, true));
    assert_eq!(sum(&mut v[1..]), (2.0, true));
    assert_eq!(sum(&[]), (0.0, true));
}

#[cfg(feature = "ndarray")]
#[test]
fn ndarray_views_are_copied_only_where_they_must() {
    let mut a = ndarray::arr1(&[1.0, 2.0, 4.0]);
    let shared = a.to_shared();
    assert_eq!(sum(&a), (7.0, true));
    assert_eq!(sum(&shared), (7.0, true));
    assert_eq!(sum(a.view()), (7.0, true));
    assert_eq!(sum(&a.view()), (7.0, true));
    assert_eq!(sum(&*a), (7.0, true));
    assert_eq!(sum(&mut a), (7.0, true));
    assert_eq!(sum(a.view_mut()), (7.0, true));
    let every_other = a.slice(ndarray::s![..;2]);
    assert_eq!(sum(every_other), (5.0, false));
    let rows = ndarray::arr2(&[[1.0, 2.0], [3.0, 4.0]]);
    assert_eq!(sum(rows.column(1)), (6.0, false));
    assert_eq!(sum(rows.row(1)), (7.0, true));
}

#[test]
fn blocks_and_clamped_reads() {
    let xs: Vec<i32> = (0..10).collect();
    assert_eq!(load::<i32, 4>(&xs, 6), &[6, 7, 8, 9]);
    assert_eq!(load_rev::<i32, 4>(&xs, 9), [9, 8, 7, 6]);
    assert_eq!(load_rev::<i32, 4>(&xs, 3), [3, 2, 1, 0]);
    let some = NonEmpty::new(&xs, &[-1]);
    assert_eq!(
        (some.len(), some.get(9), some.get(10), some.get(usize::MAX)),
        (10, 9, 9, 9)
    );
    let none = NonEmpty::new(&[], &[-1]);
    assert_eq!((none.len(), none.get(0), none.get(7)), (0, -1, -1));
}

#[test]
#[should_panic(expected = "outside of an array")]
fn a_block_outside_panics() {
    load::<u8, 4>(&[1, 2, 3], 0);
}
