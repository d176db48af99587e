//! What figures with their intervals say of a bound.

use crate::measure::Interval;
use std::fmt;

/// Whether something is so, as far as figures can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The whole interval is on the right side.
    Holds,
    /// The bound lies within the interval.
    Open,
    /// The whole interval is on the wrong side.
    Fails,
}

impl Verdict {
    /// Whether figures are `most` or less.
    pub fn at_most(figures: Interval, most: f64) -> Verdict {
        if figures.low > most {
            Verdict::Fails
        } else if figures.high <= most {
            Verdict::Holds
        } else {
            Verdict::Open
        }
    }

    /// Whether figures are `least` or more.
    pub fn at_least(figures: Interval, least: f64) -> Verdict {
        if figures.high < least {
            Verdict::Fails
        } else if figures.low >= least {
            Verdict::Holds
        } else {
            Verdict::Open
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Holds => "holds",
            Verdict::Open => "open",
            Verdict::Fails => "fails",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIGURES: Interval = Interval {
        median: 2.0,
        low: 1.0,
        high: 3.0,
    };

    #[test]
    fn at_most_is_judged_by_the_whole_interval() {
        let verdicts = [0.9, 1.0, 2.9, 3.0].map(|most| Verdict::at_most(FIGURES, most));
        let expected = [Verdict::Fails, Verdict::Open, Verdict::Open, Verdict::Holds];
        assert_eq!(verdicts, expected);
    }

    #[test]
    fn at_least_is_judged_by_the_whole_interval() {
        let verdicts = [1.0, 1.1, 3.0, 3.1].map(|least| Verdict::at_least(FIGURES, least));
        let expected = [Verdict::Holds, Verdict::Open, Verdict::Open, Verdict::Fails];
        assert_eq!(verdicts, expected);
    }
}
