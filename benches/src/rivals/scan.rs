//! Inclusive prefix sums: one pass over memory.
//!
//! Each worker takes the next block and sums it, which brings it into its cache; as soon as the sum
//! of all blocks before is known, it scans the block from there. A worker whose block must wait
//! takes another meanwhile, so that a thread put aside by the system holds up nobody: at worst the
//! blocks are read twice. The sums are added in the order of the blocks, whoever made them.

#[cfg(target_arch = "x86_64")]
mod x86;

use crate::levels::{Level, kernel};
use crate::memory::{self, Plain, as_uninit, prefetch, worth_streaming};
use rayon::prelude::*;
use std::collections::VecDeque;
use std::mem::MaybeUninit;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes per block: half of a second-level cache, with room for what comes next.
const BLOCK_BYTES: usize = 1 << 18;

/// Chains that run side by side where there are no wide shuffles.
const STRIPS: usize = 8;

/// The sums before each block, as far as they are known.
struct Chain<T> {
    totals: Vec<Option<T>>,
    before: Vec<T>,
}

impl<T: Element> Chain<T> {
    fn new(blocks: usize) -> Mutex<Self> {
        let mut before = Vec::with_capacity(blocks + 1);
        before.push(T::default());
        Mutex::new(Chain {
            totals: vec![None; blocks + 1],
            before,
        })
    }

    /// Notes the total of block `k`, and all sums that follow from it.
    fn add(&mut self, k: usize, total: T) {
        self.totals[k] = Some(total);
        while let Some(total) = self.totals[self.before.len() - 1] {
            self.before.push(*self.before.last().unwrap() + total);
        }
    }
}

/// The parts that differ by type.
trait Element: Plain + Default + std::ops::Add<Output = Self> {
    fn total(level: Level, xs: &[Self]) -> Self;
    fn scan(
        level: Level,
        out: &mut [MaybeUninit<Self>],
        xs: &[Self],
        carry: Self,
        past_cache: bool,
    );
}

fn scan<T: Element>(level: Level, out: &mut [MaybeUninit<T>], xs: &[T]) {
    assert_eq!(out.len(), xs.len());
    let block = BLOCK_BYTES / size_of::<T>();
    let past_cache = worth_streaming(xs);
    if xs.len() <= block {
        return T::scan(level, out, xs, T::default(), false);
    }
    let chain = Chain::new(xs.len().div_ceil(block));
    let known = |k: usize| chain.lock().unwrap().before.get(k).copied();
    let blocks = Blocks::new(out, xs, block);
    let workers = rayon::current_num_threads();
    (0..workers).into_par_iter().with_max_len(1).for_each(|_| {
        let mut waiting = VecDeque::new();
        loop {
            while let Some((k, out, xs)) = waiting.pop_front() {
                let Some(carry) = known(k) else {
                    waiting.push_front((k, out, xs));
                    break;
                };
                T::scan(level, out, xs, carry, past_cache);
            }
            if let Some((k, out, xs)) = blocks.take() {
                let total = T::total(level, xs);
                chain.lock().unwrap().add(k, total);
                waiting.push_back((k, out, xs));
            } else if waiting.is_empty() {
                break;
            } else {
                std::thread::yield_now();
            }
        }
        memory::fence();
    });
}

/// The number of a block, its results and its elements.
type Part<'a, T> = (usize, &'a mut [MaybeUninit<T>], &'a [T]);

/// Hands out the blocks of two slices in order.
struct Blocks<'a, T> {
    next: AtomicUsize,
    out: *mut MaybeUninit<T>,
    xs: &'a [T],
    block: usize,
}

// SAFETY: `take` hands out each part of `out` to one caller only.
unsafe impl<T: Send + Sync> Sync for Blocks<'_, T> {}

impl<'a, T> Blocks<'a, T> {
    fn new(out: &'a mut [MaybeUninit<T>], xs: &'a [T], block: usize) -> Self {
        assert_eq!(out.len(), xs.len());
        Blocks {
            next: AtomicUsize::new(0),
            out: out.as_mut_ptr(),
            xs,
            block,
        }
    }

    fn take(&self) -> Option<Part<'a, T>> {
        let k = self.next.fetch_add(1, Ordering::Relaxed);
        let from = k * self.block;
        if from >= self.xs.len() {
            return None;
        }
        let xs = &self.xs[from..self.xs.len().min(from + self.block)];
        // SAFETY: `out` is as long as `xs` and borrowed for `'a`; `k` is taken once, so no other
        // slice overlaps this one.
        let out = unsafe { std::slice::from_raw_parts_mut(self.out.add(from), xs.len()) };
        Some((k, out, xs))
    }
}

