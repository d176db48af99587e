//! Signatures: parameters of exported functions, and the size names of exported and inlined ones.

use super::border::border_type;
use super::facts::MOST_USIZE;
use super::ir::{Atom, Extent, Op, Param, VarType, leaves};
use super::lower::{Declared, Lower, Lowered};
use super::size::Size;
use super::value::{Array, Elem, Value, const_extent, usize_const};
use crate::ids::{LocalId, SizeId, Var};
use crate::prims::{Scalar, ScalarOp};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::typed::ir::{Expr, ExprKind, Function, ParamType, SigType, SizeSpec};

/// A value of the user's, for messages.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    /// With its backquotes: `` `xs` ``.
    pub(super) name: String,
    pub(super) src: SrcSpan,
}

/// What an axis of `name`, with these elements behind it, is called: by its number where there are
/// several.
fn axis_name(name: &str, axis: usize, elem: &SigType) -> String {
    let last = leaves(elem).iter().all(|leaf| leaf.rank == 0);
    if axis == 0 && last {
        name.to_owned()
    } else {
        format!("axis {axis} of {name}")
    }
}

impl<'p> Lower<'p> {
    /// The parameters of an exported function: their variables and lengths, then the checks that
    /// lengths are as the signature says.
    pub(super) fn params(&mut self, function: &'p Function) -> Lowered<Vec<Param>> {
        let mut params = Vec::new();
        let mut values = Vec::new();
        for param in &function.params {
            let ParamType::Value(ty) = &param.ty else {
                unreachable!("typed: exported functions take values")
            };
            let mut vars = Vec::new();
            let border = border_type(ty);
            let value = self.param(&border, &param.name, param.src, &mut vars)?;
            // Sizes may be parameters.
            self.bind(&param.pattern, &value)?;
            values.push((ty, value));
            params.push(Param {
                name: param.name.clone(),
                ty: border,
                vars,
                src: param.src,
            });
        }
        for (param, (ty, value)) in function.params.iter().zip(values) {
            let origin = Origin {
                name: format!("`{}`", param.name),
                src: param.src,
            };
            let value = self.taken_in(value, ty, &origin)?;
            self.bind(&param.pattern, &value)?;
            self.bind_sizes(ty, &value, &origin);
        }
        for var in params.iter().flat_map(|param| &param.vars) {
            self.simplify_extents(*var);
        }
        Ok(params)
    }

    fn param(
        &mut self,
        ty: &SigType,
        name: &str,
        src: SrcSpan,
        vars: &mut Vec<Var>,
    ) -> Lowered<Value> {
        match ty {
            SigType::Scalar(scalar) => {
                let var = self.scalar_var(*scalar, src);
                if *scalar == Scalar::Usize {
                    self.facts
                        .new_scalar(var, Some(name.to_owned()), MOST_USIZE);
                }
                vars.push(var);
                Ok(Value::Scalar(Atom::Var(var)))
            }
            SigType::Tuple(parts) | SigType::Struct(_, parts) | SigType::Vector(_, parts) => {
                let parts = parts.iter().map(|part| self.param(part, name, src, vars));
                parts.collect::<Lowered<_>>().map(Value::Product)
            }
            SigType::Array { elem, size, src } => {
                let array = self.param_array(elem, *size, (name, *src), &[], vars)?;
                Ok(Value::Array(array))
            }
        }
    }

    /// An array with `outer` dimensions around it. `name` and place are for messages.
    fn param_array(
        &mut self,
        elem: &SigType,
        size: SizeSpec,
        name: (&str, SrcSpan),
        outer: &[Extent],
        vars: &mut Vec<Var>,
    ) -> Lowered<Array> {
        let src = name.1;
        let called = axis_name(&format!("`{}`", name.0), outer.len(), elem);
        let extent = self.length(size, name, outer.len(), called);
        let start = vars.len();
        let dims = [outer, std::slice::from_ref(&extent)].concat();
        let elem = self.param_elem(elem, &dims, name, vars)?;
        let first = self.first_component(&dims, start, vars, src);
        self.define_length(&extent, &elem, first, outer.len(), src);
        Ok(Array { extent, elem })
    }

