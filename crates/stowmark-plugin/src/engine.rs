//! The traits that an author writes.

use crate::blob::{BlobSink, BlobSource};
use crate::error::{Error, Result};
use crate::record::{Change, KeySink, RecordSink, Records, Schema};
use crate::request::OpenRequest;

/// One way of storing things.
pub trait Engine: Send + Sync + 'static {
    /// Opens a store in the request's folder or on its server, new or existing.
    ///
    /// # Errors
    ///
    /// Refuse a tier that cannot be honoured (`Unsupported`) and an option's value that the
    /// manifest's check let through (`InvalidOption`); never take another in its place.
    fn open(&self, request: &OpenRequest) -> Result<Box<dyn Store>>;
}

/// One figure about what is stored. The name carries the unit: `records`, `blobs`,
/// `logical_bytes`, `data_bytes`, `index_bytes:NAME`, `free_bytes`; others are your own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stat {
    /// Its name, unit last.
    pub name: String,
    /// The figure.
    pub value: u64,
}

impl Stat {
    /// A figure of that name.
    #[must_use]
    pub fn new(name: impl Into<String>, value: u64) -> Self {
        Self { name: name.into(), value }
    }
}

/// An open store. Dropping it without [`close`](Self::close) is what a crash is.
pub trait Store: Send + Sync {
    /// A session on blobs for the client of that number, counted from 0.
    ///
    /// # Errors
    ///
    /// `Unsupported`, unless the engine holds blobs.
    fn blob_session(&self, client: u32) -> Result<Box<dyn BlobSession>> {
        let _ = client;
        Err(Error::unsupported("blob_session"))
    }

    /// A session on records for the client of that number, counted from 0.
    ///
    /// # Errors
    ///
    /// `Unsupported`, unless the engine holds records.
    fn record_session(&self, client: u32) -> Result<Box<dyn RecordSession>> {
        let _ = client;
        Err(Error::unsupported("record_session"))
    }

    /// Makes ready what the first use would otherwise pay for: collections, tables, indexes. Called
    /// before any session; for blobs the schema has no fields.
    ///
    /// # Errors
    ///
    /// `Unsupported` for a kind of key, field or index that the engine cannot hold.
    fn prepare(&self, schema: &Schema) -> Result<()> {
        let _ = schema;
        Ok(())
    }

    /// The effective settings as name and value, read back from the library or server rather than
    /// repeated from the request. `engine.version` and `server.identity` are well known.
    ///
    /// # Errors
    ///
    /// Whatever kept them from being read.
    fn settings(&self) -> Result<Vec<(String, String)>> {
        Ok(Vec::new())
    }

    /// Figures about what is stored; leave out what the engine cannot tell.
    ///
    /// # Errors
    ///
    /// Whatever kept them from being read.
    fn stats(&self) -> Result<Vec<Stat>> {
        Ok(Vec::new())
    }

    /// Returns once all accepted work is visible to every session.
    ///
    /// # Errors
    ///
    /// If it cannot be brought about.
    fn drain(&self) -> Result<()> {
        Ok(())
    }

    /// Brings all accepted work to the device.
    ///
    /// # Errors
    ///
    /// `Unsupported` where the engine has no such call.
    fn sync(&self) -> Result<()> {
        Err(Error::unsupported("sync"))
    }

    /// Gives back the space that deleted data still takes.
    ///
    /// # Errors
    ///
    /// `Unsupported` where the engine has no such call.
    fn compact(&self) -> Result<()> {
        Err(Error::unsupported("compact"))
    }

    /// The root of the server's process tree, where it runs on this machine.
    fn server_pid(&self) -> Option<u32> {
        None
    }

    /// Ends the store. Sessions were dropped before; no other method is called after it.
    ///
    /// # Errors
    ///
    /// If something accepted could not be brought to where its tier puts it.
    fn close(&self) -> Result<()> {
        Ok(())
    }
}

/// One client's use of a store of blobs, from one thread at a time.
pub trait BlobSession: Send {
    /// Stores the source's bytes under the key, in place of what was there; whole or not at all.
    /// Returns the number of bytes stored.
    ///
    /// # Errors
    ///
    /// Nothing of the new blob may be visible after an error.
    fn put(&mut self, key: &[u8], source: &mut BlobSource<'_>) -> Result<u64>;

    /// Writes the blob to the sink. Returns its length in bytes.
    ///
    /// # Errors
    ///
    /// `NotFound` for a key that is not there.
    fn get(&mut self, key: &[u8], sink: &mut BlobSink<'_>) -> Result<u64>;

    /// Writes at most `len` bytes from `offset` on to the sink, fewer where the blob ends before.
    /// Returns how many.
    ///
    /// # Errors
    ///
    /// `NotFound` for a key that is not there.
    fn get_range(
        &mut self,
        key: &[u8],
        offset: u64,
        len: u64,
        sink: &mut BlobSink<'_>,
    ) -> Result<u64> {
        let _ = (key, offset, len, sink);
        Err(Error::unsupported("get_range"))
    }

    /// Removes the blob.
    ///
    /// # Errors
    ///
    /// `NotFound` for a key that is not there.
    fn delete(&mut self, key: &[u8]) -> Result<()> {
        let _ = key;
        Err(Error::unsupported("delete"))
    }

    /// The blob's length in bytes, without reading it.
    ///
    /// # Errors
    ///
    /// `NotFound` for a key that is not there.
    fn length(&mut self, key: &[u8]) -> Result<u64> {
        let _ = key;
        Err(Error::unsupported("length"))
    }
}

/// One client's use of a store of records, from one thread at a time.
pub trait RecordSession: Send {
    /// Stores all of these records in one transaction, or none; a key that is there already is
    /// replaced. Each key, given or made, goes to `keys` in order.
    ///
    /// # Errors
    ///
    /// None of the records may be visible after an error.
    fn insert(&mut self, records: Records<'_>, keys: &mut KeySink<'_>) -> Result<()>;

    /// Hands the record to the sink.
    ///
    /// # Errors
    ///
    /// `NotFound` for a key that is not there.
    fn get(&mut self, key: &[u8], sink: &mut RecordSink<'_>) -> Result<()>;

    /// Sets these fields and keeps the others.
    ///
    /// # Errors
    ///
    /// `NotFound` for a key that is not there.
    fn update(&mut self, key: &[u8], changes: &[Change<'_>]) -> Result<()> {
        let _ = (key, changes);
        Err(Error::unsupported("update"))
    }

    /// Removes the record.
    ///
    /// # Errors
    ///
    /// `NotFound` for a key that is not there.
    fn delete(&mut self, key: &[u8]) -> Result<()> {
        let _ = key;
        Err(Error::unsupported("delete"))
    }

    /// Hands at most `limit` records whose fields equal all of `conditions` to the sink, in no
    /// stated order. Returns how many.
    ///
    /// # Errors
    ///
    /// `Unsupported` where the engine cannot search by fields.
    fn find(
        &mut self,
        conditions: &[Change<'_>],
        limit: u64,
        sink: &mut RecordSink<'_>,
    ) -> Result<u64> {
        let _ = (conditions, limit, sink);
        Err(Error::unsupported("find"))
    }

    /// Hands at most `count` records to the sink, from the first key that is not below `from` on,
    /// in the order of the keys' bytes. Returns how many.
    ///
    /// # Errors
    ///
    /// `Unsupported` where the engine keeps no order.
    fn scan(&mut self, from: &[u8], count: u64, sink: &mut RecordSink<'_>) -> Result<u64> {
        let _ = (from, count, sink);
        Err(Error::unsupported("scan"))
    }
}
