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
        fused.into_iter().chain(self.regular)
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
        Ok(())
    }
}
