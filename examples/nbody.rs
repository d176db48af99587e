//! Two galaxies that meet, as an animated PNG: `cargo run --release --example nbody [file.png]
//! [bodies]`. Every body pulls at every other.

mod picture;

use ndarray::Array2;
use ragged::accel;
use std::time::Instant;

accel! {
    /// What squares of distances grow by, so that bodies which meet do not fly apart.
    const SOFTENING: f32 = 0.01;

    /// A place, a speed or a pull.
    #[expect(missing_docs)]
    pub struct Vector { pub x: f32, pub y: f32, pub z: f32 }

    /// One of many stars at once, or the heavy middle of a galaxy.
    #[expect(missing_docs)]
    pub struct Body { pub at: Vector, pub speed: Vector, pub mass: f32, pub warm: bool }

    fn plus(a: Vector, b: Vector) -> Vector { Vector { x: a.x + b.x, y: a.y + b.y, z: a.z + b.z } }

    fn times(k: f32, a: Vector) -> Vector { Vector { x: k * a.x, y: k * a.y, z: k * a.z } }

    fn pull(here: Vector, there: Vector, mass: f32) -> Vector {
        let way = plus(there, times(-1.0, here));
        let square = way.x * way.x + way.y * way.y + way.z * way.z + SOFTENING;
        times(mass / (square * sqrt(square)), way)
    }

    /// Steps of length `dt`: half of the way, the pull there, the other half.
    #[fast]
    pub fn advance(start: [Body; n], dt: f32, steps: usize) -> [Body; n] {
        let mut bodies = start;
        for _ in 0..steps {
            let halfway = for b in bodies { Body { at: plus(b.at, times(0.5 * dt, b.speed)), ..b } };
            bodies = for b in halfway {
                let pulls = for other in halfway { pull(b.at, other.at, other.mass) };
                let total = pulls.reduce(Vector { x: 0.0, y: 0.0, z: 0.0 }, plus);
                let speed = plus(b.speed, times(dt, total));
                Body { at: plus(b.at, times(0.5 * dt, speed)), speed, ..b }
            };
        }
        bodies
    }

    /// The light of warm and of cool bodies on a film that still shows a little of what was before.
    pub fn expose(
        bodies: [Body], warm: [[f32; m]; n], cool: [[f32; m]; n],
    ) -> ([[f32; m]; n], [[f32; m]; n]) {
        let mut warm = for row in warm { for light in row { 0.8 * light } };
        let mut cool = for row in cool { for light in row { 0.8 * light } };
        for b in bodies {
            let x = (b.at.x * 0.22 + 0.5) * m as f32;
            let y = (0.5 * n as f32) + (0.8 * b.at.y + 0.6 * b.at.z) * 0.22 * m as f32;
            if x >= 0.0 && y >= 0.0 && (x as usize) < m && (y as usize) < n {
                if b.warm { warm[y as usize][x as usize] += 1.0; }
                else { cool[y as usize][x as usize] += 1.0; }
            }
        }
        (warm, cool)
    }

    /// Light spread a little to all sides, in the colours of young and of old stars.
    pub fn develop(warm: [[f32; m]; n], cool: [[f32; m]; n]) -> [[(u8, u8, u8); m]; n] {
        let (warm, cool) = (spread(warm), spread(cool));
        for i in 0..n {
            for j in 0..m {
                let (w, c) = (warm[i][j], cool[i][j]);
                (tone(1.0 * w + 0.35 * c), tone(0.62 * w + 0.6 * c), tone(0.3 * w + 1.1 * c))
            }
        }
    }

    fn spread(light: [[f32; m]; n]) -> [[f32; m]; n] { across(across(light).transpose()).transpose() }

    fn across(light: [[f32; m]; n]) -> [[f32; m]; n] {
        for row in light {
            for j in 0..m {
                if j < 3 || j + 3 >= m { 0.0 }
                else {
                    0.4 * row[j] + 0.17 * (row[j - 1] + row[j + 1]) + 0.09 * (row[j - 2] + row[j + 2])
                        + 0.04 * (row[j - 3] + row[j + 3])
                }
            }
        }
    }

    fn tone(light: f32) -> u8 { (255.0 * (1.0 - exp(-1.6 * light))) as u8 }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (path, count) = (picture::path_or("nbody.png"), picture::number_or(3000)?);
    let (pictures, steps, dt) = (220, 3, 0.0075);
    let mut bodies = galaxy(count / 2, true);
    bodies.extend(galaxy(count - count / 2, false));
    let before = conserved(&bodies);

    let (mut warm, mut cool) = (Array2::zeros((400, 640)), Array2::zeros((400, 640)));
    let mut film = picture::Animation::new(&path, (400, 640), pictures, 25)?;
    let mut time = 0.0;
    for _ in 0..pictures {
        (warm, cool) = expose(&bodies, &warm, &cool)?;
        film.add(&develop(&warm, &cool)?)?;
        let begin = Instant::now();
        bodies = advance(&bodies, dt, steps)?;
        time += begin.elapsed().as_secs_f64();
    }
    film.finish()?;

    let pulls = (pictures * steps * count * count) as f64;
    println!(
        "{count} bodies, {} steps in {time:.2} s: {:.2} billion pulls a second",
        pictures * steps,
        pulls / time / 1e9
    );
    let after = conserved(&bodies);
    println!("energy   {:9.5}, at the end {:9.5}", before.0, after.0);
    println!("momentum {:9.5}, at the end {:9.5}", before.1, after.1);
    assert!((after.0 - before.0).abs() < 0.02 * before.0.abs());
    assert!((after.1 - before.1).abs() < 1e-3);
    println!(
        "\n{pictures} pictures, written to {path}\n\n{}",
        advance::EXPLAIN
    );
    Ok(())
}

