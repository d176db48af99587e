//! Operators on the axes of arrays.

use super::arrays::element;
use super::machine::{Machine, Stop};
use super::prim::{Applied, index};
use super::trouble::TroubleKind;
use super::value::Value;
use crate::typed::ir::Type;

/// Largest number of elements of a sample that is made for an empty array of arrays.
const MOST_SAMPLES: u64 = 1 << 16;

impl<'p> Machine<'p> {
    pub(super) fn shape(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let Type::Tuple(extents) = call.ty else {
            unreachable!("`shape` gives a tuple");
        };
        let extents = call.extents(call.value(0), extents.len())?;
        Ok(Value::Tuple(extents.into_iter().map(index).collect()))
    }

    pub(super) fn transpose(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let (i, j) = (call.size(1) as usize, call.size(2) as usize);
        call.extents(call.value(0), j + 1)?;
        let mut leaf = call.ty;
        for _ in 0..=j {
            leaf = element(leaf);
        }
        let leaf = self.hollow(leaf);
        Ok(exchange(call.value(0), i, j, &leaf))
    }

    pub(super) fn flatten(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        Ok(self.joined(call.value(0), call.ty))
    }

    /// The elements of all `rows`, an array of type `ty`.
    pub(super) fn joined(&self, rows: &Value, ty: &Type) -> Value {
        let all = rows.elements().iter().map(Value::elements);
        let joined = all.collect::<Vec<_>>().concat();
        let sample = rows.sample().and_then(Value::sample).cloned();
        Value::array(joined, || {
            sample.unwrap_or_else(|| self.hollow(element(ty)))
        })
    }

    pub(super) fn reshape(&mut self, call: &Applied<'p>) -> Result<Value, Stop> {
        let extents: Vec<u64> = (1..call.count()).map(|i| call.size(i)).collect();
        let right = call.xs().len() as u64;
        let mut left = 1_u64;
        for extent in &extents {
            left = left.checked_mul(*extent).ok_or_else(|| {
                let right = *extent;
                call.stop(TroubleKind::SizeOverflow { left, right })
            })?;
        }
        if left != right {
            return Err(call.stop(TroubleKind::SizeMismatch { left, right }));
        }
        let mut leaf = call.ty;
        for _ in &extents {
            leaf = element(leaf);
        }
        let sample = self.sample(call.value(0), leaf);
        Ok(grouped(call.xs(), &extents, &sample))
    }

    /// Pieces of a size that is not 0.
    pub(super) fn pieces(
        &mut self,
        call: &Applied<'p>,
        cut: fn(&[Value], usize) -> Vec<Value>,
    ) -> Result<Value, Stop> {
        let size = call.size(1);
        if size == 0 {
            return Err(call.stop(TroubleKind::StepZero));
        }
        let pieces = cut(call.xs(), size as usize);
        let sample = self.sample(call.value(0), element(element(call.ty)));
        Ok(Value::array(pieces, || copies(&sample, size)))
    }
}

impl Applied<'_> {
    /// The extents of the first `rank` levels of `array`; arrays along an axis that differ in
    /// length are an error.
    fn extents(&self, array: &Value, rank: usize) -> Result<Vec<u64>, Stop> {
        let mut extents = vec![array.len()];
        if rank == 1 {
            return Ok(extents);
        }
        let mut inner: Option<Vec<u64>> = None;
        for row in array.elements().iter().chain(array.sample()) {
            let found = self.extents(row, rank - 1)?;
            let first = inner.get_or_insert_with(|| found.clone());
            if let Some((left, right)) = first.iter().zip(&found).find(|(a, b)| a != b) {
                let (left, right) = (*left, *right);
                return Err(self.stop(TroubleKind::SizeMismatch { left, right }));
            }
        }
        extents.extend(inner.unwrap_or_else(|| vec![0; rank - 1]));
        Ok(extents)
    }
}

/// Axes `i < j` of a rectangular array exchanged; elements `j + 1` levels inside look like `leaf`.
fn exchange(array: &Value, i: usize, j: usize, leaf: &Value) -> Value {
    if i > 0 {
        return each(array, |row| exchange(row, i - 1, j - 1, leaf));
    }
    if j == 1 {
        return exchange_first(array, leaf);
    }
    // Next to each other, exchanged, and back.
    let array = exchange(array, 1, j, leaf);
    let array = exchange_first(&array, leaf);
    exchange(&array, 1, j, leaf)
}

fn each(array: &Value, of_row: impl Fn(&Value) -> Value) -> Value {
    let rows = array.elements().iter().map(&of_row).collect();
    Value::array(rows, || match array.sample() {
        Some(sample) => of_row(sample),
        None => Value::Array(Vec::new()),
    })
}

fn exchange_first(array: &Value, leaf: &Value) -> Value {
    let rows = array.elements();
    let row = array.sample();
    let leaf = row.and_then(Value::sample).unwrap_or(leaf);
    let column = |j: usize| {
        let column = rows.iter().map(|row| row.elements()[j].clone()).collect();
        Value::array(column, || leaf.clone())
    };
    let columns = (0..row.map_or(0, Value::len) as usize)
        .map(column)
        .collect();
    Value::array(columns, || copies(leaf, array.len()))
}

/// `xs`, elements that look like `sample`, in arrays of `extents`.
fn grouped(xs: &[Value], extents: &[u64], sample: &Value) -> Value {
    let [_, inner @ ..] = extents else {
        return xs.first().unwrap_or(sample).clone();
    };
    if inner.is_empty() {
        return Value::array(xs.to_vec(), || sample.clone());
    }
    let size = inner.iter().product::<u64>() as usize;
    if xs.is_empty() {
        return empty(extents, sample);
    }
    let rows = xs.chunks(size).map(|row| grouped(row, inner, sample));
    Value::array(rows.collect(), || empty(inner, sample))
}

/// An array of `extents`, one of which is 0.
fn empty(extents: &[u64], sample: &Value) -> Value {
    match extents {
        [] => sample.clone(),
        [extent, inner @ ..] => copies(&empty(inner, sample), *extent),
    }
}

/// An array of `n` elements like `sample`, unless they are too many.
fn copies(sample: &Value, n: u64) -> Value {
    let n = if n > MOST_SAMPLES { 0 } else { n };
    Value::array(vec![sample.clone(); n as usize], || sample.clone())
}

/// Pieces of `k`, the last maybe shorter.
pub(super) fn chunks(xs: &[Value], k: usize) -> Vec<Value> {
    xs.chunks(k).map(Value::from).collect()
}

/// Pieces of `k`.
pub(super) fn chunks_exact(xs: &[Value], k: usize) -> Vec<Value> {
    xs.chunks_exact(k).map(Value::from).collect()
}

/// Runs of `k` neighbours.
pub(super) fn windows(xs: &[Value], k: usize) -> Vec<Value> {
    xs.windows(k).map(Value::from).collect()
}
