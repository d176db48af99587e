//! Kernels: groups of operations that become one loop nest, and the arrays between them.
//!
//! Backend-neutral. No array is delayed any more: each array variable is a parameter, or is
//! *manifest* (written by a kernel, a literal or an update). Arrays of several dimensions lie in
//! memory in row-major order and are read at one position. The bodies of kernels read manifest
//! arrays only; they hold scalars, or, in a *nest*, other kernels and arrays of their own.

use crate::checks::Check;
pub use crate::flat::ir::Along;
use crate::ids::{CheckId, Var};
use crate::prims::{ScalarOp, Sorted};
use crate::shaped::ir::{Atom, Extent, Param, VarType};
use crate::source::SrcSpan;
use crate::typed::ir::{Const, Export, SigType, StructDef};
use crate::values::Named;
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
    /// Results: one per scalar leaf of `ret`, and one per *array* of `ret` (an array of products is
    /// one packed array).
    pub body: Body,
    /// What is known of each variable, by [`Var`].
    pub vars: Vec<VarInfo>,
    /// Its checks, by [`CheckId`].
    pub checks: Vec<Check>,
    /// What the user's values are, for EXPLAIN.
    pub values: Vec<Named>,
    /// What the user calls the symbols of size expressions, by symbol.
    pub size_names: Vec<Option<String>>,
    /// Its kernels that run together, strip by strip or row by row.
    pub convoys: Vec<Convoy>,
    /// The arrays in memory besides parameters, in order of their making, for EXPLAIN.
    pub manifests: Vec<Manifest>,
    /// The signature.
    pub src: SrcSpan,
}

impl Function {
    /// The convoy whose first kernel the statement is.
    pub fn convoy(&self, stmt: &Stmt) -> Option<&Convoy> {
        let begins = |it: &&Convoy| it.members.first() == stmt.outs.first();
        self.convoys.iter().find(begins)
    }

    /// Whether only a strip of an array, or a few rows, is in memory at a time.
    pub fn is_strip(&self, array: Var) -> bool {
        self.convoys.iter().any(|it| it.own.contains(&array))
    }
}

/// Kernels over one space, in consecutive statements, that run together: each takes a strip of the space
/// of one level in turn (see `convoys.rs`), or some rows ahead of those behind it (see `cascades.rs`).
#[derive(Clone, Debug)]
pub struct Convoy {
    /// The first out of each, at least two.
    pub members: Vec<Var>,
    /// Those of these that go from the end on: such a kernel reads only at `n - 1 - i` what the kernels before
    /// it make of `i`, and none behind it reads what it makes.
    pub turned: Vec<Var>,
    /// What is not in memory but for a strip, or a few rows, since only they read it.
    pub own: Vec<Var>,
    /// By how many rows each is ahead of the last; nothing if they take turns.
    pub leads: Vec<u64>,
    /// Whether rows go on from the other end beyond both ends; then that is what their bodies read of `own`
    /// there (see `beyond.rs`).
    pub round: bool,
}

/// What is known of a variable.
#[derive(Clone, Debug)]
pub struct VarInfo {
    /// Its type.
    pub ty: Layout,
    /// Whether it is computed for a `#[fast]` function, and no check depends on it.
    pub fast: bool,
    /// The user's construct that it comes from.
    pub src: SrcSpan,
}

impl VarInfo {
    /// Whether it is an array.
    pub fn is_array(&self) -> bool {
        !matches!(self.ty, Layout::Plain(VarType::Scalar(_)))
    }
}

/// Types of variables.
#[derive(Clone, Debug)]
pub enum Layout {
    /// A scalar, or an array of scalars.
    Plain(VarType),
    /// A component of an array parameter of products: the parameter's position, the leaf's
    /// position inside the parameter.
    Component {
        /// The type of the array of this component alone.
        ty: VarType,
        /// The parameter's position.
        param: usize,
        /// The leaf's position inside the parameter.
        leaf: usize,
    },
    /// An array of products as it leaves the function.
    Packed {
        /// The product.
        elem: SigType,
        /// The extents, outermost first.
        dims: Vec<Extent>,
    },
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

/// Operations.
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
    /// An element; the position is in range, by proof or by a check before.
    Read {
        /// What is read.
        array: Var,
        /// Its position in memory, in elements.
        index: Atom,
    },
    /// An array literal; one statement per component.
    Literal(Vec<Atom>),
    /// The array with one element replaced; the index is in range.
    Update {
        /// The array before.
        array: Var,
        /// The position in memory, in elements.
        index: Atom,
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
    /// A fused loop.
    Kernel(Kernel),
}

impl Op {
    /// The bodies in it whose statements may make arrays: not those of operators.
    pub fn bodies_mut(&mut self) -> Vec<&mut Body> {
        match self {
            Op::If { then, else_, .. } => vec![then, else_],
            Op::Loop(it) => vec![&mut it.cond, &mut it.body],
            Op::Kernel(kernel) => vec![&mut kernel.body],
            Op::Scalar(..)
            | Op::Check { .. }
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. } => Vec::new(),
        }
    }
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
    /// If each trip is one kernel that computes the arrays of the state from those before: how far
    /// from its own index an element reads them. See `sweeps.rs`.
    pub reach: Option<Reach>,
}

