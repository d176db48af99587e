//! Calls: of functions, with the sizes of their signatures, and of closures.

use super::machine::{Closure, Frame, Machine, Place, Stop, stop};
use super::trouble::TroubleKind;
use super::value::Value;
use crate::ids::{FuncId, LocalId};
use crate::typed::ir::{Expr, FnValue, Function, ParamType, PatternKind, SigType, SizeSpec, Type};

/// The sizes that the names of a signature stand for, by `SizeId`; `None` until the first mention.
type Sizes = Vec<Option<u64>>;

impl<'p> Machine<'p> {
    pub(super) fn call(
        &mut self,
        func: FuncId,
        args: &'p [Expr],
        fns: &'p [FnValue],
    ) -> Result<Value, Stop> {
        let args = self.eval_all(args)?;
        let fns = fns.iter().map(|value| self.closure(value)).collect();
        let program = self.program;
        self.call_function(&program.functions[func.index()], args, fns)
    }

    /// Calls `function`; `args` are for its value parameters, `fns` for its function-typed ones.
    pub(super) fn call_function(
        &mut self,
        function: &'p Function,
        args: Vec<Value>,
        fns: Vec<Closure<'p>>,
    ) -> Result<Value, Stop> {
        let caller = self.current;
        self.current = Place::Call(self.frames.len());
        self.frames.push(Frame::new(function));
        let is_first = self.frames.len() == 1;
        let result = self.enter(function, args, fns);
        let result = match result {
            Ok(Value::Seq(seq)) if is_first => self.collected(seq),
            result => result,
        };
        self.frames.pop();
        self.current = caller;
        result
    }

    fn enter(
        &mut self,
        function: &'p Function,
        args: Vec<Value>,
        fns: Vec<Closure<'p>>,
    ) -> Result<Value, Stop> {
        // Sizes may be parameters.
        self.bind_params(function, &args, &fns);
        let mut sizes = vec![None; function.sizes.len()];
        for (sig, arg) in value_params(function).zip(&args) {
            self.check_sizes(sig, arg, &mut sizes)?;
        }
        let sized = value_params(function).zip(&args);
        let sized: Vec<Value> = sized
            .map(|(sig, arg)| self.sized(sig, arg, &sizes).unwrap_or_else(|| arg.clone()))
            .collect();
        let sized: Vec<Value> = value_params(function)
            .zip(sized)
            .map(|(sig, arg)| match sig.is_seq() {
                true => self.items(arg),
                false => arg,
            })
            .collect();
        self.bind_params(function, &sized, &fns);
        for (name, size) in function.sizes.iter().zip(&sizes) {
            // The size of the rows of no rows counts as 0.
            self.set(name.local, Value::from(size.unwrap_or(0) as usize));
        }
        let result = self.eval(&function.body)?;
        self.check_sizes(&function.ret, &result, &mut sizes)?;
        Ok(result)
    }

