//! Whether patterns cover all values of a type.
//!
//! In: patterns in order, without those that have guards. Out: a value that none of them takes.
//! Columns of a matrix are split by the constructors of their type: `true`/`false`, intervals of
//! integers between the bounds that occur, the one constructor of a product.

use super::literal;
use crate::prims::Scalar;
use crate::typed::ir::{Pattern, PatternKind, Type};

/// One row: a pattern per column; `None` matches anything.
type Row<'p> = Vec<Option<&'p Pattern>>;

/// A value of type `ty` that no pattern takes, as a pattern.
pub(super) fn missing(patterns: &[&Pattern], ty: &Type) -> Option<String> {
    let rows: Vec<Row<'_>> = patterns
        .iter()
        .map(|pattern| vec![Some(*pattern)])
        .collect();
    let witness = uncovered(rows, std::slice::from_ref(ty))?;
    witness.into_iter().next()
}

// A value per column that no row takes.
fn uncovered(rows: Vec<Row<'_>>, types: &[Type]) -> Option<Vec<String>> {
    let Some((ty, rest)) = types.split_first() else {
        return rows.is_empty().then(Vec::new);
    };
    let mut flat = Vec::with_capacity(rows.len());
    for row in rows {
        expand(row, &mut flat);
    }
    if flat.iter().all(|row| row[0].is_none()) {
        let rows = flat.iter().map(|row| row[1..].to_vec()).collect();
        return prefixed("_".into(), uncovered(rows, rest));
    }
    match ty {
        Type::Scalar(Scalar::Bool) => ["false", "true"].iter().enumerate().find_map(|(v, name)| {
            let value = v as i128;
            let rows = select(&flat, value, value);
            prefixed((*name).into(), uncovered(rows, rest))
        }),
        Type::Scalar(scalar) => match literal::int_range(*scalar) {
            Some(range) => intervals(&flat, *scalar, range, rest),
            None => {
                let open = flat.iter().filter(|row| row[0].is_none());
                let rows = open.map(|row| row[1..].to_vec()).collect();
                prefixed("_".into(), uncovered(rows, rest))
            }
        },
        Type::Tuple(_) | Type::Struct(_) => product(&flat, rest),
        Type::Array(_) => None,
    }
}

// One row per alternative, names taken off.
fn expand<'p>(row: Row<'p>, out: &mut Vec<Row<'p>>) {
    let with = |first: Option<&'p Pattern>| {
        let mut row = row.clone();
        row[0] = first;
        row
    };
    let Some(first) = row[0] else {
        return out.push(row);
    };
    match &first.kind {
        PatternKind::Wild | PatternKind::Bind(_, None) => out.push(with(None)),
        PatternKind::Bind(_, Some(inner)) => expand(with(Some(inner)), out),
        PatternKind::Or(alternatives) => {
            for alternative in alternatives {
                expand(with(Some(alternative)), out);
            }
        }
        PatternKind::Tuple(_) | PatternKind::Const(_) | PatternKind::Range { .. } => out.push(row),
    }
}

// The rows that take all integers from `lo` to `hi`, without their first column.
fn select<'p>(rows: &[Row<'p>], lo: i128, hi: i128) -> Vec<Row<'p>> {
    let takes = |row: &&Row<'p>| match row[0] {
        None => true,
        Some(pattern) => {
            let (first, last) = bounds(pattern);
            first <= lo && hi <= last
        }
    };
    rows.iter()
        .filter(takes)
        .map(|row| row[1..].to_vec())
        .collect()
}

// The interval that an integer pattern takes.
fn bounds(pattern: &Pattern) -> (i128, i128) {
    match &pattern.kind {
        PatternKind::Const(value) => (literal::as_int(*value), literal::as_int(*value)),
        PatternKind::Range { lo, hi } => (
            lo.map_or(i128::MIN, literal::as_int),
            hi.map_or(i128::MAX, literal::as_int),
        ),
        PatternKind::Wild | PatternKind::Bind(..) | PatternKind::Tuple(_) | PatternKind::Or(_) => {
            (i128::MIN, i128::MAX)
        }
    }
}

fn intervals(
    rows: &[Row<'_>],
    scalar: Scalar,
    (min, max): (i128, i128),
    rest: &[Type],
) -> Option<Vec<String>> {
    let mut starts = vec![min];
    for (lo, hi) in rows.iter().filter_map(|row| row[0]).map(bounds) {
        starts.push(lo.max(min));
        starts.push(hi.min(max) + 1);
    }
    starts.sort_unstable();
    starts.dedup();
    starts.retain(|start| *start <= max);
    starts.iter().enumerate().find_map(|(i, lo)| {
        let hi = starts.get(i + 1).map_or(max, |next| next - 1);
        let rows = select(rows, *lo, hi);
        prefixed(interval(*lo, hi, scalar), uncovered(rows, rest))
    })
}

fn interval(lo: i128, hi: i128, scalar: Scalar) -> String {
    let (min, max) = literal::int_range(scalar).unwrap_or((lo, hi));
    match (lo == min, hi == max) {
        _ if lo == hi => lo.to_string(),
        (true, true) => "_".into(),
        (true, false) => format!("..={hi}"),
        (false, true) => format!("{lo}.."),
        (false, false) => format!("{lo}..={hi}"),
    }
}

fn product(rows: &[Row<'_>], rest: &[Type]) -> Option<Vec<String>> {
    let fields = |pattern: &Pattern| match &pattern.kind {
        PatternKind::Tuple(fields) => Some(fields.iter().map(|f| f.ty.clone()).collect()),
        _ => None,
    };
    let inner: Vec<Type> = rows.iter().filter_map(|row| row[0]).find_map(fields)?;
    let count = inner.len();
    let rows: Vec<Row<'_>> = rows.iter().map(|row| opened(row, count)).collect();
    let types: Vec<Type> = inner.into_iter().chain(rest.iter().cloned()).collect();
    let mut witness = uncovered(rows, &types)?;
    let after = witness.split_off(count);
    prefixed(format!("({})", witness.join(", ")), Some(after))
}

fn opened<'p>(row: &Row<'p>, count: usize) -> Row<'p> {
    let mut out: Row<'p> = match row[0].map(|pattern| &pattern.kind) {
        Some(PatternKind::Tuple(fields)) => fields.iter().map(Some).collect(),
        _ => vec![None; count],
    };
    out.extend_from_slice(&row[1..]);
    out
}

fn prefixed(first: String, rest: Option<Vec<String>>) -> Option<Vec<String>> {
    let mut rest = rest?;
    rest.insert(0, first);
    Some(rest)
}
