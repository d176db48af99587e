//! The same program written flat, nested or with axes is one program: it gives the same text.
//!
//! But for names, and for the places that messages and `EXPLAIN` name.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::HashMap;

/// The expansion as words, without the hidden `macro_rules!` that holds the source.
fn words(body: &str, signature: &str) -> Vec<String> {
    let block = format!("pub fn f{signature} {{ {body} }}");
    let tokens = ragged_compiler::expand(block.parse().expect("tokens"));
    let mut text = Text::default();
    text.stream(tokens);
    assert!(
        !text.words.iter().any(|word| word == "compile_error"),
        "refused: {block}"
    );
    text.words
}

/// Names that the compiler numbers, by the order in which they appear.
#[derive(Default)]
struct Text {
    names: HashMap<String, usize>,
    words: Vec<String>,
}

impl Text {
    fn stream(&mut self, stream: TokenStream) {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        let mut at = 0;
        while at < trees.len() {
            match &trees[at] {
                TokenTree::Ident(word) if *word == "macro_rules" => at += 3,
                TokenTree::Ident(word) if *word == "line" || *word == "column" => at += 2,
                TokenTree::Ident(word) => self.name(word.to_string()),
                TokenTree::Group(group) => {
                    self.words.push(format!("{:?}", group.delimiter()));
                    self.stream(group.stream());
                    self.words.push("end".to_owned());
                }
                TokenTree::Literal(literal) if literal.to_string().contains('"') => {}
                TokenTree::Punct(_) | TokenTree::Literal(_) => {
                    self.words.push(trees[at].to_string());
                }
            }
            at += 1;
        }
    }

    fn name(&mut self, name: String) {
        let stem = name.trim_end_matches(|it: char| it.is_ascii_digit());
        if stem == name || ragged_compiler::prims::Scalar::by_name(&name).is_some() {
            return self.words.push(name);
        }
        let next = self.names.len();
        let stem = stem.to_owned();
        let number = *self.names.entry(name).or_insert(next);
        self.words.push(format!("{stem}#{number}"));
    }
}

/// Checks that all bodies of a function of this signature give one text.
fn one_text(signature: &str, bodies: &[&str]) {
    let first = words(bodies[0], signature);
    assert!(first.len() > 300, "this is no expansion");
    for body in &bodies[1..] {
        let other = words(body, signature);
        let differs = first.iter().zip(&other).position(|(a, b)| a != b);
        let near = |text: &[String]| {
            let at = differs.unwrap_or_default();
            text[at.saturating_sub(20)..text.len().min(at + 20)].join(" ")
        };
        assert!(
            first == other,
            "{body}\n{}\n is not, as in {},\n{}",
            near(&other),
            bodies[0],
            near(&first)
        );
    }
}

#[test]
fn matrix_times_vector() {
    one_text(
        "(a: [[f64; m]; n], v: [f64; m]) -> [f64; n]",
        &[
            "for row in a { zip(row, v).map(|(x, y)| x * y).sum() }",
            "a.map(|row| sum(for (x, y) in zip(row, v) { x * y }))",
            "for i in 0..n { (for j in 0..m { a[i][j] * v[j] }).sum() }",
            "generate(n, |i| generate(m, |j| a[i][j] * v[j]).sum())",
            "generate((n, m), |i, j| a[i][j] * v[j]).sum_axis(1)",
            "(for row in a { for (x, y) in zip(row, v) { x * y } }).sum_axis(1)",
            "zip(a, v.broadcast((n, m))).map(|(p, q)| zip(p, q).map(|(x, y)| x * y)).map(|r| r.sum())",
        ],
    );
}

#[test]
fn matrix_product() {
    one_text(
        "(a: [[f64; k]; n], b: [[f64; m]; k]) -> [[f64; m]; n]",
        &[
            "generate((n, m), |i, j| (for l in 0..k { a[i][l] * b[l][j] }).sum())",
            "for row in a { for column in b.transpose() { zip(row, column).map(|(x, y)| x * y).sum() } }",
            "let t = b.transpose(); a.map(|row| t.map(|column| zip(row, column).map(|(x, y)| x * y).sum()))",
            "for i in 0..n { for j in 0..m { (for l in 0..k { a[i][l] * b[l][j] }).sum() } }",
            "for i in 0..n { let row = a[i]; for column in b.transpose() { zip(row, column).map(|(x, y)| x * y).sum() } }",
            "generate((n, m, k), |i, j, l| a[i][l] * b[l][j]).sum_axis(2)",
        ],
    );
}

