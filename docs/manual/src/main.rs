//! Writes `docs/language.md` and `docs/nesting.md`: `cargo run -p ragged-manual`.
//!
//! In: the chapters in `docs/manual/chapters` and `docs/manual/nesting.md`, the operator table, the
//! table of scalar functions, and what the compiler says of the programs shown. Out: the files; with
//! `--check`, exit 1 if they are not what would be written. Their examples run as doctests of `ragged`.

mod explained;
mod operators;
mod scalars;

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

/// The chapters in order. A line `{operators}` or `{scalar functions}` in one stands for a table,
/// `{explain NAME}` for what `EXPLAIN` says of a function in the block before.
const CHAPTERS: &[&str] = &[
    include_str!("../chapters/one_look.md"),
    include_str!("../chapters/types.md"),
    include_str!("../chapters/sizes.md"),
    include_str!("../chapters/expressions.md"),
    include_str!("../chapters/nested.md"),
    include_str!("../chapters/statements.md"),
    include_str!("../chapters/functions.md"),
    include_str!("../chapters/structs.md"),
    include_str!("../chapters/operators.md"),
    include_str!("../chapters/stencils.md"),
    include_str!("../chapters/sequences.md"),
    include_str!("../chapters/scalars.md"),
    include_str!("../chapters/errors.md"),
    include_str!("../chapters/into.md"),
    include_str!("../chapters/meaning.md"),
    include_str!("../chapters/blocks.md"),
    include_str!("../chapters/explain.md"),
    include_str!("../chapters/contracts.md"),
    include_str!("../chapters/missing.md"),
];

const HEAD: &str = "\
<!-- Made by `cargo run -p ragged-manual` from the operator table and docs/manual/chapters. -->

# The language inside `accel!`
";

fn main() -> ExitCode {
    let check = match env::args().nth(1).as_deref() {
        None => false,
        Some("--check") => true,
        Some(_) => {
            eprintln!("usage: ragged-manual [--check]");
            return ExitCode::FAILURE;
        }
    };
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut code = ExitCode::SUCCESS;
    for (name, text) in [("language.md", manual()), ("nesting.md", nesting())] {
        let file = docs.join(name);
        let done = match check {
            true => compare(&file, &text),
            false => fs::write(&file, text),
        };
        if let Err(error) = done {
            eprintln!("docs/{name}: {error}");
            code = ExitCode::FAILURE;
        }
    }
    code
}

fn compare(file: &Path, new: &str) -> io::Result<()> {
    let old = fs::read_to_string(file)?;
    match (1..)
        .zip(old.lines().zip(new.lines()))
        .find(|(_, (old, new))| old != new)
    {
        _ if old == new => Ok(()),
        Some((line, _)) => Err(io::Error::other(format!(
            "line {line} is not current; run `cargo run -p ragged-manual`"
        ))),
        None => Err(io::Error::other(
            "its end is not current; run `cargo run -p ragged-manual`",
        )),
    }
}

fn manual() -> String {
    let text = CHAPTERS.concat();
    let mut out = format!("{HEAD}\n{}\n", contents(&text));
    for chapter in CHAPTERS {
        for line in explained::filled(chapter).lines() {
            match line {
                "{operators}" => out += &operators::entries(),
                "{scalar functions}" => out += &scalars::table(),
                "{complex functions}" => out += &scalars::complex(),
                line => out += &format!("{line}\n"),
            }
        }
        out.push('\n');
    }
    format!("{}\n", out.trim_end())
}

fn nesting() -> String {
    let head = "<!-- Made by `cargo run -p ragged-manual` from docs/manual/nesting.md and what the compiler says. -->";
    format!(
        "{head}\n\n{}",
        explained::filled(include_str!("../nesting.md"))
    )
}

/// Links to the chapters.
fn contents(text: &str) -> String {
    let titles = text.lines().filter_map(|line| line.strip_prefix("## "));
    let links = titles.map(|title| format!("[{title}](#{})", anchor(title)));
    links.collect::<Vec<_>>().join(" · ") + "\n"
}

/// A heading's anchor, as GitHub makes it.
fn anchor(title: &str) -> String {
    let kept = title
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| {
        if c == ' ' {
            '-'
        } else {
            c.to_ascii_lowercase()
        }
    })
    .collect()
}
