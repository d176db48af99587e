//! Typed programs as text, for tests and for people.
//!
//! Close to the language itself; types stand on parameters and `let`s, every literal has its suffix,
//! operators are free functions. A name that several locals of a function share gets a number.

mod exprs;

use super::ir::{
    Const, Expr, ExprKind, FnValue, Function, Home, Lambda, Local, ParamType, Pattern, PatternKind,
    Program, SigType, SizeSpec, Stmt, StructDef, Type,
};
use crate::ids::LocalId;
use crate::prims::Scalar;
use crate::print::constant;
use std::fmt::Write;

/// All structs and functions.
pub fn print(program: &Program) -> String {
    let mut out = String::new();
    let declared = |strukt: &&StructDef| !matches!(strukt.home, Home::Complex(_));
    for strukt in program.structs.iter().filter(declared) {
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
            SigType::Vector(elem, fields) => {
                self.push("[");
                self.sig_type(elem);
                self.push(format!("; {}]", fields.len()));
            }
            SigType::Array {
                elem,
                size: SizeSpec::Seq,
                ..
            } => {
                self.push("Seq<");
                self.sig_type(elem);
                self.push(">");
            }
            SigType::Array { elem, size, .. } => {
                self.push("[");
                self.sig_type(elem);
                match size {
                    SizeSpec::Own | SizeSpec::Seq => {}
                    SizeSpec::Named(id) => {
                        let name = &self.function.sizes[id.index()].name;
                        self.push(format!("; {name}"));
                    }
                    SizeSpec::Known(size) | SizeSpec::Held(size) | SizeSpec::Inline(size) => {
                        self.push(format!("; {size}"));
                    }
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
}
