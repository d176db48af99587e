//! Progress bars of the crate `indicatif`, for [`Limits::watch`](super::Limits::watch).
//!
//! ```
//! use indicatif::ProgressBar;
//! use ragged::seq::{Limits, indicatif::Bar};
//!
//! ragged::accel! {
//!     pub fn total(xs: Seq<u64>) -> u64 { xs.sum() }
//! }
//!
//! # let bar = ProgressBar::hidden();
//! # bar.set_length(1000);
//! # let _ = || {
//! let bar = ProgressBar::new(1000);
//! # };
//! let limits = Limits::new().watch(Bar::of_items(bar.clone()));
//! assert_eq!(total::with(limits, 0..1000), Ok(499_500));
//! assert_eq!((bar.position(), bar.is_finished()), (1000, true));
//! ```

use ::indicatif::ProgressBar;

use super::{Progress, Watch};

/// A bar, or spinner, that goes on with the items or bytes that have been computed. Its message is what
/// [`Progress`] is as text: amounts, rates, the size of chunks and utilisation. When a pass over
/// sequences ends, for whatever reason, the bar is finished as its style says.
#[derive(Clone, Debug)]
pub struct Bar {
    bar: ProgressBar,
    position: fn(&Progress) -> usize,
}

impl Bar {
    /// A bar whose length is a number of items.
    pub fn of_items(bar: ProgressBar) -> Self {
        Bar {
            bar,
            position: |progress| progress.items,
        }
    }

    /// A bar whose length is a number of bytes: those of items as they lie in chunks, where an array
    /// takes eight bytes beside its elements.
    pub fn of_bytes(bar: ProgressBar) -> Self {
        Bar {
            bar,
            position: |progress| progress.bytes,
        }
    }
}

impl Watch for Bar {
    fn progress(&self, progress: &Progress) {
        self.bar.set_position((self.position)(progress) as u64);
        self.bar.set_message(progress.to_string());
    }

    fn end(&self, _progress: &Progress) {
        self.bar.finish_using_style();
    }
}
