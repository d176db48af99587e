//! The cost model: the rules of paper 002 (§3.5), one by one, and what the sizes in costs are.

use ragged_compiler::contracts::cost::Costs;
use ragged_compiler::fused::liveness::last_uses;
use ragged_compiler::{flat, fused, shaped, syntax, typed};

/// The costs of the exported function of a block, with what letters in it stand for.
fn costs(text: &str) -> String {
    let parsed = syntax::parse(text.parse().expect("tokens"));
    parsed.errors.propagate().expect("the grammar is right");
    let typed = typed::infer(&parsed.program);
    let flat = typed.and_then(shaped::infer).and_then(flat::flatten);
    let functions = match flat {
        Ok(flat) => fused::fuse(flat).functions,
        Err(report) => panic!("refused: {text}: {report:?}"),
    };
    assert_eq!(functions.len(), 1, "{text}");
    let costs = Costs::of(&functions[0], &last_uses(&functions[0]));
    let legend = costs.legend();
    let lines = std::iter::once(costs.to_string()).chain(legend);
    lines.collect::<Vec<_>>().join("; ")
}

fn check(text: &str, expected: &str) {
    assert_eq!(costs(text), expected, "{text}");
}

/// The example of §3.6: O(l) work, one step, one number at a time or all at once.
#[test]
fn iota_square_sum() {
    check(
        "pub fn f(l: usize) -> usize { (0..l).map(|x| x * x).sum() }",
        "work O(l), depth O(1), space O(1) to O(l)",
    );
}

/// The other example. The result is an array here, not a sequence: n² instead of n at a time.
#[test]
fn square_matrix_product() {
    check(
        "pub fn f(a: [[f64; n]; n], b: [[f64; n]; n]) -> [[f64; n]; n] {
            let columns = b.transpose();
            for row in a { for column in columns { zip(row, column).map(|(x, y)| x * y).sum() } }
        }",
        "work O(n³), depth O(1), space O(n²) to O(n³)",
    );
}

/// C-LIT, C-VAR, C-UNIT, C-PAIR of scalars, and a scalar C-OP: constants.
#[test]
fn scalars_are_constant() {
    let constant = "work O(1), depth O(1), space O(1)";
    check("pub fn f() -> f64 { 1.0 }", constant);
    check("pub fn f(x: f64) -> (f64, f64) { (x, x + 1.0) }", constant);
    check(
        "pub fn f(xs: [f64; n], i: usize) -> f64 { xs[i] }",
        constant,
    );
    check("pub fn f(xs: [f64; n]) -> usize { xs.len() }", constant);
    check("pub fn f(x: f64) -> [f64; 3] { [x, 2.0, x] }", constant);
}

/// C-LET: one after the other, and what is bound stays. Work and steps add up, and an array that is
/// in memory counts.
#[test]
fn bindings_follow_each_other() {
    check(
        "pub fn f(xs: [f64; n], ys: [f64; m]) -> f64 {
            let p = xs.scan(|a, b| a + b);
            let q = ys.sum();
            p.map(|x| x * q).sum() / p.last()
        }",
        "work O(m + n), depth O(1), space O(n) to O(m + n)",
    );
}

/// C-PAIR: the parts follow each other, and both stay.
#[test]
fn parts_follow_each_other() {
    check(
        "pub fn f(xs: [f64; n], ys: [f64; m]) -> ([f64; n], [f64; m]) {
            (xs.map(|x| x + 1.0), ys.map(|y| y + 1.0))
        }",
        "work O(m + n), depth O(1), space O(m + n)",
    );
}

/// C-OP, Table 2: `iota`, `zip`, `scan`, `reduce`, `concat`, `part`, `tab`: each is one step over its
/// elements.
#[test]
fn operations_are_one_step() {
    let one = |body: &str| costs(&format!("pub fn f(xs: [f64; n], ys: [f64; n]) -> {body}"));
    let streamed = "work O(n), depth O(1), space O(1) to O(n)";
    assert_eq!(one("f64 { xs.sum() }"), streamed);
    assert_eq!(one("f64 { xs.reduce(1.0, |a, b| a * b + a) }"), streamed);
    assert_eq!(
        one("f64 { zip(xs, ys).map(|(x, y)| x * y).max() }"),
        streamed
    );
    let made = "work O(n), depth O(1), space O(n)";
    assert_eq!(one("[usize] { 0..n }"), made);
    assert_eq!(one("[f64; n] { xs.scan(|a, b| a + b) }"), made);
    assert_eq!(one("[f64; n] { xs.rev() }"), made);
    assert_eq!(one("[f64] { xs.filter(|x| x > 0.0) }"), made);
    assert_eq!(one("[f64; n] { xs }"), made);
    check(
        "pub fn f(rows: [[f64]]) -> [f64] { rows.concat() }",
        "work O(|rows|), depth O(1), space O(|rows|)",
    );
}

