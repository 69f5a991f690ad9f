//! One data set as `ministat` sees it: sums in file order, then sorted.

use std::cmp::Ordering;

use super::{DataSet, FEWEST_SAMPLES, MinistatError};

/// A data set's samples in order of size, with what was summed before they were sorted.
pub(super) struct Summary<'a> {
    pub(super) name: &'a str,
    pub(super) average: f64,
    /// May come out slightly negative, or not a number when squares overflow, as in the program.
    pub(super) variance: f64,
    sorted: Vec<f64>,
}

impl<'a> Summary<'a> {
    /// Sums and sorts `data_set`; refuses too few samples and sums that are not finite.
    pub(super) fn of(data_set: &'a DataSet) -> Result<Self, MinistatError> {
        let name = data_set.name.as_str();
        let count = data_set.samples.len();
        if count < FEWEST_SAMPLES {
            return Err(MinistatError::TooFewSamples { name: name.to_owned(), count });
        }
        let (mut sum, mut squares) = (0.0_f64, 0.0_f64);
        for sample in &data_set.samples {
            sum += sample;
            squares += sample * sample;
        }
        // An infinite or undefined sample makes the sum so too.
        if !sum.is_finite() {
            return Err(MinistatError::NotFinite { name: name.to_owned() });
        }
        let n = count as f64;
        let mut sorted = data_set.samples.clone();
        // A stable sort in which -0 and 0 are equal, as in the program: the table shows the sign.
        sorted.sort_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
        Ok(Self { name, average: sum / n, variance: (squares - sum * sum / n) / (n - 1.0), sorted })
    }

    pub(super) fn count(&self) -> usize {
        self.sorted.len()
    }

    /// The samples, smallest first.
    pub(super) fn sorted(&self) -> &[f64] {
        &self.sorted
    }

    pub(super) fn min(&self) -> f64 {
        self.sorted.first().copied().unwrap_or(f64::NAN)
    }

    pub(super) fn max(&self) -> f64 {
        self.sorted.last().copied().unwrap_or(f64::NAN)
    }

    /// The middle sample, the upper one where there are two.
    pub(super) fn median(&self) -> f64 {
        self.sorted.get(self.count() / 2).copied().unwrap_or(f64::NAN)
    }

    /// The standard deviation; not a number where rounding made the variance negative.
    pub(super) fn deviation(&self) -> f64 {
        self.variance.sqrt()
    }
}
