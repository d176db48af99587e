//! Rows of any lengths as a chunk: copied, or where they lie.
//!
//! In: rows one by one, or an iterator over the rows of one array. Out: offsets, and one slice of
//! elements.
//! Assumes: nothing.
//!
//! Note \[Rows where they lie\]. Rows of one [`Ragged`](crate::Ragged) lie one behind the other, so a
//! chunk of them is a part of its elements, and nothing has to be copied. Single slices do not tell
//! that: two that lie side by side may be of two arrays, and no slice may reach over both. So it is
//! the iterator that is looked at, by the function that is generic over it: whether it is a
//! [`RaggedIter`] is known when that is compiled, but for the lifetime in it. What a chunk borrows
//! then is not the iterator's, but behind it, and lives as long as its items do.
//!
//! Items that share what holds them ([`AsArray::whole`](crate::AsArray::whole)) say what that is. A
//! chunk keeps it, and a row that lies there behind the one before is known by its address: what is
//! held cannot be part of anything else.
//!
//! Note \[Rows apart\]. Other rows have to be copied behind each other. Where items are references, and so
//! outlive the chunk, the thread that reads them does not do that: it would be one thread, and wait for
//! memory. It notes where they are, and they are copied when the chunk is computed, on all threads.

use core::any::TypeId;
use core::convert::Infallible;
use core::fmt;
use core::marker::PhantomData;
use core::mem;
use core::ops::Range;
use core::ptr;

use super::chunk::{Chunk, copy};
use super::gather;
use super::item::{Room, reserve};
use crate::args::Whole;
use crate::error::Failure;
use crate::kernel::Element;
use crate::ragged::{AsRagged, Ragged, RaggedArg, RaggedIter, RaggedView};
use crate::recycle::recycle;

/// A chunk of rows of any lengths. Rows that an iterator over a [`Ragged`] or a [`RaggedView`] gives
/// stay where they are, and so do those that share what holds them ([`AsArray::whole`](crate::AsArray::whole))
/// and follow each other there; others are copied, references to slices and vectors by the threads that compute.
///
/// A reference to it is passed for a `[[T]]`.
pub struct Rows<'i, T: Element> {
    /// Where rows begin among the elements, and where the last one ends: from 0 on, or none.
    offsets: Vec<i64>,
    elements: Elements<'i, T>,
    /// Memory for copies, while there are none: it is known to have room for rows that are apart.
    spare: Vec<T>,
    /// The rows that are apart, or were.
    apart: Vec<&'i [T]>,
}

enum Elements<'i, T> {
    Copied(Vec<T>),
    /// Each somewhere else, until they are gathered.
    Apart,
    /// A part of those of an array.
    Lent(&'i [T], Range<usize>),
    /// A part of those that others hold as well.
    Kept(Whole<T>, Range<usize>),
}

