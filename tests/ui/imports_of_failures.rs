//! A block that calls into one that does not compile says nothing of its own.

pub mod linalg {
    ragged::accel! {
        pub fn dotp(xs: [f32; n], ys: [f32; n]) -> f32 { zip(xs, yz).map(|(x, y)| x * y).sum() }
    }
}

pub mod user {
    ragged::accel! {
        use crate::linalg::dotp;

        pub fn norm(xs: [f32]) -> f32 { sqrt(dotp(xs, xs)) }
    }
}

fn main() -> ragged::Result<()> {
    println!("{}", user::norm(&[3.0, 4.0])?);
    Ok(())
}
