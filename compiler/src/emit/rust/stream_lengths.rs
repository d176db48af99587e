//! Lengths that items of sequences have in common, as they are known before these come.
//!
//! In: a stream. Out: text of a table of its sizes, with those that are constants or lengths of other
//! parameters, and the sizes that the axes of each sequence's items are, by number.

use crate::emit::rust::border::{Form, form};
use crate::emit::rust::streams::Glue;
use crate::shaped::border::border_type;
use crate::streamed::ir::Param;
use crate::typed::ir::{SigType, SizeSpec};

impl Glue<'_> {
    /// The table, if there are sizes.
    pub fn lengths(&self) -> Option<String> {
        let known: Vec<String> = self.sizes().iter().map(|size| self.known(size)).collect();
        let text = format!(
            "let lengths = __r::seq::Lengths::new(&[{}]);\n",
            known.join(",")
        );
        (!known.is_empty()).then_some(text)
    }

    /// The numbers of the sizes that the items of a chunk of this type have.
    pub fn sizes_of(&self, chunk: &SigType) -> Vec<usize> {
        let sizes = self.sizes();
        let number = |size: SizeSpec| sizes.iter().position(|it| it.contains(&size));
        axes(chunk).into_iter().filter_map(number).collect()
    }

    /// Sizes of items, those together that are equal.
    fn sizes(&self) -> Vec<Vec<SizeSpec>> {
        let mut sizes: Vec<Vec<SizeSpec>> = Vec::new();
        let seqs = self.stream.params.iter().filter(|param| param.is_seq);
        let of_items = seqs.flat_map(|param| axes(&border_type(&param.ty)));
        let alone = of_items.map(|size| vec![size]);
        for size in alone.chain(self.stream.same.iter().map(|both| both.to_vec())) {
            let (meets, others): (Vec<_>, Vec<_>) = sizes
                .into_iter()
                .partition(|it| it.iter().any(|one| size.contains(one)));
            sizes = others;
            sizes.push(meets.into_iter().flatten().chain(size).collect());
        }
        sizes
    }

    /// The length that sizes are, as an `Option`.
    fn known(&self, sizes: &[SizeSpec]) -> String {
        let known = sizes.iter().find_map(|size| match size {
            SizeSpec::Known(len) | SizeSpec::Held(len) | SizeSpec::Inline(len) => {
                Some(format!("__r::Some({len})"))
            }
            SizeSpec::Param(local) => {
                let params = &self.stream.params;
                let at = params.iter().position(|it| it.local == Some(*local))?;
                Some(format!("__r::Some(p{at})"))
            }
            SizeSpec::Named(_) => {
                let mut params = self.stream.params.iter().enumerate();
                params.find_map(|(at, param)| length(at, param, *size))
            }
            SizeSpec::Own | SizeSpec::Seq => None,
        });
        known.unwrap_or_else(|| "__r::None".to_owned())
    }
}

/// A length of an array that is passed, if one of its axes is this size.
fn length(at: usize, param: &Param, size: SizeSpec) -> Option<String> {
    let ty = border_type(&param.ty);
    let SigType::Array {
        elem, size: own, ..
    } = &ty
    else {
        return None;
    };
    if param.is_seq {
        return None;
    }
    let mut all = vec![*own];
    all.extend(inner(elem));
    let axis = all.iter().position(|it| *it == size)?;
    match form(elem).0 {
        Form::Flat => Some(format!("::ragged::AsArray::array_arg(&p{at}).count()")),
        Form::Dense(_) => Some(format!(
            "__r::Some(::ragged::AsDense::dense_arg(&p{at}).shape()[{axis}])"
        )),
        Form::Ragged(_) => {
            (axis == 0).then(|| format!("__r::Some(::ragged::AsRagged::ragged_arg(&p{at}).rows())"))
        }
    }
}

/// The sizes of the axes behind the first of the arrays that a chunk of this type is.
fn axes(chunk: &SigType) -> Vec<SizeSpec> {
    match chunk {
        SigType::Array { elem, .. } => match form(elem).0 {
            Form::Dense(_) => inner(elem),
            Form::Flat | Form::Ragged(_) => Vec::new(),
        },
        SigType::Tuple(fields) => fields.iter().flat_map(axes).collect(),
        SigType::Scalar(_) | SigType::Struct(..) | SigType::Vector(..) => Vec::new(),
    }
}

fn inner(elem: &SigType) -> Vec<SizeSpec> {
    match elem {
        SigType::Array { elem, size, .. } => [vec![*size], inner(elem)].concat(),
        SigType::Scalar(_) | SigType::Tuple(_) | SigType::Struct(..) | SigType::Vector(..) => {
            Vec::new()
        }
    }
}
