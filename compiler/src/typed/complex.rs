//! Types of complex numbers: how they are made, operators, functions.
//!
//! Note [Complex numbers]: `Complex<T>` is a product of two components, and after this stage one of
//! the structs that each program has in front. Its operations are nodes of their own, whose formulas
//! `prims/complex.rs` has.

use super::body::Body;
use super::call::{Arg, Site, count};
use super::demand::{Class, Who, symbol};
use super::draft::{NodeId, NodeKind};
use super::scope::place;
use super::types::{Head, Kind, Ty};
use super::wait::What;
use crate::prims::{ComplexFn, ComplexOp};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::ir as ast;
use crate::syntax::ir::BinOp;

/// What makes a complex number of its components.
pub(super) const MAKE: &str = "complex";

/// The operator on complex numbers.
pub(super) fn operator(op: BinOp) -> Option<ComplexOp> {
    Some(match op {
        BinOp::Add => ComplexOp::Add,
        BinOp::Sub => ComplexOp::Sub,
        BinOp::Mul => ComplexOp::Mul,
        BinOp::Div => ComplexOp::Div,
        BinOp::Rem | BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor | BinOp::Shl | BinOp::Shr => {
            return None;
        }
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => return None,
        BinOp::And | BinOp::Or => return None,
    })
}

