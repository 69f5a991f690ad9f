//! The measured loop. Between two clock reads there is nothing but the engine's work: keys and
//! payloads were made before, and one operation's figure goes into a histogram of this thread's own.

use std::collections::BTreeMap;
use std::ops::Range;

use hdrhistogram::Histogram;
use stowmark_host::{OpError, SliceSource, Source};
use stowmark_results::histogram;
use stowmark_workload::{PayloadStream, Payloads};

use super::batch::{Batch, Kind};
use super::session::Session;
use super::sink::CopySink;
use crate::clock::{Rate, Ticks};
use crate::protocol::Failed;

/// What one client measured, added up over the batches of a round.
pub(super) struct Record {
    /// Each operation's nanoseconds.
    pub(super) times: Histogram<u64>,
    /// Each get's nanoseconds until the first byte.
    pub(super) first_bytes: Histogram<u64>,
    /// Ticks of all operations.
    pub(super) ticks: u64,
    /// Ticks until the first bytes.
    pub(super) first_ticks: u64,
    /// Operations that succeeded.
    pub(super) ops: u64,
    /// Payload bytes that they moved.
    pub(super) bytes: u64,
    /// Failed operations by class.
    pub(super) errors: BTreeMap<String, u64>,
    /// The first failure.
    pub(super) first_error: Option<Failed>,
}

impl Record {
    pub(super) fn new() -> Self {
        Self {
            times: histogram::empty(),
            first_bytes: histogram::empty(),
            ticks: 0,
            first_ticks: 0,
            ops: 0,
            bytes: 0,
            errors: BTreeMap::new(),
            first_error: None,
        }
    }

    /// Forgets what was measured and keeps the memory.
    pub(super) fn reset(&mut self) {
        self.times.reset();
        self.first_bytes.reset();
        (self.ticks, self.first_ticks, self.ops, self.bytes) = (0, 0, 0, 0);
        self.errors.clear();
        self.first_error = None;
    }

    #[inline]
    fn success(&mut self, ticks: u64, rate: Rate, bytes: u64) {
        self.ticks += ticks;
        self.ops += 1;
        self.bytes += bytes;
        self.times.saturating_record(rate.whole_ns(ticks));
    }

    #[inline]
    fn first_byte(&mut self, ticks: u64, rate: Rate) {
        self.first_ticks += ticks;
        self.first_bytes.saturating_record(rate.whole_ns(ticks));
    }

    #[cold]
    fn failure(&mut self, class: &str, message: impl FnOnce() -> String) {
        *self.errors.entry(class.into()).or_default() += 1;
        self.first_error.get_or_insert_with(|| Failed { class: class.into(), message: message() });
    }

    #[cold]
    fn op_error(&mut self, error: &OpError) {
        self.failure(error.class.name(), || Failed::from(error).message);
    }

    #[cold]
    fn wrong_length(&mut self, op: &str, key: &[u8], expected: u64, told: u64, moved: u64) {
        self.failure("wrong-length", || {
            format!(
                "{op} {}: expected {expected} bytes, the engine says {told} and moved {moved}",
                key.escape_ascii()
            )
        });
    }
}

/// The loop's surroundings, the same for every operation.
pub(super) struct Measure<'a, T> {
    pub(super) clock: &'a T,
    pub(super) rate: Rate,
    pub(super) batch: &'a Batch,
    pub(super) payloads: &'a Payloads,
    /// The loop returns once an operation ended after these ticks, so that a worker whose engine is
    /// slow still shows that it lives.
    pub(super) deadline_ticks: u64,
}

