//! A nest as a struct that implements the run time's `Nest`, and the call that runs it.
//!
//! In: a kernel whose body holds kernels or arrays of its own. Out: items and statements, as Rust
//! text. The body is printed as that of a function is, once per index; what it makes as a whole goes
//! straight into its row of the output. Assumes that the host printer has printed all that the
//! kernel captures.

use crate::emit::rust::batches::Batches;
use crate::emit::rust::body::{locals, read_again, rows, rows_read};
use crate::emit::rust::call::{extent, places, product, written};
use crate::emit::rust::captured::{Captured, Names};
use crate::emit::rust::columns::{Columns, Merit};
use crate::emit::rust::free::{captured, visit_stmts};
use crate::emit::rust::host::{Checks, Host};
use crate::emit::rust::inside::{emit_reduced, finished};
use crate::emit::rust::lags;
use crate::emit::rust::narrow::{Narrow, Ways};
use crate::emit::rust::results::Places;
use crate::emit::rust::scalar::type_name;
use crate::emit::rust::segments::{Segments, is_next, row};
use crate::emit::rust::tiles::Tiles;
use crate::emit::rust::tuples::{numbered, tuple};
use crate::fused::cost::scalar_cost;
use crate::fused::ir::{Body, Kernel, Layout, Op, Sink, Stmt};
use crate::ids::Var;
use crate::prims::Scalar;
use crate::shaped::ir::{Atom, VarType};
use std::fmt::Write;

/// Prints a nest and its call.
pub fn emit(host: &mut Host<'_>, stmt: &Stmt, kernel: &Kernel) {
    let name = format!("__N{}", host.kernels);
    host.kernels += 1;
    let captured = Captured::new(host, kernel);
    let values = format!("__K{}", host.kernels);
    let (items, kernels) = item(host, &name, stmt, kernel, &captured);
    let columns = match host.checks {
        Checks::Return if matches!(kernel.sink, Sink::Write) => {
            Columns::new(host, kernel, &captured)
        }
        Checks::Return | Checks::Nest | Checks::Flag => None,
    };
    host.items.push_str(&items);
    host.kernels = kernels;
    let across = columns.and_then(|columns| across(host, &name, kernel, &columns, &captured));
    let literal = captured.literal(&name);
    let (n, levels) = (extent(host, kernel), kernel.extents.len());
    match host.checks {
        Checks::Return => {
            let (skeleton, shape) = match &kernel.sink {
                Sink::Rows { offsets } => {
                    let shape = tuple(offsets.iter().map(|it| host.slice(*it)));
                    let batches = batches(host, &name, kernel, &captured, offsets[0]);
                    let skeleton = batches.unwrap_or("uneven_to");
                    (skeleton, format!("{n}, {shape}"))
                }
                _even => across
                    .or_else(|| moving(host, &name, kernel, &captured))
                    .unwrap_or_else(|| by_rows(host, &name, kernel, &captured, &values)),
            };
            let narrow = match skeleton {
                "nest_to" | "nest_in_place_to" => Narrow::new(host, kernel),
                _other => None,
            };
            let narrow = narrow.map(|it| it.ways(host, &name, kernel, &captured, &values));
            let call = (skeleton, literal.as_str(), shape.as_str());
            outer_call(host, stmt, levels, call, narrow.map(|ways| (ways, n)));
        }
        Checks::Nest => {
            let lags = lags::item(host, &name, kernel, &captured);
            if let Some((item, _)) = &lags {
                host.items.push_str(item);
            }
            let lags = lags.map(|(_, parts)| parts);
            inner_call(host, stmt, kernel, (&literal, &n), lags.as_deref());
        }
        Checks::Flag => unreachable!("operators hold scalars only"),
    }
}

