//! What random programs are made of, beside the operator table: an operator that none of them has is
//! not tested by them.

use ragged_compiler::interpret::Value;
use ragged_compiler::prims::{COMPLEX_FNS, SCALAR_FNS, Scalar, record, records};
use ragged_compiler::shaped;
use ragged_compiler::values::Repr;
use ragged_test_support::{random, typing};
use std::collections::{BTreeMap, HashSet};

/// As many as CI compiles.
const PROGRAMS: u64 = 500;
/// Of how many each operator must be a part, at least.
const LEAST: usize = 2;

/// What is no operator, and no function of scalars, and must occur too.
const FORMS: &[&str] = &[
    "if", "match", "for", "while", "loop", "break", "continue", "let", "mut", "assert", "as",
    "zip", "fast", "Complex", "complex", "re", "im",
];

/// In how many programs each word occurs; of `rev`, in how many as a method or function.
fn words(programs: u64) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for number in 0..programs {
        let text = random::program(1, number).tree.to_string();
        let words = text.split(|it: char| !it.is_alphanumeric() && it != '_');
        for word in words.collect::<HashSet<_>>() {
            *found.entry(word.to_owned()).or_default() += 1;
        }
    }
    found
}

#[test]
fn random_programs_have_every_operator() {
    let found = words(PROGRAMS);
    let count = |name: &str| found.get(name).copied().unwrap_or_default();
    let names = records()
        .map(|info| info.name)
        .chain(SCALAR_FNS.iter().map(|function| function.name))
        .chain(COMPLEX_FNS.iter().map(|function| function.name))
        .chain(Scalar::ALL.iter().map(|scalar| scalar.name()))
        .chain(FORMS.iter().copied());
    let mut rare = Vec::new();
    for name in names {
        println!("{name:20} {:4}", count(name));
        if count(name) < LEAST {
            rare.push(format!("`{name}` in {}", count(name)));
        }
    }
    assert!(
        rare.is_empty(),
        "of {PROGRAMS} random programs, too few have these: {}; \
         make them in `tests/support/src/random`",
        rare.join(", ")
    );
}

/// Operators of sequences, calls of functions over these, and `for`.
const OF_SEQUENCES: &[&str] = &[
    "all",
    "any",
    "call",
    "chain",
    "chunks",
    "chunks_exact",
    "collect",
    "count",
    "elements",
    "enumerate",
    "filter",
    "flat_map",
    "fold",
    "for",
    "last",
    "last_or",
    "map",
    "max",
    "max_or",
    "min",
    "min_or",
    "prescan",
    "produce",
    "product",
    "reduce",
    "scan",
    "skip",
    "stream",
    "sum",
    "tabulate",
    "take",
    "take_while",
    "windows",
    "zip",
];

#[test]
fn random_programs_have_every_operator_of_sequences() {
    let programs: Vec<Vec<&str>> = (0..PROGRAMS)
        .map(|number| random::program(1, number).streamed)
        .collect();
    let of_sequences = programs.iter().filter(|made| !made.is_empty()).count();
    println!("{of_sequences} programs over sequences");
    for name in OF_SEQUENCES {
        let count = programs.iter().filter(|made| made.contains(name)).count();
        println!("{name:20} {count:4}");
        assert!(count >= LEAST, "`{name}` of sequences in {count} programs");
    }
    let known = |name: &&str| OF_SEQUENCES.contains(name);
    assert!(programs.iter().flatten().all(known), "one is not listed");
}

/// All of them can be streamed.
#[test]
fn the_compiler_takes_random_programs_over_sequences() {
    for number in (0..PROGRAMS).filter(|it| it % 28 == 3) {
        let text = random::program(1, number).tree.to_string();
        if let Err(why) = typing::compiles(&text) {
            panic!("program {number}:\n{text}\n{why}");
        }
    }
}

/// Names that stand for an operator and for a function of scalars: what only operators have after it.
#[test]
fn operators_that_share_a_name_with_a_scalar_function_are_made() {
    let programs: Vec<String> = (0..PROGRAMS)
        .map(|number| random::program(1, number).tree.to_string())
        .collect();
    for shared in SCALAR_FNS.iter().filter(|it| record(it.name).is_some()) {
        let name = shared.name;
        let of_arrays = match name {
            "min" | "max" => [format!(".{name}()"), format!("{name}_axis")],
            // The amount is cut to the length of an array.
            "rotate_left" | "rotate_right" => {
                [" + 1usize))", ".len() | 1usize))"].map(str::to_owned)
            }
            other => panic!("`{other}` is an operator and a scalar function: how do they differ?"),
        };
        let made = programs
            .iter()
            .filter(|text| text.contains(name) && of_arrays.iter().any(|it| text.contains(it)));
        assert!(made.count() >= LEAST, "`{name}` of arrays");
    }
}

