//! An honest store in memory, until its fault strikes.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use stowmark_plugin::{BlobSession, BlobSink, BlobSource, Error, ErrorClass, Result, Stat, Store};

use crate::config::{Config, Fault};
use crate::strike::{self, Gate};

type Blobs = BTreeMap<Vec<u8>, Vec<u8>>;

/// The store.
pub(crate) struct FaultyStore {
    shared: Arc<Shared>,
}

struct Shared {
    config: Config,
    gate: Gate,
    operations: AtomicU64,
    blobs: Mutex<Blobs>,
}

impl Shared {
    fn blobs(&self) -> MutexGuard<'_, Blobs> {
        // A change is one call on the map: a panic elsewhere leaves nothing half-done.
        self.blobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether so many operations began that the fault is due.
    fn is_due(&self) -> bool {
        self.operations.load(Ordering::Relaxed) > self.config.after
    }
}

impl FaultyStore {
    pub(crate) fn new(config: Config, gate: Gate) -> Self {
        let shared =
            Shared { config, gate, operations: AtomicU64::new(0), blobs: Mutex::default() };
        Self { shared: Arc::new(shared) }
    }
}

impl Store for FaultyStore {
    fn blob_session(&self, _client: u32) -> Result<Box<dyn BlobSession>> {
        Ok(Box::new(FaultySession { shared: self.shared.clone() }))
    }

    fn settings(&self) -> Result<Vec<(String, String)>> {
        Ok(vec![("engine.version".into(), env!("CARGO_PKG_VERSION").into())])
    }

    fn stats(&self) -> Result<Vec<Stat>> {
        Ok(vec![Stat::new("blobs", self.shared.blobs().len() as u64)])
    }

    fn close(&self) -> Result<()> {
        if self.shared.config.fault == Fault::HangClose {
            self.shared.gate.hang(Fault::HangClose);
        }
        Ok(())
    }
}

struct FaultySession {
    shared: Arc<Shared>,
}

impl FaultySession {
    /// What every operation does first: counts, and strikes where the fault is one of any
    /// operation. Returns the fault if it is due, for those that are of one operation only.
    fn begin(&self, operation: &str) -> Result<Fault> {
        self.shared.operations.fetch_add(1, Ordering::Relaxed);
        if !self.shared.is_due() {
            return Ok(Fault::None);
        }
        let fault = self.shared.config.fault;
        match fault {
            Fault::Panic => panic!("a panic in {operation}, as asked"),
            Fault::PanicThread => strike::panic_on_a_thread(),
            Fault::Segfault => strike::segfault(),
            Fault::Abort => std::process::abort(),
            Fault::ExitZero => std::process::exit(0),
            Fault::ExitOne => std::process::exit(1),
            Fault::StackOverflow => _ = strike::overflow(0),
            Fault::Flood => strike::flood(),
            Fault::Log => strike::log_lines(),
            Fault::Babble => strike::speak_up(b"noise, and no answer\n"),
            Fault::Forge => strike::speak_up(b"{\"answer\":\"closed\"}\n"),
            Fault::Exec => strike::become_another_program(),
            Fault::Meddle => strike::meddle(),
            Fault::FailEvery => {
                return Err(Error::new(
                    ErrorClass::Transient,
                    format!("{operation}: every operation fails, as asked"),
                ));
            }
            _ => {}
        }
        Ok(fault)
    }

    fn blob(&self, operation: &str, key: &[u8], fault: Fault) -> Result<Vec<u8>> {
        let blobs = self.shared.blobs();
        let own = blobs.get(key).ok_or_else(|| Error::not_found(operation, key))?;
        let mut blob = match fault {
            Fault::OtherBlob => {
                blobs.iter().find(|(other, _)| *other != key).map_or(own, |(_, blob)| blob)
            }
            _ => own,
        }
        .clone();
        if fault == Fault::FlippedByte
            && let Some(last) = blob.last_mut()
        {
            *last ^= 0xff;
        }
        Ok(blob)
    }
}

impl BlobSession for FaultySession {
    fn put(&mut self, key: &[u8], source: &mut BlobSource<'_>) -> Result<u64> {
        let fault = self.begin("put")?;
        if fault == Fault::HangPut {
            self.shared.gate.hang(fault);
        }
        let blob = source.read_all()?;
        let len = blob.len() as u64;
        if fault != Fault::Forgets {
            self.shared.blobs().insert(key.into(), blob);
        }
        Ok(if fault == Fault::WrongLength { len + 1 } else { len })
    }

    fn get(&mut self, key: &[u8], sink: &mut BlobSink<'_>) -> Result<u64> {
        let fault = self.begin("get")?;
        if fault == Fault::HangGet {
            self.shared.gate.hang(fault);
        }
        let blob = self.blob("get", key, fault)?;
        sink.write(&blob)?;
        Ok(blob.len() as u64)
    }

    fn get_range(
        &mut self,
        key: &[u8],
        offset: u64,
        len: u64,
        sink: &mut BlobSink<'_>,
    ) -> Result<u64> {
        let fault = self.begin("get_range")?;
        let blob = self.blob("get_range", key, fault)?;
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(blob.len());
        let part = &blob[place(offset)..place(offset.saturating_add(len))];
        sink.write(part)?;
        Ok(part.len() as u64)
    }

    fn delete(&mut self, key: &[u8]) -> Result<()> {
        self.begin("delete")?;
        let gone = self.shared.blobs().remove(key);
        gone.map(drop).ok_or_else(|| Error::not_found("delete", key))
    }

    fn length(&mut self, key: &[u8]) -> Result<u64> {
        let fault = self.begin("length")?;
        Ok(self.blob("length", key, fault)?.len() as u64)
    }
}

impl Drop for FaultySession {
    fn drop(&mut self) {
        if self.shared.config.fault == Fault::PanicDrop && self.shared.is_due() {
            panic!("a panic in the drop of a session, as asked");
        }
    }
}
