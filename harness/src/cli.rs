//! The command line. Every flag is parsed here into the type that the other crates take.

#![expect(
    rustdoc::broken_intra_doc_links,
    rustdoc::invalid_html_tags,
    reason = "these comments are the help's text, where brackets mean what they do in any help"
)]

use std::path::PathBuf;
use std::time::Duration;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, Parser, Subcommand};
use stowmark_runner::plan::{Durability, EngineSpec, Order};
use stowmark_workload::{KeyOrder, Op, PayloadKind, Verify};

use crate::exit::{self, Failure};

/// Weighs storage: loads engines as plugins, gives all of them the same work, and says which is
/// faster, by how much, on which clock, at which promise of durability, and whether the difference
/// is real.
#[derive(Parser)]
#[command(name = "stowmark", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  stowmark run                                     redb against files, the suite blob-store
  stowmark run --engine redb --engine small=redb:cache=16MiB
  stowmark list
  stowmark report RESULT.json --format markdown

Exit codes:
  0 done; 1 nothing could be started, or the result could not be written; 2 wrong usage;
  3 an engine failed or returned wrong data; 6 inconclusive (--strict); 130 interrupted;
  143 terminated";

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Run a suite on engines, print the table and write the result file
    Run(Run),
    /// List the plugins and engines, from their manifests: no plugin code runs
    List(List),
    /// Show an engine's options, tiers and versions
    Info(Info),
    /// List the built-in suites and what each follows
    Suites(Suites),
    /// Make any format from a result file
    Report(Report),
    /// Print shell completions
    Completions(Completions),
}

/// Where plugins are looked for.
#[derive(Args, Clone, Debug)]
pub(crate) struct Plugins {
    /// A folder of plugins; repeatable. Then come STOWMARK_PLUGIN_PATH,
    /// $XDG_DATA_HOME/stowmark/plugins, ../lib/stowmark/plugins and the folder of this executable
    #[arg(long = "plugin-dir", value_name = "DIR")]
    pub(crate) dirs: Vec<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_help = RUN_EXAMPLES, allow_negative_numbers = true)]
pub(crate) struct Run {
    /// A built-in suite's name, or the path of a suite file
    #[arg(long, value_name = "NAME|FILE", default_value = "blob-store")]
    pub(crate) suite: String,
    /// An engine: [LABEL=]ENGINE[@PLUGIN_FILE][:key=value,...]; repeatable. The first one is the
    /// baseline. Without any: redb and filesystem
    #[arg(long = "engine", value_name = "SPEC")]
    pub(crate) engines: Vec<EngineSpec>,
    /// As published: the suite's published settings, its figures beside ours
    #[arg(long)]
    pub(crate) published: bool,
    /// Operations: put, get, delete [default: the suite's; blob-store: put,get]
    #[arg(long = "op", value_name = "OP,...", value_delimiter = ',')]
    pub(crate) ops: Option<Vec<Op>>,
    /// Blob sizes, such as 1k,10k,1M (powers of 1024) [default: the suite's; blob-store:
    /// 1k,10k,1M,10M]
    #[arg(long = "size", value_name = "SIZE,...", value_delimiter = ',', value_parser = size)]
    pub(crate) sizes: Option<Vec<u64>>,
    /// The tier: unacknowledged, acknowledged, os, media; or default for each engine's own. Without
    /// it: the strongest that all engines honour
    #[arg(long, value_name = "TIER", default_value = "strongest", hide_default_value = true)]
    pub(crate) durability: Durability,
    /// What blobs are made of: text, random, zero, ratio:0.5, file:PATH [default: the suite's;
    /// blob-store: text]
    #[arg(long, value_name = "KIND")]
    pub(crate) data: Option<PayloadKind>,
    /// The order of keys: random or sequential [default: the suite's; blob-store: random]
    #[arg(long, value_name = "ORDER")]
    pub(crate) key_order: Option<KeyOrder>,
    /// Sessions at once, each on a thread of its own [default: the suite's; blob-store: 1]
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) clients: Option<u32>,
    /// Operations in each round, over all clients; found in warm-up without it
    #[arg(long = "ops", value_name = "N", value_parser = long_count)]
    pub(crate) ops_per_round: Option<u64>,
    /// Rounds in each execution [default: the suite's; blob-store: 6]
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) rounds: Option<u32>,
    /// Executions: fresh processes and stores for each [default: the suite's; blob-store: 5]
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) executions: Option<u32>,
    /// What is read back and compared: full or none [default: the suite's; blob-store: full]
    #[arg(long, value_name = "WHAT")]
    pub(crate) verify: Option<Verify>,
    /// The label that the others are compared with
    #[arg(long, value_name = "LABEL")]
    pub(crate) baseline: Option<String>,
    /// The confidence of all verdicts of a clock together
    #[arg(long, value_name = "C", default_value = "0.99", value_parser = confidence)]
    pub(crate) confidence: f64,
    /// The order of turns: interleaved or sequential
    #[arg(long, value_name = "ORDER", default_value = "interleaved")]
    pub(crate) order: Order,
    /// The seed of payloads, keys and orders; without it a new one, told in the result
    #[arg(long, value_name = "N", value_parser = seed)]
    pub(crate) seed: Option<u64>,
    /// End a worker that gives no sign of life for so long
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = duration)]
    pub(crate) timeout: Duration,
    /// The result file; its folder must exist. Without it
    /// stowmark-<suite>-<UTC>.json in the current folder
    #[arg(short = 'o', long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Where stores are made; each run removes its own
    #[arg(long, value_name = "DIR", default_value = "stowmark-data")]
    pub(crate) data_dir: PathBuf,
    /// Let tier media be claimed on a file system that power loss empties
    #[arg(long)]
    pub(crate) allow_volatile: bool,
    /// Exit with 6 if a verdict is inconclusive
    #[arg(long)]
    pub(crate) strict: bool,
    /// No progress, no log lines of plugins
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) plugins: Plugins,
}

