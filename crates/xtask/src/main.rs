//! The project's chores in Rust: setup, run, test, bench-self, tidy.
//!
//! One program instead of shell scripts, so that a chore has types, tests and messages like the rest
//! of the code, and so that `cargo xtask run` in a fresh clone is all that a newcomer types. What each
//! plugin needs and which engines it holds comes from its own `Cargo.toml`: adding an engine never
//! changes a line here.
//!
//! Standard output belongs to what is run: `xtask run` adds nothing to it, `xtask bench-self --json`
//! puts one object there. Everything else that this program has to say goes to standard error.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line tool prints")]

mod bench_self;
mod cargo;
mod failure;
mod process;
mod run;
mod setup;
mod test;
mod tidy;
mod workspace;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;
use workspace::Workspace;

/// The project's chores.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Install and cache what engines, servers and tests need
    ///
    /// As root on Debian it installs system packages; elsewhere it prints what to install and fails if
    /// something is missing. Without engines it looks after all of them and the tests.
    Setup {
        /// Engines to set up; all, and what the tests need, when none is named
        engines: Vec<String>,
        /// Also what continuous integration needs: rustfmt, clippy, cargo-deny
        #[arg(long)]
        ci: bool,
    },
    /// Build for release and pass the arguments on to `stowmark run`
    ///
    /// Builds the harness, the default plugins, and the plugins of engines named with `--engine`.
    /// Prints nothing of its own on standard output; the exit code is that of `stowmark run`.
    /// `cargo xtask run --help` shows the help of `stowmark run`.
    #[command(disable_help_flag = true)]
    Run {
        /// The arguments of `stowmark run`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Set up, build all plugins, and run the tests
    ///
    /// Without arguments: the whole workspace, then the host once more as an ABI one minor version
    /// ahead. Arguments are those of `cargo test`: `cargo xtask test -p stowmark-host a_name`.
    Test {
        /// The arguments of `cargo test`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Measure the harness itself: floor, payloads, overhead, memory
    ///
    /// Every figure is the median of interleaved tries, with quartiles. With --aa, whether verdicts
    /// can be believed.
    BenchSelf(bench_self::Options),
    /// Check the project's own rules: dependency arrows, files, tables, sources
    Tidy {
        /// Rewrite the engine tables in the documents
        #[arg(long)]
        fix: bool,
    },
}

fn main() -> ExitCode {
    match perform() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(text) = failure.message() {
                eprintln!("xtask: {text}");
            }
            failure.exit_code()
        }
    }
}

fn perform() -> Result<(), Failure> {
    let chore = Arguments::parse().chore;
    let workspace = Workspace::load()?;
    match chore {
        Chore::Setup { engines, ci } => setup::setup(&workspace, &engines, ci),
        Chore::Run { .. } => run::run(&workspace, &verbatim()),
        Chore::Test { .. } => test::test(&workspace, &verbatim()),
        Chore::BenchSelf(options) => bench_self::bench_self(&workspace, &options),
        Chore::Tidy { fix } => tidy::tidy(&workspace, fix),
    }
}

/// What stands after the chore's name, untouched: clap would swallow a first `--`, which means
/// something to the programs that these arguments are for.
fn verbatim() -> Vec<OsString> {
    std::env::args_os().skip(2).collect()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn run_takes_any_argument_for_stowmark() {
        let line = ["xtask", "run", "--help", "--engine", "redb", "--", "-x"];
        let parsed = Arguments::try_parse_from(line).expect("it parses");
        let Chore::Run { arguments } = parsed.chore else { panic!("another chore") };
        assert_eq!(arguments[0], "--help");
    }

    #[test]
    fn help_of_test_is_our_own() {
        let failure = Arguments::try_parse_from(["xtask", "test", "--help"]).err();
        assert_eq!(failure.map(|f| f.kind()), Some(clap::error::ErrorKind::DisplayHelp));
    }
}
