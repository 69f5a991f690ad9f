//! What a heap of samples looks like: the figures that describe and decide
//! nothing.

use super::basics;

/// A description of samples, in the samples' unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// How many samples.
    pub n: usize,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// The middle one, or the mean of the two middle ones.
    pub median: f64,
    /// The arithmetic mean.
    pub mean: f64,
    /// The standard deviation with n - 1 below; none for a single sample.
    pub standard_deviation: Option<f64>,
    /// The median distance from the median, not scaled to a standard
    /// deviation (for a normal distribution multiply by 1.4826).
    pub median_absolute_deviation: f64,
}

impl Summary {
    /// Describes the finite ones of the samples; none if there are none.
    #[must_use]
    pub fn of(samples: &[f64]) -> Option<Self> {
        let finite: Vec<f64> =
            samples.iter().copied().filter(|sample| sample.is_finite()).collect();
        let first = *finite.first()?;
        Some(Self {
            n: finite.len(),
            min: finite.iter().copied().fold(first, f64::min),
            max: finite.iter().copied().fold(first, f64::max),
            median: basics::median(&finite),
            mean: basics::mean(&finite),
            standard_deviation: (finite.len() > 1).then(|| basics::standard_deviation(&finite)),
            median_absolute_deviation: basics::median_absolute_deviation(&finite),
        })
    }

    /// The standard deviation in percent of the mean: what "a spread of 5 %"
    /// means everywhere in this project.
    #[must_use]
    pub fn spread_percent(&self) -> Option<f64> {
        let spread = 100.0 * self.standard_deviation? / self.mean;
        spread.is_finite().then_some(spread)
    }
}

/// Whether `operations` suffice to state the percentile `p` (0.99 for the
/// 99th): at least ten must lie above it, so from 10 / (1 - p) operations up.
#[must_use]
pub fn percentile_allowed(p: f64, operations: u64) -> bool {
    // The slack is for 1 - 0.999, which in binary is a little above 0.001.
    (0.0..1.0).contains(&p) && operations as f64 * (1.0 - p) >= 10.0 * (1.0 - 1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_set_is_described() {
        let summary = Summary::of(&[5.0, 1.0, 2.0, 4.0, f64::NAN]).unwrap();
        assert_eq!((summary.n, summary.min, summary.max), (4, 1.0, 5.0));
        assert_eq!((summary.median, summary.mean), (3.0, 3.0));
        assert_eq!(summary.median_absolute_deviation, 1.5);
        let deviation = (10.0f64 / 3.0).sqrt();
        assert_eq!(summary.standard_deviation, Some(deviation));
        assert_eq!(summary.spread_percent(), Some(100.0 * deviation / 3.0));
    }

    #[test]
    fn one_sample_has_no_spread_and_none_no_summary() {
        let one = Summary::of(&[2.0]).unwrap();
        assert_eq!((one.standard_deviation, one.spread_percent()), (None, None));
        assert_eq!(Summary::of(&[f64::INFINITY]), None);
    }

    #[test]
    fn a_percentile_needs_ten_operations_above_it() {
        assert!(percentile_allowed(0.5, 20) && !percentile_allowed(0.5, 19));
        assert!(percentile_allowed(0.99, 1_000) && !percentile_allowed(0.99, 999));
        assert!(percentile_allowed(0.999, 10_000) && !percentile_allowed(0.999, 9_999));
        assert!(percentile_allowed(0.9999, 100_000) && !percentile_allowed(0.9999, 99_999));
        assert!(!percentile_allowed(1.0, u64::MAX) && !percentile_allowed(f64::NAN, 100));
    }
}
