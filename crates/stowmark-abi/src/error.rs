//! What went wrong, in a form that crosses the border: a class that code can act on, the engine's
//! own code, and a message for people.

use abi_stable::StableAbi;
use abi_stable::std_types::{RResult, RString};

/// What kind of failure it was. An open set: an unknown number counts as [`ErrorClass::OTHER`].
#[repr(transparent)]
#[derive(StableAbi, Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct ErrorClass(pub u32);

impl ErrorClass {
    /// Anything that fits no other class.
    pub const OTHER: Self = Self(0);
    /// The key is not there.
    pub const NOT_FOUND: Self = Self(1);
    /// The engine cannot do this, and never could.
    pub const UNSUPPORTED: Self = Self(2);
    /// An option's name or value is not one that the engine takes.
    pub const INVALID_OPTION: Self = Self(3);
    /// The engine's server or file cannot be reached.
    pub const UNAVAILABLE: Self = Self(4);
    /// It may work when tried again.
    pub const TRANSIENT: Self = Self(5);
    /// What is stored is damaged.
    pub const CORRUPT: Self = Self(6);
    /// No space is left.
    pub const FULL: Self = Self(7);
    /// Permission or authentication was refused.
    pub const DENIED: Self = Self(8);
    /// The plugin panicked; the kit caught it.
    pub const PANICKED: Self = Self(9);

    /// The class's name as results and messages spell it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NOT_FOUND => "not-found",
            Self::UNSUPPORTED => "unsupported",
            Self::INVALID_OPTION => "invalid-option",
            Self::UNAVAILABLE => "unavailable",
            Self::TRANSIENT => "transient",
            Self::CORRUPT => "corrupt",
            Self::FULL => "full",
            Self::DENIED => "denied",
            Self::PANICKED => "panicked",
            _ => "other",
        }
    }
}

/// One failed operation.
#[repr(C)]
#[derive(StableAbi, Clone, PartialEq, Eq, Debug)]
pub struct OpError {
    /// What kind of failure it was.
    pub class: ErrorClass,
    /// The engine's own code (an errno, a server's error number), or 0.
    pub code: i64,
    /// For people: names the operation and the key.
    pub message: RString,
}

impl OpError {
    /// An error without an engine's code.
    pub fn new(class: ErrorClass, message: impl Into<RString>) -> Self {
        Self { class, code: 0, message: message.into() }
    }
}

impl std::fmt::Display for OpError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.class.name(), self.message)?;
        if self.code != 0 {
            write!(f, " (code {})", self.code)?;
        }
        Ok(())
    }
}

impl std::error::Error for OpError {}

/// What every method that can fail returns.
pub type OpResult<T> = RResult<T, OpError>;

/// The answer of every default body.
pub(crate) fn unsupported<T>(operation: &str) -> OpResult<T> {
    RResult::RErr(OpError::new(
        ErrorClass::UNSUPPORTED,
        format!("{operation}: this engine does not do it"),
    ))
}
