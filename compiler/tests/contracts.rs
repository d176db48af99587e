//! What is known of a compiled function, and that it is verified.

mod compiled;

use compiled::functions;
use expect_test::expect;
use ragged_compiler::contracts;
use ragged_compiler::fused::ir::{Function, Manifest, Reason};

fn compiled(text: &str) -> Function {
    let mut functions = functions(text);
    assert_eq!(functions.len(), 1, "{text}");
    functions.remove(0)
}

/// An array in memory between two kernels, one in each branch, one in a loop.
const PROGRAM: &str = "
    pub fn f(xs: [f32; n], k: usize, c: bool) -> [f32; n] {
        let sums = xs.scan(|a, b| a + b);
        let mut ys = if c { xs.map(|x| x + 1.0) } else { xs.rev() };
        for _ in 0..k { ys = gather(sums, sort_of(n)).map(|s| s * 2.0); }
        ys
    }
    fn sort_of(n: usize) -> [usize; n] { for i in 0..n { n - 1 - i } }
";

#[test]
fn facts_count_kernels_and_arrays_between_them() {
    let facts = contracts::Facts::of(&compiled(PROGRAM));
    assert_eq!(facts.to_string(), "kernels 4, intermediates 4, regular");
    let facts = contracts::Facts::of(&compiled(
        "pub fn dot(xs: [f32; n], ys: [f32; n]) -> f32 { zip(xs, ys).map(|(x, y)| x * y).sum() }",
    ));
    assert_eq!(facts.to_string(), "kernels 1, intermediates 0, regular");
}

#[test]
fn a_function_is_printed_with_what_it_promises() {
    let printed = |text: &str| contracts::print::print(&compiled(text));
    expect![[r#"
        #[regular] f: kernels 4, intermediates 4, regular, work O(n·k), depth O(k), space O(n)
          %9 in memory: a scan, scatter or sort makes it as a whole
          %13 in memory: it is the value of an `if`
          %18 in memory: it is the value of an `if`
          %37 in memory: it is the state of a loop
    "#]]
    .assert_eq(&printed(&format!("#[regular] {}", PROGRAM.trim_start())));
    let dot = "#[fused] #[work(n)] pub fn dot(xs: [f32; n], ys: [f32; n]) -> f32 {
        zip(xs, ys).map(|(x, y)| x * y).sum()
    }";
    expect![[r#"
        #[fused] #[work(n)] dot: kernels 1, intermediates 0, regular, work O(n), depth O(1), space O(1) to O(n)
    "#]].assert_eq(&printed(dot));
}

/// Trips that run together write every state; one of these two is only moved.
#[test]
fn states_that_sweeps_write_are_listed() {
    let function = compiled(
        "pub fn f(xs: [i64; n], ys: [i64; n], k: usize) -> ([i64; n], [i64; n]) {
            let (mut a, mut b) = (xs, ys);
            for _ in 0..k {
                let next = for i in 0..n { if i > 0 { a[i] + b[i - 1] } else { a[i] } };
                (a, b) = (next, a);
            }
            (a, b)
        }",
    );
    assert_eq!(contracts::verify::verify(&function), Ok(()));
    let reasons: Vec<Reason> = function.manifests.iter().map(|it| it.reason).collect();
    assert_eq!(reasons, [Reason::LoopState; 2]);
}

/// What is said of the program after something was done to its list of arrays.
fn after(change: impl Fn(&mut Vec<Manifest>)) -> Result<(), String> {
    let mut function = compiled(PROGRAM);
    change(&mut function.manifests);
    contracts::verify::verify(&function)
}

#[test]
fn facts_of_another_body_are_found_out() {
    assert_eq!(after(|_| ()), Ok(()));
    for at in 0..compiled(PROGRAM).manifests.len() {
        let missing = after(|arrays| {
            arrays.remove(at);
        });
        let verdict = missing.expect_err("an array is not listed");
        assert!(verdict.starts_with("kernels make ["), "{verdict}");
        assert!(after(|arrays| arrays.insert(at, arrays[at].clone())).is_err());
    }
    assert!(after(|arrays| arrays.swap(0, 1)).is_err());
}