#[test]
fn outer_product() {
    one_text(
        "(u: [f64; n], v: [f64; m]) -> [[f64; m]; n]",
        &[
            "generate((n, m), |i, j| u[i] * v[j])",
            "for x in u { for y in v { x * y } }",
            "u.map(|x| v.map(|y| x * y))",
            "for i in 0..n { for j in 0..m { u[i] * v[j] } }",
            "for i in 0..len(u) { let x = u[i]; for y in v { x * y } }",
            "generate(n, |i| generate(m, |j| u[i] * v[j]))",
            "zip(u.broadcast((m, n)).transpose(), v.broadcast((n, m))).map(|(p, q)| zip(p, q).map(|(x, y)| x * y))",
        ],
    );
}

#[test]
fn softmax_of_rows() {
    one_text(
        "(a: [[f64; m]; n]) -> [[f64; m]; n]",
        &[
            "for row in a { let most = row.max(); let es = for x in row { exp(x - most) };
                let total = es.sum(); for e in es { e / total } }",
            "a.map(|row| { let most = row.max(); let es = row.map(|x| exp(x - most));
                let total = es.sum(); es.map(|e| e / total) })",
            "for i in 0..n { let most = a[i].max(); let es = for j in 0..m { exp(a[i][j] - most) };
                let total = es.sum(); for j in 0..m { es[j] / total } }",
            "generate(n, |i| { let most = a[i].max(); let es = generate(m, |j| exp(a[i][j] - most));
                let total = es.sum(); generate(m, |j| es[j] / total) })",
        ],
    );
}

#[test]
fn distances_of_pairs() {
    one_text(
        "(p: [[f64; d]; n], q: [[f64; d]; m]) -> [[f64; m]; n]",
        &[
            "generate((n, m), |i, j| zip(p[i], q[j]).map(|(s, t)| (s - t) * (s - t)).sum().sqrt())",
            "for x in p { for y in q { sqrt(zip(x, y).map(|(s, t)| (s - t) * (s - t)).sum()) } }",
            "p.map(|x| q.map(|y| zip(x, y).map(|(s, t)| (s - t) * (s - t)).sum().sqrt()))",
            "for i in 0..n { for j in 0..m {
                sqrt((for l in 0..d { (p[i][l] - q[j][l]) * (p[i][l] - q[j][l]) }).sum()) } }",
            "generate((n, m, d), |i, j, l| (p[i][l] - q[j][l]) * (p[i][l] - q[j][l]))
                .sum_axis(2).map(|r| r.map(|x| x.sqrt()))",
        ],
    );
}

/// What differs in meaning differs in text, or the comparison is worth nothing.
#[test]
fn another_order_is_another_text() {
    let signature = "(a: [[f64; m]; n], v: [f64; m]) -> [[f64; m]; n]";
    let texts = ["x - y", "y - x"].map(|e| {
        words(
            &format!("for row in a {{ for (x, y) in zip(row, v) {{ {e} }} }}"),
            signature,
        )
    });
    assert!(texts[0] != texts[1]);
}

#[test]
fn sums_of_rows() {
    one_text(
        "(a: [[f32; m]; n]) -> [f32; m]",
        &[
            "a.sum_axis(0)",
            "a.reduce(fill(0.0, m), |p, q| zip(p, q).map(|(x, y)| x + y))",
            "for j in 0..m { sum(for i in 0..n { a[i][j] }) }",
        ],
    );
}

/// Nests are for bodies that hold more than the array that they make.
#[test]
fn extents_from_parameters_keep_no_loops_apart() {
    let nests = |body, signature| words(body, signature).iter().any(|it| it == "Nest");
    let sizes = "(n: usize, m: usize) -> [[usize; m]; n]";
    assert!(!nests("for i in 0..n { for j in 0..m { i + j } }", sizes));
    assert!(nests(
        "for i in 0..n { let row = 0..m; let all = row.sum(); for j in row { all - j } }",
        sizes
    ));
}

#[test]
fn elements_of_rows_of_rows() {
    one_text(
        "(a: [[[f64]]]) -> [[[f64]]]",
        &[
            "for b in a { b.flatten().map(|x| x.sqrt()).unflatten(b.lens()) }",
            "a.map(|b| (for x in b.concat() { x.sqrt() }).unflatten(for r in b { r.len() }))",
            "for i in 0..a.len() { let l = a[i].lens(); a[i].flatten().map(|x| x.sqrt()).unflatten(l) }",
        ],
    );
}
