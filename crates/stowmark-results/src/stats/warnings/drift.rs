//! Drift: times that rise or fall over the rounds of an execution.
//!
//! A store that grows, a cache that fills, a disk that runs out of erased
//! blocks. If both engines drift alike pairing cancels it; if not, the figure
//! depends on how many rounds were run.
//!
//! Mann and Kendall's count of rising less falling pairs, made within each
//! execution and added up, as each starts afresh (Hirsch and Slack's seasonal
//! form: R. Hirsch, J. Slack and R. Smith, "Techniques of trend analysis for
//! monthly water quality data", Water Resources Research 18, 1982), with the
//! normal approximation, corrected for ties and continuity. The size is the
//! median of all pairwise slopes (P. K. Sen, 1968), times the length of the
//! longest execution.

use statrs::distribution::{ContinuousCDF, Normal};

use super::super::basics::{median_in_place, tie_sizes};
use super::{LEVEL, percent};

/// A drift is reported from this size on: a logarithm, about 5 %.
pub const LEAST_DRIFT: f64 = 0.05;

/// Longer executions are condensed to this many medians of neighbours, as the
/// count takes time with the square of the length.
const LONGEST: usize = 200;

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drift {
    /// Change from the first to the last round of an execution, in percent of
    /// the first: negative where times fall.
    pub percent: f64,
    /// The two-sided p-value of "no trend".
    pub p: f64,
}

/// Looks for a drift in the logarithms of samples, one series an execution.
#[must_use]
pub fn drift(executions: &[Vec<f64>]) -> Option<Drift> {
    let mut balance = 0.0;
    let mut variance = 0.0;
    let mut rises = Vec::new();
    for series in executions.iter().map(|series| condensed(series)) {
        let n = series.len();
        for (early, first) in series.iter().enumerate() {
            for (steps, second) in (1..).zip(&series[early + 1..]) {
                let rise = second - first;
                balance += f64::from(u8::from(rise > 0.0)) - f64::from(u8::from(rise < 0.0));
                // Over the whole execution, so that long and short ones agree.
                rises.push(rise * (n - 1) as f64 / f64::from(steps));
            }
        }
        variance += variance_of_balance(&series);
    }
    if rises.is_empty() || variance <= 0.0 {
        return None;
    }
    let total = median_in_place(&mut rises);
    let z = (balance.abs() - 1.0).max(0.0) / variance.sqrt();
    let p = 2.0 * Normal::standard().sf(z);
    let found = p <= LEVEL && total.abs() >= LEAST_DRIFT && total * balance > 0.0;
    found.then(|| Drift { percent: percent(total), p })
}

/// The variance of rising less falling pairs where order means nothing.
fn variance_of_balance(series: &[f64]) -> f64 {
    let term = |n: f64| n * (n - 1.0) * (2.0 * n + 5.0);
    let mut sorted = series.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let tied: f64 = tie_sizes(&sorted).map(term).sum();
    (term(series.len() as f64) - tied) / 18.0
}

fn condensed(series: &[f64]) -> Vec<f64> {
    let neighbours = series.len().div_ceil(LONGEST).max(1);
    if neighbours == 1 {
        return series.to_vec();
    }
    series.chunks(neighbours).map(|chunk| median_in_place(&mut chunk.to_vec())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rises by `total` with a wobble of a fifth of it.
    fn rising(rounds: usize, total: f64) -> Vec<f64> {
        (0..rounds)
            .map(|round| {
                let wobble = if round % 2 == 0 { 0.1 } else { -0.1 };
                total * (round as f64 / (rounds - 1) as f64 + wobble)
            })
            .collect()
    }

    #[test]
    fn a_rise_by_half_over_the_rounds_is_a_drift() {
        for executions in [vec![rising(20, 1.5f64.ln())], vec![rising(6, 1.5f64.ln()); 5]] {
            let drift = drift(&executions).unwrap();
            assert!((drift.percent - 50.0).abs() < 10.0, "{drift:?}");
            assert!(drift.p < LEVEL);
        }
    }

    #[test]
    fn a_fall_has_a_negative_size() {
        assert!(drift(&[rising(20, -0.5)]).unwrap().percent < -30.0);
    }

    #[test]
    fn a_drift_too_small_to_matter_or_a_series_too_short_is_none() {
        assert_eq!(drift(&[rising(50, 0.03)]), None);
        assert_eq!(drift(&[rising(6, 1.0)]), None);
        assert_eq!(drift(&[vec![1.0; 30]]), None);
        assert_eq!(drift(&[vec![], vec![1.0]]), None);
    }

    #[test]
    fn jumps_between_executions_are_no_drift_over_rounds() {
        let executions: Vec<Vec<f64>> = (0..8)
            .map(|execution| rising(6, 0.001).iter().map(|x| x + f64::from(execution)).collect())
            .collect();
        assert_eq!(drift(&executions), None);
    }

    #[test]
    fn a_long_execution_is_condensed_and_still_found() {
        let drift = drift(&[rising(10_000, 0.5)]).unwrap();
        assert!((drift.percent / percent(0.5) - 1.0).abs() < 0.1);
    }
}
