//! Whatever the tokens are, the stage gives a consistent program or messages; it never panics.

use proc_macro2::{TokenStream, TokenTree};
use ragged_compiler::{syntax, typed};

const SOURCES: &[&str] = &[
    "pub fn f(xs: [f32; n], ys: [f32; n]) -> f32 { zip(xs, ys).map(|(x, y)| x * y).sum() }
     struct P { x: f32, y: i32 }
     pub fn g(ps: [P], k: usize) -> [P] { ps.map(|p| P { x: p.x + k as f32, ..p }).rotate_left(k) }",
    "const K: usize = 3;
     pub fn h(n: u64) -> u32 {
         let mut s = 0; let mut a = [0u32; K];
         'l: while n > 2 { s += 1; a[s as usize] = 1; if s == 4 { break 'l; } else { continue; } }
         for i in 0..K { (s, _) = (a[i], i); }
         while s > if n > 9 { return s } else { 2 } && s < 7 { s += 1 + if s == 5 { break; } else { a[0] }; }
         match (s, n) { (0, 1..=3) => 1, (x @ 2, _) | (_, x) if x > 1 => x as u32, _ => loop { break s << 2; } }
     }",
    "fn apply<T: Num>(f: impl Fn(T, T) -> T, xs: [T]) -> (T, [T]) { (xs.reduce(xs[0], f), xs.scan(f)) }
     #[instances(i32, f64)]
     pub fn both<T: Num>(xs: [T]) -> T { let (a, b) = apply(add, xs); a + b[1..].max() }
     pub fn k(xs: [i64]) -> bool { let ys = for x in xs { for y in xs { x - y } }; ys.any(|y| y.sum() > 0) }",
    "struct P { at: [f32; 3] }
     fn go(f: impl Fn(usize, usize) -> f32, n: usize) -> [[f32; k]; n] { generate((n, 2), f) }
     pub fn l(a: [[f32; m]; n], ps: [P; n]) -> [[f32; m]; n] {
         let mut b = a.transpose(0, 1).transpose();
         b[0][..2] = ps[0].at[1..]; b[1] = a.sum_axis(0); b[0][1] += a.flatten()[3];
         for row in b.scan_axis(1, |x, y| x + y) { row.map(|x| x * go(|i, j| x, 2)[1][0]) }
     }
     pub fn p(xs: [i32]) -> [[i32; w]] {
         let (n, m) = xs.reshape((2, 3)).shape();
         let t: [[i32; 2]; 3] = xs.chunks(2);
         let (s, u) = t.scan_from_axis(0, n as i32, add);
         u.broadcast((m, xs.position(|x| x > 1))).chain(t.fold_axis(1, fill(0, 2), |v, x| v.map(|y| y + x)))
     }",
];

/// A linear congruential generator: the tests do the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}

/// Tokens with delimiters opened up, so that any of them can be exchanged.
fn flatten(tokens: TokenStream, out: &mut Vec<String>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => {
                let text = group.to_string();
                let (open, close) = (&text[..1], &text[text.len() - 1..]);
                out.push(open.to_owned());
                flatten(group.stream(), out);
                out.push(close.to_owned());
            }
            TokenTree::Punct(punct) if punct.spacing() == proc_macro2::Spacing::Joint => {
                out.push(format!("{punct}\u{0}"));
            }
            other => out.push(other.to_string()),
        }
    }
}

fn mutate(tokens: &[String], random: &mut Random) -> String {
    let mut tokens = tokens.to_vec();
    for _ in 0..=random.below(3) {
        let (at, other) = (random.below(tokens.len()), random.below(tokens.len()));
        match random.below(4) {
            0 => tokens[at] = tokens[other].clone(),
            1 => tokens.swap(at, other),
            2 => drop(tokens.remove(at)),
            _ => tokens.insert(at, tokens[other].clone()),
        }
    }
    tokens.join(" ").replace("\u{0} ", "")
}

#[test]
fn mutants_are_typed_or_reported() {
    let mut random = Random(7);
    let (mut typed, mut reported) = (0, 0);
    for source in SOURCES {
        let mut tokens = Vec::new();
        flatten(source.parse().expect("tokens"), &mut tokens);
        for _ in 0..1500 {
            let mutant = mutate(&tokens, &mut random);
            let Ok(stream) = mutant.parse() else { continue };
            let parsed = syntax::parse(stream);
            if !parsed.errors.is_empty() {
                continue;
            }
            match typed::infer(&parsed.program) {
                Ok(program) => {
                    typed += 1;
                    if let Err(sentence) = typed::verify::verify(&program) {
                        panic!("{sentence}\n{mutant}");
                    }
                    typed::print::print(&program);
                }
                Err(report) => {
                    reported += 1;
                    assert!(!report.diagnostics().is_empty(), "no message\n{mutant}");
                }
            }
        }
    }
    assert!(
        typed > 20 && reported > 100,
        "{typed} typed, {reported} reported"
    );
}
