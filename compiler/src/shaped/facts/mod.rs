//! What is known of `usize` values: exact size expressions, ranges of symbols, equalities.
//!
//! Every `usize` variable has a size expression, at least a symbol of its own. Facts that hold
//! because a check passed, or because a branch was taken, end with the body in which they were
//! found ([`Facts::mark`], [`Facts::reset`]). Note: a fact may rest on a check before it, so a read
//! without a check is in range only where no check before it has failed.

mod learn;
mod prove;

pub(in crate::shaped) use prove::Summed;

use crate::ids::{SizeSym, Var};
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::{Atom, Extent};
use crate::shaped::size::Size;
use crate::shaped::value::usize_const;

/// No array has more elements: a parameter lies in memory.
const MOST_STORED: u128 = 1 << 56;
/// No extent is larger: it is a parameter's, or checked to be at most this.
pub(in crate::shaped) const MOST_EXTENT: u128 = (1 << 63) - 1;
/// No `usize` is larger.
pub(in crate::shaped) const MOST_USIZE: u128 = (1 << 64) - 1;

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
pub(in crate::shaped) struct IndexFn {
    pub(in crate::shaped) index: SizeSym,
    pub(in crate::shaped) elem: Size,
    /// Whether computing an element can fail; a read then must stay a read.
    pub(in crate::shaped) may_fail: bool,
}

/// All that is known.
#[derive(Default, Debug)]
pub(in crate::shaped) struct Facts {
    symbols: Vec<Symbol>,
    /// By variable.
    sizes: Vec<Option<Size>>,
    index_fns: Vec<Option<IndexFn>>,
    conditions: Vec<Option<Condition>>,
    /// Symbols that are replaced, in the order found. The right side holds none replaced before.
    equal: Vec<(SizeSym, Size)>,
    /// At least 0.
    nonnegative: Vec<Size>,
    /// At most [`MOST_USIZE`], by a check.
    fitting: Vec<Size>,
    /// At most [`MOST_EXTENT`].
    bounded: Vec<Size>,
}

/// How a truth value was computed.
pub(in crate::shaped) type Condition = (ScalarOp, Vec<Atom>);

/// A place to return to; facts found since are forgotten.
#[derive(Clone, Copy, Debug)]
pub(in crate::shaped) struct Mark {
    equal: usize,
    nonnegative: usize,
    fitting: usize,
    bounded: usize,
}

impl Facts {
    /// Starts a scope.
    pub(in crate::shaped) fn mark(&self) -> Mark {
        Mark {
            equal: self.equal.len(),
            nonnegative: self.nonnegative.len(),
            fitting: self.fitting.len(),
            bounded: self.bounded.len(),
        }
    }

    /// Ends a scope.
    pub(in crate::shaped) fn reset(&mut self, mark: Mark) {
        self.equal.truncate(mark.equal);
        self.nonnegative.truncate(mark.nonnegative);
        self.fitting.truncate(mark.fitting);
        self.bounded.truncate(mark.bounded);
    }

    /// Forgets all variables from number `vars` on. Symbols stay.
    pub(in crate::shaped) fn forget_vars(&mut self, vars: usize) {
        self.sizes.truncate(vars);
        self.index_fns.truncate(vars);
        self.conditions.truncate(vars);
    }

