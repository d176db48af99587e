//! A convoy as a struct that implements the run time's `Convoy`, and the call that runs it.
//!
//! In: the statements of its kernels. Out: items and statements, as Rust text. Each kernel is an item as
//! others are, made anew for each strip around what the kernels before have made of that. Assumes that
//! the host printer has printed all that the kernels capture.

use crate::emit::rust::call::{extent, kept, places, scan_start, written};
use crate::emit::rust::captured::{Captured, Names};
use crate::emit::rust::cascade;
use crate::emit::rust::host::{Checks, Host};
use crate::emit::rust::kernel::strip_item;
use crate::emit::rust::nest;
use crate::emit::rust::packed;
use crate::emit::rust::results::Places;
use crate::emit::rust::tuples::{led, names, tuple};
use crate::fused::ir::{Body, Convoy, Kernel, Op, Sink, Stmt};
use crate::fused::liveness::uses_of_kernel;
use crate::fused::sweep::may_fail;
use crate::hash::HashSet;
use crate::ids::{CheckId, Var};
use crate::shaped::ir::Atom;
use std::fmt::Write;

/// Prints a convoy and its call.
pub fn emit(host: &mut Host<'_>, convoy: &Convoy, stmts: &[Stmt]) {
    if !convoy.leads.is_empty() {
        return cascade::emit(host, convoy, stmts);
    }
    let member = |stmt| Member::of(host, convoy, stmt);
    let members: Vec<Member<'_>> = stmts.iter().map(member).collect();
    let name = format!("__C{}", host.kernels);
    host.kernels += 1;
    let all = together(stmts);
    let captured = Captured::new(host, &all);
    let outs: Vec<Var> = members.iter().flat_map(|it| it.arrays).copied().collect();
    let (own, outs): (Vec<Var>, Vec<Var>) = outs.iter().partition(|it| convoy.own.contains(it));
    item(host, &name, &members, &all, &captured, (&outs, &own));
    for member in &members {
        member.turn.prepare(host, member.stmt);
    }
    let n = extent(host, members[0].kernel);
    let states: Vec<String> = members.iter().filter_map(|it| it.start(host, &n)).collect();
    let states = tuple(states.iter());
    let literal = captured.literal(&name);
    let places = places(host, &outs);
    let run = format!("__r::convoy_to({literal}, {n}, {states}, {places})");
    let _ = writeln!(host.text, "let states = {};", host.checked(&run));
    written(host, &outs);
    let with_state = members.iter().filter(|it| it.turn.has_state());
    for (at, member) in with_state.enumerate() {
        member.finish(host, &format!("states.{at}"));
    }
    // States hold what is changed in place, all of it until the last of them has been asked.
    for member in &members {
        match member.turn {
            Turn::Keep => written(host, kept(member.stmt).0),
            Turn::Turned => written(host, &member.stmt.outs),
            Turn::Write | Turn::Scan { .. } | Turn::Reduce { .. } | Turn::Scatter { .. } => {}
        }
    }
}

/// A kernel of a convoy.
struct Member<'s> {
    stmt: &'s Stmt,
    kernel: &'s Kernel,
    /// What it does with a strip.
    turn: Turn<'s>,
    /// The arrays that it makes.
    arrays: &'s [Var],
    /// What it gives behind the last strip.
    totals: &'s [Var],
}

enum Turn<'s> {
    Write,
    /// Writes from the end on.
    Turned,
    Scan {
        init: Option<&'s [Atom]>,
        exclusive: bool,
    },
    Reduce {
        init: &'s [Atom],
        goes_on: bool,
    },
    Scatter {
        into: &'s [Var],
        id: CheckId,
    },
    Keep,
}

