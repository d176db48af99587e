//! Operators in each place of the syntax that a body has: programs that are compiled, not run.
//!
//! In: records of the operator table. Out: for each the text of a program with a function for each place, in
//! which the record's example stands in a body of one level or of two.

use super::{Example, Part, element, joined, text, unsized_};
use ragged_compiler::prims::{PrimInfo, records};
use syn::Type;

/// A place: its name, its type and its body. In both `$used` is the example, applied to `$q`, the
/// elements of `$p` that belong to `k`, an element of `ks`; `$R` is the type of what it gives,
/// `$weight` a `usize` made of that, and `$rows` an array of the arguments as tuples. `$a` and `$b` are
/// two other arguments, of which `$of_a` is the weight for the first.
const PLACES: &[(&str, &str, &str)] = &[
    (
        "branches",
        "[$R]",
        "for (k, $q) in zip(ks, $p) { if k > 1 { $used } else { let other = $used; other } }",
    ),
    (
        "condition",
        "[usize]",
        "for (k, $q) in zip(ks, $p) { if $weight > k { 1 } else { k } }",
    ),
    (
        "arms",
        "[$R]",
        "for (k, $q) in zip(ks, $p) { match k { 0 => $used, 1 | 2 => { let other = $used; other }, _ => $used } }",
    ),
    (
        "matched",
        "[usize]",
        "for (k, $q) in zip(ks, $p) { match $weight { 0 => k, n if n > k => n, _ => 7 } }",
    ),
    (
        "while_body",
        "[$R]",
        "for (k, $q) in zip(ks, $p) { let mut s = $used; let mut i = 0; while i < k { s = $used; i += 1; } s }",
    ),
    (
        "while_condition",
        "[usize]",
        "for (k, $q) in zip(ks, $p) { let mut i = 0; while i < k && $weight > i { i += 1; } i }",
    ),
    (
        "loop_body",
        "[$R]",
        "for (k, $q) in zip(ks, $p) { let (mut s, mut i) = ($used, 0); loop { if i >= k { break; } s = $used; i += 1; } s }",
    ),
    (
        "counted",
        "[$R]",
        "for (k, $q) in zip(ks, $p) { let mut s = $used; for _ in 0..k { s = $used; } s }",
    ),
    (
        "predicate",
        "usize",
        "$rows.filter(|$q| $weight > 2).map(|$q| $weight).count(|n| n < 9)",
    ),
    (
        "key",
        "[usize]",
        "$rows.sort_by_key(|$q| $weight).map(|$q| $weight)",
    ),
    ("step", "usize", "$rows.fold(0, |s, $q| s ^ $weight)"),
    (
        "reduced",
        "usize",
        "let $q = $rows.reduce($rows[0], |$a, $b| if $of_a > 3 { $a } else { $b }); $weight",
    ),
    (
        "scanned",
        "[usize]",
        "$rows.scan(|$a, $b| if $of_a > 3 { $a } else { $b }).map(|$q| $weight)",
    ),
    (
        "joined",
        "[usize]",
        "$rows.flat_map(|$q| for i in 0..$weight { i })",
    ),
    (
        "permuted",
        "[usize]",
        "permute(ks, |x, y| { let $q = $rows[y]; x ^ $weight }, ks, ks)",
    ),
    (
        "neighbours",
        "[usize]",
        "ks.stencil(fill(0), |at| { let $q = $rows[at(1)]; at(-1) ^ $weight })",
    ),
];

/// How many turns have every operator in every place.
const TURNS: usize = 10;

/// A program for each operator, with the places whose turn it is; without one, with all of them, which takes a
/// minute.
///
/// # Panics
/// As [`super::program`].
pub fn programs(turn: Option<usize>) -> impl Iterator<Item = String> {
    let programs = records().enumerate();
    programs.map(move |(at, info)| program(info, turn.map(|turn| turn + at)))
}

fn program(info: &PrimInfo, turn: Option<usize>) -> String {
    let example = Example::of(info.example, info.call, None, None);
    let mut text = info.example.replacen("pub fn", "fn", 1) + "\n";
    for part in &example.parts {
        for (at, place) in PLACES.iter().enumerate() {
            for levels in [1, 2] {
                if turn.is_none_or(|turn| (turn + 2 * at + levels).is_multiple_of(TURNS)) {
                    text += &function(&example, part, place, levels);
                }
            }
        }
    }
    text
}

/// A place in a function of one level, or in a body of one of two.
fn function(
    example: &Example,
    part: &Part,
    (name, ty, body): &(&str, &str, &str),
    levels: usize,
) -> String {
    let name = format!("{name}{}_{levels}", part.name);
    let ty = ty.replace("$R", &unsized_(&part.ty, None));
    let body = filled(body, example, part);
    let types = example.params.iter().enumerate();
    let types = types.map(|(at, ty)| (format!("p{at}"), unsized_(ty, None)));
    let params = types.chain([("ks".to_owned(), "usize".to_owned())]);
    let (open, close) = ("[".repeat(levels), "]".repeat(levels));
    let params = joined(params.map(|(name, ty)| format!("{name}: {open}{ty}{close}")));
    match levels {
        1 => format!("pub fn {name}({params}) -> {ty} {{ {body} }}\n"),
        _ => {
            let args = names("p", example) + ", ks";
            format!(
                "pub fn {name}({params}) -> [{ty}] {{ for ({args}) in zip({args}) {{ {body} }} }}\n"
            )
        }
    }
}

fn filled(body: &str, example: &Example, part: &Part) -> String {
    let used = |letter: &str| format!("example({}){}", names(letter, example), part.field);
    let weight = |letter: &str| weight(&part.ty, &used(letter), 0);
    let one = |letter: &str| match example.params.len() {
        1 => format!("{letter}0"),
        _ => format!("({})", names(letter, example)),
    };
    let rows = match example.params.len() {
        1 => "p0".to_owned(),
        _ => format!("zip({})", names("p", example)),
    };
    let bodies_have_several = body.contains("(k, $q)");
    let patterns = if bodies_have_several {
        names("q", example)
    } else {
        one("q")
    };
    body.replace("$used", &used("q"))
        .replace("$weight", &weight("q"))
        .replace("$of_a", &weight("a"))
        .replace("$rows", &rows)
        .replace("$q", &patterns)
        .replace("$p", &names("p", example))
        .replace("$a", &one("a"))
        .replace("$b", &one("b"))
}

fn names(letter: &str, example: &Example) -> String {
    joined((0..example.params.len()).map(|at| format!("{letter}{at}")))
}

/// A number made of all that is in `value`.
fn weight(ty: &Type, value: &str, depth: usize) -> String {
    if let Some(elem) = element(ty) {
        let each = weight(elem, &format!("e{depth}"), depth + 1);
        return format!("{value}.map(|e{depth}| {each}).reduce(0, |x, y| x ^ y)");
    }
    match ty {
        Type::Tuple(parts) => {
            let parts = parts.elems.iter().enumerate();
            let parts = parts.map(|(at, ty)| weight(ty, &format!("{value}.{at}"), depth));
            format!("({})", parts.collect::<Vec<_>>().join(" ^ "))
        }
        scalar if text(scalar) == "bool" => format!("(if {value} {{ 1 }} else {{ 0 }})"),
        _number => format!("({value} as usize % 5)"),
    }
}