impl<T: Ticks> Measure<'_, T> {
    /// Does a part of the batch, timing each operation alone, at least one and until the deadline.
    /// Returns the first that it did not do.
    pub(super) fn run<S: Session>(
        &self,
        session: &mut S,
        part: Range<usize>,
        buffer: &mut [u8],
        record: &mut Record,
    ) -> usize {
        match self.batch.kind {
            Kind::Put if self.batch.whole(part.start).is_some() => {
                self.put_whole(session, part, record)
            }
            Kind::Put => self.put_streamed(session, part, record),
            Kind::Get => self.get(session, part, buffer, record),
            Kind::Delete => self.delete(session, part, record),
        }
    }

    fn put_whole<S: Session>(
        &self,
        session: &mut S,
        part: Range<usize>,
        record: &mut Record,
    ) -> usize {
        for at in part.clone() {
            let key = self.batch.keys[at].as_bytes();
            let mut source = SliceSource::new(self.batch.whole(at).unwrap_or_default());
            let start = self.clock.now();
            let stored = session.put(key, &mut source);
            let end = self.clock.now();
            self.note_put(stored, end.saturating_sub(start), key, record);
            if end >= self.deadline_ticks {
                return at + 1;
            }
        }
        part.end
    }

    fn put_streamed<S: Session>(
        &self,
        session: &mut S,
        part: Range<usize>,
        record: &mut Record,
    ) -> usize {
        for at in part.clone() {
            let key = self.batch.keys[at].as_bytes();
            let mut source = StreamSource { stream: self.batch.stream(at, self.payloads) };
            let start = self.clock.now();
            let stored = session.put(key, &mut source);
            let end = self.clock.now();
            self.note_put(stored, end.saturating_sub(start), key, record);
            if end >= self.deadline_ticks {
                return at + 1;
            }
        }
        part.end
    }

    #[inline]
    fn note_put(&self, stored: Result<u64, OpError>, ticks: u64, key: &[u8], record: &mut Record) {
        let size = self.batch.size;
        match stored {
            Ok(len) if len == size => record.success(ticks, self.rate, len),
            Ok(len) => record.wrong_length("put", key, size, len, len),
            Err(error) => record.op_error(&error),
        }
    }

    fn get<S: Session>(
        &self,
        session: &mut S,
        part: Range<usize>,
        buffer: &mut [u8],
        record: &mut Record,
    ) -> usize {
        for at in part.clone() {
            let key = self.batch.keys[at].as_bytes();
            let mut sink = CopySink::new(self.clock, buffer);
            let start = self.clock.now();
            let read = session.get(key, &mut sink);
            let end = self.clock.now();
            match read {
                Ok(len) if len == self.batch.size && sink.len == len => {
                    record.success(end.saturating_sub(start), self.rate, len);
                    // A blob without bytes has no first one.
                    if len > 0 {
                        record.first_byte(sink.first_ticks.saturating_sub(start), self.rate);
                    }
                }
                Ok(len) => record.wrong_length("get", key, self.batch.size, len, sink.len),
                Err(error) => record.op_error(&error),
            }
            if end >= self.deadline_ticks {
                return at + 1;
            }
        }
        part.end
    }

    fn delete<S: Session>(
        &self,
        session: &mut S,
        part: Range<usize>,
        record: &mut Record,
    ) -> usize {
        for at in part.clone() {
            let key = self.batch.keys[at].as_bytes();
            let start = self.clock.now();
            let deleted = session.delete(key);
            let end = self.clock.now();
            match deleted {
                Ok(()) => record.success(end.saturating_sub(start), self.rate, 0),
                Err(error) => record.op_error(&error),
            }
            if end >= self.deadline_ticks {
                return at + 1;
            }
        }
        part.end
    }
}

/// A payload that is larger than what is kept in memory.
struct StreamSource<'a> {
    stream: PayloadStream<'a>,
}

impl Source for StreamSource<'_> {
    fn len(&self) -> u64 {
        self.stream.len()
    }

    fn next(&mut self, max: usize) -> Result<&[u8], OpError> {
        Ok(self.stream.next(max))
    }

    fn contiguous(&self) -> Option<&[u8]> {
        None
    }
}

#[cfg(test)]
mod tests;
