//! The format `ministat`: for each case and clock the page that the program prints for the raw
//! files of its engines, the baseline first, one page straight after the other.
//!
//! Nothing is added, so the whole is what a loop over the files prints. Only where the program
//! would refuse, or crash, a line in its place says why.

use stowmark_results::{Case, RunResult};

use crate::ministat::{self, DataSet, MinistatError};
use crate::raw::raw_file_name;
use crate::{Options, ReportError, words};
use stowmark_results::samples::{Clock, samples_s};

/// The pages of all cases and clocks that have samples.
pub(crate) fn render(result: &RunResult, options: Options) -> Result<String, ReportError> {
    let mut pages = String::new();
    let mut shown = 0;
    let mut refusal = None;
    for case in &result.cases {
        for clock in Clock::ALL {
            let data_sets = data_sets(case, clock, result.plan.baseline.as_deref());
            if data_sets.is_empty() {
                continue;
            }
            match page(&data_sets, options) {
                Ok(page) => {
                    pages += &page;
                    shown += 1;
                }
                Err(error) => {
                    pages += &words::no_ministat_page(case, clock, &error);
                    refusal.get_or_insert(error);
                }
            }
        }
    }
    match refusal {
        _ if shown > 0 => Ok(pages),
        Some(error) => Err(error.into()),
        None => Err(ReportError::NoSamples),
    }
}

fn page(data_sets: &[DataSet], options: Options) -> Result<String, MinistatError> {
    ministat::render(data_sets, options.ministat_confidence, options.ministat_width)
}

/// The engines' samples in seconds, named as their raw files; the baseline first, because the
/// program compares each with the first.
fn data_sets(case: &Case, clock: Clock, baseline: Option<&str>) -> Vec<DataSet> {
    let mut engines: Vec<_> = case.engines.iter().collect();
    engines.sort_by_key(|engine| Some(engine.label.as_str()) != baseline);
    let data_set =
        |engine| DataSet { name: name(case, engine, clock), samples: samples_s(engine, clock) };
    engines.into_iter().map(data_set).filter(|set| !set.samples.is_empty()).collect()
}

fn name(case: &Case, engine: &stowmark_results::CaseEngine, clock: Clock) -> String {
    raw_file_name(&engine.label, &case.op, &case.size_label, clock)
}
