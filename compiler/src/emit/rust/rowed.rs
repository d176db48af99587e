//! A kernel row by row: its body for the columns in which conditions on indices hold as they do in
//! the middle of an array.
//!
//! In: the steps of a kernel. Out: the text of the run time's `Rowed`, if that is worth having:
//! which columns of a row these are, and a body in which such conditions are constants, the row is
//! one number and arrays are read along their rows (index set splitting; Allen and Kennedy,
//! "Optimizing Compilers for Modern Architectures", 5.7). Assumes a body without loops.

use crate::emit::rust::captured::{Captured, Names};
use crate::emit::rust::lanes::{Context, row_block};
use crate::emit::rust::middle::{Cut, Fold, cut_text, decides, named, renamed};
use crate::emit::rust::reads::Reads;
use crate::emit::rust::spans;
use crate::emit::rust::steps::{Step, operands, step_cost};
use crate::emit::rust::tuples::numbered;
use crate::fused::linear::{Poly, normal};
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::prims::ScalarOp;
use crate::shaped::ir::Atom;
use std::fmt::Write;

/// The body over rows and columns.
pub struct RowForm {
    row: Var,
    column: Var,
    /// All steps that are left, over the row and the column.
    all: Vec<Step>,
    /// Those of them that are needed.
    live: Vec<Step>,
    /// The steps over the row and the column as they were.
    anywhere: Vec<Step>,
    cuts: Vec<Cut>,
    /// Whether columns lie in rows at all.
    divided: bool,
}

/// Brings steps over `index`, which runs over `extents`, into this form.
pub fn row_form(
    steps: &[Step],
    index: Var,
    extents: &[Atom],
    context: &Context<'_>,
    fresh: [Var; 4],
) -> RowForm {
    let [row, column, start, at] = fresh;
    let width = extents[extents.len() - 1];
    let divided = extents.len() > 1;
    let mut all = match divided {
        true => {
            let names = HashMap::from_iter([(index, Atom::Var(at))]);
            Split {
                index,
                width,
                row,
                column,
                at,
                names,
            }
            .steps(steps, start)
        }
        false => renamed(steps, &HashMap::from_iter([(index, Atom::Var(column))])),
    };
    let anywhere = all.clone();
    let mut cuts = Vec::new();
    // What has been replaced may show more.
    for _ in 0..PASSES {
        let mut fold = Fold::new(&all, row, column, width, context);
        let folded = fold.steps(&all);
        let (known, new) = (fold.known, fold.cuts);
        if known.is_empty() {
            break;
        }
        cuts.extend(new);
        for atom in cuts.iter_mut().flat_map(Cut::atoms) {
            *atom = named(*atom, &known);
        }
        all = folded;
    }
    let live = alive(
        &all,
        &Reads::new(&all, column, context.arrays, context.types),
    );
    RowForm {
        row,
        column,
        all,
        live,
        anywhere,
        cuts,
        divided,
    }
}

/// Whether the form may be of use: with one level there has to be a condition on the index. Asked
/// first, since it costs less than the form.
pub fn may_be_useful(steps: &[Step], index: Var, extents: &[Atom], context: &Context<'_>) -> bool {
    let reads = Reads::new(steps, index, context.arrays, context.types);
    let along = |args: &[Atom]| args.iter().any(|arg| reads.forward(*arg).is_some());
    extents.len() > 1
        || steps.iter().any(
            |step| matches!(step, Step::Scalar { op, args, .. } if decides(*op) && along(args)),
        )
}

/// How often conditions are looked for in what others have left.
const PASSES: usize = 4;

/// Takes the index apart.
struct Split {
    index: Var,
    width: Atom,
    row: Var,
    column: Var,
    /// The index, where it is used otherwise.
    at: Var,
    names: HashMap<Var, Atom>,
}

impl Split {
    fn steps(mut self, steps: &[Step], start: Var) -> Vec<Step> {
        let scalar = |out, op, a, b| Step::Scalar {
            out,
            op,
            args: vec![a, b],
        };
        let mut all = vec![
            scalar(start, ScalarOp::Mul, Atom::Var(self.row), self.width),
            scalar(
                self.at,
                ScalarOp::Add,
                Atom::Var(start),
                Atom::Var(self.column),
            ),
        ];
        let products: HashMap<Var, &[Atom]> = steps
            .iter()
            .filter_map(|step| match step {
                Step::Scalar {
                    out,
                    op: ScalarOp::Mul,
                    args,
                } => Some((*out, args.as_slice())),
                Step::Scalar { .. }
                | Step::Read { .. }
                | Step::Check { .. }
                | Step::Out { .. }
                | Step::Loop(_) => None,
            })
            .collect();
        for step in steps {
            if let Step::Scalar { out, op, args } = step
                && args[0] == Atom::Var(self.index)
                && let Some(value) = self.part(*op, args[1], &products)
            {
                match value {
                    Part::Is(var) => {
                        self.names.insert(*out, Atom::Var(var));
                    }
                    Part::RowBy(by) => {
                        all.push(scalar(*out, ScalarOp::Div, Atom::Var(self.row), by));
                    }
                }
                continue;
            }
            all.extend(renamed(std::slice::from_ref(step), &self.names));
        }
        all
    }

