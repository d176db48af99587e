//! Rust around a program: the block itself, and functions from values to values.
//!
//! In: the text of a block. Out: the text of a Rust file in which the block starts on line
//! [`FIRST_LINE`], with a static `FUNCTIONS` of [`crate::agree::Compiled`].

use crate::apart::shape;
use crate::typing::{exported, params};
use ragged_compiler::prims::Scalar;
use ragged_compiler::shaped::border::border_type;
use ragged_compiler::shaped::ir::{innermost, ragged_levels};
use ragged_compiler::typed::ir::{Function, Home, Program, SigType, StructDef};
use std::fmt::Write;

/// The line of the generated file on which the block's text starts.
pub const FIRST_LINE: u32 = 2;

/// The file for `text`, whose typed program is `program`.
pub fn file(text: &str, program: &Program) -> String {
    let mut out = format!("ragged::accel! {{\n{text}\n}}\n");
    out += &outside(&program.structs);
    let declared = |def: &&StructDef| !matches!(def.home, Home::Complex(_) | Home::Inside);
    for def in program.structs.iter().filter(declared) {
        out += &conversions(def);
    }
    out += "pub static FUNCTIONS: &[ragged_test_support::agree::Compiled] = &[\n";
    for (name, function) in exported(program) {
        out += &wrapper(name, function, &program.structs);
    }
    out += "];\n";
    out
}

/// A module with the structs that a program takes from `self::outside`. Their fields are in another
/// order there.
fn outside(structs: &[StructDef]) -> String {
    let mut out = String::from("pub mod outside {\n");
    for def in structs {
        let Home::Outside(outside) = &def.home else {
            continue;
        };
        let fields = outside.fields.iter().rev();
        let fields = fields.map(|field| {
            let ty = owned(&border_type(&field.ty), structs).replace("outside::", "");
            format!("pub {}: {ty}, ", field.ident)
        });
        let fields: String = fields.collect();
        let name = &def.name;
        let _ = writeln!(
            out,
            "#[derive(Clone, Copy, Default)] pub struct {name} {{ {fields} }}"
        );
    }
    out + "}\n"
}

/// The name of a struct where the block's own are in scope.
fn struct_name(def: &StructDef) -> String {
    match &def.home {
        Home::Outside(_) => format!("outside::{}", def.name),
        Home::Complex(_) => format!("ragged_test_support::num_complex::{}", def.name),
        Home::Block(_) | Home::Inside => def.name.clone(),
    }
}

fn conversions(def: &StructDef) -> String {
    let name = &struct_name(def);
    let mut parts = String::new();
    let mut fields = String::new();
    for (at, (field, _)) in def.fields.iter().enumerate() {
        let _ = write!(parts, "ragged_test_support::border::value(x.{field}), ");
        let _ = write!(
            fields,
            "{field}: ragged_test_support::border::FromValue::from_value(\
             &value.components()[{at}]), "
        );
    }
    format!(
        "impl ragged_test_support::border::IntoValue for {name} {{\n\
         fn into_value(self) -> ragged_compiler::interpret::Value {{\n\
         let x = self;\nlet _ = &x;\nragged_compiler::interpret::Value::Tuple(vec![{parts}])\n}}\n}}\n\
         impl ragged_test_support::border::FromValue for {name} {{\n\
         fn from_value(value: &ragged_compiler::interpret::Value) -> Self {{ let _ = value; {name} {{ {fields} }} }}\n\
         }}\n"
    )
}

fn wrapper(name: &str, function: &Function, structs: &[StructDef]) -> String {
    if ragged_compiler::streamed::streams(function) {
        return streaming(name, function, structs);
    }
    let mut lets = String::new();
    let (mut args, mut again) = (Vec::new(), Vec::new());
    for (at, ty) in params(function).into_iter().enumerate() {
        let (shape, ty) = (shape(ty), &border_type(ty));
        let rust = owned(ty, structs);
        let _ = writeln!(
            lets,
            "let a{at} = ragged_test_support::apart::apart(&args[{at}], &{shape});\n\
             let a{at}: {rust} = ragged_test_support::border::FromValue::from_value(&a{at});"
        );
        args.push(passed(ty, &format!("a{at}"), "&"));
        // The same elements in other places.
        let elsewhere = "&ragged_test_support::border::elsewhere(&";
        again.push(passed(ty, &format!("a{at}"), elsewhere));
    }
    let (args, again) = (args.join(", "), again.join(", "));
    let (shape, ret) = (shape(&function.ret), &border_type(&function.ret));
    let (room, into) = (room(ret, "out"), written(ret, "room"));
    let (out, written) = (plain(ret, "out", structs), plain(ret, "room", structs));
    format!(
        "ragged_test_support::agree::Compiled {{ name: {name:?}, explain: {name}::EXPLAIN,\n\
         call: |args| {{\nlet _ = args;\n{lets}let out = {name}({args})?;\n\
         let mut room = {room};\n{name}::into({into}, {again})?;\n\
         let out = ragged_test_support::agree::same({out}, {written}, {name:?});\n\
         Ok(ragged_test_support::apart::together(out, &{shape}))\n}} }},\n"
    )
}

