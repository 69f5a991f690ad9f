//! The loop on a clock that stands still but for what a test adds to it.

use super::super::session::fake::{Act, HeldTicks, MapSession};
use super::super::sink;
use super::*;
use crate::clock::Moment;
use crate::protocol::Range as Blobs;
use stowmark_host::ErrorClass;
use stowmark_workload::{Key, KeyOrder, PayloadKind};

const SIZE: u64 = 100;

fn payloads() -> Payloads {
    Payloads::new(&PayloadKind::Random, 3).unwrap()
}

fn batch(kind: Kind, count: u64, size: u64) -> Batch {
    let range = Blobs { population: 1, first: 0, count, size };
    match kind {
        Kind::Get => Batch::any(range, KeyOrder::Sequential, 0, 0, count, &payloads()),
        _ => Batch::each(kind, range, KeyOrder::Sequential, 0, &payloads(), Vec::new()),
    }
}

/// Four ticks are one nanosecond.
fn rate() -> Rate {
    Rate::between(Moment { ticks: 0, ns: 0 }, Moment { ticks: 4_000_000, ns: 1_000_000 })
}

/// Runs a part of a batch until the deadline. Returns the first operation that was not done.
fn run_until(
    deadline_ticks: u64,
    session: &mut MapSession<'_>,
    batch: &Batch,
    part: Range<usize>,
    record: &mut Record,
) -> usize {
    let clock = session.clock;
    let payloads = payloads();
    let measure = Measure { clock, rate: rate(), batch, payloads: &payloads, deadline_ticks };
    measure.run(session, part, &mut sink::buffer(), record)
}

/// Runs a whole batch.
fn run(session: &mut MapSession<'_>, batch: &Batch) -> Record {
    let mut record = Record::new();
    let count = batch.keys.len();
    assert_eq!(run_until(u64::MAX, session, batch, 0..count, &mut record), count);
    record
}

fn act(first: u64, rest: u64) -> Act {
    Act { first, rest, ..Act::default() }
}

fn fails(class: ErrorClass, ticks: u64) -> Act {
    Act { error: Some(class), ..act(0, ticks) }
}

/// A session in which the batch's blobs were put.
fn stored<'a>(clock: &'a HeldTicks, count: u64, size: u64, acts: Vec<Act>) -> MapSession<'a> {
    let mut session = MapSession::new(clock, []);
    run(&mut session, &batch(Kind::Put, count, size));
    session.acts = acts.into();
    session
}

/// The recorded nanoseconds and how often each.
fn recorded(times: &Histogram<u64>) -> Vec<(u64, u64)> {
    times.iter_recorded().map(|v| (v.value_iterated_to(), v.count_at_value())).collect()
}

#[test]
fn every_operation_is_summed_and_recorded_in_nanoseconds() {
    for kind in [Kind::Put, Kind::Delete, Kind::Get] {
        let clock = HeldTicks::default();
        let acts = vec![act(400, 0), act(0, 800), act(300, 100)];
        let mut session = match kind {
            Kind::Put => MapSession::new(&clock, acts),
            _ => stored(&clock, 3, SIZE, acts),
        };
        let record = run(&mut session, &batch(kind, 3, SIZE));
        assert_eq!((record.ops, record.ticks), (3, 1_600), "{kind:?}");
        assert_eq!(record.bytes, if kind == Kind::Delete { 0 } else { 300 });
        assert_eq!(recorded(&record.times), [(100, 2), (200, 1)], "{kind:?}");
        assert!(record.errors.is_empty());
    }
}

