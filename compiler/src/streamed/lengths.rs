//! Sizes of items that come one after another.
//!
//! In: the sequences of a pass. Out: which sizes in the signature are equal since their items are
//! chained. A sequence that has not begun does not know the lengths of its items; the run time takes
//! them from others of which it knows that they are the same. Where that cannot be, an error.

use super::nodes::{Graph, Op};
use super::passes::Together;
use super::split::Split;
use super::taking::value_type;
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::typed::ir::{ParamType, SigType, SizeSpec, Type};

impl Split<'_> {
    /// Notes which sizes are equal; `None` if there is an error.
    pub(super) fn lengths(&mut self, graph: &Graph, pass: &Together) -> Option<()> {
        for at in &pass.nodes {
            let node = &graph.nodes[*at];
            let Op::Chain = node.op else { continue };
            let [first, second] = [0, 1].map(|side| self.axes(graph, node.inputs[side]));
            if let (Some(first), Some(second)) = (first, second) {
                let pairs = first.into_iter().zip(second).map(|(a, b)| [a, b]);
                self.same
                    .extend(pairs.filter(|[a, b]| a != b && is_shared(*a) && is_shared(*b)));
            } else if holds_array(&node.item) && !self.all_known(graph, &node.inputs) {
                self.errors.push(not_begun(node.src));
                return None;
            }
        }
        Some(())
    }

    /// The sizes of the arrays in items that come as they are from parameters; else `None`.
    fn axes(&self, graph: &Graph, node: usize) -> Option<Vec<SizeSpec>> {
        let node = &graph.nodes[node];
        let of_first = || self.axes(graph, node.inputs[0]);
        match &node.op {
            Op::Param(at) => {
                let mut sizes = Vec::new();
                each_size(&value_type(&self.function.params[*at])?, &mut |size| {
                    sizes.push(size)
                });
                Some(sizes.split_off(1))
            }
            Op::Filter(_)
            | Op::Take(_)
            | Op::TakeWhile(_)
            | Op::Skip(_)
            | Op::Enumerate
            | Op::Chain => of_first(),
            Op::Zip => {
                let all: Option<Vec<Vec<SizeSpec>>> =
                    node.inputs.iter().map(|it| self.axes(graph, *it)).collect();
                Some(all?.concat())
            }
            Op::Chunks { .. } | Op::Windows(_) => Some([vec![SizeSpec::Own], of_first()?].concat()),
            Op::Nested(within) => self.axes(graph, *within),
            Op::Elements { .. }
            | Op::Count { .. }
            | Op::Map(_)
            | Op::FlatMap(_)
            | Op::Scan { .. } => None,
        }
    }

    /// Whether the sizes of all items that these sequences are made of are known before they begin, or
    /// when one of the others does.
    fn all_known(&self, graph: &Graph, sides: &[usize]) -> bool {
        let sides: Vec<Vec<SizeSpec>> = sides.iter().map(|it| self.below(graph, *it)).collect();
        let mut sizes = sides.iter().flatten();
        sizes.all(|size| match size {
            SizeSpec::Named(_) => self.is_given(*size) || sides.iter().all(|it| it.contains(size)),
            SizeSpec::Own
            | SizeSpec::Known(_)
            | SizeSpec::Held(_)
            | SizeSpec::Inline(_)
            | SizeSpec::Param(_)
            | SizeSpec::Seq => true,
        })
    }

    /// The sizes in the parameters that a sequence is made of.
    fn below(&self, graph: &Graph, node: usize) -> Vec<SizeSpec> {
        let mut sizes = Vec::new();
        match &graph.nodes[node].op {
            Op::Param(_) => sizes.extend(self.axes(graph, node).into_iter().flatten()),
            Op::Nested(within) => return self.below(graph, *within),
            _operator => {
                let inputs = graph.nodes[node].inputs.iter();
                inputs.for_each(|it| sizes.extend(self.below(graph, *it)));
            }
        }
        sizes
    }

    /// Whether an array that is no sequence has this size.
    fn is_given(&self, size: SizeSpec) -> bool {
        self.function.params.iter().any(|param| match &param.ty {
            ParamType::Value(SigType::Array {
                elem, size: own, ..
            }) if *own != SizeSpec::Seq => {
                let mut found = *own == size;
                each_size(elem, &mut |it| found |= it == size);
                found
            }
            ParamType::Value(_) | ParamType::Fn { .. } => false,
        })
    }
}

/// The sizes in a type, from left to right and from the outside in.
fn each_size(sig: &SigType, see: &mut impl FnMut(SizeSpec)) {
    match sig {
        SigType::Scalar(_) => {}
        SigType::Tuple(fields) | SigType::Struct(_, fields) | SigType::Vector(_, fields) => {
            fields.iter().for_each(|it| each_size(it, see));
        }
        SigType::Array { elem, size, .. } => {
            see(*size);
            each_size(elem, see);
        }
    }
}

fn is_shared(size: SizeSpec) -> bool {
    !matches!(size, SizeSpec::Own | SizeSpec::Seq)
}

fn holds_array(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) | Type::Struct(_) => false,
        Type::Tuple(parts) => parts.iter().any(holds_array),
        Type::Array(_) => true,
    }
}

fn not_begun(src: SrcSpan) -> Diagnostic {
    let what = "`chain` of sequences whose items have sizes of different names";
    Diagnostic::unsupported(src, what)
        .note("how long the items of the second are is known only when the first has ended")
        .help("give both the same size name in the signature, or declare arrays of any lengths: `Seq<[T]>`")
}
