//! Rows that must have one length, or the lengths of other rows: checked before the body that needs it.
//!
//! In: the statements of a body over all rows of an array. Out: the checks among them that say how long
//! each row is, written in front of the body, and what is known of the rows from then on: that they lie
//! as those of a matrix do, or where those of another array lie (paper 004 §3: a structure that is
//! implied is discovered, and arrays of one shape have one descriptor). The body is lowered again
//! afterwards, with that known.
//! Only the outermost body is looked at, so that nothing is lowered more than twice; what bodies in it say of the
//! rows of its rows is noted as they are closed (`found.rs`), and goes in front of it as well (`front.rs`).
//!
//! Note \[Lengths checked first\]. A program that fails says so of the first row that fails, and there of
//! the first thing that does. So the checks go in front of the body if all that may fail in it are such
//! checks: they are made for the first row of which one does not hold. Rows before that one lie where
//! they should if each of them has the length that it should, so the first offset that is not where it
//! should be is that row's end. The rows of the rows of such a body are looked at up to where the first row
//! that fails ends: a program that fails has come that far, if what fails of a row comes before what is in it.
//!
//! Note \[Where there is a row\]. Nothing is known of the length of rows where there are none, also if
//! they were to be as long as something else: such rows, turned, are no columns. So a row still has a
//! length of its own, and is known to be as long as the other thing where both meet, which is where a
//! check would have said so. What is known of all rows is where they begin.

mod found;
mod front;

use super::ir::Extent;
use super::lower::Lower;
use super::plan::{Like, Plan};
use super::ragged::Descriptor;
use super::size::Size;
use super::value::Rows;
use crate::checks::Check;
use crate::ids::Var;
use found::Run;

pub(super) use found::{Closing, Noted};

/// A check that each row has the length of something else.
#[derive(Clone)]
pub(super) struct Alike {
    check: Check,
    sides: [Side; 2],
    /// The rows that are checked.
    of: OfRows,
}

/// What has a length.
#[derive(Clone)]
enum Side {
    /// Each row.
    Rows(Box<OfRows>),
    /// Something outside of the body.
    One(Extent),
}

/// Rows that a body goes through, or those of the rows of a body around it.
#[derive(Clone)]
struct OfRows {
    rows: Descriptor,
    /// Which of them, or of the rows around them, the body goes through; nothing if all.
    run: Option<Run>,
    /// What they are in, the innermost first, up to what the body goes through.
    links: Vec<Link>,
}

/// What rows are in.
#[derive(Clone)]
enum Link {
    /// The rows of an array.
    Rows(Descriptor),
    /// Arrays of so many rows each.
    Even(Extent),
}

/// What is known of all rows of an array since it was checked.
#[derive(Clone, Debug)]
pub(super) struct KnownAlike {
    rows: Descriptor,
    are: Are,
}

#[derive(Clone, Debug)]
enum Are {
    /// All of this length.
    Even(Extent),
    /// As long as these.
    Like(Descriptor),
    /// Such that these two are one length, if there is a row.
    Telling([Size; 2]),
}

