//! Parameters as the inner function takes them: scalars and slices.
//!
//! In: signature types. Out: how the leaves of a parameter are reached. Assumes types as `shaped::border`
//! gives them.

use crate::emit::ident_text;
use crate::emit::rust::border::{Form, elem_type, form};
use crate::emit::rust::outside::getter;
use crate::emit::rust::reads::ArrayField;
use crate::emit::rust::scalar::type_name;
use crate::ids::Var;
use crate::shaped::ir::{components, struct_def};
use crate::typed::ir::{Home, SigType, StructDef};

/// A slot of the inner function: a scalar or a slice.
pub struct Slot {
    /// Name in the inner function.
    pub name: String,
    /// Type in the inner function.
    pub ty: String,
    /// A scalar's type, or that of an array's elements.
    pub elem: String,
    /// How it is reached from the parameter, e.g. `.0.x`.
    pub path: String,
    /// As how many arrays at most the argument may come: several for one of tuples, of which `ty` is
    /// a type parameter then.
    pub arrays: usize,
    /// What it stands for.
    pub kind: SlotKind,
}

/// What a slot stands for.
pub enum SlotKind {
    /// A scalar.
    Scalar(Var),
    /// An array of one axis or of several, or the elements of an array of arrays: its components,
    /// each with how its elements are read.
    Array(Form, Vec<(Var, ArrayField)>),
    /// The offsets of an array of arrays on a level.
    Offsets {
        /// Outermost 0.
        level: usize,
        /// The array, and how its elements are read.
        array: (Var, ArrayField),
    },
}

/// The shape of an array parameter of several axes, in the inner function.
pub fn shape_name(slice: &str) -> String {
    format!("{slice}_shape")
}

/// The slots of parameter number `at`.
pub fn slots(at: usize, ty: &SigType, vars: &[Var], structs: &[StructDef]) -> Vec<Slot> {
    let mut walk = Walk {
        at,
        vars,
        next: 0,
        structs,
        out: Vec::new(),
    };
    walk.visit(ty, String::new());
    walk.out
}

struct Walk<'a> {
    at: usize,
    vars: &'a [Var],
    next: usize,
    structs: &'a [StructDef],
    out: Vec<Slot>,
}

impl Walk<'_> {
    fn visit(&mut self, ty: &SigType, path: String) {
        match ty {
            SigType::Scalar(scalar) => {
                let var = self.vars[self.next];
                self.next += 1;
                let (name, ty) = (format!("v{}", var.0), type_name(*scalar).to_owned());
                self.out.push(Slot {
                    name,
                    elem: ty.clone(),
                    ty,
                    path,
                    arrays: 1,
                    kind: SlotKind::Scalar(var),
                });
            }
            SigType::Tuple(fields) | SigType::Struct(_, fields) | SigType::Vector(_, fields) => {
                for (step, field) in steps(ty, self.structs).into_iter().zip(fields) {
                    self.visit(field, format!("{path}{step}"));
                }
            }
            SigType::Array { elem, .. } => self.array(elem, path),
        }
    }

    fn array(&mut self, elem: &SigType, path: String) {
        let (form, elem) = form(elem);
        let arrays = arrays(form, elem);
        if let Form::Ragged(levels) = form {
            for level in 0..levels {
                self.offsets(level, path.clone(), arrays);
            }
        }
        let name = self.name();
        let ty = elem_type(elem);
        let param = (arrays > 1).then(|| name.replace('p', "S"));
        let count = components(elem);
        let vars = &self.vars[self.next..self.next + count];
        self.next += count;
        let paths = paths(elem, self.structs);
        // Of elements without scalars nothing is read.
        let paths = paths.into_iter().chain([String::new()]);
        let components = vars
            .iter()
            .zip(paths)
            .map(|(var, path)| (*var, field(&name, &ty, path, param.clone())));
        let kind = SlotKind::Array(form, components.collect());
        self.out.push(Slot {
            ty: param.clone().unwrap_or_else(|| format!("&[{ty}]")),
            elem: ty,
            name,
            path,
            arrays,
            kind,
        });
    }

    fn offsets(&mut self, level: usize, path: String, arrays: usize) {
        let (name, ty) = (self.name(), "i64".to_owned());
        let array = (self.vars[self.next], field(&name, &ty, String::new(), None));
        self.next += 1;
        self.out.push(Slot {
            ty: format!("&[{ty}]"),
            elem: ty,
            name,
            path,
            arrays,
            kind: SlotKind::Offsets { level, array },
        });
    }

    fn name(&self) -> String {
        format!("p{}_{}", self.at, self.out.len())
    }
}

/// Components of the largest tuple that may come as a tuple of arrays.
const MOST_ARRAYS: usize = 12;

/// As how many arrays an array of this form may come.
pub fn arrays(form: Form, elem: &SigType) -> usize {
    match (form, elem) {
        (Form::Flat | Form::Ragged(_), SigType::Tuple(fields))
            if (2..=MOST_ARRAYS).contains(&fields.len()) =>
        {
            fields.iter().map(|field| arrays(form, field)).sum()
        }
        (Form::Flat | Form::Ragged(_) | Form::Dense(_), _) => 1,
    }
}

fn field(array: &str, elem: &str, path: String, param: Option<String>) -> ArrayField {
    ArrayField {
        field: array.to_owned(),
        elem: elem.to_owned(),
        path,
        param,
        moved: false,
        repeated: None,
    }
}

/// The access paths of the leaves of a product of scalars, in order.
pub(super) fn paths(ty: &SigType, structs: &[StructDef]) -> Vec<String> {
    match ty {
        SigType::Scalar(_) | SigType::Array { .. } => vec![String::new()],
        SigType::Tuple(fields) | SigType::Struct(_, fields) | SigType::Vector(_, fields) => {
            let fields = steps(ty, structs).into_iter().zip(fields);
            let paths = fields.flat_map(|(step, field)| {
                let paths = paths(field, structs).into_iter();
                paths.map(move |path| format!("{step}{path}"))
            });
            paths.collect()
        }
    }
}

/// What follows a product for each of its fields.
fn steps(ty: &SigType, structs: &[StructDef]) -> Vec<String> {
    match ty {
        SigType::Scalar(_) | SigType::Array { .. } => Vec::new(),
        SigType::Tuple(fields) => (0..fields.len()).map(|at| format!(".{at}")).collect(),
        SigType::Vector(_, fields) => (0..fields.len()).map(|at| format!("[{at}]")).collect(),
        SigType::Struct(id, _) => {
            let def = struct_def(structs, *id);
            let names = def.fields.iter().enumerate();
            let names = names.map(|(at, (name, _))| match def.home {
                Home::Outside(_) => format!(".{}", getter(*id, at)),
                Home::Block(_) | Home::Complex(_) | Home::Inside => {
                    format!(".{}", ident_text(name))
                }
            });
            names.collect()
        }
    }
}
