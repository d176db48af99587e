//! How a lane block reads arrays.
//!
//! In: the reads of a kernel and the forms of their indices. Out: declarations at the top of the
//! block, and an expression per read. An index `start + l + c` or `c - (start + l)` is a block load;
//! one that a check or a mask guards loads lane by lane at the array's edges only; any other index
//! is a gather that clamps. Quotients of such indices, and they as floats, are found once per
//! block. Assumes the index variable and captured scalars by their names.

use crate::emit::rust::linear::{Defs, normal};
use crate::emit::rust::scalar;
use crate::emit::rust::spans::{self, Span};
use crate::emit::rust::steps::{Step, as_const};
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::Atom;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// Captured arrays: by variable, the field of the kernel that holds the slice, the Rust type of its
/// element, and the path of the component (`""`, `".0"`, `".x"`).
pub type Arrays = HashMap<Var, ArrayField>;

/// See [`Arrays`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayField {
    /// The name of the slice.
    pub field: String,
    /// The Rust type of its elements.
    pub elem: String,
    /// The way to the component in an element.
    pub path: String,
    /// Whether the slice starts at element `from` of the array.
    pub moved: bool,
}

/// Arrays of which a kernel in a nest reads a row that has been read before and is not read later:
/// while it does, the row of the nest's next index is fetched.
#[derive(Clone, Debug)]
pub struct LastRows {
    /// The nest's index.
    pub index: Var,
    /// The arrays.
    pub arrays: HashSet<Var>,
}

/// The reads of one block.
#[derive(Clone)]
pub struct Reads<'a> {
    index: Var,
    arrays: &'a Arrays,
    types: &'a dyn Fn(Var) -> Scalar,
    defs: Defs<'a>,
    /// Variables that a loop or a read defines: never part of a block's position.
    varying: HashSet<Var>,
    blocks: Vec<(String, String)>,
    declared: Vec<String>,
    /// Divisors that have been taken to be at least as large as a block; nothing unless asked for.
    long: Option<Vec<String>>,
    /// Where the kernel's fields are.
    holder: &'static str,
    /// What is read along rows; nothing unless asked for.
    spans: Option<Vec<Span>>,
    /// See there.
    last_rows: Option<&'a LastRows>,
}

impl<'a> Reads<'a> {
    /// Surveys the steps of a block.
    pub fn new(
        steps: &'a [Step],
        index: Var,
        arrays: &'a Arrays,
        types: &'a dyn Fn(Var) -> Scalar,
    ) -> Self {
        let mut reads = Reads {
            index,
            arrays,
            types,
            defs: Defs::new(),
            varying: HashSet::new(),
            blocks: Vec::new(),
            declared: Vec::new(),
            long: None,
            holder: "self",
            spans: None,
            last_rows: None,
        };
        reads.survey(steps);
        reads
    }

    /// Takes scalars from outside as different in each lane.
    pub fn vary(&mut self, vars: &[Var]) {
        self.varying.extend(vars);
    }

    /// From here on, fetches the rows behind these.
    pub fn last_rows(&mut self, rows: Option<&'a LastRows>) {
        self.last_rows = rows;
    }

    fn survey(&mut self, steps: &'a [Step]) {
        for step in steps {
            match step {
                Step::Scalar { out, op, args } => {
                    self.defs.insert(*out, (*op, args));
                }
                Step::Read { out, .. } => {
                    self.varying.insert(*out);
                }
                Step::Check { .. } | Step::Out { .. } => {}
                Step::Loop(it) => {
                    self.varying
                        .extend(it.params.iter().chain(&it.outs).chain([&it.live]));
                    self.survey(&it.cond);
                    self.survey(&it.body);
                }
            }
        }
    }

    /// From here on, takes divisors of the index to be at least as large as a block.
    pub fn assume_long(&mut self) {
        self.long = Some(Vec::new());
    }

    /// From here on, the index is that of a column, and the block belongs to a row (see `rowed.rs`).
    pub fn along_rows(&mut self) {
        self.holder = "self.k";
        self.spans = Some(Vec::new());
    }

    /// What is read along rows by the expressions given so far.
    pub fn spans(&self) -> &[Span] {
        self.spans.as_deref().unwrap_or_default()
    }

