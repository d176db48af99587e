//! Prefix sums of a block with AVX2 and with AVX-512.

/// A vector of lanes at a time: sums within it by shifts, then the carry, so that only one addition
/// per vector waits for the one before.
macro_rules! in_vectors {
    (
        $features:literal, $has:ident, $name:ident, $T:ident, $lanes:literal, $zero:expr,
        $load:ident, $store:ident, $stream:ident, $add:ident, $broadcast:ident,
        |$v:ident| $prefix:expr, $last:expr
    ) => {
        /// Writes the prefix sums of `xs`, begun with `carry`, past the caches if asked for.
        pub fn $name(
            level: Level,
            out: &mut [MaybeUninit<$T>],
            xs: &[$T],
            carry: $T,
            past_cache: bool,
        ) {
            #[target_feature(enable = $features)]
            fn run<const PAST_CACHE: bool>(out: &mut [MaybeUninit<$T>], xs: &[$T], mut sum: $T) {
                let head = out.as_ptr().align_offset(64).min(xs.len());
                let (out_head, out) = out.split_at_mut(head);
                let (x_head, xs) = xs.split_at(head);
                for (out, x) in out_head.iter_mut().zip(x_head) {
                    sum += x;
                    out.write(sum);
                }
                let (outs, out_rest) = out.as_chunks_mut::<$lanes>();
                let (ins, x_rest) = xs.as_chunks::<$lanes>();
                let mut carry = $broadcast(sum);
                for (out, x) in outs.iter_mut().zip(ins) {
                    // SAFETY: `x` is one vector long.
                    let $v = unsafe { $load(x.as_ptr().cast()) };
                    let within = $prefix;
                    let sums = $add(within, carry);
                    carry = $add(carry, $last(within));
                    // SAFETY: `out` is one vector long, and aligned to 64 after the head.
                    unsafe {
                        if PAST_CACHE {
                            $stream(out.as_mut_ptr().cast(), sums);
                        } else {
                            $store(out.as_mut_ptr().cast(), sums);
                        }
                    }
                }
                let mut lanes = [$zero; $lanes];
                // SAFETY: `lanes` is one vector long.
                unsafe { $store(lanes.as_mut_ptr().cast(), carry) };
                let mut sum = lanes[0];
                for (out, x) in out_rest.iter_mut().zip(x_rest) {
                    sum += x;
                    out.write(sum);
                }
            }
            assert!(level.$has() && out.len() == xs.len());
            // SAFETY: the level has these features.
            unsafe {
                if past_cache {
                    run::<true>(out, xs, carry);
                } else {
                    run::<false>(out, xs, carry);
                }
            }
        }
    };
}

/// AVX-512.
pub(super) mod wide {
    use crate::levels::Level;
    use std::arch::x86_64::*;
    use std::mem::MaybeUninit;

    macro_rules! wide {
        ($($rest:tt)*) => {
            in_vectors!("avx512f,avx512bw,avx512cd,avx512dq,avx512vl", is_v4, $($rest)*);
        };
    }

    wide!(
        scan_f64,
        f64,
        8,
        0.0,
        _mm512_loadu_pd,
        _mm512_storeu_pd,
        _mm512_stream_pd,
        _mm512_add_pd,
        _mm512_set1_pd,
        |v| {
            let v = _mm512_mask_add_pd(v, 0b11111110, v, after_f64::<7>(v));
            let v = _mm512_mask_add_pd(v, 0b11111100, v, after_f64::<6>(v));
            _mm512_mask_add_pd(v, 0b11110000, v, after_f64::<4>(v))
        },
        |v| _mm512_permutexvar_pd(_mm512_set1_epi64(7), v)
    );

    wide!(
        scan_f32,
        f32,
        16,
        0.0,
        _mm512_loadu_ps,
        _mm512_storeu_ps,
        _mm512_stream_ps,
        _mm512_add_ps,
        _mm512_set1_ps,
        |v| {
            let v = _mm512_mask_add_ps(v, 0xfffe, v, after_f32::<15>(v));
            let v = _mm512_mask_add_ps(v, 0xfffc, v, after_f32::<14>(v));
            let v = _mm512_mask_add_ps(v, 0xfff0, v, after_f32::<12>(v));
            _mm512_mask_add_ps(v, 0xff00, v, after_f32::<8>(v))
        },
        |v| _mm512_permutexvar_ps(_mm512_set1_epi32(15), v)
    );

    wide!(
        scan_i32,
        i32,
        16,
        0,
        _mm512_loadu_si512,
        _mm512_storeu_si512,
        _mm512_stream_si512,
        _mm512_add_epi32,
        _mm512_set1_epi32,
        |v| {
            let v = _mm512_mask_add_epi32(v, 0xfffe, v, after_i32::<15>(v));
            let v = _mm512_mask_add_epi32(v, 0xfffc, v, after_i32::<14>(v));
            let v = _mm512_mask_add_epi32(v, 0xfff0, v, after_i32::<12>(v));
            _mm512_mask_add_epi32(v, 0xff00, v, after_i32::<8>(v))
        },
        |v| _mm512_permutexvar_epi32(_mm512_set1_epi32(15), v)
    );

