//! Types as written in signatures and structs, to [`SigType`]s.
//!
//! In: a function's signature with its type parameters replaced. Out: parameter and result types
//! with their sizes, and the locals that size names and `usize` parameters get. Everything wrong
//! with a signature is reported here.

use super::complex::not_a_component;
use super::draft::{LocalDraft, LocalTy};
use super::scope::{Session, place};
use super::sequences;
use super::types::Ty;
use super::wide;
use crate::ids::{LocalId, SizeId, StructId};
use crate::prims::{Scalar, complex_struct};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::ir as ast;
use crate::typed::ir::{ParamType, SigType, SizeName, SizeSpec, Type};
use crate::typed::suggest;

/// A signature of an instance.
pub(super) struct Signature<'a> {
    pub(super) params: Vec<ParamType>,
    pub(super) ret: SigType,
    pub(super) sizes: Vec<SizeName>,
    /// Locals of `usize_params` and `sizes`.
    pub(super) locals: Vec<LocalDraft>,
    /// `usize` parameters with a plain name, which sizes may refer to.
    pub(super) usize_params: Vec<(&'a str, LocalId)>,
    /// Names of `sizes`, as bound in the body.
    pub(super) size_names: Vec<(&'a str, LocalId)>,
}

/// Where a type is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Param,
    /// A result that is one array of one axis: a size name of its own would say nothing.
    Result,
    /// A part of a result: a size name of its own says that all arrays at its mentions have one
    /// length.
    ResultPart,
    /// A struct's field, a constant or a type parameter's instance: no size names.
    Elsewhere,
    /// The type of a function parameter: no size names, and sizes are not looked at.
    Function,
}

impl Place {
    /// The place of the elements of an array here.
    fn element(self) -> Place {
        match self {
            Place::Result | Place::ResultPart => Place::ResultPart,
            Place::Param | Place::Elsewhere | Place::Function => self,
        }
    }
}

/// Reads signatures of one function.
struct Reader<'s, 'a> {
    session: &'s mut Session<'a>,
    unit: usize,
    generics: &'s [(&'a str, Type)],
    params: &'a [ast::Param],
    sizes: Vec<SizeName>,
    locals: Vec<LocalDraft>,
    usize_params: Vec<(&'a str, LocalId)>,
    size_names: Vec<(&'a str, LocalId)>,
}

/// The signature of `function` with `generics`; `None` if it is wrong, which has been reported.
pub(super) fn of<'a>(
    session: &mut Session<'a>,
    unit: usize,
    function: &'a ast::Function,
    generics: &[(&'a str, Type)],
) -> Option<Signature<'a>> {
    let mut reader = Reader::new(session, unit, generics, &function.params);
    reader.reserve_usize_params();
    let params: Vec<_> = function
        .params
        .iter()
        .map(|param| reader.param(param))
        .collect();
    let ret = match &function.ret {
        Some(ret) => reader.result(function, ret),
        None => {
            reader.session.errors.push(no_result_type(function));
            None
        }
    };
    let (params, ret) = (params.into_iter().collect::<Option<Vec<_>>>()?, ret?);
    if function.export.is_some() {
        let values = params.iter().filter_map(|param| match param {
            ParamType::Value(ty) => Some(ty),
            ParamType::Fn { .. } => None,
        });
        let mut wide = values
            .chain([&ret])
            .filter_map(wide::in_signature)
            .peekable();
        if wide.peek().is_some() {
            reader.session.errors.extend(wide);
            return None;
        }
    }
    Some(Signature {
        params,
        ret,
        sizes: reader.sizes,
        locals: reader.locals,
        usize_params: reader.usize_params,
        size_names: reader.size_names,
    })
}

/// A type without size names: of a struct's field, a constant or an instance.
pub(super) fn plain<'a>(
    session: &mut Session<'a>,
    unit: usize,
    ty: &'a ast::Type,
) -> Option<SigType> {
    Reader::new(session, unit, &[], &[]).sig_type(ty, Place::Elsewhere)
}

