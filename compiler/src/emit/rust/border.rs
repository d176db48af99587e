//! Parameters and results in Rust's types.
//!
//! In: signature types. Out: the text of Rust types and of element constructors. Assumes types as
//! `shaped::border` gives them.
//!
//! An array of one axis is a slice and a vector. One of several is a slice of its elements in
//! row-major order, and its shape.

use crate::emit::ident_text;
use crate::emit::rust::outside::maker;
use crate::emit::rust::scalar::type_name;
use crate::emit::rust::slots::{arrays, paths};
use crate::ids::StructId;
use crate::prims::{Scalar, component};
use crate::shaped::ir::{innermost, leaves, ragged_levels, struct_def};
use crate::typed::ir::{Home, SigType, StructDef};
use std::fmt::Write;

/// How an array goes over the border.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// One axis.
    Flat,
    /// So many axes, more than one.
    Dense(usize),
    /// Inner arrays of lengths of their own, on so many levels.
    Ragged(usize),
}

/// The form of an array with these elements, and what is behind its last axis.
pub(super) fn form(elem: &SigType) -> (Form, &SigType) {
    let form = match (ragged_levels(elem), axes(elem)) {
        (0, 1) => Form::Flat,
        (0, axes) => Form::Dense(axes),
        (levels, _) => Form::Ragged(levels),
    };
    (form, innermost(elem))
}

fn axes(elem: &SigType) -> usize {
    match elem {
        SigType::Array { elem, .. } => axes(elem) + 1,
        SigType::Scalar(_) | SigType::Tuple(_) | SigType::Struct(..) | SigType::Vector(..) => 1,
    }
}

