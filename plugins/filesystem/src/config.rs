//! What `filesystem` says of itself, and its options.

use std::ops::RangeInclusive;

use stowmark_plugin::{
    EngineInfo, Error, ErrorClass, Model, OpenRequest, OptionInfo, OptionKind, Result, Tier,
    TierInfo,
};

/// The manifest's entry.
pub(crate) const INFO: EngineInfo =
    EngineInfo::new("filesystem", "A file for each blob, in fan-out folders.")
        .library("the operating system's file system")
        .models(&[Model::Blobs])
        .options(&[
            OptionInfo::new(
                "chunk",
                OptionKind::Size,
                "bytes asked of a source, and of a file, at once",
            )
            .range("512", "64M")
            .default("512k"),
            OptionInfo::new(
                "fanout",
                OptionKind::Integer,
                "levels of 256 folders each between the store's folder and the files",
            )
            .unit("levels")
            .range("0", "2")
            .default("1"),
        ])
        .tiers(&[
            TierInfo::new(Tier::Os, "write to a temporary file, rename; no fsync"),
            TierInfo::new(
                Tier::Media,
                "fsync the temporary file, rename, fsync the folder and the parent of each new one",
            ),
        ])
        .default_tier(Tier::Os);

const CHUNK_BYTES: RangeInclusive<u64> = 512..=64 << 20;
const FANOUT_LEVELS: RangeInclusive<u64> = 0..=2;

/// The options of one store.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Config {
    /// How many bytes are asked of a source, or read from a file, at once.
    pub(crate) chunk: usize,
    /// How many levels of folders lie between the store's folder and the files.
    pub(crate) fanout: u8,
    /// Whether each acknowledgement promises that the device has it; else that the kernel has it.
    pub(crate) media: bool,
}

impl Config {
    pub(crate) fn read(request: &OpenRequest) -> Result<Self> {
        let media = match request.tier() {
            Tier::Os => false,
            Tier::Media if cfg!(target_os = "linux") => true,
            Tier::Media => {
                return Err(Error::new(
                    ErrorClass::Unsupported,
                    "open: filesystem honours the tier media on Linux only: elsewhere fsync may \
                     leave the device's cache alone; choose os",
                ));
            }
            other => {
                return Err(Error::new(
                    ErrorClass::Unsupported,
                    format!(
                        "open: filesystem cannot honour the tier {}: a file that was written is \
                         always at least with the kernel; choose os or media",
                        other.name()
                    ),
                ));
            }
        };
        Ok(Self {
            chunk: within(request, "chunk", CHUNK_BYTES)?,
            fanout: within(request, "fanout", FANOUT_LEVELS)?,
            media,
        })
    }
}

/// The option's value, if it lies in the range that the manifest states.
fn within<T: TryFrom<u64>>(
    request: &OpenRequest,
    option: &str,
    range: RangeInclusive<u64>,
) -> Result<T> {
    let value = request.integer(option)?;
    Some(value)
        .filter(|value| range.contains(value))
        .and_then(|value| value.try_into().ok())
        .ok_or_else(|| {
            let (min, max) = range.into_inner();
            Error::new(
                ErrorClass::InvalidOption,
                format!("open: option {option} is {value}; it may be {min} to {max}"),
            )
        })
}