impl<'i, T: Element> Rows<'i, T> {
    /// The rows.
    ///
    /// # Panics
    /// Before the chunk has been gathered ([`Chunk::gather`]), as those have been that a step is given.
    #[inline]
    pub fn view(&self) -> RaggedView<'_, T> {
        let offsets = match &self.offsets[..] {
            [] => &[0],
            offsets => offsets,
        };
        RaggedView::over(offsets, self.elements())
    }

    /// Whether the elements are where the iterator has them.
    pub fn is_lent(&self) -> bool {
        !matches!(self.elements, Elements::Copied(_))
    }

    /// The bytes of the last row.
    #[inline]
    pub(super) fn last_bytes(&self) -> usize {
        match &self.offsets[..] {
            [.., begin, end] => row_bytes::<T>((end - begin) as usize),
            _none => 0,
        }
    }

    #[inline]
    fn elements(&self) -> &[T] {
        match &self.elements {
            Elements::Copied(elements) => elements,
            Elements::Apart => unreachable!("rows that nobody has gathered; please report this"),
            Elements::Lent(all, range) => &all[range.clone()],
            Elements::Kept(all, range) => &(**all).as_ref()[range.clone()],
        }
    }

    /// Puts a row behind the others: where it is, if they are behind each other in what is kept, or if it is
    /// the first with elements, of what `whole` gives then; else a copy.
    ///
    /// Errors: `OutOfMemory`; the rows are those before it.
    #[inline]
    pub(super) fn push(
        &mut self,
        row: &[T],
        whole: impl FnOnce() -> Option<Whole<T>>,
    ) -> Result<(), Failure> {
        let offsets = [0, row.len() as i64];
        match &mut self.elements {
            Elements::Kept(all, range) => {
                let begin = place(row, (**all).as_ref());
                if row.is_empty() || begin == Some(range.end) {
                    append_ends(&mut self.offsets, &offsets)?;
                    range.end += row.len();
                    return Ok(());
                }
            }
            Elements::Copied(elements) if elements.is_empty() && !row.is_empty() => {
                if let Some(all) = whole()
                    && let Some(begin) = place(row, (*all).as_ref())
                {
                    append_ends(&mut self.offsets, &offsets)?;
                    self.spare = mem::take(elements);
                    self.elements = Elements::Kept(all, begin..begin + row.len());
                    return Ok(());
                }
            }
            Elements::Copied(_) | Elements::Apart | Elements::Lent(..) => {}
        }
        self.copy_behind(&offsets, row)
    }

    /// Notes a row behind others that are apart, or as the first one; else puts a copy of it there.
    ///
    /// Errors: `OutOfMemory`, also if there would be none for the copy; the rows are those before it.
    #[inline]
    pub(super) fn push_apart(&mut self, row: &'i [T]) -> Result<(), Failure> {
        match &mut self.elements {
            Elements::Apart => {}
            Elements::Copied(elements) if self.offsets.len() < 2 => {
                self.spare = mem::take(elements);
                self.apart.clear();
            }
            _others => return self.copy_behind(&[0, row.len() as i64], row),
        }
        let before = self.offsets.last().copied().unwrap_or_default();
        let room = before as usize + row.len();
        if self.spare.capacity() < room {
            reserve(&mut self.spare, room)?;
        }
        if self.apart.len() == self.apart.capacity() {
            reserve(&mut self.apart, 1)?;
        }
        append_ends(&mut self.offsets, &[0, row.len() as i64])?;
        self.apart.push(row);
        self.elements = Elements::Apart;
        Ok(())
    }

    /// Puts some rows of an iterator behind these, as far as there is room: at least one, or all that
    /// are left; whether there are more, if the iterator has the rows of an array.
    pub(super) fn take<I>(&mut self, items: &mut I, room: Room) -> Option<Result<bool, Failure>>
    where
        I: Iterator<Item: 'i>,
    {
        if id::<I>() != TypeId::of::<RaggedIter<'static, T>>() {
            return None;
        }
        // SAFETY: `I` is a `RaggedIter<'x, T>`. Its items, `&'x [T]`, outlive 'i, so 'x does. What is
        // written into it by `take_first` is a part of what was in it.
        let items = unsafe { &mut *ptr::from_mut(items).cast::<RaggedIter<'i, T>>() };
        match room.count(items.view().lens(), size_of::<T>()) {
            0 => Some(Ok(false)),
            some => Some(self.lend(items.take_first(some)).map(|()| true)),
        }
    }

    /// Puts rows behind these: where they are, if these are none, or lie in the same array before them.
    fn lend(&mut self, rows: RaggedView<'i, T>) -> Result<(), Failure> {
        let (offsets, all) = (rows.offsets(), rows.values());
        let (begin, end) = (offsets[0] as usize, offsets[rows.len()] as usize);
        match &mut self.elements {
            Elements::Lent(lent, range) if ptr::eq(*lent, all) && range.end == begin => {
                append_ends(&mut self.offsets, offsets)?;
                range.end = end;
            }
            Elements::Copied(elements) if self.offsets.len() < 2 => {
                append_ends(&mut self.offsets, offsets)?;
                self.spare = mem::take(elements);
                self.elements = Elements::Lent(all, begin..end);
            }
            _others => self.copy_behind(offsets, &all[begin..end])?,
        }
        Ok(())
    }

    /// Puts copies of rows that these offsets cut out of elements behind the others.
    #[inline]
    fn copy_behind(&mut self, offsets: &[i64], elements: &[T]) -> Result<(), Failure> {
        self.gather();
        if self.is_lent() {
            let mut copied = mem::take(&mut self.spare);
            let before = self.elements();
            reserve(&mut copied, before.len() + elements.len())?;
            copied.extend_from_slice(before);
            self.elements = Elements::Copied(copied);
        }
        if let Elements::Copied(copied) = &mut self.elements {
            reserve(copied, elements.len())?;
            append_ends(&mut self.offsets, offsets)?;
            copied.extend_from_slice(elements);
        }
        Ok(())
    }
}

/// What may hold something of this lifetime: anything. Emitted code says so of iterators, which in some
/// editions hold no lifetime that is not named.
#[doc(hidden)]
pub trait Held<'i> {}

impl<T: ?Sized> Held<'_> for T {}

/// The bytes of a row of so many elements.
pub(super) fn row_bytes<T>(len: usize) -> usize {
    len * size_of::<T>() + size_of::<i64>()
}

/// Where a part of `all` begins in it; nothing if it is no part.
fn place<T>(part: &[T], all: &[T]) -> Option<usize> {
    let [part, all] = [part, all].map(<[T]>::as_ptr_range);
    let is_part = all.start <= part.start && part.end <= all.end;
    let bytes = is_part.then(|| part.start.addr() - all.start.addr())?;
    let begin = bytes.checked_div(size_of::<T>())?;
    (begin * size_of::<T>() == bytes).then_some(begin)
}

