//! Conditions on indices, as they are in the middle of rows.
//!
//! In: the steps of a kernel over rows and columns. Out: the steps with such conditions replaced by
//! what they are in most columns of most rows, and what cuts the other columns off. Assumes that
//! arithmetic of `usize` wraps, as that of positions does.

use crate::emit::rust::lanes::Context;
use crate::emit::rust::reads::Reads;
use crate::emit::rust::scalar;
use crate::emit::rust::steps::Step;
use crate::fused::linear::normal;
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::prims::{Method, Scalar, ScalarOp};
use crate::shaped::ir::Atom;
use crate::typed::ir::Const;

/// What cuts columns off.
pub enum Cut {
    /// Those in which `number < bound` (`<=` with `more` 1 instead of 0), or its contrary, `holds`.
    Less {
        number: Atom,
        bound: Atom,
        more: u8,
        holds: bool,
    },
    /// That in which they are equal.
    Differ { number: Atom, bound: Atom },
    /// Those in which a number divided by another is not 1.
    Once { number: Atom, by: Atom },
    /// All, where a comparison that depends on the row does not have this value.
    When {
        op: ScalarOp,
        args: [Atom; 2],
        holds: bool,
    },
}

impl Cut {
    /// What it compares, to be changed.
    pub fn atoms(&mut self) -> [&mut Atom; 2] {
        match self {
            Cut::Less { number, bound, .. } | Cut::Differ { number, bound } => [number, bound],
            Cut::Once { number, by } => [number, by],
            Cut::When { args: [a, b], .. } => [a, b],
        }
    }
}

/// A cut as a call of a method of the run time's `Columns`.
pub fn cut_text(cut: &Cut, reads: &Reads<'_>) -> String {
    let number = |atom| reads.forward(atom).unwrap_or_default();
    let uniform = |atom| reads.uniform(atom).unwrap_or_default();
    match cut {
        Cut::Less {
            number: of,
            bound,
            more,
            holds,
        } => {
            format!(
                "less({}, {}, {more}, {holds})",
                number(*of),
                uniform(*bound)
            )
        }
        Cut::Differ { number: of, bound } => {
            format!("differ({}, {})", number(*of), uniform(*bound))
        }
        Cut::Once { number: of, by } => {
            format!("once({}, {})", number(*of), uniform(*by))
        }
        Cut::When { op, args, holds } => {
            let [a, b] = args.map(uniform);
            let holds = if *holds { "" } else { "!" };
            let cond = scalar::expr(
                *op,
                &[a, b],
                &[None, None],
                Scalar::Usize,
                Scalar::Bool,
                scalar::ANY,
            );
            format!("when({holds}{cond})")
        }
    }
}

/// Replaces conditions by what they are in the middle.
pub struct Fold<'a> {
    row: Var,
    width: Atom,
    types: &'a dyn Fn(Var) -> Scalar,
    reads: Reads<'a>,
    /// Variables that are the row or made of it by divisions.
    rows: HashSet<Var>,
    /// What has been replaced, by what.
    pub known: HashMap<Var, Atom>,
    /// What has to be cut off for that.
    pub cuts: Vec<Cut>,
}

impl<'a> Fold<'a> {
    /// Nothing replaced yet in `all`.
    pub fn new(all: &'a [Step], row: Var, column: Var, width: Atom, context: &Context<'a>) -> Self {
        Fold {
            row,
            width,
            types: context.types,
            reads: Reads::new(all, column, context.arrays, context.types),
            rows: HashSet::from_iter([row]),
            known: HashMap::default(),
            cuts: Vec::new(),
        }
    }

    /// Replaces what it can in the steps that it was made for.
    pub fn steps(&mut self, all: &[Step]) -> Vec<Step> {
        let mut steps = Vec::new();
        for step in all {
            let step = renamed(std::slice::from_ref(step), &self.known).remove(0);
            match step {
                Step::Scalar { out, op, args } => match self.value(out, op, &args) {
                    Some(Value::Is(atom)) => {
                        self.known.insert(out, atom);
                    }
                    Some(Value::Difference) => {
                        steps.push(Step::Scalar {
                            out,
                            op: ScalarOp::Sub,
                            args,
                        });
                    }
                    None => steps.push(Step::Scalar { out, op, args }),
                },
                Step::Check {
                    mask,
                    ok,
                    id,
                    values,
                } => {
                    let mask = match mask.and_then(truth) {
                        Some(false) => continue,
                        Some(true) => None,
                        None => mask,
                    };
                    if truth(ok) != Some(true) {
                        steps.push(Step::Check {
                            mask,
                            ok,
                            id,
                            values,
                        });
                    }
                }
                other => steps.push(other),
            }
        }
        steps
    }

