//! Why arrays are in memory, in words, and what would keep them out of it.

use crate::fused::ir::Reason;

/// The reason, as EXPLAIN and messages say it.
pub fn why(reason: Reason) -> &'static str {
    match reason {
        Reason::Result => "it is a result",
        Reason::LoopState => "it is the state of a loop",
        Reason::Branch => "it is the value of an `if`",
        Reason::Updated => "its elements are assigned",
        Reason::SeveralReaders => "several operations read it, and it is dear to compute twice",
        Reason::ReadOutOfOrder => "it is read at several or at computed indices",
        Reason::ReadInLoop => "it is read again and again, in a loop",
        Reason::Overwritten => "what it is made of is assigned before it is read",
        Reason::MayFail => "it may fail where its reader does not look",
        Reason::Rows => "it is made row by row",
        Reason::Offsets => "it says where the rows of an irregular array begin",
        Reason::WholeArray => "a scan, scatter or sort makes it as a whole",
    }
}

/// What to change, so that it is computed where it is read.
pub fn remedy(reason: Reason) -> &'static str {
    match reason {
        Reason::Result => unreachable!("results may be in memory"),
        Reason::LoopState => {
            "let the loop run inside of a body, over one element: \
             `for x in xs { let mut s = x; while … { s = … }; s }`"
        }
        Reason::Branch => {
            "read it at the index of the body that reads it, or choose inside of a body: \
             `for x in xs { if c { … } else { … } }`"
        }
        Reason::Updated => "compute each element from its index: `for i in 0..n { … }`",
        Reason::SeveralReaders => {
            "let one operation take all that it needs of this array, in one body"
        }
        Reason::ReadOutOfOrder => {
            "read it at the index of the body that reads it, or call a function there that \
             computes the element"
        }
        Reason::ReadInLoop => "read it outside of the loop",
        Reason::Overwritten => {
            "take what is needed of it before elements are assigned, or compute each element from \
             its index: `for i in 0..n { … }`"
        }
        Reason::MayFail => {
            "let one operation read all of it, or compute only what is read: `xs.take(3).map(…)`"
        }
        Reason::Rows => "reduce the row in the body that makes it",
        Reason::Offsets => {
            "give the inner arrays one length, or the lengths of an argument's: those share \
             its offsets"
        }
        Reason::WholeArray => "return it as it is, or `fold` to what is needed of it",
    }
}
