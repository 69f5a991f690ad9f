//! Who has its turn when: executions, cases, warm-up, rounds, reading back.
//!
//! Generic over the [`Crew`], so that all of it is tested without a process or a second passing.
//! The order of things is here; which blobs they are about is in `blobs`, how many operations make a
//! round is found in `warm_up`, what a single turn consists of and how an engine drops out is in
//! `turn`.

mod blobs;
mod turn;
mod warm_up;

use stowmark_results::Round;
use stowmark_workload::{Op, Payloads, balanced_orders, derive_seed};

use super::Stop;
use super::book::{self, Book};
use super::crew::{Cause, Crew, Trouble, Worker};
use super::folder::DataFolder;
use super::progress::Progress;
use crate::event::Event;
use crate::plan::{Order as TurnOrder, Plan, PlannedCase};
use crate::protocol::{Answer, Open, Order, Range, UNUSABLE_PLUGIN, Work, Worked};

/// How many signs of life a worker gives, at least, before the time is out after which it hangs.
const SLICES: u128 = 4;

/// How long an engine that was stopped settles before its turn.
const SETTLE_NS: u64 = 5_000_000;

/// Untimed operations before a round move at most this many bytes, and there are at most four.
const SETTLE_BYTES: u64 = 16 << 20;

/// The schedule of one run.
pub(crate) struct Schedule<'a, C: Crew> {
    plan: &'a Plan,
    crew: C,
    folder: &'a DataFolder,
    book: &'a mut Book,
    stop: &'a Stop,
    emit: &'a mut dyn FnMut(Event),
    progress: Progress,
    /// The workers of this execution by engine; none for engines that failed.
    workers: Vec<Option<C::Worker>>,
    /// Engines that failed; they take no further part.
    out: Vec<bool>,
    execution: u64,
    /// The label that worked before, be it warming up.
    predecessor: Option<String>,
    /// Whether the result file could not be written the last time.
    unwritten: bool,
}

/// What is known of a case while it runs.
struct Running<'p> {
    index: usize,
    case: &'p PlannedCase,
    ops: u64,
    /// The blobs of this case by engine-independent numbers.
    range: Range,
    /// How many warm-up blobs were used.
    warm: u64,
}

impl<'a, C: Crew> Schedule<'a, C> {
    pub(crate) fn new(
        plan: &'a Plan,
        crew: C,
        folder: &'a DataFolder,
        book: &'a mut Book,
        stop: &'a Stop,
        emit: &'a mut dyn FnMut(Event),
    ) -> Self {
        let workload = &plan.workload;
        let turns =
            u64::from(workload.executions) * u64::from(workload.rounds) * plan.engines.len() as u64;
        Self {
            progress: Progress::new(plan.cases.len(), turns),
            workers: Vec::new(),
            out: vec![false; plan.engines.len()],
            execution: 0,
            predecessor: None,
            unwritten: false,
            plan,
            crew,
            folder,
            book,
            stop,
            emit,
        }
    }

    /// Runs all of it, as far as it can be run.
    pub(crate) fn run(mut self) -> End {
        (self.emit)(Event::Started { turns: self.progress.turns() });
        for execution in 0..u64::from(self.plan.workload.executions) {
            if !self.anyone_left() {
                break;
            }
            self.execution = execution;
            self.predecessor = None;
            let ended = self.execution();
            for worker in self.workers.iter_mut().flatten() {
                worker.end();
            }
            self.workers.clear();
            if let Some(message) = self.unusable_plugin() {
                return End::Unusable(message);
            }
            if ended.is_err() || self.stop.requested() {
                return End::Stopped;
            }
        }
        End::Done
    }

    /// Why a plugin cannot be loaded. Only as long as nothing was measured: a plugin that changes
    /// in mid-run fails like any engine.
    fn unusable_plugin(&self) -> Option<String> {
        let mut failures = self.book.result.failures.iter();
        let first = failures.find(|f| f.cause == UNUSABLE_PLUGIN && f.execution == Some(0))?;
        Some(first.message.clone())
    }

