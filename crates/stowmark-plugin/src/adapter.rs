//! Carries the plain traits over the ABI. A panic never crosses: each method and each drop is
//! caught here and becomes an error of class `Panicked`.

#![expect(
    unsafe_code,
    reason = "dropping what a guard holds where a panic can be caught, and one cast of a slice"
)]

use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};

use stowmark_abi as abi;
use stowmark_abi::{OpResult, ROption, RResult, RSlice, RVec, TD_Opaque};

use crate::blob::{BlobSink, BlobSource};
use crate::engine::{BlobSession, Engine, RecordSession, Store};
use crate::error::{Error, ErrorClass, Result};
use crate::logging;
use crate::record::{Change, KeySink, RecordSink, Records, Schema, Value};
use crate::request::OpenRequest;

/// Runs a plugin's code; a panic in it becomes an error that names the operation.
#[inline]
fn guard<T>(operation: &str, run: impl FnOnce() -> Result<T>) -> OpResult<T> {
    // What a panic left half-done is the plugin's own: the host counts the failure and decides.
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(value)) => RResult::ROk(value),
        Ok(Err(error)) => RResult::RErr(error.to_abi()),
        Err(payload) => RResult::RErr(panicked(operation, payload).to_abi()),
    }
}

#[cold]
fn panicked(operation: &str, payload: Box<dyn std::any::Any + Send>) -> Error {
    let text = payload
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a payload that is no text".into());
    // A payload's own drop may panic again, outside of any guard.
    std::mem::forget(payload);
    Error::new(ErrorClass::Panicked, format!("{operation}: the plugin panicked: {text}"))
}

/// Holds a plugin's object and catches a panic in its drop.
struct Guarded<T: ?Sized> {
    what: &'static str,
    object: ManuallyDrop<Box<T>>,
}

impl<T: ?Sized> Guarded<T> {
    fn new(what: &'static str, object: Box<T>) -> Self {
        Self { what, object: ManuallyDrop::new(object) }
    }
}

impl<T: ?Sized> Drop for Guarded<T> {
    fn drop(&mut self) {
        // SAFETY: this is the only place that drops the object, and nothing uses it afterwards.
        let drop = || unsafe { ManuallyDrop::drop(&mut self.object) };
        if let Err(payload) = catch_unwind(AssertUnwindSafe(drop)) {
            log::error!("{}", panicked(&format!("drop of the {}", self.what), payload));
        }
    }
}

