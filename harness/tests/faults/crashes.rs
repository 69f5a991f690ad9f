//! Plugins that take their process down, and plugins that panic: one row with the signal, the exit
//! code or the class, in whatever phase it happens.

use super::{CASES, Moment, OPS, at, bad, is_whole, others_are_whole, outlives, with};
use crate::support::{Place, figures};

/// The fault costs its engine exactly what came after it, in any phase.
#[track_caller]
fn check_death(fault: &str, cause: &str, message: &str, log: &[&str]) {
    for moment in Moment::ALL {
        let outlived = outlives(&Place::new(), &at(fault, moment));
        let row = &outlived.row;
        assert_eq!(row.cause, cause, "{moment:?}");
        assert_eq!(row.message, message, "{moment:?}");
        assert_eq!(
            (row.phase.as_str(), row.case.as_deref()),
            (moment.phase(), Some(moment.case()))
        );
        assert_eq!(outlived.rounds(), moment.rounds_before(), "{moment:?}");
        for word in log {
            assert!(row.log.iter().any(|line| line.contains(word)), "{word}: {:?}", row.log);
            assert!(outlived.outcome.stderr.contains(word), "{}", outlived.outcome);
        }
        if log.is_empty() {
            assert_eq!(row.log, Vec::<String>::new());
        }
    }
}

#[test]
fn a_segmentation_fault_is_told_by_its_signal() {
    check_death("segfault", "signal SIGSEGV", "the worker was ended by SIGSEGV", &[]);
}

#[test]
fn an_abort_is_told_by_its_signal() {
    check_death("abort", "signal SIGABRT", "the worker was ended by SIGABRT", &[]);
}

#[test]
fn an_exit_is_a_failure_even_with_0() {
    let message = "the worker exited with code 0 before its work was done";
    check_death("exit0", "exit code 0", message, &[]);
}

#[test]
fn an_exit_is_told_by_its_code_and_not_passed_on() {
    let message = "the worker exited with code 1 before its work was done";
    check_death("exit1", "exit code 1", message, &[]);
}

#[test]
fn a_stack_overflow_is_told_with_the_last_lines() {
    let message = "the worker was ended by SIGABRT";
    check_death("stack-overflow", "signal SIGABRT", message, &["has overflowed its stack"]);
}

#[test]
fn a_worker_that_becomes_another_program_is_ended() {
    let place = Place::new();
    let outlived = outlives(&place, &at("exec", Moment::SecondRound));
    assert_eq!(outlived.row.cause, "nonsense");
    assert!(outlived.row.message.contains("closed its pipe and went on"), "{}", outlived.outcome);
    assert_eq!(outlived.rounds(), [1, 0]);
}

/// The engine's error is a row where nothing succeeds any more, and a counted error before.
#[track_caller]
fn check_errors(fault: &str, class: &str, message: &str) {
    for moment in Moment::ALL {
        let outlived = outlives(&Place::new(), &at(fault, moment));
        let row = &outlived.row;
        assert_eq!(row.cause, class, "{moment:?}");
        assert!(row.message.contains(message), "{moment:?}: {}", row.message);
        // In mid-round the rest of that round's operations fail; reading back is the first thing
        // of which nothing succeeds.
        let phase = if moment.phase() == "round" { "verify" } else { moment.phase() };
        assert_eq!((row.phase.as_str(), row.case.as_deref()), (phase, Some(moment.case())));
        if moment.phase() == "round" {
            let round = bad(&outlived.result, moment.case()).rounds.last().unwrap();
            assert_eq!(round.errors.keys().collect::<Vec<_>>(), [class], "{moment:?}");
            assert!(round.ops > 0, "{moment:?}");
            assert_eq!(round.ops + round.errors[class], OPS, "{moment:?}");
        }
    }
}

#[test]
fn a_panic_in_a_call_is_an_error_of_its_class() {
    check_errors("panic", "panicked", "the plugin panicked: a panic in ");
}

#[test]
fn an_error_is_told_by_its_class_and_the_plugins_words() {
    check_errors("fail-every", "transient", "every operation fails, as asked");
}

#[test]
fn what_a_panic_printed_is_kept_with_its_row() {
    let outlived = outlives(&Place::new(), &at("panic", Moment::Verify));
    let log = outlived.row.log.join("\n");
    assert!(log.contains("a panic in get, as asked"), "{log}");
    assert!(outlived.row.log.len() <= 20, "{log}");
}

#[test]
fn a_panic_where_no_error_can_be_returned_is_a_line_of_the_log() {
    let place = Place::new();
    let (outcome, result) = place.weigh(&with("panic-drop"));
    for case in CASES {
        is_whole(&result, case, "bad");
    }
    let words = "drop of the blob session: the plugin panicked: a panic in the drop of a session";
    assert!(outcome.stderr.contains(words), "{outcome}");
    place.is_clean();
}

#[test]
fn a_panic_on_a_thread_of_the_plugins_own_harms_nobody() {
    let place = Place::new();
    let (outcome, result) = place.weigh(&with("panic-thread"));
    for case in CASES {
        is_whole(&result, case, "bad");
    }
    assert!(outcome.stderr.contains("bad: a panic on the plugin's own thread"), "{outcome}");
    place.is_clean();
}

#[test]
fn turns_one_after_the_other_and_several_clients_change_nothing_about_it() {
    for more in ["--order sequential", "--clients 4"] {
        let line = format!("{} {more}", at("segfault", Moment::SecondRound));
        let outlived = outlives(&Place::new(), &line);
        assert_eq!(outlived.row.cause, "signal SIGSEGV", "{more}");
        assert_eq!(outlived.row.phase, "round", "{more}");
        assert_eq!(outlived.rounds(), Moment::SecondRound.rounds_before(), "{more}");
    }
}

#[test]
fn each_engine_that_fails_has_a_row_of_its_own() {
    let place = Place::new();
    let line = format!("{} --engine worse=faults:fault=exit1", at("abort", Moment::SecondRound));
    place.run(&line).exits(3);
    let result = place.result("result.json");
    others_are_whole(&result);
    let rows: Vec<_> = result
        .failures
        .iter()
        .map(|row| (row.label.as_str(), row.phase.as_str(), row.cause.as_str()))
        .collect();
    assert_eq!(rows, [("worse", "warm-up", "exit code 1"), ("bad", "round", "signal SIGABRT")]);
}

#[test]
fn a_run_whose_only_engine_fails_is_over() {
    let place = Place::new();
    let outcome = place.run("--engine bad=faults:fault=segfault --op put,get");
    outcome.exits(3);
    let result = place.result("result.json");
    assert_eq!(result.failures.len(), 1);
    for case in CASES {
        assert!(figures(&result, case, "(floor)").rounds.is_empty(), "a floor of nothing");
    }
    place.is_clean();
}
