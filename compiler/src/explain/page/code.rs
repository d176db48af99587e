//! Source as HTML: a number, the kernels of the line, and coloured text.

use super::text::{anchor, chip, cut, escape, hue};
use super::{Class, Item, KernelId, Line, Page, Piece, Place};
use std::collections::BTreeSet;

/// The lines of some items of one file; `named` are those that links find already.
pub fn code(page: &Page, items: &[&Item], named: &mut BTreeSet<String>) -> String {
    let mut lines = String::new();
    for item in items {
        for it in &item.lines {
            lines += &line(page, item, it, named);
        }
    }
    format!(
        "<div class=\"code\" tabindex=\"0\" role=\"region\" aria-label=\"source\"><div>\n{lines}</div></div>\n"
    )
}

fn line(page: &Page, item: &Item, line: &Line, named: &mut BTreeSet<String>) -> String {
    let kernels = line
        .pieces
        .iter()
        .flat_map(|piece| shown(item, &piece.kernels));
    let kernels: BTreeSet<KernelId> = kernels.collect();
    let number = line.number;
    let place = Place {
        file: item.file.clone(),
        line: number,
    };
    let groups = line.pieces.chunk_by(|a, b| a.kernels == b.kernels);
    let text: String = groups.map(|group| pieces(page, item, group)).collect();
    let name = anchor(&place);
    // Two items may share a line.
    let name = match named.insert(name.clone()) {
        true => format!(" id=\"{name}\""),
        false => String::new(),
    };
    let is_inner = |id: &KernelId| {
        let parent = page.kernel(*id).parent;
        parent.is_some_and(|parent| kernels.contains(&parent))
    };
    let outer = kernels.iter().copied().filter(|id| !is_inner(id));
    let chips = chips(page, item, &outer.collect());
    let indent = line.pieces.first().map_or(0, |it| {
        it.text.chars().take_while(|letter| *letter == ' ').count()
    });
    format!(
        "<div class=\"line\"{name}><span class=\"no\">{number}</span>\
         <span class=\"of\">{chips}</span><span class=\"text\" style=\"--i:{indent}\">{text}</span></div>\n",
    )
}

/// The kernels that an item shows: beside its own picture, those of that.
fn shown(item: &Item, kernels: &[KernelId]) -> Vec<KernelId> {
    let own = |id: &&KernelId| item.functions.iter().any(|it| it.kernels.contains(id));
    match item.functions.is_empty() {
        true => kernels.to_vec(),
        false => kernels.iter().filter(own).copied().collect(),
    }
}

/// Links to kernels; away from their pictures, with the names of their functions.
fn chips(page: &Page, item: &Item, kernels: &BTreeSet<KernelId>) -> String {
    let mut text = String::new();
    let mut before = None;
    for id in kernels {
        let function = &page.kernel(*id).function;
        if item.functions.len() != 1 && before != Some(function) {
            text += &format!(
                "<span class=\"whose\">{}</span>",
                escape(&cut(function, 12))
            );
            before = Some(function);
        }
        text += &chip(page, *id);
    }
    text
}

/// Pieces of the same kernels.
fn pieces(page: &Page, item: &Item, pieces: &[Piece]) -> String {
    let text: String = pieces.iter().map(piece).collect();
    let kernels = &pieces[0].kernels;
    let shown = shown(item, kernels);
    let ids: Vec<String> = kernels.iter().map(|id| id.0.to_string()).collect();
    let Some(first) = shown.first() else {
        return match ids.is_empty() {
            true => text,
            false => format!(
                "<span class=\"in away {}\" data-k=\"{}\">{text}</span>",
                hue(page.kernel(kernels[0])),
                ids.join(" ")
            ),
        };
    };
    let several = if shown.len() > 1 { " several" } else { "" };
    let class = hue(page.kernel(*first));
    format!(
        "<span class=\"in {class}{several}\" data-k=\"{}\">{text}</span>",
        ids.join(" ")
    )
}

fn piece(piece: &Piece) -> String {
    let text = escape(&piece.text);
    let class = match piece.class {
        Class::Keyword => "kw",
        Class::Type => "ty",
        Class::Call => "call",
        Class::Number => "num",
        Class::Text => "str",
        Class::Comment => "com",
        Class::Name | Class::Other => return text,
    };
    format!("<span class=\"{class}\">{text}</span>")
}
