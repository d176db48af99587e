//! Where a stencil looks that reaches over the ends of an array.
//!
//! In: the index along each axis, the extent there, an offset. Out: the element. The indices are
//! written such that the compiler proves them in range, that they are the sum of index and offset in
//! the middle of rows (`emit/rust/middle.rs`), and that it sees how far they are from the index
//! (`fused/near.rs`).

use super::{Axis, Body};
use crate::prims::{Method, ScalarOp};
use crate::source::SrcSpan;
use crate::typed::draft::{NodeId, NodeKind};
use crate::typed::types::Ty;

/// What lies beyond the ends of an array.
#[derive(Clone, Copy)]
pub(super) enum Boundary {
    /// The element at the end, again and again.
    Clamp,
    /// The array back to front, and so on; the element at the end is not repeated.
    Mirror,
    /// The array again.
    Wrap,
    /// This value.
    Fill(NodeId),
}

impl Boundary {
    /// Those that are written as a name.
    pub(super) fn by_name(name: &str) -> Option<Boundary> {
        Some(match name {
            "clamp" => Boundary::Clamp,
            "mirror" => Boundary::Mirror,
            "wrap" => Boundary::Wrap,
            _ => return None,
        })
    }
}

/// Builds arithmetic of `usize` for one use of `at`.
struct Sizes<'b, 's, 'a> {
    body: &'b mut Body<'s, 'a>,
    src: SrcSpan,
}

impl Body<'_, '_> {
    /// The element of `array` at all these offsets.
    pub(super) fn element_beside(
        &mut self,
        array: NodeId,
        axes: &[Axis],
        boundary: Boundary,
        src: SrcSpan,
    ) -> NodeId {
        let mut sizes = Sizes { body: self, src };
        let indices: Vec<NodeId> = axes.iter().map(|axis| sizes.at(*axis, boundary)).collect();
        let conditions: Vec<NodeId> = match boundary {
            Boundary::Fill(_) => axes.iter().filter_map(|axis| sizes.inside(*axis)).collect(),
            Boundary::Clamp | Boundary::Mirror | Boundary::Wrap => Vec::new(),
        };
        let element = indices.into_iter().fold(array, |array, index| {
            let elem = self.elem_of(array);
            self.node(NodeKind::Index(array, index), elem, src)
        });
        let Boundary::Fill(value) = boundary else {
            return element;
        };
        let ty = self.ty(element);
        let why = format_args!("`fill` is what the elements outside of the array are");
        if !self.expect(value, ty, why) {
            return self.node(NodeKind::Error, Ty::ERROR, src);
        }
        let both = |a, b| self.node(NodeKind::And(a, b), Ty::BOOL, src);
        match conditions.into_iter().reduce(both) {
            None => element,
            Some(cond) => {
                let kind = NodeKind::If {
                    cond,
                    then: element,
                    else_: Some(value),
                };
                self.node(kind, ty, src)
            }
        }
    }
}

