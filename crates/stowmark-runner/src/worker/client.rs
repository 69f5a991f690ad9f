//! Clients: threads that each keep one session for the life of the store, as a real client would.

use std::panic::AssertUnwindSafe;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Barrier};
use std::thread::JoinHandle;

use stowmark_host::{BlobSession, Store};
use stowmark_workload::Payloads;

use super::batch::Batch;
use super::measure::{Measure, Record};
use super::sink;
use super::verify::{self, Check};
use crate::clock::{Rate, WallClock};
use crate::platform;
use crate::protocol::{Failed, Verified};

/// What a client is told to do.
enum Job {
    /// Begin a new record.
    Reset,
    /// Do this client's part of the batch, from its beginning or from where it was left.
    Batch { batch: Arc<Batch>, pace: Pace, start: Arc<Barrier>, begin: bool },
    /// Give the record.
    Give,
    /// Read back.
    Verify(Check),
}

/// How a batch is timed.
#[derive(Copy, Clone, Debug)]
pub(super) struct Pace {
    /// What a tick is, for each operation's own figure.
    pub(super) rate: Rate,
    /// After so long a client pauses between two operations, so that the worker can show that it
    /// lives.
    pub(super) slice_ns: u64,
}

/// What a client answers.
enum Done {
    Ready,
    Failed(Failed),
    Batch { span: Span, whole: bool },
    Record(Box<Record>),
    Verified(Verified),
}

/// When a client's part of a batch ran, and the process's CPU time at both ends.
#[derive(Copy, Clone, Debug)]
pub(super) struct Span {
    pub(super) start_ns: u64,
    pub(super) end_ns: u64,
    pub(super) start_cpu_ns: u64,
    pub(super) end_cpu_ns: u64,
}

impl Span {
    /// The time from the first client's start to the last one's end.
    pub(super) fn union(self, other: Self) -> Self {
        Self {
            start_ns: self.start_ns.min(other.start_ns),
            end_ns: self.end_ns.max(other.end_ns),
            start_cpu_ns: self.start_cpu_ns.min(other.start_cpu_ns),
            end_cpu_ns: self.end_cpu_ns.max(other.end_cpu_ns),
        }
    }
}

/// All clients of a store.
pub(super) struct Clients {
    threads: Vec<Client>,
}

struct Client {
    jobs: Sender<Job>,
    done: Receiver<Done>,
    thread: JoinHandle<()>,
}

impl Clients {
    /// Starts the threads and opens a session on each.
    pub(super) fn start(
        count: u32,
        store: &Arc<Store>,
        payloads: &Arc<Payloads>,
        clock: &WallClock,
    ) -> Result<Self, Failed> {
        let mut threads = Vec::new();
        for number in 0..count {
            let (jobs, inbox) = channel();
            let (outbox, done) = channel();
            let context = Context {
                number: number as usize,
                of: count as usize,
                payloads: payloads.clone(),
                clock: clock.clone(),
            };
            let store = store.clone();
            let thread = std::thread::Builder::new()
                .name(format!("client-{number}"))
                .spawn(move || live(&context, &store, &inbox, &outbox))
                .map_err(|error| Failed {
                    class: "other".into(),
                    message: format!("no thread for client {number}: {error}"),
                })?;
            threads.push(Client { jobs, done, thread });
        }
        let clients = Self { threads };
        clients.collect(|done| matches!(done, Done::Ready).then_some(()))?;
        Ok(clients)
    }

    fn tell(&self, job: impl Fn() -> Job) {
        for client in &self.threads {
            // A client that is gone shows when its answer is missed.
            let _ = client.jobs.send(job());
        }
    }

    fn collect<T>(&self, pick: impl Fn(Done) -> Option<T>) -> Result<Vec<T>, Failed> {
        let answers = self.threads.iter().map(|client| match client.done.recv() {
            Ok(Done::Failed(failed)) => Err(failed),
            Ok(done) => pick(done).ok_or_else(lost),
            Err(_) => Err(lost()),
        });
        answers.collect()
    }

    pub(super) fn reset(&self) -> Result<(), Failed> {
        self.tell(|| Job::Reset);
        self.collect(|done| matches!(done, Done::Ready).then_some(())).map(drop)
    }

    /// Does the batch on all clients at once, or what is left of it, for at most
    /// a slice and one operation. Returns when it ran, and whether all is done.
    pub(super) fn run(
        &self,
        batch: &Arc<Batch>,
        pace: Pace,
        begin: bool,
    ) -> Result<(Span, bool), Failed> {
        let start = Arc::new(Barrier::new(self.threads.len()));
        self.tell(|| Job::Batch { batch: batch.clone(), pace, start: start.clone(), begin });
        let parts = self.collect(|done| match done {
            Done::Batch { span, whole } => Some((span, whole)),
            _ => None,
        })?;
        let union = |a: (Span, bool), b: (Span, bool)| (a.0.union(b.0), a.1 && b.1);
        parts.into_iter().reduce(union).ok_or_else(lost)
    }

    /// The records since the last reset.
    pub(super) fn records(&self) -> Result<Vec<Record>, Failed> {
        self.tell(|| Job::Give);
        self.collect(|done| match done {
            Done::Record(record) => Some(*record),
            _ => None,
        })
    }

