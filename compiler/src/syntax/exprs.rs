//! Expressions: the dispatcher, operators, products, arrays and ranges.
//!
//! The place of an expression is put together from the places of its parts: asking `syn` for the
//! tokens of a subtree at every level would be quadratic.

use super::ir::{BinOp, Expr, ExprKind, Literal, LiteralValue, Name, UnOp};
use super::reader::{Reader, group, name, nothing};
use super::{attributes, foreign, patterns, traps};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use quote::format_ident;
use syn::{Member, RangeLimits};

impl Reader {
    /// An expression that has a value.
    pub fn expr(&mut self, expr: &syn::Expr) -> Expr {
        let attrs = attributes::of_expr(expr);
        if !attrs.is_empty() {
            self.plain(attrs);
        }
        match expr {
            syn::Expr::Array(e) => self.array(e),
            syn::Expr::Assign(e) => self.assign(&e.left, None, &e.right),
            syn::Expr::Binary(e) => self.binary(e),
            syn::Expr::Block(e) => self.block_expr(e),
            syn::Expr::Break(e) => self.break_expr(e),
            syn::Expr::Call(e) => self.call(e),
            syn::Expr::Cast(e) => self.cast(e),
            syn::Expr::Closure(e) => self.closure(e),
            syn::Expr::Continue(e) => self.continue_expr(e),
            syn::Expr::Field(e) => self.field(e),
            syn::Expr::ForLoop(e) => self.for_loop(e),
            syn::Expr::Group(e) => self.expr(&e.expr),
            syn::Expr::If(e) => self.if_expr(e),
            syn::Expr::Index(e) => self.index(e),
            syn::Expr::Lit(e) => self.literal_expr(&e.lit),
            syn::Expr::Loop(e) => self.loop_expr(e),
            syn::Expr::Macro(e) => self.macro_call(&e.mac),
            syn::Expr::Match(e) => self.match_expr(e),
            syn::Expr::MethodCall(e) => self.method_call(e),
            syn::Expr::Paren(e) => self.paren(e),
            syn::Expr::Path(e) => self.path(e),
            syn::Expr::Range(e) => self.closed_range(e),
            syn::Expr::Repeat(e) => self.repeat(e),
            syn::Expr::Return(e) => self.return_expr(e),
            syn::Expr::Struct(e) => self.struct_expr(e),
            syn::Expr::Tuple(e) => self.tuple(e),
            syn::Expr::Unary(e) => self.unary(e),
            syn::Expr::While(e) => self.while_loop(e),
            other => self.foreign(other),
        }
    }

    pub(super) fn boxed(&mut self, expr: &syn::Expr) -> Box<Expr> {
        Box::new(self.expr(expr))
    }

    fn literal_expr(&mut self, lit: &syn::Lit) -> Expr {
        let src = SrcSpan::token(lit.span());
        match self.literal(lit) {
            Some(literal) => Expr {
                kind: ExprKind::Literal(literal),
                src,
            },
            None => nothing(src),
        }
    }

    fn paren(&mut self, e: &syn::ExprParen) -> Expr {
        Expr {
            kind: self.expr(&e.expr).kind,
            src: group(e.paren_token.span),
        }
    }

    fn tuple(&mut self, e: &syn::ExprTuple) -> Expr {
        Expr {
            kind: ExprKind::Tuple(e.elems.iter().map(|elem| self.expr(elem)).collect()),
            src: group(e.paren_token.span),
        }
    }

    fn array(&mut self, e: &syn::ExprArray) -> Expr {
        Expr {
            kind: ExprKind::Array(e.elems.iter().map(|elem| self.expr(elem)).collect()),
            src: group(e.bracket_token.span),
        }
    }

    fn repeat(&mut self, e: &syn::ExprRepeat) -> Expr {
        let value = self.boxed(&e.expr);
        Expr {
            kind: ExprKind::Repeat(value, self.boxed(&e.len)),
            src: group(e.bracket_token.span),
        }
    }

    fn unary(&mut self, e: &syn::ExprUnary) -> Expr {
        let (op, token) = match &e.op {
            syn::UnOp::Neg(token) => (UnOp::Neg, token.span),
            syn::UnOp::Not(token) => (UnOp::Not, token.span),
            syn::UnOp::Deref(token) => return self.deref(token.span, &e.expr),
            _ => return self.foreign(&e.expr),
        };
        let operand = self.boxed(&e.expr);
        Expr {
            src: SrcSpan::token(token).to(operand.src),
            kind: ExprKind::Unary(op, operand),
        }
    }

