//! Records on their way in and out: schema, values, and the sinks that take them.
//!
//! [`Value`] has the layout that crosses the border, so that neither side copies or allocates for a
//! record; [`ValueRef`] is its plain Rust form for matching.

use stowmark_abi as abi;
use stowmark_abi::{RResult, RSlice};

use crate::error::{Error, Result};

/// What a field holds.
#[non_exhaustive]
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ValueKind {
    /// No value.
    Null,
    /// A truth value.
    Bool,
    /// A signed number.
    I64,
    /// A floating-point number.
    F64,
    /// UTF-8 text.
    Text,
    /// Bytes.
    Bytes,
    /// A kind of a later ABI, by its number.
    Unknown(u32),
}

impl ValueKind {
    fn from_abi(kind: abi::ValueKind) -> Self {
        match kind {
            abi::ValueKind::NULL => Self::Null,
            abi::ValueKind::BOOL => Self::Bool,
            abi::ValueKind::I64 => Self::I64,
            abi::ValueKind::F64 => Self::F64,
            abi::ValueKind::TEXT => Self::Text,
            abi::ValueKind::BYTES => Self::Bytes,
            abi::ValueKind(other) => Self::Unknown(other),
        }
    }
}

/// One field's value, in the form that crosses the border.
#[repr(transparent)]
#[derive(Copy, Clone, Debug)]
pub struct Value<'a>(abi::Value<'a>);

/// A [`Value`] taken apart.
#[non_exhaustive]
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum ValueRef<'a> {
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
    /// No value.
    #[must_use]
    pub fn null() -> Self {
        Self(abi::Value::null())
    }

    /// A truth value.
    #[must_use]
    pub fn bool(value: bool) -> Self {
        Self(abi::Value::number(abi::ValueKind::BOOL, value.into()))
    }

    /// A signed number.
    #[must_use]
    pub fn i64(value: i64) -> Self {
        Self(abi::Value::number(abi::ValueKind::I64, value.cast_unsigned()))
    }

    /// A floating-point number.
    #[must_use]
    pub fn f64(value: f64) -> Self {
        Self(abi::Value::number(abi::ValueKind::F64, value.to_bits()))
    }

    /// UTF-8 text.
    #[must_use]
    pub fn text(value: &'a str) -> Self {
        Self(abi::Value::data(abi::ValueKind::TEXT, value.as_bytes()))
    }

    /// Bytes.
    #[must_use]
    pub fn bytes(value: &'a [u8]) -> Self {
        Self(abi::Value::data(abi::ValueKind::BYTES, value))
    }

    pub(crate) fn from_abi(value: abi::Value<'a>) -> Self {
        Self(value)
    }

    pub(crate) fn into_abi(self) -> abi::Value<'a> {
        self.0
    }

    /// The value taken apart.
    ///
    /// # Errors
    ///
    /// `Unsupported` for a kind of a later ABI, `Corrupt` for text that is not UTF-8.
    pub fn view(&self) -> Result<ValueRef<'a>> {
        let abi::Value { kind, bits, data } = self.0;
        Ok(match ValueKind::from_abi(kind) {
            ValueKind::Null => ValueRef::Null,
            ValueKind::Bool => ValueRef::Bool(bits != 0),
            ValueKind::I64 => ValueRef::I64(bits.cast_signed()),
            ValueKind::F64 => ValueRef::F64(f64::from_bits(bits)),
            ValueKind::Bytes => ValueRef::Bytes(data.into()),
            ValueKind::Text => ValueRef::Text(std::str::from_utf8(data.into()).map_err(|_| {
                Error::new(crate::ErrorClass::Corrupt, "a text value is not UTF-8")
            })?),
            ValueKind::Unknown(number) => {
                return Err(Error::new(
                    crate::ErrorClass::Unsupported,
                    format!("a value of kind {number} is newer than this plugin"),
                ));
            }
        })
    }
}

/// How keys come about.
#[non_exhaustive]
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum KeyKind {
    /// Given: bytes, whose order is the intended order.
    Bytes,
    /// Given: an unsigned number of 8 bytes, big-endian.
    Integer,
    /// Made by the engine on insert.
    Generated,
    /// A kind of a later ABI, by its number.
    Unknown(u32),
}

/// One field of a schema.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldSpec {
    /// Its name, unique within the schema.
    pub name: String,
    /// What its values hold; each may be null instead.
    pub kind: ValueKind,
}

