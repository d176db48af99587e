//! Parameters and results in Rust's types.
//!
//! In: signature types. Out: the text of Rust types, of element constructors, and how the leaves of
//! a parameter are reached. Assumes types as `flat` distributes them.
//!
//! An array of one axis is a slice and a vector. One of several is a slice of its elements in
//! row-major order, and its shape.

use crate::emit::ident_text;
use crate::emit::rust::outside::{getter, maker};
use crate::emit::rust::reads::ArrayField;
use crate::emit::rust::scalar::type_name;
use crate::ids::{StructId, Var};
use crate::prims::{Scalar, component};
use crate::shaped::ir::{leaves, struct_def};
use crate::typed::ir::{Home, SigType, StructDef, Type};
use std::fmt::Write;

/// Of an array with these elements: the number of its axes, and what is behind the last of them.
fn axes(elem: &SigType) -> (usize, &SigType) {
    match elem {
        SigType::Array { elem, .. } => {
            let (rank, elem) = axes(elem);
            (rank + 1, elem)
        }
        SigType::Scalar(_) | SigType::Tuple(_) | SigType::Struct(..) => (1, elem),
    }
}

/// The Rust type of a product of scalars, inside of the function, where scalars have their own
/// names and structs an alias.
pub fn elem_type(ty: &SigType) -> String {
    match ty {
        SigType::Scalar(scalar) => type_name(*scalar).to_owned(),
        SigType::Tuple(fields) => {
            let fields: Vec<String> = fields.iter().map(|it| elem_type(it) + ",").collect();
            format!("({})", fields.concat())
        }
        SigType::Struct(id, _) => alias(*id),
        SigType::Array { elem, .. } => format!("__r::Vec<{}>", elem_type(elem)),
    }
}

/// The same of a type without sizes.
pub fn plain_type(ty: &Type) -> String {
    match ty {
        Type::Scalar(scalar) => type_name(*scalar).to_owned(),
        Type::Tuple(fields) => {
            let fields: Vec<String> = fields.iter().map(|it| plain_type(it) + ",").collect();
            format!("({})", fields.concat())
        }
        Type::Struct(id) => alias(*id),
        Type::Array(elem) => format!("__r::Vec<{}>", plain_type(elem)),
    }
}

/// What a struct of the user is called inside of the function, where its own name may be one of
/// ours.
pub fn alias(id: StructId) -> String {
    match component(id) {
        Some(part) => format!("__r::num_complex::Complex::<{}>", part.name()),
        None => format!("__S{}", id.0),
    }
}

/// The aliases of the block's structs that Rust sees.
pub fn aliases(structs: &[StructDef]) -> String {
    let shown = structs
        .iter()
        .enumerate()
        .filter(|(_, def)| matches!(def.home, Home::Block(_)));
    shown
        .map(|(at, def)| format!("type __S{at} = {};\n", ident_text(&def.name)))
        .collect()
}

/// The Rust type of a product of scalars in the signature, where any name may mean another thing.
fn outer_type(ty: &SigType, structs: &[StructDef]) -> String {
    match ty {
        SigType::Scalar(scalar) => outer_scalar(*scalar),
        SigType::Tuple(fields) => {
            let fields = fields.iter().map(|it| outer_type(it, structs) + ",");
            format!("({})", fields.collect::<String>())
        }
        SigType::Struct(id, _) => {
            let def = struct_def(structs, *id);
            match &def.home {
                Home::Block(_) | Home::Inside => ident_text(&def.name),
                Home::Complex(part) => format!(
                    "::ragged::__private::num_complex::Complex<{}>",
                    outer_scalar(*part)
                ),
                // The path takes its place, see `outside::with_paths`.
                Home::Outside(_) => alias(*id),
            }
        }
        SigType::Array { elem, .. } => {
            let (rank, elem) = axes(elem);
            let elem = outer_type(elem, structs);
            match rank {
                1 => format!("::std::vec::Vec<{elem}>"),
                _ => format!("::ragged::Dense<{elem}, {rank}>"),
            }
        }
    }
}

/// The Rust type of a scalar in the signature.
fn outer_scalar(ty: Scalar) -> String {
    match ty.is_half() {
        true => format!("::ragged::__private::half::{}", ty.name()),
        false => format!("::core::primitive::{}", ty.name()),
    }
}

