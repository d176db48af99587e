//! Functions that a function over sequences is taken apart into: their parameters and sizes.
//!
//! In: statements and what they leave, in the locals of the whole. Out: a function that takes what
//! these read: parameters of the whole as they are written, and values between parts.

use super::ir::{Arg, Given, Source};
use super::split::Split;
use crate::ids::{LocalId, SizeId};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::typed::ir::{
    self as typed, Export, Expr, ExprKind, Function, ParamType, Program, SigType, SizeName,
    SizeSpec, Stmt, Type,
};
use crate::typed::visit::Name;
use proc_macro2::TokenStream;

/// The parameters of a function that is made.
#[derive(Default)]
pub(super) struct Taking {
    pub(super) params: Vec<typed::Param>,
    pub(super) args: Vec<Arg>,
}

impl Split<'_> {
    /// The parameters for what `names` needs; `mentions` are types that are used besides.
    pub(super) fn taking(&mut self, free: &[LocalId], mentions: &[&SigType], taking: &mut Taking) {
        for local in free {
            self.take(*local, taking);
        }
        for sig in mentions {
            self.take_sizes(sig, taking);
        }
    }

    pub(super) fn take(&mut self, local: LocalId, taking: &mut Taking) {
        let binds = |param: &typed::Param| {
            let mut found = false;
            param.pattern.clone().names(&mut |name| {
                found |= matches!(name, Name::Bound(it) if *it == local);
            });
            found
        };
        if taking.params.iter().any(binds) {
            return;
        }
        if let Some(at) = self.function.params.iter().position(binds) {
            return self.take_param(at, taking);
        }
        if let Some(size) = self.function.sizes.iter().find(|it| it.local == local) {
            let id = self
                .function
                .sizes
                .iter()
                .position(|it| it.local == size.local);
            let id = id
                .and_then(|at| u32::try_from(at).ok())
                .map_or(SizeId(0), SizeId);
            self.take_size(id, taking);
            let has = |param: &typed::Param| value_type(param).is_some_and(|it| mentions(&it, id));
            if !taking.params.iter().any(has) {
                self.errors.push(not_yet(size));
            }
            return;
        }
        let sig = own(&self.locals.ty(local), self.program, self.locals.src(local));
        let value = self.value(local, &sig);
        taking.args.push(Arg::Given(Given::Value(value)));
        let param = self.param(local, sig);
        taking.params.push(param);
    }

    pub(super) fn param(&self, local: LocalId, sig: SigType) -> typed::Param {
        typed::Param {
            pattern: self.locals.pattern(local),
            ty: ParamType::Value(sig),
            name: self.locals.name(local).to_owned(),
            src: self.locals.src(local),
        }
    }

    pub(super) fn take_param(&mut self, at: usize, taking: &mut Taking) {
        let given = Arg::Given(Given::Param(at));
        if taking.args.contains(&given) {
            return;
        }
        let param = &self.function.params[at];
        let ParamType::Value(sig) = &param.ty else {
            unreachable!("exported functions have no function parameters")
        };
        taking.args.push(given);
        taking.params.push(typed::Param {
            pattern: param.pattern.clone(),
            ty: ParamType::Value(sig.clone()),
            name: param.name.clone(),
            src: param.src,
        });
        let sig = sig.clone();
        self.take_sizes(&sig, taking);
    }

    /// The parameters that sizes in a type are.
    pub(super) fn take_sizes(&mut self, sig: &SigType, taking: &mut Taking) {
        match sig {
            SigType::Scalar(_) => {}
            SigType::Tuple(fields) | SigType::Struct(_, fields) => {
                fields.iter().for_each(|it| self.take_sizes(it, taking));
            }
            SigType::Vector(elem, fields) => {
                self.take_sizes(elem, taking);
                fields.iter().for_each(|it| self.take_sizes(it, taking));
            }
            SigType::Array { elem, size, .. } => {
                match size {
                    SizeSpec::Param(local) => self.take(*local, taking),
                    SizeSpec::Named(id) => self.take_size(*id, taking),
                    SizeSpec::Own
                    | SizeSpec::Known(_)
                    | SizeSpec::Held(_)
                    | SizeSpec::Inline(_)
                    | SizeSpec::Seq => {}
                }
                self.take_sizes(elem, taking);
            }
        }
    }

    /// A parameter that has this size, if one that is no sequence has.
    pub(super) fn take_size(&mut self, id: SizeId, taking: &mut Taking) {
        let has = |param: &typed::Param| match &param.ty {
            ParamType::Value(sig) => !sig.is_seq() && mentions(sig, id),
            ParamType::Fn { .. } => false,
        };
        let known = |param: &typed::Param| match &param.ty {
            ParamType::Value(sig) => mentions(sig, id),
            ParamType::Fn { .. } => false,
        };
        if taking.params.iter().any(known) {
            return;
        }
        if let Some(at) = self.function.params.iter().position(has) {
            self.take_param(at, taking);
        }
    }

    /// An error for each size in a result that the items of sequences have, but none of the parameters: nothing
    /// would compare it with theirs.
    pub(super) fn is_known(&mut self, result: &SigType, taking: &Taking) {
        for (at, size) in self.function.sizes.iter().enumerate() {
            let id = SizeId(u32::try_from(at).unwrap_or(0));
            let has = |params: &[typed::Param]| {
                let mut types = params.iter().filter_map(value_type);
                types.any(|it| mentions(&it, id))
            };
            if mentions(result, id) && has(&self.function.params) && !has(&taking.params) {
                self.errors.push(not_yet(size));
            }
        }
    }

    /// The value that holds a local now.
    pub(super) fn value(&mut self, local: LocalId, sig: &SigType) -> usize {
        if let Some(at) = self.values.iter().rposition(|(it, _)| *it == local) {
            return at;
        }
        self.values.push((local, sig.clone()));
        self.values.len() - 1
    }

    /// Adds a function; its name.
    pub(super) fn made(&mut self, taking: &Taking, body: Expr, ret: SigType) -> String {
        // A name inside of the function, where the block's own are not looked for.
        let name = format!("{}__{}", self.name, self.functions.len());
        let mut sizes = Sizes {
            all: &self.function.sizes,
            kept: Vec::new(),
        };
        let params: Vec<typed::Param> = taking
            .params
            .iter()
            .map(|param| typed::Param {
                pattern: param.pattern.clone(),
                ty: match &param.ty {
                    ParamType::Value(sig) => ParamType::Value(sizes.renumbered(sig)),
                    ParamType::Fn { .. } => unreachable!("no function is a value"),
                },
                name: param.name.clone(),
                src: param.src,
            })
            .collect();
        let ret = sizes.renumbered(&ret);
        let kept = sizes.kept;
        let function = Function {
            name: self.function.name.clone(),
            ident: self.function.ident.clone(),
            fast: self.function.fast,
            export: Some(Export {
                vis: TokenStream::new(),
                docs: TokenStream::new(),
                name: name.clone(),
                shown: self.name.clone(),
                instance: Vec::new(),
                contracts: self.contracts.clone(),
            }),
            params,
            ret,
            sizes: kept,
            body,
            locals: Vec::new(),
            src: self.function.src,
        };
        self.functions.push(function);
        name
    }
}

