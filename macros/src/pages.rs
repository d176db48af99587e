//! Pages of `RAGGED_EXPLAIN`: where they go, and writing them.
//!
//! In: what the compiler says of a block. Out: a file in the folder that the variable names, and one
//! that links all of these. Other compilers may write into the same folder at the same time, so files
//! appear whole, by renaming.

use proc_macro2::{Span, TokenStream};
use ragged_compiler::explain::page::{Entry, Page, html, index};
use ragged_compiler::fused::ir::Program;
use ragged_compiler::report::{Diagnostic, Report};
use ragged_compiler::source::SrcSpan;
use std::fs;
use std::io::{Error, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Names the folder.
const VARIABLE: &str = "RAGGED_EXPLAIN";
/// The file that links the others.
const INDEX: &str = "index.html";
/// What of a page is read for that: its head begins with what the list shows.
const HEAD: u64 = 4096;

/// The folder, if pages are asked for.
pub fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os(VARIABLE)?;
    (!folder.is_empty()).then(|| folder.into())
}

/// Writes the page of a block; a message where that fails.
pub fn write(folder: &Path, block: &TokenStream, program: &Program) -> Option<TokenStream> {
    if program.functions.is_empty() {
        return None;
    }
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let krate = std::env::var("CARGO_CRATE_NAME").unwrap_or_default();
    // A program or test of a package is a crate of its own.
    let krate = match package.replace('-', "_") == krate || package.is_empty() {
        true => krate,
        false => format!("{package}/{krate}"),
    };
    let page = ragged_compiler::explain::page(block, program, &krate, &text_of);
    let error = save(folder, &page).err()?;
    Some(Report::from(refused(folder, &error)).to_tokens())
}

fn text_of(token: Span) -> Option<String> {
    fs::read_to_string(token.local_file()?).ok()
}

fn refused(folder: &Path, error: &Error) -> Diagnostic {
    let title = format!(
        "the page that `{VARIABLE}` asks for cannot be written into `{}`",
        folder.display()
    );
    Diagnostic::new(SrcSpan::call_site(), title)
        .note(error.to_string())
        .help(format!(
            "set `{VARIABLE}` to a folder that can be made and written, or unset it"
        ))
}

fn save(folder: &Path, page: &Page) -> Result<(), Error> {
    fs::create_dir_all(folder)?;
    whole(folder, &page.file_name(), &html(page))?;
    // Whoever writes a page lists the folder until nothing is missing from what it has written: so
    // the last of several compilers lists all pages.
    let mut listed = entries(folder)?;
    loop {
        whole(folder, INDEX, &index(&listed))?;
        let now = entries(folder)?;
        if now == listed {
            return Ok(());
        }
        listed = now;
    }
}

/// Writes a file that nobody sees half written.
fn whole(folder: &Path, name: &str, text: &str) -> Result<(), Error> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let draft = folder.join(format!(".{name}.{}.{count}", std::process::id()));
    fs::write(&draft, text)?;
    fs::rename(&draft, folder.join(name))
}

/// All pages of a folder.
fn entries(folder: &Path) -> Result<Vec<Entry>, Error> {
    let mut entries = Vec::new();
    for file in fs::read_dir(folder)? {
        let file = file?;
        let name = file.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') || name == INDEX || !name.ends_with(".html") {
            continue;
        }
        let mut head = Vec::new();
        fs::File::open(file.path())?
            .take(HEAD)
            .read_to_end(&mut head)?;
        entries.extend(Entry::of(&name, &String::from_utf8_lossy(&head)));
    }
    entries.sort();
    Ok(entries)
}
