//! How much is left to do, and about how long that takes.

use std::time::Duration;

/// What turns at each case have taken so far, pauses and making ready included.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    /// For each case: turns done, their time in nanoseconds, and turns in all.
    cases: Vec<(u64, u64, u64)>,
}

impl Progress {
    pub(crate) fn new(cases: usize, turns_each: u64) -> Self {
        Self { cases: vec![(0, 0, turns_each); cases] }
    }

    pub(crate) fn turns(&self) -> u64 {
        self.cases.iter().map(|(_, _, turns)| turns).sum()
    }

    pub(crate) fn done(&self) -> u64 {
        self.cases.iter().map(|(done, _, _)| done).sum()
    }

    /// A turn of that case was done.
    pub(crate) fn turn(&mut self, case: usize, ns: u64) {
        let (done, total_ns, all) = &mut self.cases[case];
        *done += 1;
        *total_ns += ns;
        // The turn in which an engine failed may have been dropped before it was over.
        *all = (*all).max(*done);
    }

    /// Turns of that case that will not be taken.
    pub(crate) fn drop_turns(&mut self, case: usize, turns: u64) {
        let (done, _, all) = &mut self.cases[case];
        *all = all.saturating_sub(turns).max(*done);
    }

    /// About how long the rest takes: each case's turns at their own mean, those not begun at the
    /// mean of the others.
    pub(crate) fn left(&self) -> Option<Duration> {
        let begun: Vec<f64> = self
            .cases
            .iter()
            .filter(|(done, _, _)| *done > 0)
            .map(|(done, ns, _)| *ns as f64 / *done as f64)
            .collect();
        if begun.is_empty() {
            return None;
        }
        let usual = begun.iter().sum::<f64>() / begun.len() as f64;
        let left: f64 = self
            .cases
            .iter()
            .map(|(done, ns, turns)| {
                let each = if *done > 0 { *ns as f64 / *done as f64 } else { usual };
                each * (turns - done) as f64
            })
            .sum();
        Some(Duration::from_nanos(left as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_follows_from_what_each_case_takes() {
        let mut progress = Progress::new(2, 10);
        assert_eq!(progress.left(), None);
        progress.turn(0, 100);
        assert_eq!(progress.left(), Some(Duration::from_nanos(9 * 100 + 10 * 100)));
        progress.turn(1, 1_000);
        assert_eq!(progress.left(), Some(Duration::from_nanos(9 * 100 + 9 * 1_000)));
    }

    #[test]
    fn turns_of_an_engine_that_failed_are_not_waited_for() {
        let mut progress = Progress::new(1, 10);
        progress.turn(0, 100);
        progress.drop_turns(0, 5);
        assert_eq!((progress.done(), progress.turns()), (1, 5));
        assert_eq!(progress.left(), Some(Duration::from_nanos(400)));
    }
}
