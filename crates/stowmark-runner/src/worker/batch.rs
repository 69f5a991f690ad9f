//! A piece of a round, made ready before its clock starts: keys in their order, payloads in memory.
//!
//! A round of any length is done in batches of bounded memory; the clock runs only inside each.

use stowmark_workload::{Key, KeyOrder, PayloadStream, Payloads, derive_seed, indexes};

use crate::protocol::Range;

/// The most payload bytes that a batch holds.
pub(super) const MAX_BYTES: u64 = 256 << 20;

/// The most operations in a batch.
pub(super) const MAX_OPS: u64 = 1 << 20;

/// The population of blobs that belong to no case: what settling puts.
pub(super) const SCRATCH: u16 = u16::MAX;

/// What the batch does.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Put,
    Get,
    Delete,
}

/// The payload's number of a blob, distinct for every blob of a run.
pub(super) fn payload_id(population: u16, index: u64) -> u64 {
    (u64::from(population) << 48) | index
}

/// Keys, and for puts the payloads, of the operations of a batch.
pub(super) struct Batch {
    pub(super) kind: Kind,
    /// The blob's size in bytes.
    pub(super) size: u64,
    pub(super) keys: Vec<Key>,
    /// The payloads one after the other; empty where they are streamed.
    arena: Vec<u8>,
}

impl Batch {
    /// How many operations a batch of that kind and size may have.
    pub(super) fn limit(kind: Kind, size: u64) -> u64 {
        match kind {
            Kind::Put if !Payloads::is_streamed(size) => {
                (MAX_BYTES / size.max(1)).clamp(1, MAX_OPS)
            }
            _ => MAX_OPS,
        }
    }

    /// Each blob of the range once, in that order: for puts and deletes.
    pub(super) fn each(
        kind: Kind,
        range: Range,
        order: KeyOrder,
        seed: u64,
        payloads: &Payloads,
        reuse: Vec<u8>,
    ) -> Self {
        let seed = derive_seed(seed, &[range.population.into(), range.first]);
        let indexes: Vec<u64> = indexes(order, range.count, to_usize(range.count), seed)
            .into_iter()
            .map(|index| range.first + index)
            .collect();
        Self::new(kind, range, &indexes, payloads, reuse)
    }

    /// Blobs of the range in that order, `count` times, beginning with the `done`-th: for gets.
    pub(super) fn any(
        range: Range,
        order: KeyOrder,
        seed: u64,
        done: u64,
        count: u64,
        payloads: &Payloads,
    ) -> Self {
        let indexes: Vec<u64> = match order {
            KeyOrder::Sequential => {
                (done..done + count).map(|at| range.first + at % range.count).collect()
            }
            KeyOrder::Random => {
                let seed = derive_seed(seed, &[range.population.into(), done]);
                indexes(order, range.count, to_usize(count), seed)
                    .into_iter()
                    .map(|index| range.first + index)
                    .collect()
            }
        };
        Self::new(Kind::Get, range, &indexes, payloads, Vec::new())
    }

    fn new(
        kind: Kind,
        range: Range,
        indexes: &[u64],
        payloads: &Payloads,
        mut arena: Vec<u8>,
    ) -> Self {
        let keys = indexes.iter().map(|index| Key::new(range.population, *index)).collect();
        arena.clear();
        if kind == Kind::Put && Payloads::is_streamed(range.size) {
            payloads.prepare_stream_pool();
        } else if kind == Kind::Put && range.size > 0 {
            let size = to_usize(range.size);
            arena.resize(size * indexes.len(), 0);
            for (payload, index) in arena.chunks_exact_mut(size).zip(indexes) {
                payloads.fill(payload_id(range.population, *index), payload);
            }
        }
        Self { kind, size: range.size, keys, arena }
    }

    /// The payload of the operation at that place, if it lies in memory whole.
    #[inline]
    pub(super) fn whole(&self, at: usize) -> Option<&[u8]> {
        let size = to_usize(self.size);
        self.arena.get(at * size..(at + 1) * size)
    }

    /// The payload of the operation at that place as a stream.
    pub(super) fn stream<'a>(&self, at: usize, payloads: &'a Payloads) -> PayloadStream<'a> {
        let key = &self.keys[at];
        payloads.stream(payload_id(key.population(), key.index()), self.size)
    }

    /// The memory, to be used again.
    pub(super) fn into_arena(self) -> Vec<u8> {
        self.arena
    }
}

/// A count that was bounded before by what fits in memory.
#[expect(clippy::cast_possible_truncation, reason = "bounded by MAX_OPS or MAX_BYTES")]
fn to_usize(count: u64) -> usize {
    count as usize
}
