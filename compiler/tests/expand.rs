//! What a block expands to, as text.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use ragged_compiler::expand;

/// One of most things, with names that nothing of ours has.
const GOOD: &str = r#"
    const OFFSET_C: f32 = 1.5;

    /// Docs of the struct.
    #[derive(Debug)]
    pub struct PointS { /// Docs of a field.
        pub across_f: f32, pub down_f: f32 }

    /// Docs of the first.
    pub fn first_fn(points_p: [PointS], at_p: usize) -> (PointS, [f32]) {
        assert!(at_p > 0, "a message");
        let all = points_p.map(|p| p.across_f / p.down_f + OFFSET_C).scan(f32::max);
        (points_p[at_p - 1], all)
    }

    /** Docs of the second. */
    pub(crate) fn second_fn(numbers_p: [i32; n], many_p: [usize; n], by_p: i32) -> i32 {
        let mut counts = fill(0, numbers_p.len());
        for i in many_p { counts[i] += 1; }
        let mut i = 0;
        while i < n && numbers_p[i] / by_p > 1 { i += 1; }
        let (a, b) = numbers_p.scan_from(1, |a, b| a * b);
        scatter(a, many_p, numbers_p).fold(b, |acc, x| if x > acc { x } else { acc % by_p }) + helper_fn(counts)
    }

    fn helper_fn(counts: [i32]) -> i32 { filter_fn(counts) + [1, 2, 3].sum() }

    fn filter_fn(xs: [i32]) -> i32 { xs.pairwise(|a, b| b - a).reduce(0, max) }

    #[instances(f32, f64)]
    pub fn generic_fn<T: Float>(xs: [T]) -> T { xs.map(|x| x.sqrt().exp()).sum() / xs.len() as T }
"#;

fn tokens(text: &str) -> TokenStream {
    text.parse().expect("tokens")
}

/// All tokens that are not groups, in order.
fn leaves(stream: TokenStream, out: &mut Vec<TokenTree>) {
    for tree in stream {
        match tree {
            TokenTree::Group(group) => leaves(group.stream(), out),
            other => out.push(other),
        }
    }
}

fn words(stream: &TokenStream) -> Vec<String> {
    let mut out = Vec::new();
    leaves(stream.clone(), &mut out);
    out.iter().map(ToString::to_string).collect()
}

/// Takes the hidden `macro_rules!` with the source of exported functions away.
fn without_sources(stream: TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let mut out = Vec::new();
    let mut at = 0;
    while at < trees.len() {
        if matches!(&trees[at], TokenTree::Ident(ident) if ident == "macro_rules") {
            at += 4; // `macro_rules ! name { … }`
        } else {
            out.push(trees[at].clone());
            at += 1;
        }
    }
    out.into_iter().collect()
}

/// How many tokens of `found` are this text, at the place of a token of the block.
fn at_user_places(found: &TokenStream, block: &TokenStream, text: &str) -> usize {
    let mut ours = Vec::new();
    leaves(block.clone(), &mut ours);
    let places: Vec<_> = ours.iter().map(|tree| tree.span().byte_range()).collect();
    let mut out = Vec::new();
    leaves(found.clone(), &mut out);
    out.iter()
        .filter(|tree| tree.to_string() == text && !tree.span().byte_range().is_empty())
        .filter(|tree| places.contains(&tree.span().byte_range()))
        .count()
}

#[test]
fn expansion_is_the_same_each_time() {
    let text = |_| expand(tokens(GOOD)).to_string();
    let all: Vec<String> = (0..3).map(text).collect();
    assert!(!all[0].contains("compile_error"), "{}", all[0]);
    assert_eq!(all[0], all[1]);
    assert_eq!(all[1], all[2]);
}

