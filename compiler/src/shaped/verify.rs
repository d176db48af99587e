//! Whether a function holds what [`super::ir`] says; a violation is a mistake of the compiler.
//!
//! Each variable is assigned once, before its use, and used only inside the body that assigns it;
//! operands and results have the types that their operation needs. One walk.

mod scalars;

use super::ir::{Atom, Body, Combine, Consumer, Function, Loop, Op, Par, Stmt, VarType, leaves};
use crate::ids::{CheckId, Var};
use crate::prims::{Scalar, ScalarOp, Sorted};
use scalars::{arity, fits};

/// Checks a function; the sentence says what is wrong.
pub fn verify(function: &Function) -> Result<(), String> {
    let states = vec![State::Unassigned; function.vars.len()];
    let mut verifier = Verifier {
        function,
        prints: function.prints(),
        states,
        visible: Vec::new(),
    };
    let params = function.params.iter().flat_map(|param| &param.vars);
    params
        .into_iter()
        .try_for_each(|var| verifier.assign(*var))?;
    let mut results = Vec::new();
    verifier.body(&function.body, &mut results)?;
    verifier.returned(&results)
}

/// What is known of a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Unassigned,
    Visible,
    /// Assigned in a body that has ended.
    Gone,
}

/// A type without sizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Scalar(Scalar),
    /// Of elements, and its number of dimensions.
    Array(Scalar, usize),
}

const BOOL: Kind = Kind::Scalar(Scalar::Bool);
const USIZE: Kind = Kind::Scalar(Scalar::Usize);

type Verdict = Result<(), String>;

struct Verifier<'f> {
    function: &'f Function,
    /// Whether anything prints.
    prints: bool,
    states: Vec<State>,
    /// Variables of open bodies, innermost last.
    visible: Vec<Var>,
}

