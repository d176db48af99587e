//! What a function over sequences is taken apart into, as text, for tests and for people.

use super::ir::{Arg, Feed, Given, Part, Pass, Source, Stream};
use std::fmt::Write;

/// One line for each part.
pub fn print(stream: &Stream) -> String {
    let mut out = format!("{}\n", stream.name);
    for part in &stream.parts {
        let _ = match part {
            Part::Once {
                function,
                args,
                makes,
            } => {
                let args: Vec<String> = args.iter().map(|it| given(stream, *it)).collect();
                let made: Vec<String> = makes.iter().map(|it| format!("v{it}")).collect();
                let made = match made.is_empty() {
                    true => "result".to_owned(),
                    false => made.join(", "),
                };
                writeln!(out, "  {made} = {function}({})", args.join(", "))
            }
            Part::Pass(pass) => writeln!(out, "{}", self::pass(stream, pass, "  ")),
        };
    }
    out
}

/// A pass, and in front of it those within it, further to the right.
fn pass(stream: &Stream, pass: &Pass, indent: &str) -> String {
    let inner = format!("{indent}  ");
    let within = pass.nested.iter().enumerate().map(|(at, it)| {
        let lines = self::pass(stream, &it.pass, &inner);
        format!("{indent}nested {at}:\n{lines}\n")
    });
    let within: String = within.collect();
    let sources = pass.sources.iter().map(|source| match source {
        Source::Param(at) => stream.params[*at].name.clone(),
        Source::Count(value) => format!("0..v{value}"),
        Source::Nested(at) => format!("nested {at}"),
    });
    let sources: Vec<String> = sources.collect();
    let args = pass.args.iter().map(|arg| match arg {
        Arg::Last => "last".to_owned(),
        Arg::Unwanted => "unwanted".to_owned(),
        Arg::Chunk(source) => format!("chunk {source}"),
        Arg::Ends(source) => format!("ends {source}"),
        Arg::Given(it) => given(stream, *it),
        Arg::State(at) => format!("v{}", pass.state[*at]),
    });
    let args: Vec<String> = args.collect();
    let more = pass.stops.then(|| "more".to_owned());
    let ends = (0..pass.ends).map(|it| format!("end {it}"));
    let state = pass.state.iter().map(|it| format!("v{it}"));
    let collected = pass.collected.iter().map(|it| match it {
        Some(value) => format!("v{value} ++"),
        None => "items".to_owned(),
    });
    let results: Vec<String> = more
        .into_iter()
        .chain(ends)
        .chain(state)
        .chain(collected)
        .collect();
    let blocks = match pass.in_blocks {
        true => " of whole blocks",
        false => "",
    };
    format!(
        "{within}{indent}for each chunk{blocks} of {}: {} = {}({})",
        feed(&pass.feed, &sources),
        results.join(", "),
        pass.step,
        args.join(", ")
    )
}

fn given(stream: &Stream, given: Given) -> String {
    match given {
        Given::Param(at) => stream.params[at].name.clone(),
        Given::Value(value) => format!("v{value}"),
    }
}

fn feed(it: &Feed, sources: &[String]) -> String {
    match it {
        Feed::One(source) => sources[*source].clone(),
        Feed::Zipped(feeds) => {
            let feeds: Vec<String> = feeds.iter().map(|it| feed(it, sources)).collect();
            feeds.join(" and ")
        }
        Feed::Beside(feeds, groups) => {
            let names: Vec<String> = feeds.iter().map(|it| feed(it, sources)).collect();
            let groups = groups.iter().map(|group| {
                let names: Vec<&str> = group.iter().map(|it| names[*it].as_str()).collect();
                names.join(" and ")
            });
            format!("({})", groups.collect::<Vec<_>>().join("; "))
        }
        Feed::Until(until, end) => format!("({} until end {end})", feed(until, sources)),
        Feed::AtMost(first, most) => format!("(v{most} of {})", feed(first, sources)),
        Feed::After(both) => {
            let [first, second] = &**both;
            format!("({}, then {})", feed(first, sources), feed(second, sources))
        }
    }
}
