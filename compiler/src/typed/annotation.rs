//! Types written inside bodies.

use super::body::Body;
use super::complex::not_a_component;
use super::draft::{NodeId, NodeKind, PatKind, StmtDraft};
use super::scope::{Session, place};
use super::suggest;
use super::types::{Head, Kind, Ty, Types};
use crate::ids::LocalId;
use crate::prims::{Prim, Scalar, complex_struct};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::ir as ast;
use crate::syntax::ir::{SizeSpec, TypeKind};

/// A type without its sizes. What cannot be a type here is given back as an error.
pub(super) fn lower<'a>(
    types: &mut Types,
    session: &Session<'a>,
    unit: usize,
    generics: &[(&'a str, Ty)],
    ty: &'a ast::Type,
) -> Result<Ty, Diagnostic> {
    Ok(match &ty.kind {
        TypeKind::Infer => types.any(),
        TypeKind::Name(name) => {
            if let Some((_, ty)) = generics.iter().find(|(n, _)| *n == name.text) {
                *ty
            } else if let Some(id) = session.strukt(unit, &name.text) {
                types.strukt(id)
            } else if let Some(scalar) = Scalar::by_name(&name.text) {
                Ty::scalar(scalar)
            } else {
                let generics = generics.iter().map(|(n, _)| *n).collect();
                return Err(suggest::unknown_type(session, unit, name, generics));
            }
        }
        TypeKind::Tuple(fields) => {
            let fields = fields
                .iter()
                .map(|field| lower(types, session, unit, generics, field));
            let fields = fields.collect::<Result<_, _>>()?;
            types.tuple(fields)
        }
        TypeKind::Array(elem, _) => {
            let elem = lower(types, session, unit, generics, elem)?;
            types.array(elem)
        }
        TypeKind::Complex(part) => {
            let (src, part) = (part.src, lower(types, session, unit, generics, part)?);
            let is_float = types.narrow(part, Kind::Float).is_ok();
            match types.head(part) {
                Head::Error | Head::Var(_) if is_float => {}
                Head::Scalar(scalar) if complex_struct(scalar).is_some() => {}
                _other => return Err(not_a_component(src)),
            }
            types.complex(part)
        }
        TypeKind::Seq(_) => return Err(super::signature::sequences(ty.src)),
    })
}

impl<'a> Body<'_, 'a> {
    /// A type without sizes.
    pub(super) fn annotation(&mut self, ty: &'a ast::Type) -> Ty {
        if let Some(sized) = sized(ty) {
            let error = Diagnostic::unsupported(sized.src, "a size in a type here")
                .help("leave it out: `[T]`");
            self.error(error);
            return Ty::ERROR;
        }
        self.lower(ty)
    }

    fn lower(&mut self, ty: &'a ast::Type) -> Ty {
        match lower(&mut self.types, self.session, self.unit, &self.generics, ty) {
            Ok(ty) => ty,
            Err(error) => {
                self.error(error);
                Ty::ERROR
            }
        }
    }

    /// `let pattern: annotation = value`. Of an array `[T; n]` or `[[T; m]; n]` bound to a name, the
    /// lengths are asserted.
    pub(super) fn typed_let(
        &mut self,
        pattern: &'a ast::Pattern,
        annotation: &'a ast::Type,
        value: NodeId,
        out: &mut Vec<StmtDraft<'a>>,
    ) {
        let mut sizes = Vec::new();
        let mut elem = annotation;
        while let TypeKind::Array(inner, size) = &elem.kind {
            sizes.push(size);
            elem = inner;
        }
        let elem = self.annotation(elem);
        let ty = sizes.iter().fold(elem, |ty, _| self.types.array(ty));
        self.expect(value, ty, format_args!("this is the type that is written"));
        let sizes: Vec<_> = sizes.into_iter().map(|s| self.size_value(s)).collect();
        let pat = self.pattern(pattern, ty);
        let bound = if let PatKind::Bind(local, _) = pat.kind {
            Some(local)
        } else {
            None
        };
        out.push(StmtDraft::Let {
            pattern: pat,
            value,
        });
        let Some(local) = bound else { return };
        for (level, size) in sizes.into_iter().enumerate() {
            if let Some(size) = size {
                out.push(self.assert_length(local, level, size, annotation.src));
            }
        }
    }

    // That the arrays `level` levels inside of the array `local` have `size` elements.
    fn assert_length(
        &mut self,
        local: LocalId,
        level: usize,
        size: NodeId,
        src: SrcSpan,
    ) -> StmtDraft<'a> {
        let array = self.read(local, src);
        let len = self.extent(array, level, src);
        let kind = NodeKind::Equality {
            equal: true,
            left: len,
            right: size,
        };
        let cond = self.node(kind, Ty::BOOL, src);
        let name = &self.locals[local.index()].name;
        let message = format!("the array `{name}` has another length than its type says");
        StmtDraft::Expr(self.node(NodeKind::Assert { cond, message }, Ty::UNIT, src))
    }

    // `len(array)`, or the length of the arrays `level` levels inside of it.
    fn extent(&mut self, array: NodeId, level: usize, src: SrcSpan) -> NodeId {
        if level == 0 {
            return self.operator(Prim::Len, vec![array], Ty::USIZE, src);
        }
        let shape = self.types.tuple(vec![Ty::USIZE; level + 1]);
        let shape = self.operator(Prim::Shape, vec![array], shape, src);
        self.node(NodeKind::Field(shape, level), Ty::USIZE, src)
    }

    // A size as a value.
    fn size_value(&mut self, size: &'a SizeSpec) -> Option<NodeId> {
        match size {
            SizeSpec::Own => None,
            SizeSpec::Known(size, src) => {
                let value = super::literal::int(i128::from(*size), Scalar::Usize)?;
                Some(self.node(NodeKind::Const(value), Ty::USIZE, *src))
            }
            SizeSpec::Named(name) => {
                let node = self.value_of_name(name, place(name));
                self.expect(node, Ty::USIZE, format_args!("a size is a `usize`"));
                Some(node)
            }
        }
    }
}

// The first array type with a size.
fn sized(ty: &ast::Type) -> Option<&ast::Type> {
    match &ty.kind {
        TypeKind::Name(_) | TypeKind::Infer => None,
        TypeKind::Tuple(fields) => fields.iter().find_map(sized),
        TypeKind::Array(elem, SizeSpec::Own) => sized(elem),
        TypeKind::Array(_, SizeSpec::Named(_) | SizeSpec::Known(..)) => Some(ty),
        TypeKind::Seq(elem) | TypeKind::Complex(elem) => sized(elem),
    }
}
