//! From the kernel's error numbers to the kit's errors. Each message names the operation and the
//! key, or what of the store's folder it was about.

use std::fmt::Display;
use std::io;

use rustix::io::Errno;
use stowmark_plugin::{Error, ErrorClass};

/// An operation on a key that must be there.
#[cold]
pub(crate) fn on_key(operation: &str, key: &[u8], errno: Errno) -> Error {
    match errno {
        Errno::NOENT => Error::not_found(operation, key),
        errno => on(operation, key.escape_ascii(), errno),
    }
}

/// An operation for which "no such file" means that the store's own folder is gone.
#[cold]
pub(crate) fn on(operation: &str, subject: impl Display, errno: Errno) -> Error {
    match errno {
        Errno::NOENT | Errno::NOTDIR => Error::new(
            ErrorClass::Unavailable,
            format!("{operation} {subject}: the store's folder is not there, or not whole"),
        )
        .with_code(errno.raw_os_error().into()),
        errno => Error::io(operation, subject, &io::Error::from_raw_os_error(errno.raw_os_error())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_follows_from_the_number_and_the_text_names_operation_and_key() {
        for (errno, class) in [
            (Errno::NOSPC, ErrorClass::Full),
            (Errno::DQUOT, ErrorClass::Full),
            (Errno::ACCESS, ErrorClass::Denied),
            (Errno::ROFS, ErrorClass::Denied),
            (Errno::IO, ErrorClass::Other),
            (Errno::NOENT, ErrorClass::Unavailable),
        ] {
            let error = on("put", b"\xffk".escape_ascii(), errno);
            assert_eq!(error.class(), class, "{error}");
            assert_eq!(error.code(), i64::from(errno.raw_os_error()));
            assert!(error.message().starts_with("put \\xffk: "), "{error}");
        }
        assert_eq!(on_key("get", b"k", Errno::NOENT).class(), ErrorClass::NotFound);
        assert_eq!(on_key("get", b"k", Errno::NOSPC).class(), ErrorClass::Full);
    }
}
