//! Payloads too long to be made whole: lent block by block from a pool.
//!
//! A blob of gigabytes must move in constant memory, and its bytes must not be made while the clock
//! runs. So a pool of [`POOL`] bytes of the kind is made once, beforehand, and a stream lends pieces
//! of it: the payload is a row of 1 MiB blocks, each a stretch of the pool that starts at a seeded
//! place. Nothing is copied, and any block can be computed from its number, so that a second stream
//! over the same payload can be compared with what an engine gives back.
//!
//! Said plainly: **such a payload repeats itself.** Its blocks overlap in the pool, so an engine that
//! looks for equal stretches across megabytes would find some; one that compresses within a window
//! of up to a few hundred kilobytes, or deduplicates at fixed places, finds none. And the pool may
//! stay in the processor's cache, where bytes that came from an application would not: alike for
//! every engine, and little beside what a store does with them. The bytes are not those that
//! [`Payloads::fill`] makes for the same number.

use super::{Payloads, Source, fill_cyclic};
use crate::seed::derive_seed;

/// Bytes in the pool: large enough that blocks rarely overlap closely, small enough for a worker.
pub(super) const POOL: usize = 16 << 20;

/// Bytes of a stream that lie in one stretch.
pub(super) const BLOCK: usize = 1 << 20;

/// The number of the payload that the pool is filled with; no blob of a run has it.
const POOL_ID: u64 = u64::MAX;

impl Payloads {
    /// Makes the pool that streams lend from: 16 MiB, some milliseconds. Call it before the clock
    /// starts wherever payloads are streamed; later calls do nothing.
    pub fn prepare_stream_pool(&self) {
        self.pool();
    }

    /// The payload number `id` of `len` bytes, to be read from front to back. Any length is allowed,
    /// though up to [`Payloads::WHOLE_MAX`] `fill` makes the better payload.
    ///
    /// Costs the making of the pool if [`Payloads::prepare_stream_pool`] was not called.
    pub fn stream(&self, id: u64, len: u64) -> PayloadStream<'_> {
        let pool = self.pool();
        let places = pool.len() - BLOCK + 1;
        PayloadStream {
            pool,
            first: self.first_place(id, places),
            seed: derive_seed(self.seed, &[id]),
            len,
            position: 0,
        }
    }

    fn pool(&self) -> &[u8] {
        match &self.source {
            // A file that is long enough is its own pool.
            Source::File(bytes) if bytes.len() >= POOL => bytes,
            source => self.pool.get_or_init(|| match source {
                Source::Zero => vec![0; BLOCK],
                Source::File(bytes) => {
                    let mut pool = vec![0; POOL];
                    fill_cyclic(bytes, 0, &mut pool);
                    pool
                }
                Source::Text | Source::Random | Source::Ratio(_) => {
                    let mut pool = vec![0; POOL];
                    self.fill(POOL_ID, &mut pool);
                    pool
                }
            }),
        }
    }
}

/// One long payload, lent piece by piece.
#[derive(Debug, Clone)]
pub struct PayloadStream<'a> {
    pool: &'a [u8],
    first: usize,
    seed: u64,
    len: u64,
    position: u64,
}

impl<'a> PayloadStream<'a> {
    /// The length of the whole payload in bytes.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether the whole payload has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many bytes are still to come.
    pub fn remaining(&self) -> u64 {
        self.len - self.position
    }

    /// The next bytes: at least one and at most `max`, often fewer; none at the end, or if `max` is 0.
    ///
    /// The pieces laid end to end are the payload, however they were cut. Copies nothing.
    pub fn next(&mut self, max: usize) -> &'a [u8] {
        let block = self.position / BLOCK as u64;
        let within = (self.position % BLOCK as u64) as usize;
        let left = usize::try_from(self.remaining()).unwrap_or(usize::MAX);
        let len = (BLOCK - within).min(left).min(max);
        let start = self.place(block) + within;
        self.position += len as u64;
        &self.pool[start..start + len]
    }

    /// Where in the pool a block starts.
    fn place(&self, block: u64) -> usize {
        let places = (self.pool.len() - BLOCK + 1) as u64;
        match block {
            // The first block sets payloads apart: successive numbers never start at one place.
            0 => self.first,
            _ => (derive_seed(self.seed, &[block]) % places) as usize,
        }
    }
}
