//! What went wrong, and what to know before believing a figure.

use stowmark_results::{Case, Failure, RunResult, VerdictRecord, WarningRecord};

use super::clock;

/// The kind of the warnings that stand with their case rather than at the end.
const CLOCKS_DISAGREE: &str = "clocks-disagree";

/// Different warnings of one kind, and places of one warning, that are shown.
const MOST_OF_A_KIND: usize = 3;

/// Where the clocks name different winners: what the analysis noted, else what the verdicts show.
pub(crate) fn disagreements(case: &Case, warnings: &[WarningRecord]) -> Vec<String> {
    let noted: Vec<String> = warnings
        .iter()
        .filter(|warning| is_said_with(warning, &case.id))
        .map(|warning| match &warning.label {
            Some(label) => format!("{label}: {}", warning.message),
            None => warning.message.clone(),
        })
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
    let mut text = format!("{}: {} ({})", place.join(", "), failure.message, failure.cause);
    if let Some(last) = failure.log.last() {
        text += &format!("; its last line was: {last}");
    }
    text
}

/// The warnings that do not stand with a case, each with its places; those that say the same in
/// several places once, and of one kind only the first few.
pub(crate) fn warnings(result: &RunResult) -> Vec<String> {
    let cases = &result.cases;
    let elsewhere =
        |warning: &&WarningRecord| !cases.iter().any(|case| is_said_with(warning, &case.id));
    let mut groups: Vec<(&WarningRecord, Vec<String>)> = Vec::new();
    for warning in result.warnings.iter().filter(elsewhere) {
        let same = |(first, _): &&mut (&WarningRecord, _)| {
            (&first.kind, &first.message) == (&warning.kind, &warning.message)
        };
        match groups.iter_mut().find(same) {
            Some((_, places)) => places.push(place(warning)),
            None => groups.push((warning, vec![place(warning)])),
        }
    }
    let mut lines = Vec::new();
    let mut kinds: Vec<&str> = Vec::new();
    for (warning, _) in &groups {
        if !kinds.contains(&warning.kind.as_str()) {
            kinds.push(&warning.kind);
        }
    }
    for kind in kinds {
        let of_kind: Vec<_> = groups.iter().filter(|(warning, _)| warning.kind == kind).collect();
        let shown = of_kind.iter().take(MOST_OF_A_KIND);
        lines.extend(shown.map(|(warning, places)| placed(&warning.message, places)));
        if let Some(more @ 1..) = of_kind.len().checked_sub(MOST_OF_A_KIND) {
            lines.push(format!("{more} more of the kind {kind}, in the result file"));
        }
    }
    lines
}

/// Where a warning applies; empty where it is about the whole run.
fn place(warning: &WarningRecord) -> String {
    let clock = warning.clock.as_deref().map(clock);
    let parts = [warning.case.as_deref(), warning.label.as_deref(), clock];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn placed(message: &str, places: &[String]) -> String {
    let named: Vec<&str> =
        places.iter().filter(|place| !place.is_empty()).map(String::as_str).collect();
    let shown = named.iter().take(MOST_OF_A_KIND).copied().collect::<Vec<_>>().join(", ");
    match named.len() {
        0 => message.to_owned(),
        count if count > MOST_OF_A_KIND => {
            format!("{shown} and {} more: {message}", count - MOST_OF_A_KIND)
        }
        _ => format!("{shown}: {message}"),
    }
}
