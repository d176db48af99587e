//! Mistakes that have a message of their own.

use crate::{check, check_bodies};
use expect_test::expect;

#[test]
fn indices() {
    check_bodies(
        "
        a[i, j]
        let y = a[i + 1, 0] * 2.0; y
        f(x)[i, j]
        a[1..3, j]
        a[1:3]
        a[:, 0]
        ",
        expect![[r#"
            a[i, j]
                error: an index has one part
                 at [i, j]
                    an array of arrays is indexed one level at a time
                    help: write `a[i][j]`

            let y = a[i + 1, 0] * 2.0; y
                error: an index has one part
                 at [i + 1, 0]
                    an array of arrays is indexed one level at a time
                    help: write `a[i + 1][0]`

            f(x)[i, j]
                error: an index has one part
                 at [i, j]
                    an array of arrays is indexed one level at a time
                    help: write `a[i][j]`

            a[1..3, j]
                error: an index has one part
                 at [1..3, j]
                    an array of arrays is indexed one level at a time
                    help: write `a[i][j]`

            a[1:3]
                error: slices are written with `..`
                 at [1:3]
                    help: write `a[1..3]`, `a[1..]` or `a[..3]`

            a[:, 0]
                error: slices are written with `..`
                 at [:, 0]
                    help: write `a[1..3]`, `a[1..]` or `a[..3]`

        "#]],
    );
}

#[test]
fn array_types() {
    check(
        "fn f(x: [f32, n]) -> f32 { x }",
        expect![[r#"
        error: the size in an array type follows a `;`
         at [f32, n]
            help: write `[f32; n]`
    "#]],
    );
    check(
        "fn f(x: [f32; n, m]) -> f32 { x }",
        expect![[r#"
        error: an array type has one size
         at [f32; n, m]
            a matrix is an array of rows
            help: write `[[f32; m]; n]`
    "#]],
    );
    check_bodies(
        "let x: [f32, 3] = y; x",
        expect![[r#"
        let x: [f32, 3] = y; x
            error: the size in an array type follows a `;`
             at [f32, 3]
                help: write `[f32; n]`

    "#]],
    );
}

#[test]
fn operators_as_functions() {
    check_bodies(
        "
        xs.reduce(+)
        reduce(xs, 1, *)
        xs.fold(0, +)
        xs.fold(&&)
        xs.scan(*)
        xs.scan(||)
        xs.reduce(0, (-))
        xs.map(<=)
        ",
        expect![[r#"
            xs.reduce(+)
                error: an operator is not a function by itself
                 at +
                    `reduce` takes the value to start with, then the function
                    help: write `reduce(0, |a, b| a + b)`

            reduce(xs, 1, *)
                error: an operator is not a function by itself
                 at *
                    help: write `|a, b| a * b`

            xs.fold(0, +)
                error: an operator is not a function by itself
                 at +
                    help: write `|a, b| a + b`

            xs.fold(&&)
                error: an operator is not a function by itself
                 at &&
                    `fold` takes the value to start with, then the function
                    help: write `fold(true, |a, b| a && b)`

            xs.scan(*)
                error: an operator is not a function by itself
                 at *
                    help: write `|a, b| a * b`

            xs.scan(||)
                error: an operator is not a function by itself
                 at ||
                    help: write `|a, b| a || b`

            xs.reduce(0, (-))
                error: an operator is not a function by itself
                 at -
                    help: write `|a, b| a - b`

            xs.map(<=)
                error: an operator is not a function by itself
                 at <=
                    help: write `|a, b| a <= b`

        "#]],
    );
}

#[test]
fn casts_before_less() {
    check_bodies(
        "
        i as usize < n
        if (i + 1) as usize < n { 1 } else { 2 }
        while i as usize < (n + 1) { i += 1; }
        x[i as usize << 2]
        let c = i as usize < n; c
        ",
        expect![[r#"
            i as usize < n
                error: `<` after `as usize` starts a list of types
                 at as usize <
                    help: put the cast in parentheses: `(i as usize) < …`

            if (i + 1) as usize < n { 1 } else { 2 }
                error: `<` after `as usize` starts a list of types
                 at as usize <
                    help: put the cast in parentheses: `((i + 1) as usize) < …`

            while i as usize < (n + 1) { i += 1; }
                error: `<` after `as usize` starts a list of types
                 at as usize <
                    help: put the cast in parentheses: `(i as usize) < …`

            x[i as usize << 2]
                error: `<` after `as usize` starts a list of types
                 at as usize <
                    help: put the cast in parentheses: `(i as usize) < …`

            let c = i as usize < n; c
                error: `<` after `as usize` starts a list of types
                 at as usize <
                    help: put the cast in parentheses: `(i as usize) < …`

        "#]],
    );
}

#[test]
fn statements_that_end_early() {
    check_bodies(
        "
        for x in xs { x } - 1
        for x in xs { x } + 1
        for x in xs { for y in x { y } } * 2
        for x in xs { x } & mask
        for x in xs { x } as f32
        for x in xs { x } < 3
        for x in xs { x } | m
        for x in xs { x } .. 3
        for x in xs { x } == 2
        for x in xs { x } % 2; 1
        if a { 1 } else { 2 } as f32
        if a { 1 } else { 2 } * 3
        match a { 1 => 2, _ => 3 } - 1
        let x = 1; match a { _ => if c { 2 } else { 3 } + 1, }
        ",
        expect![[r#"
            for x in xs { x } - 1
                error: this `for` is a statement, which ends at its `}`
                 at -
                    Rust reads what follows as the next statement
                    help: put it in parentheses, `(for … { … })`, or give it a name with `let`

            for x in xs { x } + 1
                error: this `for` is a statement, which ends at its `}`
                 at +
                    Rust reads what follows as the next statement
                    help: put it in parentheses, `(for … { … })`, or give it a name with `let`

            for x in xs { for y in x { y } } * 2
                error: this `for` is a statement, which ends at its `}`
                 at *
                    Rust reads what follows as the next statement
                    help: put it in parentheses, `(for … { … })`, or give it a name with `let`

            for x in xs { x } & mask
                error: this `for` is a statement, which ends at its `}`
                 at &
                    Rust reads what follows as the next statement
                    help: put it in parentheses, `(for … { … })`, or give it a name with `let`

            for x in xs { x } as f32
                error: this `for` is a statement, which ends at its `}`
                 at as
                    Rust reads what follows as the next statement
                    help: put it in parentheses, `(for … { … })`, or give it a name with `let`

            for x in xs { x } < 3
                error: this `for` is a statement, which ends at its `}`
                 at <
                    Rust reads what follows as the next statement
                    help: put it in parentheses, `(for … { … })`, or give it a name with `let`

            for x in xs { x } | m
                error: this `for` is a statement, which ends at its `}`
                 at |
                    Rust reads what follows as the next statement
                    help: put it in parentheses, `(for … { … })`, or give it a name with `let`

            for x in xs { x } .. 3
                error: this `for` is a statement, which ends at its `}`
                 at ..
                    Rust reads what follows as the next statement
                    help: put it in parentheses, `(for … { … })`, or give it a name with `let`

            for x in xs { x } == 2
                error: this `for` is a statement, which ends at its `}`
                 at ==
                    Rust reads what follows as the next statement
                    help: put it in parentheses, `(for … { … })`, or give it a name with `let`

            for x in xs { x } % 2; 1
                error: this `for` is a statement, which ends at its `}`
                 at %
                    Rust reads what follows as the next statement
                    help: put it in parentheses, `(for … { … })`, or give it a name with `let`

            if a { 1 } else { 2 } as f32
                error: this `if` is a statement, which ends at its `}`
                 at as
                    Rust reads what follows as the next statement
                    help: put it in parentheses, `(if … { … })`, or give it a name with `let`

            if a { 1 } else { 2 } * 3
                error: this `if` is a statement, which ends at its `}`
                 at *
                    Rust reads what follows as the next statement
                    help: put it in parentheses, `(if … { … })`, or give it a name with `let`

            match a { 1 => 2, _ => 3 } - 1
                error: this `match` is a statement, which ends at its `}`
                 at -
                    Rust reads what follows as the next statement
                    help: put it in parentheses, `(match … { … })`, or give it a name with `let`

            let x = 1; match a { _ => if c { 2 } else { 3 } + 1, }
                error: this `if` is a statement, which ends at its `}`
                 at +
                    Rust reads what follows as the next statement
                    help: put it in parentheses, `(if … { … })`, or give it a name with `let`

        "#]],
    );
}

#[test]
fn ranges() {
    check_bodies(
        "
        0..n.map(f)
        0..n.map(|i| i * 2).sum()
        for i in 0..n.rev() { s += i; }
        0..10.sum()
        1..n.fold(0, |a, i| a + i)
        1..=n.min()
        0..n.min(4)
        0..counts.sum()
        0..xs.map(f).sum()
        0..xs.len()
        xs[0..k.max(1)]
        ..n
        0..
        ..
        f(..3)
        ",
        expect![[r#"
            0..n.map(f)
                error: `.map` applies to the end of the range only
                 at 0..n.map(f)
                    a method call binds tighter than `..`
                    help: put the range in parentheses: `(a..b).map(…)`

            0..n.map(|i| i * 2).sum()
                error: `.sum` applies to the end of the range only
                 at 0..n.map(|i| i * 2).sum()
                    a method call binds tighter than `..`
                    help: put the range in parentheses: `(a..b).sum(…)`

            for i in 0..n.rev() { s += i; }
                error: `.rev` applies to the end of the range only
                 at 0..n.rev()
                    a method call binds tighter than `..`
                    help: put the range in parentheses: `(a..b).rev(…)`

            0..10.sum()
                error: `.sum` applies to the end of the range only
                 at 0..10.sum()
                    a method call binds tighter than `..`
                    help: put the range in parentheses: `(a..b).sum(…)`

            1..n.fold(0, |a, i| a + i)
                error: `.fold` applies to the end of the range only
                 at 1..n.fold(0, |a, i| a + i)
                    a method call binds tighter than `..`
                    help: put the range in parentheses: `(a..b).fold(…)`

            1..=n.min()
                error: `.min` applies to the end of the range only
                 at 1..=n.min()
                    a method call binds tighter than `..`
                    help: put the range in parentheses: `(a..b).min(…)`

            0..n.min(4)
                { (0..n.min(4)) }

            0..counts.sum()
                { (0..counts.sum()) }

            0..xs.map(f).sum()
                { (0..xs.map(f).sum()) }

            0..xs.len()
                { (0..xs.len()) }

            xs[0..k.max(1)]
                { xs[(0..k.max(1))] }

            ..n
                error: this range has no start
                 at ..
                    a range is an array of numbers, except in an index
                    help: write `0..n`

            0..
                error: this range has no end
                 at ..
                    a range is an array of numbers, except in an index
                    help: write both ends: `0..n`

            ..
                error: this range has no ends
                 at ..
                    `..` stands inside an index or a pattern
                    help: write both ends: `0..n`

            f(..3)
                error: this range has no start
                 at ..
                    a range is an array of numbers, except in an index
                    help: write `0..n`

        "#]],
    );
}
