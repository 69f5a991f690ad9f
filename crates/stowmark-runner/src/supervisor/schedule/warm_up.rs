//! Warming up, which pays for what is made once and shows how fast the engines are.

use stowmark_workload::Op;

use super::blobs::WARM_UP;
use super::{Ended, Running, Schedule};
use crate::protocol::Range;
use crate::supervisor::calibrate::Trial;
use crate::supervisor::crew::Crew;

impl<'a, C: Crew> Schedule<'a, C> {
    /// Every engine warms up: the same operations for each, none of them in any figure. In the
    /// first execution it also finds how many operations make a round.
    pub(super) fn warm_up(&mut self, running: &mut Running<'a>) -> Result<(), Ended> {
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
}
