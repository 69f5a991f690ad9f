//! Records across the border.

use stowmark_host::{
    ErrorClass, FieldSpec, FieldValue, IndexSpec, KeyKind, OpError, Record, RecordSession,
    RecordView, Schema, Store, Value, ValueKind,
};

use crate::support::open;

fn schema(key: KeyKind) -> Schema {
    let kinds = [
        ("flag", ValueKind::Bool),
        ("count", ValueKind::I64),
        ("ratio", ValueKind::F64),
        ("title", ValueKind::Text),
        ("body", ValueKind::Bytes),
    ];
    let fields =
        kinds.map(|(name, kind)| FieldSpec { name: name.into(), kind }).into_iter().collect();
    let indexes = vec![IndexSpec { name: "by_count".into(), fields: vec![1, 0] }];
    Schema { name: "pages".into(), key, fields, indexes }
}

fn records(key: KeyKind) -> (Store, RecordSession) {
    let store = open("memory", &[]);
    store.prepare(&schema(key)).unwrap();
    let session = store.record_session(0).unwrap();
    (store, session)
}

fn values(count: i64) -> [Value<'static>; 5] {
    [
        Value::Bool(count % 2 == 0),
        Value::I64(count),
        Value::F64(0.5),
        Value::Text("ü"),
        Value::Bytes(&[0, 255]),
    ]
}