    /// What scalars are made of.
    pub fn defs(&self) -> &Defs<'a> {
        &self.defs
    }

    /// The position of a block whose index is `start + l + c`.
    pub fn forward(&self, index: Atom) -> Option<String> {
        match self.position(index)? {
            Position::Forward(start) => Some(start),
            Position::Backward(_) => None,
        }
    }

    /// The divisors of which that was assumed.
    pub fn long(&self) -> &[String] {
        self.long.as_deref().unwrap_or_default()
    }

    /// The declarations that the expressions given so far rely on.
    pub fn declarations(&self) -> String {
        let blocks = self.spans.as_deref().map(spans::blocks);
        blocks.unwrap_or_default() + &self.declared.concat()
    }

    /// The element of `array` at `index`, whose text is `at`.
    pub fn expr(&mut self, array: Var, index: Atom, sure: bool, at: &str) -> String {
        let field = &self.arrays[&array];
        let (name, path, elem) = (field.field.clone(), field.path.clone(), field.elem.clone());
        let moved = |holder: &str| match field.moved {
            true => format!(".wrapping_sub({holder}.from)"),
            false => String::new(),
        };
        let (moved, of_kernel) = (moved(self.holder), moved("self"));
        if let Some(at) = self.uniform(index) {
            let element = format!("__r::get({}.{name}, {at}{moved}){path}", self.holder);
            return self.once("u", &element);
        }
        match self.position(index) {
            Some(Position::Forward(start)) => {
                let start = start + &of_kernel;
                let block = match self.spans {
                    Some(_) => self.span(&name, &elem, start, index),
                    None if !sure => self.block("load_near", &name, &elem, &start),
                    None => match self.next_row(array, index) {
                        Some(stride) => {
                            self.block("load_last", &name, &elem, &format!("{start}, {stride}"))
                        }
                        None => self.block("load", &name, &elem, &start),
                    },
                };
                format!("{block}[l]{path}")
            }
            Some(Position::Backward(start)) if sure => {
                let block = self.block("load_rev", &name, &elem, &(start + &moved));
                format!("{block}[l]{path}")
            }
            None if moved.is_empty() && self.row(index).is_some() => {
                let block = self.of_row(&name, &elem, index);
                format!("{block}[l]{path}")
            }
            Some(Position::Backward(_)) | None => {
                let gather = self.gather(&name, &elem);
                format!("{gather}.get({at}{moved}){path}")
            }
        }
    }

    /// How far behind the element of an array at `index` that of the nest's next index is, if its row
    /// is to be fetched.
    fn next_row(&self, array: Var, index: Atom) -> Option<String> {
        let rows = self.last_rows.filter(|rows| rows.arrays.contains(&array))?;
        let poly = normal(index, &self.defs);
        let mut along = poly.terms().filter(|(vars, _)| vars.contains(&rows.index));
        let (Some((vars, 1)), None) = (along.next(), along.next()) else {
            return None;
        };
        let others = vars.iter().filter(|var| **var != rows.index);
        let stride: Option<Vec<String>> = others.map(|var| self.uniform(Atom::Var(*var))).collect();
        match stride?.as_slice() {
            [] => Some("1".to_owned()),
            [first, rest @ ..] if rest.len() + 2 == vars.len() => {
                let times = rest.iter().map(|it| format!(".wrapping_mul({it})"));
                Some(first.clone() + &times.collect::<String>())
            }
            _squared => None,
        }
    }

    /// The block of what a row reads of an array at `index`, from `start` on.
    fn span(&mut self, field: &str, elem: &str, start: String, index: Atom) -> String {
        let position = normal(index, &self.defs);
        let spans = self.spans.get_or_insert_default();
        let of_field = |it: &Span| it.field == field && it.start == start;
        let known = spans.iter().position(of_field);
        if known.is_none() {
            spans.push(Span {
                field: field.to_owned(),
                elem: elem.to_owned(),
                start,
                position,
            });
        }
        spans::block(known.unwrap_or(spans.len() - 1))
    }

    /// Start and divisor of an index that is a quotient or remainder of the block's positions.
    fn row(&self, index: Atom) -> Option<(ScalarOp, String, String)> {
        let Atom::Var(var) = index else { return None };
        let (op, args) = self.defs.get(&var)?;
        let (ScalarOp::Div | ScalarOp::Rem) = op else {
            return None;
        };
        let Position::Forward(start) = self.position(args[0])? else {
            return None;
        };
        Some((*op, start, self.uniform(args[1])?))
    }

    /// The block of an array that is read at such an index.
    fn of_row(&mut self, field: &str, elem: &str, index: Atom) -> String {
        let (op, start, by) = self.row(index).expect("asked before");
        let key = format!("{op:?} {field} {start} {by}");
        if let Some((_, name)) = self.blocks.iter().find(|(other, _)| *other == key) {
            return name.clone();
        }
        let (name, holder) = (format!("b{}", self.blocks.len()), self.holder);
        let text = match op {
            ScalarOp::Rem => format!(
                "let mut n{name} = __r::MaybeUninit::uninit();\n\
                 let {name} = __r::load_rem::<{elem}, {{ L }}>({holder}.{field}, {start}, {by}, &mut n{name});\n"
            ),
            _quotient => format!(
                "let {name} = __r::load_div::<{elem}, {{ L }}>({holder}.{field}, {start}, {by});\n"
            ),
        };
        self.declared.push(text);
        self.blocks.push((key, name.clone()));
        name
    }

    fn block(&mut self, load: &str, field: &str, elem: &str, start: &str) -> String {
        let key = format!("{load} {field} {start}");
        if let Some((_, name)) = self.blocks.iter().find(|(other, _)| *other == key) {
            return name.clone();
        }
        let (name, holder) = (format!("b{}", self.blocks.len()), self.holder);
        let mut text = String::new();
        if load == "load_near" {
            let _ = writeln!(text, "let mut n{name} = __r::MaybeUninit::uninit();");
            let _ = writeln!(
                text,
                "let {name} = __r::load_near::<{elem}, {{ L }}>({holder}.{field}, {start}, &mut n{name});"
            );
        } else {
            let _ = writeln!(
                text,
                "let {name} = __r::{load}::<{elem}, {{ L }}>({holder}.{field}, {start});"
            );
        }
        self.declared.push(text);
        self.blocks.push((key, name.clone()));
        name
    }

    fn gather(&mut self, field: &str, elem: &str) -> String {
        let (name, holder) = (format!("g_{field}"), self.holder);
        let text = format!(
            "let d_{field} = [<{elem} as __r::Default>::default()];\n\
             let {name} = __r::NonEmpty::new({holder}.{field}, &d_{field});\n"
        );
        if !self.declared.contains(&text) {
            self.declared.push(text);
        }
        name
    }

    /// An operation on the index that is cheaper for a block than lane by lane.
    pub fn by_block(&mut self, out: Var, op: ScalarOp, args: &[Atom]) -> Option<String> {
        match op {
            ScalarOp::Cast => self
                .float(args[0], (self.types)(out))
                .or_else(|| self.narrow(args[0], (self.types)(out))),
            ScalarOp::Div | ScalarOp::Rem => self.divided(op, args),
            _other => None,
        }
    }

    /// A quotient or remainder of the index, which fits into 31 bits, as another type.
    fn narrow(&mut self, of: Atom, to: Scalar) -> Option<String> {
        let Atom::Var(var) = of else { return None };
        let (op, args) = *self.defs.get(&var)?;
        // Those are no types of Rust's `as`.
        if to.is_half() {
            return None;
        }
        self.long.as_ref()?;
        let wide = self.divided(op, args)?;
        let narrow = wide.strip_prefix('(')?.strip_suffix(" as usize)")?;
        Some(format!("({narrow} as {})", to.name()))
    }

    /// The index as a float: an addition instead of a conversion, where the numbers are small.
    fn float(&mut self, index: Atom, to: Scalar) -> Option<String> {
        let most = match to {
            Scalar::F64 => 1 << 52,
            Scalar::F32 => 1 << 31,
            _other => return None,
        };
        let whole = self.whole(index)?;
        let limit = whole.limit.map_or(most, |limit| most.min(limit));
        let (name, start) = (to.name(), &whole.start);
        let value = format!(
            "__r::index_{name}::<{{ L }}>({start}, {limit}, |i: usize| {} as {name})",
            whole.value
        );
        let name = self.once("x", &value);
        Some(format!("{name}[l]"))
    }

    /// An index, perhaps cast to other integers.
    fn whole(&self, index: Atom) -> Option<Whole> {
        if let Some(Position::Forward(start)) = self.position(index) {
            return Some(Whole {
                start,
                value: "i".to_owned(),
                limit: None,
            });
        }
        let Atom::Var(var) = index else { return None };
        let (ScalarOp::Cast, args) = self.defs.get(&var)? else {
            return None;
        };
        let to = (self.types)(var);
        let limit = match to {
            Scalar::I32 => Some(1 << 31),
            Scalar::U32 => Some(1 << 32),
            Scalar::I64 | Scalar::U64 | Scalar::Usize => None,
            _other => return None,
        };
        let from = self.whole(args[0])?;
        Some(Whole {
            start: from.start,
            value: format!("({} as {})", from.value, to.name()),
            limit: [from.limit, limit].into_iter().flatten().min(),
        })
    }

    /// The variable that holds a value which is computed once per block.
    fn once(&mut self, prefix: &str, value: &str) -> String {
        if let Some((_, name)) = self.blocks.iter().find(|(other, _)| other == value) {
            return name.clone();
        }
        let name = format!("{prefix}{}", self.blocks.len());
        self.declared.push(format!("let {name} = {value};\n"));
        self.blocks.push((value.to_owned(), name.clone()));
        name
    }

    /// The quotient or remainder of the index by a value that is the same in every lane: one
    /// division per block instead of one per lane.
    fn divided(&mut self, op: ScalarOp, args: &[Atom]) -> Option<String> {
        let path = match op {
            ScalarOp::Div => ".0",
            ScalarOp::Rem => ".1",
            _other => return None,
        };
        let Position::Forward(start) = self.position(args[0])? else {
            return None;
        };
        let by = self.uniform(args[1])?;
        // Other positions may wrap.
        if let (Some(long), "start") = (&mut self.long, start.as_str()) {
            long.push(by.clone());
            let name = self.once("d", &format!("__r::divide_long::<{{ L }}>(start, {by})"));
            return Some(format!("({name}{path}[l] as usize)"));
        }
        let name = self.once("q", &format!("__r::divide::<{{ L }}>({start}, {by})"));
        Some(format!("{name}{path}[l]"))
    }

    /// The position of a block whose index is `start + l + c` or `c - (start + l)`.
    fn position(&self, index: Atom) -> Option<Position> {
        self.plain_position(index)
            .or_else(|| self.normal_position(index))
    }

    /// As `position`, for indices that are so in normal form.
    fn normal_position(&self, index: Atom) -> Option<Position> {
        let poly = normal(index, &self.defs);
        let mut at = 0;
        let mut rest = String::new();
        for (vars, factor) in poly.terms() {
            if vars == [self.index] {
                at = factor;
                continue;
            }
            let mut term = format!("{}usize", factor as u64);
            for var in vars {
                let uniform = self.uniform(Atom::Var(*var))?;
                let _ = write!(term, ".wrapping_mul({uniform})");
            }
            let _ = write!(rest, ".wrapping_add({term})");
        }
        match at {
            1 => Some(Position::Forward(format!("start{rest}"))),
            -1 => Some(Position::Backward(format!(
                "0usize{rest}.wrapping_sub(start)"
            ))),
            _several_or_none => None,
        }
    }

    fn plain_position(&self, index: Atom) -> Option<Position> {
        let Atom::Var(var) = index else { return None };
        if var == self.index {
            return Some(Position::Forward("start".to_owned()));
        }
        let (op, args) = self.defs.get(&var)?;
        match op {
            ScalarOp::Add => self
                .moved(args[0], args[1], "wrapping_add")
                .or_else(|| self.moved(args[1], args[0], "wrapping_add")),
            ScalarOp::Sub => self.moved(args[0], args[1], "wrapping_sub").or_else(|| {
                match self.plain_position(args[1])? {
                    Position::Forward(start) => {
                        let from = self.uniform(args[0])?;
                        Some(Position::Backward(format!("{from}.wrapping_sub({start})")))
                    }
                    Position::Backward(_) => None,
                }
            }),
            _other => None,
        }
    }

    fn moved(&self, index: Atom, by: Atom, how: &str) -> Option<Position> {
        let by = self.uniform(by)?;
        Some(match self.plain_position(index)? {
            Position::Forward(start) => Position::Forward(format!("{start}.{how}({by})")),
            Position::Backward(start) => Position::Backward(format!("{start}.{how}({by})")),
        })
    }

    /// The text of a value that is the same in every lane.
    pub fn uniform(&self, atom: Atom) -> Option<String> {
        let var = match atom {
            Atom::Const(it) => return Some(scalar::constant(it)),
            Atom::Var(var) => var,
        };
        if var == self.index || self.varying.contains(&var) {
            return None;
        }
        let Some((op, args)) = self.defs.get(&var) else {
            return Some(format!("v{}", var.0));
        };
        let texts: Option<Vec<String>> = args.iter().map(|arg| self.uniform(*arg)).collect();
        let consts: Vec<_> = args.iter().map(|arg| as_const(*arg)).collect();
        let from = match args[0] {
            Atom::Var(arg) => (self.types)(arg),
            Atom::Const(it) => it.ty,
        };
        Some(format!(
            "({})",
            scalar::expr(*op, &texts?, &consts, from, (self.types)(var), scalar::ANY)
        ))
    }
}

/// An index of a block, cast to integers.
struct Whole {
    /// The block's first index.
    start: String,
    /// The value for an index `i`.
    value: String,
    /// Below it, the value is the index.
    limit: Option<u64>,
}

enum Position {
    Forward(String),
    Backward(String),
}