/// The Rust type of a parameter, as the caller sees it; `n` numbers nothing, types only.
pub fn param_type(ty: &SigType, structs: &[StructDef]) -> String {
    match ty {
        SigType::Array { elem, .. } => {
            let (rank, elem) = axes(elem);
            let elem = outer_type(elem, structs);
            match rank {
                1 => format!("impl ::ragged::AsArray<{elem}>"),
                _ => format!("impl ::ragged::AsDense<{elem}, {rank}>"),
            }
        }
        SigType::Tuple(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|it| param_type(it, structs) + ",")
                .collect();
            format!("({})", fields.concat())
        }
        SigType::Scalar(_) | SigType::Struct(..) => outer_type(ty, structs),
    }
}

/// The Rust type of a result.
pub fn result_type(ty: &SigType, structs: &[StructDef]) -> String {
    outer_type(ty, structs)
}

/// The Rust type of what a result is written into, as the caller sees it.
pub fn out_type(ty: &SigType, structs: &[StructDef]) -> String {
    match ty {
        SigType::Array { elem, .. } => {
            let (rank, elem) = axes(elem);
            let elem = outer_type(elem, structs);
            let taken = match rank {
                1 => format!("AsArrayOut<{elem}>"),
                _ => format!("AsDenseOut<{elem}, {rank}>"),
            };
            format!("&mut (impl ::ragged::{taken} + ?::core::marker::Sized)")
        }
        SigType::Tuple(fields) => {
            let fields = fields.iter().map(|it| out_type(it, structs) + ",");
            format!("({})", fields.collect::<String>())
        }
        SigType::Scalar(_) | SigType::Struct(..) => format!("&mut {}", outer_type(ty, structs)),
    }
}

/// An expression to be written over: of the result type, but for arrays of several axes, which
/// [`finished_result`] converts.
pub fn new_result(ty: &SigType, structs: &[StructDef]) -> String {
    let ty = match ty {
        SigType::Tuple(fields) => {
            let fields = fields.iter().map(|it| new_result(it, structs) + ",");
            return format!("({})", fields.collect::<String>());
        }
        SigType::Array { elem, .. } => match axes(elem) {
            (1, _) => "_".to_owned(),
            (rank, elem) => format!("::ragged::DenseVec<{}, {rank}>", outer_type(elem, structs)),
        },
        SigType::Scalar(_) | SigType::Struct(..) => "_".to_owned(),
    };
    format!("<{ty} as ::core::default::Default>::default()")
}

/// The result, from `place`, which was written into.
pub fn finished_result(ty: &SigType, place: &str) -> String {
    match ty {
        SigType::Tuple(fields) => {
            let fields = fields.iter().enumerate();
            let fields = fields.map(|(at, it)| finished_result(it, &format!("{place}.{at}")) + ",");
            format!("({})", fields.collect::<String>())
        }
        SigType::Array { elem, .. } if axes(elem).0 > 1 => {
            format!("::core::convert::Into::into({place})")
        }
        SigType::Scalar(_) | SigType::Struct(..) | SigType::Array { .. } => place.to_owned(),
    }
}

/// What is passed for `place`, a value of the result type, to be written into.
pub fn borrowed_result(ty: &SigType, place: &str) -> String {
    match ty {
        SigType::Tuple(fields) => {
            let fields = fields.iter().enumerate();
            let fields = fields.map(|(at, it)| borrowed_result(it, &format!("{place}.{at}")) + ",");
            format!("({})", fields.collect::<String>())
        }
        SigType::Scalar(_) | SigType::Struct(..) | SigType::Array { .. } => {
            format!("&mut {place}")
        }
    }
}

/// A result of the inner function.
pub struct Out {
    /// Type of the place that it is written into, in the inner function.
    pub ty: String,
    /// That place, as the outer function passes it.
    pub place: String,
    /// Of an array the number of its axes, of a scalar 0.
    pub rank: usize,
}

