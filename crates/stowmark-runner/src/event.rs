//! What happens in a run, as plain data; whoever shows progress consumes it.

use std::path::PathBuf;
use std::time::Duration;

/// One thing that happened.
#[non_exhaustive]
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// The run begins: so many turns of engines at cases are to come.
    Started {
        /// Executions times cases times rounds times engines, the floor included.
        turns: u64,
    },
    /// What a killed run had left was removed.
    Swept {
        /// The folders.
        folders: Vec<PathBuf>,
    },
    /// A case begins in an execution.
    Case {
        /// The execution, from 0.
        execution: u64,
        /// Of how many.
        executions: u64,
        /// The case's id.
        case: String,
    },
    /// What is being done, where it may take a while.
    Phase {
        /// The engine's label.
        label: String,
        /// `open`, `warm-up`, `round`, `verify` or `close`.
        phase: &'static str,
    },
    /// So many turns are done.
    Progress {
        /// Turns done.
        done: u64,
        /// Turns in all, without those of engines that failed.
        turns: u64,
        /// About how long the rest will take.
        left: Option<Duration>,
    },
    /// An engine failed and takes no further part.
    Failed {
        /// The engine's label.
        label: String,
        /// What happened.
        message: String,
    },
    /// A line of a plugin's log or of its worker's standard error.
    Log {
        /// The engine's label.
        label: String,
        /// The level, or none for standard error.
        level: Option<String>,
        /// The line.
        line: String,
    },
    /// The result file cannot be written for now; it is tried again after each case.
    Unwritten {
        /// Why.
        message: String,
    },
    /// The result file was written with all that is known so far.
    Written {
        /// The file.
        path: PathBuf,
    },
}
