//! What is known of `usize` values: exact size expressions, ranges of symbols, equalities.
//!
//! Every `usize` variable has a size expression, at least a symbol of its own. Facts that hold
//! because a check passed, or because a branch was taken, end with the body in which they were
//! found ([`Facts::mark`], [`Facts::reset`]). Note: a fact may rest on a check before it, so a read
//! without a check is in range only where no check before it has failed.

use super::ir::{Atom, Extent};
use super::size::Size;
use super::value::usize_const;
use crate::ids::{SizeSym, Var};
use crate::prims::{Scalar, ScalarOp};
use crate::typed::ir::Const;

/// No array has more elements: a parameter lies in memory.
const MOST_STORED: u128 = 1 << 56;
/// No extent is larger: it is a parameter's, or checked to be at most this.
pub(super) const MOST_EXTENT: u128 = (1 << 63) - 1;
/// No `usize` is larger.
pub(super) const MOST_USIZE: u128 = (1 << 64) - 1;
/// Facts that a proof tries, newest first: bounds the time of compilation.
const TRIED: usize = 12;
/// Symbols that a proof replaces by their bounds.
const REPLACED: usize = 16;

/// A symbol of size expressions; at least 0.
#[derive(Clone, Debug)]
struct Symbol {
    /// How the user calls it.
    name: Option<String>,
    /// What holds it at run time.
    home: Atom,
    /// It is at most this.
    most: u128,
    /// It lies between these, both inclusive.
    range: Option<(Size, Size)>,
    /// What it is if it is not 0.
    positive: Option<Size>,
}

/// How the elements of a `usize` array follow from their index.
#[derive(Clone, Debug)]
pub(super) struct IndexFn {
    pub(super) index: SizeSym,
    pub(super) elem: Size,
    /// Whether computing an element can fail; a read then must stay a read.
    pub(super) may_fail: bool,
}

/// All that is known.
#[derive(Default, Debug)]
pub(super) struct Facts {
    symbols: Vec<Symbol>,
    /// By variable.
    sizes: Vec<Option<Size>>,
    index_fns: Vec<Option<IndexFn>>,
    conditions: Vec<Option<Condition>>,
    /// Symbols that are replaced, in the order found. The right side holds none replaced before.
    equal: Vec<(SizeSym, Size)>,
    /// At least 0.
    nonnegative: Vec<Size>,
    /// At most [`MOST_EXTENT`].
    bounded: Vec<Size>,
}

/// How a truth value was computed.
type Condition = (ScalarOp, Vec<Atom>);

/// A place to return to; facts found since are forgotten.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    equal: usize,
    nonnegative: usize,
    bounded: usize,
}

impl Facts {
    /// Starts a scope.
    pub(super) fn mark(&self) -> Mark {
        Mark {
            equal: self.equal.len(),
            nonnegative: self.nonnegative.len(),
            bounded: self.bounded.len(),
        }
    }

    /// Ends a scope.
    pub(super) fn reset(&mut self, mark: Mark) {
        self.equal.truncate(mark.equal);
        self.nonnegative.truncate(mark.nonnegative);
        self.bounded.truncate(mark.bounded);
    }

    /// Forgets all variables from number `vars` on. Symbols stay.
    pub(super) fn forget_vars(&mut self, vars: usize) {
        self.sizes.truncate(vars);
        self.index_fns.truncate(vars);
        self.conditions.truncate(vars);
    }

    /// The user's names of symbols, by symbol.
    pub(super) fn into_names(self) -> Vec<Option<String>> {
        self.symbols.into_iter().map(|symbol| symbol.name).collect()
    }

    fn symbol(&mut self, home: Atom, name: Option<String>, most: u128) -> SizeSym {
        let symbol = SizeSym::next(&self.symbols);
        self.symbols.push(Symbol {
            name,
            home,
            most,
            range: None,
            positive: None,
        });
        if let Atom::Var(var) = home {
            self.set_size(var, Size::symbol(symbol));
        }
        symbol
    }

    /// The length of a parameter.
    pub(super) fn new_length(&mut self, home: Var, name: String) -> SizeSym {
        self.symbol(Atom::Var(home), Some(name), MOST_STORED)
    }

    /// An extent that the text does not determine.
    pub(super) fn new_extent(&mut self, home: Var) -> SizeSym {
        self.symbol(Atom::Var(home), None, MOST_EXTENT)
    }