/// The masses of a galaxy's heavy body and of all others together.
const HEART: f32 = 0.7;
const DISC: f32 = 0.3;

/// A disc of bodies on circles around a heavy one, on its way to the other galaxy.
fn galaxy(count: usize, warm: bool) -> Vec<Body> {
    let side = if warm { 1.0f32 } else { -1.0 };
    let (at, speed) = ((-1.3 * side, -0.45 * side), (0.45 * side, 0.12 * side));
    let tilt = if warm { 1.4f32 } else { -0.35 };
    let body = |i: usize| {
        let share = i as f32 / count as f32;
        let radius = if i == 0 { 0.0 } else { 0.12 + 0.75 * share };
        let angle = side * 2.399_963_2 * i as f32;
        let inside = HEART / (radius * radius + 0.01).powf(1.5) * radius * radius;
        let round = (inside + DISC * share / (radius + 0.1)).sqrt();
        let turned = |x: f32, y: f32| (x, y * tilt.cos(), y * tilt.sin());
        let (x, y, z) = turned(radius * angle.cos(), radius * angle.sin());
        let (vx, vy, vz) = turned(-round * side * angle.sin(), round * side * angle.cos());
        Body {
            at: Vector {
                x: at.0 + x,
                y: at.1 + y,
                z,
            },
            speed: Vector {
                x: speed.0 + vx,
                y: speed.1 + vy,
                z: vz,
            },
            mass: if i == 0 { HEART } else { DISC / count as f32 },
            warm,
        }
    };
    (0..count).map(body).collect()
}

/// Energy, and momentum along x, in `f64`: neither changes, whatever bodies do to each other.
fn conserved(bodies: &[Body]) -> (f64, f64) {
    let parts = |v: &Vector| [v.x as f64, v.y as f64, v.z as f64];
    let mut energy = 0.0;
    for (i, a) in bodies.iter().enumerate() {
        let square: f64 = parts(&a.speed).iter().map(|v| v * v).sum();
        energy += 0.5 * a.mass as f64 * square;
        for b in &bodies[..i] {
            let way = parts(&a.at).into_iter().zip(parts(&b.at));
            let square: f64 = way.map(|(p, q)| (p - q) * (p - q)).sum();
            energy -= a.mass as f64 * b.mass as f64 / (square + 0.01).sqrt();
        }
    }
    let momentum = bodies.iter().map(|it| it.mass as f64 * it.speed.x as f64);
    (energy, momentum.sum())
}
