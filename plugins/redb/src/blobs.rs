//! Blobs inside a transaction: what is read from and written to the two tables.
//!
//! Nothing here begins or ends a transaction. A function that fails leaves the transaction half
//! done; the caller drops it, and redb takes all of it back.

use std::ops::Range;

use redb::{AccessGuard, ReadTransaction, ReadableTable, Table, WriteTransaction};
use stowmark_plugin::{BlobSink, BlobSource};

use crate::error::{Fault, Outcome};
use crate::layout::{self, BLOBS, Bytes, CHUNKS, Head, RowKey, RowKeys};

/// What a session keeps from call to call, so that its calls allocate nothing of their own.
#[derive(Default)]
pub(crate) struct Scratch {
    row_keys: RowKeys,
    /// Where pieces of a source are put together that does not have them in one.
    gathered: Vec<u8>,
}

/// Stores the source, which has `len` bytes, as one value.
pub(crate) fn put_value(
    transaction: &WriteTransaction,
    key: &[u8],
    source: &mut BlobSource<'_>,
    len: usize,
    scratch: &mut Scratch,
) -> Outcome<()> {
    let Scratch { row_keys, gathered } = scratch;
    match source.contiguous() {
        Some(whole) => put_whole(transaction, key, whole, row_keys),
        None => put_whole(transaction, key, gather(gathered, source, 0, len)?, row_keys),
    }
}

fn put_whole(
    transaction: &WriteTransaction,
    key: &[u8],
    whole: &[u8],
    row_keys: &mut RowKeys,
) -> Outcome<()> {
    // `insert` copies the bytes straight into the page. `insert_reserve` would cost one more: redb
    // 4.6 makes a zeroed value of that length, inserts it, and only then lends the page.
    let replaced = head_of(transaction.open_table(BLOBS)?.insert(key, whole)?)?;
    if let Some(old) = replaced {
        let mut chunks = transaction.open_table(CHUNKS)?;
        remove_rows(&mut chunks, &mut row_keys.of(key), 0..old.rows())?;
    }
    Ok(())
}

/// Stores the source in rows.
pub(crate) fn put_cut(
    transaction: &WriteTransaction,
    key: &[u8],
    source: &mut BlobSource<'_>,
    chunk_bytes: usize,
    scratch: &mut Scratch,
) -> Outcome<()> {
    let Scratch { row_keys, gathered } = scratch;
    let row_bytes = layout::row_bytes(key.len(), chunk_bytes);
    let head = Head { len: source.len(), row_bytes: row_bytes as u64 };
    let replaced =
        head_of(transaction.open_table(BLOBS)?.insert(key, head.to_bytes().as_slice())?)?;
    let mut chunks = transaction.open_table(CHUNKS)?;
    let mut row_key = row_keys.of(key);
    for row in 0..head.rows() {
        let span = head.row_span(row);
        // No row is longer than `row_bytes`, which is a usize.
        #[expect(clippy::cast_possible_truncation, reason = "see above")]
        let want = (span.end - span.start) as usize;
        let first = source.next_chunk(want)?;
        if first.len() == want {
            chunks.insert(row_key.row(row), first)?;
        } else {
            let have = first.len();
            room(gathered, want)[..have].copy_from_slice(first);
            chunks.insert(row_key.row(row), gather(gathered, source, have, want)?)?;
        }
    }
    let old_rows = replaced.map_or(0, Head::rows);
    remove_rows(&mut chunks, &mut row_key, head.rows()..old_rows)
}

/// Removes the blob and all its rows.
pub(crate) fn delete(
    transaction: &WriteTransaction,
    key: &[u8],
    scratch: &mut Scratch,
) -> Outcome<()> {
    let removed = {
        let mut blobs = transaction.open_table(BLOBS)?;
        let value = blobs.remove(key)?;
        if value.is_none() {
            return Err(Fault::Missing);
        }
        head_of(value)?
    };
    match removed {
        None => Ok(()),
        Some(head) => {
            let mut chunks = transaction.open_table(CHUNKS)?;
            remove_rows(&mut chunks, &mut scratch.row_keys.of(key), 0..head.rows())
        }
    }
}