    /// A `usize` that is at most `most`.
    pub(super) fn new_scalar(&mut self, home: Var, name: Option<String>, most: u128) -> SizeSym {
        self.symbol(Atom::Var(home), name, most)
    }

    /// A `usize` between `least` and `most`.
    pub(super) fn new_ranged(&mut self, home: Var, least: Size, most: Size) -> SizeSym {
        let limit = self.most(&most);
        let symbol = self.symbol(Atom::Var(home), None, limit);
        self.symbols[symbol.index()].range = Some((least, most));
        symbol
    }

    /// Notes what `symbol` is if it is not 0.
    pub(super) fn set_positive(&mut self, symbol: SizeSym, size: Size) {
        self.symbols[symbol.index()].positive = Some(size);
    }

    /// The index of a body that runs over `extent`, with what follows from there being one.
    pub(super) fn enter_index(&mut self, index: Var, extent: &Size) -> SizeSym {
        if let Some(symbol) = single(extent)
            && let Some(positive) = self.symbols[symbol.index()].positive.clone()
        {
            self.replace(symbol, self.normal(&positive));
        }
        let last = extent.sub(&Size::known(1)).unwrap_or_default();
        self.nonnegative.push(last.clone());
        self.new_ranged(index, Size::known(0), last)
    }

    /// Records that `var` holds exactly `size`.
    pub(super) fn set_size(&mut self, var: Var, size: Size) {
        put(&mut self.sizes, var, size);
    }

    /// The size expression of a `usize`; a symbol of its own where nothing is known.
    pub(super) fn size_of(&mut self, atom: Atom) -> Size {
        match atom {
            Atom::Const(constant) => match i64::try_from(constant.bits) {
                Ok(known) => Size::known(known),
                Err(_) => Size::symbol(self.symbol(atom, None, u128::from(constant.bits))),
            },
            Atom::Var(var) => self
                .recorded(var)
                .unwrap_or_else(|| Size::symbol(self.new_scalar(var, None, MOST_USIZE))),
        }
    }

    /// The size expression recorded for `var`.
    pub(super) fn recorded(&self, var: Var) -> Option<Size> {
        self.sizes.get(var.index()).cloned().flatten()
    }

    /// An atom that holds `size`, if there is one already.
    pub(super) fn atom_of(&self, size: &Size) -> Option<Atom> {
        let size = self.normal(size);
        if let Some(known) = size.as_known() {
            return u64::try_from(known).ok().map(usize_const);
        }
        single(&size).map(|symbol| self.symbols[symbol.index()].home)
    }

    /// `extent` by its simplest name.
    pub(super) fn canonical(&self, extent: &Extent) -> Extent {
        match self.atom_of(&extent.size) {
            Some(value) => Extent {
                value,
                size: self.normal(&extent.size),
            },
            None => extent.clone(),
        }
    }

    /// Records how the elements of `array` follow from their index.
    pub(super) fn set_index_fn(&mut self, array: Var, function: IndexFn) {
        put(&mut self.index_fns, array, function);
    }

    /// What [`Facts::set_index_fn`] recorded.
    pub(super) fn index_fn(&self, array: Var) -> Option<&IndexFn> {
        self.index_fns.get(array.index())?.as_ref()
    }

    /// Records how the truth value `var` was computed.
    pub(super) fn set_condition(&mut self, var: Var, op: ScalarOp, args: &[Atom]) {
        put(&mut self.conditions, var, (op, args.to_vec()));
    }

    /// `size` with all equalities applied.
    pub(super) fn normal(&self, size: &Size) -> Size {
        let mut size = size.clone();
        for (symbol, by) in &self.equal {
            if size.mentions(*symbol) {
                match size.substitute(*symbol, by) {
                    Some(next) => size = next,
                    None => return size,
                }
            }
        }
        size
    }

    /// `left - right`, if it is known.
    pub(super) fn difference(&self, left: &Size, right: &Size) -> Option<i64> {
        self.normal(left).sub(&self.normal(right))?.as_known()
    }

    /// Whether both are the same.
    pub(super) fn same(&self, left: &Size, right: &Size) -> bool {
        self.difference(left, right) == Some(0)
    }