impl Verifier<'_> {
    fn returned(&self, results: &[Kind]) -> Verdict {
        let leaves = leaves(&self.function.ret);
        let wanted = leaves.into_iter().map(|leaf| match leaf.rank {
            0 => Kind::Scalar(leaf.scalar),
            rank => Kind::Array(leaf.scalar, rank),
        });
        same(results, wanted, "results of the function")
    }

    fn assign(&mut self, var: Var) -> Verdict {
        match self.states.get_mut(var.index()) {
            Some(state @ State::Unassigned) => *state = State::Visible,
            Some(State::Visible | State::Gone) => return Err(format!("{var} is assigned twice")),
            None => return Err(format!("{var} is not in the table")),
        }
        self.visible.push(var);
        Ok(())
    }

    fn assign_all(&mut self, vars: &[Var]) -> Verdict {
        vars.iter().try_for_each(|var| self.assign(*var))
    }

    /// Runs `check` in a scope of its own.
    fn scope(&mut self, check: impl FnOnce(&mut Self) -> Verdict) -> Verdict {
        let outer = self.visible.len();
        check(self)?;
        for var in self.visible.drain(outer..) {
            self.states[var.index()] = State::Gone;
        }
        Ok(())
    }

    /// A body; adds the kinds of its results to `results`.
    fn body(&mut self, body: &Body, results: &mut Vec<Kind>) -> Verdict {
        self.scope(|verifier| {
            body.stmts.iter().try_for_each(|stmt| verifier.stmt(stmt))?;
            for result in &body.results {
                results.push(verifier.kind(*result)?);
            }
            Ok(())
        })
    }

    fn kind(&self, atom: Atom) -> Result<Kind, String> {
        match atom {
            Atom::Const(constant) => Ok(Kind::Scalar(constant.ty)),
            Atom::Var(var) => match self.states.get(var.index()) {
                Some(State::Visible) => Ok(self.declared(var)),
                Some(State::Unassigned | State::Gone) | None => {
                    Err(format!("{var} is used where it is not assigned"))
                }
            },
        }
    }

    fn declared(&self, var: Var) -> Kind {
        match &self.function.vars[var.index()].ty {
            VarType::Scalar(scalar) => Kind::Scalar(*scalar),
            VarType::Array(array) => Kind::Array(array.elem, array.dims.len()),
        }
    }

    fn kinds(&self, vars: &[Var]) -> impl Iterator<Item = Kind> {
        vars.iter().map(|var| self.declared(*var))
    }

    fn is(&self, atom: Atom, wanted: Kind) -> Verdict {
        let kind = self.kind(atom)?;
        if kind == wanted {
            Ok(())
        } else {
            Err(format!("{atom:?} is {kind:?}, not {wanted:?}"))
        }
    }

    fn all_are(&self, atoms: &[Atom], wanted: impl Iterator<Item = Kind>) -> Verdict {
        let kinds: Vec<Kind> = atoms
            .iter()
            .map(|atom| self.kind(*atom))
            .collect::<Result<_, _>>()?;
        same(&kinds, wanted, "operands")
    }

    fn array(&self, var: Var) -> Result<(Scalar, usize), String> {
        match self.kind(Atom::Var(var))? {
            Kind::Array(elem, rank) => Ok((elem, rank)),
            Kind::Scalar(_) => Err(format!("{var} is not an array")),
        }
    }

    fn check_id(&self, id: CheckId) -> Verdict {
        match self.function.checks.get(id.index()) {
            Some(_) => Ok(()),
            None => Err(format!("check {id} is not in the table")),
        }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Verdict {
        self.op(&stmt.op, &stmt.outs)?;
        self.assign_all(&stmt.outs)?;
        stmt.outs.iter().try_for_each(|out| self.extents(*out))
    }

    /// What is printed is scalars.
    fn printed(&self, values: &[Atom]) -> Verdict {
        values
            .iter()
            .try_for_each(|value| match self.kind(*value)? {
                Kind::Scalar(_) => Ok(()),
                Kind::Array(..) => Err(format!("{value:?} is printed, an array")),
            })
    }

    /// The extents of an array are values that exist.
    fn extents(&self, var: Var) -> Verdict {
        match &self.function.vars[var.index()].ty {
            VarType::Scalar(_) => Ok(()),
            VarType::Array(array) => array
                .dims
                .iter()
                .try_for_each(|dim| self.is(dim.value, USIZE)),
        }
    }

    fn op(&mut self, op: &Op, outs: &[Var]) -> Verdict {
        match op {
            Op::Scalar(op, args) => self.scalar(*op, args, outs),
            Op::Check { ok, id, values } => {
                self.is(*ok, BOOL)?;
                self.check_id(*id)?;
                match op.prints() {
                    true => self.printed(values)?,
                    false => values.iter().try_for_each(|value| self.is(*value, USIZE))?,
                }
                self.gives(outs, [])
            }
            Op::Len { array, axis } => {
                let (_, rank) = self.array(*array)?;
                if *axis >= rank {
                    return Err(format!("{array} has no axis {axis}"));
                }
                self.gives(outs, [USIZE])
            }
            Op::Read { array, index } => {
                let elem = self.element(*array, index)?;
                self.gives(outs, [Kind::Scalar(elem)])
            }
            Op::Literal(elems) => {
                let [out] = outs else {
                    return Err("a literal has one result".to_owned());
                };
                let Kind::Array(elem, _) = self.declared(*out) else {
                    return Err(format!("{out} is not an array"));
                };
                elems
                    .iter()
                    .try_for_each(|value| self.is(*value, Kind::Scalar(elem)))
            }
            Op::Update {
                array,
                index,
                value,
            } => {
                let elem = self.element(*array, index)?;
                self.is(*value, Kind::Scalar(elem))?;
                self.gives(outs, [Kind::Array(elem, index.len())])
            }
            Op::If { cond, then, else_ } => {
                self.is(*cond, BOOL)?;
                for side in [then, else_] {
                    let mut results = Vec::new();
                    self.body(side, &mut results)?;
                    same(&results, self.kinds(outs), "results of a branch")?;
                }
                Ok(())
            }
            Op::Loop(it) => self.loop_op(it, outs),
            Op::Par(par) => self.par(par, outs),
        }
    }

    /// The type of the elements of `array`, which has as many dimensions as `index` has indices.
    fn element(&self, array: Var, index: &[Atom]) -> Result<Scalar, String> {
        index.iter().try_for_each(|index| self.is(*index, USIZE))?;
        let (elem, rank) = self.array(array)?;
        if index.len() != rank {
            return Err(format!(
                "{array} has {rank} dimensions, not {}",
                index.len()
            ));
        }
        Ok(elem)
    }

    fn gives<const N: usize>(&self, outs: &[Var], kinds: [Kind; N]) -> Verdict {
        same(&kinds, self.kinds(outs), "results")
    }

    fn loop_op(&mut self, it: &Loop, outs: &[Var]) -> Verdict {
        self.all_are(&it.init, self.kinds(&it.params))?;
        same(
            &self.kinds(&it.params).collect::<Vec<_>>(),
            self.kinds(outs),
            "results of a loop",
        )?;
        self.scope(|verifier| {
            verifier.assign_all(&it.params)?;
            it.params
                .iter()
                .try_for_each(|param| verifier.extents(*param))?;
            let mut going = Vec::new();
            verifier.body(&it.cond, &mut going)?;
            same(&going, [BOOL], "the condition of a loop")?;
            let mut next = Vec::new();
            verifier.body(&it.body, &mut next)?;
            same(
                &next,
                verifier.kinds(&it.params),
                "next parameters of a loop",
            )
        })
    }

    fn par(&mut self, par: &Par, outs: &[Var]) -> Verdict {
        self.is(par.extent, USIZE)?;
        if self.prints && par.prints() {
            return Err("a parallel operation prints".to_owned());
        }
        let mut elems = Vec::new();
        self.scope(|verifier| {
            verifier.assign(par.index)?;
            verifier.body(&par.body, &mut elems)
        })?;
        if let Consumer::Build = par.consumer {
            let outer = elems.iter().map(|elem| match elem {
                Kind::Scalar(scalar) => Kind::Array(*scalar, 1),
                Kind::Array(scalar, rank) => Kind::Array(*scalar, rank + 1),
            });
            let outer: Vec<Kind> = outer.collect();
            same(&outer, self.kinds(outs), "built arrays")?;
            return outs.iter().try_for_each(|out| self.spans(*out, par.extent));
        }
        if let Consumer::Rows { offsets } = &par.consumer {
            let offset = Kind::Array(Scalar::I64, 1);
            let vars: Vec<Atom> = offsets.iter().copied().map(Atom::Var).collect();
            self.all_are(&vars, elems.iter().map(|_| offset))?;
            if elems.iter().any(|elem| matches!(elem, Kind::Scalar(_))) {
                return Err("a row is a scalar".to_owned());
            }
            return same(&elems, self.kinds(outs), "built rows");
        }
        let mut types = Vec::with_capacity(elems.len());
        for elem in elems {
            match elem {
                Kind::Scalar(scalar) => types.push(scalar),
                Kind::Array(..) => return Err("an element is an array".to_owned()),
            }
        }
        let arrays = types.iter().map(|scalar| Kind::Array(*scalar, 1));
        let scalars = types.iter().copied().map(Kind::Scalar);
        match &par.consumer {
            Consumer::Build | Consumer::Rows { .. } => unreachable!("returned above"),
            Consumer::Reduce { init, combine } => {
                self.all_are(init, scalars.clone())?;
                same(
                    &scalars.collect::<Vec<_>>(),
                    self.kinds(outs),
                    "reduced values",
                )?;
                self.combine(combine, &types)
            }
            Consumer::Scan {
                init,
                combine,
                total,
                ..
            } => {
                init.iter()
                    .try_for_each(|init| self.all_are(init, scalars.clone()))?;
                let totals = scalars.filter(|_| *total);
                same(
                    &arrays.chain(totals).collect::<Vec<_>>(),
                    self.kinds(outs),
                    "scanned values",
                )?;
                self.combine(combine, &types)
            }
            Consumer::Fold {
                init,
                acc,
                elem,
                step,
            } => {
                self.all_are(init, self.kinds(acc))?;
                same(
                    &scalars.collect::<Vec<_>>(),
                    self.kinds(elem),
                    "folded elements",
                )?;
                same(
                    &self.kinds(acc).collect::<Vec<_>>(),
                    self.kinds(outs),
                    "folded values",
                )?;
                self.operator(acc, elem, step, &self.kinds(acc).collect::<Vec<_>>())
            }
            Consumer::Scatter { into, id } => {
                self.check_id(*id)?;
                let into = into.iter();
                let into = into.map(|it| self.array(*it).map(|(ty, rank)| Kind::Array(ty, rank)));
                let into = into.collect::<Result<Vec<_>, _>>()?;
                let index = std::iter::once(Kind::Array(Scalar::Usize, 1));
                let wanted = index.chain(into.iter().copied());
                same(&arrays.collect::<Vec<_>>(), wanted, "scattered values")?;
                same(&into, self.kinds(outs), "arrays scattered into")
            }
            Consumer::Sort(sorted) => {
                let [key] = types[..] else {
                    return Err("a sort has not one key".to_owned());
                };
                let ty = match sorted {
                    Sorted::Values => key,
                    Sorted::Positions => Scalar::Usize,
                };
                same(&[Kind::Array(ty, 1)], self.kinds(outs), "what is sorted")
            }
        }
    }

    fn spans(&self, array: Var, extent: Atom) -> Verdict {
        match &self.function.vars[array.index()].ty {
            VarType::Array(array) if array.dims[0].value == extent => Ok(()),
            VarType::Array(_) | VarType::Scalar(_) => {
                Err(format!("{array} has not the extent of its index space"))
            }
        }
    }

    fn combine(&mut self, combine: &Combine, types: &[Scalar]) -> Verdict {
        let scalars: Vec<Kind> = types.iter().copied().map(Kind::Scalar).collect();
        same(&scalars, self.kinds(&combine.left), "left operands")?;
        same(&scalars, self.kinds(&combine.right), "right operands")?;
        if let Some(neutral) = &combine.neutral {
            let neutral = neutral.iter().map(|constant| Kind::Scalar(constant.ty));
            same(&scalars, neutral, "neutral elements")?;
        }
        self.operator(&combine.left, &combine.right, &combine.body, &scalars)
    }

    fn operator(&mut self, left: &[Var], right: &[Var], body: &Body, gives: &[Kind]) -> Verdict {
        self.scope(|verifier| {
            verifier.assign_all(left)?;
            verifier.assign_all(right)?;
            let mut results = Vec::new();
            verifier.body(body, &mut results)?;
            same(gives, results, "results of an operator")
        })
    }

    fn scalar(&self, op: ScalarOp, args: &[Atom], outs: &[Var]) -> Verdict {
        let [out] = outs else {
            return Err(format!("{op:?} has one result"));
        };
        let Kind::Scalar(out) = self.declared(*out) else {
            return Err(format!("{op:?} gives a scalar"));
        };
        let mut types = [Scalar::Bool; 3];
        for (ty, arg) in types.iter_mut().zip(args) {
            match self.kind(*arg)? {
                Kind::Scalar(scalar) => *ty = scalar,
                Kind::Array(..) => return Err(format!("{op:?} of an array")),
            }
        }
        if args.len() == arity(op) && fits(op, types, out) {
            Ok(())
        } else {
            Err(format!(
                "{op:?} of {:?} gives no {}",
                &types[..args.len().min(3)],
                out.name()
            ))
        }
    }
}

fn same(found: &[Kind], wanted: impl IntoIterator<Item = Kind>, what: &str) -> Verdict {
    if found.iter().copied().eq(wanted) {
        Ok(())
    } else {
        Err(format!("{what} do not fit: {found:?}"))
    }
}