    /// The first of the variables from `start` on, of an array's components; see
    /// [`components`](super::ir::components).
    fn first_component(
        &mut self,
        dims: &[Extent],
        start: usize,
        vars: &mut Vec<Var>,
        src: SrcSpan,
    ) -> Var {
        if vars.len() == start {
            vars.push(self.array_var(Scalar::Bool, dims.to_vec(), src));
        }
        vars[start]
    }

    /// Defines the length of a parameter along an axis; `first` is the first component of `elem`.
    fn define_length(
        &mut self,
        extent: &Extent,
        elem: &Elem,
        first: Var,
        axis: usize,
        src: SrcSpan,
    ) {
        let Atom::Var(length) = extent.value else {
            unreachable!("a parameter's length is found at run time")
        };
        match elem {
            // One less than there are offsets.
            Elem::Rows(rows) => {
                let args = vec![rows.bounds.value, usize_const(1)];
                self.push(vec![length], Op::Scalar(ScalarOp::Sub, args), src);
            }
            Elem::Leaf(_) | Elem::Product(_) | Elem::Array(_) => {
                self.push(vec![length], Op::Len { array: first, axis }, src);
            }
        }
    }

    /// Arrays of lengths of their own, `outer` many: their offsets, and what they divide.
    fn param_rows(
        &mut self,
        elem: &SigType,
        outer: &Extent,
        (name, src): (&str, SrcSpan),
        vars: &mut Vec<Var>,
    ) -> Lowered<Elem> {
        let count = self.scalar_var(Scalar::Usize, src);
        let size = outer.size.add(&Size::known(1)).unwrap_or_default();
        self.facts.set_size(count, size.clone());
        let bounds = Extent {
            value: Atom::Var(count),
            size,
        };
        let offsets = self.array_var(Scalar::I64, vec![bounds.clone()], src);
        vars.push(offsets);
        let (array, axis) = (offsets, 0);
        self.push(vec![count], Op::Len { array, axis }, src);
        let total = self.scalar_var(Scalar::Usize, src);
        let extent = Extent {
            value: Atom::Var(total),
            size: Size::symbol(self.facts.new_total(total)),
        };
        let start = vars.len();
        let dims = std::slice::from_ref(&extent);
        let elem = self.param_elem(elem, dims, (name, src), vars)?;
        let first = self.first_component(dims, start, vars, src);
        self.define_length(&extent, &elem, first, 0, src);
        Ok(Elem::rows(bounds, offsets, Array { extent, elem }))
    }

    /// The length of a parameter along an axis. The first of a named size is what the name stands
    /// for. In messages it is the size of what is `called`.
    fn length(
        &mut self,
        size: SizeSpec,
        (param, src): (&str, SrcSpan),
        axis: usize,
        called: String,
    ) -> Extent {
        let length = self.scalar_var(Scalar::Usize, src);
        let frame = &self.frames[self.frame];
        let first_mention = match size {
            SizeSpec::Named(id) if frame.sizes[id.index()].is_none() => Some(id),
            SizeSpec::Named(_)
            | SizeSpec::Own
            | SizeSpec::Known(_)
            | SizeSpec::Held(_)
            | SizeSpec::Inline(_)
            | SizeSpec::Param(_)
            | SizeSpec::Seq => None,
        };
        let name = first_mention.map(|id| frame.function.sizes[id.index()].name.clone());
        let row = "[0]".repeat(axis);
        let name = name.unwrap_or_else(|| format!("len({param}{row})"));
        let symbol = self.facts.new_length(length, name);
        let extent = Extent {
            value: Atom::Var(length),
            size: Size::symbol(symbol),
        };
        if let Some(id) = first_mention {
            self.set_named(id, &extent, called);
        }
        extent
    }

    fn set_named(&mut self, id: SizeId, extent: &Extent, by: String) {
        let frame = &mut self.frames[self.frame];
        frame.sizes[id.index()] = Some(Declared {
            extent: extent.clone(),
            by,
        });
        let local = frame.function.sizes[id.index()].local;
        self.set_local(local, Value::Scalar(extent.value));
    }

