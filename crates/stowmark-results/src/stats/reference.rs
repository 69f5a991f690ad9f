//! Tests that readers know from elsewhere, printed beside the verdict and
//! never deciding.
//!
//! Both treat every round as an independent witness, pooled over executions
//! and unpaired. Rounds of one process are not independent, so these p-values
//! are usually too small; that is why they stand beside and do not decide.

use statrs::distribution::{ContinuousCDF, Normal};

use super::basics::{mean, standard_deviation, tie_sizes};
use super::student;

/// Up to this many samples a side, Mann-Whitney is computed exactly.
pub const LARGEST_EXACT: usize = 30;

/// Welch's t.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Welch {
    /// Mean of the engine less mean of the baseline, over its standard error.
    pub t: f64,
    /// Degrees of freedom after Welch and Satterthwaite.
    pub df: f64,
    /// The two-sided p-value.
    pub p: f64,
}

/// Mann and Whitney's rank sum test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MannWhitney {
    /// How many pairs have the engine's sample above the baseline's, ties
    /// counting half.
    pub u: f64,
    /// U over the number of pairs: the chance that a sample of the engine
    /// exceeds one of the baseline.
    pub share_above: f64,
    /// The two-sided p-value.
    pub p: f64,
    /// Whether p is exact, or from the normal approximation.
    pub exact: bool,
}

/// Welch's t test of two pooled sets of samples with unequal variances.
///
/// None with fewer than two samples on a side, or where neither side varies.
/// Source: B. L. Welch, "The generalization of Student's problem when several
/// different population variances are involved", Biometrika 34 (1947).
#[must_use]
pub fn welch(engine: &[f64], baseline: &[f64]) -> Option<Welch> {
    if engine.len() < 2 || baseline.len() < 2 {
        return None;
    }
    let (n, m) = (engine.len() as f64, baseline.len() as f64);
    let a = standard_deviation(engine).powi(2) / n;
    let b = standard_deviation(baseline).powi(2) / m;
    let t = (mean(engine) - mean(baseline)) / (a + b).sqrt();
    let df = (a + b).powi(2) / (a * a / (n - 1.0) + b * b / (m - 1.0));
    let p = student::two_sided_p(t, df);
    (t.is_finite() && p.is_finite()).then_some(Welch { t, df, p })
}

/// The Mann-Whitney U test of two pooled sets of samples, two-sided.
///
/// Exact without ties and with at most [`LARGEST_EXACT`] samples a side; else
/// the normal approximation with the correction for ties and for continuity.
/// None if a side is empty, holds something that is not a number, or if all
/// samples are equal. Source: H. B. Mann and D. R. Whitney, Annals of
/// Mathematical Statistics 18 (1947), whose recurrence the exact count uses.
#[must_use]
pub fn mann_whitney(engine: &[f64], baseline: &[f64]) -> Option<MannWhitney> {
    let (n, m) = (engine.len(), baseline.len());
    let mut pooled = [engine, baseline].concat();
    if n == 0 || m == 0 || pooled.iter().any(|sample| sample.is_nan()) {
        return None;
    }
    pooled.sort_unstable_by(f64::total_cmp);
    let ties: Vec<f64> = tie_sizes(&pooled).collect();
    let pairs = (n * m) as f64;
    let u = rank_sum(engine, &pooled) - (n * (n + 1)) as f64 / 2.0;
    let exact = ties.is_empty() && n.max(m) <= LARGEST_EXACT;
    let p = if exact { exact_p(u, n, m) } else { approximate_p(u, n as f64, m as f64, &ties)? };
    Some(MannWhitney { u, share_above: u / pairs, p, exact })
}

/// The ranks of the samples among all, added up; equal ones share a mean rank.
fn rank_sum(samples: &[f64], sorted: &[f64]) -> f64 {
    samples
        .iter()
        .map(|sample| {
            let below = sorted.partition_point(|other| other < sample);
            let up_to = sorted.partition_point(|other| other <= sample);
            (below + 1 + up_to) as f64 / 2.0
        })
        .sum()
}

/// Twice the chance of a U at least as far out, over all orders of the pool.
fn exact_p(u: f64, n: usize, m: usize) -> f64 {
    let counts = orders_by_u(n, m);
    let all: f64 = counts.iter().sum();
    let nearer_end = u.min((n * m) as f64 - u) as usize;
    let tail: f64 = counts[..=nearer_end].iter().sum();
    (2.0 * tail / all).min(1.0)
}

