//! How large arrays are, in the names of the signature.

use crate::contracts::cost::names;
use crate::fused::ir::{Function, Layout};
use crate::ids::Var;
use crate::prims::Scalar;
use crate::shaped::ir::{Atom, Extent, VarType};
use crate::shaped::size::Size;
use crate::typed::ir::SigType;

/// What stands for a size that has no name in the signature.
const UNNAMED: &str = "varying";

/// `n - 1`
fn size(function: &Function, size: &Size) -> Option<String> {
    let name = |symbol: crate::ids::SizeSym| {
        let named = function.size_names[symbol.index()].clone();
        named.or_else(|| names::total(function, symbol))
    };
    let mut symbols = size.terms().flat_map(|(symbols, _)| symbols);
    let known = symbols.all(|symbol| name(*symbol).is_some());
    known.then(|| size.show(name).replace('*', "·"))
}

/// The name of a number of indices.
pub fn extent(function: &Function, atom: Atom) -> String {
    let var = match atom {
        Atom::Const(it) => return it.bits.to_string(),
        Atom::Var(var) => var,
    };
    let dims = function.vars.iter().filter_map(|it| dims(&it.ty));
    let mut sizes = dims
        .flatten()
        .filter(|dim| dim.value == atom)
        .filter_map(|dim| size(function, &dim.size));
    let name = sizes.next().or_else(|| names::scalar(function, var));
    name.unwrap_or_else(|| UNNAMED.to_owned())
}

/// The extents of an array; nothing for a scalar.
pub fn dims(ty: &Layout) -> Option<&[Extent]> {
    match ty {
        Layout::Plain(VarType::Scalar(_)) => None,
        Layout::Plain(VarType::Array(ty)) => Some(&ty.dims),
        Layout::Component { ty, .. } => match ty {
            VarType::Scalar(_) => None,
            VarType::Array(ty) => Some(&ty.dims),
        },
        Layout::Packed { dims, .. } => Some(dims),
    }
}

/// An array's extents and type: `n × m of f32`; a scalar's type.
pub fn shape(function: &Function, var: Var) -> String {
    let ty = &function.vars[var.index()].ty;
    let elem = elem(ty);
    match dims(ty) {
        None => elem,
        Some(dims) => format!("{} of {elem}", extents(function, dims)),
    }
}

fn extents(function: &Function, dims: &[Extent]) -> String {
    let sizes = dims.iter().map(|dim| match size(function, &dim.size) {
        Some(size) if dims.len() > 1 && size.contains(' ') => format!("({size})"),
        Some(size) => size,
        None => extent(function, dim.value),
    });
    sizes.collect::<Vec<_>>().join(" × ")
}

fn elem(ty: &Layout) -> String {
    match ty {
        Layout::Plain(VarType::Scalar(it)) => it.name().to_owned(),
        Layout::Plain(VarType::Array(ty)) => ty.elem.name().to_owned(),
        Layout::Component { ty, .. } => match ty {
            VarType::Scalar(it) => it.name().to_owned(),
            VarType::Array(ty) => ty.elem.name().to_owned(),
        },
        Layout::Packed { elem, .. } => product(elem),
    }
}

fn product(ty: &SigType) -> String {
    let all = scalars(ty);
    let groups = all.chunk_by(|a, b| a == b).map(|group| match group {
        [one] => one.name().to_owned(),
        many => format!("{} {}", many.len(), many[0].name()),
    });
    let groups: Vec<String> = groups.collect();
    match groups.as_slice() {
        [one] => one.clone(),
        many => format!("({})", many.join(", ")),
    }
}

fn scalars(ty: &SigType) -> Vec<Scalar> {
    match ty {
        SigType::Scalar(it) => vec![*it],
        SigType::Tuple(fields) | SigType::Struct(_, fields) | SigType::Vector(_, fields) => {
            fields.iter().flat_map(scalars).collect()
        }
        SigType::Array { elem, .. } => scalars(elem),
    }
}

/// The memory that some arrays take together: `8·n B`, or a number where that is known.
pub fn bytes(function: &Function, arrays: &[Var]) -> String {
    let mut terms: Vec<(i64, String)> = Vec::new();
    for array in arrays {
        let ty = &function.vars[array.index()].ty;
        let mut width = width(ty);
        let mut names = Vec::new();
        for dim in dims(ty).unwrap_or(&[]) {
            match dim.size.as_known() {
                Some(known) => width *= known,
                None => names.push(factor(function, dim)),
            }
        }
        let names = names.join("·");
        match terms.iter_mut().find(|(_, of)| *of == names) {
            Some((sum, _)) => *sum += width,
            None => terms.push((width, names)),
        }
    }
    match terms.as_slice() {
        [] => in_units(0),
        [(bytes, names)] if names.is_empty() => in_units(*bytes),
        terms => of_terms(terms),
    }
}

fn factor(function: &Function, dim: &Extent) -> String {
    let name = size(function, &dim.size).unwrap_or_else(|| extent(function, dim.value));
    match name.contains(' ') {
        true => format!("({name})"),
        false => name,
    }
}

fn of_terms(terms: &[(i64, String)]) -> String {
    let terms = terms
        .iter()
        .map(|(width, names)| match (width, names.is_empty()) {
            (_, true) => width.to_string(),
            (1, false) => names.clone(),
            (_, false) => format!("{width}·{names}"),
        });
    format!("{} B", terms.collect::<Vec<_>>().join(" + "))
}

fn in_units(bytes: i64) -> String {
    let mut amount = bytes as f64;
    for unit in ["B", "KiB", "MiB"] {
        if amount < 1024.0 {
            return format!("{} {unit}", (amount * 10.0).round() / 10.0);
        }
        amount /= 1024.0;
    }
    format!("{} GiB", (amount * 10.0).round() / 10.0)
}

fn width(ty: &Layout) -> i64 {
    let of = |scalar: &Scalar| match scalar {
        Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
        Scalar::I16 | Scalar::U16 | Scalar::F16 | Scalar::Bf16 => 2,
        Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
        Scalar::I64 | Scalar::U64 | Scalar::Usize | Scalar::F64 => 8,
    };
    match ty {
        Layout::Plain(VarType::Scalar(it)) => of(it),
        Layout::Plain(VarType::Array(ty)) => of(&ty.elem),
        Layout::Component { ty, .. } => match ty {
            VarType::Scalar(it) => of(it),
            VarType::Array(ty) => of(&ty.elem),
        },
        Layout::Packed { elem, .. } => scalars(elem).iter().map(of).sum(),
    }
}
