//! What the engine promises, tried through the kit's own sources and sinks.

mod blobs;
mod promises;
mod sharing;

use std::path::{Path, PathBuf};

use stowmark_plugin::{BlobSession, Engine, KeyKind, OpenRequest, Result, Schema, Store, Tier};

use crate::Filesystem;

/// Small, so that blobs of a few chunks stay small.
const CHUNK: usize = 4096;

fn open(folder: &Path, tier: Tier, fanout: &str) -> Result<Box<dyn Store>> {
    let chunk = CHUNK.to_string();
    let options = [("chunk", chunk.as_str()), ("fanout", fanout)];
    Filesystem.open(&OpenRequest::new(folder, tier, &options))
}

/// A store in a folder of its own, which goes when this goes.
struct Opened {
    folder: tempfile::TempDir,
    store: Box<dyn Store>,
}

impl Opened {
    fn new(tier: Tier, fanout: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path(), tier, fanout).unwrap();
        Self { folder, store }
    }

    fn session(&self) -> Box<dyn BlobSession> {
        self.store.blob_session(0).unwrap()
    }

    /// The files below the folder but for the mark, relative to it.
    fn files(&self) -> Vec<PathBuf> {
        files(self.folder.path())
    }

    fn stat(&self, name: &str) -> u64 {
        let stats = self.store.stats().unwrap();
        stats.into_iter().find(|stat| stat.name == name).unwrap().value
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().unwrap() != ".stowmark" {
                found.push(path.strip_prefix(folder).unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

fn blob_schema() -> Schema {
    Schema { name: "blobs".into(), key: KeyKind::Bytes, fields: Vec::new(), indexes: Vec::new() }
}

/// Bytes that repeat only after 251, so that a chunk in the wrong place shows.
fn bytes(len: usize, seed: u8) -> Vec<u8> {
    (0..len).map(|at| ((at % 251) as u8).wrapping_add(seed)).collect()
}
