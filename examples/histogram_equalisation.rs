//! A photograph at dusk, brightened so that all levels of light are equally frequent: `cargo run
//! --release --example histogram_equalisation [file.png]`. Draws it before and after, each over its
//! histogram.

mod picture;

use ndarray::Axis;
use ragged::accel;
use std::time::Instant;

accel! {
    /// How bright each pixel looks, of 255.
    pub fn levels(photo: [[(u8, u8, u8); m]; n]) -> [[u8; m]; n] {
        for row in photo {
            for (red, green, blue) in row {
                ((77 * red as u32 + 150 * green as u32 + 29 * blue as u32) / 256) as u8
            }
        }
    }

    /// How often each level occurs: counted row by row, in parallel, and added up.
    pub fn histogram(levels: [[u8; m]; n]) -> [u32; 256] {
        let of_rows = for row in levels {
            let mut counts = fill(0u32, 256);
            for level in row { counts[level as usize] += 1; }
            counts
        };
        of_rows.sum_axis(0)
    }

    /// The level that each becomes: the share of pixels that are not brighter.
    pub fn curve(counts: [u32; 256]) -> [u8; 256] {
        let below = counts.scan(|a, b| a + b);
        let (darkest, all) = (below[counts.position(|c| c > 0)], below.last());
        for b in below { (255 * (b.max(darkest) - darkest) / max(all - darkest, 1)) as u8 }
    }

    /// The photo with its levels changed and its colours kept.
    pub fn equalised(photo: [[(u8, u8, u8); m]; n]) -> [[(u8, u8, u8); m]; n] {
        let levels = levels(photo);
        let curve = curve(histogram(levels));
        for (pixels, levels) in zip(photo, levels) {
            for ((red, green, blue), level) in zip(pixels, levels) {
                let factor = curve[level as usize] as f32 / max(level, 1) as f32;
                ((factor * red as f32) as u8, (factor * green as f32) as u8, (factor * blue as f32) as u8)
            }
        }
    }

    /// A photo over bars as high as its levels are frequent.
    pub fn poster(photo: [[(u8, u8, u8); m]; n], bars: usize) -> [[(u8, u8, u8); m]] {
        let counts = histogram(levels(photo));
        let most = counts.max();
        let chart = for y in 0..bars {
            for x in 0..m {
                let level = 256 * x / m;
                let height = counts[level] as usize * bars / max(most, 1) as usize;
                let light = level as u8;
                if bars - y <= height { (light, light, light) } else { (40, 44, 60) }
            }
        };
        photo.chain(chart)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = picture::path_or("histogram_equalisation.png");
    let photo = picture::read(include_bytes!("data/rocket.png"))?;
    let begin = Instant::now();
    let brighter = equalised(&photo)?;
    let time = begin.elapsed();
    assert_eq!(brighter, by_hand(&photo));
    let (wide, high) = (photo.ncols(), photo.nrows());
    println!(
        "{wide} × {high} pixels in {:.2} ms",
        time.as_secs_f64() * 1e3
    );
    println!("the same pixels as by hand\n\n{}", equalised::EXPLAIN);

    let posters = [poster(&photo, 120)?, poster(&brighter, 120)?];
    let both = ndarray::concatenate(Axis(1), &posters.each_ref().map(|it| it.view()))?;
    picture::write(&path, &both)?;
    println!("before and after, written to {path}");
    Ok(())
}

/// The same, pixel after pixel.
fn by_hand(photo: &picture::Picture) -> picture::Picture {
    let level = |(red, green, blue): (u8, u8, u8)| {
        (77 * red as usize + 150 * green as usize + 29 * blue as usize) / 256
    };
    let mut counts = [0usize; 256];
    photo.iter().for_each(|&pixel| counts[level(pixel)] += 1);
    let darkest = counts.iter().copied().find(|count| *count > 0).unwrap_or(0);
    photo.mapv(|pixel| {
        let level = level(pixel);
        let below = counts[..=level].iter().sum::<usize>() - darkest;
        let new = 255 * below / (photo.len() - darkest).max(1);
        let brighter = |part: u8| (new as f32 / level.max(1) as f32 * part as f32) as u8;
        (brighter(pixel.0), brighter(pixel.1), brighter(pixel.2))
    })
}
