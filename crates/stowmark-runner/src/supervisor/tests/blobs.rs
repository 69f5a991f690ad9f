//! Which blobs are put, read, deleted and compared.

use std::collections::BTreeSet;

use stowmark_workload::{Op, Verify, Workload};

use super::fake::{Model, Note, On};
use super::support::{Bench, Outcome, plan};
use crate::plan::FLOOR_LABEL;
use crate::protocol::{Order, Range, VerifyOrder};

fn run(change: impl FnOnce(&mut Workload)) -> Outcome {
    Bench::new(plan(&["a", "b"], change)).run()
}

fn verify_orders(outcome: &Outcome, label: &str) -> Vec<VerifyOrder> {
    let orders = outcome.notes(label).into_iter().filter_map(|note| match note.order {
        Some(Order::Verify(order)) => Some(order),
        _ => None,
    });
    orders.collect()
}

fn preloads(outcome: &Outcome, label: &str) -> Vec<Range> {
    let orders = outcome.notes(label).into_iter().filter_map(|note| match note.order {
        Some(Order::Preload(range)) => Some(range),
        _ => None,
    });
    orders.collect()
}

fn assert_matched(outcome: &Outcome) {
    assert_eq!(outcome.result.failures, []);
    for case in &outcome.result.cases {
        for figures in &case.engines {
            let verification = figures.verification.as_ref().unwrap();
            assert_eq!(verification.outcome, "matched", "{} at {}", figures.label, case.id);
            assert!(verification.blobs > 0);
            assert!(figures.rounds.iter().all(|round| round.errors.is_empty()));
        }
    }
}

#[test]
fn a_get_reads_what_the_put_before_it_stored() {
    let outcome = run(|_| {});
    assert_matched(&outcome);
    assert_eq!(preloads(&outcome, "a"), []);
    let stored = outcome.rounds("a", 0, "put").into_iter().fold(0, |all, work| all + work.ops);
    for work in outcome.work("a", 0, "get") {
        assert_eq!(work.range, Range { population: 0, first: 0, count: stored, size: 1024 });
    }
    for order in verify_orders(&outcome, "a") {
        assert_eq!((order.range.count, order.gone), (stored, false));
    }
    // Two executions, each verified after the put and after the get.
    assert_eq!(outcome.figures("put-1k", "a").verification.as_ref().unwrap().blobs, 2 * stored);
}

#[test]
fn every_put_is_of_a_blob_that_is_not_there() {
    for op in [vec![Op::Put], vec![Op::Get, Op::Put], vec![Op::Put, Op::Get, Op::Delete]] {
        let outcome = run(|workload| {
            workload.op.clone_from(&op);
            workload.size = vec![1024, 2048];
        });
        assert_matched(&outcome);
        assert_eq!(outcome.world.overwritten, 0, "{op:?}");
    }
}

#[test]
fn the_blobs_of_two_sizes_never_meet() {
    let outcome = run(|workload| workload.size = vec![1024, 2048]);
    assert_matched(&outcome);
    let populations = |size| {
        let work = ["put", "get"].into_iter().flat_map(|op| outcome.work("a", 0, op));
        let work = work.filter(|work| work.range.size == size);
        work.map(|work| work.range.population).collect::<BTreeSet<_>>()
    };
    assert!(populations(1024).is_disjoint(&populations(2048)));
}

#[test]
fn a_get_without_a_put_reads_blobs_that_were_stored_for_it() {
    let outcome = run(|workload| workload.op = vec![Op::Get]);
    assert_matched(&outcome);
    for label in ["a", "b", FLOOR_LABEL] {
        assert_eq!(outcome.work(label, 0, "put"), <[&crate::protocol::Work; 0]>::default());
        let [range, again] = preloads(&outcome, label)[..] else {
            panic!("one preload in each execution")
        };
        assert_eq!(range, again);
        assert!(range.count > 0);
        assert!(outcome.work(label, 0, "get").iter().all(|work| work.range == range));
    }
}

#[test]
fn what_is_preloaded_for_gets_stays_under_256_mib() {
    let counts = |size| {
        let outcome = run(|workload| {
            workload.op = vec![Op::Get];
            workload.size = vec![size];
            workload.ops = Some(2);
        });
        preloads(&outcome, "a")[0].count
    };
    assert_eq!(counts(1 << 10), 1_000);
    assert_eq!(counts(1 << 20), 256);
    assert_eq!(counts(1 << 30), 1);
}

