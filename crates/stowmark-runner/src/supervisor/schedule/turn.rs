//! One engine's turn: what brackets it, what it is asked, and what becomes of an engine that fails.

use std::collections::BTreeMap;

use super::{Ended, Schedule};
use crate::event::Event;
use crate::plan::{Order as TurnOrder, PlannedCase};
use crate::protocol::{Answer, Order, UNUSABLE_PLUGIN};
use crate::supervisor::crew::{Cause, Crew, Trouble, Worker};

impl<C: Crew> Schedule<'_, C> {
    /// Lets one engine go on, does something with it, and stops it again.
    pub(super) fn turn<T>(
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

    pub(super) fn phase(&mut self, engine: usize, phase: &'static str) {
        let label = self.plan.engines[engine].label.clone();
        (self.emit)(Event::Phase { label, phase });
    }

    /// Gives an order. None if the engine is out, or failed with it.
    pub(super) fn order(
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

    pub(super) fn pause(
        &mut self,
        engine: usize,
        case: Option<&PlannedCase>,
        phase: &'static str,
    ) -> Result<(), Ended> {
        self.control(engine, case, phase, |worker| worker.pause())
    }

    pub(super) fn resume(
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
    pub(super) fn fail(
        &mut self,
        engine: usize,
        case: Option<&PlannedCase>,
        phase: &'static str,
        trouble: Trouble,
    ) -> Result<(), Ended> {
        let Trouble::Failed(mut cause) = trouble else { return Err(Ended) };
        if let Some(mut worker) = self.workers[engine].take() {
            worker.end();
            if cause.log.is_empty() {
                cause.log = worker.last_lines();
            }
            for event in worker.take_events() {
                (self.emit)(event);
            }
        }
        self.out[engine] = true;
        let label = &self.plan.engines[engine].label;
        // A run that has an unusable plugin ends with that message, which is then said once.
        if self.execution > 0 || cause.cause != UNUSABLE_PLUGIN {
            (self.emit)(Event::Failed { label: label.clone(), message: cause.message.clone() });
        }
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
