//! From rounds to verdicts and warnings: the one analysis that decides.
//!
//! It reads nothing but the result itself, so a report made years later comes to the same end, and
//! may be made again by a newer version.

mod verdicts;
mod warnings;

use crate::samples::{Clock, sample_ns};
use crate::stats::summary::Summary;
use crate::{Case, CaseEngine, EngineFacts, RunResult};

/// A figure within so many times its floor is marked.
pub const NEAR_FLOOR_TIMES: f64 = 10.0;

/// Fills in verdicts and warnings from what was measured; replaces those of an earlier call.
pub fn analyse(result: &mut RunResult) {
    for case in &mut result.cases {
        case.verdicts.clear();
    }
    for clock in Clock::ALL {
        verdicts::decide(result, clock);
    }
    result.warnings = warnings::find(result);
}

/// An engine's samples on a clock in nanoseconds an operation, executions by rounds: what the
/// statistics work on. A round that was not measured is `None`.
#[must_use]
pub fn samples(engine: &CaseEngine, clock: Clock) -> Vec<Vec<Option<f64>>> {
    let mut samples: Vec<Vec<Option<f64>>> = Vec::new();
    for round in &engine.rounds {
        let (Ok(execution), Ok(index)) =
            (usize::try_from(round.execution), usize::try_from(round.index))
        else {
            continue;
        };
        // A damaged file must not make us allocate without end.
        if execution > 100_000 || index > 1_000_000 {
            continue;
        }
        if samples.len() <= execution {
            samples.resize(execution + 1, Vec::new());
        }
        let rounds = &mut samples[execution];
        if rounds.len() <= index {
            rounds.resize(index + 1, None);
        }
        rounds[index] = sample_ns(round, clock);
    }
    samples
}

/// Whether the engine gave back other bytes than were stored: then its figures are worth nothing.
#[must_use]
pub fn returned_wrong_data(engine: &CaseEngine) -> bool {
    engine.verification.as_ref().is_some_and(|verification| verification.outcome == "mismatch")
}

/// How many times the floor of its case an engine's median is.
#[must_use]
pub fn floor_times(case: &Case, engine: &CaseEngine, clock: Clock) -> Option<f64> {
    let median =
        |engine: &CaseEngine| Some(Summary::of(&crate::samples::samples_ns(engine, clock))?.median);
    let times = median(engine)? / median(case.floor.as_ref()?)?;
    times.is_finite().then_some(times)
}

fn facts<'a>(result: &'a RunResult, label: &str) -> Option<&'a EngineFacts> {
    result.engines.iter().find(|facts| facts.label == label)
}

#[cfg(test)]
mod tests;