/// What runs a nest whose values have a part that moves along with the innermost index, and the extents
/// that it takes; prints what else it needs.
fn moving(
    host: &mut Host<'_>,
    name: &str,
    kernel: &Kernel,
    captured: &Captured,
) -> Option<(&'static str, String)> {
    let (item, _) = lags::item(host, name, kernel, captured)?;
    host.items.push_str(&item);
    let (columns, rows) = kernel.extents.split_last()?;
    let shape = format!("[{}, {}]", product(host, rows), host.atom(*columns));
    Some(("lags_to", shape))
}

/// What runs a nest whose indices may read rows of lengths of their own, and the extents that it
/// takes; prints what else it needs. Its first kernel is called `values`.
fn by_rows(
    host: &mut Host<'_>,
    name: &str,
    kernel: &Kernel,
    captured: &Captured,
    values: &str,
) -> (&'static str, String) {
    let n = extent(host, kernel);
    let Some(offsets) = offsets_read(host, kernel) else {
        return match host.in_place.nest(name, kernel, captured) {
            Some((item, arrays)) => {
                host.items.push_str(&item);
                ("nest_in_place_to", format!("{n}, {arrays}"))
            }
            None => ("nest_to", n),
        };
    };
    let shape = format!("{n}, {}", host.slice(offsets));
    let Some(segments) = Segments::new(host, kernel, offsets) else {
        let batches = batches(host, name, kernel, captured, offsets);
        return (batches.unwrap_or("nest_by_to"), shape);
    };
    let items = segments.items(host, name, kernel, captured, values);
    host.items.push_str(&items);
    (segments.skeleton(), shape)
}

/// Whether a nest of the function itself is run index by index, each of which may read rows of one
/// length.
pub fn goes_by_rows(host: &Host<'_>, kernel: &Kernel) -> bool {
    let captured = Captured::new(host, kernel);
    let across = Columns::new(host, kernel, &captured).is_some_and(|columns| {
        columns.merit() != Merit::Worse || Tiles::new(host, kernel, &columns).is_some()
    });
    let apart = !across && lags::item(host, "", kernel, &captured).is_none();
    apart && offsets_read(host, kernel).is_none()
}

/// What runs a nest for many rows together, which begin at these offsets, if that may be; prints what else
/// it needs.
fn batches(
    host: &mut Host<'_>,
    name: &str,
    kernel: &Kernel,
    captured: &Captured,
    offsets: Var,
) -> Option<&'static str> {
    let batches = Batches::new(host, kernel, offsets)?;
    let (items, kernels) = batches.items(host, name, captured)?;
    host.items.push_str(&items);
    host.kernels = kernels;
    Some(batches.skeleton())
}

/// What runs a nest with lanes over its innermost index, and the extents that it takes; prints what
/// else it needs.
fn across(
    host: &mut Host<'_>,
    name: &str,
    kernel: &Kernel,
    columns: &Columns<'_>,
    captured: &Captured,
) -> Option<(&'static str, String)> {
    let tiles = Tiles::new(host, kernel, columns);
    let mut skeleton = match columns.merit() {
        Merit::ForFewSteps => "few_steps_to",
        Merit::Worse if tiles.is_none() => return None,
        Merit::Better | Merit::Worse => "columns_to",
    };
    let mut items = columns.item(host, name, captured);
    let mut shape = columns.shape(host, kernel);
    if let Some(tiles) = tiles {
        items.push_str(&tiles.item(host, name, captured));
        shape = format!("{shape}, {}", Tiles::height(host, kernel));
        skeleton = "tiles_to";
    }
    host.items.push_str(&items);
    Some((skeleton, shape))
}

/// The call of a nest that runs in parallel.
fn outer_call(
    host: &mut Host<'_>,
    stmt: &Stmt,
    levels: usize,
    (skeleton, literal, shape): (&str, &str, &str),
    narrow: Option<(Ways, String)>,
) {
    let widths = tuple(stmt.outs.iter().map(|out| width(host, *out, levels)));
    let places = places(host, &stmt.outs);
    let rest = format!("{widths}, {places}");
    let run = format!("__r::{skeleton}({literal}, {shape}, {rest})");
    let run = host.checked(&match narrow {
        Some((ways, n)) => ways.call((literal, &n), &rest, &run),
        None => run,
    });
    let _ = writeln!(host.text, "{run};");
    written(host, &stmt.outs);
}

