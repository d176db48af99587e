//! What the printers of the array-level representations share.
//!
//! In: leaves (atoms, constants). Out: text. A body is printed by its own stage, indented by two
//! columns a level.

use crate::ids::Var;
use crate::prims::Scalar;
use crate::shaped::ir::Atom;
use crate::typed::ir::Const;
use std::fmt::Write;

/// `%3`, or a constant.
pub fn atom(it: Atom) -> String {
    match it {
        Atom::Var(var) => var.to_string(),
        Atom::Const(it) => constant(it),
    }
}

/// Operands, separated by commas.
pub fn atoms(them: &[Atom]) -> String {
    join(them.iter().map(|it| atom(*it)))
}

/// Variables, separated by commas.
pub fn vars(them: &[Var]) -> String {
    join(them.iter().map(Var::to_string))
}

/// Texts, separated by commas.
pub fn join(parts: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    for (at, part) in parts.enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}{part}");
    }
    text
}

/// A constant in its type's notation.
pub fn constant(it: Const) -> String {
    match it.ty {
        Scalar::Bool => (it.bits != 0).to_string(),
        Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => (it.bits as i64).to_string(),
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::Usize => it.bits.to_string(),
        Scalar::F16 | Scalar::Bf16 | Scalar::F32 => {
            format!("{:?}", it.ty.float_value(it.bits) as f32)
        }
        Scalar::F64 => format!("{:?}", f64::from_bits(it.bits)),
    }
}

/// Lines with indentation.
#[derive(Default)]
pub struct Lines {
    text: String,
    depth: usize,
}

impl Lines {
    /// One line at the current depth.
    pub fn line(&mut self, text: impl AsRef<str>) {
        let _ = writeln!(
            self.text,
            "{:width$}{}",
            "",
            text.as_ref(),
            width = 2 * self.depth
        );
    }

    /// What `inside` prints is one level deeper.
    pub fn nest(&mut self, inside: impl FnOnce(&mut Lines)) {
        self.depth += 1;
        inside(self);
        self.depth -= 1;
    }

    /// The text.
    pub fn finish(self) -> String {
        self.text
    }
}
