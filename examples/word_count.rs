//! Lines, words, and how long they are, of a file of any size, in one pass over its lines:
//! `cargo run --release --example word_count [file.txt [trace]]`. Without a file, of 64 MB that are made
//! while they are read. At most 16 MB are in memory. Beside it, what a plain loop takes. With a second
//! argument writes how the pass went: `trace.json` for <https://ui.perfetto.dev>, `trace.svg` a plot.

use std::error::Error;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::time::Instant;

use ragged::accel;
use ragged::seq::{Limits, Trace, read};

accel! {
    fn is_space(byte: u8) -> bool { byte == 32 || (9 <= byte && byte <= 13) }

    /// Lines, bytes without the ends of lines, bytes of the longest line, and how many words have
    /// 1, 2 … bytes; longer ones than `most` are counted with those of `most`.
    pub fn count(lines: Seq<[u8]>, most: usize) -> (usize, usize, usize, [usize]) {
        let sizes = lines.map(|line| line.len());
        let lengths = lines.fold(fill(0, most + 1), |counts, line| {
            let mut counts = counts;
            let mut length = 0;
            for byte in line {
                if !is_space(byte) {
                    length += 1;
                } else if length > 0 {
                    counts[min(length, most)] += 1;
                    length = 0;
                }
            }
            if length > 0 { counts[min(length, most)] += 1; }
            counts
        });
        (sizes.count(|_| true), sizes.sum(), sizes.max_or(0), lengths)
    }
}

/// The longest words that are told apart.
const MOST: usize = 32;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1);
    let open = || -> Result<Box<dyn Read>, Box<dyn Error>> {
        Ok(match &path {
            Some(path) => Box::new(File::open(path).map_err(|error| format!("{path}: {error}"))?),
            None => Box::new(Text::new(64_000_000)),
        })
    };
    let bytes = timed("reading alone", || {
        Ok((io::copy(&mut open()?, &mut io::sink())?, ()))
    })?
    .0;
    let mut limits = Limits::new().memory(16 << 20);
    let trace = std::env::args().nth(2).map(|path| (path, Trace::new()));
    if let Some((_, trace)) = &trace {
        limits = limits.watch(trace.clone());
    }
    let (_, (lines, size, longest, lengths)) = timed("one pass of `accel!`", || {
        let counts = count::with(limits, read::lines(open()?), MOST)?;
        Ok((bytes, counts))
    })?;
    let (_, by_hand) = timed("a plain loop", || Ok((bytes, by_hand(open()?)?)))?;
    assert_eq!(
        (lines, size, longest, &lengths),
        (by_hand.0, by_hand.1, by_hand.2, &by_hand.3)
    );

    let words: usize = lengths.iter().sum();
    println!("\n{lines} lines, {words} words, {bytes} bytes; the longest line has {longest}");
    println!("the most frequent lengths of words");
    let mut ranks: Vec<usize> = (1..=MOST).filter(|at| lengths[*at] > 0).collect();
    ranks.sort_by_key(|at| std::cmp::Reverse(lengths[*at]));
    for at in ranks.into_iter().take(8) {
        let percent = 100.0 * lengths[at] as f64 / words as f64;
        println!(
            "  {at:3} {percent:5.1} % {}",
            "▒".repeat(percent.round() as usize)
        );
    }
    if let Some((path, trace)) = trace {
        trace.write_chrome(File::create(format!("{path}.json"))?)?;
        std::fs::write(format!("{path}.svg"), trace.svg())?;
    }
    Ok(())
}

/// Says how many bytes a second `f` took, which gives their number first.
fn timed<T>(
    name: &str,
    f: impl FnOnce() -> Result<(u64, T), Box<dyn Error>>,
) -> Result<(u64, T), Box<dyn Error>> {
    let start = Instant::now();
    let done = f()?;
    let rate = done.0 as f64 / 1e6 / start.elapsed().as_secs_f64();
    println!("{name:20} {rate:6.0} MB/s");
    Ok(done)
}

/// The same by hand.
fn by_hand(text: impl Read) -> io::Result<(usize, usize, usize, Vec<usize>)> {
    let mut reader = BufReader::with_capacity(1 << 16, text);
    let (mut lines, mut size, mut longest) = (0, 0, 0);
    let mut lengths = vec![0; MOST + 1];
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        if line.ends_with(b"\n") {
            line.pop();
            if line.ends_with(b"\r") {
                line.pop();
            }
        }
        lines += 1;
        size += line.len();
        longest = longest.max(line.len());
        for word in line.split(|byte| matches!(byte, 9..=13 | 32)) {
            if !word.is_empty() {
                lengths[word.len().min(MOST)] += 1;
            }
        }
        line.clear();
    }
    Ok((lines, size, longest, lengths))
}

/// A text of so many bytes: a part of one that ships, again and again, each time from another line on.
struct Text {
    lines: Vec<&'static str>,
    next: usize,
    rest: &'static [u8],
    left: u64,
}

impl Text {
    fn new(bytes: u64) -> Self {
        Text {
            lines: include_str!("data/alice.txt")
                .split_inclusive('\n')
                .collect(),
            next: 0,
            rest: b"",
            left: bytes,
        }
    }
}

impl Read for Text {
    fn read(&mut self, mut room: &mut [u8]) -> io::Result<usize> {
        let mut done = 0;
        while !room.is_empty() && self.left > 0 {
            if self.rest.is_empty() {
                // A number without a factor in common with most others.
                self.next = (self.next + 7919) % self.lines.len();
                self.rest = self.lines[self.next].as_bytes();
            }
            let len = self.rest.len().min(room.len()).min(self.left as usize);
            let (now, later) = self.rest.split_at(len);
            let (these, others) = room.split_at_mut(len);
            these.copy_from_slice(now);
            (room, self.rest) = (others, later);
            self.left -= len as u64;
            done += len;
        }
        Ok(done)
    }
}
