//! The lifted forms of an operator: programs that apply its example to the rows of regular and of
//! irregular arrays, and two levels deep, where the outer rows may all have two. (At depth 0 the table's examples
//! are programs themselves; here they are called without elements.)
//!
//! In: a record of the operator table. Out: the text of a program with calls in its header. What an
//! example gives is known where all rows are its own arguments; where they are others (back to front,
//! twice over, nothing at all) the interpreter says.

pub mod elements;
pub mod places;

use ragged_compiler::prims::PrimInfo;
use std::fmt::Write;
use syn::{Expr, Type};

/// The program of the operator `info`.
///
/// # Panics
/// If its example is not a function called `example`, or its call not one of that.
pub fn program(info: &PrimInfo) -> String {
    let example = Example::of(info.example, info.call, Some(info.gives), None);
    lifted(&example, &FORMS, &info.example.replacen("pub fn", "fn", 1))
}

/// The program of an example in these forms; its function, and what that needs, is `private`.
fn lifted(example: &Example, forms: &[Form], private: &str) -> String {
    let mut text = String::new();
    for form in forms {
        for part in &example.parts {
            text += &form.calls(example, part);
        }
    }
    let _ = writeln!(text, "\n{private}\n");
    for form in forms {
        for part in &example.parts {
            text += &form.function(example, part);
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
    /// The elements, if their type keeps its sizes whatever is around it.
    elem: Option<Elem>,
}

struct Elem {
    ty: String,
    /// One of them.
    value: String,
}

/// The result, or a component of it: a function gives one, since arrays of products with arrays in them
/// are for deeper levels not taken over the border.
struct Part {
    /// What is added to names of functions.
    name: String,
    /// What takes it from the result.
    field: String,
    ty: Type,
    /// What it is of the call's result, if that is known.
    gives: Option<String>,
}

impl Example {
    /// That of a function and a call of it, which gives this.
    fn of(function: &str, call: &str, gives: Option<&str>, elem: Option<Elem>) -> Example {
        let function: syn::ItemFn = syn::parse_str(function).expect("a function");
        let params = function.sig.inputs.iter().map(|param| match param {
            syn::FnArg::Typed(param) => (*param.ty).clone(),
            syn::FnArg::Receiver(_) => unreachable!("functions have no receiver"),
        });
        let syn::ReturnType::Type(_, ret) = &function.sig.output else {
            panic!("`{call}` gives nothing")
        };
        let (_, args) = crate::header::callee(call).expect("a call");
        let gives = gives.map(|it| syn::parse_str(it).expect("a value"));
        Example {
            params: params.collect(),
            args: args.iter().map(bare).collect(),
            parts: parts(ret, gives.as_ref(), elem.as_ref()),
            elem,
        }
    }
}

fn parts(ret: &Type, gives: Option<&Expr>, elem: Option<&Elem>) -> Vec<Part> {
    let part = |name: String, field, ty: &Type, gives: Option<&Expr>| Part {
        name,
        field,
        ty: ty.clone(),
        gives: gives.map(|gives| text(&bare(gives))),
    };
    let Type::Tuple(types) = ret else {
        return vec![part(String::new(), String::new(), ret, gives)];
    };
    if is(ret, elem) {
        return vec![part(String::new(), String::new(), ret, gives)];
    }
    let component = |at: usize| match gives {
        Some(Expr::Tuple(values)) => Some(&values.elems[at]),
        _unknown => None,
    };
    let parts = types.elems.iter().enumerate();
    let parts = parts.map(|(at, ty)| part(format!("_{at}"), format!(".{at}"), ty, component(at)));
    parts.collect()
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
        let own: &[Change] = &[Change::None; 2];
        let mut calls: Vec<(String, Option<String>)> = Vec::new();
        let mut agrees = |args| calls.push((args, None));
        let (a, b, empty) = (Change::None, Change::Reversed, Change::Empty);
        match self {
            Form::Alone => {
                agrees(example.empty());
                agrees(joined(example.args.iter().map(|arg| Change::Twice.of(arg))));
            }
            Form::Regular => {
                agrees(example.rows(&[a, b, a]));
                agrees(example.rows(&[Change::Twice; 2]));
                agrees(example.empty_rows());
                agrees(example.no_rows());
            }
            Form::Irregular => {
                agrees(example.rows(&[Change::None, Change::Reversed]));
                agrees(example.rows(&[Change::Twice, Change::None]));
                agrees(example.rows(&[Change::Empty, Change::None, Change::Empty]));
                agrees(example.rows(&[]));
            }
            Form::Twice => {
                agrees(example.blocks(&[&[a, b], &[], &[b]]));
                agrees(example.blocks(&[&[a, empty], &[], &[empty], &[b]]));
                agrees(example.blocks(&[&[], &[]]));
                agrees(example.blocks(&[]));
            }
            Form::InPairs => {
                agrees(example.blocks(&[&[a, b], &[b, a]]));
                agrees(example.blocks(&[&[a, empty], &[empty, b]]));
                // A matrix of numbers has both of its extents, also without rows: `[]` would have none.
                let are_arrays = example.params.iter().all(|ty| element(ty).is_some());
                // Columns of products with arrays in them are not compared as they should be yet below
                // rows with a size, for which it takes a row.
                let holds = |elem: &Elem| elem.ty.starts_with('(') && elem.ty.contains('[');
                if are_arrays && !example.elem.as_ref().is_some_and(holds) {
                    agrees(example.blocks(&[]));
                }
            }
        }
        let gives = part.gives.as_ref();
        calls.push(match self {
            Form::Alone => {
                let args = joined(example.args.iter().map(text));
                (args, gives.cloned())
            }
            Form::Regular | Form::Irregular => (
                example.rows(own),
                gives.map(|gives| format!("[{gives}, {gives}]")),
            ),
            Form::InPairs => (
                example.blocks(&[own]),
                gives.map(|gives| format!("[[{gives}], [{gives}]]")),
            ),
            Form::Twice => (
                example.blocks(&[own, &[], &own[1..]]),
                gives.map(|gives| format!("[[{gives}, {gives}], [], [{gives}]]")),
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
        let elem = example.elem.as_ref();
        let types = example.params.iter().enumerate();
        let params = types.map(|(at, ty)| format!("p{at}: {}", self.param(at, ty, elem)));
        format!(
            "pub fn {}{}({}) -> {} {{ {} }}\n",
            self.name(),
            part.name,
            joined(params),
            self.result(&part.ty, elem),
            self.body(example.params.len(), &part.field),
        )
    }

    fn param(self, at: usize, ty: &Type, elem: Option<&Elem>) -> String {
        match self {
            Form::Alone => unsized_(ty, elem),
            Form::Regular => format!("[{}; r]", sized(ty, &format!("s{at}"), elem)),
            Form::Irregular => format!("[{}]", unsized_(ty, elem)),
            Form::Twice => format!("[[{}]]", unsized_(ty, elem)),
            Form::InPairs => format!("[[{}; 2]]", unsized_(ty, elem)),
        }
    }

    fn result(self, ty: &Type, elem: Option<&Elem>) -> String {
        match self {
            Form::Alone => unsized_(ty, elem),
            Form::Regular | Form::Irregular => format!("[{}]", unsized_(ty, elem)),
            Form::Twice => format!("[[{}]]", unsized_(ty, elem)),
            // Turned: two rows, of none each, where there is no pair.
            Form::InPairs => format!("[[{}]]", unsized_(ty, elem)),
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

impl Example {
    /// Arguments, each an array of what the `changes` make of the example's.
    fn rows(&self, changes: &[Change]) -> String {
        joined(self.args.iter().map(|arg| row(arg, changes)))
    }

    /// The same, one level deeper.
    fn blocks(&self, changes: &[&[Change]]) -> String {
        joined(self.args.iter().map(|arg| {
            let blocks = changes.iter().map(|changes| row(arg, changes));
            format!("[{}]", joined(blocks))
        }))
    }

    /// Arguments without elements.
    fn empty(&self) -> String {
        let args = self.args.iter().zip(&self.params);
        joined(args.map(|(arg, ty)| element(ty).map_or_else(|| text(arg), |elem| self.none(elem))))
    }

    /// Arguments of two rows without elements.
    fn empty_rows(&self) -> String {
        let args = self.args.iter().zip(&self.params);
        joined(args.map(|(arg, ty)| {
            let row = element(ty).map_or_else(|| text(arg), |elem| self.none(elem));
            format!("[{row}, {row}]")
        }))
    }

    /// Arguments without rows.
    fn no_rows(&self) -> String {
        joined(self.params.iter().map(|ty| self.none(ty)))
    }

    /// No elements of type `ty`, which would have the sizes that elements keep.
    fn none(&self, ty: &Type) -> String {
        match (&self.elem, element(ty)) {
            (Some(elem), _) if elem.ty == text(ty) => format!("[{}; 0]", elem.value),
            (Some(_), Some(inner)) => format!("[{}; 0]", self.none(inner)),
            (Some(_), None) | (None, _) => "[]".to_owned(),
        }
    }
}

fn row(arg: &Expr, changes: &[Change]) -> String {
    format!("[{}]", joined(changes.iter().map(|change| change.of(arg))))
}

fn element(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Slice(slice) => Some(&slice.elem),
        Type::Array(array) => Some(&array.elem),
        _scalar => None,
    }
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// `ty` with a size for each array in it that has none, down to `elem`; `name` begins their names.
fn sized(ty: &Type, name: &str, elem: Option<&Elem>) -> String {
    match ty {
        same if is(same, elem) => text(same),
        Type::Slice(slice) => {
            let inner = sized(&slice.elem, &format!("{name}_"), elem);
            format!("[{inner}; {name}]")
        }
        Type::Array(array) => {
            let inner = sized(&array.elem, name, elem);
            format!("[{inner}; {}]", text(&array.len))
        }
        scalar => text(scalar),
    }
}

/// `ty` without sizes, down to `elem`.
fn unsized_(ty: &Type, elem: Option<&Elem>) -> String {
    match ty {
        same if is(same, elem) => text(same),
        Type::Slice(slice) => format!("[{}]", unsized_(&slice.elem, elem)),
        Type::Array(array) => format!("[{}]", unsized_(&array.elem, elem)),
        scalar => text(scalar),
    }
}

/// Whether `ty` is that of the elements.
fn is(ty: &Type, elem: Option<&Elem>) -> bool {
    elem.is_some_and(|elem| elem.ty == text(ty))
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
