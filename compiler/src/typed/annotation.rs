//! Types written inside bodies.

use super::body::Body;
use super::complex::not_a_component;
use super::scope::Session;
use super::sequences;
use super::suggest;
use super::types::{Head, Kind, Ty, Types};
use crate::prims::{Scalar, complex_struct};
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
            let mut lowered = Vec::new();
            for field in fields {
                let ty = lower(types, session, unit, generics, field)?;
                not_of_sequences(types, ty, field.src)?;
                lowered.push(ty);
            }
            let fields = lowered;
            types.tuple(fields)
        }
        TypeKind::Array(elem, _) => {
            let (src, elem) = (elem.src, lower(types, session, unit, generics, elem)?);
            not_of_sequences(types, elem, src)?;
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
        TypeKind::Seq(item) => {
            let (src, item) = (item.src, lower(types, session, unit, generics, item)?);
            not_of_sequences(types, item, src)?;
            types.seq(item)
        }
    })
}

/// Sequences are no parts of other values.
fn not_of_sequences(types: &Types, part: Ty, src: SrcSpan) -> Result<(), Diagnostic> {
    match types.head(part) {
        Head::Seq(_) => Err(sequences::not_a_part(src)),
        _other => Ok(()),
    }
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
