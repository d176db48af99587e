//! Operators along an axis: what each lane goes through, as maps over the other axes.
//!
//! Note [Lanes]: `a.sum_axis(k)` is: the axis `k` moved to the end (by exchanging neighbours, so
//! that the others keep their order), all other axes mapped over, `sum` of each lane. So its order
//! of combination is that of a reduction of the lane alone, and later stages know nothing of axes.

use super::Body;
use super::extents::Levels;
use crate::prims::{Prim, PrimGroup, PrimInfo};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::typed::call::{Arg, Site};
use crate::typed::draft::{NodeId, NodeKind, StmtDraft};
use crate::typed::types::{Head, Ty};
use std::ops::Range;

impl<'a> Body<'_, 'a> {
    /// A call of the operator `info`: `prim` on each lane.
    pub(in crate::typed) fn lanes(
        &mut self,
        info: &'static PrimInfo,
        prim: Prim,
        mut site: Site<'a>,
    ) -> NodeId {
        if let Some(error) = super::arity_error(info, &site) {
            return self.error_node(site.src, error);
        }
        let (array, Levels { rank, .. }) = match self.receiver(&mut site) {
            Ok(known) => known,
            Err(waiting) => return waiting,
        };
        let ty = self.ty(array);
        if rank == 0 {
            if self.types.is_error(ty) {
                return self.node(NodeKind::Error, Ty::ERROR, site.src);
            }
            let found = self.types.quote(ty);
            let title = format!("`{}` needs an array, found {found}", info.name);
            let error =
                Diagnostic::new(self.src(array), title).note(format!("it is `{}`", info.signature));
            return self.error_node(site.src, error);
        }
        let Some(axis) = self.axis(site.args[1], ty, rank) else {
            return self.node(NodeKind::Error, Ty::ERROR, site.src);
        };
        let mut lets = Vec::new();
        let array = self.once(array, &mut lets);
        let rest = self.lane_arguments(prim, &site.args[2..], &mut lets);
        let moved = self.exchanged(array, axis..rank - 1, site.src);
        let result = self.over(moved, rank - 1, site.src, &mut |body, lane| {
            let mut args = vec![Arg::Node(lane)];
            args.extend(&rest);
            body.prim(
                prim,
                Site {
                    args,
                    ..site.clone()
                },
            )
        });
        let result = match prim {
            Prim::ScanFrom | Prim::RscanFrom => {
                let pairs = self.once(result, &mut lets);
                self.with_totals(pairs, axis..rank - 1, site.src)
            }
            _ if prim.info().group == PrimGroup::Scan => {
                self.moved_back(result, axis..rank - 1, site.src)
            }
            _ => result,
        };
        self.after(lets, result)
    }

    // What is handed on to each lane: an initial value is computed once.
    fn lane_arguments(
        &mut self,
        prim: Prim,
        args: &[Arg<'a>],
        lets: &mut Vec<StmtDraft<'a>>,
    ) -> Vec<Arg<'a>> {
        let mut args = args.to_vec();
        let has_init = matches!(
            prim,
            Prim::Reduce | Prim::Fold | Prim::Prescan | Prim::Rprescan
        );
        if has_init {
            let init = self.arg(args[0]);
            args[0] = Arg::Node(self.once(init, lets));
        }
        args
    }

    // Pairs of prefixes and a total, as prefixes, their axis moved back, and totals.
    fn with_totals(&mut self, pairs: NodeId, axes: Range<usize>, src: SrcSpan) -> NodeId {
        let (outer, mut fields) = (axes.end, Vec::new());
        for field in 0..2 {
            fields.push(self.over(pairs, outer, src, &mut |body, pair| {
                let ty = match body.types.head(body.ty(pair)) {
                    Head::Tuple(types) => types[field],
                    _ => Ty::ERROR,
                };
                body.node(NodeKind::Field(pair, field), ty, src)
            }));
        }
        fields[0] = self.moved_back(fields[0], axes, src);
        let types = fields.iter().map(|field| self.ty(*field)).collect();
        let ty = self.types.tuple(types);
        self.node(NodeKind::Tuple(fields), ty, src)
    }

    // Exchanges each axis of `axes` with the next one.
    fn exchanged(&mut self, array: NodeId, axes: Range<usize>, src: SrcSpan) -> NodeId {
        axes.fold(array, |array, axis| self.exchange(array, axis, src))
    }

    fn moved_back(&mut self, array: NodeId, axes: Range<usize>, src: SrcSpan) -> NodeId {
        axes.rev()
            .fold(array, |array, axis| self.exchange(array, axis, src))
    }

    fn exchange(&mut self, array: NodeId, axis: usize, src: SrcSpan) -> NodeId {
        let ty = self.ty(array);
        let (i, j) = (self.size_node(axis, src), self.size_node(axis + 1, src));
        self.operator(Prim::Transpose, vec![array, i, j], ty, src)
    }

    // `of_lane` of the arrays that are `levels` levels inside of `array`.
    fn over(
        &mut self,
        array: NodeId,
        levels: usize,
        src: SrcSpan,
        of_lane: &mut dyn FnMut(&mut Self, NodeId) -> NodeId,
    ) -> NodeId {
        if levels == 0 {
            return of_lane(self, array);
        }
        self.mapped(array, src, |body, inner| {
            body.over(inner, levels - 1, src, of_lane)
        })
    }
}
