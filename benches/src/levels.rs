//! Feature levels of x86-64, found at run time.
//!
//! A [`Level`] can only be had by detection, so holding one proves that the machine has its features.
//! `kernel!` compiles one body for each level and picks by the level given to the call.

use std::sync::OnceLock;

/// A set of instructions that this machine is known to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// What the compiler assumes without flags.
    Baseline,
    /// x86-64-v2: SSE 4.2.
    V2,
    /// x86-64-v3: AVX2 and FMA.
    V3,
    /// x86-64-v4: AVX-512 F, BW, CD, DQ, VL.
    V4,
}

impl Level {
    /// The highest level of this machine, or what `RAGGED_LEVEL` (`v1` to `v4`) asks for, if that is lower: as
    /// generated code has it.
    pub fn best() -> Level {
        static BEST: OnceLock<Level> = OnceLock::new();
        *BEST.get_or_init(|| Level(detect().min(asked_for())))
    }

    /// Every level of this machine, lowest first.
    pub fn available() -> impl Iterator<Item = Level> {
        [Kind::Baseline, Kind::V2, Kind::V3, Kind::V4]
            .into_iter()
            .map(Level)
            .filter(|level| *level <= Level::best())
    }

    /// Whether the machine was found to have AVX-512.
    pub fn is_v4(self) -> bool {
        self.0 == Kind::V4
    }

    /// Whether the machine was found to have fused multiply-add.
    pub fn has_fma(self) -> bool {
        self.0 >= Kind::V3
    }

    pub(crate) fn kind(self) -> Kind {
        self.0
    }
}

fn asked_for() -> Kind {
    match std::env::var("RAGGED_LEVEL").as_deref() {
        Ok("v1") => Kind::Baseline,
        Ok("v2") => Kind::V2,
        Ok("v3") => Kind::V3,
        _highest => Kind::V4,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> Kind {
    Kind::Baseline
}

#[cfg(target_arch = "x86_64")]
fn detect() -> Kind {
    macro_rules! all {
        ($($feature:tt)*) => { true $(&& std::is_x86_feature_detected!($feature))* };
    }
    if !all!("sse3" "ssse3" "sse4.1" "sse4.2" "popcnt") {
        Kind::Baseline
    } else if !all!("avx2" "fma" "bmi1" "bmi2" "f16c" "lzcnt" "movbe") {
        Kind::V2
    } else if !all!("avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl") {
        Kind::V3
    } else {
        Kind::V4
    }
}

/// Compiles the body of a function for every level; the generated function takes the level first.
///
/// Write the hot loop itself in the body: a closure or an iterator adaptor between the feature
/// boundary and the loop is compiled without the features.
macro_rules! kernel {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $out:ty)? $body:block) => {
        $(#[$meta])*
        #[allow(clippy::too_many_arguments, reason = "the level is one more than was written")]
        $vis fn $name(level: $crate::levels::Level, $($arg: $type),*) $(-> $out)? {
            #[inline(always)]
            fn body($($arg: $type),*) $(-> $out)? $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "sse3,ssse3,sse4.1,sse4.2,popcnt")]
                fn v2($($arg: $type),*) $(-> $out)? {
                    body($($arg),*)
                }
                #[target_feature(enable = "avx2,fma,bmi1,bmi2,f16c,lzcnt,movbe,popcnt")]
                fn v3($($arg: $type),*) $(-> $out)? {
                    body($($arg),*)
                }
                #[target_feature(
                    enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,bmi1,bmi2,f16c,lzcnt,movbe,popcnt"
                )]
                fn v4($($arg: $type),*) $(-> $out)? {
                    body($($arg),*)
                }
                match level.kind() {
                    // SAFETY: a `Level` exists only if detection found its features.
                    $crate::levels::Kind::V4 => return unsafe { v4($($arg),*) },
                    // SAFETY: as above.
                    $crate::levels::Kind::V3 => return unsafe { v3($($arg),*) },
                    // SAFETY: as above.
                    $crate::levels::Kind::V2 => return unsafe { v2($($arg),*) },
                    $crate::levels::Kind::Baseline => {}
                }
            }
            let _ = level;
            body($($arg),*)
        }
    };
}
pub(crate) use kernel;

#[cfg(test)]
mod tests {
    use super::Level;

    #[test]
    fn the_best_level_is_available() {
        assert_eq!(Level::available().last(), Some(Level::best()));
    }
}
