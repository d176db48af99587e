//! The sounds of a recording, which are as long as they are: how long, how loud, how often they pass
//! through zero, and their pitch (by autocorrelation):
//! `cargo run --release --example audio [file.wav [plot.svg]]`. The file is cut at pauses while it is
//! read; of its sounds at most 16 MB are in memory. Without a file, of a melody that is written to
//! `target/audio.wav` first. Beside it, the same with rayon by hand.

use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use hound::{SampleFormat, WavReader, WavSpec, WavWriter};
use ragged::accel;
use ragged::seq::Limits;
use rayon::prelude::*;

accel! {
    /// Of each sound: its samples, its loudness (root mean square), how often a second it passes through
    /// zero, and its pitch in hertz. `rate`: samples per second.
    pub fn heard(sounds: Seq<[f32]>, rate: f32) -> Seq<(usize, f32, f32, f32)> {
        for sound in sounds {
            let n = sound.len();
            let loudness = (sound.map(|x| x * x).sum() / n as f32).sqrt();
            let crossings = sound.pairwise(|a, b| (a < 0.0) != (b < 0.0)).count();
            (n, loudness, crossings as f32 * rate / n as f32, pitch(sound, rate))
        }
    }

    // A sound is like itself after each of its periods: the first of these tells its pitch, 60 to 1000 Hz.
    fn pitch(sound: [f32], rate: f32) -> f32 {
        let first = (rate / 1000.0) as usize;
        let end = max(first, min((rate / 60.0) as usize, sound.len() / 2));
        let alike = for lag in first..end {
            (lag..sound.len()).map(|i| sound[i] * sound[i - lag]).sum()
        };
        let enough = 0.9 * alike.max_or(0.0);
        let lags = alike.len();
        let peak = (0..lags).position_or(lags, |i| {
            alike[i] >= enough && (i + 1 == lags || alike[i] > alike[i + 1])
        });
        if peak == lags { 0.0 } else { rate / (first + peak) as f32 }
    }
}

/// What is found of a sound, see `heard`.
type Heard = (usize, f32, f32, f32);

/// A louder sample than this belongs to a sound.
const SILENCE: f32 = 1e-3;
/// So many seconds without one end it.
const PAUSE: f32 = 0.01;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (path, notes) = match args.next() {
        Some(path) => (path, None),
        None => {
            let path = "target/audio.wav".to_owned();
            let notes = melody();
            write_melody(&path, &notes)?;
            (path, Some(notes))
        }
    };
    let rate = WavReader::open(&path)?.spec().sample_rate as f32;
    let limits = Limits::new().memory(16 << 20);
    let found = timed("as a sequence", || {
        let found = heard::with(limits, sounds(&path)?, rate)?;
        Ok(found.collect::<ragged::Result<Vec<Heard>>>()?)
    })?;
    let by_hand = timed("by hand", || {
        let all = sounds(&path)?.collect::<Result<Vec<_>, _>>()?;
        Ok(all
            .par_iter()
            .map(|it| by_hand(it, rate))
            .collect::<Vec<_>>())
    })?;
    assert_eq!(found.len(), by_hand.len());
    assert!(
        found
            .iter()
            .zip(&by_hand)
            .all(|(a, b)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-5)
    );
    if let Some(notes) = &notes {
        assert_eq!(found.len(), notes.len(), "as many sounds as notes");
        let near = |(sound, note): (&Heard, &Note)| (sound.3 / note.pitch - 1.0).abs() < 0.02;
        assert!(
            found.iter().zip(notes).all(near),
            "the pitches of the notes"
        );
    }

    println!("\nof {} sounds the first:", found.len());
    println!(
        "{:>8} {:>9} {:>15} {:>9}",
        "ms", "loudness", "crossings / s", "pitch"
    );
    for (samples, loudness, crossings, pitch) in found.iter().take(8) {
        let length = *samples as f32 / rate * 1e3;
        println!("{length:8.1} {loudness:9.3} {crossings:15.0} {pitch:6.1} Hz");
    }
    let plot = args.next().unwrap_or_else(|| "target/audio.svg".to_owned());
    std::fs::write(&plot, drawn(&found))?;
    println!("\nhigh is high, thick is loud: {plot}");
    Ok(())
}

/// The sounds of a file, from the first loud sample to the last before a pause.
fn sounds(
    path: &str,
) -> Result<impl Iterator<Item = Result<Vec<f32>, hound::Error>> + use<>, hound::Error> {
    let reader = WavReader::open(path)?;
    let spec = reader.spec();
    let scale = match spec.sample_format {
        SampleFormat::Int => 0.5f32.powi(i32::from(spec.bits_per_sample) - 1),
        SampleFormat::Float => return Err(hound::Error::Unsupported),
    };
    let channels = usize::from(spec.channels);
    let mut samples = reader.into_samples::<i32>().step_by(channels);
    let pause = (spec.sample_rate as f32 * PAUSE) as usize;
    Ok(std::iter::from_fn(move || {
        let mut sound = Vec::new();
        let mut loud = 0;
        for sample in samples.by_ref() {
            let sample = match sample {
                Ok(sample) => sample as f32 * scale,
                Err(error) => return Some(Err(error)),
            };
            if sample.abs() > SILENCE {
                loud = sound.len() + 1;
            } else if loud == 0 {
                continue;
            } else if sound.len() - loud == pause {
                break;
            }
            sound.push(sample);
        }
        sound.truncate(loud);
        (loud > 0).then_some(Ok(sound))
    }))
}

