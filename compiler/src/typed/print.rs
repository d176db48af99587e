//! Typed programs as text, for tests and for people.
//!
//! Close to the language itself; types stand on parameters and `let`s, every literal has its suffix,
//! operators are free functions. A name that several locals of a function share gets a number.

use super::ir::{
    Const, Expr, ExprKind, FnValue, Function, Lambda, Local, LoopId, ParamType, Pattern,
    PatternKind, Place, PlaceStep, Program, SigType, SizeSpec, Stmt, StructDef, Type,
};
use crate::ids::LocalId;
use crate::prims::{SCALAR_FNS, Scalar, ScalarOp};
use crate::print::constant;
use std::fmt::Write;

/// All structs and functions.
pub fn print(program: &Program) -> String {
    let mut out = String::new();
    for strukt in &program.structs {
        let fields = strukt.fields.iter().map(|(name, ty)| {
            let ty = show_type(ty, &program.structs);
            format!("{name}: {ty}")
        });
        let fields: Vec<_> = fields.collect();
        let _ = writeln!(out, "struct {} {{ {} }}", strukt.name, fields.join(", "));
    }
    for function in &program.functions {
        let mut printer = Printer {
            program,
            function,
            indent: 0,
            out,
        };
        printer.function();
        out = printer.out;
    }
    out
}

/// How a type is written.
pub fn show_type(ty: &Type, structs: &[StructDef]) -> String {
    match ty {
        Type::Scalar(scalar) => scalar.name().into(),
        Type::Struct(id) => match structs.get(id.index()) {
            Some(strukt) => strukt.name.clone(),
            None => id.to_string(),
        },
        Type::Array(elem) => format!("[{}]", show_type(elem, structs)),
        Type::Tuple(fields) => {
            let fields: Vec<_> = fields.iter().map(|f| show_type(f, structs)).collect();
            tuple(&fields)
        }
    }
}

fn tuple(parts: &[String]) -> String {
    match parts {
        [one] => format!("({one},)"),
        parts => format!("({})", parts.join(", ")),
    }
}

// With its type as a suffix.
fn show_const(value: Const) -> String {
    match value.ty {
        Scalar::Bool => constant(value),
        ty => format!("{}{}", constant(value), ty.name()),
    }
}

struct Printer<'p> {
    program: &'p Program,
    function: &'p Function,
    indent: usize,
    out: String,
}