/// The results of the inner function; `out` is what the outer one was given for all of them.
pub fn outs(ty: &SigType, out: &str, structs: &[StructDef]) -> Vec<Out> {
    match ty {
        SigType::Array { elem, .. } => {
            let (rank, elem) = axes(elem);
            let elem = elem_type(elem);
            let (ty, place) = match rank {
                1 => (
                    format!("__r::ArrayOut<'_, {elem}>"),
                    format!("::ragged::AsArrayOut::array_out({out})"),
                ),
                _ => (
                    format!("__r::DenseOut<'_, {elem}, {rank}>"),
                    format!("::ragged::AsDenseOut::dense_out({out})"),
                ),
            };
            vec![Out { ty, place, rank }]
        }
        SigType::Tuple(fields) => {
            let fields = fields.iter().enumerate();
            fields
                .flat_map(|(at, it)| outs(it, &format!("{out}.{at}"), structs))
                .collect()
        }
        SigType::Scalar(scalar) => vec![Out {
            ty: format!("&mut {}", type_name(*scalar)),
            place: out.to_owned(),
            rank: 0,
        }],
        SigType::Struct(_, fields) => {
            let types = fields.iter().flat_map(leaves);
            let outs = places(ty, out, structs).into_iter().zip(types);
            outs.map(|(place, leaf)| Out {
                ty: format!("&mut {}", type_name(leaf.scalar)),
                place: format!("&mut {place}"),
                rank: 0,
            })
            .collect()
        }
    }
}

/// The places of the leaves of a struct at `out`. The fields of a struct from outside are locals,
/// of which it is [`made`]: they have getters only.
fn places(ty: &SigType, out: &str, structs: &[StructDef]) -> Vec<String> {
    let paths = paths(ty, structs).into_iter();
    if !holds_outside(ty, structs) {
        return paths.map(|path| format!("{out}{path}")).collect();
    }
    let name = out.replace('.', "_");
    paths
        .enumerate()
        .map(|(at, _)| format!("{name}_{at}"))
        .collect()
}

fn holds_outside(ty: &SigType, structs: &[StructDef]) -> bool {
    match ty {
        SigType::Scalar(_) | SigType::Array { .. } => false,
        SigType::Tuple(fields) => fields.iter().any(|it| holds_outside(it, structs)),
        SigType::Struct(id, fields) => {
            matches!(struct_def(structs, *id).home, Home::Outside(_))
                || fields.iter().any(|it| holds_outside(it, structs))
        }
    }
}

/// A result that is made of locals.
pub struct Made {
    /// The locals and their types.
    pub locals: Vec<(String, &'static str)>,
    /// The statement that makes it of them.
    pub store: String,
}

/// The results that are made of locals; `out` is what the outer function was given for all.
pub fn made(ty: &SigType, out: &str, structs: &[StructDef]) -> Vec<Made> {
    match ty {
        SigType::Scalar(_) | SigType::Array { .. } => Vec::new(),
        SigType::Tuple(fields) => {
            let fields = fields.iter().enumerate();
            fields
                .flat_map(|(at, it)| made(it, &format!("{out}.{at}"), structs))
                .collect()
        }
        SigType::Struct(_, fields) if holds_outside(ty, structs) => {
            let types = fields
                .iter()
                .flat_map(leaves)
                .map(|leaf| type_name(leaf.scalar));
            let locals: Vec<_> = places(ty, out, structs).into_iter().zip(types).collect();
            let mut value = constructor(ty, structs);
            for (name, _) in &locals {
                value = value.replacen(HOLE, name, 1);
            }
            let store = format!("*{out} = {value};");
            vec![Made { locals, store }]
        }
        SigType::Struct(..) => Vec::new(),
    }
}

/// Where a leaf goes in a constructor.
pub const HOLE: &str = "\u{1}";

/// An expression that builds a value of `ty`, with [`HOLE`] for each leaf (each array is one leaf).
pub fn constructor(ty: &SigType, structs: &[StructDef]) -> String {
    match ty {
        SigType::Scalar(_) | SigType::Array { .. } => HOLE.to_owned(),
        SigType::Tuple(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|it| constructor(it, structs) + ",")
                .collect();
            format!("({})", fields.concat())
        }
        SigType::Struct(id, fields) => {
            let def = struct_def(structs, *id);
            if let Home::Outside(_) = def.home {
                let fields = fields.iter().map(|it| constructor(it, structs) + ",");
                return format!("{}({})", maker(*id), fields.collect::<String>());
            }
            let mut text = format!("{} {{", alias(*id));
            for ((name, _), field) in def.fields.iter().zip(fields) {
                let (name, value) = (ident_text(name), constructor(field, structs));
                let _ = write!(text, "{name}: {value},");
            }
            text.push('}');
            text
        }
    }
}

