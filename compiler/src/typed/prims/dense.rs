//! Operators on the axes of arrays.

use super::extents::Levels;
use super::{Body, PrimCall};
use crate::prims::{Prim, PrimInfo};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::typed::call::{Arg, Site};
use crate::typed::draft::{NodeId, NodeKind};
use crate::typed::types::{Head, Kind, Ty};
use crate::typed::wait::{What, unknown_type};

impl<'a> Body<'_, 'a> {
    pub(super) fn transpose(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        self.prim_array(call, 0)?;
        let array = call.args[0];
        let ty = self.ty(array);
        let rank = self.at_least(call, ty, 2)?;
        let (i, j) = match call.given[1..] {
            [] => (0, 1),
            [_] => {
                let error = Diagnostic::new(call.src, "`transpose` takes two axes, or none")
                    .note("without axes it exchanges the first two")
                    .help("write both: `a.transpose(0, 1)`");
                self.error(error);
                return None;
            }
            [i, j, ..] => (self.axis(i, ty, rank)?, self.axis(j, ty, rank)?),
        };
        if i == j {
            let title = format!("`transpose` exchanges axis {i} with itself");
            self.error(Diagnostic::new(call.src, title).help("leave it out"));
            return None;
        }
        for axis in [i.min(j), i.max(j)] {
            let axis = self.size_node(axis, call.src);
            call.args.push(axis);
        }
        Some(ty)
    }

    // The number of levels of the array type `ty`, of which `least` must be there.
    fn at_least(&mut self, call: &PrimCall<'a>, ty: Ty, least: usize) -> Option<usize> {
        let mut level = ty;
        for _ in 0..least {
            level = match self.types.head(level) {
                Head::Array(elem) => elem,
                Head::Error => return None,
                Head::Var(Kind::Any) => {
                    let elem = self.types.any();
                    let array = self.types.array(elem);
                    // An unknown type admits any.
                    let _ = self.types.unify(level, array);
                    elem
                }
                Head::Var(_)
                | Head::Scalar(_)
                | Head::Tuple(_)
                | Head::Struct(_)
                | Head::Seq(_)
                | Head::Complex(_) => {
                    let error = self.too_flat(call, ty, least);
                    self.error(error);
                    return None;
                }
            };
        }
        match self.levels(ty) {
            Ok(Levels { rank, .. }) => Some(rank),
            Err(_) => Some(least),
        }
    }

    fn too_flat(&self, call: &PrimCall<'a>, ty: Ty, least: usize) -> Diagnostic {
        let info = call.info;
        let title = format!(
            "`{}` needs an array of {least} dimensions or more, found {}",
            info.name,
            self.types.quote(ty)
        );
        Diagnostic::new(call.src, title).note(format!("it is `{}`", info.signature))
    }

    pub(super) fn flatten(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        let ty = self.ty(call.args[0]);
        self.at_least(call, ty, 2)?;
        Some(elem)
    }

    pub(super) fn reshape(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        self.prim_array(call, 0)?;
        let array = call.args.pop()?;
        let Levels { rank, elem } = self.known_levels(array)?;
        let flat = self.types.array(elem);
        let flat = (1..rank).fold(array, |array, level| {
            let ty = if level + 1 == rank {
                flat
            } else {
                self.inner(array)
            };
            self.operator(Prim::Flatten, vec![array], ty, call.src)
        });
        call.args.push(flat);
        let extents = self.extents(call, 1)?;
        let ty = extents.iter().fold(elem, |ty, _| self.types.array(ty));
        call.args.extend(extents);
        Some(ty)
    }

    // The type of the elements of an array.
    fn inner(&self, array: NodeId) -> Ty {
        match self.types.head(self.ty(array)) {
            Head::Array(elem) => elem,
            Head::Var(_)
            | Head::Scalar(_)
            | Head::Tuple(_)
            | Head::Struct(_)
            | Head::Seq(_)
            | Head::Complex(_)
            | Head::Error => Ty::ERROR,
        }
    }

    pub(super) fn extents_as_tuple(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        self.prim_array(call, 0)?;
        let Levels { rank, .. } = self.known_levels(call.args[0])?;
        Some(self.types.tuple(vec![Ty::USIZE; rank]))
    }

    // Where the levels are not known when an operator is met, its call waits (see `waits_for`).
    fn known_levels(&mut self, array: NodeId) -> Option<Levels> {
        match self.levels(self.ty(array)) {
            Ok(levels) => Some(levels),
            Err(_) => {
                let error = unknown_type(self.src(array));
                self.error(error);
                None
            }
        }
    }

    pub(super) fn pieces(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let array = self.array_and_count(call)?;
        Some(match self.types.head(array) {
            Head::Seq(item) => {
                let piece = self.types.array(item);
                self.types.seq(piece)
            }
            _array => self.types.array(array),
        })
    }

    /// The receiver of an operator whose type depends on how many levels that has; the node of the
    /// call where this is not known yet.
    pub(super) fn receiver(&mut self, site: &mut Site<'a>) -> Result<(NodeId, Levels), NodeId> {
        let receiver = self.arg(site.args[0]);
        site.args[0] = Arg::Node(receiver);
        self.levels(self.ty(receiver))
            .map(|levels| (receiver, levels))
            .map_err(|unknown| self.wait(unknown, site.src, What::Builtin(site.clone())))
    }

    /// `a.broadcast((n, m))`
    pub(in crate::typed) fn broadcast(
        &mut self,
        info: &'static PrimInfo,
        mut site: Site<'a>,
    ) -> NodeId {
        if let Some(error) = super::arity_error(info, &site) {
            return self.error_node(site.src, error);
        }
        let (array, Levels { rank, .. }) = match self.receiver(&mut site) {
            Ok(known) => known,
            Err(waiting) => return waiting,
        };
        let mut lets = Vec::new();
        let Some(extents) = self.extents_of(site.args[1], info, &mut lets) else {
            return self.node(NodeKind::Error, Ty::ERROR, site.src);
        };
        let Some(added) = extents.len().checked_sub(rank) else {
            let title = format!(
                "`broadcast` to {} of an array with {rank}",
                crate::typed::call::count(extents.len(), "dimension")
            );
            let error = Diagnostic::new(site.src, title)
                .note(format!("it is `{}`", info.signature))
                .help("name all extents of the result, outermost first");
            return self.error_node(site.src, error);
        };
        let (outer, inner) = extents.split_at(added);
        let array = self.of_extents(array, inner, site.src);
        let array = self.filled(array, outer, site.src);
        self.after(lets, array)
    }

    // `array`, its extents compared with `extents`.
    fn of_extents(&mut self, array: NodeId, extents: &[NodeId], src: SrcSpan) -> NodeId {
        let Some((extent, inner)) = extents.split_first() else {
            return array;
        };
        let ty = self.ty(array);
        let array = self.operator(Prim::Reshape, vec![array, *extent], ty, src);
        if inner.is_empty() {
            return array;
        }
        self.mapped(array, src, |body, row| body.of_extents(row, inner, src))
    }

    /// `array.map(|x| e)`
    pub(super) fn mapped(
        &mut self,
        array: NodeId,
        src: SrcSpan,
        of_element: impl FnOnce(&mut Self, NodeId) -> NodeId,
    ) -> NodeId {
        let elem = self.inner(array);
        let (function, ty) = self.eta(&[elem], src, |body, args| {
            let element = body.arg(args[0]);
            of_element(body, element)
        });
        let ty = self.types.array(ty);
        let kind = NodeKind::Prim {
            prim: Prim::Map,
            args: vec![array],
            fns: vec![function],
        };
        self.node(kind, ty, src)
    }
}
