//! First-order, in A-normal form, with a size on every array.
//!
//! * Calls are inlined, closures are bodies, mutation is SSA (loops and conditionals have
//!   parameters and results), products are gone: an array of pairs is a pair of arrays of one
//!   extent.
//! * Every array operator is a [`Par`]: an index space, a body that computes one element from its
//!   index, and a consumer of the elements. So each array is described by shape and index function.
//!   Bodies may hold any operation, at any depth: nested parallelism is a `Par` in a `Par`'s body.
//! * Every check is a statement of its own. What is proven has none.

use crate::checks::Check;
use crate::ids::{CheckId, StructId, Var};
use crate::prims::{Scalar, ScalarOp, Sorted};
use crate::shaped::size::Size;
use crate::source::SrcSpan;
use crate::typed::ir::{Const, Export, SigType, SizeSpec, StructDef};
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
    /// Results in the order of the leaves of `ret`.
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

/// A parameter: its border type and one variable per leaf, in order. An array of products has a
/// variable per component.
#[derive(Debug)]
pub struct Param {
    /// Its name in messages.
    pub name: String,
    /// Its type.
    pub ty: SigType,
    /// Its leaves, in order.
    pub vars: Vec<Var>,
    /// The whole parameter.
    pub src: SrcSpan,
}

/// What is known of a variable.
#[derive(Clone, Debug)]
pub struct VarInfo {
    /// Its type.
    pub ty: VarType,
    /// Whether it is computed for a `#[fast]` function.
    pub fast: bool,
    /// The user's construct that it comes from.
    pub src: SrcSpan,
}

/// A scalar, or an array of scalars.
#[derive(Clone, Debug)]
pub enum VarType {
    /// A scalar.
    Scalar(Scalar),
    /// An array of scalars.
    Array(ArrayType),
}

/// Extents outermost first, as values and as size expressions; the last is contiguous. Extents are
/// the same at every index of the dimensions around them.
#[derive(Clone, Debug)]
pub struct ArrayType {
    /// The type of its elements.
    pub elem: Scalar,
    /// Its extents.
    pub dims: Vec<Extent>,
}

/// The extent of one dimension.
#[derive(Clone, Debug)]
pub struct Extent {
    /// The `usize` that holds it at run time.
    pub value: Atom,
    /// What is known of it.
    pub size: Size,
}

/// An operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Atom {
    /// A variable.
    Var(Var),
    /// A constant.
    Const(Const),
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

impl Stmt {
    /// Whether it may fail.
    pub fn checks(&self) -> bool {
        let any = |body: &Body| body.stmts.iter().any(Stmt::checks);
        match &self.op {
            Op::Check { .. } => true,
            Op::Scalar(..)
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. } => false,
            Op::If { then, else_, .. } => any(then) || any(else_),
            Op::Loop(it) => any(&it.cond) || any(&it.body),
            Op::Par(par) => {
                any(&par.body)
                    || match &par.consumer {
                        Consumer::Build | Consumer::Rows { .. } | Consumer::Sort(_) => false,
                        Consumer::Reduce { combine, .. } | Consumer::Scan { combine, .. } => {
                            any(&combine.body)
                        }
                        Consumer::Fold { step, .. } => any(step),
                        Consumer::Scatter { .. } => true,
                    }
            }
        }
    }
}

/// Operations.
#[derive(Clone, Debug)]
pub enum Op {
    /// A scalar operation; total.
    Scalar(ScalarOp, Vec<Atom>),
    /// Fails with `id` unless `ok`. Where `id` is a text to print, `ok` is the constant that holds.
    Check {
        /// The condition that must hold.
        ok: Atom,
        /// Its entry in the table of checks.
        id: CheckId,
        /// Values for the error, as the entry's kind lists them.
        values: Vec<Atom>,
    },
    /// The extent of a parameter along an axis, outermost 0.
    Len {
        /// The parameter, or a component of it.
        array: Var,
        /// Which axis.
        axis: usize,
    },
    /// An element; the indices, one per dimension, are in range, by proof or by a check before.
    Read {
        /// What is read.
        array: Var,
        /// Where.
        index: Vec<Atom>,
    },
    /// An array literal, its elements in order; one statement per component.
    Literal(Vec<Atom>),
    /// The array with one element replaced; the indices are in range.
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
    Par(Par),
}

impl Function {
    /// Whether anything in it prints.
    pub fn prints(&self) -> bool {
        self.checks.iter().any(Check::prints)
    }
}

impl Op {
    /// Whether this prints a text.
    pub fn prints(&self) -> bool {
        matches!(self, Op::Check { ok: Atom::Const(it), .. } if it.bits != 0)
    }
}

impl Body {
    /// Whether anything in it prints.
    pub fn prints(&self) -> bool {
        self.stmts.iter().any(|stmt| match &stmt.op {
            Op::Check { .. } => stmt.op.prints(),
            Op::Scalar(..)
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. } => false,
            Op::If { then, else_, .. } => then.prints() || else_.prints(),
            Op::Loop(it) => it.cond.prints() || it.body.prints(),
            Op::Par(par) => par.prints(),
        })
    }
}

impl Par {
    /// Whether anything in it prints.
    pub fn prints(&self) -> bool {
        let consumes = match &self.consumer {
            Consumer::Build
            | Consumer::Rows { .. }
            | Consumer::Scatter { .. }
            | Consumer::Sort(_) => false,
            Consumer::Reduce { combine, .. } | Consumer::Scan { combine, .. } => {
                combine.body.prints()
            }
            Consumer::Fold { step, .. } => step.prints(),
        };
        consumes || self.body.prints()
    }
}

