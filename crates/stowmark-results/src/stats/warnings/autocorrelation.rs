//! Autocorrelation: a round that resembles the one before it.
//!
//! Compaction, caches and checkpoints last longer than a round. Correlated
//! rounds count for fewer than they are; with several executions the verdict
//! does not depend on them, with one it does.
//!
//! The correlation of neighbours (lag 1) within each execution about its own
//! mean, pooled by the executions' sums of squares. Where rounds are
//! independent it is expected at -1/n, with variance (n - 2)^2 / (n^2 (n - 1))
//! (P. A. P. Moran, "Some theorems on time series II", Biometrika 35, 1948);
//! the bound lies as many deviations above as [`LEVEL`] asks for. Only
//! positive correlation is looked for: rounds that alternate are worth more,
//! not less, than independent ones.

use statrs::distribution::{ContinuousCDF, Normal};

use super::super::basics::{mean, sum_of_squares};
use super::LEVEL;

/// Correlations below this are too weak to matter, however sure.
pub const LEAST_CORRELATION: f64 = 0.2;

/// Executions shorter than this say nothing about neighbours.
const SHORTEST: usize = 4;

/// Fewer rounds in all cannot support the bound's normal approximation.
const LEAST_ROUNDS: usize = 12;

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Autocorrelation {
    /// The correlation of neighbouring rounds, freed of its bias of -1/n.
    pub correlation: f64,
    /// The bound that it exceeds, likewise.
    pub bound: f64,
}

/// Looks for correlated neighbours in the logarithms of samples, one series an
/// execution.
#[must_use]
pub fn autocorrelation(executions: &[Vec<f64>]) -> Option<Autocorrelation> {
    let long: Vec<&[f64]> =
        executions.iter().map(Vec::as_slice).filter(|series| series.len() >= SHORTEST).collect();
    let rounds: usize = long.iter().map(|series| series.len()).sum();
    let total: f64 = long.iter().map(|series| sum_of_squares(series)).sum();
    if rounds < LEAST_ROUNDS || total <= 0.0 {
        return None;
    }
    let (mut correlation, mut variance) = (0.0, 0.0);
    for series in long {
        let n = series.len() as f64;
        let weight = sum_of_squares(series) / total;
        correlation += neighbours(series) / total + weight / n;
        variance += weight.powi(2) * (n - 2.0).powi(2) / (n * n * (n - 1.0));
    }
    let deviations = Normal::standard().inverse_cdf(1.0 - LEVEL);
    let bound = (deviations * variance.sqrt()).max(LEAST_CORRELATION);
    (correlation > bound).then_some(Autocorrelation { correlation, bound })
}

/// The products of neighbours' distances from the mean, added up.
fn neighbours(series: &[f64]) -> f64 {
    let mean = mean(series);
    series.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_waves_are_correlated() {
        let wave: Vec<f64> = (0..40).map(|i| (f64::from(i) / 5.0).sin()).collect();
        let found = autocorrelation(&[wave]).unwrap();
        assert!(found.correlation > 0.9 && found.correlation > found.bound);
    }

    #[test]
    fn alternating_constant_and_few_rounds_are_not() {
        let alternating: Vec<f64> = (0..40).map(|i| f64::from(i % 2)).collect();
        assert_eq!(autocorrelation(&[alternating]), None);
        assert_eq!(autocorrelation(&[vec![1.0; 40]]), None);
        assert_eq!(autocorrelation(&[vec![1.0, 2.0, 3.0, 4.0]]), None);
    }

    #[test]
    fn a_different_level_of_each_execution_is_no_correlation() {
        let executions: Vec<Vec<f64>> = (0..10)
            .map(|level| [0.1, -0.1, 0.1, -0.1].iter().map(|x| x + f64::from(level)).collect())
            .collect();
        assert_eq!(autocorrelation(&executions), None);
    }
}
