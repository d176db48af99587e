//! Arrays of products as arguments: one array of tuples, or a tuple of arrays.

use ragged::{Ragged, RaggedView};

ragged::accel! {
    pub fn smvm(rows: [[(usize, f64)]], v: [f64]) -> [f64] {
        for row in rows { sum(for (j, a) in row { a * v[j] }) }
    }

    pub fn dots(ps: [(f32, f32); n]) -> [f32; n] { for (x, y) in ps { x * y } }

    pub fn dot(ps: [(f32, f32)]) -> f32 { for (x, y) in ps { x * y }.sum() }

    /// Reads forward, backward, beside, at remainders, and anywhere.
    pub fn all_ways(ps: [(i32, i64); n], ix: [usize]) -> ([i64; n], [i64], [[i64; n]; n], [i64]) {
        let back = for i in 0..n { ps[n - 1 - i].1 - ps[i].1 };
        let beside = for i in 0..n { if i > 0 { ps[i - 1].1 } else { ps[i].0 as i64 } };
        let table = generate((n, n), |i, j| ps[j].1 * 10 + ps[i].0 as i64);
        (back, beside, table, for i in ix { ps[i].1 + ps[0].0 as i64 })
    }

    /// One component leaves as it came.
    pub fn first(ps: [(i32, i64)], t: (usize, [(u8, u8)])) -> ([i32], usize, [u8]) {
        (for (x, _) in ps { x }, ps.len() + t.0, t.1.map(|(_, y)| y))
    }

    /// A loop in each element, at an index that is the same in every lane and at one that is not.
    pub fn trips(ps: [(f64, usize); n]) -> [f64; n] {
        for i in 0..n {
            let mut sum = 0.0;
            for k in 0..n { sum += ps[k].0 * ps[(i + k) % n].1 as f64; }
            sum
        }
    }

    /// The state of a loop beside them.
    pub fn smooth(ws: [(f64, f64); n], xs: [f64; n], times: usize) -> [f64; n] {
        let mut x = xs;
        for _ in 0..times {
            x = for i in 0..n {
                if i == 0 || i == n - 1 { x[i] } else { ws[i].0 * x[i - 1] + ws[i].1 * x[i + 1] }
            };
        }
        x
    }

    pub fn folded(ps: [[(i32, i32)]]) -> [i32] { for row in ps { row.fold(1, |acc, (x, y)| acc * x + y) } }

    pub fn deep(ps: [[[(i32, (u8, bool))]]]) -> [[usize]] {
        for a in ps { for b in a { b.count(|(x, (y, up))| up && x > y as i32) } }
    }

    pub fn sorted_pairs(ps: [(i32, i32)]) -> [(i32, i32)] { ps.rev() }
}

#[test]
fn sparse_matrix_times_vector() {
    let rows = Ragged::from(vec![vec![(0, 2.0), (2, 1.0)], vec![], vec![(1, 4.0)]]);
    let columns = Ragged::from(vec![vec![0, 2], vec![], vec![1]]);
    let values = Ragged::from(vec![vec![2.0, 1.0], vec![], vec![4.0]]);
    let v = [1.0, 10.0, 100.0];
    let expected = Ok(vec![102.0, 0.0, 40.0]);
    assert_eq!(smvm(&rows, &v), expected);
    assert_eq!(smvm((&columns, &values), &v), expected);
    let values = RaggedView::new(columns.offsets(), values.values()).unwrap();
    assert_eq!(smvm((columns.view(), values), &v), expected);
    assert_eq!(
        smvm(&[vec![(0, 2.0), (2, 1.0)], vec![], vec![(1, 4.0)]], &v),
        expected
    );
}

