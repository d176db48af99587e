//! What a block reads of arrays along a row.
//!
//! In: the arrays and positions. Out: the fields of a row that hold these parts of arrays, those near
//! each other together, and the declarations of a block's elements of each.
//!
//! What lies one element beside another part of the same array is made of that in registers where the
//! run time can do so (its `beside.rs`).

use crate::fused::linear::Poly;
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

/// Spans of one array at known distances from each other, which a row holds in one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The number of one of them, the same one in each row if possible.
    pub of: usize,
    /// Elements before that one that are held as well.
    pub before: i64,
    /// Elements beyond the columns that are held, those before the first span included.
    pub more: i64,
}

/// Further apart, spans are not held together.
pub const FAR: i64 = 1 << 10;

impl Group {
    /// Where its elements begin, and those that the last of its spans may read.
    pub fn ends(&self, spans: &[Span]) -> [String; 2] {
        let start = &spans[self.of].start;
        let moved = |by: i64| match by {
            0 => start.clone(),
            _ if by < 0 => format!("{start}.wrapping_sub({})", by.unsigned_abs()),
            _ => format!("{start}.wrapping_add({by})"),
        };
        [moved(-self.before), moved(self.more - self.before)]
    }

    /// One of its spans.
    pub fn span<'a>(&self, spans: &'a [Span]) -> &'a Span {
        &spans[self.of]
    }
}

/// The groups of spans, and for each span its group and how many elements behind its first it starts.
///
/// Groups of one array hold equally many elements on both sides: so what one row reads below it and
/// the next one reads beside it is known to be the same.
pub fn groups(spans: &[Span]) -> (Vec<Group>, Vec<(usize, i64)>) {
    let distance = |from: &Span, to: &Span| match from.field == to.field {
        true => to.position.distance(&from.position),
        false => None,
    };
    let mut groups: Vec<Group> = Vec::new();
    for (at, span) in spans.iter().enumerate() {
        let known = groups.iter_mut().find_map(|group| {
            let behind = distance(&spans[group.of], span)?;
            (-FAR..=FAR).contains(&behind).then_some((group, behind))
        });
        let Some((group, behind)) = known else {
            groups.push(Group {
                of: at,
                before: 0,
                more: 0,
            });
            continue;
        };
        let before = group.before.max(-behind);
        group.more = (group.more - group.before).max(behind) + before;
        group.before = before;
        // Its position has no number in it, which is computed alike in all rows.
        if span.position.known_part() == 0 {
            (group.of, group.before) = (at, before + behind);
        }
    }
    widen(&mut groups, spans);
    let mut places = Vec::new();
    for span in spans {
        let mut all = groups.iter().enumerate();
        let place = all.find_map(|(at, group)| {
            let behind = distance(&spans[group.of], span)?.saturating_add(group.before);
            (0..=group.more).contains(&behind).then_some((at, behind))
        });
        places.push(place.expect("each span has a group"));
    }
    (groups, places)
}

/// Makes the groups of each array hold equally many elements on both sides.
fn widen(groups: &mut [Group], spans: &[Span]) {
    let ends = |group: &Group| {
        let known = spans[group.of].position.known_part();
        let low = known.saturating_sub(group.before);
        (low, low.saturating_add(group.more))
    };
    let all: Vec<(i64, i64)> = groups.iter().map(ends).collect();
    for at in 0..groups.len() {
        let field = &spans[groups[at].of].field;
        let alike = (0..all.len()).filter(|other| spans[groups[*other].of].field == *field);
        let (low, high) = alike.fold(all[at], |(low, high), other| {
            (low.min(all[other].0), high.max(all[other].1))
        });
        if high.saturating_sub(low) <= FAR {
            groups[at].before += all[at].0 - low;
            groups[at].more = high - low;
        }
    }
}

/// The fields of the row, and their values.
pub fn fields(spans: &[Span]) -> (String, String) {
    let (groups, _) = groups(spans);
    let all = || groups.iter().enumerate();
    let fields = all().map(|(at, group)| {
        let elem = &group.span(spans).elem;
        format!("s{at}: __r::Span<'a, {elem}>,")
    });
    let given = all().map(|(at, group)| {
        let (field, [start, _], more) = (&group.span(spans).field, group.ends(spans), group.more);
        format!("s{at}: __r::span(self.{field}, {start}, &columns, {more}),")
    });
    (fields.collect(), given.collect())
}

/// The name of the elements that a block reads of the span of this number.
pub fn block(at: usize) -> String {
    format!("b_{at}")
}

/// The declarations of these elements, which a function of the run time's spans gives.
pub fn blocks(spans: &[Span], load: &str) -> String {
    let mut text = String::new();
    let (ways, (_, places)) = (ways(spans), groups(spans));
    for (at, way) in ways.iter().enumerate() {
        let (group, behind) = places[at];
        let name = if matches!(way, Way::Loaded) { "b" } else { "n" };
        let _ = writeln!(
            text,
            "let {name}_{at} = self.s{group}.{load}::<{{ L }}>(at, {behind});",
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
pub enum Way {
    /// From memory.
    Loaded,
    /// From those of the span of this number, which are loaded and lie one element after.
    Before(usize),
    /// And one element before.
    After(usize),
}

/// As many spans as possible are made of others: first the neighbours of those that have two.
pub fn ways(spans: &[Span]) -> Vec<Way> {
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
