//! The answer in short: who was faster where, before the figures that show it.

use stowmark_results::{RunResult, VerdictRecord};

use super::clock;

/// The clocks, in the order in which they are shown.
const CLOCKS: [&str; 3] = ["wall", "cpu", "cpu-client"];

/// A line for each operation, clock and pair of engines: the outcomes, and at which sizes.
pub(crate) fn in_short(result: &RunResult) -> Vec<String> {
    let mut ops: Vec<&str> = Vec::new();
    let mut engines: Vec<&str> = Vec::new();
    for case in &result.cases {
        add(&mut ops, &case.op);
        for verdict in &case.verdicts {
            add(&mut engines, &verdict.engine);
        }
    }
    let mut lines = Vec::new();
    for op in ops {
        for clock_name in CLOCKS {
            for engine in &engines {
                let outcomes = outcomes(result, op, clock_name, engine);
                let Some((first, _)) = outcomes.first() else { continue };
                let pair = match engines.len() {
                    1 => String::new(),
                    _ => format!(", {engine} against {}", first.baseline),
                };
                let sentences: Vec<String> = outcomes.iter().map(sentence).collect();
                let within = |verdict: &VerdictRecord| {
                    verdict.within_this_execution && verdict.ratio.is_some()
                };
                let within = outcomes.iter().any(|(verdict, _)| within(verdict));
                lines.push(format!(
                    "{op}, {}{pair}{}: {}",
                    clock(clock_name),
                    if within { ", within this execution only" } else { "" },
                    sentences.join("; ")
                ));
            }
        }
    }
    lines
}

fn add<'a>(list: &mut Vec<&'a str>, word: &'a str) {
    if !list.contains(&word) {
        list.push(word);
    }
}

/// One outcome's first verdict and the sizes at which it came about.
type Outcome<'a> = (&'a VerdictRecord, Vec<&'a str>);

/// The outcomes in the order in which they first come up.
fn outcomes<'a>(result: &'a RunResult, op: &str, clock: &str, engine: &str) -> Vec<Outcome<'a>> {
    let mut found: Vec<Outcome<'a>> = Vec::new();
    for case in result.cases.iter().filter(|case| case.op == op) {
        let of_it = |verdict: &&VerdictRecord| verdict.clock == clock && verdict.engine == engine;
        for verdict in case.verdicts.iter().filter(of_it) {
            match found.iter_mut().find(|(first, _)| first.outcome == verdict.outcome) {
                Some((_, sizes)) => sizes.push(&case.size_label),
                None => found.push((verdict, vec![&case.size_label])),
            }
        }
    }
    found
}

fn sentence((verdict, sizes): &Outcome<'_>) -> String {
    let what = match verdict.outcome.as_str() {
        "faster" => format!("{} faster", verdict.engine),
        "slower" => format!("{} faster", verdict.baseline),
        "different-promises" => "different promises, no winner".to_owned(),
        // There may be none for another reason, such as wrong data: the case says which.
        "too-few-samples" => "no verdict".to_owned(),
        "below-resolution" => "below the clock's resolution".to_owned(),
        other => other.replace('-', " "),
    };
    let sizes: Vec<&str> = sizes.iter().copied().filter(|size| !size.is_empty()).collect();
    match sizes.as_slice() {
        [] => what,
        sizes => format!("{what} at {}", sizes.join(", ")),
    }
}