impl<'s> Turn<'s> {
    fn of(sink: &'s Sink) -> Turn<'s> {
        match sink {
            Sink::Write | Sink::Pack => Turn::Write,
            Sink::Scan {
                init, exclusive, ..
            } => Turn::Scan {
                init: init.as_deref(),
                exclusive: *exclusive,
            },
            Sink::Reduce { init, combine } => Turn::Reduce {
                init,
                goes_on: combine.goes_on,
            },
            Sink::Scatter { into, id } => Turn::Scatter { into, id: *id },
            Sink::Keep => Turn::Keep,
            Sink::Rows { .. }
            | Sink::Join
            | Sink::Fold { .. }
            | Sink::Append { .. }
            | Sink::Sort(_) => unreachable!("takes no turns"),
        }
    }

    /// Defines what it changes in place.
    fn prepare(&self, host: &mut Host<'_>, stmt: &Stmt) {
        if let Turn::Scatter { into, .. } = self {
            for (out, array) in stmt.outs.iter().zip(*into) {
                host.start(stmt, *out, *array);
            }
        }
    }

    /// Whether the run time keeps something of it from strip to strip.
    fn has_state(&self) -> bool {
        !matches!(self, Turn::Write)
    }

    /// The type of that, for a kernel with values of these types, of which `maker` makes what it keeps, if
    /// anything does.
    fn state(&self, types: &[String], maker: Option<&str>) -> Option<String> {
        match self {
            Turn::Write => None,
            Turn::Turned => Some(format!("__r::Turning<'s, {}>", tuple(types.iter()))),
            Turn::Scan { .. } => Some(format!("__r::Carries<{}>", tuple(types.iter()))),
            Turn::Reduce { .. } => Some(format!("__r::Totals<{}>", tuple(types.iter()))),
            Turn::Scatter { .. } => Some(format!("__r::Placing<'s, {}>", led(types.iter()))),
            Turn::Keep => {
                let laid = match maker {
                    Some(maker) => format!("__r::Packed<{maker}>"),
                    None => "__r::Components".to_owned(),
                };
                Some(format!("__r::Keeps<'s, {}, {laid}>", led(types.iter())))
            }
        }
    }

    /// The total of that, behind the last strip.
    fn total(&self, host: &Host<'_>) -> String {
        match self {
            Turn::Write
            | Turn::Turned
            | Turn::Scatter { .. }
            | Turn::Keep
            | Turn::Reduce { .. } => "total()".to_owned(),
            Turn::Scan { init, .. } => {
                let start = scan_start(host, *init).0.unwrap_or_default();
                format!("total().unwrap_or({start})")
            }
        }
    }
}

impl<'s> Member<'s> {
    fn of(host: &Host<'_>, convoy: &Convoy, stmt: &'s Stmt) -> Member<'s> {
        let Op::Kernel(kernel) = &stmt.op else {
            unreachable!("verified: convoys are of kernels")
        };
        let turn = match convoy.turned.contains(&stmt.outs[0]) {
            true => Turn::Turned,
            false => Turn::of(&kernel.sink),
        };
        let (arrays, totals) = match turn {
            Turn::Scatter { .. } | Turn::Keep | Turn::Turned => <(&[Var], &[Var])>::default(),
            Turn::Write | Turn::Scan { .. } | Turn::Reduce { .. } => {
                let arrays = stmt.outs.iter().filter(|it| host.is_array(**it)).count();
                stmt.outs.split_at(arrays)
            }
        };
        Member {
            stmt,
            kernel,
            turn,
            arrays,
            totals,
        }
    }

