//! What the user's values become, for EXPLAIN: which representation each has, and which are read by
//! bodies inside of which they are constant.
//!
//! In: values where they are bound and used. Out: a row of [`Named`] per local, or per component
//! where these differ.

use super::ir::Atom;
use super::lower::Lower;
use super::outside::Outside;
use super::plan::is_regular;
use super::value::{Array, Elem, Value};
use crate::ids::LocalId;
use crate::typed::ir::Function;
use crate::values::{Named, Repr};

/// What is noted of a local, or of the result. Places are asked for at the end alone: inside of a
/// macro that takes rustc's time.
pub(super) struct Note<'p> {
    function: &'p Function,
    local: Option<LocalId>,
    name: String,
    repr: Repr,
    replicated: bool,
    /// What the local has become: stands for the notes before of the same that are not more. They are left
    /// where they are, since what is lowered again takes back the notes that it has added.
    raised: bool,
}

impl Note<'_> {
    fn is_of(&self, function: &Function, local: Option<LocalId>) -> bool {
        std::ptr::eq(self.function, function) && self.local == local
    }

    fn stands_for(&self, before: &Note<'_>) -> bool {
        let same = self.is_of(before.function, before.local) && self.name == before.name;
        self.raised && same && self.repr >= before.repr
    }

    fn named(self) -> Named {
        let local = self.local.map(|it| &self.function.locals[it.index()]);
        Named {
            name: self.name,
            src: local.map_or(self.function.src, |local| local.src),
            repr: self.repr,
            replicated: self.replicated,
        }
    }
}

/// For EXPLAIN.
pub(super) fn named(mut notes: Vec<Note<'_>>) -> Vec<Named> {
    let mut at = notes.len();
    while let Some(last) = notes[..at].iter().rposition(|it| it.raised) {
        let (before, rest) = notes.split_at(last);
        let stays: Vec<bool> = before.iter().map(|it| !rest[0].stands_for(it)).collect();
        at = stays.iter().filter(|stays| **stays).count();
        let mut stays = stays.into_iter();
        notes.retain(|_| stays.next().unwrap_or(true));
    }
    notes.into_iter().map(Note::named).collect()
}

