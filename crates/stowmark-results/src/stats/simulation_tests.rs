//! The analysis against samples whose truth is known.
//!
//! Each test draws many measurements from a fixed seed and counts verdicts.
//! The bounds asserted are the promises made of the analysis;
//! `examples/power.rs` prints the rates themselves, with more draws and more
//! kinds of noise.

use super::basics::{mean, standard_deviation};
use super::paired::Pairing;
use super::simulate::{Noise, Pair, Simulation};
use super::verdict::{Case, Decision, Verdict, decide};
use super::warnings::Findings;

const ALPHA: f64 = 0.01;
const EXECUTIONS: usize = 5;
const ROUNDS: usize = 6;
const RUNS: usize = 1_000;

/// A spread of 5 % as the samples of one engine show it, nine tenths of its
/// variance the engine's own from round to round and one tenth the moment's,
/// which both engines share.
fn five_percent() -> Noise {
    Noise { round: 0.05 * 0.9f64.sqrt(), shared_round: 0.05 * 0.1f64.sqrt(), ..Noise::default() }
}

fn case(pair: &Pair) -> Case<'_> {
    Case { engine: &pair.engine, baseline: &pair.baseline, same_promise: true, clock: None }
}

fn decide_alone(pair: &Pair) -> Decision {
    decide(&[case(pair)], ALPHA).remove(0)
}

/// The share of runs in which `wanted` is the verdict.
fn share(
    runs: usize,
    seed: u64,
    draw: impl Fn(&mut Simulation) -> Pair,
    wanted: impl Fn(&Verdict) -> bool,
) -> f64 {
    let mut simulation = Simulation::new(seed);
    let hits = (0..runs).filter(|_| wanted(&decide_alone(&draw(&mut simulation)).verdict)).count();
    hits as f64 / runs as f64
}

fn names_a_winner(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Faster | Verdict::Slower)
}

fn false_alarms(runs: usize, executions: usize, rounds: usize, noise: Noise) -> f64 {
    share(runs, 2, |simulation| simulation.pair(1.0, executions, rounds, &noise), names_a_winner)
}

fn found(ratio: f64, executions: usize, rounds: usize, noise: Noise) -> f64 {
    let right = if ratio > 1.0 { Verdict::Slower } else { Verdict::Faster };
    share(
        RUNS,
        1,
        |simulation| simulation.pair(ratio, executions, rounds, &noise),
        |verdict| *verdict == right,
    )
}

#[test]
fn a_true_ten_percent_is_found_in_nine_of_ten_runs_at_a_spread_of_five_percent() {
    assert!((five_percent().spread() - 0.05).abs() < 1e-12);
    for ratio in [1.1, 0.9] {
        let found = found(ratio, EXECUTIONS, ROUNDS, five_percent());
        assert!(found >= 0.90, "{ratio}: {found}");
    }
}

#[test]
fn where_the_whole_spread_is_each_engines_own_ten_percent_more_is_found_a_little_less_often() {
    // Ten percent less is the larger step on the logarithmic scale.
    let own = Noise::of_rounds(0.05);
    assert!(found(0.9, EXECUTIONS, ROUNDS, own) >= 0.90);
    assert!(found(1.1, EXECUTIONS, ROUNDS, own) >= 0.85);
}

#[test]
fn equal_engines_are_told_apart_in_at_most_three_of_a_hundred_runs() {
    let drifting = Noise { correlation: 0.6, drift: 0.3, shared_execution: 0.1, ..five_percent() };
    let unequal_executions = Noise { execution: 0.05, ..Noise::of_rounds(0.05) };
    for noise in [five_percent(), drifting, unequal_executions] {
        let alarms = false_alarms(RUNS, EXECUTIONS, ROUNDS, noise);
        assert!(alarms <= 0.03, "{noise:?}: {alarms}");
    }
}

#[test]
fn what_both_engines_share_is_cancelled_by_pairing() {
    let disturbed =
        Noise { shared_round: 0.3, shared_execution: 0.5, drift: 0.5, ..five_percent() };
    assert!(disturbed.spread() > 0.5);
    let found = found(1.1, EXECUTIONS, ROUNDS, disturbed);
    assert!(found >= 0.90, "{found}");
}

#[test]
fn correlated_rounds_cost_power_but_raise_no_false_alarms() {
    let correlated = Noise { correlation: 0.6, ..five_percent() };
    let independent = found(1.1, EXECUTIONS, ROUNDS, five_percent());
    let found = found(1.1, EXECUTIONS, ROUNDS, correlated);
    assert!(found < independent && found > 0.3, "{found}");
}

#[test]
fn the_chance_that_a_family_of_equal_engines_names_a_winner_stays_at_alpha() {
    let mut simulation = Simulation::new(4);
    let runs = 300;
    let alarms = (0..runs)
        .filter(|_| {
            let pairs: Vec<Pair> =
                (0..8).map(|_| simulation.pair(1.0, EXECUTIONS, ROUNDS, &five_percent())).collect();
            let family: Vec<Case> = pairs.iter().map(case).collect();
            decide(&family, ALPHA).iter().any(|decision| names_a_winner(&decision.verdict))
        })
        .count();
    assert!(alarms as f64 <= 0.03 * runs as f64, "{alarms} of {runs}");
}

