//! What a function must hold to, from its attributes to the gate that proves it.

use crate::source::SrcSpan;
use std::fmt;

/// The contracts of a function, each with the attribute that makes it.
#[derive(Clone, Debug, Default)]
pub struct Contracts {
    /// No array is in memory between arguments and results.
    pub fused: Option<Fused>,
    /// `#[regular]`: no array inside is irregular.
    pub regular: Option<SrcSpan>,
    /// `#[work(…)]` and `#[space(…)]`.
    pub bounds: Vec<Bound>,
}

/// What a cost must be within, up to a constant.
#[derive(Clone, Debug)]
pub struct Bound {
    /// Which cost.
    pub of: Quantity,
    /// A sum of products; one without factors is a constant.
    pub terms: Vec<Vec<Factor>>,
    /// The attribute.
    pub src: SrcSpan,
}

/// A factor of a bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Factor {
    /// What it is, as costs name it: `n`, `len(xs)`, `|rows|`.
    pub name: String,
    /// Whether it divides.
    pub below: bool,
}

/// A cost that may be bounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantity {
    /// All operations.
    Work,
    /// Values in memory at one time, on one processor.
    Space,
}

/// Who says that arrays are fused.
#[derive(Clone, Copy, Debug)]
pub enum Fused {
    /// `#[fused]` on the function.
    Function(SrcSpan),
    /// `#![deny(unfused)]` on the block.
    Block(SrcSpan),
}

impl Contracts {
    /// The attributes of the function's own.
    pub fn attributes(&self) -> impl Iterator<Item = SrcSpan> {
        let fused = match self.fused {
            Some(Fused::Function(src)) => Some(src),
            Some(Fused::Block(_)) | None => None,
        };
        let bounds = self.bounds.iter().map(|bound| bound.src);
        fused.into_iter().chain(self.regular).chain(bounds)
    }
}

impl fmt::Display for Contracts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.fused.is_some() {
            f.write_str("#[fused] ")?;
        }
        if self.regular.is_some() {
            f.write_str("#[regular] ")?;
        }
        self.bounds
            .iter()
            .try_for_each(|bound| write!(f, "{bound} "))
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Quantity::Work => "work",
            Quantity::Space => "space",
        })
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#[{}(", self.of)?;
        for (at, product) in self.terms.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { " + " })?;
            let divides = product.first().is_none_or(|factor| factor.below);
            f.write_str(if divides { "1" } else { "" })?;
            for (at, factor) in product.iter().enumerate() {
                f.write_str(match (factor.below, at) {
                    (true, _) => " / ",
                    (false, 0) => "",
                    (false, _) => " * ",
                })?;
                f.write_str(&factor.name)?;
            }
        }
        f.write_str(")]")
    }
}
