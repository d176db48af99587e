//! Accelerations of bodies that pull each other, with softened gravity, in f32: every pair once
//! from each side.
//!
//! The expert keeps 64 bodies in registers and lets all others pull them one by one. `fast` takes
//! the power -3/2 of the distance from an estimate with one Newton step, where the language's own
//! meaning needs a square root and a division, which the machine makes slowly.

use crate::levels::{Level, kernel};
use crate::memory;
use rayon::prelude::*;

/// Added to each squared distance, so that near bodies do not fly apart.
pub const SOFTENING: f32 = 1e-3;

/// Bodies that are pulled together: four vectors where those are widest.
const LANES: usize = 64;

/// Places and masses, of one length.
#[derive(Clone, Copy)]
pub struct Bodies<'a> {
    /// Places along the first axis.
    pub x: &'a [f32],
    /// Places along the second axis.
    pub y: &'a [f32],
    /// Places along the third axis.
    pub z: &'a [f32],
    /// Masses.
    pub mass: &'a [f32],
}

impl<'a> Bodies<'a> {
    /// The four as one.
    ///
    /// # Panics
    /// If their lengths differ.
    pub fn new([x, y, z, mass]: [&'a [f32]; 4]) -> Self {
        assert!(x.len() == y.len() && x.len() == z.len() && x.len() == mass.len());
        Bodies { x, y, z, mass }
    }

    /// How many.
    #[allow(
        clippy::len_without_is_empty,
        reason = "nobody asks whether there is none"
    )]
    pub fn len(&self) -> usize {
        self.x.len()
    }
}

/// Bodies in a cube: places along the three axes, and masses.
pub fn inputs(len: usize) -> [Vec<f32>; 4] {
    let spread = |factor: usize| move |i: usize| (i * factor % 9973) as f32 * 2e-4 - 1.0;
    [
        memory::generate(len, spread(7919)),
        memory::generate(len, spread(6101)),
        memory::generate(len, spread(4729)),
        memory::generate(len, |i| (i % 13 + 1) as f32 * 0.1),
    ]
}

/// As rayon gives it.
pub fn plain(bodies: Bodies) -> Vec<[f32; 3]> {
    let all = (0..bodies.len()).into_par_iter();
    all.map(|i| {
        let mut sum = [0.0; 3];
        for j in 0..bodies.len() {
            let dx = bodies.x[j] - bodies.x[i];
            let dy = bodies.y[j] - bodies.y[i];
            let dz = bodies.z[j] - bodies.z[i];
            let square = dx * dx + dy * dy + dz * dz + SOFTENING;
            let pull = bodies.mass[j] / (square * square.sqrt());
            sum[0] += dx * pull;
            sum[1] += dy * pull;
            sum[2] += dz * pull;
        }
        sum
    })
    .collect()
}

/// As an expert writes it: along each axis the accelerations of all bodies.
pub fn expert(bodies: Bodies) -> [Vec<f32>; 3] {
    at(Level::best(), bodies)
}

/// The expert's version at a level.
pub fn at(level: Level, bodies: Bodies) -> [Vec<f32>; 3] {
    by_blocks(bodies, |on, out| pull(level, on, bodies, out))
}

/// With fused operations and estimates, where the machine has them.
pub fn fast(bodies: Bodies) -> [Vec<f32>; 3] {
    #[cfg(target_arch = "x86_64")]
    if Level::best().is_v4() {
        return by_blocks(bodies, |on, out| wide::pull(Level::best(), on, bodies, out));
    }
    expert(bodies)
}

/// Along each axis a number for each body of a block.
type Block = [[f32; LANES]; 3];

/// Has `pull` compute the accelerations of each block of bodies.
fn by_blocks(bodies: Bodies, pull: impl Fn(&Block, &mut Block) + Sync) -> [Vec<f32>; 3] {
    let mut out = [(); 3].map(|()| vec![0.0; bodies.len()]);
    let [x, y, z] = &mut out;
    let blocks = x
        .par_chunks_mut(LANES)
        .zip(y.par_chunks_mut(LANES))
        .zip(z.par_chunks_mut(LANES));
    blocks.enumerate().for_each(|(block, ((x, y), z))| {
        let (from, len) = (block * LANES, x.len());
        let mut on = [[0.0; LANES]; 3];
        for (lanes, places) in on.iter_mut().zip([bodies.x, bodies.y, bodies.z]) {
            lanes[..len].copy_from_slice(&places[from..from + len]);
        }
        let mut sums = [[0.0; LANES]; 3];
        pull(&on, &mut sums);
        for (sums, out) in sums.iter().zip([x, y, z]) {
            out.copy_from_slice(&sums[..len]);
        }
    });
    out
}

kernel! {
    fn pull(on: &Block, from: Bodies, out: &mut Block) {
        let (x, y, z) = (on[0], on[1], on[2]);
        let (mut sum_x, mut sum_y, mut sum_z) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        for j in 0..from.x.len() {
            let (from_x, from_y, from_z) = (from.x[j], from.y[j], from.z[j]);
            for l in 0..LANES {
                let (dx, dy, dz) = (from_x - x[l], from_y - y[l], from_z - z[l]);
                let square = dx * dx + dy * dy + dz * dz + SOFTENING;
                let pull = from.mass[j] / (square * square.sqrt());
                sum_x[l] += dx * pull;
                sum_y[l] += dy * pull;
                sum_z[l] += dz * pull;
            }
        }
        *out = [sum_x, sum_y, sum_z];
    }
}

