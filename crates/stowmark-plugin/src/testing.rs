//! For a plugin's own tests: sources and sinks in memory, so that a session can be tried without a
//! host.

use stowmark_abi as abi;
use stowmark_abi::{OpResult, ROption, RResult, RSlice, TD_Opaque};

use crate::blob::{BlobSink, BlobSource};
use crate::engine::{BlobSession, RecordSession};
use crate::error::{Error, ErrorClass, Result};
use crate::record::{Change, KeySink, RecordSink, Records, Value, ValueRef};

/// Bytes that a test puts, in slices of at most `step`, or in one piece.
struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
    step: Option<usize>,
    fail_at: Option<usize>,
}

impl abi::Source for Bytes<'_> {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn next(&mut self, max: usize) -> OpResult<RSlice<'_, u8>> {
        if self.fail_at.is_some_and(|at| self.at >= at) {
            let error = Error::new(ErrorClass::Other, "the source failed, as the test asked");
            return RResult::RErr(error.to_abi());
        }
        let take = max.min(self.step.unwrap_or(usize::MAX)).min(self.bytes.len() - self.at);
        let chunk = &self.bytes[self.at..self.at + take];
        self.at += take;
        RResult::ROk(RSlice::from_slice(chunk))
    }

    fn contiguous(&self) -> ROption<RSlice<'_, u8>> {
        match self.step {
            None => ROption::RSome(RSlice::from_slice(self.bytes)),
            Some(_) => ROption::RNone,
        }
    }
}

fn put_from(session: &mut dyn BlobSession, key: &[u8], mut bytes: Bytes<'_>) -> Result<u64> {
    session.put(
        key,
        &mut BlobSource::new(abi::Source_TO::from_ptr(abi::RMut::new(&mut bytes), TD_Opaque)),
    )
}

/// Puts these bytes from one piece of memory.
///
/// # Errors
///
/// The session's.
pub fn put(session: &mut dyn BlobSession, key: &[u8], bytes: &[u8]) -> Result<u64> {
    put_from(session, key, Bytes { bytes, at: 0, step: None, fail_at: None })
}

/// Puts these bytes from a source that gives at most `step` bytes at once and has no piece as a
/// whole.
///
/// # Errors
///
/// The session's.
pub fn put_in_steps(
    session: &mut dyn BlobSession,
    key: &[u8],
    bytes: &[u8],
    step: usize,
) -> Result<u64> {
    put_from(session, key, Bytes { bytes, at: 0, step: Some(step), fail_at: None })
}

/// Puts from a source that fails once `fail_at` bytes were handed out in steps of `step`.
///
/// # Errors
///
/// The session's; success would be a fault of the engine.
pub fn put_failing(
    session: &mut dyn BlobSession,
    key: &[u8],
    bytes: &[u8],
    step: usize,
    fail_at: usize,
) -> Result<u64> {
    put_from(session, key, Bytes { bytes, at: 0, step: Some(step), fail_at: Some(fail_at) })
}

struct Collect {
    bytes: Vec<u8>,
    limit: usize,
}

impl abi::Sink for Collect {
    fn write(&mut self, chunk: RSlice<'_, u8>) -> OpResult<()> {
        if self.bytes.len() + chunk.len() > self.limit {
            let error = Error::new(ErrorClass::Other, "the sink wants no more, as the test asked");
            return RResult::RErr(error.to_abi());
        }
        self.bytes.extend_from_slice(chunk.into());
        RResult::ROk(())
    }
}

