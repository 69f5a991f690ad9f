//! The file `.stowmark` in the store's folder: a line that names the format and the number of
//! fan-out levels that the files lie in, so that a store is not opened with another number and found
//! empty.
//!
//! Each opening keeps a shared lock on it (flock(2)) until it is dropped or its process dies. One
//! that finds no other has the store alone at first, and may sweep what a killed process left.

use std::ffi::CStr;
use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::fs::{FlockOperation, Mode, OFlags, flock};
use rustix::io::{Errno, retry_on_intr};
use stowmark_plugin::{Error, ErrorClass, Result};

use crate::error;

const NAME: &CStr = c".stowmark";
const START: &str = "stowmark-filesystem 1 fanout=";

/// The open mark and its lock.
pub(crate) struct Mark {
    file: OwnedFd,
    alone: bool,
}

impl Mark {
    /// Opens the mark in that folder, or makes it, and locks it: alone where nobody else has the
    /// store open, else shared.
    pub(crate) fn open(folder: BorrowedFd<'_>) -> std::result::Result<Self, Errno> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::CLOEXEC;
        let file = rustix::fs::openat(folder, NAME, flags, Mode::from(0o666))?;
        let alone = match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => true,
            Err(Errno::WOULDBLOCK) => false,
            Err(errno) => return Err(errno),
        };
        let mark = Self { file, alone };
        if !alone {
            // Waits for as long as the other one is alone: it sweeps, it does not work.
            mark.share()?;
        }
        Ok(mark)
    }

    /// Whether no other opening of the store is at work.
    pub(crate) fn is_alone(&self) -> bool {
        self.alone
    }

    /// Lets other openings in. One that gets in between finds nothing of ours to sweep yet.
    pub(crate) fn share(&self) -> std::result::Result<(), Errno> {
        retry_on_intr(|| flock(&self.file, FlockOperation::LockShared))
    }

    /// The number of fan-out levels that the store has; a new store takes `wanted`.
    ///
    /// # Errors
    ///
    /// `InvalidOption` where the store has another than `wanted`, `Corrupt` for a mark that is not
    /// this engine's.
    pub(crate) fn agree_on_fanout(&self, wanted: u8) -> Result<u8> {
        let failed = |errno| error::on("open", ".stowmark", errno);
        let mut buffer = [0; 64];
        let len =
            retry_on_intr(|| rustix::io::pread(&self.file, &mut buffer, 0)).map_err(failed)?;
        if len == 0 && self.alone {
            let line = format!("{START}{wanted}\n");
            rustix::io::pwrite(&self.file, line.as_bytes(), 0).map_err(failed)?;
            return Ok(wanted);
        }
        let text = String::from_utf8_lossy(&buffer[..len]);
        let found: Option<u8> =
            text.strip_prefix(START).and_then(|rest| rest.trim_end().parse().ok());
        match found {
            Some(found) if found == wanted => Ok(found),
            Some(found) => Err(Error::new(
                ErrorClass::InvalidOption,
                format!(
                    "open: option fanout is {wanted}, but the store in this folder was made with \
                     {found}; give fanout={found}, or an empty folder"
                ),
            )),
            None => Err(Error::new(
                ErrorClass::Corrupt,
                format!("open: .stowmark holds {text:?}, which this engine did not write"),
            )),
        }
    }
}
