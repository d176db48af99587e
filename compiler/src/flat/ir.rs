//! No parallelism inside parallelism: each parallel operation runs over one index space, and each
//! value has one representation.
//!
//! Nested parallel operations become segmented operations over a [`Space`] of several levels, the
//! consumer working along the innermost. The bodies of segmented operations hold scalars only, so
//! the nest stays recognisable and the emitter chooses how much of the parallelism to use.

use crate::checks::Check;
use crate::ids::{CheckId, Var};
use crate::prims::ScalarOp;
use crate::shaped::ir::{Atom, Extent, Param, VarType};
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
    pub body: Body,
    pub vars: Vec<VarInfo>,
    pub checks: Vec<Check>,
    pub src: SrcSpan,
}

/// What is known of a variable.
#[derive(Clone, Debug)]
pub struct VarInfo {
    pub ty: VarType,
    pub repr: Repr,
    pub src: SrcSpan,
}

/// How a value varies over the parallel context in which it is defined (thesis §4.3): the lattice
/// avoided < regular < irregular. A value that is constant over its context is *replicated* by
/// having the representation of an outer level, never copied out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Repr {
    /// Defined outside of all parallelism, or the same for every element.
    Avoided,
    /// One value per element, all of one shape.
    Regular,
    /// One value per element, shapes differ: needs a segment descriptor.
    Irregular,
}

/// An index space, outermost level first.
#[derive(Clone, Debug)]
pub struct Space {
    pub levels: Vec<Level>,
}

/// One level of an index space: the variable that runs over it and its extent, the same for every
/// index of the levels around it. (A level whose extent varies will carry a segment descriptor.)
#[derive(Clone, Debug)]
pub struct Level {
    pub index: Var,
    pub extent: Extent,
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

/// Operations; as in `shaped`, but for [`Op::Seg`].
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
    Seg(Seg),
}

/// `while cond { params = body }`
#[derive(Clone, Debug)]
pub struct Loop {
    pub params: Vec<Var>,
    pub init: Vec<Atom>,
    pub cond: Body,
    pub body: Body,
}

/// A segmented operation. The body holds no `Seg`.
#[derive(Clone, Debug)]
pub struct Seg {
    pub space: Space,
    pub body: Body,
    pub consumer: Consumer,
}

/// What becomes of the elements along the innermost level.
#[derive(Clone, Debug)]
pub enum Consumer {
    Build,
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
