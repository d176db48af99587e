//! Parquet files.
//!
//! In: a file. Out: record batches.
//! Assumes: nothing.

use ::parquet::arrow::ProjectionMask;
use ::parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use ::parquet::errors::ParquetError;
use ::parquet::file::reader::ChunkReader;

use crate::error::{Error, Result};

/// The rows of a batch: enough that what a batch costs does not count.
const ROWS: usize = 4096;

/// Record batches with these columns of a file, for [`items`](crate::items). Others are not read, and
/// row groups are read one after the other, so files may be larger than memory. Compression needs the
/// features of the crate `parquet` for it.
///
/// Errors: those of the file; a column that is not there.
///
/// ```no_run
/// use ragged_arrow::{Row, items, parquet};
///
/// ragged::accel! {
///     pub fn energy(frames: Seq<[f32]>) -> Seq<f32> { frames.map(|xs| xs.map(|x| x * x).sum()) }
/// }
///
/// let file = std::fs::File::open("frames.parquet")?;
/// for energy in energy(items::<Row<f32>>(parquet::open(file, &["xs"])?, &["xs"]))? {
///     println!("{}", energy?);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open(
    file: impl ChunkReader + 'static,
    columns: &[&str],
) -> Result<ParquetRecordBatchReader> {
    let failed = |error: ParquetError| Error::Batches(error.into());
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(failed)?;
    for name in columns {
        if builder.schema().column_with_name(name).is_none() {
            return Err(Error::NoColumn((*name).to_owned()));
        }
    }
    let mask = ProjectionMask::columns(builder.parquet_schema(), columns.iter().copied());
    let builder = builder.with_projection(mask).with_batch_size(ROWS);
    builder.build().map_err(failed)
}
