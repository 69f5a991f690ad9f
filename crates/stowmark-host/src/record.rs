//! Records: their values, and a session on them.
//!
//! Values go in as a plain enum and are converted into the ABI's form in buffers that the session
//! keeps, so that an insert in a steady state allocates nothing. They come out as a view that takes
//! a value apart only when it is asked for.

use stowmark_abi as abi;
use stowmark_abi::{OpResult, RMut, RSlice, TD_Opaque};

use crate::blob::{Guarded, plain};
use crate::error::{ErrorClass, OpError};

/// One field's value.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Value<'a> {
    /// No value.
    Null,
    /// A truth value.
    Bool(bool),
    /// A signed number.
    I64(i64),
    /// A floating-point number.
    F64(f64),
    /// UTF-8 text.
    Text(&'a str),
    /// Bytes.
    Bytes(&'a [u8]),
}

impl<'a> Value<'a> {
    #[inline]
    fn to_abi(self) -> abi::Value<'a> {
        match self {
            Self::Null => abi::Value::null(),
            Self::Bool(value) => abi::Value::number(abi::ValueKind::BOOL, value.into()),
            Self::I64(value) => abi::Value::number(abi::ValueKind::I64, value.cast_unsigned()),
            Self::F64(value) => abi::Value::number(abi::ValueKind::F64, value.to_bits()),
            Self::Text(value) => abi::Value::data(abi::ValueKind::TEXT, value.as_bytes()),
            Self::Bytes(value) => abi::Value::data(abi::ValueKind::BYTES, value),
        }
    }

    fn from_abi(value: abi::Value<'a>) -> Result<Self, OpError> {
        let abi::Value { kind, bits, data } = value;
        Ok(match kind {
            abi::ValueKind::NULL => Self::Null,
            abi::ValueKind::BOOL => Self::Bool(bits != 0),
            abi::ValueKind::I64 => Self::I64(bits.cast_signed()),
            abi::ValueKind::F64 => Self::F64(f64::from_bits(bits)),
            abi::ValueKind::BYTES => Self::Bytes(data.into()),
            abi::ValueKind::TEXT => Self::Text(std::str::from_utf8(data.into()).map_err(|_| {
                OpError::new(ErrorClass::Corrupt, "the engine returned a text that is not UTF-8")
            })?),
            abi::ValueKind(number) => {
                return Err(OpError::new(
                    ErrorClass::Unsupported,
                    format!("the engine returned a value of kind {number}: update stowmark"),
                ));
            }
        })
    }
}

/// One record of an insert.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Record<'a> {
    /// Its key; empty where the engine makes it.
    pub key: &'a [u8],
    /// Its values, in the schema's order.
    pub values: &'a [Value<'a>],
}

/// A field and a value: what an update sets, what a find asks to be equal.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct FieldValue<'a> {
    /// The field, as its position in the schema.
    pub field: u32,
    /// The value.
    pub value: Value<'a>,
}

/// A record on its way out of a store, valid during the visitor's call.
#[derive(Copy, Clone, Debug)]
pub struct RecordView<'a> {
    inner: &'a abi::Record<'a>,
}

impl<'a> RecordView<'a> {
    /// Its key.
    #[must_use]
    pub fn key(&self) -> &'a [u8] {
        self.inner.key.into()
    }

    /// How many values it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.inner.values.len()
    }

    /// Whether it has no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its values, in the schema's order. A value is an error if it is a text that is not UTF-8
    /// (`Corrupt`) or of a kind that a later ABI brought (`Unsupported`).
    pub fn values(&self) -> impl ExactSizeIterator<Item = Result<Value<'a>, OpError>> + use<'a> {
        let values: &'a [abi::Value<'a>] = self.inner.values.into();
        values.iter().map(|value| Value::from_abi(*value))
    }
}

/// Empty buffers in the ABI's form, kept from call to call for the memory that they hold.
#[derive(Default)]
struct Buffers {
    values: Vec<abi::Value<'static>>,
    records: Vec<abi::Record<'static>>,
    pairs: Vec<abi::FieldValue<'static>>,
}

/// One client's use of a store of records. Drop it before its store is closed.
pub struct RecordSession {
    inner: abi::RecordSessionBox,
    buffers: Buffers,
}

impl RecordSession {
    pub(crate) fn new(inner: abi::RecordSessionBox) -> Self {
        Self { inner, buffers: Buffers::default() }
    }

