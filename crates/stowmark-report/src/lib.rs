//! Results in, bytes out: one pure exporter for each format.
//!
//! [`render`] is the only entry. It takes a result, fresh from a run or read back from its file
//! years later, and makes the bytes of one [`Format`]; it reads no file, asks no clock and knows
//! no terminal, so there are no escape codes, and the same result always gives the same bytes.
//! It decides nothing either: verdicts and warnings are in the result, put there by
//! `stowmark_results::analysis`, and are only put into words here.
//!
//! - `formats`: a file for each format.
//! - `figures`: what formats for people and `json` show of a case, computed once.
//! - `words` and `units`: every sentence and every number for people, so that the table and
//!   markdown say the same.
//! - [`stowmark_results::samples`]: a round's figure on a clock.
//! - [`ministat`]: what the program of that name prints; [`raw`]: the files that it reads.

mod figures;
mod formats;
pub mod ministat;
pub mod raw;
mod units;
mod words;

use stowmark_results::RunResult;

/// What a report can be made as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For reading in a terminal: at most 100 columns.
    Table,
    /// What `ministat` prints for each case and clock on the files of [`raw`].
    Ministat,
    /// For pasting into a page.
    Markdown,
    /// One row for each round, tidy, nothing scaled.
    Csv,
    /// Summaries and verdicts for programs; the rounds are in the result file itself.
    Json,
}

impl Format {
    /// All formats, the usual one first.
    pub const ALL: [Self; 5] = [Self::Table, Self::Ministat, Self::Markdown, Self::Csv, Self::Json];

    /// The format's name as users type it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Ministat => "ministat",
            Self::Markdown => "markdown",
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }
}

/// What a reader may choose about a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The level of [`Format::Ministat`]; the verdicts keep the run's own.
    pub ministat_confidence: ministat::Confidence,
    /// The width of its plots, in columns.
    pub ministat_width: usize,
}

impl Default for Options {
    /// `ministat -c 99 -w 74`, as in the published reports.
    fn default() -> Self {
        Self {
            ministat_confidence: ministat::Confidence::P99,
            ministat_width: ministat::USUAL_WIDTH,
        }
    }
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// `ministat` compares samples, and no case has any.
    #[error(
        "the result holds no samples to show as ministat: see its failures with --format table"
    )]
    NoSamples,
    /// `ministat` would refuse, or crash on, the samples of every case.
    #[error("no case can be shown as ministat: {0}; --format table has no such bounds")]
    Ministat(#[from] ministat::MinistatError),
    /// Writing comma-separated values failed.
    #[error("cannot write comma-separated values: {0}")]
    Csv(#[from] csv::Error),
    /// Writing JSON failed.
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// The result in this format, UTF-8, with a line end at its end.
///
/// # Errors
///
/// [`ReportError`]; only [`Format::Ministat`] can fail for want of samples, the others show what
/// there is.
pub fn render(
    result: &RunResult,
    format: Format,
    options: Options,
) -> Result<Vec<u8>, ReportError> {
    match format {
        Format::Table => Ok(formats::table::render(result).into_bytes()),
        Format::Ministat => formats::ministat::render(result, options).map(String::into_bytes),
        Format::Markdown => Ok(formats::markdown::render(result).into_bytes()),
        Format::Csv => Ok(formats::csv::render(result)?),
        Format::Json => Ok(formats::json::render(result)?),
    }
}
