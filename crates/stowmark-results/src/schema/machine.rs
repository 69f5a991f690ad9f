//! The machine in the result file, as data that any platform may fill in part.

use serde::{Deserialize, Serialize};

use super::Extra;

/// The machine, as data.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Machine {
    /// The operating system's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub os: Option<String>,
    /// The kernel's release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// The processor architecture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arch: Option<String>,
    /// The processor's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_model: Option<String>,
    /// Logical processors that the harness may use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cores: Option<u64>,
    /// Memory in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// Swap space in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub swap_bytes: Option<u64>,
    /// Swap space in use when the run began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub swap_used_bytes: Option<u64>,
    /// The frequency governor of the first processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub governor: Option<String>,
    /// Whether the processor says that it is a guest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtualised: Option<bool>,
    /// Where the data folder lies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage: Option<Storage>,
    /// Keys of later versions, kept on rewrite.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The file system and device below the data folder.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Storage {
    /// The data folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_dir: Option<String>,
    /// The file system's type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_system: Option<String>,
    /// Where it is mounted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mount_point: Option<String>,
    /// How it is mounted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mount_options: Option<String>,
    /// The device's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The device's cache mode, as the kernel says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_write_cache: Option<String>,
    /// Whether the device turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotational: Option<bool>,
    /// Its size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_bytes: Option<u64>,
    /// What is free for the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free_bytes: Option<u64>,
    /// Whether power loss empties it.
    pub volatile: bool,
    /// What a flush costs here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fsync_probe: Option<FsyncProbe>,
    /// Keys of later versions, kept on rewrite.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Small writes, each followed by fsync, before the run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FsyncProbe {
    /// How many.
    pub writes: u64,
    /// How large each was.
    pub write_bytes: u64,
    /// Median of write and fsync together.
    pub median_ns: u64,
    /// The fastest.
    pub min_ns: u64,
    /// The slowest.
    pub max_ns: u64,
    /// By how much the device's flush counter rose meanwhile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_flushes: Option<u64>,
    /// Keys of later versions, kept on rewrite.
    #[serde(flatten)]
    pub extra: Extra,
}
