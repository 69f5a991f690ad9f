//! Mean, median and spread of a slice: the few sums that every other file
//! here needs, kept in one place so that "median" means one thing.
//!
//! Callers pass finite values. An empty slice gives NaN, never a panic; the
//! callers rule it out before they show anything.

/// The arithmetic mean.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The middle value, or the mean of the two middle ones.
pub(super) fn median(values: &[f64]) -> f64 {
    median_in_place(&mut values.to_vec())
}

/// As [`median`], reordering the slice instead of copying it.
pub(super) fn median_in_place(values: &mut [f64]) -> f64 {
    if values.is_empty() {
        return f64::NAN;
    }
    let half = values.len() / 2;
    let odd = values.len() % 2 == 1;
    let (below, middle, _) = values.select_nth_unstable_by(half, f64::total_cmp);
    let middle = *middle;
    if odd {
        return middle;
    }
    let lower = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Halving first cannot overflow, whatever the two are.
    0.5 * lower + 0.5 * middle
}

/// The standard deviation with n - 1 below; NaN for fewer than two values.
pub(super) fn standard_deviation(values: &[f64]) -> f64 {
    if values.len() < 2 {
        return f64::NAN;
    }
    (sum_of_squares(values) / (values.len() - 1) as f64).sqrt()
}

/// The squared distances from the mean, added up.
pub(super) fn sum_of_squares(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean).powi(2)).sum()
}

/// The median distance from the median, unscaled.
pub(super) fn median_absolute_deviation(values: &[f64]) -> f64 {
    let middle = median(values);
    let mut distances: Vec<f64> = values.iter().map(|value| (value - middle).abs()).collect();
    median_in_place(&mut distances)
}

/// Sizes of the groups of equal values in a sorted slice, singles left out.
pub(super) fn tie_sizes(sorted: &[f64]) -> impl Iterator<Item = f64> + '_ {
    sorted.chunk_by(|a, b| a == b).map(|group| group.len() as f64).filter(|size| *size > 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_lies_between_the_two_middle_values() {
        assert_eq!(median(&[9.0, 1.0, 2.0, 4.0]), 3.0);
        assert_eq!(median(&[9.0, 1.0, 2.0]), 2.0);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn spread_is_known_for_small_sets() {
        let deviation = standard_deviation(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert!((deviation.powi(2) - 32.0 / 7.0).abs() < 1e-12);
        assert!(standard_deviation(&[1.0]).is_nan());
        assert_eq!(median_absolute_deviation(&[1.0, 1.0, 2.0, 2.0, 4.0, 6.0, 9.0]), 1.0);
    }

    #[test]
    fn ties_are_counted_by_group() {
        let sizes: Vec<f64> = tie_sizes(&[1.0, 2.0, 2.0, 3.0, 3.0, 3.0]).collect();
        assert_eq!(sizes, [2.0, 3.0]);
    }
}
