//! Records by key, under one schema. A find looks at every record: indexes are accepted, since they
//! change no answer, and not kept.

use std::collections::BTreeMap;
use std::ops::Bound;

use stowmark_plugin::{
    Change, Error, ErrorClass, KeyKind, KeySink, Record, RecordSession, RecordSink, Records,
    Result, Schema, Value, ValueKind, ValueRef,
};

use crate::store::{Shared, read, write};

/// A value that the table owns.
#[derive(Clone, PartialEq, Debug)]
enum Owned {
    Null,
    Bool(bool),
    I64(i64),
    F64(f64),
    Text(String),
    Bytes(Vec<u8>),
}

impl Owned {
    fn new(value: Value<'_>) -> Result<Self> {
        Ok(match value.view()? {
            ValueRef::Null => Self::Null,
            ValueRef::Bool(value) => Self::Bool(value),
            ValueRef::I64(value) => Self::I64(value),
            ValueRef::F64(value) => Self::F64(value),
            ValueRef::Text(value) => Self::Text(value.into()),
            ValueRef::Bytes(value) => Self::Bytes(value.into()),
            other => return Err(wrong(format!("a value that memory cannot hold: {other:?}"))),
        })
    }

    fn as_value(&self) -> Value<'_> {
        match self {
            Self::Null => Value::null(),
            Self::Bool(value) => Value::bool(*value),
            Self::I64(value) => Value::i64(*value),
            Self::F64(value) => Value::f64(*value),
            Self::Text(value) => Value::text(value),
            Self::Bytes(value) => Value::bytes(value),
        }
    }

    fn fits(&self, kind: ValueKind) -> bool {
        matches!(
            (self, kind),
            (Self::Null, _)
                | (Self::Bool(_), ValueKind::Bool)
                | (Self::I64(_), ValueKind::I64)
                | (Self::F64(_), ValueKind::F64)
                | (Self::Text(_), ValueKind::Text)
                | (Self::Bytes(_), ValueKind::Bytes)
        )
    }

    fn logical_bytes(&self) -> usize {
        match self {
            Self::Null => 0,
            Self::Bool(_) => 1,
            Self::I64(_) | Self::F64(_) => 8,
            Self::Text(value) => value.len(),
            Self::Bytes(value) => value.len(),
        }
    }
}

type Row = Vec<Owned>;

/// The records and the schema that they are held to.
#[derive(Default)]
pub(crate) struct Table {
    schema: Option<Schema>,
    rows: BTreeMap<Vec<u8>, Row>,
    /// The number that the next made key will be.
    next: u64,
}

impl Table {
    /// Takes the schema. A second one must be the same, since records are held to the first.
    pub(crate) fn prepare(&mut self, schema: &Schema) -> Result<()> {
        if self.schema.as_ref().is_some_and(|earlier| earlier != schema) {
            return Err(wrong("prepare: the store has another schema already"));
        }
        if let KeyKind::Unknown(number) = schema.key {
            return Err(unsupported(format!("prepare: keys of kind {number}")));
        }
        for field in &schema.fields {
            if let ValueKind::Unknown(number) = field.kind {
                return Err(unsupported(format!("prepare: {} of kind {number}", field.name)));
            }
        }
        for index in &schema.indexes {
            if index.fields.iter().any(|field| *field >= schema.fields.len()) {
                return Err(wrong(format!("prepare: index {} has no such field", index.name)));
            }
        }
        self.schema = Some(schema.clone());
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn logical_bytes(&self) -> u64 {
        let bytes = |(key, row): (&Vec<u8>, &Row)| {
            key.len() + row.iter().map(Owned::logical_bytes).sum::<usize>()
        };
        self.rows.iter().map(|row| bytes(row) as u64).sum()
    }

    fn schema(&self, operation: &str) -> Result<&Schema> {
        self.schema
            .as_ref()
            .ok_or_else(|| wrong(format!("{operation}: the store was not prepared")))
    }

    /// The key under which a record goes in: the given one, or one made from the running number.
    fn key(&self, kind: KeyKind, record: Record<'_>, made: u64) -> Result<Vec<u8>> {
        let given = record.key();
        match kind {
            KeyKind::Bytes if !given.is_empty() => Ok(given.into()),
            KeyKind::Integer if given.len() == 8 => Ok(given.into()),
            // Big-endian, so that the order of the bytes is the order of the numbers.
            KeyKind::Generated if given.is_empty() => Ok((self.next + made).to_be_bytes().into()),
            _ => Err(wrong(format!("insert {}: no key of that kind", given.escape_ascii()))),
        }
    }

    fn row<'a>(&self, key: &[u8], values: impl ExactSizeIterator<Item = Value<'a>>) -> Result<Row> {
        let fields = &self.schema("insert")?.fields;
        let name = key.escape_ascii();
        if values.len() != fields.len() {
            let text = format!("insert {name}: {} values, {} fields", values.len(), fields.len());
            return Err(wrong(text));
        }
        let row: Row = values.map(Owned::new).collect::<Result<_>>()?;
        match row.iter().zip(fields).find(|(value, field)| !value.fits(field.kind)) {
            Some((_, field)) => {
                Err(wrong(format!("insert {name}: {} is of another kind", field.name)))
            }
            None => Ok(row),
        }
    }