    /// The user's names of symbols, by symbol.
    pub(in crate::shaped) fn into_names(self) -> Vec<Option<String>> {
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
    pub(in crate::shaped) fn new_length(&mut self, home: Var, name: String) -> SizeSym {
        self.symbol(Atom::Var(home), Some(name), MOST_STORED)
    }

    /// The number of elements of all rows of a parameter.
    pub(in crate::shaped) fn new_total(&mut self, home: Var) -> SizeSym {
        self.symbol(Atom::Var(home), None, MOST_STORED)
    }

    /// An extent that the text does not determine.
    pub(in crate::shaped) fn new_extent(&mut self, home: Var) -> SizeSym {
        self.symbol(Atom::Var(home), None, MOST_EXTENT)
    }

    /// A `usize` that is at most `most`.
    pub(in crate::shaped) fn new_scalar(
        &mut self,
        home: Var,
        name: Option<String>,
        most: u128,
    ) -> SizeSym {
        self.symbol(Atom::Var(home), name, most)
    }

    /// A `usize` between `least` and `most`.
    pub(in crate::shaped) fn new_ranged(&mut self, home: Var, least: Size, most: Size) -> SizeSym {
        let limit = self.most(&most).min(MOST_USIZE);
        let symbol = self.symbol(Atom::Var(home), None, limit);
        self.symbols[symbol.index()].range = Some((least, most));
        symbol
    }

    /// Names the symbol that `var` stands for, if it is one without a name.
    pub(in crate::shaped) fn suggest_name(&mut self, var: Var, name: &str) {
        let size = self.sizes.get(var.index()).and_then(Option::as_ref);
        if let Some(symbol) = size.and_then(single) {
            let symbol = &mut self.symbols[symbol.index()];
            if symbol.home == Atom::Var(var) {
                symbol.name.get_or_insert_with(|| name.to_owned());
            }
        }
    }

    /// Notes what `symbol` is if it is not 0.
    pub(in crate::shaped) fn set_positive(&mut self, symbol: SizeSym, size: Size) {
        self.symbols[symbol.index()].positive = Some(size);
    }

    /// The index of a body that runs over `extent`, with what follows from there being one.
    pub(in crate::shaped) fn enter_index(&mut self, index: Var, extent: &Size) -> SizeSym {
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
    pub(in crate::shaped) fn set_size(&mut self, var: Var, size: Size) {
        put(&mut self.sizes, var, size);
    }

    /// The size expression of a `usize`; a symbol of its own where nothing is known.
    pub(in crate::shaped) fn size_of(&mut self, atom: Atom) -> Size {
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
    pub(in crate::shaped) fn recorded(&self, var: Var) -> Option<Size> {
        self.sizes.get(var.index()).cloned().flatten()
    }

    /// An atom that holds `size`, if there is one already.
    pub(in crate::shaped) fn atom_of(&self, size: &Size) -> Option<Atom> {
        let size = self.normal(size);
        if let Some(known) = size.as_known() {
            return u64::try_from(known).ok().map(usize_const);
        }
        single(&size).map(|symbol| self.symbols[symbol.index()].home)
    }

    /// What holds the symbols of `size` at run time.
    pub(in crate::shaped) fn homes(&self, size: &Size) -> Vec<Atom> {
        let symbols = size.terms().flat_map(|(monomial, _)| monomial);
        symbols
            .map(|symbol| self.symbols[symbol.index()].home)
            .collect()
    }

    /// What holds `symbol` at run time.
    pub(in crate::shaped) fn home(&self, symbol: SizeSym) -> Atom {
        self.symbols[symbol.index()].home
    }

    /// `extent` by its simplest name.
    pub(in crate::shaped) fn canonical(&self, extent: &Extent) -> Extent {
        match self.atom_of(&extent.size) {
            Some(value) => Extent {
                value,
                size: self.normal(&extent.size),
            },
            None => extent.clone(),
        }
    }

    /// Records how the elements of `array` follow from their index.
    pub(in crate::shaped) fn set_index_fn(&mut self, array: Var, function: IndexFn) {
        put(&mut self.index_fns, array, function);
    }

    /// What [`Facts::set_index_fn`] recorded.
    pub(in crate::shaped) fn index_fn(&self, array: Var) -> Option<&IndexFn> {
        self.index_fns.get(array.index())?.as_ref()
    }

    /// Records how the truth value `var` was computed.
    pub(in crate::shaped) fn set_condition(&mut self, var: Var, op: ScalarOp, args: &[Atom]) {
        put(&mut self.conditions, var, (op, args.to_vec()));
    }

    /// What [`Facts::set_condition`] recorded.
    pub(in crate::shaped) fn condition(&self, var: Var) -> Option<&Condition> {
        self.conditions.get(var.index())?.as_ref()
    }

    /// `size` with all equalities applied.
    pub(in crate::shaped) fn normal(&self, size: &Size) -> Size {
        self.normal_at(size, self.mark())
    }

    /// `size` with all equalities applied that were known at `mark`.
    pub(in crate::shaped) fn normal_at(&self, size: &Size, mark: Mark) -> Size {
        let mut size = size.clone();
        for (symbol, by) in &self.equal[..mark.equal] {
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
    pub(in crate::shaped) fn difference(&self, left: &Size, right: &Size) -> Option<i64> {
        self.normal(left).sub(&self.normal(right))?.as_known()
    }

    /// Whether both are the same.
    pub(in crate::shaped) fn same(&self, left: &Size, right: &Size) -> bool {
        self.difference(left, right) == Some(0)
    }

    /// `left - right`, if it was known at `mark`.
    pub(in crate::shaped) fn difference_at(
        &self,
        left: &Size,
        right: &Size,
        mark: Mark,
    ) -> Option<i64> {
        let difference = self.normal_at(left, mark).sub(&self.normal_at(right, mark));
        difference?.as_known()
    }

    /// Whether both were the same at `mark`.
    pub(in crate::shaped) fn same_at(&self, left: &Size, right: &Size, mark: Mark) -> bool {
        self.difference_at(left, right, mark) == Some(0)
    }

    /// Records that `size` is a possible extent.
    pub(in crate::shaped) fn set_bounded(&mut self, size: &Size) {
        self.bounded.push(self.normal(size));
    }

    /// Records that `size` is a `usize`.
    pub(in crate::shaped) fn set_fitting(&mut self, size: &Size) {
        self.fitting.push(size.clone());
    }

    /// Records that `size` is at least 0.
    pub(in crate::shaped) fn set_nonnegative(&mut self, size: Size) {
        self.nonnegative.push(size);
    }

    /// `size` in the user's names, if all in it have one.
    pub(in crate::shaped) fn show(&self, size: &Size) -> Option<String> {
        let name = |symbol: SizeSym| self.symbols[symbol.index()].name.clone();
        let named =
            |(monomial, _): (&[SizeSym], i64)| monomial.iter().all(|it| name(*it).is_some());
        size.terms().all(named).then(|| size.show(name))
    }

    /// The user's names in `size` that may stand for any number.
    pub(in crate::shaped) fn free(&self, size: &Size) -> Vec<String> {
        let symbols = size.terms().flat_map(|(monomial, _)| monomial);
        let symbols = symbols.map(|symbol| &self.symbols[symbol.index()]);
        let free = symbols.filter(|it| it.range.is_none() && it.most == MOST_USIZE);
        free.filter_map(|it| it.name.clone()).collect()
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
pub(in crate::shaped) fn is_condition(op: ScalarOp, operand: Scalar) -> bool {
    let connects = matches!(op, ScalarOp::Not | ScalarOp::BitAnd | ScalarOp::BitOr);
    operand == Scalar::Usize || operand == Scalar::Bool && connects
}
