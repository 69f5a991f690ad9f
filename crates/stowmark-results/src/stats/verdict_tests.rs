//! Tests of whole families: what takes part, what is shown, what never
//! contradicts.

use proptest::prelude::*;

use super::*;

type Executions = Vec<Vec<Option<f64>>>;

/// Five executions of three rounds around `centre`, the same wobble each time.
fn around(centre: f64) -> Executions {
    (0..5).map(|execution| vec![Some(centre * (1.0 + 0.01 * f64::from(execution))); 3]).collect()
}

/// The same times in every execution.
fn steady(centre: f64) -> Executions {
    vec![vec![Some(centre); 3]; 5]
}

fn case<'a>(engine: &'a Executions, baseline: &'a Executions) -> Case<'a> {
    Case { engine, baseline, same_promise: true, clock: None }
}

#[test]
fn half_the_time_is_twice_as_fast_and_fifty_percent_less() {
    let (fast, base) = (around(1.0), steady(2.0));
    let decision = &decide(&[case(&fast, &base)], 0.01)[0];
    assert_eq!(decision.verdict, Verdict::Faster);
    let times = decision.times_faster().unwrap();
    assert!(times.low < times.value && times.value < times.high);
    assert!((times.value - 2.0 / 1.02).abs() < 0.001);
    let percent = decision.percent().unwrap();
    assert!((percent.value + 49.0).abs() < 0.1 && percent.high < 0.0);
    assert!(decision.high.unwrap() < 1.0);
    assert_eq!(decision.level, 0.99);
    assert_eq!((decision.executions, decision.rounds), (5, 15));
}

#[test]
fn twice_the_time_is_slower() {
    let (slow, base) = (around(4.0), steady(2.0));
    let decision = &decide(&[case(&slow, &base)], 0.01)[0];
    assert_eq!(decision.verdict, Verdict::Slower);
    assert!(decision.times_slower().unwrap().low > 1.0);
}

#[test]
fn the_same_engine_twice_shows_no_difference_and_what_it_could_have_shown() {
    let (a, b) = (around(2.0), steady(2.04));
    let decision = &decide(&[case(&a, &b)], 0.01)[0];
    let Verdict::NoDifferenceShown { smallest_detectable_percent, .. } = decision.verdict else {
        panic!("{decision:?}");
    };
    // A spread of 1.6 % over 5 executions.
    assert!(smallest_detectable_percent > 2.0 && smallest_detectable_percent < 8.0);
}

#[test]
fn cases_without_a_winner_take_no_share_of_the_error_rate() {
    let (a, b) = (around(1.0), steady(2.0));
    let short = vec![vec![Some(1.0); 3]];
    let family = [
        case(&a, &b),
        Case { same_promise: false, ..case(&a, &b) },
        case(&short, &b),
        Case { clock: Some(ClockReach { total_ns: 199.0, resolution_ns: 10.0 }), ..case(&a, &b) },
        case(&a, &b),
    ];
    let decisions = decide(&family, 0.01);
    let verdicts: Vec<Verdict> = decisions.iter().map(|decision| decision.verdict).collect();
    assert_eq!(
        verdicts,
        [
            Verdict::Faster,
            Verdict::DifferentPromises,
            Verdict::TooFewSamples { reason: TooFew::OneShortExecution { rounds: 3 } },
            Verdict::BelowResolution,
            Verdict::Faster,
        ]
    );
    // Two are tested, so the first step is at half the rate.
    assert_eq!(decisions[0].level, 0.995);
    assert_eq!(decisions[1].level, 0.995);
    assert_eq!(decisions[4].level, 0.99);
    assert_eq!(decisions[1].ratio, decisions[0].ratio);
    assert_eq!((decisions[2].ratio, decisions[3].ratio), (None, None));
}

#[test]
fn different_promises_outrank_what_more_measuring_would_cure() {
    let (none, base) = (vec![], steady(2.0));
    let unmeasured = Case { same_promise: false, ..case(&none, &base) };
    let coarse = Case {
        same_promise: false,
        clock: Some(ClockReach { total_ns: 1.0, resolution_ns: 1.0 }),
        ..case(&base, &base)
    };
    for decision in decide(&[unmeasured, coarse], 0.01) {
        assert_eq!(decision.verdict, Verdict::DifferentPromises);
        assert_eq!(decision.ratio, None);
    }
}

#[test]
fn twenty_steps_of_the_clock_suffice() {
    let reach = |total_ns| ClockReach { total_ns, resolution_ns: 10.0 };
    assert!(reach(200.0).suffices() && !reach(199.9).suffices());
}

#[test]
fn a_clear_difference_can_drown_in_a_large_family() {
    let (a, b) = (around(1.0), steady(1.0));
    let alone = &decide(&[case(&a, &b)], 0.05)[0];
    assert_eq!(alone.verdict, Verdict::Slower);
    let many = decide(&[case(&a, &b); 40], 0.05);
    assert!(many.iter().all(|decision| decision.level == 1.0 - 0.05 / 40.0));
    assert!(
        many.iter().all(|decision| matches!(decision.verdict, Verdict::NoDifferenceShown { .. }))
    );
}

fn executions() -> impl Strategy<Value = Executions> {
    let sample = proptest::option::weighted(0.95, 0.5..1.5f64);
    proptest::collection::vec(proptest::collection::vec(sample, 3), 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn interval_and_verdict_never_contradict(
        family in proptest::collection::vec((executions(), executions(), 0.2..5.0f64), 1..6)
    ) {
        let scaled: Vec<(Executions, &Executions)> = family
            .iter()
            .map(|(engine, baseline, factor)| {
                let scale = |sample: &Option<f64>| sample.map(|sample| sample * factor);
                let engine = engine.iter().map(|e| e.iter().map(scale).collect()).collect();
                (engine, baseline)
            })
            .collect();
        let cases: Vec<Case> = scaled.iter().map(|(e, b)| case(e, b)).collect();
        for decision in decide(&cases, 0.01) {
            let ratio = decision.times_slower();
            match decision.verdict {
                Verdict::Faster => prop_assert!(ratio.unwrap().high < 1.0),
                Verdict::Slower => prop_assert!(ratio.unwrap().low > 1.0),
                Verdict::NoDifferenceShown { smallest_detectable_percent, executions_to_settle } => {
                    let ratio = ratio.unwrap();
                    prop_assert!(ratio.low <= 1.0 && 1.0 <= ratio.high);
                    prop_assert!(smallest_detectable_percent.is_finite());
                    prop_assert!(executions_to_settle.is_none_or(|n| n >= 2));
                }
                _ => prop_assert!(ratio.is_none()),
            }
            let all = [decision.ratio, decision.low, decision.high, decision.p];
            prop_assert!(all.iter().flatten().all(|figure| figure.is_finite()));
        }
    }
}
