//! Rows of any lengths one after another, and how they are cut among threads.

use std::ops::Range;

/// Elements and rows per task.
pub(crate) const TASK: usize = 1 << 16;

/// Rows, and where each begins.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a, T> {
    /// Where the elements of each row begin, and the last end; the first may lie behind the start.
    pub offsets: &'a [i64],
    /// The elements of all rows.
    pub elements: &'a [T],
}

impl<'a, T> Rows<'a, T> {
    /// How many rows there are.
    pub fn count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The elements of a row.
    #[inline(always)]
    pub fn row(&self, at: usize) -> &'a [T] {
        &self.elements[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }

    /// Rows that follow each other, for a task each: as many elements and rows in one as in another.
    pub fn tasks(&self) -> Vec<Range<usize>> {
        let count = self.count();
        let weight = |row: usize| (self.offsets[row] - self.offsets[0]) as usize + row;
        let tasks = weight(count).div_ceil(TASK).max(1);
        let mut first = 0;
        let cut = |task| {
            let end = match task == tasks {
                true => count,
                false => first_at(count, |row| weight(row) < task * TASK),
            };
            let rows = first..end;
            first = end;
            rows
        };
        (1..=tasks).map(cut).collect()
    }
}

/// The first row for which `before` does not hold.
fn first_at(rows: usize, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, rows);
    while low < high {
        let middle = low.midpoint(high);
        match before(middle) {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    low
}

/// Parts of these lengths, one after another.
pub(crate) fn parts<T>(mut slice: &mut [T], lens: impl Iterator<Item = usize>) -> Vec<&mut [T]> {
    lens.map(|len| slice.split_off_mut(..len).expect("parts of the slice"))
        .collect()
}

/// Rows for tests: of all lengths that code might tell apart, and `element` of each place.
#[cfg(test)]
pub(crate) fn samples<T>(element: impl Fn(usize) -> T) -> (Vec<i64>, Vec<T>) {
    let lens = (0..1500).map(|i| match i % 97 {
        5 => 3000 + i,
        8 | 9 => 0,
        11 => 60 + i / 15,
        _ => i * 7919 % 41,
    });
    let ends = lens.scan(0, |end, len| {
        *end += len as i64;
        Some(*end)
    });
    let offsets: Vec<i64> = [0].into_iter().chain(ends).collect();
    let elements = (0..offsets[offsets.len() - 1] as usize).map(element);
    let elements = elements.collect();
    (offsets, elements)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_all_rows_in_order() {
        let (offsets, elements) = samples(|i| i);
        let rows = Rows {
            offsets: &offsets,
            elements: &elements,
        };
        let tasks = rows.tasks();
        assert!(tasks.len() > 1);
        assert!(tasks.into_iter().flatten().eq(0..rows.count()));
    }
}
