//! Random nested lists, beside nested vectors.

use ragged_core::{AsRagged, Ragged, RaggedArg, RaggedView};

/// Numbers that look random (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    /// A length that is often 0.
    fn len(&mut self) -> u64 {
        let most = self.below(6);
        self.below(most + 1)
    }

    fn list<T>(&mut self, item: &mut impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.len()).map(|_| item(self)).collect()
    }

    fn row(&mut self) -> Vec<i32> {
        self.list(&mut |random| random.below(100) as i32)
    }

    fn rows(&mut self) -> Vec<Vec<i32>> {
        self.list(&mut Self::row)
    }

    fn lists(&mut self) -> Vec<Vec<Vec<i32>>> {
        self.list(&mut Self::rows)
    }
}

type Nested = Vec<Vec<Vec<i32>>>;

fn same(lists: RaggedView<'_, Ragged<i32>>, nested: &[Vec<Vec<i32>>]) {
    assert_eq!(format!("{lists:?}"), format!("{nested:?}"));
    assert_eq!(lists.len(), nested.len());
    assert!(lists.lens().eq(nested.iter().map(Vec::len)));
    assert_eq!(Nested::from(lists), nested);
    for (at, (list, rows)) in lists.iter().zip(nested).enumerate() {
        assert_eq!(lists.row(at), list);
        for (at, (row, elements)) in list.iter().zip(rows).enumerate() {
            assert_eq!((row, &list[at]), (&elements[..], &elements[..]));
        }
    }
    let backwards = lists.iter().rev().map(Vec::<Vec<i32>>::from);
    assert!(backwards.eq(nested.iter().rev().cloned()));
}

/// An argument holds these rows and nothing else.
fn whole(arg: &RaggedArg<'_, i32, 2>, nested: &[Vec<Vec<i32>>]) {
    let [outer, inner] = arg.levels().map(<[i64]>::to_vec);
    let elements = arg.elements().expect("memory").to_vec();
    let rows = Ragged::from_offsets(inner, elements).expect("offsets of the inner level");
    let lists = Ragged::from_offsets(outer, rows).expect("offsets of the outer level");
    same(lists.view(), nested);
}

#[test]
fn whatever_is_made_of_lists_is_these_lists() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..500 {
        let (nested, more) = (random.lists(), random.lists());
        let mut lists = Ragged::from(&nested);
        same(lists.view(), &nested);
        let (offsets, values) = lists.clone().into_parts();
        assert_eq!(
            Ragged::from_offsets(offsets, values.clone()),
            Ok(lists.clone())
        );
        assert_eq!(
            Ragged::from_lengths(lists.lens(), values),
            Ok(lists.clone())
        );

        // A part of the rows, at both levels.
        let lo = random.below(nested.len() as u64 + 1) as usize;
        let hi = lo + random.below((nested.len() - lo) as u64 + 1) as usize;
        let part = lists.view().rows(lo..hi);
        same(part, &nested[lo..hi]);
        whole(&part.ragged_arg(), &nested[lo..hi]);
        whole(&(&nested[lo..hi]).ragged_arg(), &nested[lo..hi]);
        let copy = part.to_ragged();
        same(copy.view(), &nested[lo..hi]);
        assert_eq!(copy.view(), part);
        assert_eq!(copy == lists, nested[lo..hi] == nested);

        // Others behind it, in every form.
        let longer = [&nested[..], &more, &nested[lo..hi], &more].concat();
        let more_lists = Ragged::from(&more);
        lists.extend(&more);
        lists.extend(copy.iter());
        for list in &more_lists {
            lists.push(list.to_ragged());
        }
        same(lists.view(), &longer);
        assert_eq!(lists, Ragged::from(longer));
    }
}
