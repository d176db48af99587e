//! How much memory state in loops takes: what goes in, what comes out, at most two arrays in between. And rows,
//! which are read where they lie.

#![allow(missing_docs, reason = "tests only")]
#![allow(unsafe_code, reason = "an allocator that counts")]

use ragged::{Ragged, RaggedView, accel};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Counts the bytes that are in use, and the most that were at once.
struct Counting;

static USED: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let used = USED.fetch_add(layout.size(), Relaxed) + layout.size();
        MOST.fetch_max(used, Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }
}

/// One test at a time: there is one count.
static ALONE: Mutex<()> = Mutex::new(());

#[global_allocator]
static ALLOCATOR: Counting = Counting;

accel! {
    /// Each trip makes the next state from all of the one before.
    pub fn heat(xs: [[f64; m]; n], steps: usize) -> [[f64; m]; n] {
        let mut x = xs;
        for _ in 0..steps {
            x = for i in 0..n { for j in 0..m {
                if i == 0 || j == 0 || i == n - 1 || j == m - 1 { x[i][j] }
                else { 0.25 * (x[i - 1][j] + x[i + 1][j] + x[i][j - 1] + x[i][j + 1]) }
            } };
        }
        x
    }

    /// The same where trips cannot run together: each reads everything.
    pub fn mixed(xs: [f64; n], steps: usize) -> [f64; n] {
        let mut x = xs;
        for _ in 0..steps {
            let mean = x.sum() / n as f64;
            x = for i in 0..n { 0.5 * (x[n - 1 - i] + mean) };
        }
        x
    }

    /// Assigned in place.
    pub fn swapped(xs: [f64; n], steps: usize) -> [f64; n] {
        let mut x = xs;
        for k in 0..steps {
            let t = x[k];
            x[k] = x[n - 1 - k];
            x[n - 1 - k] = t;
        }
        x
    }

    /// The number of trips is not known before.
    pub fn scaled(xs: [f64; n], steps: usize) -> [f64; n] {
        let mut x = xs;
        let mut k = 0;
        while k < steps && x[0] < 1.0e300 {
            x = x.map(|x| x * 1.5 + 1.0);
            k += 1;
        }
        x
    }

    /// All pairs' shortest paths: the state is read in a row and a column, and elsewhere in place.
    pub fn shortest(d: [[f64; n]; n]) -> [[f64; n]; n] {
        let mut d = d;
        for k in 0..n { d = for i in 0..n { for j in 0..n { min(d[i][j], d[i][k] + d[k][j]) } }; }
        d
    }

    /// The power method: a vector beside a matrix that stays.
    pub fn power(a: [[f64; n]; n], steps: usize) -> [f64; n] {
        let mut x = fill(1.0, n);
        for _ in 0..steps {
            let y = for row in a { zip(row, x).map(|(a, x)| a * x).sum() };
            let norm = y.map(|y| y * y).sum().sqrt();
            x = y.map(|y| y / norm);
        }
        x
    }

    /// Sparse matrix × vector.
    pub fn smvm(rows: [[(usize, f64)]], v: [f64]) -> [f64] {
        for row in rows { sum(for (j, a) in row { a * v[j] }) }
    }
}

/// The most memory that was in use at once while `run` ran, beyond what was before, in arrays of `size`
/// bytes.
fn most<T>(size: usize, run: impl Fn() -> T) -> f64 {
    // The threads and their scratch are there by then.
    drop(run());
    let before = USED.load(Relaxed);
    MOST.store(before, Relaxed);
    drop(run());
    (MOST.load(Relaxed) - before) as f64 / size as f64
}

#[test]
fn state_of_loops_takes_two_buffers() {
    let _alone = ALONE.lock().unwrap();
    // Nothing is kept for later, so that what is in use is what is needed.
    ragged::memory::keep_at_most(0);
    const N: usize = 1 << 20;
    let xs: Vec<f64> = (0..N).map(|i| i as f64).collect();
    let grid = ndarray::Array2::from_shape_vec((1 << 10, 1 << 10), xs.clone()).unwrap();
    let corner = grid.slice(ndarray::s![..256, ..256]).to_owned();
    let size = N * size_of::<f64>();
    // The result is one of the two.
    let two = [
        ("heat", most(size, || heat(&grid, 5).unwrap())),
        ("mixed", most(size, || mixed(&xs, 5).unwrap())),
        ("scaled", most(size, || scaled(&xs, 5).unwrap())),
        ("shortest", most(size / 16, || shortest(&corner).unwrap())),
    ];
    for (name, most) in two {
        assert!(most < 2.3, "{name}: {most} arrays");
    }
    let one = [
        ("swapped", most(size, || swapped(&xs, 1000).unwrap())),
        ("power", most(size, || power(&grid, 5).unwrap())),
    ];
    // In place, and a matrix of which nothing is copied.
    for (name, most) in one {
        assert!(most < 1.15, "{name}: {most} arrays");
    }
}

#[test]
fn rows_are_borrowed() {
    let _alone = ALONE.lock().unwrap();
    ragged::memory::keep_at_most(0);
    const ROWS: usize = 1 << 14;
    const LENGTH: usize = 1 << 5;
    let element = |i: usize| (i * 7 % LENGTH, i as f64);
    let elements: Vec<(usize, f64)> = (0..ROWS * LENGTH).map(element).collect();
    let (columns, values): (Vec<usize>, Vec<f64>) = elements.iter().copied().unzip();
    let sizes: Vec<usize> = (0..=ROWS).map(|row| row * LENGTH).collect();
    let rows: Ragged<(usize, f64)> = elements.chunks(LENGTH).map(<[_]>::to_vec).collect();
    let (offsets, v) = (rows.offsets().to_vec(), vec![0.5; LENGTH]);
    let columns_of = || RaggedView::new(&offsets, &columns).unwrap();
    let values_of = || RaggedView::new(&offsets, &values).unwrap();
    let with_sizes = || RaggedView::with_sizes(&sizes, &elements).unwrap();
    // In arrays of all offsets: the elements are as many bytes as 64 of these.
    let offsets_taken = |run: &dyn Fn(&mut [f64])| {
        let mut out = vec![0.0; ROWS];
        run(&mut out);
        let expected = smvm(&rows, &v).unwrap();
        assert_eq!(out, expected);
        let out = Mutex::new(out);
        most(size_of_val(&offsets[..]), || run(&mut out.lock().unwrap()))
    };
    let nothing = [
        (
            "rows",
            offsets_taken(&|out| smvm::into(out, &rows, &v).unwrap()),
        ),
        (
            "a view",
            offsets_taken(&|out| smvm::into(out, rows.view(), &v).unwrap()),
        ),
        (
            "sizes",
            offsets_taken(&|out| smvm::into(out, with_sizes(), &v).unwrap()),
        ),
        (
            "a pair of views",
            offsets_taken(&|out| smvm::into(out, (columns_of(), values_of()), &v).unwrap()),
        ),
    ];
    for (name, most) in nothing {
        assert!(most < 0.5, "{name}: {most} times the offsets");
    }
    // Offsets begin at 0 where they are read.
    let later = offsets_taken(&|out| {
        smvm::into(&mut out[1..], rows.view().rows(1..ROWS), &v).unwrap();
        out[0] = smvm(rows.view().rows(0..1), &v).unwrap()[0];
    });
    assert!((1.0..1.5).contains(&later), "{later} times the offsets");
}
