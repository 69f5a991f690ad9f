//! The programs that `bench-self` measures with, and how each is called. What they write is read in
//! [`read`](super::read).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::read::{PayloadSpeed, Run, payload_speed, redb_direct, run_of};
use crate::cargo::build;
use crate::failure::Failure;
use crate::process::{on_path, output, shown};
use crate::run::{PLUGIN_PATH, folder_of};
use crate::workspace::Workspace;

/// Both sides of a comparison get the same keys and bytes.
const SEED: &str = "1";

/// Rounds of one process for the floor; the figure of a process is the median over them.
const FLOOR_ROUNDS: &str = "3";
/// Puts of each client in a round: so many that the moment at which clients start is of no account.
const FLOOR_OPS: u64 = 2_000_000;

/// The tier at which redb is compared.
const REDB_TIER: &str = "acknowledged";
/// Rounds of a process that puts into redb: few, for many short processes by turns are the steadier
/// comparison.
const REDB_ROUNDS: &str = "3";
/// Has the C library take memory from the kernel at once. Otherwise how much a thread took before,
/// for anything, decides how often it must ask again, which is as dear as what is compared here.
const MEMORY_AT_ONCE: (&str, &str) = ("MALLOC_TOP_PAD_", "67108864");

/// The programs, built for release, and a folder for what they write.
pub(super) struct Programs {
    stowmark: PathBuf,
    payload_speed: PathBuf,
    redb_direct: PathBuf,
    scratch: TempDir,
}

impl Programs {
    /// Builds all of them. The scratch folder lies in the target folder, which is on a real disk where
    /// the system's folder for temporary files may be memory.
    pub(super) fn build(workspace: &Workspace) -> Result<Self, Failure> {
        let stowmark = build(workspace, ["--release"])?.program("stowmark")?.to_owned();
        // Together, so that what both build on is built once.
        let packages = ["--package", "stowmark-workload", "--package", "stowmark-redb"];
        let examples = ["--release", "--example", "payload_speed", "--example", "direct"];
        let examples = build(workspace, [packages.as_slice(), &examples].concat())?;
        let payload_speed = examples.program("payload_speed")?.to_owned();
        let redb_direct = examples.program("direct")?.to_owned();
        let scratch = tempfile::Builder::new().prefix("bench-self-").tempdir_in(&workspace.target);
        let scratch = scratch.map_err(Failure::file(&workspace.target))?;
        Ok(Self { stowmark, payload_speed, redb_direct, scratch })
    }

    /// Puts of 16 bytes into `null`.
    pub(super) fn floor(&self, clients: u32) -> Result<Run, Failure> {
        let ops = (FLOOR_OPS * u64::from(clients)).to_string();
        let case = ["--engine", "null", "--op", "put", "--size", "16", "--rounds", FLOOR_ROUNDS];
        let mut stowmark = self.stowmark(Command::new(&self.stowmark));
        self.run_once(stowmark.args(case).args(["--clients", &clients.to_string(), "--ops", &ops]))
    }

    /// Puts of one size into redb, through the harness, on one processor.
    pub(super) fn redb_harness(&self, size: &str, ops: u64) -> Result<Run, Failure> {
        let ops = ops.to_string();
        let case = ["--engine", "redb", "--op", "put", "--size", size, "--ops", &ops];
        // As the direct loop does it: random bytes, and nothing is read back.
        let how = ["--durability", REDB_TIER, "--data", "random", "--verify", "none"];
        let mut stowmark = self.stowmark(on_one_processor(&self.stowmark));
        stowmark.args(case).args(how).args(["--rounds", REDB_ROUNDS]);
        self.run_once(stowmark.env(MEMORY_AT_ONCE.0, MEMORY_AT_ONCE.1))
    }

