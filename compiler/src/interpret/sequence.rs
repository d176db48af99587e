//! Sequences: items that are computed when they are asked for.
//!
//! In: operators of sequences. Out: items in order, each computed once, and no further than a reader
//! asks: so a sequence may be endless, and what fails behind the last item that is asked for does not
//! fail. An operator of a sequence gives of a few items what it gives of an array of these.

use super::machine::{Machine, Stop};
use super::prim::{Applied, index};
use super::scan::{Begun, Prefixes};
use super::value::Value;
use crate::prims::Prim;
use crate::typed::ir::{Expr, ExprKind};
use crate::typed::recognise::at_a_time;
use std::rc::Rc;

/// A sequence.
pub(super) struct Sequence<'p> {
    origin: Origin<'p>,
    /// The items so far.
    made: Vec<Value>,
    /// How many items of those that it is made of have been used.
    used: usize,
    /// Whether there are no further ones.
    is_over: bool,
    /// What a scan goes on from.
    begun: Option<Begun>,
}

/// What makes a sequence.
#[derive(Clone)]
enum Origin<'p> {
    /// An array.
    Items(Rc<Value>),
    /// An operator of other sequences, or [`Prim::Generate`].
    Operator {
        prim: Prim,
        inputs: Vec<usize>,
        call: Rc<Applied<'p>>,
    },
}

/// Whether an operator gives a sequence of a sequence.
fn gives_sequence(prim: Prim) -> bool {
    matches!(
        prim,
        Prim::Map
            | Prim::Zip
            | Prim::Chain
            | Prim::Enumerate
            | Prim::Filter
            | Prim::FlatMap
            | Prim::Take
            | Prim::TakeWhile
            | Prim::Skip
            | Prim::Scan
            | Prim::Prescan
            | Prim::Chunks
            | Prim::ChunksExact
            | Prim::Windows
    )
}

impl<'p> Machine<'p> {
    /// The elements of an array as a sequence; one stays what it is.
    pub(super) fn items(&mut self, array: Value) -> Value {
        match array {
            Value::Seq(seq) => Value::Seq(seq),
            array => self.sequence(Origin::Items(Rc::new(array))),
        }
    }

    /// `array` as a sequence; of what a function of numbers gives, no number is used before it must.
    pub(super) fn streamed(&mut self, array: &'p Expr) -> Result<Value, Stop> {
        if let ExprKind::Prim {
            prim: Prim::Generate,
            args,
            fns,
        } = &array.kind
        {
            let call = self.applied(array, args, fns)?;
            return Ok(self.operator_of(Prim::Generate, Vec::new(), call));
        }
        let array = self.eval(array)?;
        Ok(self.items(array))
    }

    fn sequence(&mut self, origin: Origin<'p>) -> Value {
        self.sequences.push(Sequence {
            origin,
            made: Vec::new(),
            used: 0,
            is_over: false,
            begun: None,
        });
        Value::Seq(self.sequences.len() - 1)
    }

    fn operator_of(&mut self, prim: Prim, inputs: Vec<usize>, mut call: Applied<'p>) -> Value {
        call.each_function(|function| self.held(function));
        let call = Rc::new(call);
        self.sequence(Origin::Operator { prim, inputs, call })
    }