impl Printer<'_> {
    fn push(&mut self, text: impl AsRef<str>) {
        self.out.push_str(text.as_ref());
    }

    fn line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
    }

    fn list<T>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            print(self, item);
        }
    }

    fn function(&mut self) {
        let function = self.function;
        let name = match &function.export {
            Some(export) => format!("pub fn {}", export.name),
            None => format!("fn {}", function.name),
        };
        self.push(name);
        self.push("(");
        self.list(&function.params, |this, param| {
            this.pattern(&param.pattern, false);
            this.push(": ");
            match &param.ty {
                ParamType::Value(sig) => this.sig_type(sig),
                ParamType::Fn { args, ret } => {
                    this.push("impl Fn(");
                    this.list(args, |this, arg| this.ty(arg));
                    this.push(") -> ");
                    this.ty(ret);
                }
            }
        });
        self.push(") -> ");
        self.sig_type(&function.ret);
        self.push(" ");
        self.braced(&function.body);
        self.push("\n");
    }

    fn sig_type(&mut self, sig: &SigType) {
        match sig {
            SigType::Scalar(scalar) => self.push(scalar.name()),
            SigType::Struct(id, _) => self.ty(&Type::Struct(*id)),
            SigType::Tuple(fields) => {
                self.push("(");
                self.list(fields, |this, field| this.sig_type(field));
                self.push(if fields.len() == 1 { ",)" } else { ")" });
            }
            SigType::Array { elem, size, .. } => {
                self.push("[");
                self.sig_type(elem);
                match size {
                    SizeSpec::Own => {}
                    SizeSpec::Named(id) => {
                        let name = &self.function.sizes[id.index()].name;
                        self.push(format!("; {name}"));
                    }
                    SizeSpec::Known(size) => self.push(format!("; {size}")),
                    SizeSpec::Param(local) => {
                        let name = self.name(*local);
                        self.push(format!("; {name}"));
                    }
                }
                self.push("]");
            }
        }
    }

    fn ty(&mut self, ty: &Type) {
        let text = show_type(ty, &self.program.structs);
        self.push(text);
    }

    fn name(&self, local: LocalId) -> String {
        let locals: &[Local] = &self.function.locals;
        let Some(own) = locals.get(local.index()) else {
            return local.to_string();
        };
        let same = |other: &&Local| other.name == own.name;
        match locals[..local.index()].iter().filter(same).count() {
            0 => own.name.clone(),
            n => format!("{}{}", own.name, n + 1),
        }
    }

    // With `types`, on every name.
    fn pattern(&mut self, pattern: &Pattern, types: bool) {
        match &pattern.kind {
            PatternKind::Wild => self.push("_"),
            PatternKind::Bind(local, inner) => {
                let mutable = self
                    .function
                    .locals
                    .get(local.index())
                    .is_some_and(|l| l.mutable);
                if mutable {
                    self.push("mut ");
                }
                let name = self.name(*local);
                self.push(name);
                if types {
                    self.push(": ");
                    self.ty(&pattern.ty);
                }
                if let Some(inner) = inner {
                    self.push(" @ ");
                    self.pattern(inner, types);
                }
            }
            PatternKind::Tuple(fields) => {
                self.push("(");
                self.list(fields, |this, field| this.pattern(field, types));
                self.push(if fields.len() == 1 { ",)" } else { ")" });
            }
            PatternKind::Const(value) => self.push(show_const(*value)),
            PatternKind::Range { lo, hi } => {
                self.push(lo.map_or(String::new(), show_const));
                self.push("..=");
                self.push(hi.map_or(String::new(), show_const));
            }
            PatternKind::Or(alternatives) => {
                for (i, alternative) in alternatives.iter().enumerate() {
                    if i > 0 {
                        self.push(" | ");
                    }
                    self.pattern(alternative, types);
                }
            }
        }
    }

    // A block with its braces, on several lines if it has statements.
    fn braced(&mut self, expr: &Expr) {
        let ExprKind::Block { stmts, value } = &expr.kind else {
            self.push("{ ");
            self.expr(expr);
            return self.push(" }");
        };
        match (stmts.as_slice(), value) {
            ([], None) => self.push("{}"),
            ([], Some(value)) if self.indent > 0 => {
                self.push("{ ");
                self.expr(value);
                self.push(" }");
            }
            (stmts, value) => {
                self.push("{");
                self.indent += 1;
                for stmt in stmts {
                    self.line();
                    self.stmt(stmt);
                }
                if let Some(value) = value {
                    self.line();
                    self.expr(value);
                }
                self.indent -= 1;
                self.line();
                self.push("}");
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { pattern, value } => {
                self.push("let ");
                self.pattern(pattern, true);
                self.push(" = ");
                self.expr(value);
            }
            Stmt::Expr(expr) => self.expr(expr),
        }
        self.push(";");
    }

    fn args(&mut self, name: &str, args: &[Expr], fns: &[FnValue]) {
        self.push(name);
        self.push("(");
        self.list(args, |this, arg| this.expr(arg));
        if !args.is_empty() && !fns.is_empty() {
            self.push(", ");
        }
        self.list(fns, |this, function| match function {
            FnValue::Lambda(lambda) => this.lambda(lambda),
            FnValue::Local(local) => {
                let name = this.name(*local);
                this.push(name);
            }
        });
        self.push(")");
    }

    fn lambda(&mut self, lambda: &Lambda) {
        self.push("|");
        self.list(&lambda.params, |this, param| this.pattern(param, true));
        self.push("| ");
        match &lambda.body.kind {
            ExprKind::Block { .. } => self.braced(&lambda.body),
            _ => self.expr(&lambda.body),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(value) => self.push(show_const(*value)),
            ExprKind::Local(local) => {
                let name = self.name(*local);
                self.push(name);
            }
            ExprKind::Scalar { op, args, checked } => self.scalar(*op, args, *checked, &expr.ty),
            ExprKind::And(left, right) => self.binary("&&", left, right),
            ExprKind::Or(left, right) => self.binary("||", left, right),
            ExprKind::Tuple(fields) => self.product(fields, &expr.ty),
            ExprKind::Field(base, index) => {
                self.expr(base);
                self.push(format!(".{index}"));
            }
            ExprKind::Array(elems) => {
                self.push("[");
                self.list(elems, |this, elem| this.expr(elem));
                self.push("]");
            }
            ExprKind::Range { lo, hi, inclusive } => {
                self.push("(");
                self.bounds(Some(lo), Some(hi), *inclusive);
                self.push(")");
            }
            ExprKind::Index(array, index) => {
                self.expr(array);
                self.push("[");
                self.expr(index);
                self.push("]");
            }
            ExprKind::Slice {
                array,
                lo,
                hi,
                inclusive,
            } => {
                self.expr(array);
                self.push("[");
                self.bounds(lo.as_deref(), hi.as_deref(), *inclusive);
                self.push("]");
            }
            ExprKind::Prim { prim, args, fns } => self.args(prim.info().name, args, fns),
            ExprKind::Call { func, args, fns } => {
                let name = match self.program.functions.get(func.index()) {
                    Some(callee) => callee.name.clone(),
                    None => func.to_string(),
                };
                self.args(&name, args, fns);
            }
            ExprKind::CallLocal { local, args } => {
                let name = self.name(*local);
                self.args(&name, args, &[]);
            }
            ExprKind::If { cond, then, else_ } => {
                self.push("if ");
                self.expr(cond);
                self.push(" ");
                self.braced(then);
                self.push(" else ");
                self.braced(else_);
            }
            ExprKind::Match { scrutinee, arms } => self.match_(scrutinee, arms),
            ExprKind::Block { .. } => self.braced(expr),
            ExprKind::While { cond, body, label } => {
                self.label(*label);
                self.push("while ");
                self.expr(cond);
                self.push(" ");
                self.braced(body);
            }
            ExprKind::Loop { body, label } => {
                self.label(*label);
                self.push("loop ");
                self.braced(body);
            }
            ExprKind::ForStmt {
                pattern,
                source,
                body,
                label,
            } => {
                self.label(*label);
                self.push("for ");
                self.pattern(pattern, true);
                self.push(" in ");
                self.expr(source);
                self.push(" ");
                self.braced(body);
            }
            ExprKind::Break { label, value } => {
                self.push(format!("break 'l{}", label.0));
                if let Some(value) = value {
                    self.push(" ");
                    self.expr(value);
                }
            }
            ExprKind::Continue { label } => self.push(format!("continue 'l{}", label.0)),
            ExprKind::Assign { place, value } => {
                self.place(place);
                self.push(" = ");
                self.expr(value);
            }
            ExprKind::Assert { cond, message } => {
                self.push("assert!(");
                self.expr(cond);
                let _ = write!(self.out, ", {message:?})");
            }
            ExprKind::Dbg(value) => {
                self.push("dbg!(");
                self.expr(value);
                self.push(")");
            }
        }
    }

    fn label(&mut self, label: LoopId) {
        self.push(format!("'l{}: ", label.0));
    }

    fn match_(&mut self, scrutinee: &Expr, arms: &[super::ir::Arm]) {
        self.push("match ");
        self.expr(scrutinee);
        self.push(" {");
        self.indent += 1;
        for arm in arms {
            self.line();
            self.pattern(&arm.pattern, false);
            if let Some(guard) = &arm.guard {
                self.push(" if ");
                self.expr(guard);
            }
            self.push(" => ");
            self.expr(&arm.body);
            self.push(",");
        }
        self.indent -= 1;
        self.line();
        self.push("}");
    }

    fn bounds(&mut self, lo: Option<&Expr>, hi: Option<&Expr>, inclusive: bool) {
        if let Some(lo) = lo {
            self.expr(lo);
        }
        self.push(if inclusive { "..=" } else { ".." });
        if let Some(hi) = hi {
            self.expr(hi);
        }
    }

    fn place(&mut self, place: &Place) {
        let name = self.name(place.local);
        self.push(name);
        for step in &place.path {
            match step {
                PlaceStep::Field(index) => self.push(format!(".{index}")),
                PlaceStep::Index(index) => {
                    self.push("[");
                    self.expr(index);
                    self.push("]");
                }
            }
        }
    }

    fn product(&mut self, fields: &[Expr], ty: &Type) {
        if let Type::Struct(_) = ty {
            self.ty(ty);
        }
        self.push("(");
        self.list(fields, |this, field| this.expr(field));
        self.push(if fields.len() == 1 { ",)" } else { ")" });
    }

    fn binary(&mut self, op: &str, left: &Expr, right: &Expr) {
        self.push("(");
        self.expr(left);
        self.push(format!(" {op} "));
        self.expr(right);
        self.push(")");
    }

    fn scalar(&mut self, op: ScalarOp, args: &[Expr], checked: bool, ty: &Type) {
        let wraps = *ty == Type::Scalar(Scalar::Usize) && !checked;
        match (symbol(op), args) {
            (Some(symbol), [left, right]) if !(wraps && "+-*".contains(symbol)) => {
                self.binary(symbol, left, right);
            }
            (Some(symbol), [operand]) => {
                self.push(symbol);
                self.expr(operand);
            }
            (None, [operand]) if op == ScalarOp::Cast => {
                self.push("(");
                self.expr(operand);
                self.push(" as ");
                self.ty(ty);
                self.push(")");
            }
            _ => {
                let name = SCALAR_FNS.iter().find(|function| function.op == op);
                self.args(name.map_or("select", |function| function.name), args, &[]);
            }
        }
    }
}