    /// What the run time keeps of it before the first strip.
    fn start(&self, host: &mut Host<'_>, n: &str) -> Option<String> {
        match self.turn {
            Turn::Write => None,
            Turn::Scan { init, .. } => {
                let (_, from) = scan_start(host, init);
                Some(format!("__r::Carries::new({from})"))
            }
            Turn::Reduce { init, goes_on } => {
                let new = if goes_on { "on" } else { "new" };
                let init = tuple(init.iter().map(|it| host.atom(*it)));
                Some(format!("__r::Totals::{new}({init})"))
            }
            Turn::Scatter { .. } => {
                let outs = self.stmt.outs.iter();
                let targets = tuple(outs.map(|out| format!("&mut v{}[..]", out.0)));
                Some(format!("__r::Placing::new({targets})"))
            }
            Turn::Turned => {
                let places = places(host, &self.stmt.outs);
                Some(host.checked(&format!("__r::Turning::new({places}, {n})")))
            }
            Turn::Keep => {
                let places = places(host, kept(self.stmt).0);
                Some(host.checked(&format!("__r::Keeps::new({places}, {n})")))
            }
        }
    }

    /// Defines what it gives behind the last strip, of what the run time has kept of it.
    fn finish(&self, host: &mut Host<'_>, state: &str) {
        if let Turn::Keep = self.turn {
            let (_, count) = kept(self.stmt);
            let run = host.checked(&format!("{state}.finish()"));
            let _ = writeln!(host.text, "let v{} = {run} as i64;", count.0);
        } else if let Turn::Turned = self.turn {
            let run = host.checked(&format!("{state}.finish()"));
            let _ = writeln!(host.text, "{run};");
        } else if !self.totals.is_empty() {
            let (totals, total) = (names(self.totals), self.turn.total(host));
            let _ = writeln!(host.text, "let {totals} = {state}.{total};");
        }
    }

    /// Whether it reads one of these.
    fn reads(&self, arrays: &[Var]) -> bool {
        let mut used = HashSet::default();
        uses_of_kernel(self.kernel, &mut used);
        arrays.iter().any(|array| used.contains(array))
    }

    /// How it takes a strip, with the state `at` if it has one; `unread`: nobody reads what it makes of
    /// that.
    fn call(&self, literal: &str, at: usize, unread: bool) -> String {
        let (outs, rooms) = (names(self.arrays), rooms(self.arrays));
        match self.turn {
            Turn::Write => format!(
                "let {outs} = __r::convoy::write::<{{ L }}, _, F>(\
                 {literal}, strip, {rooms}, {unread}, flag);\n"
            ),
            Turn::Scan { exclusive, .. } => format!(
                "let {outs} = __r::convoy::scan::<{{ L }}, _, F>(\
                 {literal}, strip, &state.{at}, {exclusive}, {rooms}, {unread}, flag);\n"
            ),
            Turn::Reduce { .. } => format!(
                "__r::convoy::reduce::<{{ L }}, _, F>({literal}, strip, &state.{at}, flag);\n"
            ),
            Turn::Turned => format!(
                "__r::convoy::turned::<{{ L }}, _, F>({literal}, strip, &state.{at}, flag);\n"
            ),
            Turn::Keep => format!(
                "__r::convoy::keep::<{{ L }}, _, _, F>({literal}, strip, &state.{at}, flag);\n"
            ),
            Turn::Scatter { id, .. } => format!(
                "__r::convoy::scatter::<{{ L }}, _, F>(\
                 {literal}, strip, &state.{at}, {}, flag);\n",
                id.0
            ),
        }
    }
}

