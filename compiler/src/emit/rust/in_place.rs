//! Parameters of which views are read where they lie.
//!
//! In: a function. Out: its nests that read rows of dense parameters and need not know their index
//! otherwise, these parameters, and the run time's `InPlace` for such a nest. Assumes that a parameter
//! which is used in any other way is contiguous, or has been copied.

use crate::emit::rust::border::Form;
use crate::emit::rust::captured::{Captured, Names, array_field};
use crate::emit::rust::free::{captured, visit_stmts};
use crate::emit::rust::host::Host;
use crate::emit::rust::nest::goes_by_rows;
use crate::emit::rust::scalar::type_name;
use crate::emit::rust::slots::{Slot, SlotKind};
use crate::emit::rust::tuples::tuple;
use crate::fused::in_rows::{definitions, in_rows};
use crate::fused::ir::{Function, Kernel, Op, Sink, Stmt};
use crate::fused::linear::{Defs, Poly};
use crate::fused::liveness::uses_of_stmt;
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::shaped::ir::Atom;
use std::collections::BTreeMap;

/// What a function reads in place.
#[derive(Default)]
pub struct InPlace {
    /// By the index of a nest: of which arrays it reads rows, by the names of their slices.
    nests: Nests,
    /// The slices that hold parameters.
    params: HashSet<String>,
}

type Nests = HashMap<Var, BTreeMap<String, Rows>>;

/// Rows of an array.
#[derive(Clone, PartialEq)]
struct Rows {
    /// The type of its elements.
    elem: String,
    /// How many elements a row has.
    width: String,
}

/// The run time has no more for one nest.
const MOST_ARRAYS: usize = 6;

/// What a parameter that is read in place is called, before its elements are asked for.
pub fn source(slice: &str) -> String {
    format!("{slice}_source")
}

impl InPlace {
    /// What the function of `host` reads in place, whose parameters are in these slots.
    pub fn of<'s>(host: &Host<'_>, slots: impl Iterator<Item = &'s Slot>) -> InPlace {
        let dense = slots.filter(|it| matches!(it.kind, SlotKind::Array(Form::Dense(_), _)));
        let mut params: HashSet<String> = dense.map(|it| it.name.clone()).collect();
        if params.is_empty() {
            return InPlace::default();
        }
        let defs = definitions(host.function);
        let mut nests = Nests::default();
        visit_stmts(&host.function.body, &mut |stmt| {
            if let Op::Kernel(kernel) = &stmt.op
                && let Some(rows) = rows(host, kernel, &defs)
                && rows.keys().any(|name| params.contains(name))
            {
                nests.insert(kernel.index, rows);
            }
        });
        let used = used_whole(host, &nests);
        params.retain(|name| {
            let read = nests.values().any(|rows| rows.contains_key(name));
            read && !used.contains(name)
        });
        nests.retain(|_, rows| rows.keys().any(|name| params.contains(name)));
        InPlace { nests, params }
    }

    /// Whether a parameter's elements need not be contiguous.
    pub fn takes(&self, slot: &Slot) -> bool {
        self.params.contains(&slot.name)
    }

    /// The names of the parameters that the user calls so, in order.
    pub fn names<'f>(&self, function: &'f Function, slots: &[Vec<Slot>]) -> Vec<&'f str> {
        let params = function.params.iter().zip(slots);
        let taken = params.filter(|(_, slots)| slots.iter().any(|slot| self.takes(slot)));
        taken.map(|(param, _)| param.name.as_str()).collect()
    }

    /// The implementation for the nest `name`, and its arrays as an expression, if it is such a nest.
    pub fn nest(
        &self,
        name: &str,
        kernel: &Kernel,
        captured: &Captured,
    ) -> Option<(String, String)> {
        let rows = self.nests.get(&kernel.index)?;
        let arrays = rows.iter().map(|(array, rows)| {
            let source = match self.params.contains(array) {
                true => source(array),
                false => format!("__r::Source::whole({})", captured.outside(array)),
            };
            format!("__r::RowsOf::new({source}, {})", rows.width)
        });
        let read = tuple(rows.values().map(|it| &it.elem));
        let fields = tuple(rows.keys());
        let is_part = |field: &str| rows.contains_key(field);
        let rest = captured.kept(&is_part);
        let Names {
            head, tail, params, ..
        } = captured.names();
        let given: String = rows.keys().map(|field| format!("{field},")).collect();
        let item = format!(
            "{head} __r::InPlace for {name}{tail} {{\ntype Read = {read};\n\
             type At<'s> = {name}<'s{params}> where Self: 's;\n\
             #[inline(always)]\n\
             fn at<'s>(&'s self, {fields}: <Self::Read as __r::Read>::Parts<'s>) \
             -> {name}<'s{params}> {{\n{name} {{ {given} {rest} }}\n}}\n}}\n"
        );
        Some((item, tuple(arrays)))
    }
}

