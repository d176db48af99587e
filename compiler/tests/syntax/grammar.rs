//! Trees of items and expressions.

use crate::{check, check_bodies};
use expect_test::expect;

#[test]
fn one_look() {
    check(
        "/// Inner product.
        pub fn dotp(xs: [f32; n], ys: [f32; n]) -> f32 {
            zip(xs, ys).map(|(x, y)| x * y).sum()
        }
        pub fn smvm(rows: [[(usize, f64)]], v: [f64]) -> [f64] {
            for row in rows { sum(for (j, a) in row { a * v[j] }) }
        }
        pub(crate) fn norms(ms: Seq<[[f32; k]; n]>) -> Seq<[f32; n]> {
            ms.map(|m| for row in m { sqrt(dotp(row, row)) })
        }",
        expect![[r##"
            # [doc = " Inner product."] pub fn dotp(xs: [f32; n], ys: [f32; n]) -> f32 { zip(xs, ys).map(|(x, y)| (x * y)).sum() }
            pub fn smvm(rows: [[(usize, f64)]], v: [f64]) -> [f64] { for row in rows { sum(for (j, a) in row { (a * v[j]) }) } }
            pub (crate) fn norms(ms: Seq<[[f32; k]; n]>) -> Seq<[f32; n]> { ms.map(|m| for row in m { sqrt(dotp(row, row)) }) }
        "##]],
    );
}

#[test]
fn items() {
    check(
        "/// Docs.
        const N: usize = 2 * 4;
        const B: [u8; 2] = [b'a', b'\\n'];
        /// A point.
        #[derive(Clone, Copy, ::core::fmt::Debug)]
        #[repr(C)]
        pub struct P { /// Along.
            pub x: f32, pub(crate) y: [(f64, bool); 3] }
        struct Empty {}
        fn one() -> f32 { 1.0 }
        pub(in crate::a) fn two() -> f32 { 2.0 }",
        expect![[r#"
            const N: usize = (2 * 4);
            const B: [u8; 2] = [97_u8, 10_u8];
            #[derive(Clone, Copy, Debug)] struct P { x: f32, y: [(f64, bool); 3] }
            struct Empty {  }
            fn one() -> f32 { 1.0 }
            pub (in crate :: a) fn two() -> f32 { 2.0 }
        "#]],
    );
}

#[test]
fn the_last_item_of_a_macro_may_come_in_a_group() {
    use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
    let item: TokenStream = "fn f() -> f32 { 1.0 }".parse().expect("tokens");
    let group = TokenTree::Group(Group::new(Delimiter::None, item));
    let parsed = ragged_compiler::syntax::parse(group.into());
    expect![[r#"
        fn f() -> f32 { 1.0 }
    "#]]
    .assert_eq(&parsed.program.to_string());
}

#[test]
fn generics_and_function_parameters() {
    check(
        "#[instances(f32, f64)] pub fn dotp<T: Num>(xs: [T; n], ys: [T; n]) -> T { xs }
        #[instances((f32, i32), (f64, i64))]
        pub fn two<T: Float, U: Int>(x: T, y: U) -> T { x }
        fn any<T, U>(x: T, y: U) -> T where U: Num { x }
        fn twice(f: impl Fn(f32) -> f32, g: impl Fn((f32, [i32; 4]), usize) -> [f32], x: f32) -> f32 { f(f(x)) }
        fn patterns((a, b): (f32, f32), mut c: f32, _: bool, P { x, .. }: P) -> f32 { c }",
        expect![[r#"
            #[instance(f32)] #[instance(f64)] pub fn dotp<T: Num>(xs: [T; n], ys: [T; n]) -> T { xs }
            #[instance(f32, i32)] #[instance(f64, i64)] pub fn two<T: Float, U: Int>(x: T, y: U) -> T { x }
            fn any<T, U: Num>(x: T, y: U) -> T { x }
            fn twice(f: impl Fn(f32) -> f32, g: impl Fn((f32, [i32; 4]), usize) -> [f32], x: f32) -> f32 { f(f(x)) }
            fn patterns((a, b): (f32, f32), mut c: f32, _: bool, P { x: x, .. }: P) -> f32 { c }
        "#]],
    );
}

#[test]
fn types() {
    check(
        "fn f(a: [[f32]; n], b: [[[u8; 4]; m]; 0x10], c: (), d: (f32,), e: ((bool, P), [usize; 3usize]), g: (f32)) -> Seq<f64> { a }",
        expect![[r#"
            fn f(a: [[f32]; n], b: [[[u8; 4]; m]; 16], c: (), d: (f32,), e: ((bool, P), [usize; 3]), g: f32) -> Seq<f64> { a }
        "#]],
    );
}

#[test]
fn literals() {
    check_bodies(
        "
        (1, 1_000u64, 0xff, 0b11i8, 0o7usize, 340282366920938463463374607431)
        (1.0, 1e-3, 2.5_f32, 1f64, 1_0.5E+2, 3.)
        (true, false, b'a', b'\\0')
        ('a' as u32, 'é' as u8)
        -1
        -128i8
        ",
        expect![[r#"
            (1, 1_000u64, 0xff, 0b11i8, 0o7usize, 340282366920938463463374607431)
                { (1, 1000_u64, 255, 3_i8, 7_usize, 340282366920938463463374607431) }

            (1.0, 1e-3, 2.5_f32, 1f64, 1_0.5E+2, 3.)
                { (1.0, 1e-3, 2.5_f32, 1_f64, 10.5e2, 3.) }

            (true, false, b'a', b'\0')
                { (true, false, 97_u8, 0_u8) }

            ('a' as u32, 'é' as u8)
                { ((97_u32 as u32), (233_u32 as u8)) }

            -1
                { (-1) }

            -128i8
                { (-128_i8) }

        "#]],
    );
}

#[test]
fn operators() {
    check_bodies(
        "
        a + b * c - d / e % f
        a & b | c ^ d << 1 >> 2
        !(a == b) && c != d || e < f && g <= h || i > j || k >= l
        -x.abs()
        -(x + y) as f32 as i64
        (i as usize) < n
        ",
        expect![[r#"
            a + b * c - d / e % f
                { ((a + (b * c)) - ((d / e) % f)) }

            a & b | c ^ d << 1 >> 2
                { ((a & b) | (c ^ ((d << 1) >> 2))) }

            !(a == b) && c != d || e < f && g <= h || i > j || k >= l
                { (((((!(a == b)) && (c != d)) || ((e < f) && (g <= h))) || (i > j)) || (k >= l)) }

            -x.abs()
                { (-x.abs()) }

            -(x + y) as f32 as i64
                { (((-(x + y)) as f32) as i64) }

            (i as usize) < n
                { ((i as usize) < n) }

        "#]],
    );
}

#[test]
fn products_and_arrays() {
    check_bodies(
        "
        ()
        (a,)
        (a, (b, c))
        P { x: 1.0, y }
        P { x: 1.0, ..p }
        p.x.0.1.y
        []
        [a, b,]
        [[0.0; n]; 3]
        a[i][j]
        a[1..][..n][..][i..=j]
        a[lo..hi].sum()
        0..n
        (0..=n).map(f)
        ",
        expect![[r#"
            ()
                { () }

            (a,)
                { (a,) }

            (a, (b, c))
                { (a, (b, c)) }

            P { x: 1.0, y }
                { P { x: 1.0, y: y } }

            P { x: 1.0, ..p }
                { P { x: 1.0, ..p } }

            p.x.0.1.y
                { p.x.0.1.y }

            []
                { [] }

            [a, b,]
                { [a, b] }

            [[0.0; n]; 3]
                { [[0.0; n]; 3] }

            a[i][j]
                { a[i][j] }

            a[1..][..n][..][i..=j]
                { a[(1..)][(..n)][(..)][(i..=j)] }

            a[lo..hi].sum()
                { a[(lo..hi)].sum() }

            0..n
                { (0..n) }

            (0..=n).map(f)
                { (0..=n).map(f) }

        "#]],
    );
}

#[test]
fn calls() {
    check_bodies(
        "
        f()
        f(a, b)
        f::<f32, [i32]>(x)
        f32::max(a, b)
        T::from(x)
        f32::MAX
        xs.reduce(f32::NEG_INFINITY, f32::max)
        xs.map(f)
        xs.sum::<f64>()
        e.pow(2)
        for x in xs { x }.sum()
        (f)(x)
        r#match(r#loop)
        ",
        expect![[r#"
            f()
                { f() }

            f(a, b)
                { f(a, b) }

            f::<f32, [i32]>(x)
                { f::<f32, [i32]>(x) }

            f32::max(a, b)
                { f32::max(a, b) }

            T::from(x)
                { T::from(x) }

            f32::MAX
                { f32::MAX }

            xs.reduce(f32::NEG_INFINITY, f32::max)
                { xs.reduce(f32::NEG_INFINITY, f32::max) }

            xs.map(f)
                { xs.map(f) }

            xs.sum::<f64>()
                { xs.sum::<f64>() }

            e.pow(2)
                { e.pow(2) }

            for x in xs { x }.sum()
                { for x in xs { x }.sum() }

            (f)(x)
                { f(x) }

            r#match(r#loop)
                { match(loop) }

        "#]],
    );
}

#[test]
fn closures() {
    check_bodies(
        "
        |x| x
        || 1
        |x, (a, b): (f32, _), _, mut y| { x + a }
        |P { x, y }| x
        move |x: f32| -> f32 { x }
        xs.map(|x| -> f64 { x as f64 })
        ",
        expect![[r#"
            |x| x
                { |x| x }

            || 1
                { || 1 }

            |x, (a, b): (f32, _), _, mut y| { x + a }
                { |x, (a, b): (f32, _), _, mut y| { (x + a) } }

            |P { x, y }| x
                { |P { x: x, y: y }| x }

            move |x: f32| -> f32 { x }
                { |x: f32| { let result: f32 = { x }; result } }

            xs.map(|x| -> f64 { x as f64 })
                { xs.map(|x| { let result: f64 = { (x as f64) }; result }) }

        "#]],
    );
}

#[test]
fn blocks_of_items_with_semicolons_missing_are_cut_well() {
    check(
        "const A: f32 = 1.0 fn f() -> f32 { A } pub fn g() -> f32 { 2.0 }",
        expect![[r#"
            error: expected `;`
             at 1.0
                help: a statement ends with `;`; only the last expression of a block has none
        "#]],
    );
    check(
        "fn f() -> f32 pub fn g() -> f32 { 2.0 }",
        expect![[r#"
        error: this function has no body
         at f32
            help: write the body in braces: `{ … }`
    "#]],
    );
}
