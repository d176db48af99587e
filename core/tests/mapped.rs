//! Files that are mapped into memory.

#![cfg(feature = "mmap")]

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::PathBuf;

use ragged_core::seq::{Limits, Rows, items, run};
use ragged_core::{AsArray, DenseVec, Mapped, SeqItem, Site};

/// A file that is removed in the end.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("ragged-{name}-{}", std::process::id()));
        fs::write(&path, bytes).expect("a file can be written");
        Temporary(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn numbers_lie_where_they_are() {
    let bytes: Vec<u8> = (0..1000_u32).flat_map(u32::to_ne_bytes).collect();
    let file = Temporary::new("numbers", &bytes);
    // SAFETY: nobody writes the file.
    let xs = unsafe { Mapped::<u32>::open(&file.0) }.expect("numbers");
    assert!(xs.iter().copied().eq(0..1000));
    let arg = &xs;
    let arg = arg.array_arg();
    assert!(arg.is_borrowed());
    assert_eq!(arg.elements().map(<[u32]>::len), Ok(1000));
}

static SITE: Site = Site {
    function: "test",
    file: "test.rs",
    line: 3,
    column: 8,
    checks: &[],
};

/// A file of the numbers `0..n`.
fn numbers(name: &str, n: i64) -> (Temporary, Mapped<i64>) {
    let bytes: Vec<u8> = (0..n).flat_map(i64::to_ne_bytes).collect();
    let file = Temporary::new(name, &bytes);
    // SAFETY: nobody writes the file.
    let xs = unsafe { Mapped::open(&file.0) }.expect("numbers");
    (file, xs)
}

/// The rows that come, and for each chunk where it begins among the file's numbers, if it lies there.
fn chunks<'i, M>(
    xs: &Mapped<i64>,
    rows: impl IntoIterator<Item = impl SeqItem<Rows<'i, i64>, M>>,
    limits: Limits,
) -> (Vec<Vec<i64>>, Vec<Option<usize>>) {
    let (mut seen, mut begins) = (Vec::new(), Vec::new());
    let source = items::<Rows<'_, i64>, _, _>(&SITE, "rows", rows);
    let end = run(source, limits, |chunk: &Rows<'_, i64>, _| {
        seen.extend(chunk.view().iter().map(<[i64]>::to_vec));
        let values = chunk.view().values();
        let at = xs.as_ptr_range().contains(&values.as_ptr());
        assert_eq!(at, chunk.is_lent());
        let begin = at.then(|| values.as_ptr().addr() - xs.as_ptr().addr());
        begins.extend((!values.is_empty()).then_some(begin.map(|bytes| bytes / size_of::<i64>())));
        Ok(true)
    });
    assert_eq!(end, Ok(()));
    (seen, begins)
}

#[test]
fn rows_are_where_they_are_in_the_file() {
    let (_file, xs) = numbers("rows", 10);
    let rows = vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7], vec![8, 9]];
    let one = Limits::new().items(1);
    let want = (rows.clone(), vec![Some(0), Some(4), Some(8)]);
    assert_eq!(chunks(&xs, xs.rows(4), one.clone()), want);
    let (seen, begins) = chunks(&xs, xs.rows(1), Limits::new().items(3));
    assert!(seen.into_iter().flatten().eq(0..10));
    assert!(begins.len() < 10 && begins.iter().all(Option::is_some));
    assert_eq!(xs.rows(4).len(), 3);
    assert_eq!(format!("{:?}", xs.rows(4).last()), "Some([8, 9])");
    // Slices say nothing of the file.
    assert_eq!(chunks(&xs, xs.chunks(4), one), (rows, vec![None; 3]));
}

#[test]
fn rows_of_one_length_are_items() {
    let (_file, xs) = numbers("even", 6);
    let mut seen = Vec::new();
    let rows = items::<DenseVec<i64, 2>, _, _>(&SITE, "rows", xs.rows(3));
    let end = run(rows, Limits::new(), |chunk, _last| {
        seen.extend_from_slice(chunk.as_slice());
        Ok(true)
    });
    assert_eq!((end, seen), (Ok(()), (0..6).collect()));
}

#[test]
#[should_panic(expected = "rows of a file have at least one number")]
fn rows_of_no_numbers_are_none() {
    let (_file, xs) = numbers("zero", 2);
    let _ = xs.rows(0);
}

#[test]
fn an_empty_file_has_no_numbers() {
    let file = Temporary::new("empty", b"");
    // SAFETY: nobody writes the file.
    let xs = unsafe { Mapped::<f64>::open(&file.0) }.expect("numbers");
    assert!(xs.is_empty());
    assert_eq!(xs.rows(4).count(), 0);
}

#[test]
fn what_cannot_be_numbers() {
    let file = Temporary::new("torn", &[0; 30]);
    let open = |bytes: std::ops::Range<u64>| {
        let file = File::open(&file.0).expect("it is there");
        // SAFETY: nobody writes the file.
        let xs = unsafe { Mapped::<f64>::part(&file, bytes) };
        xs.map(|xs| xs.len())
            .map_err(|it| (it.kind(), it.to_string()))
    };
    assert_eq!(open(8..24), Ok(2));
    assert_eq!(open(16..16), Ok(0));
    let invalid = |text: &str| Err((ErrorKind::InvalidData, text.to_owned()));
    assert_eq!(open(0..30), invalid("30 bytes are no numbers of 8"));
    assert_eq!(open(6..30), invalid("byte 6 is not aligned to 8"));
    let text = "the file has 30 bytes, not 32".to_owned();
    assert_eq!(open(0..32), Err((ErrorKind::UnexpectedEof, text)));
    // SAFETY: there is no such file.
    let missing = unsafe { Mapped::<f64>::open("/no/such/file") };
    assert_eq!(
        missing.map(|_| ()).map_err(|it| it.kind()),
        Err(ErrorKind::NotFound)
    );
}
