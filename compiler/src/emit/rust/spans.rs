//! What a block reads of arrays along a row.
//!
//! In: the arrays and positions. Out: the fields of a row that hold these parts of arrays, and the
//! declarations of a block's elements of each.
//!
//! What lies one element beside another part of the same array is made of that in registers where the
//! run time can do so (its `beside.rs`).

use crate::emit::rust::linear::Poly;
use std::fmt::Write;

/// A part of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The field that holds the array, and the type of its elements.
    pub field: String,
    /// See `field`.
    pub elem: String,
    /// The position of its first element, which is that of column `start`.
    pub start: String,
    /// The position as a polynomial.
    pub position: Poly,
}

impl Span {
    fn is_beside(&self, other: &Span, by: i64) -> bool {
        self.field == other.field && self.position.clone().moved(by) == other.position
    }
}

/// The fields of the row, and their values.
pub fn fields(spans: &[Span]) -> (String, String) {
    let all = || spans.iter().enumerate();
    let fields = all().map(|(at, it)| format!("s{at}: &'a [{}],", it.elem));
    let given = all().map(|(at, it)| {
        format!(
            "s{at}: __r::span(self.{}, {}, &columns),",
            it.field, it.start
        )
    });
    (fields.collect(), given.collect())
}

/// The name of the elements that a block reads of the span of this number.
pub fn block(at: usize) -> String {
    format!("b_{at}")
}

/// The declarations of these elements.
pub fn blocks(spans: &[Span]) -> String {
    let mut text = String::new();
    let ways = ways(spans);
    for (at, (span, way)) in spans.iter().zip(&ways).enumerate() {
        let name = if matches!(way, Way::Loaded) { "b" } else { "n" };
        let _ = writeln!(
            text,
            "let {name}_{at} = __r::load_row::<{}, {{ L }}>(self.s{at}, at);",
            span.elem
        );
    }
    for (at, (span, way)) in spans.iter().zip(&ways).enumerate() {
        let (side, of) = match way {
            Way::Loaded => continue,
            Way::Before(of) => ("before", of),
            Way::After(of) => ("after", of),
        };
        let _ = writeln!(
            text,
            "let b_{at} = __r::{side}::<{}, {{ L }}, F>(b_{of}, n_{at}, flag);",
            span.elem
        );
    }
    text
}

/// How a block gets the elements of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Loaded,
    /// From those of the span of this number, which are loaded and lie one element after.
    Before(usize),
    /// And one element before.
    After(usize),
}

/// As many spans as possible are made of others: first the neighbours of those that have two.
fn ways(spans: &[Span]) -> Vec<Way> {
    let beside = |at: usize, by| spans.iter().position(|it| spans[at].is_beside(it, by));
    let mut ways: Vec<Option<Way>> = vec![None; spans.len()];
    for sides in [2, 1] {
        for at in 0..spans.len() {
            let (left, right) = (beside(at, -1), beside(at, 1));
            let made = matches!(ways[at], Some(Way::Before(_) | Way::After(_)));
            if made || left.iter().chain(&right).count() < sides {
                continue;
            }
            ways[at] = Some(Way::Loaded);
            let neighbours = [(left, Way::Before(at)), (right, Way::After(at))];
            for (other, way) in neighbours {
                if let Some(other) = other {
                    ways[other].get_or_insert(way);
                }
            }
        }
    }
    ways.into_iter()
        .map(|way| way.unwrap_or(Way::Loaded))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::rust::linear::{Defs, normal};
    use crate::ids::Var;
    use crate::shaped::ir::Atom;

    fn spans(positions: &[(&str, i64)]) -> Vec<Span> {
        let span = |(field, by): &(&str, i64)| Span {
            field: (*field).to_owned(),
            elem: "f32".to_owned(),
            start: by.to_string(),
            position: normal(Atom::Var(Var(0)), &Defs::new()).moved(*by),
        };
        positions.iter().map(span).collect()
    }

    #[test]
    fn neighbours_of_one_that_is_loaded_are_made_of_it() {
        use Way::{After, Before, Loaded};
        let of = |positions: &[(&str, i64)]| ways(&spans(positions));
        assert_eq!(of(&[("x", 0), ("x", 2)]), [Loaded, Loaded]);
        assert_eq!(of(&[("x", 0), ("y", 1)]), [Loaded, Loaded]);
        assert_eq!(of(&[("x", 1), ("x", 0)]), [Loaded, Before(0)]);
        assert_eq!(
            of(&[("x", -1), ("x", 0), ("x", 1)]),
            [Before(1), Loaded, After(1)]
        );
        assert_eq!(
            of(&[("x", -2), ("x", -1), ("x", 0), ("x", 1), ("x", 2)]),
            [Before(1), Loaded, After(1), Loaded, After(3)]
        );
    }

    #[test]
    fn a_block_is_declared_after_the_one_that_it_is_made_of() {
        let text = blocks(&spans(&[("x", 0), ("x", 1)]));
        let of = |what: &str| text.find(what).expect("it is declared");
        assert!(of("let b_0 = ") < of("let b_1 = __r::after::<f32, { L }, F>(b_0, n_1, flag)"));
    }
}
