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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use stowmark_workload::PayloadKind;

    const RANGE: Range = Range { population: 9, first: 100, count: 50, size: 64 };

    fn payloads() -> Payloads {
        Payloads::new(&PayloadKind::Random, 1).unwrap()
    }

    fn each(kind: Kind, order: KeyOrder, seed: u64) -> Batch {
        Batch::each(kind, RANGE, order, seed, &payloads(), Vec::new())
    }

    fn indexes_of(batch: &Batch) -> Vec<u64> {
        assert!(batch.keys.iter().all(|key| key.population() == RANGE.population));
        batch.keys.iter().map(Key::index).collect()
    }

    #[test]
    fn puts_and_deletes_take_each_blob_of_the_range_once() {
        for kind in [Kind::Put, Kind::Delete] {
            let all: Vec<u64> = (100..150).collect();
            assert_eq!(indexes_of(&each(kind, KeyOrder::Sequential, 1)), all);
            let mut shuffled = indexes_of(&each(kind, KeyOrder::Random, 1));
            assert_ne!(shuffled, all);
            shuffled.sort_unstable();
            assert_eq!(shuffled, all);
        }
    }

    #[test]
    fn the_seed_decides_the_order() {
        let order = |seed| indexes_of(&each(Kind::Put, KeyOrder::Random, seed));
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
    }

    #[test]
    fn gets_go_round_the_range_from_batch_to_batch() {
        let any = |done, count| {
            indexes_of(&Batch::any(RANGE, KeyOrder::Sequential, 1, done, count, &payloads()))
        };
        let (first, second) = (any(0, 30), any(30, 70));
        let expected: Vec<u64> = (100..150).chain(100..150).collect();
        assert_eq!([first, second].concat(), expected);
    }

    #[test]
    fn random_gets_read_every_blob_equally_often() {
        let batch = Batch::any(RANGE, KeyOrder::Random, 1, 0, 150, &payloads());
        let mut times = BTreeMap::new();
        for index in indexes_of(&batch) {
            *times.entry(index).or_insert(0) += 1;
        }
        assert_eq!(times, (100..150).map(|index| (index, 3)).collect());
        assert!(batch.whole(0).is_none(), "a get has no payload");
    }

    #[test]
    fn a_put_has_the_payload_of_its_key() {
        let batch = each(Kind::Put, KeyOrder::Random, 1);
        for (at, key) in batch.keys.iter().enumerate() {
            let mut expected = [0; 64];
            payloads().fill(payload_id(9, key.index()), &mut expected);
            assert_eq!(batch.whole(at), Some(&expected[..]));
        }
        assert_eq!(batch.whole(50), None);
        assert!(each(Kind::Delete, KeyOrder::Random, 1).into_arena().is_empty());
    }

    #[test]
    fn an_empty_payload_lies_in_memory_whole() {
        let range = Range { size: 0, ..RANGE };
        let order = KeyOrder::Sequential;
        let batch = Batch::each(Kind::Put, range, order, 1, &payloads(), Vec::new());
        assert_eq!(batch.whole(0), Some(&[][..]));
    }

    #[test]
    fn memory_is_used_again() {
        let before = each(Kind::Put, KeyOrder::Sequential, 1).into_arena();
        let place = before.as_ptr();
        let range = Range { count: 10, ..RANGE };
        let batch = Batch::each(Kind::Put, range, KeyOrder::Sequential, 1, &payloads(), before);
        assert_eq!(batch.whole(10), None, "of what was there before nothing is left");
        let after = batch.into_arena();
        assert_eq!(after.as_ptr(), place);
    }

    #[test]
    fn a_batch_of_puts_is_bounded_by_its_bytes() {
        for size in [1, 1 << 10, 1 << 20, 50 << 20] {
            let limit = Batch::limit(Kind::Put, size);
            assert!((1..=MAX_OPS).contains(&limit) && limit * size <= MAX_BYTES, "{size}");
            assert_eq!(Batch::limit(Kind::Get, size), MAX_OPS);
        }
        assert_eq!(Batch::limit(Kind::Put, 0), MAX_OPS);
        assert_eq!(Batch::limit(Kind::Put, 1 << 40), MAX_OPS, "streamed: it holds no bytes");
    }

    #[test]
    fn no_two_blobs_of_a_run_share_a_payload() {
        assert_ne!(payload_id(0, 1), payload_id(1, 0));
        assert_ne!(payload_id(1, 1), payload_id(1, 2));
        assert_ne!(payload_id(SCRATCH, 0), payload_id(0, 0));
    }
}
