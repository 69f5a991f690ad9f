//! An engine that fails makes one row that says how, and the others go on.

use stowmark_results::Failure;
use stowmark_workload::Op;

use super::fake::{Fault, LAST_LINE, Model, On};
use super::support::{Bench, Outcome, plan, trouble};
use crate::event::Event;
use crate::plan::{FLOOR_LABEL, Order};
use crate::protocol::UNUSABLE_PLUGIN;
use crate::supervisor::schedule::End;

const CAUSES: [&str; 7] =
    ["signal SIGSEGV", "exit code 0", "timeout", "nonsense", "denied", "full", "other"];

/// Where a worker can fail, at which of its times: phase, case and execution of the row.
const PLACES: [(On, usize, &str, Option<&str>, u64); 22] = [
    (On::Start, 0, "open", None, 0),
    (On::Start, 1, "open", None, 1),
    (On::Open, 0, "open", None, 0),
    (On::Open, 1, "open", None, 1),
    (On::Pause, 0, "open", None, 0),
    (On::Case, 0, "warm-up", Some("put-1k"), 0),
    (On::Case, 1, "warm-up", Some("get-1k"), 0),
    (On::Resume, 0, "warm-up", Some("put-1k"), 0),
    // The warm-up's trials are of 1, 1, 4, 16 and 64 operations.
    (On::Work, 0, "warm-up", Some("put-1k"), 0),
    (On::Work, 4, "warm-up", Some("put-1k"), 0),
    (On::Work, 5, "round", Some("put-1k"), 0),
    (On::Work, 8, "round", Some("put-1k"), 0),
    (On::Work, 9, "warm-up", Some("get-1k"), 0),
    (On::Work, 17, "round", Some("get-1k"), 0),
    // In the second execution there is one trial.
    (On::Work, 18, "warm-up", Some("put-1k"), 1),
    (On::Work, 27, "round", Some("get-1k"), 1),
    (On::Verify, 0, "verify", Some("put-1k"), 0),
    (On::Verify, 3, "verify", Some("get-1k"), 1),
    (On::Storage, 0, "verify", Some("put-1k"), 0),
    (On::Storage, 3, "verify", Some("get-1k"), 1),
    (On::Close, 0, "close", None, 0),
    (On::Close, 1, "close", None, 1),
];

/// Checks that `b` failed once and there, and that nothing else suffered.
fn check(outcome: &Outcome, what: &str, phase: &str, case: Option<&str>, execution: u64) {
    let failure = outcome.only_failure();
    let found = (&*failure.label, &*failure.phase, failure.case.as_deref(), failure.execution);
    assert_eq!(found, ("b", phase, case, Some(execution)), "{what}");
    assert_eq!(outcome.end, End::Done, "{what}");
    for label in ["a", "c", FLOOR_LABEL] {
        outcome.assert_complete(label);
    }
    let Event::Progress { done, turns, .. } = *last_progress(outcome) else { unreachable!() };
    assert_eq!(done, turns, "all turns that are left were taken: {what}");
}

fn last_progress(outcome: &Outcome) -> &Event {
    let mut progress = outcome.events.iter();
    progress.rfind(|event| matches!(event, Event::Progress { .. })).unwrap()
}

#[test]
fn whatever_a_worker_dies_of_wherever_makes_one_row() {
    for (at, (on, nth, phase, case, execution)) in PLACES.into_iter().enumerate() {
        // Each cause meets several places.
        let cause = CAUSES[at % CAUSES.len()];
        let what = format!("{cause} at {on:?} {nth}");
        let bench = Bench::new(plan(&["a", "b", "c"], |_| {}));
        let outcome = bench.fault("b", on, nth, Fault::Fails(trouble(cause))).run();
        check(&outcome, &what, phase, case, execution);
        let failure = outcome.only_failure();
        let expected = Failure {
            cause: cause.into(),
            message: format!("it was {cause}"),
            log: vec![LAST_LINE.into()],
            ..failure.clone()
        };
        assert_eq!(*failure, expected);
        let last = outcome.notes("b").last().map(|note| note.on);
        assert_eq!(last, Some(on), "nothing is asked of it afterwards: {what}");
    }
}

#[test]
fn an_answer_that_does_not_fit_its_order_is_nonsense() {
    for (on, nth, phase, case, execution) in PLACES {
        if matches!(on, On::Start | On::Pause | On::Resume) {
            continue;
        }
        let bench = Bench::new(plan(&["a", "b", "c"], |_| {}));
        let outcome = bench.fault("b", on, nth, Fault::Nonsense).run();
        check(&outcome, &format!("nonsense at {on:?} {nth}"), phase, case, execution);
        assert_eq!(outcome.only_failure().cause, "nonsense");
    }
}

