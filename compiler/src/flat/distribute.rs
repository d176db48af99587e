//! Types as they go over the border.
//!
//! In: a type of the signature. Out: the same with arrays of scalars and of products of scalars only.
//! Assumes nothing; the leaves are the same, in the same order.

use crate::shaped::ir::leaves;
use crate::source::SrcSpan;
use crate::typed::ir::{SigType, SizeSpec};

/// A product with an array in it that is an element of arrays
/// becomes a product of such arrays. So the elements of arrays, behind their last axis, are products
/// of scalars. The leaves are the same, in the same order.
pub fn distributed(ty: &SigType) -> SigType {
    match ty {
        SigType::Scalar(scalar) => SigType::Scalar(*scalar),
        SigType::Tuple(fields) => SigType::Tuple(fields.iter().map(distributed).collect()),
        SigType::Struct(id, fields) => {
            SigType::Struct(*id, fields.iter().map(distributed).collect())
        }
        SigType::Array { elem, size, src } => over(&distributed(elem), *size, *src),
    }
}

/// The array of `elem`, which is distributed.
fn over(elem: &SigType, size: SizeSpec, src: SrcSpan) -> SigType {
    match elem {
        SigType::Tuple(fields) | SigType::Struct(_, fields) if fields.iter().any(has_array) => {
            SigType::Tuple(fields.iter().map(|field| over(field, size, src)).collect())
        }
        SigType::Scalar(_) | SigType::Tuple(_) | SigType::Struct(..) | SigType::Array { .. } => {
            let elem = Box::new(elem.clone());
            SigType::Array { elem, size, src }
        }
    }
}

fn has_array(ty: &SigType) -> bool {
    leaves(ty).iter().any(|leaf| leaf.rank > 0)
}
