//! Arrays of several axes in Rust's types: what callers pass and get.

use ragged_compiler::emit::rust::border::{
    finished_result, new_result, out_type, outs, param_type, result_type,
};
use ragged_compiler::emit::rust::slots::{SlotKind, slots};
use ragged_compiler::expand;
use ragged_compiler::ids::Var;
use ragged_compiler::shaped::border::border_type;
use ragged_compiler::typed::ir::{ParamType, Program, SigType};
use ragged_compiler::{syntax, typed};

fn program(text: &str) -> Program {
    let parsed = syntax::parse(text.parse().expect("tokens"));
    assert!(parsed.errors.propagate().is_ok(), "{text}");
    typed::infer(&parsed.program).unwrap_or_else(|_| panic!("refused: {text}"))
}

/// The type of the only parameter, and the program.
fn param(ty: &str) -> (SigType, Program) {
    let text = format!(
        "struct P {{ x: f32, at: (u8, bool) }} struct Q {{ v: [f32; 3], m: f64 }}
         pub fn f(a: {ty}) -> usize {{ 1 }}"
    );
    let program = program(&text);
    match &program.functions[0].params[0].ty {
        ParamType::Value(ty) => (border_type(ty), program),
        ParamType::Fn { .. } => unreachable!("it is a value"),
    }
}

fn squeezed(text: &str) -> String {
    text.replace("::core::primitive::", "")
        .replace("::ragged::", "")
        .replace("::std::vec::", "")
}

#[test]
fn the_rank_is_the_number_of_levels() {
    for (ty, taken, given) in [
        ("[f32; n]", "impl AsArray<f32>", "Vec<f32>"),
        ("[[f32; m]; n]", "impl AsDense<f32, 2>", "Dense<f32, 2>"),
        ("[[f32; 4]; n]", "impl AsDense<f32, 2>", "Dense<f32, 2>"),
        ("[[[u8; m]; m]]", "impl AsDense<u8, 3>", "Dense<u8, 3>"),
        (
            "[[[[[[bool; j]; k]; l]; m]; n]; o]",
            "impl AsDense<bool, 6>",
            "Dense<bool, 6>",
        ),
        (
            "[[(i8, f64); m]; n]",
            "impl AsDense<(i8,f64,), 2>",
            "Dense<(i8,f64,), 2>",
        ),
        ("[[P; m]; n]", "impl AsDense<P, 2>", "Dense<P, 2>"),
        (
            "[(i8, f64)]",
            "impl AsProducts<(i8,f64,), 0>",
            "Vec<(i8,f64,)>",
        ),
        ("[P]", "impl AsArray<P>", "Vec<P>"),
        ("[[f32]]", "impl AsRagged<f32, 1>", "Ragged<f32>"),
        (
            "[[[(i8, P)]]; n]",
            "impl AsProducts<(i8,P,), 2>",
            "Ragged<Ragged<(i8,P,)>>",
        ),
        (
            "[[[f32; 3]]]",
            "impl AsRagged<f32, 2>",
            "Ragged<Ragged<f32>>",
        ),
        (
            "[[[f32]; 3]]",
            "impl AsRagged<f32, 2>",
            "Ragged<Ragged<f32>>",
        ),
        (
            "[[[f32]; m]; n]",
            "impl AsRagged<f32, 2>",
            "Ragged<Ragged<f32>>",
        ),
        (
            "([[f32; m]; n], i32)",
            "(impl AsDense<f32, 2>,i32,)",
            "(Dense<f32, 2>,i32,)",
        ),
    ] {
        let (sig, program) = param(ty);
        assert_eq!(squeezed(&param_type(&sig, &program.structs)), taken, "{ty}");
        assert_eq!(
            squeezed(&result_type(&sig, &program.structs)),
            given,
            "{ty}"
        );
    }
}

#[test]
fn products_with_arrays_in_them_are_distributed() {
    for (ty, taken) in [
        (
            "[(f32, [u8; 3]); n]",
            "(impl AsArray<f32>,impl AsDense<u8, 2>,)",
        ),
        ("[([f32], u8)]", "(impl AsRagged<f32, 1>,impl AsArray<u8>,)"),
        ("[Q; n]", "(impl AsDense<f32, 2>,impl AsArray<f64>,)"),
        (
            "[[([(f32, P); k], (i8, i16)); m]; n]",
            "(impl AsDense<(f32,P,), 3>,impl AsDense<(i8,i16,), 2>,)",
        ),
        (
            "[[([f32], P)]]",
            "(impl AsRagged<f32, 2>,impl AsRagged<P, 1>,)",
        ),
        (
            "[[([f32], [u8; 2], P); m]; n]",
            "(impl AsRagged<f32, 2>,impl AsDense<u8, 3>,impl AsDense<P, 2>,)",
        ),
        (
            "([[Q]], Q)",
            "((impl AsRagged<f32, 2>,impl AsRagged<f64, 1>,),(impl AsArray<f32>,f64,),)",
        ),
    ] {
        let (sig, program) = param(ty);
        assert_eq!(squeezed(&param_type(&sig, &program.structs)), taken, "{ty}");
    }
}

