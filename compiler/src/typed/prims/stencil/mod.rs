//! Neighbourhoods: each element from those around it.
//!
//! `a.stencil(wrap, |at| at(-1, 0) + at(1, 0))` is `generate` over the extents of `a`, in whose body
//! `at` with constant offsets is an element of `a` at indices that `edges.rs` keeps inside. So later
//! stages know nothing of stencils: what they make of conditions on indices is the interior without
//! them (index set splitting), and what they make of loops over arrays is tiled in time.

mod edges;

use super::Body;
use crate::ids::LocalId;
use crate::prims::{Prim, PrimInfo, ScalarOp};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::ir::{Expr, ExprKind, LiteralValue, Pattern, PatternKind};
use crate::typed::body::Closure;
use crate::typed::call::{Arg, Site, count};
use crate::typed::draft::{LocalTy, NodeId, NodeKind, Pat, PatKind, StmtDraft};
use crate::typed::literal;
use crate::typed::types::{Head, Ty};
use edges::Boundary;

/// The largest offset: more than any stencil needs, and few enough that sums with indices stay in
/// range.
const MOST: u32 = 1 << 20;

/// A stencil whose body is being typed.
pub(in crate::typed) struct Stencil {
    /// Read at each offset; a local.
    array: NodeId,
    /// How many levels it has.
    levels: usize,
    boundary: Boundary,
    /// The index along each axis, as many as the first use of `at` has offsets.
    indices: Vec<LocalId>,
    /// The extents of these axes.
    extents: Vec<LocalId>,
    /// That use.
    first: SrcSpan,
}

/// Along one axis.
#[derive(Clone, Copy)]
struct Axis {
    index: LocalId,
    extent: LocalId,
    offset: i64,
}