    /// The same puts by a loop that calls redb itself, in nanoseconds an operation.
    pub(super) fn redb_direct(&self, size: &str, ops: u64) -> Result<f64, Failure> {
        let mut direct = on_one_processor(&self.redb_direct);
        direct.env(MEMORY_AT_ONCE.0, MEMORY_AT_ONCE.1);
        direct.args(["--size", size, "--ops", &ops.to_string(), "--rounds", REDB_ROUNDS]);
        direct.args(["--tier", REDB_TIER, "--seed", SEED, "--data-dir"]).arg(self.data_folder()?);
        redb_direct(&output(&mut direct)?)
    }

    /// One blob of 4 GiB into `filesystem` and back.
    pub(super) fn blob_stream(&self) -> Result<Run, Failure> {
        let case = ["--engine", "filesystem", "--op", "put,get", "--size", "4G", "--ops", "1"];
        let how = ["--rounds", "1", "--durability", "os", "--verify", "none"];
        self.run_once(self.stowmark(Command::new(&self.stowmark)).args(case).args(how))
    }

    /// How fast payloads are made, on one core.
    pub(super) fn payload_speed(&self) -> Result<PayloadSpeed, Failure> {
        payload_speed(&output(&mut Command::new(&self.payload_speed))?)
    }

    /// One engine under two names, in a run of the default number of executions and rounds and with
    /// its stores where a run has them by default.
    pub(super) fn same_twice(&self, sizes: &str, tier: &str, seed: u64) -> Result<Run, Failure> {
        let engines = ["--engine", "redb", "--engine", "again=redb"];
        let case = ["--op", "put,get", "--size", sizes, "--durability", tier];
        let mut stowmark = self.stowmark(Command::new(&self.stowmark));
        stowmark.args(engines).args(case).args(["--seed", &seed.to_string()]);
        self.run(&mut stowmark)
    }

    /// `stowmark run`, by a command that starts the program.
    fn stowmark(&self, mut stowmark: Command) -> Command {
        stowmark.env(PLUGIN_PATH, folder_of(&self.stowmark)).args(["run", "--quiet"]);
        stowmark
    }

    /// A run of one execution.
    fn run_once(&self, stowmark: &mut Command) -> Result<Run, Failure> {
        stowmark.args(["--executions", "1", "--seed", SEED]);
        self.run(stowmark.arg("--data-dir").arg(self.data_folder()?))
    }

    /// Runs it and reads the result file that it wrote.
    fn run(&self, stowmark: &mut Command) -> Result<Run, Failure> {
        let result = self.scratch.path().join("result.json");
        output(stowmark.arg("--out").arg(&result))?;
        let text = fs::read_to_string(&result).map_err(Failure::file(&result))?;
        // A later run that writes nothing must not be taken for this one.
        fs::remove_file(&result).map_err(Failure::file(&result))?;
        run_of(&text, &shown(stowmark))
    }

    fn data_folder(&self) -> Result<PathBuf, Failure> {
        let folder = self.scratch.path().join("data");
        fs::create_dir_all(&folder).map_err(Failure::file(&folder))?;
        Ok(folder)
    }
}

/// Starts the program, and all that it starts, on one processor only, where the system lets us say so:
/// a thread that wakes on another finds none of its data in that one's caches, and how often that
/// happens is not what is compared.
fn on_one_processor(program: &Path) -> Command {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    match last_processor(&status).filter(|_| on_path("taskset")) {
        Some(processor) => {
            let mut command = Command::new("taskset");
            command.args(["--cpu-list", &processor]).arg(program);
            command
        }
        None => Command::new(program),
    }
}

/// The last processor that we may use: the first one has the system's own work more often.
fn last_processor(status: &str) -> Option<String> {
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    let last = list.rsplit([',', '-']).next()?.trim();
    last.parse::<u32>().ok().map(|number| number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_processor_is_found_in_lists_and_ranges() {
        let last = |list: &str| last_processor(&format!("Name:\tx\nCpus_allowed_list:\t{list}\n"));
        assert_eq!(last("0-1").as_deref(), Some("1"));
        assert_eq!(last("0-3,8").as_deref(), Some("8"));
        assert_eq!(last("5").as_deref(), Some("5"));
        assert_eq!(last(""), None);
        assert_eq!(last_processor("Name:\tx\n"), None);
    }
}
