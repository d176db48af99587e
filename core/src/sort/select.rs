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

use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::Key;
use super::items::Item;
use super::ranks::{FEW, few_at};
use crate::error::Failure;
use crate::kernel::Kernel;
use crate::level::{Task, dispatch};
use crate::memory;
use crate::out::ArrayOut;
use crate::packing::together;
use crate::parallel;
use crate::recycle::Buffer;
use crate::write::write_to;

/// So many keys are too many to be gathered at once: of fewer the sample would be too small.
const MANY: usize = 1 << 15;

/// Of all keys, those between pivots are this share at most: more are gathered where the memory is counted.
const SHARE: usize = 8;

/// Keys of so many bits are counted, each of them.
const BYTE: u32 = 8;

/// Of more keys than these the sample is no larger.
const HUGE: usize = 1 << 27;

/// Keys that are looked at before those that were between the pivots are handed on.
const ROOM: usize = 512;

/// Lanes in which keys are counted.
const LANES: usize = 16;

/// Estimated scalar operations for each key.
const COST: usize = 4;

/// The keys that `0..n` have at these places in ascending order; any at places that there are not.
///
/// Cost: `n` bodies, unless keys lie in memory, and one pass over the keys for each place, in parallel if they are
/// many; probably: in the worst case another, on one thread.
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
/// Cost and errors: as [`select_to`], and two more passes over the keys for each place, the second on one thread.
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
    Ok(bits_at(keys, places)?.map(T::of_bits))
}

/// As [`argselect_to`], of keys in memory.
pub(crate) fn positions_at<T: Key, const P: usize>(
    keys: &[T],
    places: [usize; P],
) -> Result<[usize; P], Failure> {
    let bits = bits_at(keys, places)?;
    let mut found = [0; P];
    for at in 0..P {
        // Both branches of a conditional may ask for the same.
        found[at] = match places[..at].iter().position(|place| *place == places[at]) {
            Some(same) => found[same],
            None if places[at] < keys.len() => position(keys, bits[at], places[at]),
            None => 0,
        };
    }
    Ok(found)
}

/// Where the key at a place of the order, which has these bits, lies among all.
fn position<T: Key>(keys: &[T], bits: T::Bits, place: usize) -> usize {
    let less = AtomicUsize::new(0);
    parallel::for_ranges(keys.len(), ROOM, 1, &|range| {
        let some = keys[range]
            .iter()
            .map(|key| usize::from(key.to_bits() < bits));
        less.fetch_add(some.sum(), Ordering::Relaxed);
    });
    let mut left = place - less.into_inner();
    for (block, keys) in keys.chunks(ROOM).enumerate() {
        let equal = keys.iter().map(|key| usize::from(key.to_bits() == bits));
        let equal: usize = equal.sum();
        if left < equal {
            let mut equal = (0..keys.len()).filter(|at| keys[*at].to_bits() == bits);
            return block * ROOM + equal.nth(left).expect("as many were counted");
        }
        left -= equal;
    }
    unreachable!("the key is one of these")
}

/// What the keys at places have as their bits; none at places that there are not.
fn bits_at<T: Key, const P: usize>(
    keys: &[T],
    places: [usize; P],
) -> Result<[T::Bits; P], Failure> {
    if const { T::BITS <= BYTE } && keys.len() >= 1 << BYTE {
        return Ok(by_counts(keys, places));
    }
    if keys.len() <= FEW {
        return Ok(few_at(keys, places));
    }
    let mut order: [usize; P] = core::array::from_fn(|at| at);
    order.sort_unstable_by_key(|at| places[*at]);
    let mut found = [T::Bits::default(); P];
    let (mut all, mut rest) = (Buffer::<T::Bits>::new(), 0);
    let mut before = None;
    for at in order {
        let place = places[at];
        if place >= keys.len() {
            break;
        }
        found[at] = match before {
            Some((same, bits)) if same == place => bits,
            _other => match by_sample(keys, place)? {
                Some(bits) => bits,
                None => {
                    let all = all.as_vec();
                    if all.is_empty() {
                        memory::reserve(all, keys.len())?;
                        all.extend(keys.iter().map(|key| key.to_bits()));
                    }
                    // What is before a place that has been asked for is not greater than what is behind it.
                    let behind = &mut all[rest..];
                    let bits = *behind.select_nth_unstable(place - rest).1;
                    rest = place + 1;
                    bits
                }
            },
        };
        before = Some((place, found[at]));
    }
    Ok(found)
}

/// The same of keys of so few bits that how often each of them is there can be counted.
fn by_counts<T: Key, const P: usize>(keys: &[T], places: [usize; P]) -> [T::Bits; P] {
    let all = Mutex::new([0_usize; 1 << BYTE]);
    parallel::for_ranges(keys.len(), ROOM, 1, &|range| {
        let mut counts = [0_usize; 1 << BYTE];
        for key in &keys[range] {
            counts[key.to_bits().bits() as usize] += 1;
        }
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter_mut()
            .zip(counts)
            .for_each(|(all, some)| *all += some);
    });
    let counts = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    places.map(|place| {
        let mut to = 0;
        let key = counts.iter().position(|count| {
            to += count;
            place < to
        });
        T::of_number(key.unwrap_or_default() as u64).to_bits()
    })
}

