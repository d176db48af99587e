//! Operators that make arrays or rearrange them.

use super::machine::{Machine, Stop};
use super::prim::{Applied, index};
use super::trouble::TroubleKind;
use super::value::Value;
use crate::typed::ir::Type;

impl<'p> Machine<'p> {
    pub(super) fn generate(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let n = self.room(u128::from(call.size(0)), call.value(0), call.src)?;
        let indices: Vec<Value> = (0..n as u64).map(index).collect();
        let results = self.apply_to_each(call, &indices)?;
        Ok(self.computed(call, results, |_| vec![index(0)]))
    }

    pub(super) fn fill(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let n = self.room(u128::from(call.size(1)), call.value(0), call.src)?;
        let copies = vec![call.value(0).clone(); n];
        Ok(Value::array(copies, || call.value(0).clone()))
    }

    pub(super) fn map(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let results = self.apply_to_each(call, call.xs())?;
        Ok(self.computed(call, results, |machine| vec![machine.argument(call, 0)]))
    }

    /// What the function of `call` gives for each of `xs`.
    pub(super) fn apply_to_each(
        &mut self,
        call: &Applied<'p>,
        xs: &[Value],
    ) -> Result<Vec<Value>, Stop> {
        let function = call.function().expect("the operator takes a function");
        xs.iter()
            .map(|x| self.call_closure(function, vec![x.clone()]))
            .collect()
    }

    // The array of `results` of the function of `call`; see Note [Empty arrays].
    fn computed(
        &mut self,
        call: &Applied<'p>,
        results: Vec<Value>,
        samples: impl FnOnce(&Self) -> Vec<Value>,
    ) -> Value {
        let function = call.function().expect("the operator takes a function");
        self.results(results, function, samples, element(call.ty))
    }

    /// What parameter `i` of the function of `call` would be given: an element of the array.
    pub(super) fn argument(&self, call: &Applied<'p>, i: usize) -> Value {
        let function = call.function().expect("the operator takes a function");
        self.sample(call.value(0), &function.lambda.params[i].ty)
    }

    /// An array of type `ty`, of elements that look like those of `array`.
    pub(super) fn like(&self, array: &Value, elements: Vec<Value>, ty: &Type) -> Value {
        Value::array(elements, || self.sample(array, element(ty)))
    }

    /// The result of `call`, of elements of its first argument.
    pub(super) fn rearranged(
        &self,
        call: &Applied<'p>,
        elements: Vec<Value>,
    ) -> Result<Value, Stop> {
        Ok(self.like(call.value(0), elements, call.ty))
    }

    pub(super) fn zip(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let left = call.xs().len();
        for right in call.arrays().map(<[Value]>::len) {
            if self.in_ghost && left != right {
                return Ok(self.zip_samples(call));
            }
            call.same_size(left, right)?;
        }
        let tuple = |i: usize| Value::Tuple(call.arrays().map(|xs| xs[i].clone()).collect());
        let tuples = (0..left).map(tuple).collect();
        Ok(self.tuples(call, tuples))
    }

    /// In a ghost run, arrays of several lengths: mostly because nothing is known of those that are shorter.
    fn zip_samples(&self, call: &Applied<'p>) -> Value {
        let Type::Tuple(types) = element(call.ty) else {
            unreachable!("the operator gives tuples");
        };
        let count = call.arrays().map(<[Value]>::len).max().unwrap_or(0);
        let tuple = |i: usize| {
            let parts = call.arrays().zip(types).enumerate();
            let parts = parts.map(|(part, (xs, ty))| match xs.get(i) {
                Some(x) => x.clone(),
                None => self.sample(call.value(part), ty),
            });
            Value::Tuple(parts.collect())
        };
        self.tuples(call, (0..count).map(tuple).collect())
    }

    /// The array of `tuples`, each of an element of every argument.
    pub(super) fn tuples(&self, call: &Applied<'p>, tuples: Vec<Value>) -> Value {
        let Type::Tuple(types) = element(call.ty) else {
            unreachable!("the operator gives tuples");
        };
        Value::array(tuples, || {
            let samples = types.iter().enumerate();
            let samples = samples.map(|(i, ty)| self.sample(call.value(i), ty));
            Value::Tuple(samples.collect())
        })
    }

    pub(super) fn unzip(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let Type::Tuple(parts) = call.ty else {
            unreachable!("`unzip` gives a tuple");
        };
        let column = |(i, ty): (usize, &Type)| {
            let column = call.xs().iter().map(|x| x.components()[i].clone());
            Value::array(column.collect(), || match call.value(0).sample() {
                Some(sample) => sample.components()[i].clone(),
                None => self.hollow(element(ty)),
            })
        };
        Ok(Value::Tuple(parts.iter().enumerate().map(column).collect()))
    }

