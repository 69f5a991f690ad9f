//! What can be wrong with a suite, and where.

use std::path::PathBuf;

use thiserror::Error;

use crate::payload::PayloadError;
use crate::suggest::{UnknownWord, instead};
use crate::units::UnitError;

/// Why there is no suite.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// The file cannot be read.
    #[error("cannot read the suite file {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The text has a mistake.
    #[error(transparent)]
    Mistake(#[from] Box<Mistake>),
    /// No built-in suite has this name, and it does not look like a file's.
    #[error("{0}; a suite of your own is named by its file: --suite ./FILE.toml")]
    Unknown(UnknownWord),
}

/// A mistake and its place. Prints as `FILE:LINE:COLUMN: problem`, as compilers do, so that editors
/// find it.
#[derive(Debug, Error)]
#[error("{file}:{line}:{column}: {problem}")]
pub struct Mistake {
    /// The file's name as it was given.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong. `key` is the path of a key, such as `workload.size`; `table` is a table as its
/// heading is written, such as `[workload]`.
#[derive(Debug, Error)]
pub enum Problem {
    /// This is no TOML.
    #[error("this is not valid TOML: {0}")]
    Syntax(String),
    /// A key that means nothing here.
    #[error("unknown key \"{key}\" in {table}; {}", instead(.nearest, .valid))]
    UnknownKey {
        /// The key.
        key: String,
        /// The table that it stands in.
        table: String,
        /// The key that was probably meant.
        nearest: Option<String>,
        /// All keys of this table.
        valid: Vec<String>,
    },
    /// A key that must be there is not.
    #[error("{table} lacks the key \"{key}\"{}", choice(.valid))]
    MissingKey {
        /// The key.
        key: String,
        /// The table that should hold it.
        table: String,
        /// The words that it may be set to, where these are few.
        valid: Vec<String>,
    },
    /// A value of another type than the key takes.
    #[error("{key} takes {expected}, not {found}")]
    WrongType {
        /// The key.
        key: String,
        /// What it takes, with an example.
        expected: String,
        /// What was given.
        found: String,
    },
    /// A number beyond what makes sense.
    #[error("{key} is {value}, but must be {expected}")]
    OutOfRange {
        /// The key.
        key: String,
        /// The value as written.
        value: String,
        /// What it must be.
        expected: String,
    },
    /// A word that is none of the valid ones.
    #[error("{key}: {error}")]
    UnknownWord {
        /// The key.
        key: String,
        /// The word and what was probably meant.
        error: UnknownWord,
    },
    /// A size that cannot be read.
    #[error("{key}: {error}")]
    Size {
        /// The key.
        key: String,
        /// What is wrong with it.
        error: UnitError,
    },
    /// A payload that cannot be read.
    #[error("{key}: {error}")]
    Payload {
        /// The key.
        key: String,
        /// What is wrong with it.
        error: PayloadError,
    },
    /// A text without a letter.
    #[error("{key} is empty")]
    EmptyText {
        /// The key.
        key: String,
    },
    /// A list with nothing in it.
    #[error("{key} is an empty list: name at least one")]
    EmptyList {
        /// The key.
        key: String,
    },
    /// The same thing twice.
    #[error("{key} names {value} twice")]
    Duplicate {
        /// The key.
        key: String,
        /// What is named twice.
        value: String,
    },
    /// A name with letters that make it hard to type or to use in a file's name.
    #[error("{key} is \"{value}\", but a name is of lower-case letters, digits and hyphens")]
    BadName {
        /// The key.
        key: String,
        /// The name.
        value: String,
    },
    /// A published figure for a case that the published workload does not have.
    #[error("{key} is {value}, which the published workload does not have; it has {}", .valid.join(", "))]
    NoSuchCase {
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// The values that it has.
        valid: Vec<String>,
    },
    /// An engine compared with itself.
    #[error("{key} is \"{value}\", the engine itself: name the one that it is compared with")]
    OwnBaseline {
        /// The key.
        key: String,
        /// The engine.
        value: String,
    },
}

/// What a key that is missing may be set to.
fn choice(valid: &[String]) -> String {
    if valid.is_empty() { String::new() } else { format!("; valid: {}", valid.join(", ")) }
}
