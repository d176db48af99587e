//! The state of a run: frames of locals, the step limit, and how an evaluation ends early.

use super::MOST_ELEMENTS;
use super::scalar::Maths;
use super::sequence::Sequence;
use super::trouble::{Trouble, TroubleKind};
use super::value::Value;
use crate::ids::LocalId;
use crate::source::SrcSpan;
use crate::typed::ir::{FnValue, Function, Lambda, LoopId, Program};
use std::rc::Rc;

/// The state of a run.
pub(super) struct Machine<'p> {
    pub(super) program: &'p Program,
    pub(super) maths: &'p dyn Maths,
    /// One for each call in progress, innermost last.
    pub(super) frames: Vec<Frame<'p>>,
    /// Copies of frames, for what functions of items read: see [`Machine::held`].
    held: Vec<Frame<'p>>,
    /// The frame whose locals are read and written: the last, or, in a closure that was passed
    /// down, that of the function it was written in.
    pub(super) current: Place,
    /// All that have been made, by what [`Value::Seq`] holds.
    pub(super) sequences: Vec<Sequence<'p>>,
    pub(super) steps_left: u64,
    /// Only lengths in results are wanted: see Note [Empty arrays].
    pub(super) in_ghost: bool,
    /// Nothing prints.
    pub(super) silent: bool,
    /// No operator is recognised.
    pub(super) in_order: bool,
}

/// Where a frame is: among those of calls in progress, or kept.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Call(usize),
    Held(usize),
}

/// The locals of a call in progress, by [`LocalId`].
#[derive(Clone)]
pub(super) struct Frame<'p> {
    values: Vec<Option<Rc<Value>>>,
    functions: Vec<Option<Closure<'p>>>,
}

/// A closure and the frame that it was written in. That frame is further down and alive, since
/// functions are only ever passed as arguments; it is suspended, and closures assign none of its
/// locals, so that the closure sees the locals as they were when it was passed. (A function of items
/// runs later: its frame is a copy.)
#[derive(Clone, Copy)]
pub(super) struct Closure<'p> {
    pub(super) lambda: &'p Lambda,
    pub(super) frame: Place,
}

/// Why an evaluation gives no value.
pub(super) enum Stop {
    /// A run-time error.
    Trouble(Trouble),
    /// `break`, on its way to its loop.
    Break(LoopId, Option<Value>),
    /// `continue`, on its way to its loop.
    Continue(LoopId),
}

impl Stop {
    /// The error that ended the run.
    pub(super) fn into_trouble(self) -> Trouble {
        match self {
            Stop::Trouble(trouble) => trouble,
            Stop::Break(..) | Stop::Continue(_) => unreachable!("each jump has a loop around it"),
        }
    }
}

/// The run-time error `kind` at `src`.
pub(super) fn stop(kind: TroubleKind, src: SrcSpan) -> Stop {
    Stop::Trouble(Trouble::new(kind, src))
}

impl<'p> Frame<'p> {
    /// A frame for a call of `function`, with all locals unset.
    pub(super) fn new(function: &Function) -> Self {
        Frame {
            values: vec![None; function.locals.len()],
            functions: vec![None; function.locals.len()],
        }
    }
}

impl<'p> Machine<'p> {
    /// Before the first call.
    pub(super) fn new(program: &'p Program, maths: &'p dyn Maths, steps: u64) -> Self {
        Machine {
            program,
            maths,
            frames: Vec::new(),
            held: Vec::new(),
            current: Place::Call(0),
            sequences: Vec::new(),
            steps_left: steps,
            in_ghost: false,
            silent: false,
            in_order: false,
        }
    }

    /// Takes `steps` steps.
    pub(super) fn spend(&mut self, steps: u64, src: SrcSpan) -> Result<(), Stop> {
        match self.steps_left.checked_sub(steps) {
            Some(left) => {
                self.steps_left = left;
                Ok(())
            }
            None => Err(stop(TroubleKind::OutOfFuel, src)),
        }
    }

    /// Before making an array of `size` elements like `sample`: whether it fits.
    pub(super) fn room(&mut self, size: u128, sample: &Value, src: SrcSpan) -> Result<usize, Stop> {
        if size > u128::from(MOST_ELEMENTS) {
            let size = u64::try_from(size).unwrap_or(u64::MAX);
            return Err(stop(TroubleKind::TooLarge { size }, src));
        }
        let size = size as u64;
        self.spend(size.saturating_mul(sample.weight()), src)?;
        Ok(size as usize)
    }

    /// The value of `local`.
    pub(super) fn read(&self, local: LocalId) -> &Rc<Value> {
        let value = &self.frame(self.current).values[local.index()];
        value.as_ref().expect("a local is set before it is read")
    }

    /// Sets `local`.
    pub(super) fn set(&mut self, local: LocalId, value: Value) {
        self.frame_mut().values[local.index()] = Some(Rc::new(value));
    }

    /// The value of `local`, to be changed in place.
    pub(super) fn change(&mut self, local: LocalId) -> &mut Value {
        let value = &mut self.frame_mut().values[local.index()];
        Rc::make_mut(value.as_mut().expect("a local is set before it is changed"))
    }

    /// Sets the function-typed parameter `local`.
    pub(super) fn set_function(&mut self, local: LocalId, closure: Closure<'p>) {
        self.frame_mut().functions[local.index()] = Some(closure);
    }

    /// What the function-typed parameter `local` was given.
    pub(super) fn function(&self, local: LocalId) -> Closure<'p> {
        let closure = self.frame(self.current).functions[local.index()];
        closure.expect("a function-typed parameter is set on entry")
    }

    fn frame(&self, place: Place) -> &Frame<'p> {
        match place {
            Place::Call(at) => &self.frames[at],
            Place::Held(at) => &self.held[at],
        }
    }

    fn frame_mut(&mut self) -> &mut Frame<'p> {
        match self.current {
            Place::Call(at) => &mut self.frames[at],
            Place::Held(at) => &mut self.held[at],
        }
    }

    /// The closure with the locals as they are now, for later: what made it may have returned then.
    pub(super) fn held(&mut self, closure: Closure<'p>) -> Closure<'p> {
        let Place::Call(_) = closure.frame else {
            return closure;
        };
        let mut frame = self.frame(closure.frame).clone();
        for function in frame.functions.iter_mut().flatten() {
            *function = self.held(*function);
        }
        self.held.push(frame);
        Closure {
            frame: Place::Held(self.held.len() - 1),
            ..closure
        }
    }

    /// The closure that is passed.
    pub(super) fn closure(&self, value: &'p FnValue) -> Closure<'p> {
        match value {
            FnValue::Lambda(lambda) => {
                let frame = self.current;
                Closure { lambda, frame }
            }
            FnValue::Local(local) => self.function(*local),
        }
    }
}

/// A value, or a part of one, that is read without being copied.
#[derive(Clone)]
pub(super) struct View {
    root: Rc<Value>,
    path: Vec<usize>,
}

impl View {
    /// All of `root`.
    pub(super) fn new(root: Rc<Value>) -> Self {
        let path = Vec::new();
        View { root, path }
    }

    /// Component or element `i` of it.
    pub(super) fn part(mut self, i: usize) -> Self {
        self.path.push(i);
        self
    }

    /// What is viewed.
    pub(super) fn get(&self) -> &Value {
        self.path.iter().fold(&self.root, |value, i| value.part(*i))
    }

    /// A copy of what is viewed.
    pub(super) fn value(&self) -> Value {
        self.get().clone()
    }

    /// The elements of the array that is viewed.
    pub(super) fn elements(&self) -> &[Value] {
        self.get().elements()
    }
}
