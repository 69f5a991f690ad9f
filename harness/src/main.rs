//! The `stowmark` command: parses, dispatches, shows progress, and turns outcomes into exit codes.

mod cli;
mod exit;
mod list;
mod out;
mod progress;
mod report;
mod run;
mod signals;
mod suites;
mod wrap;

use std::process::ExitCode;

use cli::Command;
use exit::Failure;

/// The word that makes this program a worker. It is no subcommand, so that neither help nor shell
/// completions offer it.
const WORKER: &str = "worker";

fn main() -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|word| word == WORKER) {
        return exit::guard(worker);
    }
    exit::guard(|| match cli::parse().command {
        Command::Run(arguments) => run::run(arguments),
        Command::List(arguments) => list::list(&arguments),
        Command::Info(arguments) => list::info(&arguments),
        Command::Suites(arguments) => suites::suites(&arguments),
        Command::Report(arguments) => report::report(&arguments),
        Command::Completions(arguments) => cli::completions(&arguments),
    })
}

fn worker() -> Result<(), Failure> {
    Err(match stowmark_runner::worker_main() {
        exit::USAGE => Failure::usage("a worker is started by `stowmark run`, not by hand"),
        code => Failure::Silent(code),
    })
}