impl<'a> Body<'_, 'a> {
    /// `a.stencil(boundary, |at| e)`
    pub(in crate::typed) fn stencil(
        &mut self,
        info: &'static PrimInfo,
        mut site: Site<'a>,
    ) -> NodeId {
        if let Some(error) = super::arity_error(info, &site) {
            return self.error_node(site.src, error);
        }
        let (array, levels) = match self.receiver(&mut site) {
            Ok((array, levels)) => (array, levels.rank),
            Err(waiting) => return waiting,
        };
        let error = self.node(NodeKind::Error, Ty::ERROR, site.src);
        if levels == 0 {
            self.no_array(info, array);
            return error;
        }
        let mut lets = Vec::new();
        let array = self.once(array, &mut lets);
        let boundary = self.boundary(site.args[1], info, &mut lets);
        let (Some(boundary), Some(closure)) = (boundary, self.looking(site.args[2], info)) else {
            self.failed = true;
            return error;
        };
        let stencil = Stencil {
            array,
            levels,
            boundary,
            indices: Vec::new(),
            extents: Vec::new(),
            first: site.src,
        };
        match self.over_neighbours(stencil, closure, site.src) {
            Some(result) => self.after(lets, result),
            None => error,
        }
    }

    fn no_array(&mut self, info: &PrimInfo, array: NodeId) {
        let ty = self.ty(array);
        if !self.types.is_error(ty) {
            let found = self.types.quote(ty);
            let title = format!("`{}` needs an array, found {found}", info.name);
            let error =
                Diagnostic::new(self.src(array), title).note(format!("it is `{}`", info.signature));
            self.error(error);
        }
    }

    /// What lies beyond the ends.
    fn boundary(
        &mut self,
        arg: Arg<'a>,
        info: &PrimInfo,
        lets: &mut Vec<StmtDraft<'a>>,
    ) -> Option<Boundary> {
        if let Arg::Expr(expr) = arg {
            match &expr.kind {
                ExprKind::Path(None, name) => {
                    if let Some(boundary) = Boundary::by_name(&name.text) {
                        return Some(boundary);
                    }
                }
                ExprKind::Call(call)
                    if call.name.text == "fill" && !call.method && call.args.len() == 1 =>
                {
                    let value = self.infer_value(&call.args[0]);
                    return Some(Boundary::Fill(self.once(value, lets)));
                }
                _other => {}
            }
        }
        let src = match arg {
            Arg::Expr(expr) => expr.src,
            Arg::Node(node) => self.src(node),
        };
        let error = Diagnostic::new(src, "this is no boundary of a stencil")
            .note(format!("it is `{}`", info.signature))
            .help("a boundary is `clamp`, `mirror`, `wrap`, or `fill(v)` with a value for what lies outside");
        self.error(error);
        None
    }

    /// The closure, which takes one name, and that name.
    fn looking(&mut self, arg: Arg<'a>, info: &PrimInfo) -> Option<(&'a Pattern, &'a Expr)> {
        let Arg::Expr(expr) = arg else { return None };
        if let ExprKind::Closure(params, body) = &expr.kind
            && let [param] = params.as_slice()
            && matches!(
                param.kind,
                PatternKind::Bind {
                    mutable: false,
                    inner: None,
                    ..
                }
            )
        {
            return Some((param, body));
        }
        let error = Diagnostic::new(expr.src, "`stencil` takes a closure of one name here")
            .note(format!("it is `{}`", info.signature))
            .help("the name is that of a function from offsets to elements: `|at| at(-1) + at(1)`");
        self.error(error);
        None
    }

    /// The array of the closure's body at each index.
    fn over_neighbours(
        &mut self,
        stencil: Stencil,
        (param, body): (&'a Pattern, &'a Expr),
        src: SrcSpan,
    ) -> Option<NodeId> {
        let number = self.stencils.len();
        self.stencils.push(stencil);
        let closure = Closure {
            params: &[],
            body,
            scope: self.scope,
            src,
        };
        let outer = self.scope;
        if let PatternKind::Bind { name, .. } = &param.kind {
            let local = self.local(name.text.clone(), LocalTy::At(number), false, param.src);
            self.bind(&name.text, local);
        }
        let closure = Closure {
            scope: self.scope,
            ..closure
        };
        let (_, body) = self.apart(closure, &[]);
        self.scope = outer;
        let indices = self.stencils[number].indices.clone();
        if indices.is_empty() {
            if !self.failed {
                let title = "a stencil that looks at no element";
                let help = "call the closure's parameter with offsets: `|at| at(-1) + at(1)`";
                self.error(Diagnostic::new(param.src, title).help(help));
            }
            return None;
        }
        let bound = |local: &LocalId| Pat {
            kind: PatKind::Bind(*local, None),
            ty: Ty::USIZE,
            src,
        };
        let params: Vec<Pat<'a>> = indices.iter().map(bound).collect();
        let extents = self.stencils[number].extents.clone();
        let names = extents.iter().map(bound).collect();
        let measured = self.measured(self.stencils[number].array, names, src);
        let extents: Vec<NodeId> = extents.into_iter().map(|it| self.read(it, src)).collect();
        let result = self.generated(&extents, params.into_iter(), body, src);
        Some(self.after(vec![measured], result))
    }

    /// `let (n, m) = array.shape()`, of as many levels as there are names.
    fn measured(&mut self, array: NodeId, mut names: Vec<Pat<'a>>, src: SrcSpan) -> StmtDraft<'a> {
        if names.len() == 1 {
            let pattern = names.remove(0);
            let value = self.operator(Prim::Len, vec![array], Ty::USIZE, src);
            return StmtDraft::Let { pattern, value };
        }
        let ty = self.types.tuple(vec![Ty::USIZE; names.len()]);
        let value = self.operator(Prim::Shape, vec![array], ty, src);
        let kind = PatKind::Tuple(names);
        let pattern = Pat { kind, ty, src };
        StmtDraft::Let { pattern, value }
    }

    /// `at(i, j)`: the element that far from the index.
    pub(in crate::typed) fn neighbour(&mut self, number: usize, site: &Site<'a>) -> NodeId {
        let offsets: Option<Vec<i64>> = (site.args.iter()).map(|arg| self.offset(*arg)).collect();
        let (Some(offsets), true) = (offsets, self.rank_fits(number, site)) else {
            self.failed = true;
            return self.node(NodeKind::Error, Ty::ERROR, site.src);
        };
        if self.stencils[number].indices.is_empty() {
            let mut local = |_| self.temporary(Ty::USIZE, site.src);
            let indices = offsets.iter().map(&mut local).collect();
            let extents = offsets.iter().map(local).collect();
            let stencil = &mut self.stencils[number];
            (stencil.indices, stencil.extents) = (indices, extents);
            stencil.first = site.src;
        }
        let stencil = &self.stencils[number];
        let (array, boundary) = (stencil.array, stencil.boundary);
        let axes = stencil.indices.iter().zip(&stencil.extents).zip(offsets);
        let axes: Vec<Axis> = axes
            .map(|((index, extent), offset)| Axis {
                index: *index,
                extent: *extent,
                offset,
            })
            .collect();
        self.element_beside(array, &axes, boundary, site.src)
    }

    /// Says that the name of what looks at neighbours is no value.
    pub(in crate::typed) fn passed_on(&mut self, name: &str, src: SrcSpan) {
        let title = format!("`{name}` is only for calls, with constant offsets");
        let help = format!("call it in a closure: `|x| x + {name}(1)`");
        self.error(Diagnostic::new(src, title).help(help));
    }

    /// Whether a call of `at` has as many offsets as the first one and as the array has axes at most.
    fn rank_fits(&mut self, number: usize, site: &Site<'a>) -> bool {
        let stencil = &self.stencils[number];
        let (given, known) = (site.args.len(), stencil.indices.len());
        let error = if known != 0 && given != known {
            let title = format!(
                "`{}` with {}, and with {known} elsewhere",
                site.name,
                count(given, "offset")
            );
            Diagnostic::new(site.src, title)
                .note("one for each axis that the stencil runs along")
                .also(stencil.first, "this is its first use")
        } else if given == 0 {
            let title = format!("`{}` takes an offset along each axis", site.name);
            Diagnostic::new(site.src, title)
                .help(format!("the element itself is `{}(0)`", site.name))
        } else if given > stencil.levels {
            let title = format!(
                "`{}` with {}, and the array has {}",
                site.name,
                count(given, "offset"),
                count(stencil.levels, "dimension")
            );
            Diagnostic::new(site.src, title).also(self.src(stencil.array), "this is the array")
        } else {
            return true;
        };
        self.error(error);
        false
    }

    /// A constant offset.
    fn offset(&mut self, arg: Arg<'a>) -> Option<i64> {
        let node = self.arg(arg);
        let src = self.src(node);
        if matches!(self.types.head(self.ty(node)), Head::Error) {
            return None;
        }
        let Some(offset) = self.written_int(node) else {
            let error = Diagnostic::new(src, "an offset of a stencil is a constant")
                .note("how far a stencil reaches is known when it is compiled")
                .help("write a number, or the name of a `const`");
            self.error(error);
            return None;
        };
        let found = i64::try_from(offset).ok();
        let found = found.filter(|offset| offset.unsigned_abs() <= u64::from(MOST));
        if found.is_none() {
            let title = format!("an offset of a stencil is at most {MOST}");
            self.error(Diagnostic::new(src, title));
        }
        found
    }

    /// An integer that is written as a number, a constant, or either with `-` in front.
    fn written_int(&self, node: NodeId) -> Option<i128> {
        match self.kind(node) {
            NodeKind::Literal { literal, negative } => match literal.value {
                LiteralValue::Int(value) => Some(if *negative { -value } else { value }),
                LiteralValue::Bool(_) | LiteralValue::Float(_) => None,
            },
            NodeKind::Const(value) if value.ty.is_int() => Some(literal::as_int(*value)),
            NodeKind::Scalar {
                op: ScalarOp::Neg,
                args,
                ..
            } => self.written_int(args[0]).map(|value| -value),
            _ => None,
        }
    }
}