fn symbol(op: ScalarOp) -> Option<&'static str> {
    Some(match op {
        ScalarOp::Neg | ScalarOp::Sub => "-",
        ScalarOp::Not => "!",
        ScalarOp::Add => "+",
        ScalarOp::Mul => "*",
        ScalarOp::Div => "/",
        ScalarOp::Rem => "%",
        ScalarOp::BitAnd => "&",
        ScalarOp::BitOr => "|",
        ScalarOp::BitXor => "^",
        ScalarOp::Shl => "<<",
        ScalarOp::Shr => ">>",
        ScalarOp::Eq => "==",
        ScalarOp::Ne => "!=",
        ScalarOp::Lt => "<",
        ScalarOp::Le => "<=",
        ScalarOp::Gt => ">",
        ScalarOp::Ge => ">=",
        ScalarOp::Cast | ScalarOp::Abs | ScalarOp::Sqrt | ScalarOp::Floor | ScalarOp::Ceil => {
            return None;
        }
        ScalarOp::Round | ScalarOp::Trunc | ScalarOp::Exp | ScalarOp::Ln => return None,
        ScalarOp::Sin | ScalarOp::Cos | ScalarOp::Tanh => return None,
        ScalarOp::CountOnes | ScalarOp::CountZeros => return None,
        ScalarOp::LeadingZeros | ScalarOp::TrailingZeros => return None,
        ScalarOp::RotateLeft | ScalarOp::RotateRight => return None,
        ScalarOp::Min | ScalarOp::Max | ScalarOp::Pow => return None,
        ScalarOp::Clamp | ScalarOp::Select => return None,
    })
}
