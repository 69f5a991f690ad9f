//! What a store of records is told before its first use.

use stowmark_abi as abi;
use stowmark_abi::RSlice;

/// What a field holds.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ValueKind {
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
}

/// How keys come about.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum KeyKind {
    /// Given: bytes, whose order is the intended order.
    Bytes,
    /// Given: an unsigned number of 8 bytes, big-endian.
    Integer,
    /// Made by the engine on insert; records carry an empty key.
    Generated,
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
    pub fields: Vec<u32>,
}

/// What a store holds.
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
    /// The schema of a store of blobs, which has no fields.
    pub fn blobs(name: impl Into<String>) -> Self {
        Self { name: name.into(), key: KeyKind::Bytes, fields: Vec::new(), indexes: Vec::new() }
    }

    pub(crate) fn with_abi<R>(&self, run: impl FnOnce(&abi::Schema<'_>) -> R) -> R {
        let fields: Vec<_> = self
            .fields
            .iter()
            .map(|field| abi::FieldSpec {
                name: field.name.as_str().into(),
                kind: match field.kind {
                    ValueKind::Bool => abi::ValueKind::BOOL,
                    ValueKind::I64 => abi::ValueKind::I64,
                    ValueKind::F64 => abi::ValueKind::F64,
                    ValueKind::Text => abi::ValueKind::TEXT,
                    ValueKind::Bytes => abi::ValueKind::BYTES,
                },
            })
            .collect();
        let indexes: Vec<_> = self
            .indexes
            .iter()
            .map(|index| abi::IndexSpec {
                name: index.name.as_str().into(),
                fields: RSlice::from_slice(&index.fields),
                extra: RSlice::EMPTY,
            })
            .collect();
        run(&abi::Schema {
            name: self.name.as_str().into(),
            key: match self.key {
                KeyKind::Bytes => abi::KeyKind::BYTES,
                KeyKind::Integer => abi::KeyKind::INTEGER,
                KeyKind::Generated => abi::KeyKind::GENERATED,
            },
            fields: RSlice::from_slice(&fields),
            indexes: RSlice::from_slice(&indexes),
            extra: RSlice::EMPTY,
        })
    }
}