/// How many of the orders of n and m samples have each U from 0 to n * m.
///
/// The largest of all samples is either one of the m, which adds nothing to U,
/// or one of the n, which lies above all m: c(n, m, u) = c(n, m - 1, u) +
/// c(n - 1, m, u - m). The counts exceed whole doubles for the largest sizes;
/// the error of their sums is far below what is printed of a p-value.
fn orders_by_u(n: usize, m: usize) -> Vec<f64> {
    // `row[j]` holds c(i, j, ..) for the i at hand.
    let mut row: Vec<Vec<f64>> = vec![vec![1.0]; m + 1];
    for i in 1..=n {
        let mut next: Vec<Vec<f64>> = vec![vec![1.0]];
        for j in 1..=m {
            let mut counts = vec![0.0; i * j + 1];
            for (u, count) in next[j - 1].iter().enumerate() {
                counts[u] += count;
            }
            for (u, count) in row[j].iter().enumerate() {
                counts[u + j] += count;
            }
            next.push(counts);
        }
        row = next;
    }
    row.swap_remove(m)
}

fn approximate_p(u: f64, n: f64, m: f64, ties: &[f64]) -> Option<f64> {
    let all = n + m;
    let tied: f64 = ties.iter().map(|size| size.powi(3) - size).sum();
    let variance = n * m / 12.0 * (all + 1.0 - tied / (all * (all - 1.0)));
    if variance <= 0.0 {
        return None;
    }
    let distance = ((u - n * m / 2.0).abs() - 0.5).max(0.0);
    let z = distance / variance.sqrt();
    Some((2.0 * Normal::standard().sf(z)).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: f64, expected: f64) {
        assert!((got - expected).abs() < 1e-4, "{got} is not {expected}");
    }

    #[test]
    fn welch_agrees_with_a_worked_example() {
        // Means 2 and 5; squared errors 1/3 and 5/3, so t = -3 / sqrt(2).
        let welch = welch(&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.0, 8.0]).unwrap();
        close(welch.t, -3.0 / 2f64.sqrt());
        close(welch.df, 4.0 / (1.0 / 18.0 + 25.0 / 27.0));
        assert!(welch.p > 0.09 && welch.p < 0.11, "{welch:?}");
    }

    #[test]
    fn welch_needs_two_samples_a_side_and_some_spread() {
        assert_eq!(welch(&[1.0], &[1.0, 2.0]), None);
        assert_eq!(welch(&[1.0, 1.0], &[1.0, 1.0]), None);
    }

    #[test]
    fn wholly_separate_samples_have_the_smallest_exact_p_value() {
        let test = mann_whitney(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]).unwrap();
        assert_eq!((test.u, test.share_above, test.exact), (0.0, 0.0, true));
        close(test.p, 2.0 / 20.0);
        let other = mann_whitney(&[4.0, 5.0, 6.0], &[1.0, 2.0, 3.0]).unwrap();
        assert_eq!((other.u, other.p), (9.0, test.p));
    }

    #[test]
    fn the_exact_counts_are_all_the_orders_there_are() {
        assert_eq!(orders_by_u(2, 2), [1.0, 1.0, 2.0, 1.0, 1.0]);
        let counts = orders_by_u(6, 4);
        assert_eq!(counts.len(), 25);
        assert_eq!(counts.iter().sum::<f64>(), 210.0);
        let mirrored: Vec<f64> = counts.iter().rev().copied().collect();
        assert_eq!(counts, mirrored);
    }

    #[test]
    fn exact_and_approximate_p_values_meet_where_samples_are_many() {
        for u in [280.0, 340.0, 400.0] {
            let exact = exact_p(u, 30, 30);
            let approximate = approximate_p(u, 30.0, 30.0, &[]).unwrap();
            assert!((exact / approximate - 1.0).abs() < 0.15, "{exact} {approximate}");
        }
    }

    #[test]
    fn ties_share_their_ranks_and_leave_the_exact_road() {
        let test = mann_whitney(&[1.0, 2.0, 2.0], &[2.0, 3.0]).unwrap();
        assert!(!test.exact);
        // Of six pairs two are tied and none has the engine above.
        assert_eq!(test.u, 1.0);
        assert_eq!(mann_whitney(&[1.0, 1.0], &[1.0]), None);
        assert_eq!(mann_whitney(&[], &[1.0]), None);
        assert_eq!(mann_whitney(&[f64::NAN], &[1.0]), None);
    }
}
