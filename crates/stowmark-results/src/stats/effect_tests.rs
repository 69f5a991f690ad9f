//! Tests of the deciding analysis on samples small enough to check by hand.

use proptest::prelude::*;

use super::*;

fn some(executions: &[&[f64]]) -> Vec<Vec<Option<f64>>> {
    executions.iter().map(|rounds| rounds.iter().copied().map(Some).collect()).collect()
}

#[test]
fn the_effect_is_the_mean_of_the_executions_medians() {
    // Medians of the log ratios: ln 2 (a wild third round) and ln 8.
    let engine = some(&[&[2.0, 2.0, 900.0], &[8.0, 8.0, 8.0]]);
    let baseline = some(&[&[1.0, 1.0, 1.0], &[1.0, 1.0, 1.0]]);
    let effect = analyse(&engine, &baseline, 0.01).unwrap();
    assert!((effect.ratio - 4.0).abs() < 1e-12);
    assert_eq!((effect.executions, effect.rounds, effect.df), (2, 6, 1.0));
    let sd = 4f64.ln() / 2f64.sqrt();
    assert!((effect.between_executions.unwrap() - sd).abs() < 1e-12);
    // Student's t with one degree of freedom at 99 % is 63.6567.
    let half = 63.656_741 * sd / 2f64.sqrt();
    assert!((effect.high.ln() - (4f64.ln() + half)).abs() < 1e-4);
    assert!((effect.low.ln() - (4f64.ln() - half)).abs() < 1e-4);
    assert!(!effect.is_shown() && !effect.within_this_execution);
}

#[test]
fn swapping_engine_and_baseline_turns_the_ratio_over() {
    let a = some(&[&[1.0, 1.2, 1.1], &[1.3, 1.0, 1.1], &[1.0, 1.1, 1.2]]);
    let b = some(&[&[2.0, 2.2, 2.4], &[2.1, 2.6, 2.0], &[2.3, 2.0, 2.2]]);
    let forth = analyse(&a, &b, 0.01).unwrap();
    let back = analyse(&b, &a, 0.01).unwrap();
    assert!((forth.ratio * back.ratio - 1.0).abs() < 1e-12);
    assert!((forth.low * back.high - 1.0).abs() < 1e-12);
    assert!((forth.p - back.p).abs() < 1e-12);
}

#[test]
fn an_execution_that_lost_most_rounds_does_not_count() {
    let engine =
        vec![vec![Some(1.0); 4], vec![Some(2.0), None, None, Some(2.0)], vec![Some(1.0); 4]];
    let baseline = vec![vec![Some(1.0); 4]; 3];
    let effect = analyse(&engine, &baseline, 0.01).unwrap();
    assert_eq!((effect.executions, effect.rounds, effect.unpaired), (2, 8, 2));
    assert_eq!((effect.ratio, effect.p), (1.0, 1.0));
}

#[test]
fn executions_of_a_single_planned_round_count() {
    let engine = some(&[&[2.0], &[2.1], &[1.9]]);
    let baseline = some(&[&[1.0], &[1.0], &[1.0]]);
    let effect = analyse(&engine, &baseline, 0.01).unwrap();
    assert_eq!((effect.executions, effect.df), (3, 2.0));
}

#[test]
fn too_few_samples_say_what_is_missing() {
    let nothing = analyse(&[], &[], 0.01);
    assert_eq!(nothing, Err(TooFew::NoPairs { unpaired: 0, non_positive: 0 }));
    let zero = vec![vec![Some(0.0); 6]];
    let one = vec![vec![Some(1.0); 6]];
    assert_eq!(analyse(&zero, &one, 0.01), Err(TooFew::NoPairs { unpaired: 0, non_positive: 6 }));
    let five = vec![vec![Some(1.0); 5]];
    let short = analyse(&five, &one, 0.01).unwrap_err();
    assert_eq!(short, TooFew::OneShortExecution { rounds: 5 });
    assert!(short.to_string().contains("2 executions"));
    let holes = vec![vec![Some(1.0), None, None, Some(1.0)]; 5];
    assert_eq!(
        analyse(&holes, &holes, 0.01),
        Err(TooFew::NoWholeExecution { rounds: 2, needed: 3 })
    );
}