/// The sizes that a function mentions, in its own numbers.
struct Sizes<'s> {
    all: &'s [SizeName],
    kept: Vec<SizeName>,
}

impl Sizes<'_> {
    fn renumbered(&mut self, sig: &SigType) -> SigType {
        let mut all = |fields: &[SigType]| fields.iter().map(|it| self.renumbered(it)).collect();
        match sig {
            SigType::Scalar(scalar) => SigType::Scalar(*scalar),
            SigType::Tuple(fields) => SigType::Tuple(all(fields)),
            SigType::Struct(id, fields) => SigType::Struct(*id, all(fields)),
            SigType::Vector(elem, fields) => SigType::Vector(elem.clone(), all(fields)),
            SigType::Array { elem, size, src } => {
                let size = match size {
                    SizeSpec::Named(id) => SizeSpec::Named(self.kept(*id)),
                    other => *other,
                };
                SigType::Array {
                    elem: Box::new(self.renumbered(elem)),
                    size,
                    src: *src,
                }
            }
        }
    }

    fn kept(&mut self, id: SizeId) -> SizeId {
        let size = &self.all[id.index()];
        if let Some(at) = self.kept.iter().position(|it| it.local == size.local) {
            return SizeId(u32::try_from(at).unwrap_or(0));
        }
        let id = SizeId::next(&self.kept);
        self.kept.push(SizeName {
            name: size.name.clone(),
            src: size.src,
            local: size.local,
        });
        id
    }
}

