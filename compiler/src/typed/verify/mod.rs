//! Checks a typed program after its pass, in all builds.
//!
//! In: a program. Out: `Err` with a sentence for a bug report. Every type follows from those of the
//! parts, every local is bound where it is used and assigned only if it is mutable, every id is in
//! its table, and a callee comes before its callers. Linear in the program.

mod calls;
mod prims;
mod scalars;

use super::ir::{
    Arm, Expr, ExprKind, Function, LocalType, LoopId, ParamType, Pattern, PatternKind, Place,
    PlaceStep, Program, Stmt, Type,
};
use crate::ids::LocalId;
use crate::prims::Scalar;

type Verdict = Result<(), String>;

static UNIT: Type = Type::Tuple(Vec::new());
static BOOL: Type = Type::Scalar(Scalar::Bool);
static USIZE: Type = Type::Scalar(Scalar::Usize);

/// Checks all functions.
pub fn verify(program: &Program) -> Verdict {
    for (index, function) in program.functions.iter().enumerate() {
        let mut check = Verify {
            program,
            function,
            index,
            bound: vec![false; function.locals.len()],
            opened: Vec::new(),
            loops: Vec::new(),
            outside: 0,
        };
        check
            .function()
            .map_err(|sentence| format!("typed: `{}`: {sentence}", function.name))?;
    }
    Ok(())
}

struct Verify<'p> {
    program: &'p Program,
    function: &'p Function,
    /// Its position in the program.
    index: usize,
    bound: Vec<bool>,
    /// Locals in the order of binding.
    opened: Vec<LocalId>,
    /// Loops around the current expression, with the type of their values.
    loops: Vec<(LoopId, &'p Type)>,
    /// How many of them are around the operand that the current expression is in.
    outside: usize,
}

impl<'p> Verify<'p> {
    fn function(&mut self) -> Verdict {
        for size in &self.function.sizes {
            self.bind(size.local, &USIZE)?;
        }
        for param in &self.function.params {
            match (&param.ty, &param.pattern.kind) {
                (ParamType::Value(sig), _) => {
                    same("a parameter", &param.pattern.ty, &sig.erased())?;
                    self.pattern(&param.pattern)?;
                }
                (ParamType::Fn { .. }, PatternKind::Bind(local, None)) => {
                    self.function_local(*local)?;
                    self.bound[local.index()] = true;
                }
                (ParamType::Fn { .. }, _) => {
                    return Err("a function parameter is a pattern".into());
                }
            }
        }
        self.expr(&self.function.body)?;
        same(
            "the body",
            &self.function.body.ty,
            &self.function.ret.erased(),
        )
    }

    fn bind(&mut self, local: LocalId, ty: &Type) -> Verdict {
        match self
            .function
            .locals
            .get(local.index())
            .map(|local| &local.ty)
        {
            Some(LocalType::Value(own)) => same("a local", ty, own)?,
            Some(LocalType::Fn) => return Err(format!("{local} is a function")),
            None => return Err(format!("{local} is not in the table")),
        }
        self.bound[local.index()] = true;
        self.opened.push(local);
        Ok(())
    }

    fn function_local(&self, local: LocalId) -> Verdict {
        match self
            .function
            .locals
            .get(local.index())
            .map(|local| &local.ty)
        {
            Some(LocalType::Fn) => Ok(()),
            Some(LocalType::Value(_)) => Err(format!("{local} is not a function")),
            None => Err(format!("{local} is not in the table")),
        }
    }

    /// What `inside` binds is out of scope after it.
    fn scope(&mut self, inside: impl FnOnce(&mut Self) -> Verdict) -> Verdict {
        let before = self.opened.len();
        inside(self)?;
        for local in self.opened.split_off(before) {
            self.bound[local.index()] = false;
        }
        Ok(())
    }

