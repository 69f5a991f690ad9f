//! The measured loop. Between two clock reads there is nothing but the engine's work: keys and
//! payloads were made before, and one operation's figure goes into a histogram of this thread's own.

use std::collections::BTreeMap;
use std::ops;

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
        self.failure(error.class.name(), || error.to_string());
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
    /// What one client does of a batch.
pub(super) struct Task<'a> {
    pub(super) batch: &'a Batch,
    /// This client's operations.
    pub(super) part: ops::Range<usize>,
    pub(super) payloads: &'a Payloads,
    /// What a tick is, for the histograms.
    pub(super) rate: Rate,
}

impl Task<'_> {
    fn key(&self, at: usize) -> &[u8] {
        self.batch.keys[at].as_bytes()
    }
}

/// Does the operations of a part of the batch, timing each alone.
pub(super) fn run<T: Ticks, S: Session>(
    clock: &T,
    session: &mut S,
    task: &Task<'_>,
    buffer: &mut [u8],
    record: &mut Record,
) {
    match task.batch.kind {
        Kind::Put if task.batch.whole(task.part.start).is_some() => {
            put_whole(clock, session, task, record);
        }
        Kind::Put => put_streamed(clock, session, task, record),
        Kind::Get => get(clock, session, task, buffer, record),
        Kind::Delete => delete(clock, session, task, record),
    }
}

fn put_whole<T: Ticks, S: Session>(
    clock: &T,
    session: &mut S,
    task: &Task<'_>,
    record: &mut Record,
) {
    for at in task.part.clone() {
        let key = task.key(at);
        let mut source = SliceSource::new(task.batch.whole(at).unwrap_or_default());
        let start = clock.now();
        let stored = session.put(key, &mut source);
        let ticks = clock.now().saturating_sub(start);
        note_put(stored, ticks, task, key, record);
    }
}

#[inline]
fn note_put(
    stored: Result<u64, OpError>,
    ticks: u64,
    task: &Task<'_>,
    key: &[u8],
    record: &mut Record,
) {
    let size = task.batch.size;
    match stored {
        Ok(len) if len == size => record.success(ticks, task.rate, len),
        Ok(len) => record.wrong_length("put", key, size, len, len),
        Err(error) => record.op_error(&error),
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

fn put_streamed<T: Ticks, S: Session>(
    clock: &T,
    session: &mut S,
    task: &Task<'_>,
    record: &mut Record,
) {
    for at in task.part.clone() {
        let key = task.key(at);
        let mut source = StreamSource { stream: task.batch.stream(at, task.payloads) };
        let start = clock.now();
        let stored = session.put(key, &mut source);
        let ticks = clock.now().saturating_sub(start);
        note_put(stored, ticks, task, key, record);
    }
}

fn get<T: Ticks, S: Session>(
    clock: &T,
    session: &mut S,
    task: &Task<'_>,
    buffer: &mut [u8],
    record: &mut Record,
) {
    for at in task.part.clone() {
        let key = task.key(at);
        let mut sink = CopySink::new(clock, buffer);
        let start = clock.now();
        let read = session.get(key, &mut sink);
        let ticks = clock.now().saturating_sub(start);
        match read {
            Ok(len) if len == task.batch.size && sink.len == len => {
                record.success(ticks, task.rate, len);
                // A blob without bytes has no first one.
                if len > 0 {
                    record.first_byte(sink.first_ticks.saturating_sub(start), task.rate);
                }
            }
            Ok(len) => record.wrong_length("get", key, task.batch.size, len, sink.len),
            Err(error) => record.op_error(&error),
        }
    }
}

fn delete<T: Ticks, S: Session>(
    clock: &T,
    session: &mut S,
    task: &Task<'_>,
    record: &mut Record,
) {
    for at in task.part.clone() {
        let key = task.key(at);
        let start = clock.now();
        let deleted = session.delete(key);
        let ticks = clock.now().saturating_sub(start);
        match deleted {
            Ok(()) => record.success(ticks, task.rate, 0),
            Err(error) => record.op_error(&error),
        }
    }
}

#[cfg(test)]
mod tests;
