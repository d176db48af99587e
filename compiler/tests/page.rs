//! Pages of `RAGGED_EXPLAIN`: what they say of programs, and that they are HTML.

mod program_files;

use proc_macro2::TokenStream;
use ragged_compiler::explain::page::{Class, Entry, Graph, KernelId, Kind, Page, html, index};
use ragged_compiler::fused::ir::Function;
use ragged_compiler::{explain, flat, fused, shaped, syntax, typed};
use std::collections::BTreeSet;

fn page(text: &str) -> Page {
    made(text).unwrap_or_else(|| panic!("refused: {text}"))
}

/// The page, if the program has no mistakes.
fn made(text: &str) -> Option<Page> {
    Some(with_functions(text)?.0)
}

/// The page, and the functions that it is of.
fn with_functions(text: &str) -> Option<(Page, Vec<Function>)> {
    let block: TokenStream = text.parse().expect("tokens");
    let parsed = syntax::parse(block.clone());
    let typed = typed::infer_released(&parsed.program).ok()?;
    let flat = shaped::infer(typed).and_then(flat::flatten).ok()?;
    let text_of = |_| Some(text.to_owned());
    let program = fused::fuse(flat);
    let page = explain::page(&block, &program, "crate", &text_of);
    Some((page, program.functions))
}

/// Elements that have no end.
const VOID: [&str; 5] = ["br", "meta", "link", "hr", "img"];

/// Whether all elements end in the order in which they begin, and ids are there once.
fn check_html(text: &str) {
    let body = text.strip_prefix("<!DOCTYPE html>").expect("a document");
    let mut open: Vec<String> = Vec::new();
    let mut ids = BTreeSet::new();
    let mut rest = body;
    while let Some(at) = rest.find('<') {
        assert!(!rest[..at].contains('>'), "`>` in text: {}", &rest[..at]);
        let end = at + quoted_end(&rest[at..]);
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "before {rest:.80}");
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap_or_default().to_owned();
        if let Some((_, id)) = tag.split_once(" id=\"") {
            let id = id.split('"').next().unwrap_or_default().to_owned();
            assert!(ids.insert(id.clone()), "the id {id} comes again");
        }
        if name == "script" || name == "style" {
            let end = rest.find(&format!("</{name}>")).expect("an end");
            rest = &rest[end..];
        }
        if !tag.ends_with('/') && !VOID.contains(&name.as_str()) {
            open.push(name);
        }
    }
    assert_eq!(open, Vec::<String>::new());
    let links = text.split("href=\"#").skip(1);
    for link in links.filter_map(|it| it.split('"').next()) {
        assert!(ids.contains(link), "no place {link}");
    }
}

/// Where a tag ends: quotes may hold `>`.
fn quoted_end(tag: &str) -> usize {
    let mut quoted = false;
    let end = tag.char_indices().find(|(_, letter)| {
        quoted ^= *letter == '"';
        *letter == '>' && !quoted
    });
    end.expect("an end").0
}

fn in_graph(graph: &Graph, found: &mut BTreeSet<KernelId>) {
    for node in &graph.nodes {
        if let Kind::Kernel(id) = node.kind {
            assert!(found.insert(id), "{id:?} is drawn twice");
        }
        in_graph(&node.inside, found);
    }
}

/// Whether each kernel is in a graph, in a list and in the source, and each arrow goes on.
fn check_page(page: &Page) -> String {
    let all: BTreeSet<KernelId> = (0..page.kernels.len()).map(KernelId).collect();
    let (mut drawn, mut listed, mut painted) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for item in &page.items {
        for function in &item.functions {
            in_graph(&function.graph, &mut drawn);
            listed.extend(function.kernels.iter().copied());
        }
        let pieces = item.lines.iter().flat_map(|line| &line.pieces);
        painted.extend(pieces.flat_map(|piece| piece.kernels.clone()));
    }
    assert_eq!(drawn, all);
    assert_eq!(listed, all);
    // What is around another kernel and nothing else has no tokens of its own.
    let around: BTreeSet<KernelId> = page.kernels.iter().filter_map(|it| it.parent).collect();
    let missing: Vec<_> = all
        .iter()
        .filter(|id| !painted.contains(id) && !around.contains(id))
        .collect();
    assert!(missing.is_empty(), "{missing:?} have no source");
    let text = html(page);
    check_html(&text);
    text
}

