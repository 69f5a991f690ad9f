//! Every sentence that the table and markdown share, so that both say the same.
//!
//! Functions take what the result holds and return plain text without line breaks; layout is the
//! formats' business. Words are the design's: engine, tier, case, round, execution, floor.

use stowmark_results::RunResult;

use crate::figures::CaseFigures;

mod answer;
mod case;
mod run;
mod trouble;
mod verdict;

pub(crate) use answer::in_short;
pub(crate) use case::{
    FIGURE_HEADS, case, case_name, evidence, figures, first_bytes, no_ministat_page, published,
    published_note, service_times, wrong_data,
};
pub(crate) use run::{engines, fsync_probe, how, machine, status, title};
pub(crate) use trouble::{disagreements, failure, warnings};
pub(crate) use verdict::{BASELINE, verdict, verdict_subject};

/// What stands below the figures, for reading them.
pub(crate) fn reading_notes(result: &RunResult, cases: &[CaseFigures<'_>]) -> Vec<String> {
    let mut notes = Vec::from_iter(case::floor_note(cases));
    notes.push(case::legend(&result.plan, cases));
    notes.extend(verdict::fewer_cases_note(&result.cases).map(str::to_owned));
    notes
}

/// A clock's name in sentences.
pub(crate) fn clock(name: &str) -> &str {
    match name {
        "cpu" => "CPU",
        "cpu-client" => "CPU of the client only",
        other => other,
    }
}

/// A number with its noun.
fn counted(count: u64, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ if noun.ends_with("sh") => format!("{count} {noun}es"),
        _ => format!("{count} {noun}s"),
    }
}
