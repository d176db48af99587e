//! Operators that apply to each element.

use super::{Body, PrimCall};
use crate::report::Diagnostic;
use crate::typed::types::{Head, Kind, Ty};

impl<'a> Body<'_, 'a> {
    pub(super) fn map(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        let result = self.prim_function(call, 1, &[elem], None)?;
        Some(self.made_of(call, result))
    }

    pub(super) fn zip(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elems: Vec<_> = (0..call.given.len())
            .map(|i| self.prim_array(call, i))
            .collect();
        let elems = elems.into_iter().collect::<Option<Vec<_>>>()?;
        if !self.all_alike(&call.args) {
            return None;
        }
        let tuple = self.types.tuple(elems);
        Some(self.made_of(call, tuple))
    }

    pub(super) fn unzip(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        let fields = match self.types.head(elem) {
            Head::Tuple(fields) => fields.to_vec(),
            Head::Error => return None,
            Head::Var(Kind::Any | Kind::Never) => {
                let error = crate::typed::wait::unknown_type(call.src);
                self.error(error);
                return None;
            }
            Head::Var(_)
            | Head::Scalar(_)
            | Head::Struct(_)
            | Head::Complex(_)
            | Head::Array(_)
            | Head::Seq(_) => {
                let title = format!(
                    "`unzip` needs an array of tuples, found one of {}",
                    self.types.quote(elem)
                );
                let error = Diagnostic::new(call.src, title);
                let error = match self.types.head(elem) {
                    Head::Struct(_) => error.help("take one field: `ps.map(|p| p.x)`"),
                    _ => error.note(format!("it is `{}`", call.info.signature)),
                };
                self.error(error);
                return None;
            }
        };
        let arrays = fields.into_iter().map(|f| self.types.array(f)).collect();
        Some(self.types.tuple(arrays))
    }

    pub(super) fn enumerate(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        let pair = self.types.tuple(vec![Ty::USIZE, elem]);
        Some(self.made_of(call, pair))
    }
}
