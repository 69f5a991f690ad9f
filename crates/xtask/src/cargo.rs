//! Calling cargo. A build is asked for machine-readable messages, so that the paths of what it made
//! are known rather than guessed: a configured target triple or target folder changes nothing here.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cargo_metadata::{Artifact, CrateType, Message};

use crate::failure::Failure;
use crate::process::{not_started, shown};
use crate::workspace::Workspace;

/// What a build made.
#[derive(Default, Debug)]
pub(crate) struct Built {
    /// Programs and examples by the name of their target.
    programs: BTreeMap<String, PathBuf>,
    /// Dynamic libraries by the name of their target, in which cargo writes `_` for `-`.
    libraries: BTreeMap<String, PathBuf>,
}

impl Built {
    /// The program or example of that name.
    pub(crate) fn program(&self, name: &str) -> Result<&Path, Failure> {
        found(&self.programs, name, "program")
    }

    /// The dynamic library of that package.
    pub(crate) fn library(&self, package: &str) -> Result<&Path, Failure> {
        found(&self.libraries, &package.replace('-', "_"), "dynamic library")
    }

    fn note(&mut self, artifact: &Artifact) {
        let name = artifact.target.name.clone();
        // A test binary is an executable of a library's or program's target too.
        if let (Some(path), false) = (&artifact.executable, artifact.profile.test) {
            self.programs.insert(name, path.into());
        } else if artifact.target.crate_types.contains(&CrateType::CDyLib) {
            let suffix = std::env::consts::DLL_EXTENSION;
            let library = artifact.filenames.iter().find(|f| f.extension() == Some(suffix));
            self.libraries.extend(library.map(|path| (name, path.into())));
        }
    }
}

fn found<'a>(
    made: &'a BTreeMap<String, PathBuf>,
    name: &str,
    kind: &str,
) -> Result<&'a Path, Failure> {
    made.get(name).map(PathBuf::as_path).ok_or_else(|| Failure::NotBuilt(format!("{kind} {name}")))
}

/// `cargo SUBCOMMAND` for this workspace, whatever folder below it we are called from.
pub(crate) fn cargo(workspace: &Workspace, subcommand: &str) -> Command {
    let mut command = bare();
    command.arg(subcommand).arg("--manifest-path").arg(workspace.root.join("Cargo.toml"));
    command
}

/// The cargo that started us, else the one on the PATH.
pub(crate) fn bare() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Builds, with cargo's progress and diagnostics on standard error and nothing on standard output.
pub(crate) fn build<A: AsRef<OsStr>>(
    workspace: &Workspace,
    arguments: impl IntoIterator<Item = A>,
) -> Result<Built, Failure> {
    let mut command = cargo(workspace, "build");
    command.arg("--message-format=json-render-diagnostics").args(arguments);
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(not_started(&command))?;
    let mut built = Built::default();
    if let Some(stdout) = child.stdout.take() {
        for message in Message::parse_stream(BufReader::new(stdout)) {
            if let Ok(Message::CompilerArtifact(artifact)) = message {
                built.note(&artifact);
            }
        }
    }
    let status = child.wait().map_err(not_started(&command))?;
    if status.success() {
        return Ok(built);
    }
    Err(Failure::Passed { command: shown(&command), status })
}
