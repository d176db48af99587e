//! The lifted forms of an operator: programs that apply its example to the rows of regular and of
//! irregular arrays, and two levels deep, where the outer rows may all have two. (At depth 0 the table's examples
//! are programs themselves; here they are called without elements.)
//!
//! In: a record of the operator table. Out: the text of a program with calls in its header. What an
//! example gives is known where all rows are its own arguments; where they are others (back to front,
//! twice over, nothing at all) the interpreter says.

use ragged_compiler::prims::PrimInfo;
use std::fmt::Write;
use syn::{Expr, Type};

/// The program of the operator `info`.
///
/// # Panics
/// If its example is not a function called `example`, or its call not one of that.
pub fn program(info: &PrimInfo) -> String {
    let example = Example::of(info);
    let mut text = String::new();
    for form in FORMS {
        for part in &example.parts {
            text += &form.calls(&example, part);
        }
    }
    let private = info.example.replacen("pub fn", "fn", 1);
    let _ = writeln!(text, "\n{private}\n");
    for form in FORMS {
        for part in &example.parts {
            text += &form.function(&example, part);
        }
    }
    text
}

/// The example of an operator.
struct Example {
    params: Vec<Type>,
    /// The arguments of its call.
    args: Vec<Expr>,
    parts: Vec<Part>,
}

/// The result, or a component of it: a function gives one, since arrays of products with arrays in them
/// are for deeper levels not taken over the border.
struct Part {
    /// What is added to names of functions.
    name: String,
    /// What takes it from the result.
    field: String,
    ty: Type,
    gives: String,
}

impl Example {
    fn of(info: &PrimInfo) -> Example {
        let function: syn::ItemFn = syn::parse_str(info.example).expect("a function");
        let params = function.sig.inputs.iter().map(|param| match param {
            syn::FnArg::Typed(param) => (*param.ty).clone(),
            syn::FnArg::Receiver(_) => unreachable!("functions have no receiver"),
        });
        let syn::ReturnType::Type(_, ret) = &function.sig.output else {
            panic!("`{}`: its example gives nothing", info.name)
        };
        let (_, args) = crate::header::callee(info.call).expect("a call");
        let gives: Expr = syn::parse_str(info.gives).expect("a value");
        Example {
            params: params.collect(),
            args: args.iter().map(bare).collect(),
            parts: parts(ret, &gives),
        }
    }
}

fn parts(ret: &Type, gives: &Expr) -> Vec<Part> {
    let part = |name: String, field, ty: &Type, gives: &Expr| Part {
        name,
        field,
        ty: ty.clone(),
        gives: text(&bare(gives)),
    };
    match (ret, gives) {
        (Type::Tuple(types), Expr::Tuple(values)) => {
            let parts = types.elems.iter().zip(&values.elems).enumerate();
            let parts =
                parts.map(|(at, (ty, gives))| part(format!("_{at}"), format!(".{at}"), ty, gives));
            parts.collect()
        }
        _one => vec![part(String::new(), String::new(), ret, gives)],
    }
}

/// Where an operator stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Alone,
    Regular,
    Irregular,
    Twice,
    InPairs,
}

const FORMS: [Form; 5] = [
    Form::Alone,
    Form::Regular,
    Form::Irregular,
    Form::Twice,
    Form::InPairs,
];