/// The offsets of the irregular array of which each index of a nest reads its row, the first of
/// several: they stand where the index does and one further.
fn offsets_read(host: &Host<'_>, kernel: &Kernel) -> Option<Var> {
    let index = Atom::Var(kernel.index);
    let read = |stmt: &Stmt| match &stmt.op {
        Op::Read { array, index: at } => Some((*array, *at, host.scalar_of(stmt.outs[0]))),
        _other => None,
    };
    let nexts = kernel.body.stmts.iter().filter(|it| is_next(it, index));
    let nexts: Vec<Atom> = nexts.map(|it| Atom::Var(it.outs[0])).collect();
    let reads: Vec<_> = kernel.body.stmts.iter().filter_map(read).collect();
    let starts = reads
        .iter()
        .filter(|(_, at, ty)| *at == index && *ty == Scalar::I64);
    // Components of what a caller gives as one array of products are no slices, and no offsets.
    let is_slice = |array: &Var| (host.arrays.get(array)).is_none_or(|it| it.param.is_none());
    let mut arrays = starts.map(|(array, ..)| *array).filter(is_slice);
    arrays.find(|array| {
        let mut ends = reads.iter().filter(|(other, ..)| other == array);
        ends.any(|(_, at, _)| nexts.contains(at))
    })
}

/// A nest in a nest: one index after the other, or, if its `Lags` have so many parts, from their sums.
fn inner_call(
    host: &mut Host<'_>,
    stmt: &Stmt,
    kernel: &Kernel,
    (literal, n): (&str, &str),
    lags: Option<&str>,
) {
    let levels = kernel.extents.len();
    let widths: Vec<String> = stmt
        .outs
        .iter()
        .map(|it| width(host, *it, levels))
        .collect();
    for (out, width) in stmt.outs.iter().zip(&widths) {
        if let Some(row) = host.places.get(out) {
            let _ = writeln!(host.text, "let v{} = r{row}.slice();", out.0);
            continue;
        }
        let ty = host.type_of(*out);
        let count = match &kernel.sink {
            Sink::Rows { .. } => length(host, *out),
            _even => n.to_owned(),
        };
        let made = host.checked(&format!("__r::Buffer::zeroed({count}, {width})"));
        let _ = writeln!(host.text, "let mut v{}: {ty} = {made};", out.0);
    }
    let rows = stmt.outs.iter().zip(&widths).enumerate();
    let rows = tuple(rows.map(|(at, (out, width))| {
        let range = match &kernel.sink {
            Sink::Rows { offsets } => {
                let offsets = host.slice(offsets[at]);
                format!("{offsets}[at] as usize * {width}..{offsets}[at + 1] as usize * {width}")
            }
            _even => format!("at * {width}..(at + 1) * {width}"),
        };
        format!("__r::RowOut::from(&mut v{}[{range}])", out.0)
    }));
    let one_by_one = format!(
        "for at in 0..{n} {{\n__r::Nest::run::<{{ L }}, F>({literal}, at, &mut {rows}, flag);\n\
         if flag.violated() {{ return; }}\n}}\n"
    );
    host.text.push_str(&match lags {
        None => one_by_one,
        Some(parts) => format!(
            "let lags = __r::lag_sums::<_, F, {parts}>({literal}, {n});\n\
             for (at, sum) in lags.iter().enumerate() {{\n\
             __r::Lags::finish({literal}, at, *sum, &mut {rows}, flag);\n\
             if flag.violated() {{ return; }}\n}}\n\
             if lags.is_empty() {{\n{one_by_one}}}\n"
        ),
    });
    finished(host, &stmt.outs);
}

