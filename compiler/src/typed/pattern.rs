//! Types of patterns; binds their names.

use super::body::Body;
use super::complex::no_pattern;
use super::draft::{LocalTy, Pat, PatBound, PatKind};
use super::scope::place;
use super::suggest;
use super::types::{Head, Kind, Ty};
use crate::ids::{LocalId, StructId};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::ir as ast;
use crate::syntax::ir::PatternKind;
use crate::typed::ir::Const;

/// Names of one pattern.
#[derive(Default)]
struct Names<'a, 'k> {
    /// What it binds so far.
    own: Vec<(&'a ast::Name, LocalId)>,
    /// What the first alternative of an or-pattern binds, for the others.
    known: &'k [(&'a ast::Name, LocalId)],
}

impl<'a> Body<'_, 'a> {
    /// A pattern for values of type `ty`; its names are in scope afterwards.
    pub(super) fn pattern(&mut self, pattern: &'a ast::Pattern, ty: Ty) -> Pat<'a> {
        self.pat(pattern, ty, &mut Names::default())
    }

    /// Patterns for several values; no name may occur twice.
    pub(super) fn patterns(&mut self, patterns: &'a [ast::Pattern], types: &[Ty]) -> Vec<Pat<'a>> {
        let mut names = Names::default();
        let pairs = patterns.iter().zip(types);
        pairs
            .map(|(pattern, ty)| self.pat(pattern, *ty, &mut names))
            .collect()
    }

    fn pat(&mut self, pattern: &'a ast::Pattern, ty: Ty, names: &mut Names<'a, '_>) -> Pat<'a> {
        let src = pattern.src;
        let kind = match &pattern.kind {
            PatternKind::Wild => PatKind::Wild,
            PatternKind::Rest => unreachable!("syntax: `..` stands in a tuple, once"),
            PatternKind::Bind {
                name,
                mutable,
                inner,
            } => return self.bind_pat(name, *mutable, inner.as_deref(), ty, names, src),
            PatternKind::Tuple(fields) => self.tuple_pat(fields, ty, names, src),
            PatternKind::Struct { name, fields, rest } => {
                self.struct_pat(name, fields, *rest, ty, names, src)
            }
            PatternKind::Value(value) => match self.pattern_value(value, ty) {
                Some(PatBound::Literal(literal)) => PatKind::Literal(literal),
                Some(PatBound::Const(value)) => PatKind::Const(value),
                None => PatKind::Wild,
            },
            PatternKind::Range { lo, hi, inclusive } => {
                self.range_pat(lo.as_ref(), hi.as_ref(), *inclusive, ty)
            }
            PatternKind::Or(alternatives) => self.or_pat(alternatives, ty, names),
            PatternKind::Typed(inner, annotation) => {
                // Sizes are asserted where the names are bound: `sized.rs`.
                let annotated = self.erased(annotation);
                self.pattern_is(annotated, ty, annotation.src);
                return self.pat(inner, annotated, names);
            }
        };
        Pat { kind, ty, src }
    }

    fn pattern_is(&mut self, found: Ty, want: Ty, src: SrcSpan) {
        if let Some(error) = self.pattern_mismatch(found, want, src) {
            self.error(error);
        }
    }

    fn pattern_mismatch(&mut self, found: Ty, want: Ty, src: SrcSpan) -> Option<Diagnostic> {
        self.types.unify(found, want).err()?;
        let title = format!(
            "this pattern is for {}, the value is {}",
            self.types.quote(found),
            self.types.quote(want)
        );
        Some(Diagnostic::new(src, title))
    }

    fn bind_pat(
        &mut self,
        name: &'a ast::Name,
        mutable: bool,
        inner: Option<&'a ast::Pattern>,
        ty: Ty,
        names: &mut Names<'a, '_>,
        src: SrcSpan,
    ) -> Pat<'a> {
        if inner.is_none()
            && !mutable
            && let Some(index) = self.session.constant(self.unit, &name.text)
        {
            let value = self.const_value(index, ty, src);
            let kind = value.map_or(PatKind::Wild, PatKind::Const);
            return Pat { kind, ty, src };
        }
        let inner = inner.map(|inner| Box::new(self.pat(inner, ty, names)));
        if let Some((first, _)) = names.own.iter().find(|(n, _)| n.text == name.text) {
            let error = Diagnostic::new(place(name), format!("`{}` is bound twice", name.text))
                .help("give one of them another name")
                .also(place(first), "it is bound here first");
            self.error(error);
        }
        let shared = names.known.iter().find(|(n, _)| n.text == name.text);
        let local = match shared {
            Some((_, local)) => {
                let other = self.local_ty(*local);
                self.pattern_is(ty, other, src);
                *local
            }
            None => {
                let local = self.local(name.text.clone(), LocalTy::Value(ty), mutable, place(name));
                self.bind(&name.text, local);
                local
            }
        };
        names.own.push((name, local));
        Pat {
            kind: PatKind::Bind(local, inner),
            ty,
            src,
        }
    }

    fn range_pat(
        &mut self,
        lo: Option<&'a ast::PatternValue>,
        hi: Option<&'a ast::PatternValue>,
        inclusive: bool,
        ty: Ty,
    ) -> PatKind<'a> {
        let before = self.failed;
        let lo = lo.and_then(|lo| self.pattern_value(lo, ty));
        let hi = hi.and_then(|hi| self.pattern_value(hi, ty));
        match self.failed && !before {
            true => PatKind::Wild,
            false => PatKind::Range { lo, hi, inclusive },
        }
    }

    /// A value that a pattern for values of type `ty` names; `None` after a message.
    fn pattern_value(&mut self, value: &'a ast::PatternValue, ty: Ty) -> Option<PatBound<'a>> {
        match value {
            ast::PatternValue::Literal(literal) => {
                let literal_ty = self.literal_ty(literal);
                self.pattern_is(literal_ty, ty, literal.src);
                Some(PatBound::Literal(literal))
            }
            ast::PatternValue::Const(name) => {
                let src = place(name);
                match self.session.constant(self.unit, &name.text) {
                    Some(index) => self.const_value(index, ty, src).map(PatBound::Const),
                    None => {
                        let title = format!("`{}` is no `const` of the block", name.text);
                        let help = format!("compare in a guard: `x if x < {}`", name.text);
                        self.error(
                            Diagnostic::new(src, title)
                                .note("the bounds of a range pattern are known when it is compiled")
                                .help(help),
                        );
                        None
                    }
                }
            }
            ast::PatternValue::Associated(qualifier, name) => {
                let value = self.associated_value(qualifier, name)?;
                let src = place(qualifier).to(place(name));
                self.pattern_is(Ty::scalar(value.ty), ty, src);
                Some(PatBound::Const(value))
            }
        }
    }

    /// The value of a constant in a pattern for values of type `ty`; `None` after a message.
    fn const_value(&mut self, index: usize, ty: Ty, src: SrcSpan) -> Option<Const> {
        let constant = super::consts::value(self.session, index);
        let Some(constant) = constant else {
            self.failed = true;
            return None;
        };
        let name = &self.session.consts[index].ast.name;
        let Some(value) = constant.scalar() else {
            let title = format!("the constant `{}` is not a pattern", name.text);
            let error = Diagnostic::new(src, title)
                .note("it is no scalar")
                .help("compare with `==` in a guard, element by element");
            self.error(error);
            return None;
        };
        if let Some(error) = self.pattern_mismatch(Ty::scalar(value.ty), ty, src) {
            let what = format!("`{}` is a `const` of the block", name.text);
            self.error(
                error
                    .note(what)
                    .help("give a variable another name; names of constants are patterns"),
            );
        }
        Some(value)
    }

    fn tuple_pat(
        &mut self,
        fields: &'a [ast::Pattern],
        ty: Ty,
        names: &mut Names<'a, '_>,
        src: SrcSpan,
    ) -> PatKind<'a> {
        let rest = fields
            .iter()
            .position(|f| matches!(f.kind, PatternKind::Rest));
        let types = self.tuple_types(fields.len(), rest, ty, src);
        let mut pats = Vec::with_capacity(types.len());
        let skipped = (types.len() + 1).saturating_sub(fields.len());
        let mut types = types.into_iter();
        for (i, field) in fields.iter().enumerate() {
            if Some(i) == rest {
                for ty in types.by_ref().take(skipped) {
                    let kind = PatKind::Wild;
                    let src = field.src;
                    pats.push(Pat { kind, ty, src });
                }
            } else {
                let ty = types.next().unwrap_or(Ty::ERROR);
                pats.push(self.pat(field, ty, names));
            }
        }
        PatKind::Tuple(pats)
    }

    // The fields' types of a tuple that a pattern of `count` parts takes apart.
    fn tuple_types(&mut self, count: usize, rest: Option<usize>, ty: Ty, src: SrcSpan) -> Vec<Ty> {
        match self.types.head(ty) {
            Head::Tuple(types)
                if types.len() == count || (rest.is_some() && types.len() + 1 >= count) =>
            {
                return types.to_vec();
            }
            Head::Error => {}
            Head::Var(Kind::Any | Kind::Never) if rest.is_none() => {
                let types: Vec<_> = (0..count).map(|_| self.types.any()).collect();
                let tuple = self.types.tuple(types.clone());
                // An unknown type admits any.
                let _ = self.types.unify(ty, tuple);
                return types;
            }
            Head::Var(Kind::Any | Kind::Never) => {
                let error = super::wait::unknown_type(src);
                self.error(error);
            }
            Head::Tuple(types) => {
                let title = format!(
                    "this pattern takes apart a tuple of {count}, the value is a tuple of {}",
                    types.len()
                );
                let error = Diagnostic::new(src, title)
                    .note(format!("its type is {}", self.types.quote(ty)))
                    .help("write `_` or `..` for fields that are not used");
                self.error(error);
            }
            Head::Var(_)
            | Head::Scalar(_)
            | Head::Struct(_)
            | Head::Complex(_)
            | Head::Array(_)
            | Head::Seq(_) => {
                let title = format!(
                    "this pattern takes apart a tuple, the value is {}",
                    self.types.quote(ty)
                );
                let error = Diagnostic::new(src, title);
                let error = if let Head::Struct(id) = self.types.head(ty) {
                    let name = &self.session.structs[id.index()].ast.name.text;
                    error.help(format!("write `{name} {{ … }}`"))
                } else if let Head::Array(_) = self.types.head(ty) {
                    error.help("take elements with `xs[i]`, or go through them with `for`")
                } else {
                    error.help("write one name")
                };
                self.error(error);
            }
        }
        vec![Ty::ERROR; count - usize::from(rest.is_some())]
    }

    fn struct_pat(
        &mut self,
        name: &'a ast::Name,
        fields: &'a [(ast::Name, ast::Pattern)],
        rest: bool,
        ty: Ty,
        names: &mut Names<'a, '_>,
        src: SrcSpan,
    ) -> PatKind<'a> {
        let Some(id) = self.session.strukt(self.unit, &name.text) else {
            let structs = self.session.units[self.unit]
                .structs
                .iter()
                .map(|(n, _)| *n);
            let error = match &*name.text {
                "Complex" => no_pattern(name),
                text => suggest::unknown(place(name), "struct ", text, structs),
            };
            self.error(error);
            for (_, field) in fields {
                self.pat(field, Ty::ERROR, names);
            }
            return PatKind::Wild;
        };
        let struct_ty = self.types.strukt(id);
        self.pattern_is(struct_ty, ty, src);
        let count = self.session.structs[id.index()].ast.fields.len();
        let mut pats: Vec<Option<Pat<'a>>> = (0..count).map(|_| None).collect();
        for (field, pattern) in fields {
            match self.field_index(id, field) {
                Some(index) => {
                    let ty = self.field_ty(id, index);
                    let pat = self.pat(pattern, ty, names);
                    if pats[index].replace(pat).is_some() {
                        let title = format!("the field `{}` occurs twice", field.text);
                        let error =
                            Diagnostic::new(place(field), title).help("leave one of them out");
                        self.error(error);
                    }
                }
                None => {
                    self.pat(pattern, Ty::ERROR, names);
                }
            }
        }
        if !rest {
            let missing = (0..count).filter(|i| pats[*i].is_none()).collect();
            self.missing_fields(id, missing, src, "write `..` for fields that are not used");
        }
        let pats = pats.into_iter().enumerate().map(|(index, pat)| {
            pat.unwrap_or_else(|| Pat {
                kind: PatKind::Wild,
                ty: self.field_ty(id, index),
                src,
            })
        });
        PatKind::Tuple(pats.collect())
    }

    /// The position of a struct's field; reports one that it has not.
    pub(super) fn field_index(&mut self, id: StructId, field: &ast::Name) -> Option<usize> {
        let fields = &self.session.structs[id.index()].ast.fields;
        let found = fields.iter().position(|(name, _)| name.text == field.text);
        if found.is_none() {
            let ty = self.types.strukt(id);
            let error = self.no_field(ty, field);
            self.error(error);
        }
        found
    }

    pub(super) fn missing_fields(
        &mut self,
        id: StructId,
        missing: Vec<usize>,
        src: SrcSpan,
        help: &str,
    ) {
        if missing.is_empty() {
            return;
        }
        let ast = self.session.structs[id.index()].ast;
        let names: Vec<_> = missing.iter().map(|i| &*ast.fields[*i].0.text).collect();
        let title = format!("`{}` misses `{}`", ast.name.text, names.join("`, `"));
        self.error(Diagnostic::new(src, title).help(help));
    }

    fn or_pat(
        &mut self,
        alternatives: &'a [ast::Pattern],
        ty: Ty,
        names: &mut Names<'a, '_>,
    ) -> PatKind<'a> {
        let mut pats = Vec::with_capacity(alternatives.len());
        let mut first: Option<Vec<(&'a ast::Name, LocalId)>> = None;
        for alternative in alternatives {
            let mut inner = Names {
                own: Vec::new(),
                known: first.as_deref().unwrap_or(names.known),
            };
            pats.push(self.pat(alternative, ty, &mut inner));
            let own = inner.own;
            match &first {
                None => first = Some(own),
                Some(first) => self.same_names(first, &own, alternative.src),
            }
        }
        names.own.extend(first.unwrap_or_default());
        PatKind::Or(pats)
    }

    fn same_names(
        &mut self,
        first: &[(&'a ast::Name, LocalId)],
        own: &[(&'a ast::Name, LocalId)],
        src: SrcSpan,
    ) {
        let missing = |a: &[(&'a ast::Name, LocalId)], b: &[(&'a ast::Name, LocalId)]| {
            let lacks = |name: &ast::Name| !b.iter().any(|(n, _)| n.text == name.text);
            a.iter().map(|(name, _)| *name).find(|name| lacks(name))
        };
        if let Some(name) = missing(first, own).or_else(|| missing(own, first)) {
            let title = format!("`{}` is not bound in all alternatives", name.text);
            let error = Diagnostic::new(src, title)
                .note("whichever alternative matches, the same names must have a value")
                .help("write `_` where the value is not used, or an arm for each alternative");
            self.error(error);
        }
    }
}