/// Calls a function over sequences with chunks of several sizes.
fn streaming(name: &str, function: &Function, structs: &[StructDef]) -> String {
    let (mut lets, mut args) = (String::new(), Vec::new());
    for (at, ty) in params(function).into_iter().enumerate() {
        let value = format!("args[{at}]");
        let _ = match ty {
            SigType::Array { elem, .. } if ty.is_seq() => {
                args.push(format!("a{at}.clone()"));
                let item = taken("item", elem);
                writeln!(
                    lets,
                    "let a{at}: Vec<{}> = {value}.elements().iter().map(|item| {item}).collect();",
                    owned(&border_type(elem), structs)
                )
            }
            other => {
                let border = &border_type(other);
                args.push(passed(border, &format!("a{at}"), "&"));
                let rust = owned(border, structs);
                writeln!(
                    lets,
                    "let a{at}: {rust} = {};",
                    taken(&format!("&{value}"), other)
                )
            }
        };
    }
    // Names, since a sequence that is given out still reads what they stand for.
    let named = args.iter().enumerate();
    let named: String = named
        .map(|(at, arg)| format!("let x{at} = {arg};\n"))
        .collect();
    let args: String = (0..args.len()).map(|at| format!(", x{at}")).collect();
    // Half of them, since each is a pipeline more to compile.
    let is_handed_on = name.len().is_multiple_of(2);
    let result = match &function.ret {
        SigType::Array { elem, .. } if function.ret.is_seq() => {
            let item = given("item", elem, structs);
            let collect = "collect::<ragged_core::Result<Vec<_>>>()";
            let again = match is_handed_on {
                true => format!(
                    "ragged_test_support::agree::handed_on(limits, &items, |sink| {{\n{named}\
                     {name}::for_each_with(limits.clone(){args}, |item| sink({item}))\n}});\n"
                ),
                false => String::new(),
            };
            format!(
                "let items = out.map(|item| item.map(|item| {item})).{collect};\n{again}\
                 Ok(ragged_compiler::interpret::Value::Array(items?))"
            )
        }
        ret => format!("Ok({})", given("out", ret, structs)),
    };
    format!(
        "ragged_test_support::agree::Compiled {{ name: {name:?}, explain: {name}::EXPLAIN,\n\
         call: |args| {{\nlet _ = args;\n{lets}\
         ragged_test_support::agree::whatever_chunks({name:?}, args, |limits| {{\n\
         {named}let out = {name}::with(limits.clone(){args})?;\n{result}\n}})\n}} }},\n"
    )
}

/// The value `place` as what Rust has for the type.
fn taken(place: &str, ty: &SigType) -> String {
    format!(
        "ragged_test_support::border::FromValue::from_value(&ragged_test_support::apart::apart({place}, &{}))",
        shape(ty)
    )
}

/// What Rust has for the type as a value.
fn given(place: &str, ty: &SigType, structs: &[StructDef]) -> String {
    let out = plain(&border_type(ty), place, structs);
    format!(
        "ragged_test_support::apart::together(ragged_test_support::border::value({out}), &{})",
        shape(ty)
    )
}

/// A blank value as large as `value`, which is of type `ty`.
fn room(ty: &SigType, value: &str) -> String {
    match ty {
        SigType::Scalar(_) | SigType::Struct(..) | SigType::Vector(..) => {
            "Default::default()".to_owned()
        }
        SigType::Array { elem, .. } => match form(elem) {
            Form::Flat => format!("vec![Default::default(); {value}.len()]"),
            Form::Dense(_) => "ragged::DenseVec::default()".to_owned(),
            // Of its type, and nothing of its contents.
            Form::Ragged(_) => format!("{value}.iter().take(0).collect::<ragged::Ragged<_>>()"),
        },
        SigType::Tuple(parts) => of_parts(parts, value, room),
    }
}

