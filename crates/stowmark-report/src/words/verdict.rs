//! Verdicts in words. They were decided elsewhere; nothing is decided here.

use stowmark_results::VerdictRecord;

use super::{clock, counted};
use crate::units::{factor, percent};

/// Stands where a verdict would, for the engine that the others are compared with.
pub(crate) const BASELINE: &str = "baseline";

/// Whom a verdict is about, and on which clock.
pub(crate) fn verdict_subject(verdict: &VerdictRecord) -> String {
    format!("{} against {}, {}", verdict.engine, verdict.baseline, clock(&verdict.clock))
}

/// The verdict in words.
pub(crate) fn verdict(verdict: &VerdictRecord) -> String {
    let words = match verdict.outcome.as_str() {
        "faster" => with_factor("faster by", "faster", turned_over(verdict)),
        "slower" => with_factor("slower by", "slower", ratio(verdict)),
        "no-difference-shown" => no_difference(verdict),
        "too-few-samples" => too_few(verdict),
        "different-promises" => with_time_taken("different promises: no winner", ratio(verdict)),
        "below-resolution" => {
            "below the clock's resolution; more operations a round (--ops) would raise it"
                .to_owned()
        }
        // A word of a later version.
        other => with_time_taken(&other.replace('-', " "), ratio(verdict)),
    };
    let within = verdict.within_this_execution && verdict.ratio.is_some();
    if within { format!("{words}, within this execution only") } else { words }
}

/// Time over the baseline's, with its interval.
fn ratio(verdict: &VerdictRecord) -> Option<[f64; 3]> {
    Some([verdict.ratio?, verdict.ratio_low?, verdict.ratio_high?])
}

/// How many times faster, with its interval.
fn turned_over(verdict: &VerdictRecord) -> Option<[f64; 3]> {
    let [ratio, low, high] = ratio(verdict)?;
    Some([1.0 / ratio, 1.0 / high, 1.0 / low])
}

fn with_factor(words: &str, bare: &str, figure: Option<[f64; 3]>) -> String {
    match figure {
        Some([value, low, high]) => format!("{words} {}", factor(value, low, high)),
        None => bare.to_owned(),
    }
}

fn with_time_taken(words: &str, figure: Option<[f64; 3]>) -> String {
    match figure {
        Some([value, low, high]) => {
            format!("{words}; it takes {} the time", factor(value, low, high))
        }
        None => words.to_owned(),
    }
}

fn no_difference(verdict: &VerdictRecord) -> String {
    let mut notes = Vec::new();
    match verdict.smallest_detectable_percent {
        Some(least) if least < 1000.0 => notes.push(format!("would have shown {}", percent(least))),
        Some(_) => notes.push("would not even have shown ten times the time".to_owned()),
        None => {}
    }
    match verdict.executions_to_settle {
        Some(executions) => {
            let executions = counted(executions, "execution");
            notes.push(format!("about {executions} would settle it"));
        }
        None if verdict.within_this_execution => {
            notes.push("several executions would tell more".to_owned());
        }
        None => {}
    }
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
    format!("no difference shown{notes}")
}

fn too_few(verdict: &VerdictRecord) -> String {
    match &verdict.reason {
        Some(reason) => format!("too few samples: {reason}"),
        None => "too few samples: raise --executions or --rounds".to_owned(),
    }
}
