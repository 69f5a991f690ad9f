//! Every sentence that the table and markdown share, so that both say the same.
//!
//! Functions take what the result holds and return plain text without line breaks; layout is the
//! formats' business. Words are the design's: engine, tier, case, round, execution, floor.

mod case;
mod run;
mod trouble;
mod verdict;

pub(crate) use case::{
    FIGURE_HEADS, case, case_name, figures, first_bytes, floor_note, legend, no_ministat_page,
    published, published_note, service_times, wrong_data,
};
pub(crate) use run::{engine, fsync_probe, how, machine, status, title};
pub(crate) use trouble::{disagreements, failure, warnings};
pub(crate) use verdict::{BASELINE, verdict, verdict_subject};

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
