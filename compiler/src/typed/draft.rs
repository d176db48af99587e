//! A function body while its types are being found: the shape of [`super::ir`] with [`Ty`]s.
//!
//! Nodes live in one table, so that a decision that has to wait for a type can be filled in later
//! (Note \[Waiting\] in `wait.rs`).

use super::types::Ty;
use crate::ids::LocalId;
use crate::prims::{ComplexOp, Prim, ScalarOp};
use crate::source::SrcSpan;
use crate::syntax::ir as ast;
use crate::typed::ir::{Const, LoopId};

/// A node of the body being typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NodeId(pub(super) u32);

/// An expression.
#[derive(Debug)]
pub(super) struct Node<'a> {
    pub(super) kind: NodeKind<'a>,
    pub(super) ty: Ty,
    pub(super) src: SrcSpan,
}

/// Kinds of expressions; see [`crate::typed::ir::ExprKind`].
#[derive(Debug)]
pub(super) enum NodeKind<'a> {
    /// Has been reported.
    Error,
    /// Waits for the type of another expression.
    Waiting,
    /// The same as another node.
    Alias(NodeId),
    Literal {
        literal: &'a ast::Literal,
        negative: bool,
    },
    Const(Const),
    Local(LocalId),
    Scalar {
        op: ScalarOp,
        args: Vec<NodeId>,
        /// Written as `+`, `-` …, so checked on `usize`.
        operator: bool,
    },
    Complex {
        op: ComplexOp,
        args: Vec<NodeId>,
    },
    /// `as`, and the amount of a shift.
    Cast(NodeId),
    /// `==` or `!=`, of tuples too.
    Equality {
        equal: bool,
        left: NodeId,
        right: NodeId,
    },
    And(NodeId, NodeId),
    Or(NodeId, NodeId),
    Tuple(Vec<NodeId>),
    Field(NodeId, usize),
    Array(Vec<NodeId>),
    Range {
        lo: NodeId,
        hi: NodeId,
        inclusive: bool,
    },
    Index(NodeId, NodeId),
    Slice {
        array: NodeId,
        lo: Option<NodeId>,
        hi: Option<NodeId>,
        inclusive: bool,
    },
    Prim {
        prim: Prim,
        args: Vec<NodeId>,
        fns: Vec<FnDraft<'a>>,
    },
    Call {
        decl: usize,
        generics: Vec<Ty>,
        args: Vec<NodeId>,
        fns: Vec<FnDraft<'a>>,
    },
    CallLocal {
        local: LocalId,
        args: Vec<NodeId>,
    },
    If {
        cond: NodeId,
        then: NodeId,
        else_: Option<NodeId>,
    },
    Match {
        scrutinee: NodeId,
        arms: Vec<ArmDraft<'a>>,
    },
    Block {
        stmts: Vec<StmtDraft<'a>>,
        value: Option<NodeId>,
    },
    While {
        cond: NodeId,
        body: NodeId,
        label: LoopId,
    },
    Loop {
        body: NodeId,
        label: LoopId,
        ends: bool,
    },
    Labelled {
        body: NodeId,
        label: LoopId,
    },
    ForStmt {
        pattern: Pat<'a>,
        source: NodeId,
        body: NodeId,
        label: LoopId,
    },
    Break {
        label: LoopId,
        value: Option<NodeId>,
    },
    Continue {
        label: LoopId,
    },
    Assign {
        local: LocalId,
        path: Vec<StepDraft>,
        place: SrcSpan,
        value: NodeId,
    },
    Assert {
        cond: NodeId,
        message: String,
    },
    Sized {
        size: NodeId,
        len: NodeId,
        written: String,
        name: String,
        bound: SrcSpan,
    },
    Dbg(NodeId),
    /// An array as the sequence of its elements.
    Streamed(NodeId),
}

/// What is passed for a function.
#[derive(Debug)]
pub(super) enum FnDraft<'a> {
    Lambda {
        params: Vec<Pat<'a>>,
        body: NodeId,
        src: SrcSpan,
    },
    Local(LocalId),
}

/// An arm of a `match`.
#[derive(Debug)]
pub(super) struct ArmDraft<'a> {
    pub(super) pattern: Pat<'a>,
    pub(super) guard: Option<NodeId>,
    pub(super) body: NodeId,
}

/// A statement.
#[derive(Debug)]
pub(super) enum StmtDraft<'a> {
    Let { pattern: Pat<'a>, value: NodeId },
    Expr(NodeId),
}

/// A step into a value that is assigned to.
#[derive(Clone, Copy, Debug)]
pub(super) enum StepDraft {
    Field(usize),
    Index(NodeId),
    Slice {
        lo: Option<NodeId>,
        hi: Option<NodeId>,
        inclusive: bool,
    },
}

/// A pattern.
#[derive(Debug)]
pub(super) struct Pat<'a> {
    pub(super) kind: PatKind<'a>,
    pub(super) ty: Ty,
    pub(super) src: SrcSpan,
}

/// Kinds of patterns.
#[derive(Debug)]
pub(super) enum PatKind<'a> {
    Wild,
    Bind(LocalId, Option<Box<Pat<'a>>>),
    Tuple(Vec<Pat<'a>>),
    Literal(&'a ast::Literal),
    Const(Const),
    Range {
        lo: Option<PatBound<'a>>,
        hi: Option<PatBound<'a>>,
        inclusive: bool,
    },
    Or(Vec<Pat<'a>>),
}

/// A bound of a range pattern.
#[derive(Clone, Copy, Debug)]
pub(super) enum PatBound<'a> {
    Literal(&'a ast::Literal),
    Const(Const),
}

/// A local of the body.
#[derive(Clone, Debug)]
pub(super) struct LocalDraft {
    pub(super) name: String,
    pub(super) ty: LocalTy,
    pub(super) mutable: bool,
    /// Elements or slices of it are assigned.
    pub(super) in_parts: bool,
    /// It is the compiler's own.
    pub(super) temporary: bool,
    pub(super) src: SrcSpan,
}

/// What a local holds.
#[derive(Clone, Debug)]
pub(super) enum LocalTy {
    Value(Ty),
    Fn {
        args: Vec<Ty>,
        ret: Ty,
    },
    /// A closure that `let` has bound, by its number: it is typed where it is used.
    Closure(usize),
    /// What looks at the neighbours in a stencil, by the stencil's number.
    At(usize),
}
