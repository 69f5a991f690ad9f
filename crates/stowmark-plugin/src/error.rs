//! What a plugin returns when an operation fails.

use std::fmt;
use std::io;

use stowmark_abi as abi;

/// A result whose error is [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// What kind of failure it was: the harness counts failures by it.
#[non_exhaustive]
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
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
    /// The plugin panicked; set by the kit.
    Panicked,
    /// Anything else.
    Other,
}

impl ErrorClass {
    pub(crate) fn to_abi(self) -> abi::ErrorClass {
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
            Self::Other => abi::ErrorClass::OTHER,
        }
    }

    pub(crate) fn from_abi(class: abi::ErrorClass) -> Self {
        match class {
            abi::ErrorClass::NOT_FOUND => Self::NotFound,
            abi::ErrorClass::UNSUPPORTED => Self::Unsupported,
            abi::ErrorClass::INVALID_OPTION => Self::InvalidOption,
            abi::ErrorClass::UNAVAILABLE => Self::Unavailable,
            abi::ErrorClass::TRANSIENT => Self::Transient,
            abi::ErrorClass::CORRUPT => Self::Corrupt,
            abi::ErrorClass::FULL => Self::Full,
            abi::ErrorClass::DENIED => Self::Denied,
            abi::ErrorClass::PANICKED => Self::Panicked,
            _ => Self::Other,
        }
    }
}

/// One failed operation: its class, the engine's own code, and a message that names the operation
/// and the key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    class: ErrorClass,
    code: i64,
    message: String,
}

impl Error {
    /// An error without an engine's code. The message names the operation and the key.
    pub fn new(class: ErrorClass, message: impl Into<String>) -> Self {
        Self { class, code: 0, message: message.into() }
    }

    /// "The key is not there", for that operation and key.
    #[must_use]
    pub fn not_found(operation: &str, key: &[u8]) -> Self {
        Self::new(ErrorClass::NotFound, format!("{operation} {}: no such key", key.escape_ascii()))
    }

    /// "The engine does not do this operation".
    #[must_use]
    pub fn unsupported(operation: &str) -> Self {
        Self::new(ErrorClass::Unsupported, format!("{operation}: this engine does not do it"))
    }

    /// An error of the operating system: its class follows from the kind, its code is the errno.
    #[must_use]
    pub fn io(operation: &str, subject: impl fmt::Display, error: &io::Error) -> Self {
        let class = match error.kind() {
            io::ErrorKind::NotFound => ErrorClass::NotFound,
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                ErrorClass::Denied
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ErrorClass::Full,
            io::ErrorKind::Interrupted
            | io::ErrorKind::WouldBlock
            | io::ErrorKind::TimedOut
            | io::ErrorKind::ResourceBusy => ErrorClass::Transient,
            io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::NotConnected
            | io::ErrorKind::BrokenPipe => ErrorClass::Unavailable,
            io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => ErrorClass::Corrupt,
            _ => ErrorClass::Other,
        };
        Self::new(class, format!("{operation} {subject}: {error}"))
            .with_code(error.raw_os_error().unwrap_or(0).into())
    }

    /// The same error with the engine's own code (an errno, a server's error number).
    #[must_use]
    pub fn with_code(mut self, code: i64) -> Self {
        self.code = code;
        self
    }

    /// What kind of failure it was.
    #[must_use]
    pub fn class(&self) -> ErrorClass {
        self.class
    }

    /// The engine's own code, or 0.
    #[must_use]
    pub fn code(&self) -> i64 {
        self.code
    }

    /// The message for people.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    pub(crate) fn to_abi(&self) -> abi::OpError {
        let mut error = abi::OpError::new(self.class.to_abi(), self.message.as_str());
        error.code = self.code;
        error
    }

    pub(crate) fn from_abi(error: &abi::OpError) -> Self {
        Self {
            class: ErrorClass::from_abi(error.class),
            code: error.code,
            message: error.message.to_string(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
