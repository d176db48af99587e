//! Matrix products in f32 and f64, by the libraries that a user would pick: `matrixmultiply`, which
//! `ndarray`'s `dot` calls, on as many threads as there are cores (at most four), and, with the
//! feature `faer` of this crate, `faer` on rayon's threads.

use rayon::prelude::*;

macro_rules! products {
    ($module:ident, $T:ident, $gemm:ident) => {
        #[doc = concat!("Products of matrices of ", stringify!($T), ", `n` rows times `m` columns.")]
        pub mod $module {
            use super::*;

            /// As rayon gives it.
            pub fn plain(a: &[$T], b: &[$T], n: usize, m: usize) -> Vec<$T> {
                let k = a.len() / n;
                let rows = a.par_chunks(k).flat_map_iter(|row| {
                    (0..m).map(|j| (0..k).map(|i| row[i] * b[i * m + j]).sum())
                });
                rows.collect()
            }

            /// By `matrixmultiply`.
            ///
            /// # Panics
            /// If a matrix has not as many elements as it has to.
            pub fn matrixmultiply(out: &mut [$T], a: &[$T], b: &[$T], n: usize, m: usize) {
                let k = a.len() / n;
                assert!(a.len() == n * k && b.len() == k * m && out.len() == n * m);
                let (a, b, out) = (a.as_ptr(), b.as_ptr(), out.as_mut_ptr());
                let (along_k, along_m) = (k as isize, m as isize);
                // SAFETY: all are row-major, of the lengths checked above.
                unsafe {
                    matrixmultiply::$gemm(
                        n, k, m, 1.0, a, along_k, 1, b, along_m, 1, 0.0, out, along_m, 1,
                    );
                }
            }

            /// By `faer`.
            ///
            /// # Panics
            /// If a matrix has not as many elements as it has to.
            #[cfg(feature = "faer")]
            pub fn faer(out: &mut [$T], a: &[$T], b: &[$T], n: usize, m: usize) {
                use faer::{Accum, MatMut, MatRef, Par, linalg::matmul::matmul};
                let k = a.len() / n;
                matmul(
                    MatMut::from_row_major_slice_mut(out, n, m),
                    Accum::Replace,
                    MatRef::from_row_major_slice(a, n, k),
                    MatRef::from_row_major_slice(b, k, m),
                    1.0,
                    Par::rayon(0),
                );
            }

            #[cfg(test)]
            #[test]
            fn agree_with_the_definition() {
                for (n, k, m) in [(1, 1, 1), (5, 7, 3), (100, 40, 70)] {
                    // Small whole numbers: every order of summation is exact.
                    let a: Vec<$T> = (0..n * k).map(|i| (i * 7 % 23) as $T).collect();
                    let b: Vec<$T> = (0..k * m).map(|i| (i * 5 % 19) as $T).collect();
                    let mut expected = vec![0.0; n * m];
                    for i in 0..n {
                        for j in 0..m {
                            for l in 0..k {
                                expected[i * m + j] += a[i * k + l] * b[l * m + j];
                            }
                        }
                    }
                    let mut out = vec![-1.0; n * m];
                    matrixmultiply(&mut out, &a, &b, n, m);
                    assert_eq!(out, expected);
                    #[cfg(feature = "faer")]
                    {
                        out.fill(-1.0);
                        faer(&mut out, &a, &b, n, m);
                        assert_eq!(out, expected);
                    }
                    assert_eq!(plain(&a, &b, n, m), expected);
                }
            }
        }
    };
}

products!(of_f32, f32, sgemm);
products!(of_f64, f64, dgemm);
