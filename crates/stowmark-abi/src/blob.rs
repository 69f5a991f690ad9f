//! Blobs: named byte streams, moved in constant memory.
//!
//! A blob is put from a [`Source`] that the host owns and read into a [`Sink`] that the host owns,
//! so a blob of any length crosses the border without either side holding it whole.

use abi_stable::sabi_trait;
use abi_stable::sabi_types::RMut;
use abi_stable::std_types::{RBox, ROption, RSlice};

use crate::error::{OpResult, unsupported};

/// Where the bytes of a put come from; implemented by the host.
#[sabi_trait]
pub trait Source {
    /// The blob's whole length in bytes, known before the first byte is read.
    fn len(&self) -> u64;

    /// The next bytes: at least one and at most `max`, or none once all were handed out. The slice
    /// is the host's own memory and is valid until the next call.
    fn next(&mut self, max: usize) -> OpResult<RSlice<'_, u8>>;

    /// The whole blob at once, where the host has it in one piece and nothing was read yet.
    #[sabi(last_prefix_field)]
    fn contiguous(&self) -> ROption<RSlice<'_, u8>>;
}

/// A source that a put borrows.
pub type SourceRef<'a> = Source_TO<'a, RMut<'a, ()>>;

/// Where the bytes of a get go; implemented by the host.
#[sabi_trait]
pub trait Sink {
    /// Takes the next bytes of the blob, in order. An error means that the host wants no more: the
    /// engine stops and returns that error.
    #[sabi(last_prefix_field)]
    fn write(&mut self, chunk: RSlice<'_, u8>) -> OpResult<()>;
}

/// A sink that a get borrows.
pub type SinkRef<'a> = Sink_TO<'a, RMut<'a, ()>>;

/// One client's use of a store of blobs. Used by one thread at a time.
#[sabi_trait]
pub trait BlobSession: Send {
    /// Stores the source's bytes under the key, in place of what was there; whole or not at all.
    /// Returns the number of bytes stored.
    fn put(&mut self, key: RSlice<'_, u8>, source: SourceRef<'_>) -> OpResult<u64>;

    /// Writes the blob to the sink. Returns its length in bytes.
    fn get(&mut self, key: RSlice<'_, u8>, sink: SinkRef<'_>) -> OpResult<u64>;

    /// Writes at most `len` bytes from `offset` on to the sink; fewer where the blob ends before.
    /// Returns the number of bytes written.
    fn get_range(
        &mut self,
        key: RSlice<'_, u8>,
        offset: u64,
        len: u64,
        sink: SinkRef<'_>,
    ) -> OpResult<u64> {
        let _ = (key, offset, len, sink);
        unsupported("get_range")
    }

    /// Removes the blob. A key that is not there is `NOT_FOUND`.
    fn delete(&mut self, key: RSlice<'_, u8>) -> OpResult<()> {
        let _ = key;
        unsupported("delete")
    }

    /// The blob's length in bytes, without reading it.
    #[sabi(last_prefix_field)]
    fn length(&mut self, key: RSlice<'_, u8>) -> OpResult<u64> {
        let _ = key;
        unsupported("length")
    }
}

/// A blob session that its holder owns.
pub type BlobSessionBox = BlobSession_TO<'static, RBox<()>>;
