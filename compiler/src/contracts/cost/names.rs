//! What costs call the sizes and numbers of a signature.
//!
//! In: the parameters of a fused function. Out: names by variable or symbol: `|rows|` for all
//! elements of rows of lengths of their own, `max|rows[i]|` for the longest of these, `sum(ks)` and
//! `max(ks)` for whole numbers that may be sizes.

use crate::fused::ir::{Function, Layout};
use crate::ids::{SizeSym, Var};
use crate::prims::Scalar;
use crate::shaped::ir::{Extent, Param, VarType, ragged_levels};
use crate::shaped::size::Size;
use crate::typed::ir::SigType;

/// An array parameter, or a component of one, whose numbers may be sizes.
pub(super) struct ParamArray {
    /// What its numbers are together; of offsets, the lengths of rows.
    pub sum: String,
    /// The greatest.
    pub most: String,
}

/// All names that a bound may have, in the order of the signature.
pub(super) fn all(function: &Function) -> Vec<String> {
    let mut names = Vec::new();
    for param in &function.params {
        for var in &param.vars {
            names.extend(scalar_or_sizes(function, *var));
        }
    }
    let mut known = Vec::new();
    for name in names {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    known
}

/// What a variable of a parameter gives names to.
fn scalar_or_sizes(function: &Function, var: Var) -> Vec<String> {
    let Some(dims) = dims(function, var) else {
        let number = |var: &Var| match &function.vars[var.index()].ty {
            Layout::Plain(VarType::Scalar(scalar)) => scalar.is_int(),
            Layout::Plain(VarType::Array(_)) | Layout::Component { .. } | Layout::Packed { .. } => {
                false
            }
        };
        return Some(var)
            .filter(number)
            .and_then(|var| scalar(function, var))
            .into_iter()
            .collect();
    };
    let symbols = dims.iter().flat_map(|dim| dim.size.terms());
    let symbols = symbols.flat_map(|(symbols, _)| symbols);
    let sizes = symbols.filter_map(|symbol| size(function, *symbol));
    let numbers = array(function, var).into_iter();
    let numbers = numbers.flat_map(|it| [it.sum, it.most]);
    sizes.chain(numbers).collect()
}

/// The name of a size of a parameter.
pub(super) fn size(function: &Function, symbol: SizeSym) -> Option<String> {
    let name = function.size_names[symbol.index()].clone();
    name.or_else(|| total(function, symbol))
}

/// The sizes of an array parameter, or of a component of one.
pub(super) fn sizes(function: &Function, var: Var) -> Vec<&Size> {
    let dims = dims(function, var).unwrap_or_default();
    dims.iter().map(|dim| &dim.size).collect()
}

/// The name of a scalar parameter.
pub(crate) fn scalar(function: &Function, var: Var) -> Option<String> {
    let (param, at) = place(function, var)?;
    Some(part(param, at))
}

/// The parameter that a variable is of, and which of its variables it is.
pub(super) fn place(function: &Function, var: Var) -> Option<(&Param, usize)> {
    let mut params = function.params.iter();
    params.find_map(|param| {
        let at = param.vars.iter().position(|it| *it == var)?;
        Some((param, at))
    })
}

/// `p`, or `p.1` for a part of it.
fn part(param: &Param, at: usize) -> String {
    match param.vars.len() {
        1 => param.name.clone(),
        _several => format!("{}.{at}", param.name),
    }
}

/// The array parameter that a variable is, if its numbers may be sizes.
pub(super) fn array(function: &Function, var: Var) -> Option<ParamArray> {
    let (param, at) = place(function, var)?;
    let elem = element(function, var)?;
    let level = levels(&param.ty).into_iter().find(|it| it.offsets == at);
    match level {
        Some(level) => Some(ParamArray {
            sum: level.total(&param.name),
            most: format!("max|{}|", level.row(&param.name)),
        }),
        None if elem.is_int() => {
            let name = part(param, at);
            Some(ParamArray {
                sum: format!("sum({name})"),
                most: format!("max({name})"),
            })
        }
        None => None,
    }
}

/// Whether an array parameter says where rows begin.
pub(super) fn is_offsets(function: &Function, var: Var) -> bool {
    element(function, var) == Some(Scalar::I64)
        && place(function, var)
            .is_some_and(|(param, at)| levels(&param.ty).iter().any(|it| it.offsets == at))
}

fn dims(function: &Function, var: Var) -> Option<&[Extent]> {
    match &function.vars[var.index()].ty {
        Layout::Plain(VarType::Array(ty))
        | Layout::Component {
            ty: VarType::Array(ty),
            ..
        } => Some(&ty.dims),
        Layout::Plain(VarType::Scalar(_)) | Layout::Component { .. } | Layout::Packed { .. } => {
            None
        }
    }
}

fn element(function: &Function, var: Var) -> Option<Scalar> {
    match &function.vars[var.index()].ty {
        Layout::Plain(VarType::Array(ty))
        | Layout::Component {
            ty: VarType::Array(ty),
            ..
        } => Some(ty.elem),
        Layout::Plain(VarType::Scalar(_)) | Layout::Component { .. } | Layout::Packed { .. } => {
            None
        }
    }
}

/// What to call how many elements all rows of a level have together, which has no name of its own.
pub(crate) fn total(function: &Function, symbol: SizeSym) -> Option<String> {
    function.params.iter().find_map(|param| {
        let mut levels = levels(&param.ty).into_iter();
        let level = levels.find(|level| {
            let divided = param.vars.get(level.offsets + 1);
            divided.is_some_and(|var| divides(function, *var, symbol))
        })?;
        Some(level.total(&param.name))
    })
}

/// Whether a symbol is in the length of an array.
fn divides(function: &Function, array: Var, symbol: SizeSym) -> bool {
    let first = dims(function, array).and_then(<[Extent]>::first);
    first.is_some_and(|dim| dim.size.mentions(symbol))
}

/// A level of rows of lengths of their own.
struct Level {
    /// Which variable of the parameter the offsets are.
    offsets: usize,
    /// The component of the parameter that it is in, as `.0.1`.
    part: String,
    /// How many such levels are around it.
    depth: usize,
    /// How many are inside.
    inside: usize,
}

impl Level {
    /// One of its rows: `rows[i]`, `rows[i][j]`.
    fn row(&self, param: &str) -> String {
        let indices = ["[i]", "[j]", "[k]", "[l]", "[m]", "[n]"];
        let indices = indices.iter().cycle().take(self.depth + 1);
        let indices: String = indices.copied().collect();
        format!("{param}{}{indices}", self.part)
    }

    /// All elements of its rows: `|rows|`, or how many rows they are if these hold rows.
    fn total(&self, param: &str) -> String {
        let array = format!("{param}{}", self.part);
        match self.inside {
            0 => format!("|{array}|"),
            _rows => format!("len({array}{})", ".concat()".repeat(self.depth + 1)),
        }
    }
}

/// The levels of rows in a parameter. Variables are counted as its type lists them.
fn levels(ty: &SigType) -> Vec<Level> {
    let mut found = Vec::new();
    parts(ty, String::new(), &mut 0, &mut found);
    found
}

fn parts(ty: &SigType, part: String, vars: &mut usize, found: &mut Vec<Level>) {
    match ty {
        SigType::Scalar(_) => *vars += 1,
        SigType::Tuple(fields) | SigType::Struct(_, fields) | SigType::Vector(_, fields) => {
            for (at, field) in fields.iter().enumerate() {
                parts(field, format!("{part}.{at}"), vars, found);
            }
        }
        SigType::Array { elem, .. } => {
            let all = ragged_levels(elem);
            for depth in 0..all {
                found.push(Level {
                    offsets: *vars + depth,
                    part: part.clone(),
                    depth,
                    inside: all - 1 - depth,
                });
            }
            *vars += crate::shaped::ir::leaves(ty).len();
        }
    }
}
