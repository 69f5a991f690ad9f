//! The open database, and what is done to it as a whole.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use redb::{Database, Durability, WriteTransaction};
use stowmark_plugin::{BlobSession, Result, Stat, Store};

use crate::config::{Config, REDB_VERSION};
use crate::error::{Fault, Outcome};
use crate::layout::{BLOBS, CHUNKS};
use crate::session::RedbSession;
use crate::stats;

const FILE_NAME: &str = "stowmark.redb";

/// The store.
pub(crate) struct RedbStore(Arc<Shared>);

/// What the store and its sessions share.
pub(crate) struct Shared {
    /// Each operation holds the lock for reading. `compact` and `close`, which need the database to
    /// themselves, take it for writing: they wait for the operations under way and hold up new ones.
    /// `None` once the store was closed.
    database: RwLock<Option<Database>>,
    config: Config,
    path: PathBuf,
}

impl Shared {
    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// Runs `work` on the database, which stays open meanwhile.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&Database) -> Outcome<R>) -> Outcome<R> {
        let database = self.database.read().unwrap_or_else(PoisonError::into_inner);
        work(database.as_ref().ok_or(Fault::Closed)?)
    }

    /// A write transaction that keeps the store's tier. Waits for the writer before it.
    pub(crate) fn begin_write(&self, database: &Database) -> Outcome<WriteTransaction> {
        self.begin(database, self.config.durability)
    }

    fn begin(&self, database: &Database, durability: Durability) -> Outcome<WriteTransaction> {
        let mut transaction = database.begin_write()?;
        transaction.set_durability(durability)?;
        transaction.set_two_phase_commit(self.config.two_phase_commit);
        transaction.set_quick_repair(self.config.quick_repair);
        Ok(transaction)
    }
}

impl RedbStore {
    pub(crate) fn open(folder: &Path, config: Config) -> Result<Self> {
        let path = folder.join(FILE_NAME);
        match open(&path, &config).and_then(|database| sync_folder(folder).map(|()| database)) {
            Ok(database) => {
                let database = RwLock::new(Some(database));
                Ok(Self(Arc::new(Shared { database, config, path })))
            }
            Err(fault) => Err(fault.on("open", path.display())),
        }
    }

    fn named<R>(&self, operation: &str, result: Outcome<R>) -> Result<R> {
        result.map_err(|fault| fault.on(operation, self.0.path.display()))
    }
}

/// Opens the database with both tables in it, so that no put pays for making them and every read
/// finds them.
fn open(path: &Path, config: &Config) -> Outcome<Database> {
    let database = Database::builder().set_cache_size(config.cache_bytes).create(path)?;
    let transaction = database.begin_write()?;
    transaction.open_table(BLOBS)?;
    transaction.open_table(CHUNKS)?;
    transaction.commit()?;
    Ok(database)
}

/// Puts the new file's name on the device too: redb syncs the file only.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> Outcome<()> {
    Ok(std::fs::File::open(folder)?.sync_all()?)
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "on Unix it can fail")]
fn sync_folder(_folder: &Path) -> Outcome<()> {
    Ok(())
}

impl Store for RedbStore {
    fn blob_session(&self, _client: u32) -> Result<Box<dyn BlobSession>> {
        Ok(Box::new(RedbSession::new(self.0.clone())))
    }

    /// redb has no getters for its settings: these are the values that it was given, and its version.
    fn settings(&self) -> Result<Vec<(String, String)>> {
        let config = &self.0.config;
        let settings = [
            ("engine.version", REDB_VERSION.to_owned()),
            ("durability", config.durability_name().to_owned()),
            ("cache_bytes", config.cache_bytes.to_string()),
            ("chunk_bytes", config.chunk_bytes.to_string()),
            ("two-phase-commit", (config.two_phase_commit || config.quick_repair).to_string()),
            ("quick-repair", config.quick_repair.to_string()),
        ];
        Ok(settings.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    fn stats(&self) -> Result<Vec<Stat>> {
        self.named("stats", self.0.with(|database| stats::read(database, &self.0.path)))
    }

    /// An empty durable commit: redb brings the commits before it along.
    fn sync(&self) -> Result<()> {
        let synced = self.0.with(|database| {
            let transaction = self.0.begin(database, Durability::Immediate)?;
            Ok(transaction.commit()?)
        });
        self.named("sync", synced)
    }

    fn compact(&self) -> Result<()> {
        let mut database = self.0.database.write().unwrap_or_else(PoisonError::into_inner);
        let compacted = match database.as_mut() {
            Some(database) => database.compact().map(drop).map_err(Fault::from),
            None => Err(Fault::Closed),
        };
        self.named("compact", compacted)
    }

    fn close(&self) -> Result<()> {
        let database = self.0.database.write().unwrap_or_else(PoisonError::into_inner).take();
        let closed = match database {
            Some(database) => database.close().map_err(Fault::from),
            None => Err(Fault::Closed),
        };
        self.named("close", closed)
    }
}
