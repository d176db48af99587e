//! What other languages write, and Rust outside of this one.

use crate::{check, check_bodies};
use expect_test::expect;

#[test]
fn words_of_other_languages() {
    check_bodies(
        "
        i++;
        ++i
        i--
        a and b
        a or b
        not a
        if a then b else c
        if a { 1 } elif b { 2 } else { 3 }
        switch x { }
        var x = 3;
        while a do { }
        [x * 2 for x in xs]
        sum(x for x in xs)
        xs.map(x => x + 1)
        xs.map(|x| => x)
        xs.map(lambda x: x)
        a ? b : c
        x := 3
        x: f32 = 3.0;
        0 <= i < n
        x ** 2
        ",
        expect![[r#"
            i++;
                error: there is no operator `++`
                 at ++
                    help: write `i += 1`

            ++i
                error: there is no operator `++`
                 at ++
                    help: write `i += 1`

            i--
                error: there is no operator `--`
                 at --
                    help: write `i -= 1`

            a and b
                error: `and` is not a word of the language
                 at and
                    help: write `a && b`

            a or b
                error: `or` is not a word of the language
                 at or
                    help: write `a || b`

            not a
                error: `not` is not a word of the language
                 at not
                    help: write `!a`

            if a then b else c
                error: `then` is not a word of the language
                 at then
                    help: write `if c { a } else { b }`

            if a { 1 } elif b { 2 } else { 3 }
                error: `elif` is not a word of the language
                 at elif
                    help: write `else if`

            switch x { }
                error: `switch` is not a word of the language
                 at switch
                    help: write `match x { 1 => a, _ => b }`

            var x = 3;
                error: `var` is not a word of the language
                 at var
                    help: write `let x = …;`, or `let mut x = …;` for one that changes

            while a do { }
                error: `do` is not a word of the language
                 at do
                    help: write the body in braces: `{ … }`

            [x * 2 for x in xs]
                error: the value of a `for` stands in its braces
                 at for
                    help: write `for x in xs { x * x }`

            sum(x for x in xs)
                error: the value of a `for` stands in its braces
                 at for
                    help: write `for x in xs { x * x }`

            xs.map(x => x + 1)
                error: closures are written with bars
                 at =>
                    help: write `|x| x + 1`

            xs.map(|x| => x)
                error: closures are written with bars
                 at =>
                    help: write `|x| x + 1`

            xs.map(lambda x: x)
                error: `lambda` is not a word of the language
                 at lambda
                    help: write a closure: `|x| x + 1`

            a ? b : c
                error: there is no `… ? … : …`
                 at ?
                    help: write `if c { a } else { b }`

            x := 3
                error: a new name starts with `let`
                 at :=
                    help: write `let x = …;` or `let x: T = …;`

            x: f32 = 3.0;
                error: a new name starts with `let`
                 at :
                    help: write `let x = …;` or `let x: T = …;`

            0 <= i < n
                error: comparisons cannot be chained
                 at <
                    help: write `0 <= i && i < n`

            x ** 2
                error: there is no operator `**`
                 at ** 2
                    help: write `x * x`, `x.pow(y)` for floats, or `x.wrapping_pow(y)` for integers

        "#]],
    );
}

#[test]
fn signatures() {
    check(
        "fn f(x: f32): f32 { x }",
        expect![[r#"
        error: the result type follows an arrow
         at :
            help: write `-> f32`
    "#]],
    );
    check(
        "fn f(x: f32) f32 { x }",
        expect![[r#"
        error: the result type follows an arrow
         at f32
            help: write `-> f32`
    "#]],
    );
    check(
        "fn f(x, y: f32) -> f32 { x }",
        expect![[r#"
        error: parameter `x` has no type
         at x
            help: write `x: f32`, or `x: [f32]` for an array
    "#]],
    );
    check(
        "fn f(y: f32, x) -> f32 { x }",
        expect![[r#"
        error: parameter `x` has no type
         at x
            help: write `x: f32`, or `x: [f32]` for an array
    "#]],
    );
    check(
        "fn f(x: f32) -> f32;",
        expect![[r#"
        error: this function has no body
         at ;
            help: write the body in braces: `{ … }`
    "#]],
    );
    check(
        "fn f(x: f32) -> f32",
        expect![[r#"
        error: this function has no body
         at f32
            help: write the body in braces: `{ … }`
    "#]],
    );
}

#[test]
fn other_grammar() {
    check_bodies(
        "
        let x = 1 x
        let x = ;
        if (x) 1 else 2
        match x { 1: 2 }
        a === b
        a.b.
        let x: = 3;
        let = 3;
        let x = dbg!(a b); x
        assert!(a[i, j])
        ",
        expect![[r#"
            let x = 1 x
                error: expected `;`
                 at x
                    help: a statement ends with `;`; only the last expression of a block has none

            let x = ;
                error: expected an expression
                 at ;
                    help: the grammar inside the block is Rust's

            if (x) 1 else 2
                error: expected `{`
                 at 1
                    help: bodies stand in braces: `{ … }`

            match x { 1: 2 }
                error: expected `=>`
                 at :
                    help: the grammar inside the block is Rust's

            a === b
                error: expected an expression
                 at =
                    help: the grammar inside the block is Rust's

            a.b.
                error: expected identifier or integer
                 at }
                    help: the grammar inside the block is Rust's

            let x: = 3;
                error: expected a type
                 at =
                    help: types are scalars, structs of the block, tuples and arrays `[T]`

            let = 3;
                error: expected a pattern
                 at =
                    help: patterns are names, `_`, literals, tuples and structs

            let x = dbg!(a b); x
                error: expected `,`
                 at b
                    help: the grammar inside the block is Rust's

            assert!(a[i, j])
                error: an index has one part
                 at [i, j]
                    an array of arrays is indexed one level at a time
                    help: write `a[i][j]`

        "#]],
    );
    check(
        "fn 3() {} fn g() -> f32 { 1.0 } const X = 1;",
        expect![[r#"
        error: expected identifier
         at 3
            help: the grammar inside the block is Rust's
        error: expected `:`
         at =
            help: the grammar inside the block is Rust's
    "#]],
    );
    check(
        "struct A { x f32 }",
        expect![[r#"
        error: expected `:`
         at f32
            help: the grammar inside the block is Rust's
    "#]],
    );
    check(
        "fn f(x: ) -> f32 { x }",
        expect![[r#"
        error: expected a type
         at )
            help: types are scalars, structs of the block, tuples and arrays `[T]`
    "#]],
    );
}
