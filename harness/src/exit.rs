//! Exit codes: each has one meaning, and a worker's own is never passed on.

use std::io::{self, Write};
use std::process::ExitCode;

/// Nothing could be started, the result file could not be written, or something in the harness
/// itself broke.
pub(crate) const CANNOT_START: u8 = 1;
/// Flags, suite or manifests show it to be wrong.
pub(crate) const USAGE: u8 = 2;
/// It ran, and an engine failed or returned wrong data.
pub(crate) const ENGINE_FAILED: u8 = 3;
/// `--strict`: a verdict is missing.
pub(crate) const INCONCLUSIVE: u8 = 6;
/// Ended by SIGINT.
pub(crate) const INTERRUPTED: u8 = 130;
/// Ended by SIGTERM.
pub(crate) const TERMINATED: u8 = 143;

/// Why a command did not end with 0.
#[derive(Debug)]
pub(crate) enum Failure {
    /// With a message for people.
    Message(u8, String),
    /// All was said already.
    Silent(u8),
}

impl Failure {
    pub(crate) fn usage(message: impl ToString) -> Self {
        Self::Message(USAGE, message.to_string())
    }

    pub(crate) fn cannot_start(message: impl ToString) -> Self {
        Self::Message(CANNOT_START, message.to_string())
    }
}

/// Runs a command and turns its outcome into an exit code.
pub(crate) fn guard(run: impl FnOnce() -> Result<(), Failure>) -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Silent(code)) => code.into(),
        Err(Failure::Message(code, message)) => {
            say(&format!("stowmark: {message}"));
            code.into()
        }
    }
}

/// A line for people, on standard error. Whoever closed it does not want to know.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// A command's result, on standard output. A reader that closed the pipe has had enough.
pub(crate) fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::cannot_start(format!("cannot write the output: {error}"))),
    }
}
