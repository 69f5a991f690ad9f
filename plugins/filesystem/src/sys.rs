//! The system calls that a promise hangs on, each in one place. Under test each one first tells
//! `trace` that it is about to be made and on what, so that a test sees which calls a tier makes
//! and in which order, and can have one of them fail.

use std::ffi::CStr;
use std::os::fd::{AsFd, BorrowedFd};

use rustix::fs::AtFlags;
use rustix::io::{Errno, retry_on_intr};

/// Flushes a file or folder to the device: fsync(2).
pub(crate) fn fsync(fd: impl AsFd) -> Result<(), Errno> {
    let fd = fd.as_fd();
    #[cfg(test)]
    trace::call("fsync", &trace::path(fd))?;
    retry_on_intr(|| rustix::fs::fsync(fd))
}

/// Flushes the whole file system that holds the folder: syncfs(2).
pub(crate) fn syncfs(folder: impl AsFd) -> Result<(), Errno> {
    let folder = folder.as_fd();
    #[cfg(test)]
    trace::call("syncfs", &trace::path(folder))?;
    #[cfg(target_os = "linux")]
    return retry_on_intr(|| rustix::fs::syncfs(folder));
    #[cfg(not(target_os = "linux"))]
    Err(Errno::NOTSUP)
}

/// Gives a file another name under the same folder, in place of what had that name: rename(2).
pub(crate) fn rename(folder: BorrowedFd<'_>, from: &CStr, to: &CStr) -> Result<(), Errno> {
    #[cfg(test)]
    trace::call("rename", &trace::join(folder, to))?;
    rustix::fs::renameat(folder, from, folder, to)
}

/// Removes a file: unlink(2).
pub(crate) fn unlink(folder: BorrowedFd<'_>, path: &CStr) -> Result<(), Errno> {
    #[cfg(test)]
    trace::call("unlink", &trace::join(folder, path))?;
    rustix::fs::unlinkat(folder, path, AtFlags::empty())
}

/// What this thread has called, for tests.
#[cfg(test)]
pub(crate) mod trace {
    use std::cell::RefCell;
    use std::ffi::{CStr, OsStr};
    use std::os::fd::{AsRawFd, BorrowedFd};
    use std::os::unix::ffi::OsStrExt;
    use std::path::{Path, PathBuf};

    use rustix::io::Errno;

    /// A call's name and the file or folder that it was on.
    pub(crate) type Call = (&'static str, PathBuf);

    #[derive(Default)]
    struct Trace {
        calls: Vec<Call>,
        failing: Option<(&'static str, usize)>,
    }

    thread_local! {
        static TRACE: RefCell<Trace> = RefCell::default();
    }

    /// The calls since the last take.
    pub(crate) fn take() -> Vec<Call> {
        TRACE.with_borrow_mut(|trace| std::mem::take(&mut trace.calls))
    }

    /// Lets the n-th call of that name from now on, counted from 0, fail once as a device would.
    pub(crate) fn fail(name: &'static str, nth: usize) {
        TRACE.with_borrow_mut(|trace| trace.failing = Some((name, nth)));
    }

    pub(super) fn call(name: &'static str, path: &Path) -> Result<(), Errno> {
        TRACE.with_borrow_mut(|trace| {
            trace.calls.push((name, path.into()));
            match &mut trace.failing {
                Some((failing, 0)) if *failing == name => {
                    trace.failing = None;
                    Err(Errno::IO)
                }
                Some((failing, left)) if *failing == name => {
                    *left -= 1;
                    Ok(())
                }
                _ => Ok(()),
            }
        })
    }

    pub(super) fn path(fd: BorrowedFd<'_>) -> PathBuf {
        std::fs::read_link(format!("/proc/self/fd/{}", fd.as_raw_fd())).unwrap()
    }

    pub(super) fn join(folder: BorrowedFd<'_>, relative: &CStr) -> PathBuf {
        path(folder).join(OsStr::from_bytes(relative.to_bytes()))
    }
}
