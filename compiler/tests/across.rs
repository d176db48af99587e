//! Which nests run with lanes over columns, in tiles or in squares: the results do not tell.

/// The skeletons that a function's kernels are given to, in order.
fn skeletons(function: &str) -> Vec<String> {
    let block = function.parse().expect("the function is made of tokens");
    let text = ragged_compiler::expand(block).to_string();
    let words = text.split(|it: char| !it.is_alphanumeric() && it != '_');
    let known = [
        "nest_to",
        "nest_in_place_to",
        "columns_to",
        "few_steps_to",
        "tiles_to",
        "write_to",
        "write_squares_to",
        "write_rows_to",
    ];
    let found = words.filter(|word| known.contains(word));
    found.map(str::to_owned).collect()
}

#[test]
fn sums_of_products_of_rows_and_columns_come_in_tiles() {
    for function in [
        "pub fn f(a: [[f32; k]; n], b: [[f32; m]; k]) -> [[f32; m]; n] {
            for row in a { for column in transpose(b) { sum(zip(row, column).map(|(x, y)| x * y)) } }
        }",
        "pub fn f(a: [[f64; k]; n], b: [[f64; k]; m]) -> [[f64; m]; n] {
            for x in a { for y in b { sqrt(zip(x, y).map(|(x, y)| (x - y) * (x - y)).sum()) } }
        }",
        "#[fast] pub fn f(a: [[[f32; k]; n]; s], b: [[[f32; m]; k]; s]) -> [[[f32; m]; n]; s] {
            for (x, y) in zip(a, b) {
                for row in x { for j in 0..m { sum(for l in 0..k { row[l] * y[l][j] }) } }
            }
        }",
    ] {
        assert_eq!(skeletons(function), ["tiles_to"], "{function}");
    }
}

#[test]
fn only_what_has_two_parts_does() {
    for (function, skeleton) in [
        // Along the columns.
        (
            "pub fn f(a: [[f32; m]; n]) -> [f32; m] { a.sum_axis(0) }",
            "columns_to",
        ),
        // No sum; integers.
        (
            "pub fn f(a: [[f32; k]; n], b: [[f32; m]; k]) -> [[f32; m]; n] {
                for row in a { for c in transpose(b) { zip(row, c).map(|(x, y)| x * y).product() } }
            }",
            "columns_to",
        ),
        (
            "pub fn f(a: [[i32; k]; n], b: [[i32; m]; k]) -> [[i32; m]; n] {
                for row in a { for c in transpose(b) { zip(row, c).map(|(x, y)| x * y).sum() } }
            }",
            "columns_to",
        ),
        // Along the rows.
        (
            "pub fn f(a: [[f32; m]; n]) -> [f32; n] { for row in a { row.sum() } }",
            "nest_in_place_to",
        ),
        // An operator that is not known to commute.
        (
            "pub fn f(a: [[f32; m]; n]) -> [f32; m] {
                for c in transpose(a) { c.reduce(0.0, |x, y| x * 0.5 + y) }
            }",
            "nest_to",
        ),
    ] {
        assert_eq!(skeletons(function), [skeleton], "{function}");
    }
}

#[test]
fn few_steps_run_across_what_lies_together_or_in_groups() {
    for (function, skeletons_of_it) in [
        (
            "pub fn f(xs: [f32; n], ys: [f32; k]) -> [usize; n] {
                for x in xs { ys.map(|y| x * y).argmin_or(9) }
            }",
            vec!["few_steps_to"],
        ),
        (
            "pub fn f(xs: [[f32; 3]; n], ys: [[f32; 3]; k]) -> [usize; n] {
                for x in xs { (for y in ys { zip(x, y).map(|(a, b)| a * b).sum() }).argmin() }
            }",
            vec!["few_steps_to"],
        ),
        // The step moves in the group.
        (
            "pub fn f(xs: [[i32; 16]; n], by: [i32; k]) -> [i32; n] {
                for x in xs { (for i in 0..16 { by[0] * x[i] }).sum() }
            }",
            vec!["nest_in_place_to"],
        ),
        // Groups of too many, and of any length.
        (
            "pub fn f(xs: [[f32; 17]; n], ys: [f32; k]) -> [usize; n] {
                for x in xs { ys.map(|y| x[0] * y).argmin_or(9) }
            }",
            vec!["nest_in_place_to"],
        ),
        (
            "pub fn f(xs: [[f32; m]; n], ys: [f32; k]) -> [usize; n] {
                for x in xs { ys.map(|y| x[0] * y).argmin_or(9) }
            }",
            vec!["nest_to"],
        ),
        // A check that comes to the front when what stood before it has gone.
        (
            "fn nearest(xs: [f32; n], ys: [f32; k]) -> [usize; n] {
                for x in xs { ys.map(|y| x * y).argmin() }
            }
            pub fn f(xs: [f32; n], start: [f32; k]) -> [usize; n] {
                let mut at = [0; n];
                let mut ys = start;
                while ys.sum() < 9.0 {
                    ys = for y in ys { y + xs[(y as usize)] };
                    at = nearest(xs, ys);
                }
                at
            }",
            vec!["write_to", "write_to", "few_steps_to"],
        ),
    ] {
        assert_eq!(skeletons(function), skeletons_of_it, "{function}");
    }
}

