use crate::{check, message};
use expect_test::{Expect, expect};
use ragged_compiler::syntax::imports;

/// Checks what a block imports, and what is left of it.
fn check_imports(text: &str, expected: Expect) {
    let found = imports(&text.parse().expect("tokens"));
    let out = found.map_or("no imports".to_owned(), |found| {
        let mut out = String::new();
        for import in &found.imports {
            let path = import.path.to_string().replace(' ', "");
            out += &format!(
                "{path} as {} at line {}\n",
                import.name,
                import.src.start().line
            );
        }
        out + "rest: " + &found.rest.to_string()
    });
    expected.assert_eq(&out);
}

#[test]
fn uses_are_taken_out_of_the_block() {
    check_imports(
        "use crate::linalg::dotp;
        const N: usize = 3;
        use super::{a, b as c, deep::{d}};
        use ::other::e;
        use g;
        fn f(x: f32) -> f32 { x }",
        expect![[r#"
            crate::linalg::dotp as dotp at line 1
            super::a as a at line 3
            super::b as c at line 3
            super::deep::d as d at line 3
            ::other::e as e at line 4
            g as g at line 5
            rest: const N : usize = 3 ; fn f (x : f32) -> f32 { x }"#]],
    );
}

#[test]
fn blocks_without_uses_have_no_imports() {
    check_imports("fn f(x: f32) -> f32 { use a; x }", expect!["no imports"]);
    check_imports("", expect!["no imports"]);
}

#[test]
fn uses_that_cannot_be_followed_stay() {
    check_imports(
        "use a::*; use b::c; pub use d::e;",
        expect![[r#"
        b::c as c at line 1
        rest: use a ::*; pub use d :: e ;"#]],
    );
    check_imports("use a::*;", expect!["no imports"]);
}

#[test]
fn messages_about_uses() {
    check(
        "use a::*;
        use b::{self};
        use c as _;
        pub use d::e;
        #[cfg(test)] use f::g;
        use h::i;
        use j::;
        use k::{l, m::*};
        use n::{};
        fn f() { 1 }",
        expect![[r#"
            error: `use` of everything is not possible here
             at *
                the compiler sees the names in this block only
                help: name the functions: `use crate::linalg::{dotp, norm};`
            error: `use` in a block names functions and structs
             at self
                modules and hidden names are of no use here
                help: name the function: `use crate::linalg::dotp;`
            error: `use` in a block names functions and structs
             at c as _
                modules and hidden names are of no use here
                help: name the function: `use crate::linalg::dotp;`
            error: a block cannot export what it imports
             at pub
                help: write `pub use` outside the block
            error: `use` takes no attributes here
             at #[cfg(test)]
                help: remove it
            error: expected one of: identifier, `self`, `super`, `crate`, `try`, `*`, curly braces
             at ;
                help: the grammar inside the block is Rust's
            error: `use` of everything is not possible here
             at *
                the compiler sees the names in this block only
                help: name the functions: `use crate::linalg::{dotp, norm};`
            error: this `use` names nothing
             at use n::{};
                help: remove it
        "#]],
    );
}

#[test]
fn units() {
    check(
        "@unit dotp as dotp { pub fn dotp(x: f32) -> f32 { half(x) } fn half(x: f32) -> f32 { x } }
        @unit norm as length {
            @unit sq as square { const A: f32 = 1.0; pub fn sq(x: f32) -> f32 { A } }
            @unit id as id { pub fn id(x: f32) -> f32 { x } }
            pub fn norm(x: f32) -> f32 { square(x) }
        }
        pub fn f(x: f32) -> f32 { dotp(x) + length(x) }",
        expect![[r#"
            unit 0: dotp as dotp
            pub fn dotp(x: f32) -> f32 { half(x) }
            fn half(x: f32) -> f32 { x }
            unit 1: sq as square
            const A: f32 = 1.0;
            pub fn sq(x: f32) -> f32 { A }
            unit 2: id as id
            pub fn id(x: f32) -> f32 { x }
            unit 3: norm as length, imports 1, 2
            pub fn norm(x: f32) -> f32 { square(x) }
            block, imports 0, 3
            pub fn f(x: f32) -> f32 { (dotp(x) + length(x)) }
        "#]],
    );
}

#[test]
fn broken_units() {
    check(
        "@unit f { } @other a as b { } @",
        expect![[r#"
        error: this does not start an item of the block
         at @unit f { }
            help: a block has `fn`, `struct`, `const` and `use` items
        error: this does not start an item of the block
         at @other a as b { }
            help: a block has `fn`, `struct`, `const` and `use` items
        error: this does not start an item of the block
         at @
            help: a block has `fn`, `struct`, `const` and `use` items
    "#]],
    );
}

#[test]
fn errors_in_units_are_marked_there() {
    let text = "@unit f as g { pub fn f(x: f32) -> f32 { &x } } fn h(x: f32) -> f32 { g(x) }";
    let parsed = ragged_compiler::syntax::parse(text.parse().expect("tokens"));
    let report = parsed.errors.propagate().expect_err("a reference");
    expect![[r#"
        error: references are not needed here
         at &x
            values are shared by the compiler, never copied for a call
            help: remove the `&`
    "#]]
    .assert_eq(&message(text, &report.diagnostics()[0]));
}

#[test]
fn verify_finds_a_missing_entry() {
    let parsed = ragged_compiler::syntax::parse("@unit f as g { }".parse().expect("tokens"));
    let found = ragged_compiler::syntax::verify(&parsed.program).expect_err("no function f");
    expect!["an imported unit has no function or struct f"].assert_eq(&found);
}

#[test]
fn verify_finds_broken_imports() {
    let text = "@unit f as g { fn f() -> f32 { 1.0 } } fn h() -> f32 { g() }";
    let broken = |imports: Vec<usize>| {
        let mut program = ragged_compiler::syntax::parse(text.parse().expect("tokens")).program;
        program.units[1].imports = imports;
        ragged_compiler::syntax::verify(&program)
    };
    assert_eq!(broken(vec![0]), Ok(()));
    expect!["a unit is not imported exactly once"].assert_eq(&broken(vec![]).unwrap_err());
    expect!["a unit is not imported exactly once"].assert_eq(&broken(vec![0, 0]).unwrap_err());
    expect!["unit 1 imports unit 1, which is not before it"]
        .assert_eq(&broken(vec![1]).unwrap_err());
}
