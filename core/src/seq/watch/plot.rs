//! A plot of sizes of chunks and of utilisation over time.
//!
//! In: how runs went on. Out: SVG.
//! Assumes: nothing.

use std::fmt::Write;

use super::{Progress, scaled};

const WIDTH: f64 = 880.0;
const HEIGHT: f64 = 150.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 34.0;
const GAP: f64 = 46.0;
const BOTTOM: f64 = 44.0;

/// More points than this are put together: a line has no room for them.
const COLUMNS: usize = 880;

/// What a panel shows.
struct Panel {
    title: &'static str,
    colour: &'static str,
    /// Whether a step of the axis is a factor of ten.
    is_by_tens: bool,
    value: fn(&Progress) -> f64,
}

const PANELS: [Panel; 3] = [
    Panel {
        title: "items of a chunk",
        colour: "#2563a8",
        is_by_tens: true,
        value: |it| it.chunk_items as f64,
    },
    Panel {
        title: "bytes of a chunk",
        colour: "#2d7d46",
        is_by_tens: true,
        value: |it| it.chunk_bytes as f64,
    },
    Panel {
        title: "utilisation, %: the part of the time in which chunks were computed",
        colour: "#b3541e",
        is_by_tens: false,
        value: |it| 100.0 * it.utilisation,
    },
];

/// The plot of chunks that were done at these seconds.
pub(super) fn svg(chunks: &[(f64, Progress)]) -> String {
    let first = chunks
        .first()
        .map_or(0.0, |(at, it)| at - it.time.as_secs_f64());
    let end = chunks.last().map_or(1.0, |(at, _)| at - first).max(1e-6);
    let height = TOP + PANELS.len() as f64 * (HEIGHT + GAP) - GAP + BOTTOM;
    let width = LEFT + WIDTH + RIGHT;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\" fill=\"#333\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    for (at, panel) in PANELS.iter().enumerate() {
        let top = TOP + at as f64 * (HEIGHT + GAP);
        let points = together(chunks, |it| (panel.value)(it), first, end);
        draw(&mut text, panel, top, &points, end);
    }
    let (unit, factor) = match end {
        end if end < 2e-3 => ("µs", 1e6),
        end if end < 2.0 => ("ms", 1e3),
        _ => ("s", 1.0),
    };
    let bottom = height - BOTTOM;
    for tick in ticks(end * factor) {
        let x = LEFT + WIDTH * tick / (end * factor);
        let _ = writeln!(
            text,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick}</text>",
            bottom + 18.0
        );
    }
    let _ = writeln!(
        text,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">time, {unit}</text>\n</svg>",
        LEFT + WIDTH / 2.0,
        bottom + 36.0
    );
    text
}

/// At most a value for each column: the mean of those that fall into it.
fn together(
    chunks: &[(f64, Progress)],
    value: impl Fn(&Progress) -> f64,
    first: f64,
    end: f64,
) -> Vec<(f64, f64)> {
    let mut points: Vec<(usize, f64, f64, f64)> = Vec::new();
    for (at, progress) in chunks {
        let at = at - first;
        let column = (at / end * COLUMNS as f64) as usize;
        match points.last_mut() {
            Some((before, time, sum, count)) if *before == column => {
                *time = at;
                *sum += value(progress);
                *count += 1.0;
            }
            _ => points.push((column, at, value(progress), 1.0)),
        }
    }
    let means = points
        .into_iter()
        .map(|(_, at, sum, count)| (at, sum / count));
    means.collect()
}

fn draw(text: &mut String, panel: &Panel, top: f64, points: &[(f64, f64)], end: f64) {
    let most = points.iter().map(|(_, value)| *value).fold(1.0, f64::max);
    let (lines, scale): (Vec<f64>, Box<dyn Fn(f64) -> f64>) = match panel.is_by_tens {
        true => {
            let tens = most.log10().ceil().max(1.0);
            let step = (tens / 6.0).ceil() as i32;
            let lines = (0..=tens as i32).filter(|it| it % step == 0);
            let lines = lines.map(|it| 10_f64.powi(it)).collect();
            (
                lines,
                Box::new(move |value: f64| value.max(1.0).log10() / tens),
            )
        }
        false => (
            vec![0.0, 25.0, 50.0, 75.0, 100.0],
            Box::new(|value: f64| value / 100.0),
        ),
    };
    let y = |value: f64| top + HEIGHT * (1.0 - scale(value));
    let _ = writeln!(
        text,
        "<text x=\"{LEFT}\" y=\"{:.1}\" font-weight=\"bold\">{}</text>",
        top - 10.0,
        panel.title
    );
    for line in lines {
        let y = y(line);
        let _ = writeln!(
            text,
            "<path d=\"M{LEFT} {y:.1}h{WIDTH}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 8.0,
            y + 4.0,
            label(line)
        );
    }
    // Each value holds since the one before it.
    let mut path = String::new();
    let mut from = LEFT;
    for (at, value) in points {
        let (x, y) = (LEFT + WIDTH * at / end, y(*value));
        let command = if path.is_empty() { 'M' } else { 'L' };
        let _ = write!(path, "{command}{from:.1} {y:.1}H{x:.1}");
        from = x;
    }
    if !path.is_empty() {
        let _ = writeln!(
            text,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>",
            panel.colour
        );
    }
}

/// A power of ten, or another round number.
fn label(value: f64) -> String {
    let (left, unit) = scaled(value);
    format!("{left} {unit}").trim_end().to_owned()
}

/// Round numbers from 0 to `end`, five to ten of them.
fn ticks(end: f64) -> Vec<f64> {
    let size = 10_f64.powf(end.log10().floor() - 1.0);
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0].map(|it| it * size);
    let step = steps.into_iter().find(|step| end / step <= 10.0);
    let step = step.unwrap_or(end);
    // Rounded, since a tenth is no sum of binary fractions.
    let digits = (1.0 - (step * 1.001).log10().floor()).max(0.0) as usize;
    let ticks = (0..=(end / step) as usize).map(|at| format!("{:.digits$}", at as f64 * step));
    ticks.filter_map(|tick| tick.parse().ok()).collect()
}
