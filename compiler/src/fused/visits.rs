//! Whether a reader comes to each element of an array at most once.
//!
//! In: the indices at which it reads, and the levels that it runs over. Out: yes if they take each
//! combination of values at most once. Where that is not seen, the array is stored for nothing, or
//! not delayed: no result depends on it.

use crate::flat::ir::Level;
use crate::hash::HashMap;
use crate::ids::Var;
use crate::prims::ScalarOp;
use crate::shaped::ir::Atom;

/// What indices are made of.
pub struct Visits<'s, 'a> {
    /// The levels that the reader runs over.
    pub levels: &'s [&'a Level],
    /// Scalar definitions.
    pub scalars: &'s HashMap<Var, (ScalarOp, &'a [Atom])>,
    /// The levels in whose body a variable is defined.
    pub inside: &'s HashMap<Var, Vec<Var>>,
}

impl Visits<'_, '_> {
    /// Whether the indices take each combination of values at most once while the reader runs.
    pub fn each_once(&self, index: &[Atom]) -> bool {
        let mut levels: Vec<Var> = self.levels.iter().map(|it| it.index).collect();
        for index in self.joined(index) {
            if self.is_fixed(index) {
                continue;
            }
            let Some(runs) = self.runs_over(index) else {
                return false;
            };
            for level in runs {
                let Some(at) = levels.iter().position(|it| *it == level) else {
                    return false;
                };
                levels.remove(at);
            }
        }
        levels.is_empty()
    }

    /// Indices with `x / m` and `x % m` replaced by `x`.
    fn joined(&self, index: &[Atom]) -> Vec<Atom> {
        let mut index = index.to_vec();
        while let Some((at, other, whole)) = self.halves(&index) {
            index[at] = whole;
            index.remove(other);
        }
        index
    }

    fn halves(&self, index: &[Atom]) -> Option<(usize, usize, Atom)> {
        index.iter().enumerate().find_map(|(at, row)| {
            let (ScalarOp::Div, args) = self.definition(*row)? else {
                return None;
            };
            let rest = |it: &Atom| self.definition(*it) == Some((ScalarOp::Rem, args));
            Some((at, index.iter().position(rest)?, args[0]))
        })
    }

    /// The levels that `index` runs over, as `±i + c`, or `i * m` and a `±j + c` where `m` is
    /// the extent of `j`.
    fn runs_over(&self, index: Atom) -> Option<Vec<Var>> {
        let Atom::Var(var) = index else { return None };
        if self.levels.iter().any(|level| level.index == var) {
            return Some(vec![var]);
        }
        let (op, args) = self.definition(index)?;
        let (ScalarOp::Add | ScalarOp::Sub) = op else {
            return None;
        };
        [(args[0], args[1]), (args[1], args[0])]
            .into_iter()
            .find_map(|(moving, other)| {
                if self.is_fixed(other) {
                    return self.runs_over(moving);
                }
                let [column] = self.runs_over(other)?[..] else {
                    return None;
                };
                let width = self
                    .levels
                    .iter()
                    .find(|it| it.index == column)?
                    .extent
                    .value;
                let mut levels = self.runs_over(self.row(moving, width)?)?;
                levels.push(column);
                Some(levels)
            })
    }

    /// The row that begins at `first`, rows being of `width`.
    fn row(&self, first: Atom, width: Atom) -> Option<Atom> {
        match self.definition(first)? {
            (ScalarOp::Mul, [row, by]) if *by == width => Some(*row),
            (ScalarOp::Mul, [by, row]) if *by == width => Some(*row),
            _other => None,
        }
    }

    fn definition(&self, atom: Atom) -> Option<(ScalarOp, &[Atom])> {
        match atom {
            Atom::Var(var) => self.scalars.get(&var).copied(),
            Atom::Const(_) => None,
        }
    }

    /// Whether an operand is the same at each index of the levels: made outside, or of what is.
    fn is_fixed(&self, atom: Atom) -> bool {
        let Atom::Var(var) = atom else { return true };
        let own = |level: &Var| self.levels.iter().any(|own| own.index == *level);
        match self.inside.get(&var) {
            Some(inside) if inside.iter().any(own) => match self.definition(atom) {
                Some((_, args)) => args.iter().all(|arg| self.is_fixed(*arg)),
                None => false,
            },
            Some(_) | None => true,
        }
    }
}