    fn bind_params(&mut self, function: &'p Function, args: &[Value], fns: &[Closure<'p>]) {
        let (mut args, mut fns) = (args.iter(), fns.iter().copied());
        for param in &function.params {
            match &param.ty {
                ParamType::Value(_) => {
                    let arg = args.next().expect("one argument for each parameter");
                    self.bind(&param.pattern, arg.clone());
                }
                ParamType::Fn { .. } => {
                    let PatternKind::Bind(local, None) = param.pattern.kind else {
                        unreachable!("a function-typed parameter is a name");
                    };
                    let closure = fns.next().expect("one closure for each parameter");
                    self.set_function(local, closure);
                }
            }
        }
        assert!(args.next().is_none(), "more arguments than parameters");
        assert!(fns.next().is_none(), "more closures than parameters");
    }

    /// Compares the sizes in `value` with those of its type; a name's first mention binds it.
    fn check_sizes(&self, sig: &SigType, value: &Value, sizes: &mut Sizes) -> Result<(), Stop> {
        match sig {
            // The items are not there yet.
            _ if matches!(value, Value::Seq(_)) => Ok(()),
            SigType::Scalar(ty) => {
                assert_eq!(*ty, value.scalar().ty, "the type of an argument or result");
                Ok(())
            }
            SigType::Tuple(parts) | SigType::Struct(_, parts) => {
                let components = value.components();
                assert_eq!(parts.len(), components.len(), "components of a product");
                parts
                    .iter()
                    .zip(components)
                    .try_for_each(|(part, value)| self.check_sizes(part, value, sizes))
            }
            SigType::Array { elem, size, src } => {
                let elements = value.elements();
                let right = elements.len() as u64;
                let left = self.expected_size(*size, right, sizes);
                if left != right {
                    return Err(stop(TroubleKind::SizeMismatch { left, right }, *src));
                }
                let sample = value.sample().filter(|_| elements.is_empty());
                elements
                    .iter()
                    .chain(sample)
                    .try_for_each(|element| self.check_sizes(elem, element, sizes))
            }
            SigType::Vector(..) => unreachable!("over the border only"),
        }
    }

    /// `value` with what the elements of empty arrays look like, as far as the sizes in `sig` say it;
    /// `None` if they say nothing new. See Note [Empty arrays].
    fn sized(&self, sig: &SigType, value: &Value, sizes: &Sizes) -> Option<Value> {
        match sig {
            _ if matches!(value, Value::Seq(_)) => None,
            SigType::Scalar(_) => None,
            SigType::Tuple(parts) | SigType::Struct(_, parts) => {
                let values = value.components();
                let sized = |at: usize| self.sized(&parts[at], &values[at], sizes);
                each(values, sized).map(Value::Tuple)
            }
            SigType::Array { elem, .. } if value.sample().is_none() => {
                let sample = self.blank(elem, sizes);
                elem.has_array()
                    .then(|| Value::array(Vec::new(), || sample))
            }
            SigType::Array { elem, .. } if elem.has_array() => {
                let values = value.elements();
                each(values, |at| self.sized(elem, &values[at], sizes)).map(Value::Array)
            }
            SigType::Array { .. } => None,
            SigType::Vector(..) => unreachable!("over the border only"),
        }
    }

    /// What a value of this type would look like.
    fn blank(&self, sig: &SigType, sizes: &Sizes) -> Value {
        match sig {
            SigType::Scalar(ty) => self.hollow(&Type::Scalar(*ty)),
            SigType::Tuple(parts) | SigType::Struct(_, parts) => {
                Value::Tuple(parts.iter().map(|part| self.blank(part, sizes)).collect())
            }
            SigType::Array { elem, size, .. } => {
                let elem = self.blank(elem, sizes);
                let count = match size {
                    SizeSpec::Own | SizeSpec::Seq => 0,
                    SizeSpec::Named(name) => sizes[name.index()].unwrap_or(0),
                    SizeSpec::Known(size) | SizeSpec::Held(size) | SizeSpec::Inline(size) => *size,
                    SizeSpec::Param(local) => self.read(*local).size(),
                };
                // More would only be counted.
                let count = count.min(MOST_BLANK) as usize;
                Value::array(vec![elem.clone(); count], || elem)
            }
            SigType::Vector(..) => unreachable!("over the border only"),
        }
    }

    /// What the size `spec` must be, for an array of `actual` elements.
    fn expected_size(&self, spec: SizeSpec, actual: u64, sizes: &mut Sizes) -> u64 {
        match spec {
            SizeSpec::Own | SizeSpec::Seq => actual,
            SizeSpec::Named(name) => *sizes[name.index()].get_or_insert(actual),
            SizeSpec::Known(size) | SizeSpec::Held(size) | SizeSpec::Inline(size) => size,
            SizeSpec::Param(local) => self.read(local).size(),
        }
    }

    pub(super) fn call_local(&mut self, local: LocalId, args: &'p [Expr]) -> Result<Value, Stop> {
        let args = self.eval_all(args)?;
        let closure = self.function(local);
        self.call_closure(closure, args)
    }

    /// Calls a closure.
    pub(super) fn call_closure(
        &mut self,
        closure: Closure<'p>,
        args: Vec<Value>,
    ) -> Result<Value, Stop> {
        let lambda = closure.lambda;
        assert_eq!(lambda.params.len(), args.len(), "arguments of a closure");
        let caller = std::mem::replace(&mut self.current, closure.frame);
        for (pattern, arg) in lambda.params.iter().zip(args) {
            self.bind(pattern, arg);
        }
        let result = self.eval(&lambda.body);
        self.current = caller;
        result
    }
}

/// Elements of the longest array that stands for what is not there.
const MOST_BLANK: u64 = 1 << 12;

/// The values with those that are `changed`; `None` if none is.
fn each(values: &[Value], changed: impl Fn(usize) -> Option<Value>) -> Option<Vec<Value>> {
    let changed: Vec<Option<Value>> = (0..values.len()).map(changed).collect();
    changed.iter().any(Option::is_some).then(|| {
        let pairs = changed.into_iter().zip(values);
        pairs
            .map(|(new, old)| new.unwrap_or_else(|| old.clone()))
            .collect()
    })
}

/// The types of the value parameters.
fn value_params(function: &Function) -> impl Iterator<Item = &SigType> {
    function.params.iter().filter_map(|param| match &param.ty {
        ParamType::Value(sig) => Some(sig),
        ParamType::Fn { .. } => None,
    })
}
