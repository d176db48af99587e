//! Where the first element is that a predicate holds for.
//!
//! It is the least index with a flag, `usize::MAX` without one having none: so a search is a reduction in
//! parallel, which ends at the first one if the predicate has no checks (`emit/rust/seeks.rs`).

use super::Body;
use crate::prims::{Prim, PrimInfo, Scalar};
use crate::source::SrcSpan;
use crate::typed::call::{Arg, Site};
use crate::typed::draft::{NodeId, NodeKind, StmtDraft};
use crate::typed::literal;
use crate::typed::types::Ty;

impl<'a> Body<'_, 'a> {
    /// `xs.position(|x| e)`, `flags.position()`
    pub(in crate::typed) fn position(&mut self, info: &'static PrimInfo, site: Site<'a>) -> NodeId {
        if let Some(error) = super::arity_error(info, &site) {
            return self.error_node(site.src, error);
        }
        let src = site.src;
        let mut lets = Vec::new();
        let found = self.first_flag(info, site.args[0], site.args.get(1), src, &mut lets);
        let none = self.nowhere(src);
        let kind = NodeKind::Equality {
            equal: false,
            left: found,
            right: none,
        };
        let cond = self.node(kind, Ty::BOOL, src);
        let message = "`position` finds no element".to_owned();
        let assert = self.node(NodeKind::Assert { cond, message }, Ty::UNIT, src);
        lets.push(StmtDraft::Expr(assert));
        self.after(lets, found)
    }

    /// `xs.position_or(i, |x| e)`, `flags.position_or(i)`
    pub(in crate::typed) fn position_or(
        &mut self,
        info: &'static PrimInfo,
        site: Site<'a>,
    ) -> NodeId {
        if let Some(error) = super::arity_error(info, &site) {
            return self.error_node(site.src, error);
        }
        let src = site.src;
        let mut lets = Vec::new();
        let found = self.first_flag(info, site.args[0], site.args.get(2), src, &mut lets);
        let default = self.arg(site.args[1]);
        let why = format_args!("`{}` is `{}`", info.name, info.signature);
        if !self.expect(default, Ty::USIZE, why) {
            return self.node(NodeKind::Error, Ty::ERROR, src);
        }
        let none = self.nowhere(src);
        let kind = NodeKind::Equality {
            equal: true,
            left: found,
            right: none,
        };
        let cond = self.node(kind, Ty::BOOL, src);
        let kind = NodeKind::If {
            cond,
            then: default,
            else_: Some(found),
        };
        let node = self.node(kind, Ty::USIZE, src);
        self.after(lets, node)
    }

    // The least index of a flag, or `usize::MAX`; may be read more than once.
    fn first_flag(
        &mut self,
        info: &'static PrimInfo,
        array: Arg<'a>,
        predicate: Option<&Arg<'a>>,
        src: SrcSpan,
        lets: &mut Vec<StmtDraft<'a>>,
    ) -> NodeId {
        let flags = match predicate {
            None => self.arg(array),
            Some(predicate) => {
                let args = vec![array, *predicate];
                let (name, name_src) = (info.name, src);
                let site = Site {
                    name,
                    name_src,
                    args,
                    src,
                };
                self.prim(Prim::Map, site)
            }
        };
        let want = self.types.array(Ty::BOOL);
        let why = format_args!("`{}` is `{}`", info.name, info.signature);
        if !self.expect(flags, want, why) {
            return self.node(NodeKind::Error, Ty::ERROR, src);
        }
        let flags = self.once(flags, lets);
        let indexed = self.types.tuple(vec![Ty::USIZE, Ty::BOOL]);
        let ty = self.types.array(indexed);
        let indexed = self.operator(Prim::Enumerate, vec![flags], ty, src);
        let indices = self.mapped(indexed, src, |body, pair| body.index_of_flag(pair, src));
        let none = self.nowhere(src);
        let least = self.operator(Prim::MinOr, vec![indices, none], Ty::USIZE, src);
        self.once(least, lets)
    }

    // `if pair.1 { pair.0 } else { usize::MAX }`
    fn index_of_flag(&mut self, pair: NodeId, src: SrcSpan) -> NodeId {
        let index = self.node(NodeKind::Field(pair, 0), Ty::USIZE, src);
        let cond = self.node(NodeKind::Field(pair, 1), Ty::BOOL, src);
        let kind = NodeKind::If {
            cond,
            then: index,
            else_: Some(self.nowhere(src)),
        };
        self.node(kind, Ty::USIZE, src)
    }

    fn nowhere(&mut self, src: SrcSpan) -> NodeId {
        let value = literal::int(i128::from(u64::MAX), Scalar::Usize);
        let value = value.expect("the greatest `usize`");
        self.node(NodeKind::Const(value), Ty::USIZE, src)
    }
}
