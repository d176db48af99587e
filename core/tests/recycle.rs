//! Kept memory: who gets it, how much stays, many threads. One test, since all share what is kept.

use ragged_core::recycle::{keep_at_most, kept, recycle};
use ragged_core::{ArrayOut, Buffer, Element, Flag, Kernel, Nest, Product, Rows, inner, nest};
use ragged_core::{write, write_to};

const MIB: usize = 1 << 20;

struct Iota<T>(fn(usize) -> T);

impl<T: Element> Kernel for Iota<T> {
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

fn vec<T: Element>(bytes: usize) -> Vec<T> {
    Vec::with_capacity(bytes / size_of::<T>())
}

fn floats(n: usize) -> Vec<f32> {
    let (xs,) = write(&Iota(|i| i as f32), n).unwrap();
    assert_eq!(xs.len(), n);
    assert!((0..n).all(|i| xs[i] == i as f32));
    xs
}

#[test]
fn memory_is_kept() {
    only_what_fits();
    within_the_limit();
    buffers_leave_theirs();
    from_many_threads();
    bodies_use_theirs_again();
}

/// Notes where its array is.
struct Noting;

impl Nest for Noting {
    type Outs = (usize,);
    const CHECKS: bool = false;
    fn cost(&self) -> usize {
        1
    }
    #[inline(always)]
    fn run<const L: usize, F: Flag>(
        &self,
        index: usize,
        (at,): &mut <Self::Outs as Rows>::Places<'_>,
        flag: &mut F,
    ) {
        let (mut first, mut second) = (Buffer::new(), Buffer::new());
        let n = 2000;
        let kernel = Iota(|i| i as f32);
        inner::write_to::<L, _, F>(&kernel, n, (ArrayOut::buffer(&mut first),), flag);
        inner::write_to::<L, _, F>(&kernel, n, (ArrayOut::buffer(&mut second),), flag);
        assert!((0..n).all(|i| first[i] == i as f32 && second[i] == i as f32));
        assert_ne!(first.as_ptr(), second.as_ptr());
        at.put(if index.is_multiple_of(2) {
            first.as_ptr().addr()
        } else {
            second.as_ptr().addr()
        });
    }
}

fn bodies_use_theirs_again() {
    let (mut at,) = nest(&Noting, 50, (1,)).unwrap();
    at.sort_unstable();
    at.dedup();
    assert!(
        at.len() <= 2,
        "two arrays, in the same memory for all indices"
    );
    assert_eq!(kept(), 0, "and nothing is left behind");
}

fn only_what_fits() {
    recycle(vec::<f32>(MIB / 8 - 4));
    assert_eq!(kept(), 0, "the allocator keeps small ones");
    let old = vec::<f32>(10 * MIB);
    let at = old.as_ptr();
    recycle(old);
    assert_eq!(kept(), 10 * MIB);
    // Another alignment, too large, too small, not a multiple.
    let (other,) = write(&Iota(|i| i as f64), 10 * MIB / 8).unwrap();
    let more = floats(10 * MIB / 4 + 1);
    let less = floats(10 * MIB / 5 - 1);
    let (triples,) = write(&Iota(|i| [i as f32; 3]), 10 * MIB / 12).unwrap();
    assert_eq!(kept(), 10 * MIB);
    drop((other, more, less, triples));
    let n = 9 * MIB / 4;
    let new = floats(n);
    assert_eq!((new.as_ptr(), new.capacity()), (at, 10 * MIB / 4));
    assert_eq!(kept(), 0);
    // Of several, the smallest that fits; the type does not matter.
    let (a, b) = (vec::<u32>(12 * MIB), vec::<i32>(11 * MIB));
    let second = b.as_ptr().cast();
    recycle(a);
    recycle(b);
    let newer = floats(10 * MIB / 4);
    assert_eq!(newer.as_ptr(), second);
    drop((new, newer));
}

fn within_the_limit() {
    keep_at_most(0);
    assert_eq!(kept(), 0);
    recycle(vec::<u8>(5 * MIB));
    assert_eq!(kept(), 0);
    keep_at_most(20 * MIB);
    for size in [5, 6, 7] {
        recycle(vec::<u8>(size * MIB));
    }
    assert_eq!(kept(), 18 * MIB);
    recycle(vec::<u8>(8 * MIB));
    assert_eq!(kept(), 15 * MIB, "the oldest two have gone");
    recycle(vec::<u8>(21 * MIB));
    assert_eq!(kept(), 15 * MIB, "too large to be kept");
    keep_at_most(14 * MIB);
    assert_eq!(kept(), 8 * MIB);
    keep_at_most(512 * MIB);
}

fn buffers_leave_theirs() {
    keep_at_most(0);
    keep_at_most(512 * MIB);
    let n = 2 * MIB;
    let mut last: *const f32 = std::ptr::null();
    for _ in 0..3 {
        let mut buffer = Buffer::new();
        write_to(&Iota(|i| i as f32), n, (ArrayOut::buffer(&mut buffer),)).unwrap();
        assert!((0..n).all(|i| buffer[i] == i as f32));
        assert!(last.is_null() || last == buffer.as_ptr());
        last = buffer.as_ptr();
        drop(buffer);
        assert_eq!(kept(), 4 * n);
    }
    // A result that takes a buffer over leaves its own memory instead.
    let (mut out, mut buffer) = (floats(n), Buffer::new());
    let old = out.as_ptr();
    assert_eq!(kept(), 0);
    write_to(&Iota(|i| -(i as f32)), n, (ArrayOut::buffer(&mut buffer),)).unwrap();
    let made = buffer.as_ptr();
    ArrayOut::vec(&mut out).give(buffer).unwrap();
    assert_eq!((out.as_ptr(), kept()), (made, 4 * n));
    let new = floats(n);
    assert_eq!(new.as_ptr(), old);
}

fn from_many_threads() {
    keep_at_most(64 * MIB);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                for round in 0..20 {
                    let n = MIB + (thread * 7 + round) % 5 * 100_000;
                    let (mut a, b) = (floats(n), floats(n));
                    a.fill(-1.0);
                    assert!((0..n).all(|i| b[i] == i as f32), "nobody else has it");
                    recycle(a);
                    recycle(b);
                    assert!(kept() <= 64 * MIB);
                }
            });
        }
    });
    keep_at_most(0);
    assert_eq!(kept(), 0);
}