    /// What the index divided by `by` is.
    fn part(&self, op: ScalarOp, by: Atom, products: &HashMap<Var, &[Atom]>) -> Option<Part> {
        match op {
            ScalarOp::Div if by == self.width => Some(Part::Is(self.row)),
            ScalarOp::Rem if by == self.width => Some(Part::Is(self.column)),
            ScalarOp::Div => {
                let Atom::Var(by) = by else { return None };
                let factors = products.get(&by)?;
                (factors[1] == self.width).then_some(Part::RowBy(factors[0]))
            }
            _other => None,
        }
    }
}

enum Part {
    Is(Var),
    /// The quotient of the row by a number.
    RowBy(Atom),
}

/// Without what nobody uses. A read along a row does not use its index.
fn alive(steps: &[Step], reads: &Reads<'_>) -> Vec<Step> {
    let mut used: HashSet<Var> = HashSet::default();
    let mut live = Vec::new();
    for step in steps.iter().rev() {
        let needed = match step {
            Step::Scalar { out, .. } | Step::Read { out, .. } => used.contains(out),
            Step::Check { .. } | Step::Out { .. } | Step::Loop(_) => true,
        };
        if !needed {
            continue;
        }
        live.push(step.clone());
        if !matches!(step, Step::Read { index, .. } if reads.forward(*index).is_some()) {
            used.extend(operands(step).into_iter().filter_map(variable));
        }
    }
    live.reverse();
    live
}

fn variable(atom: Atom) -> Option<Var> {
    match atom {
        Atom::Var(var) => Some(var),
        Atom::Const(_) => None,
    }
}

