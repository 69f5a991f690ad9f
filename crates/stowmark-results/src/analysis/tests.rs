//! The analysis on small results made by hand.

use super::*;
use crate::{EngineFacts, Plan, Round, Verification};

/// Rounds of one operation whose wall time is `wall_ns` and CPU time `cpu_ns`, a little noisy.
fn engine(label: &str, wall_ns: f64, cpu_ns: f64) -> CaseEngine {
    let mut rounds = Vec::new();
    for execution in 0..5_u64 {
        for index in 0..6_u64 {
            // A fixed wobble that is no trend: 0, 1 and 2 percent in turn.
            let noise = 1.0 + ((execution * 7 + index * 5) % 3) as f64 / 100.0;
            let salt = 1.0 + (label.len() as u64 * (index + execution) % 4) as f64 / 1000.0;
            rounds.push(Round {
                execution,
                index,
                ops: 1,
                wall_ns: (wall_ns * noise * salt) as u64,
                op_wall_ns: Some(wall_ns * noise * salt),
                cpu_client_ns: Some((cpu_ns * noise * salt) as u64),
                ..Round::default()
            });
        }
    }
    CaseEngine { label: label.into(), rounds, ..CaseEngine::default() }
}

fn result(engines: Vec<CaseEngine>) -> RunResult {
    let facts = engines.iter().map(|engine| EngineFacts {
        label: engine.label.clone(),
        tier: Some("media".into()),
        ..EngineFacts::default()
    });
    RunResult {
        plan: Plan {
            baseline: Some(engines[0].label.clone()),
            confidence: Some(0.99),
            ..Plan::default()
        },
        engines: facts.collect(),
        cases: vec![Case { id: "put-1k".into(), op: "put".into(), engines, ..Case::default() }],
        ..RunResult::default()
    }
}

fn outcomes(result: &RunResult) -> Vec<(&str, &str)> {
    let verdicts = result.cases[0].verdicts.iter();
    verdicts.map(|v| (v.clock.as_str(), v.outcome.as_str())).collect()
}

fn kinds(result: &RunResult) -> Vec<&str> {
    result.warnings.iter().map(|warning| warning.kind.as_str()).collect()
}

#[test]
fn each_clock_names_its_own_winner_and_the_disagreement_is_said() {
    let mut result = result(vec![engine("a", 1e8, 1e8), engine("bb", 2e8, 0.5e8)]);
    analyse(&mut result);
    assert_eq!(outcomes(&result), [("wall", "slower"), ("cpu", "faster")]);
    assert!(kinds(&result).contains(&"clocks-disagree"));
}

#[test]
fn analysing_again_changes_nothing() {
    let mut first = result(vec![engine("a", 1e8, 1e8), engine("bb", 2e8, 0.5e8)]);
    analyse(&mut first);
    let mut second = first.clone();
    analyse(&mut second);
    assert_eq!(first, second);
}

#[test]
fn different_tiers_have_no_winner() {
    let mut result = result(vec![engine("a", 1e8, 1e8), engine("bb", 9e8, 9e8)]);
    result.engines[1].tier = Some("os".into());
    analyse(&mut result);
    assert_eq!(outcomes(&result)[0], ("wall", "different-promises"));
    assert!(result.cases[0].verdicts[0].ratio.is_some(), "the ratio is shown all the same");
    assert!(kinds(&result).contains(&"unequal-tiers"));
}

#[test]
fn an_engine_that_returned_wrong_data_is_not_ranked() {
    let mut fast = engine("bb", 1.0e7, 1e7);
    fast.verification =
        Some(Verification { outcome: "mismatch".into(), ..Verification::default() });
    let mut result = result(vec![engine("a", 1e8, 1e8), fast]);
    analyse(&mut result);
    let verdict = &result.cases[0].verdicts[0];
    assert_eq!(verdict.outcome, "too-few-samples");
    assert_eq!(verdict.reason.as_deref(), Some("bb returned wrong data"));
}

#[test]
fn cpu_time_below_the_clocks_resolution_has_no_verdict() {
    let mut result = result(vec![engine("a", 1e8, 900.0), engine("bb", 2e8, 500.0)]);
    result.clock.cpu_resolution_ns = Some(530.0);
    analyse(&mut result);
    assert_eq!(outcomes(&result), [("wall", "slower"), ("cpu", "below-resolution")]);
}

#[test]
fn a_case_without_rounds_has_no_verdict() {
    let empty = |label: &str| CaseEngine { label: label.into(), ..CaseEngine::default() };
    let mut result = result(vec![empty("a"), empty("bb")]);
    analyse(&mut result);
    assert!(result.cases[0].verdicts.is_empty());
}

#[test]
fn a_figure_near_the_floor_is_warned_of() {
    let mut result = result(vec![engine("a", 1e8, 1e8), engine("bb", 2e9, 2e9)]);
    result.cases[0].floor = Some(engine("(floor)", 5e7, 5e7));
    analyse(&mut result);
    let near: Vec<_> = result.warnings.iter().filter(|w| w.kind == "near-floor").collect();
    assert_eq!(near.len(), 1);
    assert_eq!(near[0].label.as_deref(), Some("a"));
}

#[test]
fn failed_operations_are_warned_of_by_class() {
    let mut failing = engine("bb", 1e8, 1e8);
    failing.rounds[0].errors.insert("transient".into(), 3);
    failing.rounds[4].errors.insert("transient".into(), 2);
    let mut result = result(vec![engine("a", 1e8, 1e8), failing]);
    analyse(&mut result);
    let errors = result.warnings.iter().find(|warning| warning.kind == "errors").unwrap();
    assert!(errors.message.contains("5 operations failed (transient 5)"), "{}", errors.message);
}

#[test]
fn a_round_that_is_missing_is_missing_on_one_side_only() {
    let mut late = engine("bb", 2e8, 2e8);
    late.rounds.remove(3);
    let paired = samples(&late, Clock::Wall);
    assert_eq!(paired[0].len(), 6);
    assert_eq!(paired[0][3], None);
    assert_eq!(paired[1].iter().flatten().count(), 6);
}

#[test]
fn short_rounds_come_with_the_operations_that_would_make_a_second() {
    let mut result = result(vec![engine("a", 2e7, 1e7), engine("bb", 2e7, 1e7)]);
    result.cases[0].ops_per_round = 1;
    analyse(&mut result);
    let burst = result.warnings.iter().find(|warning| warning.kind == "short-burst");
    let message = &burst.expect("a burst of 20 ms").message;
    assert!(
        message.contains("of put-1k, usually 20 ms; alone (--op, --size) with --ops 50 it"),
        "{message}"
    );
}

#[test]
fn executions_at_two_speeds_are_told_of() {
    let mut torn = engine("bb", 1e8, 1e8);
    for round in torn.rounds.iter_mut().filter(|round| round.execution < 2) {
        round.op_wall_ns = round.op_wall_ns.map(|ns| ns / 2.0);
    }
    let mut result = result(vec![engine("a", 1e8, 1e8), torn]);
    analyse(&mut result);
    let found = result.warnings.iter().filter(|warning| warning.kind == "executions-differ");
    let labels: Vec<_> = found.map(|warning| warning.label.as_deref()).collect();
    assert_eq!(labels, [Some("bb")]);
}