    pub(super) fn enumerate(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let pair = |(i, x): (usize, &Value)| Value::Tuple(vec![Value::from(i), x.clone()]);
        let pairs = call.xs().iter().enumerate().map(pair).collect();
        Ok(Value::array(pairs, || match call.value(0).sample() {
            Some(sample) => pair((0, sample)),
            None => self.hollow(element(call.ty)),
        }))
    }

    pub(super) fn gather(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let xs = call.xs();
        let mut out = Vec::new();
        for i in call.array(1) {
            let x = &xs[call.index(i.size(), xs.len())?];
            self.spend(x.weight(), call.src)?;
            out.push(x.clone());
        }
        self.rearranged(call, out)
    }

    pub(super) fn rev(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        self.rearranged(call, reversed(call.xs()))
    }

    pub(super) fn rotate(
        &mut self,
        call: &Applied<'p>,
        rotate: fn(&mut [Value], usize),
    ) -> Result<Value, Stop> {
        let (index, len) = (call.size(1), call.xs().len() as u64);
        if index > len {
            return Err(call.stop(TroubleKind::IndexOutOfRange { index, len }));
        }
        let mut out = call.xs().to_vec();
        rotate(&mut out, index as usize);
        self.rearranged(call, out)
    }

    pub(super) fn take(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let (first, _) = call.xs().split_at(call.clamped());
        self.rearranged(call, first.to_vec())
    }

    pub(super) fn skip(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let (_, rest) = call.xs().split_at(call.clamped());
        self.rearranged(call, rest.to_vec())
    }

    pub(super) fn step_by(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let step = call.size(1);
        if step == 0 {
            return Err(call.stop(TroubleKind::StepZero));
        }
        let kept = call.xs().iter().step_by(step as usize);
        self.rearranged(call, kept.cloned().collect())
    }

    pub(super) fn split_at(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let (lo, hi, len) = (0, call.size(1), call.xs().len() as u64);
        if hi > len {
            return Err(call.stop(TroubleKind::SliceOutOfRange { lo, hi, len }));
        }
        let (first, rest) = call.xs().split_at(hi as usize);
        let Type::Tuple(halves) = call.ty else {
            unreachable!("`split_at` gives a tuple");
        };
        let part = |xs: &[Value]| self.like(call.value(0), xs.to_vec(), &halves[0]);
        Ok(Value::Tuple(vec![part(first), part(rest)]))
    }

    pub(super) fn chain(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        self.rearranged(call, [call.xs(), call.array(1)].concat())
    }

    pub(super) fn repeat(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let (xs, times) = (call.xs(), call.size(1));
        let Some(sample) = xs.first() else {
            return self.rearranged(call, Vec::new());
        };
        self.room(xs.len() as u128 * u128::from(times), sample, call.src)?;
        self.rearranged(call, vec![xs; times as usize].concat())
    }

    pub(super) fn pairwise(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let function = call.function().expect("`pairwise` takes a function");
        let pairs = call.xs().windows(2);
        let results = pairs
            .map(|pair| self.call_closure(function, pair.to_vec()))
            .collect::<Result<_, _>>()?;
        Ok(self.computed(call, results, |machine| {
            vec![machine.argument(call, 0), machine.argument(call, 1)]
        }))
    }

    /// The first or last element, `found`.
    pub(super) fn end(&self, call: &Applied<'p>, found: Option<&Value>) -> Result<Value, Stop> {
        match found {
            None if self.in_ghost => Ok(self.sample(call.value(0), call.ty)),
            found => call.some_or_empty(found.cloned()),
        }
    }
}

impl Applied<'_> {
    /// `i` as a position in an array of `len` elements.
    pub(super) fn index(&self, index: u64, len: usize) -> Result<usize, Stop> {
        let len = len as u64;
        if index < len {
            Ok(index as usize)
        } else {
            Err(self.stop(TroubleKind::IndexOutOfRange { index, len }))
        }
    }

    pub(super) fn same_size(&self, left: usize, right: usize) -> Result<(), Stop> {
        let (left, right) = (left as u64, right as u64);
        if left == right {
            Ok(())
        } else {
            Err(self.stop(TroubleKind::SizeMismatch { left, right }))
        }
    }

    /// The second argument, or the length of the first if that is less.
    fn clamped(&self) -> usize {
        self.size(1).min(self.xs().len() as u64) as usize
    }
}

/// `xs` from back to front.
pub(super) fn reversed(xs: &[Value]) -> Vec<Value> {
    xs.iter().rev().cloned().collect()
}

/// The type of the elements of arrays of type `ty`.
pub(super) fn element(ty: &Type) -> &Type {
    let Type::Array(elem) = ty else {
        unreachable!("an array of enough levels");
    };
    elem
}