const RUN_EXAMPLES: &str = "\
A run without flags takes about a minute and writes its result file to the current folder.

Examples:
  stowmark run --suite blob-store --published --engine redb --engine filesystem
  stowmark run --engine filesystem --op put,get --size 1M --clients 4
  stowmark run --engine redb --engine old=redb@./libstowmark_redb_old.so
  stowmark run --engine redb:cache=64MiB --engine filesystem --durability default";

#[derive(Args, Debug)]
#[command(after_help = LIST_EXAMPLES)]
pub(crate) struct List {
    /// As JSON, with all that the manifests say
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) plugins: Plugins,
}

const LIST_EXAMPLES: &str = "\
Examples:
  stowmark list
  stowmark list --plugin-dir ./target/release --json";

#[derive(Args, Debug)]
#[command(after_help = INFO_EXAMPLES)]
pub(crate) struct Info {
    /// The engine: a name, or ENGINE@PLUGIN_FILE
    #[arg(value_name = "ENGINE")]
    pub(crate) engine: EngineSpec,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) plugins: Plugins,
}

const INFO_EXAMPLES: &str = "\
Examples:
  stowmark info redb
  stowmark info redb@./libstowmark_redb_old.so --json";

#[derive(Args, Debug)]
#[command(after_help = SUITES_EXAMPLES)]
pub(crate) struct Suites {
    /// Print the suite's file, as a start for one of your own
    #[arg(long, value_name = "NAME")]
    pub(crate) show: Option<String>,
}

const SUITES_EXAMPLES: &str = "\
A suite file is TOML; docs/suites.md explains every key with its default and what it may be.

Examples:
  stowmark suites --show blob-store >mine.toml
  stowmark run --suite ./mine.toml";

#[derive(Args, Debug)]
#[command(after_help = REPORT_EXAMPLES)]
pub(crate) struct Report {
    /// The result file
    #[arg(value_name = "RESULT")]
    pub(crate) result: PathBuf,
    /// table, ministat, markdown, csv or json
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: String,
    /// Write the report there instead of to standard output; the folder must exist
    #[arg(short = 'o', long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Also write <label>-<op>-<size>-<wall|cpu>.txt there, seconds a line, as ministat reads them;
    /// the folder must exist
    #[arg(long, value_name = "DIR")]
    pub(crate) raw: Option<PathBuf>,
}

const REPORT_EXAMPLES: &str = "\
Examples:
  stowmark report RESULT.json --format csv --out rounds.csv
  stowmark report RESULT.json --format ministat --raw .";

#[derive(Args, Debug)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  stowmark completions bash >~/.local/share/bash-completion/completions/stowmark";

/// The command line of this process. Wrong usage, help and version end it.
pub(crate) fn parse() -> Cli {
    Cli::try_parse().unwrap_or_else(|mut error| {
        if let Some(tip) = tip(&error) {
            let tips = ContextValue::StyledStrs(vec![tip.into()]);
            error.insert(ContextKind::Suggested, tips);
        }
        error.exit()
    })
}

/// The flag that a bare word after `run` was probably meant for: most commands take engines and
/// suites without one.
fn tip(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else { return None };
    let of_run = std::env::args_os().nth(1).is_some_and(|command| command == "run");
    if !of_run || error.kind() != ErrorKind::UnknownArgument || word.starts_with('-') {
        return None;
    }
    let is_suite = stowmark_workload::builtin_suite(word).is_ok() || word.ends_with(".toml");
    let (what, flag) = if is_suite { ("a suite", "--suite") } else { ("an engine", "--engine") };
    Some(format!("{what} is named with a flag: '{flag} {word}'"))
}

/// Prints the shell's completions.
pub(crate) fn completions(arguments: &Completions) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "stowmark", &mut text);
    exit::print(&text)
}

fn count(text: &str) -> Result<u32, String> {
    let count = text.parse().ok().filter(|count| *count > 0);
    count.ok_or_else(|| format!("must be a whole number from 1 to {}", u32::MAX))
}

fn long_count(text: &str) -> Result<u64, String> {
    let count = text.parse().ok().filter(|count| *count > 0);
    count.ok_or_else(|| format!("must be a whole number from 1 to {}", u64::MAX))
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("must be a whole number from 0 to {}", u64::MAX))
}

fn confidence(text: &str) -> Result<f64, String> {
    let confidence = text.parse().ok().filter(|share| *share > 0.5 && *share < 1.0);
    confidence.ok_or_else(|| "must be a number between 0.5 and 1, such as 0.99".into())
}

fn size(text: &str) -> Result<u64, String> {
    match stowmark_workload::parse_size(text) {
        Ok(0) => Err("a blob has at least one byte".into()),
        Ok(size) => Ok(size),
        Err(error) => Err(error.to_string()),
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    match stowmark_workload::parse_duration(text) {
        Ok(Duration::ZERO) => Err("must be longer than nothing".into()),
        Ok(duration) => Ok(duration),
        Err(error) => Err(error.to_string()),
    }
}