/// A slot of the inner function: a scalar or a slice.
pub struct Slot {
    /// Name in the inner function.
    pub name: String,
    /// Type in the inner function.
    pub ty: String,
    /// How it is reached from the parameter, e.g. `.0.x`.
    pub path: String,
    /// What it stands for.
    pub kind: SlotKind,
}

/// What a slot stands for.
pub enum SlotKind {
    /// A scalar.
    Scalar(Var),
    /// An array: the number of its axes, and its components, each with how its elements are read.
    Array(usize, Vec<(Var, ArrayField)>),
}

/// The shape of an array parameter of several axes, in the inner function.
pub fn shape_name(slice: &str) -> String {
    format!("{slice}_shape")
}

/// The slots of parameter number `at`.
pub fn slots(at: usize, ty: &SigType, vars: &[Var], structs: &[StructDef]) -> Vec<Slot> {
    let mut walk = Walk {
        at,
        vars,
        next: 0,
        structs,
        out: Vec::new(),
    };
    walk.visit(ty, String::new());
    walk.out
}

struct Walk<'a> {
    at: usize,
    vars: &'a [Var],
    next: usize,
    structs: &'a [StructDef],
    out: Vec<Slot>,
}

impl Walk<'_> {
    fn visit(&mut self, ty: &SigType, path: String) {
        match ty {
            SigType::Scalar(scalar) => {
                let var = self.vars[self.next];
                self.next += 1;
                let (name, ty) = (format!("v{}", var.0), type_name(*scalar).to_owned());
                self.out.push(Slot {
                    name,
                    ty,
                    path,
                    kind: SlotKind::Scalar(var),
                });
            }
            SigType::Tuple(fields) | SigType::Struct(_, fields) => {
                for (name, field) in field_names(ty, self.structs).into_iter().zip(fields) {
                    self.visit(field, format!("{path}.{name}"));
                }
            }
            SigType::Array { elem, .. } => self.array(elem, path),
        }
    }

    fn array(&mut self, elem: &SigType, path: String) {
        let name = format!("p{}_{}", self.at, self.out.len());
        let (rank, elem) = axes(elem);
        let ty = elem_type(elem);
        let count = leaves(elem).len();
        let vars = &self.vars[self.next..self.next + count];
        self.next += count;
        let components = vars
            .iter()
            .zip(paths(elem, self.structs))
            .map(|(var, path)| {
                (
                    *var,
                    ArrayField {
                        field: name.clone(),
                        elem: ty.clone(),
                        path,
                        moved: false,
                    },
                )
            });
        let kind = SlotKind::Array(rank, components.collect());
        self.out.push(Slot {
            ty: format!("&[{ty}]"),
            name,
            path,
            kind,
        });
    }
}

/// The access paths of the leaves of a product of scalars, in order.
fn paths(ty: &SigType, structs: &[StructDef]) -> Vec<String> {
    match ty {
        SigType::Scalar(_) | SigType::Array { .. } => vec![String::new()],
        SigType::Tuple(fields) | SigType::Struct(_, fields) => field_names(ty, structs)
            .into_iter()
            .zip(fields)
            .flat_map(|(name, field)| {
                paths(field, structs)
                    .into_iter()
                    .map(move |path| format!(".{name}{path}"))
            })
            .collect(),
    }
}

fn field_names(ty: &SigType, structs: &[StructDef]) -> Vec<String> {
    match ty {
        SigType::Scalar(_) | SigType::Array { .. } => Vec::new(),
        SigType::Tuple(fields) => (0..fields.len()).map(|at| at.to_string()).collect(),
        SigType::Struct(id, _) => {
            let def = struct_def(structs, *id);
            let names = def.fields.iter().enumerate();
            let names = names.map(|(at, (name, _))| match def.home {
                Home::Outside(_) => getter(*id, at),
                Home::Block(_) | Home::Complex(_) | Home::Inside => ident_text(name),
            });
            names.collect()
        }
    }
}