#[test]
fn a_worker_that_cannot_be_stopped_or_go_on_fails_in_the_phase_it_is_in() {
    let asked =
        |outcome: &Outcome, on| outcome.notes("b").into_iter().filter(|note| note.on == on).count();
    let plain = Bench::new(plan(&["a", "b", "c"], |_| {})).run();
    for on in [On::Pause, On::Resume] {
        for nth in (0..asked(&plain, on)).step_by(5) {
            let bench = Bench::new(plan(&["a", "b", "c"], |_| {}));
            let outcome = bench.fault("b", on, nth, Fault::Fails(trouble("timeout"))).run();
            let failure = outcome.only_failure();
            let mut phases = outcome.events.iter().filter_map(|event| match event {
                Event::Phase { label, phase } if label == "b" => Some(*phase),
                _ => None,
            });
            assert_eq!(Some(&*failure.phase), phases.next_back(), "{on:?} {nth}");
            let Event::Progress { done, turns, .. } = *last_progress(&outcome) else {
                unreachable!()
            };
            assert_eq!(done, turns, "{on:?} {nth}");
        }
    }
}

#[test]
fn a_plugin_that_cannot_be_loaded_ends_the_run_before_anything_is_measured() {
    for label in ["a", "b", FLOOR_LABEL] {
        let bench = Bench::new(plan(&["a", "b"], |_| {}));
        let fault = Fault::Fails(trouble(UNUSABLE_PLUGIN));
        let outcome = bench.fault(label, On::Open, 0, fault).run();
        assert_eq!(outcome.end, End::Unusable(format!("it was {UNUSABLE_PLUGIN}")));
        let [failure] = &outcome.result.failures[..] else { panic!("one failure") };
        assert_eq!(failure.label, label);
        // The run's end says it: not twice.
        assert!(!outcome.events.iter().any(|event| matches!(event, Event::Failed { .. })));
        let opening = |on| matches!(on, On::Start | On::Open | On::Pause);
        assert!(outcome.world.notes.iter().all(|note| opening(note.on)));
    }
}

