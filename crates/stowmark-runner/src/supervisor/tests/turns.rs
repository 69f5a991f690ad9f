//! Who has its turn when, and who rests meanwhile.

use std::collections::BTreeMap;

use super::fake::On;
use super::support::{Bench, plan};
use crate::event::Event;
use crate::plan::{FLOOR_LABEL, Order};

const THREE: [&str; 3] = ["a", "b", "c"];

#[test]
fn all_engines_get_the_same_operations() {
    let outcome = Bench::new(plan(&THREE, |_| {})).takes("b", 900_000.0).run();
    for execution in 0..2 {
        for op in ["put", "get"] {
            let expected = outcome.work("a", execution, op);
            assert!(expected.len() > 4, "warm-up and rounds");
            for label in ["b", "c", FLOOR_LABEL] {
                assert_eq!(outcome.work(label, execution, op), expected, "{label}");
            }
        }
    }
}

#[test]
fn no_two_rounds_use_one_order_of_keys() {
    let outcome = Bench::new(plan(&["a"], |_| {})).run();
    let mut seeds: Vec<_> = (0..2)
        .flat_map(|execution| ["put", "get"].map(|op| (execution, op)))
        .flat_map(|(execution, op)| outcome.rounds("a", execution, op))
        .map(|work| work.seed)
        .collect();
    let all = seeds.len();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!((seeds.len(), all), (16, 16));
}

#[test]
fn rounds_are_paired_and_every_engine_has_every_place_equally_often() {
    let outcome = Bench::new(plan(&THREE, |workload| workload.rounds = 8)).run();
    for label in ["a", "b", "c", FLOOR_LABEL] {
        outcome.assert_complete(label);
        for case in ["put-1k", "get-1k"] {
            for execution in 0..2 {
                let mut places = BTreeMap::<u64, u64>::new();
                let figures = outcome.figures(case, label);
                for round in figures.rounds.iter().filter(|r| r.execution == execution) {
                    *places.entry(round.position).or_default() += 1;
                }
                assert_eq!(places, [(0, 2), (1, 2), (2, 2), (3, 2)].into(), "{label} at {case}");
            }
        }
    }
}

#[test]
fn every_engine_follows_every_other_equally_often_within_rounds() {
    let outcome = Bench::new(plan(&THREE, |workload| workload.rounds = 8)).run();
    for label in ["a", "b", "c", FLOOR_LABEL] {
        let mut predecessors = BTreeMap::<&str, u64>::new();
        let rounds = outcome.figures("put-1k", label).rounds.iter();
        for round in rounds.filter(|round| round.position > 0) {
            *predecessors.entry(round.predecessor.as_deref().unwrap()).or_default() += 1;
        }
        let others = ["a", "b", "c", FLOOR_LABEL].into_iter().filter(|other| *other != label);
        assert_eq!(predecessors, others.map(|other| (other, 4)).collect(), "before {label}");
    }
}

#[test]
fn the_predecessor_is_who_really_worked_before() {
    let outcome = Bench::new(plan(&THREE, |_| {})).run();
    let worked: Vec<_> = outcome.world.notes.iter().filter(|note| note.on == On::Work).collect();
    for label in ["a", "b", "c", FLOOR_LABEL] {
        for (case, op) in [("put-1k", "put"), ("get-1k", "get")] {
            for execution in 0..2 {
                let rounds = outcome.figures(case, label).rounds.iter();
                let rounds: Vec<_> = rounds.filter(|r| r.execution == execution).collect();
                for (round, work) in rounds.iter().zip(outcome.rounds(label, execution, op)) {
                    let at = worked.iter().position(|note| {
                        note.label == label
                            && note.execution == execution
                            && note.order == Some(crate::protocol::Order::Work(work.clone()))
                    });
                    let before = worked[at.unwrap() - 1].label.as_str();
                    assert_eq!(round.predecessor.as_deref(), Some(before), "{label} at {case}");
                }
            }
        }
    }
}

#[test]
fn while_one_works_all_others_are_stopped() {
    let outcome = Bench::new(plan(&THREE, |_| {})).run();
    for note in &outcome.world.notes {
        assert_eq!(note.others_running, <[String; 0]>::default(), "at {note:?}");
    }
}