    /// Stores all of these records in one transaction, or none; a key that is there already is
    /// replaced. Each key, given or made, goes to `keys` in order.
    ///
    /// # Errors
    ///
    /// The engine's, or `HostPanicked` if `keys` panicked.
    pub fn insert(
        &mut self,
        records: &[Record<'_>],
        mut keys: impl FnMut(&[u8]) -> Result<(), OpError>,
    ) -> Result<(), OpError> {
        let mut values = reused(std::mem::take(&mut self.buffers.values));
        values.extend(records.iter().flat_map(|record| record.values).map(|value| value.to_abi()));
        let mut rest = values.as_slice();
        let mut converted = reused(std::mem::take(&mut self.buffers.records));
        converted.extend(records.iter().map(|record| {
            let (own, others) = rest.split_at(record.values.len());
            rest = others;
            abi::Record { key: RSlice::from_slice(record.key), values: RSlice::from_slice(own) }
        }));

        let mut keys = Guarded::new(&mut keys);
        let object = abi::KeySink_TO::from_ptr(RMut::new(&mut keys), TD_Opaque);
        let result = self.inner.insert(RSlice::from_slice(&converted), object);
        let result = keys.finish(result);

        self.buffers.records = reused(converted);
        self.buffers.values = reused(values);
        result
    }

    /// Hands the record to `visit`.
    ///
    /// # Errors
    ///
    /// The engine's (`NotFound` for a key that is not there), or `HostPanicked` if `visit`
    /// panicked.
    pub fn get(
        &mut self,
        key: &[u8],
        mut visit: impl FnMut(RecordView<'_>) -> Result<(), OpError>,
    ) -> Result<(), OpError> {
        let mut visit = Guarded::new(&mut visit);
        let object = abi::RecordSink_TO::from_ptr(RMut::new(&mut visit), TD_Opaque);
        let result = self.inner.get(RSlice::from_slice(key), object);
        visit.finish(result)
    }

    /// Sets these fields and keeps the others.
    ///
    /// # Errors
    ///
    /// The engine's: `NotFound` for a key that is not there.
    pub fn update(&mut self, key: &[u8], changes: &[FieldValue<'_>]) -> Result<(), OpError> {
        self.with_pairs(changes, |session, changes| {
            plain(session.update(RSlice::from_slice(key), changes))
        })
    }

    /// Removes the record.
    ///
    /// # Errors
    ///
    /// The engine's: `NotFound` for a key that is not there.
    pub fn delete(&mut self, key: &[u8]) -> Result<(), OpError> {
        plain(self.inner.delete(RSlice::from_slice(key)))
    }

    /// Hands at most `limit` records whose fields equal all of `conditions` to `visit`, in no
    /// stated order. Returns how many, as the engine says it.
    ///
    /// # Errors
    ///
    /// As [`get`](Self::get); `Unsupported` where the engine cannot search by fields.
    pub fn find(
        &mut self,
        conditions: &[FieldValue<'_>],
        limit: u64,
        mut visit: impl FnMut(RecordView<'_>) -> Result<(), OpError>,
    ) -> Result<u64, OpError> {
        self.with_pairs(conditions, |session, conditions| {
            let mut visit = Guarded::new(&mut visit);
            let object = abi::RecordSink_TO::from_ptr(RMut::new(&mut visit), TD_Opaque);
            let result = session.find(conditions, limit, object);
            visit.finish(result)
        })
    }

    /// Hands at most `count` records to `visit`, from the first key that is not below `from` on, in
    /// the order of the keys' bytes. Returns how many, as the engine says it.
    ///
    /// # Errors
    ///
    /// As [`get`](Self::get); `Unsupported` where the engine keeps no order.
    pub fn scan(
        &mut self,
        from: &[u8],
        count: u64,
        mut visit: impl FnMut(RecordView<'_>) -> Result<(), OpError>,
    ) -> Result<u64, OpError> {
        let mut visit = Guarded::new(&mut visit);
        let object = abi::RecordSink_TO::from_ptr(RMut::new(&mut visit), TD_Opaque);
        let result = self.inner.scan(RSlice::from_slice(from), count, object);
        visit.finish(result)
    }

    fn with_pairs<R>(
        &mut self,
        pairs: &[FieldValue<'_>],
        run: impl FnOnce(&mut abi::RecordSessionBox, RSlice<'_, abi::FieldValue<'_>>) -> R,
    ) -> R {
        let mut converted = reused(std::mem::take(&mut self.buffers.pairs));
        converted.extend(
            pairs
                .iter()
                .map(|pair| abi::FieldValue { field: pair.field, value: pair.value.to_abi() }),
        );
        let result = run(&mut self.inner, RSlice::from_slice(&converted));
        self.buffers.pairs = reused(converted);
        result
    }
}

/// An empty buffer with the memory of another, whose elements borrowed from something else.
fn reused<From, To>(mut buffer: Vec<From>) -> Vec<To> {
    buffer.clear();
    // Collecting in place keeps the allocation, since both have one layout; there is no element.
    buffer.into_iter().map(|_| unreachable!("the buffer was cleared")).collect()
}

impl<F: FnMut(&[u8]) -> Result<(), OpError>> abi::KeySink for Guarded<'_, F> {
    fn key(&mut self, key: RSlice<'_, u8>) -> OpResult<()> {
        self.call("key sink", |sink| sink(key.into()))
    }
}

impl<F: FnMut(RecordView<'_>) -> Result<(), OpError>> abi::RecordSink for Guarded<'_, F> {
    fn record(&mut self, record: &abi::Record<'_>) -> OpResult<()> {
        self.call("record visitor", |visit| visit(RecordView { inner: record }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reused_buffer_is_empty_and_keeps_its_memory() {
        let mut full: Vec<abi::Value<'_>> = Vec::with_capacity(100);
        full.push(abi::Value::null());
        let memory = full.as_ptr().addr();
        let reused: Vec<abi::Value<'static>> = reused(full);
        assert!(reused.is_empty());
        assert_eq!((reused.as_ptr().addr(), reused.capacity()), (memory, 100));
    }

    #[test]
    fn values_survive_the_border_and_broken_ones_are_told() {
        let values = [
            Value::Null,
            Value::Bool(true),
            Value::I64(i64::MIN),
            Value::F64(-0.5),
            Value::Text("é"),
            Value::Bytes(&[0, 255]),
        ];
        for value in values {
            assert_eq!(Value::from_abi(value.to_abi()), Ok(value));
        }
        let class = |value| Value::from_abi(value).unwrap_err().class;
        let broken = abi::Value::data(abi::ValueKind::TEXT, &[255]);
        assert_eq!(class(broken), ErrorClass::Corrupt);
        assert_eq!(class(abi::Value::number(abi::ValueKind(77), 1)), ErrorClass::Unsupported);
    }
}
