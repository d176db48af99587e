//! What Rust has and the language has not.

use crate::{check, check_bodies};
use expect_test::expect;

#[test]
fn all_items_are_reported() {
    check(
        "fn a() { &x } fn b(x: &[f32]) -> f32 { x } fn c() -> f32 { 1.0 } fn d(3) { } enum E {}",
        expect![[r#"
            error: references are not needed here
             at &x
                values are shared by the compiler, never copied for a call
                help: remove the `&`
            error: types have no `&` here
             at &[f32]
                arguments are borrowed by the compiler, and values are never changed
                help: write `[T]`: the caller passes `&[T]`
            error: expected `:`
             at )
                help: the grammar inside the block is Rust's
            error: there are no enums in the language
             at enum
                help: use an integer and a `const` per case, and `match` on it
        "#]],
    );
}

#[test]
fn items() {
    check(
        "enum E { A } impl P { fn f(self) {} } trait T {} mod m { } static S: f32 = 1.0; type T = f32;
        union U { a: f32 } extern crate x; let x = 1; macro_rules! m { () => {} } foo! { } ; foo 3 + 4; #[inline]",
        expect![[r#"
            error: there are no enums in the language
             at enum
                help: use an integer and a `const` per case, and `match` on it
            error: there are no methods of structs here
             at impl
                help: write a function that takes the struct: `fn norm(p: Point) -> f32`
            error: there are no traits in the language
             at trait
                help: bounds on type parameters are `Num`, `Int` and `Float`
            error: there are no modules inside a block
             at mod
                help: write one block per module; `use` brings in functions of other blocks
            error: there are no statics in the language
             at static
                help: write `const`
            error: there are no type aliases in the language
             at type
                help: write the type where it is used, or declare a struct
            error: there are no unions in the language
             at union
                help: declare a struct
            error: there are no `extern` items in a block
             at extern
                help: write it outside the block
            error: `let` stands inside a function
             at let
                help: write `const NAME: f32 = 1.0;` for a constant of the block
            error: macros cannot be defined inside a block
             at macro_rules
                help: write a function; it is specialised where it is called
            error: macros cannot stand for items of a block
             at foo
                help: write out the functions
            error: this `;` ends nothing
             at ;
                help: remove it
            error: this does not start an item of the block
             at foo
                help: a block has `fn`, `struct`, `const` and `use` items
            error: this does not start an item of the block
             at #
                help: a block has `fn`, `struct`, `const` and `use` items
        "#]],
    );
}

#[test]
fn inner_attributes() {
    check(
        "#![deny(unfused)] #![allow(dead_code)] fn f() { 1 }",
        expect![[r#"
            error: `#![deny(unfused)]`: not supported yet
             at #![deny(unfused)]
                help: remove it for now
            error: attribute `#![allow(dead_code)]` is not accepted here
             at #![allow(dead_code)]
                help: put attributes of Rust on the module around the block
        "#]],
    );
    check(
        "fn f() { #![allow(x)] 1 }",
        expect![[r#"
        error: attribute `allow` is not accepted here
         at #![allow(x)]
            help: remove it; functions take `///` docs, `#[fast]` and `#[instances(…)]`
    "#]],
    );
}

#[test]
fn consts_and_structs() {
    check(
        "pub const A: f32 = 1.0; #[allow(x)] const B: f32 = 1.0;
        struct P(f32); struct Q; struct R<T> { x: T }
        struct T { #[cfg(x)] x: f32 } #[derive(3)] struct U { x: f32 }",
        expect![[r#"
            error: constants of a block stay inside it
             at pub
                help: remove the `pub`, or write the constant outside and pass it as a parameter
            error: attribute `allow` is not accepted here
             at #[allow(x)]
                help: remove it; constants take `///` docs
            error: the fields of a struct have names here
             at P
                help: write `struct P { x: f32, y: f32 }`, or use a tuple
            error: the fields of a struct have names here
             at Q
                help: write `struct P { x: f32, y: f32 }`, or use a tuple
            error: structs have no type parameters here
             at <T>
                help: declare one struct per type, or use a tuple
            error: `#[cfg]` does not work inside the block
             at #[cfg(x)]
                the compiler sees all items of the block, in every configuration
                help: put it on the whole block
            error: `#[derive]` lists traits
             at #[derive(3)]
                help: write `#[derive(Clone, Copy)]`
        "#]],
    );
}

#[test]
fn structs_from_outside() {
    check(
        "#[element] struct A { x: f32 } #[element(3)] struct B { x: f32 }
        #[element(P)] #[element(Q)] struct C { x: f32 }
        #[element(P)] #[repr(C)] #[derive(Clone)] struct D { #[cfg(x)] x: f32 }",
        expect![[r#"
            error: `#[element]` names a Rust struct
             at #[element]
                help: write its path: `#[element(crate::Particle)]`
            error: `#[element]` names a Rust struct
             at #[element(3)]
                help: write its path: `#[element(crate::Particle)]`
            error: a struct has one `#[element(…)]`
             at #[element(Q)]
                help: declare another struct of the block for the other
            error: `#[repr]` does nothing on a struct from outside
             at #[repr(C)]
                `#[element(…)]` only tells the block about a struct that Rust has already
                help: remove it here; the attributes at the struct's own declaration count
            error: `#[derive]` does nothing on a struct from outside
             at #[derive(Clone)]
                `#[element(…)]` only tells the block about a struct that Rust has already
                help: remove it here; the attributes at the struct's own declaration count
            error: `#[cfg]` does nothing on a struct from outside
             at #[cfg(x)]
                `#[element(…)]` only tells the block about a struct that Rust has already
                help: remove it here; the attributes at the struct's own declaration count
        "#]],
    );
}

#[test]
fn function_attributes() {
    check(
        "#[fused] #[regular] #[space(n)] #[work(n * m)] #[fast(2)] #[foreign(cpu = a::b)] #[export_c] #[inline] #[cfg(test)]
        fn f() -> f32 { 1.0 }
        fn g(#[x] y: f32) -> f32 { y }",
        expect![[r#"
            error: `#[fused]`: not supported yet
             at #[fused]
                help: remove it for now
            error: `#[regular]`: not supported yet
             at #[regular]
                help: remove it for now
            error: `#[space]`: not supported yet
             at #[space(n)]
                help: remove it for now
            error: `#[work]`: not supported yet
             at #[work(n * m)]
                help: remove it for now
            error: `#[fast]` takes no arguments
             at #[fast(2)]
                what it allows is the same for each function: see the manual
                help: write `#[fast]`
            error: `#[foreign]`: not supported yet
             at #[foreign(cpu = a::b)]
                help: remove it for now
            error: `#[export_c]`: not supported yet
             at #[export_c]
                help: remove it for now
            error: attribute `inline` is not accepted here
             at #[inline]
                help: remove it; functions take `///` docs, `#[fast]` and `#[instances(…)]`
            error: `#[cfg]` does not work inside the block
             at #[cfg(test)]
                the compiler sees all items of the block, in every configuration
                help: put it on the whole block
            error: attribute `x` is not accepted here
             at #[x]
                help: remove it; attributes go on functions and structs
        "#]],
    );
    check_bodies(
        "
        #[inline] x
        #[allow(x)] let y = 1; y
        match x { #[cfg(a)] 1 => 2, _ => 3 }
        P { #[a] x: 1 }
        #[a] assert!(x)
        ",
        expect![[r#"
            #[inline] x
                error: attribute `inline` is not accepted here
                 at #[inline]
                    help: remove it; attributes go on functions and structs

            #[allow(x)] let y = 1; y
                error: attribute `allow` is not accepted here
                 at #[allow(x)]
                    help: remove it; attributes go on functions and structs

            match x { #[cfg(a)] 1 => 2, _ => 3 }
                error: `#[cfg]` does not work inside the block
                 at #[cfg(a)]
                    the compiler sees all items of the block, in every configuration
                    help: put it on the whole block

            P { #[a] x: 1 }
                error: attribute `a` is not accepted here
                 at #[a]
                    help: remove it; attributes go on functions and structs

            #[a] assert!(x)
                error: attribute `a` is not accepted here
                 at #[a]
                    help: remove it; attributes go on functions and structs

        "#]],
    );
    check(
        "fn f() -> f32 {\n/// Docs.\n 1.0 }",
        expect![[r#"
        error: there is nothing to document here
         at /// Docs.
            help: write a comment: `//`
    "#]],
    );
}

#[test]
fn instances() {
    check(
        "pub fn a<T: Num>(x: T) -> T { x }
        #[instances(f32)] pub fn b(x: f32) -> f32 { x }
        #[instances(f32)] fn c<T: Num>(x: T) -> T { x }
        #[instances(f32)] pub fn d<T: Num, U>(x: T, y: U) -> T { x }
        #[instances((f32, f64))] pub fn e<T: Num>(x: T) -> T { x }
        #[instances(3)] pub fn g<T: Num>(x: T) -> T { x }",
        expect![[r#"
            error: `a` is exported, so its types must be known
             at <T: Num>
                Rust code calls one compiled function per type
                help: put `#[instances(f32, f64)]` in front, or remove the `pub`
            error: `b` has no type parameters
             at #[instances(f32)]
                help: remove `#[instances(…)]`, or write `T: Num` between `<` and `>`
            error: `#[instances]` is for exported functions
             at #[instances(f32)]
                a private generic function is compiled for the types that it is called with
                help: remove it, or write `pub`
            error: each instance of `d` is 2 types
             at #[instances(f32)]
                help: write a tuple per instance: `#[instances((f32, f32))]`
            error: each instance of `e` is one type
             at #[instances((f32, f64))]
                help: write `#[instances(f32, f64)]`
            error: `#[instances]` lists types
             at #[instances(3)]
                help: write `#[instances(f32, f64)]`
        "#]],
    );
}

#[test]
fn modifiers_and_receivers() {
    check(
        "const fn a() -> f32 { 1.0 } async fn b() -> f32 { 1.0 } unsafe fn c() -> f32 { 1.0 }
        extern \"C\" fn d() -> f32 { 1.0 } fn e(&self, x: f32) -> f32 { x } default fn g() -> f32 { 1.0 }
        unsafe extern \"C\" fn h(x: f32, ...) -> f32 { x }",
        expect![[r#"
            error: functions have no `const` here
             at const
                what is constant is computed early anyway
                help: remove it
            error: functions have no `async` here
             at async
                a call returns when its results are there
                help: remove it
            error: functions have no `unsafe` here
             at unsafe
                there is nothing unsafe in the language
                help: remove it
            error: functions have no `extern` here
             at extern
                functions are called from Rust
                help: remove it
            error: functions of a block have no `self`
             at &self
                help: give the parameter a name and a type: `p: Point`
            error: expected `fn`
             at default
                help: the grammar inside the block is Rust's
            error: functions have no `unsafe` here
             at unsafe
                there is nothing unsafe in the language
                help: remove it
            error: functions have no `extern` here
             at extern
                functions are called from Rust
                help: remove it
            error: functions have no `...` here
             at ...
                each parameter has a name and a type
                help: take an array
        "#]],
    );
}

#[test]
fn generics() {
    check(
        "fn a<'a>(x: f32) -> f32 { x } fn b<const N: usize>(x: [f32; N]) -> f32 { x }
        fn c<T: Copy>(x: T) -> T { x } fn d<T: Num + Int>(x: T) -> T { x } fn e<T: Num = f32>(x: T) -> T { x }
        fn g<T>(x: T) -> T where [T]: Num { x } fn h<F: Fn(f32) -> f32>(f: F) -> f32 { f(1.0) }
        fn i<T: Num>(x: T) -> T where T: Int { x } fn j<T: ?Sized>(x: T) -> T { x } fn k<T>(x: T) -> T where 'a: 'b { x }",
        expect![[r#"
            error: there are no lifetimes in the language
             at 'a
                arguments are borrowed by the compiler for the time of the call
                help: remove it
            error: sizes are not type parameters
             at const N: usize
                a name in an array type is a size, known when the function is called
                help: remove it and write `[T; N]`
            error: this bound is not one of the language
             at Copy
                all values can be copied and stored; bounds say what can be computed with them
                help: the bounds are `Num` (integers and floats), `Int` and `Float`
            error: a type parameter has one bound
             at Num + Int
                `Int` and `Float` have all that `Num` has
                help: keep the narrower one
            error: type parameters have no defaults
             at =
                help: name the types of an exported function: `#[instances(f32)]`
            error: this `where` clause is not one of the language
             at [T]: Num
                help: write one bound at each type parameter: `<T: Num>`
            error: functions are not type parameters here
             at Fn(f32) -> f32
                help: write it at the parameter: `f: impl Fn(f32) -> f32`
            error: this `where` clause is not one of the language
             at T: Int
                help: write one bound at each type parameter: `<T: Num>`
            error: this bound is not one of the language
             at ?Sized
                all values can be copied and stored; bounds say what can be computed with them
                help: the bounds are `Num` (integers and floats), `Int` and `Float`
            error: this `where` clause is not one of the language
             at 'a: 'b
                help: write one bound at each type parameter: `<T: Num>`
        "#]],
    );
}

#[test]
fn function_types() {
    check(
        "fn a(f: impl FnMut(f32) -> f32) -> f32 { f } fn b(f: impl Fn(f32)) -> f32 { f } fn c(f: impl Num) -> f32 { f }
        fn d(f: fn(f32) -> f32) -> f32 { f } fn e(f: &dyn Fn(f32) -> f32) -> f32 { f } fn g() -> impl Fn(f32) -> f32 { 1.0 }
        fn h(f: dyn Fn(f32)) -> f32 { f } fn i(f: impl Fn(f32) -> f32 + Copy) -> f32 { f } fn j(f: impl std::ops::Fn(f32) -> f32) -> f32 { f }",
        expect![[r#"
            error: `FnMut` is not a bound of the language
             at impl FnMut(f32) -> f32
                functions change nothing outside themselves
                help: write `impl Fn(…) -> …`
            error: a function parameter needs a result type
             at impl Fn(f32)
                help: write `impl Fn(f32) -> f32`
            error: `impl` stands in front of a function type only
             at impl Num
                help: write `f: impl Fn(f32) -> f32`, or a type parameter: `fn f<T: Num>(x: T)`
            error: function pointers are not values here
             at fn(f32) -> f32
                help: write a parameter `f: impl Fn(f32) -> f32`
            error: types have no `&` here
             at &dyn Fn(f32) -> f32
                functions are known while compiling
                help: write `f: impl Fn(f32) -> f32`
            error: `impl` stands at parameters only
             at impl Fn(f32) -> f32
                functions are not values: nothing returns or holds one
                help: write a parameter `f: impl Fn(f32) -> f32`, or a type parameter `T: Num`
            error: there are no trait objects here
             at dyn Fn(f32)
                help: write `impl Fn(f32) -> f32` for a function, `T: Num` for a number
            error: a function parameter has one bound
             at impl Fn(f32) -> f32 + Copy
                every function may be called by all threads
                help: write `impl Fn(…) -> …` alone
            error: `impl` stands in front of a function type only
             at impl std::ops::Fn(f32) -> f32
                help: write `f: impl Fn(f32) -> f32`, or a type parameter: `fn f<T: Num>(x: T)`
        "#]],
    );
}

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
                error: patterns have single names here
                 at f32::MAX
                    help: write a number or a `const` of the block, or compare in a guard: `x if x == f32::MAX`

            match x { A..=B => y, _ => z }
                error: a bound of a range pattern is a literal
                 at A
                    help: write the number, or a guard: `x if x < LIMIT`
                error: a bound of a range pattern is a literal
                 at B
                    help: write the number, or a guard: `x if x < LIMIT`

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