impl RowForm {
    /// Whether rows are worth looking at one by one: the flat `steps` over `index` decide on indices,
    /// or read more arrays out of order.
    pub fn is_useful(&self, steps: &[Step], index: Var, context: &Context<'_>) -> bool {
        let flat = Reads::new(steps, index, context.arrays, context.types);
        let rows = Reads::new(&self.all, self.column, context.arrays, context.types);
        let along = |steps: &[Step], reads: &Reads<'_>| {
            let reads = steps.iter().filter(
                |step| matches!(step, Step::Read { index, .. } if reads.forward(*index).is_some()),
            );
            reads.count()
        };
        if self.reads_apart(&rows) {
            return false;
        }
        !self.cuts.is_empty()
            || self.divided
                && (self.uses_indices(&rows) || along(&self.all, &rows) > along(steps, &flat))
    }

    /// Whether neighbours in a row read far from each other, wherever they read. Several rows together
    /// would then read at as many more places.
    fn reads_apart(&self, rows: &Reads<'_>) -> bool {
        let mut positions = self.all.iter().filter_map(|step| match step {
            Step::Read { index, .. } => Some(normal(*index, rows.defs())),
            Step::Scalar { .. } | Step::Check { .. } | Step::Out { .. } | Step::Loop(_) => None,
        });
        let apart = |position: Poly| !position.is_linear_in(self.column, rows.defs());
        positions.next().is_some_and(apart) && positions.all(apart)
    }

    /// Whether a value is made of the row or the column.
    fn uses_indices(&self, reads: &Reads<'_>) -> bool {
        let indices = [Atom::Var(self.row), Atom::Var(self.column)];
        self.live.iter().any(|step| {
            let along = matches!(step, Step::Read { index, .. } if reads.forward(*index).is_some());
            !along && operands(step).iter().any(|atom| indices.contains(atom))
        })
    }

    /// Estimated operations per index.
    pub fn cost(&self, context: &Context<'_>) -> u32 {
        let steps = self.live.iter();
        let costs = steps.map(|step| step_cost(step, context.types));
        costs.fold(0, u32::saturating_add)
    }

    /// The implementation of `Rowed` for the kernel `name`, whose values are of type `out`; `row` is
    /// the name of what is the same in a row.
    pub fn text(
        &self,
        name: &str,
        row: &str,
        captured: &Captured,
        context: &Context<'_>,
        out: &str,
    ) -> String {
        let slots = numbered('o', context.outputs.len());
        let context = Context {
            index: self.column,
            ..*context
        };
        let mut reads = Reads::new(&self.all, self.column, context.arrays, context.types);
        reads.along_rows();
        let (block, reads) = row_block(&self.live, &context, reads);
        let (fields, given) = spans::fields(reads.spans());
        let Names {
            declared,
            head,
            tail,
            params,
        } = captured.names();
        let bounds = captured.bounds();
        let (own, locals) = (
            captured.scalar_locals("self"),
            captured.scalar_locals("self.k"),
        );
        let (inside, v) = (self.inside(&reads), format!("v{}", self.row.0));
        format!(
            "struct {row}<'a{params}> {{ k: &'a {name}{declared}, row: usize, start: usize, {fields} }}\n\
             {head} __r::Row for {row}<'_{params}>{bounds} {{\n\
             type Out = {out};\n\
             #[inline(always)]\n\
             fn block<const L: usize, F: __r::Flag>(&self, at: usize, \
             out: <Self::Out as __r::Product>::Slots<'_, {{ L }}>, flag: &mut F) {{\n\
             {locals}let {v} = self.row;\nlet start = self.start.wrapping_add(at);\n\
             let {slots} = out;\n{block}}}\n}}\n\
             {head} __r::Rowed for {name}{tail} {{\n\
             type Row<'r> = {row}<'r{params}> where Self: 'r;\n\
             #[inline(always)]\n\
             fn inside(&self, rows: __r::Range<usize>, width: usize) -> __r::Range<usize> {{\n\
             {own}{inside}}}\n\
             #[inline(always)]\n\
             fn row(&self, {v}: usize, columns: __r::Range<usize>) -> {row}<'_{params}> {{\n\
             {own}let start = columns.start;\n\
             {row} {{ k: self, row: {v}, start, {given} }}\n}}\n}}\n"
        )
    }

    /// The implementation of `Edged`.
    pub fn edges(&self, name: &str, captured: &Captured, context: &Context<'_>) -> String {
        let slots = numbered('o', context.outputs.len());
        let own = captured.scalar_locals("self");
        let context = Context {
            index: self.column,
            ..*context
        };
        let reads = Reads::new(&self.anywhere, self.column, context.arrays, context.types);
        let middle = Reads::new(&self.all, self.column, context.arrays, context.types);
        let pads = self.divided && reads.pads(&self.anywhere) && middle.pads(&self.live);
        let (block, _) = row_block(&self.anywhere, &context, reads);
        let (Names { head, tail, .. }, v) = (captured.names(), self.row.0);
        format!(
            "{head} __r::Edged for {name}{tail} {{\nconst PADS: bool = {pads};\n\
             #[inline(always)]\n\
             fn anywhere<const L: usize, F: __r::Flag>(&self, v{v}: usize, start: usize, \
             out: <Self::Out as __r::Product>::Slots<'_, {{ L }}>, flag: &mut F) {{\n\
             {own}let {slots} = out;\n{block}}}\n}}\n"
        )
    }

    /// The columns that are left in several rows.
    fn inside(&self, reads: &Reads<'_>) -> String {
        let (mut once, mut each, mut ends) = (String::new(), String::new(), String::new());
        let v = format!("v{}", self.row.0);
        for cut in &self.cuts {
            let cut = cut_text(cut, reads);
            // As it is written: what it is by its normal form may be the same in all rows.
            let text = match mentions(&cut, &v) {
                true => &mut each,
                false => &mut once,
            };
            let _ = writeln!(text, "columns.{cut};");
        }
        let spans = reads.spans();
        let (groups, _) = spans::groups(spans);
        for group in groups {
            let span = group.span(spans);
            // What is read in the first and the last row is so in those between.
            let text = if span.position.is_linear_in(self.row, reads.defs()) {
                &mut ends
            } else {
                &mut each
            };
            let [start, last] = group.ends(spans);
            let more = if start == last {
                vec![start]
            } else {
                vec![start, last]
            };
            for start in more {
                let _ = writeln!(text, "columns.read(self.{}.len(), {start});", span.field);
            }
        }
        let rows = |rows: &str, text: String| match text.is_empty() {
            true => text,
            false => format!("for {v} in {rows} {{\n{text}}}\n"),
        };
        let each = rows("rows.clone()", each);
        let ends = rows("[rows.start, rows.end.wrapping_sub(1)]", ends);
        format!(
            "let start = 0usize;\nlet mut columns = __r::Columns::all(width);\n\
             {once}{each}{ends}columns.range()\n"
        )
    }
}

/// Whether a name stands in a text.
fn mentions(text: &str, name: &str) -> bool {
    let mut words = text.split(|it: char| !it.is_alphanumeric() && it != '_');
    words.any(|word| word == name)
}