#[test]
fn one_execution_raises_few_false_alarms_within_itself() {
    let correlated = Noise { correlation: 0.5, ..five_percent() };
    for (rounds, noise) in [(6, five_percent()), (20, five_percent()), (20, correlated)] {
        let alarms = false_alarms(600, 1, rounds, noise);
        assert!(alarms <= 0.03, "{rounds} {noise:?}: {alarms}");
    }
}

#[test]
fn one_execution_of_twenty_rounds_finds_a_fifth() {
    let found = found(1.2, 1, 20, five_percent());
    assert!(found >= 0.95, "{found}");
}

#[test]
fn the_interval_covers_the_truth_as_often_as_it_says() {
    let mut simulation = Simulation::new(5);
    let covered = (0..RUNS)
        .filter(|_| {
            let pair = simulation.pair(1.3, EXECUTIONS, ROUNDS, &five_percent());
            let decision = decide_alone(&pair);
            decision.low.unwrap() <= 1.3 && 1.3 <= decision.high.unwrap()
        })
        .count();
    let covered = covered as f64 / RUNS as f64;
    assert!((0.98..=0.999).contains(&covered), "{covered}");
}

#[test]
fn what_is_called_detectable_is_found_in_nine_of_ten_runs() {
    // Its standard error is estimated run by run; over many runs the squared
    // errors average to the true one.
    let noise = five_percent();
    let mut simulation = Simulation::new(6);
    let effects: Vec<_> = (0..RUNS)
        .map(|_| {
            let pair = simulation.pair(1.0, EXECUTIONS, ROUNDS, &noise);
            super::effect::analyse(&pair.engine, &pair.baseline, ALPHA).unwrap()
        })
        .collect();
    let squares: Vec<f64> = effects.iter().map(|effect| effect.standard_error.powi(2)).collect();
    let typical =
        super::effect::Effect { standard_error: mean(&squares).sqrt(), ..effects[0].clone() };
    let ratio = 1.0 + typical.smallest_detectable_percent() / 100.0;
    let found = found(ratio, EXECUTIONS, ROUNDS, noise);
    assert!((0.87..=0.93).contains(&found), "{ratio}: {found}");
}

#[test]
fn the_executions_that_should_settle_it_do() {
    let noise = Noise { execution: 0.05, ..five_percent() };
    let mut simulation = Simulation::new(7);
    let long = simulation.pair(1.1, 2_000, ROUNDS, &noise);
    let effects = Pairing::of(&long.engine, &long.baseline).log_ratios;
    let medians: Vec<f64> = effects.iter().map(|rounds| super::basics::median(rounds)).collect();
    let truth = super::effect::Effect {
        ratio: 1.1,
        between_executions: Some(standard_deviation(&medians)),
        ..super::effect::analyse(&long.engine, &long.baseline, ALPHA).unwrap()
    };
    let needed = truth.executions_to_settle().unwrap() as usize;
    let found = found(1.1, needed, ROUNDS, noise);
    assert!((0.87..=0.95).contains(&found), "{needed}: {found}");
}

/// How often each detector, and any of them, speaks up.
fn warned(executions: usize, rounds: usize, noise: Noise) -> [f64; 6] {
    let mut simulation = Simulation::new(8);
    let mut counts = [0usize; 6];
    for _ in 0..RUNS {
        let pair = simulation.pair(1.0, executions, rounds, &noise);
        let found = Findings::of(&pair.engine);
        let each = [
            found.drift.is_some(),
            found.autocorrelation.is_some(),
            found.outliers.is_some(),
            found.two_humps.is_some(),
            found.executions_differ.is_some(),
            found != Findings::default(),
        ];
        for (count, spoke) in counts.iter_mut().zip(each) {
            *count += usize::from(spoke);
        }
    }
    counts.map(|count| count as f64 / RUNS as f64)
}

#[test]
fn warnings_seldom_speak_up_over_ordinary_samples() {
    for (executions, rounds) in [(5, 6), (1, 20), (1, 6), (10, 20)] {
        for spread in [0.02, 0.05, 0.2] {
            let warned = warned(executions, rounds, Noise::of_rounds(spread));
            assert!(
                warned[..5].iter().all(|rate| *rate <= 0.01),
                "{executions} x {rounds} at {spread}: {warned:?}"
            );
            assert!(warned[5] <= 0.02, "{executions} x {rounds} at {spread}: {warned:?}");
        }
    }
}

#[test]
fn executions_that_differ_are_no_reason_for_another_warning() {
    let noise = Noise { execution: 0.2, ..Noise::of_rounds(0.02) };
    let warned = warned(5, 6, noise);
    assert!(warned[..4].iter().sum::<f64>() <= 0.02, "{warned:?}");
}

#[test]
fn executions_that_differ_by_no_more_than_usual_draw_no_warning() {
    let noise = Noise { execution: 0.03, ..Noise::of_rounds(0.03) };
    assert!(warned(5, 6, noise)[4] <= 0.01);
    assert!(warned(10, 20, noise)[4] <= 0.01);
}

#[test]
fn each_warning_speaks_up_where_it_should() {
    let drifting = Noise { drift: 0.2, ..Noise::of_rounds(0.05) };
    assert!(warned(5, 6, drifting)[0] >= 0.9);
    let correlated = Noise { correlation: 0.8, ..Noise::of_rounds(0.05) };
    assert!(warned(1, 40, correlated)[1] >= 0.9);
    let differing = Noise { execution: 0.3, ..Noise::of_rounds(0.05) };
    assert!(warned(5, 6, differing)[4] >= 0.9);
}