/// The type of an owned array of arrays, of which `elem` is on so many levels.
fn ragged(elem: &str, levels: usize) -> String {
    let (open, close) = ("::ragged::Ragged<".repeat(levels), ">".repeat(levels));
    format!("{open}{elem}{close}")
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
        SigType::Vector(elem, fields) => format!("[{}; {}]", elem_type(elem), fields.len()),
        SigType::Array { elem, .. } => format!("__r::Vec<{}>", elem_type(elem)),
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
        SigType::Vector(elem, fields) => {
            format!("[{}; {}]", outer_type(elem, structs), fields.len())
        }
        SigType::Array { elem, .. } => {
            let (form, elem) = form(elem);
            let elem = outer_type(elem, structs);
            match form {
                Form::Flat => format!("::std::vec::Vec<{elem}>"),
                Form::Dense(rank) => format!("::ragged::Dense<{elem}, {rank}>"),
                Form::Ragged(levels) => ragged(&elem, levels),
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
            let (form, elem) = form(elem);
            let arrays = arrays(form, elem);
            let elem = outer_type(elem, structs);
            match (form, arrays) {
                (Form::Dense(rank), _) => format!("impl ::ragged::AsDense<{elem}, {rank}>"),
                (Form::Flat, 1) => format!("impl ::ragged::AsArray<{elem}>"),
                (Form::Ragged(levels), 1) => format!("impl ::ragged::AsRagged<{elem}, {levels}>"),
                (Form::Flat, _) => format!("impl ::ragged::AsProducts<{elem}, 0>"),
                (Form::Ragged(levels), _) => {
                    format!("impl ::ragged::AsProducts<{elem}, {levels}>")
                }
            }
        }
        SigType::Tuple(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|it| param_type(it, structs) + ",")
                .collect();
            format!("({})", fields.concat())
        }
        SigType::Scalar(_) | SigType::Struct(..) | SigType::Vector(..) => outer_type(ty, structs),
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
            let (form, elem) = form(elem);
            let elem = outer_type(elem, structs);
            let taken = match form {
                Form::Flat => format!("AsArrayOut<{elem}>"),
                Form::Dense(rank) => format!("AsDenseOut<{elem}, {rank}>"),
                Form::Ragged(levels) => format!("AsRaggedOut<{elem}, {levels}>"),
            };
            format!("&mut (impl ::ragged::{taken} + ?::core::marker::Sized)")
        }
        SigType::Tuple(fields) => {
            let fields = fields.iter().map(|it| out_type(it, structs) + ",");
            format!("({})", fields.collect::<String>())
        }
        SigType::Scalar(_) | SigType::Struct(..) | SigType::Vector(..) => {
            format!("&mut {}", outer_type(ty, structs))
        }
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
        SigType::Array { elem, .. } => match form(elem) {
            (Form::Flat | Form::Ragged(_), _) => "_".to_owned(),
            (Form::Dense(rank), elem) => {
                format!("::ragged::DenseVec<{}, {rank}>", outer_type(elem, structs))
            }
        },
        SigType::Scalar(_) | SigType::Struct(..) | SigType::Vector(..) => "_".to_owned(),
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
        SigType::Array { elem, .. } if matches!(form(elem).0, Form::Dense(_)) => {
            format!("::core::convert::Into::into({place})")
        }
        SigType::Scalar(_) | SigType::Struct(..) | SigType::Vector(..) | SigType::Array { .. } => {
            place.to_owned()
        }
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
        SigType::Scalar(_) | SigType::Struct(..) | SigType::Vector(..) | SigType::Array { .. } => {
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
            let (form, elem) = form(elem);
            let elem = elem_type(elem);
            let one = |ty: String, place: String, rank: usize| vec![Out { ty, place, rank }];
            match form {
                Form::Flat => one(
                    format!("__r::ArrayOut<'_, {elem}>"),
                    format!("::ragged::AsArrayOut::array_out({out})"),
                    1,
                ),
                Form::Dense(rank) => one(
                    format!("__r::DenseOut<'_, {elem}, {rank}>"),
                    format!("::ragged::AsDenseOut::dense_out({out})"),
                    rank,
                ),
                Form::Ragged(levels) => ragged_outs(&elem, levels, out),
            }
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
        SigType::Struct(_, fields) | SigType::Vector(_, fields) => {
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

/// The offsets and the elements of a result, which [`made`] has taken apart.
fn ragged_outs(elem: &str, levels: usize, out: &str) -> Vec<Out> {
    let name = local(out);
    let offsets = (0..levels).map(|level| Out {
        ty: "__r::ArrayOut<'_, i64>".to_owned(),
        place: format!("{name}_offsets_{level}"),
        rank: 1,
    });
    let elements = Out {
        ty: format!("__r::ArrayOut<'_, {elem}>"),
        place: format!("{name}_elements"),
        rank: 1,
    };
    offsets.chain([elements]).collect()
}

/// What locals for the result at `out` are called.
fn local(out: &str) -> String {
    out.replace('.', "_")
}

/// The places of the leaves of a struct at `out`. The fields of a struct from outside are locals,
/// of which it is [`made`]: they have getters only.
fn places(ty: &SigType, out: &str, structs: &[StructDef]) -> Vec<String> {
    let paths = paths(ty, structs).into_iter();
    if !holds_outside(ty, structs) {
        return paths.map(|path| format!("{out}{path}")).collect();
    }
    let name = local(out);
    paths
        .enumerate()
        .map(|(at, _)| format!("{name}_{at}"))
        .collect()
}

fn holds_outside(ty: &SigType, structs: &[StructDef]) -> bool {
    match ty {
        SigType::Scalar(_) | SigType::Array { .. } => false,
        SigType::Tuple(fields) | SigType::Vector(_, fields) => {
            fields.iter().any(|it| holds_outside(it, structs))
        }
        SigType::Struct(id, fields) => {
            matches!(struct_def(structs, *id).home, Home::Outside(_))
                || fields.iter().any(|it| holds_outside(it, structs))
        }
    }
}

/// A result that is made of locals.
pub struct Made {
    /// The statements that define them.
    pub before: String,
    /// The statement that makes it of them.
    pub store: String,
}

/// The results that are made of locals; `out` is what the outer function was given for all.
pub fn made(ty: &SigType, out: &str, structs: &[StructDef]) -> Vec<Made> {
    match ty {
        SigType::Array { elem, .. } => match form(elem) {
            (Form::Flat | Form::Dense(_), _) => Vec::new(),
            (Form::Ragged(levels), _) => vec![made_ragged(levels, out)],
        },
        SigType::Scalar(_) => Vec::new(),
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
            let mut before = String::new();
            for (name, ty) in &locals {
                value = value.replacen(HOLE, name, 1);
                let _ = writeln!(before, "let mut {name}: {ty} = __r::Default::default();");
            }
            let store = format!("*{out} = {value};");
            vec![Made { before, store }]
        }
        SigType::Struct(..) | SigType::Vector(..) => Vec::new(),
    }
}

/// The places of the offsets and the elements of an array of arrays, which is whole when all are
/// written.
fn made_ragged(levels: usize, out: &str) -> Made {
    let name = local(out);
    let offsets: String = (0..levels)
        .map(|level| format!("{name}_offsets_{level},"))
        .collect();
    let before = format!(
        "let mut {name} = ::ragged::AsRaggedOut::ragged_out({out});\n\
         let ({name}_elements, [{offsets}]) = __r::RaggedOut::parts(&mut {name});\n"
    );
    let store = format!("if done.is_ok() {{ __r::RaggedOut::done(&mut {name}); }}\n");
    Made { before, store }
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
        SigType::Vector(_, fields) => {
            let fields = fields.iter().map(|it| constructor(it, structs) + ",");
            format!("[{}]", fields.collect::<String>())
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
