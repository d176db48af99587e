//! What the indices of a block are: where its lanes read, and what follows from them by block.
//!
//! In: operands and the definitions of scalars. Out: text of positions, quotients, floats. Assumes as
//! `reads.rs`, of which this is a part.

use super::{Reads, Rows};
use crate::emit::rust::scalar;
use crate::emit::rust::steps::{LaneLoop, as_const};
use crate::fused::linear::{Poly, normal};
use crate::hash::HashSet;
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::Atom;
use std::fmt::Write;

/// Lanes of an index as a float, called `n` and their number, which are counted from block to block.
#[derive(Clone, PartialEq, Eq)]
pub struct Counted {
    /// The first one, at the start of a block.
    pub start: String,
    /// All indices below it are exact.
    pub limit: u64,
}

impl Reads<'_> {
    /// How far behind the element of an array at `index` that of the nest's next index is, if that
    /// can be told.
    pub(super) fn next_row(&self, outer: Var, index: Atom) -> Option<String> {
        let poly = normal(index, &self.defs);
        let mut along = poly.terms().filter(|(vars, _)| vars.contains(&outer));
        let (Some((vars, 1)), None) = (along.next(), along.next()) else {
            return None;
        };
        let others = vars.iter().filter(|var| **var != outer);
        let stride: Option<Vec<String>> = others.map(|var| self.uniform(Atom::Var(*var))).collect();
        match stride?.as_slice() {
            [] => Some("1".to_owned()),
            [first, rest @ ..] if rest.len() + 2 == vars.len() => {
                let times = rest.iter().map(|it| format!(".wrapping_mul({it})"));
                Some(first.clone() + &times.collect::<String>())
            }
            _squared => None,
        }
    }

    /// Whether an array is gone through from one end to the other, once: in a nest, whole rows of it.
    pub(super) fn goes_through(&self, array: Var, index: Atom) -> bool {
        let whole = |extents: &[Atom], rows: &Rows| match extents {
            [len] => {
                self.next_row(rows.index, index) == self.uniform(*len)
                    || self.is_in_row(rows, *len, index) && !rows.are_several(array)
            }
            _several => false,
        };
        self.times.get(&array) == Some(&1)
            && self
                .once
                .is_some_and(|extents| self.in_nest.is_none_or(|rows| whole(extents, rows)))
    }

    /// Whether a kernel over `len` elements reads the nest's row, of a length of its own, from its start on.
    fn is_in_row(&self, rows: &Rows, len: Atom, index: Atom) -> bool {
        rows.whole.is_some_and(|(start, own)| {
            let position = normal(index, &self.defs);
            let is = |var: Var| position.terms().any(|it| it == (&[var][..], 1));
            len == Atom::Var(own) && position.terms().count() == 2 && is(start) && is(self.index)
        })
    }

    /// How far behind an element of a row of a length of its own the next row's is, if that is as long: of
    /// an array that is read for the last time.
    pub(super) fn next_uneven_row(&self, rows: &Rows, array: Var, index: Atom) -> Option<String> {
        let Atom::Var(var) = index else { return None };
        let (ScalarOp::Add, _) = self.defs.get(&var)? else {
            return None;
        };
        let length = rows.uneven.filter(|_| rows.last.contains(&array))?;
        self.uniform(Atom::Var(length))
    }

    /// An operation on the index that is cheaper for a block than lane by lane.
    pub fn by_block(&mut self, out: Var, op: ScalarOp, args: &[Atom]) -> Option<String> {
        match op {
            ScalarOp::Cast => self
                .float(args[0], (self.types)(out))
                .or_else(|| self.narrow(args[0], (self.types)(out))),
            ScalarOp::Div | ScalarOp::Rem => self.divided(op, args),
            _other => None,
        }
    }

    /// A quotient or remainder of the index, which fits into 31 bits, as another type.
    fn narrow(&mut self, of: Atom, to: Scalar) -> Option<String> {
        let Atom::Var(var) = of else { return None };
        let (op, args) = *self.defs.get(&var)?;
        // Those are no types of Rust's `as`.
        if to.is_half() {
            return None;
        }
        self.long.as_ref()?;
        let wide = self.divided(op, args)?;
        let narrow = wide.strip_prefix('(')?.strip_suffix(" as usize)")?;
        Some(format!("({narrow} as {})", to.name()))
    }

    /// The index as a float: an addition instead of a conversion, where the numbers are small.
    fn float(&mut self, index: Atom, to: Scalar) -> Option<String> {
        let most = match to {
            Scalar::F64 => 1 << 52,
            Scalar::F32 => 1 << 31,
            _other => return None,
        };
        let whole = self.whole(index)?;
        let limit = whole.limit.map_or(most, |limit| most.min(limit));
        if let (Scalar::F64, Some(counted)) = (to, &mut self.counted) {
            let it = Counted {
                start: whole.start,
                limit,
            };
            let at = counted.iter().position(|other| *other == it);
            let at = at.unwrap_or_else(|| {
                counted.push(it);
                counted.len() - 1
            });
            return Some(format!("n{at}[l]"));
        }
        let (name, start) = (to.name(), &whole.start);
        let value = format!(
            "__r::index_{name}::<{{ L }}>({start}, {limit}, |i: usize| {} as {name})",
            whole.value
        );
        let name = self.once("x", &value);
        Some(format!("{name}[l]"))
    }

    /// An index, perhaps cast to other integers.
    fn whole(&self, index: Atom) -> Option<Whole> {
        if let Some(Position::Forward(start)) = self.position(index) {
            return Some(Whole {
                start,
                value: "i".to_owned(),
                limit: None,
            });
        }
        let Atom::Var(var) = index else { return None };
        let (ScalarOp::Cast, args) = self.defs.get(&var)? else {
            return None;
        };
        let to = (self.types)(var);
        let limit = match to {
            Scalar::I32 => Some(1 << 31),
            Scalar::U32 => Some(1 << 32),
            Scalar::I64 | Scalar::U64 | Scalar::Usize => None,
            _other => return None,
        };
        let from = self.whole(args[0])?;
        Some(Whole {
            start: from.start,
            value: format!("({} as {})", from.value, to.name()),
            limit: [from.limit, limit].into_iter().flatten().min(),
        })
    }

    /// The quotient or remainder of the index by a value that is the same in every lane: one
    /// division per block instead of one per lane.
    fn divided(&mut self, op: ScalarOp, args: &[Atom]) -> Option<String> {
        let path = match op {
            ScalarOp::Div => ".0",
            ScalarOp::Rem => ".1",
            _other => return None,
        };
        let Position::Forward(start) = self.position(args[0])? else {
            return None;
        };
        let by = self.uniform(args[1])?;
        // Other positions may wrap.
        if let (Some(long), "start") = (&mut self.long, start.as_str()) {
            long.push(by.clone());
            let name = self.once("d", &format!("__r::divide_long::<{{ L }}>(start, {by})"));
            return Some(format!("({name}{path}[l] as usize)"));
        }
        let name = self.once("q", &format!("__r::divide::<{{ L }}>({start}, {by})"));
        Some(format!("{name}{path}[l]"))
    }

    /// The position of a block whose index is `start + l + c` or `c - (start + l)`.
    pub(super) fn position(&self, index: Atom) -> Option<Position> {
        self.position_by(index, &|var| self.uniform(var))
    }

    /// The same, where `c` is the same in every lane on each trip of a loop.
    pub(super) fn position_in_trip(&self, index: Atom) -> Option<Position> {
        self.position_by(index, &|atom| self.in_trip(atom))
    }

    /// The position of a block; `uniform` gives the text of what is the same in every lane.
    fn position_by(&self, index: Atom, uniform: &Uniform<'_>) -> Option<Position> {
        self.plain_position(index, uniform)
            .or_else(|| self.normal_position(index, uniform))
    }

    /// As `position`, for indices that are so in normal form.
    fn normal_position(&self, index: Atom, uniform: &Uniform<'_>) -> Option<Position> {
        let (at, rest) = self.multiple(&normal(index, &self.defs), uniform)?;
        match at {
            1 => Some(Position::Forward(format!("start{rest}"))),
            -1 => Some(Position::Backward(format!(
                "0usize{rest}.wrapping_sub(start)"
            ))),
            _several_or_none => None,
        }
    }

    /// How often the block's index is in an index, and the text of what is added to that.
    pub(super) fn multiple(&self, poly: &Poly, uniform: &Uniform<'_>) -> Option<(i64, String)> {
        let mut at = 0;
        let mut rest = String::new();
        for (vars, factor) in poly.terms() {
            if vars == [self.index] {
                at = factor;
                continue;
            }
            let mut term = format!("{}usize", factor as u64);
            for var in vars {
                let uniform = uniform(Atom::Var(*var))?;
                let _ = write!(term, ".wrapping_mul({uniform})");
            }
            let _ = write!(rest, ".wrapping_add({term})");
        }
        Some((at, rest))
    }

    fn plain_position(&self, index: Atom, uniform: &Uniform<'_>) -> Option<Position> {
        let Atom::Var(var) = index else { return None };
        if var == self.index {
            return Some(Position::Forward("start".to_owned()));
        }
        let (op, args) = self.defs.get(&var)?;
        let moved = |index, by, how| self.moved(index, by, how, uniform);
        match op {
            ScalarOp::Add => moved(args[0], args[1], "wrapping_add")
                .or_else(|| moved(args[1], args[0], "wrapping_add")),
            ScalarOp::Sub => moved(args[0], args[1], "wrapping_sub").or_else(|| {
                match self.plain_position(args[1], uniform)? {
                    Position::Forward(start) => {
                        let from = uniform(args[0])?;
                        Some(Position::Backward(format!("{from}.wrapping_sub({start})")))
                    }
                    Position::Backward(_) => None,
                }
            }),
            _other => None,
        }
    }

    fn moved(&self, index: Atom, by: Atom, how: &str, uniform: &Uniform<'_>) -> Option<Position> {
        let by = uniform(by)?;
        Some(match self.plain_position(index, uniform)? {
            Position::Forward(start) => Position::Forward(format!("{start}.{how}({by})")),
            Position::Backward(start) => Position::Backward(format!("{start}.{how}({by})")),
        })
    }

    /// The text of a value that is the same in every lane.
    pub fn uniform(&self, atom: Atom) -> Option<String> {
        self.text_of(atom, &|_| None)
    }

    /// Of these variables those that are the same in every lane on each trip of a loop.
    pub fn even(&self, vars: &[Var]) -> HashSet<Var> {
        let even = vars.iter().filter(|var| self.even.contains(var));
        even.copied().collect()
    }

    /// The text of a loop's condition, if that holds in all lanes or in none.
    pub fn goes_on(&self, it: &LaneLoop) -> Option<String> {
        let together = it.mask.is_none() && self.even.contains(&it.live);
        together.then(|| self.in_trip(it.go_on)).flatten()
    }

    /// The text of a value that is the same in every lane on each trip of a loop.
    pub fn in_trip(&self, atom: Atom) -> Option<String> {
        let even = |var: Var| self.even.contains(&var).then(|| first_lane(var));
        self.text_of(atom, &even)
    }

    /// The text of a value made of what is the same in every lane, and of variables that `known` has
    /// a text for.
    fn text_of(&self, atom: Atom, known: &dyn Fn(Var) -> Option<String>) -> Option<String> {
        let var = match atom {
            Atom::Const(it) => return Some(scalar::constant(it)),
            Atom::Var(var) => var,
        };
        if let Some(text) = known(var) {
            return Some(text);
        }
        if var == self.index || self.varying.contains(&var) {
            return None;
        }
        let Some((op, args)) = self.defs.get(&var) else {
            return Some(format!("v{}", var.0));
        };
        let texts: Option<Vec<String>> = args.iter().map(|arg| self.text_of(*arg, known)).collect();
        let consts: Vec<_> = args.iter().map(|arg| as_const(*arg)).collect();
        let from = match args[0] {
            Atom::Var(arg) => (self.types)(arg),
            Atom::Const(it) => it.ty,
        };
        Some(format!(
            "({})",
            scalar::expr(*op, &texts?, &consts, from, (self.types)(var), scalar::ANY)
        ))
    }
}

/// The text of a value that is the same in every lane, see [`Reads::uniform`].
type Uniform<'u> = dyn Fn(Atom) -> Option<String> + 'u;

/// The text of a value that is the same in every lane, as it is in the first.
fn first_lane(var: Var) -> String {
    format!("a{}[0]", var.0)
}

/// An index of a block, cast to integers.
struct Whole {
    /// The block's first index.
    start: String,
    /// The value for an index `i`.
    value: String,
    /// Below it, the value is the index.
    limit: Option<u64>,
}

/// Where a block's lanes read: each behind the one before, or in front of it; with the first one's
/// position.
pub(super) enum Position {
    Forward(String),
    Backward(String),
}
