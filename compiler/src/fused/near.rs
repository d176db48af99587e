//! How far from its own index a kernel reads arrays.
//!
//! In: a kernel, and what the scalars of its function are. Out: the reach of its reads along an axis.
//! Assumes that what it reads is in range, or a check of it fails.

use crate::fused::ir::{Body, Kernel, Layout, Op, VarInfo};
use crate::fused::sweeps::{Def, Defs, Equal};
use crate::ids::Var;
use crate::prims::{Method, Scalar, ScalarOp};
use crate::shaped::ir::{Atom, VarType};

/// Beyond this, slabs would hardly be longer than what they need at their ends.
pub(super) const MOST: u64 = 1024;

/// Where an integer lies, relative to the index along an axis: at `low..=high` from it.
#[derive(Clone, Copy)]
struct Span {
    low: i64,
    high: i64,
    /// Whether it may be negative, and so, if it is unsigned, a large number.
    negative: bool,
    /// Whether it goes on from the other end where it would leave the axis: then it lies there if the axis
    /// is taken to be repeated on both sides.
    round: bool,
}

/// How far from its own index a kernel reads.
pub(super) struct Reached {
    /// The most elements on either side.
    pub(super) most: u64,
    /// Whether reads go on from the other end.
    pub(super) round: bool,
}

impl Span {
    const OWN: Span = Span {
        low: 0,
        high: 0,
        negative: false,
        round: false,
    };

    fn both(self, other: Span) -> Span {
        Span {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            negative: self.negative || other.negative,
            round: self.round || other.round,
        }
    }

    fn moved(self, by: i64) -> Option<Span> {
        Some(Span {
            low: self.low.checked_add(by)?,
            high: self.high.checked_add(by)?,
            negative: self.negative || by < 0,
            ..self
        })
    }

    /// At least the number `least`, which no own index is below 0 of.
    fn at_least(self, least: i64, signed: bool) -> Span {
        Span {
            high: self.high.max(least),
            // A large number stays one.
            negative: self.negative && !signed,
            ..self
        }
    }

    /// At most the extent less `by`.
    fn below_extent(self, by: i64, signed: bool) -> Option<Span> {
        // A large number would become the last index.
        if self.negative && !signed {
            return None;
        }
        Some(Span {
            low: self.low.min(1i64.checked_sub(by)?),
            // The extent is at least 1 where there is an index.
            negative: self.negative || by > 1,
            ..self
        })
    }
}

/// Looks at what a kernel reads of the arrays of the state.
pub(super) struct Near<'a> {
    pub(super) vars: &'a [VarInfo],
    pub(super) defs: &'a Defs,
    pub(super) equal: &'a Equal,
    pub(super) kernel: &'a Kernel,
    pub(super) states: &'a [Var],
    pub(super) axis: usize,
}

