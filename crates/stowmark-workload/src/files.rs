//! The only place of this crate that touches the file system.
//!
//! Two things a user may name are files: the bytes to store (`--data file:PATH`) and a suite
//! (`--suite FILE`). Both are read whole, once, when they are named, and everything after that is
//! pure again. Neither is followed when it changes later.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// Reads at most `limit` bytes of a payload file, and one more if there is more, so that the caller
/// can tell a file that fits from one that does not without reading all of a huge one.
pub(crate) fn read_payload(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let length = file.metadata()?.len().min(limit.saturating_add(1));
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads the text of a suite file.
pub(crate) fn read_suite(path: &Path) -> io::Result<String> {
    std::fs::read_to_string(path)
}
