//! Run-time checks: what is tested, where it stands in the source, and how a violation reads.
//!
//! One table per function, indexed by [`CheckId`](crate::ids::CheckId), carried unchanged from
//! `shaped` to emission, where it becomes the function's `Site`.

use crate::source::SrcSpan;

/// One check of a function.
#[derive(Clone, Debug)]
pub struct Check {
    /// What it tests.
    pub kind: CheckKind,
    /// The construct that fails.
    pub src: SrcSpan,
    /// Why it is left for run time, where the user has names for it.
    pub why: Option<Unproven>,
}

impl Check {
    /// Whether it tests nothing, and is there for what is printed.
    pub fn prints(&self) -> bool {
        matches!(self.kind, CheckKind::Print { .. })
    }

    /// What a check looks at, and why that is not known before.
    pub fn unproven(&self) -> String {
        let what = match &self.kind {
            CheckKind::Print { .. } => {
                unreachable!("this is of the function as release builds have it")
            }
            CheckKind::Assert { .. } => {
                return "the assertion; it is meant for run time".to_owned();
            }
            CheckKind::Index => "the index is in range",
            CheckKind::Duplicate => "no index comes twice",
            CheckKind::Slice => "the slice is in range",
            CheckKind::Division => "the divisor is not 0",
            CheckKind::Underflow => "the difference is not below 0",
            CheckKind::Overflow => "the number fits in a `usize`",
            CheckKind::Sizes { left, right, ahead } => {
                let when = if *ahead { ", for all rows at once" } else { "" };
                &format!("{left} and {right} have one length{when}")
            }
            CheckKind::Empty { operator } => &format!("`{operator}` has an element"),
            CheckKind::Step { operator } => &format!("the step of `{operator}` is not 0"),
            CheckKind::TooLarge => "memory can hold the size",
        };
        let Some(why) = &self.why else {
            return format!("{what}; that depends on values");
        };
        let names: Vec<String> = why.free.iter().map(|name| format!("`{name}`")).collect();
        let because = match (&self.kind, names.is_empty()) {
            (_, false) => &format!("{} may be any number", names.join(" and ")),
            (CheckKind::Sizes { .. }, true) => "they are given apart",
            (CheckKind::Empty { .. } | CheckKind::Step { .. } | CheckKind::Division, true) => {
                "it may be 0"
            }
            (CheckKind::TooLarge, true) => "nothing bounds it",
            (_, true) => "nothing says how these relate",
        };
        match self.kind {
            CheckKind::Sizes { .. } => format!("{what}; {because}"),
            CheckKind::TooLarge => format!("memory can hold `{}` elements; {because}", why.left),
            _ => format!("{}; {because}", why.claim),
        }
    }
}

/// What was not proven.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unproven {
    /// As a sentence in the user's names: `` `i` is below `len(xs)` ``.
    pub claim: String,
    /// Its left side.
    pub left: String,
    /// The names in it that may stand for any number.
    pub free: Vec<String>,
}

/// What a check tests. The run-time values that go with a violation are listed in order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CheckKind {
    /// Values: index, length.
    Index,
    /// Values: low, high, length.
    Slice,
    /// Integer division or remainder by zero.
    Division,
    /// `usize` subtraction below zero. Values: left, right.
    Underflow,
    /// `usize` addition or multiplication above the range. Values: left, right.
    Overflow,
    /// Two sizes that must be equal, each with what it is the size of, as a message names it:
    /// `` `xs` ``, ``the slice of `xs` ``. Values: left, right.
    Sizes {
        /// What has the left size.
        left: String,
        /// What has the right size.
        right: String,
        /// Whether they differ by an index, and are looked at for all before the first is computed.
        ahead: bool,
    },
    /// An operator that needs at least one element.
    Empty {
        /// The operator.
        operator: String,
    },
    /// `step_by(0)`, `chunks(0)`
    Step {
        /// The operator.
        operator: String,
    },
    /// An index that must come once comes again. Values: the index, its first position, its last.
    Duplicate,
    /// A size that no memory can hold (a negative number as a size, usually). Value: the size.
    TooLarge,
    /// `assert!`
    Assert {
        /// What the error says.
        message: String,
    },
    /// No test, but what `dbg!` prints, or a part of it. Values: what the text has holes for, of any
    /// types.
    Print {
        /// A format string, in which `{:?}` stands for each value.
        text: String,
        /// Whether the line ends here.
        ends: bool,
    },
}

impl CheckKind {
    /// That two sizes are equal, each with what it is the size of.
    pub fn sizes(left: String, right: String) -> CheckKind {
        let ahead = false;
        CheckKind::Sizes { left, right, ahead }
    }
}
