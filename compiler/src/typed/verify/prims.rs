//! Types of operators.

use super::{BOOL, USIZE, Verdict, Verify, count, element, same};
use crate::prims::Prim;
use crate::typed::ir::{Expr, ExprKind, FnValue, Type};

impl<'p> Verify<'p> {
    /// The arguments have been checked by themselves.
    pub(super) fn prim(
        &mut self,
        prim: Prim,
        args: &'p [Expr],
        fns: &'p [FnValue],
        ty: &Type,
    ) -> Verdict {
        let (lo, hi) = arity(prim);
        let given = args.len() + fns.len();
        if !(lo..=hi).contains(&given) {
            return Err(format!("`{}` has {given} arguments", prim.info().name));
        }
        let wrong = |sentence| format!("`{}`: {sentence}", prim.info().name);
        self.prim_types(prim, args, fns, ty).map_err(wrong)
    }

    fn prim_types(
        &mut self,
        prim: Prim,
        args: &'p [Expr],
        fns: &'p [FnValue],
        ty: &Type,
    ) -> Verdict {
        match prim {
            Prim::Generate => {
                arguments(args, &[&USIZE])?;
                self.result(&fns[0], &[&USIZE], element(ty)?)
            }
            Prim::Fill => arguments(args, &[element(ty)?, &USIZE]),
            Prim::Map => {
                let elem = element(&args[0].ty)?;
                self.result(&fns[0], &[elem], element(ty)?)
            }
            Prim::Pairwise => {
                let elem = element(&args[0].ty)?;
                self.result(&fns[0], &[elem, elem], element(ty)?)
            }
            Prim::Zip => {
                let elems = args.iter().map(|arg| element(&arg.ty).cloned());
                let elems = elems.collect::<Result<_, _>>()?;
                same("the result", element(ty)?, &Type::Tuple(elems))
            }
            Prim::Unzip => {
                let Type::Tuple(fields) = element(&args[0].ty)? else {
                    return Err("the elements are no tuples".into());
                };
                let arrays = fields.iter().map(array).collect();
                same("the result", ty, &Type::Tuple(arrays))
            }
            Prim::Enumerate => {
                let pair = vec![USIZE.clone(), element(&args[0].ty)?.clone()];
                same("the result", element(ty)?, &Type::Tuple(pair))
            }
            Prim::Gather => {
                element(ty)?;
                arguments(args, &[ty, &array(&USIZE)])
            }
            Prim::Rev => {
                element(ty)?;
                arguments(args, &[ty])
            }
            Prim::RotateLeft | Prim::RotateRight | Prim::Take | Prim::Skip => counted(args, ty),
            Prim::StepBy | Prim::Repeat => counted(args, ty),
            Prim::SplitAt => {
                counted(args, &args[0].ty)?;
                let halves = vec![args[0].ty.clone(), args[0].ty.clone()];
                same("the result", ty, &Type::Tuple(halves))
            }
            Prim::Chain => {
                element(ty)?;
                arguments(args, &[ty, ty])
            }
            Prim::First | Prim::Last => arguments(args, &[&array(ty)]),
            Prim::FirstOr | Prim::LastOr => arguments(args, &[&array(ty), ty]),
            Prim::Len => {
                element(&args[0].ty)?;
                same("the result", ty, &USIZE)
            }
            Prim::Sum | Prim::Product | Prim::Min | Prim::Max | Prim::Mean => {
                number(ty)?;
                arguments(args, &[&array(ty)])
            }
            Prim::MinOr | Prim::MaxOr | Prim::MeanOr => {
                number(ty)?;
                arguments(args, &[&array(ty), ty])
            }
            Prim::Any | Prim::All => self.predicate(args, fns, ty, &BOOL),
            Prim::Count | Prim::PartitionPoint => self.predicate(args, fns, ty, &USIZE),
            Prim::Argmin | Prim::Argmax => {
                number(element(&args[0].ty)?)?;
                same("the result", ty, &USIZE)
            }
            Prim::ArgminOr | Prim::ArgmaxOr => {
                number(element(&args[0].ty)?)?;
                same("the default", &args[1].ty, &USIZE)?;
                same("the result", ty, &USIZE)
            }
            Prim::Reduce => {
                arguments(args, &[&array(ty), ty, &BOOL][..args.len()])?;
                self.result(&fns[0], &[ty, ty], ty)
            }
            Prim::Fold => {
                let elem = element(&args[0].ty)?;
                same("the initial value", &args[1].ty, ty)?;
                self.result(&fns[0], &[ty, elem], ty)
            }
            Prim::Scan | Prim::Rscan => {
                arguments(args, &[ty])?;
                let elem = element(ty)?;
                self.result(&fns[0], &[elem, elem], elem)
            }
            Prim::Prescan | Prim::Rprescan => {
                let elem = element(ty)?;
                arguments(args, &[ty, elem])?;
                self.result(&fns[0], &[elem, elem], elem)
            }
            Prim::ScanFrom | Prim::RscanFrom => {
                let elem = element(&args[0].ty)?;
                same("the initial value", &args[1].ty, elem)?;
                if let Some(inclusive) = args.get(2) {
                    same("what is included", &inclusive.ty, &BOOL)?;
                }
                let both = vec![args[0].ty.clone(), elem.clone()];
                same("the result", ty, &Type::Tuple(both))?;
                self.result(&fns[0], &[elem, elem], elem)
            }
            Prim::Scatter | Prim::ScatterUnique => {
                element(ty)?;
                arguments(args, &[ty, &array(&USIZE), ty])
            }
            Prim::Permute => {
                let elem = element(ty)?;
                arguments(args, &[ty, &array(&USIZE), ty])?;
                self.result(&fns[0], &[elem, elem], elem)
            }
            Prim::Histogram => {
                let elem = element(ty)?;
                arguments(args, &[&USIZE, elem, &array(&USIZE), ty])?;
                self.result(&fns[0], &[elem, elem], elem)
            }
            Prim::Transpose => {
                arguments(args, &[ty, &USIZE, &USIZE])?;
                axes(ty, constant(&args[1])?, constant(&args[2])?)
            }
            Prim::Flatten | Prim::Concat => {
                element(ty)?;
                arguments(args, &[&array(ty)])
            }
            Prim::Reshape => {
                let (first, extents) = args.split_first().ok_or("there is no array")?;
                let elem = element(&first.ty)?;
                let mut inner = ty;
                for extent in extents {
                    same("an extent", &extent.ty, &USIZE)?;
                    inner = element(inner)?;
                }
                same("the elements", inner, elem)
            }
            Prim::Shape => {
                let Type::Tuple(extents) = ty else {
                    return Err("the result is no tuple".into());
                };
                if extents.len() > levels(&args[0].ty) {
                    return Err("there are fewer levels".into());
                }
                extents
                    .iter()
                    .try_for_each(|extent| same("an extent", extent, &USIZE))
            }
            Prim::Chunks | Prim::ChunksExact | Prim::Windows => counted(args, element(ty)?),
            Prim::Lens => {
                element(element(&args[0].ty)?)?;
                same("the result", ty, &array(&USIZE))
            }
            Prim::Unflatten => arguments(args, &[element(ty)?, &array(&USIZE)]),
            Prim::FlatMap => {
                element(ty)?;
                self.result(&fns[0], &[element(&args[0].ty)?], ty)
            }
            Prim::Filter | Prim::TakeWhile => {
                arguments(args, &[ty])?;
                self.result(&fns[0], &[element(ty)?], &BOOL)
            }
            Prim::Partition => {
                let parts = vec![args[0].ty.clone(), args[0].ty.clone()];
                same("the result", ty, &Type::Tuple(parts))?;
                self.result(&fns[0], &[element(&args[0].ty)?], &BOOL)
            }
            Prim::Compress => {
                element(ty)?;
                arguments(args, &[ty, &array(&BOOL)])
            }
            Prim::RunLengths => {
                let elem = element(&args[0].ty)?;
                let run = vec![elem.clone(), USIZE.clone()];
                same("the result", element(ty)?, &Type::Tuple(run))?;
                self.result(&fns[0], &[elem, elem], &BOOL)
            }
            Prim::Sort | Prim::Unique => {
                self.key(element(ty)?)?;
                arguments(args, &[ty])
            }
            Prim::SortByKey => {
                arguments(args, &[ty])?;
                let key = self.function_value(&fns[0], &[element(ty)?])?;
                self.key(&key)
            }
            Prim::GroupByKey => {
                let elem = element(&args[0].ty)?;
                let key = self.function_value(&fns[0], &[elem])?;
                self.key(&key)?;
                let group = Type::Tuple(vec![key, array(elem)]);
                same("the result", element(ty)?, &group)
            }
            Prim::KthSmallest => {
                self.key(ty)?;
                arguments(args, &[&array(ty), &USIZE])
            }
            Prim::BinarySearch => {
                self.key(&args[1].ty)?;
                same(
                    "the result",
                    ty,
                    &Type::Tuple(vec![BOOL.clone(), USIZE.clone()]),
                )?;
                arguments(args, &[&array(&args[1].ty), &args[1].ty])
            }
            Prim::Argsort => {
                self.key(element(&args[0].ty)?)?;
                same("the result", ty, &array(&USIZE))
            }
            Prim::Pairs => {
                let pair = vec![element(&args[0].ty)?.clone(); 2];
                same("the result", element(ty)?, &Type::Tuple(pair))
            }
            Prim::Cartesian => {
                let pair = args.iter().map(|arg| element(&arg.ty).cloned());
                let pair = pair.collect::<Result<_, _>>()?;
                same("the result", element(ty)?, &Type::Tuple(pair))
            }
        }
    }

