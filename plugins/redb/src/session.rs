//! One client's session: a transaction around each operation.
//!
//! redb has a single writer. A put or delete that comes while another session writes waits in
//! `begin_write` for that commit, so writes of many clients are served one after another. Reads see
//! the last commit, wait for no one and hold no writer up.

use std::sync::Arc;

use redb::{ReadTransaction, ReadableDatabase, WriteTransaction};
use stowmark_plugin::{BlobSession, BlobSink, BlobSource, Result};

use crate::blobs::{self, Scratch};
use crate::error::Outcome;
use crate::layout;
use crate::store::Shared;

/// The session.
pub(crate) struct RedbSession {
    shared: Arc<Shared>,
    scratch: Scratch,
}

impl RedbSession {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, scratch: Scratch::default() }
    }

    /// Commits what `work` does, or, if it fails, nothing of it.
    fn write(
        &mut self,
        work: impl FnOnce(&WriteTransaction, &mut Scratch) -> Outcome<()>,
    ) -> Outcome<()> {
        self.shared.with(|database| {
            let transaction = self.shared.begin_write(database)?;
            // Where this returns early, dropping the transaction takes all of it back.
            work(&transaction, &mut self.scratch)?;
            Ok(transaction.commit()?)
        })
    }

    fn read<R>(
        &mut self,
        work: impl FnOnce(&ReadTransaction, &mut Scratch) -> Outcome<R>,
    ) -> Outcome<R> {
        self.shared.with(|database| work(&database.begin_read()?, &mut self.scratch))
    }
}

impl BlobSession for RedbSession {
    fn put(&mut self, key: &[u8], source: &mut BlobSource<'_>) -> Result<u64> {
        let len = source.len();
        let chunk_bytes = self.shared.config().chunk_bytes;
        self.write(|transaction, scratch| match layout::value_len(len, chunk_bytes) {
            Some(len) => blobs::put_value(transaction, key, source, len, scratch),
            None => blobs::put_cut(transaction, key, source, chunk_bytes, scratch),
        })
        .map_err(|fault| fault.on_key("put", key))?;
        Ok(len)
    }

    fn get(&mut self, key: &[u8], sink: &mut BlobSink<'_>) -> Result<u64> {
        self.read(|transaction, scratch| blobs::read(transaction, key, 0, u64::MAX, sink, scratch))
            .map_err(|fault| fault.on_key("get", key))
    }

    fn get_range(
        &mut self,
        key: &[u8],
        offset: u64,
        len: u64,
        sink: &mut BlobSink<'_>,
    ) -> Result<u64> {
        self.read(|transaction, scratch| blobs::read(transaction, key, offset, len, sink, scratch))
            .map_err(|fault| fault.on_key("get_range", key))
    }

    fn delete(&mut self, key: &[u8]) -> Result<()> {
        self.write(|transaction, scratch| blobs::delete(transaction, key, scratch))
            .map_err(|fault| fault.on_key("delete", key))
    }

    fn length(&mut self, key: &[u8]) -> Result<u64> {
        self.read(|transaction, _| blobs::length(transaction, key))
            .map_err(|fault| fault.on_key("length", key))
    }
}
