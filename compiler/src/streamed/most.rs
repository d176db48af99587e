//! How many items of a sequence are wanted at most, where that is known before the first.
//!
//! In: a [`Graph`]. Out: numbers of items for sources, and for sources one after another, behind
//! which the run time does not ask for another: one may never come. What leaves items out as it sees
//! them (`filter`, `take_while`) wants any number; there sources are read ahead (`wanted`).

use super::build::{BOOL, Locals, USIZE, if_, scalar, size, sizes};
use super::nodes::{Graph, Item, Node, Op, Returned};
use super::operators::order;
use super::passes::used;
use crate::ids::LocalId;
use crate::prims::ScalarOp;
use crate::typed::ir::{Expr, Program};
use crate::typed::recognise::at_a_time;

/// Binds the numbers behind the other statements of the graph.
pub(super) fn find(program: &Program, graph: &mut Graph, locals: &mut Locals) {
    let used = used(graph);
    let all = Most {
        program,
        graph,
        locals,
        used: &used,
    };
    let nodes = (0..graph.nodes.len()).filter(|at| used[*at]);
    let found = nodes.filter_map(|at| {
        let is_bounded = match &graph.nodes[at].op {
            Op::Param(_) => true,
            Op::Chain => all.is_alone(at),
            _operator => false,
        };
        Some((at, all.of(at).filter(|_| is_bounded)?))
    });
    let found: Vec<(usize, Expr)> = found.collect();
    for (at, most) in found {
        let (most, stmt) = locals.bind("most", most);
        graph.items.push(Item::Stmt(Box::new(stmt)));
        graph.most.push((at, most));
    }
}

struct Most<'m> {
    program: &'m Program,
    graph: &'m Graph,
    locals: &'m Locals,
    used: &'m [bool],
}

impl Most<'_> {
    fn readers(&self, at: usize) -> impl Iterator<Item = usize> {
        let nodes = self.graph.nodes.iter().enumerate();
        let reads = move |it: &(usize, &Node)| self.used[it.0] && it.1.inputs.contains(&at);
        nodes.filter(reads).map(|(reader, _)| reader)
    }

    fn is_read_to_its_end(&self, at: usize) -> bool {
        let is_result = matches!(self.graph.value, Returned::Seq(node) if node == at);
        is_result || self.graph.sinks.iter().any(|sink| sink.node == at)
    }

    /// The items of this node that are wanted; `None` of any number.
    fn of(&self, at: usize) -> Option<Expr> {
        if self.is_read_to_its_end(at) {
            return None;
        }
        let src = self.graph.nodes[at].src;
        let wanted = self.readers(at).map(|reader| self.by(reader));
        wanted
            .collect::<Option<Vec<Expr>>>()?
            .into_iter()
            .reduce(|a, b| scalar(ScalarOp::Max, vec![a, b], USIZE, src))
    }

    /// The items of its inputs that this node wants.
    fn by(&self, at: usize) -> Option<Expr> {
        let node = &self.graph.nodes[at];
        let src = node.src;
        let operand = |local: &LocalId| self.locals.read(*local, src);
        match &node.op {
            Op::Map(_) | Op::Zip | Op::Chain | Op::Enumerate => self.of(at),
            Op::Take(count) => Some(match self.of(at) {
                Some(most) => scalar(ScalarOp::Min, vec![operand(count), most], USIZE, src),
                None => operand(count),
            }),
            Op::Skip(count) => Some(behind(self.of(at)?, operand(count))),
            // One less than the length behind the first item of the last.
            Op::Windows(len) => {
                let some = scalar(ScalarOp::Max, vec![operand(len), size(1, src)], USIZE, src);
                let more = sizes(ScalarOp::Sub, some, size(1, src));
                Some(behind(self.of(at)?, more))
            }
            Op::Chunks { len, .. } => Some(times(self.of(at)?, operand(len))),
            Op::Scan { function, .. } => {
                let most = self.of(at)?;
                let ops = order(function, self.program);
                match at_a_time(ops.as_deref(), &node.item, self.program) as u64 {
                    1 => Some(most),
                    // An item comes when its block is whole, and fails if one of that does.
                    block => {
                        let begun = sizes(ScalarOp::Rem, most.clone(), size(block, src));
                        let rest = sizes(ScalarOp::Sub, size(block, src), begun);
                        let rest = sizes(ScalarOp::Rem, rest, size(block, src));
                        Some(behind(most, rest))
                    }
                }
            }
            Op::Filter(_) | Op::FlatMap(_) | Op::TakeWhile(_) => None,
            Op::Param(_) | Op::Elements { .. } | Op::Count { .. } | Op::Nested(_) => {
                unreachable!("sources read nothing")
            }
        }
    }

    /// Whether a node has all items of its sources, one for each, and no other operator has them.
    fn is_alone(&self, at: usize) -> bool {
        let node = &self.graph.nodes[at];
        let keeps = match &node.op {
            Op::Map(_) | Op::Chain | Op::Enumerate => true,
            Op::Param(_) | Op::Elements { .. } | Op::Count { .. } | Op::Nested(_) => true,
            Op::Zip
            | Op::Filter(_)
            | Op::FlatMap(_)
            | Op::Take(_)
            | Op::TakeWhile(_)
            | Op::Skip(_)
            | Op::Scan { .. }
            | Op::Chunks { .. }
            | Op::Windows(_) => false,
        };
        let is_alone = |input: &usize| {
            let is_shared = self.is_read_to_its_end(*input) || self.readers(*input).count() > 1;
            !is_shared && self.is_alone(*input)
        };
        keeps && node.inputs.iter().all(is_alone)
    }
}

/// `most + more`, as far as there are numbers; none if none are wanted.
fn behind(most: Expr, more: Expr) -> Expr {
    let src = most.src;
    let room = sizes(ScalarOp::Sub, size(u64::MAX, src), most.clone());
    let more = scalar(ScalarOp::Min, vec![more, room], USIZE, src);
    let is_none = scalar(ScalarOp::Eq, vec![most.clone(), size(0, src)], BOOL, src);
    if_(is_none, size(0, src), sizes(ScalarOp::Add, most, more))
}

/// `most * each`, as far as there are numbers. Pieces of no items are an error, of the first step.
fn times(most: Expr, each: Expr) -> Expr {
    let src = most.src;
    let some = scalar(ScalarOp::Max, vec![each, size(1, src)], USIZE, src);
    let largest = sizes(ScalarOp::Div, size(u64::MAX, src), some.clone());
    let fits = scalar(ScalarOp::Le, vec![most.clone(), largest], BOOL, src);
    let all = sizes(ScalarOp::Mul, most, some);
    if_(fits, all, size(u64::MAX, src))
}
