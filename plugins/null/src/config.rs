//! What `null` says of itself, and its options.

use std::time::Duration;

use stowmark_plugin::{
    EngineInfo, Model, OpenRequest, OptionInfo, OptionKind, Result, Tier, TierInfo,
};

const NOTHING: &str = "stores nothing, so nothing can be lost";

/// The manifest's entry.
pub(crate) const INFO: EngineInfo =
    EngineInfo::new("null", "Stores nothing: the floor that the harness itself costs.")
        .models(&[Model::Blobs])
        .does_not_store()
        .options(&[
            OptionInfo::new("delay", OptionKind::Duration, "sleeps this long in each operation")
                .default("0ns"),
            OptionInfo::new(
                "fail-every",
                OptionKind::Integer,
                "fails each n-th operation; 0: none",
            )
            .unit("operations")
            .default("0"),
        ])
        .tiers(&[
            TierInfo::new(Tier::Unacknowledged, NOTHING),
            TierInfo::new(Tier::Acknowledged, NOTHING),
            TierInfo::new(Tier::Os, NOTHING),
            TierInfo::new(Tier::Media, NOTHING),
        ])
        .default_tier(Tier::Media);

/// The options of one store.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Config {
    pub(crate) delay: Duration,
    pub(crate) fail_every: u64,
}

impl Config {
    pub(crate) fn read(request: &OpenRequest) -> Result<Self> {
        Ok(Self { delay: request.duration("delay")?, fail_every: request.integer("fail-every")? })
    }
}
