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
    pub fn by_id(rs: [Record]) -> [Record] { rs.sort_by_key(|r| r.id) }
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
    pub fn by_im(zs: [C]) -> [C] { zs.sort_by_key(|z| z.im) }
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

mod mesh {
    #[derive(Clone, Copy, Default, Debug, PartialEq)]
    #[repr(C, packed)]
    pub struct Vertex {
        pub flag: bool,
        pub at: [f64; 3],
        pub uv: [(f32, f32); 2],
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Histogram {
        pub bins: [u32; 64],
    }

    impl Default for Histogram {
        fn default() -> Self {
            Histogram { bins: [0; 64] }
        }
    }
}

accel! {
    const AXES: usize = 3;

    #[element(mesh::Vertex)]
    struct Vertex { at: [f64; AXES], uv: [(f32, f32); 2], flag: bool }
    #[element(mesh::Histogram)]
    struct Histogram { bins: [u32; 64] }

    pub fn scaled(vs: [Vertex], by: f64) -> [Vertex] {
        for v in vs { Vertex { at: v.at.map(|x| x * by), uv: v.uv.rev(), ..v } }
    }
    pub fn far(v: Vertex, k: usize) -> Vertex {
        let mut at = v.at;
        at[k] = 100.0;
        Vertex { at, ..v }
    }
    pub fn kept(vs: [[Vertex]]) -> [[Vertex]] { for row in vs { row.filter(|v| v.flag) } }
    pub fn turned_mesh(vs: [[Vertex; m]; n]) -> [[Vertex; n]; m] { vs.transpose() }
    pub fn summed(hs: [Histogram]) -> Histogram {
        Histogram { bins: for k in 0..64 { hs.map(|h| h.bins[k]).sum() } }
    }
    pub fn running(hs: [Histogram]) -> [Histogram] {
        for h in hs { Histogram { bins: h.bins.scan(|a, b| a + b) } }
    }
}

fn vertex(x: f64, flag: bool) -> mesh::Vertex {
    mesh::Vertex {
        flag,
        at: [x, x + 1.0, x + 2.0],
        uv: [(0.5, 1.5), (2.5, 3.5)],
    }
}

#[test]
fn move_along_with_their_keys() {
    for n in [0, 1, 30, 2000, 400_000] {
        let rs = (0..n).map(|i| Packed {
            tag: i as u8,
            mass: i as f64,
            id: (i % 1009 * 7919 % 1009) as u32,
        });
        let rs: Vec<Packed> = rs.collect();
        let mut sorted = rs.clone();
        sorted.sort_by_key(|r| r.id);
        assert!(by_id(&rs).unwrap() == sorted);
        let zs = (0..n).map(|i| Complex::new(i as f64, -((i % 1009 * 7919 % 1009) as f64)));
        let zs: Vec<Complex<f64>> = zs.collect();
        let mut sorted = zs.clone();
        sorted.sort_by(|a, b| a.im.total_cmp(&b.im));
        assert!(by_im(&zs).unwrap() == sorted);
    }
    assert!(by_id::EXPLAIN.starts_with("by_id: kernels 1, intermediates 0"));
}

#[test]
fn with_arrays() {
    let vs: Vec<_> = (0..100).map(|k| vertex(f64::from(k), k % 3 == 0)).collect();
    let expected = |v: &mesh::Vertex| mesh::Vertex {
        at: v.at.map(|x| x * 2.0),
        uv: [v.uv[1], v.uv[0]],
        ..*v
    };
    let expected: Vec<_> = vs.iter().map(expected).collect();
    assert_eq!(scaled(&vs, 2.0), Ok(expected.clone()));
    let mut room = vec![mesh::Vertex::default(); vs.len()];
    scaled::into(&mut room[..], &vs, 2.0).unwrap();
    assert_eq!(room, expected);
    let mut one = mesh::Vertex::default();
    far::into(&mut one, vs[7], 1).unwrap();
    assert_eq!({ one.at }, [7.0, 100.0, 9.0]);
    let error = far(vs[7], 3).unwrap_err();
    let (index, len) = (3, 3);
    assert_eq!(error.kind(), &ErrorKind::IndexOutOfRange { index, len });
    assert_eq!(
        turned_mesh(&array![[vs[0], vs[1]]]),
        Ok(array![[vs[0]], [vs[1]]])
    );
}

#[test]
fn with_arrays_in_rows() {
    let rows = vec![
        vec![vertex(1.0, true), vertex(2.0, false)],
        vec![],
        vec![vertex(3.0, true)],
    ];
    let rows = ragged::Ragged::from(&rows);
    let found = Vec::<Vec<mesh::Vertex>>::from(kept(&rows).unwrap());
    assert_eq!(
        found,
        [vec![vertex(1.0, true)], vec![], vec![vertex(3.0, true)]]
    );
}

#[test]
fn with_long_arrays() {
    let histogram = |k: u32| mesh::Histogram {
        bins: core::array::from_fn(|at| k + at as u32),
    };
    let hs: Vec<_> = (0..50).map(histogram).collect();
    let bins = core::array::from_fn(|at| 50 * 49 / 2 + 50 * at as u32);
    assert_eq!(summed(&hs), Ok(mesh::Histogram { bins }));
    let running = running(&hs).unwrap();
    assert_eq!(running[49].bins[63], (0..64).map(|at| 49 + at).sum());
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
