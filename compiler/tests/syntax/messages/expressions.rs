//! Messages about types, patterns and expressions.

use crate::{check, check_bodies};
use expect_test::expect;

#[test]
fn types() {
    check(
        "fn a(x: &[f32]) -> f32 { x } fn b(x: Vec<f32>) -> f32 { x } fn c(x: &mut f32) -> Option<f32> { x }
        fn d(x: Box<f32>, y: Seq<f32, f32>, z: Seq<'a>) -> ! { x } fn e(x: *const f32, y: crate::P) -> f32 { x }
        fn g(x: [f32; n + 1], y: [f32; a::N], z: [f32; 3u8], w: [f32; -1]) -> f32 { x } fn h(x: m!()) -> f32 { x }",
        expect![[r#"
            error: types have no `&` here
             at &[f32]
                arguments are borrowed by the compiler, and values are never changed
                help: write `[T]`: the caller passes `&[T]`
            error: `Vec<T>` is not a type of the language
             at Vec<f32>
                arrays are written the same way in arguments and results
                help: write `[T]`, or `[T; n]` with a name for the size
            error: types have no `&` here
             at &mut f32
                arguments are borrowed by the compiler, and values are never changed
                help: remove the `&`
            error: `Option` is not a type of the language
             at Option<f32>
                the caller gets a `ragged::Result` from each exported function
                help: write the plain type; check conditions with `assert!`
            error: generic type `Box` is not part of the language
             at Box<f32>
                help: use scalars, tuples, structs of the block and arrays `[T]`
            error: `Seq` takes one type
             at Seq<f32, f32>
                help: write `Seq<[f32; n]>`
            error: `Seq` takes one type
             at Seq<'a>
                help: write `Seq<[f32; n]>`
            error: the type `!` is not part of the language
             at !
                help: give the type of the value
            error: there are no pointers here
             at *const f32
                help: write `[T]` for an array
            error: types are single names here
             at crate::P
                the compiler sees only the tokens of this block
                help: declare the struct in the block, with `#[element(crate::P)]` in front if Rust has it
            error: a size in a type is a name or a number
             at n + 1
                relations between sizes are found by the compiler, or checked at entry
                help: write `[T]`, or give this size a name of its own: `[T; m]`
            error: a size in a type is a name or a number
             at a::N
                relations between sizes are found by the compiler, or checked at entry
                help: write `[T]`, or give this size a name of its own: `[T; m]`
            error: a size in a type is a name or a number
             at 3u8
                relations between sizes are found by the compiler, or checked at entry
                help: write `[T]`, or give this size a name of its own: `[T; m]`
            error: a size in a type is a name or a number
             at -1
                relations between sizes are found by the compiler, or checked at entry
                help: write `[T]`, or give this size a name of its own: `[T; m]`
            error: this type is not part of the language
             at m!()
                help: use scalars, tuples, structs of the block and arrays `[T]`
        "#]],
    );
    check_bodies(
        "
        let x: [f32; _] = y; x
        x as Vec<f32>
        ",
        expect![[r#"
            let x: [f32; _] = y; x
                { let x: [f32] = y; x }

            x as Vec<f32>
                error: `Vec<T>` is not a type of the language
                 at Vec<f32>
                    arrays are written the same way in arguments and results
                    help: write `[T]`, or `[T; n]` with a name for the size

        "#]],
    );
}

#[test]
fn literals() {
    check_bodies(
        "
        'a'
        'é'
        \"text\"
        b\"text\"
        c\"text\"
        1u128
        1.0f128
        1000000000000000000000000000000000000000
        match x { 'a' => 1, _ => 2 }
        ",
        expect![[r#"
            'a'
                error: `char` is not a scalar type of the language
                 at 'a'
                    help: write the byte `b'a'`

            'é'
                error: `char` is not a scalar type of the language
                 at 'é'
                    help: write its number: `233`

            "text"
                error: there are no strings in the language
                 at "text"
                    help: pass text as bytes: a parameter of type `[u8]`

            b"text"
                error: there are no strings in the language
                 at b"text"
                    help: write an array of bytes: `[b'a', b'b']`

            c"text"
                error: this literal is not part of the language
                 at c"text"
                    help: write an integer, a float, `true` or `false`

            1u128
                error: `u128` is not a scalar type of the language
                 at 1u128
                    help: the types are i8 i16 i32 i64 u8 u16 u32 u64 usize f16 bf16 f32 f64

            1.0f128
                error: `f128` is not a scalar type of the language
                 at 1.0f128
                    help: the types are i8 i16 i32 i64 u8 u16 u32 u64 usize f16 bf16 f32 f64

            1000000000000000000000000000000000000000
                error: this number does not fit into any integer type
                 at 1000000000000000000000000000000000000000
                    help: write a float: `1e40`

            match x { 'a' => 1, _ => 2 }
                error: `char` is not a scalar type of the language
                 at 'a'
                    help: write the byte `b'a'`

        "#]],
    );
}

#[test]
fn patterns() {
    check_bodies(
        "
        let ref x = y; x
        |&x| x
        let [a, b] = x; a
        match x { Some(y) => y, _ => z }
        match x { f32::MAX => y, _ => z }
        match x { A..=B => y, _ => z }
        let (a, .., b, ..) = x; a
        match x { .. => 1 }
        let a::P { x } = y; x
        let P { 0: x } = y; x
        let m!() = x; x
        let x @ .. = y; x
        ",
        expect![[r#"
            let ref x = y; x
                error: there is no `ref` here
                 at ref
                    values are never borrowed and never moved away
                    help: write `x`

            |&x| x
                error: patterns have no `&` here
                 at &x
                    there are no references in the language
                    help: remove the `&`

            let [a, b] = x; a
                error: arrays are not taken apart by patterns
                 at [a, b]
                    help: index the array: `a[0]`, `a[1..len(a)]`

            match x { Some(y) => y, _ => z }
                error: there are no enums and no tuple structs in the language
                 at Some(y)
                    help: match on scalars, tuples and structs with named fields

            match x { f32::MAX => y, _ => z }
                { match x { f32::MAX => y, _ => z } }

            match x { A..=B => y, _ => z }
                { match x { A..=B => y, _ => z } }

            let (a, .., b, ..) = x; a
                error: two `..` in one tuple pattern
                 at (a, .., b, ..)
                    help: keep one; write `_` for single elements

            match x { .. => 1 }
                error: `..` stands inside a tuple or struct pattern
                 at ..
                    help: write `_` for a whole value

            let a::P { x } = y; x
                error: structs have single names here
                 at a::P { x }
                    help: declare the struct in the block and use its name

            let P { 0: x } = y; x
                error: fields of structs have names
                 at 0
                    help: write the field's name

            let m!() = x; x
                error: this pattern is not part of the language
                 at m!()
                    help: use names, `_`, literals, ranges, tuples and structs

            let x @ .. = y; x
                error: `..` stands inside a tuple or struct pattern
                 at ..
                    help: write `_` for a whole value

        "#]],
    );
}

#[test]
fn expressions() {
    check_bodies(
        "
        f(&xs)
        f(&&x)
        f(&mut xs)
        *x + 1
        f(x)?
        async { 1 }
        x.await
        unsafe { x }
        const { 1 }
        if let (a, b) = t { a } else { b }
        while let x = y { }
        if a && let x = b { 1 } else { 2 }
        let (a, b) = t else { return 1 }; a
        &raw const x
        <f32 as T>::f(x)
        _
        'a: { break 'a 1 }
        ",
        expect![[r#"
            f(&xs)
                error: references are not needed here
                 at &xs
                    values are shared by the compiler, never copied for a call
                    help: remove the `&`

            f(&&x)
                error: references are not needed here
                 at &x
                    values are shared by the compiler, never copied for a call
                    help: remove the `&`

            f(&mut xs)
                error: there are no mutable references here
                 at &mut xs
                    a function changes nothing of its caller
                    help: return the new value and assign it: `a = f(a);`

            *x + 1
                error: `*` is not needed here
                 at *x
                    there are no references in the language
                    help: remove the `*`

            f(x)?
                error: `?` is not needed here
                 at ?
                    an error ends the whole call: the caller gets it
                    help: remove the `?`

            async { 1 }
                error: there is no `async` here
                 at async
                    a call returns when its results are there
                    help: remove it

            x.await
                error: there is no `async` here
                 at await
                    a call returns when its results are there
                    help: remove it

            unsafe { x }
                error: there is no `unsafe` here
                 at unsafe
                    all operations are checked, or proven not to need a check
                    help: remove the `unsafe`

            const { 1 }
                error: there are no `const` blocks here
                 at const
                    help: put a `const` item into the block, or remove the `const`

            if let (a, b) = t { a } else { b }
                error: `let` is not a condition here
                 at let
                    the pattern of a `let` must match every value
                    help: write `match x { 1 => a, _ => b }`, or a `let` of its own before

            while let x = y { }
                error: `let` is not a condition here
                 at let
                    the pattern of a `let` must match every value
                    help: write `match x { 1 => a, _ => b }`, or a `let` of its own before

            if a && let x = b { 1 } else { 2 }
                error: `let` is not a condition here
                 at let
                    the pattern of a `let` must match every value
                    help: write `match x { 1 => a, _ => b }`, or a `let` of its own before

            let (a, b) = t else { return 1 }; a
                error: `let` has no `else` here
                 at else
                    the pattern of a `let` must match every value
                    help: write `match x { 1 => a, _ => b }`

            &raw const x
                error: there are no pointers here
                 at &raw const x
                    help: use the value

            <f32 as T>::f(x)
                error: functions of other blocks are called by their names
                 at <f32 as T>::f
                    a path in an expression is a type and a name, as in `f32::MAX`
                    help: put `use path::to::f;` at the top of the block and write `f`

            _
                error: `_` is not a value
                 at _
                    help: `_` stands in patterns, types and on the left of `=`

            'a: { break 'a 1 }
                error: blocks have no labels here
                 at 'a:
                    help: use `if` and `else`

        "#]],
    );
}
