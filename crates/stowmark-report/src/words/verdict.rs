//! Verdicts in words. They were decided elsewhere; nothing is decided here.

use stowmark_results::{Case, VerdictRecord};

use super::{clock, counted};
use crate::units::{factor, interval_of_factors};

/// Stands where a verdict would, for the engine that the others are compared with.
pub(crate) const BASELINE: &str = "baseline";

/// Whom a verdict is about, and on which clock.
pub(crate) fn verdict_subject(verdict: &VerdictRecord) -> String {
    format!("{} against {}, {}", verdict.engine, verdict.baseline, clock(&verdict.clock))
}

/// More executions than this are not worth their time.
const MOST_EXECUTIONS: u64 = 100;

/// The verdict in words. Where there is a ratio it stands with its interval, in one form whatever
/// the outcome: the engine's time over the baseline's.
pub(crate) fn verdict(verdict: &VerdictRecord) -> String {
    match verdict.outcome.as_str() {
        word @ ("faster" | "slower") => after_time_taken(verdict, word),
        "no-difference-shown" => no_difference(verdict),
        "too-few-samples" => too_few(verdict),
        "different-promises" => before_time_taken("different promises: no winner", verdict),
        "below-resolution" => {
            "below the clock's resolution; more operations a round (--ops) would raise it"
                .to_owned()
        }
        // A word of a later version.
        other => before_time_taken(&other.replace('-', " "), verdict),
    }
}

/// Whether fewer cases in a run would help some verdict: each shares the error rate with all others
/// of its clock, so that fewer of them need less evidence each.
pub(crate) fn fewer_cases_note(cases: &[Case]) -> Option<&'static str> {
    let open = |verdict: &&VerdictRecord| {
        verdict.outcome == "no-difference-shown" && !verdict.within_this_execution
    };
    let verdicts = || cases.iter().flat_map(|case| &case.verdicts);
    let several = verdicts().filter(|verdict| verdict.clock == "wall").count() > 1;
    (several && verdicts().any(|verdict| open(&verdict))).then_some(
        "Where no difference is shown: a run with fewer cases (--op, --size) settles with fewer \
         executions, as all verdicts of a clock share one error rate (Holm).",
    )
}

/// Time over the baseline's, with its interval.
fn time_taken(verdict: &VerdictRecord) -> Option<String> {
    let interval = interval_of_factors(verdict.ratio?, verdict.ratio_low?, verdict.ratio_high?);
    Some(format!("takes {} the time ({} to {})", interval[0], interval[1], interval[2]))
}

/// How far a verdict reaches, where that is not far.
fn within(verdict: &VerdictRecord) -> &'static str {
    let is_within = verdict.within_this_execution && verdict.ratio.is_some();
    if is_within { ", within this execution only" } else { "" }
}

fn after_time_taken(verdict: &VerdictRecord, word: &str) -> String {
    let within = within(verdict);
    match time_taken(verdict) {
        Some(taken) => format!("{taken}: {word}{within}"),
        None => format!("{word}{within}"),
    }
}

fn before_time_taken(words: &str, verdict: &VerdictRecord) -> String {
    let within = within(verdict);
    match time_taken(verdict) {
        Some(taken) => format!("{words}; {taken}{within}"),
        None => format!("{words}{within}"),
    }
}

fn no_difference(verdict: &VerdictRecord) -> String {
    let mut parts = vec![after_time_taken(verdict, "no difference shown")];
    match verdict.smallest_detectable_percent {
        Some(least) if least < 1000.0 => {
            let least = factor(1.0 + least / 100.0);
            parts.push(format!("differences under {least} would often go unseen"));
        }
        Some(_) => parts.push("even ten times the time would often go unseen".to_owned()),
        None => {}
    }
    match verdict.executions_to_settle {
        Some(executions) if executions <= MOST_EXECUTIONS => {
            let executions = counted(executions, "execution");
            parts.push(format!("about {executions} would settle it"));
        }
        Some(executions) => {
            parts.push(format!("not worth settling: it would take about {executions} executions"));
        }
        None if verdict.within_this_execution => {
            parts.push("several executions would tell more".to_owned());
        }
        None => parts.push("not worth settling: thousands of executions would not do".to_owned()),
    }
    parts.join("; ")
}

fn too_few(verdict: &VerdictRecord) -> String {
    match &verdict.reason {
        Some(reason) => format!("too few samples: {reason}"),
        None => "too few samples: raise --executions or --rounds".to_owned(),
    }
}