#[test]
fn errors_are_the_same_each_time() {
    let bad = GOOD.replace("helper_fn(counts)\n", "helper_fm(counts) + valeu\n");
    let text = |_| expand(tokens(&bad)).to_string();
    let all: Vec<String> = (0..3).map(text).collect();
    assert!(all[0].contains("compile_error"), "{}", all[0]);
    assert_eq!(all[0], all[1]);
    assert_eq!(all[1], all[2]);
}

#[test]
fn what_the_user_wrote_is_there_once() {
    let block = tokens(GOOD);
    let emitted = without_sources(expand(block.clone()));
    for text in ["PointS", "Debug", "across_f", "down_f"] {
        assert!(at_user_places(&emitted, &block, text) >= 1, "{text}");
    }
    for docs in [
        "Docs of the struct",
        "Docs of a field",
        "Docs of the first",
        "Docs of the second",
    ] {
        let found = words(&emitted)
            .iter()
            .filter(|word| word.contains(docs))
            .count();
        assert_eq!(found, 1, "{docs}");
    }
    let text = emitted.to_string();
    for (text, head) in [
        (&text, "pub fn first_fn ("),
        (&text, "pub (crate) fn second_fn ("),
        (&text, "pub fn generic_fn_f32 ("),
        (&text, "pub fn generic_fn_f64 ("),
        (&text, "pub struct PointS {"),
    ] {
        let found = text.matches(head).count();
        assert_eq!(found, 1, "{head}");
    }
    for private in ["helper_fn", "filter_fn", "OFFSET_C"] {
        assert!(
            !words(&emitted).iter().any(|word| word == private),
            "{private}"
        );
    }
}

#[test]
fn the_name_of_a_function_keeps_its_place() {
    let block = tokens(GOOD);
    let emitted = without_sources(expand(block.clone()));
    for name in ["first_fn", "second_fn"] {
        let mut out = Vec::new();
        leaves(emitted.clone(), &mut out);
        let after_fn = out.windows(2).filter(|pair| {
            let range = pair[1].span().byte_range();
            pair[0].to_string() == "fn" && pair[1].to_string() == name && !range.is_empty()
        });
        assert_eq!(after_fn.count(), 1, "{name}");
    }
}

/// An array that is the state of a loop is changed in place, not copied once per trip.
#[test]
fn loops_copy_no_arrays() {
    for body in [
        "let mut a = fill(0, n); for i in ix { a[i] += 1; } a",
        "let mut a = fill(0, n); for i in ix { if i > 2 { a[i] = 1; } } a",
        "let mut a = fill(0, n); let mut i = 0; while i < n { a[i] = i; a[i / 2] += 1; i += 1; } a",
        "let mut a = ix; for i in 0..n { let t = a[i]; a[i] = a[n - 1 - i]; a[n - 1 - i] = t; } a",
        "let mut a = fill(0, n); for i in 0..n { for j in 0..i { a[j] += a[i]; } } a",
    ] {
        let emitted = expand(tokens(&format!(
            "pub fn f(ix: [usize; n]) -> [usize] {{ {body} }}"
        )));
        let text = without_sources(emitted).to_string();
        // A local array as an argument; parameters have to be copied.
        assert!(!text.contains("copy ((& v"), "{body}: {text}");
    }
}

/// What becomes a result is made where it belongs.
#[test]
fn results_are_written_in_place() {
    for body in [
        "for x in ix { x + 1 }",
        "ix.scan(|a, b| a + b)",
        "let mut a = for x in ix { x + 1 }; a[0] = 7; a[n / 2] = 8; a",
        "let mut a = ix; a[0] = 7; a",
        "scatter(fill(0, n), ix, ix)",
        "let (a, b) = for x in ix { (x, x + 1) }.unzip(); scatter(a, ix, b)",
        "if n > 3 { for x in ix { x + 1 } } else { ix }",
        "if n > 3 { ix.sort() } else if n > 2 { for x in ix { x + 1 } } else { fill(0, n) }",
        "let mut a = for x in ix { x + 1 }; if n > 3 { a[0] = 7; } a",
        "let a = for x in ix { x + 1 }; if n > 3 { scatter(a, ix, ix) } else { let mut b = a; b[0] = 1; b }",
    ] {
        let emitted = expand(tokens(&format!(
            "pub fn f(ix: [usize; n]) -> [usize; n] {{ {body} }}"
        )));
        let text = without_sources(emitted).to_string();
        let placed = "ArrayOut :: into_slice (__r :: ArrayOut :: reborrow (& mut o0))";
        assert!(text.contains(placed), "{body}: {text}");
        assert!(!text.contains("ArrayOut :: give"), "{body}: {text}");
        assert!(!text.contains("copy ((& v"), "{body}: {text}");
    }
}

