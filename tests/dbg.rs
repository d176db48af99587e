//! `dbg!`: what it prints in debug builds, and that it prints nothing in others.

#![allow(missing_docs, reason = "tests only")]

use std::process::Command;

mod shown {
    ragged::accel! {
        struct Pair { a: f32, b: [u8] }

        pub fn scalars(x: f32, k: i64) -> f32 {
            dbg!((k, k > 0, 255u8, 1e300, u64::MAX));
            let pair = Pair { a: x / 0.0, b: [1, 2] };
            dbg!(pair).a
        }

        pub fn masked(xs: [i32; n]) -> [i32; n] {
            for x in xs { if x > 2 { dbg!(x) * 2 } else { x } }
        }

        pub fn halved(xs: [i32; n]) -> [i32; n] {
            for x in xs {
                let mut k = x;
                while k > 1 { k = dbg!(k / 2); }
                k
            }
        }

        pub fn rows(a: [[f64; m]; n]) -> [f64; n] {
            for row in dbg!(a) { dbg!(dbg!(row).sum()) }
        }

        pub fn triangle(n: usize) -> [[usize]] {
            dbg!(for i in 0..n { for j in 0..i { dbg!(i * 10 + j) } })
        }

        pub fn picked(xs: [i32], n: usize) -> [i32] { for i in 0..n { xs[dbg!(i)] } }

        pub fn kept(xs: [i32]) -> [i32] { xs.filter(|x| dbg!(x % 2) == 0) }

        pub fn again(x: i32) -> i32 {
            let mut sum = 0;
            for t in 0..3 { sum += dbg!(x) * t; }
            for t in [1, 2].map(|t| dbg!(x + t * 0)) { sum += t; }
            sum
        }

        pub fn most(xs: [i32]) -> i32 { xs.reduce(0, |a, b| dbg!(if b > a { b } else { a })) }

        pub fn summed(xs: [i32]) -> i32 { xs.reduce(0, |a, b| dbg!(a + b)) }

        pub fn sums(xs: [f32]) -> [f32] { xs.scan(|a, b| a + dbg!(b)) }
    }
}

mod imported {
    ragged::accel! {
        use super::shown::halved;

        pub fn total(xs: [i32]) -> i32 { dbg!(halved(xs).sum()) }
    }
}

/// What the calls of `everything` print, with the line of this file in front.
const LINES: &str = "\
12: (3, true, 255, 1e300, 18446744073709551615)
14: (inf, [1, 2])
18: 3
18: 4
24: 4
24: 2
24: 1
30: [[1.0, 2.0], [3.0, 4.5]]
30: [1.0, 2.0]
30: 3.0
30: [3.0, 4.5]
30: 7.5
34: 10
34: 20
34: 21
34: [[], [10], [20, 21]]
37: 0
37: 1
37: 2
39: 1
39: 0
39: 1
43: 5
43: 5
43: 5
44: 5
44: 5
48: 2
48: 3
48: 3
50: 3
50: 6
50: 6
52: 2.0
52: 3.0
24: 1
60: 1
";

/// Run by the test below, in a process of its own.
#[test]
#[ignore = "prints"]
fn everything() {
    assert_eq!(shown::scalars(1.0, 3), Ok(f32::INFINITY));
    assert_eq!(shown::masked(&[1, 3, 2, 4]), Ok(vec![1, 6, 2, 8]));
    assert_eq!(shown::halved(&[1, 9]), Ok(vec![1, 1]));
    assert_eq!(shown::rows(&[[1.0, 2.0], [3.0, 4.5]]), Ok(vec![3.0, 7.5]));
    shown::triangle(3).expect("three rows");
    shown::picked(&[5, 6], 3).expect_err("there are two");
    assert_eq!(shown::kept(&[1, 2, 3]), Ok(vec![2]));
    assert_eq!(shown::again(5), Ok(25));
    assert_eq!(shown::most(&[1, 2, 3]), Ok(3));
    assert_eq!(shown::summed(&[1, 2, 3]), Ok(6));
    assert_eq!(shown::sums(&[1.0, 2.0, 3.0]), Ok(vec![1.0, 3.0, 6.0]));
    assert_eq!(imported::total(&[2]), Ok(1));
}

#[test]
fn debug_builds_print_each_value_with_its_place() {
    let this = std::env::current_exe().expect("a test has a file");
    let run = Command::new(this)
        .args(["--exact", "everything", "--ignored", "--nocapture"])
        .output()
        .expect("it runs");
    let printed = String::from_utf8(run.stderr).expect("it is text");
    assert!(run.status.success(), "{printed}");
    let lines = printed.lines().map(|line| {
        let rest = line.strip_prefix("[tests/dbg.rs:").expect(line);
        let (place, value) = rest.split_once("] ").expect(line);
        let (number, column) = place.split_once(':').expect(line);
        column.parse::<u32>().expect(line);
        format!("{number}: {value}\n")
    });
    let wanted = if cfg!(debug_assertions) { LINES } else { "" };
    assert_eq!(lines.collect::<String>(), wanted);
}