#[test]
fn flat_arrays() {
    let (xs, ys): (Vec<f32>, Vec<f32>) = (0..1000).map(|i| (i as f32, 0.5 * i as f32)).unzip();
    let ps: Vec<(f32, f32)> = xs.iter().copied().zip(ys.iter().copied()).collect();
    assert_eq!(dots(&ps), dots((&xs, &ys)));
    assert_eq!(dot(&ps), dot((&xs, &ys)));
    assert_eq!(dots(&[(1.0, 2.0)]), Ok(vec![2.0]));
    assert_eq!(dots((&[1.0], &[2.0])), Ok(vec![2.0]));
    assert_eq!(dots(&[]), Ok(vec![]));
    let mut out = vec![0.0; 1000];
    dots::into(
        &mut out[..],
        (&xs[..], ys.clone().into_boxed_slice().as_ref()),
    )
    .unwrap();
    assert_eq!(out, dots(&ps).unwrap());
}

#[test]
fn read_in_every_way() {
    for n in [0, 1, 5, 64, 67, 300] {
        let (xs, ys): (Vec<i32>, Vec<i64>) =
            (0..n).map(|i| (i * 7 % 11, i64::from(i * i % 101))).unzip();
        let ps: Vec<(i32, i64)> = xs.iter().copied().zip(ys.iter().copied()).collect();
        let ix: Vec<usize> = (0..2 * n as usize).map(|i| i * 31 % n as usize).collect();
        assert_eq!(all_ways(&ps, &ix), all_ways((&xs, &ys), &ix));
        assert_eq!(
            first(&ps, (3, &[(1, 2)])),
            first((&xs, &ys), (3, (&[1], &[2])))
        );
        let (a, b): (Vec<f64>, Vec<usize>) = (0..n).map(|i| (f64::from(i), i as usize % 5)).unzip();
        let ab: Vec<(f64, usize)> = a.iter().copied().zip(b.iter().copied()).collect();
        assert_eq!(trips(&ab), trips((&a, &b)));
        let half: Vec<(f64, f64)> = a.iter().map(|x| (0.5, x / 700.0)).collect();
        let (l, r): (Vec<f64>, Vec<f64>) = half.iter().copied().unzip();
        assert_eq!(smooth(&half, &a, 25), smooth((&l, &r), &a, 25));
        assert_eq!(
            sorted_pairs(&[(1, 2), (3, 4)]),
            sorted_pairs((&[1, 3], &[2, 4]))
        );
    }
    let error = all_ways((&[1], &[2]), &[1]).unwrap_err().to_string();
    assert!(error.contains("index 1 is out of range"), "{error}");
}

#[test]
fn several_levels_and_products_in_products() {
    let lists = vec![
        vec![vec![(3, (2, true)), (1, (2, true))], vec![]],
        vec![],
        vec![vec![(9, (1, false))]],
    ];
    let numbers = vec![vec![vec![3, 1], vec![]], vec![], vec![vec![9]]];
    let pairs = vec![
        vec![vec![(2, true), (2, true)], vec![]],
        vec![],
        vec![vec![(1, false)]],
    ];
    let bytes = vec![vec![vec![2, 2], vec![]], vec![], vec![vec![1]]];
    let flags = vec![vec![vec![true, true], vec![]], vec![], vec![vec![false]]];
    let expected = Ok(Ragged::from(vec![vec![1, 0], vec![], vec![0]]));
    assert_eq!(deep(&lists), expected);
    assert_eq!(deep((&numbers, &pairs)), expected);
    assert_eq!(deep((&numbers, (&bytes, &flags))), expected);
    assert_eq!(folded(&[vec![(2, 3), (4, 5)], vec![]]), Ok(vec![25, 1]));
    assert_eq!(
        folded((&[vec![2, 4], vec![]], &[vec![3, 5], vec![]])),
        Ok(vec![25, 1])
    );
}

#[test]
fn of_different_lengths() {
    let error = dots((&[1.0, 2.0], &[1.0])).unwrap_err();
    assert_eq!(
        error.kind().to_string(),
        "the first array of `ps` has size 2, but array 2 of `ps` has size 1; they must be equal"
    );
    let error = smvm(
        (&[vec![0, 1], vec![]], &[vec![1.0], vec![2.0]]),
        &[1.0, 1.0],
    )
    .unwrap_err();
    assert_eq!(
        error.kind().to_string(),
        "a row of the first array of `rows` has size 2, but a row of array 2 of `rows` has size 1; \
         they must be equal"
    );
    assert_eq!(error.function(), "smvm");
}