#[test]
fn a_failed_operation_is_counted_by_class_and_in_no_figure() {
    for kind in [Kind::Put, Kind::Delete, Kind::Get] {
        let clock = HeldTicks::default();
        let acts = vec![
            act(0, 400),
            fails(ErrorClass::Transient, 1_000_000),
            fails(ErrorClass::Full, 2_000_000),
            act(0, 400),
            fails(ErrorClass::Transient, 4_000_000),
        ];
        let mut session = match kind {
            Kind::Put => MapSession::new(&clock, acts),
            _ => stored(&clock, 5, SIZE, acts),
        };
        let record = run(&mut session, &batch(kind, 5, SIZE));
        assert_eq!((record.ops, record.ticks, record.times.len()), (2, 800, 2), "{kind:?}");
        assert_eq!(record.times.max(), 100);
        let counted: Vec<_> = record.errors.iter().map(|(class, n)| (class.as_str(), *n)).collect();
        assert_eq!(counted, [("full", 1), ("transient", 2)]);
        let first = record.first_error.unwrap();
        assert_eq!(first.class, "transient");
        assert!(first.message.contains("as told"), "{}", first.message);
        if kind == Kind::Get {
            assert_eq!(record.first_bytes.len(), 2);
        }
    }
}

#[test]
fn a_missing_blob_is_not_found_and_no_fast_get() {
    let clock = HeldTicks::default();
    let record = run(&mut MapSession::new(&clock, []), &batch(Kind::Get, 2, SIZE));
    assert_eq!((record.ops, record.errors["not-found"]), (0, 2));
    assert!(record.times.is_empty() && record.first_bytes.is_empty());
}

#[test]
fn an_engine_that_says_another_length_did_not_succeed() {
    let boasts = || vec![Act { boast: 1, ..act(0, 400) }, act(0, 400)];
    let clock = HeldTicks::default();
    let put = run(&mut MapSession::new(&clock, boasts()), &batch(Kind::Put, 2, SIZE));
    let mut session = stored(&clock, 2, SIZE, boasts());
    let get = run(&mut session, &batch(Kind::Get, 2, SIZE));
    for (op, record) in [("put", put), ("get", get)] {
        assert_eq!((record.ops, record.ticks, record.errors["wrong-length"]), (1, 400, 1), "{op}");
        let error = record.first_error.unwrap();
        let key = Key::new(1, 0);
        let expected = format!("{op} {key}: expected 100 bytes, the engine says 101");
        assert!(error.message.starts_with(&expected), "{}", error.message);
    }
}

#[test]
fn a_get_that_moves_less_than_it_says_did_not_succeed() {
    let clock = HeldTicks::default();
    let mut session = stored(&clock, 1, SIZE - 1, vec![Act { boast: 1, ..Act::default() }]);
    let record = run(&mut session, &batch(Kind::Get, 1, SIZE));
    assert_eq!((record.ops, record.errors["wrong-length"]), (0, 1));
    let message = record.first_error.unwrap().message;
    assert!(message.ends_with("the engine says 100 and moved 99"), "{message}");
}

#[test]
fn the_time_until_the_first_byte_is_a_part_of_a_gets_time() {
    let clock = HeldTicks::default();
    let mut session = stored(&clock, 2, SIZE, vec![act(400, 4_000), act(1_200, 400)]);
    let record = run(&mut session, &batch(Kind::Get, 2, SIZE));
    assert_eq!((record.first_ticks, record.ticks), (1_600, 6_000));
    assert_eq!(recorded(&record.first_bytes), [(100, 1), (300, 1)]);
}

#[test]
fn an_empty_blob_has_no_first_byte() {
    let clock = HeldTicks::default();
    let mut session = stored(&clock, 1, 0, vec![act(400, 0)]);
    let record = run(&mut session, &batch(Kind::Get, 1, 0));
    assert_eq!((record.ops, record.bytes, record.times.len()), (1, 0, 1));
    assert!(record.first_bytes.is_empty());
}

#[test]
fn an_operation_costs_two_looks_at_the_clock_and_a_get_one_more() {
    for (kind, looks) in [(Kind::Put, 2), (Kind::Delete, 2), (Kind::Get, 3)] {
        let clock = HeldTicks::default();
        let mut session = stored(&clock, 50, SIZE, Vec::new());
        let before = clock.reads();
        run(&mut session, &batch(kind, 50, SIZE));
        assert_eq!(clock.reads() - before, 50 * looks, "{kind:?}");
    }
}