/// One secondary index of a schema.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IndexSpec {
    /// Its name, unique within the schema.
    pub name: String,
    /// Which fields it orders by, as positions in the schema.
    pub fields: Vec<usize>,
}

/// What a store holds. For blobs it has no fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schema {
    /// The collection's or table's name.
    pub name: String,
    /// How keys come about.
    pub key: KeyKind,
    /// The fields, in the order of each record's values.
    pub fields: Vec<FieldSpec>,
    /// The secondary indexes; the key has its own.
    pub indexes: Vec<IndexSpec>,
}

impl Schema {
    pub(crate) fn from_abi(schema: &abi::Schema<'_>) -> Self {
        Self {
            name: schema.name.to_string(),
            key: match schema.key {
                abi::KeyKind::BYTES => KeyKind::Bytes,
                abi::KeyKind::INTEGER => KeyKind::Integer,
                abi::KeyKind::GENERATED => KeyKind::Generated,
                abi::KeyKind(other) => KeyKind::Unknown(other),
            },
            fields: schema
                .fields
                .iter()
                .map(|field| FieldSpec {
                    name: field.name.to_string(),
                    kind: ValueKind::from_abi(field.kind),
                })
                .collect(),
            indexes: schema
                .indexes
                .iter()
                .map(|index| IndexSpec {
                    name: index.name.to_string(),
                    fields: index.fields.iter().map(|field| *field as usize).collect(),
                })
                .collect(),
        }
    }
}

/// One record of an insert.
#[derive(Copy, Clone, Debug)]
pub struct Record<'a> {
    inner: &'a abi::Record<'a>,
}

impl<'a> Record<'a> {
    /// Its key; empty where the engine makes it.
    #[must_use]
    pub fn key(&self) -> &'a [u8] {
        self.inner.key.into()
    }

    /// Its values, in the schema's order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = Value<'a>> + use<'a> {
        let values: &'a [abi::Value<'a>] = self.inner.values.into();
        values.iter().map(|value| Value(*value))
    }
}

/// The records of an insert, all of one transaction.
#[derive(Copy, Clone, Debug)]
pub struct Records<'a> {
    inner: &'a [abi::Record<'a>],
}

impl<'a> Records<'a> {
    pub(crate) fn new(inner: &'a [abi::Record<'a>]) -> Self {
        Self { inner }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.inner.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.inner.is_empty()
    }

    /// The records in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Record<'a>> + use<'a> {
        self.inner.iter().map(|inner| Record { inner })
    }
}

/// A field and a value: what an update sets, what a find asks to be equal.
#[derive(Copy, Clone, Debug)]
pub struct Change<'a> {
    /// The field, as its position in the schema.
    pub field: usize,
    /// The value.
    pub value: Value<'a>,
}

impl<'a> Change<'a> {
    pub(crate) fn list(from: &[abi::FieldValue<'a>]) -> Vec<Self> {
        from.iter()
            .map(|pair| Self { field: pair.field as usize, value: Value(pair.value) })
            .collect()
    }
}

/// Takes the keys of inserted records.
pub struct KeySink<'a> {
    inner: abi::KeySinkRef<'a>,
}

impl<'a> KeySink<'a> {
    pub(crate) fn new(inner: abi::KeySinkRef<'a>) -> Self {
        Self { inner }
    }

    /// Tells the key of the next record, given or made, in the order of the records.
    ///
    /// # Errors
    ///
    /// The host's error; return it.
    pub fn key(&mut self, key: &[u8]) -> Result<()> {
        match self.inner.key(RSlice::from_slice(key)) {
            RResult::ROk(()) => Ok(()),
            RResult::RErr(error) => Err(Error::from_abi(&error)),
        }
    }
}

/// Takes the records of a get, find or scan.
pub struct RecordSink<'a> {
    inner: abi::RecordSinkRef<'a>,
}

impl<'a> RecordSink<'a> {
    pub(crate) fn new(inner: abi::RecordSinkRef<'a>) -> Self {
        Self { inner }
    }

    /// Hands over one record, its values in the schema's order.
    ///
    /// # Errors
    ///
    /// The host wants no more: stop and return this error; the session stays usable.
    pub fn record(&mut self, key: &[u8], values: &[Value<'_>]) -> Result<()> {
        let values = crate::adapter::abi_values(values);
        let record =
            abi::Record { key: RSlice::from_slice(key), values: RSlice::from_slice(values) };
        match self.inner.record(&record) {
            RResult::ROk(()) => Ok(()),
            RResult::RErr(error) => Err(Error::from_abi(&error)),
        }
    }
}