    // The function takes `types` and gives `want`.
    fn result(&mut self, function: &'p FnValue, types: &[&Type], want: &Type) -> Verdict {
        let found = self.function_value(function, types)?;
        same("the result of its function", &found, want)
    }

    // Values of this type have an order.
    fn key(&self, ty: &Type) -> Verdict {
        match ty {
            Type::Scalar(_) => Ok(()),
            Type::Tuple(fields) => fields.iter().try_for_each(|field| self.key(field)),
            Type::Struct(id) => {
                let fields = &self.program.structs[id.index()].fields;
                fields.iter().try_for_each(|(_, field)| self.key(field))
            }
            Type::Array(_) => Err("arrays have no order".to_owned()),
        }
    }

    fn predicate(
        &mut self,
        args: &'p [Expr],
        fns: &'p [FnValue],
        ty: &Type,
        want: &Type,
    ) -> Verdict {
        same("the result", ty, want)?;
        let elem = element(&args[0].ty)?;
        match fns.first() {
            Some(function) => self.result(function, &[elem], &BOOL),
            None => same("an element", elem, &BOOL),
        }
    }
}

// How many arguments there are in the typed program.
fn arity(prim: Prim) -> (usize, usize) {
    match prim {
        Prim::Transpose => (3, 3),
        Prim::Reshape => (2, usize::MAX),
        Prim::RunLengths => (2, 2),
        // With a third argument they go on from the second, see `ExprKind::Prim`.
        Prim::Reduce | Prim::ScanFrom => (3, 4),
        _ => prim.info().arity,
    }
}