fn not_yet(size: &SizeName) -> Diagnostic {
    let title = format!("the size `{}` is not known outside of items", size.name);
    Diagnostic::new(size.src, title)
        .note("it is that of the items of a sequence, of which there may be none")
        .help(format!(
            "take it as a parameter as well: `{}: usize`",
            size.name
        ))
}

pub(super) fn value_type(param: &typed::Param) -> Option<SigType> {
    match &param.ty {
        ParamType::Value(sig) => Some(sig.clone()),
        ParamType::Fn { .. } => None,
    }
}

fn mentions(sig: &SigType, id: SizeId) -> bool {
    match sig {
        SigType::Scalar(_) => false,
        SigType::Tuple(fields) | SigType::Struct(_, fields) | SigType::Vector(_, fields) => {
            fields.iter().any(|it| mentions(it, id))
        }
        SigType::Array { elem, size, .. } => {
            matches!(size, SizeSpec::Named(it) if *it == id) || mentions(elem, id)
        }
    }
}

/// The locals that statements bind for those behind them.
pub(super) fn top_level(stmts: &[Stmt]) -> Vec<LocalId> {
    let mut bound = Vec::new();
    for stmt in stmts {
        if let Stmt::Let { pattern, .. } = stmt {
            pattern.clone().names(&mut |name| {
                if let Name::Bound(local) = name {
                    bound.push(*local);
                }
            });
        }
    }
    bound
}

pub(super) fn counted(source: &Source) -> Option<LocalId> {
    match source {
        Source::Count(local) => u32::try_from(*local).ok().map(LocalId),
        Source::Param(_) | Source::Nested(_) => None,
    }
}

pub(super) fn given(args: &[Arg]) -> Vec<Given> {
    let only = |arg: &Arg| match arg {
        Arg::Given(given) => Some(*given),
        Arg::Chunk(_) | Arg::Ends(_) | Arg::State(_) | Arg::Last | Arg::Unwanted => None,
    };
    args.iter().filter_map(only).collect()
}

/// Values as one, and its type.
pub(super) fn tuple(fields: Vec<(Expr, SigType)>) -> (Expr, SigType) {
    let (values, types): (Vec<Expr>, Vec<SigType>) = fields.into_iter().unzip();
    let ty = Type::Tuple(types.iter().map(SigType::erased).collect());
    let src = values.first().map_or_else(SrcSpan::call_site, |it| it.src);
    let kind = ExprKind::Tuple(values);
    (Expr { kind, ty, src }, SigType::Tuple(types))
}

/// A type whose arrays have sizes of their own.
pub(super) fn own(ty: &Type, program: &Program, src: SrcSpan) -> SigType {
    match ty {
        Type::Scalar(scalar) => SigType::Scalar(*scalar),
        Type::Tuple(parts) => {
            SigType::Tuple(parts.iter().map(|it| own(it, program, src)).collect())
        }
        Type::Struct(id) => {
            let fields = program.structs[id.index()].fields.iter();
            SigType::Struct(*id, fields.map(|(_, ty)| own(ty, program, src)).collect())
        }
        Type::Array(elem) => SigType::Array {
            elem: Box::new(own(elem, program, src)),
            size: SizeSpec::Own,
            src,
        },
    }
}
