//! Types of expressions, one method per kind.
//!
//! In: a syntax tree. Out: its draft; errors are reported once and give the type `ERROR`.

use super::body::Body;
use super::draft::{LocalTy, NodeId, NodeKind};
use super::literal;
use super::scope::place;
use super::sequences;
use super::suggest;
use super::types::{Head, Kind, Ty};
use super::wait::What;
use crate::ids::StructId;
use crate::prims::{self, Prim, Scalar};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::ir as ast;
use crate::syntax::ir::{ExprKind, UnOp};

impl<'a> Body<'_, 'a> {
    pub(super) fn infer(&mut self, expr: &'a ast::Expr) -> NodeId {
        let src = expr.src;
        match &expr.kind {
            ExprKind::Literal(literal) => self.literal(literal, false, src),
            ExprKind::Path(None, name) => self.value_of_name(name, src),
            ExprKind::Path(Some(qualifier), name) => self.associated(qualifier, name, src),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, src),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, src),
            ExprKind::Cast(operand, ty) => self.cast(operand, ty, src),
            ExprKind::Tuple(fields) => self.tuple(fields, src),
            ExprKind::Struct { name, fields, base } => {
                self.strukt(name, fields, base.as_deref(), src)
            }
            ExprKind::Field(base, name) => self.field(base, name, src),
            ExprKind::Array(elems) => self.array_literal(elems, src),
            ExprKind::Repeat(value, count) => self.repeat(value, count, src),
            ExprKind::Index(array, index) => self.index(array, index, src),
            ExprKind::Range { lo, hi, inclusive } => {
                self.range(lo.as_deref(), hi.as_deref(), *inclusive, src)
            }
            ExprKind::Call(call) => self.call(call, src),
            ExprKind::Closure(_, _) => self.stray_closure(src),
            ExprKind::If(cond, then, else_) => self.if_(cond, then, else_.as_deref(), src),
            ExprKind::Match(scrutinee, arms) => self.match_(scrutinee, arms, src),
            ExprKind::Block(block) => self.block(block, src),
            ExprKind::For(pattern, source, body, label) => {
                self.for_(pattern, source, body, label.as_ref(), src)
            }
            ExprKind::While(cond, body, label) => self.while_(cond, body, label.as_ref(), src),
            ExprKind::Loop(body, label) => self.loop_(body, label.as_ref(), src),
            ExprKind::Break(label, value) => self.break_(label.as_ref(), value.as_deref(), src),
            ExprKind::Continue(label) => self.continue_(label.as_ref(), src),
            ExprKind::Return(value) => self.early_return(value.as_deref(), src),
            ExprKind::Assign(place, op, value) => self.assign(place, *op, value, src),
            ExprKind::Assert(cond, message) => self.assert(cond, message.as_deref(), src),
            ExprKind::Dbg(value) => {
                let value = self.infer_value(value);
                let ty = self.ty(value);
                self.node(NodeKind::Dbg(value), ty, src)
            }
        }
    }

    /// An expression that must have a value.
    pub(super) fn infer_value(&mut self, expr: &'a ast::Expr) -> NodeId {
        let node = self.infer(expr);
        self.has_value(node, expr.src)
    }

    /// The value of a body; it may have none if its end is never reached.
    pub(super) fn infer_body(&mut self, expr: &'a ast::Expr) -> NodeId {
        let node = self.infer(expr);
        if self.types.is_never(self.ty(node)) {
            return node;
        }
        self.has_value(node, expr.src)
    }

    fn has_value(&mut self, node: NodeId, src: SrcSpan) -> NodeId {
        let ty = self.ty(node);
        if self.types.is_unit(ty) {
            if !matches!(self.kind(node), NodeKind::Error) {
                let (why, help) = match self.kind(node) {
                    NodeKind::Break { .. }
                    | NodeKind::Continue { .. }
                    | NodeKind::Loop { ends: false, .. } => (
                        "it leaves what is around it",
                        "write it as a statement of its own",
                    ),
                    NodeKind::Block { .. } => (
                        "the block ends without a value",
                        "end it with an expression, without `;`",
                    ),
                    NodeKind::Tuple(_) => ("`()` is not a value here", "write a value"),
                    _ => (
                        "it is a statement: its type is `()`",
                        "write the value that is wanted behind it",
                    ),
                };
                let error = Diagnostic::new(src, "this has no value")
                    .note(why)
                    .help(help);
                self.error(error);
            }
            self.nodes[node.0 as usize].ty = Ty::ERROR;
        }
        node
    }

    /// An expression of type `usize`.
    pub(super) fn infer_usize(&mut self, expr: &'a ast::Expr, what: &str) -> NodeId {
        let node = self.infer_value(expr);
        self.expect(node, Ty::USIZE, format_args!("{what} is a `usize`"));
        node
    }

    pub(super) fn infer_bool(&mut self, expr: &'a ast::Expr, what: &str) -> NodeId {
        let node = self.infer_value(expr);
        self.expect(node, Ty::BOOL, format_args!("{what} is a `bool`"));
        node
    }

    pub(super) fn value_of_name(&mut self, name: &'a ast::Name, src: SrcSpan) -> NodeId {
        if let Some(local) = self.lookup(&name.text) {
            if matches!(self.locals[local.index()].ty, LocalTy::At(_)) {
                self.passed_on(&name.text, src);
                return self.node(NodeKind::Error, Ty::ERROR, src);
            }
            if self.is_function(local) {
                let error = function_as_value(src, &name.text);
                return self.error_node(src, error);
            }
            return self.read(local, src);
        }
        if let Some(index) = self.session.constant(self.unit, &name.text) {
            return match super::consts::value(self.session, index) {
                Some(constant) => self.constant(&constant, src),
                None => {
                    self.failed = true;
                    self.node(NodeKind::Error, Ty::ERROR, src)
                }
            };
        }
        let error = self.unknown_name(name, src);
        self.error_node(src, error)
    }

    fn unknown_name(&self, name: &ast::Name, src: SrcSpan) -> Diagnostic {
        let text: &str = &name.text;
        let is_function =
            self.session.function(self.unit, text).is_some() || super::call::is_builtin(text);
        if is_function {
            return function_as_value(src, text);
        }
        if prims::PLANNED.contains(&text) {
            return suggest::planned(src, text);
        }
        let locals: Vec<_> = self.in_scope().map(|(name, _)| name).collect();
        let consts = self.session.units[self.unit].consts.iter().map(|(n, _)| *n);
        suggest::unknown(src, "", text, locals.into_iter().chain(consts))
            .or_help("what is outside of the block comes in as a parameter")
    }

    /// Whether a local is a function parameter, or a closure.
    pub(super) fn is_function(&self, local: crate::ids::LocalId) -> bool {
        match self.locals[local.index()].ty {
            LocalTy::Fn { .. } | LocalTy::Closure(_) | LocalTy::At(_) => true,
            LocalTy::Value(_) => false,
        }
    }

    pub(super) fn literal(
        &mut self,
        literal: &'a ast::Literal,
        negative: bool,
        src: SrcSpan,
    ) -> NodeId {
        let ty = self.literal_ty(literal);
        let kind = NodeKind::Literal { literal, negative };
        self.node(kind, ty, src)
    }

    pub(super) fn literal_ty(&mut self, literal: &'a ast::Literal) -> Ty {
        match (&literal.value, literal.suffix.as_str()) {
            (ast::LiteralValue::Bool(_), _) => Ty::BOOL,
            (ast::LiteralValue::Int(_), "") => self.types.var(Kind::Int),
            (ast::LiteralValue::Float(_), "") => self.types.var(Kind::Float),
            (value, suffix) => match Scalar::by_name(suffix) {
                Some(scalar) if scalar.is_float() => Ty::scalar(scalar),
                Some(scalar) if scalar.is_int() && matches!(value, ast::LiteralValue::Int(_)) => {
                    Ty::scalar(scalar)
                }
                _ => {
                    let title = format!("a float literal cannot be of type `{suffix}`");
                    let error = Diagnostic::new(literal.src, title)
                        .help("write an integer, or a float type: `1.5f32`");
                    self.error(error);
                    Ty::ERROR
                }
            },
        }
    }

    fn unary(&mut self, op: UnOp, operand: &'a ast::Expr, src: SrcSpan) -> NodeId {
        match (op, &operand.kind) {
            (UnOp::Neg, ExprKind::Literal(literal))
                if !matches!(literal.value, ast::LiteralValue::Bool(_)) =>
            {
                self.literal(literal, true, src)
            }
            (UnOp::Neg | UnOp::Not, _) => self.unary_operator(op, operand, src),
        }
    }

    fn tuple(&mut self, fields: &'a [ast::Expr], src: SrcSpan) -> NodeId {
        let fields: Vec<_> = fields.iter().map(|field| self.infer_value(field)).collect();
        let types = fields.iter().map(|field| self.ty(*field)).collect();
        let ty = self.types.tuple(types);
        self.node(NodeKind::Tuple(fields), ty, src)
    }

    fn array_literal(&mut self, elems: &'a [ast::Expr], src: SrcSpan) -> NodeId {
        let elem = self.types.any();
        let elems: Vec<_> = elems.iter().map(|e| self.infer_value(e)).collect();
        for node in &elems {
            self.expect(
                *node,
                elem,
                format_args!("the elements of an array have one type"),
            );
        }
        let ty = self.types.array(elem);
        self.node(NodeKind::Array(elems), ty, src)
    }

    fn repeat(&mut self, value: &'a ast::Expr, count: &'a ast::Expr, src: SrcSpan) -> NodeId {
        let value = self.infer_value(value);
        let count = self.infer_usize(count, "the length of an array");
        let ty = self.types.array(self.ty(value));
        let kind = NodeKind::Prim {
            prim: Prim::Fill,
            args: vec![value, count],
            fns: Vec::new(),
        };
        self.node(kind, ty, src)
    }

    fn field(&mut self, base: &'a ast::Expr, name: &'a ast::Name, src: SrcSpan) -> NodeId {
        let base = self.infer_value(base);
        self.field_of(base, name, src)
    }

    pub(super) fn field_of(&mut self, base: NodeId, name: &'a ast::Name, src: SrcSpan) -> NodeId {
        let base_ty = self.ty(base);
        let found = match self.types.head(base_ty) {
            Head::Error => return self.node(NodeKind::Error, Ty::ERROR, src),
            Head::Var(Kind::Any) => return self.wait(base_ty, src, What::Field(base, name)),
            Head::Tuple(fields) => {
                let index = name.text.parse::<usize>().ok();
                index.and_then(|index| Some((index, *fields.get(index)?)))
            }
            Head::Struct(id) => self.struct_field(id, &name.text),
            Head::Complex(part) => self.complex_field(part, &name.text),
            Head::Var(_) | Head::Scalar(_) | Head::Array(_) | Head::Seq(_) => None,
        };
        match found {
            Some((index, ty)) => self.node(NodeKind::Field(base, index), ty, src),
            None => {
                let error = self.no_field(base_ty, name);
                self.error_node(src, error)
            }
        }
    }

    fn struct_field(&mut self, id: StructId, name: &str) -> Option<(usize, Ty)> {
        let fields = &self.session.structs[id.index()].ast.fields;
        let index = fields.iter().position(|(field, _)| field.text == name)?;
        Some((index, self.field_ty(id, index)))
    }

    /// The type of a struct's field.
    pub(super) fn field_ty(&mut self, id: StructId, index: usize) -> Ty {
        match self.session.structs[id.index()].fields.get(index) {
            Some(field) => self.types.known(&field.erased()),
            None => Ty::ERROR,
        }
    }

    pub(super) fn no_field(&self, ty: Ty, name: &ast::Name) -> Diagnostic {
        let title = format!("{} has no field `{}`", self.types.quote(ty), name.text);
        let error = Diagnostic::new(place(name), title);
        match self.types.head(ty) {
            Head::Array(_) => error.help(match prims::record(&name.text) {
                Some(operator) => format!("it is an operator: `{}`", operator.signature),
                None => format!(
                    "take the field of each element: `xs.map(|x| x.{})`",
                    name.text
                ),
            }),
            Head::Scalar(_) => match prims::scalar_fn(&name.text) {
                Some(function) => {
                    let rest = if function.arity == 1 { "" } else { "…" };
                    error.help(format!("it is a function: `x.{}({rest})`", name.text))
                }
                None => error,
            },
            Head::Tuple(fields) => error.note(format!("it has {} fields", fields.len())),
            Head::Struct(id) => {
                let fields = &self.session.structs[id.index()].ast.fields;
                let names: Vec<&str> = fields.iter().map(|(field, _)| &*field.text).collect();
                match suggest::closest(&name.text, names.iter().copied()) {
                    Some(close) => error.help(format!("did you mean `{close}`?")),
                    None => error.note(format!("its fields are `{}`", names.join("`, `"))),
                }
            }
            Head::Complex(_) => error.note("its fields are `re` and `im`"),
            Head::Seq(_) => error.help(format!(
                "take the field of each item: `s.map(|x| x.{})`",
                name.text
            )),
            Head::Var(_) | Head::Error => error,
        }
    }

    fn index(&mut self, array: &'a ast::Expr, index: &'a ast::Expr, src: SrcSpan) -> NodeId {
        let array = self.infer_value(array);
        if let ExprKind::Range { lo, hi, inclusive } = &index.kind {
            return self.slice(array, lo.as_deref(), hi.as_deref(), *inclusive, src);
        }
        let elem = self.elem_of(array);
        let index = self.index_value(index);
        if matches!(self.kind(index), NodeKind::Error) {
            return self.node(NodeKind::Error, Ty::ERROR, src);
        }
        self.node(NodeKind::Index(array, index), elem, src)
    }

    /// `array[lo..hi]`
    pub(super) fn slice(
        &mut self,
        array: NodeId,
        lo: Option<&'a ast::Expr>,
        hi: Option<&'a ast::Expr>,
        inclusive: bool,
        src: SrcSpan,
    ) -> NodeId {
        let elem = self.elem_of(array);
        let lo = lo.map(|lo| self.place_of(lo, "a bound of a slice"));
        let hi = hi.map(|hi| self.place_of(hi, "a bound of a slice"));
        let ty = self.types.array(elem);
        let kind = NodeKind::Slice {
            array,
            lo,
            hi,
            inclusive,
        };
        self.node(kind, ty, src)
    }

    /// An index; a tuple of indices, or an array of them as in `ndarray`, gets its own message.
    pub(super) fn index_value(&mut self, index: &'a ast::Expr) -> NodeId {
        if matches!(index.kind, ExprKind::Tuple(_) | ExprKind::Array(_)) {
            let error =
                Diagnostic::new(index.src, "an index is one number").help("write `a[i][j]`");
            return self.error_node(index.src, error);
        }
        self.place_of(index, "an index")
    }

    /// An index or a bound; a negative number, as in NumPy, gets its own message.
    fn place_of(&mut self, at: &'a ast::Expr, what: &str) -> NodeId {
        let ExprKind::Unary(UnOp::Neg, from_end) = &at.kind else {
            return self.infer_usize(at, what);
        };
        let ExprKind::Literal(literal) = &from_end.kind else {
            return self.infer_usize(at, what);
        };
        let count = literal::show(literal, false);
        let error = Diagnostic::new(at.src, format!("{what} counts from the start"))
            .help(format!("from the end, it is `xs.len() - {count}`"));
        self.error_node(at.src, error)
    }

    /// The element type of an array that is indexed.
    pub(super) fn elem_of(&mut self, array: NodeId) -> Ty {
        let ty = self.ty(array);
        match self.types.head(ty) {
            Head::Array(elem) => elem,
            Head::Error => Ty::ERROR,
            Head::Var(Kind::Any) => {
                let elem = self.types.any();
                let array = self.types.array(elem);
                // An unknown type admits any.
                let _ = self.types.unify(ty, array);
                elem
            }
            Head::Var(_)
            | Head::Scalar(_)
            | Head::Tuple(_)
            | Head::Struct(_)
            | Head::Complex(_)
            | Head::Seq(_) => {
                let title = format!("{} cannot be indexed", self.types.quote(ty));
                let error = Diagnostic::new(self.src(array), title);
                let error = match self.types.head(ty) {
                    Head::Tuple(_) => error.help("take a field of a tuple with `.0`"),
                    Head::Seq(_) => sequences::not_at_hand(error),
                    _ => error.note(self.indexed_already(array)),
                };
                self.error(error);
                Ty::ERROR
            }
        }
    }

    // Why what is not an array cannot be indexed: all axes of an array may have an index by now.
    fn indexed_already(&self, mut node: NodeId) -> String {
        let mut indices = 0;
        while let NodeKind::Index(array, _) = *self.kind(node) {
            node = array;
            indices += 1;
        }
        let ty = self.types.quote(self.ty(node));
        match indices {
            0 => "only arrays have elements".into(),
            1 => format!("{ty} takes one index"),
            n => format!("{ty} takes {n} indices"),
        }
    }

    fn range(
        &mut self,
        lo: Option<&'a ast::Expr>,
        hi: Option<&'a ast::Expr>,
        inclusive: bool,
        src: SrcSpan,
    ) -> NodeId {
        let (Some(lo), Some(hi)) = (lo, hi) else {
            unreachable!("syntax: a range outside of an index has both bounds")
        };
        let elem = self.types.var(Kind::Index);
        let lo = self.infer_value(lo);
        let hi = self.infer_value(hi);
        let mut known = true;
        for bound in [lo, hi] {
            known &= self.expect(
                bound,
                elem,
                format_args!("both bounds of a range are integers of one type"),
            );
        }
        if !known {
            return self.node(NodeKind::Error, Ty::ERROR, src);
        }
        let ty = self.types.array(elem);
        self.node(NodeKind::Range { lo, hi, inclusive }, ty, src)
    }

    fn stray_closure(&mut self, src: SrcSpan) -> NodeId {
        let error = Diagnostic::new(
            src,
            "a closure can only be passed to an operator or a function, or bound with `let`",
        )
        .note("functions are not values: they cannot be stored or returned")
        .help("give it a name: `let f = |x| …;`");
        self.error_node(src, error)
    }

    fn assert(&mut self, cond: &'a ast::Expr, message: Option<&str>, src: SrcSpan) -> NodeId {
        let cond = self.infer_bool(cond, "the condition of `assert!`");
        let message = message.unwrap_or_default().to_owned();
        self.node(NodeKind::Assert { cond, message }, Ty::UNIT, src)
    }
}

fn function_as_value(src: SrcSpan, name: &str) -> Diagnostic {
    Diagnostic::new(src, format!("`{name}` is a function, not a value")).help(format!(
        "call it: `{name}(…)`, or pass it to an operator: `xs.map({name})`"
    ))
}
