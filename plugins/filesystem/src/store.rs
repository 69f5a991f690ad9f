//! What concerns a store as a whole: sessions, settings, figures, and the flush on demand.

use std::ffi::CStr;
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::sync::Arc;

use rustix::fs::{AtFlags, statat};
use rustix::io::Errno;
use stowmark_plugin::{BlobSession, Error, ErrorClass, Result, Schema, Stat, Store};

use crate::config::Config;
use crate::error;
use crate::root::{Kind, Root};
use crate::session::Session;
use crate::sys;

/// What the kernel counts `st_blocks` in, whatever the file system's own block is: stat(2).
const STAT_BLOCK_BYTES: u64 = 512;

/// The store.
pub(crate) struct FilesystemStore {
    root: Arc<Root>,
    config: Config,
}

impl FilesystemStore {
    pub(crate) fn open(path: &Path, config: Config) -> Result<Self> {
        Ok(Self { root: Arc::new(Root::open(path, &config)?), config })
    }
}

impl Store for FilesystemStore {
    fn blob_session(&self, _client: u32) -> Result<Box<dyn BlobSession>> {
        Ok(Box::new(Session::new(self.root.clone(), self.config)))
    }

    fn prepare(&self, schema: &Schema) -> Result<()> {
        if !schema.fields.is_empty() || !schema.indexes.is_empty() {
            return Err(Error::new(
                ErrorClass::Unsupported,
                format!("prepare {}: filesystem holds blobs, which have no fields", schema.name),
            ));
        }
        self.root
            .make_first_level(self.config.media)
            .map_err(|errno| error::on("prepare", &schema.name, errno))
    }

    fn settings(&self) -> Result<Vec<(String, String)>> {
        let kernel = rustix::system::uname();
        let text = |text: &CStr| text.to_string_lossy().into_owned();
        let (put, delete) = if self.config.media {
            (
                "fsync temporary, fsync parent of each new folder, rename, fsync folder",
                "fsync folder",
            )
        } else {
            ("none", "none")
        };
        let pair = |name: &str, value: String| (name.to_owned(), value);
        Ok(vec![
            pair(
                "engine.version",
                format!("{} {}", text(kernel.sysname()), text(kernel.release())),
            ),
            pair("chunk", self.config.chunk.to_string()),
            pair("fanout", self.root.levels().to_string()),
            pair("flush.put", put.into()),
            pair("flush.delete", delete.into()),
        ])
    }

    fn stats(&self) -> Result<Vec<Stat>> {
        let (mut blobs, mut logical, mut data, mut folders) = (0, 0, 0, 0);
        let mut visit = |folder: BorrowedFd<'_>, name: &CStr, kind| {
            let stat = match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
                // A session has deleted or renamed it since the folder was read.
                Err(Errno::NOENT) => return Ok(()),
                stat => stat?,
            };
            let allocated = stat.st_blocks.cast_unsigned() * STAT_BLOCK_BYTES;
            match kind {
                Kind::Folder => folders += allocated,
                Kind::Temporary => {}
                Kind::Blob => {
                    blobs += 1;
                    logical += stat.st_size.cast_unsigned();
                    data += allocated;
                }
            }
            Ok(())
        };
        self.root.walk(&mut visit).map_err(|errno| error::on("stats", "of the folders", errno))?;
        Ok(vec![
            Stat::new("blobs", blobs),
            Stat::new("logical_bytes", logical),
            Stat::new("data_bytes", data),
            Stat::new("index_bytes:folders", folders),
        ])
    }

    fn sync(&self) -> Result<()> {
        sys::syncfs(self.root.fd()).map_err(|errno| error::on("sync", "of the file system", errno))
    }

    /// Unlinking has given the space back already: there is nothing left to do.
    fn compact(&self) -> Result<()> {
        Ok(())
    }
}