/// Values in the form that crosses the border, without a copy.
pub(crate) fn abi_values<'a>(values: &'a [Value<'a>]) -> &'a [abi::Value<'a>] {
    // SAFETY: `Value` is `repr(transparent)` over `abi::Value`, so a slice of the one is a slice of
    // the other, of the same length and lifetime.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
}

/// An author's engine as the ABI's.
pub fn engine_box(engine: impl Engine) -> abi::EngineBox {
    let engine: Box<dyn Engine> = Box::new(engine);
    abi::Engine_TO::from_value(EngineAdapter(Guarded::new("engine", engine)), TD_Opaque)
}

struct EngineAdapter(Guarded<dyn Engine>);

impl abi::Engine for EngineAdapter {
    fn open(
        &self,
        request: &abi::OpenRequest<'_>,
        log: abi::LogSinkBox,
    ) -> OpResult<abi::StoreBox> {
        guard("open", || {
            logging::install(log);
            let store = self.0.object.open(&OpenRequest::from_abi(request)?)?;
            let adapter = StoreAdapter(Guarded::new("store", store));
            Ok(abi::Store_TO::from_value(adapter, TD_Opaque))
        })
    }

    #[cfg(feature = "test-next")]
    fn added_later(&self) -> OpResult<u64> {
        RResult::ROk(11)
    }
}

struct StoreAdapter(Guarded<dyn Store>);

impl abi::Store for StoreAdapter {
    fn blob_session(&self, client: u32) -> OpResult<abi::BlobSessionBox> {
        guard("blob_session", || {
            let session = self.0.object.blob_session(client)?;
            let adapter = BlobAdapter(Guarded::new("blob session", session));
            Ok(abi::BlobSession_TO::from_value(adapter, TD_Opaque))
        })
    }

    fn record_session(&self, client: u32) -> OpResult<abi::RecordSessionBox> {
        guard("record_session", || {
            let session = self.0.object.record_session(client)?;
            let adapter = RecordAdapter(Guarded::new("record session", session));
            Ok(abi::RecordSession_TO::from_value(adapter, TD_Opaque))
        })
    }

    fn prepare(&self, schema: &abi::Schema<'_>) -> OpResult<()> {
        guard("prepare", || self.0.object.prepare(&Schema::from_abi(schema)))
    }

    fn settings(&self) -> OpResult<RVec<abi::OwnedPair>> {
        guard("settings", || {
            let pairs = self.0.object.settings()?.into_iter();
            Ok(pairs
                .map(|(key, value)| abi::OwnedPair { key: key.into(), value: value.into() })
                .collect())
        })
    }

    fn stats(&self) -> OpResult<RVec<abi::Stat>> {
        guard("stats", || {
            let stats = self.0.object.stats()?.into_iter();
            Ok(stats.map(|stat| abi::Stat { name: stat.name.into(), value: stat.value }).collect())
        })
    }

    fn drain(&self) -> OpResult<()> {
        guard("drain", || self.0.object.drain())
    }

    fn sync(&self) -> OpResult<()> {
        guard("sync", || self.0.object.sync())
    }

    fn compact(&self) -> OpResult<()> {
        guard("compact", || self.0.object.compact())
    }

    fn server_pid(&self) -> ROption<u32> {
        guard("server_pid", || Ok(self.0.object.server_pid())).unwrap_or(None).into()
    }

    fn close(&self) -> OpResult<()> {
        guard("close", || self.0.object.close())
    }
}

struct BlobAdapter(Guarded<dyn BlobSession>);

impl abi::BlobSession for BlobAdapter {
    #[inline]
    fn put(&mut self, key: RSlice<'_, u8>, source: abi::SourceRef<'_>) -> OpResult<u64> {
        let session = &mut self.0.object;
        guard("put", || session.put(key.into(), &mut BlobSource::new(source)))
    }

    #[inline]
    fn get(&mut self, key: RSlice<'_, u8>, sink: abi::SinkRef<'_>) -> OpResult<u64> {
        let session = &mut self.0.object;
        guard("get", || session.get(key.into(), &mut BlobSink::new(sink)))
    }

    #[inline]
    fn get_range(
        &mut self,
        key: RSlice<'_, u8>,
        offset: u64,
        len: u64,
        sink: abi::SinkRef<'_>,
    ) -> OpResult<u64> {
        let session = &mut self.0.object;
        guard("get_range", || session.get_range(key.into(), offset, len, &mut BlobSink::new(sink)))
    }

    #[inline]
    fn delete(&mut self, key: RSlice<'_, u8>) -> OpResult<()> {
        let session = &mut self.0.object;
        guard("delete", || session.delete(key.into()))
    }

    #[inline]
    fn length(&mut self, key: RSlice<'_, u8>) -> OpResult<u64> {
        let session = &mut self.0.object;
        guard("length", || session.length(key.into()))
    }
}

struct RecordAdapter(Guarded<dyn RecordSession>);

impl abi::RecordSession for RecordAdapter {
    fn insert(
        &mut self,
        records: RSlice<'_, abi::Record<'_>>,
        keys: abi::KeySinkRef<'_>,
    ) -> OpResult<()> {
        let session = &mut self.0.object;
        guard("insert", || session.insert(Records::new(records.into()), &mut KeySink::new(keys)))
    }

    fn get(&mut self, key: RSlice<'_, u8>, sink: abi::RecordSinkRef<'_>) -> OpResult<()> {
        let session = &mut self.0.object;
        guard("get", || session.get(key.into(), &mut RecordSink::new(sink)))
    }

    fn update(
        &mut self,
        key: RSlice<'_, u8>,
        changes: RSlice<'_, abi::FieldValue<'_>>,
    ) -> OpResult<()> {
        let session = &mut self.0.object;
        guard("update", || session.update(key.into(), &Change::list(changes.into())))
    }

    fn delete(&mut self, key: RSlice<'_, u8>) -> OpResult<()> {
        let session = &mut self.0.object;
        guard("delete", || session.delete(key.into()))
    }

    fn find(
        &mut self,
        conditions: RSlice<'_, abi::FieldValue<'_>>,
        limit: u64,
        sink: abi::RecordSinkRef<'_>,
    ) -> OpResult<u64> {
        let session = &mut self.0.object;
        guard("find", || {
            session.find(&Change::list(conditions.into()), limit, &mut RecordSink::new(sink))
        })
    }

    fn scan(
        &mut self,
        from: RSlice<'_, u8>,
        count: u64,
        sink: abi::RecordSinkRef<'_>,
    ) -> OpResult<u64> {
        let session = &mut self.0.object;
        guard("scan", || session.scan(from.into(), count, &mut RecordSink::new(sink)))
    }
}