    /// Reads back on all clients, each its part.
    pub(super) fn verify(&self, check: Check) -> Result<Vec<Verified>, Failed> {
        self.tell(|| Job::Verify(check));
        self.collect(|done| match done {
            Done::Verified(verified) => Some(verified),
            _ => None,
        })
    }

    /// Drops all sessions and ends the threads.
    pub(super) fn stop(self) {
        for client in self.threads {
            drop(client.jobs);
            // A panic in it was told by its answer.
            let _ = client.thread.join();
        }
    }
}

fn lost() -> Failed {
    Failed { class: "other".into(), message: "a client's thread ended before its work".into() }
}

struct Context {
    number: usize,
    of: usize,
    payloads: Arc<Payloads>,
    clock: WallClock,
}

impl Context {
    /// This client's part of so many operations.
    fn part(&self, count: usize) -> std::ops::Range<usize> {
        self.number * count / self.of..(self.number + 1) * count / self.of
    }
}

/// A client's life: opens its session and works until it is told no more.
fn live(context: &Context, store: &Store, inbox: &Receiver<Job>, outbox: &Sender<Done>) {
    let client = u32::try_from(context.number).unwrap_or(u32::MAX);
    let mut session = match store.blob_session(client) {
        Ok(session) => session,
        Err(error) => {
            let class = error.class.name().into();
            let _ = outbox.send(Done::Failed(Failed { class, message: error.to_string() }));
            return;
        }
    };
    let mut record = Box::new(Record::new());
    let mut buffer = sink::buffer();
    // The next operation of the batch under way.
    let mut next = 0;
    let _ = outbox.send(Done::Ready);
    while let Ok(job) = inbox.recv() {
        let done = std::panic::catch_unwind(AssertUnwindSafe(|| match job {
            Job::Reset => {
                record.reset();
                Done::Ready
            }
            Job::Batch { batch, pace, start, begin } => {
                let mut part = context.part(batch.keys.len());
                if !begin {
                    part.start = next;
                }
                start.wait();
                let (span, reached) = measure(
                    context,
                    &mut session,
                    &batch,
                    pace,
                    part.clone(),
                    &mut buffer,
                    &mut record,
                );
                next = reached;
                Done::Batch { span, whole: next == part.end }
            }
            Job::Give => Done::Record(std::mem::replace(&mut record, Box::new(Record::new()))),
            Job::Verify(check) => {
                let part = context.part(usize::try_from(check.range.count).unwrap_or(usize::MAX));
                Done::Verified(verify::run(&mut session, check, part, &context.payloads))
            }
        }));
        let Ok(done) = done else { return };
        if outbox.send(done).is_err() {
            return;
        }
    }
}

/// Does a part of the batch. Returns when it ran and the first operation that it did not do.
fn measure(
    context: &Context,
    session: &mut BlobSession,
    batch: &Batch,
    pace: Pace,
    part: std::ops::Range<usize>,
    buffer: &mut [u8],
    record: &mut Record,
) -> (Span, usize) {
    let payloads = &context.payloads;
    let rate = pace.rate;
    let deadline_ticks = context.clock.now().saturating_add(rate.ticks(pace.slice_ns));
    // The window of the CPU clock lies within that of the wall clock.
    let start_ns = platform::monotonic_ns();
    let start_cpu_ns = platform::process_cpu_ns();
    let reached = match &context.clock {
        WallClock::Counter(clock) => Measure { clock, rate, batch, payloads, deadline_ticks }
            .run(session, part, buffer, record),
        WallClock::Monotonic(clock) => Measure { clock, rate, batch, payloads, deadline_ticks }
            .run(session, part, buffer, record),
    };
    let end_cpu_ns = platform::process_cpu_ns();
    let end_ns = platform::monotonic_ns();
    (Span { start_ns, end_ns, start_cpu_ns, end_cpu_ns }, reached)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stowmark_workload::PayloadKind;

    #[test]
    fn clients_share_a_batch_without_gap_or_overlap() {
        for (of, count) in [(1, 10), (3, 10), (4, 4), (7, 3), (5, 0)] {
            let mut next = 0;
            for number in 0..of {
                let context = Context {
                    number,
                    of,
                    payloads: Arc::new(Payloads::new(&PayloadKind::Zero, 0).unwrap()),
                    clock: WallClock::Monotonic(crate::clock::Monotonic),
                };
                let part = context.part(count);
                assert_eq!(part.start, next);
                assert!(part.len() <= count.div_ceil(of), "no client does more than its share");
                next = part.end;
            }
            assert_eq!(next, count);
        }
    }

    #[test]
    fn a_batch_lasts_from_the_first_start_to_the_last_end() {
        let a = Span { start_ns: 5, end_ns: 20, start_cpu_ns: 2, end_cpu_ns: 8 };
        let b = Span { start_ns: 3, end_ns: 15, start_cpu_ns: 1, end_cpu_ns: 9 };
        let both = a.union(b);
        assert_eq!((both.start_ns, both.end_ns), (3, 20));
        assert_eq!((both.start_cpu_ns, both.end_cpu_ns), (1, 9));
    }
}
