//! The feed of a pass, of what each of its sequences goes through.
//!
//! In: feeds that have sources in common. Out: one that has all of them. A sequence that is zipped with
//! another and used alone as well goes on when the other ends: see [`Feed::Beside`].

use super::ir::Feed;

/// The sources of `feed`, in order.
pub(super) fn leaves(feed: &Feed) -> Vec<usize> {
    match feed {
        Feed::One(source) => vec![*source],
        Feed::Zipped(feeds) | Feed::Beside(feeds, _) => feeds.iter().flat_map(leaves).collect(),
        Feed::After(both) => both.iter().flat_map(leaves).collect(),
        Feed::Until(feed, _) | Feed::AtMost(feed, _) => leaves(feed),
    }
}

/// Side by side, until the shortest ends; `None` if one source would be in several places.
pub(super) fn zipped(inputs: &[&Feed]) -> Option<Feed> {
    let mut all: Vec<Feed> = Vec::new();
    for part in inputs.iter().flat_map(|input| parts(input)) {
        if !all.contains(part) {
            all.push(part.clone());
        }
    }
    let mut sources: Vec<usize> = all.iter().flat_map(leaves).collect();
    let count = sources.len();
    sources.sort_unstable();
    sources.dedup();
    if sources.len() < count {
        return None;
    }
    match all.len() {
        1 => all.pop(),
        _several => Some(Feed::Zipped(all)),
    }
}

/// How many are side by side at most, in `feed` or a part of it.
pub(super) fn widest(feed: &Feed) -> usize {
    let within = |feeds: &[Feed]| feeds.iter().map(widest).max().unwrap_or(0);
    match feed {
        Feed::One(_) => 1,
        Feed::Zipped(feeds) | Feed::Beside(feeds, _) => within(feeds).max(feeds.len()),
        Feed::After(both) => within(&both[..]),
        Feed::Until(feed, _) | Feed::AtMost(feed, _) => widest(feed),
    }
}

/// What is side by side in `feed`.
fn parts(feed: &Feed) -> &[Feed] {
    match feed {
        Feed::Zipped(parts) | Feed::Beside(parts, _) => parts,
        one => std::slice::from_ref(one),
    }
}

/// The parts of `feed` of which each group of readers reads some.
fn groups(feed: &Feed) -> Vec<Vec<usize>> {
    match feed {
        Feed::Beside(_, groups) => groups.clone(),
        other => vec![(0..parts(other).len()).collect()],
    }
}

/// What has the items of both; `None` if a source would have to be at two places.
pub(super) fn merged(a: &Feed, b: &Feed) -> Option<Feed> {
    if a == b {
        return Some(a.clone());
    }
    if let Some(inside) = inside(a, b).or_else(|| inside(b, a)) {
        return inside;
    }
    let mut all = parts(a).to_vec();
    let mut reads = groups(a);
    let mut places = Vec::new();
    for (at, part) in parts(b).iter().enumerate() {
        let common = |it: &Feed| leaves(it).iter().any(|leaf| leaves(part).contains(leaf));
        let mut others = (0..all.len()).filter(|it| common(&all[*it]));
        let (place, more) = (others.next(), others.next());
        match place {
            None => {
                places.push(all.len());
                all.push(part.clone());
            }
            Some(place) if all[place] == *part => places.push(place),
            // One is a side of the other, or is in one: its items begin elsewhere, or end. So nothing may be
            // read together with either: that would have its own items at other places.
            Some(place) if more.is_none() => {
                let alone = |groups: &[Vec<usize>], at: usize| {
                    let mut with_it = groups.iter().filter(|it| it.contains(&at));
                    with_it.all(|it| it.len() == 1)
                };
                if !alone(&reads, place) || !alone(&groups(b), at) {
                    return None;
                }
                let both = (&all[place], part);
                all[place] = inside(both.0, both.1).or_else(|| inside(both.1, both.0))??;
                places.push(place);
            }
            Some(_several) => return None,
        }
    }
    for group in groups(b) {
        let mut group: Vec<usize> = group.into_iter().map(|it| places[it]).collect();
        group.sort_unstable();
        if !reads.contains(&group) {
            reads.push(group);
        }
    }
    Some(match (reads.len(), all.len()) {
        (1, 1) => all.remove(0),
        (1, _) => Feed::Zipped(all),
        _several => Feed::Beside(all, reads),
    })
}

/// `chained` with all of `part` in one of its sides, if that is where the sources are; the inner `None` if
/// they are there but in other places.
fn inside(chained: &Feed, part: &Feed) -> Option<Option<Feed>> {
    let Feed::After(both) = chained else {
        return None;
    };
    let sources = leaves(part);
    let has = |side: &Feed| sources.iter().all(|it| leaves(side).contains(it));
    let side = both.iter().position(has)?;
    Some(merged(&both[side], part).map(|side_of| {
        let mut both = both.clone();
        both[side] = side_of;
        Feed::After(both)
    }))
}

/// The parts of the innermost [`Feed::Beside`] that has several of which `own` needs some, and which these
/// are.
pub(super) fn beside<'f>(feed: &'f Feed, own: &Feed) -> Option<(&'f [Feed], Vec<usize>)> {
    let sources = leaves(own);
    let has = |part: &Feed| sources.iter().any(|it| leaves(part).contains(it));
    match feed {
        Feed::One(_) => None,
        Feed::Until(feed, _) | Feed::AtMost(feed, _) => beside(feed, own),
        Feed::Zipped(feeds) => only(feeds, has).and_then(|it| beside(it, own)),
        Feed::After(both) => only(&both[..], has).and_then(|it| beside(it, own)),
        Feed::Beside(feeds, _) => {
            let all: Vec<usize> = (0..feeds.len()).filter(|it| has(&feeds[*it])).collect();
            let within = match all.as_slice() {
                [one] if feeds[*one] != *own => beside(&feeds[*one], own),
                _several => None,
            };
            Some(within.unwrap_or((feeds, all)))
        }
    }
}

/// The one of `feeds` of which this holds; `None` if it holds of several.
fn only(feeds: &[Feed], holds: impl Fn(&Feed) -> bool) -> Option<&Feed> {
    let mut found = feeds.iter().filter(|it| holds(it));
    found.next().filter(|_| found.next().is_none())
}

/// Tells each part of a [`Feed::Beside`] that has this source, with all that is beside it.
pub(super) fn lagging(feed: &Feed, source: usize, tell: &mut dyn FnMut(&[Feed], &Feed)) {
    let (feeds, are_beside) = match feed {
        Feed::One(_) => return,
        Feed::Until(feed, _) | Feed::AtMost(feed, _) => return lagging(feed, source, tell),
        Feed::Zipped(feeds) => (feeds.as_slice(), false),
        Feed::Beside(feeds, _) => (feeds.as_slice(), true),
        Feed::After(both) => (&both[..], false),
    };
    for part in feeds.iter().filter(|it| leaves(it).contains(&source)) {
        if are_beside {
            tell(feeds, part);
        }
        lagging(part, source, tell);
    }
}
