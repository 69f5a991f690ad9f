//! The store: one map of blobs and one table of records, shared by all sessions.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use stowmark_plugin::{BlobSession, RecordSession, Result, Schema, Stat, Store};

use crate::blobs::{BlobMap, MemoryBlobs};
use crate::records::{MemoryRecords, Table};

/// Something that all sessions of a store share.
pub(crate) type Shared<T> = Arc<RwLock<T>>;

/// The store.
#[derive(Default)]
pub(crate) struct MemoryStore {
    blobs: Shared<BlobMap>,
    records: Shared<Table>,
}

impl Store for MemoryStore {
    fn blob_session(&self, _client: u32) -> Result<Box<dyn BlobSession>> {
        Ok(Box::new(MemoryBlobs::new(self.blobs.clone())))
    }

    fn record_session(&self, _client: u32) -> Result<Box<dyn RecordSession>> {
        Ok(Box::new(MemoryRecords::new(self.records.clone())))
    }

    fn prepare(&self, schema: &Schema) -> Result<()> {
        // The schema of a store of blobs; a map needs no preparation.
        if schema.fields.is_empty() {
            return Ok(());
        }
        write(&self.records).prepare(schema)
    }

    fn settings(&self) -> Result<Vec<(String, String)>> {
        Ok(vec![("engine.version".into(), env!("CARGO_PKG_VERSION").into())])
    }

    fn stats(&self) -> Result<Vec<Stat>> {
        let blobs = read(&self.blobs);
        let records = read(&self.records);
        let blob_bytes: u64 = blobs.iter().map(|(key, blob)| (key.len() + blob.len()) as u64).sum();
        Ok(vec![
            Stat::new("blobs", blobs.len() as u64),
            Stat::new("records", records.len() as u64),
            Stat::new("logical_bytes", blob_bytes + records.logical_bytes()),
        ])
    }

    fn compact(&self) -> Result<()> {
        Ok(())
    }
}

/// Every change is one call on a map, made whole or not at all, so that a panic of another thread
/// leaves nothing half-done.
pub(crate) fn read<T>(shared: &Shared<T>) -> RwLockReadGuard<'_, T> {
    shared.read().unwrap_or_else(PoisonError::into_inner)
}

/// As [`read`].
pub(crate) fn write<T>(shared: &Shared<T>) -> RwLockWriteGuard<'_, T> {
    shared.write().unwrap_or_else(PoisonError::into_inner)
}
