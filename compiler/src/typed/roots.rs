//! What is typed without being called: exported functions and their instances, and what nobody uses.

use super::consts;
use super::demand::Class;
use super::function;
use super::scope::{Session, place};
use super::signature;
use crate::prims::{Scalar, component};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::ir as ast;
use crate::typed::ir::{Export, SigType, Type};

/// Evaluates the constants of the block, used or not.
pub(super) fn check_consts(session: &mut Session<'_>, block: usize) {
    for index in 0..session.consts.len() {
        if session.consts[index].unit == block {
            consts::value(session, index);
        }
    }
}

/// Makes all exported instances of the block, then types what no other function has used.
pub(super) fn check_functions(session: &mut Session<'_>, block: usize) {
    let of_block: Vec<usize> = (0..session.decls.len())
        .filter(|decl| session.decls[*decl].unit == block)
        .collect();
    for decl in &of_block {
        if let Some(export) = &session.decls[*decl].ast.export {
            self::export(session, *decl, export);
        }
    }
    let reachable = session.functions.len();
    for decl in of_block {
        let ast = session.decls[decl].ast;
        if ast.export.is_none() && ast.generics.is_empty() {
            function::instance(session, decl, &[]);
        } else if !session.instances.keys().any(|(used, _)| *used == decl) {
            check_signature(session, decl);
        }
    }
    session.functions.truncate(reachable);
    check_names(session, block);
}

// Rust sees what a block exports under one name each: an instance of a generic function has a name
// that is written nowhere, and a function is a type as well, as a struct is.
fn check_names(session: &mut Session<'_>, block: usize) {
    let structs = session.structs.iter().filter(|it| it.unit == block);
    let structs = structs.filter(|it| it.ast.outside.is_none());
    let mut taken: Vec<Exported<'_>> = structs
        .map(|it| Exported {
            name: &it.ast.name.text,
            src: place(&it.ast.name),
            is_instance: false,
        })
        .collect();
    let mut errors = Vec::new();
    for function in &session.functions {
        let Some(export) = &function.export else {
            continue;
        };
        let exported = Exported {
            name: &export.name,
            src: SrcSpan::token(function.ident.span()),
            is_instance: !export.instance.is_empty(),
        };
        match taken.iter().find(|other| other.name == exported.name) {
            Some(first) => errors.push(namesakes(&function.name, &exported, first)),
            None => taken.push(exported),
        }
    }
    session.errors.extend(errors);
}

// A name that Rust sees.
struct Exported<'a> {
    name: &'a str,
    src: SrcSpan,
    is_instance: bool,
}

fn namesakes(function: &str, exported: &Exported<'_>, first: &Exported<'_>) -> Diagnostic {
    let name = exported.name;
    if exported.src.start() == first.src.start() {
        let title = format!("two instances of `{function}` are named `{name}`");
        return Diagnostic::new(exported.src, title)
            .note("an instance is named after the scalars and structs in its types")
            .help("leave one out, and export a function of another name that calls this one");
    }
    Diagnostic::new(exported.src, format!("`{name}` is defined twice"))
        .note(match exported.is_instance || first.is_instance {
            true => "an instance has the names of its types behind the function's",
            false => "an exported function is a type of its name as well",
        })
        .help("give one of them another name")
        .also(first.src, format!("`{name}` is defined here first"))
}

// Of a generic function that nobody calls, the types are looked up.
fn check_signature(session: &mut Session<'_>, decl: usize) {
    let (ast, unit) = (session.decls[decl].ast, session.decls[decl].unit);
    let names = ast.generics.iter().map(|generic| &*generic.name.text);
    let generics: Vec<_> = names
        .map(|name| (name, Type::Scalar(Scalar::F32)))
        .collect();
    let _ = signature::of(session, unit, ast, &generics);
}

// Whether there are instances, and of how many types each, is grammar.
fn export<'a>(session: &mut Session<'a>, decl: usize, export: &'a ast::Export) {
    let ast = session.decls[decl].ast;
    for param in &ast.params {
        if let ast::ParamType::Fn { .. } = &param.ty {
            let what = "a function parameter of an exported function";
            let error = Diagnostic::unsupported(param.src, what)
                .help("take off `pub`: functions of this block can call it");
            session.errors.push(error);
        }
    }
    if ast.generics.is_empty() {
        return export_instance(session, decl, export, Vec::new());
    }
    for types in &export.instances {
        if let Some(types) = instance_types(session, decl, types) {
            export_instance(session, decl, export, types);
        }
    }
}

// The types of an instance, checked against the bounds.
fn instance_types<'a>(
    session: &mut Session<'a>,
    decl: usize,
    types: &'a [ast::Type],
) -> Option<Vec<Type>> {
    let (ast, unit) = (session.decls[decl].ast, session.decls[decl].unit);
    let lowered: Vec<_> = types
        .iter()
        .map(|ty| signature::plain(session, unit, ty))
        .collect();
    let lowered: Vec<Type> = lowered
        .iter()
        .map(|sig| sig.as_ref().map(SigType::erased))
        .collect::<Option<_>>()?;
    for ((generic, ty), written) in ast.generics.iter().zip(&lowered).zip(types) {
        if Class::of_bound(generic.bound).is_some_and(|class| !class.allows(ty)) {
            let bound = format!("`{}: {:?}`", generic.name.text, generic.bound);
            let title = format!("this type does not satisfy {bound}");
            let error = Diagnostic::new(written.src, title);
            session.errors.push(error);
            return None;
        }
    }
    Some(lowered)
}

fn export_instance(session: &mut Session<'_>, decl: usize, export: &ast::Export, types: Vec<Type>) {
    let mut name = session.decls[decl].ast.name.text.clone();
    for ty in &types {
        name.push('_');
        name.push_str(&suffix(session, ty));
    }
    let Some(id) = function::instance(session, decl, &types) else {
        return;
    };
    session.functions[id.index()].export = Some(Export {
        vis: export.vis.clone(),
        docs: export.docs.clone(),
        shown: name.clone(),
        name,
        instance: types,
        contracts: export.contracts.clone(),
    });
}

// `f32`, `i32_f64` for a tuple, a struct's name.
fn suffix(session: &Session<'_>, ty: &Type) -> String {
    match ty {
        Type::Scalar(scalar) => scalar.name().into(),
        Type::Struct(id) => match component(*id) {
            Some(part) => format!("complex_{}", part.name()),
            None => session.struct_names[id.index()].clone(),
        },
        Type::Tuple(fields) => {
            let fields: Vec<_> = fields.iter().map(|field| suffix(session, field)).collect();
            fields.join("_")
        }
        Type::Array(elem) => suffix(session, elem),
    }
}
