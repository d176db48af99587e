//! What a kernel or a nest captures, as the fields of its struct.
//!
//! In: a kernel and the printer around it. Out: text for the struct's fields, its literal, and the
//! locals by which its functions call what it captures.

use crate::emit::rust::body::Rows;
use crate::emit::rust::free::captured;
use crate::emit::rust::host::Host;
use crate::emit::rust::outside::bounds;
use crate::emit::rust::reads::{ArrayField, Arrays};
use crate::emit::rust::scalar::type_name;
use crate::emit::rust::tuples::tuple;
use crate::fused::fast::estimates;
use crate::fused::ir::{Kernel, Reach};
use crate::shaped::ir::Atom;

use crate::ids::Var;
use crate::prims::Scalar;
use std::collections::BTreeMap;

/// Arrays and scalars from outside.
pub struct Captured {
    arrays: Arrays,
    scalars: Vec<(Var, Scalar)>,
    /// Lengths, each with the field of an array that has it. Those among the scalars are taken from there, and
    /// are no fields: so LLVM sees that a check of an index and a read of the array ask for the same.
    lengths: BTreeMap<Var, String>,
    /// By field name of an array.
    fields: BTreeMap<String, Held>,
    /// What is asked of structs from outside.
    bounds: String,
    /// Whether it asks the processor for estimates.
    estimates: bool,
    /// If it captures arrays of which it may get parts: where they begin.
    from: Option<&'static str>,
}

/// An array as a field.
struct Held {
    /// Its type.
    ty: String,
    /// The bound of that, if it is a type parameter.
    bound: Option<String>,
    /// What it is outside.
    value: String,
}

/// What stands around the name of the struct.
pub struct Names {
    /// Behind the name, where it is declared.
    pub declared: String,
    /// `impl`, with its parameters.
    pub head: String,
    /// Behind the name in impls.
    pub tail: String,
    /// The type parameters, each with a comma in front.
    pub params: String,
}

impl Captured {
    /// What `kernel` captures.
    pub fn new(host: &Host<'_>, kernel: &Kernel) -> Captured {
        Captured::of(host, kernel, &[], None)
    }

    /// The same; `states` are arrays of a loop's state, of which the kernel may be given parts.
    pub fn with_states(host: &Host<'_>, kernel: &Kernel, states: &[Var]) -> Captured {
        Captured::of(host, kernel, states, Some("0"))
    }

    /// The same; of `strips` it gets the parts from the index `from` on.
    pub fn with_strips(host: &Host<'_>, kernel: &Kernel, strips: &[Var]) -> Captured {
        let captured = captured(kernel, host.vars);
        let any = strips.iter().any(|strip| captured.contains(strip));
        Captured::of(host, kernel, strips, any.then_some("from"))
    }

    fn of(host: &Host<'_>, kernel: &Kernel, parts: &[Var], from: Option<&'static str>) -> Captured {
        let mut it = Captured {
            arrays: Arrays::default(),
            scalars: Vec::new(),
            lengths: BTreeMap::new(),
            fields: BTreeMap::new(),
            bounds: bounds(host.structs),
            estimates: estimates(&kernel.body),
            from,
        };
        for var in captured(kernel, host.vars) {
            match host.arrays.get(&var) {
                Some(field) => {
                    if field.param.is_none() {
                        it.measures(host, var, &field.field);
                    }
                    it.array(var, field.clone(), field.field.clone());
                }
                None if host.is_array(var) => {
                    let field = ArrayField {
                        field: array_field(var),
                        elem: type_name(host.scalar_of(var)).to_owned(),
                        path: String::new(),
                        param: None,
                        moved: parts.contains(&var),
                        repeated: None,
                    };
                    let value = match field.moved {
                        true if from == Some("0") => "&[]".to_owned(),
                        true => format!("v{}", var.0),
                        // A nest may ask for the length.
                        false if host.locals.contains(&var) && !kernel.nest => {
                            format!("v{}.padded()", var.0)
                        }
                        false => {
                            it.measures(host, var, &field.field);
                            format!("&v{}[..]", var.0)
                        }
                    };
                    it.array(var, field, value);
                }
                None => it.scalars.push((var, host.scalar_of(var))),
            }
        }
        it
    }

    /// The same, and how many columns its rows have: where it comes row by row, the index is made of that.
    pub fn with_width(mut self, kernel: &Kernel) -> Captured {
        if let [_, .., Atom::Var(width)] = kernel.extents.as_slice() {
            self.add_size(*width);
        }
        self
    }

