//! Both models through the kit's own sources and sinks, without a host.

use std::path::Path;

use stowmark_plugin::testing::{self, OwnedRecord, OwnedValue};
use stowmark_plugin::{
    Engine, ErrorClass, FieldSpec, IndexSpec, KeyKind, OpenRequest, RecordSession, Schema, Store,
    Tier, ValueKind,
};

use crate::Memory;

fn store() -> Box<dyn Store> {
    Memory.open(&OpenRequest::new(Path::new("unused"), Tier::Acknowledged, &[])).unwrap()
}

fn schema(key: KeyKind) -> Schema {
    Schema {
        name: "things".into(),
        key,
        fields: vec![
            FieldSpec { name: "name".into(), kind: ValueKind::Text },
            FieldSpec { name: "size".into(), kind: ValueKind::I64 },
        ],
        indexes: vec![IndexSpec { name: "by_size".into(), fields: vec![1] }],
    }
}

fn records(key: KeyKind) -> (Box<dyn Store>, Box<dyn RecordSession>) {
    let store = store();
    store.prepare(&schema(key)).unwrap();
    let session = store.record_session(0).unwrap();
    (store, session)
}

fn record(key: &[u8], name: &str, size: i64) -> OwnedRecord {
    (key.into(), vec![OwnedValue::Text(name.into()), OwnedValue::I64(size)])
}

fn all(session: &mut dyn RecordSession) -> Vec<OwnedRecord> {
    testing::read_records(|sink| session.scan(b"", u64::MAX, sink).map(drop)).unwrap()
}

#[test]
fn a_tier_that_memory_cannot_honour_is_refused() {
    let request = OpenRequest::new(Path::new("unused"), Tier::Media, &[]);
    assert_eq!(Memory.open(&request).err().unwrap().class(), ErrorClass::Unsupported);
}

#[test]
fn a_blob_is_what_was_put_last_until_it_is_deleted() {
    let store = store();
    let (mut one, mut other) = (store.blob_session(0).unwrap(), store.blob_session(1).unwrap());
    testing::put(&mut *one, b"k", b"first").unwrap();
    testing::put_in_steps(&mut *one, b"k", b"second", 4).unwrap();
    assert_eq!(testing::get(&mut *other, b"k").unwrap(), b"second");
    assert_eq!(testing::get_range(&mut *other, b"k", 4, 9).unwrap(), b"nd");
    assert_eq!(testing::get_range(&mut *other, b"k", 9, u64::MAX).unwrap(), b"");
    assert_eq!(other.length(b"k").unwrap(), 6);
    other.delete(b"k").unwrap();
    assert_eq!(testing::get(&mut *one, b"k").unwrap_err().class(), ErrorClass::NotFound);
}

#[test]
fn a_put_that_fails_leaves_the_blob_before_it() {
    let store = store();
    let mut session = store.blob_session(0).unwrap();
    testing::put(&mut *session, b"k", b"whole").unwrap();
    testing::put_failing(&mut *session, b"k", b"broken off", 2, 4).unwrap_err();
    assert_eq!(testing::get(&mut *session, b"k").unwrap(), b"whole");
}

#[test]
fn made_keys_are_told_in_order_and_scan_in_that_order() {
    let (_store, mut session) = records(KeyKind::Generated);
    let given: Vec<_> = (0..300).map(|size| record(b"", "x", size)).collect();
    let keys = testing::insert(&mut *session, &given).unwrap();
    assert!(keys.is_sorted());
    let sizes: Vec<_> = all(&mut *session).into_iter().map(|(_, row)| row[1].clone()).collect();
    assert_eq!(sizes, (0..300).map(OwnedValue::I64).collect::<Vec<_>>());
}

#[test]
fn a_batch_with_one_wrong_record_stores_none_of_it() {
    let (_store, mut session) = records(KeyKind::Bytes);
    let wrong_kind = (b"b".to_vec(), vec![OwnedValue::I64(1), OwnedValue::I64(1)]);
    let too_few = (b"b".to_vec(), vec![OwnedValue::Null]);
    let no_key = record(b"", "b", 1);
    for wrong in [wrong_kind, too_few, no_key] {
        testing::insert(&mut *session, &[record(b"a", "a", 1), wrong]).unwrap_err();
        assert_eq!(all(&mut *session), []);
    }
}

#[test]
fn records_are_scanned_found_updated_and_deleted() {
    let (store, mut session) = records(KeyKind::Bytes);
    let given = [record(b"b", "two", 7), record(b"\xff", "three", 7), record(b"a", "one", 1)];
    testing::insert(&mut *session, &given).unwrap();
    let keys = |records: Vec<OwnedRecord>| -> Vec<Vec<u8>> {
        records.into_iter().map(|(key, _)| key).collect()
    };
    let from_b = testing::read_records(|sink| session.scan(b"aa", 1, sink).map(drop)).unwrap();
    assert_eq!(keys(from_b), [b"b"]);

    let seven = OwnedValue::I64(7);
    let condition = [testing::change(1, &seven)];
    let mut found = |limit| {
        testing::read_records(|sink| session.find(&condition, limit, sink).map(drop)).unwrap()
    };
    assert_eq!(keys(found(9)), [b"b".as_slice(), b"\xff"]);
    assert_eq!(found(1).len(), 1);

    let null = OwnedValue::Null;
    session.update(b"b", &[testing::change(1, &null)]).unwrap();
    let text = OwnedValue::Text("no number".into());
    session.update(b"b", &[testing::change(1, &text)]).unwrap_err();
    let changed = testing::read_records(|sink| session.get(b"b", sink)).unwrap();
    assert_eq!(changed, [(b"b".to_vec(), vec![OwnedValue::Text("two".into()), null])]);

    session.delete(b"b").unwrap();
    let class = session.delete(b"b").unwrap_err().class();
    assert_eq!(class, ErrorClass::NotFound);
    assert_eq!(keys(all(&mut *session)), [b"a".as_slice(), b"\xff"]);
    let records = store.stats().unwrap().into_iter().find(|stat| stat.name == "records").unwrap();
    assert_eq!(records.value, 2);
}

#[test]
fn a_store_keeps_its_first_schema() {
    let (store, mut session) = records(KeyKind::Integer);
    store.prepare(&schema(KeyKind::Integer)).unwrap();
    store.prepare(&schema(KeyKind::Bytes)).unwrap_err();
    testing::insert(&mut *session, &[record(b"short", "x", 1)]).unwrap_err();
    testing::insert(&mut *session, &[record(&[0, 0, 0, 0, 0, 0, 0, 9], "x", 1)]).unwrap();
}
