//! Which parallelism is flattened, and which stays a nest.
//!
//! A parallel operation whose body only makes an array of its own is one operation over an index
//! space of several levels ([`Space`]); it can run in any order and in lanes. A body that holds other
//! parallel operations (a reduction of each row, say) keeps them: such a *nest* is recognisable, runs
//! in parallel over its own space, and the operations inside run in lanes. Each value has one
//! representation.

use crate::checks::Check;
use crate::ids::{CheckId, Var};
use crate::prims::{ScalarOp, Sorted};
use crate::shaped::ir::{Atom, Extent, Param, VarType};
use crate::source::SrcSpan;
use crate::typed::ir::{Const, Export, SigType, StructDef};
use crate::values::Named;
pub use crate::values::Repr;
use proc_macro2::Ident;

/// The exported functions of a block.
#[derive(Debug)]
pub struct Program {
    /// Structs of the block and of what it imports.
    pub structs: Vec<StructDef>,
    /// One per exported function or instance of one.
    pub functions: Vec<Function>,
}

/// One exported function.
#[derive(Debug)]
pub struct Function {
    /// Its name in messages.
    pub name: String,
    /// The name's token.
    pub ident: Ident,
    /// How it is shown.
    pub export: Export,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its result type, with sizes.
    pub ret: SigType,
    /// What it computes.
    pub body: Body,
    /// What is known of each variable, by [`Var`].
    pub vars: Vec<VarInfo>,
    /// Its checks, by [`CheckId`].
    pub checks: Vec<Check>,
    /// What the user's values are, for EXPLAIN.
    pub values: Vec<Named>,
    /// What the user calls the symbols of size expressions, by symbol.
    pub size_names: Vec<Option<String>>,
    /// The signature.
    pub src: SrcSpan,
}

/// What is known of a variable.
#[derive(Clone, Debug)]
pub struct VarInfo {
    /// Its type.
    pub ty: VarType,
    /// How it varies.
    pub repr: Repr,
    /// Whether it is computed for a `#[fast]` function.
    pub fast: bool,
    /// The user's construct that it comes from.
    pub src: SrcSpan,
}

/// An index space, outermost level first.
#[derive(Clone, Debug)]
pub struct Space {
    /// At least one.
    pub levels: Vec<Level>,
}

/// One level of an index space: the variable that runs over it and its extent, the same for every
/// index of the levels around it. (A level whose extent varies will carry a segment descriptor.)
#[derive(Clone, Debug)]
pub struct Level {
    /// The variable that runs over it.
    pub index: Var,
    /// How many indices.
    pub extent: Extent,
}

/// Statements and what they yield.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// In order of evaluation.
    pub stmts: Vec<Stmt>,
    /// What it yields.
    pub results: Vec<Atom>,
}

/// `outs = op`
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it defines.
    pub outs: Vec<Var>,
    /// What it does.
    pub op: Op,
    /// The user's construct.
    pub src: SrcSpan,
}

/// Operations; as in `shaped`, but for [`Op::Seg`].
#[derive(Clone, Debug)]
pub enum Op {
    /// A scalar operation; total.
    Scalar(ScalarOp, Vec<Atom>),
    /// Fails with `id` unless `ok`.
    Check {
        /// The condition that must hold.
        ok: Atom,
        /// Its entry in the table of checks.
        id: CheckId,
        /// Values for the error, as the entry's kind lists them.
        values: Vec<Atom>,
    },
    /// The extent of a parameter along an axis.
    Len {
        /// The parameter, or a component of it.
        array: Var,
        /// Which axis, outermost 0.
        axis: usize,
    },
    /// An element; the indices, one per dimension, are in range, by proof or by a check before.
    Read {
        /// What is read.
        array: Var,
        /// Where.
        index: Vec<Atom>,
    },
    /// An array literal; one statement per component.
    Literal(Vec<Atom>),
    /// The array with one element replaced; the index is in range.
    Update {
        /// The array before.
        array: Var,
        /// Where.
        index: Vec<Atom>,
        /// The new element.
        value: Atom,
    },
    /// One of two bodies.
    If {
        /// A `bool`.
        cond: Atom,
        /// Where it holds.
        then: Body,
        /// Where it does not.
        else_: Body,
    },
    /// A sequential loop.
    Loop(Loop),
    /// A parallel operation.
    Seg(Seg),
}

