//! Types written inside bodies.

use super::body::Body;
use super::complex::not_a_component;
use super::scope::Session;
use super::suggest;
use super::types::{Head, Kind, Ty, Types};
use crate::prims::{Scalar, complex_struct};
use crate::report::Diagnostic;
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
    /// A type that says nothing of a value, so that a size in it is a mistake.
    pub(super) fn annotation(&mut self, ty: &'a ast::Type) -> Ty {
        if let Some(sized) = sized(ty) {
            let error = Diagnostic::new(sized.src, "a size says nothing here")
                .note("sizes are for the types of parameters, results and variables")
                .help("leave it out: `[T]`");
            self.error(error);
            return Ty::ERROR;
        }
        self.erased(ty)
    }

    /// A type as if it had no sizes.
    pub(super) fn erased(&mut self, ty: &'a ast::Type) -> Ty {
        match lower(&mut self.types, self.session, self.unit, &self.generics, ty) {
            Ok(ty) => ty,
            Err(error) => {
                self.error(error);
                Ty::ERROR
            }
        }
    }
}

/// The first array type with a size.
pub(super) fn sized(ty: &ast::Type) -> Option<&ast::Type> {
    match &ty.kind {
        TypeKind::Name(_) | TypeKind::Infer => None,
        TypeKind::Tuple(fields) => fields.iter().find_map(sized),
        TypeKind::Array(elem, SizeSpec::Own) => sized(elem),
        TypeKind::Array(_, SizeSpec::Named(_) | SizeSpec::Known(..)) => Some(ty),
        TypeKind::Seq(elem) | TypeKind::Complex(elem) => sized(elem),
    }
}