/// The items of a convoy, which writes `outs` to memory and has a strip of each of `own`.
fn item(
    host: &mut Host<'_>,
    name: &str,
    members: &[Member<'_>],
    all: &Kernel,
    captured: &Captured,
    (outs, own): (&[Var], &[Var]),
) {
    let none = Places::default();
    let mut inner = inside(host, captured, &none, Checks::Nest);
    let _ = writeln!(inner.text, "let from = __r::Strip::start(strip);");
    for (arrays, what) in [(outs, "outs"), (own, "own")] {
        let _ = writeln!(inner.text, "let {} = {what};", rooms(arrays));
    }
    let mut states = Vec::new();
    let mut made: Vec<(Var, String)> = Vec::new();
    for (at, member) in members.iter().enumerate() {
        let before: Vec<Var> = made.iter().map(|(array, _)| *array).collect();
        let (literal, types) = strip_item(&mut inner, member.stmt, member.kernel, &before, false);
        let unread = !members[at + 1..].iter().any(|it| it.reads(member.arrays));
        inner.text += &member.call(&literal, states.len(), unread);
        let maker = packed::maker(&mut inner, member.stmt, member.kernel);
        states.extend(member.turn.state(&types, maker.as_deref()));
        made.extend(member.arrays.iter().copied().zip(types));
    }
    let types = |arrays: &[Var]| {
        let made = made.iter().filter(|(array, _)| arrays.contains(array));
        tuple(made.map(|(_, ty)| ty))
    };
    let checks = members
        .iter()
        .enumerate()
        .filter(|(_, it)| may_fail(&it.stmt.op));
    let checks: Vec<usize> = checks.map(|(at, _)| at).collect();
    let Names {
        declared,
        head,
        tail,
        ..
    } = captured.names();
    let _ = write!(
        inner.items,
        "struct {name}{declared} {{ {fields} }}\n\
         {head} __r::Convoy for {name}{tail} {{\ntype Outs = {outs};\ntype Own = {own};\n\
         type State<'s> = {states};\nconst CHECKS: &'static [usize] = &{checks:?};\n\
         fn cost(&self) -> usize {{\n{locals}{cost}\n}}\n\
         #[inline(always)]\n\
         fn strip<'r, const L: usize, F: __r::Flag>(&self, strip: &__r::Strip, \
         state: &Self::State<'_>, outs: <Self::Outs as __r::Arrays>::Rooms<'r>, \
         own: <Self::Own as __r::Arrays>::Rooms<'r>, flag: &mut F) \
         -> <Self::Outs as __r::Arrays>::Views<'r> {{\n{text}{made}\n}}\n}}\n",
        fields = captured.declarations(),
        outs = types(outs),
        own = types(own),
        states = tuple(states.iter()),
        locals = captured.locals(),
        cost = nest::cost(host, &all.body, captured),
        text = inner.text,
        made = names(outs),
    );
    let (items, kernels) = (inner.items, inner.kernels);
    host.items.push_str(&items);
    host.kernels = kernels;
}

/// The printer of what kernels that run together do at a time, around what they capture.
pub fn inside<'h>(
    host: &Host<'h>,
    captured: &'h Captured,
    places: &'h Places,
    checks: Checks,
) -> Host<'h> {
    Host {
        function: host.function,
        vars: host.vars,
        structs: host.structs,
        arrays: captured.arrays(),
        last: host.last,
        places,
        in_place: host.in_place,
        checks,
        rows: None,
        locals: HashSet::default(),
        fields: None,
        items: String::new(),
        kernels: host.kernels,
        text: captured.locals(),
    }
}

/// Room for a strip of each.
fn rooms(arrays: &[Var]) -> String {
    tuple(arrays.iter().map(|array| format!("r{}", array.0)))
}

/// A nest that captures what the kernels do for a strip, without their extents, what they start from
/// and what they change in place.
pub fn together(stmts: &[Stmt]) -> Kernel {
    let mut stmts = stmts.to_vec();
    let mut indices = Vec::new();
    for stmt in &mut stmts {
        let Op::Kernel(kernel) = &mut stmt.op else {
            continue;
        };
        indices.push(kernel.index);
        kernel.extents = Vec::new();
        if let Sink::Reduce { init, .. } = &mut kernel.sink {
            init.clear();
        } else if let Sink::Scan { init, .. } = &mut kernel.sink {
            *init = None;
        } else if let Sink::Scatter { into, .. } = &mut kernel.sink {
            into.clear();
        }
    }
    Kernel {
        extents: Vec::new(),
        index: indices[0],
        body: Body {
            stmts,
            results: Vec::new(),
        },
        sink: Sink::Write,
        parts: Vec::new(),
        nest: true,
    }
}