#[test]
fn one_execution_is_judged_within_itself_and_always_alike() {
    let engine = vec![(0..20).map(|i| Some(6.0 + 0.1 * f64::from(i % 7))).collect()];
    let baseline = vec![(0..20).map(|i| Some(1.0 + 0.01 * f64::from(i % 3))).collect()];
    let effect = analyse(&engine, &baseline, 0.01).unwrap();
    assert!(effect.within_this_execution && effect.is_shown());
    assert!(effect.low > 5.0 && effect.high < 8.0);
    assert_eq!(effect.between_executions, None);
    assert_eq!(effect.executions_to_settle(), None);
    assert_eq!(analyse(&engine, &baseline, 0.01), Ok(effect));
}

#[test]
fn samples_without_any_spread_are_equal_or_shown() {
    let fives = vec![vec![Some(5.0); 6]; 5];
    let same = analyse(&fives, &fives, 0.01).unwrap();
    assert_eq!((same.ratio, same.p), (1.0, 1.0));
    assert!(same.low <= 1.0 && same.high >= 1.0);
    assert_eq!(same.executions_to_settle(), None);
    let tens = vec![vec![Some(10.0); 6]; 5];
    assert!(analyse(&tens, &fives, 0.01).unwrap().low > 1.99);
    assert!(analyse(&fives[..1], &tens[..1], 0.01).unwrap().high < 0.51);
}

#[test]
fn a_hundred_times_the_executions_detect_about_a_tenth() {
    let few = noisy(5, 0.1);
    let many = noisy(500, 0.1);
    let one = |n| vec![vec![Some(1.0)]; n];
    let few = analyse(&few, &one(5), 0.01).unwrap();
    let many = analyse(&many, &one(500), 0.01).unwrap();
    let gain = few.smallest_detectable_percent() / many.smallest_detectable_percent();
    assert!(gain > 10.0 && gain < 40.0, "{gain}");
}

#[test]
fn as_many_executions_as_settle_it_would_have_shown_it() {
    // Effects alternate around a mean of 0.02 with a known spread.
    let engine: Vec<_> =
        [0.12f64, -0.08, 0.12, -0.08, 0.02].iter().map(|log| vec![Some(log.exp())]).collect();
    let baseline = vec![vec![Some(1.0)]; 5];
    let effect = analyse(&engine, &baseline, 0.01).unwrap();
    assert!(!effect.is_shown());
    let settles = effect.executions_to_settle().unwrap();
    // Normal theory: ((2.576 + 1.282) * sd / effect)^2, and a little for t.
    let sd = effect.between_executions.unwrap();
    let normal = ((2.576 + 1.282) * sd / 0.02).powi(2);
    assert!(settles as f64 >= normal && (settles as f64) < normal + 6.0);
}

fn noisy(executions: usize, spread: f64) -> Vec<Vec<Option<f64>>> {
    (0..executions).map(|i| vec![Some((spread * ((i % 5) as f64 - 2.0)).exp())]).collect()
}

/// Executions of a few rounds, some missing, over very different spreads.
fn samples() -> impl Strategy<Value = Vec<Vec<Option<f64>>>> {
    let sample = proptest::option::weighted(0.9, prop_oneof![0.9..1.1f64, 1e-9..1e9f64]);
    proptest::collection::vec(proptest::collection::vec(sample, 6..8), 1..7)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_interval_leaves_out_one_exactly_when_the_difference_is_shown(
        engine in samples(),
        baseline in samples(),
        alpha in prop_oneof![Just(0.01), 1e-6..0.2f64],
    ) {
        if let Ok(effect) = analyse(&engine, &baseline, 0.05) {
            let effect = effect.at(alpha);
            let includes = effect.low <= 1.0 && 1.0 <= effect.high;
            prop_assert_eq!(effect.is_shown(), !includes);
            prop_assert!(effect.low <= effect.ratio && effect.ratio <= effect.high);
            prop_assert!(effect.low > 0.0 && effect.high.is_finite());
            prop_assert!((0.0..=1.0).contains(&effect.p));
        }
    }

    #[test]
    fn more_executions_than_there_are_settle_what_was_not_shown(
        engine in samples(),
        baseline in samples(),
    ) {
        if let Ok(effect) = analyse(&engine, &baseline, 0.01)
            && !effect.is_shown()
            && let Some(settles) = effect.executions_to_settle()
        {
            prop_assert!(settles > effect.executions as u64);
        }
    }
}
