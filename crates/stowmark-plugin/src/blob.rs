//! Where a put's bytes come from and where a get's bytes go.

use stowmark_abi as abi;
use stowmark_abi::{RResult, RSlice};

use crate::error::{Error, Result};

/// The bytes of a put. The blob's length is known; its bytes come in slices of the host's memory.
pub struct BlobSource<'a> {
    inner: abi::SourceRef<'a>,
}

impl<'a> BlobSource<'a> {
    #[inline]
    pub(crate) fn new(inner: abi::SourceRef<'a>) -> Self {
        Self { inner }
    }

    /// The blob's whole length in bytes.
    #[must_use]
    #[inline]
    pub fn len(&self) -> u64 {
        self.inner.len()
    }

    /// Whether the blob has no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The next bytes: at least one and at most `max`, or none once all were handed out.
    ///
    /// # Errors
    ///
    /// The host's error, if it could not go on; return it.
    #[inline]
    pub fn next_chunk(&mut self, max: usize) -> Result<&[u8]> {
        match self.inner.next(max) {
            RResult::ROk(chunk) => Ok(chunk.into()),
            RResult::RErr(error) => Err(Error::from_abi(&error)),
        }
    }

    /// The whole blob without a copy, where the host has it in one piece; ask before the first
    /// [`next_chunk`](Self::next_chunk).
    #[must_use]
    #[inline]
    pub fn contiguous(&self) -> Option<&[u8]> {
        self.inner.contiguous().into_option().map(Into::into)
    }

    /// Fills the buffer from the next bytes, as far as they go. Returns how many bytes it took.
    ///
    /// # Errors
    ///
    /// As [`next_chunk`](Self::next_chunk).
    pub fn fill(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            let chunk = self.next_chunk(buffer.len() - filled)?;
            if chunk.is_empty() {
                break;
            }
            buffer[filled..filled + chunk.len()].copy_from_slice(chunk);
            filled += chunk.len();
        }
        Ok(filled)
    }

    /// The remaining bytes in memory of your own. Only for engines that cannot do without: a blob
    /// may be larger than memory.
    ///
    /// # Errors
    ///
    /// As [`next_chunk`](Self::next_chunk).
    pub fn read_all(&mut self) -> Result<Vec<u8>> {
        if let Some(whole) = self.contiguous() {
            return Ok(whole.to_vec());
        }
        let mut all = Vec::new();
        loop {
            let chunk = self.next_chunk(1 << 20)?;
            if chunk.is_empty() {
                return Ok(all);
            }
            all.extend_from_slice(chunk);
        }
    }
}

/// Takes the bytes of a get.
pub struct BlobSink<'a> {
    inner: abi::SinkRef<'a>,
}

impl<'a> BlobSink<'a> {
    #[inline]
    pub(crate) fn new(inner: abi::SinkRef<'a>) -> Self {
        Self { inner }
    }

    /// Hands over the next bytes of the blob, in order; as many at once as you have at hand.
    ///
    /// # Errors
    ///
    /// The host wants no more: stop and return this error; the session stays usable.
    #[inline]
    pub fn write(&mut self, chunk: &[u8]) -> Result<()> {
        match self.inner.write(RSlice::from_slice(chunk)) {
            RResult::ROk(()) => Ok(()),
            RResult::RErr(error) => Err(Error::from_abi(&error)),
        }
    }
}