/// `while cond { params = body }`; the outs are the last parameters.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The loop's state.
    pub params: Vec<Var>,
    /// The first state.
    pub init: Vec<Atom>,
    /// Yields one `bool`.
    pub cond: Body,
    /// Yields the next parameters.
    pub body: Body,
}

/// An index space `0..extent`, the element at each index, and what consumes the elements.
#[derive(Clone, Debug)]
pub struct Par {
    /// How many indices.
    pub extent: Atom,
    /// The variable that runs over them.
    pub index: Var,
    /// Computes the element at an index.
    pub body: Body,
    /// What becomes of the elements.
    pub consumer: Consumer,
}

/// What becomes of the elements of a [`Par`].
#[derive(Clone, Debug)]
pub enum Consumer {
    /// Outs: one array per component; an element that is an array itself makes the inner
    /// dimensions.
    Build,
    /// The body yields arrays. Outs: one array per component, in which these lie one after another:
    /// that of index `i` from `offsets[i]` to `offsets[i + 1]`.
    Rows {
        /// One per component, `i64`: one more than indices, from 0 to the extent of the out.
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
    /// The body yields an index and the components of a value. Outs: `into` with them written, the
    /// highest position in the index space winning. A check `id` guards each index.
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

/// An associative operator on products of scalars.
#[derive(Clone, Debug)]
pub struct Combine {
    /// The left operand.
    pub left: Vec<Var>,
    /// The right operand.
    pub right: Vec<Var>,
    /// Yields the result.
    pub body: Body,
    /// Neutral elements if the operator is known to be commutative, else `None`: this decides the
    /// order of combination (see `docs/language.md`, Meaning).
    pub neutral: Option<Vec<Const>>,
    /// Whether the totals of a reduction's chunks go on from what it starts from, one by one, instead
    /// of this being combined with their total: so a step of a sequence goes on from the one before.
    pub goes_on: bool,
}

/// What a leaf of a signature is, in the order in which parameters and results are flattened.
pub fn leaves(ty: &SigType) -> Vec<Leaf> {
    let mut out = Vec::new();
    collect_leaves(ty, &mut out);
    out
}

/// How many leaves an array has whose elements are `elem`, a product of scalars: where that holds none
/// there is one of `bool`s that nobody reads, so that the array has a length.
pub fn components(elem: &SigType) -> usize {
    leaves(elem).len().max(1)
}

/// A leaf of a signature type: a scalar, one component of an array, or the offsets of arrays of
/// lengths of their own, which stand in front of what they divide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Its type, or that of its elements.
    pub scalar: Scalar,
    /// How many dimensions it has; none for a scalar.
    pub rank: usize,
}

fn collect_leaves(ty: &SigType, out: &mut Vec<Leaf>) {
    match ty {
        SigType::Array { elem, .. } => array_leaves(elem, 1, out),
        SigType::Scalar(_) | SigType::Tuple(_) | SigType::Struct(..) | SigType::Vector(..) => {
            element_leaves(ty, 0, out);
        }
    }
}

/// The leaves of what stands in an array with `rank` dimensions; in none if that is 0.
fn element_leaves(ty: &SigType, rank: usize, out: &mut Vec<Leaf>) {
    match ty {
        SigType::Scalar(scalar) => out.push(Leaf {
            scalar: *scalar,
            rank,
        }),
        SigType::Tuple(fields) | SigType::Struct(_, fields) | SigType::Vector(_, fields) => {
            let fields = fields.iter();
            fields.for_each(|field| element_leaves(field, rank, out));
        }
        SigType::Array { elem, size, .. } if rank > 0 && *size == SizeSpec::Own => {
            out.push(Leaf {
                scalar: Scalar::I64,
                rank: 1,
            });
            array_leaves(elem, 1, out);
        }
        SigType::Array { elem, .. } => array_leaves(elem, rank + 1, out),
    }
}

/// The leaves of an array with so many dimensions; see [`components`].
fn array_leaves(elem: &SigType, rank: usize, out: &mut Vec<Leaf>) {
    let before = out.len();
    element_leaves(elem, rank, out);
    if out.len() == before {
        let scalar = Scalar::Bool;
        out.push(Leaf { scalar, rank });
    }
}

/// How many offsets stand in front of the components of an array of `elem`, as it goes over the
/// border: one for each array inside that has no size.
pub fn ragged_levels(elem: &SigType) -> usize {
    match elem {
        SigType::Array { elem, size, .. } => {
            usize::from(*size == SizeSpec::Own) + ragged_levels(elem)
        }
        SigType::Scalar(_) | SigType::Tuple(_) | SigType::Struct(..) | SigType::Vector(..) => 0,
    }
}

/// What an array of any rank holds.
pub fn innermost(elem: &SigType) -> &SigType {
    match elem {
        SigType::Array { elem, .. } => innermost(elem),
        SigType::Scalar(_) | SigType::Tuple(_) | SigType::Struct(..) | SigType::Vector(..) => elem,
    }
}

/// The struct of a struct type, for readers of signatures.
pub fn struct_def(structs: &[StructDef], id: StructId) -> &StructDef {
    &structs[id.index()]
}
