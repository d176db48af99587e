//! Rounding to integers.