/// A body's own array is summed while it is made; a row that is read again is fetched before; and what
/// is read after it is written stays in the caches.
#[test]
fn bodies_go_through_memory_once() {
    let parts = [
        "load_last",
        "write_local_and_reduce",
        "write_rows",
        ". near ()",
    ];
    for (body, has) in [
        (
            "let m = r.max(); let p = for x in r { exp(x - m) }; let t = p.sum(); for x in p { x / t }",
            [true, true, true, false],
        ),
        (
            "let p = for x in r { exp(x) }; let t = p[1..].sum(); for x in p { x / t }",
            [false, false, true, false],
        ),
        (
            "let p = r.scan(|x, y| x + y); let t = p[1..].sum(); assert!(t > 0.0); p",
            [false, false, false, true],
        ),
    ] {
        let emitted = expand(tokens(&format!(
            "pub fn f(a: [[f64; m]; n]) -> [[f64; m]; n] {{ for r in a {{ {body} }} }}"
        )));
        let text = without_sources(emitted).to_string();
        assert_eq!(parts.map(|part| text.contains(part)), has, "{body}: {text}");
        assert!(!text.contains("zeroed"), "{body}: {text}");
    }
}

/// What is read for the last time makes room for what comes after.
#[test]
fn arrays_die_after_their_last_reader() {
    let emitted = expand(tokens(
        "pub fn f(xs: [f64; n]) -> [f64; n] {
            let a = xs.scan(|x, y| x + y);
            let b = a.rev().scan(|x, y| x + y);
            let c = b.rev().scan(|x, y| x + y);
            c.rev().scan(|x, y| x + y)
        }",
    ));
    let text = without_sources(emitted).to_string();
    let places: Vec<usize> = text.match_indices("drop (v").map(|(at, _)| at).collect();
    let kernels = text.match_indices("scan_to (").map(|(at, _)| at);
    assert_eq!(places.len(), 3, "{text}");
    let between = kernels
        .skip(1)
        .zip(&places)
        .all(|(kernel, drop)| kernel < *drop);
    assert!(
        between && places[0] < text.rfind("scan_to (").unwrap_or(0),
        "{text}"
    );
}

#[test]
fn nothing_unsafe() {
    let all = words(&expand(tokens(GOOD)));
    for word in ["unsafe", "extern", "transmute"] {
        assert!(!all.iter().any(|it| it == word), "{word}");
    }
}

/// Names of the prelude and of crates appear behind `::` only, and so do macros.
#[test]
fn paths_are_absolute() {
    const NAMES: &[&str] = &[
        "std",
        "core",
        "alloc",
        "ragged",
        "Vec",
        "Option",
        "Some",
        "None",
        "Result",
        "Ok",
        "Err",
        "String",
        "Box",
        "Default",
        "Clone",
        "Copy",
        "From",
        "Into",
        "Iterator",
        "AsArray",
        "vec",
        "assert",
        "panic",
        "unreachable",
        "format",
        "matches",
        "Sized",
        "str",
    ];
    let all = words(&without_sources(expand(tokens(GOOD))));
    for (at, word) in all.iter().enumerate() {
        if NAMES.contains(&word.as_str()) {
            let before = all[at.saturating_sub(2)..at].concat();
            let nearby = all[at.saturating_sub(8)..(at + 8).min(all.len())].join(" ");
            assert_eq!(before, "::", "`{word}` in: {nearby}");
        }
    }
}