    fn pattern(&mut self, pattern: &Pattern) -> Verdict {
        match &pattern.kind {
            PatternKind::Wild => Ok(()),
            PatternKind::Bind(local, inner) => {
                self.bind(*local, &pattern.ty)?;
                match inner {
                    Some(inner) => {
                        same("an inner pattern", &inner.ty, &pattern.ty)?;
                        self.pattern(inner)
                    }
                    None => Ok(()),
                }
            }
            PatternKind::Tuple(fields) => {
                let types = self.fields(&pattern.ty)?;
                count("the fields of a pattern", fields.len(), types.len())?;
                for (field, ty) in fields.iter().zip(types) {
                    same("a field of a pattern", &field.ty, ty)?;
                    self.pattern(field)?;
                }
                Ok(())
            }
            PatternKind::Const(value) => {
                same("a constant pattern", &Type::Scalar(value.ty), &pattern.ty)
            }
            PatternKind::Range { lo, hi } => {
                for bound in [lo, hi].into_iter().flatten() {
                    same("a bound of a pattern", &Type::Scalar(bound.ty), &pattern.ty)?;
                }
                Ok(())
            }
            PatternKind::Or(alternatives) => {
                for alternative in alternatives {
                    same("an alternative", &alternative.ty, &pattern.ty)?;
                    self.pattern(alternative)?;
                }
                Ok(())
            }
        }
    }

