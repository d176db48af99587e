//! Making arrays of arrays of lengths of their own.
//!
//! In: a body whose elements are, or hold, arrays whose lengths depend on the index. Out: their
//! offsets, and all elements one after another. Assumes that arrays in the element are variables of
//! the body.
//!
//! Note \[Lengths first\]. Where the rows go must be known before they are computed, so that they can
//! be written in parallel and in place. So the lengths are computed first, by a copy of what they
//! need of the body, and summed; then the rows, by the body itself. Lengths that are those of rows of
//! another array at the same index need neither: the two arrays share their offsets (paper 004 §3:
//! arrays of one shape have one descriptor).

use super::dbg::without;
use super::facts::MOST_EXTENT;
use super::ir::{Atom, Body, Consumer, Extent, Op, Stmt, VarType};
use super::lower::{Lower, Lowered};
use super::outside::Outside;
use super::par::components;
use super::placed::Placed;
use super::plan::{Like, Part, Plan, Tree};
use super::size::Size;
use super::value::{Array, Elem, Rows, Value, number_const, usize_const};
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::source::SrcSpan;

/// Where the arrays of a level lie.
#[derive(Clone, Debug)]
pub(super) struct Descriptor {
    /// How many offsets there are: one more than arrays.
    pub(super) bounds: Extent,
    pub(super) offsets: Var,
    /// How many elements all of them have.
    pub(super) total: Extent,
}

impl From<&Rows> for Descriptor {
    fn from(rows: &Rows) -> Self {
        Descriptor {
            bounds: rows.bounds.clone(),
            offsets: rows.offsets,
            total: rows.flat.extent.clone(),
        }
    }
}

/// An array that the body makes for the rows of a result.
struct Piece {
    array: Var,
    level: usize,
    /// Its dimensions but the first.
    dims: Vec<Extent>,
}