impl Form {
    fn name(self) -> &'static str {
        match self {
            Form::Alone => "alone",
            Form::Regular => "regular",
            Form::Irregular => "irregular",
            Form::Twice => "twice",
            Form::InPairs => "in_pairs",
        }
    }

    /// The header lines with its calls.
    fn calls(self, example: &Example, part: &Part) -> String {
        let gives = &part.gives;
        let own: &[Change] = &[Change::None; 2];
        let mut calls: Vec<(String, Option<String>)> = Vec::new();
        let mut agrees = |args| calls.push((args, None));
        let (a, b, empty) = (Change::None, Change::Reversed, Change::Empty);
        match self {
            Form::Alone => {
                let args = |change: Change| joined(example.args.iter().map(|arg| change.of(arg)));
                agrees(args(empty));
                agrees(args(Change::Twice));
            }
            Form::Regular => {
                agrees(rows(
                    example,
                    &[Change::None, Change::Reversed, Change::None],
                ));
                agrees(rows(example, &[Change::Twice; 2]));
                agrees(rows(example, &[]));
            }
            Form::Irregular => {
                agrees(rows(example, &[Change::None, Change::Reversed]));
                agrees(rows(example, &[Change::Twice, Change::None]));
                agrees(rows(example, &[Change::Empty, Change::None, Change::Empty]));
                agrees(rows(example, &[]));
            }
            Form::Twice => {
                agrees(blocks(example, &[&[a, b], &[], &[b]]));
                agrees(blocks(example, &[&[a, empty], &[], &[empty], &[b]]));
                agrees(blocks(example, &[&[], &[]]));
                agrees(blocks(example, &[]));
            }
            Form::InPairs => {
                agrees(blocks(example, &[&[a, b], &[b, a]]));
                agrees(blocks(example, &[&[a, empty], &[empty, b]]));
                // A matrix of numbers has both of its extents, also without rows: `[]` would have none.
                let is_array = |ty| matches!(ty, &Type::Slice(_) | &Type::Array(_));
                if example.params.iter().all(is_array) {
                    agrees(blocks(example, &[]));
                }
            }
        }
        calls.push(match self {
            Form::Alone => {
                let args = joined(example.args.iter().map(text));
                (args, Some(gives.clone()))
            }
            Form::Regular | Form::Irregular => {
                (rows(example, own), Some(format!("[{gives}, {gives}]")))
            }
            Form::InPairs => (
                blocks(example, &[own]),
                Some(format!("[[{gives}], [{gives}]]")),
            ),
            Form::Twice => (
                blocks(example, &[own, &[], &own[1..]]),
                Some(format!("[[{gives}, {gives}], [], [{gives}]]")),
            ),
        });
        let calls = calls.into_iter().map(|(args, gives)| {
            let outcome = gives.map_or(" agrees".to_owned(), |gives| format!(" => {gives}"));
            format!("// call: {}{}({args}){outcome}\n", self.name(), part.name)
        });
        calls.collect()
    }

    /// The exported function.
    fn function(self, example: &Example, part: &Part) -> String {
        let types = example.params.iter().enumerate();
        let params = types.map(|(at, ty)| format!("p{at}: {}", self.param(at, ty)));
        format!(
            "pub fn {}{}({}) -> {} {{ {} }}\n",
            self.name(),
            part.name,
            joined(params),
            self.result(&part.ty),
            self.body(example.params.len(), &part.field),
        )
    }

    fn param(self, at: usize, ty: &Type) -> String {
        match self {
            Form::Alone => unsized_(ty),
            Form::Regular => format!("[{}; r]", sized(ty, &format!("s{at}"))),
            Form::Irregular => format!("[{}]", unsized_(ty)),
            Form::Twice => format!("[[{}]]", unsized_(ty)),
            Form::InPairs => format!("[[{}; 2]]", unsized_(ty)),
        }
    }

    fn result(self, ty: &Type) -> String {
        match self {
            Form::Alone => unsized_(ty),
            Form::Regular | Form::Irregular => format!("[{}]", unsized_(ty)),
            Form::Twice => format!("[[{}]]", unsized_(ty)),
            // Turned: two rows, of none each, where there is no pair.
            Form::InPairs => format!("[[{}]]", unsized_(ty)),
        }
    }

    fn body(self, params: usize, field: &str) -> String {
        let names = |letter: &str| joined((0..params).map(|at| format!("{letter}{at}")));
        let each = |letter: &str, of: &str, body: String| match params {
            1 => format!("for {letter}0 in {of}0 {{ {body} }}"),
            _ => format!("for ({}) in zip({}) {{ {body} }}", names(letter), names(of)),
        };
        let used = |letter: &str| format!("example({}){field}", names(letter));
        match self {
            Form::Alone => used("p"),
            Form::Regular | Form::Irregular => each("q", "p", used("q")),
            Form::Twice => each("q", "p", each("o", "q", used("o"))),
            Form::InPairs => format!(
                "({}).transpose()",
                each("q", "p", each("o", "q", used("o")))
            ),
        }
    }
}

/// What is done to the arguments of the example.
#[derive(Clone, Copy)]
enum Change {
    None,
    /// Arrays back to front.
    Reversed,
    /// Arrays twice, one after the other.
    Twice,
    /// Arrays without elements.
    Empty,
}

impl Change {
    fn of(self, arg: &Expr) -> String {
        let Expr::Array(array) = arg else {
            return text(arg);
        };
        let elements: Vec<String> = array.elems.iter().map(text).collect();
        let elements = match self {
            Change::None => elements,
            Change::Reversed => elements.into_iter().rev().collect(),
            Change::Twice => [elements.as_slice(), &elements].concat(),
            Change::Empty => Vec::new(),
        };
        format!("[{}]", elements.join(", "))
    }
}

/// Arguments, each an array of what the `changes` make of the example's.
fn rows(example: &Example, changes: &[Change]) -> String {
    joined(example.args.iter().map(|arg| row(arg, changes)))
}

fn row(arg: &Expr, changes: &[Change]) -> String {
    format!("[{}]", joined(changes.iter().map(|change| change.of(arg))))
}

/// The same, one level deeper.
fn blocks(example: &Example, changes: &[&[Change]]) -> String {
    joined(example.args.iter().map(|arg| {
        let blocks = changes.iter().map(|changes| row(arg, changes));
        format!("[{}]", joined(blocks))
    }))
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// `ty` with a size for each array in it that has none; `name` begins their names.
fn sized(ty: &Type, name: &str) -> String {
    match ty {
        Type::Slice(slice) => {
            format!("[{}; {name}]", sized(&slice.elem, &format!("{name}_")))
        }
        Type::Array(array) => format!("[{}; {}]", sized(&array.elem, name), text(&array.len)),
        scalar => text(scalar),
    }
}

/// `ty` without sizes.
fn unsized_(ty: &Type) -> String {
    match ty {
        Type::Slice(slice) => format!("[{}]", unsized_(&slice.elem)),
        Type::Array(array) => format!("[{}]", unsized_(&array.elem)),
        scalar => text(scalar),
    }
}

/// An array as `[…]`, not borrowed.
fn bare(expr: &Expr) -> Expr {
    match expr {
        Expr::Reference(inner) => bare(&inner.expr),
        Expr::Macro(vec) => {
            let elements = &vec.mac.tokens;
            syn::parse_str(&format!("[{elements}]")).expect("elements")
        }
        other => other.clone(),
    }
}

fn text(part: &impl quote::ToTokens) -> String {
    part.to_token_stream().to_string()
}