/// Every rank, as parameter and as result.
#[test]
fn random_programs_have_arrays_of_every_rank() {
    let types: Vec<String> = (0..PROGRAMS)
        .flat_map(|number| {
            let text = random::program(1, number).tree.to_string();
            let heads = text.lines().filter(|line| line.starts_with("pub fn"));
            heads.map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    for rank in 1..=4 {
        let open = format!("{}{}", ": ", "[".repeat(rank));
        let result = format!("-> {}", "[".repeat(rank));
        for start in [open, result] {
            let exact = |head: &&String| {
                head.match_indices(&start)
                    .any(|(at, _)| !head[at + start.len()..].starts_with('['))
            };
            let made = types.iter().filter(exact).count();
            assert!(made >= 20, "{made} functions with `{start}`");
        }
    }
}

/// Rows of any lengths, with array operations in bodies, and in bodies of these.
#[test]
fn a_third_of_random_programs_nest_over_rows_of_any_lengths() {
    let levels: Vec<u32> = (0..PROGRAMS)
        .map(|number| random::program(1, number).levels)
        .collect();
    let at_least = |depth: u32| levels.iter().filter(|it| **it >= depth).count();
    println!("{} two deep, {} three deep", at_least(2), at_least(3));
    assert!(3 * at_least(2) >= levels.len(), "{} nest", at_least(2));
    assert!(8 * at_least(3) >= levels.len(), "{} nest deep", at_least(3));
}

/// Arguments that are empty, of empty rows, of rows of one element, and with a long row.
#[test]
fn random_programs_get_rows_of_all_kinds() {
    let (mut none, mut empty, mut ones, mut long) = (0, 0, 0, 0);
    for program in (0..PROGRAMS).map(|number| random::program(1, number)) {
        for (name, value) in program.inputs.iter().flat_map(|input| &input.args) {
            if !of_any_lengths(&program.tree.to_string(), name) {
                continue;
            }
            let lengths = |least, most| {
                let fits = |row: &Value| (least..=most).contains(&row.elements().len());
                value.elements().iter().all(fits)
            };
            match value.elements() {
                [] => none += 1,
                _ if lengths(0, 0) => empty += 1,
                _ if lengths(1, 1) => ones += 1,
                rows => long += usize::from(rows.iter().any(|row| row.elements().len() >= 70)),
            }
        }
    }
    println!("{none} empty, {empty} of empty rows, {ones} of rows of one, {long} with a long row");
    assert!([none, empty, ones, long].iter().all(|count| *count >= 10));
}

/// Whether the parameter `name` is an array of arrays without sizes.
fn of_any_lengths(text: &str, name: &str) -> bool {
    let start = format!("{name}: [[");
    let elem = text.split(&start).nth(1).map(|rest| rest.split(']').next());
    elem.flatten().is_some_and(|elem| !elem.contains(';'))
}

/// What gives rows of lengths of their own, and what takes these.
const OF_ANY_LENGTHS: [&str; 3] = [".chunks(", ".unflatten(", ".group_by_key("];

/// A nest of regular parallelism never becomes a ragged representation, however it is written.
#[test]
fn values_of_dense_functions_are_regular() {
    let (mut regular, mut irregular) = (0, Vec::new());
    for number in 0..PROGRAMS {
        let program = random::program(1, number);
        let text = program.tree.to_string();
        let shaped = typing::program(&text).map(shaped::infer);
        let Ok(Ok(shaped)) = shaped else { continue };
        for function in &shaped.functions {
            let ragged = OF_ANY_LENGTHS
                .iter()
                .any(|it| body(&text, &function.name).contains(it));
            if ragged || !program.dense.contains(&function.name) {
                continue;
            }
            let values = function.values.iter();
            let found = values.filter(|value| value.repr == Repr::Irregular);
            irregular.extend(found.map(|it| format!("{number} {} `{}`", function.name, it.name)));
            regular += 1;
        }
    }
    println!("{regular} functions");
    assert!(irregular.is_empty(), "irregular: {}", irregular.join(", "));
    assert!(regular >= 150, "{regular} functions");
}

/// From the head of a function to that of the next one.
fn body<'t>(text: &'t str, name: &str) -> &'t str {
    let start = text
        .find(&format!("pub fn {name}("))
        .expect("it is a function");
    let (head, rest) = text[start..].split_at(1);
    let end = rest.find("\npub fn ").unwrap_or(rest.len());
    &text[start..start + head.len() + end]
}
