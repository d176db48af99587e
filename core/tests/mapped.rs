//! Files that are mapped into memory.

#![cfg(feature = "mmap")]

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::PathBuf;

use ragged_core::seq::{Limits, Rows, items, run};
use ragged_core::{AsArray, Mapped, Site};

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

#[test]
fn rows_are_items() {
    static SITE: Site = Site {
        function: "test",
        file: "test.rs",
        line: 3,
        column: 8,
        checks: &[],
    };
    let bytes: Vec<u8> = (0..10_i64).flat_map(i64::to_ne_bytes).collect();
    let file = Temporary::new("rows", &bytes);
    // SAFETY: nobody writes the file.
    let xs = unsafe { Mapped::<i64>::open(&file.0) }.expect("numbers");
    let mut seen = Vec::new();
    let rows = items::<Rows<'_, i64>, _, _>(&SITE, "rows", xs.chunks(4));
    let end = run(rows, Limits::new(), |chunk, _last| {
        seen.extend(chunk.view().iter().map(<[i64]>::to_vec));
        Ok(true)
    });
    assert_eq!(end, Ok(()));
    assert_eq!(seen, [vec![0, 1, 2, 3], vec![4, 5, 6, 7], vec![8, 9]]);
}

#[test]
fn an_empty_file_has_no_numbers() {
    let file = Temporary::new("empty", b"");
    // SAFETY: nobody writes the file.
    let xs = unsafe { Mapped::<f64>::open(&file.0) }.expect("numbers");
    assert!(xs.is_empty());
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
