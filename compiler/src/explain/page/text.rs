//! Text in HTML and SVG.

use crate::explain::page::{Kernel, KernelId, Page, Place};

/// With `&`, `<` and `>` as entities, and quotes, so that it may stand in attributes too.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Nothing that may not stand in XML.
            '\t' => out.push_str("    "),
            other if other.is_control() => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

/// Text with `` `code` `` in it.
pub fn with_code(text: &str) -> String {
    let mut out = String::new();
    for (at, part) in text.split('`').enumerate() {
        match at % 2 {
            0 => out.push_str(&escape(part)),
            _code => out += &format!("<code>{}</code>", escape(part)),
        }
    }
    out
}

/// At most so many characters.
pub fn cut(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

/// Attributes by which the script finds what belongs to a kernel: the kernel, and all inside of it.
pub fn belongs(page: &Page, id: KernelId) -> String {
    let is_inside = |at: usize| {
        let mut around = Some(KernelId(at));
        while let Some(it) = around {
            if it == id {
                return true;
            }
            around = page.kernel(it).parent;
        }
        false
    };
    let all = (0..page.kernels.len()).filter(|at| is_inside(*at));
    let all: Vec<String> = all.map(|at| at.to_string()).collect();
    format!("data-k=\"{}\" data-all=\"{}\"", id.0, all.join(" "))
}

/// The class of a kernel's colour.
pub fn hue(kernel: &Kernel) -> String {
    let inner = if kernel.parent.is_some() {
        " inner"
    } else {
        ""
    };
    format!("h{}{inner}", kernel.hue % HUES)
}

/// How many colours there are.
pub const HUES: usize = 8;

/// A kernel's number, as a link to what is said of it.
pub fn chip(page: &Page, id: KernelId) -> String {
    let kernel = page.kernel(id);
    format!(
        "<a class=\"chip {}\" href=\"#k{}\" {} title=\"kernel {}: {}\">{}</a>",
        hue(kernel),
        id.0,
        belongs(page, id),
        kernel.label,
        escape(&kernel.what),
        kernel.label
    )
}

/// Lines of source as links.
pub fn places(places: &[Place]) -> String {
    let mut text = String::new();
    let mut file: Option<&str> = None;
    for (at, place) in places.iter().enumerate() {
        text.push_str(if at == 0 { "" } else { ", " });
        if let Some(of) = place.file.as_deref().filter(|of| Some(*of) != file) {
            text += &format!("{}:", escape(of));
            file = Some(of);
        }
        text += &format!("<a href=\"#{}\">{}</a>", anchor(place), place.line);
    }
    text
}

/// The name of a line in the page.
pub fn anchor(place: &Place) -> String {
    let of_file = place.file.as_deref().unwrap_or_default();
    let plain = of_file
        .chars()
        .map(|it| if it.is_ascii_alphanumeric() { it } else { '-' });
    format!("L{}{}", plain.collect::<String>(), place.line)
}
