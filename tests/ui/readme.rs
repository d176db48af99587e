ragged::accel! {
    pub fn growth(xs: [f32; n]) -> [f32] {
        zip(xs[1..], xs).map(|(now, before)| now - before)
    }
}

fn main() {} // The README shows this block's message.