impl Lower<'_> {
    /// The array of the elements that a body makes; `outside` is what is outside of it.
    pub(super) fn collect_rows(
        &mut self,
        (extent, index): (&Extent, Var),
        mut stmts: Vec<Stmt>,
        plan: Plan,
        outside: &Outside,
        src: SrcSpan,
    ) -> Lowered<Value> {
        let mut first = First::default();
        self.regular_of(&plan.tree, outside, &mut first, src)?;
        for level in plan.levels.iter().filter(|level| level.like.is_none()) {
            first.results.push(level.count);
            first.dims.push(Vec::new());
        }
        let types: Vec<Scalar> = first.results.iter().map(|it| self.elem_type(*it)).collect();
        let outs = self.arrays_of(&types, extent, &first.dims, src);
        if !outs.is_empty() {
            let (index, body) = self.copy_of(&stmts, index, &first.results);
            if self.prints && body.prints() {
                without(&mut stmts, true);
            }
            self.parallel(extent, index, body, Consumer::Build, outs.clone(), src);
        }
        let mut outs = outs.into_iter();
        let regular: Vec<Var> = outs.by_ref().take(first.regular).collect();
        let mut levels: Vec<Placed> = Vec::with_capacity(plan.levels.len());
        for level in plan.levels {
            levels.push(match level.like {
                Some(Like::Rows(rows)) => rows.into(),
                Some(Like::From(rows)) => self.some_of(&rows, extent, src)?,
                Some(Like::Through(it)) => {
                    let outer = &levels[it.outer];
                    self.through(&it, outer, index, &mut stmts, src)?
                }
                Some(Like::Even(width)) => {
                    let width = self.outer_extent(&width, outside, src)?;
                    self.even_rows(extent, &width, level.function, src)?.into()
                }
                None => {
                    let lengths = outs.next().expect("one per level");
                    let rows = self.descriptor(lengths, extent, level.most.as_ref(), src)?;
                    if let Some(length) = level.function {
                        self.know_lengths_by(length, extent, rows.clone());
                    }
                    rows.into()
                }
            });
        }
        let rows = self.second(extent, index, stmts, &plan.tree, &levels, outside, src)?;
        let mut made = Made {
            regular: regular.into_iter(),
            extents: first.extents.into_iter(),
            rows: rows.into_iter(),
            levels: &levels,
            src,
        };
        let elem = made.tree(self, &plan.tree)?;
        let elem = self.as_before(extent, &elem, &plan.elem, outside, src)?;
        let extent = extent.clone();
        Ok(Value::Array(Array { extent, elem }))
    }

    /// What the first pass makes besides lengths: what is regular.
    fn regular_of(
        &mut self,
        tree: &Tree,
        outside: &Outside,
        first: &mut First,
        src: SrcSpan,
    ) -> Lowered<()> {
        match tree {
            Tree::Scalar(atom) => {
                first.results.push(*atom);
                first.dims.push(Vec::new());
                first.regular += 1;
                Ok(())
            }
            Tree::Product(parts) => parts
                .iter()
                .try_for_each(|part| self.regular_of(part, outside, first, src)),
            Tree::Dense(array) => {
                let mut extents = Vec::new();
                array.extents(&mut extents);
                let extents = extents.iter().map(|it| self.outer_extent(it, outside, src));
                let extents = extents.collect::<Lowered<Vec<_>>>()?;
                first.extents.extend(extents.iter().cloned());
                let vars = &mut components(&array.elem).into_iter();
                let mut parts = Vec::new();
                let array = array.with_vars(vars, &mut extents.into_iter());
                array.components(&[], &mut parts);
                for (var, dims) in parts {
                    first.results.push(Atom::Var(var));
                    first.dims.push(dims);
                    first.regular += 1;
                }
                Ok(())
            }
            Tree::Rows(..) => Ok(()),
        }
    }

    /// Makes the rows; gives the array of each piece.
    #[expect(clippy::too_many_arguments, reason = "the parts of one operation")]
    fn second(
        &mut self,
        extent: &Extent,
        index: Var,
        stmts: Vec<Stmt>,
        tree: &Tree,
        levels: &[Placed],
        outside: &Outside,
        src: SrcSpan,
    ) -> Lowered<Vec<Var>> {
        let (stmts, pieces) = self.scoped(|lower| {
            lower.splice(stmts);
            let mut pieces = Vec::new();
            lower.pieces(tree, Atom::Var(index), levels, &mut pieces, src)?;
            Ok(pieces)
        })?;
        let mut outs = Vec::with_capacity(pieces.len());
        for piece in &pieces {
            let mut dims = vec![levels[piece.level].rows.total.clone()];
            for dim in &piece.dims {
                dims.push(self.outer_extent(dim, outside, src)?);
            }
            let scalar = self.elem_type(Atom::Var(piece.array));
            outs.push(self.array_var(scalar, dims, src));
        }
        let results = pieces.iter().map(|piece| Atom::Var(piece.array)).collect();
        let offsets = pieces.iter().map(|piece| levels[piece.level].rows.offsets);
        let consumer = Consumer::Rows {
            offsets: offsets.collect(),
        };
        let body = Body { stmts, results };
        self.parallel(extent, index, body, consumer, outs.clone(), src);
        Ok(outs)
    }

    fn pieces(
        &mut self,
        tree: &Tree,
        index: Atom,
        levels: &[Placed],
        pieces: &mut Vec<Piece>,
        src: SrcSpan,
    ) -> Lowered<()> {
        match tree {
            Tree::Scalar(_) | Tree::Dense(_) => Ok(()),
            Tree::Product(parts) => parts
                .iter()
                .try_for_each(|part| self.pieces(part, index, levels, pieces, src)),
            Tree::Rows(level, part) => {
                self.pieces_of(part, (*level, &[]), index, levels, pieces, src)
            }
        }
    }

    fn pieces_of(
        &mut self,
        part: &Part,
        (level, dims): (usize, &[Extent]),
        index: Atom,
        levels: &[Placed],
        pieces: &mut Vec<Piece>,
        src: SrcSpan,
    ) -> Lowered<()> {
        match part {
            Part::Leaf(array) => {
                let (array, dims) = (*array, dims.to_vec());
                pieces.push(Piece { array, level, dims });
                Ok(())
            }
            Part::Product(parts) => parts.iter().try_for_each(|part| {
                self.pieces_of(part, (level, dims), index, levels, pieces, src)
            }),
            Part::Array(extent, part) => {
                let dims = [dims, std::slice::from_ref(extent)].concat();
                self.pieces_of(part, (level, &dims), index, levels, pieces, src)
            }
            Part::Rows {
                level: inner, part, ..
            } if levels[*inner].inner.is_some() => {
                self.pieces_of(part, (*inner, &[]), index, levels, pieces, src)
            }
            Part::Rows {
                offsets,
                count,
                level: inner,
                part,
            } => {
                let before = self.element(levels[*inner].rows.offsets, index, src);
                let starts = self.build(count, src, |lower, row| {
                    let own = lower.element(*offsets, row, src);
                    let start = lower.scalar(ScalarOp::Add, &[before, own], Scalar::I64, src);
                    Ok(Value::Scalar(start))
                })?;
                pieces.push(Piece {
                    array: self.variable(&starts),
                    level,
                    dims: Vec::new(),
                });
                self.pieces_of(part, (*inner, &[]), index, levels, pieces, src)
            }
        }
    }

    pub(super) fn variable(&self, array: &Value) -> Var {
        components(&self.as_array(array).elem)[0]
    }

    /// An element of an array variable of one dimension.
    pub(super) fn element(&mut self, array: Var, index: Atom, src: SrcSpan) -> Atom {
        let out = self.scalar_var(self.elem_type(Atom::Var(array)), src);
        let index = vec![index];
        self.push(vec![out], Op::Read { array, index }, src);
        Atom::Var(out)
    }

    /// The descriptor of rows of these lengths, of which there are `extent`; together they are at most `most`, if
    /// something says so.
    pub(super) fn descriptor(
        &mut self,
        lengths: Var,
        extent: &Extent,
        most: Option<&Size>,
        src: SrcSpan,
    ) -> Lowered<Descriptor> {
        let bounds = self.one_more(extent, src);
        let zero = number_const(Scalar::I64, 0);
        let elements = self.elements(&bounds, src, |lower, index| {
            lower.below(
                index,
                extent,
                src,
                |lower| lower.element(lengths, index, src),
                zero,
            )
        })?;
        let combine = self.combine_ops(&[ScalarOp::Add], &[Scalar::I64], src);
        let offsets = self.array_var(Scalar::I64, vec![bounds.clone()], src);
        let consumer = Consumer::Scan {
            init: Some(vec![zero]),
            combine,
            exclusive: true,
            total: false,
        };
        self.consume(elements, consumer, vec![offsets], src);
        let total = self.element(offsets, extent.value, src);
        let total = self.scalar(ScalarOp::Cast, &[total], Scalar::Usize, src);
        Ok(Descriptor {
            bounds,
            offsets,
            total: self.extent_below(total, most, src),
        })
    }

    /// `value`, which is at most `most`, as an extent: checked, unless that is one.
    fn extent_below(&mut self, value: Atom, most: Option<&Size>, src: SrcSpan) -> Extent {
        match most.filter(|most| self.facts.most(most) <= MOST_EXTENT) {
            Some(most) => self.at_most(value, most),
            None => self.extent(value, src),
        }
    }

    /// `value` at indices below `extent`, `last` at the one behind.
    fn below(
        &mut self,
        index: Atom,
        extent: &Extent,
        src: SrcSpan,
        value: impl FnOnce(&mut Self) -> Atom,
        last: Atom,
    ) -> Lowered<Value> {
        let inside = self.test(ScalarOp::Lt, index, extent.value, src);
        self.branch(
            inside,
            &[],
            src,
            |lower| Ok(Value::Scalar(value(lower))),
            |_| Ok(Value::Scalar(last)),
        )
    }

    /// One more than an extent.
    pub(super) fn one_more(&mut self, extent: &Extent, src: SrcSpan) -> Extent {
        let value = self.exact(ScalarOp::Add, extent.value, usize_const(1), src);
        let size = self.facts.size_of(value);
        Extent { value, size }
    }
}

