//! The result file's root and the engines.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Case, Extra, Failure, Machine, Plan, WarningRecord};

/// The schema's name and version.
pub const SCHEMA: &str = "stowmark.result/1";

/// How far a run came. An unknown word of a later version reads as [`Status::Other`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It was under way when the file was written.
    #[default]
    Running,
    /// All cases were measured.
    Complete,
    /// All that could be was measured, and something failed.
    Failed,
    /// SIGINT ended it.
    Interrupted,
    /// SIGTERM ended it.
    Terminated,
    /// A word of a later version.
    #[serde(untagged)]
    Other(String),
}

/// One run: everything that one `stowmark run` did.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, expecting = "the object that a result is")]
pub struct RunResult {
    /// Always [`SCHEMA`] when written; readers accept any `stowmark.result/1`.
    pub schema: String,
    /// How far the run came.
    pub status: Status,
    /// When it began, RFC 3339, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// When it ended, RFC 3339, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<String>,
    /// The command line, program name first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub command_line: Vec<String>,
    /// The seed, as decimal text, since it may use all 64 bits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// What was to be done.
    pub plan: Plan,
    /// What did it.
    pub versions: Versions,
    /// Where.
    pub machine: Machine,
    /// On which clocks.
    pub clock: ClockFacts,
    /// The engines under their labels, `null` (the floor) last and marked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<EngineFacts>,
    /// What was measured, in the order in which it ran.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<Case>,
    /// What failed, a row each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<Failure>,
    /// What a reader must know before believing a figure.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<WarningRecord>,
    /// Keys of later versions, kept on rewrite.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What measured.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Versions {
    /// The harness's version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harness: Option<String>,
    /// The harness's ABI, `major.minor`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub abi: Option<String>,
    /// The harness's build profile, `release` or `debug`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// Keys of later versions, kept on rewrite.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The clocks and what reading them costs.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ClockFacts {
    /// The wall clock's source: `tsc` or `monotonic`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall: Option<String>,
    /// What one read of the wall clock costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall_read_ns: Option<f64>,
    /// The smallest step of the wall clock, measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall_step_ns: Option<f64>,
    /// The CPU clock's source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    /// The smallest step of the CPU clock, measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_resolution_ns: Option<f64>,
    /// Keys of later versions, kept on rewrite.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One engine of the run, under its label.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct EngineFacts {
    /// The label, unique in the run.
    pub label: String,
    /// The engine's name.
    pub engine: String,
    /// Whether this is the hidden `null`, the floor.
    pub is_floor: bool,
    /// The plugin's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plugin: Option<String>,
    /// The plugin's version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plugin_version: Option<String>,
    /// The plugin's file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plugin_path: Option<String>,
    /// The file's SHA-256 in hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plugin_sha256: Option<String>,
    /// The plugin's ABI, `major.minor`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plugin_abi: Option<String>,
    /// The plugin's build profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plugin_profile: Option<String>,
    /// The compiler that built the plugin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plugin_rustc: Option<String>,
    /// The library below and its version, as the manifest says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
    /// Whether the engine stores at all.
    pub stores: bool,
    /// The tier that was asked for and honoured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    /// How the engine honours it, as the manifest says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier_how: Option<String>,
    /// The options it was opened with, in plain form: bytes, nanoseconds.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// The effective settings, read back from the engine.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    /// Why they could not be read back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settings_error: Option<String>,
    /// The root of the server's process tree, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_pid: Option<u32>,
    /// Keys of later versions, kept on rewrite.
    #[serde(flatten)]
    pub extra: Extra,
}