/// The bits at a place that there is. See Note \[Pivots of a sample\]. `None` if there are few keys, or it is not
/// between the pivots.
fn by_sample<T: Key>(keys: &[T], place: usize) -> Result<Option<T::Bits>, Failure> {
    if keys.len() < MANY {
        return Ok(None);
    }
    let pivots = pivots(keys, place)?;
    let all = Mutex::new(Found::default());
    let most = keys.len() / SHARE;
    parallel::for_ranges(keys.len(), ROOM, COST, &|range| {
        let found = dispatch(Compare(&keys[range], pivots));
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        all.add(found, most);
    });
    let found = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.at(place, pivots)
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
    let mut at = |place: f64| *sample.select_nth_unstable(place as usize).1;
    // What the sample does not reach may still be there.
    Ok([
        match middle - apart {
            low if low < 0.0 => T::Bits::default(),
            low => at(low.floor()),
        },
        match middle + apart {
            high if high.ceil() < size.floor() => at(high.ceil()),
            _beyond => T::Bits::LAST,
        },
    ])
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
    /// Those between them, if there was room, and they are not too many.
    between: Option<Vec<B>>,
}

impl<B> Default for Found<B> {
    fn default() -> Self {
        Found {
            less: 0,
            to_first: 0,
            to_second: 0,
            between: Some(Vec::new()),
        }
    }
}

/// Keys, and the two pivots that they are compared with.
struct Compare<'a, T: Key>(&'a [T], [T::Bits; 2]);

impl<T: Key> Task for Compare<'_, T> {
    type Out = Found<T::Bits>;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> Self::Out {
        let Compare(keys, pivots) = self;
        let mut found = Found::default();
        let mut counts = Counts::default();
        let mut room = [T::Bits::default(); ROOM];
        let mut some = 0;
        let (blocks, rest) = keys.as_chunks::<L>();
        for block in blocks {
            if some + L > ROOM {
                found.take(&room[..some]);
                some = 0;
            }
            let (bits, between) = counts.take::<T, L>(block, pivots);
            // SAFETY: there is room for a block, as has just been seen; a task has what its level names.
            some += unsafe { together::<T::Bits, L>(&between, &bits, room[some..].as_mut_ptr()) };
        }
        found.take(&room[..some]);
        for key in rest {
            let (bits, between) = counts.take::<T, 1>(&[*key], pivots);
            found.take(&bits[..usize::from(between[0])]);
        }
        found.count(counts);
        found
    }
}

/// How many keys compare so with the pivots, in lanes.
#[derive(Default)]
struct Counts {
    less: [u32; LANES],
    to_first: [u32; LANES],
    to_second: [u32; LANES],
}

impl Counts {
    /// Takes in some keys; gives their bits, and which are between the pivots.
    #[cfg_attr(optimised, inline(always))]
    fn take<T: Key, const N: usize>(
        &mut self,
        keys: &[T; N],
        [first, second]: [T::Bits; 2],
    ) -> ([T::Bits; N], [bool; N]) {
        let (mut all, mut between) = ([T::Bits::default(); N], [false; N]);
        for start in (0..N).step_by(LANES) {
            for l in 0..LANES.min(N) {
                let bits = keys[start + l].to_bits();
                self.less[l] += u32::from(bits < first);
                self.to_first[l] += u32::from(bits <= first);
                self.to_second[l] += u32::from(bits <= second);
                all[start + l] = bits;
                between[start + l] = (bits > first) & (bits < second);
            }
        }
        (all, between)
    }
}

impl<B: Item + Key<Bits = B>> Found<B> {
    fn count(&mut self, counts: Counts) {
        let sum = |lanes: [u32; LANES]| lanes.iter().map(|it| *it as usize).sum::<usize>();
        self.less += sum(counts.less);
        self.to_first += sum(counts.to_first);
        self.to_second += sum(counts.to_second);
    }

    fn take(&mut self, some: &[B]) {
        if let Some(between) = &mut self.between {
            match between.try_reserve(some.len()) {
                Ok(()) => between.extend_from_slice(some),
                Err(_) => self.between = None,
            }
        }
    }

    /// Adds what has been found of others, at most so many.
    fn add(&mut self, other: Self, most: usize) {
        self.less += other.less;
        self.to_first += other.to_first;
        self.to_second += other.to_second;
        match (&self.between, other.between) {
            (Some(own), Some(between)) if own.len() + between.len() <= most => self.take(&between),
            _too_many => self.between = None,
        }
    }

    /// The bits at a place of all, if they are one of the pivots, or between them.
    fn at(self, place: usize, [first, second]: [B; 2]) -> Result<Option<B>, Failure> {
        let Some(mut between) = self.between else {
            return Ok(None);
        };
        if !(self.less..self.to_second).contains(&place) {
            return Ok(None);
        }
        let place = match place.checked_sub(self.to_first) {
            None => return Ok(Some(first)),
            Some(place) if place < between.len() => place,
            Some(_) => return Ok(Some(second)),
        };
        Ok(Some(match by_sample(&between, place)? {
            Some(bits) => bits,
            None => *between.select_nth_unstable(place).1,
        }))
    }
}
