//! Structs that Rust has already, `#[element(path)]`.

#![allow(missing_docs, reason = "tests only")]

use ndarray::array;
use num_complex::Complex;
use ragged::{ErrorKind, accel};

/// Fields in another order than in the block, and unaligned.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
#[repr(C, packed)]
pub struct Packed {
    tag: u8,
    mass: f64,
    id: u32,
}

mod wide {
    #[derive(Clone, Copy, Default, Debug, PartialEq)]
    pub struct Vector<T> {
        pub x: T,
        pub r#type: T,
    }
}

accel! {
    #[element(Packed)]
    struct Record { id: u32, mass: f64, tag: u8 }

    pub fn heavier(rs: [Record], by: f64) -> [Record] {
        for r in rs { Record { mass: r.mass + by, ..r } }
    }
    pub fn lightest(rs: [Record]) -> Record { rs[rs.map(|r| r.mass).argmin()] }
    pub fn swapped(r: (Record, u8)) -> (u8, Record) { (r.0.tag, Record { tag: r.1, ..r.0 }) }
}

accel! {
    // Of another crate, and generic.
    #[element(num_complex::Complex<f64>)]
    struct C { re: f64, im: f64 }
    #[element(wide::Vector::<f32>)]
    struct V { r#type: f32, x: f32 }

    fn times(a: C, b: C) -> C { C { re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re } }
    pub fn squares(zs: [C]) -> [C] { for z in zs { times(z, z) } }
    pub fn product(zs: [C]) -> C { zs.reduce(C { re: 1.0, im: 0.0 }, times) }
    pub fn turned(zs: [[C; m]; n]) -> [[C; n]; m] { zs.transpose() }
    pub fn flat(vs: [V]) -> [(f32, f32)] { for V { x, r#type: t } in vs { (x, t) } }
}

accel! {
    // The same struct again, by the same name, in the same module.
    #[element(num_complex::Complex<f64>)]
    struct C { re: f64, im: f64 }
    pub fn norms(zs: [C]) -> [f64] { for z in zs { z.re * z.re + z.im * z.im } }
}

fn records() -> [Packed; 2] {
    let (tag, mass, id) = (1, 2.5, 3);
    [
        Packed { tag, mass, id },
        Packed {
            tag: 7,
            mass: 0.5,
            id: 9,
        },
    ]
}

#[test]
fn packed() {
    let (tag, id) = (1, 3);
    let heavy = heavier(&records(), 1.0).unwrap();
    assert_eq!(
        heavy,
        [
            Packed { tag, mass: 3.5, id },
            Packed {
                tag: 7,
                mass: 1.5,
                id: 9
            }
        ]
    );
    assert_eq!(lightest(&records()), Ok(records()[1]));
    assert_eq!(
        lightest(&[]).unwrap_err().kind(),
        &ErrorKind::EmptyArray { operator: "argmin" }
    );
    assert_eq!(
        swapped((records()[0], 5)),
        Ok((
            1,
            Packed {
                tag: 5,
                mass: 2.5,
                id
            }
        ))
    );
}

#[test]
fn written_into_what_exists() {
    let mut room = records();
    heavier::into(&mut room[..], &records(), -0.5).unwrap();
    assert_eq!(
        room[1],
        Packed {
            mass: 0.0,
            ..records()[1]
        }
    );
    let mut one = Packed::default();
    lightest::into(&mut one, &room).unwrap();
    assert_eq!(one, room[1]);
    let mut both = (0, Packed::default());
    swapped::into((&mut both.0, &mut both.1), (one, 8)).unwrap();
    assert_eq!(both, (7, Packed { tag: 8, ..one }));
}

#[test]
fn of_another_crate() {
    let (one, i) = (Complex::new(1.0, 0.0), Complex::new(0.0, 1.0));
    assert_eq!(squares(&[one, i, one + i]), Ok(vec![one, -one, 2.0 * i]));
    assert_eq!(product(&vec![i; 6]), Ok(-one));
    assert_eq!(norms(&[one + i]), Ok(vec![2.0]));
    assert_eq!(turned(&array![[one, i]]), Ok(array![[one], [i]]));
    let many: Vec<Complex<f64>> = (0..1000).map(|k| Complex::new(f64::from(k), 0.5)).collect();
    let expected: Vec<Complex<f64>> = many.iter().map(|z| z * z).collect();
    assert_eq!(squares(&many), Ok(expected));
}

#[test]
fn generic() {
    let v = wide::Vector {
        x: 1.0,
        r#type: 2.0,
    };
    assert_eq!(flat(&[v]), Ok(vec![(1.0, 2.0)]));
}

#[test]
fn inside_of_a_function() {
    #[derive(Clone, Copy, Default)]
    struct Local {
        x: i32,
    }
    accel! {
        #[element(Local)]
        struct Mine { x: i32 }
        pub fn sum(ls: [Mine]) -> i32 { ls.map(|l| l.x).sum() }
    }
    assert_eq!(sum(&[Local { x: 2 }, Local { x: 5 }]), Ok(7));
}
