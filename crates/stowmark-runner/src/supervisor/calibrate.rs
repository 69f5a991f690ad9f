//! One number of operations for all engines: the fastest listed engine reaches 20 ms, the slowest
//! stays under a second, the bytes stay under 256 MiB, and there is at least one.

/// A round of the fastest engine lasts at least this.
const LEAST_NS: f64 = 20e6;
/// A round of the slowest engine lasts at most this.
const MOST_NS: f64 = 1e9;
/// A round moves at most this many bytes.
const MOST_BYTES: u64 = 256 << 20;
/// The most operations that are found without being asked for.
const MOST_OPS: u64 = 1 << 20;

/// Trying ends when the fastest took this long: its speed is known well enough.
const KNOWN_NS: u64 = 5_000_000;
/// Or when the slowest took this long.
const ENOUGH_NS: u64 = 250_000_000;

/// Each trial does so many times the operations of the one before.
const STEP: u64 = 4;

/// What a trial took on each engine that the user listed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Trial {
    pub(crate) ops: u64,
    pub(crate) wall_ns: Vec<u64>,
}

impl Trial {
    /// How many operations to try next, or none if this is enough.
    pub(crate) fn next(&self, size: u64) -> Option<u64> {
        let fastest = self.wall_ns.iter().copied().min()?;
        let slowest = self.wall_ns.iter().copied().max()?;
        let next = self.ops * STEP;
        let enough = fastest >= KNOWN_NS
            || slowest >= ENOUGH_NS
            || next > MOST_OPS
            || next.saturating_mul(size) > MOST_BYTES / STEP;
        (!enough).then_some(next)
    }

    /// The number of operations for rounds of so many clients, and what set it.
    pub(crate) fn ops(&self, size: u64, clients: u64) -> (u64, &'static str) {
        let each = |ns: u64| (ns as f64 / self.ops as f64).max(0.1);
        let fastest = self.wall_ns.iter().copied().min().map_or(1.0, each);
        let slowest = self.wall_ns.iter().copied().max().map_or(1.0, each);
        let bounds = [
            ((LEAST_NS / fastest).ceil() as u64, "fastest-20ms"),
            ((MOST_NS / slowest).floor() as u64, "slowest-1s"),
            (MOST_BYTES / size.max(1), "bytes-256MiB"),
            (MOST_OPS, "most-operations"),
        ];
        let (ops, found_by) = bounds.into_iter().min_by_key(|(ops, _)| *ops).unwrap_or((1, ""));
        // Every client does the same number.
        let shared = ops / clients * clients;
        if shared == 0 { (clients, "least-one") } else { (shared, found_by) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ops(trial_ops: u64, wall_ns: &[u64], size: u64, clients: u64) -> (u64, &'static str) {
        Trial { ops: trial_ops, wall_ns: wall_ns.into() }.ops(size, clients)
    }

    #[test]
    fn the_fastest_engine_reaches_20_ms() {
        assert_eq!(ops(100, &[1_000_000, 4_000_000], 1024, 1), (2_000, "fastest-20ms"));
    }

    #[test]
    fn the_slowest_engine_stays_under_a_second() {
        assert_eq!(ops(10, &[1_000, 1_000_000_000], 1024, 1), (10, "slowest-1s"));
    }

    #[test]
    fn the_bytes_stay_under_256_mib() {
        assert_eq!(ops(1, &[10_000, 10_000], 10 << 20, 1), (25, "bytes-256MiB"));
    }

    #[test]
    fn there_is_at_least_one_operation_for_each_client() {
        assert_eq!(ops(1, &[3_000_000_000], 50 << 20, 1), (1, "least-one"));
        assert_eq!(ops(1, &[3_000_000_000], 50 << 20, 4), (4, "least-one"));
        assert_eq!(ops(100, &[1_000_000], 1024, 3).0 % 3, 0);
    }

    #[test]
    fn trials_grow_until_the_fastest_is_known() {
        let trial = Trial { ops: 4, wall_ns: vec![40_000, 90_000] };
        assert_eq!(trial.next(1024), Some(16));
        assert_eq!(Trial { wall_ns: vec![6_000_000, 9_000_000], ..trial.clone() }.next(1024), None);
        assert_eq!(Trial { wall_ns: vec![1, 300_000_000], ..trial.clone() }.next(1024), None);
        assert_eq!(trial.next(50 << 20), None);
    }
}
