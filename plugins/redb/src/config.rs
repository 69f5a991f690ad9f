//! What `redb` says of itself, its options, and which tier is which durability.

use redb::Durability;
use stowmark_plugin::{
    EngineInfo, Error, ErrorClass, Model, OpenRequest, OptionInfo, OptionKind, Result, Tier,
    TierInfo,
};

/// The version of redb that was built in.
pub(crate) const REDB_VERSION: &str = env!("STOWMARK_REDB_VERSION");

/// The manifest's entry.
pub(crate) const INFO: EngineInfo =
    EngineInfo::new("redb", "Blobs in a redb database, large ones cut into rows.")
        .library(concat!("redb ", env!("STOWMARK_REDB_VERSION")))
        .models(&[Model::Blobs])
        .options(&[
            OptionInfo::new(
                "cache",
                OptionKind::Size,
                "memory for redb's cache; up to half of it holds what is not yet written",
            )
            .unit("bytes")
            .default("1G")
            .range("1M", "256G"),
            OptionInfo::new(
                "chunk",
                OptionKind::Size,
                "blobs up to this size are one value; larger ones are cut into rows of it",
            )
            .unit("bytes")
            .default("512k")
            .range("1k", "256M"),
            OptionInfo::new(
                "two-phase-commit",
                OptionKind::Bool,
                "a durable commit syncs twice, against crafted data; tier media only",
            )
            .default("false"),
            OptionInfo::new(
                "quick-repair",
                OptionKind::Bool,
                "a durable commit also saves the allocator's state, so that opening after a \
                 crash is fast; implies two-phase-commit; tier media only",
            )
            .default("false"),
        ])
        .tiers(&[
            TierInfo::new(
                Tier::Acknowledged,
                "Durability::None: kept in the process until the next durable commit",
            ),
            TierInfo::new(
                Tier::Media,
                "Durability::Immediate: fdatasync of the file in each commit",
            ),
        ])
        .default_tier(Tier::Media);

const CHUNK_RANGE_BYTES: std::ops::RangeInclusive<u64> = 1 << 10..=256 << 20;

/// The options of one store.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Config {
    pub(crate) durability: Durability,
    /// Both the largest blob that is one value and the size of a row of a larger one.
    pub(crate) chunk_bytes: usize,
    pub(crate) cache_bytes: usize,
    pub(crate) two_phase_commit: bool,
    pub(crate) quick_repair: bool,
}

impl Config {
    pub(crate) fn read(request: &OpenRequest) -> Result<Self> {
        let chunk = request.integer("chunk")?;
        if !CHUNK_RANGE_BYTES.contains(&chunk) {
            return Err(invalid(format!("open: option chunk is {chunk}; it goes from 1k to 256M")));
        }
        Ok(Self {
            durability: durability(request.tier())?,
            chunk_bytes: size("chunk", chunk)?,
            cache_bytes: size("cache", request.integer("cache")?)?,
            two_phase_commit: request.bool("two-phase-commit")?,
            quick_repair: request.bool("quick-repair")?,
        })
    }

    /// The durability as settings spell it.
    pub(crate) fn durability_name(&self) -> &'static str {
        match self.durability {
            Durability::None => "none",
            _ => "immediate",
        }
    }
}

fn durability(tier: Tier) -> Result<Durability> {
    match tier {
        Tier::Acknowledged => Ok(Durability::None),
        Tier::Media => Ok(Durability::Immediate),
        Tier::Unacknowledged | Tier::Os => Err(Error::new(
            ErrorClass::Unsupported,
            format!(
                "open: redb does not have tier {}; choose acknowledged (Durability::None) or media \
                 (Durability::Immediate)",
                tier.name()
            ),
        )),
    }
}

fn size(option: &str, bytes: u64) -> Result<usize> {
    usize::try_from(bytes)
        .map_err(|_| invalid(format!("open: option {option} is more than this machine addresses")))
}

fn invalid(message: String) -> Error {
    Error::new(ErrorClass::InvalidOption, message)
}
