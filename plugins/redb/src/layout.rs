//! How blobs lie in the database.
//!
//! | table | key | value |
//! |---|---|---|
//! | `blobs` | the blob's key | the whole blob, or the head of one that was cut |
//! | `chunks` | length of the blob's key (8 bytes), the blob's key, number of the row from 0 (8 bytes) | one row's bytes |
//!
//! All integers are big-endian. The length in front keeps the rows of two blobs apart whose keys are
//! prefixes of each other: two row keys are equal only if lengths, keys and numbers are. All rows of
//! a blob lie side by side and in order.
//!
//! A **row** has as many bytes as fit with its key into a page of the chunk size. redb rounds a page up
//! to a power of two: rows of just 512 KiB would take 1 MiB each, of which every put writes all.
//!
//! A **head** is 17 bytes: the layout's version (1), the blob's length and the length of its rows. It
//! carries the row length so that a store reads right when it is opened again with another chunk
//! size. A value of `blobs` is a head exactly if it is 17 bytes long. That is unambiguous because a
//! blob of 17 bytes is itself stored cut, in one row. So a whole blob needs no mark: redb gets the
//! host's bytes as they are, without the copy that putting a mark in front of them would cost, and
//! a put learns from the value it replaces, which redb hands back anyway, whether rows must go.

use std::ops::Range;

use redb::TableDefinition;

use crate::error::{Fault, Outcome};

/// Both tables hold bytes under bytes.
pub(crate) type Bytes = &'static [u8];

/// Whole blobs, and heads of cut ones.
pub(crate) const BLOBS: TableDefinition<'_, Bytes, Bytes> = TableDefinition::new("blobs");
/// The rows of cut blobs.
pub(crate) const CHUNKS: TableDefinition<'_, Bytes, Bytes> = TableDefinition::new("chunks");

const HEAD_LEN: usize = 17;
const VERSION: u8 = 1;

/// The length of the value that a blob of `len` bytes becomes in a store with that chunk size, or
/// `None` if the blob is to be cut into rows.
pub(crate) fn value_len(len: u64, chunk_bytes: usize) -> Option<usize> {
    let len = usize::try_from(len).ok()?;
    (len <= chunk_bytes && len != HEAD_LEN).then_some(len)
}

/// What a page with one row holds besides the row's bytes and the blob's key: redb's 4 bytes for the
/// page and 4 each for where key and value end (its `docs/design.md`, "Leaf page"), and the two
/// numbers in the row's key.
const ROW_OVERHEAD: usize = 4 + 4 + 4 + 8 + 8;

/// The length of the rows that a blob with a key of `key_len` bytes is cut into. At least half the
/// chunk size, however long the key.
pub(crate) fn row_bytes(key_len: usize, chunk_bytes: usize) -> usize {
    chunk_bytes.saturating_sub(ROW_OVERHEAD + key_len).max(chunk_bytes / 2)
}

/// The head of a blob that was cut.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Head {
    /// The blob's length in bytes.
    pub(crate) len: u64,
    /// The length in bytes of each row but the last; never 0.
    pub(crate) row_bytes: u64,
}

impl Head {
    pub(crate) fn to_bytes(self) -> [u8; HEAD_LEN] {
        let mut bytes = [VERSION; HEAD_LEN];
        bytes[1..9].copy_from_slice(&self.len.to_be_bytes());
        bytes[9..].copy_from_slice(&self.row_bytes.to_be_bytes());
        bytes
    }

    /// The head that a value of `blobs` is, or `None` for a whole blob.
    pub(crate) fn of_value(value: &[u8]) -> Outcome<Option<Self>> {
        let Ok([version, numbers @ ..]) = <[u8; HEAD_LEN]>::try_from(value) else {
            return Ok(None);
        };
        let (numbers, _) = numbers.as_chunks::<8>();
        let head =
            Self { len: u64::from_be_bytes(numbers[0]), row_bytes: u64::from_be_bytes(numbers[1]) };
        if version != VERSION || head.row_bytes == 0 {
            return Err(Fault::Damaged(format!(
                "a head of version {version} with rows of {} bytes",
                head.row_bytes
            )));
        }
        Ok(Some(head))
    }

    /// How many rows the blob has.
    pub(crate) fn rows(self) -> u64 {
        self.len.div_ceil(self.row_bytes)
    }

    /// Where in the blob this row lies, in bytes.
    pub(crate) fn row_span(self, row: u64) -> Range<u64> {
        let start = row * self.row_bytes;
        start..self.len.min(start.saturating_add(self.row_bytes))
    }
}

/// Makes the keys of `chunks`, in one buffer for all.
#[derive(Default)]
pub(crate) struct RowKeys(Vec<u8>);

impl RowKeys {
    /// The keys of this blob's rows.
    pub(crate) fn of(&mut self, key: &[u8]) -> RowKey<'_> {
        self.0.clear();
        self.0.extend_from_slice(&(key.len() as u64).to_be_bytes());
        self.0.extend_from_slice(key);
        let row_at = self.0.len();
        self.0.extend_from_slice(&[0; 8]);
        RowKey { bytes: &mut self.0, row_at }
    }
}

/// The keys of one blob's rows.
pub(crate) struct RowKey<'a> {
    bytes: &'a mut [u8],
    row_at: usize,
}

impl RowKey<'_> {
    /// The key of the row of that number.
    pub(crate) fn row(&mut self, row: u64) -> &[u8] {
        self.bytes[self.row_at..].copy_from_slice(&row.to_be_bytes());
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_reads_back_and_only_its_length_marks_it() {
        let head = Head { len: 1_048_577, row_bytes: 524_288 };
        assert_eq!(Head::of_value(&head.to_bytes()).unwrap(), Some(head));
        assert_eq!(head.rows(), 3);
        assert_eq!(head.row_span(2), 1_048_576..1_048_577);
        assert_eq!(Head::of_value(&[VERSION; HEAD_LEN - 1]).unwrap(), None);
        assert_eq!(Head::of_value(&[VERSION; HEAD_LEN + 1]).unwrap(), None);
    }

    #[test]
    fn a_blob_is_one_value_up_to_the_chunk_size_unless_it_could_be_taken_for_a_head() {
        assert_eq!(value_len(0, 1024), Some(0));
        assert_eq!(value_len(1024, 1024), Some(1024));
        assert_eq!(value_len(1025, 1024), None);
        assert_eq!(value_len(HEAD_LEN as u64, 1024), None);
    }

    #[test]
    fn a_head_that_cannot_be_is_damaged() {
        for bytes in [[0; HEAD_LEN], [2; HEAD_LEN], Head { len: 1, row_bytes: 0 }.to_bytes()] {
            assert!(matches!(Head::of_value(&bytes), Err(Fault::Damaged(_))));
        }
    }

    #[test]
    fn rows_of_keys_that_are_prefixes_of_each_other_stay_apart() {
        let keys: [&[u8]; 4] = [b"a", b"a\0\0\0\0\0\0\0\0", b"a\0\0\0\0\0\0\0\x01", b"aa"];
        let mut seen = std::collections::BTreeSet::new();
        for key in keys {
            let mut row_keys = RowKeys::default();
            let mut row_key = row_keys.of(key);
            for row in [0, 1, 256] {
                assert!(seen.insert(row_key.row(row).to_vec()), "{key:?} row {row}");
            }
        }
    }
}