/// How far from an index something is read, on each side.
#[derive(Clone, Debug)]
pub struct Reach {
    /// Along the outermost axis.
    pub rows: usize,
    /// Along the others, where that is known.
    pub inner: Vec<Option<usize>>,
    /// If the rows go on from the other end: the kernel's body for arrays with rows beyond both ends (see
    /// `beyond.rs`).
    pub beyond: Option<Body>,
}

/// One fused loop over `0..n`.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// How many indices each level has, outermost first; `n` is their product.
    pub extents: Vec<Atom>,
    /// The variable that runs over them, innermost level fastest.
    pub index: Var,
    /// Computes the element at an index.
    pub body: Body,
    /// What becomes of the elements.
    pub sink: Sink,
    /// Constructs that were fused into it, for EXPLAIN.
    pub parts: Vec<SrcSpan>,
    /// Whether its body holds other kernels or arrays of its own.
    pub nest: bool,
}

/// What becomes of a kernel's elements.
#[derive(Clone, Debug)]
pub enum Sink {
    /// Outs: one array per component. The body of a nest may yield arrays: rows of the outs.
    Write,
    /// Outs: one array per component. The body yields arrays, which lie in the outs one after
    /// another: that of index `i` from `offsets[i]` to `offsets[i + 1]`. Always a nest.
    Rows {
        /// One per component, `i64`.
        offsets: Vec<Var>,
    },
    /// Out: one packed array of products (`Layout::Packed`).
    Pack,
    /// Outs: one array per component but the first, which says whether the others are kept, or one packed
    /// array of these (`Layout::Packed`); then how many are kept, `i64`.
    Keep,
    /// Outs: one array per component, then how many elements each of them has, `i64`. The body yields
    /// arrays, of one length for each index, which lie in the outs one after another. Always a nest.
    Join,
    /// Outs: one scalar per component.
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
        /// Along which of several levels; with none, there is one.
        along: Option<Along>,
    },
    /// Outs: the last accumulator.
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
    /// Outs: `into` with the values written, the highest position winning.
    Scatter {
        /// The arrays before, one per component, or one packed array of these (`Layout::Packed`).
        into: Vec<Var>,
        /// The check of the indices.
        id: CheckId,
    },
    /// Outs: the arrays before with the elements behind theirs, one per component. A body of one index may
    /// yield several elements for each, all of one component before those of the next.
    Append {
        /// The arrays before, which nobody uses afterwards.
        into: Vec<Var>,
    },
    /// The body yields a key, and what moves along with it.
    Sort(SortOf),
}

impl Sink {
    /// What it starts from, or is told besides elements.
    pub fn given(&self) -> Vec<Atom> {
        match self {
            Sink::Write | Sink::Pack | Sink::Keep | Sink::Join => Vec::new(),
            Sink::Reduce { init, .. } | Sink::Fold { init, .. } => init.clone(),
            Sink::Scan { init, .. } => init.clone().unwrap_or_default(),
            Sink::Rows { offsets: arrays }
            | Sink::Scatter { into: arrays, .. }
            | Sink::Append { into: arrays } => arrays.iter().copied().map(Atom::Var).collect(),
            Sink::Sort(of) => of.places().to_vec(),
        }
    }
}

/// What a sort gives, in ascending order of keys, of equal ones the first first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SortOf {
    /// Out: the keys, or the positions of the elements.
    Keys(Sorted),
    /// Outs: a key, or the position of the element, for each of these places in the order; any where there are not
    /// so many.
    At(Sorted, Vec<Atom>),
    /// Outs: an array for each of these components of the body, or one packed array of them
    /// (`Layout::Packed`).
    Elements(Vec<usize>),
}

impl SortOf {
    /// What it is called in text.
    pub fn verb(&self) -> &'static str {
        match self {
            SortOf::Keys(sorted) => sorted.verb(),
            SortOf::At(Sorted::Values, _) => "select",
            SortOf::At(Sorted::Positions, _) => "argselect",
            SortOf::Elements(_) => "sort_elements",
        }
    }

    /// The places in the order that are asked for, if it is not all of it.
    pub fn places(&self) -> &[Atom] {
        match self {
            SortOf::At(_, places) => places,
            SortOf::Keys(_) | SortOf::Elements(_) => &[],
        }
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

/// Why an array is in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Part of the result.
    Result,
    /// State of a loop.
    LoopState,
    /// The value of an `if`.
    Branch,
    /// Updated element by element, or scattered into.
    Updated,
    /// More than one reader, and dearer to compute twice than to store.
    SeveralReaders,
    /// Read at more than one index, or at an index that depends on data.
    ReadOutOfOrder,
    /// Read in a loop.
    ReadInLoop,
    /// It reads an array that is changed before all of it has been read.
    Overwritten,
    /// May fail where its reader does not look.
    MayFail,
    /// Made by a scan, a scatter or a sort.
    WholeArray,
    /// Made row by row.
    Rows,
    /// It says where the rows of an array begin.
    Offsets,
}

/// An array that the fused program holds in memory besides parameters.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// The array.
    pub array: Var,
    /// Why it is stored.
    pub reason: Reason,
    /// The construct that makes it.
    pub src: SrcSpan,
}
