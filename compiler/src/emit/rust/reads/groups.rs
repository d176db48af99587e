//! Reads of every `k`-th element: indices `(start + l) * k + c`, as in the columns of a matrix with short
//! rows, whose elements lie in one group per lane.
//!
//! In: operands. Out: text that reads groups. Assumes as `reads.rs`, of which this is a part.

use super::{ArrayField, Reads};
use crate::fused::linear::normal;
use crate::shaped::ir::Atom;

/// Elements of the longest groups: vectors hold a few of them.
const LONGEST: i64 = 16;

/// Whether elements that lie so far apart are read by groups.
pub fn is_group(len: i64) -> bool {
    (2..=LONGEST).contains(&len)
}

/// Where a block's lanes read.
pub(super) struct Group {
    /// The text of the first lane's group.
    start: String,
    /// The elements of a group, and which of them is read.
    len: i64,
    at: i64,
}

impl Reads<'_> {
    /// The groups that an index of a block reads, if it does and the array is a slice.
    pub(super) fn group(&self, field: &ArrayField, index: Atom) -> Option<Group> {
        if self.spans.is_some() || field.param.is_some() {
            return None;
        }
        let poly = normal(index, &self.defs);
        let (len, _) = self.multiple(&poly, &|atom| self.uniform(atom))?;
        if !is_group(len) {
            return None;
        }
        let at = poly.known_part().rem_euclid(len);
        let (_, rest) = self.multiple(&poly.moved(-at), &|atom| self.uniform(atom))?;
        Some(Group {
            start: format!("start.wrapping_mul({len}usize){rest}"),
            len,
            at,
        })
    }

    /// The element that lane `l` reads of such groups.
    pub(super) fn of_group(&mut self, field: &ArrayField, group: &Group) -> String {
        let Group { start, len, at } = group;
        let key = format!("load_groups {} {start}", field.field);
        let name = self.declared_once(&key, |name, holder| {
            format!(
                "let mut n{name} = __r::MaybeUninit::uninit();\n\
                 let {name} = __r::load_groups::<{}, {len}, {{ L }}>({holder}.{}, {start}, &mut n{name});\n",
                field.elem, field.field
            )
        });
        format!("{name}[l][{at}]{}", field.path)
    }
}
