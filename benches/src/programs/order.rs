//! Programs that sort, or look for what is sorted.

ragged::accel! {
    pub fn sort_i32(xs: [i32; n]) -> [i32; n] { xs.sort() }

    pub fn sort_f32(xs: [f32; n]) -> [f32; n] { xs.sort() }

    pub fn sort_by_key(ps: [(i32, f32); n]) -> [(i32, f32); n] { ps.sort_by_key(|(key, _)| key) }

    pub fn argsort(xs: [i32; n]) -> [usize; n] { xs.argsort() }

    pub fn unique(xs: [i32]) -> [i32] { xs.unique() }

    pub fn kth_smallest(xs: [i32], k: usize) -> i32 { xs.kth_smallest(k) }

    pub fn merge(xs: [i32], ys: [i32]) -> [i32] { xs.merge(ys) }

    pub fn group_by_key(ps: [(i32, f32)]) -> [(i32, [f32])] {
        for (key, group) in ps.group_by_key(|(key, _)| key) { (key, for (_, value) in group { value }) }
    }

    pub fn sort_rows(rows: [[i32]]) -> [[i32]] { for row in rows { row.sort() } }

    pub fn sort_rows_by_key(rows: [[(i32, f32)]]) -> [[(i32, f32)]] {
        for row in rows { row.sort_by_key(|(key, _)| key) }
    }

    pub fn middle_of_rows(rows: [[i32]; n]) -> [i32; n] {
        for row in rows { row.kth_smallest(row.len() / 2) }
    }

    pub fn search(xs: [i32], keys: [i32; n]) -> [usize; n] {
        for key in keys { xs.partition_point(|x| x < key) }
    }
}