    fn param_elem(
        &mut self,
        elem: &SigType,
        dims: &[Extent],
        (name, at): (&str, SrcSpan),
        vars: &mut Vec<Var>,
    ) -> Lowered<Elem> {
        match elem {
            SigType::Scalar(scalar) => {
                let var = self.array_var(*scalar, dims.to_vec(), at);
                vars.push(var);
                Ok(Elem::whole(var))
            }
            SigType::Tuple(parts) | SigType::Struct(_, parts) | SigType::Vector(_, parts) => {
                let parts = parts
                    .iter()
                    .map(|part| self.param_elem(part, dims, (name, at), vars));
                parts.collect::<Lowered<_>>().map(Elem::Product)
            }
            SigType::Array {
                elem,
                size: SizeSpec::Own,
                src,
            } => {
                let outer = dims.last().expect("an element is in an array");
                self.param_rows(elem, outer, (name, *src), vars)
            }
            SigType::Array { elem, size, src } => {
                let array = self.param_array(elem, *size, (name, *src), dims, vars)?;
                Ok(Elem::Array(Box::new(array)))
            }
        }
    }

    /// The extent of a parameter in its simplest form, after the checks at entry.
    fn simplify_extents(&mut self, var: Var) {
        if let VarType::Array(array) = &mut self.vars[var.index()].ty {
            for dim in &mut array.dims {
                *dim = self.facts.canonical(dim);
            }
        }
    }

    /// Gives the size names in `ty` their values at first mention, and requires all other sizes to
    /// be as `ty` says. Assumes that the parameters are bound.
    pub(super) fn bind_sizes(&mut self, ty: &SigType, value: &Value, origin: &Origin) {
        match (ty, value) {
            (SigType::Scalar(_), _) => {}
            (SigType::Tuple(types) | SigType::Struct(_, types), Value::Product(parts)) => {
                for (ty, part) in types.iter().zip(parts) {
                    self.bind_sizes(ty, part, origin);
                }
            }
            (SigType::Array { .. }, Value::Array(_)) => {
                self.bind_array(ty, &self.as_array(value), origin, 0);
            }
            (
                SigType::Tuple(_)
                | SigType::Struct(..)
                | SigType::Vector(..)
                | SigType::Array { .. },
                _,
            ) => unreachable!("typed: a value has its type"),
        }
    }

    /// The sizes of an array, whose own is that of axis `axis` of what `origin` names.
    fn bind_array(&mut self, ty: &SigType, array: &Array, origin: &Origin, axis: usize) {
        let SigType::Array { elem, size, src } = ty else {
            unreachable!("typed: an array has an array's type")
        };
        let own = Origin {
            name: axis_name(&origin.name, axis, elem),
            src: origin.src,
        };
        self.bind_extent(*size, &array.extent, &own, *src);
        self.bind_inner_sizes(elem, &array.elem, origin, axis + 1);
    }

    /// The size that `size` stands for, if that is settled.
    pub(super) fn settled_size(&mut self, size: SizeSpec) -> Option<Extent> {
        match size {
            SizeSpec::Own | SizeSpec::Seq => None,
            SizeSpec::Known(size) | SizeSpec::Held(size) | SizeSpec::Inline(size) => {
                Some(const_extent(size))
            }
            SizeSpec::Named(id) => {
                let declared = self.frames[self.frame].sizes[id.index()].as_ref();
                declared.map(|it| it.extent.clone())
            }
            SizeSpec::Param(local) => {
                let value = self.local(local)?.atom();
                Some(self.extent_of(value))
            }
        }
    }

    /// Requires an extent to be what the signature says, or gives a size name its value.
    pub(super) fn bind_extent(
        &mut self,
        size: SizeSpec,
        extent: &Extent,
        origin: &Origin,
        src: SrcSpan,
    ) {
        match size {
            SizeSpec::Own | SizeSpec::Seq => {}
            SizeSpec::Named(id) => self.bind_size(id, extent, origin, src),
            SizeSpec::Held(size) => {
                let known = Size::known(i64::try_from(size).unwrap_or(i64::MAX));
                if self
                    .facts
                    .difference(&extent.size, &known)
                    .is_some_and(|it| it != 0)
                {
                    let sentence = format!("{} is held with length {size}", origin.name);
                    self.mistakes.push(Diagnostic::internal(src, sentence));
                }
                self.facts.equate(&extent.size, &known);
            }
            SizeSpec::Known(size) | SizeSpec::Inline(size) => {
                let known = const_extent(size);
                self.require_known(extent, origin, known, &size.to_string(), src);
            }
            SizeSpec::Param(local) => self.require_param(extent, origin, local, src),
        }
    }

