//! The store that keeps one number: the length of the last put.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use stowmark_plugin::{BlobSession, BlobSink, BlobSource, Error, ErrorClass, Result, Stat, Store};

use crate::config::Config;

/// How many bytes cross the border at once.
const CHUNK: usize = 1 << 20;
static ZEROS: [u8; CHUNK] = [0; CHUNK];

/// The store.
pub(crate) struct NullStore {
    config: Config,
    last_len: Arc<AtomicU64>,
}

impl NullStore {
    pub(crate) fn new(config: Config) -> Self {
        Self { config, last_len: Arc::default() }
    }
}

impl Store for NullStore {
    fn blob_session(&self, _client: u32) -> Result<Box<dyn BlobSession>> {
        Ok(Box::new(NullSession {
            config: self.config,
            last_len: self.last_len.clone(),
            operations: 0,
        }))
    }

    fn settings(&self) -> Result<Vec<(String, String)>> {
        Ok(vec![("engine.version".into(), env!("CARGO_PKG_VERSION").into())])
    }

    fn stats(&self) -> Result<Vec<Stat>> {
        Ok(vec![Stat::new("blobs", 0), Stat::new("logical_bytes", 0)])
    }

    fn sync(&self) -> Result<()> {
        Ok(())
    }

    fn compact(&self) -> Result<()> {
        Ok(())
    }
}

struct NullSession {
    config: Config,
    last_len: Arc<AtomicU64>,
    operations: u64,
}

impl NullSession {
    /// What every operation does first: counts, and waits or fails where an option says so.
    #[inline]
    fn begin(&mut self, operation: &str) -> Result<()> {
        self.operations += 1;
        if !self.config.delay.is_zero() {
            std::thread::sleep(self.config.delay);
        }
        if self.config.fail_every != 0 && self.operations.is_multiple_of(self.config.fail_every) {
            return Err(Error::new(
                ErrorClass::Transient,
                format!("{operation}: fails each {}-th, as asked", self.config.fail_every),
            ));
        }
        Ok(())
    }

    fn zeros(&self, len: u64, sink: &mut BlobSink<'_>) -> Result<u64> {
        let mut left = len;
        while left > 0 {
            let take = usize::try_from(left).unwrap_or(CHUNK).min(CHUNK);
            sink.write(&ZEROS[..take])?;
            left -= take as u64;
        }
        Ok(len)
    }
}

/// Reads every byte, as an engine must that stores them.
#[inline]
fn read(bytes: &[u8]) {
    let (words, rest) = bytes.as_chunks::<8>();
    let sum = words.iter().fold(0_u64, |sum, word| sum.wrapping_add(u64::from_ne_bytes(*word)));
    black_box(rest.iter().fold(sum, |sum, byte| sum.wrapping_add((*byte).into())));
}

impl BlobSession for NullSession {
    fn put(&mut self, _key: &[u8], source: &mut BlobSource<'_>) -> Result<u64> {
        self.begin("put")?;
        let len = if let Some(whole) = source.contiguous() {
            read(whole);
            whole.len() as u64
        } else {
            loop {
                let chunk = source.next_chunk(CHUNK)?;
                if chunk.is_empty() {
                    break source.len();
                }
                read(chunk);
            }
        };
        // Written only when it changes, so that clients do not fight over the cache line.
        if self.last_len.load(Ordering::Relaxed) != len {
            self.last_len.store(len, Ordering::Relaxed);
        }
        Ok(len)
    }

    fn get(&mut self, _key: &[u8], sink: &mut BlobSink<'_>) -> Result<u64> {
        self.begin("get")?;
        self.zeros(self.last_len.load(Ordering::Relaxed), sink)
    }

    fn get_range(
        &mut self,
        _key: &[u8],
        offset: u64,
        len: u64,
        sink: &mut BlobSink<'_>,
    ) -> Result<u64> {
        self.begin("get_range")?;
        let whole = self.last_len.load(Ordering::Relaxed);
        self.zeros(whole.saturating_sub(offset).min(len), sink)
    }

    fn delete(&mut self, _key: &[u8]) -> Result<()> {
        self.begin("delete")
    }

    fn length(&mut self, _key: &[u8]) -> Result<u64> {
        self.begin("length")?;
        Ok(self.last_len.load(Ordering::Relaxed))
    }
}
