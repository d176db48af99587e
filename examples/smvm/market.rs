//! Reading matrices in the Matrix Market exchange format, `coordinate` kind.

use ragged::Ragged;
use std::fmt::Display;
use std::str::{FromStr, SplitWhitespace};

/// A sparse matrix.
#[derive(Debug)]
pub struct Matrix {
    /// Per row the columns, in ascending order, and their values.
    pub rows: Ragged<(usize, f64)>,
    /// How many columns there are.
    pub columns: usize,
    /// Whether the file says that it is its own transpose.
    pub symmetric: bool,
}

/// What the first line says.
struct Kind {
    /// No values: all are 1.
    pattern: bool,
    /// What an entry below the diagonal says of the one above: its sign there.
    mirrored: Option<f64>,
}

/// Reads the text of a file; errors begin with `name` and the line.
pub fn read(name: &str, text: &str) -> Result<Matrix, String> {
    let mut lines = (1..).zip(text.lines());
    let at = |line: usize, error: String| format!("{name}:{line}: {error}");
    let (line, first) = lines.next().unwrap_or((1, ""));
    let kind = kind(first).map_err(|error| at(line, error))?;
    let mut lines = lines.filter(|(_, text)| !text.starts_with('%') && !text.trim().is_empty());
    let Some((line, sizes)) = lines.next() else {
        return Err(at(line, "ends before the line with the sizes".to_owned()));
    };
    let (height, columns, stored) = entry_of_sizes(sizes).map_err(|error| at(line, error))?;
    let mut rows = vec![Vec::new(); height];
    let (mut count, mut last) = (0, line);
    for (line, text) in lines {
        let entry = entry(text, &kind, height, columns).map_err(|error| at(line, error))?;
        (count, last) = (count + 1, line);
        if count > stored {
            return Err(at(
                line,
                format!("more than the {stored} entries that the sizes say"),
            ));
        }
        let (i, j, value) = entry;
        rows[i].push((j, value));
        if let (Some(sign), true) = (kind.mirrored, i != j) {
            rows[j].push((i, sign * value));
        }
    }
    if count < stored {
        return Err(at(last, format!("ends after {count} of {stored} entries")));
    }
    rows.iter_mut().for_each(|row| row.sort_by_key(|(j, _)| *j));
    Ok(Matrix {
        rows: rows.into_iter().collect(),
        columns,
        symmetric: kind.mirrored == Some(1.0),
    })
}

fn kind(line: &str) -> Result<Kind, String> {
    let words = line.to_ascii_lowercase();
    let words: Vec<&str> = words.split_whitespace().collect();
    let ["%%matrixmarket", "matrix", format, field, symmetry] = words[..] else {
        return Err("expected `%%MatrixMarket matrix coordinate …`".to_owned());
    };
    if format != "coordinate" {
        return Err(format!(
            "a matrix of kind `{format}`, expected `coordinate`"
        ));
    }
    let pattern = match field {
        "real" | "integer" | "double" => false,
        "pattern" => true,
        _ => return Err(format!("values of kind `{field}`, expected real ones")),
    };
    let mirrored = match symmetry {
        "general" => None,
        "symmetric" => Some(1.0),
        "skew-symmetric" => Some(-1.0),
        _ => return Err(format!("unknown symmetry `{symmetry}`")),
    };
    Ok(Kind { pattern, mirrored })
}

fn entry_of_sizes(text: &str) -> Result<(usize, usize, usize), String> {
    let mut words = text.split_whitespace();
    let mut next = |what| number::<usize>(&mut words, what);
    let sizes = (
        next("number of rows")?,
        next("number of columns")?,
        next("number of entries")?,
    );
    end(words)?;
    Ok(sizes)
}

/// Row, column and value, counted from 0.
fn entry(
    text: &str,
    kind: &Kind,
    height: usize,
    width: usize,
) -> Result<(usize, usize, f64), String> {
    let mut words = text.split_whitespace();
    let i = index(&mut words, "row", height)?;
    let j = index(&mut words, "column", width)?;
    let value = if kind.pattern {
        1.0
    } else {
        number(&mut words, "value")?
    };
    end(words)?;
    if kind.mirrored.is_some() && i.max(j) >= height.min(width) {
        return Err("an entry that has no mirror image: the matrix is not square".to_owned());
    }
    Ok((i, j, value))
}