    fn binary(&mut self, e: &syn::ExprBinary) -> Expr {
        let (op, assigns) = operator(&e.op);
        let Some(op) = op else {
            return self.reject(foreign::unknown(&e.op));
        };
        if assigns {
            return self.assign(&e.left, Some(op), &e.right);
        }
        let left = self.boxed(&e.left);
        let right = match double_star(&e.op, &e.right) {
            Some(exponent) => self.power(&e.op, exponent),
            None => self.expr(&e.right),
        };
        Expr {
            src: left.src.to(right.src),
            kind: ExprKind::Binary(op, left, Box::new(right)),
        }
    }

    fn cast(&mut self, e: &syn::ExprCast) -> Expr {
        let value = match char_code(&e.expr) {
            Some(code) => code,
            None => self.expr(&e.expr),
        };
        let ty = self.ty(&e.ty);
        Expr {
            src: value.src.to(ty.src),
            kind: ExprKind::Cast(Box::new(value), ty),
        }
    }

    fn field(&mut self, e: &syn::ExprField) -> Expr {
        let base = self.boxed(&e.base);
        let field = member(&e.member);
        Expr {
            src: base.src.to(SrcSpan::token(field.ident.span())),
            kind: ExprKind::Field(base, field),
        }
    }

    fn struct_expr(&mut self, e: &syn::ExprStruct) -> Expr {
        let src = SrcSpan::of(&e.path).to(group(e.brace_token.span));
        let (None, Some(ident)) = (&e.qself, e.path.get_ident()) else {
            return self.reject(patterns::long_struct_name(src));
        };
        if let (Some(dots), None) = (&e.dot2_token, &e.rest) {
            return self.reject(
                Diagnostic::new(
                    SrcSpan {
                        first: dots.spans[0],
                        last: dots.spans[1],
                    },
                    "`..` without a value to take fields from",
                )
                .help("write the other fields, or `..base`"),
            );
        }
        let fields = e
            .fields
            .iter()
            .filter_map(|field| {
                self.plain(&field.attrs);
                let member = self.field_name(&field.member)?;
                Some((member, self.expr(&field.expr)))
            })
            .collect();
        let base = e.rest.as_ref().map(|base| self.boxed(base));
        Expr {
            kind: ExprKind::Struct {
                name: name(ident),
                fields,
                base,
            },
            src,
        }
    }

    fn index(&mut self, e: &syn::ExprIndex) -> Expr {
        let array = self.boxed(&e.expr);
        let index = match &*e.index {
            syn::Expr::Range(range) => self.range(range),
            index => self.expr(index),
        };
        Expr {
            src: array.src.to(group(e.bracket_token.span)),
            kind: ExprKind::Index(array, Box::new(index)),
        }
    }

    /// A range outside an index: an array, so it needs both ends.
    fn closed_range(&mut self, e: &syn::ExprRange) -> Expr {
        let src = range_src(e);
        let diagnostic = match (&e.start, &e.end) {
            (Some(_), Some(_)) => return self.range(e),
            (None, Some(_)) => Diagnostic::new(src, "this range has no start")
                .note("a range is an array of numbers, except in an index")
                .help("write `0..n`"),
            (Some(_), None) => Diagnostic::new(src, "this range has no end")
                .note("a range is an array of numbers, except in an index")
                .help("write both ends: `0..n`"),
            (None, None) => Diagnostic::new(src, "this range has no ends")
                .note("`..` stands inside an index or a pattern")
                .help("write both ends: `0..n`"),
        };
        self.reject(diagnostic)
    }

    fn range(&mut self, e: &syn::ExprRange) -> Expr {
        let lo = e.start.as_ref().map(|lo| self.boxed(lo));
        let hi = e.end.as_ref().map(|hi| self.boxed(hi));
        let mut src = range_src(e);
        if let Some(lo) = &lo {
            src.first = lo.src.first;
        }
        if let Some(hi) = &hi {
            src.last = hi.src.last;
        }
        let end = e.end.as_ref();
        if let Some(trap) = end.and_then(|end| traps::range(end, &self.numbers, src)) {
            self.errors.push(trap);
        }
        Expr {
            kind: ExprKind::Range {
                lo,
                hi,
                inclusive: matches!(e.limits, RangeLimits::Closed(_)),
            },
            src,
        }
    }
}

