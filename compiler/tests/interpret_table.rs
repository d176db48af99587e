//! The example of each operator's record gives what the record says.

mod interpret_support;

use interpret_support::text::{call, program, value};
use ragged_compiler::interpret::{Value, find};
use ragged_compiler::prims::{PrimInfo, records};
use ragged_compiler::typed::ir::{Function, ParamType, SigType};

fn sig(ty: &ParamType) -> &SigType {
    match ty {
        ParamType::Value(sig) => sig,
        ParamType::Fn { .. } => panic!("an exported function takes no functions"),
    }
}

fn arguments(info: &PrimInfo, function: &Function) -> Vec<Value> {
    let call: syn::ExprCall = syn::parse_str(info.call).expect("a call");
    let params = function.params.iter().map(|param| sig(&param.ty));
    let args = call.args.iter().zip(params);
    args.map(|(arg, sig)| value(arg, sig)).collect()
}

fn check(info: &PrimInfo) {
    let program = program(info.example);
    let func = find(&program, "example").expect("a function `example`");
    let function = &program.functions[func.index()];
    let gives = syn::parse_str(info.gives).expect("an expression");
    let expected = value(&gives, &function.ret);
    let actual = call(info.example, arguments(info, function));
    assert_eq!(actual, Ok(expected), "{}", info.name);
}

#[test]
fn examples_give_what_the_table_says() {
    records().for_each(check);
}
