//! The frame of a page: head, overview, one row per item, style and script.

use super::text::{HUES, escape, with_code};
use super::{Function, Item, Page, code, draw, lists};
use std::collections::BTreeSet;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The page as a file.
pub fn html(page: &Page) -> String {
    let title = escape(&page.title());
    let functions = page.items.iter().flat_map(|item| &item.functions);
    let names: Vec<&str> = functions.map(|it| it.name.as_str()).collect();
    let names = escape(&names.join(", "));
    let krate = escape(&page.krate);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"ragged\" content=\"{krate}\t{title}\t{names}\">\n\
         <title>{names} · {title}</title>\n<style>\n{STYLE}{hues}</style>\n</head>\n<body>\n\
         {TIP}<header>\n<p class=\"trail\"><a href=\"index.html\">all blocks</a> · crate \
         <b>{krate}</b></p>\n<h1>{title}</h1>\n{overview}{LEGEND}</header>\n<main>\n{rows}</main>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        hues = hues(),
        overview = overview(page),
        rows = rows(page),
    )
}

/// The colours: round the circle, neighbours far apart.
fn hues() -> String {
    let hue = |at: usize| {
        let degrees = at * 3 % HUES * 360 / HUES + 205;
        format!(".h{at}{{--h:{}}}\n", degrees % 360)
    };
    (0..HUES).map(hue).collect()
}

/// The arrows' tips.
const TIP: &str = "<svg width=\"0\" height=\"0\" aria-hidden=\"true\" class=\"defs\"><defs>\
    <marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
    orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs></svg>\n";

const LEGEND: &str = "<p class=\"legend\" aria-label=\"legend\">\
    <span class=\"key kernel h0\">kernel: one fused loop</span> \
    <span class=\"key param\">argument</span> \
    <span class=\"key array\">array in memory between</span> \
    <span class=\"key own\">array that stays in the cache</span> \
    <span class=\"key result\">result</span> \
    <span class=\"key loop\">loop or conditional</span> \
    <span class=\"lines\">solid arrows: arrays; dashed: numbers. Source has the colour of the kernel \
    that it went into; without colour it is computed once, outside; with dots under it, it \
    went into several.</span></p>\n";

fn overview(page: &Page) -> String {
    let functions = page.items.iter().flat_map(|item| &item.functions);
    let rows = functions.enumerate().map(|(at, it)| {
        let cell = |text: &String| format!("<td>{}</td>", escape(text));
        let number = |text: &String| {
            let value = text.rsplit(' ').next().unwrap_or_default();
            format!("<td class=\"n\">{}</td>", escape(value))
        };
        let [kernels, between, kinds @ ..] = it.facts.as_slice() else {
            return String::new();
        };
        let kinds = cell(&kinds.join(", "));
        let costs = it.costs.iter().map(|text| {
            let (_, cost) = text.split_once(' ').unwrap_or(("", text));
            cell(&cost.to_owned())
        });
        format!(
            "<tr><th><a href=\"#f{at}\">{}</a></th>{}{}{kinds}{}</tr>\n",
            escape(&it.name),
            number(kernels),
            number(between),
            costs.collect::<String>()
        )
    });
    format!(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"functions\">\
         <table class=\"overview\"><thead><tr><th>function</th><th>kernels</th><th>arrays between</th>\
         <th>values</th><th>work</th><th>depth</th><th>space</th></tr></thead><tbody>\n{}\
         </tbody></table></div>\n",
        rows.collect::<String>()
    )
}

/// An exported function's item is a row; others share one until the next of these.
fn rows(page: &Page) -> String {
    let items: Vec<&Item> = page.items.iter().collect();
    let is_plain = |it: &Item| it.functions.is_empty();
    let groups = items.chunk_by(|a, b| is_plain(a) && is_plain(b) && a.file == b.file);
    let mut number = 0;
    let mut named = BTreeSet::new();
    let rows = groups.map(|group| {
        let first = group[0];
        let pictures = first.functions.iter().map(|it| {
            number += 1;
            picture(page, it, number - 1)
        });
        let pictures: String = pictures.collect();
        let file = first.file.as_ref().map(|file| {
            let file = escape(file);
            format!("<p class=\"file\">imported from {file}</p>")
        });
        let class = match first.functions.iter().any(draw::is_broad) {
            _ if pictures.is_empty() => "plain",
            true => "broad",
            false => "",
        };
        format!(
            "<section class=\"row {class}\">\n<div class=\"source\">{}{}</div>\n{pictures}</section>\n",
            file.unwrap_or_default(),
            code::code(page, group, &mut named)
        )
    });
    rows.collect()
}

fn picture(page: &Page, function: &Function, number: usize) -> String {
    let badge = |text: &String| format!("<li>{}</li>", escape(text));
    let badges: String = function
        .facts
        .iter()
        .chain(&function.costs)
        .map(badge)
        .collect();
    let letters = function.letters.iter();
    let letters: String = letters
        .map(|it| format!("<p>{}</p>\n", with_code(it)))
        .collect();
    let note = match function.kernels.is_empty() {
        true => "<p class=\"none\">No kernel: all of it is computed on the spot.</p>\n",
        false => "",
    };
    format!(
        "<div class=\"picture\" id=\"f{number}\">\n<h2>{}</h2>\n<ul class=\"badges\">{badges}</ul>\n\
         {letters}{note}<div class=\"graph\" tabindex=\"0\" role=\"region\" aria-label=\"graph of {}\">\
         {}</div>\n<div class=\"lists\">{}</div></div>\n",
        escape(&function.name),
        escape(&function.name),
        draw::svg(page, function, number),
        lists::lists(page, function)
    )
}
