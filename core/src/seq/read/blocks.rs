//! Blocks of numbers.
//!
//! In: the bytes of a reader. Out: arrays of numbers, or numbers.
//! Assumes: nothing.

use core::iter::FusedIterator;
use std::io::{self, Read};
use std::sync::Arc;

use super::records::cut_off;
use super::window::Window;
use super::{Number, Part};

/// Blocks of `len` numbers, which are little-endian in the file and follow each other without gaps.
/// The last block has what is left, as a `Seq<[T]>` may; for a `Seq<[T; n]>` a shorter last block is
/// an error, as any item is that has not the lengths of the others. A last number that is cut off is
/// an error.
///
/// Panics if `len` is 0.
pub fn blocks<T: Number>(reader: impl Read, len: usize) -> Blocks<T, impl Read> {
    assert!(len > 0, "blocks of no numbers");
    Blocks {
        window: Window::new(reader),
        numbers: Arc::default(),
        next: 0,
        len,
    }
}

/// The numbers of a file, which are little-endian and follow each other without gaps. A last number
/// that is cut off is an error.
pub fn numbers<T: Number>(reader: impl Read) -> Numbers<T, impl Read> {
    Numbers(blocks(reader, 1))
}

/// Blocks of numbers: see [`blocks`].
pub struct Blocks<T, R> {
    window: Window<R>,
    /// Numbers that have been read, of whole blocks but for the last one.
    numbers: Arc<Vec<T>>,
    /// The first that has not been given.
    next: usize,
    len: usize,
}

impl<T: Number, R: Read> Blocks<T, R> {
    /// Takes the numbers of as many blocks as have been read, at least of one; `false` at the end.
    #[cold]
    fn refill(&mut self) -> io::Result<bool> {
        let size = size_of::<T>();
        let is_whole = self.window.has(self.len.saturating_mul(size))?;
        let bytes = self.window.bytes();
        let count = match is_whole {
            true => bytes.len() / (self.len * size) * self.len,
            false => bytes.len() / size,
        };
        if count == 0 {
            return match bytes.len() {
                0 => Ok(false),
                held => Err(cut_off(held, size as u64)),
            };
        }
        // Where a block is still shared, there is a new one: see Note [Shared buffers].
        if Arc::get_mut(&mut self.numbers).is_none() {
            self.numbers = Arc::default();
        }
        let numbers = Arc::get_mut(&mut self.numbers).expect("nobody shares it");
        numbers.clear();
        let bytes = bytes[..count * size].chunks_exact(size);
        numbers.extend(bytes.map(T::from_little_endian));
        self.window.skip(count * size);
        self.next = 0;
        Ok(true)
    }

    /// Whether there are numbers that have not been given.
    #[inline]
    fn has_some(&mut self) -> io::Result<bool> {
        if self.next < self.numbers.len() {
            return Ok(true);
        }
        let more = self.refill();
        if !matches!(more, Ok(true)) {
            self.window.stop();
        }
        more
    }
}

impl<T: Number, R: Read> Iterator for Blocks<T, R> {
    type Item = io::Result<Part<T>>;

    #[inline]
    fn next(&mut self) -> Option<io::Result<Part<T>>> {
        match self.has_some() {
            Ok(false) => None,
            Ok(true) => {
                let end = self.numbers.len().min(self.next + self.len);
                let block = Part::new(&self.numbers, self.next..end);
                self.next = end;
                Some(Ok(block))
            }
            Err(error) => Some(Err(error)),
        }
    }
}

impl<T: Number, R: Read> FusedIterator for Blocks<T, R> {}

/// Numbers: see [`numbers`].
pub struct Numbers<T, R>(Blocks<T, R>);

impl<T: Number, R: Read> Iterator for Numbers<T, R> {
    type Item = io::Result<T>;

    #[inline]
    fn next(&mut self) -> Option<io::Result<T>> {
        match self.0.has_some() {
            Ok(false) => None,
            Ok(true) => {
                let number = self.0.numbers[self.0.next];
                self.0.next += 1;
                Some(Ok(number))
            }
            Err(error) => Some(Err(error)),
        }
    }
}

impl<T: Number, R: Read> FusedIterator for Numbers<T, R> {}