/// C-OVER: work is summed over the elements, of steps the most counts; space on one processor is that
/// of one element at a time, on many that of all.
#[test]
fn bodies_run_together() {
    check(
        "pub fn f(rows: [[f64; m]; n]) -> f64 {
            for row in rows { let p = row.scan(|a, b| a + b); p[0] / p[m / 2] }.sum()
        }",
        "work O(n·m), depth O(1), space O(m + n) to O(n·m)",
    );
    check(
        "pub fn f(xs: [f64; n], k: usize) -> [f64; n] {
            for x in xs { let mut y = x; for _ in 0..k { y = y / 2.0; } y }
        }",
        "work O(n·k), depth O(k), space O(n)",
    );
}

/// What the paper has not: trips follow each other in the same space.
#[test]
fn trips_follow_each_other() {
    check(
        "pub fn f(xs: [f64; n], k: usize) -> [f64; n] {
            let mut ys = xs;
            for _ in 0..k { ys = for y in ys { y / 2.0 }; }
            ys
        }",
        "work O(n·k), depth O(k), space O(n)",
    );
    check(
        "pub fn f(xs: [f64; n], y: f64) -> f64 { xs.fold(y, |s, x| s * 0.5 + sqrt(x + s)) }",
        "work O(n), depth O(n), space O(1) to O(n)",
    );
    check(
        "pub fn f(xs: [f64; n], most: i32) -> [i32; n] {
            for x in xs {
                let (mut y, mut k) = (x, 0);
                while k < most && y < 4.0 { y = y * y; k += 1; }
                k
            }
        }",
        "work O(n·most), depth O(most), space O(n)",
    );
}

/// A sort is one step, and compares each element with a few.
#[test]
fn sorts_have_logarithms() {
    check(
        "pub fn f(xs: [f64; n]) -> [f64; n] { xs.sort() }",
        "work O(n·log(n)), depth O(1), space O(n)",
    );
    check(
        "pub fn f(rows: [[f64]]) -> [[f64]] { for row in rows { row.sort() } }",
        "work O(len(rows)·log(max|rows[i]|) + |rows|·log(max|rows[i]|)), depth O(1), \
         space O(len(rows) + |rows|)",
    );
}

/// What only a run can tell has a letter and a line.
#[test]
fn what_is_not_known_has_a_letter() {
    check(
        "pub fn f(x: f64) -> f64 { let mut y = x; while y < 100.0 { y *= 2.0; } y }",
        "work O(t), depth O(t), space O(1); `t`: the trips of the loop in line 1",
    );
    check(
        "pub fn f(x: f64, t: usize) -> f64 {
            let mut y = x + (0..t).sum() as f64;
            while y < 100.0 { y *= 2.0; }
            y
        }",
        "work O(t + t2), depth O(t2), space O(1) to O(t); `t2`: the trips of the loop in line 3",
    );
    check(
        "pub fn f(xs: [f64; n]) -> f64 {
            let k = xs.sum() as usize;
            (0..k).map(|j| exp(j as f64)).sum()
        }",
        "work O(n + s), depth O(1), space O(1) to O(n + s); `s`: the size that values decide in line 2",
    );
}

/// Rows of lengths of their own: all elements, and the longest row.
#[test]
fn rows_are_summed() {
    check(
        "pub fn f(rows: [[(usize, f64)]], v: [f64]) -> [f64] {
            for row in rows { sum(for (j, a) in row { a * v[j] }) }
        }",
        "work O(len(rows) + |rows|), depth O(1), space O(len(rows)) to O(len(rows) + |rows|)",
    );
    check(
        "pub fn f(x: [[[f64]]]) -> [f64] { for a in x { for b in a { b.sum() }.sum() } }",
        "work O(len(x) + len(x.concat()) + |x|), depth O(1), \
         space O(len(x) + max|x[i]|) to O(len(x) + len(x.concat()) + |x|)",
    );
    check(
        "pub fn f(rows: [[f64]], at: [usize; n]) -> f64 { for i in at { rows[i].sum() }.sum() }",
        "work O(n·max|rows[i]|), depth O(1), space O(n) to O(n·max|rows[i]|)",
    );
    check(
        "pub fn f(rows: [[f64]]) -> [f64] {
            for row in rows {
                let mut s = 0.0;
                for x in row { s = sqrt(s + x); }
                s
            }
        }",
        "work O(len(rows) + |rows|), depth O(max|rows[i]|), space O(len(rows))",
    );
}

