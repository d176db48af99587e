//! Lines, records and numbers of readers.

use std::error::Error as _;
use std::io::{self, BufRead, Cursor, Read};

use ragged_core::ErrorKind;
use ragged_core::seq::read::{self, Part, Prefix};
use ragged_core::seq::{Limits, Rows, items, run};

use super::SITE;

/// Gives at most so many bytes at a time, interrupted now and then, and at last perhaps an error.
struct Slow<'a> {
    rest: &'a [u8],
    step: usize,
    is_interrupted: bool,
    error: Option<io::Error>,
}

fn slow(rest: &[u8], step: usize) -> Slow<'_> {
    Slow {
        rest,
        step,
        is_interrupted: false,
        error: None,
    }
}

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.is_interrupted = !self.is_interrupted;
        if self.is_interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if self.rest.is_empty()
            && let Some(error) = self.error.take()
        {
            return Err(error);
        }
        let step = self.step.min(buffer.len());
        self.rest.take(step as u64).read(buffer).inspect(|len| {
            self.rest = &self.rest[*len..];
        })
    }
}

fn all<T: Clone>(items: impl Iterator<Item = io::Result<Part<T>>>) -> io::Result<Vec<Vec<T>>> {
    items.map(|item| Ok(item?.to_vec())).collect()
}

#[test]
fn lines_are_those_of_std() {
    let huge = "x".repeat(300_000) + "\nend";
    let texts = [
        "",
        "\n",
        "one",
        "one\n",
        "a\nb",
        "a\r\nb\r\n",
        "\r\n\r\n",
        "a\r",
        "\r\r\n",
        "\n\n\nx\n\n",
        &huge,
    ];
    for text in texts {
        let expected: Vec<Vec<u8>> = Cursor::new(text)
            .lines()
            .map(|line| line.expect("a string is no error").into_bytes())
            .collect();
        for step in [1, 2, 3, 7, 100_000] {
            if text.len() / step > 200_000 {
                continue;
            }
            let lines = all(read::lines(slow(text.as_bytes(), step)));
            assert_eq!(lines.expect("no error"), expected, "step {step}");
        }
    }
}

#[test]
fn parts_stay_while_others_are_read() {
    let text: String = (0..100_000).map(|i| format!("{i}\n")).collect();
    let lines: io::Result<Vec<_>> = read::lines(text.as_bytes()).collect();
    let lines = lines.expect("no error");
    assert!((0..100_000).all(|i| lines[i] == i.to_string()));
}

#[test]
fn separators() {
    for (text, expected) in [
        ("", vec![]),
        ("a,b", vec!["a", "b"]),
        (",a,,b,", vec!["", "a", "", "b"]),
    ] {
        let items = all(read::separated(slow(text.as_bytes(), 1), b','));
        let expected: Vec<_> = expected.iter().map(|it| it.as_bytes()).collect();
        assert_eq!(items.expect("no error"), expected);
    }
}

#[test]
fn fixed_records() {
    assert_eq!(
        all(read::fixed(&b""[..], 3)).expect("empty"),
        Vec::<Vec<u8>>::new()
    );
    let whole = all(read::fixed(slow(b"abcdef", 2), 3));
    assert_eq!(whole.expect("whole"), [b"abc", b"def"]);
    let mut items = read::fixed(slow(b"abcd", 3), 3);
    assert_eq!(
        items.next().expect("an item").expect("no error"),
        [b'a', b'b', b'c']
    );
    let error = items.next().expect("an item").expect_err("cut off");
    assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    assert_eq!(error.to_string(), "the last item has 1 of 3 bytes");
    assert!(items.next().is_none());
}

#[test]
fn prefixed_records() {
    let sizes = [
        (Prefix::U8, &[2][..]),
        (Prefix::U16Le, &[2, 0]),
        (Prefix::U16Be, &[0, 2]),
        (Prefix::U32Le, &[2, 0, 0, 0]),
        (Prefix::U32Be, &[0, 0, 0, 2]),
        (Prefix::U64Le, &[2, 0, 0, 0, 0, 0, 0, 0]),
        (Prefix::U64Be, &[0, 0, 0, 0, 0, 0, 0, 2]),
    ];
    for (prefix, len) in sizes {
        let bytes = [len, b"ab", len, b"cd"].concat();
        let whole = all(read::prefixed(slow(&bytes, 1), prefix));
        assert_eq!(whole.expect("whole"), [b"ab", b"cd"]);
        for cut in 1..bytes.len() {
            let end = len.len() + 2;
            let items: Vec<_> = read::prefixed(&bytes[..cut], prefix).collect();
            assert_eq!(items.iter().any(io::Result::is_err), cut != end, "{cut}");
        }
    }
}