/// What the first pass over a body makes.
#[derive(Default)]
struct First {
    results: Vec<Atom>,
    dims: Vec<Vec<Extent>>,
    /// How many of the results are no lengths.
    regular: usize,
    /// The extents of the regular arrays among them, as known outside.
    extents: Vec<Extent>,
}

/// What has been made of a plan.
struct Made<'m> {
    regular: std::vec::IntoIter<Var>,
    extents: std::vec::IntoIter<Extent>,
    rows: std::vec::IntoIter<Var>,
    levels: &'m [Placed],
    src: SrcSpan,
}

impl Made<'_> {
    fn tree(&mut self, lower: &mut Lower<'_>, tree: &Tree) -> Lowered<Elem> {
        match tree {
            Tree::Scalar(_) => Ok(Elem::whole(self.regular.next().expect("one per scalar"))),
            Tree::Product(parts) => {
                let parts = parts.iter().map(|part| self.tree(lower, part));
                parts.collect::<Lowered<_>>().map(Elem::Product)
            }
            Tree::Dense(array) => {
                let array = array.with_vars(&mut self.regular, &mut self.extents);
                Ok(Elem::Array(Box::new(array)))
            }
            Tree::Rows(level, part) => {
                let Descriptor {
                    bounds,
                    offsets,
                    total: extent,
                } = self.levels[*level].rows.clone();
                let elem = self.part(lower, &extent, part)?;
                Ok(Elem::rows(bounds, offsets, Array { extent, elem }))
            }
        }
    }

    /// The elements of all rows of a level, of which there are `count`.
    fn part(&mut self, lower: &mut Lower<'_>, count: &Extent, part: &Part) -> Lowered<Elem> {
        match part {
            Part::Leaf(_) => Ok(Elem::whole(self.next_row())),
            Part::Product(parts) => {
                let parts = parts.iter().map(|part| self.part(lower, count, part));
                parts.collect::<Lowered<_>>().map(Elem::Product)
            }
            Part::Array(..) => {
                let (row, axes) = (self.rows.as_slice()[0], axes_of(part));
                let extents = lower.inner_extents(row, axes);
                self.array(lower, count, &extents, part)
            }
            Part::Rows { level, part, .. } => {
                let Placed { rows, inner, .. } = &self.levels[*level];
                let (bounds, offsets) = match inner {
                    Some(all) => (all.bounds.clone(), all.offsets),
                    None => self.begun(lower, count, rows)?,
                };
                let extent = rows.total.clone();
                let elem = self.part(lower, &extent, part)?;
                Ok(Elem::rows(bounds, offsets, Array { extent, elem }))
            }
        }
    }

    /// The offsets of `count` arrays that the next piece has the places of, in all of `rows`.
    fn begun(
        &mut self,
        lower: &mut Lower<'_>,
        count: &Extent,
        rows: &Descriptor,
    ) -> Lowered<(Extent, Var)> {
        let (starts, src) = (self.next_row(), self.src);
        let bounds = lower.one_more(count, src);
        let end = lower.scalar(ScalarOp::Cast, &[rows.total.value], Scalar::I64, src);
        let offsets = lower.build(&bounds, src, |lower, row| {
            lower.below(
                row,
                count,
                src,
                |lower| lower.element(starts, row, src),
                end,
            )
        })?;
        Ok((bounds, lower.variable(&offsets)))
    }

    /// Arrays of one shape in the elements of rows.
    fn array(
        &mut self,
        lower: &mut Lower<'_>,
        count: &Extent,
        extents: &[Extent],
        part: &Part,
    ) -> Lowered<Elem> {
        match (part, extents) {
            (Part::Array(_, part), [extent, inner @ ..]) => {
                let elem = self.array(lower, count, inner, part)?;
                let extent = extent.clone();
                Ok(Elem::Array(Box::new(Array { extent, elem })))
            }
            (part, _) => self.part(lower, count, part),
        }
    }

    fn next_row(&mut self) -> Var {
        self.rows.next().expect("one per piece")
    }
}

/// How many arrays of one shape are around the components of `part`.
fn axes_of(part: &Part) -> usize {
    match part {
        Part::Array(_, part) => 1 + axes_of(part),
        Part::Leaf(_) | Part::Product(_) | Part::Rows { .. } => 0,
    }
}

impl Lower<'_> {
    /// The extents of `array` from its second dimension on, so many.
    fn inner_extents(&self, array: Var, axes: usize) -> Vec<Extent> {
        match &self.vars[array.index()].ty {
            VarType::Array(ty) => ty.dims[1..=axes].to_vec(),
            VarType::Scalar(_) => unreachable!("a row is an array"),
        }
    }
}
