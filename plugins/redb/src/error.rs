//! What can go wrong inside the engine, and the class and message it has outside.

use std::fmt::Display;
use std::io;

use stowmark_plugin::{Error, ErrorClass};

/// A result whose error is [`Fault`].
pub(crate) type Outcome<T> = Result<T, Fault>;

/// A failure before it is known for which operation and key.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    #[error("no such key")]
    Missing,
    #[error("the store was closed; open it again")]
    Closed,
    #[error("what is stored is damaged: {0}")]
    Damaged(String),
    #[error("the source ended {0} bytes before its length")]
    ShortSource(u64),
    /// The host's source or sink failed: its own error goes back unchanged.
    #[error(transparent)]
    Host(#[from] Error),
    #[error(transparent)]
    Redb(#[from] redb::Error),
}

/// redb has an error type for each kind of call, all of which its own `Error` takes in.
macro_rules! from_redb {
    ($($error:ident),+) => {$(
        impl From<redb::$error> for Fault {
            fn from(error: redb::$error) -> Self {
                Self::Redb(error.into())
            }
        }
    )+};
}

from_redb!(
    CommitError,
    CompactionError,
    DatabaseError,
    SetDurabilityError,
    StorageError,
    TableError,
    TransactionError
);

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Redb(redb::Error::Io(error))
    }
}

impl Fault {
    /// The error of an operation on a key.
    #[cold]
    pub(crate) fn on_key(self, operation: &str, key: &[u8]) -> Error {
        if matches!(self, Self::Missing) {
            return Error::not_found(operation, key);
        }
        self.on(operation, key.escape_ascii())
    }

    /// The error of an operation on something that the message names.
    #[cold]
    pub(crate) fn on(self, operation: &str, subject: impl Display) -> Error {
        let class = match &self {
            Self::Host(error) => return error.clone(),
            Self::Redb(redb::Error::Io(error)) => return io_error(operation, subject, error),
            Self::Missing => ErrorClass::NotFound,
            Self::Closed => ErrorClass::Unavailable,
            Self::Damaged(_) => ErrorClass::Corrupt,
            Self::ShortSource(_) => ErrorClass::Other,
            Self::Redb(error) => class(error),
        };
        let remedy = match &self {
            Self::Redb(redb::Error::DatabaseAlreadyOpen) => {
                " Close the store or process that has it open, or take another data folder."
            }
            _ => "",
        };
        Error::new(class, format!("{operation} {subject}: {self}{remedy}"))
    }
}

/// A file that is not there is an unreachable store, never a missing key.
fn io_error(operation: &str, subject: impl Display, error: &io::Error) -> Error {
    if error.kind() == io::ErrorKind::NotFound {
        Error::new(ErrorClass::Unavailable, format!("{operation} {subject}: {error}"))
            .with_code(error.raw_os_error().unwrap_or(0).into())
    } else {
        Error::io(operation, subject, error)
    }
}

fn class(error: &redb::Error) -> ErrorClass {
    use redb::Error as E;
    match error {
        E::DatabaseAlreadyOpen | E::LockProtocolMismatch | E::DatabaseClosed | E::PreviousIo => {
            ErrorClass::Unavailable
        }
        E::Corrupted(_)
        | E::TableTypeMismatch { .. }
        | E::TypeDefinitionChanged { .. }
        | E::TableIsMultimap(_)
        | E::TableDoesNotExist(_) => ErrorClass::Corrupt,
        E::UpgradeRequired(_) | E::ValueTooLarge(_) | E::Unsupported => ErrorClass::Unsupported,
        E::TransactionInProgress | E::WouldBlock => ErrorClass::Transient,
        _ => ErrorClass::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_device_is_class_full_and_names_operation_and_key() {
        let full = io::Error::from_raw_os_error(28);
        let error = Fault::from(redb::StorageError::Io(full)).on_key("put", b"k\xff");
        assert_eq!(error.class(), ErrorClass::Full);
        assert_eq!(error.code(), 28);
        assert!(error.message().starts_with("put k\\xff: "), "{error}");
    }

    #[test]
    fn each_failure_of_redb_has_the_class_that_says_what_to_do() {
        let storage = |error: redb::StorageError| Fault::from(error).on_key("get", b"k").class();
        assert_eq!(storage(redb::StorageError::Corrupted("x".into())), ErrorClass::Corrupt);
        assert_eq!(storage(redb::StorageError::PreviousIo), ErrorClass::Unavailable);
        assert_eq!(storage(redb::StorageError::DatabaseClosed), ErrorClass::Unavailable);
        assert_eq!(storage(redb::StorageError::ValueTooLarge(1)), ErrorClass::Unsupported);
        let gone = redb::StorageError::Io(io::ErrorKind::NotFound.into());
        assert_eq!(storage(gone), ErrorClass::Unavailable);
        let denied = redb::StorageError::Io(io::ErrorKind::PermissionDenied.into());
        assert_eq!(storage(denied), ErrorClass::Denied);
    }
}
