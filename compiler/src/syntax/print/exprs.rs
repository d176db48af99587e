//! Expressions and statements.

use super::{
    Block, Display, Expr, ExprKind, Formatter, Name, Pattern, Stmt, field, fmt, list, optional,
    tuple,
};
use crate::syntax::ir::{Arm, BinOp, Call, UnOp};

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Literal(literal) => write!(f, "{literal}"),
            ExprKind::Path(None, name) => write!(f, "{}", name.text),
            ExprKind::Path(Some(ty), name) => write!(f, "{}::{}", ty.text, name.text),
            ExprKind::Unary(op, e) => write!(f, "({}{e})", unary(*op)),
            ExprKind::Binary(op, a, b) => write!(f, "({a} {} {b})", binary(*op)),
            ExprKind::Cast(e, ty) => write!(f, "({e} as {ty})"),
            ExprKind::Tuple(elems) => write!(f, "{}", tuple(elems)),
            ExprKind::Struct { name, fields, base } => {
                let mut fields: Vec<String> = fields.iter().map(field).collect();
                fields.extend(base.as_ref().map(|base| format!("..{base}")));
                write!(f, "{} {{ {} }}", name.text, fields.join(", "))
            }
            ExprKind::Field(e, name) => write!(f, "{e}.{}", name.text),
            ExprKind::Array(elems) => write!(f, "[{}]", list(elems, Expr::to_string)),
            ExprKind::Repeat(value, len) => write!(f, "[{value}; {len}]"),
            ExprKind::Index(array, index) => write!(f, "{array}[{index}]"),
            ExprKind::Range { lo, hi, inclusive } => {
                let dots = if *inclusive { "..=" } else { ".." };
                write!(
                    f,
                    "({}{dots}{})",
                    optional(lo.as_ref()),
                    optional(hi.as_ref())
                )
            }
            ExprKind::Call(call) => write!(f, "{call}"),
            ExprKind::Closure(params, body) => {
                write!(f, "|{}| {body}", list(params, Pattern::to_string))
            }
            ExprKind::If(cond, then, None) => write!(f, "if {cond} {then}"),
            ExprKind::If(cond, then, Some(otherwise)) => {
                write!(f, "if {cond} {then} else {otherwise}")
            }
            ExprKind::Match(e, arms) => write!(f, "match {e} {{ {} }}", list(arms, Arm::to_string)),
            ExprKind::Block(block) => write!(f, "{block}"),
            ExprKind::For(pattern, over, body, label) => {
                write!(
                    f,
                    "{}for {pattern} in {over} {body}",
                    mark(label.as_ref(), ": ")
                )
            }
            ExprKind::While(cond, body, label) => {
                write!(f, "{}while {cond} {body}", mark(label.as_ref(), ": "))
            }
            ExprKind::Loop(body, label) => write!(f, "{}loop {body}", mark(label.as_ref(), ": ")),
            ExprKind::Break(label, value) => {
                let value = value.as_ref().map(|value| format!(" {value}"));
                write!(f, "break{}{}", space(label.as_ref()), optional(value))
            }
            ExprKind::Continue(label) => write!(f, "continue{}", space(label.as_ref())),
            ExprKind::Return(value) => {
                let value = value.as_ref().map(|value| format!(" {value}"));
                write!(f, "return{}", optional(value))
            }
            ExprKind::Assign(place, None, value) => write!(f, "{place} = {value}"),
            ExprKind::Assign(place, Some(op), value) => {
                write!(f, "{place} {}= {value}", binary(*op))
            }
            ExprKind::Assert(cond, None) => write!(f, "assert!({cond})"),
            ExprKind::Assert(cond, Some(message)) => write!(f, "assert!({cond}, {message:?})"),
            ExprKind::Dbg(e) => write!(f, "dbg!({e})"),
        }
    }
}

impl Display for Call {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut args = self.args.as_slice();
        if let (true, Some((receiver, rest))) = (self.method, args.split_first()) {
            write!(f, "{receiver}.")?;
            args = rest;
        }
        if let Some(qualifier) = &self.qualifier {
            write!(f, "{}::", qualifier.text)?;
        }
        f.write_str(&self.name.text)?;
        if !self.turbofish.is_empty() {
            write!(f, "::<{}>", list(&self.turbofish, ToString::to_string))?;
        }
        write!(f, "({})", list(args, Expr::to_string))
    }
}

impl Display for Arm {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.pattern)?;
        if let Some(guard) = &self.guard {
            write!(f, " if {guard}")?;
        }
        write!(f, " => {}", self.body)
    }
}

impl Display for Block {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for stmt in &self.stmts {
            write!(f, " {stmt};")?;
        }
        if let Some(value) = &self.value {
            write!(f, " {value}")?;
        }
        f.write_str(" }")
    }
}

impl Display for Stmt {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Stmt::Let {
                pattern,
                value: None,
                ..
            } => write!(f, "let {pattern}"),
            Stmt::Let {
                pattern,
                value: Some(value),
                ..
            } => write!(f, "let {pattern} = {value}"),
            Stmt::Expr(e) => write!(f, "{e}"),
        }
    }
}

/// `'label` and what follows it, where there is one.
fn mark(label: Option<&Name>, after: &str) -> String {
    optional(label.map(|label| format!("'{}{after}", label.text)))
}

fn space(label: Option<&Name>) -> String {
    optional(label.map(|label| format!(" '{}", label.text)))
}

fn unary(op: UnOp) -> &'static str {
    match op {
        UnOp::Neg => "-",
        UnOp::Not => "!",
    }
}

fn binary(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::BitAnd => "&",
        BinOp::BitOr => "|",
        BinOp::BitXor => "^",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
        BinOp::Lt => "<",
        BinOp::Le => "<=",
        BinOp::Gt => ">",
        BinOp::Ge => ">=",
        BinOp::And => "&&",
        BinOp::Or => "||",
    }
}
