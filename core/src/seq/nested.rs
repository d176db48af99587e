//! A sequence whose results are the items of another one.
//!
//! In: a [`Stream`]. Out: a source, whose chunks are put together from those that the stream makes, so
//! that what leaves items out, or gives many for one, can be read side by side with others.
//! Assumes: nothing. The stream computes its own chunks, ahead of what is asked for; what fails in it is
//! an error in the place of the result that was not made.

use super::drivers::Stream;
use super::lengths::{Axes, Lengths};
use super::results::Items;
use super::source::Source;
use crate::error::{Error, Failure, Result, Site};

/// The results of a sequence as items: see [`nested`].
pub struct Nested<S: Source, O: Items, F> {
    stream: Stream<S, O, F>,
    axes: Option<Axes>,
    site: &'static Site,
    /// The error that was given in the place of a result, of which a `zip` may know nothing.
    given: Option<Error>,
}

/// The results of `stream`, one by one, as far as they are asked for.
pub fn nested<S: Source, O: Items, F>(
    site: &'static Site,
    stream: Stream<S, O, F>,
) -> Nested<S, O, F> {
    Nested {
        stream,
        axes: None,
        site,
        given: None,
    }
}

impl<S: Source, O: Items, F> Nested<S, O, F> {
    /// The same, of results whose axes are these sizes.
    #[must_use]
    pub fn sized(self, lengths: &Lengths, sizes: &'static [usize]) -> Self {
        Nested {
            axes: Some(Axes::new(lengths, sizes)),
            ..self
        }
    }
}

impl<S, O, F> Nested<S, O, F>
where
    S: Source,
    O: Items,
    F: FnMut(&S::Chunk, bool, &mut O) -> Result<bool> + Send,
{
    /// Goes on to the end of what it is made of, of which somebody else wants more, and gives no results: of an
    /// item on which the step has failed, and of which nobody has asked for the result, the step is called
    /// again.
    ///
    /// Errors: those of the step and of the source.
    pub fn finish(&mut self) -> Result<()> {
        self.stream.finish(self.given.take())
    }
}

impl<S, O, F> Source for Nested<S, O, F>
where
    S: Source,
    O: Items,
    F: FnMut(&S::Chunk, bool, &mut O) -> Result<bool> + Send,
{
    type Chunk = O;
    const COMPUTES: bool = true;

    #[inline]
    fn pull(&mut self, chunk: &mut O, largest: usize) -> Result<bool> {
        if !self.stream.has_results() {
            self.assume(chunk);
            let error = self.stream.take_error();
            self.given.clone_from(&error);
            return error.map_or(Ok(false), Err);
        }
        let (items, bytes) = (chunk.items(), chunk.bytes());
        self.site.checked(self.stream.give_to(chunk))?;
        let bytes = chunk.bytes() - bytes;
        if bytes > largest {
            chunk.truncate(items);
            return Err(self.site.failure(Failure::OutOfMemory { bytes }));
        }
        Ok(true)
    }

    fn assume(&self, chunk: &mut O) {
        if let Some(axes) = &self.axes {
            axes.assume(chunk);
        }
    }
}
