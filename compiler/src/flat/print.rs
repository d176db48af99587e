//! `flat` as text, for tests and bug reports.
//!
//! In: a function. Out: a line per statement; bodies indented.

use crate::flat::ir::{Body, Combine, Consumer, Function, Op, Seg, Stmt};
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
        Op::Read { array, index } => lines.line(format!("{outs} = {array}[{}]", atoms(index))),
        Op::Literal(elems) => lines.line(format!("{outs} = [{}]", atoms(elems))),
        Op::Update {
            array,
            index,
            value,
        } => {
            let (index, value) = (atoms(index), atom(*value));
            lines.line(format!("{outs} = {array} with [{index}] = {value}"));
        }
        Op::If { cond, then, else_ } => {
            lines.line(format!("{outs} = if {}", atom(*cond)));
            lines.nest(|lines| body(then, "yield", lines));
            lines.line("else");
            lines.nest(|lines| body(else_, "yield", lines));
        }
        Op::Loop(it) => {
            lines.line(format!(
                "{outs} = loop {} = {}",
                vars(&it.params),
                atoms(&it.init)
            ));
            lines.nest(|lines| body(&it.cond, "while", lines));
            lines.nest(|lines| body(&it.body, "next", lines));
        }
        Op::Seg(it) => seg(&outs, it, lines),
    }
}

fn seg(outs: &str, it: &Seg, lines: &mut Lines) {
    let levels: Vec<String> = it
        .space
        .levels
        .iter()
        .map(|level| format!("{} < {}", level.index, atom(level.extent.value)))
        .collect();
    lines.line(format!(
        "{outs} = {} over {}",
        consumer(&it.consumer),
        levels.join(", ")
    ));
    lines.nest(|lines| body(&it.body, "elem", lines));
    match &it.consumer {
        Consumer::Build | Consumer::Rows { .. } | Consumer::Scatter { .. } | Consumer::Sort(_) => {}
        Consumer::Reduce { combine: it, .. } | Consumer::Scan { combine: it, .. } => {
            combine(it, lines);
        }
        Consumer::Fold {
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

fn consumer(it: &Consumer) -> String {
    match it {
        Consumer::Build => "seg_map".to_owned(),
        Consumer::Rows { offsets } => format!("seg_rows at {}", vars(offsets)),
        Consumer::Reduce { init, combine } => {
            let from = if combine.goes_on { "on" } else { "from" };
            format!("seg_reduce {from} {}", atoms(init))
        }
        Consumer::Scan {
            init,
            exclusive,
            along,
            ..
        } => {
            let kind = if *exclusive { "exclusive" } else { "inclusive" };
            let from = init.as_ref().map(|init| format!(" from {}", atoms(init)));
            let along = along.map(|it| it.to_string()).unwrap_or_default();
            format!("seg_scan {kind}{}{along}", from.unwrap_or_default())
        }
        Consumer::Fold { init, .. } => format!("seg_fold from {}", atoms(init)),
        Consumer::Scatter { into, .. } => format!("seg_scatter into {}", vars(into)),
        Consumer::Sort(sorted) => format!("seg_{}", sorted.verb()),
    }
}
