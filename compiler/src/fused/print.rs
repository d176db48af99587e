//! `fused` as text, for tests and bug reports.
//!
//! In: a function. Out: a line per statement; bodies indented.

use crate::fused::ir::{Body, Combine, Function, Kernel, Op, Sink, SortOf, Stmt};
use crate::print::{Lines, atom, atoms, vars};

/// Prints a function.
pub fn print(function: &Function) -> String {
    let mut lines = Lines::default();
    let params: Vec<String> = function
        .params
        .iter()
        .map(|param| format!("{}: {}", param.name, vars(&param.vars)))
        .collect();
    lines.line(format!("{}({})", function.name, params.join("; ")));
    lines.nest(|lines| body(&function.body, "return", lines));
    for it in &function.convoys {
        let (members, own) = (vars(&it.members), vars(&it.own));
        let text = match it.leads.as_slice() {
            [] => {
                let turned = match it.turned.as_slice() {
                    [] => String::new(),
                    turned => format!(", {} from the end on", vars(turned)),
                };
                format!("strip by strip {members}{turned}; strips of {own}")
            }
            leads => {
                let round = if it.round { ", all round" } else { "" };
                format!("rows ahead {members} by {leads:?}{round}; rows of {own}")
            }
        };
        lines.nest(|lines| lines.line(text));
    }
    lines.finish()
}

fn body(it: &Body, word: &str, lines: &mut Lines) {
    it.stmts.iter().for_each(|it| stmt(it, lines));
    lines.line(format!("{word} {}", atoms(&it.results)));
}

fn stmt(it: &Stmt, lines: &mut Lines) {
    let outs = vars(&it.outs);
    match &it.op {
        Op::Scalar(op, args) => lines.line(format!("{outs} = {op:?} {}", atoms(args))),
        Op::Check { ok, id, values } => {
            lines.line(format!("check {} else {id} ({})", atom(*ok), atoms(values)));
        }
        Op::Len { array, axis: 0 } => lines.line(format!("{outs} = len {array}")),
        Op::Len { array, axis } => lines.line(format!("{outs} = len {array} axis {axis}")),
        Op::Read { array, index } => lines.line(format!("{outs} = {array}[{}]", atom(*index))),
        Op::Literal(elems) => lines.line(format!("{outs} = [{}]", atoms(elems))),
        Op::Update {
            array,
            index,
            value,
        } => {
            let (index, value) = (atom(*index), atom(*value));
            lines.line(format!("{outs} = {array} with [{index}] = {value}"));
        }
        Op::If { cond, then, else_ } => {
            lines.line(format!("{outs} = if {}", atom(*cond)));
            lines.nest(|lines| body(then, "yield", lines));
            lines.line("else");
            lines.nest(|lines| body(else_, "yield", lines));
        }
        Op::Loop(it) => {
            let reach = it.reach.as_ref().map(|it| {
                let inner = it.inner.iter().map(|inner| match inner {
                    Some(inner) => format!(", {inner}"),
                    None => ", ?".to_owned(),
                });
                format!(" reach {}{}", it.rows, inner.collect::<String>())
            });
            lines.line(format!(
                "{outs} = loop{} {} = {}",
                reach.unwrap_or_default(),
                vars(&it.params),
                atoms(&it.init)
            ));
            lines.nest(|lines| body(&it.cond, "while", lines));
            lines.nest(|lines| body(&it.body, "next", lines));
            if let Some(beyond) = it.reach.as_ref().and_then(|it| it.beyond.as_ref()) {
                lines.nest(|lines| body(beyond, "elem beyond the ends", lines));
            }
        }
        Op::Kernel(it) => kernel(&outs, it, lines),
    }
}

fn kernel(outs: &str, it: &Kernel, lines: &mut Lines) {
    let extents: Vec<String> = it.extents.iter().map(|it| atom(*it)).collect();
    let (index, extent) = (it.index, extents.join(" * "));
    lines.line(format!(
        "{outs} = kernel {} {index} < {extent}",
        sink(&it.sink)
    ));
    lines.nest(|lines| body(&it.body, "elem", lines));
    match &it.sink {
        Sink::Write
        | Sink::Rows { .. }
        | Sink::Pack
        | Sink::Keep
        | Sink::Join
        | Sink::Scatter { .. }
        | Sink::Append { .. }
        | Sink::Sort(_) => {}
        Sink::Reduce { combine: it, .. } | Sink::Scan { combine: it, .. } => combine(it, lines),
        Sink::Fold {
            acc, elem, step, ..
        } => {
            lines.line(format!("step ({}) ({})", vars(acc), vars(elem)));
            lines.nest(|lines| body(step, "next", lines));
        }
    }
}

fn combine(it: &Combine, lines: &mut Lines) {
    let order = if it.neutral.is_some() {
        "lanes"
    } else {
        "order"
    };
    lines.line(format!(
        "combine in {order} ({}) ({})",
        vars(&it.left),
        vars(&it.right)
    ));
    lines.nest(|lines| body(&it.body, "yield", lines));
}

fn sink(it: &Sink) -> String {
    match it {
        Sink::Write => "write".to_owned(),
        Sink::Rows { offsets } => format!("write rows at {}", vars(offsets)),
        Sink::Pack => "pack".to_owned(),
        Sink::Keep => "keep".to_owned(),
        Sink::Join => "join".to_owned(),
        Sink::Reduce { init, combine } => {
            let from = if combine.goes_on { "on" } else { "from" };
            format!("reduce {from} {}", atoms(init))
        }
        Sink::Scan {
            init,
            exclusive,
            along,
            ..
        } => {
            let kind = if *exclusive { "exclusive" } else { "inclusive" };
            let from = init.as_ref().map(|init| format!(" from {}", atoms(init)));
            let along = along.map(|it| it.to_string()).unwrap_or_default();
            format!("scan {kind}{}{along}", from.unwrap_or_default())
        }
        Sink::Fold { init, .. } => format!("fold from {}", atoms(init)),
        Sink::Scatter { into, .. } => format!("scatter into {}", vars(into)),
        Sink::Append { into } => format!("append to {}", vars(into)),
        Sink::Sort(SortOf::Keys(sorted)) => sorted.verb().to_owned(),
        Sink::Sort(sort @ SortOf::At(_, places)) => format!("{} at {}", sort.verb(), atoms(places)),
        Sink::Sort(SortOf::Elements(components)) => format!("sort_elements {components:?}"),
    }
}