impl Lower<'_> {
    /// From here on, all rows of the pair are known to be alike.
    fn know_alike(&mut self, Alike { sides, of, .. }: Alike) {
        let [left, right] = sides;
        let known = match (left, right) {
            (Side::Rows(like), Side::Rows(rows)) => {
                let (like, rows) = (like.rows, rows.rows);
                self.facts.equate(&like.total.size, &rows.total.size);
                let (like, rows) = (self.first_like(like), self.first_like(rows));
                let are = Are::Like(like.clone());
                (like.offsets != rows.offsets).then_some(KnownAlike { rows, are })
            }
            (Side::Rows(of), Side::One(len)) | (Side::One(len), Side::Rows(of)) => {
                let rows = of.rows;
                let count = rows.bounds.size.sub(&Size::known(1));
                if let Some(all) = count.and_then(|count| count.mul(&len.size)) {
                    self.facts.set_fitting(&all);
                    self.facts.equate(&all, &rows.total.size);
                }
                let are = Are::Even(len);
                Some(KnownAlike { rows, are })
            }
            (Side::One(left), Side::One(right)) => {
                let are = Are::Telling([left.size, right.size]);
                Some(KnownAlike { rows: of.rows, are })
            }
        };
        self.known_alike.extend(known);
    }

    /// `rows` by the descriptor of those that they are as long as.
    pub(super) fn shared(&self, rows: &Rows) -> Rows {
        let Descriptor {
            bounds, offsets, ..
        } = self.first_like(Descriptor::from(rows));
        Rows {
            bounds,
            offsets,
            ..rows.clone()
        }
    }

    fn known_even(&self) -> impl DoubleEndedIterator<Item = (&Descriptor, &Extent)> {
        self.known_alike.iter().filter_map(|it| match &it.are {
            Are::Even(len) => Some((&it.rows, len)),
            Are::Like(_) | Are::Telling(_) => None,
        })
    }

    /// The lengths that a row of these is known to have.
    fn known_widths(&self, offsets: Var) -> impl Iterator<Item = &Extent> {
        let of = move |rows: &Descriptor| self.first_like(rows.clone()).offsets == offsets;
        let known = self.known_even().filter(move |(rows, _)| of(rows));
        known.map(|(_, len)| len)
    }

    /// The length of a row of these, if they are known to have one.
    pub(super) fn known_width(&self, offsets: Var) -> Option<&Extent> {
        self.known_widths(offsets).next()
    }

    /// Whether rows that a body makes share the offsets of rows that lie at multiples of a length: they are
    /// one loop over all elements where both go by the offsets.
    pub(super) fn shares_alike(&self, plan: &Plan) -> bool {
        plan.levels.iter().any(|level| match &level.like {
            Some(Like::Rows(rows)) => self.known_width(rows.offsets).is_some(),
            Some(Like::From(_) | Like::Through(_) | Like::Even(_)) | None => false,
        })
    }

    /// The length that the row of this extent was found to have, as all others.
    pub(super) fn found_length(&self, row: &Extent) -> Option<&Extent> {
        self.known_width(self.row_of_value(row.value)?.rows.offsets)
    }

    /// Whether one of these is the length of a row that is known to be as long as the other.
    pub(super) fn are_alike(&self, left: &Extent, right: &Extent) -> bool {
        [(left, right), (right, left)].iter().any(|(row, other)| {
            let row = self.row_of_value(row.value).into_iter();
            let mut widths = row.flat_map(|it| self.known_widths(it.rows.offsets));
            widths.any(|width| self.facts.same(&width.size, &other.size))
        })
    }

    /// Learns what there being a row of these says.
    pub(super) fn know_row(&mut self, offsets: Var) {
        let of = |it: &&KnownAlike| self.first_like(it.rows.clone()).offsets == offsets;
        let told = self.known_alike.iter().filter(of);
        let told = told.filter_map(|it| match &it.are {
            Are::Telling(pair) => Some(pair.clone()),
            Are::Even(_) | Are::Like(_) => None,
        });
        for [left, right] in told.collect::<Vec<_>>() {
            self.facts.equate(&left, &right);
        }
    }

    /// The rows that all that are as long as these go by.
    fn first_like(&self, mut rows: Descriptor) -> Descriptor {
        let like = |rows: &Descriptor| {
            let mut known = self.known_alike.iter();
            known.find_map(|it| match &it.are {
                Are::Like(like) if it.rows.offsets == rows.offsets => Some(like.clone()),
                Are::Like(_) | Are::Even(_) | Are::Telling(_) => None,
            })
        };
        while let Some(next) = like(&rows) {
            rows = next;
        }
        rows
    }

    /// The descriptor of `count` rows that were found to have this length each.
    pub(super) fn rows_found_even(&self, width: &Extent, count: &Extent) -> Option<Descriptor> {
        let mut known = self.known_even();
        let found = known.find(|(rows, len)| {
            self.facts.difference(&rows.bounds.size, &count.size) == Some(1)
                && self.facts.same(&len.size, &width.size)
        });
        found.map(|(rows, _)| rows.clone())
    }
}