    /// The sizes of arrays in the elements of an array, `axis` axes in.
    fn bind_inner_sizes(&mut self, ty: &SigType, elem: &Elem, origin: &Origin, axis: usize) {
        match (ty, elem) {
            (SigType::Scalar(_), _) => {}
            (SigType::Tuple(types) | SigType::Struct(_, types), Elem::Product(parts)) => {
                for (ty, part) in types.iter().zip(parts) {
                    self.bind_inner_sizes(ty, part, origin, axis);
                }
            }
            (SigType::Array { .. }, Elem::Array(array)) => {
                self.bind_array(ty, array, origin, axis);
            }
            (SigType::Array { elem, .. }, Elem::Rows(rows)) => {
                self.bind_inner_sizes(elem, &rows.flat.elem, origin, axis + 1);
            }
            (
                SigType::Tuple(_)
                | SigType::Struct(..)
                | SigType::Vector(..)
                | SigType::Array { .. },
                _,
            ) => unreachable!("typed: an element has its type"),
        }
    }

    fn bind_size(&mut self, id: SizeId, extent: &Extent, origin: &Origin, src: SrcSpan) {
        let frame = &self.frames[self.frame];
        let name = &frame.function.sizes[id.index()].name;
        match frame.sizes[id.index()].clone() {
            Some(declared) => self.require_declared(extent, origin, &declared, name, src),
            None => self.set_named(id, extent, origin.name.clone()),
        }
    }

    fn require_param(&mut self, extent: &Extent, origin: &Origin, local: LocalId, src: SrcSpan) {
        let value = self.locals(&[local])[0].atom();
        let size = self.facts.size_of(value);
        let info = &self.frames[self.frame].function.locals[local.index()];
        self.require_known(extent, origin, Extent { value, size }, &info.name, src);
    }

    fn require_known(
        &mut self,
        extent: &Extent,
        origin: &Origin,
        declared: Extent,
        size: &str,
        src: SrcSpan,
    ) {
        let declared = Declared {
            extent: declared,
            by: format!("the type `[_; {size}]`"),
        };
        self.require_declared(extent, origin, &declared, size, src);
    }

    /// What the user calls the value of `expr`.
    pub(super) fn name_of(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Local(local) => {
                let name = &self.frames[self.frame].function.locals[local.index()].name;
                format!("`{name}`")
            }
            ExprKind::Array(_) => "the array literal".to_owned(),
            ExprKind::Range { .. } => "the range".to_owned(),
            ExprKind::Slice { array, .. } => format!("the slice of {}", self.name_of(array)),
            ExprKind::Prim { prim, .. } => format!("the result of `{}`", prim.info().name),
            ExprKind::Call { func, .. } => {
                format!(
                    "the result of `{}`",
                    self.program.functions[func.index()].name
                )
            }
            ExprKind::Block {
                value: Some(value), ..
            }
            | ExprKind::Dbg(value)
            | ExprKind::Streamed(value) => self.name_of(value),
            ExprKind::Const(_)
            | ExprKind::Scalar { .. }
            | ExprKind::Complex { .. }
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Tuple(_)
            | ExprKind::Field(..)
            | ExprKind::Index(..)
            | ExprKind::CallLocal { .. }
            | ExprKind::If { .. }
            | ExprKind::Match { .. }
            | ExprKind::Block { value: None, .. }
            | ExprKind::While { .. }
            | ExprKind::Loop { .. }
            | ExprKind::Labelled { .. }
            | ExprKind::ForStmt { .. }
            | ExprKind::Break { .. }
            | ExprKind::Continue { .. }
            | ExprKind::Assign { .. }
            | ExprKind::Assert { .. }
            | ExprKind::Sized { .. } => "this array".to_owned(),
        }
    }
}