fn insert(session: &mut RecordSession, records: &[Record<'_>]) -> Result<Vec<Vec<u8>>, OpError> {
    let mut keys = Vec::new();
    session.insert(records, |key| {
        keys.push(key.to_vec());
        Ok(())
    })?;
    Ok(keys)
}

/// Takes each record's key and its field `count`.
fn taking(into: &mut Vec<(Vec<u8>, i64)>) -> impl FnMut(RecordView<'_>) -> Result<(), OpError> {
    |record| {
        let count = match record.values().nth(1).unwrap()? {
            Value::I64(count) => count,
            other => panic!("{other:?}"),
        };
        into.push((record.key().to_vec(), count));
        Ok(())
    }
}

#[test]
fn a_record_comes_back_with_values_of_every_kind() {
    let (_store, mut session) = records(KeyKind::Bytes);
    let all_kinds = values(i64::MIN);
    let nulls = [Value::Null; 5];
    let batch =
        [Record { key: b"all", values: &all_kinds }, Record { key: b"none", values: &nulls }];
    assert_eq!(insert(&mut session, &batch).unwrap(), [b"all".to_vec(), b"none".to_vec()]);
    for record in batch {
        session
            .get(record.key, |view| {
                assert_eq!((view.key(), view.len()), (record.key, 5));
                let values: Vec<_> = view.values().collect::<Result<_, _>>()?;
                assert_eq!(values, record.values);
                Ok(())
            })
            .unwrap();
    }
    let absent = session.get(b"absent", |_| panic!("there is none")).unwrap_err();
    assert_eq!(absent.class, ErrorClass::NotFound);
}

#[test]
fn records_are_scanned_in_byte_order_and_found_by_fields() {
    let (_store, mut session) = records(KeyKind::Integer);
    let rows: Vec<_> =
        (0..300_u64).rev().map(|n| (n.to_be_bytes(), values(n as i64 / 3))).collect();
    let batch: Vec<_> = rows.iter().map(|(key, values)| Record { key, values }).collect();
    insert(&mut session, &batch).unwrap();

    let mut scanned = Vec::new();
    let count = session.scan(&250_u64.to_be_bytes(), 10, taking(&mut scanned)).unwrap();
    let keys: Vec<_> = scanned.into_iter().map(|(key, _)| key).collect();
    let expected: Vec<_> = (250..260_u64).map(|n| n.to_be_bytes().to_vec()).collect();
    assert_eq!((count, keys), (10, expected));

    let conditions = [
        FieldValue { field: 1, value: Value::I64(40) },
        FieldValue { field: 3, value: Value::Text("ü") },
    ];
    let mut found = Vec::new();
    assert_eq!(session.find(&conditions, 99, taking(&mut found)).unwrap(), 3);
    assert!(found.iter().all(|(_, count)| *count == 40), "{found:?}");
    let other = [FieldValue { field: 3, value: Value::Text("u") }];
    assert_eq!(session.find(&other, 99, taking(&mut found)).unwrap(), 0);
}

#[test]
fn an_update_changes_its_fields_only_and_a_delete_the_record() {
    let (store, mut session) = records(KeyKind::Bytes);
    insert(&mut session, &[Record { key: b"k", values: &values(1) }]).unwrap();
    session.update(b"k", &[FieldValue { field: 1, value: Value::I64(2) }]).unwrap();
    let mut seen = Vec::new();
    session
        .get(b"k", |view| {
            seen = view.values().map(|value| format!("{:?}", value.unwrap())).collect();
            Ok(())
        })
        .unwrap();
    let [flag, _, ratio, title, body] = values(1).map(|value| format!("{value:?}"));
    assert_eq!(seen, [flag, "I64(2)".into(), ratio, title, body]);
    session.delete(b"k").unwrap();
    assert_eq!(session.update(b"k", &[]).unwrap_err().class, ErrorClass::NotFound);
    assert!(store.stats().unwrap().contains(&("records".into(), 0)));
}

#[test]
fn made_keys_are_told_and_lead_to_their_records() {
    let (_store, mut session) = records(KeyKind::Generated);
    let rows: Vec<_> = (0..100).map(values).collect();
    let batch: Vec<_> = rows.iter().map(|values| Record { key: b"", values }).collect();
    let keys = insert(&mut session, &batch).unwrap();
    assert_eq!(keys.len(), 100);
    let mut read = Vec::new();
    for key in &keys {
        session.get(key, taking(&mut read)).unwrap();
    }
    assert_eq!(read, keys.into_iter().zip(0..).collect::<Vec<_>>());
}

#[test]
fn a_batch_is_stored_whole_or_not_at_all() {
    let (store, mut session) = records(KeyKind::Bytes);
    let good = values(1);
    let records = [Record { key: b"a", values: &good }, Record { key: b"b", values: &good[1..] }];
    let error = insert(&mut session, &records).unwrap_err();
    assert!(error.message.contains("insert b"), "{error}");
    let refusal = OpError::new(ErrorClass::Denied, "no keys, please");
    let error = session.insert(&records[..1], |_| Err(refusal.clone())).unwrap_err();
    assert_eq!(error, refusal);
    assert!(store.stats().unwrap().contains(&("records".into(), 0)));
    insert(&mut session, &records[..1]).unwrap();
}

#[test]
fn a_visitor_may_stop_or_panic_and_the_session_goes_on() {
    let (_store, mut session) = records(KeyKind::Bytes);
    insert(&mut session, &[Record { key: b"k", values: &values(1) }]).unwrap();
    let enough = OpError::new(ErrorClass::Other, "enough");
    let stopped = session.scan(b"", 9, |_| Err(enough.clone())).unwrap_err();
    assert_eq!(stopped, enough);
    let panicked = session.scan(b"", 9, |_| panic!("boom")).unwrap_err();
    assert_eq!(panicked.class, ErrorClass::HostPanicked);
    assert!(panicked.message.contains("boom"), "{panicked}");
    let class = session.insert(&[Record { key: b"x", values: &values(1) }], |_| panic!("boom"));
    assert_eq!(class.unwrap_err().class, ErrorClass::HostPanicked);
    let mut seen = Vec::new();
    session.get(b"k", taking(&mut seen)).unwrap();
    assert_eq!(seen, [(b"k".to_vec(), 1)]);
}

#[test]
fn records_before_prepare_and_an_impossible_index_are_refused() {
    let store = open("memory", &[]);
    store.prepare(&Schema::blobs("blobs")).unwrap();
    let mut session = store.record_session(0).unwrap();
    insert(&mut session, &[Record { key: b"k", values: &[] }]).unwrap_err();
    let mut odd = schema(KeyKind::Bytes);
    odd.indexes[0].fields.push(5);
    assert!(store.prepare(&odd).unwrap_err().message.contains("by_count"));
}
