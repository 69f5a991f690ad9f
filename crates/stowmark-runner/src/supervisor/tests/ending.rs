//! A user who has seen enough.

use stowmark_workload::Op;

use super::fake::{Fault, On};
use super::support::{Bench, plan};
use crate::plan::{FLOOR_LABEL, Order, Plan};
use crate::supervisor::crew::Trouble;
use crate::supervisor::schedule::End;

/// Stops at that order and checks that nothing is asked after it but what ends its turn.
fn check(order: Order, nth: usize) -> usize {
    let outcome = Bench::new(small_plan(order)).stop_at(nth).run();
    assert_eq!(outcome.end, End::Stopped, "at {nth}");
    assert_eq!(outcome.result.failures, [], "at {nth}: to be stopped is no failure");
    let notes = &outcome.world.notes;
    let stopped_at = &notes[nth];
    assert!(
        notes[nth..].iter().all(|note| note.label == stopped_at.label),
        "at {nth}, {:?}: another engine was asked",
        stopped_at.on
    );
    // Whole rounds only, each of which was measured before.
    let mut rounds = 0;
    for case in &outcome.result.cases {
        for figures in case.engines.iter().chain(&case.floor) {
            rounds += figures.rounds.len();
            assert!(figures.rounds.iter().all(|round| round.ops == case.ops_per_round));
        }
    }
    let measured = notes.iter().filter(|note| note.on == On::Work).count();
    assert!(rounds <= measured);
    rounds
}

fn small_plan(order: Order) -> Plan {
    let mut plan = plan(&["a"], |workload| {
        workload.op = vec![Op::Put, Op::Delete];
        workload.rounds = 2;
        workload.ops = Some(4);
    });
    plan.order = order;
    plan
}

#[test]
fn a_run_can_be_ended_at_any_order_and_keeps_what_was_measured() {
    for order in [Order::Interleaved, Order::Sequential] {
        let all = Bench::new(small_plan(order)).run().world.notes.len();
        let mut last = 0;
        for nth in 0..all {
            let rounds = check(order, nth);
            assert!(rounds >= last, "a later end keeps more");
            last = rounds;
        }
        assert_eq!(last, 2 * 2 * 2 * 2, "all had been measured");
    }
}

#[test]
fn a_worker_that_is_waited_for_is_let_go_at_once() {
    let bench = Bench::new(plan(&["a", "b"], |_| {}));
    let outcome = bench.fault("b", On::Work, 7, Fault::Fails(Trouble::Stopped)).run();
    assert_eq!(outcome.end, End::Stopped);
    assert_eq!(outcome.result.failures, []);
    assert_eq!(outcome.notes("b").last().unwrap().on, On::Work);
    assert_eq!(outcome.figures("put-1k", "b").rounds.len(), 2);
    assert!(outcome.figures("put-1k", "a").rounds.len() >= 2);
}

#[test]
fn a_stop_while_a_store_opens_starts_no_other() {
    let bench = Bench::new(plan(&["a", "b"], |_| {}));
    let outcome = bench.fault("a", On::Open, 0, Fault::Stop).run();
    assert_eq!(outcome.end, End::Stopped);
    assert_eq!(outcome.notes("b").len() + outcome.notes(FLOOR_LABEL).len(), 0);
    assert!(outcome.result.cases.iter().all(|case| case.engines.len() == 2));
}

#[test]
fn whoever_is_not_asked_to_end_is_not_stopped() {
    assert_eq!(Bench::new(plan(&["a"], |_| {})).run().end, End::Done);
}
