//! Elements at places of an order, without the order.
//!
//! In: keys and places. Out: the keys that are there in ascending order, or the positions of these. Assumes:
//! nothing.
//!
//! Note \[Pivots of a sample\]. Of many keys, two of a sample are so chosen that the one that is wanted most
//! probably lies between them (Floyd and Rivest, "Expected time bounds for selection", 1975). So one pass, in
//! parallel, counts what is not between them and gathers the few that are. Keys that are often among the others
//! are pivots themselves, and no more than counted. If the sample was unlucky, all keys are gathered instead.
//! Which sample it is changes no result: what is at a place is told by the keys alone.

use std::sync::{Mutex, PoisonError};

use super::Key;
use crate::error::Failure;
use crate::kernel::Kernel;
use crate::level::{Task, dispatch};
use crate::memory;
use crate::out::ArrayOut;
use crate::parallel;
use crate::recycle::Buffer;
use crate::write::write_to;

/// So many keys are too many to be gathered at once.
const MANY: usize = 1 << 17;

/// Keys whose pivots are found by other pivots.
const HUGE: usize = 1 << 27;

/// Keys that are looked at before those that were between the pivots are handed on.
const ROOM: usize = 512;

/// Keys that are counted at once: mostly none of them is between the pivots.
const FEW: usize = 16;

/// Estimated scalar operations for each key.
const COST: usize = 4;

/// The keys that `0..n` have at these places in ascending order; any at places that there are not.
///
/// Cost: `n` bodies, unless keys lie in memory, and on average one pass over the keys for each place.
/// Errors: as [`write_to`].
pub fn select_to<K, T, const P: usize>(
    kernel: &K,
    n: usize,
    places: [usize; P],
) -> Result<[T; P], Failure>
where
    K: Kernel<Out = (T,)>,
    T: Key,
{
    if const { K::LIES } {
        return keys_at(&kernel.lies()[..n], places);
    }
    let mut keys = Buffer::new();
    write_to(kernel, n, (ArrayOut::buffer(&mut keys),))?;
    keys_at(&keys, places)
}

/// The positions that the elements at these places in ascending order of their keys have, of equal ones the
/// first first; any at places that there are not.
///
/// Cost and errors: as [`select_to`], and up to two more passes over the keys for each place.
pub fn argselect_to<K, T, const P: usize>(
    kernel: &K,
    n: usize,
    places: [usize; P],
) -> Result<[usize; P], Failure>
where
    K: Kernel<Out = (T,)>,
    T: Key,
{
    if const { K::LIES } {
        return positions_at(&kernel.lies()[..n], places);
    }
    let mut keys = Buffer::new();
    write_to(kernel, n, (ArrayOut::buffer(&mut keys),))?;
    positions_at(&keys, places)
}

/// As [`select_to`], of keys in memory.
pub(crate) fn keys_at<T: Key, const P: usize>(
    keys: &[T],
    places: [usize; P],
) -> Result<[T; P], Failure> {
    let mut found = [T::of_number(0); P];
    for (at, place) in places.into_iter().enumerate() {
        // Both branches of a conditional may ask for the same.
        match places[..at].iter().position(|other| *other == place) {
            Some(same) => found[at] = found[same],
            None if place < keys.len() => found[at] = T::of_bits(bits_at(keys, place)?),
            None => {}
        }
    }
    Ok(found)
}

/// As [`argselect_to`], of keys in memory.
pub(crate) fn positions_at<T: Key, const P: usize>(
    keys: &[T],
    places: [usize; P],
) -> Result<[usize; P], Failure> {
    let mut found = [0; P];
    for (found, place) in found.iter_mut().zip(places) {
        if place < keys.len() {
            let bits = bits_at(keys, place)?;
            let less: usize = keys
                .iter()
                .map(|key| usize::from(key.to_bits() < bits))
                .sum();
            let mut equal = (0..keys.len()).filter(|at| keys[*at].to_bits() == bits);
            *found = equal.nth(place - less).unwrap_or_default();
        }
    }
    Ok(found)
}

/// What the key at a place that there is has as its bits.
fn bits_at<T: Key>(keys: &[T], place: usize) -> Result<T::Bits, Failure> {
    if keys.len() >= MANY
        && let Some(found) = by_sample(keys, place)?
    {
        return Ok(found);
    }
    let mut all = Buffer::new();
    memory::reserve(all.as_vec(), keys.len())?;
    all.as_vec().extend(keys.iter().map(|key| key.to_bits()));
    Ok(*all.as_vec().select_nth_unstable(place).1)
}