    fn insert(&mut self, records: Records<'_>, keys: &mut KeySink<'_>) -> Result<()> {
        let kind = self.schema("insert")?.key;
        let mut fresh = Vec::with_capacity(records.len());
        for (made, record) in (0..).zip(records.iter()) {
            let key = self.key(kind, record, made)?;
            let row = self.row(&key, record.values())?;
            fresh.push((key, row));
        }
        // Told before anything is stored: from here on nothing can fail.
        for (key, _) in &fresh {
            keys.key(key)?;
        }
        self.next += fresh.len() as u64;
        self.rows.extend(fresh);
        Ok(())
    }

    fn update(&mut self, key: &[u8], changes: &[Change<'_>]) -> Result<()> {
        let fields = &self.schema("update")?.fields;
        let mut fresh = Vec::with_capacity(changes.len());
        for change in changes {
            let value = Owned::new(change.value)?;
            let fits = fields.get(change.field).is_some_and(|field| value.fits(field.kind));
            if !fits {
                return Err(wrong(format!(
                    "update {}: field {} does not exist or is of another kind",
                    key.escape_ascii(),
                    change.field
                )));
            }
            fresh.push((change.field, value));
        }
        let row = self.rows.get_mut(key).ok_or_else(|| Error::not_found("update", key))?;
        for (field, value) in fresh {
            row[field] = value;
        }
        Ok(())
    }
}

/// One client's session.
pub(crate) struct MemoryRecords {
    table: Shared<Table>,
}

impl MemoryRecords {
    pub(crate) fn new(table: Shared<Table>) -> Self {
        Self { table }
    }
}

impl RecordSession for MemoryRecords {
    fn insert(&mut self, records: Records<'_>, keys: &mut KeySink<'_>) -> Result<()> {
        write(&self.table).insert(records, keys)
    }

    fn get(&mut self, key: &[u8], sink: &mut RecordSink<'_>) -> Result<()> {
        let table = read(&self.table);
        let row = table.rows.get(key).ok_or_else(|| Error::not_found("get", key))?;
        hand_over(key, row, sink)
    }

    fn update(&mut self, key: &[u8], changes: &[Change<'_>]) -> Result<()> {
        write(&self.table).update(key, changes)
    }

    fn delete(&mut self, key: &[u8]) -> Result<()> {
        let gone = write(&self.table).rows.remove(key);
        gone.map(drop).ok_or_else(|| Error::not_found("delete", key))
    }

    fn find(
        &mut self,
        conditions: &[Change<'_>],
        limit: u64,
        sink: &mut RecordSink<'_>,
    ) -> Result<u64> {
        let mut wanted = Vec::with_capacity(conditions.len());
        for condition in conditions {
            wanted.push((condition.field, Owned::new(condition.value)?));
        }
        let table = read(&self.table);
        let equal = |row: &Row| wanted.iter().all(|(field, value)| row.get(*field) == Some(value));
        hand_over_all(table.rows.iter().filter(|(_, row)| equal(row)), limit, sink)
    }

    fn scan(&mut self, from: &[u8], count: u64, sink: &mut RecordSink<'_>) -> Result<u64> {
        let table = read(&self.table);
        let range = (Bound::Included(from), Bound::Unbounded);
        hand_over_all(table.rows.range::<[u8], _>(range), count, sink)
    }
}

fn hand_over_all<'a>(
    rows: impl Iterator<Item = (&'a Vec<u8>, &'a Row)>,
    limit: u64,
    sink: &mut RecordSink<'_>,
) -> Result<u64> {
    let mut handed = 0;
    for (key, row) in rows.take(usize::try_from(limit).unwrap_or(usize::MAX)) {
        hand_over(key, row, sink)?;
        handed += 1;
    }
    Ok(handed)
}

fn hand_over(key: &[u8], row: &Row, sink: &mut RecordSink<'_>) -> Result<()> {
    let values: Vec<Value<'_>> = row.iter().map(Owned::as_value).collect();
    sink.record(key, &values)
}

fn wrong(message: impl Into<String>) -> Error {
    Error::new(ErrorClass::Other, message)
}

fn unsupported(message: impl Into<String>) -> Error {
    Error::new(ErrorClass::Unsupported, message)
}