fn by_hand(sound: &[f32], rate: f32) -> Heard {
    let n = sound.len() as f32;
    let loudness = (sound.iter().map(|x| x * x).sum::<f32>() / n).sqrt();
    let pairs = sound.windows(2);
    let crossings = pairs.filter(|pair| (pair[0] < 0.0) != (pair[1] < 0.0));
    let first = (rate / 1000.0) as usize;
    let end = ((rate / 60.0) as usize).min(sound.len() / 2);
    let alike = |lag: usize| dot(&sound[..sound.len() - lag], &sound[lag..]);
    let alike: Vec<f32> = (first..end).map(alike).collect();
    let enough = 0.9 * alike.iter().copied().fold(0.0, f32::max);
    let peak = (0..alike.len())
        .find(|i| alike[*i] >= enough && alike.get(i + 1).is_none_or(|next| alike[*i] > *next));
    let pitch = peak.map_or(0.0, |peak| rate / (first + peak) as f32);
    (
        sound.len(),
        loudness,
        crossings.count() as f32 * rate / n,
        pitch,
    )
}

/// The sum of the products of as many numbers, in sixteen sums that fit vectors.
fn dot(xs: &[f32], ys: &[f32]) -> f32 {
    let ((xs, xs_rest), (ys, ys_rest)) = (xs.as_chunks::<16>(), ys.as_chunks::<16>());
    let mut sums = [0.0; 16];
    for (xs, ys) in xs.iter().zip(ys) {
        for lane in 0..16 {
            sums[lane] += xs[lane] * ys[lane];
        }
    }
    let rest = xs_rest.iter().zip(ys_rest).map(|(x, y)| x * y);
    sums.iter().sum::<f32>() + rest.sum::<f32>()
}

struct Note {
    pitch: f32,
    seconds: f32,
    loudness: f32,
}

/// A minute of notes of 50 to 600 ms.
fn melody() -> Vec<Note> {
    let mut state = 7_u64;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        ((state >> 33) % below) as f32
    };
    let steps = [0, 2, 4, 7, 9, 12, 14, 16];
    let note = |_| Note {
        pitch: 220.0 * (steps[random(8) as usize] as f32 / 12.0).exp2(),
        seconds: 0.05 + random(550) * 1e-3,
        loudness: 0.2 + random(60) * 1e-2,
    };
    (0..170).map(note).collect()
}

/// Each note with some overtones, swelling and fading, and a pause behind it.
fn write_melody(path: &str, notes: &[Note]) -> Result<(), hound::Error> {
    if let Some(folder) = Path::new(path).parent() {
        std::fs::create_dir_all(folder)?;
    }
    let spec = WavSpec {
        channels: 1,
        sample_rate: 44_100,
        bits_per_sample: 16,
        sample_format: SampleFormat::Int,
    };
    let rate = spec.sample_rate as f32;
    let mut writer = WavWriter::create(path, spec)?;
    for note in notes {
        let samples = (note.seconds * rate) as usize;
        for i in 0..samples {
            let turn = std::f32::consts::TAU * note.pitch * i as f32 / rate;
            let sound = turn.sin() + 0.4 * (2.0 * turn).sin() + 0.2 * (3.0 * turn).sin();
            let swell = (std::f32::consts::PI * i as f32 / samples as f32)
                .sin()
                .sqrt();
            writer.write_sample((sound / 1.6 * swell * note.loudness * 32_767.0) as i16)?;
        }
        for _ in 0..(0.03 * rate) as usize {
            writer.write_sample(0_i16)?;
        }
    }
    writer.finalize()
}

/// A bar for each sound: along, how long it is; up, its pitch; how thick, its loudness.
fn drawn(found: &[Heard]) -> String {
    let whole = found.iter().map(|it| it.0).sum::<usize>().max(1) as f32;
    let mut text = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1000 300\" \
        font-family=\"sans-serif\" font-size=\"12\">\n\
        <rect width=\"1000\" height=\"300\" fill=\"white\"/>\n"
        .to_owned();
    // Octaves are 70 apart, 55 Hz is at the bottom.
    let up = |pitch: f32| 290.0 - 70.0 * (pitch.max(55.0) / 55.0).log2();
    for octave in [110, 220, 440, 880] {
        let y = up(octave as f32);
        let _ = writeln!(
            text,
            "<path d=\"M0 {y}H1000\" stroke=\"#ddd\"/><text x=\"4\" y=\"{}\" fill=\"#666\">{octave} Hz</text>",
            y - 4.0
        );
    }
    let mut x = 0.0;
    for (samples, loudness, _, pitch) in found {
        let width = *samples as f32 / whole * 1000.0;
        let (y, height) = (up(*pitch), 1.0 + 30.0 * loudness);
        let _ = writeln!(
            text,
            "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"2\" fill=\"#2a6fbb\"/>",
            y - height / 2.0
        );
        x += width;
    }
    text + "</svg>\n"
}

fn timed<T>(
    name: &str,
    f: impl FnOnce() -> Result<T, Box<dyn Error>>,
) -> Result<T, Box<dyn Error>> {
    let start = Instant::now();
    let done = f()?;
    println!("{name:14} {:6.2} s", start.elapsed().as_secs_f64());
    Ok(done)
}
