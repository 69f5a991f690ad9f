//! What an engine says of itself in the manifest. All of it is constant, so that the manifest is
//! made while the plugin is compiled and read without running it.

use stowmark_abi as abi;

use crate::error::{Error, ErrorClass, Result};

/// What an acknowledgement promises, weakest first.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tier {
    /// Nothing: the request was sent.
    Unacknowledged,
    /// The engine has it in its memory; the engine's death may lose it.
    Acknowledged,
    /// The kernel has it; the process's death keeps it, power loss may not.
    Os,
    /// It was flushed to the device.
    Media,
}

impl Tier {
    pub(crate) fn from_abi(tier: abi::Tier) -> Result<Self> {
        match tier {
            abi::Tier::UNACKNOWLEDGED => Ok(Self::Unacknowledged),
            abi::Tier::ACKNOWLEDGED => Ok(Self::Acknowledged),
            abi::Tier::OS => Ok(Self::Os),
            abi::Tier::MEDIA => Ok(Self::Media),
            abi::Tier(number) => Err(Error::new(
                ErrorClass::Unsupported,
                format!("open: tier number {number} is newer than this plugin"),
            )),
        }
    }

    /// The tier's name as flags, results and manifests spell it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unacknowledged => abi::Tier::UNACKNOWLEDGED.name(),
            Self::Acknowledged => abi::Tier::ACKNOWLEDGED.name(),
            Self::Os => abi::Tier::OS.name(),
            Self::Media => abi::Tier::MEDIA.name(),
        }
    }
}

/// A tier that the engine can honour, and how.
#[derive(Copy, Clone, Debug)]
pub struct TierInfo {
    pub(crate) tier: Tier,
    pub(crate) how: &'static str,
}

impl TierInfo {
    /// The tier, and in a few words what the engine does to keep it.
    #[must_use]
    pub const fn new(tier: Tier, how: &'static str) -> Self {
        Self { tier, how }
    }
}

/// What an engine can hold.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Model {
    /// Named byte streams.
    Blobs,
    /// A key and fields.
    Records,
}

impl Model {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Blobs => "blobs",
            Self::Records => "records",
        }
    }
}

/// What an option's value is.
#[non_exhaustive]
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// `true` or `false`.
    Bool,
    /// A whole number that is not negative.
    Integer,
    /// A number.
    Number,
    /// A size such as `512k`; the engine gets bytes.
    Size,
    /// A duration such as `10ms`; the engine gets nanoseconds.
    Duration,
    /// Any text.
    Text,
    /// One of the values that [`OptionInfo::values`] lists.
    Choice,
    /// A path of the user's.
    Path,
}

impl OptionKind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Size => "size",
            Self::Duration => "duration",
            Self::Text => "text",
            Self::Choice => "choice",
            Self::Path => "path",
        }
    }
}

/// One option of an engine.
#[derive(Copy, Clone, Debug)]
pub struct OptionInfo {
    pub(crate) name: &'static str,
    pub(crate) kind: OptionKind,
    pub(crate) help: &'static str,
    pub(crate) unit: Option<&'static str>,
    pub(crate) default: Option<&'static str>,
    pub(crate) min: Option<&'static str>,
    pub(crate) max: Option<&'static str>,
    pub(crate) values: &'static [&'static str],
}

impl OptionInfo {
    /// An option without a default: it is given only where the user gives it.
    #[must_use]
    pub const fn new(name: &'static str, kind: OptionKind, help: &'static str) -> Self {
        Self { name, kind, help, unit: None, default: None, min: None, max: None, values: &[] }
    }

    /// The value where the user gives none, in the form that a user would write.
    #[must_use]
    pub const fn default(mut self, value: &'static str) -> Self {
        self.default = Some(value);
        self
    }

    /// The unit of a number.
    #[must_use]
    pub const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = Some(unit);
        self
    }

    /// The smallest and the largest value, both allowed, as a user would write them.
    #[must_use]
    pub const fn range(mut self, min: &'static str, max: &'static str) -> Self {
        self.min = Some(min);
        self.max = Some(max);
        self
    }

    /// The values of a [`OptionKind::Choice`].
    #[must_use]
    pub const fn values(mut self, values: &'static [&'static str]) -> Self {
        self.values = values;
        self
    }
}

/// One engine of a plugin.
#[derive(Copy, Clone, Debug)]
pub struct EngineInfo {
    pub(crate) name: &'static str,
    pub(crate) help: &'static str,
    pub(crate) library: Option<&'static str>,
    pub(crate) models: &'static [Model],
    pub(crate) stores: bool,
    pub(crate) options: &'static [OptionInfo],
    pub(crate) tiers: &'static [TierInfo],
    pub(crate) default_tier: Option<Tier>,
    pub(crate) services: &'static [&'static str],
}

impl EngineInfo {
    /// An engine of that name (lower-case letters, digits, hyphens) and one line about it.
    #[must_use]
    pub const fn new(name: &'static str, help: &'static str) -> Self {
        Self {
            name,
            help,
            library: None,
            models: &[],
            stores: true,
            options: &[],
            tiers: &[],
            default_tier: None,
            services: &[],
        }
    }

    /// The library below and its version, such as `redb 4.6.0`.
    #[must_use]
    pub const fn library(mut self, library: &'static str) -> Self {
        self.library = Some(library);
        self
    }

    /// What it can hold.
    #[must_use]
    pub const fn models(mut self, models: &'static [Model]) -> Self {
        self.models = models;
        self
    }

    /// For an engine that keeps nothing: reading back is not expected of it.
    #[must_use]
    pub const fn does_not_store(mut self) -> Self {
        self.stores = false;
        self
    }

    /// Its options.
    #[must_use]
    pub const fn options(mut self, options: &'static [OptionInfo]) -> Self {
        self.options = options;
        self
    }

    /// The tiers that it can ever honour, weakest first. The first is the default tier, unless
    /// [`default_tier`](Self::default_tier) says another.
    #[must_use]
    pub const fn tiers(mut self, tiers: &'static [TierInfo]) -> Self {
        self.tiers = tiers;
        self
    }

    /// The tier that the engine has out of the box.
    #[must_use]
    pub const fn default_tier(mut self, tier: Tier) -> Self {
        self.default_tier = Some(tier);
        self
    }

    /// The servers that it needs, such as `postgresql`.
    #[must_use]
    pub const fn services(mut self, services: &'static [&'static str]) -> Self {
        self.services = services;
        self
    }
}
