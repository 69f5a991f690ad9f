//! The store's folder: how it is opened, its fan-out folders, and which of them the device has.
//!
//! Everything goes through one descriptor of the folder, with paths relative to it: the kernel walks
//! two levels faster than a cache of descriptors here would be searched.

use std::ffi::CStr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{CWD, Dir, FileType, Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};
use stowmark_plugin::Result;

use crate::config::Config;
use crate::error;
use crate::mark::Mark;
use crate::name::{FOLDERS, Leaf, TemporaryName, folder_name, is_folder};
use crate::sys;

const FOLDER_FLAGS: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// The folder of an open store, shared by its sessions.
pub(crate) struct Root {
    folder: OwnedFd,
    /// Its lock is held as long as the store is open.
    _mark: Mark,
    levels: u8,
    /// By level and number, which fan-out folders' entries this opening has flushed. A folder counts
    /// only once its parent was flushed after the folder was seen to be there, whoever made it.
    flushed: [Box<[AtomicBool]>; 2],
}

impl Root {
    /// Opens the folder, new or with what an earlier opening left.
    pub(crate) fn open(path: &Path, config: &Config) -> Result<Self> {
        let failed = |errno| error::on("open", path.display(), errno);
        let folder = rustix::fs::openat(CWD, path, FOLDER_FLAGS, Mode::empty()).map_err(failed)?;
        let mark = Mark::open(folder.as_fd()).map_err(failed)?;
        let levels = mark.agree_on_fanout(config.fanout)?;
        if mark.is_alone() {
            let swept = sweep(folder.as_fd(), levels).map_err(failed)?;
            if swept > 0 {
                log::info!("removed {swept} temporary files that an earlier process left");
            }
            mark.share().map_err(failed)?;
        }
        if config.media {
            // The folder's own entry, the mark, and what an earlier opening left at tier `os`.
            sys::syncfs(&folder).map_err(failed)?;
        }
        let flags = |level: u8| {
            let count = if level <= levels { FOLDERS.pow(level.into()) } else { 0 };
            (0..count).map(|_| AtomicBool::new(false)).collect()
        };
        Ok(Self { folder, _mark: mark, levels, flushed: [flags(1), flags(2)] })
    }

    /// The folder, for paths relative to it.
    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.folder.as_fd()
    }

    /// How many fan-out levels lie above the files.
    pub(crate) fn levels(&self) -> u8 {
        self.levels
    }

    /// Makes the first level's folders, so that no put has to.
    pub(crate) fn make_first_level(&self, media: bool) -> std::result::Result<(), Errno> {
        if self.levels == 0 {
            return Ok(());
        }
        for number in 0..=u8::MAX {
            self.make_folder(&folder_name(number))?;
        }
        if media {
            sys::fsync(&self.folder)?;
            for flushed in &self.flushed[0] {
                flushed.store(true, Ordering::Release);
            }
        }
        Ok(())
    }

    /// Opens a temporary file for writing, and makes the folder that it lies in where that is
    /// missing.
    pub(crate) fn create(&self, leaf: Leaf, path: &CStr) -> std::result::Result<OwnedFd, Errno> {
        // The name is one session's own: what may lie there is what its last put failed to remove.
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::CLOEXEC;
        let open =
            || retry_on_intr(|| rustix::fs::openat(&self.folder, path, flags, Mode::from(0o666)));
        match open() {
            Err(Errno::NOENT) => {
                for level in 1..=self.levels {
                    self.make_folder(leaf.folder(level))?;
                }
                open()
            }
            opened => opened,
        }
    }

    fn make_folder(&self, path: &[u8]) -> std::result::Result<(), Errno> {
        match rustix::fs::mkdirat(&self.folder, path, Mode::from(0o777)) {
            // It was there, or another session was faster.
            Err(Errno::EXIST) => Ok(()),
            made => made,
        }
    }

    /// Brings the entries of the folders on the way to this one to the device, unless this opening
    /// has done so. The folder is there.
    pub(crate) fn flush_way(&self, leaf: Leaf) -> std::result::Result<(), Errno> {
        for level in 1..=self.levels {
            let flushed = &self.flushed[usize::from(level - 1)][leaf.number(level)];
            if !flushed.load(Ordering::Acquire) {
                self.flush_level(leaf, level - 1)?;
                flushed.store(true, Ordering::Release);
            }
        }
        Ok(())
    }

    /// Brings the entries of the files in this folder to the device.
    pub(crate) fn flush_files(&self, leaf: Leaf) -> std::result::Result<(), Errno> {
        self.flush_level(leaf, self.levels)
    }

    fn flush_level(&self, leaf: Leaf, level: u8) -> std::result::Result<(), Errno> {
        match level {
            0 => sys::fsync(&self.folder),
            level => sys::fsync(open_folder(self.folder.as_fd(), leaf.folder(level))?),
        }
    }

    /// Shows every fan-out folder, every blob, and every temporary file.
    pub(crate) fn walk(&self, visit: &mut Visit<'_>) -> std::result::Result<(), Errno> {
        walk(self.folder.as_fd(), self.levels, visit)
    }
}

/// What a walk shows: the folder, the name in it, what it is.
pub(crate) type Visit<'a> =
    dyn FnMut(BorrowedFd<'_>, &CStr, Kind) -> std::result::Result<(), Errno> + 'a;

/// What a name under the store's folder stands for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A fan-out folder.
    Folder,
    /// A blob.
    Blob,
    /// A file that is to become a blob.
    Temporary,
}

/// Walks what is the engine's own in a folder that has so many levels below it; passes over the
/// rest.
fn walk(
    folder: BorrowedFd<'_>,
    levels: u8,
    visit: &mut Visit<'_>,
) -> std::result::Result<(), Errno> {
    let mut entries = Dir::read_from(folder)?;
    while let Some(entry) = entries.read() {
        let entry = entry?;
        let name = entry.file_name();
        if levels > 0 {
            if is_folder(name) {
                visit(folder, name, Kind::Folder)?;
                walk(open_folder(folder, name.to_bytes())?.as_fd(), levels - 1, visit)?;
            }
        } else if TemporaryName::matches(name) {
            visit(folder, name, Kind::Temporary)?;
        } else if !name.to_bytes().starts_with(b".") && entry.file_type() != FileType::Directory {
            visit(folder, name, Kind::Blob)?;
        }
    }
    Ok(())
}

/// Removes the temporary files of processes that are no more. Returns how many.
fn sweep(folder: BorrowedFd<'_>, levels: u8) -> std::result::Result<u64, Errno> {
    let mut swept = 0;
    walk(folder, levels, &mut |folder, name, kind| {
        if kind == Kind::Temporary {
            sys::unlink(folder, name)?;
            swept += 1;
        }
        Ok(())
    })?;
    Ok(swept)
}

fn open_folder(parent: BorrowedFd<'_>, path: &[u8]) -> std::result::Result<OwnedFd, Errno> {
    retry_on_intr(|| rustix::fs::openat(parent, path, FOLDER_FLAGS, Mode::empty()))
}