impl<'a> Body<'_, 'a> {
    /// The type of the components of a complex number.
    pub(super) fn component(&self, ty: Ty) -> Option<Ty> {
        match self.types.head(ty) {
            Head::Complex(part) => Some(part),
            Head::Var(_)
            | Head::Scalar(_)
            | Head::Tuple(_)
            | Head::Struct(_)
            | Head::Array(_)
            | Head::Seq(_)
            | Head::Error => None,
        }
    }

    pub(super) fn complex_node(
        &mut self,
        op: ComplexOp,
        args: Vec<NodeId>,
        ty: Ty,
        src: SrcSpan,
    ) -> NodeId {
        self.node(NodeKind::Complex { op, args }, ty, src)
    }

    /// An operator at least one of whose operands is a complex number; the other is one, or a
    /// component.
    pub(super) fn complex_binary(
        &mut self,
        (op, written): (ComplexOp, BinOp),
        left: NodeId,
        right: NodeId,
        src: SrcSpan,
    ) -> NodeId {
        let (l, r) = (self.ty(left), self.ty(right));
        let (whole, other) = match self.component(l) {
            Some(_) => (l, r),
            None => (r, l),
        };
        let want = match (self.types.head(other), self.component(whole)) {
            (Head::Error, _) | (_, None) => return self.node(NodeKind::Error, Ty::ERROR, src),
            (Head::Complex(_) | Head::Var(Kind::Any), _) => whole,
            (_, Some(part)) => part,
        };
        if self.types.unify(other, want).is_err() {
            let title = format!(
                "`{}` cannot be applied to {} and {}",
                symbol(written),
                self.types.quote(l),
                self.types.quote(r)
            );
            let part = self.component(whole).unwrap_or(Ty::ERROR);
            let (whole, part) = (self.types.quote(whole), self.types.quote(part));
            let error = Diagnostic::new(src, title)
                .note(format!(
                    "both operands are {whole}, or one of them is {part}"
                ))
                .help("write `2.0` for `2`; of other numbers convert the components");
            return self.error_node(src, error);
        }
        self.complex_node(op, vec![left, right], whole, src)
    }

    /// `complex(re, im)`
    pub(super) fn make_complex(&mut self, site: Site<'a>) -> NodeId {
        let [re, im] = site.args.as_slice() else {
            let title = format!("`{MAKE}` takes 2 arguments, not {}", site.args.len());
            let error = Diagnostic::new(site.src, title).note("it is called as `complex(re, im)`");
            return self.error_node(site.src, error);
        };
        let (re, im) = (self.arg(*re), self.arg(*im));
        self.complex_of(re, im, site.src)
    }

    /// `Complex { re: …, im: … }`
    pub(super) fn complex_literal(
        &mut self,
        fields: &'a [(ast::Name, ast::Expr)],
        base: Option<&'a ast::Expr>,
        src: SrcSpan,
    ) -> NodeId {
        let value = |name: &str| {
            let mut found = fields.iter().filter(|(field, _)| field.text == name);
            found.next().map(|(_, value)| value)
        };
        let (Some(re), Some(im), 2, None) = (value("re"), value("im"), fields.len(), base) else {
            let error = Diagnostic::new(src, "a complex number is made of `re` and `im`")
                .help("write `complex(re, im)`");
            return self.error_node(src, error);
        };
        let (re, im) = (self.infer_value(re), self.infer_value(im));
        self.complex_of(re, im, src)
    }

    fn complex_of(&mut self, re: NodeId, im: NodeId, src: SrcSpan) -> NodeId {
        let part = self.ty(re);
        if !self.demand(part, Class::Component, src, Who::Complex)
            || !self.expect(im, part, format_args!("both components have one type"))
        {
            return self.node(NodeKind::Error, Ty::ERROR, src);
        }
        let ty = self.types.complex(part);
        self.node(NodeKind::Tuple(vec![re, im]), ty, src)
    }

    /// A function that only complex numbers have.
    pub(super) fn only_complex(
        &mut self,
        function: &'static ComplexFn,
        mut site: Site<'a>,
    ) -> NodeId {
        let Some(first) = site.args.first().copied() else {
            return self.complex_arity(function, &site);
        };
        let z = self.arg(first);
        site.args[0] = Arg::Node(z);
        let ty = self.ty(z);
        match self.types.head(ty) {
            Head::Complex(_) => self.complex_fn(function, z, &site),
            Head::Error => self.node(NodeKind::Error, Ty::ERROR, site.src),
            Head::Var(Kind::Any) => {
                let src = site.src;
                self.wait(ty, src, What::Builtin(site))
            }
            Head::Var(_)
            | Head::Scalar(_)
            | Head::Tuple(_)
            | Head::Struct(_)
            | Head::Array(_)
            | Head::Seq(_) => {
                let found = self.types.quote(ty);
                let title = format!("`{}` cannot be applied to {found}", function.name);
                let error = Diagnostic::new(site.src, title).note("it is for complex numbers");
                self.error_node(site.src, error)
            }
        }
    }

    /// A function of the complex number `z`.
    pub(super) fn complex_fn(
        &mut self,
        function: &'static ComplexFn,
        z: NodeId,
        site: &Site<'a>,
    ) -> NodeId {
        if site.args.len() != 1 {
            return self.complex_arity(function, site);
        }
        let whole = self.ty(z);
        let ty = match (function.op.gives_complex(), self.component(whole)) {
            (false, Some(part)) => part,
            (true, _) | (_, None) => whole,
        };
        self.complex_node(function.op, vec![z], ty, site.src)
    }

    fn complex_arity(&mut self, function: &ComplexFn, site: &Site<'a>) -> NodeId {
        let title = format!(
            "`{}` of a complex number takes {}, not {}",
            function.name,
            count(1, "argument"),
            site.args.len()
        );
        let error = Diagnostic::new(site.src, title)
            .note(format!("it is called as `{}(z)`", function.name));
        self.error_node(site.src, error)
    }

    /// The field of a complex number with components of type `part`.
    pub(super) fn complex_field(&self, part: Ty, name: &str) -> Option<(usize, Ty)> {
        let at = ["re", "im"].into_iter().position(|field| field == name)?;
        Some((at, part))
    }
}

/// `Complex<i32>`
pub(super) fn not_a_component(src: SrcSpan) -> Diagnostic {
    Diagnostic::new(src, "complex numbers cannot be made of this")
        .note("their components are `f32` or `f64`")
}

/// `Complex { re, im }` as a pattern.
pub(super) fn no_pattern(name: &ast::Name) -> Diagnostic {
    Diagnostic::new(
        place(name),
        "complex numbers are not taken apart by patterns",
    )
    .help("read the fields: `z.re`, `z.im`")
}
