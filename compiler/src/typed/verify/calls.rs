//! Types of calls and of functions that are passed.

use super::{Verdict, Verify, count, same};
use crate::ids::{FuncId, LocalId};
use crate::typed::ir::{Expr, FnValue, Lambda, ParamType, PatternKind, Type};

impl<'p> Verify<'p> {
    pub(super) fn call(
        &mut self,
        func: FuncId,
        args: &'p [Expr],
        fns: &'p [FnValue],
        ty: &Type,
    ) -> Verdict {
        if func.index() >= self.index {
            return Err(format!("{func} does not come before its caller"));
        }
        let callee = &self.program.functions[func.index()];
        let (mut args, mut fns) = (args.iter(), fns.iter());
        for param in &callee.params {
            match &param.ty {
                ParamType::Value(sig) => match args.next() {
                    Some(arg) => self.typed("an argument", arg, &sig.erased())?,
                    None => return Err(format!("a call of {func} misses an argument")),
                },
                ParamType::Fn { args, ret } => match fns.next() {
                    Some(function) => {
                        let types: Vec<_> = args.iter().collect();
                        let found = self.function_value(function, &types)?;
                        same("a function's result", &found, ret)?;
                    }
                    None => return Err(format!("a call of {func} misses a function")),
                },
            }
        }
        count("unused arguments", args.len() + fns.len(), 0)?;
        same("a call", ty, &callee.ret.erased())
    }

    // The types of a function parameter.
    fn function_type(&self, local: LocalId) -> Result<(&'p [Type], &'p Type), String> {
        let types = self
            .function
            .params
            .iter()
            .find_map(|param| match &param.ty {
                ParamType::Fn { args, ret } => match param.pattern.kind {
                    PatternKind::Bind(own, None) if own == local => Some((args.as_slice(), ret)),
                    _ => None,
                },
                ParamType::Value(_) => None,
            });
        types.ok_or_else(|| format!("{local} is not a function parameter"))
    }

    pub(super) fn call_local(&mut self, local: LocalId, args: &'p [Expr], ty: &Type) -> Verdict {
        let (types, ret) = self.function_type(local)?;
        count("the arguments of a call", args.len(), types.len())?;
        for (arg, ty) in args.iter().zip(types) {
            self.typed("an argument", arg, ty)?;
        }
        same("a call", ty, ret)
    }

    /// Checks a function that is passed and called with `types`; the type of its result.
    pub(super) fn function_value(
        &mut self,
        function: &'p FnValue,
        types: &[&Type],
    ) -> Result<Type, String> {
        match function {
            FnValue::Lambda(lambda) => self.lambda(lambda, types),
            FnValue::Local(local) => {
                let (args, ret) = self.function_type(*local)?;
                count("the parameters of a function", args.len(), types.len())?;
                for (arg, ty) in args.iter().zip(types) {
                    same("a parameter", arg, ty)?;
                }
                Ok(ret.clone())
            }
        }
    }

    fn lambda(&mut self, lambda: &'p Lambda, types: &[&Type]) -> Result<Type, String> {
        count(
            "the parameters of a closure",
            lambda.params.len(),
            types.len(),
        )?;
        let loops = std::mem::take(&mut self.loops);
        self.scope(|this| {
            for (param, ty) in lambda.params.iter().zip(types) {
                same("a closure's parameter", &param.ty, ty)?;
                this.pattern(param)?;
            }
            this.operand(&lambda.body)
        })?;
        self.loops = loops;
        Ok(lambda.body.ty.clone())
    }
}
