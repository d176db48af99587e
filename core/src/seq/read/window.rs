//! The buffer of a reader.
//!
//! In: a reader. Out: its bytes, one range after the other, as parts of the buffer.
//! Assumes: nothing.
//!
//! Note \[Shared buffers\]. Parts share the buffer. While there are any, it stays as it is, and what
//! has been read but not given goes to a new one; mostly a part is gone before the next one is asked
//! for, and one buffer does. It grows only by what was read, never by what a length in the file claims.

use std::io::{self, Read};
use std::sync::Arc;

use super::Part;

/// The bytes that are asked for at a time.
const SIZE: usize = 1 << 16;

pub(super) struct Window<R> {
    reader: R,
    buffer: Arc<Vec<u8>>,
    /// What has been read, but not given.
    begin: usize,
    end: usize,
    is_over: bool,
}

impl<R: Read> Window<R> {
    pub(super) fn new(reader: R) -> Self {
        Window {
            reader,
            buffer: Arc::default(),
            begin: 0,
            end: 0,
            is_over: false,
        }
    }

    /// What has been read, but not given.
    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.begin..self.end]
    }

    /// Gives the next `len` bytes, of those that have been read.
    #[inline]
    pub(super) fn give(&mut self, len: usize) -> Part<u8> {
        let part = Part::new(&self.buffer, self.begin..self.begin + len);
        self.begin += len;
        part
    }

    /// Passes over the next `len` bytes, of those that have been read.
    #[inline]
    pub(super) fn skip(&mut self, len: usize) {
        self.begin += len;
    }

    /// No further bytes are read.
    pub(super) fn stop(&mut self) {
        self.begin = self.end;
        self.is_over = true;
    }

    /// Reads until there are so many bytes; `false` if the reader has fewer.
    pub(super) fn has(&mut self, len: usize) -> io::Result<bool> {
        while self.bytes().len() < len {
            if !self.more()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads once; `false` at the end.
    #[cold]
    pub(super) fn more(&mut self) -> io::Result<bool> {
        if self.is_over {
            return Ok(false);
        }
        self.make_room();
        let buffer = Arc::get_mut(&mut self.buffer);
        let buffer = buffer.expect("nobody shares a buffer with room");
        loop {
            match self.reader.read(&mut buffer[self.end..]) {
                Ok(0) => {
                    self.is_over = true;
                    return Ok(false);
                }
                Ok(len) => {
                    self.end += len;
                    return Ok(true);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.stop();
                    return Err(error);
                }
            }
        }
    }

    /// Makes room behind what has been read, in a buffer that nobody shares.
    fn make_room(&mut self) {
        let held = self.end - self.begin;
        // Twice what is held: a long item is moved as often as its length doubles.
        let size = SIZE.max(2 * held);
        match Arc::get_mut(&mut self.buffer) {
            Some(buffer) => {
                buffer.copy_within(self.begin..self.end, 0);
                if buffer.len() < size {
                    buffer.resize(size, 0);
                }
            }
            None => {
                let mut buffer = Vec::with_capacity(size);
                buffer.extend_from_slice(self.bytes());
                buffer.resize(size, 0);
                self.buffer = Arc::new(buffer);
            }
        }
        (self.begin, self.end) = (0, held);
    }
}