fn index(words: &mut SplitWhitespace, what: &str, most: usize) -> Result<usize, String> {
    match number::<usize>(words, what)? {
        at if (1..=most).contains(&at) => Ok(at - 1),
        at => Err(format!("{what} {at} is not from 1 to {most}")),
    }
}

fn number<T: FromStr<Err: Display>>(words: &mut SplitWhitespace, what: &str) -> Result<T, String> {
    let word = words.next().ok_or_else(|| format!("no {what}"))?;
    word.parse()
        .map_err(|error| format!("{what} `{word}`: {error}"))
}

fn end(mut words: SplitWhitespace) -> Result<(), String> {
    let more = words.next();
    more.map_or(Ok(()), |word| Err(format!("`{word}` is one word too many")))
}

#[cfg(test)]
mod tests {
    use super::read;

    const HEAD: &str = "%%MatrixMarket matrix coordinate real general\n% about it\n";

    fn rows(text: &str) -> Vec<Vec<(usize, f64)>> {
        read("a.mtx", text).expect("it can be read").rows.into()
    }

    fn error(text: &str) -> String {
        read("a.mtx", text).expect_err("it cannot be read")
    }

    #[test]
    fn general() {
        let text = format!("{HEAD}2 3 3\n\n2 3 -1.5e1\n1 2 2\n2 1 1\n");
        assert_eq!(rows(&text), [vec![(1, 2.0)], vec![(0, 1.0), (2, -15.0)]]);
        assert_eq!(read("a.mtx", &text).unwrap().columns, 3);
    }

    #[test]
    fn mirrored() {
        let symmetric = "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 3\n2 1 4\n";
        assert_eq!(rows(symmetric), [vec![(0, 3.0), (1, 4.0)], vec![(0, 4.0)]]);
        assert!(read("a.mtx", symmetric).unwrap().symmetric);
        let skew = "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 4\n";
        assert_eq!(rows(skew), [vec![(1, -4.0)], vec![(0, 4.0)]]);
        let pattern = "%%matrixmarket MATRIX coordinate pattern general\n2 2 1\n2 1\n";
        assert_eq!(rows(pattern), [vec![], vec![(0, 1.0)]]);
    }

    #[test]
    fn malformed() {
        let of = |rest: &str| error(&format!("{HEAD}{rest}"));
        assert_eq!(
            error(""),
            "a.mtx:1: expected `%%MatrixMarket matrix coordinate …`"
        );
        assert_eq!(
            error("1 2\n"),
            "a.mtx:1: expected `%%MatrixMarket matrix coordinate …`"
        );
        let array = error("%%MatrixMarket matrix array real general\n");
        assert_eq!(
            array,
            "a.mtx:1: a matrix of kind `array`, expected `coordinate`"
        );
        let complex = error("%%MatrixMarket matrix coordinate complex general\n");
        assert_eq!(
            complex,
            "a.mtx:1: values of kind `complex`, expected real ones"
        );
        let hermitian = error("%%MatrixMarket matrix coordinate real hermitian\n");
        assert_eq!(hermitian, "a.mtx:1: unknown symmetry `hermitian`");
        assert_eq!(of(""), "a.mtx:1: ends before the line with the sizes");
        assert_eq!(of("2 2\n"), "a.mtx:3: no number of entries");
        assert_eq!(
            of("2 x 1\n"),
            "a.mtx:3: number of columns `x`: invalid digit found in string"
        );
        assert_eq!(of("2 2 1\n3 1 1.0\n"), "a.mtx:4: row 3 is not from 1 to 2");
        assert_eq!(
            of("2 2 1\n1 0 1.0\n"),
            "a.mtx:4: column 0 is not from 1 to 2"
        );
        assert_eq!(of("2 2 1\n1 1\n"), "a.mtx:4: no value");
        assert_eq!(
            of("2 2 1\n1 1 1.0 2.0\n"),
            "a.mtx:4: `2.0` is one word too many"
        );
        assert_eq!(of("2 2 2\n1 1 1.0\n"), "a.mtx:4: ends after 1 of 2 entries");
        assert_eq!(
            of("2 2 0\n1 1 1.0\n"),
            "a.mtx:4: more than the 0 entries that the sizes say"
        );
        let wide = "%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 3 1.0\n";
        let message = "a.mtx:3: an entry that has no mirror image: the matrix is not square";
        assert_eq!(error(wide), message);
    }
}
