//! Memory of large arrays that is kept for the next ones.
//!
//! In: vectors that nobody needs any more. Out: their memory, for new vectors of about that size.
//! Assumes: nothing. A block goes back to the allocator with the size and alignment that it came with.
//!
//! Note \[Kept memory\]. The system hands out new memory page by page and clears each, which takes
//! longer than most kernels take to fill it; and what is freed in large pieces goes back to the
//! system. So the arrays inside of functions leave their memory here, from `LARGE` bytes on (below
//! that the allocator itself keeps it), and every new array, results included, looks here first. A
//! block serves a need of its size down to four fifths of it, so that no result holds much more
//! than its elements. At most [`keep_at_most`] bytes are kept, for all threads together, and `MOST`
//! blocks; beyond that those that have lain here longest are freed. The lock is held for a look
//! through a short list, never while memory is freed.
//!
//! Note \[Memory of bodies\]. The body of a nest makes its arrays anew for each index. While it runs,
//! what they leave goes to a list of its thread, from `SMALL` bytes on: so they are in the near
//! caches again for the next index, and the allocator, which joins and splits its blocks, is not asked.
//! What is left there in the end goes where large arrays leave theirs.

use std::alloc::{Layout, dealloc};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::mem::{self, ManuallyDrop};
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::budget;
use crate::error::Failure;
use crate::kernel::Element;
use crate::memory;

/// Bytes from which on memory is kept: allocators get so much from the system each time.
const LARGE: usize = 128 << 10;

/// Blocks that are kept at most.
const MOST: usize = 256;

/// Bytes from which on a body's arrays leave memory to those of the next index.
const SMALL: usize = 1 << 10;

/// Bytes that they leave at most: what stays in the caches of a core.
const NEAR: usize = 1 << 20;

thread_local! {
    /// What the arrays of a body have left on this thread, while it runs.
    static OF_BODY: RefCell<Option<Kept>> = const { RefCell::new(None) };
}

/// Calls `f`, in which arrays of at most [`NEAR`] bytes leave their memory to each other.
pub(crate) fn near<T>(f: impl FnOnce() -> T) -> T {
    with_list(Some(Kept::empty(NEAR)), f)
}

/// Calls `f`, which waits for other threads and may run any of their work meanwhile, as if no body ran on this
/// one.
pub(crate) fn outside<T>(f: impl FnOnce() -> T) -> T {
    with_list(None, f)
}

/// Calls `f` with this list on this thread.
fn with_list<T>(list: Option<Kept>, f: impl FnOnce() -> T) -> T {
    /// Puts back what was there before, after a panic too.
    struct Outer(Option<Kept>);
    impl Drop for Outer {
        fn drop(&mut self) {
            let left = replace(self.0.take());
            let left = left.into_iter().flat_map(|it| it.blocks);
            left.filter(|it| it.layout.size() >= LARGE).for_each(keep);
        }
    }
    let _outer = Outer(replace(list));
    f()
}

/// Whether the body of a nest runs on this thread.
#[inline]
pub(crate) fn in_body() -> bool {
    let is_there = |it: &RefCell<Option<Kept>>| it.borrow().is_some();
    OF_BODY.try_with(is_there).unwrap_or(false)
}

/// Puts a list in the place of that of this thread. A thread that ends, and still computes in a
/// destructor of the user's, may have none any more: then nothing is kept.
fn replace(kept: Option<Kept>) -> Option<Kept> {
    OF_BODY.try_with(|it| it.replace(kept)).ok().flatten()
}

/// What `f` does with the list of the body that runs on this thread, if one does.
fn of_body<T>(f: impl FnOnce(&mut Kept) -> T) -> Option<T> {
    let with = |it: &RefCell<Option<Kept>>| it.borrow_mut().as_mut().map(f);
    OF_BODY.try_with(with).ok().flatten()
}

static KEPT: Mutex<Kept> = Mutex::new(Kept::empty(512 << 20));

/// Sets how many bytes of memory are kept between calls, 512 MiB at first, and frees what is beyond.
/// With 0 nothing is kept.
pub fn keep_at_most(bytes: usize) {
    let mut kept = lock();
    kept.limit = bytes;
    let freed = kept.beyond_limit();
    drop(kept);
    drop(freed);
}

/// The bytes that are kept now.
pub fn kept() -> usize {
    lock().bytes
}

/// Keeps the memory of a vector, if it is large, for later calls: for results that are needed no
/// longer. (Results that are written with `into` need no recycling.)
pub fn recycle<T: Element>(vec: Vec<T>) {
    let bytes = vec.capacity().saturating_mul(size_of::<T>());
    if bytes < SMALL {
        if !in_body() {
            budget::give(bytes);
        }
        return;
    }
    let Ok(layout) = Layout::from_size_align(bytes, align_of::<T>()) else {
        return;
    };
    let block = |vec| Block {
        start: ManuallyDrop::<Vec<T>>::new(vec).as_mut_ptr().cast(),
        layout,
    };
    let mut block = Some(block(vec));
    // Those of bodies, of which there are many, do not see the lock.
    let freed = of_body(|kept| match bytes <= NEAR {
        true => block.take().map(|block| kept.keep(block)),
        false => None,
    });
    if freed.is_none() {
        budget::give(bytes);
    }
    drop(freed);
    block.filter(|_| bytes >= LARGE).into_iter().for_each(keep);
}

