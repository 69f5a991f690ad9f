//! Why a chore failed, in words that name the command or the file and what to do.

use std::path::PathBuf;
use std::process::{ExitCode, ExitStatus};

use thiserror::Error;

/// Everything that ends a chore early.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// A program could not be started at all.
    #[error("cannot start `{command}`: {source}")]
    Start { command: String, source: std::io::Error },
    /// A program whose output was captured failed; what it said is part of the message.
    #[error("`{command}` failed ({status}){}", indented(.stderr))]
    Ended { command: String, status: ExitStatus, stderr: String },
    /// A program that spoke for itself failed: its exit code is ours, and there is no more to say.
    #[error("`{command}` failed ({status})")]
    Passed { command: String, status: ExitStatus },
    /// A program succeeded, but what it wrote is not what was expected.
    #[error("cannot read {what}: {why}")]
    Unreadable { what: String, why: String },
    /// `cargo metadata` failed.
    #[error("{0}")]
    Metadata(#[from] cargo_metadata::Error),
    /// A file or folder could not be read or written.
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: std::io::Error },
    /// An engine that no plugin of this workspace holds.
    #[error("no plugin here holds the engine `{engine}`; there are: {}", known.join(", "))]
    UnknownEngine { engine: String, known: Vec<String> },
    /// Something must be installed that this program cannot install.
    #[error("something is missing. Install it, then try again:{}", indented(.0))]
    Missing(String),
    /// A build did not make what it should have.
    #[error("the build made no {0}")]
    NotBuilt(String),
    /// `tidy` found something; it was printed already.
    #[error("{0} to mend")]
    Untidy(usize),
}

impl Failure {
    /// What to print; nothing where the program that failed has printed it.
    pub(crate) fn message(&self) -> Option<String> {
        match self {
            Failure::Passed { .. } => None,
            other => Some(other.to_string()),
        }
    }

    /// The exit code: that of the program passed on to, 2 for a wrong argument, else 1.
    pub(crate) fn exit_code(&self) -> ExitCode {
        let code = match self {
            Failure::Passed { status, .. } => code_of(*status),
            Failure::UnknownEngine { .. } => 2,
            _ => 1,
        };
        ExitCode::from(code)
    }

    /// For `map_err` on a file operation.
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Failure {
        let path = path.into();
        move |source| Failure::File { path, source }
    }
}

/// A status as an exit code; a program ended by signal n gives 128 + n, as shells do.
fn code_of(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal: Option<i32> = None;
    let code = status.code().or(signal.map(|n| 128 + n)).unwrap_or(1);
    u8::try_from(code).unwrap_or(1)
}

/// The text's lines, each indented and on a line of its own; nothing for an empty text.
fn indented(text: &str) -> String {
    text.trim_end().lines().map(|line| format!("\n    {line}")).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;

    use super::*;

    #[test]
    fn exit_codes_are_passed_on_and_signals_counted_from_128() {
        assert_eq!(code_of(ExitStatus::from_raw(3 << 8)), 3);
        assert_eq!(code_of(ExitStatus::from_raw(2)), 130);
    }

    #[test]
    fn a_captured_failure_shows_the_command_and_what_it_said() {
        let failure = Failure::Ended {
            command: "stowmark run".into(),
            status: ExitStatus::from_raw(1 << 8),
            stderr: "no such folder\ntry another\n".into(),
        };
        let text = failure.message().expect("a message");
        assert!(text.starts_with("`stowmark run` failed"), "{text}");
        assert!(text.ends_with("\n    no such folder\n    try another"), "{text}");
    }
}
