//! Pictures of the examples: reading, writing, animating, and colours.
#![allow(dead_code, reason = "each example uses a part")]

use ndarray::Array2;
use std::fs::{File, create_dir_all};
use std::io::{BufWriter, Cursor, Result};
use std::path::Path;

/// Red, green and blue, row by row from the top.
pub type Picture = Array2<(u8, u8, u8)>;

ragged::accel! {
    /// Black, purple, red, orange and light yellow for 0 to 1.
    pub fn glow(share: f32) -> (u8, u8, u8) {
        let stops = [
            [0.0, 0.0, 4.0], [87.0, 16.0, 110.0], [188.0, 55.0, 84.0], [249.0, 142.0, 9.0],
            [252.0, 255.0, 164.0],
        ];
        let at = 4.0 * clamp(share, 0.0, 1.0);
        let before = min(at as usize, 3);
        let part = at - before as f32;
        let mix = zip(stops[before], stops[before + 1]).map(|(a, b)| (a + part * (b - a)) as u8);
        (mix[0], mix[1], mix[2])
    }
}

/// The first argument, or the place in `target` for what an example draws.
pub fn path_or(default: &str) -> String {
    std::env::args()
        .nth(1)
        .unwrap_or_else(|| format!("target/{default}"))
}

/// The second argument, a number, or what it is without one.
pub fn number_or(default: usize) -> std::result::Result<usize, std::num::ParseIntError> {
    std::env::args().nth(2).map_or(Ok(default), |it| it.parse())
}

/// Writes a picture as a PNG.
pub fn write(path: &str, picture: &Picture) -> Result<()> {
    let mut writer = encoder(path, picture.dim())?.write_header()?;
    writer.write_image_data(&bytes(picture))?;
    Ok(writer.finish()?)
}

/// Reads a PNG of 8 bits in three colours.
pub fn read(png: &[u8]) -> Result<Picture> {
    let mut reader = png::Decoder::new(Cursor::new(png)).read_info()?;
    let shape = (reader.info().height as usize, reader.info().width as usize);
    let mut bytes = vec![0; 3 * shape.0 * shape.1];
    reader.next_frame(&mut bytes)?;
    let pixels = bytes.chunks_exact(3).map(|it| (it[0], it[1], it[2]));
    Array2::from_shape_vec(shape, pixels.collect()).map_err(std::io::Error::other)
}

/// An animated PNG, which browsers and many viewers play; others show its first picture.
pub struct Animation(png::Writer<BufWriter<File>>);

impl Animation {
    /// Starts a file of so many pictures of one shape, shown over and over.
    pub fn new(
        path: &str,
        shape: (usize, usize),
        pictures: usize,
        per_second: u16,
    ) -> Result<Self> {
        let mut encoder = encoder(path, shape)?;
        encoder.set_animated(pictures as u32, 0)?;
        encoder.set_frame_delay(1, per_second)?;
        Ok(Self(encoder.write_header()?))
    }

    /// Adds the next picture.
    pub fn add(&mut self, picture: &Picture) -> Result<()> {
        Ok(self.0.write_image_data(&bytes(picture))?)
    }

    /// Ends the file, after the last picture.
    pub fn finish(self) -> Result<()> {
        Ok(self.0.finish()?)
    }
}

fn encoder(
    path: &str,
    (height, width): (usize, usize),
) -> Result<png::Encoder<'static, BufWriter<File>>> {
    if let Some(folder) = Path::new(path).parent() {
        create_dir_all(folder)?;
    }
    let file = BufWriter::new(File::create(path)?);
    let mut encoder = png::Encoder::new(file, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    Ok(encoder)
}

fn bytes(picture: &Picture) -> Vec<u8> {
    picture.iter().flat_map(|&(r, g, b)| [r, g, b]).collect()
}
