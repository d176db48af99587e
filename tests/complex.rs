//! Complex numbers against those of the crate `num-complex`, at the border and to the bit.

#![allow(missing_docs, reason = "tests only")]

use ndarray::{Array2, ArrayView2, s};
use num_complex::Complex;
use ragged::accel;

accel! {
    pub fn sums(zs: [Complex<f32>; n], ws: [Complex<f32>; n]) -> [(Complex<f32>, Complex<f32>); n] {
        zip(zs, ws).map(|(z, w)| (z + w, z - w))
    }
    pub fn products(zs: [Complex<f32>; n], ws: [Complex<f32>; n]) -> [(Complex<f32>, Complex<f32>); n] {
        zip(zs, ws).map(|(z, w)| (z * w, z / w))
    }
    pub fn with_real(zs: [Complex<f64>], x: f64) -> [(Complex<f64>, Complex<f64>, Complex<f64>, Complex<f64>)] {
        zs.map(|z| (z * x, z / x, x - z, x / z))
    }
    pub fn sizes(zs: [Complex<f64>]) -> [(f64, Complex<f64>)] { zs.map(|z| (z.norm_sqr(), z.conj())) }
    pub fn functions(zs: [Complex<f64>]) -> [(Complex<f64>, Complex<f64>, Complex<f64>)] {
        zs.map(|z| (z.exp(), z.ln(), z.sqrt()))
    }
    pub fn adjoint(a: [[Complex<f64>; m]; n]) -> [[Complex<f64>; n]; m] {
        for column in a.transpose() { for z in column { z.conj() } }
    }
    pub fn turned(z: Complex<f64>, by: f64) -> Complex<f64> { z * exp(complex(0.0, by)) }
    #[instances(Complex<f32>, f64)]
    pub fn first<T>(xs: [T]) -> T { xs[0] }

    pub struct Wave { pub amplitude: Complex<f64>, pub k: i32 }

    pub fn damped(ws: [Wave]) -> [Wave] { ws.map(|w| Wave { amplitude: w.amplitude * 0.5, ..w }) }
}

fn numbers(seed: u32, n: usize) -> Vec<Complex<f64>> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 22) - 2.0
    };
    (0..n).map(|_| Complex::new(next(), next())).collect()
}

fn single(zs: Vec<Complex<f64>>) -> Vec<Complex<f32>> {
    zs.into_iter()
        .map(|z| Complex::new(z.re as f32, z.im as f32))
        .collect()
}

fn bits(z: Complex<f32>) -> [u32; 2] {
    [z.re.to_bits(), z.im.to_bits()]
}

#[test]
fn operators_have_the_formulas_of_num_complex() {
    let (zs, ws) = (single(numbers(1, 1000)), single(numbers(2, 1000)));
    let (sums, products) = (sums(&zs, &ws).unwrap(), products(&zs, &ws).unwrap());
    for (at, (z, w)) in zs.iter().zip(&ws).enumerate() {
        assert_eq!(bits(sums[at].0), bits(z + w));
        assert_eq!(bits(sums[at].1), bits(z - w));
        assert_eq!(bits(products[at].0), bits(z * w));
        assert_eq!(bits(products[at].1), bits(z / w));
    }
}

#[test]
fn so_have_those_with_a_real_number() {
    let zs = numbers(3, 500);
    for (z, found) in zs.iter().zip(with_real(&zs, 0.7).unwrap()) {
        assert_eq!(found, (z * 0.7, z / 0.7, 0.7 - z, 0.7 / z));
    }
    for (z, (size, conj)) in zs.iter().zip(sizes(&zs).unwrap()) {
        assert_eq!((size, conj), (z.norm_sqr(), z.conj()));
    }
}

#[test]
fn functions_are_close_to_those_of_num_complex() {
    let zs = numbers(4, 500);
    let close = |a: Complex<f64>, b: Complex<f64>| {
        assert!((a - b).norm() <= 1e-14 * b.norm().max(1e-3), "{a} for {b}");
    };
    for (z, (exp, ln, sqrt)) in zs.iter().zip(functions(&zs).unwrap()) {
        close(exp, z.exp());
        close(ln, z.ln());
        close(sqrt, z.sqrt());
    }
}

#[test]
fn matrices_views_scalars_and_structs_go_over_the_border() {
    let a = Array2::from_shape_vec((3, 4), numbers(5, 12)).unwrap();
    let expected = a.t().mapv(|z| z.conj());
    assert_eq!(adjoint(&a), Ok(expected.clone()));
    let view: ArrayView2<Complex<f64>> = a.slice(s![.., ..;2]);
    assert_eq!(adjoint(view), Ok(expected.slice(s![..;2, ..]).to_owned()));
    assert_eq!(
        turned(Complex::new(0.0, 2.0), 0.0),
        Ok(Complex::new(0.0, 2.0))
    );
    let waves = [Wave {
        amplitude: Complex::new(2.0, -4.0),
        k: 3,
    }];
    let damped = damped(&waves).unwrap();
    assert_eq!(
        (damped[0].amplitude, damped[0].k),
        (Complex::new(1.0, -2.0), 3)
    );
    assert_eq!(
        first_complex_f32(&[Complex::new(1.0, 2.0)]),
        Ok(Complex::new(1.0, 2.0))
    );
    let mut room = vec![Complex::default(); 12];
    let flat = a.as_slice().unwrap();
    assert_eq!(
        into_slice(flat, &mut room),
        flat.iter().map(|z| z * 2.0).collect::<Vec<_>>()
    );
}

fn into_slice(from: &[Complex<f64>], room: &mut [Complex<f64>]) -> Vec<Complex<f64>> {
    accel! { pub fn doubled(zs: [Complex<f64>]) -> [Complex<f64>] { zs.map(|z| z * 2.0) } }
    doubled::into(room, from).unwrap();
    room.to_vec()
}
