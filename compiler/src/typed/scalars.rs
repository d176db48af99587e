//! Types of scalar operations: operators, casts, scalar functions and constants of scalar types.

use super::body::Body;
use super::call::{Arg, Site};
use super::complex;
use super::demand::{Class, Who, symbol};
use super::draft::{NodeId, NodeKind};
use super::foreign;
use super::literal;
use super::scope::place;
use super::suggest;
use super::types::{Head, Kind, Ty};
use crate::prims::{self, ComplexOp, Gives, MathsFn, Method, Scalar, ScalarFn, ScalarOp};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::ir as ast;
use crate::syntax::ir::{BinOp, ExprKind, UnOp};
use crate::typed::ir::Const;

impl<'a> Body<'_, 'a> {
    pub(super) fn unary_operator(
        &mut self,
        op: UnOp,
        operand: &'a ast::Expr,
        src: SrcSpan,
    ) -> NodeId {
        let operand = self.infer_value(operand);
        let (scalar_op, class, who) = match op {
            UnOp::Neg => (ScalarOp::Neg, Class::Signed, Who::Neg),
            UnOp::Not => (ScalarOp::Not, Class::Bits, Who::Not),
        };
        let ty = self.ty(operand);
        if op == UnOp::Neg && self.component(ty).is_some() {
            return self.complex_node(ComplexOp::Neg, vec![operand], ty, src);
        }
        if !self.demand(ty, class, src, who) {
            return self.node(NodeKind::Error, Ty::ERROR, src);
        }
        self.scalar(scalar_op, vec![operand], true, ty, src)
    }

    pub(super) fn scalar(
        &mut self,
        op: ScalarOp,
        args: Vec<NodeId>,
        operator: bool,
        ty: Ty,
        src: SrcSpan,
    ) -> NodeId {
        let kind = NodeKind::Scalar { op, args, operator };
        self.node(kind, ty, src)
    }

    pub(super) fn binary(
        &mut self,
        op: BinOp,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
        src: SrcSpan,
    ) -> NodeId {
        if matches!(op, BinOp::And | BinOp::Or) {
            let what = format!("an operand of `{}`", symbol(op));
            let left = self.infer_bool(left, &what);
            let right = self.infer_bool(right, &what);
            let kind = if op == BinOp::And {
                NodeKind::And(left, right)
            } else {
                NodeKind::Or(left, right)
            };
            return self.node(kind, Ty::BOOL, src);
        }
        let left = self.infer_value(left);
        let right = self.infer_value(right);
        self.binary_nodes(op, left, right, src)
    }

    /// A binary operator other than `&&` and `||`.
    pub(super) fn binary_nodes(
        &mut self,
        op: BinOp,
        left: NodeId,
        right: NodeId,
        src: SrcSpan,
    ) -> NodeId {
        let is_complex = |node| self.component(self.ty(node)).is_some();
        if let Some(complex_op) = complex::operator(op)
            && (is_complex(left) || is_complex(right))
        {
            return self.complex_binary((complex_op, op), left, right, src);
        }
        match kind_of(op) {
            Binary::Shift(scalar_op) => self.shift(op, scalar_op, left, right, src),
            Binary::Arithmetic(scalar_op, class) => {
                let ty = self.operands(op, class, left, right, src);
                self.scalar(scalar_op, vec![left, right], true, ty, src)
            }
            Binary::Order(scalar_op) => {
                let ty = self.operands(op, Class::Scalar, left, right, src);
                let ty = self.flag_of(ty);
                self.scalar(scalar_op, vec![left, right], true, ty, src)
            }
            Binary::Equality(equal) => {
                let ty = self.operands(op, Class::Equal, left, right, src);
                let ty = self.flag_of(ty);
                let kind = NodeKind::Equality { equal, left, right };
                self.node(kind, ty, src)
            }
        }
    }

    // The type of a comparison of operands of type `ty`.
    fn flag_of(&self, ty: Ty) -> Ty {
        match self.types.is_error(ty) {
            true => Ty::ERROR,
            false => Ty::BOOL,
        }
    }

    // Both operands have one type, of `class`.
    fn operands(
        &mut self,
        op: BinOp,
        class: Class,
        left: NodeId,
        right: NodeId,
        src: SrcSpan,
    ) -> Ty {
        let (l, r) = (self.ty(left), self.ty(right));
        if self.types.is_error(l) || self.types.is_error(r) {
            return Ty::ERROR;
        }
        let who = Who::Binary(op, self.arrays([l, r]));
        let unknown = |ty| matches!(self.types.head(ty), Head::Var(Kind::Any));
        // Where neither is known, one demand is enough.
        let one = unknown(l) && unknown(r);
        if !self.demand(l, class, src, who) || !(one || self.demand(r, class, src, who)) {
            return Ty::ERROR;
        }
        if self.types.unify(l, r).is_err() {
            let error = self.operands_differ(op, left, right, src);
            self.error(error);
            return Ty::ERROR;
        }
        l
    }

    // Which of these types are known to be arrays.
    fn arrays(&self, types: [Ty; 2]) -> [bool; 2] {
        types.map(|ty| matches!(self.types.head(ty), Head::Array(_)))
    }

    fn operands_differ(&self, op: BinOp, left: NodeId, right: NodeId, src: SrcSpan) -> Diagnostic {
        let (l, r) = (self.ty(left), self.ty(right));
        let title = format!(
            "`{}` cannot be applied to {} and {}",
            symbol(op),
            self.types.quote(l),
            self.types.quote(r)
        );
        let error = Diagnostic::new(src, title)
            .note("both operands have one type; nothing is converted by itself");
        let is_literal = |node| match self.kind(node) {
            NodeKind::Literal { literal, .. } => literal.suffix.is_empty(),
            _ => false,
        };
        let help = if is_literal(left) {
            self.conversion(left, r)
        } else if is_literal(right) {
            self.conversion(right, l)
        } else {
            let missing = self.point_missing(l, r);
            missing.or_else(|| self.common_type(l, r))
        };
        match help {
            Some(help) => error.help(help),
            None => error,
        }
    }

    // What both operands are to become.
    fn common_type(&self, left: Ty, right: Ty) -> Option<String> {
        let (left, right) = (self.types.as_scalar(left)?, self.types.as_scalar(right)?);
        // Of two floats the wider one, too.
        let rank = |ty: Scalar| match ty {
            ty if ty.is_float() => ty.bits(),
            Scalar::Usize => 1,
            _other => 0,
        };
        let common = if rank(right) > rank(left) {
            right
        } else {
            left
        };
        let numbers = left != Scalar::Bool && right != Scalar::Bool;
        numbers.then(|| format!("convert one of them: `… as {}`", common.name()))
    }

    fn shift(
        &mut self,
        op: BinOp,
        scalar_op: ScalarOp,
        left: NodeId,
        right: NodeId,
        src: SrcSpan,
    ) -> NodeId {
        let (ty, amount_ty) = (self.ty(left), self.ty(right));
        let who = Who::Binary(op, self.arrays([ty, amount_ty]));
        if !self.demand(ty, Class::Int, src, who) || !self.demand(amount_ty, Class::Int, src, who) {
            return self.node(NodeKind::Error, Ty::ERROR, src);
        }
        if matches!(self.kind(right), NodeKind::Literal { .. }) {
            // A literal has its own type if it is written, else that of the left side.
            let _ = self.types.unify(amount_ty, ty);
        }
        let amount = self.node(NodeKind::Cast(right), ty, self.src(right));
        self.scalar(scalar_op, vec![left, amount], true, ty, src)
    }

    pub(super) fn cast(
        &mut self,
        operand: &'a ast::Expr,
        ty: &'a ast::Type,
        src: SrcSpan,
    ) -> NodeId {
        let operand_node = self.infer_value(operand);
        let to = self.erased(ty);
        let from = self.ty(operand_node);
        if matches!(operand.kind, ExprKind::Literal(_))
            && matches!(self.types.head(from), Head::Var(Kind::Int))
            && matches!(self.types.head(to), Head::Scalar(s) if s.is_int())
        {
            // `3_000_000_000 as u64` is a literal of that type.
            let _ = self.types.unify(from, to);
        }
        if !self.demand(from, Class::Scalar, src, Who::Cast) {
            return self.node(NodeKind::Error, Ty::ERROR, src);
        }
        if let Some(error) = self.bad_cast(from, to, src) {
            return self.error_node(src, error);
        }
        self.node(NodeKind::Cast(operand_node), to, src)
    }

    /// What is wrong with a conversion.
    pub(super) fn bad_cast(&self, from: Ty, to: Ty, src: SrcSpan) -> Option<Diagnostic> {
        let title = format!(
            "{} cannot become `{}`",
            self.types.quote(from),
            self.types.show(to)
        );
        let error = Diagnostic::new(src, title);
        match self.types.head(to) {
            Head::Scalar(Scalar::Bool) => {
                let is_bool = matches!(
                    self.types.head(from),
                    Head::Scalar(Scalar::Bool) | Head::Error
                );
                let is_float =
                    matches!(self.types.head(from), Head::Scalar(from) if from.is_float());
                let zero = if is_float { "0.0" } else { "0" };
                (!is_bool).then(|| error.help(format!("compare it: `… != {zero}`")))
            }
            Head::Scalar(scalar) if scalar.is_float() => {
                let is_bool = matches!(self.types.head(from), Head::Scalar(Scalar::Bool));
                is_bool.then(|| {
                    error.help(format!(
                        "go through an integer: `… as u8 as {}`",
                        scalar.name()
                    ))
                })
            }
            Head::Scalar(_) | Head::Var(_) | Head::Error => None,
            Head::Tuple(_) | Head::Struct(_) | Head::Complex(_) | Head::Array(_) | Head::Seq(_) => {
                Some(error.note("`as` gives scalars only"))
            }
        }
    }

    /// A call of a scalar function.
    pub(super) fn scalar_fn(&mut self, function: &'static ScalarFn, site: Site<'a>) -> NodeId {
        if site.args.len() != function.arity {
            let error = scalar_arity(function, &site);
            return self.error_node(site.src, error);
        }
        let args: Vec<_> = site.args.iter().map(|arg| self.arg(*arg)).collect();
        let first = self.ty(args[0]);
        if self.component(first).is_some()
            && let Some(function) = prims::complex_fn(function.name)
        {
            return self.complex_fn(function, args[0], &site);
        }
        let who = Who::Function(function);
        if !self.demand(first, function.domain.into(), site.src, who) || self.types.is_error(first)
        {
            return self.node(NodeKind::Error, Ty::ERROR, site.src);
        }
        for arg in &args[1..] {
            let want = self.following(function.rest, first);
            let why = why_following(function);
            if !self.expect(*arg, want, format_args!("{why}")) {
                return self.node(NodeKind::Error, Ty::ERROR, site.src);
            }
        }
        let ty = self.following(function.gives, first);
        self.scalar(function.op, args, function.op.divides(), ty, site.src)
    }

    /// The type that follows from that of the first argument. One of a literal that nothing else
    /// decides is decided here, if what follows depends on it.
    fn following(&mut self, gives: Gives, first: Ty) -> Ty {
        match gives {
            Gives::First => first,
            Gives::I32 => Ty::scalar(Scalar::I32),
            Gives::U32 => Ty::scalar(Scalar::U32),
            Gives::Bool => Ty::BOOL,
            Gives::Unsigned => match self.types.as_scalar(first) {
                Some(known) => Ty::scalar(known.unsigned()),
                None => {
                    let _ = self.types.unify(first, Ty::scalar(Scalar::I32));
                    Ty::scalar(Scalar::U32)
                }
            },
        }
    }

    /// `T::f(args)`
    pub(super) fn qualified(&mut self, qualifier: &'a ast::Name, site: Site<'a>) -> NodeId {
        if qualifier.text == "Complex" && site.name == "new" {
            let error = Diagnostic::new(site.src, "there is no `Complex::new`")
                .help("write `complex(re, im)`, or `Complex { re: x, im: y }`");
            return self.error_node(site.src, error);
        }
        let Some(ty) = self.qualifier(qualifier) else {
            return self.node(NodeKind::Error, Ty::ERROR, site.src);
        };
        let Some(function) = prims::scalar_fn(site.name) else {
            let error = unknown_associated(qualifier, site.name, site.name_src);
            return self.error_node(site.src, error);
        };
        let first = site.args.first().copied();
        let mut site = site;
        if let Some(Arg::Expr(expr)) = first {
            let node = self.infer_value(expr);
            site.args[0] = Arg::Node(node);
        }
        if let Some(Arg::Node(node)) = site.args.first().copied() {
            let why = format_args!("`{}::{}` takes this type", qualifier.text, function.name);
            if !self.expect(node, ty, why) {
                return self.node(NodeKind::Error, Ty::ERROR, site.src);
            }
        }
        self.scalar_fn(function, site)
    }

    fn qualifier(&mut self, qualifier: &'a ast::Name) -> Option<Ty> {
        let generic = self
            .generics
            .iter()
            .find(|(name, _)| *name == qualifier.text);
        if let Some((_, ty)) = generic {
            return Some(*ty);
        }
        if let Some(scalar) = Scalar::by_name(&qualifier.text) {
            return Some(Ty::scalar(scalar));
        }
        let generics = self.generics.iter().map(|(name, _)| *name).collect();
        let error = suggest::unknown_type(self.session, self.unit, qualifier, generics);
        self.error(error);
        None
    }

    /// `f32::MAX`
    pub(super) fn associated(
        &mut self,
        qualifier: &'a ast::Name,
        name: &'a ast::Name,
        src: SrcSpan,
    ) -> NodeId {
        match self.associated_value(qualifier, name) {
            Some(value) => self.node(NodeKind::Const(value), Ty::scalar(value.ty), src),
            None => self.node(NodeKind::Error, Ty::ERROR, src),
        }
    }

    /// The value of `f32::MAX`; `None` after a message.
    pub(super) fn associated_value(
        &mut self,
        qualifier: &'a ast::Name,
        name: &'a ast::Name,
    ) -> Option<Const> {
        let ty = self.qualifier(qualifier)?;
        let scalar = self.types.as_scalar(ty);
        let value = scalar.and_then(|scalar| literal::associated(scalar, &name.text));
        if value.is_none() {
            self.error(unknown_associated(qualifier, &name.text, place(name)));
        }
        value
    }
}

