//! What `memory` says of itself. It has no options.

use stowmark_plugin::{EngineInfo, Error, ErrorClass, Model, OpenRequest, Result, Tier, TierInfo};

/// The manifest's entry.
pub(crate) const INFO: EngineInfo =
    EngineInfo::new("memory", "Blobs and records in memory, for tests.")
        .models(&[Model::Blobs, Model::Records])
        .tiers(&[TierInfo::new(Tier::Acknowledged, "in this process's memory")]);

/// Refuses what memory cannot promise.
pub(crate) fn check(request: &OpenRequest) -> Result<()> {
    match request.tier() {
        Tier::Acknowledged => Ok(()),
        other => Err(Error::new(
            ErrorClass::Unsupported,
            format!("open: memory honours the tier acknowledged, not {}", other.name()),
        )),
    }
}
