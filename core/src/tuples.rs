//! Impls for tuples of elements.
//!
//! In: a macro that takes names of types, each with the place before its own (`-` for none) and its own.
//! Out: calls of it, for tuples of 1 to 12; what is wider is in `wide/`. Assumes: that the macro has no types of these names.

/// Calls a macro for each tuple.
macro_rules! for_tuples {
    ($of:ident) => {
        for_tuples!(@from $of []
            A0 - 0, A1 0 1, A2 1 2, A3 2 3, A4 3 4, A5 4 5, A6 5 6, A7 6 7,
            A8 7 8, A9 8 9, A10 9 10, A11 10 11,
        );
    };
    (@from $of:ident [$($all:tt)*]) => {};
    (@from $of:ident [] $T:ident $before:tt $i:tt, $($rest:tt)*) => {
        $of!($T $before $i);
        for_tuples!(@from $of [$T $before $i] $($rest)*);
    };
    (@from $of:ident [$($all:tt)+] $T:ident $before:tt $i:tt, $($rest:tt)*) => {
        $of!($($all)+, $T $before $i);
        for_tuples!(@from $of [$($all)+, $T $before $i] $($rest)*);
    };
}

pub(crate) use for_tuples;