    /// An operator of sequences if `call` is one, or else with the array of all items for each.
    pub(super) fn of_sequences(
        &mut self,
        prim: Prim,
        mut call: Applied<'p>,
    ) -> Result<Result<Value, Applied<'p>>, Stop> {
        let args = (0..call.count()).map(|at| call.value(at));
        let inputs = args.filter_map(|arg| match arg {
            Value::Seq(seq) => Some(*seq),
            Value::Scalar(_) | Value::Tuple(_) | Value::Array(_) | Value::Empty(_) => None,
        });
        let inputs: Vec<usize> = inputs.collect();
        if inputs.is_empty() {
            return Ok(Err(call));
        }
        if gives_sequence(prim) {
            return Ok(Ok(self.operator_of(prim, inputs, call)));
        }
        let all: Result<Vec<Value>, Stop> =
            inputs.into_iter().map(|seq| self.collected(seq)).collect();
        call = call.of(all?);
        Ok(Err(call))
    }

    /// All items of a sequence, as an array.
    pub(super) fn collected(&mut self, seq: usize) -> Result<Value, Stop> {
        while !self.sequences[seq].is_over {
            self.more(seq)?;
        }
        match self.sequences[seq].made.is_empty() {
            true => self.none_of(seq),
            false => Ok(Value::Array(self.sequences[seq].made.clone())),
        }
    }

    /// An array of no items of a sequence; see Note [Empty arrays].
    fn none_of(&mut self, seq: usize) -> Result<Value, Stop> {
        match self.sequences[seq].origin.clone() {
            Origin::Items(array) => Ok(match array.sample() {
                Some(sample) => Value::array(Vec::new(), || sample.clone()),
                None => Value::Array(Vec::new()),
            }),
            Origin::Operator {
                prim: Prim::Generate,
                call,
                ..
            } => self.apply(Prim::Generate, &call.of(vec![index(0)])),
            Origin::Operator { prim, inputs, call } => {
                let inputs: Result<Vec<Value>, Stop> =
                    inputs.into_iter().map(|seq| self.none_of(seq)).collect();
                self.apply(prim, &call.of(inputs?))
            }
        }
    }

    /// Item `at` of a sequence, if it has so many.
    fn item(&mut self, seq: usize, at: usize) -> Result<Option<Value>, Stop> {
        while self.sequences[seq].made.len() <= at && !self.sequences[seq].is_over {
            self.more(seq)?;
        }
        Ok(self.sequences[seq].made.get(at).cloned())
    }

    /// The next items, up to `count` of them, behind those that `seq` has used of `input`.
    fn next(&mut self, seq: usize, input: usize, count: usize) -> Result<Vec<Value>, Stop> {
        let mut items = Vec::new();
        while items.len() < count {
            let at = self.sequences[seq].used + items.len();
            match self.item(input, at)? {
                Some(item) => items.push(item),
                None => break,
            }
        }
        Ok(items)
    }

    /// Takes one step: there are further items then, or none are left, or another step is needed.
    fn more(&mut self, seq: usize) -> Result<(), Stop> {
        let (prim, inputs, call) = match self.sequences[seq].origin.clone() {
            Origin::Items(array) => {
                self.sequences[seq].made = array.elements().to_vec();
                self.sequences[seq].is_over = true;
                return Ok(());
            }
            Origin::Operator { prim, inputs, call } => (prim, inputs, call),
        };
        self.spend(1, call.src)?;
        let used = self.sequences[seq].used;
        let items = match prim {
            Prim::Generate => {
                let function = call.function().expect("it takes a function");
                let is_there = (used as u64) < call.size(0);
                let next = is_there.then(|| self.call_closure(function, vec![index(used as u64)]));
                next.transpose()?.map(|item| (vec![item], 1))
            }
            Prim::Map | Prim::Filter | Prim::FlatMap => {
                let next = self.next(seq, inputs[0], 1)?;
                self.of_some(prim, &call, next, 1)?
            }
            Prim::TakeWhile => {
                let next = self.next(seq, inputs[0], 1)?;
                let some = self.of_some(prim, &call, next, 1)?;
                some.filter(|(items, _)| !items.is_empty())
            }
            Prim::Enumerate => self
                .item(inputs[0], used)?
                .map(|item| (vec![Value::Tuple(vec![index(used as u64), item])], 1)),
            Prim::Zip => self.side_by_side(&inputs, used)?,
            Prim::Chain => match self.item(inputs[0], used)? {
                Some(item) => Some((vec![item], 1)),
                None => {
                    let first = self.sequences[inputs[0]].made.len();
                    let next = self.item(inputs[1], used - first)?;
                    next.map(|item| (vec![item], 1))
                }
            },
            Prim::Take if used as u64 == call.size(1) => None,
            Prim::Take => self.item(inputs[0], used)?.map(|item| (vec![item], 1)),
            Prim::Skip => {
                let first = usize::try_from(call.size(1)).unwrap_or(usize::MAX);
                let next = self.item(inputs[0], first.saturating_add(used))?;
                next.map(|item| (vec![item], 1))
            }
            Prim::Scan | Prim::Prescan => self.prefixes(seq, prim, inputs[0], &call)?,
            Prim::Chunks | Prim::ChunksExact => {
                let count = call.size(1) as usize;
                let next = self.next(seq, inputs[0], count)?;
                match count {
                    0 => Some((self.apply(prim, &call.of(vec![Value::Array(next)]))?, 0))
                        .map(|(none, used)| (none.into_elements(), used)),
                    _some => self.of_some(prim, &call, next, count)?,
                }
            }
            Prim::Windows => {
                let next = self.next(seq, inputs[0], call.size(1) as usize)?;
                let windows = self.apply(prim, &call.of(vec![Value::Array(next)]))?;
                let windows = windows.into_elements();
                (!windows.is_empty()).then_some((windows, 1))
            }
            other => unreachable!("{other:?} gives no sequence"),
        };
        let sequence = &mut self.sequences[seq];
        match items {
            Some((items, used)) => {
                sequence.made.extend(items);
                sequence.used += used;
            }
            None => sequence.is_over = true,
        }
        Ok(())
    }

    /// What an operator gives of some items, and how many these are; `None` of none.
    fn of_some(
        &mut self,
        prim: Prim,
        call: &Applied<'p>,
        items: Vec<Value>,
        used: usize,
    ) -> Result<Option<(Vec<Value>, usize)>, Stop> {
        if items.is_empty() {
            return Ok(None);
        }
        let result = self.apply(prim, &call.of(vec![Value::Array(items)]))?;
        self.spend(result.weight(), call.src)?;
        Ok(Some((result.into_elements(), used)))
    }

    /// One item of each, if none has ended: then it does not matter whether another's next one fails.
    fn side_by_side(
        &mut self,
        inputs: &[usize],
        at: usize,
    ) -> Result<Option<(Vec<Value>, usize)>, Stop> {
        let items: Vec<_> = inputs.iter().map(|input| self.item(*input, at)).collect();
        if items.iter().any(|item| matches!(item, Ok(None))) {
            return Ok(None);
        }
        let items: Result<Vec<Option<Value>>, Stop> = items.into_iter().collect();
        let items = items?.into_iter().flatten().collect();
        Ok(Some((vec![Value::Tuple(items)], 1)))
    }

    /// Prefixes of the next items, in the order of combination of those of an array.
    fn prefixes(
        &mut self,
        seq: usize,
        prim: Prim,
        input: usize,
        call: &Applied<'p>,
    ) -> Result<Option<(Vec<Value>, usize)>, Stop> {
        let ops = call.operator(self).recognised;
        let item = super::arrays::element(call.ty);
        let count = at_a_time(ops.as_deref(), item, self.program);
        let next = self.next(seq, input, count)?;
        let Some(sample) = next.first() else {
            return Ok(None);
        };
        let begun = self.sequences[seq].begun.take();
        let mut operator = call.operator(self);
        let (which, start) = match prim {
            Prim::Prescan => (Prefixes::Exclusive, Some(call.value(1).clone())),
            _scan => (Prefixes::Inclusive, operator.neutral(sample)),
        };
        let mut begun = begun.unwrap_or_else(|| Begun::from(start));
        let prefixes = operator.scan_next(which, &mut begun, &next)?;
        drop(operator);
        self.sequences[seq].begun = Some(begun);
        Ok(Some((prefixes, next.len())))
    }
}
