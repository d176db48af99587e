//! How a lane block reads arrays.
//!
//! In: the reads of a kernel and the forms of their indices. Out: declarations at the top of the
//! block, and an expression per read. An index `start + l + c` or `c - (start + l)` is a block load;
//! one that a check or a mask guards loads lane by lane at the array's edges only; any other index
//! is a gather that clamps. Quotients of such indices, and they as floats, are found once per
//! block. Assumes the index variable and captured scalars by their names.

use crate::emit::rust::body::Rows;
use crate::emit::rust::even::Values;
use crate::emit::rust::spans::{self, Span};
use crate::emit::rust::steps::{LaneLoop, Step};
use crate::fused::linear::{Defs, normal};
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::Atom;

mod field;
mod groups;
mod indices;

pub use self::field::{ArrayField, Arrays, READ, gathers};
pub use self::groups::is_group;
pub use self::indices::Counted;
use self::indices::Position;

/// The reads of one block.
#[derive(Clone)]
pub struct Reads<'a> {
    index: Var,
    arrays: &'a Arrays,
    types: &'a dyn Fn(Var) -> Scalar,
    defs: Defs<'a>,
    /// Variables that a loop or a read defines: never part of a block's position.
    varying: HashSet<Var>,
    /// Loops, outer ones first.
    loops: Vec<&'a LaneLoop>,
    /// Parameters of loops that are the same in every lane, see `even.rs`.
    even: HashSet<Var>,
    /// What is found once for all lanes of a lane loop.
    ahead: Vec<Ahead>,
    /// How many there have been in the block.
    aheads: usize,
    /// Statements that ask for what loops read in blocks of lanes.
    fetches: Vec<String>,
    blocks: Vec<(String, String)>,
    declared: Vec<String>,
    /// Indices as floats that are counted from block to block; nothing unless asked for.
    counted: Option<Vec<Counted>>,
    /// Divisors that have been taken to be at least as large as a block; nothing unless asked for.
    long: Option<Vec<String>>,
    /// Where the kernel's fields are.
    holder: &'static str,
    /// What is read along rows; nothing unless asked for.
    spans: Option<Vec<Span>>,
    /// The function of a span that gives a block.
    span_load: &'static str,
    /// How often steps read each array.
    times: HashMap<Var, usize>,
    /// See there.
    once: Option<&'a [Atom]>,
    /// See there.
    in_nest: Option<&'a Rows>,
    /// See there.
    overhangs: bool,
    /// See there.
    again: bool,
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
            defs: Defs::default(),
            varying: HashSet::default(),
            loops: Vec::new(),
            even: HashSet::default(),
            ahead: Vec::new(),
            aheads: 0,
            fetches: Vec::new(),
            blocks: Vec::new(),
            declared: Vec::new(),
            counted: None,
            long: None,
            holder: "self",
            spans: None,
            span_load: "block",
            times: HashMap::default(),
            once: None,
            in_nest: None,
            overhangs: false,
            again: false,
        };
        reads.survey(steps);
        reads.find_even();
        reads
    }

    /// Takes scalars from outside as different in each lane.
    pub fn vary(&mut self, vars: &[Var]) {
        self.varying.extend(vars);
        self.find_even();
    }

    fn find_even(&mut self) {
        let values = Values {
            index: self.index,
            varying: &self.varying,
            defs: &self.defs,
        };
        self.even = values.even(&self.loops);
    }

    /// From here on, blocks that cover these extents are computed once each.
    pub fn each_once(&mut self, extents: Option<&'a [Atom]>) {
        self.once = extents;
    }

    /// From here on, reads rows as a kernel in a nest does.
    pub fn in_nest(&mut self, rows: Option<&'a Rows>) {
        self.in_nest = rows;
    }

    /// From here on, blocks may reach over the end of arrays.
    pub fn overhang(&mut self, may: bool) {
        self.overhangs = may;
    }

    /// From here on, the block is computed again from the same lanes: these are copied, since LLVM then
    /// sees that no store changes them, and keeps them and what is computed in registers.
    pub fn again(&mut self, again: bool) {
        self.again = again;
    }

    /// Whether a step of a block that does can be done, with the nearest elements.
    pub fn may_overhang(&self, step: &Step) -> bool {
        match step {
            Step::Scalar { .. } | Step::Out { .. } | Step::Read { sure: false, .. } => true,
            Step::Read { array, index, .. } => match self.position(*index) {
                Some(Position::Forward(_)) => self.arrays[array].param.is_none(),
                Some(Position::Backward(_)) => false,
                None => true,
            },
            Step::Check { .. } => false,
            Step::Loop(it) => {
                let mut steps = it.cond.iter().chain(&it.body);
                self.goes_on(it).is_some() && steps.all(|step| self.may_overhang(step))
            }
        }
    }

    fn survey(&mut self, steps: &'a [Step]) {
        for step in steps {
            match step {
                Step::Scalar { out, op, args } => {
                    self.defs.insert(*out, (*op, args));
                }
                Step::Read { out, array, .. } => {
                    self.varying.insert(*out);
                    *self.times.entry(*array).or_default() += 1;
                }
                Step::Check { .. } | Step::Out { .. } => {}
                Step::Loop(it) => {
                    self.loops.push(it);
                    self.varying
                        .extend(it.params.iter().chain(&it.outs).chain([&it.live]));
                    self.survey(&it.cond);
                    self.survey(&it.body);
                }
            }
        }
    }

    /// From here on, takes lanes of indices as floats to be there.
    pub fn count(&mut self) {
        self.counted = Some(Vec::new());
    }

    /// The lanes of which that was assumed.
    pub fn counted(&self) -> &[Counted] {
        self.counted.as_deref().unwrap_or_default()
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

    /// The same, of a row that is read once: what comes next is asked for.
    pub fn along_steps(&mut self) {
        self.along_rows();
        self.span_load = "fetched";
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
        let spans = self.spans.as_deref();
        let blocks = spans.map(|spans| spans::blocks(spans, self.span_load));
        blocks.unwrap_or_default() + &self.declared.concat()
    }

    /// The element of `array` at `index`, whose text is `at`.
    pub fn expr(&mut self, array: Var, index: Atom, sure: bool, at: &str) -> String {
        let field = self.arrays[&array].clone();
        let rows = self.row_of(index);
        let moved = |holder: &str| match (field.moved, &rows) {
            (false, _) => String::new(),
            (true, None) => format!(".wrapping_sub({holder}.from)"),
            (true, Some(rows)) => {
                let pads = format!("({rows}).wrapping_mul({holder}.pad)");
                format!(".wrapping_add({pads}).wrapping_sub({holder}.from)")
            }
        };
        let (moved, of_kernel) = (moved(self.holder), moved("self"));
        if let Some(at) = self.uniform(index) {
            let held = format!("{}.{}", self.holder, field.field);
            let at = at + &moved;
            let element = match self.again && sure && field.param.is_none() {
                true => field.at(&held, &at),
                false => field.get(&held, &at),
            };
            return self.once("u", &element);
        }
        if let Some(at) = self.in_trip(index) {
            let value = self.gather(&field, &(at + &moved));
            return self.ahead(&value, |name| format!("let {name} = {value};\n"));
        }
        if self.spans.is_none()
            && self.position(index).is_none()
            && let Some(Position::Forward(start)) = self.position_in_trip(index)
        {
            // The last trip may be one that no lane takes.
            let (start, holder) = (start + &of_kernel, self.holder);
            self.fetches.extend(field.fetch(holder, &start));
            let block = self.ahead(&format!("load_near {} {start}", field.field), |name| {
                let load = field.load("load_near", holder, &format!("{start}, &mut n{name}"));
                format!(
                    "let mut n{name} = {};\nlet {name} = {load};\n",
                    field.room()
                )
            });
            return field.lane(&block);
        }
        match self.position(index) {
            Some(Position::Forward(start)) if let Some(width) = field.repeated.clone() => {
                field.lane(&self.block("load_repeated", &field, &format!("{start}, {width}")))
            }
            Some(Position::Forward(start)) => {
                let start = start + &of_kernel;
                let block = match self.spans {
                    Some(_) if field.param.is_none() => self.span(&field, start, index),
                    None if sure => {
                        let (load, stride) = self.load(array, index);
                        let rest = format!("{start}{stride}");
                        match self.overhangs {
                            false if self.again && field.param.is_none() => {
                                self.block("load_kept", &field, &start)
                            }
                            true => self.overhanging(load, &field, &start, &rest),
                            false => self.block(load, &field, &rest),
                        }
                    }
                    Some(_) | None => self.block("load_near", &field, &start),
                };
                field.lane(&block)
            }
            Some(Position::Backward(start)) if sure => {
                field.lane(&self.block("load_rev", &field, &(start + &moved)))
            }
            None if moved.is_empty() && self.row(index).is_some() => {
                field.lane(&self.of_row(&field, index))
            }
            None if moved.is_empty()
                && let Some(group) = self.group(&field, index) =>
            {
                self.of_group(&field, &group)
            }
            Some(Position::Backward(_)) | None => self.gather(&field, &format!("{at}{moved}")),
        }
    }

    /// What is read in lanes that lie side by side in an array: to read it again costs what it costs
    /// to read a copy. Nothing where there are loops, which keep what they can in registers.
    pub fn in_place(&self, steps: &[Step]) -> HashSet<Var> {
        if !self.loops.is_empty() {
            return HashSet::default();
        }
        let reads = steps.iter().filter_map(|step| match step {
            Step::Read {
                out,
                array,
                index,
                sure: true,
            } => {
                let plain = self.arrays[array].is_plain();
                let forward = matches!(self.position(*index), Some(Position::Forward(_)));
                (plain && forward).then_some(*out)
            }
            Step::Read { .. } | Step::Scalar { .. } | Step::Check { .. } | Step::Out { .. } => None,
            Step::Loop(_) => None,
        });
        reads.collect()
    }

    /// What is read anywhere in arrays of scalars.
    pub fn gathered(&self, steps: &[Step]) -> HashSet<Var> {
        let gathers = |step: &Step| match step {
            Step::Read {
                out, array, index, ..
            } => {
                let field = &self.arrays[array];
                let anywhere = self.position(*index).is_none()
                    && self.uniform(*index).is_none()
                    && self.row(*index).is_none()
                    && self.group(field, *index).is_none();
                (anywhere && field.is_plain() && !field.moved).then_some(*out)
            }
            Step::Scalar { .. } | Step::Check { .. } | Step::Out { .. } | Step::Loop(_) => None,
        };
        steps.iter().filter_map(gathers).collect()
    }

    /// Declares how an array is read anywhere, and gives its name for that.
    pub fn gatherer(&mut self, array: Var) -> String {
        let field = self.arrays[&array].clone();
        self.gather(&field, "");
        field.gatherer()
    }

    /// Whether all reads of moved arrays are found where rows have pads.
    pub fn pads(&self, steps: &[Step]) -> bool {
        steps.iter().all(|step| match step {
            Step::Read { array, index, .. } => {
                !self.arrays[array].moved || self.row_of(*index).is_some()
            }
            Step::Scalar { .. } | Step::Check { .. } | Step::Out { .. } => true,
            Step::Loop(_) => false,
        })
    }

    /// The row, of all those along the innermost axis, in which a position lies (see
    /// `fused/positions.rs`), if it is the same in every lane.
    fn row_of(&self, position: Atom) -> Option<String> {
        let args = |atom: Atom, wanted: ScalarOp| match atom {
            Atom::Var(var) => self.defs.get(&var).filter(|(op, _)| *op == wanted),
            Atom::Const(_) => None,
        };
        let (_, sum) = args(position, ScalarOp::Add)?;
        let (_, product) = args(sum[0], ScalarOp::Mul)?;
        self.uniform(product[0])
    }

    /// The run time's function that loads a block of an array at `index`, and what it takes behind the
    /// block's start.
    fn load(&self, array: Var, index: Atom) -> (&'static str, String) {
        let once = self.goes_through(array, index);
        let plain = (if once { "load_once" } else { "load" }, String::new());
        let Some(rows) = self.in_nest else {
            return plain;
        };
        let load = match () {
            () if rows.own.contains(&array) => return ("load_row", String::new()),
            () if rows.last.contains(&array) => "load_last",
            () if rows.fetched.contains(&array) => "load_fetched",
            () => return plain,
        };
        let together = rows.together.map(str::to_owned);
        let stride = together.or_else(|| self.next_row(rows.index, index));
        let stride = stride.or_else(|| self.next_uneven_row(rows, array, index));
        stride.map_or(plain, |stride| (load, format!(", {stride}")))
    }

    /// The block of what a row reads of an array at `index`, from `start` on.
    fn span(&mut self, field: &ArrayField, start: String, index: Atom) -> String {
        let position = normal(index, &self.defs);
        let spans = self.spans.get_or_insert_default();
        let of_field = |it: &Span| it.field == field.field && it.start == start;
        let known = spans.iter().position(of_field);
        if known.is_none() {
            spans.push(Span {
                field: field.field.clone(),
                elem: field.elem.clone(),
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
    fn of_row(&mut self, field: &ArrayField, index: Atom) -> String {
        let (op, start, by) = self.row(index).expect("asked before");
        match op {
            ScalarOp::Rem => self.block("load_rem", field, &format!("{start}, {by}")),
            _quotient => self.block("load_div", field, &format!("{start}, {by}")),
        }
    }

    /// The block that `load` gives for `rest`.
    fn block(&mut self, load: &str, field: &ArrayField, rest: &str) -> String {
        let key = format!("{load} {} {rest}", field.field);
        self.declared_once(&key, |name, holder| match load {
            "load_near" | "load_rem" => {
                let value = field.load(load, holder, &format!("{rest}, &mut n{name}"));
                format!(
                    "let mut n{name} = {};\nlet {name} = {value};\n",
                    field.room()
                )
            }
            _in_place => format!("let {name} = {};\n", field.load(load, holder, rest)),
        })
    }

    /// The name of a block that `declare` declares, given that and where arrays are; `key` tells it from
    /// others.
    fn declared_once(&mut self, key: &str, declare: impl Fn(&str, &str) -> String) -> String {
        if let Some((_, name)) = self.blocks.iter().find(|(other, _)| other == key) {
            return name.clone();
        }
        let name = format!("b{}", self.blocks.len());
        self.declared.push(declare(&name, self.holder));
        self.blocks.push((key.to_owned(), name.clone()));
        name
    }

    /// The block from `start` on that `load` gives for `rest`, or one that reaches over the end.
    fn overhanging(&mut self, load: &str, field: &ArrayField, start: &str, rest: &str) -> String {
        let near = field.load("load_near", self.holder, &format!("{start}, &mut room"));
        let inside = field.load(load, self.holder, rest);
        let block = format!("if const {{ F::OVERHANGS }} {{ {near} }} else {{ {inside} }}");
        self.declared_once(&block, |name, _| {
            let room = field.room();
            format!("let mut room = {room};\nlet {name} = {block};\n")
        })
    }

    /// The component at `at`, anywhere.
    fn gather(&mut self, field: &ArrayField, at: &str) -> String {
        let text = field.gather(self.holder);
        if !self.declared.contains(&text) {
            self.declared.push(text);
        }
        field.gathered(at)
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

    /// The variable that holds what is found before the lane loop. `key` tells it from others.
    fn ahead(&mut self, key: &str, declared: impl FnOnce(&str) -> String) -> String {
        if let Some(known) = self.ahead.iter().find(|it| it.key == key) {
            return known.name.clone();
        }
        let name = format!("e{}", self.aheads);
        self.aheads += 1;
        self.ahead.push(Ahead {
            key: key.to_owned(),
            declared: declared(&name),
            name: name.clone(),
        });
        name
    }

    /// What asks for that which the loop that has been printed reads, from the state that it starts
    /// with on, to stand in front of it.
    pub fn take_fetches(&mut self) -> String {
        let mut fetches = std::mem::take(&mut self.fetches);
        fetches.dedup();
        fetches.concat()
    }

    /// What the lane loop that has been printed rests on, to stand in front of it.
    pub fn take_ahead(&mut self) -> String {
        let ahead = std::mem::take(&mut self.ahead).into_iter();
        ahead.map(|it| it.declared).collect()
    }
}

/// What is found once for all lanes of a lane loop.
#[derive(Clone)]
struct Ahead {
    key: String,
    name: String,
    declared: String,
}
