//! Array operators, what their names stand for, and the records that say everything about them.

use super::dense::DENSE;
use super::order::ORDER;
use super::sizes::SIZES;
use super::table::PRIMS;

/// Array operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Prim {
    /// `generate`
    Generate,
    /// `fill`
    Fill,
    /// `map`
    Map,
    /// `zip`
    Zip,
    /// `unzip`
    Unzip,
    /// `enumerate`
    Enumerate,
    /// `gather`
    Gather,
    /// `rev`
    Rev,
    /// `rotate_left`
    RotateLeft,
    /// `rotate_right`
    RotateRight,
    /// `take`
    Take,
    /// `skip`
    Skip,
    /// `step_by`
    StepBy,
    /// `split_at`
    SplitAt,
    /// `chain`
    Chain,
    /// `repeat`
    Repeat,
    /// `pairwise`
    Pairwise,
    /// `first`
    First,
    /// `first_or`
    FirstOr,
    /// `last`
    Last,
    /// `last_or`
    LastOr,
    /// `len`
    Len,
    /// `sum`
    Sum,
    /// `product`
    Product,
    /// `min`
    Min,
    /// `min_or`
    MinOr,
    /// `max`
    Max,
    /// `max_or`
    MaxOr,
    /// `any`
    Any,
    /// `all`
    All,
    /// `count`
    Count,
    /// `mean`
    Mean,
    /// `mean_or`
    MeanOr,
    /// `argmin`
    Argmin,
    /// `argmin_or`
    ArgminOr,
    /// `argmax`
    Argmax,
    /// `argmax_or`
    ArgmaxOr,
    /// `reduce`
    Reduce,
    /// `fold`
    Fold,
    /// `scan`
    Scan,
    /// `prescan`
    Prescan,
    /// `scan_from`
    ScanFrom,
    /// `rscan`
    Rscan,
    /// `rprescan`
    Rprescan,
    /// `rscan_from`
    RscanFrom,
    /// `scatter`
    Scatter,
    /// `scatter_unique`
    ScatterUnique,
    /// `permute`
    Permute,
    /// `histogram`
    Histogram,
    /// `transpose`: exchanges axes `i < j`, two constants.
    Transpose,
    /// `flatten`: arrays of one level, joined.
    Flatten,
    /// `reshape`: the elements of one level (whatever they are), grouped by one or more extents,
    /// outermost first; their product must be the length.
    Reshape,
    /// `shape`: the extents of the outermost levels (mostly all, as many as the tuple has fields),
    /// outermost first.
    Shape,
    /// `chunks`
    Chunks,
    /// `chunks_exact`
    ChunksExact,
    /// `windows`
    Windows,
    /// `concat`
    Concat,
    /// `lens`
    Lens,
    /// `unflatten`
    Unflatten,
    /// `flat_map`
    FlatMap,
    /// `filter`
    Filter,
    /// `take_while`
    TakeWhile,
    /// `partition`
    Partition,
    /// `compress`
    Compress,
    /// `run_lengths`; takes the function that says whether two elements differ.
    RunLengths,
    /// `sort`
    Sort,
    /// `sort_by_key`
    SortByKey,
    /// `argsort`
    Argsort,
    /// `unique`
    Unique,
    /// `group_by_key`
    GroupByKey,
    /// `kth_smallest`
    KthSmallest,
    /// `binary_search`
    BinarySearch,
    /// `partition_point`
    PartitionPoint,
    /// `pairs`
    Pairs,
    /// `cartesian`
    Cartesian,
}

/// Groups of operators, in the order of the manual.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrimGroup {
    /// Arrays out of sizes.
    Make,
    /// One result per element.
    Elementwise,
    /// Elements elsewhere.
    IndexSpace,
    /// One value out of all.
    Reduce,
    /// All prefixes.
    Scan,
    /// Writing where an index says.
    Scatter,
    /// Some of the elements, or arrays of them.
    Select,
    /// By what elements are, compared with each other.
    Order,
    /// Pairs of elements.
    PairUp,
    /// Elements and those around them.
    Neighbourhood,
}

/// What the name of an operator stands for in the typed program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Means {
    /// An operator.
    Prim(Prim),
    /// An operator on each lane along a constant axis: the axis is moved to the end, all others are
    /// mapped over. What is left of an axis after a scan is moved back.
    Lanes(Prim),
    /// Copies along new outer axes: nested `fill`s; the inner extents are compared.
    Broadcast,
    /// The elements of runs of equal ones, as `run_lengths` finds them.
    Dedup,
    /// Both arrays in one, sorted.
    Merge,
    /// The smallest index at which a flag is set; asserted to exist.
    Position,
    /// The same, or a default.
    PositionOr,
    /// Elements with a constant number of neighbours: `generate`, with indices that stay inside.
    Stencil,
}

/// One record per operator.
pub struct PrimInfo {
    /// What its name stands for.
    pub means: Means,
    /// Its name, as method and free function.
    pub name: &'static str,
    /// Least and greatest number of arguments, the receiver included.
    pub arity: (usize, usize),
    /// Its group.
    pub group: PrimGroup,
    /// Signature for the manual and for messages.
    pub signature: &'static str,
    /// One or two sentences: meaning, size of the result, errors.
    pub doc: &'static str,
    /// An exported function `example` that uses it; tested.
    pub example: &'static str,
    /// A call of `example` in Rust.
    pub call: &'static str,
    /// What it gives, as a Rust expression.
    pub gives: &'static str,
}

/// All records, in the order of the manual within each group.
pub fn records() -> impl Iterator<Item = &'static PrimInfo> {
    PRIMS.iter().chain(DENSE).chain(SIZES).chain(ORDER)
}

impl Prim {
    /// Its record.
    pub fn info(self) -> &'static PrimInfo {
        records()
            .find(|info| info.means == Means::Prim(self))
            .expect("each operator has a record")
    }

    /// Whether its first function is an operator, which may be recognised.
    pub fn combines(self) -> bool {
        matches!(
            self,
            Prim::Reduce
                | Prim::Scan
                | Prim::Prescan
                | Prim::ScanFrom
                | Prim::Rscan
                | Prim::Rprescan
                | Prim::RscanFrom
                | Prim::Permute
                | Prim::Histogram
        )
    }
}

/// The record of the operator called `name`.
pub fn record(name: &str) -> Option<&'static PrimInfo> {
    records().find(|info| info.name == name)
}

/// The name of the operator that is `prim` along an axis.
pub fn along_axis(prim: Prim) -> Option<&'static str> {
    records()
        .find(|info| info.means == Means::Lanes(prim))
        .map(|info| info.name)
}
