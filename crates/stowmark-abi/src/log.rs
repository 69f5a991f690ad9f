//! A plugin's log lines on their way to the host. `log` and `tracing` keep their state in statics,
//! which each library has of its own: without this path a plugin's lines would be lost.

use abi_stable::StableAbi;
use abi_stable::sabi_trait;
use abi_stable::std_types::{RBox, RStr};

/// How urgent a line is. An open set; a larger number is less urgent.
#[repr(transparent)]
#[derive(StableAbi, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LogLevel(pub u32);

impl LogLevel {
    /// Something failed.
    pub const ERROR: Self = Self(1);
    /// Something is suspicious.
    pub const WARN: Self = Self(2);
    /// Something worth knowing happened.
    pub const INFO: Self = Self(3);
    /// For whoever looks for a fault.
    pub const DEBUG: Self = Self(4);
    /// Every step.
    pub const TRACE: Self = Self(5);
}

/// Takes log lines; implemented by the host, called from any thread of the plugin.
#[sabi_trait]
pub trait LogSink: Send + Sync {
    /// One line. `target` is the module or crate that wrote it.
    #[sabi(last_prefix_field)]
    fn log(&self, level: LogLevel, target: RStr<'_>, message: RStr<'_>);
}

/// A log sink that its holder owns.
pub type LogSinkBox = LogSink_TO<'static, RBox<()>>;