    // The types of the fields of a product.
    fn fields<'t>(&self, ty: &'t Type) -> Result<Vec<&'t Type>, String>
    where
        'p: 't,
    {
        match ty {
            Type::Tuple(fields) => Ok(fields.iter().collect()),
            Type::Struct(id) => match self.program.structs.get(id.index()) {
                Some(strukt) => Ok(strukt.fields.iter().map(|(_, ty)| ty).collect()),
                None => Err(format!("{id} is not in the table")),
            },
            Type::Scalar(_) | Type::Array(_) => Err(format!("{ty:?} has no fields")),
        }
    }

    fn exprs(&mut self, exprs: &'p [Expr]) -> Verdict {
        exprs.iter().try_for_each(|expr| self.operand(expr))
    }

    /// An expression whose value is used by the one that it is in: it leaves no loop around that.
    fn operand(&mut self, expr: &'p Expr) -> Verdict {
        let outside = std::mem::replace(&mut self.outside, self.loops.len());
        self.expr(expr)?;
        self.outside = outside;
        Ok(())
    }

    fn typed(&mut self, what: &str, expr: &'p Expr, want: &Type) -> Verdict {
        self.operand(expr)?;
        same(what, &expr.ty, want)
    }

    fn expr(&mut self, expr: &'p Expr) -> Verdict {
        let ty = &expr.ty;
        match &expr.kind {
            ExprKind::Const(value) => same("a constant", &Type::Scalar(value.ty), ty),
            ExprKind::Local(local) => self.local(*local, ty),
            ExprKind::Scalar { op, args, .. } => {
                self.exprs(args)?;
                scalars::check(*op, args, ty)
            }
            ExprKind::Complex { op, args } => {
                self.exprs(args)?;
                scalars::complex(*op, args, ty)
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.typed("an operand", left, &BOOL)?;
                self.typed("an operand", right, &BOOL)?;
                same("a truth value", ty, &BOOL)
            }
            ExprKind::Tuple(fields) => self.tuple(fields, ty),
            ExprKind::Field(base, index) => {
                self.operand(base)?;
                match self.fields(&base.ty)?.get(*index) {
                    Some(field) => same("a field", ty, field),
                    None => Err(format!("{:?} has no field {index}", base.ty)),
                }
            }
            ExprKind::Array(elems) => {
                let elem = element(ty)?;
                elems
                    .iter()
                    .try_for_each(|e| self.typed("an element", e, elem))
            }
            ExprKind::Range { lo, hi, .. } => {
                let elem = element(ty)?;
                self.typed("a bound", lo, elem)?;
                self.typed("a bound", hi, elem)
            }
            ExprKind::Index(array, index) => {
                self.operand(array)?;
                self.typed("an index", index, &USIZE)?;
                same("an element", ty, element(&array.ty)?)
            }
            ExprKind::Slice { array, lo, hi, .. } => {
                self.operand(array)?;
                for bound in [lo, hi].into_iter().flatten() {
                    self.typed("a bound", bound, &USIZE)?;
                }
                element(ty)?;
                same("a slice", ty, &array.ty)
            }
            ExprKind::Prim { prim, args, fns } => {
                self.exprs(args)?;
                self.prim(*prim, args, fns, ty)
            }
            ExprKind::Call { func, args, fns } => self.call(*func, args, fns, ty),
            ExprKind::CallLocal { local, args } => self.call_local(*local, args, ty),
            ExprKind::If { cond, then, else_ } => {
                self.typed("a condition", cond, &BOOL)?;
                self.branch(then, ty)?;
                self.branch(else_, ty)
            }
            ExprKind::Match { scrutinee, arms } => {
                self.operand(scrutinee)?;
                arms.iter()
                    .try_for_each(|arm| self.arm(arm, &scrutinee.ty, ty))
            }
            ExprKind::Block { stmts, value } => {
                self.scope(|this| this.block(stmts, value.as_deref(), ty))
            }
            ExprKind::While { cond, body, label } => {
                self.typed("a condition", cond, &BOOL)?;
                self.loop_body(*label, body, &UNIT)?;
                same("a `while`", ty, &UNIT)
            }
            ExprKind::Loop { body, label, .. } => self.loop_body(*label, body, ty),
            ExprKind::Labelled { body, label } => {
                if !body.diverges() {
                    return Err(format!("the end of body {} is reached", label.0));
                }
                self.jumping(*label, body, ty)
            }
            ExprKind::ForStmt {
                pattern,
                source,
                body,
                label,
            } => {
                self.operand(source)?;
                same("the pattern of a `for`", &pattern.ty, element(&source.ty)?)?;
                same("a `for`", ty, &UNIT)?;
                self.scope(|this| {
                    this.pattern(pattern)?;
                    this.loop_body(*label, body, &UNIT)
                })
            }
            ExprKind::Break { label, value } => {
                let want = self.loop_type(*label)?;
                match value {
                    Some(value) => self.typed("the value of a `break`", value, want),
                    None => same("a `break`", &UNIT, want),
                }
            }
            ExprKind::Continue { label } => self.loop_type(*label).map(|_| ()),
            ExprKind::Assign { place, value } => {
                let want = self.place(place)?;
                self.expr(value)?;
                same("an assigned value", &value.ty, want)?;
                same("an assignment", ty, &UNIT)
            }
            ExprKind::Assert { cond, .. } => {
                self.typed("a condition", cond, &BOOL)?;
                same("an assertion", ty, &UNIT)
            }
            ExprKind::Sized { size, len, .. } => {
                self.typed("a size", size, &USIZE)?;
                self.typed("a length", len, &USIZE)?;
                same("a size in a type", ty, &UNIT)
            }
            ExprKind::Dbg(value) => self.typed("a printed value", value, ty),
            ExprKind::Streamed(value) => self.typed("a sequence", value, ty),
        }
    }

    fn local(&self, local: LocalId, ty: &Type) -> Verdict {
        if !self.bound.get(local.index()).copied().unwrap_or(false) {
            return Err(format!("{local} is not in scope"));
        }
        match &self.function.locals[local.index()].ty {
            LocalType::Value(own) => same("a local", ty, own),
            LocalType::Fn => Err(format!("{local} is a function")),
        }
    }

    fn tuple(&mut self, fields: &'p [Expr], ty: &'p Type) -> Verdict {
        let types = self.fields(ty)?;
        count("the fields of a product", fields.len(), types.len())?;
        for (field, ty) in fields.iter().zip(types) {
            self.typed("a field", field, ty)?;
        }
        Ok(())
    }

    fn branch(&mut self, branch: &'p Expr, want: &Type) -> Verdict {
        self.expr(branch)?;
        if branch.diverges() {
            return Ok(());
        }
        same("a branch", &branch.ty, want)
    }

    fn arm(&mut self, arm: &'p Arm, on: &Type, want: &Type) -> Verdict {
        same("the pattern of an arm", &arm.pattern.ty, on)?;
        self.scope(|this| {
            this.pattern(&arm.pattern)?;
            if let Some(guard) = &arm.guard {
                this.expr(guard)?;
                same("a guard", &guard.ty, &BOOL)?;
            }
            this.branch(&arm.body, want)
        })
    }

    fn block(&mut self, stmts: &'p [Stmt], value: Option<&'p Expr>, ty: &Type) -> Verdict {
        for stmt in stmts {
            match stmt {
                Stmt::Let { pattern, value } => {
                    self.expr(value)?;
                    if !value.diverges() {
                        same("the pattern of a `let`", &pattern.ty, &value.ty)?;
                    }
                    self.pattern(pattern)?;
                }
                Stmt::Expr(expr) => self.expr(expr)?,
            }
        }
        match value {
            Some(value) => {
                self.expr(value)?;
                same("the value of a block", &value.ty, ty)
            }
            None => same("a block without a value", ty, &UNIT),
        }
    }

    fn loop_body(&mut self, label: LoopId, body: &'p Expr, ty: &'p Type) -> Verdict {
        self.jumping(label, body, ty)?;
        same("the body of a loop", &body.ty, &UNIT)
    }

    /// What a `break` of `label` leaves, with a value of type `ty`.
    fn jumping(&mut self, label: LoopId, body: &'p Expr, ty: &'p Type) -> Verdict {
        self.loops.push((label, ty));
        self.expr(body)?;
        self.loops.pop();
        Ok(())
    }

    fn loop_type(&self, label: LoopId) -> Result<&'p Type, String> {
        let found = self.loops.iter().position(|(other, _)| *other == label);
        match found {
            Some(at) if at < self.outside => Err(format!("an operand leaves loop {}", label.0)),
            Some(at) => Ok(self.loops[at].1),
            None => Err(format!("loop {} is not around its jump", label.0)),
        }
    }

    fn place(&mut self, place: &'p Place) -> Result<&'p Type, String> {
        let Some(local) = self.function.locals.get(place.local.index()) else {
            return Err(format!("{} is not in the table", place.local));
        };
        let mut ty = match &local.ty {
            LocalType::Value(ty) => ty,
            LocalType::Fn => return Err(format!("{} is a function", place.local)),
        };
        if !local.mutable || !self.bound[place.local.index()] {
            return Err(format!("{} cannot be assigned to", place.local));
        }
        for (at, step) in place.path.iter().enumerate() {
            ty = match step {
                PlaceStep::Field(index) => match self.fields(ty)?.get(*index) {
                    Some(field) => field,
                    None => return Err(format!("{ty:?} has no field {index}")),
                },
                PlaceStep::Index(index) => {
                    self.typed("an index", index, &USIZE)?;
                    element(ty)?
                }
                PlaceStep::Slice { lo, hi, .. } => {
                    for bound in [lo, hi].into_iter().flatten() {
                        self.typed("a bound", bound, &USIZE)?;
                    }
                    element(ty)?;
                    if at + 1 < place.path.len() {
                        return Err("a slice is not the last step".into());
                    }
                    ty
                }
            };
        }
        Ok(ty)
    }
}

fn element(ty: &Type) -> Result<&Type, String> {
    match ty {
        Type::Array(elem) => Ok(elem),
        Type::Scalar(_) | Type::Tuple(_) | Type::Struct(_) => {
            Err(format!("{ty:?} is not an array"))
        }
    }
}

fn same(what: &str, found: &Type, want: &Type) -> Verdict {
    if found == want {
        return Ok(());
    }
    Err(format!("{what} is {found:?}, not {want:?}"))
}

fn count(what: &str, found: usize, want: usize) -> Verdict {
    if found == want {
        return Ok(());
    }
    Err(format!("{what} are {found}, not {want}"))
}
