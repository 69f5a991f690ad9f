//! How many operations make a round.

use super::support::{Bench, plan};
use crate::plan::FLOOR_LABEL;

/// Two engines whose operations take so long find so many operations for that size.
fn check(op_ns: [f64; 2], size: u64, clients: u32, expected: (u64, &str)) {
    let plan = plan(&["a", "b"], |workload| {
        workload.size = vec![size];
        workload.clients = clients;
        workload.executions = 1;
        workload.rounds = 1;
    });
    let bench = Bench::new(plan).takes("a", op_ns[0]).takes("b", op_ns[1]);
    let outcome = bench.takes(FLOOR_LABEL, 100.0).run();
    for case in &outcome.result.cases {
        let found = (case.ops_per_round, case.ops_found_by.as_deref().unwrap());
        assert_eq!(found, expected, "{} at {op_ns:?}", case.id);
        for figures in case.engines.iter().chain(&case.floor) {
            assert_eq!(figures.rounds[0].ops, expected.0, "{} at {}", figures.label, case.id);
        }
    }
}

#[test]
fn the_fastest_listed_engine_reaches_20_ms_and_the_floor_does_not_count() {
    check([100_000.0, 400_000.0], 1024, 1, (200, "fastest-20ms"));
    check([2_000_000.0, 50_000.0], 1024, 1, (400, "fastest-20ms"));
}

#[test]
fn the_slowest_engine_stays_under_a_second() {
    check([50_000.0, 20_000_000.0], 1024, 1, (50, "slowest-1s"));
}

#[test]
fn a_round_moves_at_most_256_mib() {
    check([100_000.0, 100_000.0], 16 << 20, 1, (16, "bytes-256MiB"));
}

#[test]
fn a_round_has_at_least_one_operation_for_each_client() {
    check([3e9, 3e9], 1024, 1, (1, "least-one"));
    check([1e10, 1e10], 1024, 4, (4, "least-one"));
}

#[test]
fn every_client_does_the_same_number() {
    check([100_000.0, 100_000.0], 1024, 3, (600, "fastest-20ms"));
    check([100_000.0, 30_000_000.0], 1024, 3, (99, "slowest-1s"));
}

#[test]
fn what_the_first_execution_found_holds_for_all() {
    let outcome = Bench::new(plan(&["a", "b"], |workload| workload.executions = 3)).run();
    for label in ["a", "b", FLOOR_LABEL] {
        outcome.assert_complete(label);
        let searched = outcome.work(label, 0, "put").len();
        for execution in [1, 2] {
            let warm_ups = outcome.work(label, execution, "put");
            // One warm-up and the rounds; searching takes more than one.
            assert_eq!(warm_ups.len(), 1 + 4);
            assert!(searched > warm_ups.len());
            assert!(warm_ups[0].ops < 200 && warm_ups[0].ops > 0);
        }
    }
    let rounds = &outcome.figures("get-1k", "b").rounds;
    assert!(rounds.iter().all(|round| round.ops == 200));
}

#[test]
fn given_operations_are_neither_searched_nor_exceeded() {
    let plan = plan(&["a", "b"], |workload| {
        workload.ops = Some(37);
        workload.clients = 2;
    });
    let outcome = Bench::new(plan).run();
    for case in &outcome.result.cases {
        assert_eq!((case.ops_per_round, case.ops_found_by.as_deref()), (37, Some("given")));
        assert_eq!(case.clients, 2);
    }
    for label in ["a", "b", FLOOR_LABEL] {
        outcome.assert_complete(label);
        assert!(outcome.rounds(label, 1, "get").iter().all(|work| work.ops == 37));
        assert_eq!(outcome.work(label, 0, "put").len(), 1 + 4, "one warm-up and the rounds");
    }
}

#[test]
fn one_given_operation_is_enough() {
    let plan = plan(&["a"], |workload| workload.ops = Some(1));
    let outcome = Bench::new(plan).run();
    outcome.assert_complete("a");
    assert!(outcome.figures("put-1k", "a").rounds.iter().all(|round| round.ops == 1));
}
