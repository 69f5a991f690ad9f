//! An open store: everything that can be asked of it apart from its data.

use stowmark_abi as abi;

use crate::blob::{BlobSession, plain};
use crate::error::OpError;
use crate::record::RecordSession;
use crate::schema::Schema;

/// An open store. Dropping it without [`close`](Self::close) is what a crash is. Called from one
/// thread at a time, apart from [`blob_session`](Self::blob_session) and
/// [`record_session`](Self::record_session).
pub struct Store {
    inner: abi::StoreBox,
}

impl Store {
    pub(crate) fn new(inner: abi::StoreBox) -> Self {
        Self { inner }
    }

    /// A session on blobs for the client of that number, counted from 0.
    ///
    /// # Errors
    ///
    /// The engine's: `Unsupported`, unless it holds blobs.
    pub fn blob_session(&self, client: u32) -> Result<BlobSession, OpError> {
        plain(self.inner.blob_session(client)).map(BlobSession::new)
    }

    /// A session on records for the client of that number, counted from 0. Call
    /// [`prepare`](Self::prepare) first.
    ///
    /// # Errors
    ///
    /// The engine's: `Unsupported`, unless it holds records.
    pub fn record_session(&self, client: u32) -> Result<RecordSession, OpError> {
        plain(self.inner.record_session(client)).map(RecordSession::new)
    }

    /// Makes ready what the first use would otherwise pay for: collections, tables, indexes.
    ///
    /// # Errors
    ///
    /// The engine's: `Unsupported` for a kind of key, field or index that it cannot hold.
    pub fn prepare(&self, schema: &Schema) -> Result<(), OpError> {
        plain(schema.with_abi(|schema| self.inner.prepare(schema)))
    }

    /// The effective settings as name and value, as the engine read them back.
    ///
    /// # Errors
    ///
    /// The engine's.
    pub fn settings(&self) -> Result<Vec<(String, String)>, OpError> {
        let pairs = plain(self.inner.settings())?.into_iter();
        Ok(pairs.map(|pair| (pair.key.into_string(), pair.value.into_string())).collect())
    }

    /// Figures about what is stored. The name carries the unit: `records`, `logical_bytes`,
    /// `data_bytes`, `index_bytes:NAME`, `free_bytes`; others are the engine's own.
    ///
    /// # Errors
    ///
    /// The engine's.
    pub fn stats(&self) -> Result<Vec<(String, u64)>, OpError> {
        let stats = plain(self.inner.stats())?.into_iter();
        Ok(stats.map(|stat| (stat.name.into_string(), stat.value)).collect())
    }

    /// Returns once all accepted work is visible to every session.
    ///
    /// # Errors
    ///
    /// The engine's.
    pub fn drain(&self) -> Result<(), OpError> {
        plain(self.inner.drain())
    }

    /// Brings all accepted work to the device.
    ///
    /// # Errors
    ///
    /// The engine's: `Unsupported` where it has no such call.
    pub fn sync(&self) -> Result<(), OpError> {
        plain(self.inner.sync())
    }

    /// Gives back the space that deleted data still takes.
    ///
    /// # Errors
    ///
    /// The engine's: `Unsupported` where it has no such call.
    pub fn compact(&self) -> Result<(), OpError> {
        plain(self.inner.compact())
    }

    /// The root of the server's process tree, where it is on this machine.
    #[must_use]
    pub fn server_pid(&self) -> Option<u32> {
        self.inner.server_pid().into_option()
    }

    /// Ends the store. Drop its sessions before.
    ///
    /// # Errors
    ///
    /// The engine's, if something accepted could not be brought to where its tier puts it.
    pub fn close(self) -> Result<(), OpError> {
        plain(self.inner.close())
    }
}