/// The dots.
fn range_src(e: &syn::ExprRange) -> SrcSpan {
    match &e.limits {
        RangeLimits::HalfOpen(dots) => SrcSpan {
            first: dots.spans[0],
            last: dots.spans[1],
        },
        RangeLimits::Closed(dots) => SrcSpan {
            first: dots.spans[0],
            last: dots.spans[2],
        },
    }
}

/// The name after a dot; that of `.0` is `0`.
fn member(member: &Member) -> Name {
    match member {
        Member::Named(ident) => name(ident),
        Member::Unnamed(index) => Name {
            text: index.index.to_string(),
            ident: format_ident!("_{}", index.index, span = index.span),
        },
    }
}

/// `'a'` as its code, for a cast.
fn char_code(expr: &syn::Expr) -> Option<Expr> {
    let syn::Expr::Lit(syn::ExprLit {
        lit: syn::Lit::Char(lit),
        ..
    }) = expr
    else {
        return None;
    };
    let src = SrcSpan::token(lit.span());
    let literal = Literal {
        value: LiteralValue::Int(i128::from(u32::from(lit.value()))),
        suffix: "u32".to_owned(),
        src,
    };
    Some(Expr {
        kind: ExprKind::Literal(literal),
        src,
    })
}

/// `b` of `a ** b`, which Rust reads as `a * (*b)`.
fn double_star<'e>(op: &syn::BinOp, right: &'e syn::Expr) -> Option<&'e syn::Expr> {
    match (op, right) {
        (
            syn::BinOp::Mul(_),
            syn::Expr::Unary(syn::ExprUnary {
                op: syn::UnOp::Deref(_),
                expr,
                ..
            }),
        ) => Some(expr),
        _ => None,
    }
}

/// `+=` and its like.
pub(super) fn assigns(op: &syn::BinOp) -> bool {
    operator(op).1
}

/// The operator, and whether it assigns.
fn operator(op: &syn::BinOp) -> (Option<BinOp>, bool) {
    let (op, assigns) = match op {
        syn::BinOp::Add(_) => (BinOp::Add, false),
        syn::BinOp::Sub(_) => (BinOp::Sub, false),
        syn::BinOp::Mul(_) => (BinOp::Mul, false),
        syn::BinOp::Div(_) => (BinOp::Div, false),
        syn::BinOp::Rem(_) => (BinOp::Rem, false),
        syn::BinOp::And(_) => (BinOp::And, false),
        syn::BinOp::Or(_) => (BinOp::Or, false),
        syn::BinOp::BitXor(_) => (BinOp::BitXor, false),
        syn::BinOp::BitAnd(_) => (BinOp::BitAnd, false),
        syn::BinOp::BitOr(_) => (BinOp::BitOr, false),
        syn::BinOp::Shl(_) => (BinOp::Shl, false),
        syn::BinOp::Shr(_) => (BinOp::Shr, false),
        syn::BinOp::Eq(_) => (BinOp::Eq, false),
        syn::BinOp::Lt(_) => (BinOp::Lt, false),
        syn::BinOp::Le(_) => (BinOp::Le, false),
        syn::BinOp::Ne(_) => (BinOp::Ne, false),
        syn::BinOp::Ge(_) => (BinOp::Ge, false),
        syn::BinOp::Gt(_) => (BinOp::Gt, false),
        syn::BinOp::AddAssign(_) => (BinOp::Add, true),
        syn::BinOp::SubAssign(_) => (BinOp::Sub, true),
        syn::BinOp::MulAssign(_) => (BinOp::Mul, true),
        syn::BinOp::DivAssign(_) => (BinOp::Div, true),
        syn::BinOp::RemAssign(_) => (BinOp::Rem, true),
        syn::BinOp::BitXorAssign(_) => (BinOp::BitXor, true),
        syn::BinOp::BitAndAssign(_) => (BinOp::BitAnd, true),
        syn::BinOp::BitOrAssign(_) => (BinOp::BitOr, true),
        syn::BinOp::ShlAssign(_) => (BinOp::Shl, true),
        syn::BinOp::ShrAssign(_) => (BinOp::Shr, true),
        _ => return (None, false),
    };
    (Some(op), assigns)
}
