//! Edges in a picture, by Canny's method: smoothed, slopes by Sobel's operator, of these the ridges, and of
//! what ridges are above a low slope those that hang together with one above a high slope.
//!
//! The expert goes through the picture once: of each stage only the few rows are there that the next one
//! needs, all in lanes of 16 bits. Bands of rows go to threads and compute what both need at their
//! borders twice. Then edges are followed from pixel to pixel, within each band while it is in the
//! cache, and across bands at the end.

use crate::levels::{Level, kernel};
use rayon::prelude::*;
use std::ops::Range;

/// A pixel of no edge, one of an edge if it hangs together with a sure one, a sure one.
const NONE: u8 = 0;
const MAYBE: u8 = 2;
const SURE: u8 = 1;

/// The fewest rows per task.
const BAND: usize = 64;

/// A picture in shades of grey.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    pixels: &'a [u8],
    width: usize,
}

/// The slopes from which on pixels may be, and are, of edges.
#[derive(Clone, Copy, Debug)]
pub struct Slopes {
    /// From here on if they hang together with some that are.
    pub low: i16,
    /// From here on for certain.
    pub high: i16,
}

impl<'a> Picture<'a> {
    /// A picture of rows of this width.
    ///
    /// # Panics
    /// If it has less than three rows or columns, or no whole number of rows.
    pub fn new(pixels: &'a [u8], width: usize) -> Self {
        assert!(width >= 3 && pixels.len() >= 3 * width && pixels.len().is_multiple_of(width));
        Picture { pixels, width }
    }

    fn height(&self) -> usize {
        self.pixels.len() / self.width
    }

    /// A row, or the one that is found where its mirror stands.
    fn mirrored(&self, row: isize) -> &'a [u8] {
        let row = mirrored(row, self.height());
        &self.pixels[row * self.width..][..self.width]
    }
}

/// The place within `len` that is seen at a place outside.
fn mirrored(at: isize, len: usize) -> usize {
    let at = at.unsigned_abs();
    if at < len { at } else { 2 * (len - 1) - at }
}

/// As rayon gives it, stage by stage.
pub fn plain(picture: Picture, slopes: Slopes) -> Vec<u8> {
    let (width, height) = (picture.width, picture.height());
    let down = stage(picture, |i, j| {
        let row = |k: isize| u32::from(picture.mirrored(i as isize + k)[j]);
        6 * row(0) + 4 * (row(-1) + row(1)) + row(-2) + row(2)
    });
    let smooth = stage(picture, |i, j| {
        let at = |k: isize| down[i * width + mirrored(j as isize + k, width)];
        (6 * at(0) + 4 * (at(-1) + at(1)) + at(-2) + at(2)) as i32 / 256
    });
    let gradients = stage(picture, |i, j| {
        let (rows, columns) = (
            [i.saturating_sub(1), i, (i + 1).min(height - 1)],
            [j.saturating_sub(1), j, (j + 1).min(width - 1)],
        );
        let at = |k: usize, l: usize| smooth[rows[k] * width + columns[l]];
        let side = |l| at(0, l) + 2 * at(1, l) + at(2, l);
        let row = |k| at(k, 0) + 2 * at(k, 1) + at(k, 2);
        (side(2) - side(0), row(2) - row(0))
    });
    let steep = |i: usize, j: usize| match i < height && j < width {
        true => {
            let (x, y): (i32, i32) = gradients[i * width + j];
            x.abs() + y.abs()
        }
        false => 0,
    };
    let mut marks = stage(picture, |i, j| {
        let (x, y) = gradients[i * width + j];
        let (k, l) = match () {
            () if 1000 * y.abs() < 414 * x.abs() => (0, 1),
            () if 1000 * x.abs() < 414 * y.abs() => (1, 0),
            () if (x > 0) == (y > 0) => (1, 1),
            () => (1, -1),
        };
        let beside = |k, l| steep(i.wrapping_add_signed(k), j.wrapping_add_signed(l));
        let is_ridge = steep(i, j) > beside(-k, -l) && steep(i, j) >= beside(k, l);
        mark(if is_ridge { steep(i, j) as i16 } else { 0 }, slopes)
    });
    let sure = (0..marks.len()).filter(|at| marks[*at] == SURE);
    let mut todo = sure.collect();
    follow(&mut marks, width, &mut todo);
    marks.iter_mut().for_each(|mark| *mark &= SURE);
    marks
}