/// See Note \[Pivots of a sample\]. `None` if it is not between the pivots.
fn by_sample<T: Key>(keys: &[T], place: usize) -> Result<Option<T::Bits>, Failure> {
    let pivots = pivots(keys, place)?;
    let all = Mutex::new(Found::default());
    parallel::for_ranges(keys.len(), ROOM, COST, &|range| {
        let found = dispatch(Compare(&keys[range], pivots));
        all.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .add(found);
    });
    all.into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .at(place, pivots)
}

/// Two keys of which the first is probably not behind a place, and the second not before it.
fn pivots<T: Key>(keys: &[T], place: usize) -> Result<[T::Bits; 2], Failure> {
    let n = keys.len();
    let (all, size) = (n as f64, (n.min(HUGE) as f64).powf(2.0 / 3.0));
    let mut sample = Buffer::new();
    memory::reserve(sample.as_vec(), size as usize)?;
    let (sample, stride) = (sample.as_vec(), n / size as usize);
    // Not at equal distances, as what repeats itself might be.
    let places = (0..size as usize).map(|at| at * stride + spread(at) % stride);
    sample.extend(places.map(|at| keys[at].to_bits()));
    let (middle, apart) = (place as f64 / all * size, (all.ln() * size).sqrt() / 2.0);
    let last = sample.len() - 1;
    let high = ((middle + apart).ceil() as usize).min(last);
    // A negative number is cast to 0.
    let low = (middle - apart).floor() as usize;
    let (below, high, _) = sample.select_nth_unstable(high);
    let high = *high;
    let low = match low < below.len() {
        true => *below.select_nth_unstable(low).1,
        false => high,
    };
    Ok([low, high])
}

/// A number that looks like any (the finaliser of SplitMix64: Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", 2014).
fn spread(at: usize) -> usize {
    let mut it = (at as u64).wrapping_add(0x9e37_79b9_7f4a_7c15);
    it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (it ^ (it >> 31)) as usize
}

/// What has been found of keys and two pivots.
struct Found<B> {
    /// How many are less than the first.
    less: usize,
    /// How many are not greater than it.
    to_first: usize,
    /// How many are not greater than the second.
    to_second: usize,
    /// Those between them, if there was room.
    between: Result<Vec<B>, Failure>,
}

impl<B> Default for Found<B> {
    fn default() -> Self {
        Found {
            less: 0,
            to_first: 0,
            to_second: 0,
            between: Ok(Vec::new()),
        }
    }
}

/// Keys, and the two pivots that they are compared with.
struct Compare<'a, T: Key>(&'a [T], [T::Bits; 2]);

impl<T: Key> Task for Compare<'_, T> {
    type Out = Found<T::Bits>;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> Self::Out {
        let Compare(keys, [first, second]) = self;
        let mut found = Found::default();
        let mut room = [T::Bits::default(); ROOM];
        for keys in keys.chunks(ROOM) {
            let mut some = 0;
            for few in keys.chunks(FEW) {
                let (mut less, mut to_first, mut below, mut to_second) =
                    (0_u32, 0_u32, 0_u32, 0_u32);
                for key in few {
                    let bits = key.to_bits();
                    less += u32::from(bits < first);
                    to_first += u32::from(bits <= first);
                    below += u32::from(bits < second);
                    to_second += u32::from(bits <= second);
                }
                found.less += less as usize;
                found.to_first += to_first as usize;
                found.to_second += to_second as usize;
                if below <= to_first {
                    continue;
                }
                for key in few {
                    let bits = key.to_bits();
                    // Without a branch: it could not be foreseen.
                    room[some] = bits;
                    some += usize::from((bits > first) & (bits < second));
                }
            }
            found.take(&room[..some]);
        }
        found
    }
}

impl<B: Copy + Ord> Found<B> {
    fn take(&mut self, some: &[B]) {
        if let Ok(between) = &mut self.between {
            match between.try_reserve(some.len()) {
                Ok(()) => between.extend_from_slice(some),
                Err(_) => {
                    let bytes = size_of_val(some);
                    self.between = Err(Failure::OutOfMemory { bytes });
                }
            }
        }
    }

    fn add(&mut self, other: Self) {
        self.less += other.less;
        self.to_first += other.to_first;
        self.to_second += other.to_second;
        match other.between {
            Ok(between) => self.take(&between),
            Err(failure) => self.between = Err(failure),
        }
    }

    /// The bits at a place of all, if they are between the pivots or one of these.
    fn at(self, place: usize, [first, second]: [B; 2]) -> Result<Option<B>, Failure> {
        let mut between = self.between?;
        if !(self.less..self.to_second).contains(&place) {
            return Ok(None);
        }
        Ok(Some(match place.checked_sub(self.to_first) {
            None => first,
            Some(place) if place < between.len() => *between.select_nth_unstable(place).1,
            Some(_) => second,
        }))
    }
}
