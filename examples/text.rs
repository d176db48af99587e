//! Words and their lengths in each line of a text: `cargo run --release --example text [file.txt]`.
//! Without a file, Alice's Adventures in Wonderland.

use ragged::{Ragged, accel};

accel! {
    /// Letters, and all bytes of letters that ASCII lacks; also an apostrophe, as in `don't`.
    fn in_word(byte: u8) -> bool {
        match byte { 65..=90 | 97..=122 | 128..=255 => true, _ => byte == 39 }
    }

    /// The words of each line: runs of letters.
    pub fn words(lines: [[u8]]) -> [[[u8]]] {
        for line in lines {
            let n = line.len();
            let inside = line.map(|byte| in_word(byte));
            let begins = (0..n).filter(|i| inside[i] && (i == 0 || !inside[i - 1]));
            let ends = (0..n).filter(|i| inside[i] && (i + 1 == n || !inside[i + 1]));
            for (begin, end) in zip(begins, ends) { line[begin..=end] }
        }
    }

    /// How long the words of each line are.
    pub fn lengths(words: [[[u8]]]) -> [[usize]] { for line in words { line.lens() } }

    /// How many words have each length.
    pub fn frequencies(lengths: [[usize]]) -> [usize] {
        let all = lengths.concat();
        for length in 0..=all.max_or(0) { all.count(|it| it == length) }
    }

    /// Lines of which all words are at most `most` long, and the mean length of words in each.
    pub fn simple(lengths: [[usize]], most: usize) -> ([usize], [f64]) {
        let simple = lengths.enumerate().filter(|(_, line)| line.len() > 4 && line.max() <= most);
        let means = for (_, line) in simple { line.sum() as f64 / line.len() as f64 };
        (simple.map(|(at, _)| at), means)
    }

    /// The words of `length` bytes.
    pub fn of_length(words: [[[u8]]], length: usize) -> [[u8]] {
        words.concat().filter(|word| word.len() == length)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = match std::env::args().nth(1) {
        Some(path) => std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?,
        None => include_str!("data/alice.txt").to_owned(),
    };
    let lines: Ragged<u8> = text.lines().map(|line| line.as_bytes().to_vec()).collect();
    let words = words(&lines)?;
    let lengths = lengths(&words)?;
    println!("{} lines, {} words\n", lines.len(), lengths.values().len());

    let full = text
        .lines()
        .zip(lengths.iter())
        .filter(|(_, lengths)| lengths.len() > 9);
    for (line, lengths) in full.take(5) {
        println!("{line}");
        println!("  {lengths:?}");
    }

    println!("\nhow many words are how long");
    let counts = frequencies(&lengths)?;
    let most = counts.iter().max().copied().unwrap_or(0).max(1);
    for (length, count) in counts.iter().enumerate().skip(1) {
        println!("  {length:3} {count:6} {}", "▒".repeat(48 * count / most));
    }
    let longest = of_length(&words, counts.len() - 1)?;
    let longest: Vec<_> = longest.iter().map(String::from_utf8_lossy).collect();
    println!("the longest: {}", longest.join(", "));

    let (at, means) = simple(&lengths, 3)?;
    println!("\n{} lines of many words, none longer than 3", at.len());
    for (at, mean) in at.iter().zip(&means).take(5) {
        let line = text.lines().nth(*at).unwrap_or("").trim();
        println!("  {mean:.2} on average: {line}");
    }
    println!("\n{}", self::words::EXPLAIN);
    Ok(())
}