/// How many elements a row of an output has, of whose dimensions the nest runs over the first
/// `levels`.
fn width(host: &Host<'_>, out: Var, levels: usize) -> String {
    match &host.vars[out.index()].ty {
        Layout::Plain(VarType::Array(ty)) => {
            let inner = ty.dims[levels..].iter().map(|dim| dim.value);
            product(host, &inner.collect::<Vec<_>>())
        }
        Layout::Plain(VarType::Scalar(_)) | Layout::Component { .. } | Layout::Packed { .. } => {
            unreachable!("a nest writes arrays of scalars")
        }
    }
}

/// The outermost extent of an array that a nest makes.
fn length(host: &Host<'_>, out: Var) -> String {
    match &host.vars[out.index()].ty {
        Layout::Plain(VarType::Array(ty)) => host.atom(ty.dims[0].value),
        Layout::Plain(VarType::Scalar(_)) | Layout::Component { .. } | Layout::Packed { .. } => {
            unreachable!("a nest writes arrays of scalars")
        }
    }
}

/// The items of a nest, and how many kernels have been printed then.
fn item(
    host: &Host<'_>,
    name: &str,
    stmt: &Stmt,
    kernel: &Kernel,
    captured: &Captured,
) -> (String, usize) {
    let places = rows(host.vars, kernel);
    let mut inner = inner_host(host, kernel, captured, &places);
    for row in read_again(&kernel.body, &places) {
        let _ = writeln!(inner.text, "r{row}.near();");
    }
    if !locals(&kernel.body, &places).is_empty() {
        let mut asked: Vec<usize> = places.values().copied().collect();
        asked.sort_unstable();
        for row in asked {
            let _ = writeln!(inner.text, "r{row}.ask();");
        }
    }
    statements(&mut inner, kernel);
    finish(&mut inner, kernel);
    let outs = stmt.outs.iter().map(|out| type_name(host.scalar_of(*out)));
    let rows = numbered('r', stmt.outs.len());
    let (outs, checks) = (tuple(outs), may_fail(&kernel.body));
    let cost = cost(host, &kernel.body, captured);
    let Names {
        declared,
        head,
        tail,
        ..
    } = captured.names();
    let text = format!(
        "struct {name}{declared} {{ {fields} }}\n\
         {head} __r::Nest for {name}{tail} {{\ntype Outs = {outs};\n\
         const CHECKS: bool = {checks};\n\
         fn cost(&self) -> usize {{\n{locals}{cost}\n}}\n\
         #[inline(always)]\n\
         fn run<const L: usize, F: __r::Flag>(&self, index: usize, \
         rows: &mut <Self::Outs as __r::Rows>::Places<'_>, flag: &mut F) {{\n\
         let {rows} = rows;\n{body}}}\n}}\n",
        fields = captured.declarations(),
        locals = captured.locals(),
        body = inner.text,
    );
    (inner.items + &text, inner.kernels)
}

/// What prints the body of a nest, of which `places` are written straight into their rows.
pub fn inner_host<'a>(
    host: &Host<'a>,
    kernel: &Kernel,
    captured: &'a Captured,
    places: &'a Places,
) -> Host<'a> {
    let mut inner = Host {
        function: host.function,
        vars: host.vars,
        structs: host.structs,
        arrays: captured.arrays(),
        last: host.last,
        places,
        in_place: host.in_place,
        checks: Checks::Nest,
        rows: None,
        locals: locals(&kernel.body, places),
        fields: None,
        items: String::new(),
        kernels: host.kernels,
        text: captured.locals(),
    };
    let _ = writeln!(inner.text, "let v{} = index;", kernel.index.0);
    inner
}

/// Prints how the results that are not in their rows come there.
pub fn finish(inner: &mut Host<'_>, kernel: &Kernel) {
    for (at, result) in kernel.body.results.iter().enumerate() {
        match result {
            Atom::Var(var) if inner.places.get(var) == Some(&at) => {}
            Atom::Var(var) if inner.is_array(*var) => {
                let slice = inner.slice(*var);
                let _ = writeln!(inner.text, "r{at}.copy({slice});");
            }
            other => {
                let value = inner.atom(*other);
                let _ = writeln!(inner.text, "r{at}.put({value});");
            }
        }
    }
}

