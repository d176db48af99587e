//! `a` uses `b`, which uses `c`.

pub mod c {
    //! The end.
    ragged::accel! {
        const STEP: i64 = 1;

        fn helper(x: i64) -> i64 { x + STEP }

        /// One more.
        pub fn successor(x: i64) -> i64 { helper(x) }
    }
}

pub mod b {
    //! The middle.
    ragged::accel! {
        use super::c::successor as next;

        const STEP: i64 = 100;

        fn helper(x: i64) -> i64 { next(x) * STEP }

        /// For each.
        pub fn successors(xs: [i64; n]) -> [i64; n] { xs.map(|x| helper(next(x))) }
    }
}

pub mod a {
    //! The start; it uses `c` directly too.
    ragged::accel! {
        use super::b::successors;
        use super::c::successor;

        fn helper(x: i64) -> i64 { successor(x) }

        /// All.
        pub fn total(xs: [i64]) -> i64 { helper(successors(xs).sum()) }
    }
}