#[test]
fn the_inner_function_gets_elements_and_shape() {
    let (sig, program) = param("([[P; m]; n], f32, [[[u8; 3]; m]; n], [i8; n], [[[(u8, f32)]]])");
    let vars: Vec<Var> = (0..10).map(Var).collect();
    let found: Vec<String> = slots(7, &sig, &vars, &program.structs)
        .into_iter()
        .map(|slot| {
            let (name, ty, path) = (slot.name, slot.ty, slot.path);
            match slot.kind {
                SlotKind::Scalar(var) => format!("{name}: {ty} at {path} is v{}", var.0),
                SlotKind::Offsets {
                    level,
                    array: (var, field),
                } => format!(
                    "{name}: {ty} at {path}, level {level}: v{} {}",
                    var.0, field.field
                ),
                SlotKind::Array(form, components) => {
                    let components: Vec<String> = components
                        .iter()
                        .map(|(var, field)| format!("v{} {}{}", var.0, field.field, field.path))
                        .collect();
                    format!(
                        "{name}: {ty} at {path}, {form:?}: {}",
                        components.join(", ")
                    )
                }
            }
        })
        .collect();
    assert_eq!(
        found,
        [
            "p7_0: &[__S2] at .0, Dense(2): v0 p7_0.x, v1 p7_0.at.0, v2 p7_0.at.1",
            "v3: f32 at .1 is v3",
            "p7_2: &[u8] at .2, Dense(3): v4 p7_2",
            "p7_3: &[i8] at .3, Flat: v5 p7_3",
            "p7_4: &[i64] at .4, level 0: v6 p7_4",
            "p7_5: &[i64] at .4, level 1: v7 p7_5",
            "p7_6: S7_6 at .4, Ragged(2): v8 p7_6.0, v9 p7_6.1",
        ]
    );
}

#[test]
fn results_are_written_and_then_converted() {
    let (sig, program) = param("([[(f32, u8); m]; n], f32, [i8; n])");
    let structs = &program.structs;
    assert_eq!(
        squeezed(&out_type(&sig, structs)),
        "(&mut (impl AsDenseOut<(f32,u8,), 2> + ?::core::marker::Sized),&mut f32,\
         &mut (impl AsArrayOut<i8> + ?::core::marker::Sized),)"
    );
    assert_eq!(
        squeezed(&new_result(&sig, structs)),
        "(<DenseVec<(f32,u8,), 2> as ::core::default::Default>::default(),\
         <_ as ::core::default::Default>::default(),<_ as ::core::default::Default>::default(),)"
    );
    assert_eq!(
        finished_result(&sig, "out"),
        "(::core::convert::Into::into(out.0),out.1,out.2,)"
    );
    let found: Vec<(String, String, usize)> = outs(&sig, "out", structs)
        .into_iter()
        .map(|out| (out.ty, squeezed(&out.place), out.rank))
        .collect();
    let expected = [
        (
            "__r::DenseOut<'_, (f32,u8,), 2>",
            "AsDenseOut::dense_out(out.0)",
            2,
        ),
        ("&mut f32", "out.1", 0),
        ("__r::ArrayOut<'_, i8>", "AsArrayOut::array_out(out.2)", 1),
    ];
    assert_eq!(
        found,
        expected.map(|(ty, place, rank)| (ty.to_owned(), place.to_owned(), rank))
    );
}

/// A block that does not compile takes and gives the same types.
#[test]
fn stand_ins_have_the_same_types() {
    let text = "pub fn f(a: [[f32; m]; n], b: ([[[(u8, i8); 3]; m]; n], [bool]), c: [[f32]])
                    -> [[f64; n]; n] { unknown }";
    let emitted = expand(text.parse().expect("tokens")).to_string();
    let emitted = emitted.replace(' ', "");
    for part in [
        "impl::ragged::AsDense<::core::primitive::f32,2usize>",
        "(impl::ragged::AsDense<(::core::primitive::u8,::core::primitive::i8,),3usize>,\
         impl::ragged::AsArray<::core::primitive::bool>,)",
        "_:impl::core::marker::Sized",
        "->::ragged::Result<::ragged::Dense<::core::primitive::f64,2usize>>",
        "_:&mut(impl::ragged::AsDenseOut<::core::primitive::f64,2usize>+?::core::marker::Sized)",
    ] {
        assert!(emitted.contains(part), "{part} in\n{emitted}");
    }
}
