//! What supervisor and worker say to each other: one JSON document a line, over private pipes.
//!
//! The supervisor gives an order, the worker answers it; between them it may send lines that only
//! show that it lives or carry a plugin's log. Nothing is sent while the clock runs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The class of the failure to load a plugin, as opposed to what its engine fails at.
pub(crate) const UNUSABLE_PLUGIN: &str = "unusable-plugin";

/// What a worker is told to do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "kebab-case")]
pub(crate) enum Order {
    /// Load the plugin and open the store. First, and once.
    Open(Open),
    /// Get ready for a case: its peak of memory begins here.
    Case,
    /// Do operations, timed.
    Work(Work),
    /// Store blobs, untimed.
    Preload(Range),
    /// Read blobs back and compare them, or see that they are gone.
    Verify(VerifyOrder),
    /// Tell what is stored and how much memory was needed.
    Storage,
    /// Close the store and end.
    Close,
}

impl Order {
    /// Whether a worker that understood the order may answer so.
    pub(crate) fn is_answered_by(&self, answer: &Answer) -> bool {
        matches!(
            (self, answer),
            (Self::Open(_), Answer::Opened(_))
                | (Self::Case, Answer::Ready)
                | (Self::Work(_) | Self::Preload(_), Answer::Worked(_))
                | (Self::Verify(_), Answer::Verified(_))
                | (Self::Storage, Answer::Stored(_))
                | (Self::Close, Answer::Closed)
        )
    }
}

/// What to open.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Open {
    /// The plugin's file.
    pub plugin: PathBuf,
    /// The engine in it.
    pub engine: String,
    /// The options in plain form.
    pub options: BTreeMap<String, String>,
    /// The tier's name.
    pub tier: String,
    /// The store's own folder, which exists.
    pub data_dir: PathBuf,
    /// Where the full text of a loading error may go.
    pub details_dir: PathBuf,
    /// The kind of payload.
    pub data: String,
    /// The run's seed.
    pub seed: u64,
    /// Sessions, each on a thread of its own.
    pub clients: u32,
    /// After so long a measured batch pauses between two operations, to show that the worker lives.
    pub slice_ns: u64,
}

/// Blobs by number: the keys and payloads follow from it.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Range {
    /// The population that they belong to.
    pub population: u16,
    /// The first one's number.
    pub first: u64,
    /// How many.
    pub count: u64,
    /// The blob's size in bytes.
    pub size: u64,
}

/// One round, or a piece of warm-up.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Work {
    /// The operation.
    pub op: String,
    /// The blobs. A put stores all of them; a get reads any of them, `ops` times; a delete removes
    /// all of them.
    pub range: Range,
    /// Operations over all clients.
    pub ops: u64,
    /// `random` or `sequential`.
    pub key_order: String,
    /// The seed of the order.
    pub seed: u64,
    /// Untimed operations just before, on blobs that are no part of any case.
    pub settle_ops: u64,
    /// How long to settle before.
    pub settle_ns: u64,
}

/// What to read back.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct VerifyOrder {
    /// The blobs.
    pub range: Range,
    /// Whether they must be gone rather than there.
    pub gone: bool,
    /// How many may be otherwise, since their operations failed.
    pub may_miss: u64,
}

/// What a worker answers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub(crate) enum Answer {
    /// To [`Order::Open`].
    Opened(Opened),
    /// To [`Order::Case`].
    Ready,
    /// To [`Order::Work`] and [`Order::Preload`].
    Worked(Worked),
    /// To [`Order::Verify`].
    Verified(Verified),
    /// To [`Order::Storage`].
    Stored(Stored),
    /// To [`Order::Close`]: the final record. An end without it is a failure.
    Closed,
    /// To any: it could not be done.
    Failed(Failed),
    /// To none: the worker lives.
    Alive,
    /// To none: the plugin's log.
    Log(LogLine),
}

/// An open store.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Opened {
    /// The effective settings.
    pub settings: BTreeMap<String, String>,
    /// Why they could not be read.
    pub settings_error: Option<String>,
    /// The root of the server's process tree.
    pub server_pid: Option<u32>,
    /// The wall clock's name.
    pub clock: String,
    /// What a read of it costs.
    pub clock_read_ns: f64,
    /// The wall clock's smallest step.
    pub clock_step_ns: f64,
    /// The CPU clock's smallest step.
    pub cpu_resolution_ns: u64,
}

/// What was measured in a round.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Worked {
    /// Operations done.
    pub ops: u64,
    /// Payload bytes moved by them.
    pub bytes: u64,
    /// When the first operation began, monotonic.
    pub start_ns: u64,
    /// From the first operation's start to the last one's end.
    pub wall_ns: u64,
    /// The operations' times summed over all clients.
    pub op_wall_ns: f64,
    /// For get: the times until the first byte, summed.
    pub first_byte_ns: Option<f64>,
    /// CPU of this process meanwhile.
    pub cpu_client_ns: u64,
    /// Its user and system part, where long enough.
    pub cpu_split_ns: Option<(u64, u64)>,
    /// The time of syncfs afterwards.
    pub drain_wall_ns: Option<u64>,
    /// What the hypervisor took.
    pub steal_ns: Option<u64>,
    /// What others waited for a processor.
    pub pressure_ns: Option<u64>,
    /// Failed operations by class.
    pub errors: BTreeMap<String, u64>,
    /// The first failure's message.
    pub first_error: Option<Failed>,
    /// Each operation's nanoseconds.
    pub histogram: String,
    /// Each get's nanoseconds until the first byte.
    pub first_byte_histogram: Option<String>,
}

/// What reading back showed.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Verified {
    /// Blobs compared.
    pub blobs: u64,
    /// Bytes compared.
    pub bytes: u64,
    /// Blobs that are not there, or still there if they must be gone.
    pub missing: u64,
    /// The first of them.
    pub first_missing: Option<String>,
    /// The first difference.
    pub mismatch: Option<String>,
    /// The class of its error, where a read failed rather than gave something else.
    pub class: Option<String>,
}

/// What is stored.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Stored {
    /// What the engine says.
    pub engine: BTreeMap<String, u64>,
    /// What the files occupy.
    pub files_bytes: Option<u64>,
    /// This process's peak resident memory since the case began.
    pub peak_rss_bytes: Option<u64>,
}

/// Why an order could not be carried out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Failed {
    /// The class's name.
    pub class: String,
    /// For people.
    pub message: String,
}

/// A plugin's log line.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct LogLine {
    /// `error`, `warn`, `info`, `debug` or `trace`.
    pub level: String,
    /// The module that wrote it.
    pub target: String,
    /// The text.
    pub message: String,
}