fn constant(axis: &Expr) -> Result<u64, String> {
    match axis.kind {
        ExprKind::Const(value) => Ok(value.bits),
        _ => Err("an axis is not constant".into()),
    }
}

fn axes(ty: &Type, i: u64, j: u64) -> Verdict {
    if i < j && j < levels(ty) as u64 {
        return Ok(());
    }
    Err(format!("{ty:?} has no axes {i} < {j}"))
}

// How many arrays are around an element.
fn levels(ty: &Type) -> usize {
    match ty {
        Type::Array(elem) => 1 + levels(elem),
        Type::Scalar(_) | Type::Tuple(_) | Type::Struct(_) => 0,
    }
}

fn array(elem: &Type) -> Type {
    Type::Array(Box::new(elem.clone()))
}

fn arguments(args: &[Expr], types: &[&Type]) -> Verdict {
    count("arguments", args.len(), types.len())?;
    args.iter()
        .zip(types)
        .try_for_each(|(arg, ty)| same("an argument", &arg.ty, ty))
}

// An array and a count.
fn counted(args: &[Expr], ty: &Type) -> Verdict {
    element(ty)?;
    arguments(args, &[ty, &USIZE])
}

fn number(ty: &Type) -> Verdict {
    match ty {
        Type::Scalar(_) if *ty != BOOL => Ok(()),
        other => Err(format!("{other:?} is not a number")),
    }
}
