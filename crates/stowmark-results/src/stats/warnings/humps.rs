//! Two humps: times that gather in two places with little between.
//!
//! A cache that is hit or missed, a page that splits or not. A mean or median
//! then names a time that hardly any round took.
//!
//! The samples are split in two where the squares within the parts add up to
//! least, and the share of the whole sum that stays within tells how clearly
//! they part (L. Engelman and J. Hartigan, "Percentage points of a test for
//! clusters", JASA 64, 1969). A normal distribution keeps 36 %, an even spread
//! 25 %, two normal humps five of their deviations apart 13 %. Reported at
//! [`MOST_WITHIN`] or less, if each part holds a fifth of the samples and the
//! middle third of the way between the parts' centres is nearly empty. With
//! 20 samples that takes normal noise for humps in about 2 of 1000 cases, with
//! 30 in fewer than 1 (simulated), and evenly spread noise in 3 of 100.
//!
//! Humps that are whole executions are not reported: executions differ, that
//! is what they are for, and five of them often fall into two groups.

use super::super::basics::{mean, sum_of_squares};
use super::percent;

/// The humps lie at least this far apart: a logarithm, about 5 %.
pub const LEAST_HUMP_DISTANCE: f64 = 0.05;

/// The share of the sum of squares that may stay within the humps.
const MOST_WITHIN: f64 = 0.15;

/// The share of the samples that each hump holds at least.
const LEAST_SHARE: f64 = 0.2;

/// The share of the samples that may lie in the middle third between them.
const MOST_BETWEEN: f64 = 0.1;

/// Fewer samples part by chance too easily.
const LEAST_SAMPLES: usize = 20;

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoHumps {
    /// The geometric mean of the faster hump, in the samples' unit.
    pub faster: f64,
    /// The geometric mean of the slower hump, in the samples' unit.
    pub slower: f64,
    /// The slower hump's time over the faster's, less one, in percent.
    pub apart_percent: f64,
    /// The share of the samples in the slower hump, from 0 to 1.
    pub share_slower: f64,
}

/// Looks for two humps in the logarithms of samples, one series an execution.
#[must_use]
pub fn two_humps(executions: &[Vec<f64>]) -> Option<TwoHumps> {
    let mut logs = executions.concat();
    if logs.len() < LEAST_SAMPLES {
        return None;
    }
    logs.sort_unstable_by(f64::total_cmp);
    let split = best_split(&logs);
    let (faster, slower) = logs.split_at(split);
    let within = (sum_of_squares(faster) + sum_of_squares(slower)) / sum_of_squares(&logs);
    let (low, high) = (mean(faster), mean(slower));
    let apart = high - low;
    let middle = (low + apart / 3.0)..(high - apart / 3.0);
    let between = logs.iter().filter(|log| middle.contains(log)).count();

    // Written so that samples without any spread (0 / 0) do not pass.
    let clear = within <= MOST_WITHIN
        && apart >= LEAST_HUMP_DISTANCE
        && between as f64 <= MOST_BETWEEN * logs.len() as f64;
    let found = clear && mixed_within_executions(executions, 0.5 * (low + high));
    found.then(|| TwoHumps {
        faster: low.exp(),
        slower: high.exp(),
        apart_percent: percent(apart),
        share_slower: slower.len() as f64 / logs.len() as f64,
    })
}

/// Where to cut the sorted values so that least is left within the parts,
/// which is where most lies between them.
fn best_split(sorted: &[f64]) -> usize {
    let n = sorted.len();
    let smallest = (LEAST_SHARE * n as f64).ceil() as usize;
    let overall = mean(sorted);
    let mut below: f64 = sorted[..smallest].iter().map(|log| log - overall).sum();
    let (mut best, mut best_between) = (smallest, f64::NEG_INFINITY);
    for (split, log) in sorted.iter().enumerate().take(n - smallest + 1).skip(smallest) {
        // About the overall mean the two parts' sums are equal and opposite.
        let between = below * below * (1.0 / split as f64 + 1.0 / (n - split) as f64);
        if between > best_between {
            (best, best_between) = (split, between);
        }
        below += log - overall;
    }
    best
}

/// Whether at least half of the executions have rounds on both sides.
fn mixed_within_executions(executions: &[Vec<f64>], valley: f64) -> bool {
    let measured = executions.iter().filter(|series| !series.is_empty());
    let (mut mixed, mut all) = (0, 0);
    for series in measured {
        let slower = series.iter().filter(|log| **log > valley).count();
        mixed += usize::from(slower > 0 && slower < series.len());
        all += 1;
    }
    2 * mixed >= all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn humps(centres: &[f64]) -> Vec<f64> {
        (0..30).map(|i| centres[i % centres.len()] + 0.01 * (i % 7) as f64).collect()
    }

    #[test]
    fn a_cache_hit_or_missed_makes_two_humps() {
        let found = two_humps(&[humps(&[0.0, 0.0, 2f64.ln()])]).unwrap();
        assert!((found.apart_percent - 100.0).abs() < 3.0, "{found:?}");
        assert!((found.share_slower - 1.0 / 3.0).abs() < 1e-9);
        assert!((found.slower / found.faster - 2.0).abs() < 0.03);
    }

    #[test]
    fn one_hump_an_even_spread_and_no_spread_are_not_two() {
        assert_eq!(two_humps(&[humps(&[0.0])]), None);
        let even: Vec<f64> = (0..30).map(f64::from).collect();
        assert_eq!(two_humps(&[even]), None);
        assert_eq!(two_humps(&[vec![1.0; 30]]), None);
    }

    #[test]
    fn humps_too_close_or_too_few_samples_are_passed_over() {
        assert_eq!(two_humps(&[[[0.0; 10], [0.04; 10]].concat()]), None);
        assert_eq!(two_humps(&[[[0.0; 9], [1.0; 9]].concat()]), None);
    }

    #[test]
    fn two_groups_of_executions_are_not_two_humps() {
        let executions = vec![vec![0.0; 6], vec![1.0; 6], vec![0.0; 6], vec![1.0; 6]];
        assert_eq!(two_humps(&executions), None);
        let mixed = vec![[[0.0; 3], [1.0; 3]].concat(); 4];
        assert!(two_humps(&mixed).is_some());
    }

    #[test]
    fn a_handful_of_outliers_is_no_hump() {
        let mut series = humps(&[0.0]);
        series[3] = 2.0;
        series[11] = 2.0;
        assert_eq!(two_humps(&[series]), None);
    }
}
