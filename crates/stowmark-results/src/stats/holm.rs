//! Holm's step-down procedure: one error rate for all verdicts of a clock.
//!
//! A run compares several engines over many cases. At 1 % each, a hundred
//! verdicts on identical engines would name a wrong winner about once; Holm
//! keeps the chance of *any* wrong winner in the family at alpha, whatever
//! the dependence between the cases, and rejects never less than Bonferroni.
//!
//! Source: S. Holm, "A simple sequentially rejective multiple test
//! procedure", Scandinavian Journal of Statistics 6 (1979), 65-70.
//!
//! Each verdict is printed with an interval, and the two must not contradict.
//! So every hypothesis also gets the level at which its own interval is to be
//! drawn. With p-values in rising order and m of them, the i-th is tested at
//! alpha / (m - i + 1) while all before it were rejected:
//!
//! - a rejected one gets the level it was tested at: p <= level, the interval
//!   leaves out "no difference";
//! - let k be the first that is not rejected. It and all later ones get k's
//!   level. Their p-values are at least p(k), which is above that level, so
//!   all their intervals include "no difference".
//!
//! Each interval so drawn covers its own truth with at least its printed
//! confidence. They are not claimed to cover all truths at once: intervals
//! that do so and never contradict Holm say nothing beyond "not zero" for
//! most rejected cases (Strassburger and Bretz, "Compatible simultaneous lower
//! confidence bounds for the Holm procedure", Statistics in Medicine 27, 2008).

/// What Holm says about one hypothesis of the family.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Whether "no difference" is rejected.
    pub rejected: bool,
    /// The level (an error rate, such as 0.01 / 8) at which this case's
    /// interval is to be drawn: it includes "no difference" exactly when the
    /// hypothesis is not rejected.
    pub alpha: f64,
}

/// Steps down through the family; the answer is in the order of the input.
///
/// A p-value that is not a number counts as 1. The empty family is empty.
#[must_use]
pub fn step_down(p_values: &[f64], alpha: f64) -> Vec<Step> {
    let p = |index: usize| {
        let p = p_values[index];
        if p.is_nan() { 1.0 } else { p }
    };
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p(*a).total_cmp(&p(*b)));

    let mut steps = vec![Step { rejected: false, alpha }; p_values.len()];
    let mut stopped_at = None;
    for (rank, &index) in order.iter().enumerate() {
        let level = stopped_at.unwrap_or(alpha / (p_values.len() - rank) as f64);
        let rejected = stopped_at.is_none() && p(index) <= level;
        if !rejected {
            stopped_at = Some(level);
        }
        steps[index] = Step { rejected, alpha: level };
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_textbook_family_stops_at_its_third_step() {
        let steps = step_down(&[0.01, 0.04, 0.03, 0.005], 0.05);
        let rejected: Vec<bool> = steps.iter().map(|step| step.rejected).collect();
        assert_eq!(rejected, [true, false, false, true]);
        let levels: Vec<f64> = steps.iter().map(|step| step.alpha).collect();
        assert_eq!(levels, [0.05 / 3.0, 0.025, 0.025, 0.0125]);
    }

    #[test]
    fn a_single_hypothesis_is_tested_at_the_whole_level() {
        let step = step_down(&[0.01], 0.01)[0];
        assert!(step.rejected);
        assert_eq!(step.alpha, 0.01);
        assert!(step_down(&[], 0.01).is_empty());
    }

    #[test]
    fn a_p_value_that_is_no_number_is_never_rejected() {
        let steps = step_down(&[f64::NAN, 0.0], 0.01);
        assert!(!steps[0].rejected && steps[1].rejected);
    }

    /// Values that often tie with each other and with the levels.
    fn family() -> impl Strategy<Value = Vec<f64>> {
        let p = prop_oneof![
            0.0..=1.0f64,
            0.0..0.02f64,
            (1..12u32).prop_map(|divisor| 0.01 / f64::from(divisor)),
        ];
        proptest::collection::vec(p, 0..12)
    }

    proptest! {
        #[test]
        fn a_level_lies_above_its_p_value_exactly_when_rejected(p in family()) {
            for (p, step) in p.iter().zip(step_down(&p, 0.01)) {
                prop_assert_eq!(step.rejected, *p <= step.alpha);
            }
        }

        #[test]
        fn holm_rejects_all_that_bonferroni_rejects_and_nothing_above_alpha(p in family()) {
            let bonferroni = 0.01 / p.len() as f64;
            for (p, step) in p.iter().zip(step_down(&p, 0.01)) {
                prop_assert!(step.rejected || *p > bonferroni);
                prop_assert!(!step.rejected || *p <= 0.01);
                prop_assert!((bonferroni..=0.01).contains(&step.alpha));
            }
        }

        #[test]
        fn the_order_of_the_cases_does_not_matter(p in family()) {
            let forward = step_down(&p, 0.01);
            let reversed: Vec<f64> = p.iter().rev().copied().collect();
            let mut backward = step_down(&reversed, 0.01);
            backward.reverse();
            for (a, b) in forward.iter().zip(&backward) {
                prop_assert_eq!(a.rejected, b.rejected);
            }
        }
    }
}