/// `while cond { params = body }`
#[derive(Clone, Debug)]
pub struct Loop {
    /// The loop's state.
    pub params: Vec<Var>,
    /// The first state.
    pub init: Vec<Atom>,
    /// Yields one `bool`: whether another trip follows.
    pub cond: Body,
    /// Yields the next state.
    pub body: Body,
}

/// A segmented operation. One with several levels builds arrays or scans along one of them, and its
/// body holds no `Seg`.
#[derive(Clone, Debug)]
pub struct Seg {
    /// What it runs over.
    pub space: Space,
    /// Computes the element at an index.
    pub body: Body,
    /// What becomes of the elements.
    pub consumer: Consumer,
    /// Constructs that it stands for besides its statement's own, for EXPLAIN.
    pub parts: Vec<SrcSpan>,
}

/// What becomes of the elements along the innermost level.
#[derive(Clone, Debug)]
pub enum Consumer {
    /// Outs: one array per component; a component that is an array itself is a row.
    Build,
    /// The body yields arrays. Outs: one array per component, in which these lie one after another:
    /// that of index `i` from `offsets[i]` to `offsets[i + 1]`. See Note \[Lengths first\].
    Rows {
        /// One per component, `i64`.
        offsets: Vec<Var>,
    },
    /// Outs: one scalar per component: `combine(init, all)`, `init` for none.
    Reduce {
        /// What it starts from, per component.
        init: Vec<Atom>,
        /// The operator.
        combine: Combine,
    },
    /// Outs: the prefixes per component, then the totals per component if `total`.
    Scan {
        /// What stands in front of the first element, if anything does.
        init: Option<Vec<Atom>>,
        /// The operator.
        combine: Combine,
        /// Each prefix ends before its own element.
        exclusive: bool,
        /// Whether the totals are given too.
        total: bool,
        /// Which of several levels it runs along; with none, there is one.
        along: Option<Along>,
    },
    /// Outs: the last accumulator. `step` takes `acc` and `elem`, yields the next `acc`.
    Fold {
        /// The first accumulator.
        init: Vec<Atom>,
        /// The accumulator, inside `step`.
        acc: Vec<Var>,
        /// The element, inside `step`.
        elem: Vec<Var>,
        /// One step.
        step: Body,
    },
    /// The body yields an index and the components of a value. Outs: `into` with them written, the highest position winning.
    Scatter {
        /// The arrays before, one per component.
        into: Vec<Var>,
        /// The check of the indices.
        id: CheckId,
    },
    /// The body yields one key. Out: all keys in ascending order, or the positions of the elements in
    /// the order of their keys, of equal ones the first first.
    Sort(Sorted),
}

/// How a scan of each column of a space runs. Outs have the space's axes; totals all but this one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Along {
    /// The level.
    pub axis: usize,
    /// From its last index on.
    pub back: bool,
}

impl std::fmt::Display for Along {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let back = if self.back { " back" } else { "" };
        write!(f, "{back} along {}", self.axis)
    }
}

/// An associative operator.
#[derive(Clone, Debug)]
pub struct Combine {
    /// The left operand.
    pub left: Vec<Var>,
    /// The right operand.
    pub right: Vec<Var>,
    /// Yields the result.
    pub body: Body,
    /// Neutral elements if the operator is known to be commutative, else `None`.
    pub neutral: Option<Vec<Const>>,
    /// Whether the totals of a reduction's chunks go on from what it starts from, one by one, instead
    /// of this being combined with their total: so a step of a sequence goes on from the one before.
    pub goes_on: bool,
}