impl Sizes<'_, '_, '_> {
    /// The index along an axis.
    fn at(&mut self, axis: Axis, boundary: Boundary) -> NodeId {
        let by = self.number(axis.offset.unsigned_abs());
        let before = axis.offset < 0;
        if axis.offset == 0 {
            return self.own(axis);
        }
        match (boundary, before) {
            (Boundary::Clamp, true) => self.not_below_zero(axis, by),
            (Boundary::Clamp, false) => {
                let sum = self.sum(axis, by);
                self.at_most_last(sum, axis)
            }
            (Boundary::Wrap, true) => {
                // `(index + (extent - by % extent)) % extent`
                let extent = self.extent(axis);
                let rest = self.operator(ScalarOp::Rem, by, extent);
                let shift = self.operator(ScalarOp::Sub, extent, rest);
                let sum = self.sum(axis, shift);
                self.operator(ScalarOp::Rem, sum, extent)
            }
            (Boundary::Wrap, false) => {
                let (sum, extent) = (self.sum(axis, by), self.extent(axis));
                self.operator(ScalarOp::Rem, sum, extent)
            }
            (Boundary::Mirror, _) => self.mirrored(axis, by, before),
            (Boundary::Fill(_), true) => {
                let own = self.own(axis);
                self.operator(ScalarOp::Sub, own, by)
            }
            (Boundary::Fill(_), false) => self.sum(axis, by),
        }
    }

    /// Whether there is an element at the offset; `None` if there always is.
    fn inside(&mut self, axis: Axis) -> Option<NodeId> {
        let by = self.number(axis.offset.unsigned_abs());
        Some(match axis.offset {
            0 => return None,
            ..0 => self.is_behind(axis, by),
            1.. => self.is_before(axis, by),
        })
    }

    /// `if inside { index ± by } else { folded back }`
    ///
    /// What is folded back lies no farther from the index than `by`; saying so costs nothing, since
    /// rows have few such elements, and lets loops over mirrored arrays be tiled in time.
    fn mirrored(&mut self, axis: Axis, by: NodeId, before: bool) -> NodeId {
        let (inside, near, distance) = if before {
            let near = self.not_below_zero(axis, by);
            let own = self.own(axis);
            let distance = self.operator(ScalarOp::Sub, by, own);
            (self.is_behind(axis, by), near, distance)
        } else {
            (
                self.is_before(axis, by),
                self.sum(axis, by),
                self.sum(axis, by),
            )
        };
        let folded = self.folded(distance, axis);
        let farthest = self.sum(axis, by);
        let folded = self.node(ScalarOp::Min, vec![folded, farthest], Ty::USIZE);
        let least = self.not_below_zero(axis, by);
        let folded = self.node(ScalarOp::Max, vec![folded, least], Ty::USIZE);
        let kind = NodeKind::If {
            cond: inside,
            then: near,
            else_: Some(folded),
        };
        let index = self.body.node(kind, Ty::USIZE, self.src);
        self.at_most_last(index, axis)
    }

    /// A distance from the first element on an array that goes back and forth:
    /// `{ let t = distance % period; min(t, period - t) }`, the period being `2 * (extent - 1)`.
    fn folded(&mut self, distance: NodeId, axis: Axis) -> NodeId {
        let mut lets = Vec::new();
        let (one, two) = (self.number(1), self.number(2));
        let extent = self.extent(axis);
        let last = self.operator(ScalarOp::Sub, extent, one);
        let period = self.operator(ScalarOp::Mul, two, last);
        let period = self.node(ScalarOp::Max, vec![period, one], Ty::USIZE);
        let period = self.body.once(period, &mut lets);
        let t = self.operator(ScalarOp::Rem, distance, period);
        let t = self.body.once(t, &mut lets);
        let back = self.operator(ScalarOp::Sub, period, t);
        let least = self.node(ScalarOp::Min, vec![t, back], Ty::USIZE);
        self.body.after(lets, least)
    }

    fn own(&mut self, axis: Axis) -> NodeId {
        self.body.read(axis.index, self.src)
    }

    fn extent(&mut self, axis: Axis) -> NodeId {
        self.body.read(axis.extent, self.src)
    }

    fn sum(&mut self, axis: Axis, by: NodeId) -> NodeId {
        let own = self.own(axis);
        self.operator(ScalarOp::Add, own, by)
    }

    fn is_behind(&mut self, axis: Axis, by: NodeId) -> NodeId {
        let own = self.own(axis);
        self.node(ScalarOp::Ge, vec![own, by], Ty::BOOL)
    }

    fn is_before(&mut self, axis: Axis, by: NodeId) -> NodeId {
        let (sum, extent) = (self.sum(axis, by), self.extent(axis));
        self.node(ScalarOp::Lt, vec![sum, extent], Ty::BOOL)
    }

    fn not_below_zero(&mut self, axis: Axis, by: NodeId) -> NodeId {
        let own = self.own(axis);
        let op = ScalarOp::Method(Method::SaturatingSub);
        self.node(op, vec![own, by], Ty::USIZE)
    }

    fn at_most_last(&mut self, index: NodeId, axis: Axis) -> NodeId {
        let one = self.number(1);
        let extent = self.extent(axis);
        let last = self.operator(ScalarOp::Sub, extent, one);
        self.node(ScalarOp::Min, vec![index, last], Ty::USIZE)
    }

    fn number(&mut self, n: u64) -> NodeId {
        self.body.size_node(n as usize, self.src)
    }

    /// An operation of a written operator: checked, unless it is proven to stay in range.
    fn operator(&mut self, op: ScalarOp, a: NodeId, b: NodeId) -> NodeId {
        let kind = NodeKind::Scalar {
            op,
            args: vec![a, b],
            operator: true,
        };
        self.body.node(kind, Ty::USIZE, self.src)
    }

    fn node(&mut self, op: ScalarOp, args: Vec<NodeId>, ty: Ty) -> NodeId {
        let kind = NodeKind::Scalar {
            op,
            args,
            operator: false,
        };
        self.body.node(kind, ty, self.src)
    }
}
