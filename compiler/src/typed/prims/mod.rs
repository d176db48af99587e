//! Types of the operators: one arm each, by group.

mod dense;
mod elementwise;
mod extents;
mod index;
mod lanes;
mod make;
mod order;
mod position;
mod reduce;
mod scan;
mod scatter;
mod sizes;
pub(in crate::typed) mod stencil;

use super::body::Body;
use super::call::{Arg, Site, count, function_first};
use super::demand::Class;
use super::draft::{FnDraft, NodeId, NodeKind, StmtDraft};
use super::sequences;
use super::types::{Head, Kind, Ty};
use crate::prims::{Means, Prim, PrimInfo};
use crate::report::Diagnostic;
use crate::source::SrcSpan;

/// A call of an operator whose arguments are being typed.
struct PrimCall<'a> {
    prim: Prim,
    /// The record of what was written, for messages.
    info: &'static PrimInfo,
    given: Vec<Arg<'a>>,
    src: SrcSpan,
    args: Vec<NodeId>,
    fns: Vec<FnDraft<'a>>,
    /// What is computed before, once.
    lets: Vec<StmtDraft<'a>>,
}

impl<'a> Body<'_, 'a> {
    pub(super) fn prim(&mut self, prim: Prim, site: Site<'a>) -> NodeId {
        self.prim_as(prim, prim.info(), site)
    }

    /// The same, of which messages speak as of another operator.
    pub(super) fn prim_as(
        &mut self,
        prim: Prim,
        info: &'static PrimInfo,
        mut site: Site<'a>,
    ) -> NodeId {
        if let Some(error) = arity_error(prim.info(), &site) {
            return self.error_node(site.src, error);
        }
        if matches!(prim, Prim::Reshape | Prim::Shape)
            && let Err(waiting) = self.receiver(&mut site)
        {
            return waiting;
        }
        let mut call = PrimCall {
            prim,
            info,
            given: site.args,
            src: site.src,
            args: Vec::new(),
            fns: Vec::new(),
            lets: Vec::new(),
        };
        let ty = self.prim_result(&mut call);
        let PrimCall {
            prim,
            args,
            fns,
            src,
            lets,
            ..
        } = call;
        match ty {
            Some(ty) => {
                let node = self.node(NodeKind::Prim { prim, args, fns }, ty, src);
                self.after(lets, node)
            }
            None => {
                self.failed = true;
                self.node(NodeKind::Error, Ty::ERROR, src)
            }
        }
    }

    // Types the arguments; the type of the result, or `None` if something was reported.
    fn prim_result(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        match call.prim {
            Prim::Generate => self.generate(call),
            Prim::Fill => self.fill(call),
            Prim::Map => self.map(call),
            Prim::Zip => self.zip(call),
            Prim::Unzip => self.unzip(call),
            Prim::Enumerate => self.enumerate(call),
            Prim::Gather => self.gather(call),
            Prim::Rev => self.same_array(call),
            Prim::RotateLeft | Prim::RotateRight => self.array_and_count(call),
            Prim::Take | Prim::Skip | Prim::StepBy | Prim::Repeat => self.array_and_count(call),
            Prim::SplitAt => self.split_at(call),
            Prim::Chain => self.chain(call),
            Prim::Pairwise => self.pairwise(call),
            Prim::First | Prim::Last => self.prim_array(call, 0),
            Prim::FirstOr | Prim::LastOr => self.element_or(call),
            Prim::Len => self.len(call),
            Prim::Sum | Prim::Product => self.fold_elements(call, Class::Num),
            Prim::Min | Prim::Max => self.fold_elements(call, Class::Num),
            Prim::MinOr | Prim::MaxOr => self.fold_elements_or(call, Class::Num),
            Prim::Mean => self.fold_elements(call, Class::Float),
            Prim::MeanOr => self.fold_elements_or(call, Class::Float),
            Prim::Any | Prim::All => self.predicate(call, Ty::BOOL),
            Prim::Count => self.predicate(call, Ty::USIZE),
            Prim::Argmin | Prim::Argmax => self.place_of_best(call),
            Prim::ArgminOr | Prim::ArgmaxOr => self.place_of_best_or(call),
            Prim::Reduce => self.reduce(call),
            Prim::Fold => self.fold(call),
            Prim::Scan | Prim::Rscan => self.inclusive_scan(call),
            Prim::Prescan | Prim::Rprescan => self.exclusive_scan(call),
            Prim::ScanFrom | Prim::RscanFrom => self.scan_with_total(call),
            Prim::Scatter | Prim::ScatterUnique => self.scatter(call),
            Prim::Permute => self.permute(call),
            Prim::Histogram => self.histogram(call),
            Prim::Transpose => self.transpose(call),
            Prim::Flatten | Prim::Concat => self.flatten(call),
            Prim::Reshape => self.reshape(call),
            Prim::Shape => self.extents_as_tuple(call),
            Prim::Chunks | Prim::ChunksExact | Prim::Windows => self.pieces(call),
            Prim::Lens => self.lens(call),
            Prim::Unflatten => self.unflatten(call),
            Prim::FlatMap => self.flat_map(call),
            Prim::Filter | Prim::TakeWhile => self.filter(call),
            Prim::Partition => self.partition(call),
            Prim::Compress => self.compress(call),
            Prim::RunLengths => self.run_lengths(call),
            Prim::Sort => self.sort(call),
            Prim::SortByKey => self.sort_by_key(call),
            Prim::Argsort => self.argsort(call),
            Prim::Unique => self.sort(call),
            Prim::GroupByKey => self.group_by_key(call),
            Prim::KthSmallest => self.kth_smallest(call),
            Prim::BinarySearch => self.binary_search(call),
            Prim::PartitionPoint => self.predicate(call, Ty::USIZE),
            Prim::Pairs => self.pairs(call),
            Prim::Cartesian => self.cartesian(call),
        }
    }

    /// Argument `i` is an array; its element type.
    fn prim_array(&mut self, call: &mut PrimCall<'a>, i: usize) -> Option<Ty> {
        let node = self.arg(call.given[i]);
        call.args.push(node);
        let ty = self.ty(node);
        match self.types.head(ty) {
            Head::Array(elem) => Some(elem),
            Head::Seq(item) if streams(call.prim) => Some(item),
            Head::Error => None,
            Head::Var(Kind::Any) => Some(self.elem_of(node)),
            Head::Var(_)
            | Head::Scalar(_)
            | Head::Tuple(_)
            | Head::Struct(_)
            | Head::Complex(_)
            | Head::Seq(_) => {
                let error = self.not_an_array(call, node);
                self.error(error);
                None
            }
        }
    }

    fn not_an_array(&self, call: &PrimCall<'a>, node: NodeId) -> Diagnostic {
        let info = call.info;
        let ty = self.ty(node);
        let error = Diagnostic::new(
            self.src(node),
            format!(
                "`{}` needs an array, found {}",
                info.name,
                self.types.quote(ty)
            ),
        )
        .note(format!("it is `{}`", info.signature));
        match self.types.head(ty) {
            Head::Tuple(_) => {
                error.help("pair up arrays with `zip(xs, ys)`, or take a field with `.0`")
            }
            Head::Scalar(scalar) if scalar.is_int() => {
                error.help("the array of the numbers below `n` is `0..n`")
            }
            Head::Seq(_) => sequences::not_at_hand(error),
            _ => error,
        }
    }

    /// What the operator makes of what it reads: an array, or a sequence of a sequence.
    fn made_of(&mut self, call: &PrimCall<'a>, elem: Ty) -> Ty {
        self.container(call.args[0], elem)
    }

    /// Argument `i` is a value of type `want`.
    fn prim_value(&mut self, call: &mut PrimCall<'a>, i: usize, want: Ty) -> Option<()> {
        let node = self.arg(call.given[i]);
        call.args.push(node);
        let info = call.info;
        let why = format_args!("`{}` is `{}`", info.name, info.signature);
        self.expect(node, want, why).then_some(())
    }

    /// Argument `i` is a function from `types` to `ret`.
    fn prim_function(
        &mut self,
        call: &mut PrimCall<'a>,
        i: usize,
        types: &[Ty],
        ret: Option<Ty>,
    ) -> Option<Ty> {
        let name = call.info.name;
        let (function, ty) = self.function_of(call.given[i], types, ret, name)?;
        call.fns.push(function);
        Some(ty)
    }
}