/// Keeps a block for all threads.
fn keep(block: Block) {
    let mut kept = lock();
    let freed = match block.layout.size() <= kept.limit {
        true => kept.keep(block),
        false => vec![block],
    };
    drop(kept);
    drop(freed);
}

/// An empty vector with room for `n` elements or a little more, if there is one.
pub(crate) fn take<T: Element>(n: usize) -> Option<Vec<T>> {
    let need = n.checked_mul(size_of::<T>())?;
    let of = |kept: &mut Kept| kept.take(need, size_of::<T>(), align_of::<T>());
    let near = match need {
        SMALL..=NEAR => of_body(of).flatten(),
        _fewer_or_more => None,
    };
    let far = || (need >= LARGE).then(|| of(&mut lock())).flatten();
    let block = ManuallyDrop::new(near.or_else(far)?);
    let capacity = block.layout.size() / size_of::<T>();
    // SAFETY: `recycle` took the block out of a vector with this size and alignment, and the block
    // is not freed here; `Kept::take` has made sure that the alignment is that of `T` and the size a
    // multiple of `T`'s, which is not 0 as `need` is not. A length of 0 claims no elements.
    Some(unsafe { Vec::from_raw_parts(block.start.cast(), 0, capacity) })
}

fn lock() -> MutexGuard<'static, Kept> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Kept {
    /// Those that have lain here longest first.
    blocks: VecDeque<Block>,
    /// What they are together.
    bytes: usize,
    limit: usize,
}

impl Kept {
    const fn empty(limit: usize) -> Kept {
        Kept {
            blocks: VecDeque::new(),
            bytes: 0,
            limit,
        }
    }

    /// Keeps a block; gives those that are beyond the limit now, to be freed without the lock.
    fn keep(&mut self, block: Block) -> Vec<Block> {
        self.bytes += block.layout.size();
        self.blocks.push_back(block);
        self.beyond_limit()
    }

    /// The smallest block that fits.
    fn take(&mut self, need: usize, size: usize, align: usize) -> Option<Block> {
        let fits = |block: &Block| {
            let (bytes, aligned) = (block.layout.size(), block.layout.align() == align);
            aligned && bytes.is_multiple_of(size) && bytes >= need && bytes - need <= bytes / 5
        };
        let fitting = self.blocks.iter().enumerate();
        let fitting = fitting.filter(|(_, block)| fits(block));
        let (at, _) = fitting.min_by_key(|(_, block)| block.layout.size())?;
        let block = self.blocks.remove(at)?;
        self.bytes -= block.layout.size();
        Some(block)
    }

    /// Takes out what is beyond the limit, to be freed without the lock.
    fn beyond_limit(&mut self) -> Vec<Block> {
        let mut freed = Vec::new();
        while (self.bytes > self.limit || self.blocks.len() > MOST)
            && let Some(block) = self.blocks.pop_front()
        {
            self.bytes -= block.layout.size();
            freed.push(block);
        }
        freed
    }
}

/// Memory of the global allocator.
struct Block {
    start: *mut u8,
    layout: Layout,
}

// SAFETY: a block is the only owner of its memory, which holds no values; the global allocator may
// be called on any thread.
unsafe impl Send for Block {}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: `recycle` took the memory out of a vector, which had allocated it with this
        // layout; `take` forgets the blocks that it passes on.
        unsafe { dealloc(self.start, self.layout) }
    }
}

/// An array inside of a function: a vector whose memory is kept when it dies.
#[derive(Debug, Default)]
pub struct Buffer<T: Element>(Vec<T>);

impl<T: Element> Buffer<T> {
    /// Without elements or memory.
    pub const fn new() -> Self {
        Buffer(Vec::new())
    }

    /// `n` rows of `width` default values.
    ///
    /// Errors: no memory.
    pub fn zeroed(n: usize, width: usize) -> Result<Self, Failure> {
        let len = n.saturating_mul(width);
        let mut vec = Vec::new();
        memory::reserve(&mut vec, len)?;
        vec.resize(len, T::default());
        Ok(Buffer(vec))
    }

    /// The vector, to be written.
    pub(crate) fn as_vec(&mut self) -> &mut Vec<T> {
        &mut self.0
    }

    /// The vector itself, for its new owner.
    pub(crate) fn into_vec(mut self) -> Vec<T> {
        mem::take(&mut self.0)
    }
}

impl<T: Element> From<Vec<T>> for Buffer<T> {
    fn from(vec: Vec<T>) -> Self {
        Buffer(vec)
    }
}

impl<T: Element> Drop for Buffer<T> {
    fn drop(&mut self) {
        recycle(mem::take(&mut self.0));
    }
}

impl<T: Element> Deref for Buffer<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Element> DerefMut for Buffer<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}
