//! Outliers: single rounds far from the others of their execution.
//!
//! Another process woke up, the device paused. The median within an execution
//! keeps them out of the verdict; the mean and the histogram do not. They are
//! only counted, never removed: a pause that the engine makes itself is part
//! of what it costs.
//!
//! Distances from the execution's median, pooled, in multiples of their median
//! absolute distance scaled to a standard deviation (C. Leys and others,
//! "Detecting outliers: do not use standard deviation around the mean, use
//! absolute deviation around the median", Journal of Experimental Social
//! Psychology 49, 2013, who advise 2.5 to 3; see [`OUTLIER_DEVIATIONS`]).

use super::super::basics::{median, median_in_place};
use super::percent;

/// How many deviations make an outlier among very many rounds. More than the
/// textbooks' 3, which three of every thousand ordinary rounds cross. Among n
/// rounds it is this times (1 + 15 / n), as the deviation is then itself only
/// guessed, and too low about a median of few: 8.75 for 20 rounds, 7.5 for 30.
pub const OUTLIER_DEVIATIONS: f64 = 5.0;

/// And how far off at least: a logarithm, about 10 %.
pub const LEAST_OUTLIER_DISTANCE: f64 = 0.1;

/// Scales the median absolute deviation to the standard deviation of a normal
/// distribution.
const TO_STANDARD_DEVIATION: f64 = 1.4826;

/// With fewer rounds in all the deviation is a guess.
const LEAST_ROUNDS: usize = 12;

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outliers {
    /// Rounds that lie far off.
    pub count: usize,
    /// Rounds that were looked at.
    pub of: usize,
    /// How far the farthest lies from its execution's median, in percent of
    /// that: negative if it is faster.
    pub farthest_percent: f64,
}

/// Looks for outliers in the logarithms of samples, one series an execution.
#[must_use]
pub fn outliers(executions: &[Vec<f64>]) -> Option<Outliers> {
    let distances: Vec<f64> = executions
        .iter()
        .flat_map(|series| {
            let middle = median(series);
            series.iter().map(move |log| log - middle)
        })
        .collect();
    if distances.len() < LEAST_ROUNDS {
        return None;
    }
    let mut sizes: Vec<f64> = distances.iter().map(|distance| distance.abs()).collect();
    let deviation = TO_STANDARD_DEVIATION * median_in_place(&mut sizes);
    let deviations = OUTLIER_DEVIATIONS * (1.0 + 15.0 / distances.len() as f64);
    let bound = (deviations * deviation).max(LEAST_OUTLIER_DISTANCE);
    let farthest = distances.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs()))?;
    let count = distances.iter().filter(|distance| distance.abs() > bound).count();
    (count > 0).then(|| Outliers {
        count,
        of: distances.len(),
        farthest_percent: percent(farthest),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet() -> Vec<f64> {
        (0..20).map(|i| 0.01 * f64::from(i % 5)).collect()
    }

    #[test]
    fn a_round_of_twice_the_time_is_an_outlier() {
        let mut series = quiet();
        series[7] = 0.02 + 2f64.ln();
        let found = outliers(&[series]).unwrap();
        assert_eq!((found.count, found.of), (1, 20));
        assert!((found.farthest_percent - 100.0).abs() < 1e-9);
    }

    #[test]
    fn a_round_a_little_off_a_quiet_series_is_none() {
        let mut series = quiet();
        series[7] = 0.09;
        assert_eq!(outliers(&[series]), None);
        assert_eq!(outliers(&[vec![0.0; 11], vec![]]), None);
    }

    #[test]
    fn an_execution_that_is_slower_as_a_whole_has_no_outliers() {
        let slow = quiet().iter().map(|log| log + 3.0).collect();
        assert_eq!(outliers(&[quiet(), slow]), None);
    }
}
