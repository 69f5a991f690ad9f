//! The little arithmetic that the figures need. The verdicts' statistics are the harness's own work and
//! are never done again here.

/// Lower quartile, median and upper quartile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Quartiles {
    pub(super) lower: f64,
    pub(super) median: f64,
    pub(super) upper: f64,
}

/// None of nothing.
pub(super) fn quartiles(values: &[f64]) -> Option<Quartiles> {
    let at = |share| quantile(values, share);
    Some(Quartiles { lower: at(0.25)?, median: at(0.5)?, upper: at(0.75)? })
}

/// The middle value, or the mean of the two in the middle; none of nothing.
pub(super) fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// The value below which that share of the values lies, between two of them by proportion.
fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_owned();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    #[expect(clippy::cast_precision_loss, reason = "there are few values")]
    let at = share * last as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 <= at <= last")]
    let below = at.floor() as usize;
    let [low, high] = [sorted[below], sorted[(below + 1).min(last)]];
    Some(low + (high - low) * at.fract())
}

/// The variance of a sample; none of fewer than two values.
pub(super) fn variance(values: &[f64]) -> Option<f64> {
    let degrees = values.len().checked_sub(1).filter(|degrees| *degrees > 0)?;
    let mean = mean(values)?;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    #[expect(clippy::cast_precision_loss, reason = "there are few values")]
    Some(squares / degrees as f64)
}

/// None of nothing.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "there are few values")]
    let count = values.len() as f64;
    (count > 0.0).then(|| values.iter().sum::<f64>() / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_lie_between_neighbours_by_proportion() {
        let quartiles = quartiles(&[9.0, 1.0, 3.0, 5.0]);
        assert_eq!(quartiles, Some(Quartiles { lower: 2.5, median: 4.0, upper: 6.0 }));
        assert_eq!(median(&[7.0]), Some(7.0));
        assert_eq!(median(&[]), None);
    }

    #[test]
    fn variance_is_that_of_a_sample() {
        assert_eq!(variance(&[1.0, 3.0]), Some(2.0));
        assert_eq!(variance(&[1.0]), None);
        assert_eq!(mean(&[]), None);
    }
}
