//! The programs that `bench-self` measures with, and how each is called. What they write is read in
//! [`read`](super::read).

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

use super::read::{PayloadSpeed, Run, payload_speed, redb_direct, run_of};
use crate::cargo::build;
use crate::failure::Failure;
use crate::process::{output, shown};
use crate::run::{PLUGIN_PATH, folder_of};
use crate::workspace::Workspace;

/// Both sides of a comparison get the same keys and bytes.
const SEED: &str = "1";

/// Rounds of one process for the floor; the figure of a process is the median over them.
const FLOOR_ROUNDS: &str = "7";
/// Puts of each client in a round: so many that the moment at which clients start is of no account.
const FLOOR_OPS: u64 = 2_000_000;

/// The tier at which redb is compared.
const REDB_TIER: &str = "acknowledged";
/// Rounds of a process that puts into redb.
const REDB_ROUNDS: &str = "12";

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
        self.run_once(&[&case[..], &["--clients", &clients.to_string(), "--ops", &ops]].concat())
    }

    /// Puts of one size into redb, through the harness.
    pub(super) fn redb_harness(&self, size: &str, ops: u64) -> Result<Run, Failure> {
        let ops = ops.to_string();
        let case = ["--engine", "redb", "--op", "put", "--size", size, "--ops", &ops];
        // As the direct loop does it: random bytes, and nothing is read back.
        let how = ["--durability", REDB_TIER, "--data", "random", "--verify", "none"];
        self.run_once(&[&case[..], &how, &["--rounds", REDB_ROUNDS]].concat())
    }

    /// The same puts by a loop that calls redb itself, in nanoseconds an operation.
    pub(super) fn redb_direct(&self, size: &str, ops: u64) -> Result<f64, Failure> {
        let mut direct = Command::new(&self.redb_direct);
        direct.args(["--size", size, "--ops", &ops.to_string(), "--rounds", REDB_ROUNDS]);
        direct.args(["--tier", REDB_TIER, "--seed", SEED, "--data-dir"]).arg(self.data_folder()?);
        redb_direct(&output(&mut direct)?)
    }

    /// One blob of 4 GiB into `filesystem` and back.
    pub(super) fn blob_stream(&self) -> Result<Run, Failure> {
        let case = ["--engine", "filesystem", "--op", "put,get", "--size", "4G", "--ops", "1"];
        self.run_once(
            &[&case[..], &["--rounds", "1", "--durability", "os", "--verify", "none"]].concat(),
        )
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
        let mut stowmark = self.stowmark();
        stowmark.args(engines).args(case).args(["--seed", &seed.to_string()]);
        self.run(&mut stowmark)
    }

    /// A run of one execution.
    fn run_once(&self, case: &[&str]) -> Result<Run, Failure> {
        let mut stowmark = self.stowmark();
        stowmark.args(case).args(["--executions", "1", "--seed", SEED]);
        stowmark.arg("--data-dir").arg(self.data_folder()?);
        self.run(&mut stowmark)
    }

    fn stowmark(&self) -> Command {
        let mut stowmark = Command::new(&self.stowmark);
        stowmark.env(PLUGIN_PATH, folder_of(&self.stowmark)).args(["run", "--quiet"]);
        stowmark
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
