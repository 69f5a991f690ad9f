//! An open store and its clients: carries out what a supervisor orders.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use stowmark_host::{OpError, OpenSpec, Plugin, Schema, Store, Tier};
use stowmark_workload::{KeyOrder, PayloadKind, Payloads};

use super::Answers;
use super::batch::{Batch, Kind, SCRATCH};
use super::client::{Clients, Pace};
use super::round::{Outside, Piece, Total, summary};
use super::trouble::FirstFailure;
use super::verify::Check;
use crate::clock::{Moment, Rate, WallClock};
use crate::platform;
use crate::protocol::{
    Answer, Failed, Open, Opened, Range, Stored, UNUSABLE_PLUGIN, Verified, VerifyOrder, Work,
    Worked,
};

/// How many blobs are read back between two signs of life.
const VERIFY_STEP: u64 = 1_000;

impl From<&OpError> for Failed {
    fn from(error: &OpError) -> Self {
        let OpError { class, code, message } = error;
        let message = match code {
            0 => message.clone(),
            code => format!("{message} (code {code})"),
        };
        Self { class: class.name().into(), message }
    }
}

impl From<OpError> for Failed {
    fn from(error: OpError) -> Self {
        Self::from(&error)
    }
}

fn other(message: impl ToString) -> Failed {
    Failed { class: "other".into(), message: message.to_string() }
}

fn unusable(error: impl ToString) -> Failed {
    Failed { class: UNUSABLE_PLUGIN.into(), message: error.to_string() }
}

/// An open store and its clients.
pub(super) struct OpenStore {
    store: Arc<Store>,
    clients: Clients,
    payloads: Arc<Payloads>,
    clock: WallClock,
    /// When the clock was first read: short rounds take their rate from here on.
    anchor: Moment,
    data_dir: PathBuf,
    folder: File,
    /// Payload memory, used again from batch to batch.
    arena: Vec<u8>,
    /// After so long a batch pauses between two operations, to show that the worker lives.
    slice_ns: u64,
    failures: FirstFailure,
}

impl OpenStore {
    /// Loads the plugin and opens the store.
    pub(super) fn open(open: Open, answers: &Answers) -> Result<(Self, Opened), Failed> {
        let clock = WallClock::choose();
        let anchor = Moment::now(&clock);
        let file = stowmark_host::inspect(&open.plugin).map_err(unusable)?;
        let plugin = Plugin::load(&file, Some(&open.details_dir)).map_err(unusable)?;
        let engine = plugin.engine(&open.engine)?;
        let options: Vec<(String, String)> = open.options.into_iter().collect();
        let tier = Tier::from_name(&open.tier)
            .ok_or_else(|| other(format!("no tier {} in this harness", open.tier)))?;
        let log = answers.clone();
        let store = engine.open(
            &OpenSpec { options: &options, tier, data_dir: &open.data_dir },
            Box::new(move |level, target, message| log.log(level.name(), target, message)),
        )?;
        store.prepare(&Schema::blobs("stowmark"))?;
        let kind: PayloadKind = open.data.parse().map_err(other)?;
        let payloads = Arc::new(Payloads::new(&kind, open.seed).map_err(other)?);
        let store = Arc::new(store);
        let clients = Clients::start(open.clients, &store, &payloads, &clock)?;
        let folder = File::open(&open.data_dir).map_err(other)?;
        let mut opened = Opened {
            server_pid: store.server_pid(),
            clock: clock.name().into(),
            clock_read_ns: clock.read_cost_ns(),
            clock_step_ns: Rate::between(anchor, Moment::now(&clock)).ns(clock.step_ticks()),
            cpu_resolution_ns: platform::cpu_resolution_ns(),
            ..Opened::default()
        };
        match store.settings() {
            Ok(settings) => opened.settings = settings.into_iter().collect(),
            Err(error) => opened.settings_error = Some(error.to_string()),
        }
        let slice_ns = open.slice_ns;
        let data_dir = open.data_dir;
        let arena = Vec::new();
        let failures = FirstFailure::default();
        let store = Self {
            store,
            clients,
            payloads,
            clock,
            anchor,
            data_dir,
            folder,
            arena,
            slice_ns,
            failures,
        };
        Ok((store, opened))
    }

    /// Ends the sessions and closes the store.
    pub(super) fn close(self) -> Result<(), Failed> {
        self.clients.stop();
        // The clients had the other shares, and they are gone.
        let store =
            Arc::try_unwrap(self.store).map_err(|_| other("a session outlived its client"))?;
        store.close().map_err(Failed::from)
    }

    /// A round, or a piece of warm-up.
    pub(super) fn work(&mut self, work: &Work, answers: &Answers) -> Result<Worked, Failed> {
        let kind = kind(&work.op)?;
        let order: KeyOrder = work.key_order.parse().map_err(other)?;
        self.settle(kind, work, answers)?;
        self.clients.reset()?;
        let mut round = Total::default();
        let limit = Batch::limit(kind, work.range.size);
        let mut done = 0;
        while done < work.ops {
            let count = limit.min(work.ops - done);
            let batch = self.batch(kind, work, order, done, count);
            round.join(&self.run(batch, answers)?);
            done += count;
        }
        let drain = platform::monotonic_ns();
        platform::sync_file_system(&self.folder).map_err(other)?;
        let drain_wall_ns = Some(platform::monotonic_ns() - drain);
        let records = self.clients.records()?;
        let mut worked = summary(&records, &round, kind, drain_wall_ns);
        self.failures.explain(&mut worked);
        Ok(worked)
    }

