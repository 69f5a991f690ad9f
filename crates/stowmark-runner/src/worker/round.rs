//! How what clients measured, slice by slice and batch by batch, becomes the figures of one round.

use stowmark_results::histogram;

use super::batch::Kind;
use super::client::Span;
use super::measure::Record;
use crate::clock::Rate;
use crate::platform;
use crate::protocol::Worked;

/// Splitting user from system time by ticks of 10 ms says something only from here on.
const SHORTEST_SPLIT_NS: u64 = 100_000_000;

/// A slice of a batch that ran.
pub(super) struct Piece {
    pub(super) span: Span,
    pub(super) rate: Rate,
    pub(super) outside: Outside,
}

/// Slices and batches added up.
#[derive(Default)]
pub(super) struct Total {
    pub(super) start_ns: Option<u64>,
    pub(super) wall_ns: u64,
    pub(super) cpu_ns: u64,
    /// The rate over the last of them.
    pub(super) rate: Option<Rate>,
    pub(super) outside: Outside,
}

impl Total {
    pub(super) fn add(&mut self, piece: &Piece) {
        let Span { start_ns, end_ns, start_cpu_ns, end_cpu_ns } = piece.span;
        self.start_ns.get_or_insert(start_ns);
        self.wall_ns += end_ns.saturating_sub(start_ns);
        self.cpu_ns += end_cpu_ns.saturating_sub(start_cpu_ns);
        self.rate = Some(piece.rate);
        self.outside.add(&piece.outside);
    }

    pub(super) fn join(&mut self, other: &Self) {
        self.start_ns = self.start_ns.or(other.start_ns);
        self.wall_ns += other.wall_ns;
        self.cpu_ns += other.cpu_ns;
        self.rate = other.rate.or(self.rate);
        self.outside.add(&other.outside);
    }
}

/// Facts from outside of the loop, read before and after each batch: time in nanoseconds that
/// passed for this process in user and system mode, that the hypervisor took, and in which some task
/// waited for a processor.
#[derive(Copy, Clone, Default)]
pub(super) struct Outside {
    pub(super) user_ns: Option<u64>,
    pub(super) system_ns: Option<u64>,
    pub(super) steal_ns: Option<u64>,
    pub(super) pressure_ns: Option<u64>,
}

impl Outside {
    pub(super) fn now() -> Self {
        let split = platform::process_cpu_split_ns();
        Self {
            user_ns: split.map(|(user, _)| user),
            system_ns: split.map(|(_, system)| system),
            steal_ns: platform::steal_ns(),
            pressure_ns: platform::cpu_pressure_ns(),
        }
    }

    fn combine(
        &self,
        other: &Self,
        with: impl Fn(Option<u64>, Option<u64>) -> Option<u64>,
    ) -> Self {
        Self {
            user_ns: with(self.user_ns, other.user_ns),
            system_ns: with(self.system_ns, other.system_ns),
            steal_ns: with(self.steal_ns, other.steal_ns),
            pressure_ns: with(self.pressure_ns, other.pressure_ns),
        }
    }

    pub(super) fn since(&self, before: &Self) -> Self {
        self.combine(before, |now, before| Some(now?.saturating_sub(before?)))
    }

    pub(super) fn add(&mut self, more: &Self) {
        *self = self.combine(more, |sum, more| Some(sum.unwrap_or(0) + more?));
    }
}

pub(super) fn summary(
    records: &[Record],
    round: &Total,
    kind: Kind,
    drain_wall_ns: Option<u64>,
) -> Worked {
    let mut times = histogram::empty();
    let mut first_bytes = histogram::empty();
    let mut worked = Worked {
        start_ns: round.start_ns.unwrap_or_default(),
        wall_ns: round.wall_ns,
        cpu_client_ns: round.cpu_ns,
        drain_wall_ns,
        steal_ns: round.outside.steal_ns,
        pressure_ns: round.outside.pressure_ns,
        ..Worked::default()
    };
    let (mut ticks, mut first_ticks) = (0, 0);
    for record in records {
        worked.ops += record.ops;
        worked.bytes += record.bytes;
        ticks += record.ticks;
        first_ticks += record.first_ticks;
        // Both have the same bounds, so adding cannot fail.
        let _ = times.add(&record.times);
        let _ = first_bytes.add(&record.first_bytes);
        for (class, count) in &record.errors {
            *worked.errors.entry(class.clone()).or_default() += count;
        }
        if worked.first_error.is_none() {
            worked.first_error.clone_from(&record.first_error);
        }
    }
    if let Some(rate) = round.rate {
        worked.op_wall_ns = rate.ns(ticks);
        worked.first_byte_ns = (!first_bytes.is_empty()).then(|| rate.ns(first_ticks));
    }
    if round.cpu_ns >= SHORTEST_SPLIT_NS {
        worked.cpu_split_ns = round.outside.user_ns.zip(round.outside.system_ns);
    }
    worked.histogram = histogram::encode(&times);
    worked.first_byte_histogram =
        (kind == Kind::Get && !first_bytes.is_empty()).then(|| histogram::encode(&first_bytes));
    worked
}

#[cfg(test)]
mod tests;