fn collect(limit: usize, read: impl FnOnce(&mut BlobSink<'_>) -> Result<u64>) -> Result<Vec<u8>> {
    let mut collected = Collect { bytes: Vec::new(), limit };
    let told = read(&mut BlobSink::new(abi::Sink_TO::from_ptr(
        abi::RMut::new(&mut collected),
        TD_Opaque,
    )))?;
    assert_eq!(told, collected.bytes.len() as u64, "the returned length is what was written");
    Ok(collected.bytes)
}

/// Gets a blob whole.
///
/// # Errors
///
/// The session's.
///
/// # Panics
///
/// If the session returns another length than it wrote.
pub fn get(session: &mut dyn BlobSession, key: &[u8]) -> Result<Vec<u8>> {
    collect(usize::MAX, |sink| session.get(key, sink))
}

/// Gets a blob into a sink that refuses to take more than `limit` bytes.
///
/// # Errors
///
/// The session's.
///
/// # Panics
///
/// If the session returns another length than it wrote.
pub fn get_at_most(session: &mut dyn BlobSession, key: &[u8], limit: usize) -> Result<Vec<u8>> {
    collect(limit, |sink| session.get(key, sink))
}

/// Gets a part of a blob.
///
/// # Errors
///
/// The session's.
///
/// # Panics
///
/// If the session returns another length than it wrote.
pub fn get_range(
    session: &mut dyn BlobSession,
    key: &[u8],
    offset: u64,
    len: u64,
) -> Result<Vec<u8>> {
    collect(usize::MAX, |sink| session.get_range(key, offset, len, sink))
}

/// A value that a test owns.
#[derive(Clone, PartialEq, Debug)]
pub enum OwnedValue {
    /// No value.
    Null,
    /// A truth value.
    Bool(bool),
    /// A signed number.
    I64(i64),
    /// A floating-point number.
    F64(f64),
    /// UTF-8 text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

impl OwnedValue {
    fn from_value(value: Value<'_>) -> Result<Self> {
        Ok(match value.view()? {
            ValueRef::Null => Self::Null,
            ValueRef::Bool(value) => Self::Bool(value),
            ValueRef::I64(value) => Self::I64(value),
            ValueRef::F64(value) => Self::F64(value),
            ValueRef::Text(value) => Self::Text(value.into()),
            ValueRef::Bytes(value) => Self::Bytes(value.into()),
        })
    }

    /// The same value, borrowed.
    #[must_use]
    pub fn as_value(&self) -> Value<'_> {
        match self {
            Self::Null => Value::null(),
            Self::Bool(value) => Value::bool(*value),
            Self::I64(value) => Value::i64(*value),
            Self::F64(value) => Value::f64(*value),
            Self::Text(value) => Value::text(value),
            Self::Bytes(value) => Value::bytes(value),
        }
    }
}

/// A record that a test owns: key and values.
pub type OwnedRecord = (Vec<u8>, Vec<OwnedValue>);

struct Keys(Vec<Vec<u8>>);

impl abi::KeySink for Keys {
    fn key(&mut self, key: RSlice<'_, u8>) -> OpResult<()> {
        self.0.push(key.to_vec());
        RResult::ROk(())
    }
}

/// Inserts these records in one transaction. Returns their keys.
///
/// # Errors
///
/// The session's.
pub fn insert(session: &mut dyn RecordSession, records: &[OwnedRecord]) -> Result<Vec<Vec<u8>>> {
    let values: Vec<Vec<abi::Value<'_>>> = records
        .iter()
        .map(|(_, values)| values.iter().map(|value| value.as_value().into_abi()).collect())
        .collect();
    let records: Vec<abi::Record<'_>> = records
        .iter()
        .zip(&values)
        .map(|((key, _), values)| abi::Record {
            key: RSlice::from_slice(key),
            values: RSlice::from_slice(values),
        })
        .collect();
    let mut keys = Keys(Vec::new());
    session.insert(
        Records::new(&records),
        &mut KeySink::new(abi::KeySink_TO::from_ptr(abi::RMut::new(&mut keys), TD_Opaque)),
    )?;
    Ok(keys.0)
}

struct CollectRecords(Vec<OwnedRecord>);

impl abi::RecordSink for CollectRecords {
    fn record(&mut self, record: &abi::Record<'_>) -> OpResult<()> {
        let values: &[abi::Value<'_>] = record.values.into();
        let owned: Result<Vec<_>> =
            values.iter().map(|value| OwnedValue::from_value(Value::from_abi(*value))).collect();
        match owned {
            Ok(values) => {
                self.0.push((record.key.to_vec(), values));
                RResult::ROk(())
            }
            Err(error) => RResult::RErr(error.to_abi()),
        }
    }
}

/// Runs a read with a sink in memory. Returns the records that it took.
///
/// ```ignore
/// let found = testing::read_records(|sink| session.scan(b"", 10, sink).map(drop))?;
/// ```
///
/// # Errors
///
/// The read's.
pub fn read_records(
    read: impl FnOnce(&mut RecordSink<'_>) -> Result<()>,
) -> Result<Vec<OwnedRecord>> {
    let mut collected = CollectRecords(Vec::new());
    read(&mut RecordSink::new(abi::RecordSink_TO::from_ptr(
        abi::RMut::new(&mut collected),
        TD_Opaque,
    )))?;
    Ok(collected.0)
}

/// A field and a value for an update or a find.
#[must_use]
pub fn change(field: usize, value: &OwnedValue) -> Change<'_> {
    Change { field, value: value.as_value() }
}