    /// What an operation gives in the middle, if that is known.
    fn value(&mut self, out: Var, op: ScalarOp, args: &[Atom]) -> Option<Value> {
        let is = |atom| Some(Value::Is(atom));
        match op {
            ScalarOp::Not => is(bool(!truth(args[0])?)),
            ScalarOp::BitAnd | ScalarOp::BitOr => {
                let absorbs = op == ScalarOp::BitOr;
                let (atom, other) = match (truth(args[0]), truth(args[1])) {
                    (Some(known), _) => (known, args[1]),
                    (None, Some(known)) => (known, args[0]),
                    (None, None) => return None,
                };
                is(if atom == absorbs {
                    bool(absorbs)
                } else {
                    other
                })
            }
            ScalarOp::Select => is(if truth(args[0])? { args[1] } else { args[2] }),
            ScalarOp::Eq
            | ScalarOp::Ne
            | ScalarOp::Lt
            | ScalarOp::Le
            | ScalarOp::Gt
            | ScalarOp::Ge => is(bool(self.comparison(op, args)?)),
            ScalarOp::Max => self.extreme(args, false),
            ScalarOp::Min => self.extreme(args, true),
            ScalarOp::Method(Method::SaturatingSub) if self.is_size(args[0]) => {
                self.along(args[0])?;
                self.less(args[1], args[0], 1, true)?;
                Some(Value::Difference)
            }
            ScalarOp::Rem if self.is_size(args[0]) => self.remainder(args),
            ScalarOp::Div if args[0] == Atom::Var(self.row) => {
                self.rows.insert(out);
                None
            }
            _other => None,
        }
    }

    fn is_size(&self, atom: Atom) -> bool {
        match atom {
            Atom::Var(var) => (self.types)(var) == Scalar::Usize,
            Atom::Const(it) => it.ty == Scalar::Usize,
        }
    }

    /// `Some` if a number grows with the column.
    fn along(&self, atom: Atom) -> Option<()> {
        self.reads.forward(atom).map(|_| ())
    }

    fn comparison(&mut self, op: ScalarOp, args: &[Atom]) -> Option<bool> {
        let (a, b) = (args[0], args[1]);
        if !self.is_size(a) || !self.is_size(b) {
            return None;
        }
        let uniform = |it: &Self, atom| it.reads.uniform(atom).is_some();
        match (uniform(self, a), uniform(self, b)) {
            (true, true) => self.of_row(op, a, b),
            (false, true) => self.of_column(op, a, b),
            (true, false) => self.of_column(mirrored(op), b, a),
            (false, false) => None,
        }
    }

    /// A comparison of the row with something.
    fn of_row(&mut self, op: ScalarOp, a: Atom, b: Atom) -> Option<bool> {
        let mut rows = [a, b].map(|atom| self.is_of_row(atom)).into_iter();
        let (left, right) = (rows.next()??, rows.next()??);
        let holds = match (left, right) {
            (true, false) => usual(op, self.is_small(b)),
            (false, true) => usual(mirrored(op), self.is_small(a)),
            (true, true) | (false, false) => return None,
        };
        self.cuts.push(Cut::When {
            op,
            args: [a, b],
            holds,
        });
        Some(holds)
    }

    /// Whether a number is a row, or an index made of it, and something; `None` if it is made of it
    /// in another way.
    fn is_of_row(&self, atom: Atom) -> Option<bool> {
        let poly = normal(atom, self.reads.defs());
        let mut of_row = false;
        for var in poly.terms().flat_map(|(vars, _)| vars.iter().copied()) {
            if self.rows.contains(&var) {
                of_row = true;
            } else if self.reads.defs().contains_key(&var) && self.depends(Atom::Var(var)) {
                return None;
            }
        }
        Some(of_row)
    }

    fn depends(&self, atom: Atom) -> bool {
        let Atom::Var(var) = atom else { return false };
        if self.rows.contains(&var) {
            return true;
        }
        let args = self.reads.defs().get(&var).map(|(_, args)| *args);
        args.is_some_and(|args| args.iter().any(|arg| self.depends(*arg)))
    }

    fn of_column(&mut self, op: ScalarOp, number: Atom, bound: Atom) -> Option<bool> {
        self.along(number)?;
        let holds = usual(op, self.is_small(bound));
        match op {
            ScalarOp::Eq | ScalarOp::Ne => self.cuts.push(Cut::Differ { number, bound }),
            ScalarOp::Lt => self.less(number, bound, 0, holds)?,
            ScalarOp::Le => self.less(number, bound, 1, holds)?,
            ScalarOp::Gt => self.less(number, bound, 1, !holds)?,
            ScalarOp::Ge => self.less(number, bound, 0, !holds)?,
            _other => return None,
        }
        Some(holds)
    }

    /// Cuts the columns off in which `number < bound`, or its contrary, does not hold. Either of them
    /// may be the one that grows with the column.
    fn less(&mut self, number: Atom, bound: Atom, more: u8, holds: bool) -> Option<()> {
        if self.reads.uniform(bound).is_some() {
            self.along(number)?;
            self.cuts.push(Cut::Less {
                number,
                bound,
                more,
                holds,
            });
        } else {
            // `a < b` is not `b <= a`.
            self.reads.uniform(number)?;
            self.along(bound)?;
            let (number, bound) = (bound, number);
            self.cuts.push(Cut::Less {
                number,
                bound,
                more: 1 - more,
                holds: !holds,
            });
        }
        Some(())
    }

