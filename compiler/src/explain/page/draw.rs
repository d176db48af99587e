//! A graph as SVG.

use super::layout::{LINE, Layout, PAD, Placed, TITLE, Wire, layout, room};
use super::text::{belongs, cut, escape, hue};
use super::{Function, Kind, Page};
use std::fmt::Write;

/// Around the graph.
const MARGIN: f64 = 6.0;

/// What a graph may be scaled to; a wider one is scrolled.
const SMALLEST: f64 = 0.72;

/// What a graph may be as wide as beside its source.
const BESIDE: f64 = 780.0;

/// Whether a graph needs the page's whole width.
pub fn is_broad(function: &Function) -> bool {
    layout(&function.graph).width > BESIDE
}

/// The picture of a function; `number` tells it from others of the page.
pub fn svg(page: &Page, function: &Function, number: usize) -> String {
    let layout = layout(&function.graph);
    let (width, height) = (layout.width + 2.0 * MARGIN, layout.height + 2.0 * MARGIN);
    let mut drawing = Drawing {
        page,
        prefix: format!("g{number}"),
        text: String::new(),
    };
    drawing.layout(&layout, (MARGIN, MARGIN), "");
    format!(
        "<svg viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" \
         style=\"min-width:{:.0}px\" role=\"group\" aria-label=\"what {} computes from what\">\n{}</svg>\n",
        width * SMALLEST,
        escape(&function.name),
        drawing.text
    )
}

struct Drawing<'p> {
    page: &'p Page,
    prefix: String,
    text: String,
}

impl Drawing<'_> {
    /// `path` tells this graph from others of the drawing.
    fn layout(&mut self, layout: &Layout<'_>, corner: (f64, f64), path: &str) {
        for wire in &layout.wires {
            self.wire(wire, corner, path);
        }
        for (at, it) in layout.boxes.iter().enumerate() {
            self.placed(it, corner, &format!("{path}-{at}"));
        }
    }

    fn wire(&mut self, wire: &Wire, (left, top): (f64, f64), path: &str) {
        let mut d = String::new();
        let mut before: Option<(f64, f64)> = None;
        for (x, y) in &wire.points {
            let (x, y) = (x + left, y + top);
            let _ = match before {
                None => write!(d, "M{x:.1} {y:.1}"),
                Some((from_x, from_y)) => {
                    let middle = (from_y + y) / 2.0;
                    write!(
                        d,
                        "C{from_x:.1} {middle:.1} {x:.1} {middle:.1} {x:.1} {y:.1}"
                    )
                }
            };
            before = Some((x, y));
        }
        let class = if wire.array { "wire" } else { "wire number" };
        let (from, to) = wire.ends;
        let prefix = &self.prefix;
        let _ = writeln!(
            self.text,
            "<path class=\"{class}\" d=\"{d}\" marker-end=\"url(#tip)\" \
             data-e=\"{prefix}{path}-{from} {prefix}{path}-{to}\"/>"
        );
    }

    fn placed(&mut self, it: &Placed<'_>, (left, top): (f64, f64), path: &str) {
        let (x, y) = (it.x + left, it.y + top);
        let (class, belongs, link) = match it.node.kind {
            Kind::Kernel(id) => (
                format!("kernel {}", hue(self.page.kernel(id))),
                belongs(self.page, id),
                Some(id),
            ),
            Kind::Param => ("param".to_owned(), String::new(), None),
            Kind::Array => ("array".to_owned(), String::new(), None),
            Kind::Own => ("own".to_owned(), String::new(), None),
            Kind::Result => ("result".to_owned(), String::new(), None),
            Kind::Loop => ("loop".to_owned(), String::new(), None),
            Kind::Branch => ("branch".to_owned(), String::new(), None),
            Kind::Outer => ("outer".to_owned(), String::new(), None),
        };
        let about = escape(&it.node.about);
        let open = match link {
            Some(id) => format!("<a href=\"#k{}\" aria-label=\"{about}\"", id.0),
            None => format!("<g tabindex=\"0\" role=\"img\" aria-label=\"{about}\""),
        };
        let radius = match it.node.kind {
            Kind::Param | Kind::Result | Kind::Outer => 12.0_f64.min(it.height / 2.0),
            Kind::Array | Kind::Own => 0.0,
            Kind::Kernel(_) | Kind::Loop | Kind::Branch => 6.0,
        };
        let _ = writeln!(
            self.text,
            "{open} class=\"node {class}\" id=\"{}{path}\" {belongs}><title>{about}</title>\
             <rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{radius}\"/>",
            self.prefix, it.width, it.height
        );
        self.words(it, (x, y));
        self.text
            .push_str(if link.is_some() { "</a>\n" } else { "</g>\n" });
        if let Some(inside) = &it.inside {
            let spare = (it.width - inside.width) / 2.0;
            let below = y + it.height - PAD - inside.height;
            self.layout(inside, (x + spare, below), path);
        }
    }

    fn words(&mut self, it: &Placed<'_>, (x, y): (f64, f64)) {
        let middle = x + it.width / 2.0;
        let mut base = y + PAD / 2.0 + TITLE - 4.0;
        let title = escape(&cut(&it.node.title, room(it.node)));
        let _ = write!(
            self.text,
            "<text class=\"name\" x=\"{middle:.1}\" y=\"{base:.1}\">{title}</text>"
        );
        for line in &it.node.lines {
            base += LINE;
            let line = escape(&cut(line, room(it.node)));
            let _ = write!(
                self.text,
                "<text x=\"{middle:.1}\" y=\"{base:.1}\">{line}</text>"
            );
        }
    }
}