/// What follows an expression of ours cannot be a method of a trait that is not in scope.
#[test]
fn methods_are_inherent() {
    let text = without_sources(expand(tokens(GOOD))).to_string();
    for method in [
        "clone",
        "into",
        "from",
        "default",
        "iter",
        "into_iter",
        "map",
        "eq",
        "add",
        "to_owned",
    ] {
        assert!(!text.contains(&format!(". {method} (")), "{method}");
    }
}

#[test]
fn broken_blocks_echo_their_tokens_once() {
    for bad in [
        "pub fn broken_fn(xs_p: [f32]) -> f32 { xs_q.sum() }",
        "pub fn broken_fn(xs_p: [f32]) -> f32 { xs_p.reduce(+) }",
        "pub fn broken_fn(xs_p: &[f32]) -> Vec<f32> { xs_p }",
        "pub fn broken_fn(f_p: impl Fn(f32) -> f32) -> f32 { 1.0 }",
        "pub fn broken_fn(xs_p: [f32; 6]) -> [[f32]] { xs_p.reshape((4, 2)) }",
        "#[derive(Debug)] pub struct Broken { a: f32 } pub fn broken_fn(b: Broken) -> f32 { b.z }",
        "@unit f as g { pub fn f(x: f32) -> f32 { x } } pub fn broken_fn(x: f32) -> f32 { g(x) + y_y }",
    ] {
        let block = tokens(bad);
        let emitted = expand(block.clone());
        let mut own = Vec::new();
        leaves(block.clone(), &mut own);
        let mut found = Vec::new();
        leaves(emitted.clone(), &mut found);
        let imported = bad
            .starts_with('@')
            .then(|| bad.find("} pub").expect("the block") + 1);
        for tree in &own {
            let place = tree.span().byte_range();
            let same = found.iter().filter(|other| {
                other.span().byte_range() == place && other.to_string() == tree.to_string()
            });
            let wanted = usize::from(imported.is_none_or(|end| place.start > end));
            assert_eq!(same.count(), wanted, "`{tree}` of {bad}\n{emitted}");
        }
        assert!(
            words(&emitted).iter().any(|word| word == "compile_error"),
            "{bad}"
        );
        let heads = words(&emitted);
        let heads = heads.windows(2).filter(|pair| pair == &["fn", "broken_fn"]);
        assert_eq!(heads.count(), 2, "the echo and the stand-in: {bad}");
    }
}

/// A block that imports one which does not compile: stand-ins, and no word about it.
#[test]
fn blocks_after_broken_ones_are_silent() {
    let text = "@broken use other::f; pub fn caller_fn(x: f32) -> f32 { f(x) + g(x) }";
    let emitted = expand(tokens(text));
    let all = words(&emitted);
    assert!(!all.iter().any(|word| word == "compile_error"), "{emitted}");
    assert!(
        emitted.to_string().contains("pub fn caller_fn ("),
        "{emitted}"
    );
}

/// The hidden macro of an exported function holds what the function can reach and nothing else.
#[test]
fn sources_hold_what_is_reached() {
    let emitted = expand(tokens(GOOD));
    let trees: Vec<TokenTree> = emitted.into_iter().collect();
    let source = |name: &str| {
        let at = trees
            .iter()
            .position(|tree| tree.to_string() == format!("__ragged_source_{name}"));
        let body = trees[at.expect("a macro") + 1].clone();
        let TokenTree::Group(body) = body else {
            panic!("no body")
        };
        assert_eq!(body.delimiter(), Delimiter::Brace);
        words(&body.stream())
    };
    let holds = |name: &str, word: &str| source(name).iter().any(|it| it == word);
    assert!(holds("first_fn", "OFFSET_C") && holds("first_fn", "PointS"));
    assert!(!holds("first_fn", "helper_fn"));
    assert!(holds("second_fn", "helper_fn") && holds("second_fn", "filter_fn"));
    assert!(!holds("second_fn", "OFFSET_C"));
}