impl Near<'_> {
    /// How far it reads along the axis; `None` if that is not known.
    pub(super) fn reach(&self) -> Option<Reached> {
        let span = self.body(&self.kernel.body)?;
        Some(Reached {
            most: span.low.unsigned_abs().max(span.high.unsigned_abs()),
            round: span.round,
        })
    }

    /// What all reads of a body reach; `None` if one may reach anywhere, or if it has loops.
    fn body(&self, body: &Body) -> Option<Span> {
        let mut all = Span::OWN;
        for stmt in &body.stmts {
            match &stmt.op {
                Op::Read { array, index }
                    if self.states.contains(array) && *index != Atom::Var(self.kernel.index) =>
                {
                    all = all.both(self.repeated(self.index(*index)?)?);
                }
                Op::If { then, else_, .. } => {
                    all = all.both(self.body(then)?).both(self.body(else_)?);
                }
                Op::Scalar(..) | Op::Check { .. } | Op::Read { .. } => {}
                Op::Len { .. }
                | Op::Literal(_)
                | Op::Update { .. }
                | Op::Loop(_)
                | Op::Kernel(_) => {
                    return None;
                }
            }
        }
        Some(all)
    }

    pub(super) fn scalar(&self, atom: Atom, op: ScalarOp) -> Option<&[Atom]> {
        let Atom::Var(var) = atom else { return None };
        match self.defs.get(&var)? {
            Def::Scalar(own, args) if *own == op => Some(args),
            Def::Scalar(..) | Def::Either(..) => None,
        }
    }

    /// The index along the axis of a position (see `positions.rs`).
    fn index(&self, mut position: Atom) -> Option<Atom> {
        let mut found = None;
        for (axis, extent) in self.kernel.extents.iter().enumerate().skip(1).rev() {
            let sum = self.scalar(position, ScalarOp::Add)?;
            let product = self.scalar(sum[0], ScalarOp::Mul)?;
            if !self.equal.are(product[1], *extent) {
                return None;
            }
            if axis == self.axis {
                found = Some(sum[1]);
            }
            position = product[0];
        }
        Some(found.unwrap_or(position))
    }

    /// Whether this is the kernel's own index along the axis.
    fn is_own(&self, atom: Atom) -> bool {
        let extents = &self.kernel.extents;
        if self.axis == 0 {
            return self.is_row(atom, 0);
        }
        if self.axis + 1 == extents.len() {
            let own = self.scalar(atom, ScalarOp::Rem);
            return own.is_some_and(|args| {
                args[0] == Atom::Var(self.kernel.index)
                    && self.equal.are(args[1], extents[self.axis])
            });
        }
        let own = self.scalar(atom, ScalarOp::Sub);
        own.is_some_and(|args| {
            self.is_row(args[0], self.axis)
                && self.scalar(args[1], ScalarOp::Mul).is_some_and(|first| {
                    self.is_row(first[0], self.axis - 1)
                        && self.equal.are(first[1], extents[self.axis])
                })
        })
    }

    /// Whether this is the row along an axis among all of those.
    fn is_row(&self, atom: Atom, axis: usize) -> bool {
        let index = Atom::Var(self.kernel.index);
        let inner = &self.kernel.extents[axis + 1..];
        if inner.is_empty() {
            return atom == index;
        }
        let quotient = self.scalar(atom, ScalarOp::Div);
        quotient.is_some_and(|args| args[0] == index && self.is_product(args[1], inner))
    }

    fn is_product(&self, atom: Atom, factors: &[Atom]) -> bool {
        match factors {
            [] => false,
            [one] => self.equal.are(atom, *one),
            [before @ .., last] => self.scalar(atom, ScalarOp::Mul).is_some_and(|args| {
                self.equal.are(args[1], *last) && self.is_product(args[0], before)
            }),
        }
    }

    /// Where an index lies, the axis being repeated if it goes on from the other end.
    fn repeated(&self, atom: Atom) -> Option<Span> {
        let Some((of, by)) = self.beyond(atom) else {
            return self.span(atom);
        };
        let of = self.repeated(of)?;
        // A large number has another remainder.
        let moved = of.moved(by).filter(|_| !of.negative)?;
        Some(Span {
            negative: false,
            // What is above the own index may be beyond the end without a step.
            round: of.round || by != 0 || of.high > 0,
            ..moved
        })
    }

    /// How far from which index one lies that goes on from the other end: `(index + by) % extent` and
    /// `(index + (extent - by % extent)) % extent`, `(index + extent - 1) % extent`.
    pub(super) fn beyond(&self, atom: Atom) -> Option<(Atom, i64)> {
        let Atom::Var(var) = atom else { return None };
        let extent = self.kernel.extents[self.axis];
        let rest = self.scalar(atom, ScalarOp::Rem)?;
        let is_size = self.int(var) == Some(Scalar::Usize);
        if !is_size || self.is_own(atom) || !self.equal.are(rest[1], extent) {
            return None;
        }
        let Sum { of, by, turns } = self.sum(rest[0])?;
        // There is an index, so that the extent is at least 1. A large number has another remainder.
        (by.checked_add(turns)? >= 0).then_some((of, self.shortest(by)))
    }

    /// Takes numbers and extents from a sum.
    fn sum(&self, atom: Atom) -> Option<Sum> {
        let with = |of: Atom, (by, turns): (i64, i64)| {
            let sum = self.sum(of)?;
            Some(Sum {
                of: sum.of,
                by: sum.by.checked_add(by)?,
                turns: sum.turns.checked_add(turns)?,
            })
        };
        if let Some([a, b]) = self.scalar(atom, ScalarOp::Add) {
            let both = [(*a, *b), (*b, *a)].into_iter();
            let mut steps = both.filter_map(|(of, step)| Some((of, self.step(step)?)));
            if let Some((of, step)) = steps.next() {
                return with(of, step);
            }
        }
        if let Some([of, by]) = self.scalar(atom, ScalarOp::Sub)
            && let Some(by) = known(*by)
        {
            return with(*of, (-by, 0));
        }
        Some(Sum {
            of: atom,
            by: 0,
            turns: 0,
        })
    }

    /// A number or an extent that is added, or an extent less a number.
    fn step(&self, atom: Atom) -> Option<(i64, i64)> {
        let is_extent = |atom| self.equal.are(atom, self.kernel.extents[self.axis]);
        if is_extent(atom) {
            return Some((0, 1));
        }
        if let Some(by) = known(atom) {
            return Some((by, 0));
        }
        let back = self.scalar(atom, ScalarOp::Sub)?;
        if !is_extent(back[0]) {
            return None;
        }
        if let Some(by) = known(back[1]) {
            return Some((-by, 1));
        }
        let rest = self.scalar(back[1], ScalarOp::Rem)?;
        let by = known(rest[0]).filter(|_| is_extent(rest[1]))?;
        // Never more than the extent.
        Some((-by, by))
    }

    /// The shorter way to the same index on an axis of a known extent.
    fn shortest(&self, by: i64) -> i64 {
        let Some(extent) = known(self.kernel.extents[self.axis]).filter(|it| *it > 0) else {
            return by;
        };
        let by = by.rem_euclid(extent);
        if by > extent / 2 { by - extent } else { by }
    }

    fn span(&self, atom: Atom) -> Option<Span> {
        if self.is_own(atom) {
            return Some(Span::OWN);
        }
        let Atom::Var(var) = atom else { return None };
        let signed = match self.int(var)? {
            Scalar::Usize | Scalar::U64 => false,
            Scalar::I64 => true,
            _narrow => return None,
        };
        match self.defs.get(&var)? {
            Def::Either(a, b) => Some(self.span(*a)?.both(self.span(*b)?)),
            Def::Scalar(op, args) => self.result(*op, args, signed),
        }
    }

    fn result(&self, op: ScalarOp, args: &[Atom], signed: bool) -> Option<Span> {
        match op {
            ScalarOp::Cast => self.span(args[0]),
            ScalarOp::Add => match (number(args[0]), number(args[1])) {
                (None, Some(by)) => self.span(args[0])?.moved(by),
                (Some(by), None) => self.span(args[1])?.moved(by),
                (None, None) | (Some(_), Some(_)) => None,
            },
            ScalarOp::Sub => self.span(args[0])?.moved(-number(args[1])?),
            ScalarOp::Method(Method::SaturatingSub) if !signed => {
                let (span, by) = (self.span(args[0])?, number(args[1])?);
                let low = span.low.checked_sub(by)?;
                (by >= 0).then_some(Span { low, ..span })
            }
            ScalarOp::Max => self
                .most(args[0], args[1], signed)
                .or_else(|| self.most(args[1], args[0], signed))
                .or_else(|| self.between(args[0], args[1], signed))
                .or_else(|| self.between(args[1], args[0], signed)),
            ScalarOp::Min => self
                .least(args[0], args[1], signed)
                .or_else(|| self.least(args[1], args[0], signed)),
            ScalarOp::Clamp => {
                let least = number(args[1]).filter(|least| *least >= 0)?;
                let above = self.span(args[0])?.at_least(least, signed);
                above.below_extent(self.below(args[2])?, signed)
            }
            ScalarOp::Select => Some(self.span(args[1])?.both(self.span(args[2])?)),
            _elsewhere => None,
        }
    }

    fn most(&self, of: Atom, least: Atom, signed: bool) -> Option<Span> {
        let least = number(least).filter(|least| *least >= 0)?;
        Some(self.span(of)?.at_least(least, signed))
    }

    fn least(&self, of: Atom, most: Atom, signed: bool) -> Option<Span> {
        let by = self.below(most)?;
        self.span(of)?.below_extent(by, signed)
    }

    /// `max(min(any, most), least)`: from the least to the most.
    fn between(&self, inner: Atom, least: Atom, signed: bool) -> Option<Span> {
        let most = self.scalar(inner, ScalarOp::Min)?;
        let most = self.span(most[0]).or_else(|| self.span(most[1]))?;
        let both = most.both(self.span(least)?);
        // A large number is no bound.
        (signed || !both.negative).then_some(both)
    }

    /// How much less than the extent along the axis a number is.
    fn below(&self, atom: Atom) -> Option<i64> {
        if self.equal.are(atom, self.kernel.extents[self.axis]) {
            return Some(0);
        }
        if let Some(args) = self.scalar(atom, ScalarOp::Sub) {
            let by = number(args[1])?;
            return self.below(args[0])?.checked_add(by);
        }
        let Atom::Var(var) = atom else { return None };
        let wide = |var: Var| {
            matches!(
                self.int(var),
                Some(Scalar::Usize | Scalar::U64 | Scalar::I64)
            )
        };
        match self.scalar(atom, ScalarOp::Cast)? {
            // Nothing is lost on the way.
            [Atom::Var(of)] if wide(var) && wide(*of) => self.below(Atom::Var(*of)),
            _others => None,
        }
    }

    fn int(&self, var: Var) -> Option<Scalar> {
        match &self.vars[var.index()].ty {
            Layout::Plain(VarType::Scalar(scalar)) => Some(*scalar),
            Layout::Plain(VarType::Array(_)) | Layout::Component { .. } | Layout::Packed { .. } => {
                None
            }
        }
    }
}

/// What is left of a sum without numbers and extents.
struct Sum {
    of: Atom,
    /// The numbers.
    by: i64,
    /// How often the extent is added, at least.
    turns: i64,
}

/// A known size.
fn known(atom: Atom) -> Option<i64> {
    match atom {
        Atom::Const(it) if it.ty == Scalar::Usize => i64::try_from(it.bits).ok(),
        Atom::Const(_) | Atom::Var(_) => None,
    }
}

/// A small known integer.
fn number(atom: Atom) -> Option<i64> {
    match atom {
        Atom::Const(it) if it.ty.is_int() => {
            let value = it.bits as i64;
            (value.unsigned_abs() <= MOST).then_some(value)
        }
        Atom::Const(_) | Atom::Var(_) => None,
    }
}