#[test]
fn each_key_gets_its_own_payload() {
    let clock = HeldTicks::default();
    let session = stored(&clock, 20, SIZE, Vec::new());
    for (key, blob) in &session.blobs {
        let index = Key::parse(key).unwrap().index();
        let mut expected = vec![0; 100];
        payloads().fill(super::super::batch::payload_id(1, index), &mut expected);
        assert_eq!(*blob, expected, "blob {index}");
    }
    assert_eq!(session.blobs.len(), 20);
}

#[test]
fn a_blob_too_large_for_memory_is_streamed_whole() {
    let size = Payloads::WHOLE_MAX + 1;
    let clock = HeldTicks::default();
    let batch = batch(Kind::Put, 1, size);
    assert!(batch.whole(0).is_none());
    let mut session = MapSession::new(&clock, [act(0, 40)]);
    let record = run(&mut session, &batch);
    assert_eq!((record.ops, record.bytes, record.ticks), (1, size, 40));
    let blob = session.blobs.into_values().next().unwrap();
    let payloads = payloads();
    payloads.prepare_stream_pool();
    let mut stream = payloads.stream(super::super::batch::payload_id(1, 0), size);
    let mut rest = blob.as_slice();
    while !rest.is_empty() {
        let piece = stream.next(rest.len());
        let (now, later) = rest.split_at(piece.len());
        assert!(now == piece, "other bytes before the last {}", later.len());
        rest = later;
    }
}

#[test]
fn a_client_does_its_part_and_no_more() {
    let clock = HeldTicks::default();
    let mut session = MapSession::new(&clock, []);
    let batch = batch(Kind::Put, 10, SIZE);
    let mut record = Record::new();
    assert_eq!(run_until(u64::MAX, &mut session, &batch, 3..7, &mut record), 7);
    assert_eq!(record.ops, 4);
    let put: Vec<_> = session.blobs.keys().map(|key| Key::parse(key).unwrap().index()).collect();
    assert_eq!(put, [3, 4, 5, 6]);
    assert_eq!(run_until(u64::MAX, &mut session, &batch, 10..10, &mut record), 10);
    assert_eq!(record.ops, 4, "an empty part is done at once");
}

#[test]
fn the_loop_returns_after_the_operation_that_passes_the_deadline_and_goes_on_from_there() {
    for kind in [Kind::Put, Kind::Delete, Kind::Get] {
        let clock = HeldTicks::default();
        let mut session = stored(&clock, 10, SIZE, vec![act(0, 100); 10]);
        let start = clock.now();
        let batch = batch(kind, 10, SIZE);
        let mut record = Record::new();
        let reached = run_until(start + 350, &mut session, &batch, 0..10, &mut record);
        assert_eq!((reached, record.ops), (4, 4), "{kind:?}");
        let reached = run_until(start + 350, &mut session, &batch, reached..10, &mut record);
        assert_eq!((reached, record.ops), (5, 5), "at least one each time");
        run_until(u64::MAX, &mut session, &batch, reached..10, &mut record);
        assert_eq!((record.ops, record.ticks), (10, 1_000), "{kind:?}");
    }
}

#[test]
fn a_record_adds_up_until_it_is_reset() {
    let clock = HeldTicks::default();
    let acts = vec![act(0, 400), fails(ErrorClass::Full, 1), act(0, 400), act(0, 800)];
    let mut session = MapSession::new(&clock, acts);
    let batch = batch(Kind::Put, 2, SIZE);
    let mut record = Record::new();
    run_until(u64::MAX, &mut session, &batch, 0..2, &mut record);
    run_until(u64::MAX, &mut session, &batch, 0..2, &mut record);
    assert_eq!((record.ops, record.ticks, record.times.len()), (3, 1_600, 3));
    record.reset();
    assert_eq!((record.ops, record.bytes, record.ticks, record.first_ticks), (0, 0, 0, 0));
    assert!(record.times.is_empty() && record.first_bytes.is_empty());
    assert!(record.errors.is_empty() && record.first_error.is_none());
}