#[test]
fn what_was_measured_before_a_failure_stays() {
    let bench = Bench::new(plan(&["a", "b"], |_| {}));
    let outcome = bench.fault("b", On::Work, 7, Fault::Fails(trouble("signal SIGKILL"))).run();
    let figures = outcome.figures("put-1k", "b");
    assert_eq!(figures.rounds.iter().map(|round| round.index).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(figures.verification, None);
    assert_eq!(outcome.figures("get-1k", "b").rounds, []);
}

#[test]
fn a_failing_delete_or_preload_makes_one_row_too() {
    for (on, nth, phase) in
        [(On::Preload, 0, "warm-up"), (On::Preload, 5, "round"), (On::Work, 8, "round")]
    {
        let plan = plan(&["a", "b", "c"], |workload| workload.op = vec![Op::Delete]);
        let bench = Bench::new(plan).fault("b", on, nth, Fault::Fails(trouble("full")));
        check(&bench.run(), &format!("{on:?} {nth}"), phase, Some("delete-1k"), 0);
    }
    let plan = plan(&["a", "b", "c"], |workload| workload.op = vec![Op::Get]);
    let bench = Bench::new(plan).fault("b", On::Preload, 0, Fault::Fails(trouble("full")));
    check(&bench.run(), "preload for gets", "warm-up", Some("get-1k"), 0);
}

#[test]
fn failures_in_sequential_order_make_one_row_too() {
    for (on, nth, phase, case, execution) in PLACES {
        if matches!(on, On::Pause | On::Resume) {
            continue;
        }
        let mut plan = plan(&["a", "b", "c"], |_| {});
        plan.order = Order::Sequential;
        let bench = Bench::new(plan).fault("b", on, nth, Fault::Fails(trouble("timeout")));
        check(&bench.run(), &format!("{on:?} {nth}"), phase, case, execution);
    }
}

#[test]
fn an_engine_with_some_failed_operations_goes_on() {
    let model = Model { fails_every: Some(10), ..Model::default() };
    let outcome = Bench::new(plan(&["a", "b"], |_| {})).model("b", model).run();
    outcome.assert_complete("b");
    assert_eq!(outcome.result.failures, []);
    let rounds = &outcome.figures("put-1k", "b").rounds;
    assert!(rounds.iter().all(|round| (round.ops, round.errors["transient"]) == (180, 20)));
    let histogram = outcome.figures("put-1k", "b").histogram.as_deref().unwrap();
    let times = stowmark_results::histogram::decode(histogram).unwrap();
    assert_eq!(times.len(), 2 * 4 * 180, "no failed operation is in it");
}

#[test]
fn an_engine_none_of_whose_operations_succeeds_is_out() {
    let model = Model { fails_every: Some(1), ..Model::default() };
    let outcome = Bench::new(plan(&["a", "b", "c"], |_| {})).model("b", model).run();
    check(&outcome, "all fail", "warm-up", Some("put-1k"), 0);
    let failure = outcome.only_failure();
    assert_eq!((&*failure.cause, &*failure.message), ("transient", "asked to fail"));
}

#[test]
fn other_bytes_than_were_put_are_an_engines_end() {
    let model = Model { spoils: true, ..Model::default() };
    let outcome = Bench::new(plan(&["a", "b", "c"], |_| {})).model("b", model).run();
    check(&outcome, "spoils", "verify", Some("put-1k"), 0);
    assert_eq!(outcome.only_failure().cause, "wrong-data");
    let verification = outcome.figures("put-1k", "b").verification.clone().unwrap();
    assert_eq!(verification.outcome, "mismatch");
    assert_eq!(verification.message, Some(outcome.only_failure().message.clone()));
    assert_eq!(outcome.figures("put-1k", "b").rounds.len(), 4, "the figures stay, marked");
}

#[test]
fn wrong_data_and_a_crash_right_after_are_one_row() {
    let model = Model { spoils: true, ..Model::default() };
    let bench = Bench::new(plan(&["a", "b", "c"], |_| {})).model("b", model);
    let outcome = bench.fault("b", On::Storage, 0, Fault::Fails(trouble("signal SIGSEGV"))).run();
    check(&outcome, "spoils and crashes", "verify", Some("put-1k"), 0);
    assert_eq!(outcome.only_failure().cause, "wrong-data");
}

#[test]
fn without_a_floor_the_engines_go_on() {
    let bench = Bench::new(plan(&["a", "b"], |_| {}));
    let outcome = bench.fault(FLOOR_LABEL, On::Open, 0, Fault::Fails(trouble("other"))).run();
    assert_eq!(outcome.only_failure().label, FLOOR_LABEL);
    outcome.assert_complete("a");
    outcome.assert_complete("b");
}

#[test]
fn the_floor_does_not_go_on_alone() {
    for (on, nth) in [(On::Open, 0), (On::Work, 0), (On::Work, 5), (On::Verify, 0)] {
        let bench = Bench::new(plan(&["a"], |_| {}));
        let outcome = bench.fault("a", on, nth, Fault::Fails(trouble("other"))).run();
        assert_eq!(outcome.only_failure().label, "a");
        let floor = outcome.notes(FLOOR_LABEL);
        assert!(floor.iter().all(|note| note.execution == 0), "{on:?} {nth}");
        let rounds = outcome.figures("get-1k", FLOOR_LABEL).rounds.len();
        assert_eq!(rounds, 0, "{on:?} {nth}");
        if on == On::Work {
            // At most the round in which the engine failed.
            let rounds = outcome.figures("put-1k", FLOOR_LABEL).rounds.len();
            assert!(rounds <= nth / 5, "{rounds} rounds of the floor alone");
        }
    }
}

#[test]
fn no_number_of_operations_is_found_where_all_failed() {
    let bench = Bench::new(plan(&["a"], |_| {}));
    let outcome = bench.fault("a", On::Work, 0, Fault::Fails(trouble("other"))).run();
    let case = outcome.case("put-1k");
    assert_eq!((case.ops_per_round, &case.ops_found_by), (0, &None));
}

#[test]
fn two_engines_that_fail_make_two_rows() {
    let bench = Bench::new(plan(&["a", "b", "c"], |_| {}))
        .fault("a", On::Work, 6, Fault::Fails(trouble("full")))
        .fault("c", On::Verify, 1, Fault::Fails(trouble("timeout")));
    let outcome = bench.run();
    let rows: Vec<_> =
        outcome.result.failures.iter().map(|f| (f.label.as_str(), f.cause.as_str())).collect();
    assert_eq!(rows, [("a", "full"), ("c", "timeout")]);
    outcome.assert_complete("b");
    let Event::Progress { done, turns, .. } = *last_progress(&outcome) else { unreachable!() };
    assert_eq!(done, turns);
}
