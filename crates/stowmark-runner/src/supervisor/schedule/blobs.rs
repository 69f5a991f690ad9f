//! Which blobs a case is about: what is put, read and deleted, stored beforehand, and read back.
//!
//! Blobs have a population and a number in it; every engine's keys and payloads follow from both.
//! Populations keep apart what must not meet: sizes, warm-up and rounds, what is stored only to be
//! read and what is stored only to be deleted.

use stowmark_results::Verification;
use stowmark_workload::{Op, Verify};

use super::{Ended, Running, Schedule};
use crate::plan::PlannedCase;
use crate::protocol::{Answer, Order, Range, VerifyOrder};
use crate::supervisor::crew::{Cause, Crew, Trouble};

/// A get without a put before it finds so many bytes of blobs, at most.
const PRELOAD_BYTES: u64 = 256 << 20;
/// And so many blobs.
const PRELOAD_BLOBS: u64 = 1_000;

/// Populations of blobs that are stored only to be read: a put after it must not find them there.
const PRELOADED: u16 = 0x2000;
/// Populations of blobs that are no part of any round.
pub(super) const WARM_UP: u16 = 0x4000;
/// Populations of blobs that are stored only to be deleted.
const DOOMED: u16 = 0x8000;

impl<'a, C: Crew> Schedule<'a, C> {
    /// Cases of one size share their blobs: a get reads what the put before it stored.
    pub(super) fn population(&self, case: &PlannedCase) -> u16 {
        let at = self.plan.workload.size.iter().position(|size| *size == case.size);
        let population = at.and_then(|at| u16::try_from(at).ok()).unwrap_or_default();
        if case.op == Op::Delete { population | DOOMED } else { population }
    }

    /// What a get reads: what the put before it stored, else blobs stored for it now.
    pub(super) fn find_range(&mut self, running: &mut Running<'a>) -> Result<(), Ended> {
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

    /// What is deleted must be there before.
    pub(super) fn preload_doomed(
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

    /// Reads back what the case stored, and takes the storage figures.
    pub(super) fn verify(&mut self, engine: usize, running: &Running<'a>) -> Result<(), Ended> {
        let (outcome, wrong) = self.read_back(engine, running)?;
        if let Some(outcome) = outcome {
            self.book.verified(running.index, engine, outcome);
        }
        if let Some(cause) = wrong {
            return self.fail(engine, Some(running.case), "verify", Trouble::Failed(cause));
        }
        let stored = self.order(engine, Some(running.case), "verify", &Order::Storage)?;
        if let Some(Answer::Stored(stored)) = stored {
            self.book.stored(running.index, engine, self.execution, stored);
        }
        Ok(())
    }

    /// What reading back showed, and what is wrong with it.
    fn read_back(
        &mut self,
        engine: usize,
        running: &Running<'a>,
    ) -> Result<(Option<Verification>, Option<Cause>), Ended> {
        let outcome = |outcome: &str| {
            (Some(Verification { outcome: outcome.into(), ..Verification::default() }), None)
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
        let Some(Answer::Verified(verified)) = answer else { return Ok((None, None)) };
        let wrong = verified.mismatch.clone().map(|message| Cause {
            cause: verified.class.unwrap_or_else(|| "wrong-data".into()),
            message,
            log: Vec::new(),
        });
        let outcome = Verification {
            outcome: if wrong.is_some() { "mismatch" } else { "matched" }.into(),
            blobs: verified.blobs,
            bytes: verified.bytes,
            message: verified.mismatch,
            ..Verification::default()
        };
        Ok((Some(outcome), wrong))
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
}
