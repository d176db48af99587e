//! Drawings of time over size, both by decades, as SVG.

use std::fmt::Write;

/// One line of a drawing.
pub struct Line<'a> {
    /// What it is called beside the drawing.
    pub name: &'a str,
    /// As SVG names colours.
    pub colour: &'a str,
    /// Sizes and seconds, both above 0.
    pub points: Vec<(f64, f64)>,
}

/// Where the axes run, of a drawing 640 wide and 400 high.
const LEFT: f64 = 70.0;
const RIGHT: f64 = 620.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 350.0;

/// Whole decades, from the first to the last.
#[derive(Clone, Copy)]
struct Axis {
    first: i32,
    last: i32,
    from: f64,
    to: f64,
}

impl Axis {
    /// An axis on which all of these lie.
    fn around(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Axis {
        let decades = values.map(f64::log10);
        let (low, high) = decades.fold((f64::MAX, f64::MIN), |(low, high), it| {
            (low.min(it), high.max(it))
        });
        let first = low.floor() as i32;
        let last = (high.ceil() as i32).max(first + 1);
        Axis {
            first,
            last,
            from,
            to,
        }
    }

    fn place(self, value: f64) -> f64 {
        let part = (value.log10() - f64::from(self.first)) / f64::from(self.last - self.first);
        self.from + part * (self.to - self.from)
    }

    /// Each decade and where it lies.
    fn ticks(self) -> impl Iterator<Item = (f64, f64)> {
        let decades = (self.first..=self.last).map(|decade| 10_f64.powi(decade));
        decades.map(move |value| (value, self.place(value)))
    }
}

/// The drawing; nothing but axes if there are no points.
pub fn svg(title: &str, unit: &str, lines: &[Line]) -> String {
    let points = || lines.iter().flat_map(|line| &line.points);
    let mut out = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 400\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#24292f\">\n\
         <rect width=\"640\" height=\"400\" fill=\"#ffffff\"/>\n",
    );
    text(&mut out, (LEFT, 24.0), "start", 15, title);
    text(&mut out, (RIGHT, 390.0), "end", 12, unit);
    if points().next().is_none() {
        return out + "</svg>\n";
    }
    let sizes = Axis::around(points().map(|point| point.0), LEFT, RIGHT);
    let times = Axis::around(points().map(|point| point.1), BOTTOM, TOP);
    for (value, x) in sizes.ticks() {
        rule(&mut out, (x, TOP), (x, BOTTOM));
        text(&mut out, (x, BOTTOM + 18.0), "middle", 12, &short(value));
    }
    for (value, y) in times.ticks() {
        rule(&mut out, (LEFT, y), (RIGHT, y));
        text(&mut out, (LEFT - 8.0, y + 4.0), "end", 12, &seconds(value));
    }
    for (at, line) in lines
        .iter()
        .filter(|line| !line.points.is_empty())
        .enumerate()
    {
        draw(&mut out, line, sizes, times);
        // The lines rise: there is room above the left ends.
        let y = TOP + 20.0 + 18.0 * at as f64;
        let key = (LEFT + 14.0, LEFT + 38.0);
        let _ = writeln!(
            out,
            "<path d=\"M{} {y}H{}\" stroke=\"{}\" stroke-width=\"3\"/>",
            key.0, key.1, line.colour
        );
        text(&mut out, (key.1 + 8.0, y + 4.0), "start", 12, line.name);
    }
    out + "</svg>\n"
}

fn draw(out: &mut String, line: &Line, sizes: Axis, times: Axis) {
    let mut path = String::new();
    let mut dots = String::new();
    for (at, (size, time)) in line.points.iter().enumerate() {
        let (x, y) = (sizes.place(*size), times.place(*time));
        let _ = write!(path, "{}{x:.1} {y:.1}", if at == 0 { 'M' } else { 'L' });
        let _ = write!(dots, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>");
    }
    let colour = line.colour;
    let _ = writeln!(
        out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/><g fill=\"{colour}\">{dots}</g>"
    );
}

fn rule(out: &mut String, from: (f64, f64), to: (f64, f64)) {
    let _ = writeln!(
        out,
        "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"#d0d7de\"/>",
        from.0, from.1, to.0, to.1
    );
}

fn text(out: &mut String, at: (f64, f64), anchor: &str, size: u32, text: &str) {
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\">{text}</text>",
        at.0, at.1
    );
}

/// A number with the letter of its thousands.
pub fn short(value: f64) -> String {
    let (part, letter) = match value {
        value if value >= 1e9 => (value / 1e9, " G"),
        value if value >= 1e6 => (value / 1e6, " M"),
        value if value >= 1e3 => (value / 1e3, " k"),
        value => (value, ""),
    };
    let digits = if part < 10.0 && part.fract() > 0.05 {
        1
    } else {
        0
    };
    format!("{part:.digits$}{letter}")
}

/// A time that is a power of ten.
fn seconds(value: f64) -> String {
    let decade = value.log10().round() as i32;
    let (unit, by) = match decade {
        0.. => ("s", 0),
        -3..0 => ("ms", 3),
        -6..-3 => ("µs", 6),
        _ => ("ns", 9),
    };
    format!("{} {unit}", 10_f64.powi(decade + by))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let texts = [33.0, 134_217.7, 2e6, 1.4e6, 1e9].map(short);
        assert_eq!(texts, ["33", "134 k", "2 M", "1.4 M", "1 G"]);
        assert_eq!(
            [1e-7, 1e-5, 1e-3, 10.0].map(seconds),
            ["100 ns", "10 µs", "1 ms", "10 s"]
        );
    }

    #[test]
    fn points_lie_by_their_decades() {
        let line = Line {
            name: "ours",
            colour: "blue",
            points: vec![(10.0, 1e-6), (1000.0, 1e-4)],
        };
        let svg = svg("a program", "numbers", &[line]);
        assert!(svg.contains(&format!(
            "M{LEFT:.1} {BOTTOM:.1}L{RIGHT:.1} {TOP:.1}\" fill"
        )));
        assert!(svg.ends_with("</svg>\n"));
    }
}
