//! From a simulated truth through rounds and file to a verdict.

use stowmark_results::VerdictRecord;
use stowmark_workload::Op;

use super::fake::{Fault, Model, On};
use super::support::{Bench, Outcome, plan, trouble};
use crate::plan::{FLOOR_LABEL, Plan};

/// A machine whose speed swings by a fifth between rounds, alike for all engines; each engine's own
/// swing is a hundredth.
fn model(op_ns: f64) -> Model {
    Model { op_ns, machine_noise: 0.2, own_noise: 0.01, ..Model::default() }
}

fn small_plan(executions: u32, rounds: u32, seed: u64) -> Plan {
    let mut plan = plan(&["a", "b", "c"], |workload| {
        workload.op = vec![Op::Put];
        workload.executions = executions;
        workload.rounds = rounds;
        workload.ops = Some(50);
    });
    plan.seed = seed;
    plan
}

/// A tenth slower than `a` is `b`; `c` is as fast.
fn bench(plan: Plan) -> Bench {
    let bench = Bench::new(plan).takes(FLOOR_LABEL, 100.0);
    bench.model("a", model(100_000.0)).model("b", model(110_000.0)).model("c", model(100_000.0))
}

fn verdict<'a>(outcome: &'a Outcome, engine: &str, clock: &str) -> &'a VerdictRecord {
    let mut verdicts = outcome.case("put-1k").verdicts.iter();
    verdicts.find(|verdict| verdict.engine == engine && verdict.clock == clock).unwrap()
}

#[test]
fn a_tenth_is_seen_through_a_machine_that_swings_by_a_fifth() {
    for seed in 1..=3 {
        let outcome = bench(small_plan(5, 6, seed)).run();
        for clock in ["wall", "cpu"] {
            let slower = verdict(&outcome, "b", clock);
            assert_eq!((&*slower.outcome, &*slower.baseline), ("slower", "a"), "seed {seed}");
            let (low, high) = (slower.ratio_low.unwrap(), slower.ratio_high.unwrap());
            assert!(low < 1.1 && 1.1 < high && high - low < 0.05, "{low} to {high}");
            assert!(!slower.within_this_execution);
        }
        let rounds = &outcome.figures("put-1k", "a").rounds;
        let walls = || rounds.iter().map(|round| round.wall_ns as f64);
        let (least, most) = (walls().fold(f64::MAX, f64::min), walls().fold(0.0, f64::max));
        assert!(most / least > 1.2, "unpaired, the swing would hide it");
    }
}

#[test]
fn equal_engines_show_no_difference_and_what_could_have_been_shown() {
    let outcome = bench(small_plan(5, 6, 1)).run();
    let equal = verdict(&outcome, "c", "wall");
    assert_eq!(equal.outcome, "no-difference-shown");
    assert!(equal.ratio_low.unwrap() < 1.0 && 1.0 < equal.ratio_high.unwrap());
    assert!(equal.smallest_detectable_percent.unwrap() < 5.0);
}

#[test]
fn the_baseline_may_be_any_engine() {
    let mut plan = small_plan(5, 6, 1);
    plan.baseline = "b".into();
    let outcome = bench(plan).run();
    for engine in ["a", "c"] {
        assert_eq!(verdict(&outcome, engine, "wall").outcome, "faster");
    }
    assert_eq!(outcome.case("put-1k").verdicts.len(), 4, "two engines on two clocks");
}

#[test]
fn one_execution_speaks_for_itself_alone() {
    let outcome = bench(small_plan(1, 20, 1)).run();
    let slower = verdict(&outcome, "b", "wall");
    assert_eq!((&*slower.outcome, slower.within_this_execution), ("slower", true));
}

#[test]
fn engines_with_different_promises_have_no_winner() {
    let mut plan = small_plan(5, 6, 1);
    plan.engines[1].tier = "media".into();
    let outcome = bench(plan).run();
    assert_eq!(verdict(&outcome, "b", "wall").outcome, "different-promises");
    assert_eq!(verdict(&outcome, "c", "wall").outcome, "no-difference-shown");
    assert!(outcome.result.warnings.iter().any(|warning| warning.kind == "unequal-tiers"));
}

#[test]
fn an_engine_that_failed_or_gave_wrong_data_has_no_verdict_and_spoils_none() {
    let failed = || Fault::Fails(trouble("signal SIGSEGV"));
    let outcome = bench(small_plan(5, 6, 1)).fault("c", On::Work, 3, failed()).run();
    assert_eq!(verdict(&outcome, "c", "wall").outcome, "too-few-samples");
    assert_eq!(verdict(&outcome, "b", "wall").outcome, "slower");

    let spoils = Model { spoils: true, ..model(50_000.0) };
    let outcome = bench(small_plan(5, 6, 1)).model("c", spoils).run();
    let spoilt = verdict(&outcome, "c", "wall");
    assert_eq!(spoilt.outcome, "too-few-samples");
    assert_eq!(spoilt.reason.as_deref(), Some("c returned wrong data"));
    assert_eq!(verdict(&outcome, "b", "wall").outcome, "slower");
}

#[test]
fn a_figure_near_its_floor_is_marked() {
    let outcome = bench(small_plan(5, 6, 1)).takes(FLOOR_LABEL, 20_000.0).run();
    let warnings = outcome.result.warnings.iter();
    let marked: Vec<_> = warnings.filter(|warning| warning.kind == "near-floor").collect();
    assert!(!marked.is_empty());
    let outcome = bench(small_plan(5, 6, 1)).run();
    assert!(outcome.result.warnings.iter().all(|warning| warning.kind != "near-floor"));
}