#[test]
fn every_turn_is_bracketed_by_going_on_and_stopping() {
    let outcome = Bench::new(plan(&THREE, |_| {})).run();
    for label in ["a", "b", "c", FLOOR_LABEL] {
        let mut running = true;
        for note in outcome.notes(label) {
            match note.on {
                On::Start => running = true,
                On::Resume => {
                    assert!(!running, "{label} goes on twice");
                    running = true;
                }
                On::Pause => {
                    assert!(running, "{label} is stopped twice");
                    running = false;
                }
                on => assert!(running, "{label} is asked {on:?} while it is stopped"),
            }
        }
    }
    let settled = outcome.rounds("a", 0, "put");
    assert!(settled.iter().all(|work| work.settle_ns > 0 && work.settle_ops > 0));
}

#[test]
fn in_sequential_order_nobody_is_stopped_and_engines_come_one_after_the_other() {
    let mut plan = plan(&THREE, |workload| workload.executions = 1);
    plan.order = Order::Sequential;
    let outcome = Bench::new(plan).run();
    let asked = |on| outcome.world.notes.iter().filter(|note| note.on == on).count();
    assert_eq!((asked(On::Pause), asked(On::Resume)), (0, 0));
    let turns: Vec<&str> = outcome
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Phase { label, phase: "round" } => Some(label.as_str()),
            _ => None,
        })
        .collect();
    let expected: Vec<_> =
        ["a", "b", "c", FLOOR_LABEL].into_iter().flat_map(|label| [label; 4]).collect();
    assert_eq!(turns, expected.repeat(2));
    for (position, label) in ["a", "b", "c", FLOOR_LABEL].into_iter().enumerate() {
        outcome.assert_complete(label);
        let rounds = &outcome.figures("get-1k", label).rounds;
        assert!(rounds.iter().all(|round| round.position == position as u64));
        assert!(outcome.rounds(label, 0, "put").iter().all(|work| work.settle_ns == 0));
    }
}

#[test]
fn the_floor_takes_part_in_every_case_and_is_not_listed() {
    let outcome = Bench::new(plan(&THREE, |workload| workload.size = vec![1024, 4096])).run();
    outcome.assert_complete(FLOOR_LABEL);
    assert_eq!(outcome.result.cases.len(), 4);
    for case in &outcome.result.cases {
        let listed: Vec<_> = case.engines.iter().map(|figures| figures.label.as_str()).collect();
        assert_eq!(listed, THREE);
        let verification = case.floor.as_ref().unwrap().verification.as_ref().unwrap();
        assert_eq!(verification.outcome, "not-applicable");
    }
    assert!(outcome.notes(FLOOR_LABEL).iter().all(|note| note.on != On::Verify));
}

#[test]
fn a_seed_decides_the_order_of_turns() {
    let turns = |seed| {
        let mut plan = plan(&THREE, |workload| workload.rounds = 8);
        plan.seed = seed;
        let notes = Bench::new(plan).run().world.notes;
        notes.into_iter().map(|note| (note.label, note.on)).collect::<Vec<_>>()
    };
    assert_eq!(turns(1), turns(1));
    assert_ne!(turns(1), turns(2));
}

#[test]
fn progress_counts_every_turn_once() {
    let outcome = Bench::new(plan(&THREE, |_| {})).run();
    let turns = 2 * 2 * 4 * 4;
    assert_eq!(outcome.events[0], Event::Started { turns });
    let done: Vec<u64> = outcome
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Progress { done, turns: all, .. } => {
                assert_eq!(*all, turns);
                Some(*done)
            }
            _ => None,
        })
        .collect();
    assert_eq!(done, (1..=turns).collect::<Vec<_>>());
}

#[test]
fn the_file_holds_each_case_before_the_next_begins() {
    let outcome = Bench::new(plan(&THREE, |_| {})).run();
    let rounds = |at: usize, case: usize| outcome.files[at].cases[case].engines[2].rounds.len();
    let seen: Vec<_> = (0..outcome.files.len()).map(|at| (rounds(at, 0), rounds(at, 1))).collect();
    assert_eq!(seen, [(0, 0), (4, 0), (4, 4), (8, 4)]);
    assert!(outcome.files[1].cases[0].engines[2].histogram.is_some());
}