/// How a function writes into `place`: arrays as slices, which cannot be replaced.
fn written(ty: &SigType, place: &str) -> String {
    match ty {
        SigType::Scalar(_) | SigType::Struct(..) | SigType::Vector(..) => format!("&mut {place}"),
        SigType::Array { elem, .. } => match form(elem) {
            Form::Flat => format!("&mut {place}[..]"),
            Form::Dense(_) | Form::Ragged(_) => format!("&mut {place}"),
        },
        SigType::Tuple(parts) => of_parts(parts, place, written),
    }
}

fn of_parts(parts: &[SigType], of: &str, each: impl Fn(&SigType, &str) -> String) -> String {
    let parts = parts.iter().enumerate();
    let parts: Vec<String> = parts
        .map(|(at, part)| each(part, &format!("{of}.{at}")))
        .collect();
    tuple(&parts)
}

/// The owned Rust type of a value of `ty`.
fn owned(ty: &SigType, structs: &[StructDef]) -> String {
    match ty {
        SigType::Scalar(scalar) => scalar_name(*scalar),
        SigType::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| owned(part, structs)).collect();
            tuple(&parts)
        }
        SigType::Struct(id, _) => struct_name(&structs[id.index()]),
        SigType::Vector(elem, fields) => format!("[{}; {}]", owned(elem, structs), fields.len()),
        SigType::Array { elem, .. } => {
            let form = form(elem);
            let elem = owned(innermost(elem), structs);
            match form {
                Form::Flat => format!("Vec<{elem}>"),
                Form::Dense(rank) => format!("ragged::Dense<{elem}, {rank}>"),
                Form::Ragged(levels) => lists(&elem, levels),
            }
        }
    }
}

fn scalar_name(ty: Scalar) -> String {
    match ty.is_half() {
        true => format!("ragged_test_support::half::{}", ty.name()),
        false => ty.name().to_owned(),
    }
}

/// Nested vectors of `elem`, of so many levels of rows.
fn lists(elem: &str, levels: usize) -> String {
    let (open, close) = ("Vec<".repeat(levels + 1), ">".repeat(levels + 1));
    format!("{open}{elem}{close}")
}

/// The result `place` with its irregular arrays as nested vectors.
fn plain(ty: &SigType, place: &str, structs: &[StructDef]) -> String {
    match ty {
        SigType::Scalar(_) | SigType::Struct(..) | SigType::Vector(..) => place.to_owned(),
        SigType::Array { elem, .. } => match form(elem) {
            Form::Flat | Form::Dense(_) => place.to_owned(),
            Form::Ragged(_) => format!("<{}>::from({place})", owned(ty, structs)),
        },
        SigType::Tuple(parts) => of_parts(parts, place, |part, place| plain(part, place, structs)),
    }
}

/// How an array goes over the border.
enum Form {
    Flat,
    /// So many axes.
    Dense(usize),
    /// So many levels of rows of any lengths.
    Ragged(usize),
}

/// The form of an array with these elements.
fn form(elem: &SigType) -> Form {
    match (ragged_levels(elem), axes(elem)) {
        (0, 1) => Form::Flat,
        (0, axes) => Form::Dense(axes),
        (levels, _) => Form::Ragged(levels),
    }
}

fn axes(elem: &SigType) -> usize {
    match elem {
        SigType::Array { elem, .. } => axes(elem) + 1,
        SigType::Scalar(_) | SigType::Tuple(_) | SigType::Struct(..) | SigType::Vector(..) => 1,
    }
}

/// How the local `place` of type `ty` is passed: arrays by reference, those of several axes with
/// `dense` in front.
fn passed(ty: &SigType, place: &str, dense: &str) -> String {
    match ty {
        SigType::Scalar(_) | SigType::Struct(..) | SigType::Vector(..) => place.to_owned(),
        SigType::Array { elem, .. } => match form(elem) {
            Form::Flat => format!("&{place}"),
            Form::Ragged(_) => format!("&ragged::Ragged::from(&{place})"),
            Form::Dense(_) => format!("{dense}{place}{}", ")".repeat(dense.matches('(').count())),
        },
        SigType::Tuple(parts) => of_parts(parts, place, |part, place| passed(part, place, dense)),
    }
}

fn tuple(parts: &[String]) -> String {
    let parts: Vec<String> = parts.iter().map(|part| format!("{part},")).collect();
    format!("({})", parts.concat())
}