/// The head in the value that an insert or remove gave back, if there was a value and it is one.
fn head_of(value: Option<AccessGuard<'_, Bytes>>) -> Outcome<Option<Head>> {
    value.map_or(Ok(None), |value| Head::of_value(value.value()))
}

fn remove_rows(
    chunks: &mut Table<'_, Bytes, Bytes>,
    row_key: &mut RowKey<'_>,
    rows: Range<u64>,
) -> Outcome<()> {
    for row in rows {
        chunks.remove(row_key.row(row))?;
    }
    Ok(())
}

/// The buffer's first `len` bytes, whatever they hold. It only ever grows, so that its bytes are
/// zeroed once and not for every piece.
fn room(buffer: &mut Vec<u8>, len: usize) -> &mut [u8] {
    if buffer.len() < len {
        buffer.resize(len, 0);
    }
    &mut buffer[..len]
}

/// Fills the buffer up to `len` from the source; its first `have` bytes are there already.
fn gather<'b>(
    buffer: &'b mut Vec<u8>,
    source: &mut BlobSource<'_>,
    have: usize,
    len: usize,
) -> Outcome<&'b [u8]> {
    let bytes = room(buffer, len);
    let missing = len - have - source.fill(&mut bytes[have..])?;
    if missing > 0 {
        return Err(Fault::ShortSource(missing as u64));
    }
    Ok(bytes)
}

/// Writes the bytes of a blob from `offset` on, at most `len`, to the sink, straight from redb's
/// pages. Returns how many.
pub(crate) fn read(
    transaction: &ReadTransaction,
    key: &[u8],
    offset: u64,
    len: u64,
    sink: &mut BlobSink<'_>,
    scratch: &mut Scratch,
) -> Outcome<u64> {
    let blobs = transaction.open_table(BLOBS)?;
    let value = blobs.get(key)?.ok_or(Fault::Missing)?;
    let value = value.value();
    let head = Head::of_value(value)?;
    let end = head.map_or(value.len() as u64, |head| head.len).min(offset.saturating_add(len));
    if offset >= end {
        return Ok(0);
    }
    match head {
        // `end` is at most the value's length here, and `offset` less.
        #[expect(clippy::cast_possible_truncation, reason = "see above")]
        None => sink.write(&value[offset as usize..end as usize])?,
        Some(head) => {
            let chunks = transaction.open_table(CHUNKS)?;
            read_rows(&chunks, &mut scratch.row_keys.of(key), head, offset..end, sink)?;
        }
    }
    Ok(end - offset)
}

/// Writes this part of a cut blob, which is not empty and lies within it.
fn read_rows(
    chunks: &impl ReadableTable<Bytes, Bytes>,
    row_key: &mut RowKey<'_>,
    head: Head,
    part: Range<u64>,
    sink: &mut BlobSink<'_>,
) -> Outcome<()> {
    for row in part.start / head.row_bytes..part.end.div_ceil(head.row_bytes) {
        let span = head.row_span(row);
        let value = chunks
            .get(row_key.row(row))?
            .ok_or_else(|| Fault::Damaged(format!("row {row} of {} is gone", head.rows())))?;
        let bytes = value.value();
        if bytes.len() as u64 != span.end - span.start {
            return Err(Fault::Damaged(format!(
                "row {row} has {} bytes, not {}",
                bytes.len(),
                span.end - span.start
            )));
        }
        let from = part.start.max(span.start) - span.start;
        let to = part.end.min(span.end) - span.start;
        // Both are at most the row's length.
        #[expect(clippy::cast_possible_truncation, reason = "see above")]
        sink.write(&bytes[from as usize..to as usize])?;
    }
    Ok(())
}

/// The blob's length in bytes.
pub(crate) fn length(transaction: &ReadTransaction, key: &[u8]) -> Outcome<u64> {
    let value = transaction.open_table(BLOBS)?.get(key)?.ok_or(Fault::Missing)?;
    value_length(value.value())
}

/// The length in bytes of the blob that a value of the table `blobs` stands for.
pub(crate) fn value_length(value: &[u8]) -> Outcome<u64> {
    Ok(Head::of_value(value)?.map_or(value.len() as u64, |head| head.len))
}
