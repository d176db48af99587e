//! Chunks one behind the other, and their items.

use ragged_core::seq::{Append, Chunk, Items};
use ragged_core::{DenseVec, Failure, Ragged};

#[test]
fn chunks_are_put_one_behind_the_other() {
    let mut all = Ragged::<i32>::new();
    all.append(&Ragged::new(), 0).expect("no rows");
    all.append(&Ragged::from([vec![1, 2], vec![]]), 0)
        .expect("memory");
    all.append(&Ragged::from([vec![3]]), 0).expect("memory");
    assert_eq!(all, Ragged::from([vec![1, 2], vec![], vec![3]]));

    let part: Ragged<Ragged<i32>> = vec![vec![vec![1], vec![]], vec![]].into();
    let mut all = Ragged::new();
    all.append(&part, 0).expect("memory");
    all.append(&part, 0).expect("memory");
    let want: Ragged<Ragged<i32>> =
        vec![vec![vec![1], vec![]], vec![], vec![vec![1], vec![]], vec![]].into();
    assert_eq!(all, want);

    let mut all = (Vec::new(), DenseVec::default());
    let rows =
        |n: usize, width| DenseVec::new([n, width], (0..n * width).collect()).expect("so many");
    all.append(&(vec![1], rows(1, 2)), 0).expect("memory");
    all.append(&(vec![], rows(0, 5)), 0)
        .expect("no items have no lengths");
    all.append(&(vec![2, 3], rows(2, 2)), 0).expect("memory");
    assert_eq!(all.0, [1, 2, 3]);
    assert_eq!(Some(all.1), DenseVec::new([3, 2], vec![0, 1, 0, 1, 2, 3]));
}

#[test]
fn sizes_in_common_are_checked() {
    let mut all = DenseVec::new([1, 2, 3], vec![0; 6]).expect("six");
    let more = DenseVec::new([1, 2, 4], vec![0; 8]).expect("eight");
    let values = [3, 4, 0];
    assert_eq!(all.append(&more, 7), Err(Failure::Check { id: 7, values }));
    assert_eq!(all.shape(), [1, 2, 3]);
}

#[test]
fn items_are_handed_out() {
    assert_eq!(vec![1, 2].item(1), 2);
    assert_eq!(Ragged::from([vec![1, 2], vec![]]).item(0), [1, 2]);
    let deep: Ragged<Ragged<i32>> = vec![vec![vec![9]], vec![vec![1], vec![]]].into();
    assert_eq!(deep.item(1), Ragged::from([vec![1], vec![]]));
    let dense = DenseVec::new([2, 2, 3], (0..12).collect::<Vec<i32>>()).expect("twelve");
    assert_eq!(dense.item(1).shape(), [2, 3]);
    assert!(dense.item(1).iter().copied().eq(6..12));
    let rows = DenseVec::new([2, 2], vec![1, 2, 3, 4]).expect("four");
    assert_eq!((rows, vec!['a', 'b']).item(1), (vec![3, 4], 'b'));
}

#[test]
fn chunks_are_cut_back() {
    let mut deep: Ragged<Ragged<i32>> = vec![vec![vec![9], vec![]], vec![vec![1], vec![]]].into();
    let bytes = deep.bytes();
    deep.truncate(5);
    assert_eq!((deep.items(), deep.bytes()), (2, bytes));
    deep.truncate(1);
    assert_eq!(deep, Ragged::from(vec![vec![vec![9], vec![]]]));
    deep.clear();
    assert!(deep.is_empty());

    let mut dense = DenseVec::new([3, 2], (0..6).collect::<Vec<i32>>()).expect("six");
    dense.truncate(1);
    assert_eq!(Some(dense.clone()), DenseVec::new([1, 2], vec![0, 1]));
    Chunk::clear(&mut dense);
    assert_eq!(dense.shape(), [0, 2]);
}
