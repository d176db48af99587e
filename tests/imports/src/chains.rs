//! `a` uses `b`, which uses `c`.

pub mod c {
    //! The end.
    ragged::accel! {
        #![deny(unfused)]

        const STEP: i64 = 1;

        fn helper(x: i64) -> i64 { x + STEP }

        /// One more.
        pub fn successor(x: i64) -> i64 { helper(x) }
    }
}

pub mod b {
    //! The middle; its contracts are not those of `a`.
    ragged::accel! {
        #![deny(unfused)]

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

        /// All before each, twice: the array of the scan is in memory.
        pub fn totals(xs: [i64; n]) -> [i64; n] {
            let prefix = successors(xs).scan(|x, y| x + y);
            prefix.map(|x| x + prefix[0])
        }
    }
}
