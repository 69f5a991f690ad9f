//! An engine of a loaded plugin, and what a store is opened with.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use stowmark_abi as abi;
use stowmark_abi::{RSlice, RStr, TD_Opaque, Tier};

use crate::blob::plain;
use crate::error::OpError;
use crate::platform;
use crate::store::Store;

/// How urgent a log line of a plugin is, the most urgent first.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LogLevel {
    /// Something failed.
    Error,
    /// Something is suspicious.
    Warn,
    /// Something worth knowing happened.
    Info,
    /// For whoever looks for a fault.
    Debug,
    /// Every step, and whatever a later ABI adds.
    Trace,
}

impl LogLevel {
    /// The level's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
            Self::Trace => "trace",
        }
    }

    fn from_abi(level: abi::LogLevel) -> Self {
        match level {
            abi::LogLevel::ERROR => Self::Error,
            abi::LogLevel::WARN => Self::Warn,
            abi::LogLevel::INFO => Self::Info,
            abi::LogLevel::DEBUG => Self::Debug,
            _ => Self::Trace,
        }
    }
}

/// Takes a plugin's log lines: level, the module that wrote it, the line. Called from any thread of
/// the plugin; a panic in it is swallowed.
pub type LogSink = Box<dyn Fn(LogLevel, &str, &str) + Send + Sync>;

struct Log(LogSink);

impl abi::LogSink for Log {
    fn log(&self, level: abi::LogLevel, target: RStr<'_>, message: RStr<'_>) {
        let line = || (self.0)(LogLevel::from_abi(level), target.as_str(), message.as_str());
        if let Err(payload) = catch_unwind(AssertUnwindSafe(line)) {
            // A payload's own drop may panic again, outside of any guard.
            std::mem::forget(payload);
        }
    }
}

/// What a store is opened with.
#[derive(Copy, Clone, Debug)]
pub struct OpenSpec<'a> {
    /// Options that the manifest declares, in plain form: sizes in bytes, durations in nanoseconds,
    /// truth values as `true` or `false`. Give every option that has a default.
    pub options: &'a [(String, String)],
    /// The promise that each acknowledgement must keep.
    pub tier: Tier,
    /// The store's own folder, which exists.
    pub data_dir: &'a Path,
}

/// One engine of a loaded plugin.
pub struct Engine {
    inner: abi::EngineBox,
}

impl Engine {
    pub(crate) fn new(inner: abi::EngineBox) -> Self {
        Self { inner }
    }

    /// Opens a store, new or existing. The plugin keeps `log` until it opens another store.
    ///
    /// # Errors
    ///
    /// The engine's: `Unsupported` for a tier that it cannot honour, `InvalidOption`,
    /// `Unavailable` for a server that does not answer, and others.
    pub fn open(&self, spec: &OpenSpec<'_>, log: LogSink) -> Result<Store, OpError> {
        let options: Vec<abi::Pair<'_>> = spec
            .options
            .iter()
            .map(|(key, value)| abi::Pair {
                key: key.as_str().into(),
                value: value.as_str().into(),
            })
            .collect();
        let request = abi::OpenRequest {
            options: RSlice::from_slice(&options),
            tier: spec.tier,
            data_dir: RSlice::from_slice(platform::path_bytes(spec.data_dir)?),
            extra: RSlice::EMPTY,
        };
        let log = abi::LogSink_TO::from_value(Log(log), TD_Opaque);
        plain(self.inner.open(&request, log)).map(Store::new)
    }

    /// The method that only the pretended next ABI has, for the tests of growth.
    ///
    /// # Errors
    ///
    /// `Unsupported`, by its default body, for a plugin that lacks it.
    #[cfg(feature = "test-next")]
    pub fn added_later(&self) -> Result<u64, OpError> {
        plain(self.inner.added_later())
    }
}