    /// An upper bound.
    pub(super) fn most(&self, size: &Size) -> u128 {
        let size = self.normal(size);
        let mut sum: u128 = 0;
        for (monomial, coefficient) in size.terms() {
            let Ok(coefficient) = u128::try_from(coefficient) else {
                continue;
            };
            let term = monomial.iter().fold(coefficient, |product, symbol| {
                product.saturating_mul(self.most_of_symbol(*symbol))
            });
            sum = sum.saturating_add(term);
        }
        if sum > MOST_EXTENT && self.bounded.contains(&size) {
            MOST_EXTENT
        } else {
            sum
        }
    }

    fn most_of_symbol(&self, symbol: SizeSym) -> u128 {
        let most = self.symbols[symbol.index()].most;
        let bounded = || self.bounded.contains(&Size::symbol(symbol));
        if most > MOST_EXTENT && bounded() {
            MOST_EXTENT
        } else {
            most
        }
    }

    /// Records that `size` is a possible extent.
    pub(super) fn set_bounded(&mut self, size: &Size) {
        self.bounded.push(self.normal(size));
    }

    /// Records that `size` is at least 0.
    pub(super) fn set_nonnegative(&mut self, size: Size) {
        self.nonnegative.push(size);
    }

    /// Whether `left >= right` is proven.
    pub(super) fn at_least(&self, left: &Size, right: &Size) -> bool {
        let Some(difference) = left.sub(right) else {
            return false;
        };
        let proven = |size: &Size| self.least(size).is_some_and(|least| least >= 0);
        proven(&difference)
            || self
                .nonnegative
                .iter()
                .rev()
                .take(TRIED)
                .any(|fact| difference.sub(fact).is_some_and(|rest| proven(&rest)))
    }

    /// A lower bound: symbols with a range are replaced by an end of it, the newest first; all
    /// others are at least 0.
    fn least(&self, size: &Size) -> Option<i64> {
        let mut size = self.normal(size);
        for _ in 0..REPLACED {
            let Some(symbol) = self.newest_ranged(&size) else {
                break;
            };
            size = self.normal(&self.at_ends(&size, symbol)?);
        }
        let mut least = 0;
        for (monomial, coefficient) in size.terms() {
            if monomial.is_empty() {
                least = coefficient;
            } else if coefficient < 0 {
                return None;
            }
        }
        Some(least)
    }

    fn newest_ranged(&self, size: &Size) -> Option<SizeSym> {
        let symbols = size
            .terms()
            .flat_map(|(monomial, _)| monomial.iter().copied());
        symbols
            .filter(|symbol| self.symbols[symbol.index()].range.is_some())
            .max()
    }

    /// `symbol` replaced by the end of its range that makes each term least.
    fn at_ends(&self, size: &Size, symbol: SizeSym) -> Option<Size> {
        let (lo, hi) = self.symbols[symbol.index()].range.as_ref()?;
        let mut out = Size::default();
        for (monomial, coefficient) in size.terms() {
            let term = Size::term(monomial, coefficient);
            let end = if coefficient > 0 { lo } else { hi };
            out = out.add(&term.substitute(symbol, end)?)?;
        }
        Some(out)
    }

    /// Records that `left` and `right` are equal.
    pub(super) fn equate(&mut self, left: &Size, right: &Size) {
        let Some(difference) = self.normal(left).sub(&self.normal(right)) else {
            return;
        };
        if let Some((symbol, by)) = self.solve(&difference) {
            return self.replace(symbol, by);
        }
        if let Some(opposite) = Size::known(0).sub(&difference) {
            self.nonnegative.extend([difference, opposite]);
        }
    }

    /// `difference = 0` as `symbol = …`, for the symbol of which least is known.
    fn solve(&self, difference: &Size) -> Option<(SizeSym, Size)> {
        let lone = difference
            .terms()
            .filter_map(|(monomial, coefficient)| match monomial {
                [symbol] if coefficient.abs() == 1 => Some((*symbol, coefficient)),
                _ => None,
            });
        let alone = lone.filter(|(symbol, _)| {
            difference
                .terms()
                .filter(|(monomial, _)| monomial.contains(symbol))
                .count()
                == 1
        });
        let (symbol, coefficient) =
            alone.max_by_key(|(symbol, _)| (self.most_of_symbol(*symbol), *symbol))?;
        let term = Size::term(&[symbol], coefficient);
        let rest = difference.sub(&term)?;
        let by = if coefficient == 1 {
            Size::known(0).sub(&rest)?
        } else {
            rest
        };
        Some((symbol, by))
    }

