//! The engine `filesystem`: a file for each blob.
//!
//! A put writes a temporary file beside the blob's place and renames it there, so that a reader sees
//! the old blob or the new one and never a part. What the acknowledgement promises beyond that is
//! the tier: at `os` the kernel has the bytes; at `media` the file, its name and the folders on the
//! way to it were flushed to the device before the put returns.
//!
//! From the bottom up: `sys` is the few system calls that a promise hangs on, `name` turns any key
//! into a safe path, `mark` tells the openings of one store about each other, `root` keeps the
//! folders, `session` does the work of one client, `store` answers what concerns all of them.

mod config;
mod error;
mod mark;
mod name;
mod root;
mod session;
mod store;
mod sys;

#[cfg(test)]
mod tests;

use stowmark_plugin::{Engine, OpenRequest, Result, Store};

/// The engine.
pub struct Filesystem;

impl Engine for Filesystem {
    fn open(&self, request: &OpenRequest) -> Result<Box<dyn Store>> {
        let config = config::Config::read(request)?;
        Ok(Box::new(store::FilesystemStore::open(request.data_dir(), config)?))
    }
}

stowmark_plugin::export! { engines: [config::INFO => Filesystem] }