enum Binary {
    Arithmetic(ScalarOp, Class),
    Shift(ScalarOp),
    Order(ScalarOp),
    Equality(bool),
}

fn kind_of(op: BinOp) -> Binary {
    match op {
        BinOp::Add => Binary::Arithmetic(ScalarOp::Add, Class::Num),
        BinOp::Sub => Binary::Arithmetic(ScalarOp::Sub, Class::Num),
        BinOp::Mul => Binary::Arithmetic(ScalarOp::Mul, Class::Num),
        BinOp::Div => Binary::Arithmetic(ScalarOp::Div, Class::Num),
        BinOp::Rem => Binary::Arithmetic(ScalarOp::Rem, Class::Num),
        BinOp::BitAnd | BinOp::And => Binary::Arithmetic(ScalarOp::BitAnd, Class::Bits),
        BinOp::BitOr | BinOp::Or => Binary::Arithmetic(ScalarOp::BitOr, Class::Bits),
        BinOp::BitXor => Binary::Arithmetic(ScalarOp::BitXor, Class::Bits),
        BinOp::Shl => Binary::Shift(ScalarOp::Shl),
        BinOp::Shr => Binary::Shift(ScalarOp::Shr),
        BinOp::Lt => Binary::Order(ScalarOp::Lt),
        BinOp::Le => Binary::Order(ScalarOp::Le),
        BinOp::Gt => Binary::Order(ScalarOp::Gt),
        BinOp::Ge => Binary::Order(ScalarOp::Ge),
        BinOp::Eq => Binary::Equality(true),
        BinOp::Ne => Binary::Equality(false),
    }
}

