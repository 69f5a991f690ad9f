//! What an acknowledgement promises.

use abi_stable::StableAbi;

/// A tier of durability, ordered from the weakest promise to the strongest. An open set.
#[repr(transparent)]
#[derive(StableAbi, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tier(pub u32);

impl Tier {
    /// Nothing is promised: the request was sent.
    pub const UNACKNOWLEDGED: Self = Self(0);
    /// The engine has it in its memory; the engine's death may lose it.
    pub const ACKNOWLEDGED: Self = Self(10);
    /// The kernel has it; the process's death keeps it, power loss may not.
    pub const OS: Self = Self(20);
    /// It was flushed to the device.
    pub const MEDIA: Self = Self(30);

    /// The tiers of this ABI, weakest first. Their numbers leave room between them.
    pub const ALL: [Self; 4] = [Self::UNACKNOWLEDGED, Self::ACKNOWLEDGED, Self::OS, Self::MEDIA];

    /// The tier's name as flags, results and manifests spell it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UNACKNOWLEDGED => "unacknowledged",
            Self::ACKNOWLEDGED => "acknowledged",
            Self::OS => "os",
            Self::MEDIA => "media",
            _ => "unknown",
        }
    }

    /// The tier of that name, if this ABI knows it.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tier| tier.name() == name)
    }
}
