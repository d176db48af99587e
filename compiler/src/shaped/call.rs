//! Calls: the callee's body is lowered in place, in a frame of its own; closures in the frame that
//! they come from.

use super::lower::{Frame, Lower, Lowered, Slot};
use super::signature::Origin;
use super::value::{Closure, Value};
use crate::ids::{FuncId, LocalId};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::typed::ir::{Expr, ExprKind, FnValue, Function, ParamType, PatternKind};

/// Values of one exported function at most: some seconds of compile time.
const MOST_VALUES: usize = 50_000;

impl<'p> Lower<'p> {
    /// A call of a function of the block.
    pub(super) fn call(
        &mut self,
        func: FuncId,
        args: &'p [Expr],
        fns: &'p [FnValue],
        src: SrcSpan,
    ) -> Lowered<Value> {
        let program = self.program;
        let callee = &program.functions[func.index()];
        self.may_grow(src)?;
        let mut values = self.exprs(args)?;
        let closures: Vec<Closure<'p>> = fns.iter().map(|value| self.closure(value)).collect();
        let origins = args.iter().map(|arg| Origin {
            name: self.name_of(arg),
            src: arg.src,
        });
        let origins: Vec<Origin> = origins.collect();
        let outer = self.fast;
        let caller = self.enter(callee);
        let sizes_at = callee.params.iter().filter_map(|param| match &param.ty {
            ParamType::Value(ty) => Some(ty),
            ParamType::Fn { .. } => None,
        });
        let before = self.mistakes.len();
        // Sizes may be parameters.
        self.bind_params(callee, &values, &closures)?;
        for ((ty, value), origin) in sizes_at.zip(&mut values).zip(&origins) {
            *value = self.rectangular(value.clone(), ty, origin)?;
            self.bind_sizes(ty, value, origin);
        }
        self.bind_params(callee, &values, &closures)?;
        let of_arguments = self.mistakes.len();
        let result = self.body_of(callee, src)?;
        if of_arguments > before {
            // With the right arguments there may be none in the body.
            self.mistakes.truncate(of_arguments);
        }
        self.leave(caller);
        self.fast = outer;
        Ok(result)
    }

    /// Functions that call each other twice on every level grow exponentially.
    fn may_grow(&self, src: SrcSpan) -> Lowered<()> {
        if self.vars.len() <= MOST_VALUES {
            return Ok(());
        }
        let function = &self.frames[0].function.name;
        let message = format!("a function as large as `{function}` with all its calls");
        Err(Diagnostic::unsupported(src, message)
            .note(format!(
                "calls are put in place; with this one there are more than {MOST_VALUES} values"
            ))
            .help("compute what several calls share once, and pass it on"))
    }

    /// Opens a frame for `function`; gives the frame to return to. What is called by a `#[fast]`
    /// function is computed for it, whatever it is, so that stays on until the caller resets it.
    pub(super) fn enter(&mut self, function: &'p Function) -> usize {
        self.fast |= function.fast;
        let slots: Vec<_> = function.locals.iter().map(|_| None).collect();
        let depths = vec![0; slots.len()];
        let sizes = function.sizes.iter().map(|_| None).collect();
        self.frames.push(Frame {
            function,
            slots,
            depths,
            sizes,
        });
        std::mem::replace(&mut self.frame, self.frames.len() - 1)
    }

    fn leave(&mut self, caller: usize) {
        self.frames.pop();
        self.frame = caller;
    }

    fn bind_params(
        &mut self,
        callee: &'p Function,
        values: &[Value],
        closures: &[Closure<'p>],
    ) -> Lowered<()> {
        let (mut values, mut closures) = (values.iter(), closures.iter());
        for param in &callee.params {
            match (&param.ty, &param.pattern.kind) {
                (ParamType::Value(_), _) => {
                    let value = values.next().expect("typed: one argument per parameter");
                    self.bind(&param.pattern, value)?;
                }
                (ParamType::Fn { .. }, PatternKind::Bind(local, _)) => {
                    let closure = closures.next().expect("typed: one function per parameter");
                    self.set_slot(*local, Some(Slot::Fn(*closure)));
                }
                (ParamType::Fn { .. }, _) => unreachable!("typed: a plain name"),
            }
        }
        Ok(())
    }

    /// The body of the current frame's function, its result of the size that the signature says.
    pub(super) fn body_of(&mut self, function: &'p Function, src: SrcSpan) -> Lowered<Value> {
        let value = self.expr(&function.body)?;
        let name = if function.export.is_some() && self.frames.len() == 1 {
            "the result".to_owned()
        } else {
            format!("the result of `{}`", function.name)
        };
        let value_src = result_src(&function.body);
        let src = if self.frames.len() == 1 {
            value_src
        } else {
            src
        };
        let origin = Origin { name, src };
        let value = self.rectangular(value, &function.ret, &origin)?;
        self.bind_sizes(&function.ret, &value, &origin);
        Ok(value)
    }

    /// The closure that is passed for a function.
    pub(super) fn closure(&self, value: &'p FnValue) -> Closure<'p> {
        match value {
            FnValue::Lambda(lambda) => Closure {
                lambda,
                frame: self.frame,
            },
            FnValue::Local(local) => self.closure_of_local(*local),
        }
    }

    /// The closure that a function-typed parameter holds.
    pub(super) fn closure_of_local(&self, local: LocalId) -> Closure<'p> {
        match self.slot(local) {
            Some(Slot::Fn(closure)) => *closure,
            Some(Slot::Value(_)) | None => unreachable!("typed: a function-typed parameter"),
        }
    }

    /// The value of `closure` on `args`.
    pub(super) fn apply(&mut self, closure: Closure<'p>, args: &[Value]) -> Lowered<Value> {
        let caller = std::mem::replace(&mut self.frame, closure.frame);
        for (pattern, arg) in closure.lambda.params.iter().zip(args) {
            self.bind(pattern, arg)?;
        }
        let value = self.expr(&closure.lambda.body)?;
        self.frame = caller;
        Ok(value)
    }
}

/// The expression that a body ends with.
fn result_src(body: &Expr) -> SrcSpan {
    if let ExprKind::Block {
        value: Some(value), ..
    } = &body.kind
    {
        return result_src(value);
    }
    body.src
}