    /// The same, and how many elements rows of lengths of their own have that it reads: there the next one
    /// lies.
    pub fn with_length(mut self, rows: Option<&Rows>) -> Captured {
        if let Some(length) = rows.and_then(|rows| rows.uneven) {
            self.add_size(length);
        }
        self
    }

    /// The same, where these arrays, each a row of `width`, are held again and again: by what is called so.
    pub fn with_repeated(mut self, width: Atom, rows: &[(Var, String)]) -> Captured {
        let text = match width {
            Atom::Var(width) => format!("v{}", width.0),
            Atom::Const(width) => format!("{}usize", width.bits),
        };
        for (row, name) in rows {
            let Some(field) = self.arrays.get_mut(row) else {
                continue;
            };
            field.repeated = Some(text.clone());
            self.lengths.retain(|_, measured| *measured != field.field);
            if let Some(held) = self.fields.get_mut(&field.field) {
                held.value = format!("{name}.elements()");
            }
        }
        if let (Atom::Var(width), false) = (width, rows.is_empty()) {
            self.add_size(width);
        }
        self
    }

    fn add_size(&mut self, size: Var) {
        if !self.has(size) {
            self.scalars.push((size, Scalar::Usize));
        }
    }

    /// The slice in this field is all of `array`.
    fn measures(&mut self, host: &Host<'_>, array: Var, field: &str) {
        if let [Atom::Var(length)] = host.extents(array)[..] {
            self.lengths.insert(length, field.to_owned());
        }
    }

    fn array(&mut self, var: Var, field: ArrayField, value: String) {
        let elem = &field.elem;
        let held = match &field.param {
            None => Held {
                ty: format!("&'a [{elem}]"),
                bound: None,
                value,
            },
            Some(param) => Held {
                ty: param.clone(),
                bound: Some(format!("{param}: __r::Elements<{elem}>")),
                value,
            },
        };
        self.fields.insert(field.field.clone(), held);
        self.arrays.insert(var, field);
    }

    /// The arrays, each with the field that holds it.
    pub fn arrays(&self) -> &Arrays {
        &self.arrays
    }

    /// Whether an atom is known: a constant, or captured.
    pub fn knows(&self, atom: Atom) -> bool {
        match atom {
            Atom::Var(var) => self.has(var),
            Atom::Const(_) => true,
        }
    }

    /// Whether `var` is captured.
    pub fn has(&self, var: Var) -> bool {
        self.arrays.contains_key(&var) || self.scalars.iter().any(|(own, _)| *own == var)
    }

    /// What is asked of structs from outside.
    pub fn bounds(&self) -> &str {
        &self.bounds
    }

    /// What stands around the name of the struct.
    pub fn names(&self) -> Names {
        let held = self.fields.values();
        let bounds: Vec<&str> = held.filter_map(|it| it.bound.as_deref()).collect();
        let params = self.type_params().map(|param| format!(", {param}"));
        Names {
            declared: self.arguments("'a"),
            head: format!("impl{}", in_brackets(&bounds)),
            tail: self.arguments("'_") + &self.bounds,
            params: params.collect(),
        }
    }

    /// The generic arguments of the struct, slices being of this lifetime.
    pub fn arguments(&self, lifetime: &str) -> String {
        let slices = self.fields.values().any(|it| it.bound.is_none());
        let lifetime = slices.then_some(lifetime).into_iter();
        in_brackets(&lifetime.chain(self.type_params()).collect::<Vec<_>>())
    }

    fn type_params(&self) -> impl Iterator<Item = &str> {
        let generic = self.fields.values().filter(|it| it.bound.is_some());
        generic.map(|it| it.ty.as_str())
    }

    /// The fields of the struct.
    pub fn declarations(&self) -> String {
        let arrays = self.fields.iter();
        let arrays = arrays.map(|(name, held)| format!("{name}: {},", held.ty));
        let scalars = self.scalar_fields();
        let scalars = scalars.map(|(var, ty)| format!("v{}: {},", var.0, type_name(ty)));
        let estimates = self
            .estimates
            .then(|| "estimates: __r::Estimates,".to_owned());
        let from = self.from.map(|_| "from: usize, pad: usize,".to_owned());
        arrays.chain(scalars).chain(estimates).chain(from).collect()
    }

    /// A reference to the struct as an expression.
    pub fn literal(&self, name: &str) -> String {
        format!("&{}", self.value(name))
    }