    fn replace(&mut self, symbol: SizeSym, by: Size) {
        if by.mentions(symbol) {
            return;
        }
        if self.most_of_symbol(symbol) <= MOST_EXTENT && self.most(&by) > MOST_EXTENT {
            self.bounded.push(by.clone());
        }
        if let Some((lo, hi)) = self.symbols[symbol.index()].range.clone() {
            self.nonnegative.extend(hi.sub(&by));
            self.nonnegative.extend(by.sub(&lo));
        } else if by.terms().any(|(_, coefficient)| coefficient < 0) {
            self.nonnegative.push(by.clone());
        }
        self.equal.push((symbol, by));
    }

    /// Records what follows from `condition` being `truth`.
    pub(super) fn assume(&mut self, condition: Atom, truth: bool) {
        let Atom::Var(var) = condition else { return };
        let Some((op, args)) = self.conditions.get(var.index()).cloned().flatten() else {
            return;
        };
        match (op, truth) {
            (ScalarOp::Not, _) => self.assume(args[0], !truth),
            (ScalarOp::BitAnd, true) | (ScalarOp::BitOr, false) => {
                args.iter().for_each(|arg| self.assume(*arg, truth));
            }
            _ => self.assume_comparison(op, truth, &args),
        }
    }

    fn assume_comparison(&mut self, op: ScalarOp, truth: bool, args: &[Atom]) {
        let &[left, right] = args else { return };
        let (a, b) = (self.size_of(left), self.size_of(right));
        let below = |small: &Size, big: &Size, gap: i64| {
            big.sub(small)
                .and_then(|difference| difference.sub(&Size::known(gap)))
        };
        let fact = match (op, truth) {
            (ScalarOp::Lt, true) | (ScalarOp::Ge, false) => below(&a, &b, 1),
            (ScalarOp::Le, true) | (ScalarOp::Gt, false) => below(&a, &b, 0),
            (ScalarOp::Gt, true) | (ScalarOp::Le, false) => below(&b, &a, 1),
            (ScalarOp::Ge, true) | (ScalarOp::Lt, false) => below(&b, &a, 0),
            (ScalarOp::Eq, true) | (ScalarOp::Ne, false) => return self.equate(&a, &b),
            (ScalarOp::Eq, false) | (ScalarOp::Ne, true) => self.apart(&a, &b),
            _ => None,
        };
        self.nonnegative.extend(fact);
    }

    /// `a != b` where one end of their order is already known.
    fn apart(&self, a: &Size, b: &Size) -> Option<Size> {
        let (big, small) = if self.at_least(a, b) {
            (a, b)
        } else if self.at_least(b, a) {
            (b, a)
        } else {
            return None;
        };
        big.sub(small)?.sub(&Size::known(1))
    }

    /// `size` in the user's names.
    pub(super) fn show(&self, size: &Size) -> String {
        size.show(|symbol| self.symbols[symbol.index()].name.clone())
    }
}

/// The symbol that `size` is.
fn single(size: &Size) -> Option<SizeSym> {
    let mut terms = size.terms();
    match (terms.next(), terms.next()) {
        (Some(([symbol], 1)), None) => Some(*symbol),
        _ => None,
    }
}

fn put<T>(table: &mut Vec<Option<T>>, var: Var, entry: T) {
    if table.len() <= var.index() {
        table.resize_with(var.index() + 1, || None);
    }
    table[var.index()] = Some(entry);
}

/// Whether a comparison or connective of these operands is worth remembering.
pub(super) fn is_condition(op: ScalarOp, operand: Scalar) -> bool {
    match operand {
        Scalar::Usize => true,
        Scalar::Bool => matches!(op, ScalarOp::Not | ScalarOp::BitAnd | ScalarOp::BitOr),
        _ => false,
    }
}

/// The type of a constant or variable.
pub(super) fn const_extent(n: u64) -> Extent {
    let value = Atom::Const(Const {
        ty: Scalar::Usize,
        bits: n,
    });
    Extent {
        value,
        size: Size::known(i64::try_from(n).unwrap_or(i64::MAX)),
    }
}
