//! How arrays lie in memory where the function meets its caller.
//!
//! In: a flat function. Out: the layout of each variable. Assumes one variable per leaf.

use crate::flat::ir as flat;
use crate::fused::ir::{Layout, VarInfo};
use crate::ids::Var;
use crate::shaped::ir::{VarType, components, innermost, ragged_levels};
use crate::typed::ir::SigType;

/// The layouts of a function's variables.
pub(super) fn layouts(function: &flat::Function) -> Vec<VarInfo> {
    let plain = |info: &flat::VarInfo| VarInfo {
        ty: Layout::Plain(info.ty.clone()),
        fast: info.fast,
        src: info.src,
    };
    let mut vars: Vec<VarInfo> = function.vars.iter().map(plain).collect();
    for (at, param) in function.params.iter().enumerate() {
        for (leaf, var) in packed_leaves(&param.ty, &param.vars) {
            let info = &mut vars[var.index()];
            if let Layout::Plain(ty) = info.ty.clone() {
                info.ty = Layout::Component {
                    ty,
                    param: at,
                    leaf,
                };
            }
        }
    }
    vars
}

/// The variables of `ty` that are components of an array of products, with their leaf positions.
fn packed_leaves(ty: &SigType, vars: &[Var]) -> Vec<(usize, Var)> {
    fn walk(ty: &SigType, at: &mut usize, out: &mut Vec<usize>) {
        match ty {
            SigType::Scalar(_) => *at += 1,
            SigType::Tuple(fields) | SigType::Struct(_, fields) | SigType::Vector(_, fields) => {
                fields.iter().for_each(|field| walk(field, at, out));
            }
            SigType::Array { elem, .. } => {
                *at += ragged_levels(elem);
                let elem = innermost(elem);
                let count = components(elem);
                if !matches!(elem, SigType::Scalar(_)) {
                    out.extend(*at..*at + count);
                }
                *at += count;
            }
        }
    }
    let mut positions = Vec::new();
    walk(ty, &mut 0, &mut positions);
    positions
        .into_iter()
        .map(|leaf| (leaf, vars[leaf]))
        .collect()
}

/// The layout of an array of `elem` that had the layout `plain`.
pub(super) fn packed(plain: &Layout, elem: SigType) -> Layout {
    let Layout::Plain(VarType::Array(ty)) = plain else {
        unreachable!("verified: a build gives arrays")
    };
    let dims = ty.dims.clone();
    Layout::Packed { elem, dims }
}
