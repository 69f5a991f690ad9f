//! One client's work on the files.
//!
//! A put at tier `os` is four system calls (open, write, close, rename), a get four (open, read,
//! the read that finds the end, close). Paths and the read buffer are the session's and are used
//! again, so that nothing is allocated once they have grown.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use rustix::fs::{AtFlags, Mode, OFlags, openat, statat};
use rustix::io::{Errno, pread, retry_on_intr, write};
use stowmark_plugin::{BlobSession, BlobSink, BlobSource, Error, ErrorClass, Result};

use crate::config::Config;
use crate::error;
use crate::name::{Leaf, RelativePath, TemporaryName};
use crate::root::Root;
use crate::sys;

/// No file reaches so far; beyond, the kernel would refuse the offset itself.
const FARTHEST_OFFSET: u64 = 1 << 62;

/// The session.
pub(crate) struct Session {
    root: Arc<Root>,
    config: Config,
    name: TemporaryName,
    temporary: RelativePath,
    blob: RelativePath,
    /// What a read fills; it gets its length of one chunk at the first read.
    buffer: Vec<u8>,
}

impl Session {
    pub(crate) fn new(root: Arc<Root>, config: Config) -> Self {
        Self {
            root,
            config,
            name: TemporaryName::new(),
            temporary: RelativePath::new(),
            blob: RelativePath::new(),
            buffer: Vec::new(),
        }
    }

    /// Sets the blob's path. Returns the folder that it lies in.
    fn locate(&mut self, key: &[u8]) -> Leaf {
        let leaf = Leaf::of(key, self.root.levels());
        self.blob.set_blob(leaf, key);
        leaf
    }

    fn open(&mut self, key: &[u8]) -> std::result::Result<OwnedFd, Errno> {
        self.locate(key);
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        retry_on_intr(|| openat(self.root.fd(), self.blob.as_c_str(), flags, Mode::empty()))
    }

    /// Makes the file the blob, in place of what was there, as firmly as the tier says.
    fn publish(&self, file: BorrowedFd<'_>, leaf: Leaf) -> std::result::Result<(), Errno> {
        let media = self.config.media;
        if media {
            sys::fsync(file)?;
            self.root.flush_way(leaf)?;
        }
        sys::rename(self.root.fd(), self.temporary.as_c_str(), self.blob.as_c_str())?;
        if media {
            self.root.flush_files(leaf)?;
        }
        Ok(())
    }

    /// Takes back a temporary file that became no blob.
    #[cold]
    fn discard(&self) {
        match sys::unlink(self.root.fd(), self.temporary.as_c_str()) {
            // It is the blob by now, and only flushing its folder failed.
            Ok(()) | Err(Errno::NOENT) => {}
            Err(errno) => {
                log::warn!("a temporary file stays until the store is opened next: {errno}");
            }
        }
    }

    /// Hands the file's bytes from an offset on to the sink. Returns how many there were.
    fn read(
        &mut self,
        operation: &str,
        key: &[u8],
        offset: u64,
        len: u64,
        sink: &mut BlobSink<'_>,
    ) -> Result<u64> {
        let file = self.open(key).map_err(|errno| error::on_key(operation, key, errno))?;
        if offset > FARTHEST_OFFSET {
            return Ok(0);
        }
        self.buffer.resize(self.config.chunk, 0);
        let mut done = 0;
        while done < len {
            let room = usize::try_from(len - done).unwrap_or(usize::MAX).min(self.buffer.len());
            let buffer = &mut self.buffer[..room];
            let read = retry_on_intr(|| pread(&file, &mut *buffer, offset + done))
                .map_err(|errno| error::on(operation, key.escape_ascii(), errno))?;
            if read == 0 {
                break;
            }
            sink.write(&buffer[..read])?;
            done += read as u64;
        }
        Ok(done)
    }
}

impl BlobSession for Session {
    fn put(&mut self, key: &[u8], source: &mut BlobSource<'_>) -> Result<u64> {
        let leaf = self.locate(key);
        self.temporary.set_temporary(leaf, &self.name);
        let failed = |errno| error::on("put", key.escape_ascii(), errno);
        let file = self.root.create(leaf, self.temporary.as_c_str()).map_err(failed)?;
        let stored = fill(file.as_fd(), key, source, self.config.chunk)
            .and_then(|len| self.publish(file.as_fd(), leaf).map(|()| len).map_err(failed));
        if stored.is_err() {
            self.discard();
        }
        stored
    }

    fn get(&mut self, key: &[u8], sink: &mut BlobSink<'_>) -> Result<u64> {
        self.read("get", key, 0, u64::MAX, sink)
    }

    fn get_range(
        &mut self,
        key: &[u8],
        offset: u64,
        len: u64,
        sink: &mut BlobSink<'_>,
    ) -> Result<u64> {
        self.read("get_range", key, offset, len, sink)
    }

    fn delete(&mut self, key: &[u8]) -> Result<()> {
        let leaf = self.locate(key);
        sys::unlink(self.root.fd(), self.blob.as_c_str())
            .map_err(|errno| error::on_key("delete", key, errno))?;
        if self.config.media {
            self.root
                .flush_files(leaf)
                .map_err(|errno| error::on("delete", key.escape_ascii(), errno))?;
        }
        Ok(())
    }

    fn length(&mut self, key: &[u8]) -> Result<u64> {
        self.locate(key);
        let stat = statat(self.root.fd(), self.blob.as_c_str(), AtFlags::empty())
            .map_err(|errno| error::on_key("length", key, errno))?;
        Ok(stat.st_size.cast_unsigned())
    }
}

/// Writes the source's bytes, without a copy where it has them in one piece. Returns how many.
fn fill(
    file: BorrowedFd<'_>,
    key: &[u8],
    source: &mut BlobSource<'_>,
    chunk: usize,
) -> Result<u64> {
    let failed = |errno| error::on("put", key.escape_ascii(), errno);
    let len = source.len();
    let mut stored = 0;
    if let Some(whole) = source.contiguous() {
        write_all(file, whole).map_err(failed)?;
        stored = whole.len() as u64;
    } else {
        loop {
            let bytes = source.next_chunk(chunk)?;
            if bytes.is_empty() {
                break;
            }
            write_all(file, bytes).map_err(failed)?;
            stored += bytes.len() as u64;
        }
    }
    if stored != len {
        return Err(Error::new(
            ErrorClass::Other,
            format!("put {}: the source gave {stored} bytes of {len}", key.escape_ascii()),
        ));
    }
    Ok(stored)
}

fn write_all(file: BorrowedFd<'_>, mut bytes: &[u8]) -> std::result::Result<(), Errno> {
    while !bytes.is_empty() {
        match retry_on_intr(|| write(file, bytes))? {
            0 => return Err(Errno::IO),
            written => bytes = &bytes[written..],
        }
    }
    Ok(())
}
