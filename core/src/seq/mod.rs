//! Sequences: streams of items of any size, computed in chunks.
//!
//! In: what a user passes for a sequence, any iterator of what [`SeqItem`] takes, and a *step*, the
//! function that a program over sequences was compiled to: it computes a chunk of items from the
//! chunk, and from a state that it keeps. Out: the results, one by one ([`Stream`]), or what the step
//! has in its state in the end ([`run`]), or each to a sink ([`for_each`]).
//! Assumes: nothing. A step's results do not depend on how the items are cut into chunks; the drivers
//! cut them by size and time.
//!
//! | file | what it has |
//! |---|---|
//! | `chunk.rs` | [`Chunk`], many items in one array; [`Indices`], a chunk of the numbers of items |
//! | `item.rs` | [`SeqItem`], what an item may be in Rust, and how it is put behind those of a chunk |
//! | `places.rs` | places in a chunk, for items that come many at a time |
//! | `rows.rs` | [`Rows`], a chunk of rows of any lengths, which may be where they were |
//! | `source.rs` | [`Source`], what items come from: an iterator, numbers, several sources side by side |
//! | `after.rs` | one source after another |
//! | `beside.rs` | sources side by side, each as long as something needs it |
//! | `lengths.rs` | lengths that items have in common, known or to come |
//! | `until.rs`, `most.rs` | a source that ends when nobody wants more of it, or behind so many items |
//! | `nested.rs` | a sequence whose results are the items of another |
//! | `results.rs` | [`Items`], the items of a chunk of results one by one; [`Append`], chunks one behind the other |
//! | `tuples.rs` | these of tuples |
//! | `size.rs` | how large the next chunk is to be |
//! | `pump.rs` | one turn: a chunk is computed while the next is read |
//! | `parts.rs` | a chunk in parts: what comes before the item that a step blames, and what there is room for |
//! | `drivers.rs` | [`run`] and [`Stream`], turn after turn |
//! | `pipeline/` | [`for_each`]: reading, computing and handing on at once |
//! | `prepared.rs` | [`Prepared`], what becomes a [`Stream`] or goes through [`for_each`] |
//! | `read/` | lines, records and numbers of readers, as iterators |
//! | `watch/` | what is seen of all that: progress, traces, plots |
//! | `fault.rs`, `limits.rs` | what goes wrong with an item; the limit of memory |
//!
//! Note \[Turns\]. The calling thread reads, since a source need be neither `Send` nor `'static`; in
//! `rayon::in_place_scope` the pool computes chunk `k` meanwhile, and the calling thread reads chunk
//! `k + 1`. The scope ends when both are done, also when one of them panics: then the panic goes on
//! to the caller, and there are no further items. Nothing runs between two turns, so a stream can be
//! dropped at any time. A turn whose chunk takes less than a hop to another thread is computed on
//! the calling thread.
//!
//! Note \[Ends\]. The step that follows the end of the source, and no other, is told that it is the
//! last one; its chunk may be empty. An error of the source is not an end: what was read before it is
//! computed and delivered, then comes the error, and nothing after it. Errors come by position: one of
//! a step before one of the source that was met meanwhile. A step that fails on a chunk is called for
//! parts of it, until the item that it fails on is alone: so neither the results before an error nor
//! the error depend on chunks. A step that wants no more items is the last one without being told so.
//! An error of a source is not seen if the step says, once it has computed what was read before, that nobody wants
//! more of that source: it is forgiven ([`Source::forgive`]), and what goes on
//! beside it or comes behind it is read on.

mod after;
mod beside;
mod chunk;
mod drivers;
mod fault;
mod gather;
mod item;
mod lengths;
mod limits;
mod most;
mod nested;
mod parts;
mod pipeline;
mod places;
mod prepared;
mod pump;
pub mod read;
mod results;
mod rows;
mod size;
mod source;
mod tuples;
mod until;
mod watch;

pub use after::{After, Chained, after};
pub use beside::{Beside, SideBySide, beside};
pub use chunk::{Chunk, Indices};
pub use drivers::{Stream, run, stream};
pub use fault::{Fault, SourceError};
#[doc(hidden)]
pub use item::Room;
pub use item::{Fallible, Plain, SeqItem};
#[doc(hidden)]
pub use lengths::Lengths;
pub use limits::Limits;
#[doc(hidden)]
pub use most::{AtMost, at_most};
#[doc(hidden)]
pub use nested::{Nested, nested};
pub use pipeline::for_each;
#[doc(hidden)]
pub use places::RowPlaces;
#[doc(hidden)]
pub use prepared::Prepared;
pub use results::{Append, Items};
#[doc(hidden)]
pub use rows::Held;
pub use rows::Rows;
pub use source::{Count, Iter, Quota, Source, count, items};
#[doc(hidden)]
pub use until::{End, Until, until};
pub use watch::{Event, Progress, Stage, Trace, Watch};
