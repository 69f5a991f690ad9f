//! What the worker needs of a store, as a trait: a plugin's session in earnest, a stand-in in
//! tests. It is known at compile time which of them it is, so the measured loop pays nothing.

use stowmark_host::{BlobSession, OpError, Sink, Source};

/// One client's use of a store of blobs; the methods are those of [`BlobSession`].
pub(super) trait Session {
    /// Stores the source's bytes. Returns how many the engine says it stored.
    fn put<S: Source>(&mut self, key: &[u8], source: &mut S) -> Result<u64, OpError>;

    /// Writes the blob to the sink. Returns its length as the engine says it.
    fn get<K: Sink>(&mut self, key: &[u8], sink: &mut K) -> Result<u64, OpError>;

    /// Removes the blob.
    fn delete(&mut self, key: &[u8]) -> Result<(), OpError>;
}

impl Session for BlobSession {
    #[inline]
    fn put<S: Source>(&mut self, key: &[u8], source: &mut S) -> Result<u64, OpError> {
        Self::put(self, key, source)
    }

    #[inline]
    fn get<K: Sink>(&mut self, key: &[u8], sink: &mut K) -> Result<u64, OpError> {
        Self::get(self, key, sink)
    }

    #[inline]
    fn delete(&mut self, key: &[u8]) -> Result<(), OpError> {
        Self::delete(self, key)
    }
}

#[cfg(test)]
pub(super) mod fake {
    //! A session on a map, on a clock that only its operations move.

    use std::collections::{BTreeMap, VecDeque};
    use std::sync::atomic::{AtomicU64, Ordering};

    use stowmark_host::{ErrorClass, OpError, Sink, Source};

    use super::Session;
    use crate::clock::Ticks;

    /// A clock that stands still unless it is moved, and counts who looks at it.
    #[derive(Debug, Default)]
    pub(in crate::worker) struct HeldTicks {
        ticks: AtomicU64,
        reads: AtomicU64,
    }

    impl HeldTicks {
        pub(in crate::worker) fn pass(&self, ticks: u64) {
            self.ticks.fetch_add(ticks, Ordering::Relaxed);
        }

        pub(in crate::worker) fn reads(&self) -> u64 {
            self.reads.load(Ordering::Relaxed)
        }
    }

    impl Ticks for HeldTicks {
        fn now(&self) -> u64 {
            self.reads.fetch_add(1, Ordering::Relaxed);
            self.ticks.load(Ordering::Relaxed)
        }
    }

    /// How an operation goes.
    #[derive(Clone, Debug, Default)]
    pub(in crate::worker) struct Act {
        /// Ticks until the first byte comes.
        pub(in crate::worker) first: u64,
        /// Ticks from there to the end.
        pub(in crate::worker) rest: u64,
        /// The error that it ends with.
        pub(in crate::worker) error: Option<ErrorClass>,
        /// How much longer than true the engine says the blob is.
        pub(in crate::worker) boast: u64,
    }

    /// A session on a map; its operations go as they are told, then take no time.
    pub(in crate::worker) struct MapSession<'a> {
        pub(in crate::worker) clock: &'a HeldTicks,
        pub(in crate::worker) acts: VecDeque<Act>,
        pub(in crate::worker) blobs: BTreeMap<Vec<u8>, Vec<u8>>,
    }

    impl<'a> MapSession<'a> {
        pub(in crate::worker) fn new(
            clock: &'a HeldTicks,
            acts: impl IntoIterator<Item = Act>,
        ) -> Self {
            Self { clock, acts: acts.into_iter().collect(), blobs: BTreeMap::new() }
        }

        fn act(&mut self) -> Act {
            self.acts.pop_front().unwrap_or_default()
        }
    }

    fn end<T>(act: &Act, value: T) -> Result<T, OpError> {
        match act.error {
            Some(class) => Err(OpError::new(class, "as told")),
            None => Ok(value),
        }
    }

    fn not_found() -> OpError {
        OpError::new(ErrorClass::NotFound, "no such key")
    }

    impl Session for MapSession<'_> {
        fn put<S: Source>(&mut self, key: &[u8], source: &mut S) -> Result<u64, OpError> {
            let act = self.act();
            self.clock.pass(act.first + act.rest);
            if act.error.is_none() {
                let mut bytes = Vec::new();
                // A piece at a time, as an engine with pages would.
                loop {
                    let piece = source.next(100_000)?;
                    if piece.is_empty() {
                        break;
                    }
                    bytes.extend_from_slice(piece);
                }
                self.blobs.insert(key.into(), bytes);
            }
            end(&act, source.len() + act.boast)
        }

        fn get<K: Sink>(&mut self, key: &[u8], sink: &mut K) -> Result<u64, OpError> {
            let act = self.act();
            self.clock.pass(act.first);
            let blob = self.blobs.get(key).ok_or_else(not_found)?;
            let (begin, rest) = blob.split_at(blob.len() / 2);
            sink.write(begin)?;
            self.clock.pass(act.rest);
            sink.write(rest)?;
            end(&act, blob.len() as u64 + act.boast)
        }

        fn delete(&mut self, key: &[u8]) -> Result<(), OpError> {
            let act = self.act();
            self.clock.pass(act.first + act.rest);
            end(&act, ())?;
            self.blobs.remove(key).map(drop).ok_or_else(not_found)
        }
    }
}
