//! How what clients measured in slices becomes one round.

use super::*;
use crate::clock::Moment;
use crate::protocol::{Failed, Verified};
use crate::worker::store::too_many_missing;

fn piece(start_ns: u64, wall_ns: u64, cpu_ns: u64, ns_per_tick: u64) -> Piece {
    Piece {
        span: Span {
            start_ns,
            end_ns: start_ns + wall_ns,
            start_cpu_ns: 1_000,
            end_cpu_ns: 1_000 + cpu_ns,
        },
        rate: rate(ns_per_tick),
        outside: Outside {
            user_ns: Some(cpu_ns / 2),
            system_ns: Some(cpu_ns / 4),
            steal_ns: Some(7),
            pressure_ns: None,
        },
    }
}

fn rate(ns_per_tick: u64) -> Rate {
    Rate::between(Moment { ticks: 0, ns: 0 }, Moment { ticks: 1_000, ns: 1_000 * ns_per_tick })
}

/// A client's record of operations that took so many ticks each.
fn record(ticks: &[u64], errors: &[(&str, u64)]) -> Record {
    let mut record = Record::new();
    for ticks in ticks {
        record.ops += 1;
        record.bytes += 10;
        record.ticks += ticks;
        record.times.saturating_record(*ticks);
    }
    for (class, count) in errors {
        record.errors.insert((*class).into(), *count);
        let failed = Failed { class: (*class).into(), message: format!("{class} it was") };
        record.first_error.get_or_insert(failed);
    }
    record
}

fn round(pieces: &[Piece]) -> Total {
    let mut total = Total::default();
    pieces.iter().for_each(|piece| total.add(piece));
    total
}

#[test]
fn slices_and_batches_add_up_without_what_lies_between_them() {
    let mut total = round(&[piece(5_000, 100, 80, 2), piece(9_000, 50, 40, 2)]);
    total.join(&round(&[piece(70_000, 10, 8, 2)]));
    let worked = summary(&[], &total, Kind::Put, Some(3));
    assert_eq!((worked.start_ns, worked.wall_ns, worked.cpu_client_ns), (5_000, 160, 128));
    assert_eq!((worked.steal_ns, worked.pressure_ns), (Some(21), None));
    assert_eq!(worked.drain_wall_ns, Some(3));
}

#[test]
fn clients_records_add_up_and_ticks_become_nanoseconds() {
    let total = round(&[piece(0, 100, 80, 2)]);
    let records = [record(&[10, 20], &[("full", 1)]), record(&[30], &[("denied", 2), ("full", 4)])];
    let worked = summary(&records, &total, Kind::Put, None);
    assert_eq!((worked.ops, worked.bytes), (3, 30));
    assert!((worked.op_wall_ns - 120.0).abs() < 1e-9);
    assert_eq!(worked.errors, [("denied".into(), 2), ("full".into(), 5)].into());
    assert_eq!(worked.first_error.unwrap().message, "full it was");
    assert_eq!(histogram::decode(&worked.histogram).unwrap().len(), 3);
    assert_eq!((worked.first_byte_ns, worked.first_byte_histogram), (None, None));
}

#[test]
fn gets_tell_of_their_first_bytes() {
    let mut of_get = record(&[10, 20], &[]);
    of_get.first_ticks = 6;
    of_get.first_bytes.saturating_record(2);
    of_get.first_bytes.saturating_record(4);
    let worked = summary(&[of_get], &round(&[piece(0, 100, 80, 3)]), Kind::Get, None);
    assert!((worked.first_byte_ns.unwrap() - 18.0).abs() < 1e-9);
    let first_bytes = worked.first_byte_histogram.as_deref().and_then(histogram::decode).unwrap();
    assert_eq!(first_bytes.len(), 2);
}

#[test]
fn user_and_system_time_are_told_only_where_ticks_can_tell_them() {
    let split = |cpu_ns| summary(&[], &round(&[piece(0, 1, cpu_ns, 1)]), Kind::Put, None);
    assert_eq!(split(SHORTEST_SPLIT_NS - 1).cpu_split_ns, None);
    let long = split(SHORTEST_SPLIT_NS).cpu_split_ns;
    assert_eq!(long, Some((SHORTEST_SPLIT_NS / 2, SHORTEST_SPLIT_NS / 4)));
}

#[test]
fn what_the_machine_does_not_tell_is_absent() {
    let outside = Outside { steal_ns: Some(5), ..Outside::default() };
    let later = Outside { steal_ns: Some(9), user_ns: Some(1), ..Outside::default() };
    let passed = later.since(&outside);
    assert_eq!((passed.steal_ns, passed.user_ns, passed.pressure_ns), (Some(4), None, None));
    assert_eq!(outside.since(&later).steal_ns, Some(0), "a counter that was reset");
}

#[test]
fn blobs_that_are_not_as_they_should_be_are_told_with_the_first() {
    let total = Verified {
        blobs: 9,
        missing: 2,
        first_missing: Some("00a1".into()),
        ..Verified::default()
    };
    let there = "2 of 9 blobs are not there, the first is 00a1";
    assert_eq!(too_many_missing(&total, false), there);
    assert!(too_many_missing(&total, true).contains("still there"));
}

#[test]
fn an_error_keeps_its_class_and_the_engines_code() {
    let mut error = stowmark_host::OpError::new(stowmark_host::ErrorClass::Full, "put 1: no space");
    error.code = 28;
    let failed = Failed::from(error);
    assert_eq!(failed.class, "full");
    assert_eq!(failed.message, "put 1: no space (code 28)");
}
