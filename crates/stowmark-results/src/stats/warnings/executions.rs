//! Executions that disagree: each is calm in itself, and they are far apart.
//!
//! Another state of the store, a cache that one process got and the next did
//! not, a machine that changed its pace. The verdict takes executions as its
//! unit, so that its interval holds all the same; but a median over all rounds
//! then describes no execution at all.
//!
//! The one-way analysis of variance (R. A. Fisher, "Statistical methods for
//! research workers", 1925): the variance between the executions' means over
//! that within executions, held against the F distribution. It is about means
//! of logarithms; the size is told by medians, which one slow round in an
//! execution does not move.

use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use super::super::basics::{mean, median, sum_of_squares};
use super::LEVEL;

/// Executions are reported from this ratio of the slowest one's median to the
/// fastest one's on.
pub const LEAST_EXECUTION_TIMES: f64 = 1.25;

/// Fewer degrees of freedom within executions say too little of their calm.
const LEAST_WITHIN: usize = 4;

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExecutionsDiffer {
    /// The slowest execution's median over the fastest one's.
    pub times: f64,
    /// The p-value of "all executions have one mean".
    pub p: f64,
}

/// Looks for executions that disagree, in the logarithms of samples, one
/// series an execution.
#[must_use]
pub fn executions_differ(executions: &[Vec<f64>]) -> Option<ExecutionsDiffer> {
    let measured: Vec<&[f64]> =
        executions.iter().map(Vec::as_slice).filter(|series| !series.is_empty()).collect();
    let rounds: usize = measured.iter().map(|series| series.len()).sum();
    let between_freedom = measured.len().checked_sub(1).filter(|freedom| *freedom > 0)?;
    let within_freedom = rounds - measured.len();
    if within_freedom < LEAST_WITHIN {
        return None;
    }
    let medians: Vec<f64> = measured.iter().map(|series| median(series)).collect();
    let slowest = medians.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let fastest = medians.iter().copied().fold(f64::INFINITY, f64::min);
    let times = (slowest - fastest).exp();

    let within: f64 = measured.iter().map(|series| sum_of_squares(series)).sum();
    let middle = mean(&measured.concat());
    let between: f64 =
        measured.iter().map(|series| series.len() as f64 * (mean(series) - middle).powi(2)).sum();
    let (between_freedom, within_freedom) = (between_freedom as f64, within_freedom as f64);
    let f = (between / between_freedom) / (within / within_freedom);
    let p = upper_tail(f, between_freedom, within_freedom)?;
    (p <= LEVEL && times >= LEAST_EXECUTION_TIMES).then_some(ExecutionsDiffer { times, p })
}

/// The chance of an F at least this large where nothing differs; none for one
/// that is no number, as where nothing varies at all.
fn upper_tail(f: f64, between_freedom: f64, within_freedom: f64) -> Option<f64> {
    if f.is_nan() {
        return None;
    }
    if f.is_infinite() {
        return Some(0.0);
    }
    Some(FisherSnedecor::new(between_freedom, within_freedom).ok()?.sf(f))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Executions of these medians in milliseconds, with a wobble of 4 %.
    fn executions(medians: &[f64]) -> Vec<Vec<f64>> {
        let wobble = [0.02, -0.02, 0.0, 0.01, -0.01, 0.0];
        medians.iter().map(|ms| wobble.iter().map(|w| ms.ln() + w).collect()).collect()
    }

    #[test]
    fn executions_at_two_speeds_are_found_with_their_ratio() {
        let found = executions_differ(&executions(&[12.0, 12.0, 24.0, 25.0, 25.0])).unwrap();
        assert!((found.times - 25.0 / 12.0).abs() < 1e-9, "{found:?}");
        assert!(found.p < 1e-6);
    }

    #[test]
    fn a_sure_difference_that_is_small_is_none() {
        assert_eq!(executions_differ(&executions(&[10.0, 10.0, 12.0, 12.0, 12.0])), None);
    }

    #[test]
    fn a_large_difference_within_the_noise_of_rounds_is_none() {
        let noisy = |middle: f64| vec![middle - 0.8, middle + 0.8, middle, middle - 0.4];
        assert_eq!(executions_differ(&[noisy(0.0), noisy(0.3), noisy(0.1)]), None);
    }

    #[test]
    fn one_execution_and_single_rounds_have_nothing_to_disagree_about() {
        assert_eq!(executions_differ(&executions(&[12.0])), None);
        assert_eq!(executions_differ(&[vec![0.0], vec![], vec![5.0]]), None);
        assert_eq!(executions_differ(&[vec![1.0; 6], vec![1.0; 6]]), None);
        assert_eq!(executions_differ(&[]), None);
    }

    #[test]
    fn executions_without_any_noise_that_differ_are_found() {
        assert!(executions_differ(&[vec![1.0; 6], vec![2.0; 6]]).is_some());
    }

    #[test]
    fn the_tail_agrees_with_the_printed_tables() {
        for (f, between, within, p) in [(5.0, 2.0, 2.0, 1.0 / 6.0), (4.177, 4.0, 25.0, 0.01)] {
            let found = upper_tail(f, between, within).unwrap();
            assert!((found / p - 1.0).abs() < 0.01, "{f}: {found}");
        }
    }
}
