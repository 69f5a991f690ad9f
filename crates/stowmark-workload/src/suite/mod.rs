//! What a benchmark consists of, read from a TOML file.
//!
//! A suite names its cases (operations by sizes), how often they are repeated, and which engine
//! options make it the benchmark that it is. A suite that follows a published benchmark also holds
//! that benchmark's own settings, for `--published`, and its figures, so that what is measured can be
//! printed beside what was claimed. The suites that come with the program are such files too, read by
//! the same parser: whatever ours can say, a user's file can say.
//!
//! A suite knows no engine: engine names in published figures and options are text here, and are
//! matched against what is there when a run is planned.
//!
//! ```toml
//! name = "small-blobs"
//! title = "Many small blobs"
//! model = "blobs"
//!
//! [workload]
//! op = ["put", "get"]        # put, get, delete
//! size = ["1k", "10k"]       # k, M, G are powers of 1024
//! data = "text"              # text, random, zero, ratio:0.5, file:PATH
//! key-order = "random"       # random, sequential
//! executions = 5
//! rounds = 6
//! clients = 1
//! ops = 100                  # operations a round; left out: found in warm-up
//! verify = "full"            # full, none
//! ```
//!
//! Everything that can be seen to be wrong is an error with its place: an unknown or missing key, a
//! value of the wrong type, an empty list, a size named twice, a figure for a case that is not run.

mod builtin;
mod error;
mod parse;
mod reader;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;

use crate::files;
use crate::op::{Model, Op, Verify};
use crate::order::KeyOrder;
use crate::payload::PayloadKind;
use crate::suggest::word_enum;

pub use builtin::{builtin, builtin_suite, builtin_text, find};
pub use error::{Mistake, Problem, SuiteError};

/// A named set of workloads.
#[derive(Debug, Clone, PartialEq)]
pub struct Suite {
    /// The name it is chosen by: lower-case letters, digits and hyphens.
    pub name: String,
    /// What it does, in a line.
    pub title: String,
    /// The published benchmark that it follows, in words.
    pub follows: Option<String>,
    /// What an engine must be able to hold.
    pub model: Model,
    /// What is done.
    pub workload: Workload,
    /// Engine options by name, for each engine that has an option of that name.
    pub options: BTreeMap<String, String>,
    /// The published benchmark's own settings and figures.
    pub published: Option<Published>,
}

impl Suite {
    /// Reads a suite from the text of a file; `file_name` is for messages only.
    ///
    /// # Errors
    /// [`SuiteError::Mistake`], with the place of the first mistake.
    pub fn parse(file_name: &str, text: &str) -> Result<Self, SuiteError> {
        parse::suite(file_name, text).map_err(SuiteError::from)
    }

    /// Reads a suite file.
    ///
    /// # Errors
    /// If the file cannot be read or has a mistake.
    pub fn load(path: &Path) -> Result<Self, SuiteError> {
        let text = files::read_suite(path)
            .map_err(|source| SuiteError::Read { path: path.to_owned(), source })?;
        Self::parse(&path.display().to_string(), &text)
    }
}

/// What is done: a case for each operation and size, and how often. The fields are the keys of
/// `[workload]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Workload {
    /// Operations, none twice.
    pub op: Vec<Op>,
    /// Sizes of a blob in bytes, at least 1, none twice.
    pub size: Vec<u64>,
    /// What the blobs are made of.
    pub data: PayloadKind,
    /// In which order keys are used.
    pub key_order: KeyOrder,
    /// Fresh processes per engine, at least 1.
    pub executions: u32,
    /// Rounds in each execution, at least 1.
    pub rounds: u32,
    /// Client threads, at least 1.
    pub clients: u32,
    /// Operations in a round, at least 1; none: found in warm-up.
    pub ops: Option<u64>,
    /// How much is read back and compared.
    pub verify: Verify,
}

/// A published benchmark: how it was done and what it found.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// The suite's workload with the published settings in place of its own.
    pub workload: Workload,
    /// What a reader of the figures must know.
    pub note: Option<String>,
    /// The means that were published.
    pub figures: Vec<PublishedFigure>,
    /// The differences that were published.
    pub differences: Vec<PublishedDifference>,
}

word_enum! {
    /// The clock that a published figure was taken by.
    pub enum Clock as "clock" {
        /// The time that passed.
        Wall = "wall",
        /// The CPU time of the client process, without any server's.
        CpuClient = "cpu-client",
    }
}

/// One published mean.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedFigure {
    /// The operation.
    pub op: Op,
    /// The blob's size in bytes.
    pub size: u64,
    /// The clock.
    pub clock: Clock,
    /// The engine here that does what was measured there.
    pub engine: String,
    /// Mean time of one operation in seconds.
    pub mean_s: f64,
}

/// One published difference between two engines.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedDifference {
    /// The operation.
    pub op: Op,
    /// The blob's size in bytes.
    pub size: u64,
    /// The clock.
    pub clock: Clock,
    /// The engine that is compared.
    pub engine: String,
    /// The engine that it is compared with.
    pub baseline: String,
    /// How much longer the engine took than the baseline, in per cent of the baseline; negative
    /// if it was faster.
    pub percent: f64,
    /// Half the width of the confidence interval, in the same per cent.
    pub plus_minus_percent: f64,
    /// The level of the interval in per cent.
    pub confidence_percent: f64,
}
