//! The colours that a photograph is made of, by k-means: `cargo run --release --example kmeans
//! [file.png] [colours]`. Draws it with these colours alone, over bars as wide as they are frequent.

mod picture;

use ndarray::Axis;
use ragged::accel;
use std::time::Instant;

accel! {
    /// The pixels as points in space.
    pub fn points(photo: [[(u8, u8, u8); m]; n]) -> [[f32; 3]] {
        for (red, green, blue) in photo.flatten() { [red as f32, green as f32, blue as f32] }
    }

    /// Which centre each point is nearest to.
    fn nearest(points: [[f32; 3]; n], centres: [[f32; 3]; k]) -> [usize; n] {
        for p in points {
            let squares = for c in centres { zip(p, c).map(|(a, b)| (a - b) * (a - b)).sum() };
            squares.argmin()
        }
    }

    /// The mean of the points of each centre; one without points stays.
    fn means(points: [[f32; 3]; n], at: [usize; n], centres: [[f32; 3]; k]) -> [[f32; 3]; k] {
        for (i, centre) in centres.enumerate() {
            let own = points.compress(at.map(|centre| centre == i));
            if own.len() == 0 { centre } else { own.mean_axis(0) }
        }
    }

    /// Centres, the one of each point, and how many rounds it took until no point changed over.
    pub fn kmeans(points: [[f32; 3]; n], start: [[f32; 3]; k]) -> ([[f32; 3]; k], [usize; n], usize) {
        let mut centres = start;
        let mut at = nearest(points, centres);
        let mut changed = true;
        let mut rounds = 0;
        while changed && rounds < 300 {
            centres = means(points, at, centres);
            let next = nearest(points, centres);
            changed = zip(next, at).any(|(new, old)| new != old);
            at = next;
            rounds += 1;
        }
        (centres, at, rounds)
    }

    /// The picture in the colours of its centres, over bars of them.
    pub fn poster(
        centres: [[f32; 3]; k], at: [usize], height: usize, width: usize, bars: usize,
    ) -> [[(u8, u8, u8); width]] {
        let colours = for c in centres { (c[0] as u8, c[1] as u8, c[2] as u8) };
        let counts = for i in 0..k { at.count(|it| it == i) };
        let ends = counts.scan(|a, b| a + b).map(|end| end * width / at.len());
        let bar = for x in 0..width { colours[ends.position(|end| x < end)] };
        let photo = at.map(|i| colours[i]).reshape((height, width));
        photo.chain(fill(bar, bars))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (path, colours) = (picture::path_or("kmeans.png"), picture::number_or(12)?);
    let photo = picture::read(include_bytes!("data/rocket.png"))?;
    let points = points(&photo)?;
    let step = points.nrows() / colours.max(1);
    let start = points.select(Axis(0), &(0..colours).map(|i| i * step).collect::<Vec<_>>());

    let begin = Instant::now();
    let (centres, at, rounds) = kmeans(&points, &start)?;
    let time = begin.elapsed().as_secs_f64();
    println!(
        "{} pixels, {colours} colours: {rounds} rounds in {:.2} s, {:.2} ms each",
        at.len(),
        time,
        1e3 * time / rounds.max(1) as f64
    );
    for (i, colour) in centres.rows().into_iter().enumerate() {
        let share = at.iter().filter(|it| **it == i).count() as f64 / at.len() as f64;
        let bar = "▒".repeat((200.0 * share) as usize);
        let [red, green, blue] = [0, 1, 2].map(|at| colour[at] as u8);
        println!(
            "  #{red:02x}{green:02x}{blue:02x} {:5.1} % {bar}",
            100.0 * share
        );
    }
    let (height, width) = photo.dim();
    picture::write(&path, &poster(&centres, &at, height, width, 60)?)?;
    println!("drawn in {path}\n\n{}", kmeans::EXPLAIN);
    Ok(())
}