    /// One execution: fresh workers, all cases. An error means that the run ends.
    fn execution(&mut self) -> Result<(), Ended> {
        self.workers = (0..self.plan.engines.len()).map(|_| None).collect();
        for engine in 0..self.plan.engines.len() {
            self.open(engine)?;
        }
        if self.unusable_plugin().is_some() {
            return Err(Ended);
        }
        let plan = self.plan;
        for (index, case) in plan.cases.iter().enumerate() {
            if !self.anyone_left() {
                return Ok(());
            }
            self.case(index, case)?;
            self.write();
        }
        for engine in self.present() {
            self.phase(engine, "close");
            self.resume(engine, None, "close")?;
            self.order(engine, None, "close", &Order::Close)?;
            if let Some(worker) = self.workers[engine].as_mut() {
                worker.end();
                for event in worker.take_events() {
                    (self.emit)(event);
                }
            }
        }
        Ok(())
    }

    /// Whether an engine that the user listed still takes part.
    fn anyone_left(&self) -> bool {
        self.plan.engines.iter().zip(&self.out).any(|(engine, out)| !engine.is_floor && !out)
    }

    /// The engines that take part, the floor included.
    fn present(&self) -> Vec<usize> {
        (0..self.plan.engines.len()).filter(|at| self.workers[*at].is_some()).collect()
    }

    /// Writes what is known so far. Where that fails the run goes on: said once, not at each case.
    fn write(&mut self) {
        match self.book.write() {
            Ok(()) => self.unwritten = false,
            Err(error) => {
                if !std::mem::replace(&mut self.unwritten, true) {
                    (self.emit)(Event::Unwritten { message: error.to_string() });
                }
            }
        }
    }

    fn open(&mut self, engine: usize) -> Result<(), Ended> {
        if self.stop.requested() {
            return Err(Ended);
        }
        if self.out[engine] {
            return Ok(());
        }
        let planned = &self.plan.engines[engine];
        self.phase(engine, "open");
        let data_dir = match self.folder.store(engine, self.execution) {
            Ok(path) => path,
            Err(error) => {
                let message = format!("no folder for the store: {error}");
                let cause = Cause { cause: "other".into(), message, log: Vec::new() };
                return self.fail(engine, None, "open", Trouble::Failed(cause));
            }
        };
        // A new build that was put in its place would be measured under the old one's name.
        let planned_sha256 = &self.book.result.engines[engine].plugin_sha256;
        if *planned_sha256 != book::file_sha256(&planned.plugin.path) {
            let path = planned.plugin.path.display();
            let message = format!("the plugin {path} was replaced or removed during the run");
            let cause = Cause { cause: "plugin-replaced".into(), message, log: Vec::new() };
            return self.fail(engine, None, "open", Trouble::Failed(cause));
        }
        match self.crew.start(planned) {
            Ok(worker) => self.workers[engine] = Some(worker),
            Err(trouble) => return self.fail(engine, None, "open", trouble),
        }
        let open = Open {
            plugin: planned.plugin.path.clone(),
            engine: planned.manifest.name.clone(),
            options: planned.options.clone(),
            tier: planned.tier.clone(),
            data_dir,
            details_dir: std::env::temp_dir(),
            data: self.plan.workload.data.to_string(),
            seed: self.plan.seed,
            clients: self.plan.workload.clients,
            slice_ns: u64::try_from(self.plan.timeout.as_nanos() / SLICES).unwrap_or(u64::MAX),
        };
        if let Some(Answer::Opened(opened)) =
            self.order(engine, None, "open", &Order::Open(open))?
        {
            self.book.opened(engine, &opened);
        }
        self.pause(engine, None, "open")
    }

    fn case(&mut self, index: usize, case: &'a PlannedCase) -> Result<(), Ended> {
        (self.emit)(Event::Case {
            execution: self.execution,
            executions: self.plan.workload.executions.into(),
            case: case.id.clone(),
        });
        let mut running = Running {
            index,
            case,
            ops: self.book.result.cases[index].ops_per_round,
            range: Range { population: self.population(case), first: 0, count: 0, size: case.size },
            warm: 0,
        };
        for engine in self.present() {
            self.turn(engine, case, "warm-up", |schedule| {
                schedule.order(engine, Some(case), "warm-up", &Order::Case).map(drop)
            })?;
        }
        self.find_range(&mut running)?;
        self.warm_up(&mut running)?;
        if !self.anyone_left() {
            return Ok(());
        }
        if case.op == Op::Put {
            running.range.count = self.rounds() * running.ops;
        }
        self.all_rounds(&running)?;
        for engine in self.present() {
            self.turn(engine, case, "verify", |schedule| schedule.verify(engine, &running))?;
        }
        Ok(())
    }