macro_rules! scans {
    ($module:ident, $T:ident, $zero:expr, $in_vectors:ident) => {
        #[doc = concat!("Prefix sums of ", stringify!($T), ".")]
        pub mod $module {
            use super::*;

            /// As rayon gives it: sums of parts, then every part from its sum; two passes.
            pub fn plain(xs: &[$T]) -> Vec<$T> {
                let mut out = vec![$zero; xs.len()];
                plain_into(&mut out, xs);
                out
            }

            /// The same into a buffer.
            pub fn plain_into(out: &mut [$T], xs: &[$T]) {
                let part = xs
                    .len()
                    .div_ceil(4 * rayon::current_num_threads())
                    .max(1 << 12);
                let sums: Vec<$T> = xs.par_chunks(part).map(|xs| xs.iter().sum()).collect();
                let before = sums.iter().scan($zero, |all, sum| {
                    let before = *all;
                    *all += sum;
                    Some(before)
                });
                let before: Vec<$T> = before.collect();
                let parts = out.par_chunks_mut(part).zip(xs.par_chunks(part));
                parts.zip(before).for_each(|((out, xs), mut sum)| {
                    for (out, x) in out.iter_mut().zip(xs) {
                        sum += x;
                        *out = sum;
                    }
                });
            }

            /// As an expert writes it.
            pub fn expert(xs: &[$T]) -> Vec<$T> {
                // SAFETY: `scan` writes every element.
                unsafe { memory::fresh(xs.len(), |out| scan(Level::best(), out, xs)) }
            }

            /// The same into a buffer.
            ///
            /// # Panics
            /// If the lengths differ.
            pub fn expert_into(out: &mut [$T], xs: &[$T]) {
                at(Level::best(), out, xs);
            }

            /// The expert's version at a level.
            ///
            /// # Panics
            /// If the lengths differ.
            pub fn at(level: Level, out: &mut [$T], xs: &[$T]) {
                scan(level, as_uninit(out), xs);
            }

            impl Element for $T {
                fn total(level: Level, xs: &[$T]) -> $T {
                    total(level, xs)
                }

                fn scan(
                    level: Level,
                    out: &mut [MaybeUninit<$T>],
                    xs: &[$T],
                    carry: $T,
                    past_cache: bool,
                ) {
                    #[cfg(target_arch = "x86_64")]
                    if level.is_v4() {
                        return super::x86::wide::$in_vectors(level, out, xs, carry, past_cache);
                    } else if level.has_fma() {
                        return super::x86::narrow::$in_vectors(level, out, xs, carry, past_cache);
                    }
                    let _ = past_cache;
                    strips(level, out, xs, carry);
                }
            }

            kernel! {
                fn total(xs: &[$T]) -> $T {
                    let mut sums = [$zero; 64];
                    let (blocks, rest) = xs.as_chunks::<64>();
                    for block in blocks {
                        for line in 0..size_of::<[$T; 64]>() / 64 {
                            prefetch(block.as_ptr(), 1024 + 64 * line);
                        }
                        for lane in 0..64 {
                            sums[lane] += block[lane];
                        }
                    }
                    for (lane, x) in rest.iter().enumerate() {
                        sums[lane] += x;
                    }
                    sums.iter().sum()
                }
            }

            kernel! {
                fn strips(out: &mut [MaybeUninit<$T>], xs: &[$T], carry: $T) {
                    let len = xs.len() / STRIPS;
                    let mut sums = [carry; STRIPS];
                    for strip in 1..STRIPS {
                        let before = &xs[(strip - 1) * len..strip * len];
                        sums[strip] = sums[strip - 1] + before.iter().sum::<$T>();
                    }
                    let (whole, out_rest) = out.split_at_mut(STRIPS * len);
                    let mut outs = whole.chunks_exact_mut(len.max(1));
                    let mut ins = xs.chunks_exact(len.max(1));
                    let outs: [&mut [MaybeUninit<$T>]; STRIPS] =
                        std::array::from_fn(|_| outs.next().unwrap_or_default());
                    let ins: [&[$T]; STRIPS] =
                        std::array::from_fn(|_| ins.next().unwrap_or_default());
                    for i in 0..len {
                        for strip in 0..STRIPS {
                            sums[strip] += ins[strip][i];
                            outs[strip][i].write(sums[strip]);
                        }
                    }
                    let mut sum = sums[STRIPS - 1];
                    for (out, x) in out_rest.iter_mut().zip(&xs[STRIPS * len..]) {
                        sum += x;
                        out.write(sum);
                    }
                }
            }
        }
    };
}

scans!(of_f64, f64, 0.0, scan_f64);
scans!(of_f32, f32, 0.0, scan_f32);
scans!(of_i32, i32, 0, scan_i32);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agree_with_the_definition_on_every_level() {
        for len in [0, 1, 7, 8, 100, 32_768, 65_537, 200_001, 3_000_001] {
            let xs: Vec<i32> = (0..len).map(|i| i % 7 - 3).collect();
            let mut sum = 0;
            let expected: Vec<i32> = xs
                .iter()
                .map(|x| {
                    sum += x;
                    sum
                })
                .collect();
            // Small whole numbers: every order of summation is exact.
            let doubles: Vec<f64> = xs.iter().map(|&x| x.into()).collect();
            let singles: Vec<f32> = xs.iter().map(|&x| x as f32).collect();
            for level in Level::available() {
                let mut out = vec![9; xs.len()];
                of_i32::at(level, &mut out, &xs);
                assert_eq!(out, expected);
                let mut out = vec![9.0; xs.len()];
                of_f64::at(level, &mut out, &doubles);
                assert!(out.iter().zip(&expected).all(|(&a, &b)| a == f64::from(b)));
                let mut out = vec![9.0; xs.len()];
                of_f32::at(level, &mut out, &singles);
                assert!(out.iter().zip(&expected).all(|(&a, &b)| a == b as f32));
            }
            assert_eq!(of_i32::plain(&xs), expected);
            assert_eq!(of_i32::expert(&xs), expected);
        }
    }
}
