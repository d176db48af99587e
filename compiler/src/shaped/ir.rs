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
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::size::Size;
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
    /// Results in the order of the leaves of `ret`.
    pub body: Body,
    pub vars: Vec<VarInfo>,
    pub checks: Vec<Check>,
    /// What the user calls the symbols of size expressions, by symbol.
    pub size_names: Vec<Option<String>>,
    pub src: SrcSpan,
}

/// A parameter: its border type and one variable per leaf, in order. An array of products has a
/// variable per component.
#[derive(Debug)]
pub struct Param {
    pub name: String,
    pub ty: SigType,
    pub vars: Vec<Var>,
    pub src: SrcSpan,
}

/// What is known of a variable.
#[derive(Clone, Debug)]
pub struct VarInfo {
    pub ty: VarType,
    /// The user's construct that it comes from.
    pub src: SrcSpan,
}

/// A scalar, or an array of scalars.
#[derive(Clone, Debug)]
pub enum VarType {
    Scalar(Scalar),
    Array(ArrayType),
}

/// Extents outermost first, as values and as size expressions. One dimension, until arrays of more
/// exist.
#[derive(Clone, Debug)]
pub struct ArrayType {
    pub elem: Scalar,
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
    Var(Var),
    Const(Const),
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

/// Operations.
#[derive(Clone, Debug)]
pub enum Op {
    Scalar(ScalarOp, Vec<Atom>),
    /// Fails with `id` unless `ok`.
    Check {
        ok: Atom,
        id: CheckId,
        values: Vec<Atom>,
    },
    /// The length of a parameter.
    Len(Var),
    /// An element; the index is in range, by proof or by a check before.
    Read {
        array: Var,
        index: Atom,
    },
    /// An array literal; one statement per component.
    Literal(Vec<Atom>),
    /// The array with one element replaced; the index is in range.
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
    Par(Par),
}

/// `while cond { params = body }`; the outs are the last parameters.
#[derive(Clone, Debug)]
pub struct Loop {
    pub params: Vec<Var>,
    pub init: Vec<Atom>,
    /// Yields one `bool`.
    pub cond: Body,
    /// Yields the next parameters.
    pub body: Body,
}

/// An index space `0..extent`, the element at each index, and what consumes the elements.
#[derive(Clone, Debug)]
pub struct Par {
    pub extent: Atom,
    pub index: Var,
    pub body: Body,
    pub consumer: Consumer,
}

/// What becomes of the elements of a [`Par`].
#[derive(Clone, Debug)]
pub enum Consumer {
    /// Outs: one array per component.
    Build,
    /// Outs: one scalar per component: `combine(init, all)`, `init` for none.
    Reduce { init: Vec<Atom>, combine: Combine },
    /// Outs: the prefixes per component, then the totals per component if `total`.
    Scan {
        init: Option<Vec<Atom>>,
        combine: Combine,
        exclusive: bool,
        total: bool,
    },
    /// Outs: the last accumulator. `step` takes `acc` and `elem`, yields the next `acc`.
    Fold {
        init: Vec<Atom>,
        acc: Vec<Var>,
        elem: Vec<Var>,
        step: Body,
    },
    /// The body yields an index and the components of a value. Outs: `into` with them written, the
    /// highest position in the index space winning. A check `id` guards each index.
    Scatter { into: Vec<Var>, id: CheckId },
}

/// An associative operator on products of scalars.
#[derive(Clone, Debug)]
pub struct Combine {
    pub left: Vec<Var>,
    pub right: Vec<Var>,
    pub body: Body,
    /// Neutral elements if the operator is known to be commutative, else `None`: this decides the
    /// order of combination (see `docs/language.md`, Meaning).
    pub neutral: Option<Vec<Const>>,
}

/// What a leaf of a signature is, in the order in which parameters and results are flattened.
pub fn leaves(ty: &SigType) -> Vec<Leaf> {
    let mut out = Vec::new();
    collect_leaves(ty, &mut out);
    out
}

/// A leaf of a signature type: a scalar, or one component of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    pub scalar: Scalar,
    pub array: bool,
}

fn collect_leaves(ty: &SigType, out: &mut Vec<Leaf>) {
    match ty {
        SigType::Scalar(scalar) => out.push(Leaf {
            scalar: *scalar,
            array: false,
        }),
        SigType::Tuple(fields) | SigType::Struct(_, fields) => {
            fields.iter().for_each(|field| collect_leaves(field, out));
        }
        SigType::Array { elem, .. } => {
            let start = out.len();
            collect_leaves(elem, out);
            out[start..].iter_mut().for_each(|leaf| leaf.array = true);
        }
    }
}

/// The struct of a struct type, for readers of signatures.
pub fn struct_def(structs: &[StructDef], id: StructId) -> &StructDef {
    &structs[id.index()]
}
