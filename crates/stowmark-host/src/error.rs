//! What a failed operation says, in plain Rust.

use std::fmt;

use stowmark_abi as abi;

/// What kind of failure it was: failures are counted by it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ErrorClass {
    /// The key is not there.
    NotFound,
    /// The engine cannot do this, and never could.
    Unsupported,
    /// An option's name or value is not one that the engine takes.
    InvalidOption,
    /// The engine's server or file cannot be reached.
    Unavailable,
    /// It may work when tried again.
    Transient,
    /// What is stored is damaged.
    Corrupt,
    /// No space is left.
    Full,
    /// Permission or authentication was refused.
    Denied,
    /// The plugin panicked; its kit caught it.
    Panicked,
    /// A source, a sink or a visitor of the harness panicked: no fault of the plugin.
    HostPanicked,
    /// Anything else, and whatever class a later ABI has.
    Other,
}

impl ErrorClass {
    /// All classes.
    pub const ALL: [Self; 11] = [
        Self::NotFound,
        Self::Unsupported,
        Self::InvalidOption,
        Self::Unavailable,
        Self::Transient,
        Self::Corrupt,
        Self::Full,
        Self::Denied,
        Self::Panicked,
        Self::HostPanicked,
        Self::Other,
    ];

    /// The class's name as results and messages spell it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::HostPanicked => "host-panicked",
            plugin_s => plugin_s.to_abi().name(),
        }
    }

    /// The class of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }

    const fn to_abi(self) -> abi::ErrorClass {
        match self {
            Self::NotFound => abi::ErrorClass::NOT_FOUND,
            Self::Unsupported => abi::ErrorClass::UNSUPPORTED,
            Self::InvalidOption => abi::ErrorClass::INVALID_OPTION,
            Self::Unavailable => abi::ErrorClass::UNAVAILABLE,
            Self::Transient => abi::ErrorClass::TRANSIENT,
            Self::Corrupt => abi::ErrorClass::CORRUPT,
            Self::Full => abi::ErrorClass::FULL,
            Self::Denied => abi::ErrorClass::DENIED,
            Self::Panicked => abi::ErrorClass::PANICKED,
            // Plugins know no such class; the guard remembers what really happened.
            Self::HostPanicked | Self::Other => abi::ErrorClass::OTHER,
        }
    }

    fn from_abi(class: abi::ErrorClass) -> Self {
        Self::ALL
            .into_iter()
            .find(|known| *known != Self::HostPanicked && known.to_abi() == class)
            .unwrap_or(Self::Other)
    }
}

impl fmt::Display for ErrorClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One failed operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpError {
    /// What kind of failure it was.
    pub class: ErrorClass,
    /// The engine's own code (an errno, a server's error number), or 0.
    pub code: i64,
    /// For people: names the operation and the key.
    pub message: String,
}

impl OpError {
    /// An error without an engine's code.
    pub fn new(class: ErrorClass, message: impl Into<String>) -> Self {
        Self { class, code: 0, message: message.into() }
    }

    #[cold]
    pub(crate) fn from_abi(error: abi::OpError) -> Self {
        Self {
            class: ErrorClass::from_abi(error.class),
            code: error.code,
            message: error.message.into_string(),
        }
    }

    #[cold]
    pub(crate) fn into_abi(self) -> abi::OpError {
        abi::OpError { class: self.class.to_abi(), code: self.code, message: self.message.into() }
    }
}

impl fmt::Display for OpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.class, self.message)?;
        if self.code != 0 {
            write!(f, " (code {})", self.code)?;
        }
        Ok(())
    }
}

impl std::error::Error for OpError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_is_found_by_its_name_and_no_two_share_one() {
        for class in ErrorClass::ALL {
            assert_eq!(ErrorClass::from_name(class.name()), Some(class));
        }
    }

    #[test]
    fn a_class_survives_the_border_unless_only_the_host_knows_it() {
        for class in ErrorClass::ALL {
            let back = OpError::from_abi(OpError::new(class, "m").into_abi()).class;
            let expected =
                if class == ErrorClass::HostPanicked { ErrorClass::Other } else { class };
            assert_eq!(back, expected);
        }
        let later = abi::OpError::new(abi::ErrorClass(4711), "m");
        assert_eq!(OpError::from_abi(later).class, ErrorClass::Other);
    }
}
