//! Who has its turn when: executions, cases, warm-up, rounds, reading back.
//!
//! Generic over the [`Crew`], so that all of it is tested without a process or a second passing.

use std::collections::BTreeMap;

use stowmark_results::{Round, Verification};
use stowmark_workload::{Op, Payloads, Verify, balanced_orders, derive_seed};

use super::Stop;
use super::book::Book;
use super::calibrate::Trial;
use super::crew::{Cause, Crew, Trouble, Worker};
use super::folder::DataFolder;
use super::progress::Progress;
use crate::event::Event;
use crate::plan::{Order as TurnOrder, Plan, PlannedCase};
use crate::protocol::{Answer, Open, Order, Range, VerifyOrder, Work, Worked};

/// How long an engine that was stopped settles before its turn.
const SETTLE_NS: u64 = 5_000_000;

/// Untimed operations before a round move at most this many bytes, and there are at most four.
const SETTLE_BYTES: u64 = 16 << 20;

/// A get without a put before it finds so many bytes of blobs, at most.
const PRELOAD_BYTES: u64 = 256 << 20;
/// And so many blobs.
const PRELOAD_BLOBS: u64 = 1_000;

/// Populations of blobs that are stored only to be read: a put after it must not find them there.
const PRELOADED: u16 = 0x2000;
/// Populations of blobs that are no part of any round.
const WARM_UP: u16 = 0x4000;
/// Populations of blobs that are stored only to be deleted.
const DOOMED: u16 = 0x8000;

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
            plan,
            crew,
            folder,
            book,
            stop,
            emit,
        }
    }

    /// Runs all of it. Returns whether the user ended it before it was done.
    pub(crate) fn run(mut self) -> bool {
        (self.emit)(Event::Started { turns: self.progress.turns() });
        for execution in 0..u64::from(self.plan.workload.executions) {
            if !self.anyone_left() {
                break;
            }
            self.execution = execution;
            self.predecessor = None;
            let stopped = self.execution().is_err();
            for worker in self.workers.iter_mut().flatten() {
                worker.end();
            }
            self.workers.clear();
            if stopped || self.stop.requested() {
                return true;
            }
        }
        false
    }

    /// One execution: fresh workers, all cases. An error means that the user ended the run.
    fn execution(&mut self) -> Result<(), Ended> {
        self.workers = (0..self.plan.engines.len()).map(|_| None).collect();
        for engine in 0..self.plan.engines.len() {
            self.open(engine)?;
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

    fn write(&mut self) {
        match self.book.write() {
            Ok(()) => {}
            Err(error) => (self.emit)(Event::Log {
                label: "harness".into(),
                level: Some("warn".into()),
                line: format!("{error}; the run goes on, and it is tried again after each case"),
            }),
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

    /// Cases of one size share their blobs: a get reads what the put before it stored.
    fn population(&self, case: &PlannedCase) -> u16 {
        let at = self.plan.workload.size.iter().position(|size| *size == case.size);
        let population = at.and_then(|at| u16::try_from(at).ok()).unwrap_or_default();
        if case.op == Op::Delete { population | DOOMED } else { population }
    }

    /// What a get reads: what the put before it stored, else blobs stored for it now.
    fn find_range(&mut self, running: &mut Running<'a>) -> Result<(), Ended> {
        if running.case.op != Op::Get {
            return Ok(());
        }
        let plan = self.plan;
        let put = plan.cases[..running.index]
            .iter()
            .position(|case| case.op == Op::Put && case.size == running.case.size);
        if let Some(put) = put {
            running.range.count = self.rounds() * self.book.result.cases[put].ops_per_round;
            return Ok(());
        }
        running.range.population |= PRELOADED;
        running.range.count = (PRELOAD_BYTES / running.case.size.max(1)).clamp(1, PRELOAD_BLOBS);
        for engine in self.present() {
            let order = Order::Preload(running.range);
            self.turn(engine, running.case, "warm-up", |schedule| {
                schedule.order(engine, Some(running.case), "warm-up", &order).map(drop)
            })?;
        }
        Ok(())
    }

    /// Every engine warms up: the same operations for each, none of them in any figure. In the
    /// first execution it also finds how many operations make a round.
    fn warm_up(&mut self, running: &mut Running<'a>) -> Result<(), Ended> {
        let clients = u64::from(self.plan.workload.clients);
        if running.ops > 0 {
            let ops = (running.ops / 4).clamp(clients, running.ops);
            self.trial(running, ops)?;
            return Ok(());
        }
        // The first operation pays for what is made once, so it tells nothing.
        self.trial(running, clients)?;
        let mut ops = clients;
        loop {
            let trial = self.trial(running, ops)?;
            if trial.wall_ns.is_empty() {
                return Ok(());
            }
            match trial.next(running.case.size) {
                Some(next) => ops = next,
                None => {
                    let (ops, found_by) = trial.ops(running.case.size, clients);
                    running.ops = ops;
                    self.book.ops_found(running.index, ops, found_by);
                    return Ok(());
                }
            }
        }
    }

    /// So many operations on each engine, on blobs that are no part of any round.
    fn trial(&mut self, running: &mut Running<'a>, ops: u64) -> Result<Trial, Ended> {
        let case = running.case;
        let mut trial = Trial { ops, wall_ns: Vec::new() };
        let range = match case.op {
            Op::Get => running.range,
            Op::Put | Op::Delete => Range {
                population: running.range.population | WARM_UP,
                first: running.warm,
                count: ops,
                size: case.size,
            },
        };
        running.warm += ops;
        for engine in self.present() {
            let work = self.work(case, range, ops, &[u64::MAX, running.warm]);
            let worked = self.turn(engine, case, "warm-up", |schedule| {
                schedule.preload_doomed(engine, case, "warm-up", range)?;
                schedule.measure(engine, case, "warm-up", work)
            })?;
            if let Some(worked) = worked
                && !self.plan.engines[engine].is_floor
            {
                trial.wall_ns.push(worked.wall_ns);
            }
        }
        Ok(trial)
    }

    /// What is deleted must be there before.
    fn preload_doomed(
        &mut self,
        engine: usize,
        case: &PlannedCase,
        phase: &'static str,
        range: Range,
    ) -> Result<(), Ended> {
        if case.op == Op::Delete {
            self.order(engine, Some(case), phase, &Order::Preload(range))?;
        }
        Ok(())
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

    /// Reads back what the case stored, and takes the storage figures.
    fn verify(&mut self, engine: usize, running: &Running<'a>) -> Result<(), Ended> {
        let outcome = self.read_back(engine, running)?;
        let wrong = outcome.as_ref().filter(|outcome| outcome.outcome == "mismatch").cloned();
        if let Some(outcome) = outcome {
            self.book.verified(running.index, engine, outcome);
        }
        if let Some(wrong) = wrong {
            let message = wrong.message.unwrap_or_default();
            let cause = Cause { cause: "wrong-data".into(), message, log: Vec::new() };
            return self.fail(engine, Some(running.case), "verify", Trouble::Failed(cause));
        }
        let stored = self.order(engine, Some(running.case), "verify", &Order::Storage)?;
        if let Some(Answer::Stored(stored)) = stored {
            self.book.stored(running.index, engine, self.execution, stored);
        }
        Ok(())
    }

    fn read_back(
        &mut self,
        engine: usize,
        running: &Running<'a>,
    ) -> Result<Option<Verification>, Ended> {
        let outcome = |outcome: &str| {
            Some(Verification { outcome: outcome.into(), ..Verification::default() })
        };
        if !self.plan.engines[engine].manifest.stores {
            return Ok(outcome("not-applicable"));
        }
        if self.plan.workload.verify == Verify::None {
            return Ok(outcome("skipped"));
        }
        let gone = running.case.op == Op::Delete;
        let count = if gone { self.rounds() * running.ops } else { running.range.count };
        let order = VerifyOrder {
            range: Range { first: 0, count, ..running.range },
            gone,
            may_miss: self.failed(engine, running, if gone { Op::Delete } else { Op::Put }),
        };
        let answer = self.order(engine, Some(running.case), "verify", &Order::Verify(order))?;
        let Some(Answer::Verified(verified)) = answer else { return Ok(None) };
        Ok(Some(Verification {
            outcome: if verified.mismatch.is_some() { "mismatch" } else { "matched" }.into(),
            blobs: verified.blobs,
            bytes: verified.bytes,
            message: verified.mismatch,
            ..Verification::default()
        }))
    }

    /// How many of these operations failed and were counted as errors: what they were to put may
    /// be missing, what they were to delete may still be there.
    fn failed(&self, engine: usize, running: &Running<'a>, op: Op) -> u64 {
        let cases = self.plan.cases.iter().zip(&self.book.result.cases);
        let same = cases
            .filter(|(planned, _)| planned.op == op && planned.size == running.case.size)
            .filter_map(|(_, case)| case.engines.get(engine));
        let rounds = same.flat_map(|figures| &figures.rounds);
        rounds
            .filter(|round| round.execution == self.execution)
            .flat_map(|round| round.errors.values())
            .sum()
    }

    /// Lets one engine go on, does something with it, and stops it again.
    fn turn<T>(
        &mut self,
        engine: usize,
        case: &PlannedCase,
        phase: &'static str,
        run: impl FnOnce(&mut Self) -> Result<T, Ended>,
    ) -> Result<T, Ended> {
        self.phase(engine, phase);
        self.resume(engine, Some(case), phase)?;
        let done = run(self)?;
        self.predecessor = Some(self.plan.engines[engine].label.clone());
        self.pause(engine, Some(case), phase)?;
        Ok(done)
    }

    fn phase(&mut self, engine: usize, phase: &'static str) {
        let label = self.plan.engines[engine].label.clone();
        (self.emit)(Event::Phase { label, phase });
    }

    /// Gives an order. None if the engine is out, or failed with it.
    fn order(
        &mut self,
        engine: usize,
        case: Option<&PlannedCase>,
        phase: &'static str,
        order: &Order,
    ) -> Result<Option<Answer>, Ended> {
        let Some(worker) = self.workers[engine].as_mut() else { return Ok(None) };
        let answer = worker.order(order);
        for event in worker.take_events() {
            (self.emit)(event);
        }
        match answer {
            Ok(answer) if order.is_answered_by(&answer) => Ok(Some(answer)),
            Ok(_) => {
                let message = "the worker's answer does not fit its order".into();
                let cause = Cause { cause: "nonsense".into(), message, log: Vec::new() };
                self.fail(engine, case, phase, Trouble::Failed(cause)).map(|()| None)
            }
            Err(trouble) => self.fail(engine, case, phase, trouble).map(|()| None),
        }
    }

    fn pause(
        &mut self,
        engine: usize,
        case: Option<&PlannedCase>,
        phase: &'static str,
    ) -> Result<(), Ended> {
        self.control(engine, case, phase, |worker| worker.pause())
    }

    fn resume(
        &mut self,
        engine: usize,
        case: Option<&PlannedCase>,
        phase: &'static str,
    ) -> Result<(), Ended> {
        self.control(engine, case, phase, |worker| worker.resume())
    }

    fn control(
        &mut self,
        engine: usize,
        case: Option<&PlannedCase>,
        phase: &'static str,
        control: impl FnOnce(&mut C::Worker) -> Result<(), Trouble>,
    ) -> Result<(), Ended> {
        if self.stop.requested() {
            return Err(Ended);
        }
        let worker = self.workers[engine].as_mut();
        let Some(worker) = worker.filter(|_| self.plan.order == TurnOrder::Interleaved) else {
            return Ok(());
        };
        match control(worker) {
            Ok(()) => Ok(()),
            Err(trouble) => self.fail(engine, case, phase, trouble),
        }
    }

    /// An engine failed: one row says so, and it takes no further part.
    fn fail(
        &mut self,
        engine: usize,
        case: Option<&PlannedCase>,
        phase: &'static str,
        trouble: Trouble,
    ) -> Result<(), Ended> {
        let Trouble::Failed(cause) = trouble else { return Err(Ended) };
        if let Some(mut worker) = self.workers[engine].take() {
            worker.end();
            for event in worker.take_events() {
                (self.emit)(event);
            }
        }
        self.out[engine] = true;
        let label = &self.plan.engines[engine].label;
        (self.emit)(Event::Failed { label: label.clone(), message: cause.message.clone() });
        self.book.failed(label, self.execution, case.map(|case| case.id.as_str()), phase, cause);
        self.drop_turns(engine);
        Ok(())
    }

    /// The turns that a failed engine will not take.
    fn drop_turns(&mut self, engine: usize) {
        let all = u64::from(self.plan.workload.executions) * self.rounds();
        let done: BTreeMap<usize, u64> = (0..self.plan.cases.len())
            .filter_map(|case| Some((case, self.book.figures(case, engine)?.rounds.len() as u64)))
            .collect();
        for (case, done) in done {
            self.progress.drop_turns(case, all.saturating_sub(done));
        }
    }
}

/// The user ended the run.
struct Ended;