    /// The implementation of `Sweep` for a kernel whose outputs are the next `states`; `beyond` is the name of
    /// that for arrays with rows beyond both ends, and what it captures.
    pub fn sweep(
        &self,
        name: &str,
        states: &[Var],
        reach: &Reach,
        beyond: Option<(&str, &Captured)>,
    ) -> String {
        let inner = reach.inner.iter().map(|inner| match inner {
            Some(inner) => format!(", {inner}"),
            None => ", usize::MAX".to_owned(),
        });
        let inner: String = inner.collect();
        let (rows, round) = (reach.rows, beyond.is_some());
        let Names { head, tail, .. } = self.names();
        let at = self.with_parts("At", name, states);
        let (beyond_name, of_beyond) = beyond.unwrap_or((name, self));
        let beyond = of_beyond.with_parts("Beyond", beyond_name, states);
        format!(
            "{head} __r::Sweep for {name}{tail} {{\nconst REACH: &'static [usize] = &[{rows}{inner}];\n\
             const ROUND: bool = {round};\n{at}{beyond}}}\n"
        )
    }

    /// A type of a `Sweep`, this struct, and the function of that name in small letters, which makes it of parts
    /// of `states` and of the fields of another that captures no less.
    fn with_parts(&self, ty: &str, name: &str, states: &[Var]) -> String {
        let is_state = |field: &str| states.iter().any(|var| field == array_field(*var));
        let views = tuple(states.iter().map(|var| array_field(*var)));
        let given = self.fields.keys().filter(|field| is_state(field));
        let given: String = given.map(|field| format!("{field},")).collect();
        let fields = given + &self.kept(&is_state);
        let (Names { params, .. }, function) = (self.names(), ty.to_lowercase());
        format!(
            "type {ty}<'s> = {name}<'s{params}> where Self: 's;\n\
             #[inline(always)]\n\
             fn {function}<'s>(&'s self, {views}: <Self::Out as __r::States>::Views<'s>, \
             from: usize, pad: usize) -> {name}<'s{params}> {{\n{name} {{ {fields} from, pad }}\n}}\n"
        )
    }

    /// The fields of another struct of this type, as those of `self` but for some.
    pub fn kept(&self, but: &dyn Fn(&str) -> bool) -> String {
        let kept = self.fields.keys().filter(|field| !but(field)).cloned();
        let kept = kept.chain(self.scalar_fields().map(|(var, _)| format!("v{}", var.0)));
        let kept = kept.chain(self.estimates.then(|| "estimates".to_owned()));
        kept.map(|field| format!("{field}: self.{field},"))
            .collect()
    }

    /// What the array in a field is outside.
    pub fn outside(&self, field: &str) -> &str {
        &self.fields[field].value
    }

    /// The struct as an expression.
    pub fn value(&self, name: &str) -> String {
        let arrays = self.fields.iter();
        let arrays = arrays.map(|(field, held)| format!("{field}: {},", held.value));
        let scalars = self.scalar_fields();
        let scalars = scalars.map(|(var, _)| format!("v{0}: v{0},", var.0));
        let estimates = self
            .estimates
            .then(|| "estimates: __r::Estimates::here(),".to_owned());
        let from = self.from.map(|from| format!("from: {from}, pad: 0,"));
        let fields: String = arrays.chain(scalars).chain(estimates).chain(from).collect();
        format!("{name} {{ {fields} }}")
    }

    /// The scalars that are fields.
    fn scalar_fields(&self) -> impl Iterator<Item = (Var, Scalar)> {
        let scalars = self.scalars.iter().copied();
        scalars.filter(|(var, _)| !self.lengths.contains_key(var))
    }

    /// A scalar, as an expression behind what holds the struct and a dot.
    pub fn scalar(&self, var: Var) -> String {
        match self.lengths.get(&var) {
            Some(array) => format!("{array}.len()"),
            None => format!("v{}", var.0),
        }
    }

    /// Locals for the scalars, which are in `holder`.
    pub fn scalar_locals(&self, holder: &str) -> String {
        let scalars = self.scalars.iter();
        let scalars =
            scalars.map(|(var, _)| format!("let v{} = {holder}.{};\n", var.0, self.scalar(*var)));
        let estimates = self
            .estimates
            .then(|| format!("let estimates = {holder}.estimates;\n"));
        scalars.chain(estimates).collect()
    }

    /// Locals for all fields.
    pub fn locals(&self) -> String {
        let arrays = self.fields.keys();
        let arrays = arrays.map(|name| format!("let {name} = self.{name};\n"));
        arrays.collect::<String>() + &self.scalar_locals("self")
    }
}

/// Generic arguments or parameters, if there are any.
pub fn in_brackets(list: &[&str]) -> String {
    match list.is_empty() {
        true => String::new(),
        false => format!("<{}>", list.join(", ")),
    }
}

/// The field for an array that is made in the function.
pub fn array_field(var: Var) -> String {
    format!("w{}", var.0)
}
