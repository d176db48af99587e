//! Functions over sequences, as what is computed at once and what is computed chunk by chunk.

use crate::ids::LocalId;
use crate::source::SrcSpan;
use crate::typed::ir::{SigType, SizeSpec};
use proc_macro2::{Ident, TokenStream};

/// An exported function that takes or gives sequences. What it computes are functions of the program
/// that have none, by their names; between these go values, which the run time holds.
#[derive(Debug)]
pub struct Stream {
    /// Its name.
    pub name: String,
    /// The name's token.
    pub ident: Ident,
    /// The visibility as written.
    pub vis: TokenStream,
    /// The doc comments as written.
    pub docs: TokenStream,
    /// The signature.
    pub src: SrcSpan,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its result; of a sequence the type of its items' chunk.
    pub ret: SigType,
    /// The types of the values that its parts make. Arrays in arrays that are held dense have a size; which one
    /// only the parts say.
    pub values: Vec<SigType>,
    /// What is run, in order; the last one gives the result.
    pub parts: Vec<Part>,
    /// Sizes of items that are equal since these come one after another.
    pub same: Vec<[SizeSpec; 2]>,
}

/// A parameter.
#[derive(Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its type; of a sequence that of a chunk of it.
    pub ty: SigType,
    /// What it is inside, if that is one name.
    pub local: Option<LocalId>,
    /// Whether it is a sequence.
    pub is_seq: bool,
    /// The whole parameter.
    pub src: SrcSpan,
}

/// An argument of a function of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    /// A parameter that is no sequence.
    Param(usize),
    /// A value that a part has made.
    Value(usize),
}

/// What is run.
#[derive(Debug)]
pub enum Part {
    /// A function, once.
    Once {
        /// Its name.
        function: String,
        /// Its arguments.
        args: Vec<Given>,
        /// The values that its result is, a tuple of as many; empty for the result of all.
        makes: Vec<usize>,
    },
    /// A pass over sequences.
    Pass(Pass),
}

/// A pass over sequences that are gone through together.
#[derive(Debug)]
pub struct Pass {
    /// What its items come from.
    pub sources: Vec<Source>,
    /// How these are gone through.
    pub feed: Feed,
    /// The function that is run for each chunk. Its result is a tuple: whether more items are wanted
    /// (if `stops`), what has ended, the state, the results.
    pub step: String,
    /// Its arguments.
    pub args: Vec<Arg>,
    /// What is carried from chunk to chunk: values, which hold the state before the first.
    pub state: Vec<usize>,
    /// What each step gives: values to append it to. None for what the function gives item by item,
    /// in the last part or in a [`Nested`] one, which then has this result alone.
    pub collected: Vec<Option<usize>>,
    /// Whether chunks have whole blocks of items, as reductions combine them, but for the last.
    pub in_blocks: bool,
    /// Whether the step says if more items are wanted.
    pub stops: bool,
    /// Of how many parts of the feed it says that no more items are wanted.
    pub ends: usize,
    /// Passes whose results are items of this one.
    pub nested: Vec<Nested>,
}

impl Nested {
    /// Whether it is gone through to its end, for what is computed of items besides its results.
    pub fn goes_on(&self) -> bool {
        self.pass.args.contains(&Arg::Unwanted)
    }
}

impl Pass {
    /// The passes within it, each behind those that are within that, and itself.
    pub fn all(&self) -> Vec<&Pass> {
        let within = self.nested.iter().flat_map(|it| it.pass.all());
        within.chain(std::iter::once(self)).collect()
    }
}

/// A pass whose results are items of another one. Either no other part asks for its state, or it
/// [goes on](Nested::goes_on) when the other has ended.
#[derive(Debug)]
pub struct Nested {
    /// The pass, which gives its results one by one.
    pub pass: Pass,
    /// The type of a chunk of these.
    pub items: SigType,
}

/// How sources are gone through, by their positions in [`Pass::sources`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Feed {
    /// One of them.
    One(usize),
    /// Side by side, until the shortest ends.
    Zipped(Vec<Feed>),
    /// Side by side, each as long as it is in one of these groups of them, by position, of which none has
    /// ended. A chunk may have different numbers of items of each.
    Beside(Vec<Feed>, Vec<Vec<usize>>),
    /// The items of one, then those of the other.
    After(Box<[Feed; 2]>),
    /// One, until a step says that no more of it is wanted: with which of its [`Pass::ends`].
    Until(Box<Feed>, usize),
    /// The first items of one, as many as this value.
    AtMost(Box<Feed>, usize),
}

/// Where items come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A parameter.
    Param(usize),
    /// Numbers from 0 to below this value.
    Count(usize),
    /// The results of a pass, by its position in [`Pass::nested`].
    Nested(usize),
}

/// An argument of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arg {
    /// The items of a source.
    Chunk(usize),
    /// Of a source of numbers the first, and the end.
    Ends(usize),
    /// The same in all steps.
    Given(Given),
    /// The state, by its position in [`Pass::state`].
    State(usize),
    /// Whether no items follow this chunk's.
    Last,
    /// Whether nobody wants results any more, of a [`Nested`] pass that goes on for its state.
    Unwanted,
}

impl Arg {
    /// How many parameters of the step it is.
    pub fn params(self) -> usize {
        match self {
            Arg::Ends(_) => 2,
            Arg::Chunk(_) | Arg::Given(_) | Arg::State(_) | Arg::Last | Arg::Unwanted => 1,
        }
    }
}

/// Whether arrays in items of a sequence have sizes that all items share.
pub fn has_sizes(sig: &SigType) -> bool {
    match sig {
        SigType::Scalar(_) | SigType::Struct(..) | SigType::Vector(..) => false,
        SigType::Tuple(fields) => fields.iter().any(has_sizes),
        SigType::Array { elem, size, .. } => {
            let is_shared = match size {
                SizeSpec::Own | SizeSpec::Seq => false,
                SizeSpec::Named(_)
                | SizeSpec::Param(_)
                | SizeSpec::Known(_)
                | SizeSpec::Held(_)
                | SizeSpec::Inline(_) => true,
            };
            is_shared || has_sizes(elem)
        }
    }
}