    fn batch(&mut self, kind: Kind, work: &Work, order: KeyOrder, done: u64, count: u64) -> Batch {
        if kind == Kind::Get {
            return Batch::any(work.range, order, work.seed, done, count, &self.payloads);
        }
        let range = Range { first: work.range.first + done, count, ..work.range };
        let arena = std::mem::take(&mut self.arena);
        Batch::each(kind, range, order, work.seed, &self.payloads, arena)
    }

    /// Runs a batch and takes its memory back; tells between its slices that the worker lives.
    fn run(&mut self, batch: Batch, answers: &Answers) -> Result<Total, Failed> {
        let batch = Arc::new(batch);
        let mut total = Total::default();
        loop {
            let start = Moment::now(&self.clock);
            let before = Outside::now();
            let begin = total.start_ns.is_none();
            let rate = Rate::between(self.anchor, start);
            let pace = Pace { rate, slice_ns: self.slice_ns };
            let (span, whole) = self.clients.run(&batch, pace, begin)?;
            let outside = Outside::now().since(&before);
            let end = Moment::now(&self.clock);
            total.add(&Piece { span, rate: Rate::of_round(self.anchor, start, end), outside });
            answers.send(&Answer::Alive).map_err(other)?;
            if whole {
                break;
            }
        }
        // The clients have answered, so each has dropped its share.
        if let Ok(batch) = Arc::try_unwrap(batch) {
            self.arena = batch.into_arena();
        }
        Ok(total)
    }

    /// Lets what was stopped come to rest, then does a few operations that count nowhere.
    fn settle(&mut self, kind: Kind, work: &Work, answers: &Answers) -> Result<(), Failed> {
        std::thread::sleep(Duration::from_nanos(work.settle_ns));
        let order = KeyOrder::Sequential;
        let batch = match kind {
            _ if work.settle_ops == 0 => return Ok(()),
            Kind::Delete => return Ok(()),
            Kind::Get => {
                Batch::any(work.range, order, work.seed, 0, work.settle_ops, &self.payloads)
            }
            Kind::Put => {
                let range = Range {
                    population: SCRATCH,
                    first: 0,
                    count: work.settle_ops,
                    size: work.range.size,
                };
                let arena = std::mem::take(&mut self.arena);
                Batch::each(kind, range, order, work.seed, &self.payloads, arena)
            }
        };
        self.run(batch, answers)?;
        for record in self.clients.records()? {
            self.failures.note(record.first_error.as_ref());
        }
        Ok(())
    }

    /// Stores blobs, untimed.
    pub(super) fn preload(&mut self, range: Range, answers: &Answers) -> Result<Worked, Failed> {
        let work = Work {
            op: "put".into(),
            range,
            ops: range.count,
            key_order: KeyOrder::Sequential.to_string(),
            seed: 0,
            settle_ops: 0,
            settle_ns: 0,
        };
        let worked = self.work(&work, answers)?;
        match &worked.first_error {
            Some(error) => Err(error.clone()),
            None => Ok(worked),
        }
    }

    /// Reads blobs back, or sees that they are gone.
    pub(super) fn verify(
        &mut self,
        order: VerifyOrder,
        answers: &Answers,
    ) -> Result<Verified, Failed> {
        let mut total = Verified::default();
        let mut done = 0;
        while done < order.range.count && total.mismatch.is_none() {
            let count = VERIFY_STEP.min(order.range.count - done);
            let range = Range { first: order.range.first + done, count, ..order.range };
            for part in self.clients.verify(Check { range, gone: order.gone })? {
                total.blobs += part.blobs;
                total.bytes += part.bytes;
                total.missing += part.missing;
                total.first_missing = total.first_missing.or(part.first_missing);
                if total.mismatch.is_none() {
                    (total.mismatch, total.class) = (part.mismatch, part.class);
                }
            }
            if total.missing > order.may_miss && total.mismatch.is_none() {
                total.mismatch = Some(too_many_missing(&total, order.gone));
            }
            done += count;
            answers.send(&Answer::Alive).map_err(other)?;
        }
        Ok(total)
    }

    /// What is stored, and how much memory it took.
    pub(super) fn storage(&self) -> Result<Stored, Failed> {
        let engine: BTreeMap<String, u64> = self.store.stats()?.into_iter().collect();
        Ok(Stored {
            engine,
            files_bytes: platform::occupied_bytes(&self.data_dir),
            peak_rss_bytes: platform::peak_rss_bytes(),
        })
    }
}

pub(super) fn too_many_missing(total: &Verified, gone: bool) -> String {
    let what = if gone { "were deleted and are still there" } else { "are not there" };
    let key = total.first_missing.as_deref().unwrap_or_default();
    format!("{} of {} blobs {what}, the first is {key}", total.missing, total.blobs)
}

fn kind(op: &str) -> Result<Kind, Failed> {
    match op {
        "put" => Ok(Kind::Put),
        "get" => Ok(Kind::Get),
        "delete" => Ok(Kind::Delete),
        _ => Err(other(format!("no operation {op} in this harness"))),
    }
}