#[test]
fn what_reads_down_columns_is_written_in_squares() {
    for (function, skeleton) in [
        (
            "pub fn f(a: [[f32; m]; n]) -> [[f32; n]; m] { a.transpose() }",
            "write_squares_to",
        ),
        (
            "pub fn f(a: [[f32; n]; n], b: [[f32; n]; n]) -> [[f32; n]; n] {
                for i in 0..n { for j in 0..n { a[i][j] + b[j][i] } }
            }",
            "write_squares_to",
        ),
        (
            "pub fn f(a: [[f32; m]; n]) -> [[f32; m]; n] { for row in a { for x in row { x + 1.0 } } }",
            "write_to",
        ),
    ] {
        assert_eq!(skeletons(function), [skeleton], "{function}");
    }
}

#[test]
fn extremes_and_means_of_columns_come_across() {
    let block = |gives: &str, of: &str| {
        format!(
            "pub fn f(a: [[f32; m]; n]) -> [{gives}; m] {{
                for j in 0..m {{ (for i in 0..n {{ a[i][j] }}).{of} }}
            }}"
        )
    };
    for (gives, of) in [
        ("f32", "max()"),
        ("f32", "min()"),
        ("f32", "mean()"),
        ("usize", "argmax()"),
        ("f32", "max_or(0.5)"),
        ("f32", "mean_or(0.5)"),
        ("usize", "argmin_or(7)"),
    ] {
        assert_eq!(skeletons(&block(gives, of)), ["columns_to"], "{of}");
    }
    for function in [
        "pub fn f(a: [[f32; m]; n]) -> [f32; m] { a.transpose().map(|c| c.max()) }",
        "pub fn f(a: [[f32; m]; n]) -> [f32; m] { a.max_axis(0) }",
        "pub fn f(a: [[[f32; m]; n]; k]) -> [[f32; m]; k] { for b in a { b.min_axis(0) } }",
        "pub fn f(a: [[f32; m]; n]) -> ([f32; m], [f32; m]) {
            (for c in a.transpose() { (c.min(), c.max()) }).unzip()
        }",
    ] {
        assert_eq!(skeletons(function), ["columns_to"], "{function}");
    }
}

#[test]
fn tiles_say_what_they_add_and_multiply() {
    for (function, additions, products) in [
        (
            "pub fn f(a: [[f32; k]; n], b: [[f32; k]; m]) -> [[f32; m]; n] {
            for x in a { for y in b { zip(x, y).map(|(x, y)| (x - y) * (x - y)).sum() } }
        }",
            1,
            1,
        ),
        (
            "pub fn f(a: [[f32; k]; n], b: [[f32; k]; m]) -> [[f32; m]; n] {
            for x in a { for y in b { zip(x, y).map(|(x, y)| x * y).sum() } }
        }",
            0,
            1,
        ),
        (
            "#[fast] pub fn f(a: [[f32; k]; n], b: [[f32; k]; m]) -> [[f32; m]; n] {
            for x in a { for y in b { zip(x, y).map(|(x, y)| x * y).sum() } }
        }",
            0,
            2,
        ),
    ] {
        let block = function.parse().expect("the function is made of tokens");
        let text = ragged_compiler::expand(block).to_string().replace(' ', "");
        let said = format!("constADDITIONS:usize={additions};constPRODUCTS:usize={products};");
        assert!(text.contains(&said), "{said} in {text}");
    }
}
