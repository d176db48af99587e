//! The sequences of a function: operators as nodes, what is left of each as sinks, and the rest of the
//! body, in order.

use crate::ids::LocalId;
use crate::prims::Prim;
use crate::source::SrcSpan;
use crate::typed::ir::{Expr, FnValue, Stmt, Type};

/// The sequences of a function.
pub(super) struct Graph {
    /// Each after those that it reads.
    pub(super) nodes: Vec<Node>,
    pub(super) sinks: Vec<Sink>,
    /// The rest of the body, in order.
    pub(super) items: Vec<Item>,
    pub(super) value: Returned,
    /// Nodes of which so many items are wanted at most: those of a source, or of all sources that one
    /// goes through.
    pub(super) most: Vec<(usize, LocalId)>,
}

/// A sequence.
pub(super) struct Node {
    pub(super) op: Op,
    /// The sequences that it is made of.
    pub(super) inputs: Vec<usize>,
    /// The type of its items.
    pub(super) item: Type,
    pub(super) src: SrcSpan,
}

/// What makes a sequence. Operands are locals.
pub(super) enum Op {
    /// A parameter.
    Param(usize),
    /// The elements of an array, and their number.
    Elements {
        array: LocalId,
        len: LocalId,
    },
    /// A function of the numbers below this, or of all numbers.
    Count {
        len: LocalId,
        function: FnValue,
        is_endless: bool,
    },
    Map(FnValue),
    Zip,
    Chain,
    Enumerate,
    Filter(FnValue),
    FlatMap(FnValue),
    Take(LocalId),
    TakeWhile(FnValue),
    Skip(LocalId),
    /// Prefixes; from this on, and without the element itself, for `prescan`.
    Scan {
        init: Option<LocalId>,
        function: FnValue,
    },
    /// Pieces of so many items, also a shorter last one unless they are exact.
    Chunks {
        len: LocalId,
        is_exact: bool,
    },
    Windows(LocalId),
    /// The results of a pass of its own, which this node gives.
    Nested(usize),
}

/// What is left of a sequence at its end.
pub(super) struct Sink {
    pub(super) node: usize,
    /// The operator of arrays that it is.
    pub(super) prim: Option<Prim>,
    /// Its operands but the sequence.
    pub(super) operands: Vec<LocalId>,
    pub(super) fns: Vec<FnValue>,
    /// What holds the result.
    pub(super) local: LocalId,
    /// Its type.
    pub(super) ty: Type,
    pub(super) src: SrcSpan,
}

/// A step of the body.
pub(super) enum Item {
    Stmt(Box<Stmt>),
    Sink(usize),
}

/// What the body gives.
pub(super) enum Returned {
    Value(Expr),
    Seq(usize),
}

impl Graph {
    /// What goes on without end in this sequence, if its items never end.
    pub(super) fn endless(&self, node: usize) -> Option<SrcSpan> {
        let node = &self.nodes[node];
        let mut inputs = node.inputs.iter().map(|input| self.endless(*input));
        match &node.op {
            Op::Count {
                is_endless: true, ..
            } => Some(node.src),
            Op::Take(_) | Op::TakeWhile(_) => None,
            Op::Nested(within) => self.endless(*within),
            Op::Zip => inputs.collect::<Option<Vec<SrcSpan>>>()?.first().copied(),
            _operator => inputs.find_map(|it| it),
        }
    }

    /// The node that left items out, if one has of what `node` is made of; scans may still give theirs late.
    fn left_out(&self, node: usize) -> Option<usize> {
        let of = &self.nodes[node];
        let mut inputs = of.inputs.iter().map(|input| self.left_out(*input));
        match &of.op {
            Op::Param(_) | Op::Elements { .. } | Op::Count { .. } | Op::Nested(_) => None,
            Op::Map(_) | Op::Zip | Op::Enumerate | Op::Scan { .. } => inputs.next().flatten(),
            Op::Chain => inputs.any(|it| it.is_some()).then_some(node),
            _operator => Some(node),
        }
    }

    /// Takes what is in front of each `take` among sequences that are to be side by side, if these do not
    /// have their items together, but do so then; gives the numbers of items that are taken.
    pub(super) fn without_takes(&self, inputs: &mut Vec<usize>) -> Vec<LocalId> {
        let are_together = |inputs: &[usize]| {
            let mut rates = inputs.iter().map(|it| self.left_out(*it));
            let first = rates.next();
            rates.all(|it| Some(it) == first)
        };
        let (mut whole, mut counts) = (inputs.clone(), Vec::new());
        for input in &mut whole {
            while let Op::Take(count) = self.nodes[*input].op {
                counts.push(count);
                *input = self.nodes[*input].inputs[0];
            }
        }
        if are_together(inputs) || !are_together(&whole) {
            return Vec::new();
        }
        *inputs = whole;
        counts
    }
}
