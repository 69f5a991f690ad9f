//! Cases, rounds, failures and verdicts in the result file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Extra;

/// One workload with one set of parameters.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Case {
    /// Unique in the run: operation and size, such as `put-1k`.
    pub id: String,
    /// The operation.
    pub op: String,
    /// The blob's size.
    pub size_bytes: u64,
    /// The size as a user writes it, such as `1k`.
    pub size_label: String,
    /// Sessions at once.
    pub clients: u64,
    /// Operations in each round, the same for all engines.
    pub ops_per_round: u64,
    /// Which bound set it: `fastest-20ms`, `slowest-1s`, `bytes-256MiB`, `most-operations`, `least-one` or `given`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ops_found_by: Option<String>,
    /// Compressed size over size of a payload, under zstd level 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload_compressibility: Option<f64>,
    /// The engines' figures, in the plan's order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<CaseEngine>,
    /// The figures of `null`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor: Option<CaseEngine>,
    /// The verdicts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<VerdictRecord>,
    /// Keys of later versions, kept on rewrite.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One engine's figures in one case.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CaseEngine {
    /// The engine's label.
    pub label: String,
    /// The rounds, by execution and index.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<Round>,
    /// Each operation's wall time in nanoseconds, all rounds: HdrHistogram V2, base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub histogram: Option<String>,
    /// For get: nanoseconds until the first byte, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_byte_histogram: Option<String>,
    /// The worker's peak resident memory up to the end of the case, largest of the executions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_rss_client_bytes: Option<u64>,
    /// The server's peak memory as the sum of PSS.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_pss_server_bytes: Option<u64>,
    /// What reading back showed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
    /// What was stored at the end of the case, by execution.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub storage: Vec<StorageFigures>,
    /// Keys of later versions, kept on rewrite.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One engine's turn at a case.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Round {
    /// The execution, from 0.
    pub execution: u64,
    /// The round in the execution, from 0.
    pub index: u64,
    /// The engine's place in the round's order, from 0.
    pub position: u64,
    /// The label that had its turn before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predecessor: Option<String>,
    /// When it began, on the monotonic clock, from the run's start.
    pub start_ns: u64,
    /// Operations done, failed ones not counted.
    pub ops: u64,
    /// Payload bytes moved.
    pub bytes: u64,
    /// The round's time, first operation's start to last one's end.
    pub wall_ns: u64,
    /// The operations' times summed over all clients: the sample is this by `ops`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub op_wall_ns: Option<f64>,
    /// For get: the times until the first byte, summed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_byte_ns: Option<f64>,
    /// CPU of the worker during the round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_client_ns: Option<u64>,
    /// Its user part, from ticks; only from 100 ms up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_client_user_ns: Option<u64>,
    /// Its system part, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_client_system_ns: Option<u64>,
    /// CPU of the server's process tree during the round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_server_ns: Option<u64>,
    /// The time of syncfs on the data folder after the round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drain_wall_ns: Option<u64>,
    /// CPU time that the hypervisor gave to others meanwhile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steal_ns: Option<u64>,
    /// Time in which some task waited for a processor, from the kernel's pressure figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pressure_ns: Option<u64>,
    /// Failed operations by class.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub errors: BTreeMap<String, u64>,
    /// Keys of later versions, kept on rewrite.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What reading back showed.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Verification {
    /// `matched`, `mismatch`, `skipped` or `not-applicable`.
    pub outcome: String,
    /// How many were read back.
    pub blobs: u64,
    /// How many bytes were compared.
    pub bytes: u64,
    /// The first difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Keys of later versions, kept on rewrite.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What was stored at one moment.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct StorageFigures {
    /// The execution, from 0.
    pub execution: u64,
    /// What the data folder's files occupy, in allocated blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_bytes: Option<u64>,
    /// What the engine says, units in the names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub engine: BTreeMap<String, u64>,
    /// Keys of later versions, kept on rewrite.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One thing that failed.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Failure {
    /// The engine's label.
    pub label: String,
    /// The execution, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<u64>,
    /// The case's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// What was being done: `open`, `warm-up`, `round`, `verify`, `close`.
    pub phase: String,
    /// What happened: a class of error, a signal's name, an exit code.
    pub cause: String,
    /// For people.
    pub message: String,
    /// The worker's last lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub log: Vec<String>,
    /// Keys of later versions, kept on rewrite.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One verdict of one engine against the baseline on one clock.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct VerdictRecord {
    /// The label.
    pub engine: String,
    /// The baseline's label.
    pub baseline: String,
    /// `wall`, `cpu` (client and server) or `cpu-client`.
    pub clock: String,
    /// `faster`, `slower`, `no-difference-shown`, `too-few-samples`, `different-promises` or `below-resolution`.
    pub outcome: String,
    /// The engine's time over the baseline's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// The interval's lower end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_low: Option<f64>,
    /// The interval's upper end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_high: Option<f64>,
    /// The interval's level, adjusted for all verdicts of the clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<f64>,
    /// The unadjusted p-value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p_value: Option<f64>,
    /// Whether it holds within one execution only.
    pub within_this_execution: bool,
    /// The smallest difference that this run could have shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smallest_detectable_percent: Option<f64>,
    /// How many executions would settle it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executions_to_settle: Option<u64>,
    /// Why there is no verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Keys of later versions, kept on rewrite.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One warning.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct WarningRecord {
    /// Which of the [kinds](crate::Warning) it is.
    pub kind: String,
    /// The case's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// The engine's label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// What is so.
    pub message: String,
    /// What helps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    /// Keys of later versions, kept on rewrite.
    #[serde(flatten)]
    pub extra: Extra,
}
