//! Columns of CSV files as sequences, and progress bars.

use csv::{Reader, ReaderBuilder};
use indicatif::ProgressBar;
use ragged::ErrorKind;
use ragged::seq::csv::{Error, Row, rows};
use ragged::seq::indicatif::Bar;
use ragged::seq::{Limits, Progress};
use std::error::Error as _;
use std::sync::mpsc;

ragged::accel! {
    /// The sum of the numbers, and the bytes of the names.
    pub fn totals(xs: Seq<(f64, [u8])>) -> (f64, usize) {
        (xs.map(|(x, _)| x).sum(), xs.map(|(_, name)| name.len()).sum())
    }
    pub fn sum(xs: Seq<u64>) -> u64 { xs.sum() }
}

fn all<T: Row>(text: &str, columns: &[usize]) -> Result<Vec<T>, Error> {
    rows(
        Reader::from_reader(text.as_bytes()),
        columns.iter().copied(),
    )?
    .collect()
}

fn wrong<T: Row>(text: &str, columns: &[usize]) -> (Option<u64>, String) {
    let error = all::<T>(text, columns).err().expect("an error");
    (error.line(), error.to_string())
}

#[test]
fn rows_are_scalars_and_tuples() {
    assert_eq!(all::<u32>("", &[0]).expect("none"), []);
    assert_eq!(all::<u32>("n\n", &[0]).expect("none"), []);
    assert_eq!(all::<u32>("n\n7", &[0]).expect("one"), [7]);
    let text = "a,b,c\r\n1, -2.5 ,x\r\n\"3\",4,\"y\n\"\"z\"\"\"\r\n";
    let pairs = all::<(f64, u8)>(text, &[1, 0]).expect("two");
    assert_eq!(pairs, [(-2.5, 1), (4.0, 3)]);
    let names = all::<(Vec<u8>, u8)>(text, &[2, 0]).expect("two");
    assert_eq!(names, [(b"x".to_vec(), 1), (b"y\n\"z\"".to_vec(), 3)]);
}

#[test]
fn a_reader_may_have_no_names() {
    let mut reader = ReaderBuilder::new();
    let reader = reader
        .has_headers(false)
        .delimiter(b'\t')
        .from_reader(&b"1\t2\n3\t4"[..]);
    let got: Result<Vec<(u8, u8)>, _> = rows(reader, [1, 0]).expect("columns").collect();
    assert_eq!(got.expect("rows"), [(2, 1), (4, 3)]);
}

#[test]
fn errors_say_where() {
    let text = "n,m\n1,2\n\"\n\",3\n";
    let (line, said) = wrong::<u8>(text, &[0]);
    assert_eq!(
        (line, &said[..]),
        (Some(3), "line 3, field 1: `\n` is no `u8`")
    );
    let (line, said) = wrong::<(u8, f32)>("n,m\n1,2\n4,2 m\n", &[0, 1]);
    assert_eq!(
        (line, &said[..]),
        (Some(3), "line 3, field 2: `2 m` is no `f32`")
    );
    let (line, said) = wrong::<u8>("n\n300\n", &[0]);
    assert_eq!(
        (line, &said[..]),
        (Some(2), "line 2, field 1: `300` is no `u8`")
    );
    let (line, said) = wrong::<u8>("n\n1\n", &[4]);
    assert_eq!((line, &said[..]), (Some(2), "line 2: there is no field 5"));
    // Records of other lengths are an error of `csv` itself.
    let (line, said) = wrong::<u8>("n,m\n1,2\n3\n", &[0]);
    assert_eq!(line, Some(3));
    assert!(said.contains("line: 3"), "{said}");
    let reader = Reader::from_reader(&b"n,m\n1,2\n"[..]);
    let error = rows::<u8>(reader, ["k"]).err().expect("no such column");
    assert_eq!(error.to_string(), "no column is named `k`");
}

#[test]
fn as_sequences() {
    let text = "x,name\n1.5,fig\n2,plum\n";
    let read = |text: &'static str| {
        let reader = Reader::from_reader(text.as_bytes());
        rows::<(f64, Vec<u8>)>(reader, ["x", "name"]).expect("columns")
    };
    assert_eq!(totals(read(text)), Ok((3.5, 7)));
    let error = totals(read("x,name\n1.5,fig\nplum,2\n")).expect_err("no number");
    assert!(matches!(error.kind(), ErrorKind::Source { item: 1, .. }));
    let cause = error.source().map(ToString::to_string);
    assert_eq!(
        cause.as_deref(),
        Some("line 3, field 1: `plum` is no `f64`")
    );
}

#[test]
fn bars_say_amounts_rates_and_chunks() {
    let bar = ProgressBar::hidden();
    let (said, messages) = mpsc::channel();
    let seen = bar.clone();
    // Who watches later is told later: the bar's message is that of the chunk.
    let limits =
        Limits::new()
            .items(40)
            .watch(Bar::of_items(bar))
            .watch(move |progress: &Progress| {
                let rates = [progress.items_per_second(), progress.bytes_per_second()];
                let all = (seen.message(), seen.position(), progress.items, rates);
                said.send(all).expect("the test waits");
            });
    assert_eq!(sum::with(limits, 0..100), Ok(4950));
    let all = Vec::from_iter(messages);
    assert!(all.len() >= 3, "a message for each chunk");
    let mut before = 0;
    for (message, position, items, [by_items, by_bytes]) in all {
        let parts = Vec::from_iter(message.split(", "));
        let [count, bytes, items_rate, bytes_rate, chunk, busy] = parts[..] else {
            panic!("{message}")
        };
        assert_eq!(position, items as u64);
        assert_eq!(count, format!("{items} items"));
        assert_eq!(bytes, format!("{} B", 8 * items));
        assert_eq!(chunk, format!("chunks of {} items", items - before));
        assert!(is_near(items_rate, " items/s", by_items), "{message}");
        assert!(is_near(bytes_rate, "B/s", by_bytes), "{message}");
        assert!(busy.ends_with(" % busy"), "{message}");
        before = items;
    }
}

/// Whether a text is this number, with a letter for a power of a thousand, and this unit.
fn is_near(text: &str, unit: &str, number: f64) -> bool {
    let text = text.strip_suffix(unit).expect("the unit").trim_end();
    let digits = text.trim_end_matches(['k', 'M', 'G', 'T', 'P']);
    let power = ["", "k", "M", "G", "T", "P"]
        .iter()
        .position(|letter| *letter == &text[digits.len()..]);
    let power = power.expect("a letter") as i32;
    let shown: f64 = digits.trim_end().parse().expect("a number");
    (shown * 1000_f64.powi(power) / number - 1.0).abs() < 0.01
}

#[test]
fn bars_go_on_and_end() {
    let bar = ProgressBar::hidden();
    let limits = Limits::new().watch(Bar::of_items(bar.clone()));
    assert_eq!(sum::with(limits, 0..100), Ok(4950));
    assert_eq!((bar.position(), bar.is_finished()), (100, true));
    assert!(
        bar.message().starts_with("100 items, 800 B, "),
        "{}",
        bar.message()
    );
    let bar = ProgressBar::hidden();
    let limits = Limits::new().watch(Bar::of_bytes(bar.clone()));
    let source = (0..10).map(|i| if i < 7 { Ok(i) } else { Err("torn") });
    assert!(sum::with(limits, source).is_err());
    assert_eq!((bar.position(), bar.is_finished()), (56, true));
}
