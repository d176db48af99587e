//! Kernels: groups of operations that become one loop nest, and the arrays between them.
//!
//! Backend-neutral. No array is delayed any more: each array variable is a parameter, or is
//! *manifest* (written by a kernel, a literal or an update). The bodies of kernels hold scalars
//! only, and read manifest arrays only.

use crate::checks::Check;
use crate::ids::{CheckId, Var};
use crate::prims::ScalarOp;
use crate::shaped::ir::{Atom, Param, VarType};
use crate::source::SrcSpan;
use crate::typed::ir::{Const, Export, SigType, StructDef};
use proc_macro2::Ident;

/// The exported functions of a block.
#[derive(Debug)]
pub struct Program {
    pub structs: Vec<StructDef>,
    pub functions: Vec<Function>,
}

/// One exported function.
#[derive(Debug)]
pub struct Function {
    pub name: String,
    pub ident: Ident,
    pub export: Export,
    pub params: Vec<Param>,
    pub ret: SigType,
    /// Results: one per scalar leaf of `ret`, and one per *array* of `ret` (an array of products is
    /// one packed array).
    pub body: Body,
    pub vars: Vec<VarInfo>,
    pub checks: Vec<Check>,
    /// The arrays in memory besides parameters, in order of their making, for EXPLAIN.
    pub manifests: Vec<Manifest>,
    pub src: SrcSpan,
}

/// What is known of a variable.
#[derive(Clone, Debug)]
pub struct VarInfo {
    pub ty: Layout,
    pub src: SrcSpan,
}

/// Types of variables.
#[derive(Clone, Debug)]
pub enum Layout {
    /// A scalar, or an array of scalars.
    Plain(VarType),
    /// A component of an array parameter of products: the parameter's position, the leaf's
    /// position inside the parameter.
    Component {
        ty: VarType,
        param: usize,
        leaf: usize,
    },
    /// An array of products as it leaves the function.
    Packed(SigType),
}

/// Statements and what they yield.
#[derive(Clone, Debug, Default)]
pub struct Body {
    pub stmts: Vec<Stmt>,
    pub results: Vec<Atom>,
}

/// `outs = op`
#[derive(Clone, Debug)]
pub struct Stmt {
    pub outs: Vec<Var>,
    pub op: Op,
    pub src: SrcSpan,
}

/// Operations. Bodies of kernels hold `Scalar`, `Check`, `Read`, `If` and `Loop` only.
#[derive(Clone, Debug)]
pub enum Op {
    Scalar(ScalarOp, Vec<Atom>),
    Check {
        ok: Atom,
        id: CheckId,
        values: Vec<Atom>,
    },
    Len(Var),
    Read {
        array: Var,
        index: Atom,
    },
    Literal(Vec<Atom>),
    Update {
        array: Var,
        index: Atom,
        value: Atom,
    },
    If {
        cond: Atom,
        then: Body,
        else_: Body,
    },
    Loop(Loop),
    Kernel(Kernel),
}

/// `while cond { params = body }`
#[derive(Clone, Debug)]
pub struct Loop {
    pub params: Vec<Var>,
    pub init: Vec<Atom>,
    pub cond: Body,
    pub body: Body,
}

/// One fused loop over `0..extent`.
#[derive(Clone, Debug)]
pub struct Kernel {
    pub extent: Atom,
    pub index: Var,
    pub body: Body,
    pub sink: Sink,
    /// Constructs that were fused into it, for EXPLAIN.
    pub parts: Vec<SrcSpan>,
}

/// What becomes of a kernel's elements.
#[derive(Clone, Debug)]
pub enum Sink {
    /// Outs: one array per component.
    Write,
    /// Out: one packed array of products (`Layout::Packed`).
    Pack,
    Reduce {
        init: Vec<Atom>,
        combine: Combine,
    },
    Scan {
        init: Option<Vec<Atom>>,
        combine: Combine,
        exclusive: bool,
        total: bool,
    },
    Fold {
        init: Vec<Atom>,
        acc: Vec<Var>,
        elem: Vec<Var>,
        step: Body,
    },
    Scatter {
        into: Vec<Var>,
        id: CheckId,
    },
}

/// An associative operator.
#[derive(Clone, Debug)]
pub struct Combine {
    pub left: Vec<Var>,
    pub right: Vec<Var>,
    pub body: Body,
    pub neutral: Option<Vec<Const>>,
}

/// Why an array is in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Part of the result.
    Result,
    /// State of a loop, or the value of an `if`.
    ControlFlow,
    /// Updated element by element, or scattered into.
    Updated,
    /// More than one reader, and dearer to compute twice than to store.
    SeveralReaders,
    /// Read at more than one index, or at an index that depends on data.
    ReadOutOfOrder,
    /// Read in a loop.
    ReadInLoop,
    /// May fail where its reader does not look.
    MayFail,
    /// Made by a scan or a scatter.
    WholeArray,
}

/// An array that the fused program holds in memory besides parameters.
#[derive(Clone, Debug)]
pub struct Manifest {
    pub array: Var,
    pub reason: Reason,
    pub src: SrcSpan,
}
