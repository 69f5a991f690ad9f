//! The engine through its own traits, as the harness uses it. Here: what the tests share.

mod blobs;
mod store;

use std::collections::BTreeMap;
use std::path::Path;

use stowmark_plugin::{BlobSession, Engine, ErrorClass, OpenRequest, Result, Store, Tier};
use tempfile::TempDir;

use crate::Redb;

/// The smallest chunk size that the engine takes, so that small blobs are cut.
const CHUNK: usize = 1024;

type Settings<'a> = [(&'a str, &'a str)];

const DEFAULTS: &Settings<'static> = &[
    ("cache", "67108864"),
    ("chunk", "1024"),
    ("two-phase-commit", "false"),
    ("quick-repair", "false"),
];

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// Opens with these settings in place of the defaults.
fn try_open(folder: &Path, tier: Tier, settings: &Settings<'_>) -> Result<Box<dyn Store>> {
    let given = BTreeMap::from_iter(DEFAULTS.iter().chain(settings).copied());
    Redb.open(&OpenRequest::new(folder, tier, &Vec::from_iter(given)))
}

fn open(folder: &Path, settings: &Settings<'_>) -> Box<dyn Store> {
    try_open(folder, Tier::Media, settings).unwrap()
}

fn session(store: &dyn Store) -> Box<dyn BlobSession> {
    store.blob_session(0).unwrap()
}

/// Bytes that differ by seed and place, so that a mixed-up row shows.
fn bytes(len: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    std::iter::repeat_with(next).flatten().take(len).collect()
}

fn stat(store: &dyn Store, name: &str) -> u64 {
    let stats = store.stats().unwrap();
    stats.iter().find(|stat| stat.name == name).unwrap_or_else(|| panic!("{name}: {stats:?}")).value
}

fn setting(store: &dyn Store, name: &str) -> String {
    BTreeMap::from_iter(store.settings().unwrap())[name].clone()
}

/// How many rows the cut blobs have, told by another reader of the same file.
fn rows(folder: &Path) -> u64 {
    use redb::{ReadableDatabase, ReadableTableMetadata};
    let database = redb::Database::open(folder.join("stowmark.redb")).unwrap();
    let transaction = database.begin_read().unwrap();
    transaction.open_table(crate::layout::CHUNKS).unwrap().len().unwrap()
}

fn class(result: Result<impl std::fmt::Debug>) -> ErrorClass {
    result.unwrap_err().class()
}

/// How many rows a blob of that length has in a store with the smallest chunk size.
fn rows_of(len: usize, key: &[u8]) -> u64 {
    let cut = len > CHUNK || len == 17;
    if cut { len.div_ceil(crate::layout::row_bytes(key.len(), CHUNK)) as u64 } else { 0 }
}