/// Something for each pixel of a picture.
fn stage<T: Send>(picture: Picture, at: impl Fn(usize, usize) -> T + Sync) -> Vec<T> {
    let places = (0..picture.pixels.len()).into_par_iter();
    places
        .map(|place| at(place / picture.width, place % picture.width))
        .collect()
}

#[inline(always)]
fn mark(ridge: i16, slopes: Slopes) -> u8 {
    let below = if ridge >= slopes.low { MAYBE } else { NONE };
    if ridge >= slopes.high { SURE } else { below }
}

/// Makes what may be of an edge sure from the places in `todo` on.
fn follow(marks: &mut [u8], width: usize, todo: &mut Vec<usize>) {
    while let Some(place) = todo.pop() {
        around(place, width, marks.len(), |beside| {
            if marks[beside] == MAYBE {
                marks[beside] = SURE;
                todo.push(beside);
            }
        });
    }
}

/// Calls for the places beside one.
fn around(place: usize, width: usize, len: usize, mut call: impl FnMut(usize)) {
    let column = place % width;
    let columns = column.saturating_sub(1)..(column + 2).min(width);
    let row = place - column;
    for row in [row.wrapping_sub(width), row, row + width] {
        if row < len {
            columns.clone().for_each(|column| call(row + column));
        }
    }
}

/// As an expert writes it.
pub fn expert(picture: Picture, slopes: Slopes) -> Vec<u8> {
    let mut edges = vec![NONE; picture.pixels.len()];
    expert_into(&mut edges, picture, slopes);
    edges
}

/// As an expert writes it, into memory that is there.
///
/// # Panics
/// If lengths differ.
pub fn expert_into(edges: &mut [u8], picture: Picture, slopes: Slopes) {
    at(Level::best(), edges, picture, slopes);
}

/// The expert's marks, without following them: [`expert_into`] up to there.
///
/// # Panics
/// If lengths differ.
pub fn marks_into(marks: &mut [u8], picture: Picture, slopes: Slopes) {
    in_bands(marks, picture, |rows, marks| {
        Stages::new(picture, slopes).run(Level::best(), rows, marks);
    });
}

/// The expert's version at a level.
///
/// # Panics
/// If lengths differ.
pub fn at(level: Level, edges: &mut [u8], picture: Picture, slopes: Slopes) {
    in_bands(edges, picture, |rows, marks| {
        Stages::new(picture, slopes).run(level, rows, marks);
        let mut todo = begun(marks, picture.width);
        follow(marks, picture.width, &mut todo);
    });
    let mut todo = begun_across(edges, picture);
    follow(edges, picture.width, &mut todo);
    edges
        .par_chunks_mut(1 << 16)
        .for_each(|marks| only_sure(level, marks));
}

fn band(picture: Picture) -> usize {
    let tasks = 4 * rayon::current_num_threads();
    picture.height().div_ceil(tasks).max(BAND)
}

fn in_bands(marks: &mut [u8], picture: Picture, run: impl Fn(Range<usize>, &mut [u8]) + Sync) {
    assert_eq!(marks.len(), picture.pixels.len());
    let (band, width) = (band(picture), picture.width);
    let bands = marks.par_chunks_mut(band * width).enumerate();
    bands.for_each(|(i, marks)| run(i * band..i * band + marks.len() / width, marks));
}

/// Places that may be of an edge and are beside one that is, made sure.
fn begun(marks: &mut [u8], width: usize) -> Vec<usize> {
    let mut todo = Vec::new();
    for from in (0..marks.len()).step_by(64) {
        let end = marks.len().min(from + 64);
        if marks[from..end].iter().fold(0, |all, mark| all | mark) & MAYBE != 0 {
            (from..end).for_each(|place| begin(marks, width, place, &mut todo));
        }
    }
    todo
}

fn begin(marks: &mut [u8], width: usize, place: usize, todo: &mut Vec<usize>) {
    if marks[place] != MAYBE {
        return;
    }
    let mut is_sure = false;
    around(place, width, marks.len(), |beside| {
        is_sure |= marks[beside] == SURE
    });
    if is_sure {
        marks[place] = SURE;
        todo.push(place);
    }
}

