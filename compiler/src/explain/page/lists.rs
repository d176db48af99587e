//! What stands below a graph: kernels, arrays in memory, checks, representations.

use super::text::{belongs, chip, escape, hue, places, with_code};
use super::{Array, Function, Graph, Kernel, KernelId, Kind, Page};

/// All lists of a function.
pub fn lists(page: &Page, function: &Function) -> String {
    let kernels = function.kernels.iter();
    let kernels: String = kernels.map(|id| kernel(page, function, *id)).collect();
    let arrays: String = function.arrays.iter().map(|it| array(page, it)).collect();
    let checks = function.checks.iter().map(|(place, text)| {
        let line = places(std::slice::from_ref(place));
        format!(
            "<li><span class=\"at\">line {line}</span> {}</li>\n",
            with_code(text)
        )
    });
    let values = function.values.iter().map(|(word, names)| {
        let names = with_code(&names.join(", "));
        format!("<div><dt>{word}</dt><dd>{names}</dd></div>\n")
    });
    let values: String = values.collect();
    let sections = [
        ("Kernels", list(&kernels, "kernels")),
        ("Arrays in memory", table(&arrays)),
        (
            "Checked at run time",
            list(&checks.collect::<String>(), "checks"),
        ),
        ("Values", format!("<dl class=\"values\">{values}</dl>\n")),
    ];
    let empty = [
        function.kernels.is_empty(),
        function.arrays.is_empty(),
        function.checks.is_empty(),
        function.values.is_empty(),
    ];
    let sections = sections.into_iter().zip(empty);
    let sections = sections.filter(|(_, empty)| !empty);
    sections
        .map(|((title, text), _)| format!("<h3>{title}</h3>\n{text}"))
        .collect()
}

fn list(entries: &str, class: &str) -> String {
    format!("<ul class=\"{class}\">\n{entries}</ul>\n")
}

fn table(rows: &str) -> String {
    format!(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"arrays in memory\"><table>\
         <thead><tr><th>array</th><th>size</th><th>by</th><th>why it is in memory</th></tr></thead>\
         <tbody>\n{rows}</tbody></table></div>\n"
    )
}

fn kernel(page: &Page, function: &Function, id: KernelId) -> String {
    let it: &Kernel = page.kernel(id);
    let nested = if it.parent.is_some() { " nested" } else { "" };
    let operators = match it.operators.is_empty() {
        true => String::new(),
        false => format!(
            " <span class=\"ops\">{}</span>",
            escape(&it.operators.join(" → "))
        ),
    };
    let word = if it.lines.len() == 1 { "line" } else { "lines" };
    format!(
        "<li id=\"k{}\" class=\"{}{nested}\" {}>{} {} over <code>{}</code>{operators}{}\
         <span class=\"at\">{word} {}</span></li>\n",
        id.0,
        hue(it),
        belongs(page, id),
        chip(page, id),
        escape(&it.what),
        escape(&it.extent),
        flows(page, &function.graph, id),
        places(&it.lines)
    )
}

/// What a kernel reads and makes.
fn flows(page: &Page, graph: &Graph, id: KernelId) -> String {
    let found = graph
        .nodes
        .iter()
        .position(|it| it.kind == Kind::Kernel(id));
    let Some(at) = found else {
        let inside = graph.nodes.iter().map(|it| flows(page, &it.inside, id));
        return inside.collect();
    };
    let name = |at: usize| match graph.nodes[at].kind {
        Kind::Kernel(id) => format!("what kernel {} gives", page.kernel(id).label),
        Kind::Param
        | Kind::Array
        | Kind::Own
        | Kind::Result
        | Kind::Loop
        | Kind::Branch
        | Kind::Outer => graph.nodes[at].title.trim_start_matches("↻ ").to_owned(),
    };
    let from = graph.edges.iter().filter(|edge| edge.to == at);
    let from: Vec<String> = from.map(|edge| name(edge.from)).collect();
    let to = graph
        .edges
        .iter()
        .filter(|edge| edge.from == at && edge.array);
    let to: Vec<String> = to.map(|edge| name(edge.to)).collect();
    let says = |word: &str, names: &[String]| match names {
        [] => String::new(),
        names => format!(", {word} {}", escape(&names.join(", "))),
    };
    says("reads", &from) + &says("makes", &to)
}

fn array(page: &Page, it: &Array) -> String {
    let by = it.made_by.map_or_else(String::new, |id| chip(page, id));
    let remedy = it.remedy.map(|text| {
        let text = with_code(text);
        format!("<details><summary>what would avoid it</summary>{text}</details>")
    });
    let is_result = it.remedy.is_none();
    format!(
        "<tr class=\"{}\"><td>{} <span class=\"at\">line {}</span></td><td>{}<br>{}<br>{}</td><td>{by}</td>\
         <td>{}{}</td></tr>\n",
        if is_result { "is-result" } else { "between" },
        escape(&it.name),
        places(std::slice::from_ref(&it.place)),
        escape(&it.shape),
        escape(&it.bytes),
        escape(&it.represented),
        escape(it.why),
        remedy.unwrap_or_default()
    )
}
