//! A sequence before anybody has said how its results are wanted.
//!
//! In: what emitted code makes of a function's arguments. Out: a lazy iterator, or all results handed
//! to a sink.
//! Assumes: nothing.

use core::marker::PhantomData;
use std::error;

use super::drivers::{Stream, stream};
use super::limits::Limits;
use super::pipeline::for_each;
use super::results::Items;
use super::source::Source;
use crate::error::{Result, Site};

/// A source and a step.
pub struct Prepared<S, O, F> {
    site: &'static Site,
    source: S,
    limits: Limits,
    step: F,
    results: PhantomData<fn() -> O>,
}

impl<S, O, F> Prepared<S, O, F>
where
    S: Source,
    O: Items,
    F: FnMut(&S::Chunk, bool, &mut O) -> Result<bool> + Send,
{
    /// See [`stream`](super::stream) for what a step is given.
    pub fn new(site: &'static Site, source: S, limits: Limits, step: F) -> Self {
        Prepared {
            site,
            source,
            limits,
            step,
            results: PhantomData,
        }
    }

    /// The results one by one.
    pub fn stream(self) -> Stream<S, O, F> {
        stream(self.source, self.limits, self.step)
    }

    /// Hands each result to `sink`: see [`for_each`].
    ///
    /// Errors: those of the step, of the source and of the sink.
    pub fn for_each<E>(
        self,
        sink: impl for<'a> FnMut(O::Lent<'a>) -> core::result::Result<(), E>,
    ) -> Result<()>
    where
        S: Send,
        E: Into<Box<dyn error::Error + Send + Sync>>,
    {
        for_each(self.site, self.source, self.limits, self.step, sink)
    }
}
