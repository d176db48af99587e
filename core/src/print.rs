//! What `dbg!` prints in debug builds.
//!
//! In: texts, each a line or a part of one. Out: lines on the standard error output, each with its
//! place in front. Assumes that the parts of a line come one after the other from one thread.

use core::cell::RefCell;
use core::fmt::{Arguments, Write};

use crate::error::Site;

thread_local! {
    /// What has come of a line.
    static LINE: RefCell<String> = const { RefCell::new(String::new()) };
}

impl Site {
    /// Adds a text to the line of `dbg!` number `id` among the checks; prints the line if it `ends`.
    #[cold]
    #[inline(never)]
    pub fn print(&self, id: u32, ends: bool, text: Arguments<'_>) {
        LINE.with_borrow_mut(|line| {
            // Writing to a string does not fail.
            let _ = line.write_fmt(text);
            if ends {
                let check = self.checks.get(id as usize);
                let (at, column) =
                    check.map_or((self.line, self.column), |it| (it.line, it.column));
                let file = check.and_then(|it| it.file).unwrap_or(self.file);
                eprintln!("[{file}:{at}:{column}] {line}");
                line.clear();
            }
        });
    }
}