    fn rounds(&self) -> u64 {
        self.plan.workload.rounds.into()
    }

    fn work(&self, case: &PlannedCase, range: Range, ops: u64, seed: &[u64]) -> Work {
        let stopping = self.plan.order == TurnOrder::Interleaved;
        Work {
            op: case.op.to_string(),
            range,
            ops,
            key_order: self.plan.workload.key_order.to_string(),
            seed: derive_seed(self.plan.seed, seed),
            settle_ops: if Payloads::is_streamed(case.size) {
                0
            } else {
                (SETTLE_BYTES / case.size.max(1)).min(4)
            },
            settle_ns: if stopping { SETTLE_NS } else { 0 },
        }
    }

    fn all_rounds(&mut self, running: &Running<'a>) -> Result<(), Ended> {
        let present = self.present();
        let rounds = usize::try_from(self.rounds()).unwrap_or(usize::MAX);
        if self.plan.order == TurnOrder::Sequential {
            for (position, engine) in present.iter().enumerate() {
                for round in 0..rounds {
                    self.round(running, *engine, round as u64, position as u64)?;
                }
            }
            return Ok(());
        }
        let seed = derive_seed(self.plan.seed, &[self.execution, running.index as u64]);
        for (round, turns) in balanced_orders(present.len(), rounds, seed).into_iter().enumerate() {
            for (position, turn) in turns.into_iter().enumerate() {
                self.round(running, present[turn], round as u64, position as u64)?;
            }
        }
        Ok(())
    }

    fn round(
        &mut self,
        running: &Running<'a>,
        engine: usize,
        round: u64,
        position: u64,
    ) -> Result<(), Ended> {
        if self.workers[engine].is_none() || !self.anyone_left() {
            return Ok(());
        }
        let predecessor = self.predecessor.take();
        let Running { index, case, ops, .. } = *running;
        let range = match case.op {
            Op::Get => running.range,
            Op::Put | Op::Delete => Range { first: round * ops, count: ops, ..running.range },
        };
        let work = self.work(case, range, ops, &[self.execution, index as u64, round]);
        let start_ns = self.crew.now_ns();
        let worked = self.turn(engine, case, "round", |schedule| {
            schedule.preload_doomed(engine, case, "round", range)?;
            schedule.measure(engine, case, "round", work)
        })?;
        if let Some(worked) = worked {
            self.progress.turn(index, self.crew.now_ns().saturating_sub(start_ns));
            let place = Round {
                execution: self.execution,
                index: round,
                position,
                predecessor,
                ..Round::default()
            };
            self.book.round(index, engine, place, &worked);
        }
        (self.emit)(Event::Progress {
            done: self.progress.done(),
            turns: self.progress.turns(),
            left: self.progress.left(),
        });
        Ok(())
    }

    /// A piece of measured work. An engine none of whose operations succeeds has failed.
    fn measure(
        &mut self,
        engine: usize,
        case: &PlannedCase,
        phase: &'static str,
        work: Work,
    ) -> Result<Option<Worked>, Ended> {
        let answer = self.order(engine, Some(case), phase, &Order::Work(work))?;
        let Some(Answer::Worked(worked)) = answer else { return Ok(None) };
        if worked.ops == 0 {
            let error = worked.first_error.unwrap_or_default();
            let cause = Cause { cause: error.class, message: error.message, log: Vec::new() };
            self.fail(engine, Some(case), phase, Trouble::Failed(cause))?;
            return Ok(None);
        }
        Ok(Some(worked))
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// All was done that could be.
    Done,
    /// The user ended it.
    Stopped,
    /// A plugin cannot be loaded: nothing was measured.
    Unusable(String),
}

/// The run ends here.
struct Ended;
