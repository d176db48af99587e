//! Extents, axes and levels: what operators on arrays of several dimensions take.

use super::{Body, PrimCall};
use crate::prims::{Prim, PrimInfo, Scalar};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::ir::{ExprKind, LiteralValue};
use crate::typed::call::Arg;
use crate::typed::draft::{NodeId, NodeKind, Pat, PatKind, StmtDraft};
use crate::typed::literal;
use crate::typed::types::{Head, Kind, Ty};

/// The levels of an array type.
pub(super) struct Levels {
    /// How many arrays are around an element.
    pub(super) rank: usize,
    /// What is inside.
    pub(super) elem: Ty,
}

impl<'a> Body<'_, 'a> {
    /// The levels of `ty`; `Err` with the part that is not known yet.
    pub(super) fn levels(&self, ty: Ty) -> Result<Levels, Ty> {
        let (mut rank, mut elem) = (0, ty);
        loop {
            match self.types.head(elem) {
                Head::Array(inner) => (rank, elem) = (rank + 1, inner),
                Head::Var(Kind::Any) => return Err(elem),
                Head::Var(_)
                | Head::Scalar(_)
                | Head::Tuple(_)
                | Head::Struct(_)
                | Head::Complex(_)
                | Head::Seq(_)
                | Head::Error => {
                    return Ok(Levels { rank, elem });
                }
            }
        }
    }

    /// Argument `i` is `n` or `(n, m, …)`; each extent may be read more than once.
    pub(super) fn extents(&mut self, call: &mut PrimCall<'a>, i: usize) -> Option<Vec<NodeId>> {
        let info = call.info;
        self.extents_of(call.given[i], info, &mut call.lets)
    }

    /// The same for the argument `arg` of the operator `info`.
    pub(super) fn extents_of(
        &mut self,
        arg: Arg<'a>,
        info: &PrimInfo,
        lets: &mut Vec<StmtDraft<'a>>,
    ) -> Option<Vec<NodeId>> {
        let written = match arg {
            Arg::Expr(expr) => match &expr.kind {
                ExprKind::Tuple(fields) if !fields.is_empty() => Some(fields),
                ExprKind::Array(_) => {
                    let error = Diagnostic::new(expr.src, "a shape is a tuple, or one number")
                        .note(format!("`{}` is `{}`", info.name, info.signature))
                        .help("write it in parentheses: `(n, m)`");
                    self.error(error);
                    return None;
                }
                _ => None,
            },
            Arg::Node(_) => None,
        };
        let nodes = match written {
            Some(fields) => fields.iter().map(|field| self.infer_value(field)).collect(),
            None => {
                let node = self.arg(arg);
                self.fields_of(node, lets)
            }
        };
        let why = format_args!("`{}` is `{}`", info.name, info.signature);
        for node in &nodes {
            if !self.expect(*node, Ty::USIZE, why) {
                return None;
            }
        }
        Some(nodes.into_iter().map(|n| self.once(n, lets)).collect())
    }

    // The fields of a tuple, bound to temporaries; any other value by itself.
    fn fields_of(&mut self, node: NodeId, lets: &mut Vec<StmtDraft<'a>>) -> Vec<NodeId> {
        let (ty, src) = (self.ty(node), self.src(node));
        let Head::Tuple(fields) = self.types.head(ty) else {
            return vec![node];
        };
        let mut parts = Vec::new();
        let patterns = fields.iter().map(|field| {
            let local = self.temporary(*field, src);
            parts.push(local);
            let kind = PatKind::Bind(local, None);
            Pat {
                kind,
                ty: *field,
                src,
            }
        });
        let kind = PatKind::Tuple(patterns.collect());
        let pattern = Pat { kind, ty, src };
        lets.push(StmtDraft::Let {
            pattern,
            value: node,
        });
        parts
            .into_iter()
            .map(|local| self.read(local, src))
            .collect()
    }

    /// What reads the value of `node`, which is computed once, before; leaves stay as they are.
    pub(super) fn once(&mut self, node: NodeId, lets: &mut Vec<StmtDraft<'a>>) -> NodeId {
        if matches!(
            self.kind(node),
            NodeKind::Local(_) | NodeKind::Literal { .. } | NodeKind::Const(_)
        ) {
            return node;
        }
        let (ty, src) = (self.ty(node), self.src(node));
        let local = self.temporary(ty, src);
        let kind = PatKind::Bind(local, None);
        let pattern = Pat { kind, ty, src };
        lets.push(StmtDraft::Let {
            pattern,
            value: node,
        });
        self.read(local, src)
    }

    /// `node` after `lets`.
    pub(in crate::typed) fn after(&mut self, lets: Vec<StmtDraft<'a>>, node: NodeId) -> NodeId {
        if lets.is_empty() {
            return node;
        }
        let (ty, src) = (self.ty(node), self.src(node));
        let (stmts, value) = (lets, Some(node));
        self.node(NodeKind::Block { stmts, value }, ty, src)
    }

    /// A use of an operator without functions.
    pub(in crate::typed) fn operator(
        &mut self,
        prim: Prim,
        args: Vec<NodeId>,
        ty: Ty,
        src: SrcSpan,
    ) -> NodeId {
        let fns = Vec::new();
        self.node(NodeKind::Prim { prim, args, fns }, ty, src)
    }

    /// `n` as a constant `usize`.
    pub(super) fn size_node(&mut self, n: usize, src: SrcSpan) -> NodeId {
        let value = literal::int(n as i128, Scalar::Usize);
        let value = value.expect("an axis is a `usize`");
        self.node(NodeKind::Const(value), Ty::USIZE, src)
    }

    /// A constant axis of an array of type `array` and of `rank` axes.
    pub(super) fn axis(&mut self, arg: Arg<'a>, array: Ty, rank: usize) -> Option<usize> {
        if let Arg::Expr(expr) = arg
            && matches!(expr.kind, ExprKind::Closure(..))
        {
            let error = Diagnostic::new(expr.src, "the axis comes before the function")
                .help("write `(0, |x, y| …)`");
            self.error(error);
            return None;
        }
        let node = self.arg(arg);
        let src = self.src(node);
        let axis = match self.kind(node) {
            NodeKind::Literal { literal, negative } => match literal.value {
                LiteralValue::Int(value) => Some(if *negative { -value } else { value }),
                LiteralValue::Bool(_) | LiteralValue::Float(_) => None,
            },
            NodeKind::Const(value) if value.ty == Scalar::Usize => Some(i128::from(value.bits)),
            _ => None,
        };
        let Some(axis) = axis else {
            let error = Diagnostic::new(src, "an axis is a constant")
                .note("the type of the result depends on it")
                .help("write a number, or the name of a `const`");
            self.error(error);
            return None;
        };
        let found = usize::try_from(axis).ok().filter(|axis| *axis < rank);
        if found.is_none() {
            let error = self.no_axis(src, axis, array, rank);
            self.error(error);
        }
        found
    }

    fn no_axis(&self, src: SrcSpan, axis: i128, array: Ty, rank: usize) -> Diagnostic {
        let ty = self.types.quote(array);
        let axes = match rank {
            1 => format!("{ty} has one axis, 0"),
            _ => format!("{ty} has {rank} axes, 0 to {}", rank - 1),
        };
        let error = Diagnostic::new(src, format!("there is no axis {axis}")).note(axes);
        if axis < 0 {
            error.help(format!("the innermost axis is {}", rank - 1))
        } else {
            error
        }
    }
}
