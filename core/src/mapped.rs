//! Files of numbers that are mapped into memory.
//!
//! In: a file. Out: a slice of what is in it, which is read from the file when it is looked at.
//! Assumes: what the caller of an `unsafe` function promises, that the file stays as it is.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::{Deref, Range};
use core::slice;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use memmap2::{Mmap, MmapOptions};

use crate::args::{ArrayArg, AsArray, Whole};
use crate::kernel::Element;
use crate::seq::read::Number;

/// A file of numbers, as an array: it is passed for a `[T]`, and its [`rows`](Mapped::rows) for a
/// sequence. Nothing is copied, and memory is taken as the system sees fit, so files may be larger than
/// it.
///
/// The numbers lie in the file as they would in memory, in the machine's own order of bytes, without
/// gaps.
///
/// ```
/// use ragged_core::Mapped;
///
/// # let path = std::env::temp_dir().join(format!("ragged-mapped-{}", std::process::id()));
/// std::fs::write(&path, [1.0_f32, 2.0, 3.0].map(f32::to_ne_bytes).concat())?;
/// // SAFETY: nobody writes the file while it is mapped.
/// let xs = unsafe { Mapped::<f32>::open(&path) }?;
/// assert_eq!(xs[..], [1.0, 2.0, 3.0]);
/// # drop(xs);
/// # std::fs::remove_file(&path)?;
/// # std::io::Result::Ok(())
/// ```
pub struct Mapped<T> {
    /// None of an empty file.
    map: Option<Arc<Mmap>>,
    marker: PhantomData<fn() -> T>,
}

impl<T: Number> Mapped<T> {
    /// All of a file.
    ///
    /// # Safety
    ///
    /// While it is mapped nobody, in this process or another, writes to the file or shortens it. It is
    /// mapped as long as the `Mapped` is there, or something that [`AsArray::whole`] has given for a
    /// row.
    ///
    /// # Errors
    ///
    /// Those of the file; `InvalidData` if it ends within a number.
    pub unsafe fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        // SAFETY: as the caller promises.
        unsafe { Mapped::part(&file, 0..len) }
    }

    /// These bytes of a file: what is behind a header, for instance.
    ///
    /// # Safety
    ///
    /// As for [`Mapped::open`].
    ///
    /// # Errors
    ///
    /// Those of the file; `UnexpectedEof` if it has not as many bytes; `InvalidData` if they are no
    /// whole number of numbers, or do not begin at a multiple of what a number has to be aligned to.
    pub unsafe fn part(file: &File, bytes: Range<u64>) -> io::Result<Self> {
        let len = file.metadata()?.len();
        let wanted = bytes.end.saturating_sub(bytes.start);
        if bytes.end > len {
            let text = format!("the file has {len} bytes, not {}", bytes.end);
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, text));
        }
        let (size, align) = (size_of::<T>() as u64, align_of::<T>() as u64);
        if !wanted.is_multiple_of(size) {
            return Err(invalid(format!("{wanted} bytes are no numbers of {size}")));
        }
        if !bytes.start.is_multiple_of(align) {
            let start = bytes.start;
            return Err(invalid(format!("byte {start} is not aligned to {align}")));
        }
        let wanted = usize::try_from(wanted).map_err(|error| invalid(error.to_string()))?;
        let mut map = None;
        if wanted > 0 {
            // SAFETY: as the caller promises.
            let of_file = unsafe { MmapOptions::new().offset(bytes.start).len(wanted).map(file) }?;
            map = Some(Arc::new(of_file));
        }
        // Maps begin at a page, so this holds where the check of `start` has passed.
        if map
            .as_ref()
            .is_some_and(|map| !map.as_ptr().cast::<T>().is_aligned())
        {
            return Err(invalid("the map is not aligned".to_owned()));
        }
        Ok(Mapped {
            map,
            marker: PhantomData,
        })
    }

    /// Rows of so many numbers one after another, for a `Seq<[T]>`; the last one is shorter if there
    /// are not enough for it. They stay where they are, where slices, such as those of
    /// [`chunks`](slice::chunks), are copied into chunks: they know nothing of what is around them. For
    /// a `Seq<[T; n]>` these are copied as well.
    ///
    /// Panics if `len` is 0.
    ///
    /// ```
    /// use ragged_core::Mapped;
    ///
    /// # let path = std::env::temp_dir().join(format!("ragged-rows-{}", std::process::id()));
    /// std::fs::write(&path, [1_u16, 2, 3].map(u16::to_ne_bytes).concat())?;
    /// // SAFETY: nobody writes the file while it is mapped.
    /// let xs = unsafe { Mapped::<u16>::open(&path) }?;
    /// assert!(xs.rows(2).map(|row| row.len()).eq([2, 1]));
    /// # drop(xs);
    /// # std::fs::remove_file(&path)?;
    /// # std::io::Result::Ok(())
    /// ```
    #[track_caller]
    pub fn rows(
        &self,
        len: usize,
    ) -> impl ExactSizeIterator<Item = MappedRow<'_, T>> + FusedIterator {
        assert!(len > 0, "rows of a file have at least one number");
        let row = |row| MappedRow { file: self, row };
        self.chunks(len).map(row)
    }
}

fn invalid(text: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, text)
}

impl<T: Number> Deref for Mapped<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        let Some(map) = &self.map else {
            return &[];
        };
        // SAFETY: `part` has checked that the map is aligned for `T`s; whole ones are in it, of which
        // any bits are values (`Number`); and nobody writes them while `self` is there.
        unsafe { slice::from_raw_parts(map.as_ptr().cast(), map.len() / size_of::<T>()) }
    }
}

impl<T: Number> AsRef<[T]> for Mapped<T> {
    fn as_ref(&self) -> &[T] {
        self
    }
}

impl<T: Number> fmt::Debug for Mapped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a file of {} numbers", self.len())
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element + Number> AsArray<T> for &Mapped<T> {
    #[inline]
    fn array_arg(&self) -> ArrayArg<'_, T> {
        ArrayArg::borrowed(self)
    }
}

/// A row of a [`Mapped`], as the slice that it is: see [`Mapped::rows`].
#[derive(Clone, Copy)]
pub struct MappedRow<'a, T> {
    file: &'a Mapped<T>,
    row: &'a [T],
}

impl<T> Deref for MappedRow<'_, T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        self.row
    }
}

impl<T: fmt::Debug> fmt::Debug for MappedRow<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.row.fmt(f)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element + Number> AsArray<T> for &MappedRow<'_, T> {
    #[inline]
    fn array_arg(&self) -> ArrayArg<'_, T> {
        ArrayArg::borrowed(self.row)
    }

    /// Asked for once per chunk, so that is when the map is shared, not for each row.
    fn whole(&self) -> Option<Whole<T>> {
        Some(Arc::new(Mapped {
            map: self.file.map.clone(),
            marker: PhantomData,
        }))
    }
}
