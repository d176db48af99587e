//! The list of all pages in a folder.

use super::text::escape;

/// A page, as its own head says.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Entry {
    /// The crate.
    pub krate: String,
    /// File and line.
    pub title: String,
    /// Its functions.
    pub functions: String,
    /// The name of its file.
    pub file_name: String,
}

impl Entry {
    /// From the head of a page; nothing if it is no page.
    pub fn of(file_name: &str, text: &str) -> Option<Entry> {
        let (_, rest) = text.split_once("<meta name=\"ragged\" content=\"")?;
        let (content, _) = rest.split_once("\">")?;
        let mut parts = content.split('\t').map(str::to_owned);
        Some(Entry {
            krate: parts.next()?,
            title: parts.next()?,
            functions: parts.next()?,
            file_name: file_name.to_owned(),
        })
    }
}

/// The page that links them; what entries say is escaped already.
pub fn index(entries: &[Entry]) -> String {
    let mut sorted = entries.to_vec();
    sorted.sort_by(|a, b| (&a.krate, by_line(&a.title)).cmp(&(&b.krate, by_line(&b.title))));
    let crates = sorted.chunk_by(|a, b| a.krate == b.krate).map(|group| {
        let rows = group.iter().map(|it| {
            format!(
                "<li><a href=\"{}\">{}</a><br>{}</li>\n",
                escape(&it.file_name),
                it.title,
                it.functions
            )
        });
        format!(
            "<h2>{}</h2>\n<ul class=\"pages\">\n{}</ul>\n",
            group[0].krate,
            rows.collect::<String>()
        )
    });
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>ragged: all blocks</title>\n\
         <style>\n{}</style>\n</head>\n<body>\n<header><h1>Blocks of <code>accel!</code></h1>\n</header>\n\
         <main>\n{}</main>\n</body>\n</html>\n",
        include_str!("style.css"),
        crates.collect::<String>()
    )
}

/// Lines in the order of numbers.
fn by_line(title: &str) -> (&str, u32) {
    let (file, line) = title.rsplit_once(", line ").unwrap_or((title, "0"));
    (file, line.parse().unwrap_or(0))
}