#[test]
fn what_is_deleted_was_stored_before_and_is_seen_to_be_gone() {
    let outcome = run(|workload| workload.op = vec![Op::Delete]);
    assert_matched(&outcome);
    for label in ["a", "b"] {
        for execution in 0..2 {
            let mut expected = 0;
            for work in outcome.rounds(label, execution, "delete") {
                assert_eq!(work.range.first, expected);
                expected += work.range.count;
            }
        }
        let orders = verify_orders(&outcome, label);
        assert_eq!(orders.len(), 2);
        assert!(orders.iter().all(|order| order.gone && order.range.count == 4 * 200));
        let stored = &outcome.figures("delete-1k", label).storage;
        assert!(stored.iter().all(|figures| figures.engine["blobs"] == 0), "warm-up's too");
    }
    let notes = outcome.notes("a");
    for pair in notes.windows(2).filter(|pair| pair[1].on == On::Work) {
        assert_eq!(pair[0].on, On::Preload);
    }
}

#[test]
fn deletes_leave_what_puts_stored() {
    let outcome = run(|workload| workload.op = vec![Op::Put, Op::Delete, Op::Get]);
    assert_matched(&outcome);
}

#[test]
fn a_put_alone_is_read_back_too() {
    let outcome = run(|workload| workload.op = vec![Op::Put]);
    assert_matched(&outcome);
    assert_eq!(outcome.figures("put-1k", "b").verification.as_ref().unwrap().blobs, 2 * 4 * 200);
}

#[test]
fn nothing_is_read_back_if_that_is_not_wanted() {
    let outcome = run(|workload| workload.verify = Verify::None);
    assert!(outcome.world.notes.iter().all(|note: &Note| note.on != On::Verify));
    let verification = outcome.figures("put-1k", "a").verification.as_ref().unwrap();
    assert_eq!((verification.outcome.as_str(), verification.blobs), ("skipped", 0));
    assert!(outcome.world.notes.iter().any(|note| note.on == On::Storage));
}

#[test]
fn clients_share_a_round() {
    let outcome = run(|workload| workload.clients = 4);
    assert_matched(&outcome);
    let opened = outcome.notes("a").into_iter().filter_map(|note| match &note.order {
        Some(Order::Open(open)) => Some(open.clients),
        _ => None,
    });
    assert_eq!(opened.collect::<Vec<_>>(), [4, 4]);
    let round = &outcome.figures("put-1k", "a").rounds[0];
    let throughput = round.op_wall_ns.unwrap() / round.wall_ns as f64;
    assert!((throughput - 4.0).abs() < 0.01, "four clients do four at once: {throughput}");
}

#[test]
fn blobs_whose_put_failed_may_be_missing_and_those_whose_delete_failed_may_stay() {
    let plan = plan(&["a", "b"], |workload| workload.op = vec![Op::Put, Op::Get, Op::Delete]);
    let model = Model { fails_every: Some(7), ..Model::default() };
    let outcome = Bench::new(plan).model("b", model).run();
    assert_eq!(outcome.result.failures, []);
    outcome.assert_complete("a");
    outcome.assert_complete("b");
    for case in ["put-1k", "get-1k", "delete-1k"] {
        let figures = outcome.figures(case, "b");
        assert_eq!(figures.verification.as_ref().unwrap().outcome, "matched", "{case}");
        for round in &figures.rounds {
            let failed = round.errors["transient"];
            assert!(failed > 0);
            assert_eq!(round.ops + failed, 200);
        }
        assert!(outcome.figures(case, "a").rounds.iter().all(|round| round.errors.is_empty()));
    }
}

#[test]
fn no_more_blobs_may_be_missing_than_failed() {
    let plan = plan(&["a", "b"], |workload| workload.op = vec![Op::Put, Op::Delete]);
    let model = Model { fails_every: Some(7), ..Model::default() };
    let outcome = Bench::new(plan).model("b", model).run();
    let orders = verify_orders(&outcome, "b");
    let failed = |case: &str, execution: u64| {
        let rounds = outcome.figures(case, "b").rounds.iter();
        let rounds = rounds.filter(|round| round.execution == execution);
        rounds.map(|round| round.errors["transient"]).sum::<u64>()
    };
    for execution in 0..2 {
        let [put, delete] = orders[2 * execution as usize..][..2] else { panic!("two cases") };
        assert_eq!((put.gone, put.may_miss), (false, failed("put-1k", execution)));
        assert_eq!((delete.gone, delete.may_miss), (true, failed("delete-1k", execution)));
    }
    assert!(verify_orders(&outcome, "a").iter().all(|order| order.may_miss == 0));
}
