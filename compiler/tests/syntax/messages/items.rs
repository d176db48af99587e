//! Messages about items, their attributes and their signatures.

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
                help: remove it; functions take `///` docs, `#[instances(…)]`, `#[fast]` and contracts: `#[fused]`, `#[regular]`, `#[work(…)]`, `#[space(…)]`
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
                help: remove it; functions take `///` docs, `#[instances(…)]`, `#[fast]` and contracts: `#[fused]`, `#[regular]`, `#[work(…)]`, `#[space(…)]`
            error: `#[cfg]` does not work inside the block
             at #[cfg(test)]
                the compiler sees all items of the block, in every configuration
                help: put it on the whole block
            error: contracts are for exported functions
             at #[fused]
                `f` is compiled as a part of those that call it
                help: put it on the `pub fn` that calls it
            error: contracts are for exported functions
             at #[regular]
                `f` is compiled as a part of those that call it
                help: put it on the `pub fn` that calls it
            error: contracts are for exported functions
             at #[space(n)]
                `f` is compiled as a part of those that call it
                help: put it on the `pub fn` that calls it
            error: contracts are for exported functions
             at #[work(n * m)]
                `f` is compiled as a part of those that call it
                help: put it on the `pub fn` that calls it
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
