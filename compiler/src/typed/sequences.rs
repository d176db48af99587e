//! Types of sequences: where they may stand, and the operators that they alone have.
//!
//! In: calls and types of a body. Out: drafts in which a sequence is the array of its items, wrapped
//! in [`NodeKind::Streamed`] where it comes into being; that the items are never all at hand is what
//! [`crate::streamed`] sees to.

use super::body::Body;
use super::call::{Arg, Site, count};
use super::draft::{NodeId, NodeKind};
use super::types::{Head, Ty};
use crate::prims::{Prim, PrimInfo, Scalar};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::typed::ir::{Const, SigType};
use std::sync::LazyLock;

/// The operators by name, with the number of their arguments and how they are written.
const OPERATORS: [(&str, usize, &str); 5] = [
    (
        "produce",
        2,
        "produce(n, |i| e) -> Seq<T>`, or without end `produce(|i| e) -> Seq<T>",
    ),
    ("stream", 1, "xs.stream() -> Seq<T>"),
    ("elements", 1, "s.elements() -> [T]"),
    ("tabulate", 1, "s.tabulate() -> [T]"),
    ("collect", 1, "s.collect() -> [T]"),
];

/// What messages say of the array that `produce` is made of.
static PRODUCE: LazyLock<PrimInfo> = LazyLock::new(|| PrimInfo {
    name: "produce",
    signature: OPERATORS[0].2,
    ..*Prim::Generate.info()
});

/// The number of items of a sequence without end: nobody computes as many.
pub const ENDLESS: u64 = u64::MAX;

/// Whether `name` is an operator of sequences alone.
pub(super) fn is_operator(name: &str) -> bool {
    OPERATORS.iter().any(|(operator, ..)| *operator == name)
}

/// Why an operator of arrays does not take a sequence.
pub(super) fn not_at_hand(error: Diagnostic) -> Diagnostic {
    error
        .note("the items of a sequence come one after another, and are never all in memory")
        .help("collect it first where it fits into memory: `s.collect()`")
}

/// A sequence inside of another value.
pub(super) fn not_a_part(src: SrcSpan) -> Diagnostic {
    Diagnostic::new(src, "a sequence is not part of another value")
        .note("it is consumed once, as a parameter or result of its own")
        .help("write an array here, `[T]`, or a parameter `Seq<…>` of its own")
}

impl<'a> Body<'_, 'a> {
    /// The type of a part of a signature.
    pub(super) fn sig_ty(&mut self, sig: &SigType) -> Ty {
        let ty = self.types.known(&sig.erased());
        match (sig.is_seq(), self.types.head(ty)) {
            (true, Head::Array(item)) => self.types.seq(item),
            _value => ty,
        }
    }

    /// An array of `elem`, or a sequence if `source` is one.
    pub(super) fn container(&mut self, source: NodeId, elem: Ty) -> Ty {
        match self.types.head(self.ty(source)) {
            Head::Seq(_) => self.types.seq(elem),
            _array => self.types.array(elem),
        }
    }

    /// A call of one of [`OPERATORS`].
    pub(super) fn sequence(&mut self, mut site: Site<'a>) -> NodeId {
        let operator = OPERATORS.iter().find(|(name, ..)| *name == site.name);
        let Some((name, arity, signature)) = operator else {
            unreachable!("`{}` was looked up", site.name);
        };
        let is_endless = *name == "produce" && site.args.len() == 1;
        if *arity != site.args.len() && !is_endless {
            let found = site.args.len();
            let wanted = match *arity {
                1 => format!("{} (the sequence included)", count(1, "argument")),
                _produce => "1 or 2 arguments".to_owned(),
            };
            let title = format!("`{name}` takes {wanted}, not {found}");
            let error = Diagnostic::new(site.src, title).note(format!("it is `{signature}`"));
            return self.error_node(site.src, error);
        }
        let src = site.src;
        match *name {
            "produce" => {
                if is_endless {
                    let end = Const {
                        ty: Scalar::Usize,
                        bits: ENDLESS,
                    };
                    let end = self.node(NodeKind::Const(end), Ty::USIZE, src);
                    site.args.insert(0, Arg::Node(end));
                }
                let array = self.prim_as(Prim::Generate, &PRODUCE, site);
                self.streamed(array, src)
            }
            "stream" => {
                let array = self.arg(site.args[0]);
                self.elem_of(array);
                self.streamed(array, src)
            }
            _sink => {
                let seq = self.arg(site.args[0]);
                site.args[0] = Arg::Node(seq);
                self.gathered(seq, &site)
            }
        }
    }

    // The array `array` as a sequence of its elements.
    fn streamed(&mut self, array: NodeId, src: SrcSpan) -> NodeId {
        match self.types.head(self.ty(array)) {
            Head::Array(elem) => {
                let ty = self.types.seq(elem);
                self.node(NodeKind::Streamed(array), ty, src)
            }
            _reported => self.node(NodeKind::Error, Ty::ERROR, src),
        }
    }

    // `elements`, `tabulate` or `collect` of what must be a sequence: as arrays, all of it.
    fn gathered(&mut self, seq: NodeId, site: &Site<'a>) -> NodeId {
        let (src, ty) = (site.src, self.ty(seq));
        let Head::Seq(item) = self.types.head(ty) else {
            if !self.types.has_error(ty) {
                let found = self.types.quote(ty);
                let title = format!("`{}` needs a sequence, found {found}", site.name);
                let error = Diagnostic::new(site.name_src, title);
                let error = match self.types.head(ty) {
                    Head::Array(_) => error.help("operators give arrays: leave it out"),
                    _other => error.note("sequences are parameters `Seq<T>`, and `produce(n, f)`"),
                };
                self.error(error);
            }
            return self.node(NodeKind::Error, Ty::ERROR, src);
        };
        let array = self.types.array(item);
        match self.types.head(item) {
            Head::Array(_) if site.name == "elements" => {
                self.operator(Prim::Concat, vec![seq], item, src)
            }
            _item => {
                let kind = NodeKind::Slice {
                    array: seq,
                    lo: None,
                    hi: None,
                    inclusive: false,
                };
                self.node(kind, array, src)
            }
        }
    }

    /// Whether arguments that are gone through together are all sequences, or none is.
    pub(super) fn all_alike(&mut self, nodes: &[NodeId]) -> bool {
        let is_seq = |node: &NodeId| matches!(self.types.head(self.ty(*node)), Head::Seq(_));
        let Some(seq) = nodes.iter().position(is_seq) else {
            return true;
        };
        let is_array = |node: &NodeId| matches!(self.types.head(self.ty(*node)), Head::Array(_));
        let Some(array) = nodes.iter().position(is_array) else {
            return true;
        };
        let title = "an array is paired up with a sequence";
        let error = Diagnostic::new(self.src(nodes[array]), title)
            .help("make it a sequence of its elements: `xs.stream()`")
            .also(self.src(nodes[seq]), "this is a sequence");
        self.error(error);
        false
    }
}
