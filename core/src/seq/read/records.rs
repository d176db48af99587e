//! Lines and records.
//!
//! In: the bytes of a reader. Out: ranges of them, one after the other.
//! Assumes: nothing.

use core::iter::FusedIterator;
use std::io::{self, BufRead, Read};

use super::Part;
use super::window::Window;

/// The lines of a text, without their ends, `\n` or `\r\n`; the last one need not have any. As
/// [`BufRead::lines`], but bytes, and without a `String` for each.
pub fn lines<R: Read>(reader: R) -> Lines<R> {
    Lines(separated(reader, b'\n'))
}

/// What stands between separators. Behind a separator at the end there is nothing.
pub fn separated<R: Read>(reader: R, separator: u8) -> Separated<R> {
    Separated {
        window: Window::new(reader),
        separator,
        most: usize::MAX,
    }
}

/// Records of `len` bytes; an error if the last one is shorter.
///
/// Panics if `len` is 0.
pub fn fixed<R: Read>(reader: R, len: usize) -> Fixed<R> {
    assert!(len > 0, "records of no bytes");
    Fixed {
        window: Window::new(reader),
        len,
    }
}

/// Records that stand behind their lengths; an error if the last one is shorter than that.
///
/// ```
/// use ragged_core::seq::read::{self, Prefix};
///
/// let bytes = *b"\x02\x00at\x00\x00\x05\x00quick";
/// let records: std::io::Result<Vec<_>> = read::prefixed(&bytes[..], Prefix::U16Le).collect();
/// assert_eq!(records?, [&b"at"[..], b"", b"quick"]);
/// # std::io::Result::Ok(())
/// ```
pub fn prefixed<R: Read>(reader: R, prefix: Prefix) -> Prefixed<R> {
    Prefixed {
        window: Window::new(reader),
        prefix,
        most: usize::MAX,
    }
}

/// How the length of a record is written: the size of the integer and its order of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Prefix {
    U8,
    U16Le,
    U16Be,
    U32Le,
    U32Be,
    U64Le,
    U64Be,
}

impl Prefix {
    /// The bytes of the length.
    fn size(self) -> usize {
        match self {
            Prefix::U8 => 1,
            Prefix::U16Le | Prefix::U16Be => 2,
            Prefix::U32Le | Prefix::U32Be => 4,
            Prefix::U64Le | Prefix::U64Be => 8,
        }
    }

    fn is_highest_first(self) -> bool {
        matches!(self, Prefix::U16Be | Prefix::U32Be | Prefix::U64Be)
    }

    /// The length that these bytes are.
    fn decode(self, bytes: &[u8]) -> u64 {
        let join = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        match self.is_highest_first() {
            true => bytes.iter().fold(0, join),
            false => bytes.iter().rev().fold(0, join),
        }
    }
}

/// Lines: see [`lines`].
pub struct Lines<R>(Separated<R>);

/// What stands between separators: see [`separated`].
pub struct Separated<R> {
    window: Window<R>,
    separator: u8,
    most: usize,
}

/// Records of one size: see [`fixed`].
pub struct Fixed<R> {
    window: Window<R>,
    len: usize,
}

/// Records behind their lengths: see [`prefixed`].
pub struct Prefixed<R> {
    window: Window<R>,
    prefix: Prefix,
    most: usize,
}

/// What limits the length of an item.
macro_rules! at_most {
    ($($name:ident . $($field:tt).+;)*) => { $(
        impl<R> $name<R> {
            /// An item of more than `bytes` bytes is an error, and is not read to its end: for input
            /// that is not trusted, of which a single item could take all memory.
            pub fn at_most(mut self, bytes: usize) -> Self {
                self.$($field).+ = bytes;
                self
            }
        }
    )* };
}

at_most! {
    Lines.0.most;
    Separated.most;
    Prefixed.most;
}

fn too_long(most: usize) -> io::Error {
    let text = format!("an item is longer than {most} bytes");
    io::Error::new(io::ErrorKind::InvalidData, text)
}

/// The error for an item of `len` bytes of which only `held` are there.
pub(super) fn cut_off(held: usize, len: u64) -> io::Error {
    let text = format!("the last item has {held} of {len} bytes");
    io::Error::new(io::ErrorKind::UnexpectedEof, text)
}

impl<R: Read> Separated<R> {
    /// The next item, and its separator if it has one.
    #[inline]
    fn next_item(&mut self) -> io::Result<Option<(Part<u8>, bool)>> {
        let mut searched = 0;
        loop {
            let bytes = self.window.bytes();
            let mut rest = &bytes[searched..];
            // The fastest search that `std` has to offer.
            let found = searched + rest.skip_until(self.separator)?;
            let is_whole = found > searched && bytes[found - 1] == self.separator;
            if found - usize::from(is_whole) > self.most {
                return Err(too_long(self.most));
            }
            searched = found;
            if is_whole {
                return Ok(Some((self.window.give(found), true)));
            }
            if !self.window.more()? {
                let last = self.window.bytes().len();
                return Ok((last > 0).then(|| (self.window.give(last), false)));
            }
        }
    }
}

impl<R: Read> Prefixed<R> {
    fn next_item(&mut self) -> io::Result<Option<Part<u8>>> {
        let size = self.prefix.size();
        if !self.window.has(size)? {
            return match self.window.bytes().len() {
                0 => Ok(None),
                held => Err(cut_off(held, size as u64)),
            };
        }
        let len = self.prefix.decode(&self.window.bytes()[..size]);
        if len > self.most as u64 {
            return Err(too_long(self.most));
        }
        self.window.skip(size);
        // A length that no memory has is that of a record that ends before.
        if !self
            .window
            .has(usize::try_from(len).unwrap_or(usize::MAX))?
        {
            return Err(cut_off(self.window.bytes().len(), len));
        }
        Ok(Some(self.window.give(len as usize)))
    }
}

impl<R: Read> Fixed<R> {
    #[inline]
    fn next_item(&mut self) -> io::Result<Option<Part<u8>>> {
        if self.window.has(self.len)? {
            return Ok(Some(self.window.give(self.len)));
        }
        match self.window.bytes().len() {
            0 => Ok(None),
            held => Err(cut_off(held, self.len as u64)),
        }
    }
}

/// After an error there are no further items.
macro_rules! items {
    ($($name:ident, $item:ty, |$self:ident| $next:expr, $window:expr;)*) => { $(
        impl<R: Read> Iterator for $name<R> {
            type Item = io::Result<$item>;

            #[inline]
            fn next(&mut self) -> Option<io::Result<$item>> {
                let $self = self;
                match $next {
                    Ok(item) => item.map(Ok),
                    Err(error) => {
                        $window.stop();
                        Some(Err(error))
                    }
                }
            }
        }

        impl<R: Read> FusedIterator for $name<R> {}
    )* };
}

items! {
    Lines, Part<u8>, |it| it.0.next_item().map(|it| it.map(|(part, ends)| match (ends, &part[..]) {
        (true, [.., b'\r', b'\n']) => part.without_last(2),
        (true, _) => part.without_last(1),
        (false, _) => part,
    })), it.0.window;
    Separated, Part<u8>, |it| it.next_item().map(|it| it.map(|(part, ends)| part.without_last(usize::from(ends)))), it.window;
    Fixed, Part<u8>, |it| it.next_item(), it.window;
    Prefixed, Part<u8>, |it| it.next_item(), it.window;
}
