//! Which rounds stand against which, and the log ratio of each pair.
//!
//! In a round all engines take their turn within a moment of each other, so
//! whatever the machine does at that moment (a slow disk, a warm core, a
//! drift over the run) hits both. Dividing round by round cancels it, which
//! is why the analysis pairs by execution and round index and never compares
//! two heaps of samples. A round that one side lost is lost to both: keeping
//! the survivor would compare different moments.

/// One engine's samples of one case on one clock: executions, and in each its
/// rounds in order. The unit (seconds, nanoseconds) is the caller's, the same
/// for both sides. `None` marks a round that failed or was not measured.
pub type Samples<'a> = &'a [Vec<Option<f64>>];

/// The rounds that both sides have, and an account of those that were left.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pairing {
    /// ln(engine / baseline) per execution, in round order. An execution in
    /// which nothing could be paired keeps its place, empty.
    pub log_ratios: Vec<Vec<f64>>,
    /// The longest execution of either side: how many rounds were meant.
    pub planned_rounds: usize,
    /// Rounds of which at least one side is missing.
    pub unpaired: usize,
    /// Rounds that both sides have but of which at least one figure is not a
    /// positive finite number, so that no ratio exists (a clock that did not
    /// advance, for instance).
    pub non_positive: usize,
}

impl Pairing {
    /// Pairs by execution index and round index.
    #[must_use]
    pub fn of(engine: Samples, baseline: Samples) -> Self {
        let mut pairing = Self::default();
        for execution in 0..engine.len().max(baseline.len()) {
            let engine = engine.get(execution).map_or(&[][..], Vec::as_slice);
            let baseline = baseline.get(execution).map_or(&[][..], Vec::as_slice);
            pairing.add_execution(engine, baseline);
        }
        pairing
    }

    fn add_execution(&mut self, engine: &[Option<f64>], baseline: &[Option<f64>]) {
        let rounds = engine.len().max(baseline.len());
        self.planned_rounds = self.planned_rounds.max(rounds);
        let mut log_ratios = Vec::with_capacity(rounds);
        for round in 0..rounds {
            let a = engine.get(round).copied().flatten();
            let b = baseline.get(round).copied().flatten();
            match (a, b) {
                (Some(a), Some(b)) if is_positive(a) && is_positive(b) => {
                    // A difference of logarithms cannot overflow as a / b can.
                    log_ratios.push(a.ln() - b.ln());
                }
                (Some(_), Some(_)) => self.non_positive += 1,
                _ => self.unpaired += 1,
            }
        }
        self.log_ratios.push(log_ratios);
    }

    /// All pairs, over all executions.
    #[must_use]
    pub fn pairs(&self) -> usize {
        self.log_ratios.iter().map(Vec::len).sum()
    }
}

/// The logarithms of one engine's usable samples, execution by execution:
/// what the detectors in [`super::warnings`] look at.
#[must_use]
pub fn logarithms(samples: Samples) -> Vec<Vec<f64>> {
    samples
        .iter()
        .map(|rounds| {
            rounds
                .iter()
                .copied()
                .flatten()
                .filter(|sample| is_positive(*sample))
                .map(f64::ln)
                .collect()
        })
        .collect()
}

fn is_positive(sample: f64) -> bool {
    sample.is_finite() && sample > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_pair_by_index_and_what_is_left_is_counted() {
        let engine = [vec![Some(2.0), None, Some(8.0), Some(0.0)], vec![Some(1.0), Some(f64::NAN)]];
        let baseline = [
            vec![Some(1.0), Some(1.0), Some(1.0), Some(1.0)],
            vec![Some(1.0), Some(1.0), Some(1.0)],
        ];
        let pairing = Pairing::of(&engine, &baseline);
        assert_eq!(pairing.log_ratios, [vec![2f64.ln(), 8f64.ln()], vec![0.0]]);
        assert_eq!(pairing.planned_rounds, 4);
        assert_eq!((pairing.unpaired, pairing.non_positive), (2, 2));
        assert_eq!(pairing.pairs(), 3);
    }

    #[test]
    fn an_execution_that_one_side_lost_keeps_its_place() {
        let pairing = Pairing::of(&[vec![Some(1.0)]], &[vec![Some(1.0)], vec![Some(1.0)]]);
        assert_eq!(pairing.log_ratios, [vec![0.0], vec![]]);
        assert_eq!(pairing.unpaired, 1);
    }

    #[test]
    fn logarithms_leave_out_what_has_none() {
        let logs = logarithms(&[vec![Some(1.0), None, Some(-3.0)], vec![]]);
        assert_eq!(logs, [vec![0.0], vec![]]);
    }
}
