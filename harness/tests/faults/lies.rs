//! Engines that say what is not so. The measured loop sees a wrong length; all else is found when
//! what was stored is read back.

use super::{CASES, Moment, OPS, at, bad, is_whole, others_are_whole, outlives};
use crate::support::Place;

/// Reading back finds it.
#[track_caller]
fn check_wrong_data(fault: &str, moment: Moment, case: &str, message: &str) {
    let outlived = outlives(&Place::new(), &at(fault, moment));
    let row = &outlived.row;
    assert_eq!((row.cause.as_str(), row.phase.as_str()), ("wrong-data", "verify"), "{fault}");
    assert_eq!(row.case.as_deref(), Some(case), "{fault}");
    assert!(row.message.contains(message), "{fault}: {}", row.message);
    let verification = bad(&outlived.result, case).verification.as_ref().unwrap();
    assert_eq!(verification.outcome, "mismatch");
    assert_eq!(verification.message.as_ref(), Some(&row.message));
    let before = CASES.iter().take_while(|before| **before != case);
    before.for_each(|before| is_whole(&outlived.result, before, "bad"));
}

#[test]
fn a_flipped_byte_is_found_and_placed() {
    for (moment, case) in [(Moment::WarmUp, CASES[0]), (Moment::SecondRoundOfGet, CASES[1])] {
        check_wrong_data("flipped-byte", moment, case, "other bytes than were put, from byte 1023");
    }
}

#[test]
fn another_blobs_bytes_are_found() {
    for (moment, case) in [(Moment::WarmUp, CASES[0]), (Moment::SecondRoundOfGet, CASES[1])] {
        check_wrong_data("other-blob", moment, case, "other bytes than were put");
    }
}

#[test]
fn blobs_that_were_not_stored_are_missed() {
    check_wrong_data("forgets", Moment::WarmUp, CASES[0], "80 of 80 blobs are not there");
    check_wrong_data("forgets", Moment::SecondRound, CASES[0], " of 80 blobs are not there");
}

#[test]
fn a_put_of_a_wrong_length_is_a_failure_in_the_warm_up() {
    let outlived = outlives(&Place::new(), &at("wrong-length", Moment::WarmUp));
    assert_eq!(
        (outlived.row.cause.as_str(), outlived.row.phase.as_str()),
        ("wrong-length", "warm-up")
    );
    assert!(outlived.row.message.contains("expected 1024 bytes, the engine says 1025"));
}

#[test]
fn errors_among_a_rounds_operations_are_counted_apart_and_end_with_3() {
    let place = Place::new();
    let outcome = place.run(&at("wrong-length", Moment::SecondRound));
    outcome.exits(3);
    let result = place.result("result.json");
    assert_eq!(result.failures, [], "the engine went on");
    others_are_whole(&result);
    is_whole(&result, CASES[1], "bad");
    let rounds = &bad(&result, CASES[0]).rounds;
    assert!(rounds[0].errors.is_empty());
    assert!(rounds[1].ops > 0 && rounds[1].errors["wrong-length"] > 0);
    assert_eq!(rounds[1].ops + rounds[1].errors["wrong-length"], OPS);
    assert!(outcome.stdout.contains("wrong-length"), "{outcome}");
}