/// The fast accelerations in AVX-512.
#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{Block, Bodies, LANES, SOFTENING};
    use crate::levels::Level;
    use std::arch::x86_64::*;

    const VECTORS: usize = LANES / 16;

    /// Accelerations of a block of bodies.
    pub fn pull(level: Level, on: &Block, from: Bodies, out: &mut Block) {
        assert!(level.is_v4());
        // SAFETY: the level has these features.
        unsafe { run(on, from, out) }
    }

    /// With r near s^(-1/2) and e = 1 - s r², s^(-3/2) is r³ (1 + 3/2 e) up to e²: the 3/2 goes into
    /// the mass.
    #[target_feature(enable = "avx512f,avx512dq,avx512vl,bmi1,bmi2")]
    fn run(on: &Block, from: Bodies, out: &mut Block) {
        let on = [load(&on[0]), load(&on[1]), load(&on[2])];
        let mut sums = [[_mm512_setzero_ps(); VECTORS]; 3];
        let (softening, five_thirds) = (_mm512_set1_ps(SOFTENING), _mm512_set1_ps(5.0 / 3.0));
        for j in 0..from.len() {
            let (x, y) = (_mm512_set1_ps(from.x[j]), _mm512_set1_ps(from.y[j]));
            let z = _mm512_set1_ps(from.z[j]);
            let mass = _mm512_set1_ps(1.5 * from.mass[j]);
            for v in 0..VECTORS {
                let dx = _mm512_sub_ps(x, on[0][v]);
                let dy = _mm512_sub_ps(y, on[1][v]);
                let dz = _mm512_sub_ps(z, on[2][v]);
                let square = _mm512_fmadd_ps(dx, dx, softening);
                let square = _mm512_fmadd_ps(dy, dy, square);
                let square = _mm512_fmadd_ps(dz, dz, square);
                let root = _mm512_rsqrt14_ps(square);
                let inverse = _mm512_mul_ps(root, root);
                let cube = _mm512_mul_ps(_mm512_mul_ps(root, mass), inverse);
                let pull = _mm512_mul_ps(cube, _mm512_fnmadd_ps(square, inverse, five_thirds));
                sums[0][v] = _mm512_fmadd_ps(dx, pull, sums[0][v]);
                sums[1][v] = _mm512_fmadd_ps(dy, pull, sums[1][v]);
                sums[2][v] = _mm512_fmadd_ps(dz, pull, sums[2][v]);
            }
        }
        for (sums, out) in sums.iter().zip(out) {
            store(out, sums);
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load(from: &[f32; LANES]) -> [__m512; VECTORS] {
        let (vectors, _) = from.as_chunks::<16>();
        std::array::from_fn(|v| {
            // SAFETY: the array is one vector long.
            unsafe { _mm512_loadu_ps(vectors[v].as_ptr()) }
        })
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn store(to: &mut [f32; LANES], from: &[__m512; VECTORS]) {
        for (to, from) in to.as_chunks_mut::<16>().0.iter_mut().zip(from) {
            // SAFETY: the array is one vector long.
            unsafe { _mm512_storeu_ps(to.as_mut_ptr(), *from) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest difference to the definition, beside the largest acceleration.
    fn error(found: &[Vec<f32>; 3], bodies: Bodies) -> f64 {
        let exact = |i: usize| {
            let mut sum = [0.0_f64; 3];
            for j in 0..bodies.len() {
                let apart = [bodies.x, bodies.y, bodies.z]
                    .map(|places| f64::from(places[j]) - f64::from(places[i]));
                let square = apart.iter().map(|d| d * d).sum::<f64>() + f64::from(SOFTENING);
                for (sum, d) in sum.iter_mut().zip(apart) {
                    *sum += f64::from(bodies.mass[j]) * d / square.powf(1.5);
                }
            }
            sum
        };
        let (mut most, mut worst) = (0.0_f64, 0.0_f64);
        for i in 0..bodies.len() {
            for (found, exact) in found.iter().zip(exact(i)) {
                most = most.max(exact.abs());
                worst = worst.max((f64::from(found[i]) - exact).abs());
            }
        }
        worst / most.max(1e-30)
    }

    #[test]
    fn agrees_with_the_definition_on_every_level() {
        for len in [1, 64, 200, 513] {
            let inputs = inputs(len);
            let bodies = Bodies::new(inputs.each_ref().map(|xs| &xs[..]));
            let plain = plain(bodies);
            let plain = [0, 1, 2].map(|axis| plain.iter().map(|a| a[axis]).collect());
            assert!(error(&plain, bodies) < 1e-5);
            for level in Level::available() {
                assert!(error(&at(level, bodies), bodies) < 1e-5, "{level:?}");
            }
            assert!(error(&fast(bodies), bodies) < 1e-5);
        }
    }
}
