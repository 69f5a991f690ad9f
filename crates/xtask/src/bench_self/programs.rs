//! The programs that `bench-self` measures with, and how each is called. What they write is read in
//! [`read`](super::read).

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

use super::read::{PayloadSpeed, Run, payload_speed, redb_direct, run_of};
use crate::cargo::build;
use crate::failure::Failure;
use crate::process::output;
use crate::run::{PLUGIN_PATH, folder_of};
use crate::workspace::Workspace;

/// Rounds of one process; the figure of a process is the median over them.
const ROUNDS: &str = "5";
/// Both sides of a comparison get the same keys and bytes.
const SEED: &str = "1";
/// The tier at which redb is compared.
const REDB_TIER: &str = "acknowledged";

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
    pub(super) fn floor(&self, clients: u32, ops: u64) -> Result<Run, Failure> {
        let (clients, ops) = (clients.to_string(), ops.to_string());
        let case = ["--engine", "null", "--op", "put", "--size", "16", "--rounds", ROUNDS];
        self.run(&[&case[..], &["--clients", &clients, "--ops", &ops]].concat())
    }

    /// Puts of one size into redb, through the harness.
    pub(super) fn redb_harness(&self, size: &str, ops: u64) -> Result<Run, Failure> {
        let ops = ops.to_string();
        let case = ["--engine", "redb", "--op", "put", "--size", size, "--ops", &ops];
        let how = ["--rounds", ROUNDS, "--durability", REDB_TIER, "--verify", "none"];
        self.run(&[&case[..], &how].concat())
    }

    /// The same puts by a loop that calls redb itself, in nanoseconds an operation.
    pub(super) fn redb_direct(&self, size: &str, ops: u64) -> Result<f64, Failure> {
        let mut direct = Command::new(&self.redb_direct);
        direct.args(["--size", size, "--ops", &ops.to_string(), "--rounds", ROUNDS]);
        direct.args(["--tier", REDB_TIER, "--seed", SEED, "--data-dir"]).arg(self.data_folder()?);
        redb_direct(&output(&mut direct)?)
    }

    /// One blob of 4 GiB into `filesystem` and back.
    pub(super) fn blob_stream(&self) -> Result<Run, Failure> {
        let case = ["--engine", "filesystem", "--op", "put,get", "--size", "4G", "--ops", "1"];
        self.run(
            &[&case[..], &["--rounds", "1", "--durability", "os", "--verify", "none"]].concat(),
        )
    }

    /// How fast payloads are made, on one core.
    pub(super) fn payload_speed(&self) -> Result<PayloadSpeed, Failure> {
        payload_speed(&output(&mut Command::new(&self.payload_speed))?)
    }

    /// `stowmark run` of one execution, and the result file that it wrote.
    fn run(&self, case: &[&str]) -> Result<Run, Failure> {
        let result = self.scratch.path().join("result.json");
        let mut stowmark = Command::new(&self.stowmark);
        stowmark.env(PLUGIN_PATH, folder_of(&self.stowmark)).arg("run").args(case);
        stowmark.args(["--executions", "1", "--seed", SEED, "--quiet", "--data-dir"]);
        stowmark.arg(self.data_folder()?).arg("-o").arg(&result);
        output(&mut stowmark)?;
        let text = fs::read_to_string(&result).map_err(Failure::file(&result))?;
        // A later run that writes nothing must not be taken for this one.
        fs::remove_file(&result).map_err(Failure::file(&result))?;
        run_of(&text, &crate::process::shown(&stowmark))
    }

    fn data_folder(&self) -> Result<PathBuf, Failure> {
        let folder = self.scratch.path().join("data");
        fs::create_dir_all(&folder).map_err(Failure::file(&folder))?;
        Ok(folder)
    }
}
