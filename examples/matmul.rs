//! Matrix products: `cargo run --release --example matmul [size]`. Beside those of
//! `ndarray`.

use ndarray::Array2;
use ragged::accel;
use std::time::Instant;

accel! {
    /// Each row with each column.
    #[instances(f32, f64, u64)]
    pub fn product<T: Num>(a: [[T; k]; n], b: [[T; m]; k]) -> [[T; m]; n] {
        let columns = b.transpose();
        for row in a { for column in columns { dot(row, column) } }
    }

    fn dot<T: Num>(xs: [T; n], ys: [T; n]) -> T { zip(xs, ys).map(|(x, y)| x * y).sum() }

    /// With fused multiply-add.
    #[fast]
    pub fn product_fast(a: [[f64; k]; n], b: [[f64; m]; k]) -> [[f64; m]; n] { product(a, b) }

    /// The `power`-th power, by squaring.
    pub fn power(a: [[u64; n]; n], power: u64) -> [[u64; n]; n] {
        let mut result = for i in 0..n { for j in 0..n { if i == j { 1 } else { 0 } } };
        let (mut square, mut left) = (a, power);
        while left > 0 {
            if left % 2 == 1 { result = product(result, square); }
            square = product(square, square);
            left /= 2;
        }
        result
    }

    /// Numbers between -1 and 1.
    pub fn numbers(n: usize, salt: u64) -> [[f64; n]; n] {
        for i in 0..n { for j in 0..n {
            let mut x = ((i * n + j) as u64 + salt) * 0x9E37_79B9_7F4A_7C15;
            x = (x ^ x >> 30) * 0xBF58_476D_1CE4_E5B9;
            x = (x ^ x >> 27) * 0x94D0_49BB_1331_11EB;
            (x >> 11) as f64 / 4503599627370496.0 - 1.0
        } }
    }

    pub fn furthest(a: [[f64; m]; n], b: [[f64; m]; n]) -> f64 {
        zip(a, b).map(|(xs, ys)| zip(xs, ys).map(|(x, y)| abs(x - y)).max_or(0.0)).max_or(0.0)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let size = std::env::args().nth(1).map_or(Ok(1024), |it| it.parse())?;
    let (a, b) = (numbers(size, 1)?, numbers(size, 2)?);
    let (a32, b32) = (a.mapv(|x| x as f32), b.mapv(|x| x as f32));
    let integers = [&a, &b].map(|it| it.mapv(|x| (x * 1e9) as u64));

    let expected = a.dot(&b);
    let by_ours = furthest(&product_f64(&a, &b)?, &expected)?;
    let by_fast = furthest(&product_fast(&a, &b)?, &expected)?;
    println!("products of {size} × {size} numbers between -1 and 1");
    println!("furthest from ndarray's: {by_ours:.1e}, with #[fast] {by_fast:.1e}");
    assert!(by_ours.max(by_fast) < 1e-15 * size as f64);
    let exact = by_hand(&integers[0], &integers[1]);
    assert_eq!(product_u64(&integers[0], &integers[1])?, exact);
    println!("of integers: the same as by hand");
    let fibonacci = power(&[[1, 1], [1, 0]], 90)?[[0, 1]];
    assert_eq!(fibonacci, 2_880_067_194_370_816_120);
    println!("the 90th Fibonacci number, by powers of a matrix: {fibonacci}\n");

    let flops = 2.0 * (size as f64).powi(3);
    let mut out = Array2::zeros((0, 0));
    let mut out32 = Array2::zeros((0, 0));
    time("accel! f64", flops, || {
        product_f64::into(&mut out, &a, &b).is_ok()
    });
    time("accel! f64, #[fast]", flops, || {
        product_fast::into(&mut out, &a, &b).is_ok()
    });
    time("ndarray f64", flops, || a.dot(&b).len() == a.len());
    time("accel! f32", flops, || {
        product_f32::into(&mut out32, &a32, &b32).is_ok()
    });
    time("ndarray f32", flops, || a32.dot(&b32).len() == a.len());
    println!("\n{}", product_f64::EXPLAIN);
    Ok(())
}

/// Three loops, in the order that reads all rows from left to right.
fn by_hand(a: &Array2<u64>, b: &Array2<u64>) -> Array2<u64> {
    let mut product = Array2::zeros((a.nrows(), b.ncols()));
    for (mut sums, row) in product.outer_iter_mut().zip(a.outer_iter()) {
        for (x, others) in row.iter().zip(b.outer_iter()) {
            sums.zip_mut_with(&others, |sum: &mut u64, y| {
                *sum = sum.wrapping_add(x.wrapping_mul(*y))
            });
        }
    }
    product
}

fn time(name: &str, flops: f64, mut run: impl FnMut() -> bool) {
    let mut times: Vec<f64> = (0..5)
        .map(|_| {
            let begin = Instant::now();
            assert!(run());
            begin.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let (ms, rate) = (times[2] * 1e3, flops / times[2] / 1e9);
    println!("{name:20} {ms:8.2} ms  {rate:6.1} billion operations a second");
}
