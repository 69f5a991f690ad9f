//! A round's figure on a clock, which is what all else here is made of.
//!
//! On the wall clock the sample is the mean time of the round's operations, on the CPU clock what
//! the worker and a local server used, by operation. A round without operations, or without a
//! reading of that clock, has no sample.

use crate::{CaseEngine, Round};

/// The clocks that a figure exists on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// Wall time.
    Wall,
    /// CPU time, client plus local server.
    Cpu,
}

impl Clock {
    /// Both, in the order in which they are shown.
    pub const ALL: [Self; 2] = [Self::Wall, Self::Cpu];

    /// The clock's name in file names.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Cpu => "cpu",
        }
    }
}

/// The round's sample on this clock, in nanoseconds an operation.
#[must_use]
pub fn sample_ns(round: &Round, clock: Clock) -> Option<f64> {
    let total_ns = match clock {
        Clock::Wall => round.op_wall_ns?,
        Clock::Cpu => (round.cpu_client_ns? + round.cpu_server_ns.unwrap_or(0)) as f64,
    };
    by_operation(total_ns, round)
}

/// The round's samples on this clock in nanoseconds an operation, in the order of
/// [`rounds_in_order`].
#[must_use]
pub fn samples_ns(engine: &CaseEngine, clock: Clock) -> Vec<f64> {
    rounds_in_order(engine).into_iter().filter_map(|round| sample_ns(round, clock)).collect()
}

/// The same in seconds.
#[must_use]
pub fn samples_s(engine: &CaseEngine, clock: Clock) -> Vec<f64> {
    samples_ns(engine, clock).into_iter().map(|ns| ns / 1e9).collect()
}

/// The rounds by execution, then by index, however the file has them.
#[must_use]
pub fn rounds_in_order(engine: &CaseEngine) -> Vec<&Round> {
    let mut rounds: Vec<&Round> = engine.rounds.iter().collect();
    rounds.sort_by_key(|round| (round.execution, round.index));
    rounds
}

/// A round's total, shared among its operations; none without any.
#[must_use]
pub fn by_operation(total_ns: f64, round: &Round) -> Option<f64> {
    (round.ops > 0).then(|| total_ns / round.ops as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_the_mean_of_a_rounds_operations() {
        let round = Round {
            ops: 4,
            op_wall_ns: Some(1000.0),
            cpu_client_ns: Some(300),
            cpu_server_ns: Some(100),
            ..Round::default()
        };
        assert_eq!(sample_ns(&round, Clock::Wall), Some(250.0));
        assert_eq!(sample_ns(&round, Clock::Cpu), Some(100.0));
        let unread = Round { cpu_client_ns: None, ..round.clone() };
        assert_eq!(sample_ns(&unread, Clock::Cpu), None);
        assert_eq!(sample_ns(&Round { ops: 0, ..round }, Clock::Wall), None);
    }

    #[test]
    fn samples_come_by_execution_and_round_however_they_are_stored() {
        let round = |execution, index, op_wall_ns| Round {
            execution,
            index,
            ops: 1,
            op_wall_ns: Some(op_wall_ns),
            ..Round::default()
        };
        let rounds = vec![round(1, 0, 3e9), round(0, 1, 2e9), round(0, 0, 1e9)];
        let engine = CaseEngine { rounds, ..CaseEngine::default() };
        assert_eq!(samples_s(&engine, Clock::Wall), [1.0, 2.0, 3.0]);
    }
}
