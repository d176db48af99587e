//! Trees of branches, loops and other statements.

use crate::check_bodies;
use expect_test::expect;

#[test]
fn branches() {
    check_bodies(
        "
        if a { b } else { c }
        if a { b } else if c { d } else { e }
        if a { x = 1; }
        match x { 0 => a, 1 | 2 => { b } _ => c }
        match (x, y) { (-1, b'a'..=b'z') if x < y => a, (1.., ..=3) => b, (n @ 2..5, _) => c, _ => d }
        match b { true => 1, false => 0 }
        match x { | 1 | 2 => a, -1.5 => b, _ => c }
        ",
        expect![[r#"
            if a { b } else { c }
                { if a { b } else { c } }

            if a { b } else if c { d } else { e }
                { if a { b } else if c { d } else { e } }

            if a { x = 1; }
                { if a { x = 1; } }

            match x { 0 => a, 1 | 2 => { b } _ => c }
                { match x { 0 => a, (1 | 2) => { b }, _ => c } }

            match (x, y) { (-1, b'a'..=b'z') if x < y => a, (1.., ..=3) => b, (n @ 2..5, _) => c, _ => d }
                { match (x, y) { (-1, 97_u8..=122_u8) if (x < y) => a, (1.., ..=3) => b, (n @ 2..5, _) => c, _ => d } }

            match b { true => 1, false => 0 }
                { match b { true => 1, false => 0 } }

            match x { | 1 | 2 => a, -1.5 => b, _ => c }
                { match x { (1 | 2) => a, -1.5 => b, _ => c } }

        "#]],
    );
}

#[test]
fn statements() {
    check_bodies(
        "
        let x = 1; x
        let x: f32; x = 1.0; x
        let mut x: [f32; n] = fill(0.0, n); x[i] = 1.0; x[1..3] = y; x
        let (a, mut b, ..) = t; (a, b) = (b, a); (a, _) = t; _ = a; p.x.0 = 1; b
        let P { x, y: (z, _), .. } = p; z
        let whole @ (a, b) = t; whole
        x += 1; x -= 1; x *= 1; x /= 1; x %= 1; x &= 1; x |= 1; x ^= 1; x <<= 1; x >>= 1;
        for i in 0..n { s += x[i]; } s
        for i in 0..n { s += x[i] } -s
        for i in 0..n { if c { s += 1 } } *s = 1
        while i < n { i += 1; } i
        loop { if c { break i } i += 1; }
        'a: for i in 0..n { 'b: while c { continue 'a; } break 'a; }
        'r: loop { break 'r (1, 2) }
        { let y = x; y } + 1
        if c { a } else { b }
        if c { a = 1 } else { a = 2 } a
        match c { 1 => {} _ => { a = 1 } } a
        {} 1
        ",
        expect![[r#"
            let x = 1; x
                { let x = 1; x }

            let x: f32; x = 1.0; x
                { let x: f32; x = 1.0; x }

            let mut x: [f32; n] = fill(0.0, n); x[i] = 1.0; x[1..3] = y; x
                { let mut x: [f32; n] = fill(0.0, n); x[i] = 1.0; x[(1..3)] = y; x }

            let (a, mut b, ..) = t; (a, b) = (b, a); (a, _) = t; _ = a; p.x.0 = 1; b
                { let (a, mut b, ..) = t; (a, b) = (b, a); (a, _) = t; _ = a; p.x.0 = 1; b }

            let P { x, y: (z, _), .. } = p; z
                { let P { x: x, y: (z, _), .. } = p; z }

            let whole @ (a, b) = t; whole
                { let whole @ (a, b) = t; whole }

            x += 1; x -= 1; x *= 1; x /= 1; x %= 1; x &= 1; x |= 1; x ^= 1; x <<= 1; x >>= 1;
                { x += 1; x -= 1; x *= 1; x /= 1; x %= 1; x &= 1; x |= 1; x ^= 1; x <<= 1; x >>= 1; }

            for i in 0..n { s += x[i]; } s
                { for i in (0..n) { s += x[i]; }; s }

            for i in 0..n { s += x[i] } -s
                { for i in (0..n) { s += x[i] }; (-s) }

            for i in 0..n { if c { s += 1 } } *s = 1
                error: `*` is not needed here
                 at *s
                    there are no references in the language
                    help: remove the `*`

            while i < n { i += 1; } i
                { while (i < n) { i += 1; }; i }

            loop { if c { break i } i += 1; }
                { loop { if c { break i }; i += 1; } }

            'a: for i in 0..n { 'b: while c { continue 'a; } break 'a; }
                { 'a: for i in (0..n) { 'b: while c { continue 'a; }; break 'a; } }

            'r: loop { break 'r (1, 2) }
                { 'r: loop { break 'r (1, 2) } }

            { let y = x; y } + 1
                error: this block is a statement, which ends at its `}`
                 at +
                    Rust reads what follows as the next statement
                    help: put it in parentheses, `({ … })`, or give it a name with `let`

            if c { a } else { b }
                { if c { a } else { b } }

            if c { a = 1 } else { a = 2 } a
                { if c { a = 1 } else { a = 2 }; a }

            match c { 1 => {} _ => { a = 1 } } a
                { match c { 1 => { }, _ => { a = 1 } }; a }

            {} 1
                { { }; 1 }

        "#]],
    );
}

#[test]
fn macros() {
    check_bodies(
        "
        assert!(x > 0.0); x
        assert!(x > 0.0, \"x {{is}} positive\",); x
        assert! { c } x
        dbg!(x) + 1.0
        dbg!(x,)
        dbg![xs.map(|x| x)]
        ",
        expect![[r#"
            assert!(x > 0.0); x
                { assert!((x > 0.0)); x }

            assert!(x > 0.0, "x {{is}} positive",); x
                { assert!((x > 0.0), "x {is} positive"); x }

            assert! { c } x
                { assert!(c); x }

            dbg!(x) + 1.0
                { (dbg!(x) + 1.0) }

            dbg!(x,)
                { dbg!(x) }

            dbg![xs.map(|x| x)]
                { dbg!(xs.map(|x| x)) }

        "#]],
    );
}

#[test]
fn returns_at_the_end_are_values() {
    check_bodies(
        "
        return x
        return x;
        if c { return a; } else { return b }
        match c { 1 => return a, _ => { let d = 1; return d; } }
        if c { return a; } b
        let y = { return x }; y
        return;
        ",
        expect![[r#"
            return x
                { x }

            return x;
                { x }

            if c { return a; } else { return b }
                { if c { a } else { b } }

            match c { 1 => return a, _ => { let d = 1; return d; } }
                { match c { 1 => a, _ => { let d = 1; d } } }

            if c { return a; } b
                { if c { a } else { b } }

            let y = { return x }; y
                { let y = { return x }; y }

            return;
                { () }

        "#]],
    );
}
