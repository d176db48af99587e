//! The page of a block: what it says, and how it is drawn.
//!
//! In: a [`Page`], which knows nothing of the compiler's representations. Out: one HTML file that
//! needs no other. `html` is the frame, `code` the source, `layout` and `draw` the graphs, `lists`
//! what stands under each of them, `text` quotes.

mod code;
mod draw;
mod html;
mod index;
mod layout;
mod lists;
mod text;

pub use html::html;
pub use index::{Entry, index};

/// What a block's page says.
#[derive(Debug)]
pub struct Page {
    /// The crate that the block is in.
    pub krate: String,
    /// Its file, as rustc names it.
    pub file: String,
    /// The line of its first token.
    pub line: u32,
    /// Its items in the order of the source, then those of what it imports.
    pub items: Vec<Item>,
    /// The kernels of all of its functions, by [`KernelId`].
    pub kernels: Vec<Kernel>,
}

/// An item of the block, with what was made of it.
#[derive(Debug)]
pub struct Item {
    /// The file, where that is not the block's.
    pub file: Option<String>,
    /// The source.
    pub lines: Vec<Line>,
    /// Of an exported function: what was compiled, once per instance.
    pub functions: Vec<Function>,
}

/// A line of source.
#[derive(Debug)]
pub struct Line {
    /// Its number in the file.
    pub number: u32,
    /// Its text.
    pub pieces: Vec<Piece>,
}

/// A part of a line.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// What it is.
    pub class: Class,
    /// The kernels that it went into.
    pub kernels: Vec<KernelId>,
}

/// What a piece of source is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// `fn`, `for`, …
    Keyword,
    /// `f32`, …
    Type,
    /// A name that is called.
    Call,
    /// Another name.
    Name,
    /// A number.
    Number,
    /// A text.
    Text,
    /// A comment.
    Comment,
    /// All else.
    Other,
}

/// A kernel's place in [`Page::kernels`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct KernelId(pub usize);

/// A fused loop.
#[derive(Debug)]
pub struct Kernel {
    /// `2`, or `2.1` inside of that.
    pub label: String,
    /// Which of the colours.
    pub hue: usize,
    /// The function that it is of.
    pub function: String,
    /// The kernel that it is inside of.
    pub parent: Option<KernelId>,
    /// What it does: `reduces in lanes`.
    pub what: String,
    /// How many indices it runs over.
    pub extent: String,
    /// The operators that were fused into it, in order.
    pub operators: Vec<String>,
    /// The lines that it is made of.
    pub lines: Vec<Place>,
}

/// A line of source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The file, where that is not the block's.
    pub file: Option<String>,
    /// The line.
    pub line: u32,
}

/// An exported function, or an instance of one.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// `kernels 2`, `regular`, …: the parts of EXPLAIN's first line.
    pub facts: Vec<String>,
    /// `work O(n)`, …: the others.
    pub costs: Vec<String>,
    /// What letters in costs stand for.
    pub letters: Vec<String>,
    /// What is computed from what.
    pub graph: Graph,
    /// Its kernels, those inside of others behind these.
    pub kernels: Vec<KernelId>,
    /// The arrays in memory besides arguments.
    pub arrays: Vec<Array>,
    /// Representations, each with the values that have it.
    pub values: Vec<(&'static str, Vec<String>)>,
    /// What is left for run time, and why.
    pub checks: Vec<(Place, String)>,
}

/// An array in memory.
#[derive(Debug)]
pub struct Array {
    /// What it is called, or its line.
    pub name: String,
    /// Extents and type.
    pub shape: String,
    /// How much memory it takes.
    pub bytes: String,
    /// How its rows are represented.
    pub represented: String,
    /// The kernel that makes it.
    pub made_by: Option<KernelId>,
    /// The construct that makes it.
    pub place: Place,
    /// Why it is in memory.
    pub why: &'static str,
    /// What would keep it out, of what is no result.
    pub remedy: Option<&'static str>,
}

/// Boxes and arrows.
#[derive(Debug, Default)]
pub struct Graph {
    /// The boxes, each behind those that it depends on.
    pub nodes: Vec<Node>,
    /// The arrows.
    pub edges: Vec<Edge>,
}

/// A box.
#[derive(Debug)]
pub struct Node {
    /// What it stands for.
    pub kind: Kind,
    /// Its first line.
    pub title: String,
    /// The others.
    pub lines: Vec<String>,
    /// All of it, as a sentence.
    pub about: String,
    /// What is inside.
    pub inside: Graph,
}

/// What a box stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An argument.
    Param,
    /// A kernel.
    Kernel(KernelId),
    /// An array in memory.
    Array,
    /// An array that stays in the cache: what a kernel makes for itself, for one index at a time, or
    /// what kernels that run together hand on, strip by strip.
    Own,
    /// A result.
    Result,
    /// A sequential loop.
    Loop,
    /// A conditional, or one side of it.
    Branch,
    /// What comes from outside of the box around.
    Outer,
}

/// An arrow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edge {
    /// From which box.
    pub from: usize,
    /// To which.
    pub to: usize,
    /// Whether arrays go along it, not only numbers.
    pub array: bool,
}

impl Kernel {
    /// Its lines in the block's file: `lines 3–5`.
    pub fn in_lines(&self) -> String {
        let own = self.lines.iter().filter(|it| it.file.is_none());
        let lines: Vec<u32> = own.map(|it| it.line).collect();
        match lines.as_slice() {
            [] => String::new(),
            [line] => format!("line {line}"),
            [first, .., last] => format!("lines {first}–{last}"),
        }
    }
}

impl Page {
    /// The name of its file: the same for the same block, another for each other one.
    pub fn file_name(&self) -> String {
        let letter = |letter: char| match letter {
            '/' | '\\' => '.',
            plain if plain.is_ascii_alphanumeric() || plain == '_' => plain,
            _other => '-',
        };
        let word = |text: &str| text.chars().map(letter).collect::<String>();
        let file = self.file.strip_suffix(".rs").unwrap_or(&self.file);
        let file = file.trim_start_matches(['/', '.']);
        format!("{}.{}.{}.html", word(&self.krate), word(file), self.line)
    }

    /// What it is called: `src/main.rs, line 3`.
    pub fn title(&self) -> String {
        format!("{}, line {}", self.file, self.line)
    }

    /// A kernel.
    pub fn kernel(&self, id: KernelId) -> &Kernel {
        &self.kernels[id.0]
    }
}