#[test]
fn a_length_that_no_file_has() {
    let bytes = [u8::MAX; 11];
    let error = all(read::prefixed(&bytes[..], Prefix::U64Le)).expect_err("cut off");
    let text = "the last item has 3 of 18446744073709551615 bytes";
    assert_eq!(error.to_string(), text);
    let error = all(read::prefixed(&bytes[..], Prefix::U64Le).at_most(100)).expect_err("long");
    assert_eq!(error.to_string(), "an item is longer than 100 bytes");
}

#[test]
fn long_lines_are_left() {
    let text = "four\nsixsix\nten";
    let mut lines = read::lines(text.as_bytes()).at_most(4);
    assert_eq!(lines.next().expect("a line").expect("short"), "four");
    let error = lines.next().expect("a line").expect_err("long");
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    assert!(lines.next().is_none());
    // An endless line.
    let mut lines = read::lines(io::repeat(b'x')).at_most(1 << 20);
    assert!(lines.next().is_some_and(|line| line.is_err()));
}

#[test]
fn blocks_of_numbers() {
    let bytes: Vec<u8> = (0..7_i16).flat_map(i16::to_le_bytes).collect();
    for step in [1, 3, 4, 100] {
        let blocks = all(read::blocks::<i16>(slow(&bytes, step), 3)).expect("whole");
        assert_eq!(blocks, [vec![0, 1, 2], vec![3, 4, 5], vec![6]]);
        let numbers: io::Result<Vec<i16>> = read::numbers(slow(&bytes, step)).collect();
        assert_eq!(numbers.expect("whole"), [0, 1, 2, 3, 4, 5, 6]);
    }
    let mut blocks = read::blocks::<i16>(slow(&bytes[..9], 100), 3);
    assert_eq!(
        blocks.next().expect("a block").expect("whole"),
        vec![0, 1, 2]
    );
    assert_eq!(blocks.next().expect("a block").expect("whole"), vec![3]);
    let error = blocks.next().expect("an error").expect_err("cut off");
    assert_eq!(error.to_string(), "the last item has 1 of 2 bytes");
    assert!(blocks.next().is_none());
    assert_eq!(
        all(read::blocks::<f64>(io::empty(), 8)).expect("empty"),
        Vec::<Vec<f64>>::new()
    );
}

#[test]
fn many_blocks_and_large_ones() {
    let bytes: Vec<u8> = (0..300_000_u32).flat_map(u32::to_le_bytes).collect();
    for len in [1, 4, 1000, 250_000, 1 << 40] {
        let blocks: io::Result<Vec<_>> = read::blocks::<u32>(&bytes[..], len).collect();
        let blocks = blocks.expect("whole");
        assert!(blocks.iter().rev().skip(1).all(|it| it.len() == len));
        assert!(
            blocks
                .iter()
                .flat_map(|it| it.iter())
                .copied()
                .eq(0..300_000)
        );
    }
}

/// The items that a sequence has of a source, and its error.
fn read_all(
    source: impl Iterator<Item = io::Result<Part<u8>>>,
) -> (Vec<Vec<u8>>, Result<(), ragged_core::Error>) {
    let mut seen = Vec::new();
    let source = items::<Rows<'_, u8>, _, _>(&SITE, "lines", source);
    let end = run(source, Limits::new(), |chunk: &Rows<'_, u8>, _last| {
        seen.extend(chunk.view().iter().map(<[u8]>::to_vec));
        Ok(true)
    });
    (seen, end)
}

#[test]
fn as_a_sequence() {
    let (lines, end) = read_all(read::lines(&b"to be\nor\n\nnot"[..]));
    assert_eq!(end, Ok(()));
    assert_eq!(lines, [&b"to be"[..], b"or", b"", b"not"]);
}

#[test]
fn an_error_in_the_middle() {
    let mut reader = slow(b"one\ntwo\nthr", 2);
    let error = io::Error::new(io::ErrorKind::ConnectionReset, "the line is dead");
    reader.error = Some(error);
    let (lines, end) = read_all(read::lines(reader));
    assert_eq!(lines, [b"one", b"two"]);
    let error = end.expect_err("an error");
    let ErrorKind::Source { item: 2, .. } = error.kind() else {
        panic!("{error}")
    };
    let cause = error.source().and_then(|it| it.downcast_ref::<io::Error>());
    let cause = cause.expect("the reader's own error");
    assert_eq!(cause.kind(), io::ErrorKind::ConnectionReset);
    assert_eq!(cause.to_string(), "the line is dead");
}