#[test]
fn the_source_is_there_as_written() {
    let text = "    // A comment.\n    /// Says <this> & that.\n    pub fn f(xs: [f32; n]) -> f32 {\n        \
                // Another: a < b.\n        xs.map(|x| x * 2.0) // behind\n            .sum()\n    }\n";
    let page = page(text);
    let lines = page.items[0].lines.iter().map(|line| {
        let pieces = line.pieces.iter().map(|piece| piece.text.as_str());
        format!("{:2} {}", line.number, pieces.collect::<String>())
    });
    let lines: Vec<String> = lines.collect();
    assert_eq!(
        lines,
        [
            " 1 // A comment.",
            " 2 /// Says <this> & that.",
            " 3 pub fn f(xs: [f32; n]) -> f32 {",
            " 4     // Another: a < b.",
            " 5     xs.map(|x| x * 2.0) // behind",
            " 6         .sum()",
            " 7 }",
        ]
    );
    let html = check_page(&page);
    assert!(html.contains("Says &lt;this&gt; &amp; that."));
    let comments = page.items[0].lines.iter().flat_map(|line| &line.pieces);
    let comments = comments.filter(|piece| piece.class == Class::Comment);
    assert_eq!(comments.count(), 4);
}

#[test]
fn kernels_arrays_and_checks_are_there_with_reasons() {
    let page = page(
        "pub fn f(xs: [f32; n], at: [usize; m]) -> [f32; m] {
            let sums = xs.scan(|a, b| a + b);
            let mean = xs.sum() / 2.0;
            for i in at { sums[i] - mean }
        }",
    );
    check_page(&page);
    let function = &page.items[0].functions[0];
    let labels: Vec<&str> = page.kernels.iter().map(|it| it.label.as_str()).collect();
    // Two run together.
    assert_eq!(labels, ["1a", "1b", "2"]);
    let arrays = function.arrays.iter();
    let arrays: Vec<_> = arrays
        .map(|it| (it.name.as_str(), it.shape.as_str(), it.bytes.as_str()))
        .collect();
    assert_eq!(
        arrays,
        [
            ("sums", "n of f32", "4·n B"),
            ("the result", "m of f32", "4·m B")
        ]
    );
    assert_eq!(
        function.arrays[0].why,
        "a scan, scatter or sort makes it as a whole"
    );
    assert_eq!(
        function.checks[0].1,
        "`i` is below `n`; `i` may be any number"
    );
    assert_eq!(function.checks[0].0.line, 4);
    let graph = &function.graph;
    let edges = graph.edges.iter().map(|edge| {
        let name = |at: usize| graph.nodes[at].title.as_str();
        let arrow = if edge.array { "→" } else { "⇢" };
        format!("{} {arrow} {}", name(edge.from), name(edge.to))
    });
    let edges: BTreeSet<String> = edges.collect();
    let expected = [
        "xs → kernel 1a · over n",
        "kernel 1a · over n → sums",
        "xs → kernel 1b · over n",
        "at → kernel 2 · over m",
        "sums → kernel 2 · over m",
        "kernel 1b · over n ⇢ kernel 2 · over m",
        "kernel 2 · over m → the result",
    ];
    assert_eq!(edges, expected.map(str::to_owned).into());
}

