//! What went wrong, and what to know before believing a figure.

use stowmark_results::{Case, Failure, RunResult, VerdictRecord, WarningRecord};

use super::clock;

/// The kind of the warnings that stand with their case rather than at the end.
const CLOCKS_DISAGREE: &str = "clocks-disagree";

/// Warnings of one kind that are shown; the others are in the result file.
const MOST_OF_A_KIND: usize = 3;

/// Where the clocks name different winners: what the analysis noted, else what the verdicts show.
pub(crate) fn disagreements(case: &Case, warnings: &[WarningRecord]) -> Vec<String> {
    let noted: Vec<String> = warnings
        .iter()
        .filter(|warning| is_said_with(warning, &case.id))
        .map(|warning| with_remedy(warning.message.clone(), warning))
        .collect();
    if noted.is_empty() { opposite_verdicts(case) } else { noted }
}

/// Whether the warning stands with this case.
fn is_said_with(warning: &WarningRecord, case_id: &str) -> bool {
    warning.kind == CLOCKS_DISAGREE && warning.case.as_deref() == Some(case_id)
}

fn opposite_verdicts(case: &Case) -> Vec<String> {
    let on = |clock| case.verdicts.iter().filter(move |verdict| verdict.clock == clock);
    let mut found = Vec::new();
    for wall in on("wall") {
        let same_pair =
            |cpu: &&VerdictRecord| (&cpu.engine, &cpu.baseline) == (&wall.engine, &wall.baseline);
        let Some(cpu) = on("cpu").chain(on("cpu-client")).find(same_pair) else { continue };
        let opposite = [("faster", "slower"), ("slower", "faster")];
        if opposite.contains(&(wall.outcome.as_str(), cpu.outcome.as_str())) {
            found.push(format!(
                "The clocks disagree: {} is {} than {} on the wall clock and {} by CPU time. Waiting \
                 is in the one and not in the other, so say which you mean.",
                wall.engine, wall.outcome, wall.baseline, cpu.outcome
            ));
        }
    }
    found
}

/// A failure: who, where, doing what, why.
pub(crate) fn failure(failure: &Failure) -> String {
    let mut place = vec![failure.label.clone()];
    place.extend(failure.case.clone());
    place.extend(failure.execution.map(|execution| format!("execution {}", execution + 1)));
    place.push(failure.phase.clone());
    let mut text = format!("{}: {}", place.join(", "), failure.message);
    // An engine's error tells its class first.
    if !failure.message.starts_with(&format!("{}: ", failure.cause)) {
        text += &format!(" ({})", failure.cause);
    }
    if let Some(last) = failure.log.last() {
        text += &format!("; its last line was: {last}");
    }
    text
}

/// The warnings that do not stand with a case: a line for each kind, with its first few places and
/// what helps.
pub(crate) fn warnings(result: &RunResult) -> Vec<String> {
    let cases = &result.cases;
    let elsewhere =
        |warning: &&WarningRecord| !cases.iter().any(|case| is_said_with(warning, &case.id));
    let mut kinds: Vec<Vec<&WarningRecord>> = Vec::new();
    for warning in result.warnings.iter().filter(elsewhere) {
        match kinds.iter_mut().find(|kind| kind[0].kind == warning.kind) {
            Some(kind) => kind.push(warning),
            None => kinds.push(vec![warning]),
        }
    }
    kinds.into_iter().map(|kind| of_one_kind(&kind)).collect()
}

fn of_one_kind(warnings: &[&WarningRecord]) -> String {
    let mut text = String::new();
    for (at, warning) in warnings.iter().take(MOST_OF_A_KIND).enumerate() {
        let place = place(warning);
        // What is the same in all places is said once, after the last of them.
        let next = warnings.get(at + 1).filter(|_| at + 1 < MOST_OF_A_KIND);
        let said_later = next.is_some_and(|next| next.message == warning.message);
        match (place.as_str(), said_later) {
            ("", _) => text += &warning.message,
            (place, true) => text += place,
            (place, false) => text += &format!("{place}: {}", warning.message),
        }
        if next.is_some() {
            text += if said_later { ", " } else { "; " };
        }
    }
    if let Some(more @ 1..) = warnings.len().checked_sub(MOST_OF_A_KIND) {
        text += &format!("; and {more} more like it");
    }
    with_remedy(text, warnings[0])
}

fn with_remedy(text: String, warning: &WarningRecord) -> String {
    match &warning.remedy {
        Some(remedy) => format!("{text}. {}", sentence(remedy)),
        None => text,
    }
}

/// The text with a capital in front.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Where a warning applies; empty where it is about the whole run.
fn place(warning: &WarningRecord) -> String {
    let clock = warning.clock.as_deref().map(clock);
    let parts = [warning.case.as_deref(), warning.label.as_deref(), clock];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}