/// Of which arrays a kernel reads rows, if it is a nest that may be run for some of them alone.
fn rows(host: &Host<'_>, kernel: &Kernel, defs: &Defs<'_>) -> Option<BTreeMap<String, Rows>> {
    if !kernel.nest || !matches!(kernel.sink, Sink::Write) {
        return None;
    }
    let found = in_rows(kernel, defs)?;
    let all = captured(kernel, host.vars);
    let mut rows = BTreeMap::new();
    for (array, width) in &found {
        // Not one that the body makes.
        all.contains(array).then_some(())?;
        let (name, elem) = slice(host, *array)?;
        let width = width_text(width)?;
        let own = Rows { elem, width };
        let known = rows.entry(name).or_insert_with(|| own.clone());
        (*known == own).then_some(())?;
    }
    let arrays = all
        .iter()
        .filter(|var| host.is_array(**var) && !found.contains_key(var));
    let apart = arrays
        .filter_map(|var| slice(host, *var))
        .all(|(name, _)| !rows.contains_key(&name));
    (apart && rows.len() <= MOST_ARRAYS && goes_by_rows(host, kernel)).then_some(rows)
}

/// What the slice of an array is called in kernels, and the type of its elements; nothing if its type
/// is a parameter.
fn slice(host: &Host<'_>, array: Var) -> Option<(String, String)> {
    match host.arrays.get(&array) {
        Some(field) if field.param.is_some() => None,
        Some(field) => Some((field.field.clone(), field.elem.clone())),
        None => Some((
            array_field(array),
            type_name(host.scalar_of(array)).to_owned(),
        )),
    }
}

/// A width as an expression.
fn width_text(width: &Poly) -> Option<String> {
    let mut terms = width.terms();
    let (Some((vars, factor)), None) = (terms.next(), terms.next()) else {
        return None;
    };
    let number = (factor != 1 || vars.is_empty()).then(|| format!("{factor}usize"));
    let factors = vars.iter().map(|var| format!("v{}", var.0)).chain(number);
    let factors: Vec<String> = factors.collect();
    Some(match factors.as_slice() {
        [one] => one.clone(),
        several => format!("__r::total(&[{}])", several.join(", ")),
    })
}

/// The slices of parameters that are used but for their lengths and by such nests.
fn used_whole(host: &Host<'_>, nests: &Nests) -> HashSet<String> {
    let body = &host.function.body;
    let mut vars: HashSet<Var> = HashSet::default();
    handed_on(&body.results, &mut vars);
    visit_stmts(body, &mut |stmt| used_by(stmt, host, nests, &mut vars));
    let params = vars.iter().filter_map(|var| host.arrays.get(var));
    params.map(|field| field.field.clone()).collect()
}

fn handed_on(atoms: &[Atom], vars: &mut HashSet<Var>) {
    vars.extend(atoms.iter().filter_map(|atom| match atom {
        Atom::Var(var) => Some(*var),
        Atom::Const(_) => None,
    }));
}

fn used_by(stmt: &Stmt, host: &Host<'_>, nests: &Nests, vars: &mut HashSet<Var>) {
    match &stmt.op {
        Op::Len { .. } => {}
        Op::If { then, else_, .. } => {
            handed_on(&then.results, vars);
            handed_on(&else_.results, vars);
        }
        Op::Loop(it) => {
            handed_on(&it.init, vars);
            handed_on(&it.body.results, vars);
        }
        Op::Kernel(kernel) => match nests.get(&kernel.index) {
            Some(rows) => {
                let is_whole = |var: &Var| {
                    let field = host.arrays.get(var);
                    field.is_some_and(|field| !rows.contains_key(&field.field))
                };
                vars.extend(captured(kernel, host.vars).into_iter().filter(is_whole));
            }
            None => uses_of_stmt(stmt, vars),
        },
        Op::Scalar(..)
        | Op::Check { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. } => uses_of_stmt(stmt, vars),
    }
}
