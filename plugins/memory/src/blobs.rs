//! Blobs by key. A blob that is being read stays whole when another session replaces it.

use std::collections::BTreeMap;
use std::sync::Arc;

use stowmark_plugin::{BlobSession, BlobSink, BlobSource, Error, ErrorClass, Result};

use crate::store::{Shared, read, write};

/// The blobs in the order of their keys.
pub(crate) type BlobMap = BTreeMap<Vec<u8>, Arc<[u8]>>;

/// One client's session.
pub(crate) struct MemoryBlobs {
    blobs: Shared<BlobMap>,
}

impl MemoryBlobs {
    pub(crate) fn new(blobs: Shared<BlobMap>) -> Self {
        Self { blobs }
    }

    fn blob(&self, operation: &str, key: &[u8]) -> Result<Arc<[u8]>> {
        read(&self.blobs).get(key).cloned().ok_or_else(|| Error::not_found(operation, key))
    }
}

impl BlobSession for MemoryBlobs {
    fn put(&mut self, key: &[u8], source: &mut BlobSource<'_>) -> Result<u64> {
        let expected = source.len();
        let blob = source.read_all()?;
        let len = blob.len() as u64;
        if len != expected {
            return Err(Error::new(
                ErrorClass::Other,
                format!(
                    "put {}: the source said {expected} bytes and gave {len}",
                    key.escape_ascii()
                ),
            ));
        }
        write(&self.blobs).insert(key.into(), blob.into());
        Ok(len)
    }

    fn get(&mut self, key: &[u8], sink: &mut BlobSink<'_>) -> Result<u64> {
        let blob = self.blob("get", key)?;
        sink.write(&blob)?;
        Ok(blob.len() as u64)
    }

    fn get_range(
        &mut self,
        key: &[u8],
        offset: u64,
        len: u64,
        sink: &mut BlobSink<'_>,
    ) -> Result<u64> {
        let blob = self.blob("get_range", key)?;
        // What lies beyond the blob's end is no error: there are just no such bytes.
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(blob.len());
        let part = &blob[place(offset)..place(offset.saturating_add(len))];
        sink.write(part)?;
        Ok(part.len() as u64)
    }

    fn delete(&mut self, key: &[u8]) -> Result<()> {
        let gone = write(&self.blobs).remove(key);
        gone.map(drop).ok_or_else(|| Error::not_found("delete", key))
    }

    fn length(&mut self, key: &[u8]) -> Result<u64> {
        Ok(self.blob("length", key)?.len() as u64)
    }
}