/// So are numbers of an array that say how much is done.
#[test]
fn numbers_are_summed() {
    check(
        "pub fn f(ks: [usize; n]) -> f64 {
            for k in ks { (0..k).map(|j| exp(j as f64)).sum() }.sum()
        }",
        "work O(n + sum(ks)), depth O(1), space O(n) to O(n + sum(ks))",
    );
    check(
        "pub fn f(ks: [usize; n]) -> [[f64]] { for k in ks { for j in 0..k { exp(j as f64) } } }",
        "work O(n + sum(ks)), depth O(1), space O(n + sum(ks))",
    );
    check(
        "pub fn f(xs: [f64], lengths: [usize]) -> [f64] {
            for row in xs.unflatten(lengths) { row.sum() }
        }",
        "work O(len(lengths) + sum(lengths)), depth O(1), space O(len(lengths)) to O(len(lengths) + sum(lengths))",
    );
}

/// Rows that a program makes.
#[test]
fn rows_of_a_triangle() {
    check(
        "pub fn f(n: usize) -> [[f64]] { for i in 0..n { for j in 0..i { exp(j as f64) } } }",
        "work O(n²), depth O(1), space O(n²)",
    );
    check(
        "pub fn f(n: usize, m: usize) -> f64 {
            for i in 0..n { for j in 0..m { (0..i).map(|k| exp((k + j) as f64)).sum() } }.concat().sum()
        }",
        "work O(n²·m), depth O(1), space O(n·m) to O(n²·m)",
    );
}

/// Assignments are in place, but for what is read again.
#[test]
fn copies_count() {
    check(
        "pub fn f(xs: [f64; n], k: usize) -> f64 {
            let mut ys = xs;
            for i in 0..k { ys[i] = 0.0; }
            ys[0]
        }",
        "work O(k + n), depth O(k), space O(n)",
    );
    check(
        "pub fn f(xs: [f64; n], k: usize) -> f64 {
            let mut s = 0.0;
            for i in 0..k { let mut ys = xs; ys[i] = 1.0; s += ys[0]; }
            s
        }",
        "work O(n·k), depth O(k), space O(n)",
    );
}

/// More sizes than a table holds are one.
#[test]
fn very_many_sizes() {
    let names: Vec<String> = (0..40).map(|at| format!("x{at}: [f64]")).collect();
    let sums: Vec<String> = (0..40).map(|at| format!("x{at}.sum()")).collect();
    let text = format!(
        "pub fn f({}) -> f64 {{ {} }}",
        names.join(", "),
        sums.join(" + ")
    );
    let costs = costs(&text);
    assert!(costs.contains("len(x30) + "), "{costs}");
    assert!(
        costs.ends_with("; `…`: more sizes than are told apart"),
        "{costs}"
    );
}

/// Groups are as long as all that is grouped, together.
#[test]
fn groups_by_key() {
    check(
        "pub fn f(xs: [i32; n]) -> [i32] { xs.group_by_key(|x| x % 9).map(|(_, group)| group.sum()) }",
        "work O(n·log(n)), depth O(1), space O(n)",
    );
    check(
        "pub fn f(xs: [i32; n]) -> [(i32, f64)] {
            zip(xs, xs.map(|x| x as f64)).group_by_key(|(x, _)| x)
                .map(|(x, group)| (x, group.map(|(_, y)| y).fold(0.0, |a, y| a / 2.0 + y)))
        }",
        "work O(n·log(n)), depth O(n), space O(n)",
    );
}

/// Places of an order are found without it.
#[test]
fn places_of_an_order() {
    check(
        "pub fn f(xs: [f64; n], k: usize) -> f64 { xs.kth_smallest(k) }",
        "work O(n), depth O(1), space O(n)",
    );
    check(
        "pub fn f(xss: [[f64]]) -> [f64] { for xs in xss { xs.kth_smallest(xs.len() / 2) } }",
        "work O(len(xss) + |xss|), depth O(1), space O(len(xss) + max|xss[i]|) to O(len(xss) + |xss|)",
    );
}