/// Each operator reads three arrays that the one before makes of three: there are 3⁴⁸ ways through them.
#[test]
fn long_chains_on_products_take_no_time() {
    let chain = ".flatten().reshape((n, m))".repeat(24);
    let text = format!(
        "pub fn f(x: [[(i32, (f64, i64)); m]; n]) -> [[(i32, (f64, i64)); m]; n] {{
            x{chain}.scan_axis(0, |a, b| (a.0 + b.0, (a.1.0 + b.1.0, a.1.1 + b.1.1)))
        }}"
    );
    let emitted = expand(tokens(&text)).to_string();
    assert!(!emitted.contains("compile_error"), "{emitted}");
}

/// The strings of attributes `#[doc = "…"]`, in order.
fn docs(emitted: &TokenStream) -> Vec<String> {
    let words = words(emitted);
    let doc = words.windows(3).filter(|it| it[0] == "doc" && it[1] == "=");
    doc.map(|it| {
        syn::parse_str::<syn::LitStr>(&it[2]).map_or_else(|_| String::new(), |it| it.value())
    })
    .collect()
}

#[test]
fn docs_say_what_a_function_is_compiled_to() {
    let emitted = expand(tokens(
        "/// Docs.
         pub fn total(xs: [f64]) -> f64 { xs.map(|x| x * x).sum() }
         pub fn doubled(xs: [i32]) -> [i32] { twice(xs) }
         fn twice(xs: [i32]) -> [i32] { xs.map(|x| 2 * x) }
         pub fn lengths(xss: [[i32]]) -> [usize] { xss.lens() }
         #[instances(f32, f64)]
         pub fn mean<T: Float>(xs: [T]) -> T { xs.sum() / xs.len() as T }
         /// Docs of a sequence.
         pub fn items(xs: Seq<f64>) -> Seq<f64> { xs.map(|x| 2.0 * x) }",
    ));
    let docs = docs(&emitted);
    let found = docs.iter().filter(|it| it.contains("*Compiled to:*"));
    let found: Vec<&str> = found.map(String::as_str).collect();
    // Paragraphs of their own, whatever the user's docs end with.
    let each = |facts: &str| format!("\n*Compiled to:* {facts}.");
    let array = |size: &str, space: &str| {
        each(&format!(
            "kernels 1, intermediates 0, regular, `work O({size}), depth O(1), space {space}`"
        ))
    };
    let expected = [
        array("len(xs)", "O(1) to O(len(xs))"),
        array("len(xs)", "O(len(xs))"),
        array("len(xss)", "O(len(xss))").replace("regular", "irregular"),
        array("len(xs)", "O(1) to O(len(xs))"),
        array("len(xs)", "O(1) to O(len(xs))"),
        array("len(xs)", "O(1) to O(chunk)")
            .replace("kernels", "passes 1, kernels")
            .replace("depth O(1)", "depth O(chunks)"),
        // What is done with each chunk is an item that nobody else sees.
        array("len(xs)", "O(len(xs))"),
    ];
    assert_eq!(found, expected);
    // The same as in `EXPLAIN`, but for the name in front.
    let text = emitted.to_string();
    for (name, docs) in ["total", "doubled", "lengths", "mean_f32", "mean_f64"]
        .iter()
        .zip(&found)
    {
        let facts = docs
            .trim_start_matches("\n*Compiled to:* ")
            .replace('`', "");
        let line = format!("\"{name}: {}", facts.trim_end_matches('.'));
        assert!(text.contains(&line), "{line}");
    }
}
