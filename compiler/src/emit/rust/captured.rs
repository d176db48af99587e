//! What a kernel or a nest captures, as the fields of its struct.
//!
//! In: a kernel and the printer around it. Out: text for the struct's fields, its literal, and the
//! locals by which its functions call what it captures.

use crate::emit::rust::free::captured;
use crate::emit::rust::host::Host;
use crate::emit::rust::outside::bounds;
use crate::emit::rust::reads::{ArrayField, Arrays};
use crate::emit::rust::scalar::type_name;
use crate::fused::fast::estimates;
use crate::fused::ir::Kernel;

use crate::ids::Var;
use crate::prims::Scalar;
use std::collections::BTreeMap;

/// Arrays and scalars from outside.
pub struct Captured {
    arrays: Arrays,
    scalars: Vec<(Var, Scalar)>,
    /// By field name of an array: its element type, and what it is outside.
    fields: BTreeMap<String, (String, String)>,
    /// What is asked of structs from outside.
    bounds: String,
    /// Whether it asks the processor for estimates.
    estimates: bool,
}

impl Captured {
    /// What `kernel` captures.
    pub fn new(host: &Host<'_>, kernel: &Kernel) -> Captured {
        let mut it = Captured {
            arrays: Arrays::new(),
            scalars: Vec::new(),
            fields: BTreeMap::new(),
            bounds: bounds(host.structs),
            estimates: estimates(&kernel.body),
        };
        for var in captured(kernel) {
            match host.arrays.get(&var) {
                Some(field) => it.array(var, field.clone(), field.field.clone()),
                None if host.is_array(var) => {
                    let field = ArrayField {
                        field: format!("w{}", var.0),
                        elem: type_name(host.scalar_of(var)).to_owned(),
                        path: String::new(),
                    };
                    it.array(var, field, format!("&v{}[..]", var.0));
                }
                None => it.scalars.push((var, host.scalar_of(var))),
            }
        }
        it
    }

    fn array(&mut self, var: Var, field: ArrayField, value: String) {
        let name = field.field.clone();
        self.fields.insert(name, (field.elem.clone(), value));
        self.arrays.insert(var, field);
    }

    /// The arrays, each with the field that holds it.
    pub fn arrays(&self) -> &Arrays {
        &self.arrays
    }

    /// Whether `var` is captured.
    pub fn has(&self, var: Var) -> bool {
        self.arrays.contains_key(&var) || self.scalars.iter().any(|(own, _)| *own == var)
    }

    /// What stands behind the name of the struct: where it is declared, and in impls for it.
    pub fn tails(&self) -> (&'static str, String) {
        let (declared, left_out) = match self.arrays.is_empty() {
            true => ("", ""),
            false => ("<'a>", "<'_>"),
        };
        (declared, left_out.to_owned() + &self.bounds)
    }

    /// The fields of the struct.
    pub fn declarations(&self) -> String {
        let arrays = self.fields.iter();
        let arrays = arrays.map(|(name, (elem, _))| format!("{name}: &'a [{elem}],"));
        let scalars = self.scalars.iter();
        let scalars = scalars.map(|(var, ty)| format!("v{}: {},", var.0, type_name(*ty)));
        let estimates = self
            .estimates
            .then(|| "estimates: __r::Estimates,".to_owned());
        arrays.chain(scalars).chain(estimates).collect()
    }

    /// The struct as an expression.
    pub fn literal(&self, name: &str) -> String {
        let arrays = self.fields.iter();
        let arrays = arrays.map(|(field, (_, value))| format!("{field}: {value},"));
        let scalars = self.scalars.iter();
        let scalars = scalars.map(|(var, _)| format!("v{0}: v{0},", var.0));
        let estimates = self
            .estimates
            .then(|| "estimates: __r::Estimates::here(),".to_owned());
        let fields: String = arrays.chain(scalars).chain(estimates).collect();
        format!("&{name} {{ {fields} }}")
    }

    /// Locals for the scalars.
    pub fn scalar_locals(&self) -> String {
        let scalars = self.scalars.iter();
        let scalars = scalars.map(|(var, _)| format!("let v{0} = self.v{0};\n", var.0));
        let estimates = self
            .estimates
            .then(|| "let estimates = self.estimates;\n".to_owned());
        scalars.chain(estimates).collect()
    }

    /// Locals for all fields.
    pub fn locals(&self) -> String {
        let arrays = self.fields.keys();
        let arrays = arrays.map(|name| format!("let {name} = self.{name};\n"));
        arrays.collect::<String>() + &self.scalar_locals()
    }
}
