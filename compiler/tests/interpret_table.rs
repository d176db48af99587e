//! The example of each operator's record gives what the record says, as it is written, with the operator
//! as a method throughout, and as a free function; a new operator without either form fails here. The
//! functions of scalars are methods and free functions, too.

mod interpret_support;

use interpret_support::text::{call, program, value};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{format_ident, quote};
use ragged_compiler::interpret::{Value, find};
use ragged_compiler::prims::{COMPLEX_FNS, PrimInfo, SCALAR_FNS, Scalar, ScalarFn, records};
use ragged_compiler::typed::ir::{Function, ParamType, SigType};
use ragged_compiler::typed::print::print;

/// How calls of a name are written.
#[derive(Clone, Copy)]
enum Form {
    Method,
    Free,
}

/// `tokens` with each call of `name` in that form.
fn rewritten(tokens: TokenStream, name: &str, form: Form) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    let mut rest = tokens.into_iter().peekable();
    while let Some(tree) = rest.next() {
        let tree = inside(tree, name, form);
        let arguments = match rest.peek() {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
                Some(group.stream())
            }
            _no_call => None,
        };
        let called = matches!(&tree, TokenTree::Ident(ident) if *ident == name);
        match arguments.filter(|_| called) {
            Some(arguments) => {
                rest.next();
                let arguments = rewritten(arguments, name, form);
                let (first, others) = match is_dot(out.last()) {
                    true => {
                        out.pop();
                        (receiver(&mut out), arguments)
                    }
                    false => split(arguments),
                };
                let name = format_ident!("{name}");
                out.extend(match form {
                    Form::Method => quote!((#first).#name(#others)),
                    Form::Free => quote!(#name(#first, #others)),
                });
            }
            None => out.push(tree),
        }
    }
    out.into_iter().collect()
}

fn inside(tree: TokenTree, name: &str, form: Form) -> TokenTree {
    match tree {
        TokenTree::Group(group) => {
            let stream = rewritten(group.stream(), name, form);
            proc_macro2::Group::new(group.delimiter(), stream).into()
        }
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => tree,
    }
}

fn is_dot(tree: Option<&TokenTree>) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == '.')
}

/// Takes what the method at the end is called of: `xs`, `zip(xs, ys)`, `a.b[i]`.
fn receiver(out: &mut Vec<TokenTree>) -> TokenStream {
    let belongs = |tree: &TokenTree| match tree {
        TokenTree::Punct(_) => is_dot(Some(tree)),
        TokenTree::Ident(ident) => ident != "in",
        TokenTree::Group(_) | TokenTree::Literal(_) => true,
    };
    let from = out.iter().rposition(|tree| !belongs(tree));
    out.drain(from.map_or(0, |at| at + 1)..).collect()
}

/// The first argument and the others. No first argument of an example is a closure.
fn split(arguments: TokenStream) -> (TokenStream, TokenStream) {
    let mut first = TokenStream::new();
    let mut rest = arguments.into_iter();
    for tree in rest.by_ref() {
        if matches!(&tree, TokenTree::Punct(punct) if punct.as_char() == ',') {
            break;
        }
        first.extend([tree]);
    }
    (first, rest.collect())
}

/// A block with `name` as a method and as a free function.
fn in_both_forms(text: &str, name: &str) -> [String; 2] {
    let tokens: TokenStream = text.parse().expect("tokens");
    let [method, free] =
        [Form::Method, Form::Free].map(|form| rewritten(tokens.clone(), name, form).to_string());
    assert!(method.contains(&format!(") . {name} (")), "{method}");
    assert!(free.contains(&format!(" {name} (")), "{free}");
    assert!(!free.contains(&format!(". {name} (")), "{free}");
    [method, free]
}

fn check(info: &PrimInfo) {
    let [method, free] = in_both_forms(info.example, info.name);
    for text in [info.example, &method, &free] {
        let program = program(text);
        let func = find(&program, "example").expect("a function `example`");
        let function = &program.functions[func.index()];
        let gives = syn::parse_str(info.gives).expect("an expression");
        let expected = value(&gives, &function.ret);
        let actual = call(text, arguments(info, function));
        assert_eq!(actual, Ok(expected), "{text}");
    }
}

fn arguments(info: &PrimInfo, function: &Function) -> Vec<Value> {
    let call: syn::ExprCall = syn::parse_str(info.call).expect("a call");
    let params = function.params.iter().map(|param| sig(&param.ty));
    let args = call.args.iter().zip(params);
    args.map(|(arg, sig)| value(arg, sig)).collect()
}

fn sig(ty: &ParamType) -> &SigType {
    match ty {
        ParamType::Value(sig) => sig,
        ParamType::Fn { .. } => panic!("an exported function takes no functions"),
    }
}

#[test]
fn examples_give_what_the_table_says_in_both_forms() {
    records().for_each(check);
}

/// Both forms are typed alike: they print the same.
fn alike(text: &str, name: &str) {
    let [method, free] = in_both_forms(text, name).map(|text| print(&program(&text)));
    assert_eq!(method, free);
}

fn of_scalars(function: &ScalarFn) {
    let domain = Scalar::ALL.into_iter().find(|it| function.domain.has(*it));
    let first = domain.expect("a type in each domain");
    let (first, rest) = (first.name(), function.rest.of(first).name());
    let arguments = ["x", "y", "y"][..function.arity].join(", ");
    let name = function.name;
    alike(
        &format!("pub fn f(x: {first}, y: {rest}) -> i32 {{ let z = {name}({arguments}); 0 }}"),
        name,
    );
}

#[test]
fn functions_of_scalars_are_methods_and_free_functions() {
    SCALAR_FNS.iter().for_each(of_scalars);
    for function in COMPLEX_FNS {
        let name = function.name;
        let text = format!("pub fn f(x: Complex<f32>) -> i32 {{ let z = {name}(x); 0 }}");
        alike(&text, name);
    }
}