    /// Whether a number is among the first of a row or of all rows.
    fn is_small(&self, atom: Atom) -> bool {
        let Atom::Const(it) = atom else { return false };
        match self.width {
            Atom::Const(width) => it.bits < width.bits / 2,
            Atom::Var(_) => true,
        }
    }

    /// The smaller or the larger of two.
    fn extreme(&mut self, args: &[Atom], smaller: bool) -> Option<Value> {
        if !self.is_size(args[0]) {
            return None;
        }
        let (number, bound) = match self.along(args[0]) {
            Some(()) => (args[0], args[1]),
            None => (args[1], args[0]),
        };
        self.along(number)?;
        self.reads.uniform(bound)?;
        // Where it is not the column's, it is so in most columns.
        if self.is_small(bound) == smaller {
            return None;
        }
        self.less(number, bound, u8::from(smaller), smaller)?;
        Some(Value::Is(number))
    }

    /// A remainder, in the columns in which the quotient is 0.
    fn remainder(&mut self, args: &[Atom]) -> Option<Value> {
        self.along(args[0])?;
        self.reads.uniform(args[1])?;
        let whole = match args[1] {
            Atom::Var(by) => {
                let poly = normal(args[0], self.reads.defs());
                poly.terms()
                    .any(|(vars, factor)| vars == [by] && factor == 1)
            }
            Atom::Const(_) => false,
        };
        if !whole {
            self.less(args[0], args[1], 0, true)?;
            return Some(Value::Is(args[0]));
        }
        // With the divisor in it, the quotient is 1.
        let (number, by) = (args[0], args[1]);
        self.cuts.push(Cut::Once { number, by });
        Some(Value::Difference)
    }
}

/// Whether an operation on an index may be replaced.
pub fn decides(op: ScalarOp) -> bool {
    matches!(
        op,
        ScalarOp::Eq
            | ScalarOp::Ne
            | ScalarOp::Lt
            | ScalarOp::Le
            | ScalarOp::Gt
            | ScalarOp::Ge
            | ScalarOp::Min
            | ScalarOp::Max
            | ScalarOp::Rem
            | ScalarOp::Method(Method::SaturatingSub)
    )
}

/// What an operation gives.
enum Value {
    Is(Atom),
    /// The difference of its operands.
    Difference,
}

/// Whether a comparison with a number holds in most columns or rows.
fn usual(op: ScalarOp, small: bool) -> bool {
    match op {
        ScalarOp::Ne => true,
        ScalarOp::Lt | ScalarOp::Le => !small,
        ScalarOp::Gt | ScalarOp::Ge => small,
        _equal => false,
    }
}

/// The comparison with its operands exchanged.
fn mirrored(op: ScalarOp) -> ScalarOp {
    match op {
        ScalarOp::Lt => ScalarOp::Gt,
        ScalarOp::Le => ScalarOp::Ge,
        ScalarOp::Gt => ScalarOp::Lt,
        ScalarOp::Ge => ScalarOp::Le,
        equal => equal,
    }
}

fn truth(atom: Atom) -> Option<bool> {
    match atom {
        Atom::Const(it) if it.ty == Scalar::Bool => Some(it.bits != 0),
        Atom::Const(_) | Atom::Var(_) => None,
    }
}

fn bool(value: bool) -> Atom {
    Atom::Const(Const {
        ty: Scalar::Bool,
        bits: u64::from(value),
    })
}

/// What a variable is called.
pub fn named(atom: Atom, names: &HashMap<Var, Atom>) -> Atom {
    match atom {
        Atom::Var(var) => names.get(&var).copied().unwrap_or(atom),
        Atom::Const(_) => atom,
    }
}

/// Steps with other names for some variables.
pub fn renamed(steps: &[Step], names: &HashMap<Var, Atom>) -> Vec<Step> {
    let atom = |atom: &Atom| named(*atom, names);
    let step = |step: &Step| match step {
        Step::Scalar { out, op, args } => Step::Scalar {
            out: *out,
            op: *op,
            args: args.iter().map(atom).collect(),
        },
        Step::Read {
            out,
            array,
            index,
            sure,
        } => Step::Read {
            out: *out,
            array: *array,
            index: atom(index),
            sure: *sure,
        },
        Step::Check {
            mask,
            ok,
            id,
            values,
        } => Step::Check {
            mask: mask.as_ref().map(atom),
            ok: atom(ok),
            id: *id,
            values: values.iter().map(atom).collect(),
        },
        Step::Out { at, value } => Step::Out {
            at: *at,
            value: atom(value),
        },
        Step::Loop(_) => unreachable!("asked before"),
    };
    steps.iter().map(step).collect()
}