#[test]
fn loops_conditionals_and_nests_are_boxes() {
    let page = page(
        "pub fn f(a: [[f32; m]; n], k: usize, c: bool) -> [f32; n] {
            let mut s = for row in a { row.max() - row.mean() };
            for _ in 0..k { s = if c { s.map(|x| x * 0.5) } else { s.rev() }; }
            s
        }",
    );
    check_page(&page);
    let graph = &page.items[0].functions[0].graph;
    let box_of = |kind: Kind| {
        let mut nodes = graph.nodes.iter().filter(move |it| it.kind == kind);
        &nodes.next().expect("a box").inside
    };
    assert!(!box_of(Kind::Kernel(KernelId(0))).nodes.is_empty());
    let in_loop = &box_of(Kind::Loop).nodes;
    assert!(in_loop.iter().any(|it| it.kind == Kind::Branch));
    assert!(
        in_loop
            .iter()
            .any(|it| it.kind == Kind::Outer && it.title == "s, so far")
    );
}

#[test]
fn calls_have_the_colours_of_what_they_call() {
    let page = page(
        "fn twice(xs: [f32; n]) -> [f32; n] { xs.map(|x| x * 2.0).scan(|a, b| a + b) }
         pub fn f(xs: [f32; n]) -> [f32; n] { twice(xs) }",
    );
    check_page(&page);
    let line = &page.items[1].lines[0];
    let call = line.pieces.iter().find(|it| it.text == "twice");
    assert_eq!(call.expect("a call").kernels, [KernelId(0)]);
}

#[test]
fn a_function_without_kernels_has_a_page() {
    let html = check_page(&page("pub fn f(a: f32) -> f32 { a + 1.0 }"));
    assert!(html.contains("No kernel"));
}

/// The programs of the tests can be drawn, those without mistakes, and pages say all that is checked.
#[test]
fn every_program_has_a_page() {
    let mut checks = 0;
    for (file, text) in program_files::all() {
        let Some((page, functions)) = with_functions(&text) else {
            continue;
        };
        println!("{}", file.display());
        check_page(&page);
        let sections = || page.items.iter().flat_map(|item| &item.functions);
        for function in &functions {
            let name = function.export.name.to_string();
            let section = sections().find(|it| it.name == name);
            let said = &section.expect("it has a section").checks;
            for id in printed_checks(function) {
                let check = &function.checks[id];
                let (line, why) = (check.src.start().line, check.unproven());
                let found = said
                    .iter()
                    .any(|(at, text)| at.line == line && *text == why);
                assert!(found, "{name}, line {line}: {why}");
                checks += 1;
            }
        }
    }
    assert!(checks > 500, "{checks} checks");
}

/// The checks that the text of a function has.
fn printed_checks(function: &Function) -> BTreeSet<usize> {
    let text = fused::print::print(function);
    let ids = text.split('!').skip(1).filter_map(|rest| {
        let end = rest.find(|it: char| !it.is_ascii_digit());
        rest[..end.unwrap_or(rest.len())].parse().ok()
    });
    ids.collect()
}

#[test]
fn file_names_are_of_crate_file_and_line() {
    let page = Page {
        krate: "pack-age/main".to_owned(),
        file: "/a b/src/main.rs".to_owned(),
        line: 7,
        items: Vec::new(),
        kernels: Vec::new(),
    };
    assert_eq!(page.file_name(), "pack-age.main.a-b.src.main.7.html");
}

#[test]
fn the_list_links_pages_in_order() {
    let page = |line: u32, krate: &str| Page {
        krate: krate.to_owned(),
        file: "src/<a>.rs".to_owned(),
        line,
        items: Vec::new(),
        kernels: Vec::new(),
    };
    let pages = [page(10, "b"), page(9, "b"), page(1, "a")];
    let entries = pages.map(|it| Entry::of(&it.file_name(), &html(&it)).expect("a page"));
    let text = index(&entries);
    check_html(&text);
    let titles = ["line 1<", "line 9<", "line 10<"].map(|it| text.find(it).expect("a title"));
    assert!(titles.is_sorted());
    assert!(text.contains("src/&lt;a&gt;.rs"));
    assert_eq!(Entry::of("other.html", "<html></html>"), None);
}