fn why_following(function: &ScalarFn) -> String {
    match function.op {
        ScalarOp::RotateLeft | ScalarOp::RotateRight => {
            "the amount of a rotation is a `u32`".to_owned()
        }
        ScalarOp::Powi => "the exponent of `powi` is an `i32`; `pow` takes a float".to_owned(),
        ScalarOp::Method(Method::WrappingPow) => "the exponent is a `u32`".to_owned(),
        _of_one_type => format!("the arguments of `{}` have one type", function.name),
    }
}

fn scalar_arity(function: &ScalarFn, site: &Site<'_>) -> Diagnostic {
    let args = ["x", "y", "z"][..function.arity].join(", ");
    let title = format!(
        "`{}` takes {}, not {}",
        function.name,
        super::call::count(function.arity, "argument"),
        site.args.len()
    );
    let error = Diagnostic::new(site.src, title)
        .note(format!("it is called as `{}({args})`", function.name));
    match function.op {
        ScalarOp::Maths(MathsFn::Log) => error.help("the natural logarithm is `ln`"),
        _without_a_namesake => error,
    }
}

fn unknown_associated(qualifier: &ast::Name, name: &str, src: SrcSpan) -> Diagnostic {
    let title = format!("`{}` has no `{name}`", qualifier.text);
    let error = Diagnostic::new(src, title);
    if let Some(help) = foreign::operator(name) {
        return error.help(help);
    }
    let names = literal::ASSOCIATED.iter().copied();
    let functions = prims::SCALAR_FNS.iter().map(|function| function.name);
    match suggest::closest(name, names.chain(functions)) {
        Some(close) => error.help(format!("did you mean `{close}`?")),
        None => error,
    }
}
