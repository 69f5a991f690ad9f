//! What differs between platforms: how a path crosses the border, what makes two files one, and how
//! a library is brought in for good.

#![expect(unsafe_code, reason = "loading a library runs its initialisers")]

use std::fs::Metadata;
use std::path::Path;

use crate::error::OpError;

/// What two names of one file have in common.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum FileId {
    #[cfg(unix)]
    Inode { device: u64, inode: u64 },
    #[cfg(not(unix))]
    Path(std::path::PathBuf),
}

#[cfg(unix)]
pub(crate) fn file_id(_path: &Path, metadata: &Metadata) -> FileId {
    use std::os::unix::fs::MetadataExt;
    FileId::Inode { device: metadata.dev(), inode: metadata.ino() }
}

#[cfg(not(unix))]
pub(crate) fn file_id(path: &Path, _metadata: &Metadata) -> FileId {
    FileId::Path(path.canonicalize().unwrap_or_else(|_| path.into()))
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "on other platforms it can fail")]
pub(crate) fn path_bytes(path: &Path) -> Result<&[u8], OpError> {
    use std::os::unix::ffi::OsStrExt;
    Ok(path.as_os_str().as_bytes())
}

#[cfg(not(unix))]
pub(crate) fn path_bytes(path: &Path) -> Result<&[u8], OpError> {
    path.to_str().map(str::as_bytes).ok_or_else(|| {
        OpError::new(
            crate::error::ErrorClass::InvalidOption,
            format!("open: the data folder {} is not UTF-8", path.display()),
        )
    })
}

/// Loads a library with all its symbols bound at once, so that what is missing is told now rather
/// than in mid-run, and keeps them to itself, so that two plugins with one client library each do
/// not mix. It stays loaded until the process ends.
#[cfg(unix)]
pub(crate) fn load_for_good(path: &Path) -> Result<(), libloading::Error> {
    use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
    // SAFETY: the library's initialisers run, and whatever they do is the plugin's: the caller is
    // a worker process, which exists to be at a plugin's mercy.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }?;
    std::mem::forget(library);
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn load_for_good(path: &Path) -> Result<(), libloading::Error> {
    // SAFETY: as on Unix.
    let library = unsafe { libloading::Library::new(path) }?;
    std::mem::forget(library);
    Ok(())
}
