//! Operators that make arrays.

use super::{Body, PrimCall};
use crate::prims::Prim;
use crate::source::SrcSpan;
use crate::typed::draft::{FnDraft, NodeId, NodeKind, Pat};
use crate::typed::types::Ty;

impl<'a> Body<'_, 'a> {
    // Over several extents: `generate(n, |i| generate(m, |j| e))`.
    pub(super) fn generate(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let extents = self.extents(call, 0)?;
        let indices = vec![Ty::USIZE; extents.len()];
        let elem = self.prim_function(call, 1, &indices, None)?;
        let (first, inner) = extents.split_first()?;
        call.args.push(*first);
        if inner.is_empty() {
            return Some(self.types.array(elem));
        }
        let (params, body) = self.parts_of(call.fns.pop()?, &indices, elem, call.src);
        let mut params = params.into_iter();
        let outer = params.next()?;
        let body = self.generated(inner, params, body, call.src);
        let ty = self.ty(body);
        call.fns.push(FnDraft::Lambda {
            params: vec![outer],
            body,
            src: call.src,
        });
        Some(self.types.array(ty))
    }

    // The parameters and the body of a function.
    fn parts_of(
        &mut self,
        function: FnDraft<'a>,
        types: &[Ty],
        ret: Ty,
        src: SrcSpan,
    ) -> (Vec<Pat<'a>>, NodeId) {
        match function {
            FnDraft::Lambda { params, body, .. } => (params, body),
            FnDraft::Local(local) => {
                let (function, _) = self.eta(types, src, |body, args| {
                    let args = args.into_iter().map(|arg| body.arg(arg)).collect();
                    body.node(NodeKind::CallLocal { local, args }, ret, src)
                });
                self.parts_of(function, types, ret, src)
            }
        }
    }

    // The array of `body` over `extents`, one parameter each.
    pub(super) fn generated(
        &mut self,
        extents: &[NodeId],
        mut params: std::vec::IntoIter<Pat<'a>>,
        body: NodeId,
        src: SrcSpan,
    ) -> NodeId {
        let (Some((extent, inner)), Some(param)) = (extents.split_first(), params.next()) else {
            return body;
        };
        let body = self.generated(inner, params, body, src);
        let elem = self.ty(body);
        let ty = self.types.array(elem);
        let params = vec![param];
        let kind = NodeKind::Prim {
            prim: Prim::Generate,
            args: vec![*extent],
            fns: vec![FnDraft::Lambda { params, body, src }],
        };
        self.node(kind, ty, src)
    }

    // Over several extents: `fill(fill(v, m), n)`.
    pub(super) fn fill(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let value = self.arg(call.given[0]);
        let extents = self.extents(call, 1)?;
        let (first, inner) = extents.split_first()?;
        let value = self.filled(value, inner, call.src);
        call.args.extend([value, *first]);
        Some(self.types.array(self.ty(value)))
    }

    /// Copies of `value` over `extents`.
    pub(super) fn filled(&mut self, value: NodeId, extents: &[NodeId], src: SrcSpan) -> NodeId {
        extents.iter().rev().fold(value, |value, extent| {
            let ty = self.types.array(self.ty(value));
            self.operator(Prim::Fill, vec![value, *extent], ty, src)
        })
    }
}