/// Puts the ends of rows behind others.
#[inline]
fn append_ends(offsets: &mut Vec<i64>, more: &[i64]) -> Result<(), Failure> {
    reserve(offsets, more.len())?;
    if offsets.is_empty() {
        offsets.push(0);
    }
    let shift = offsets[offsets.len() - 1] - more[0];
    offsets.extend(more[1..].iter().map(|end| end + shift));
    Ok(())
}

/// The slice that an item refers to, if it is a reference to a slice, a vector or a box, and so outlives a
/// chunk.
#[inline]
pub(super) fn referred<'i, T: Element, A: 'i>(item: &A) -> Option<&'i [T]> {
    let id = id::<A>();
    // SAFETY: `A` is a reference to this type but for lifetimes, which the item outlives as its own type
    // says: all of them are 'i or longer.
    unsafe {
        let item = ptr::from_ref(item);
        if id == TypeId::of::<&'static [T]>() {
            Some(*item.cast::<&'i [T]>())
        } else if id == TypeId::of::<&'static Vec<T>>() {
            Some(*item.cast::<&'i Vec<T>>())
        } else if id == TypeId::of::<&'static Box<[T]>>() {
            Some(*item.cast::<&'i Box<[T]>>())
        } else {
            None
        }
    }
}

/// What a type is, whatever lifetimes are in it.
fn id<I: ?Sized>() -> TypeId {
    trait Id {
        fn id(&self) -> TypeId
        where
            Self: 'static;
    }
    impl<I: ?Sized> Id for PhantomData<I> {
        fn id(&self) -> TypeId
        where
            Self: 'static,
        {
            TypeId::of::<I>()
        }
    }
    let of = PhantomData::<I>;
    // SAFETY: the types differ in the bound on lifetimes alone. What is called reads nothing, and
    // lifetimes are no part of what it returns.
    let of = unsafe { mem::transmute::<&(dyn Id + '_), &(dyn Id + 'static)>(&of) };
    of.id()
}

impl<T: Element> Default for Rows<'_, T> {
    fn default() -> Self {
        Rows {
            offsets: Vec::new(),
            elements: Elements::Copied(Vec::new()),
            spare: Vec::new(),
            apart: Vec::new(),
        }
    }
}

impl<T: Element + fmt::Debug> fmt::Debug for Rows<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}

impl<T: Element> From<&Rows<'_, T>> for Ragged<T> {
    fn from(rows: &Rows<'_, T>) -> Self {
        rows.view().to_ragged()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element> AsRagged<T, 1> for &Rows<'_, T> {
    #[inline]
    fn ragged_arg(&self) -> RaggedArg<'_, T, 1> {
        self.view().into()
    }
}

impl<T: Element> Chunk for Rows<'_, T> {
    const LIMITS_ITEMS: bool = true;
    type Common = ();
    type Places<'a>
        = Infallible
    where
        Self: 'a;

    #[inline]
    fn items(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Those that are lent, too: they have been read, and are to be computed.
    #[inline]
    fn bytes(&self) -> usize {
        let elements = self.offsets.last().copied().unwrap_or_default() as usize;
        size_of_val(&self.offsets[..]) + elements * size_of::<T>() + size_of_val(&self.apart[..])
    }

    fn truncate(&mut self, items: usize) {
        if items >= self.items() {
            return;
        }
        self.offsets.truncate(items + 1);
        let len = self.offsets[items] as usize;
        self.apart.truncate(items);
        match &mut self.elements {
            Elements::Copied(elements) => elements.truncate(len),
            Elements::Apart | Elements::Lent(..) | Elements::Kept(..) if items == 0 => {
                self.elements = Elements::Copied(mem::take(&mut self.spare));
            }
            Elements::Apart => {}
            Elements::Lent(_, range) | Elements::Kept(_, range) => range.end = range.start + len,
        }
    }

    fn part(&self, items: Range<usize>) -> Result<Self, Failure> {
        let mut part = Rows::default();
        if items.is_empty() {
            return Ok(part);
        }
        let offsets = &self.offsets[items.start..=items.end];
        let [begin, end] = [0, offsets.len() - 1].map(|at| offsets[at] as usize);
        append_ends(&mut part.offsets, offsets)?;
        part.elements = match &self.elements {
            Elements::Copied(_) | Elements::Apart => {
                Elements::Copied(copy(&self.elements()[begin..end])?)
            }
            Elements::Lent(all, range) => {
                Elements::Lent(all, range.start + begin..range.start + end)
            }
            Elements::Kept(all, range) => {
                Elements::Kept(all.clone(), range.start + begin..range.start + end)
            }
        };
        Ok(part)
    }

    fn gather(&mut self) {
        if matches!(self.elements, Elements::Apart) {
            let mut copied = mem::take(&mut self.spare);
            gather::rows(&self.apart, &self.offsets, &mut copied);
            self.elements = Elements::Copied(copied);
        }
    }

    fn leave(&mut self) {
        let rows = mem::take(self);
        recycle(rows.offsets);
        recycle(rows.spare);
        if let Elements::Copied(elements) = rows.elements {
            recycle(elements);
        }
    }

    fn assume(&mut self, (): &()) {}
}