/// The same of the rows next to the borders between bands.
fn begun_across(marks: &mut [u8], picture: Picture) -> Vec<usize> {
    let (band, width) = (band(picture) * picture.width, picture.width);
    let mut todo = Vec::new();
    for border in (band..marks.len()).step_by(band) {
        let places = border - width..marks.len().min(border + width);
        places.for_each(|place| begin(marks, width, place, &mut todo));
    }
    todo
}

kernel! {
    fn only_sure(marks: &mut [u8]) {
        for mark in marks {
            *mark &= SURE;
        }
    }
}

/// The rows under way of all stages, each three or as many as are needed.
struct Stages<'a> {
    picture: Picture<'a>,
    slopes: Slopes,
    /// A row that is smooth down, with two pixels beside each end.
    down: Vec<u16>,
    /// Smooth rows with a pixel beside each end.
    smooth: [Vec<u8>; 3],
    /// How steep it is, with a pixel beside each end.
    steep: [Vec<i16>; 3],
    directions: [Vec<i16>; 3],
}

impl<'a> Stages<'a> {
    fn new(picture: Picture<'a>, slopes: Slopes) -> Self {
        let width = picture.width;
        Stages {
            picture,
            slopes,
            down: vec![0; width + 4],
            smooth: std::array::from_fn(|_| vec![0; width + 2]),
            steep: std::array::from_fn(|_| vec![0; width + 2]),
            directions: std::array::from_fn(|_| vec![0; width]),
        }
    }

    /// Makes the marks of these rows.
    fn run(mut self, level: Level, rows: Range<usize>, marks: &mut [u8]) {
        let (first, end) = (rows.start as isize, rows.end as isize);
        let mut marks = marks.chunks_mut(self.picture.width);
        for row in first - 2..end + 2 {
            self.smoothen(level, row);
            if row > first - 1 {
                self.slope(level, row - 1);
            }
            if row > first + 1 {
                let marks = marks.next().expect("a row of the band");
                self.mark(level, row - 2, marks);
            }
        }
    }

    /// A row outside is as the nearest inside.
    fn smoothen(&mut self, level: Level, row: isize) {
        let inside = row.clamp(0, self.picture.height() as isize - 1);
        let rows = [-2, -1, 0, 1, 2].map(|k| self.picture.mirrored(inside + k));
        let width = self.picture.width;
        down(level, &mut self.down[2..width + 2], rows);
        for k in 1..3 {
            self.down[2 - k] = self.down[2 + k];
            self.down[width + 1 + k] = self.down[width + 1 - k];
        }
        let smooth = &mut self.smooth[slot(row)];
        across(level, &mut smooth[1..=width], &self.down);
        smooth[0] = smooth[1];
        smooth[width + 1] = smooth[width];
    }

    /// Outside it is not steep.
    fn slope(&mut self, level: Level, row: isize) {
        let width = self.picture.width;
        let steep = &mut self.steep[slot(row)][1..=width];
        if !(0..self.picture.height() as isize).contains(&row) {
            return steep.fill(0);
        }
        let rows = [row - 1, row, row + 1].map(|row| &self.smooth[slot(row)][..]);
        slopes(level, steep, &mut self.directions[slot(row)], rows);
    }

    fn mark(&mut self, level: Level, row: isize, marks: &mut [u8]) {
        let rows = [row - 1, row, row + 1].map(|row| &self.steep[slot(row)][..]);
        ridges(level, marks, &self.directions[slot(row)], rows, self.slopes);
    }
}

/// Where a row lies among three.
fn slot(row: isize) -> usize {
    row.rem_euclid(3) as usize
}

/// So many elements from the first, the second and so on: no index into them is ever out of range.
#[inline(always)]
fn shifted<T, const TIMES: usize>(row: &[T], len: usize) -> [&[T]; TIMES] {
    std::array::from_fn(|by| &row[by..][..len])
}

kernel! {
    fn down(out: &mut [u16], rows: [&[u8]; 5]) {
        let len = out.len();
        let [a, b, c, d, e] = rows;
        let (a, b, c, d, e) = (&a[..len], &b[..len], &c[..len], &d[..len], &e[..len]);
        for j in 0..len {
            let (near, far) = (u16::from(b[j]) + u16::from(d[j]), u16::from(a[j]) + u16::from(e[j]));
            out[j] = 6 * u16::from(c[j]) + 4 * near + far;
        }
    }
}

