//! The tree as readable pseudo-Rust, for tests and reports.
//!
//! Every operator is in parentheses, so that precedence shows; a method call stays one.

use super::ir::{
    Block, Bound, Expr, ExprKind, Function, Generic, Literal, LiteralValue, Name, Param, ParamType,
    Pattern, PatternKind, PatternValue, Program, SizeSpec, Stmt, Struct, Type, TypeKind, Unit,
};
use std::fmt::{self, Display, Formatter};

mod exprs;

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (at, unit) in self.units.iter().enumerate() {
            if let (Some(provides), Some(entry)) = (&unit.provides, &unit.entry) {
                write!(f, "unit {at}: {entry} as {}", provides.text)?;
            } else if self.units.len() > 1 {
                write!(f, "block")?;
            }
            for (nth, import) in unit.imports.iter().enumerate() {
                let before = if nth == 0 { ", imports" } else { "," };
                write!(f, "{before} {import}")?;
            }
            if self.units.len() > 1 {
                writeln!(f)?;
            }
            write!(f, "{unit}")?;
        }
        Ok(())
    }
}

impl Display for Unit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for constant in &self.consts {
            let name = &constant.name.text;
            writeln!(f, "const {name}: {} = {};", constant.ty, constant.value)?;
        }
        for structure in &self.structs {
            writeln!(f, "{structure}")?;
        }
        for function in &self.functions {
            writeln!(f, "{function}")?;
        }
        Ok(())
    }
}

impl Display for Struct {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !self.derives.is_empty() {
            write!(f, "#[derive({})] ", self.derives.join(", "))?;
        }
        if let Some(path) = &self.outside {
            write!(f, "#[element({path})] ")?;
        }
        let fields = list(&self.fields, |(name, ty)| format!("{}: {ty}", name.text));
        write!(f, "struct {} {{ {fields} }}", self.name.text)
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.fast {
            write!(f, "#[fast] ")?;
        }
        if let Some(export) = &self.export {
            write!(f, "{}", export.contracts)?;
            for instance in &export.instances {
                write!(f, "#[instance({})] ", list(instance, Type::to_string))?;
            }
            if !export.docs.is_empty() {
                write!(f, "{} ", export.docs)?;
            }
            write!(f, "{} ", export.vis)?;
        }
        write!(f, "fn {}", self.name.text)?;
        if !self.generics.is_empty() {
            write!(f, "<{}>", list(&self.generics, Generic::to_string))?;
        }
        write!(f, "({})", list(&self.params, Param::to_string))?;
        if let Some(ret) = &self.ret {
            write!(f, " -> {ret}")?;
        }
        write!(f, " {}", self.body)
    }
}

impl Display for Generic {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name.text)?;
        f.write_str(match self.bound {
            Bound::Any => "",
            Bound::Num => ": Num",
            Bound::Int => ": Int",
            Bound::Float => ": Float",
        })
    }
}

impl Display for Param {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.pattern, self.ty)
    }
}

impl Display for ParamType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            ParamType::Value(ty) => write!(f, "{ty}"),
            ParamType::Fn { args, ret } => {
                write!(f, "impl Fn({}) -> {ret}", list(args, Type::to_string))
            }
        }
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            TypeKind::Name(name) => write!(f, "{}", name.text),
            TypeKind::Infer => write!(f, "_"),
            TypeKind::Tuple(elems) => write!(f, "{}", tuple(elems)),
            TypeKind::Array(elem, SizeSpec::Own) => write!(f, "[{elem}]"),
            TypeKind::Array(elem, SizeSpec::Named(name)) => write!(f, "[{elem}; {}]", name.text),
            TypeKind::Array(elem, SizeSpec::Known(size, _)) => write!(f, "[{elem}; {size}]"),
            TypeKind::Seq(item) => write!(f, "Seq<{item}>"),
            TypeKind::Complex(part) => write!(f, "Complex<{part}>"),
        }
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            PatternKind::Wild => write!(f, "_"),
            PatternKind::Rest => write!(f, ".."),
            PatternKind::Bind {
                name,
                mutable,
                inner,
            } => {
                let mutable = if *mutable { "mut " } else { "" };
                write!(f, "{mutable}{}", name.text)?;
                inner
                    .as_ref()
                    .map_or(Ok(()), |inner| write!(f, " @ {inner}"))
            }
            PatternKind::Tuple(elems) => write!(f, "{}", tuple(elems)),
            PatternKind::Struct { name, fields, rest } => {
                let mut fields: Vec<String> = fields.iter().map(field).collect();
                fields.extend(rest.then(|| "..".to_owned()));
                write!(f, "{} {{ {} }}", name.text, fields.join(", "))
            }
            PatternKind::Value(value) => write!(f, "{value}"),
            PatternKind::Range { lo, hi, inclusive } => {
                let dots = if *inclusive { "..=" } else { ".." };
                write!(
                    f,
                    "{}{dots}{}",
                    optional(lo.as_ref()),
                    optional(hi.as_ref())
                )
            }
            PatternKind::Or(cases) => {
                let cases: Vec<String> = cases.iter().map(Pattern::to_string).collect();
                write!(f, "({})", cases.join(" | "))
            }
            PatternKind::Typed(pattern, ty) => write!(f, "{pattern}: {ty}"),
        }
    }
}

impl Display for PatternValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            PatternValue::Literal(literal) => write!(f, "{literal}"),
            PatternValue::Const(name) => write!(f, "{}", name.text),
            PatternValue::Associated(ty, name) => write!(f, "{}::{}", ty.text, name.text),
        }
    }
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.value {
            LiteralValue::Bool(value) => write!(f, "{value}")?,
            LiteralValue::Int(value) => write!(f, "{value}")?,
            LiteralValue::Float(digits) => write!(f, "{digits}")?,
        }
        let gap = if self.suffix.is_empty() { "" } else { "_" };
        write!(f, "{gap}{}", self.suffix)
    }
}

fn field<T: Display>((name, value): &(Name, T)) -> String {
    format!("{}: {value}", name.text)
}

fn optional<T: Display>(value: Option<T>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

fn list<T>(items: &[T], print: impl Fn(&T) -> String) -> String {
    items.iter().map(print).collect::<Vec<_>>().join(", ")
}

/// `(a)` with one element is not a tuple, so that has a comma.
fn tuple<T: Display>(elems: &[T]) -> String {
    match elems {
        [one] => format!("({one},)"),
        elems => format!("({})", list(elems, T::to_string)),
    }
}