impl Lower<'_> {
    /// Notes what the value of a local of the user's is.
    pub(super) fn note_local(&mut self, local: LocalId, value: &Value) {
        let locals = &self.frames[self.frame].function.locals;
        if let Some(info) = locals.get(local.index()).filter(|it| !it.temporary) {
            self.note(Some(local), &info.name, value);
        }
    }

    /// Notes what the value of a local of the user's has become: what it is at last is the least that does
    /// for all of its values.
    pub(super) fn note_assigned(&mut self, local: LocalId) {
        let function = self.frames[self.frame].function;
        let value = self.locals(&[local]).remove(0);
        let info = function.locals.get(local.index());
        let Some(info) = info.filter(|it| !it.temporary && value.has_array()) else {
            return;
        };
        for (name, repr) in self.parts_by_name(&info.name, &value) {
            let live = self.live(function, Some(local), &name, repr);
            let less = self.notes[live..]
                .iter()
                .filter(|it| it.is_of(function, Some(local)) && it.name == name && it.repr < repr);
            if let Some(replicated) = less.map(|it| it.replicated).reduce(|any, it| any | it) {
                self.notes.push(Note {
                    function,
                    local: Some(local),
                    name,
                    repr,
                    replicated,
                    raised: true,
                });
            }
        }
    }

    /// Where notes begin that nothing stands for which is at least `repr`.
    fn live(&self, function: &Function, local: Option<LocalId>, name: &str, repr: Repr) -> usize {
        let mut notes = self.notes.iter();
        let last = notes.rposition(|it| {
            it.raised && it.is_of(function, local) && it.name == name && it.repr >= repr
        });
        last.unwrap_or(0)
    }

    /// Notes what the result is.
    pub(super) fn note_result(&mut self, value: &Value) {
        self.note(None, "", value);
    }

    /// Notes that a local of the user's is read; it is replicated if that is in more bodies than it
    /// was bound in.
    pub(super) fn note_use(&mut self, local: LocalId) {
        let frame = &self.frames[self.frame];
        let (depth, function) = (frame.depths.get(local.index()), frame.function);
        if depth.is_some_and(|depth| *depth < self.bodies.len()) {
            let notes = self.notes.iter_mut();
            let notes = notes.filter(|it| it.is_of(function, Some(local)));
            notes.for_each(|it| it.replicated = true);
        }
    }

    fn note(&mut self, local: Option<LocalId>, name: &str, value: &Value) {
        let replicated = value.has_array() && self.is_replicated(value);
        for (name, repr) in self.parts_by_name(name, value) {
            self.note_part(local, name, repr, replicated);
        }
    }

    /// The components of a value and their representations, or the whole where these are one.
    fn parts_by_name(&self, name: &str, value: &Value) -> Vec<(String, Repr)> {
        let mut parts = Vec::new();
        self.parts_of(value, name.to_owned(), &mut parts);
        match parts.first() {
            Some((_, first)) if parts.iter().all(|(_, repr)| repr == first) => {
                vec![(name.to_owned(), *first)]
            }
            Some(_) | None => parts,
        }
    }

    /// A closure that is lowered again, or a function that is called again, has nothing to add.
    fn note_part(&mut self, local: Option<LocalId>, name: String, repr: Repr, replicated: bool) {
        let function = self.frames[self.frame].function;
        let live = self.live(function, local, &name, repr);
        let mut notes = self.notes[live..].iter_mut();
        let known =
            notes.find(|it| it.is_of(function, local) && it.repr == repr && it.name == name);
        match known {
            Some(known) => known.replicated |= replicated,
            None => self.notes.push(Note {
                function,
                local,
                name,
                repr,
                replicated,
                raised: false,
            }),
        }
    }

    /// The components of a product, each with its own representation.
    fn parts_of(&self, value: &Value, name: String, out: &mut Vec<(String, Repr)>) {
        match value {
            Value::Scalar(_) => out.push((name, Repr::Avoided)),
            Value::Product(parts) => {
                for (at, part) in parts.iter().enumerate() {
                    self.parts_of(part, format!("{name}.{at}"), out);
                }
            }
            Value::Array(array) => self.parts_of_array(array, &array.elem, name, out),
        }
    }

    fn parts_of_array(
        &self,
        array: &Array,
        elem: &Elem,
        name: String,
        out: &mut Vec<(String, Repr)>,
    ) {
        if let Elem::Product(parts) = elem {
            for (at, part) in parts.iter().enumerate() {
                self.parts_of_array(array, part, format!("{name}.{at}"), out);
            }
            return;
        }
        let part = Array {
            extent: array.extent.clone(),
            elem: elem.clone(),
        };
        out.push((name, self.repr_of(&part)));
    }

    fn repr_of(&self, array: &Array) -> Repr {
        let flat = matches!(array.elem, Elem::Leaf(_));
        // What is constant in a body is what it is outside.
        let around = &self.bodies[..self.depth_of(&Value::Array(array.clone()))];
        match around.first() {
            None if flat => Repr::Avoided,
            None if array.elem.has_rows() => Repr::Irregular,
            None => Repr::Regular,
            Some(outermost) => {
                let outside = self.with_movable(outermost);
                let mut array = array.clone();
                if let Some(len) = self.found_length(&array.extent) {
                    array.extent = len.clone();
                }
                match is_regular(self, &outside, &array) {
                    true => Repr::Regular,
                    false => Repr::Irregular,
                }
            }
        }
    }

    /// Whether a value is the same at all indices of the innermost body.
    pub(super) fn is_replicated(&self, value: &Value) -> bool {
        self.depth_of(value) < self.bodies.len()
    }

    /// How many of the bodies that are open a value depends on: it is constant in those inside.
    fn depth_of(&self, value: &Value) -> usize {
        let mut atoms = Vec::new();
        value.mentions(&mut atoms);
        let newest = atoms.iter().filter_map(|atom| match atom {
            Atom::Var(var) => Some(var.index()),
            Atom::Const(_) => None,
        });
        let newest = newest.max();
        let outside = |body: &&Outside| newest.is_some_and(|newest| newest >= body.vars);
        self.bodies.iter().take_while(outside).count()
    }
}