    // The lanes are turned, not shifted, and the first ones left out of the addition: for a shift
    // that brings in zeros LLVM picks `vexpand`, which is slow on some machines.

    /// Turns the lanes up by `8 - BY`.
    #[target_feature(enable = "avx512f")]
    fn after_f64<const BY: i32>(v: __m512d) -> __m512d {
        let v = _mm512_castpd_si512(v);
        _mm512_castsi512_pd(_mm512_alignr_epi64::<BY>(v, v))
    }

    /// Turns the lanes up by `16 - BY`.
    #[target_feature(enable = "avx512f")]
    fn after_f32<const BY: i32>(v: __m512) -> __m512 {
        _mm512_castsi512_ps(after_i32::<BY>(_mm512_castps_si512(v)))
    }

    /// Turns the lanes up by `16 - BY`.
    #[target_feature(enable = "avx512f")]
    fn after_i32<const BY: i32>(v: __m512i) -> __m512i {
        _mm512_alignr_epi32::<BY>(v, v)
    }
}

/// AVX2.
pub(super) mod narrow {
    use crate::levels::Level;
    use std::arch::x86_64::*;
    use std::mem::MaybeUninit;

    macro_rules! narrow {
        ($($rest:tt)*) => {
            in_vectors!("avx2,fma", has_fma, $($rest)*);
        };
    }

    narrow!(
        scan_f64,
        f64,
        4,
        0.0,
        _mm256_loadu_pd,
        _mm256_storeu_pd,
        _mm256_stream_pd,
        _mm256_add_pd,
        _mm256_set1_pd,
        |v| {
            let v = _mm256_add_pd(v, doubles(up_8(bits_pd(v))));
            _mm256_add_pd(v, spread_last_f64(v))
        },
        |v| _mm256_permute4x64_pd::<0xff>(v)
    );

    narrow!(
        scan_f32,
        f32,
        8,
        0.0,
        _mm256_loadu_ps,
        _mm256_storeu_ps,
        _mm256_stream_ps,
        _mm256_add_ps,
        _mm256_set1_ps,
        |v| {
            let v = _mm256_add_ps(v, singles(up_4(bits_ps(v))));
            let v = _mm256_add_ps(v, singles(up_8(bits_ps(v))));
            _mm256_add_ps(v, spread_last_f32(v))
        },
        |v| _mm256_permutevar8x32_ps(v, _mm256_set1_epi32(7))
    );

    narrow!(
        scan_i32,
        i32,
        8,
        0,
        _mm256_loadu_si256,
        _mm256_storeu_si256,
        _mm256_stream_si256,
        _mm256_add_epi32,
        _mm256_set1_epi32,
        |v| {
            let v = _mm256_add_epi32(v, up_4(v));
            let v = _mm256_add_epi32(v, up_8(v));
            _mm256_add_epi32(v, bits_ps(spread_last_f32(singles(v))))
        },
        |v| _mm256_permutevar8x32_epi32(v, _mm256_set1_epi32(7))
    );

    // Shifts reach over no half of a vector: what the first half ends in is added to all of the second.

    #[target_feature(enable = "avx2")]
    fn bits_pd(v: __m256d) -> __m256i {
        _mm256_castpd_si256(v)
    }

    #[target_feature(enable = "avx2")]
    fn bits_ps(v: __m256) -> __m256i {
        _mm256_castps_si256(v)
    }

    #[target_feature(enable = "avx2")]
    fn doubles(v: __m256i) -> __m256d {
        _mm256_castsi256_pd(v)
    }

    #[target_feature(enable = "avx2")]
    fn singles(v: __m256i) -> __m256 {
        _mm256_castsi256_ps(v)
    }

    /// Shifts each half up by 4 bytes.
    #[target_feature(enable = "avx2")]
    fn up_4(v: __m256i) -> __m256i {
        _mm256_slli_si256::<4>(v)
    }

    /// Shifts each half up by 8 bytes.
    #[target_feature(enable = "avx2")]
    fn up_8(v: __m256i) -> __m256i {
        _mm256_slli_si256::<8>(v)
    }

    /// Zeros, and in the second half the last lane of the first.
    #[target_feature(enable = "avx2")]
    fn spread_last_f64(v: __m256d) -> __m256d {
        _mm256_permute_pd::<0b1111>(_mm256_permute2f128_pd::<0x08>(v, v))
    }

    /// Zeros, and in the second half the last lane of the first.
    #[target_feature(enable = "avx2")]
    fn spread_last_f32(v: __m256) -> __m256 {
        _mm256_permute_ps::<0xff>(_mm256_permute2f128_ps::<0x08>(v, v))
    }
}