/// Whether an operator goes through its array from the first element to the last, once, and so takes
/// a sequence as well.
fn streams(prim: Prim) -> bool {
    matches!(
        prim,
        Prim::Map
            | Prim::Zip
            | Prim::Enumerate
            | Prim::Filter
            | Prim::TakeWhile
            | Prim::FlatMap
            | Prim::Take
            | Prim::Skip
            | Prim::Scan
            | Prim::Prescan
            | Prim::Chain
            | Prim::Chunks
            | Prim::ChunksExact
            | Prim::Windows
            | Prim::Sum
            | Prim::Product
            | Prim::Min
            | Prim::MinOr
            | Prim::Max
            | Prim::MaxOr
            | Prim::Any
            | Prim::All
            | Prim::Count
            | Prim::Reduce
            | Prim::Fold
            | Prim::Last
            | Prim::LastOr
    )
}

fn arity_error(info: &PrimInfo, site: &Site<'_>) -> Option<Diagnostic> {
    let (lo, hi) = info.arity;
    if (lo..=hi).contains(&site.args.len()) {
        return None;
    }
    let wanted = if lo == hi {
        count(lo, "argument")
    } else {
        format!("{lo} to {hi} arguments")
    };
    let title = format!(
        "`{}` takes {wanted} (the array included), not {}",
        info.name,
        site.args.len()
    );
    let error = Diagnostic::new(site.src, title).note(format!("it is `{}`", info.signature));
    let more = site.args.len() > hi;
    Some(match info.means {
        Means::Prim(Prim::Scan | Prim::Rscan) if more => {
            let name = info.name.replace("scan", "prescan");
            error.help(format!(
                "it begins with the first element; with another value begins `{name}`, or `{}_from`",
                info.name
            ))
        }
        Means::Stencil if !more => {
            error.help("say first what lies outside: `clamp`, `mirror`, `wrap`, or `fill(v)`")
        }
        Means::Prim(Prim::Sort) if more => {
            error.help("order by a key: `xs.sort_by_key(|x| …)`; `rev()` puts the greatest first")
        }
        Means::Prim(Prim::Reduce) if !more => {
            error.help("say first what it begins with; of no elements it is that")
        }
        _ if (hi, site.args.len()) == (1, 2) && site.args[1].is_closure() => {
            error.help(function_first(info.name))
        }
        Means::Prim(prim)
            if more
                && site.args.last().is_some_and(Arg::is_integer)
                && let Some(name) = crate::prims::along_axis(prim) =>
        {
            error.help(format!(
                "along an axis it is called `{name}`, with the axis first"
            ))
        }
        _ => error,
    })
}
