//! Messages about calls, macros and statements.

use crate::check_bodies;
use expect_test::expect;

#[test]
fn calls() {
    check_bodies(
        "
        linalg::dotp(x, y)
        crate::linalg::dotp(x, y)
        std::f32::consts::PI
        ::f(x)
        xs.map(f::<f32>)
        f::<3>(x)
        f::<'a>(x)
        (p.f)(x)
        (|x| x)(1)
        fs[0](x)
        a::P { x: 1 }
        P { 0: 1 }
        P { x: 1, .. }
        async |x| x
        Foo::<f32>::new(x)
        ",
        expect![[r#"
            linalg::dotp(x, y)
                error: functions of other blocks are called by their names
                 at linalg::dotp
                    a path in an expression is a type and a name, as in `f32::MAX`
                    help: put `use path::to::dotp;` at the top of the block and write `dotp`

            crate::linalg::dotp(x, y)
                error: functions of other blocks are called by their names
                 at crate::linalg::dotp
                    a path in an expression is a type and a name, as in `f32::MAX`
                    help: put `use path::to::dotp;` at the top of the block and write `dotp`

            std::f32::consts::PI
                error: constants from outside the block are not known in it
                 at std::f32::consts::PI
                    the compiler sees only the tokens of this block
                    help: write `f64::PI` or `f32::PI`

            ::f(x)
                error: functions of other blocks are called by their names
                 at ::f
                    a path in an expression is a type and a name, as in `f32::MAX`
                    help: put `use path::to::f;` at the top of the block and write `f`

            xs.map(f::<f32>)
                error: types are given where a function is called
                 at f::<f32>
                    help: write a closure: `|x| f::<f32>(x)`

            f::<3>(x)
                error: only types stand between `::<` and `>`
                 at 3
                    help: sizes are found from the arguments

            f::<'a>(x)
                error: only types stand between `::<` and `>`
                 at 'a
                    help: sizes are found from the arguments

            (p.f)(x)
                error: a field is not a function
                 at (p.f)
                    help: write an element of an array in brackets: `p.xs[i]`

            (|x| x)(1)
                error: only a function with a name can be called
                 at (|x| x)
                    help: write a `fn` beside this one and call it by its name

            fs[0](x)
                error: only a function with a name can be called
                 at fs[0]
                    help: write a `fn` beside this one and call it by its name

            a::P { x: 1 }
                error: structs have single names here
                 at a::P { x: 1 }
                    help: declare the struct in the block and use its name

            P { 0: 1 }
                error: fields of structs have names
                 at 0
                    help: write the field's name

            P { x: 1, .. }
                error: `..` without a value to take fields from
                 at ..
                    help: write the other fields, or `..base`

            async |x| x
                error: closures have no `async`, `const` or `for<…>` here
                 at async
                    help: write `|x| …`

            Foo::<f32>::new(x)
                error: functions of other blocks are called by their names
                 at Foo::<f32>::new
                    a path in an expression is a type and a name, as in `f32::MAX`
                    help: put `use path::to::new;` at the top of the block and write `new`

        "#]],
    );
}

#[test]
fn macros() {
    check_bodies(
        "
        assert_eq!(a, b)
        assert_ne!(a, b)
        debug_assert!(a)
        vec![1, 2]
        vec![0; n]
        println!(\"x\")
        panic!()
        format!(\"x\")
        matches!(x, 1)
        foo!(x)
        a::foo!(x)
        assert!()
        assert!(a, b)
        assert!(a, \"x = {x}\")
        assert!(a, \"x = {}\", x)
        dbg!()
        dbg!(a, b)
        ",
        expect![[r#"
            assert_eq!(a, b)
                error: macro `assert_eq!` is not part of the language
                 at assert_eq!(a, b)
                    help: write `assert!(a == b)`

            assert_ne!(a, b)
                error: macro `assert_ne!` is not part of the language
                 at assert_ne!(a, b)
                    help: write `assert!(a != b)`

            debug_assert!(a)
                error: macro `debug_assert!` is not part of the language
                 at debug_assert!(a)
                    help: write `assert!(…)`

            vec![1, 2]
                error: macro `vec!` is not part of the language
                 at vec![1, 2]
                    help: write `[…]`

            vec![0; n]
                error: macro `vec!` is not part of the language
                 at vec![0; n]
                    help: write `fill(v, n)` or `[v; n]`

            println!("x")
                error: macro `println!` is not part of the language
                 at println!("x")
                    help: make what you want to look at a result: `(y, x)`

            panic!()
                error: macro `panic!` is not part of the language
                 at panic!()
                    help: write `assert!(condition, "message")`: the caller gets an error

            format!("x")
                error: macro `format!` is not part of the language
                 at format!("x")
                    help: there are no strings in the language

            matches!(x, 1)
                error: macro `matches!` is not part of the language
                 at matches!(x, 1)
                    help: write `match e { pattern => true, _ => false }`

            foo!(x)
                error: macro `foo!` is not part of the language
                 at foo!(x)
                    help: the macro of the language is `assert!`; call a function instead

            a::foo!(x)
                error: macro `a::foo!` is not part of the language
                 at a::foo!(x)
                    help: the macro of the language is `assert!`; call a function instead

            assert!()
                error: `assert!` needs a condition
                 at assert!()
                    help: write `assert!(x > 0.0, "x is positive")`

            assert!(a, b)
                error: the message of `assert!` is a string literal
                 at b
                    help: write `assert!(x > 0.0, "x is positive")`

            assert!(a, "x = {x}")
                error: the message of `assert!` is plain text
                 at "x = {x}"
                    the error names the function, the line and the values itself
                    help: remove the `{…}`, or write `{{` and `}}` for braces

            assert!(a, "x = {}", x)
                error: the message of `assert!` is plain text
                 at "x = {}"
                    the error names the function, the line and the values itself
                    help: remove the `{…}`, or write `{{` and `}}` for braces
                error: the message of `assert!` is plain text
                 at x
                    the error names the function, the line and the values itself
                    help: remove the further arguments

            dbg!()
                error: `dbg!` takes one value
                 at dbg!()
                    help: write `dbg!((a, b))` for two

            dbg!(a, b)
                error: `dbg!` takes one value
                 at dbg!(a, b)
                    help: write `dbg!((a, b))` for two

        "#]],
    );
}

#[test]
fn assignments() {
    check_bodies(
        "
        f(x) = 1
        1 = x
        (a, b) += t
        [a, b] = t
        P { x } = p
        *x = 1
        (a, ..) = t
        ",
        expect![[r#"
            f(x) = 1
                error: this cannot be assigned to
                 at f(x)
                    help: assign to a `let mut` name, its fields, `a[i]` or `a[lo..hi]`, or a tuple of these

            1 = x
                error: this cannot be assigned to
                 at 1
                    help: assign to a `let mut` name, its fields, `a[i]` or `a[lo..hi]`, or a tuple of these

            (a, b) += t
                error: this cannot be assigned to
                 at (a, b)
                    help: assign to a `let mut` name, its fields, `a[i]` or `a[lo..hi]`, or a tuple of these

            [a, b] = t
                error: this cannot be assigned to
                 at [a, b]
                    help: assign to a `let mut` name, its fields, `a[i]` or `a[lo..hi]`, or a tuple of these

            P { x } = p
                error: this cannot be assigned to
                 at P { x }
                    help: assign to a `let mut` name, its fields, `a[i]` or `a[lo..hi]`, or a tuple of these

            *x = 1
                error: `*` is not needed here
                 at *x
                    there are no references in the language
                    help: remove the `*`

            (a, ..) = t
                error: this cannot be assigned to
                 at ..
                    help: assign to a `let mut` name, its fields, `a[i]` or `a[lo..hi]`, or a tuple of these

        "#]],
    );
}

#[test]
fn inner_items() {
    check_bodies(
        "
        fn g() {} 1
        const A: f32 = 1.0; A
        struct P { x: f32 } 1
        use a::b; 1
        enum E {} 1
        ",
        expect![[r#"
            fn g() {} 1
                error: functions stand in the block, not in a function
                 at fn g() {}
                    help: move it out of the function

            const A: f32 = 1.0; A
                error: constants stand in the block, not in a function
                 at const A: f32 = 1.0;
                    help: move it out of the function

            struct P { x: f32 } 1
                error: structs stand in the block, not in a function
                 at struct P { x: f32 }
                    help: move it out of the function

            use a::b; 1
                error: `use` items stand in the block, not in a function
                 at use a::b;
                    help: move it out of the function

            enum E {} 1
                error: there are no enums in the language
                 at enum
                    help: use an integer and a `const` per case, and `match` on it

        "#]],
    );
}