/// Prints the body.
pub fn statements(host: &mut Host<'_>, nest: &Kernel) {
    let whole = offsets_read(host, nest).and_then(|offsets| row(nest, offsets));
    let mut rest = nest.body.stmts.as_slice();
    while let [stmt, after @ ..] = rest {
        host.rows = Some(rows_read(nest, stmt, after, whole));
        rest = after;
        if let [next, after @ ..] = after
            && let Some((kernel, init)) = reduced(host, stmt, next)
        {
            emit_reduced(host, stmt, next, &kernel, init);
            rest = after;
        } else {
            host.stmt(stmt);
        }
    }
}

/// The kernel that does the work of two statements, the second of which combines just the elements
/// of the array that the first writes, and what it starts from.
fn reduced<'s>(host: &Host<'_>, stmt: &Stmt, next: &'s Stmt) -> Option<(Kernel, &'s [Atom])> {
    let (Op::Kernel(write), Op::Kernel(reduce)) = (&stmt.op, &next.op) else {
        return None;
    };
    let (Sink::Write, Sink::Reduce { init, .. }) = (&write.sink, &reduce.sink) else {
        return None;
    };
    let ([array], [read]) = (stmt.outs.as_slice(), reduce.body.stmts.as_slice()) else {
        return None;
    };
    let own = |of: Var, index: Atom| of == *array && index == Atom::Var(reduce.index);
    let alike = write.extents == reduce.extents
        && !write.nest
        && !host.places.contains_key(array)
        && matches!(read.op, Op::Read { array, index } if own(array, index))
        && reduce.body.results == [Atom::Var(read.outs[0])];
    let kernel = Kernel {
        sink: reduce.sink.clone(),
        ..write.clone()
    };
    (alike && !captured(&kernel, host.vars).contains(array)).then_some((kernel, init))
}

/// Whether running a body can fail. Memory may run out in any.
pub fn may_fail(body: &Body) -> bool {
    let mut found = false;
    visit_stmts(body, &mut |stmt| {
        found |= match &stmt.op {
            Op::Check { .. } | Op::Literal(_) | Op::Update { .. } | Op::Kernel(_) => true,
            Op::Scalar(..) | Op::Len { .. } | Op::Read { .. } | Op::If { .. } | Op::Loop(_) => {
                false
            }
        };
    });
    found
}

/// An estimate of the operations of one index, as an expression of what the nest captures.
pub fn cost(host: &Host<'_>, body: &Body, captured: &Captured) -> String {
    let mut own = 0;
    let mut text = String::new();
    for stmt in &body.stmts {
        match &stmt.op {
            Op::Scalar(op, _) => own += scalar_cost(*op, Some(host.scalar_of(stmt.outs[0]))),
            Op::Read { .. } | Op::Check { .. } | Op::Len { .. } | Op::Update { .. } => own += 1,
            Op::Literal(elems) => own += elems.len() as u32,
            Op::If { then, else_, .. } => {
                for side in [then, else_] {
                    let _ = write!(text, ".saturating_add({})", cost(host, side, captured));
                }
            }
            Op::Loop(it) => {
                for part in [&it.cond, &it.body] {
                    let part = cost(host, part, captured);
                    let _ = write!(text, ".saturating_add(({part}).saturating_mul(10))");
                }
            }
            Op::Kernel(inner) => {
                let mut each = cost(host, &inner.body, captured);
                for extent in &inner.extents {
                    let times = match extent {
                        Atom::Var(var) if !captured.has(*var) => "16usize".to_owned(),
                        known => host.atom(*known),
                    };
                    each = format!("({each}).saturating_mul({times})");
                }
                let _ = write!(text, ".saturating_add({each})");
            }
        }
    }
    format!("{}usize{text}", own + 1)
}
