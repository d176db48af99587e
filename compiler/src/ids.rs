//! `Copy` newtype ids; only their own tables index with them.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident $letter:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in this id's own table.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of the next entry of `table`.
            pub fn next<T>(table: &[T]) -> Self {
                $name(u32::try_from(table.len()).expect("fewer than 2^32 entries"))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($letter, "{}"), self.0)
            }
        }
    )*};
}

ids! {
    /// A local variable of a typed function (mutable or not, value or function parameter).
    LocalId "x";
    /// A function instance of a typed program.
    FuncId "f";
    /// A struct of the block.
    StructId "s";
    /// A size name of a typed signature.
    SizeId "n";
    /// A value of the array-level representations (`shaped`, `flat`, `fused`), assigned once.
    Var "%";
    /// A symbol of size expressions.
    SizeSym "α";
    /// An entry of a function's table of run-time checks.
    CheckId "!";
}