impl<'s, 'a> Reader<'s, 'a> {
    fn new(
        session: &'s mut Session<'a>,
        unit: usize,
        generics: &'s [(&'a str, Type)],
        params: &'a [ast::Param],
    ) -> Self {
        Reader {
            session,
            unit,
            generics,
            params,
            sizes: Vec::new(),
            locals: Vec::new(),
            usize_params: Vec::new(),
            size_names: Vec::new(),
        }
    }

    fn local(&mut self, name: &'a ast::Name) -> LocalId {
        let id = LocalId::next(&self.locals);
        self.locals.push(LocalDraft {
            name: name.text.clone(),
            ty: LocalTy::Value(Ty::USIZE),
            mutable: false,
            in_parts: false,
            temporary: false,
            src: place(name),
        });
        id
    }

    fn reserve_usize_params(&mut self) {
        for param in self.params {
            if let Some(name) = plain_name(&param.pattern)
                && is_usize(&param.ty)
            {
                let local = self.local(name);
                self.usize_params.push((&name.text, local));
            }
        }
    }

    fn param(&mut self, param: &'a ast::Param) -> Option<ParamType> {
        match &param.ty {
            ast::ParamType::Value(ty) => Some(ParamType::Value(self.whole(ty, Place::Param)?)),
            ast::ParamType::Fn { args, ret } => {
                let args: Vec<_> = args.iter().map(|arg| self.erased(arg)).collect();
                let ret = self.erased(ret);
                if plain_name(&param.pattern).is_none() {
                    let title = "a function parameter needs a plain name";
                    let error = Diagnostic::new(param.pattern.src, title)
                        .help("write `f: impl Fn(…) -> …`");
                    self.session.errors.push(error);
                    return None;
                }
                Some(ParamType::Fn {
                    args: args.into_iter().collect::<Option<_>>()?,
                    ret: ret?,
                })
            }
        }
    }

    fn erased(&mut self, ty: &'a ast::Type) -> Option<Type> {
        Some(self.sig_type(ty, Place::Function)?.erased())
    }

    fn result(&mut self, function: &'a ast::Function, ty: &'a ast::Type) -> Option<SigType> {
        if matches!(&ty.kind, ast::TypeKind::Tuple(fields) if fields.is_empty()) {
            let title = format!("`{}` has no result", function.name.text);
            let error = Diagnostic::new(ty.src, title)
                .note("functions are pure: one without a result would do nothing")
                .help("return what it computes");
            self.session.errors.push(error);
            return None;
        }
        let one_axis = match &ty.kind {
            ast::TypeKind::Array(elem, _) => !matches!(elem.kind, ast::TypeKind::Array(..)),
            ast::TypeKind::Name(_)
            | ast::TypeKind::Infer
            | ast::TypeKind::Tuple(_)
            | ast::TypeKind::Seq(_)
            | ast::TypeKind::Complex(_) => false,
        };
        let place = if one_axis {
            Place::Result
        } else {
            Place::ResultPart
        };
        self.whole(ty, place)
    }

    // The type of a parameter or result, which may be a sequence.
    fn whole(&mut self, ty: &'a ast::Type, place: Place) -> Option<SigType> {
        let ast::TypeKind::Seq(item) = &ty.kind else {
            return self.sig_type(ty, place);
        };
        Some(SigType::Array {
            elem: Box::new(self.sig_type(item, place.element())?),
            size: SizeSpec::Seq,
            src: ty.src,
        })
    }

    fn sig_type(&mut self, ty: &'a ast::Type, place: Place) -> Option<SigType> {
        match &ty.kind {
            ast::TypeKind::Name(name) => self.named(name, ty.src),
            ast::TypeKind::Infer => {
                let title = "`_` cannot stand for a type here";
                let error = Diagnostic::new(ty.src, title).help("write the type");
                self.fail(error)
            }
            ast::TypeKind::Tuple(fields) if fields.is_empty() => {
                let title = "`()` is not the type of a value";
                self.fail(Diagnostic::new(ty.src, title).help("leave it out"))
            }
            ast::TypeKind::Tuple(fields) => {
                let fields: Vec<_> = fields.iter().map(|f| self.sig_type(f, place)).collect();
                Some(SigType::Tuple(fields.into_iter().collect::<Option<_>>()?))
            }
            ast::TypeKind::Array(elem, size) => {
                let elem = match &elem.kind {
                    // Only how many there are counts.
                    ast::TypeKind::Tuple(fields) if fields.is_empty() => {
                        Some(SigType::Tuple(Vec::new()))
                    }
                    _value => self.sig_type(elem, place.element()),
                };
                let size = self.size(size, place);
                Some(SigType::Array {
                    elem: Box::new(elem?),
                    size: size?,
                    src: ty.src,
                })
            }
            ast::TypeKind::Complex(part) => self.complex(part, place),
            ast::TypeKind::Seq(_) => self.fail(sequences::not_a_part(ty.src)),
        }
    }

    fn named(&mut self, name: &'a ast::Name, src: SrcSpan) -> Option<SigType> {
        if let Some((_, ty)) = self.generics.iter().find(|(n, _)| *n == name.text) {
            return self.instance(&ty.clone(), src);
        }
        if let Some(id) = self.session.strukt(self.unit, &name.text) {
            return Some(self.strukt(id));
        }
        if let Some(scalar) = Scalar::by_name(&name.text) {
            return Some(SigType::Scalar(scalar));
        }
        let generics = self.generics.iter().map(|(n, _)| *n).collect();
        let error = suggest::unknown_type(self.session, self.unit, name, generics);
        self.fail(error)
    }

    fn complex(&mut self, part: &'a ast::Type, place: Place) -> Option<SigType> {
        let sig = self.sig_type(part, place)?;
        let found = match &sig {
            SigType::Scalar(scalar) => complex_struct(*scalar),
            SigType::Tuple(_)
            | SigType::Struct(..)
            | SigType::Vector(..)
            | SigType::Array { .. } => None,
        };
        match found {
            Some(id) => Some(SigType::Struct(id, vec![sig.clone(), sig])),
            None => self.fail(not_a_component(part.src)),
        }
    }

    fn strukt(&self, id: StructId) -> SigType {
        SigType::Struct(id, self.session.structs[id.index()].fields.clone())
    }

    /// The type that a type parameter stands for.
    fn instance(&mut self, ty: &Type, src: SrcSpan) -> Option<SigType> {
        match ty {
            Type::Scalar(scalar) => Some(SigType::Scalar(*scalar)),
            Type::Struct(id) => Some(self.strukt(*id)),
            Type::Tuple(fields) => {
                let fields: Option<_> = fields.iter().map(|f| self.instance(f, src)).collect();
                Some(SigType::Tuple(fields?))
            }
            Type::Array(elem) => {
                let elem = Box::new(self.instance(elem, src)?);
                let size = SizeSpec::Own;
                Some(SigType::Array { elem, size, src })
            }
        }
    }

    fn size(&mut self, size: &'a ast::SizeSpec, place: Place) -> Option<SizeSpec> {
        match size {
            ast::SizeSpec::Own => Some(SizeSpec::Own),
            ast::SizeSpec::Known(size, _) => Some(SizeSpec::Known(*size)),
            ast::SizeSpec::Named(name) => self.named_size(name, place),
        }
    }

    fn named_size(&mut self, name: &'a ast::Name, at: Place) -> Option<SizeSpec> {
        let text: &str = &name.text;
        if let Some(index) = self.session.constant(self.unit, text) {
            return self.const_size(name, index);
        }
        if let Some((_, local)) = self.usize_params.iter().find(|(n, _)| *n == text) {
            return Some(SizeSpec::Param(*local));
        }
        if self
            .params
            .iter()
            .any(|param| plain_name(&param.pattern).is_some_and(|n| n.text == text))
        {
            let title = format!("`{text}` is not a size");
            let error = Diagnostic::new(place(name), title)
                .note(format!("the parameter `{text}` is not a `usize`"))
                .help("make it a `usize`, or give the size another name");
            return self.fail(error);
        }
        if let Some(index) = self.sizes.iter().position(|size| size.name == text) {
            return Some(SizeSpec::Named(SizeId(u32::try_from(index).ok()?)));
        }
        match at {
            Place::Param => {
                let size = self.fresh_size(name);
                let local = self.sizes[size.index()].local;
                self.size_names.push((text, local));
                Some(SizeSpec::Named(size))
            }
            Place::ResultPart => Some(SizeSpec::Named(self.fresh_size(name))),
            Place::Result => {
                let title = format!("nothing says what the size `{text}` is");
                let error = Diagnostic::new(place(name), title)
                    .note("no parameter has this size")
                    .help("leave it out: `[T]` is an array with a size of its own");
                self.fail(error)
            }
            Place::Elsewhere | Place::Function => {
                let title = format!("the size `{text}` cannot be named here");
                let error = Diagnostic::new(place(name), title)
                    .note("size names belong to the parameters of a function")
                    .help("write `[T]`, a number, or the name of a `const`");
                self.fail(error)
            }
        }
    }

    fn fresh_size(&mut self, name: &'a ast::Name) -> SizeId {
        let id = SizeId::next(&self.sizes);
        let local = self.local(name);
        self.sizes.push(SizeName {
            name: name.text.clone(),
            src: place(name),
            local,
        });
        id
    }

    fn const_size(&mut self, name: &'a ast::Name, index: usize) -> Option<SizeSpec> {
        let constant = super::consts::value(self.session, index)?;
        let why = match constant.scalar() {
            Some(value) if value.ty == Scalar::Usize => return Some(SizeSpec::Known(value.bits)),
            Some(value) => format!("it is of type `{}`; sizes are `usize`", value.ty.name()),
            None => "it is no scalar; sizes are `usize`".to_owned(),
        };
        let title = format!("the constant `{}` is not a size", name.text);
        let error = Diagnostic::new(place(name), title)
            .note(why)
            .help(format!("declare it as `const {}: usize`", name.text));
        self.fail(error)
    }

    fn fail<T>(&mut self, error: Diagnostic) -> Option<T> {
        self.session.errors.push(error);
        None
    }
}

/// The name of a pattern that is nothing but a name.
pub(super) fn plain_name(pattern: &ast::Pattern) -> Option<&ast::Name> {
    match &pattern.kind {
        ast::PatternKind::Bind {
            name, inner: None, ..
        } => Some(name),
        _ => None,
    }
}

fn is_usize(ty: &ast::ParamType) -> bool {
    match ty {
        ast::ParamType::Value(ty) => {
            matches!(&ty.kind, ast::TypeKind::Name(name) if name.text == "usize")
        }
        ast::ParamType::Fn { .. } => false,
    }
}

fn no_result_type(function: &ast::Function) -> Diagnostic {
    let title = format!("`{}` has no result type", function.name.text);
    Diagnostic::new(function.src, title).help("write it after the parameters: `-> f32`")
}