kernel! {
    fn across(out: &mut [u8], down: &[u16]) {
        let len = out.len();
        let [a, b, c, d, e] = shifted(down, len);
        for j in 0..len {
            out[j] = ((6 * c[j] + 4 * (b[j] + d[j]) + a[j] + e[j]) >> 8) as u8;
        }
    }
}

/// The most that is 1000 times less than 414 times a difference of up to 1020: so tall may a slope be that
/// goes across.
#[inline(always)]
fn low_for(wide: u16) -> u16 {
    // 27132 is 0.414 of 65536, rounded up; it is exact but where the quotient has no remainder.
    let quotient = ((u32::from(wide) * 27_132) >> 16) as u16;
    quotient - u16::from(wide == 500) - u16::from(wide == 1000)
}

kernel! {
    /// Directions: 0 is across, 1 down, 2 and 3 are the diagonals; where it is not steep, any.
    fn slopes(steep: &mut [i16], directions: &mut [i16], rows: [&[u8]; 3]) {
        let width = steep.len();
        let directions = &mut directions[..width];
        let [[a, b, c], [d, _, e], [f, g, h]] = rows.map(|row| shifted(row, width));
        for j in 0..width {
            let [a, b, c, d] = [a[j], b[j], c[j], d[j]].map(i16::from);
            let [e, f, g, h] = [e[j], f[j], g[j], h[j]].map(i16::from);
            let x = c + 2 * e + h - a - 2 * d - f;
            let y = f + 2 * g + h - a - 2 * b - c;
            let (wide, high) = (x.unsigned_abs(), y.unsigned_abs());
            let diagonal = if (x > 0) == (y > 0) { 2 } else { 3 };
            let steeper = if wide <= low_for(high) { 1 } else { diagonal };
            directions[j] = if high <= low_for(wide) { 0 } else { steeper };
            steep[j] = (wide + high) as i16;
        }
    }
}

kernel! {
    fn ridges(marks: &mut [u8], directions: &[i16], rows: [&[i16]; 3], slopes: Slopes) {
        let width = marks.len();
        let directions = &directions[..width];
        let [[a, b, c], [d, here, e], [f, g, h]] = rows.map(|row| shifted(row, width));
        for j in 0..width {
            // All neighbours are read, so that there is nothing to decide but what to take.
            let [a, b, c, d] = [a[j], b[j], c[j], d[j]];
            let [slope, e, f, g, h] = [here[j], e[j], f[j], g[j], h[j]];
            let (mut before, mut behind) = (c, f);
            let direction = directions[j];
            before = if direction == 2 { a } else { before };
            behind = if direction == 2 { h } else { behind };
            before = if direction == 1 { b } else { before };
            behind = if direction == 1 { g } else { behind };
            before = if direction == 0 { d } else { before };
            behind = if direction == 0 { e } else { behind };
            let is_ridge = (slope > before) & (slope >= behind);
            marks[j] = mark(if is_ridge { slope } else { 0 }, slopes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_across_is_known_in_lanes_of_16_bits() {
        for wide in 0..=1020_u16 {
            for high in 0..=1020_u16 {
                let is_across = 1000 * u32::from(high) < 414 * u32::from(wide);
                assert!(is_across == (high <= low_for(wide)) || wide == 0);
            }
        }
    }

    #[test]
    fn agrees_with_the_definition_on_every_level() {
        for (height, width) in [
            (3, 3),
            (5, 40),
            (BAND + 1, 33),
            (8 * BAND + 9, 70),
            (70, 1000),
        ] {
            // Long lines that come and go, over noise.
            let pixel = |at: usize| {
                let (i, j) = (at / width, at % width);
                let line = (i * 3 + j * 2) % 37 < 9 && i * j % 11 < 9;
                (i * 7919 + j * 104_729 + i * j) as u8 % 60 + if line { 90 } else { 0 }
            };
            let pixels: Vec<u8> = (0..height * width).map(pixel).collect();
            let picture = Picture::new(&pixels, width);
            let slopes = Slopes { low: 40, high: 330 };
            let wanted = plain(picture, slopes);
            for level in Level::available() {
                let mut edges = vec![9; pixels.len()];
                at(level, &mut edges, picture, slopes);
                assert!(edges == wanted, "{level:?} {height} × {width}");
            }
        }
    }
}
