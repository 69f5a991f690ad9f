//! Records: a key and fields, under a schema that is fixed before first use.
//!
//! Fields are positional: the schema names them once, and values cross in its order, so that no
//! name is compared or copied for each operation.

use abi_stable::StableAbi;
use abi_stable::sabi_trait;
use abi_stable::sabi_types::RMut;
use abi_stable::std_types::{RBox, RSlice, RStr};

use crate::engine::Pair;
use crate::error::{OpResult, unsupported};
use crate::value::{Value, ValueKind};

/// How keys come about. An open set.
#[repr(transparent)]
#[derive(StableAbi, Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct KeyKind(pub u32);

impl KeyKind {
    /// The host gives each key: bytes, whose order is the intended order.
    pub const BYTES: Self = Self(0);
    /// The host gives each key: an unsigned number of 8 bytes, big-endian.
    pub const INTEGER: Self = Self(1);
    /// The engine makes each key and tells it on insert; the host gives empty ones.
    pub const GENERATED: Self = Self(2);
}

/// One field of a schema.
#[repr(C)]
#[derive(StableAbi, Copy, Clone, Debug)]
pub struct FieldSpec<'a> {
    /// Its name, unique within the schema.
    pub name: RStr<'a>,
    /// What its values hold; each may be null instead.
    pub kind: ValueKind,
}

/// One secondary index of a schema.
#[repr(C)]
#[derive(StableAbi, Copy, Clone, Debug)]
pub struct IndexSpec<'a> {
    /// Its name, unique within the schema.
    pub name: RStr<'a>,
    /// Which fields it orders by, as positions in the schema.
    pub fields: RSlice<'a, u32>,
    /// What later versions say about it.
    pub extra: RSlice<'a, Pair<'a>>,
}

/// What a store of records holds.
#[repr(C)]
#[derive(StableAbi, Copy, Clone, Debug)]
pub struct Schema<'a> {
    /// The collection's or table's name.
    pub name: RStr<'a>,
    /// How keys come about.
    pub key: KeyKind,
    /// The fields, in the order in which values cross.
    pub fields: RSlice<'a, FieldSpec<'a>>,
    /// The secondary indexes; the key has its own.
    pub indexes: RSlice<'a, IndexSpec<'a>>,
    /// What later versions say about it.
    pub extra: RSlice<'a, Pair<'a>>,
}

/// One record: a key and a value for each field of the schema.
#[repr(C)]
#[derive(StableAbi, Copy, Clone, Debug)]
pub struct Record<'a> {
    /// Its key; empty where the engine makes it.
    pub key: RSlice<'a, u8>,
    /// Its values, in the schema's order.
    pub values: RSlice<'a, Value<'a>>,
}

/// A field and a value: what an update sets, what a find asks to be equal.
#[repr(C)]
#[derive(StableAbi, Copy, Clone, Debug)]
pub struct FieldValue<'a> {
    /// The field, as its position in the schema.
    pub field: u32,
    /// The value.
    pub value: Value<'a>,
}

/// Takes keys, one call each; implemented by the host.
#[sabi_trait]
pub trait KeySink {
    /// The key of the next record, in the order of the records that were given.
    #[sabi(last_prefix_field)]
    fn key(&mut self, key: RSlice<'_, u8>) -> OpResult<()>;
}

/// A key sink that an insert borrows.
pub type KeySinkRef<'a> = KeySink_TO<'a, RMut<'a, ()>>;

/// Takes records, one call each; implemented by the host.
#[sabi_trait]
pub trait RecordSink {
    /// The next record. An error means that the host wants no more: the engine stops and returns it.
    #[sabi(last_prefix_field)]
    fn record(&mut self, record: &Record<'_>) -> OpResult<()>;
}

/// A record sink that a read borrows.
pub type RecordSinkRef<'a> = RecordSink_TO<'a, RMut<'a, ()>>;

/// One client's use of a store of records. Used by one thread at a time.
#[sabi_trait]
pub trait RecordSession: Send {
    /// Stores all of these records in one transaction, or none of them; a key that is there already
    /// is replaced. Each key, given or made, goes to `keys` in order.
    fn insert(&mut self, records: RSlice<'_, Record<'_>>, keys: KeySinkRef<'_>) -> OpResult<()>;

    /// Hands the record to the sink; a key that is not there is `NOT_FOUND`.
    fn get(&mut self, key: RSlice<'_, u8>, sink: RecordSinkRef<'_>) -> OpResult<()>;

    /// Sets these fields and keeps the others; a key that is not there is `NOT_FOUND`.
    fn update(&mut self, key: RSlice<'_, u8>, changes: RSlice<'_, FieldValue<'_>>) -> OpResult<()> {
        let _ = (key, changes);
        unsupported("update")
    }

    /// Removes the record; a key that is not there is `NOT_FOUND`.
    fn delete(&mut self, key: RSlice<'_, u8>) -> OpResult<()> {
        let _ = key;
        unsupported("delete")
    }

    /// Hands at most `limit` records whose fields equal all of `conditions` to the sink, in no
    /// stated order. Returns how many.
    fn find(
        &mut self,
        conditions: RSlice<'_, FieldValue<'_>>,
        limit: u64,
        sink: RecordSinkRef<'_>,
    ) -> OpResult<u64> {
        let _ = (conditions, limit, sink);
        unsupported("find")
    }

    /// Hands at most `count` records to the sink, from the first key that is not below `from` on,
    /// in the order of the keys' bytes. Returns how many.
    #[sabi(last_prefix_field)]
    fn scan(&mut self, from: RSlice<'_, u8>, count: u64, sink: RecordSinkRef<'_>) -> OpResult<u64> {
        let _ = (from, count, sink);
        unsupported("scan")
    }
}

/// A record session that its holder owns.
pub type RecordSessionBox = RecordSession_TO<'static, RBox<()>>;
