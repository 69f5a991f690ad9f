//! The two clocks.
//!
//! Wall: the processor's time-stamp counter where it is invariant, since a read of it costs less
//! than half of a read of the kernel's clock; else `CLOCK_MONOTONIC`. Counter ticks become
//! nanoseconds by comparing both clocks at the ends of a window, so the kernel's clock decides how
//! long a second is. CPU: the process's own nanosecond clock.
//!
//! The measured loop is generic over [`Ticks`], so that each clock is compiled into it and tests
//! can give it one of their own.

use crate::platform;

/// A source of ticks for the measured loop.
pub trait Ticks: Send + Sync {
    /// The ticks now. Never less than an earlier answer on the same thread.
    fn now(&self) -> u64;
}

/// The kernel's monotonic clock; a tick is a nanosecond.
#[derive(Copy, Clone, Debug, Default)]
pub struct Monotonic;

impl Ticks for Monotonic {
    #[inline]
    fn now(&self) -> u64 {
        platform::monotonic_ns()
    }
}

/// The processor's time-stamp counter.
#[derive(Clone, Debug)]
pub struct Counter(quanta::Clock);

impl Ticks for Counter {
    #[inline]
    fn now(&self) -> u64 {
        self.0.raw()
    }
}

/// Which clock a worker times operations by.
#[derive(Clone, Debug)]
pub enum WallClock {
    /// The time-stamp counter.
    Counter(Counter),
    /// The kernel's clock.
    Monotonic(Monotonic),
}

impl WallClock {
    /// The counter where the kernel itself trusts it, else the kernel's clock.
    #[must_use]
    pub fn choose() -> Self {
        if platform::counter_is_invariant() {
            Self::Counter(Counter(quanta::Clock::new()))
        } else {
            Self::Monotonic(Monotonic)
        }
    }

    /// The clock's name in the result file.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Counter(_) => "tsc",
            Self::Monotonic(_) => "monotonic",
        }
    }

    /// The ticks now; for places outside of the measured loop.
    #[must_use]
    pub fn now(&self) -> u64 {
        match self {
            Self::Counter(clock) => clock.now(),
            Self::Monotonic(clock) => clock.now(),
        }
    }

    /// The smallest step of the clock in ticks: the least difference between reads that differ.
    #[must_use]
    pub fn step_ticks(&self) -> u64 {
        let mut smallest = u64::MAX;
        let mut last = self.now();
        for _ in 0..2_000 {
            let now = self.now();
            if now > last {
                smallest = smallest.min(now - last);
            }
            last = now;
        }
        smallest
    }

    /// What one read costs in nanoseconds: the median of a few tries.
    #[must_use]
    pub fn read_cost_ns(&self) -> f64 {
        const READS: u32 = 2_000;
        let mut tries = [0.0; 9];
        for cost in &mut tries {
            let start = platform::monotonic_ns();
            for _ in 0..READS {
                std::hint::black_box(self.now());
            }
            *cost = (platform::monotonic_ns() - start) as f64 / f64::from(READS);
        }
        tries.sort_by(f64::total_cmp);
        tries[4]
    }
}

/// Both clocks, read at one moment.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Moment {
    /// The wall clock's ticks.
    pub ticks: u64,
    /// The kernel's monotonic nanoseconds.
    pub ns: u64,
}

impl Moment {
    /// Reads both, the counter on either side of the kernel's clock, and keeps the tightest of a
    /// few tries: an interrupt between the reads would skew the rate.
    #[must_use]
    pub fn now(clock: &WallClock) -> Self {
        let mut best = (u64::MAX, Self { ticks: 0, ns: 0 });
        for _ in 0..5 {
            let before = clock.now();
            let ns = platform::monotonic_ns();
            let after = clock.now();
            let gap = after.saturating_sub(before);
            if gap < best.0 {
                best = (gap, Self { ticks: before + gap / 2, ns });
            }
        }
        best.1
    }
}

/// How many nanoseconds a tick is.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Rate {
    ns_per_tick: f64,
    /// The same in units of 2^-32, for the measured loop.
    scaled: u64,
}

/// Below this a window is too short to tell the rate from the cost of reading both clocks.
const SHORTEST_WINDOW_NS: u64 = 20_000_000;

impl Rate {
    /// The rate over a window.
    #[must_use]
    pub fn between(start: Moment, end: Moment) -> Self {
        let ticks = end.ticks.saturating_sub(start.ticks);
        let ns = end.ns.saturating_sub(start.ns);
        let ns_per_tick = if ticks == 0 { 1.0 } else { ns as f64 / ticks as f64 };
        Self { ns_per_tick, scaled: (ns_per_tick * 4_294_967_296.0).round() as u64 }
    }

    /// The rate over a round, or, if the round was too short to tell, over the time since `anchor`.
    #[must_use]
    pub fn of_round(anchor: Moment, start: Moment, end: Moment) -> Self {
        if end.ns.saturating_sub(start.ns) >= SHORTEST_WINDOW_NS {
            Self::between(start, end)
        } else {
            Self::between(anchor, end)
        }
    }

    /// Ticks as nanoseconds, for totals.
    #[must_use]
    pub fn ns(self, ticks: u64) -> f64 {
        ticks as f64 * self.ns_per_tick
    }

    /// How many ticks a time is.
    #[must_use]
    pub fn ticks(self, ns: u64) -> u64 {
        (ns as f64 / self.ns_per_tick) as u64
    }

    /// Ticks as whole nanoseconds, for each operation.
    #[inline]
    #[must_use]
    pub fn whole_ns(self, ticks: u64) -> u64 {
        #[expect(clippy::cast_possible_truncation, reason = "an operation lasts under 584 years")]
        {
            ((u128::from(ticks) * u128::from(self.scaled)) >> 32) as u64
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_turns_ticks_into_the_kernels_nanoseconds() {
        let start = Moment { ticks: 1_000, ns: 0 };
        let end = Moment { ticks: 1_000 + 300_000_000, ns: 100_000_000 };
        let rate = Rate::between(start, end);
        assert!((rate.ns(3_000) - 1_000.0).abs() < 1e-6);
        let long = rate.whole_ns(3_000_000_000_000);
        assert!(long.abs_diff(1_000_000_000_000) < 1_000, "{long}: off by more than 1e-9");
    }

    #[test]
    fn a_short_round_takes_its_rate_from_the_longer_window() {
        let anchor = Moment { ticks: 0, ns: 0 };
        let start = Moment { ticks: 2_000_000_000, ns: 1_000_000_000 };
        // Skewed by an interrupt: 1 us for 1000 ticks.
        let end = Moment { ticks: 2_000_001_000, ns: 1_000_001_000 };
        let rate = Rate::of_round(anchor, start, end);
        assert!((rate.ns(2_000) - 1_000.0).abs() < 0.01);
    }

    #[test]
    fn both_clocks_agree_on_a_wait() {
        for clock in [WallClock::choose(), WallClock::Monotonic(Monotonic)] {
            let start = Moment::now(&clock);
            while platform::monotonic_ns() - start.ns < 30_000_000 {
                std::hint::spin_loop();
            }
            let end = Moment::now(&clock);
            let rate = Rate::between(start, end);
            let told = rate.ns(end.ticks - start.ticks);
            let real = (end.ns - start.ns) as f64;
            assert!((told / real - 1.0).abs() < 1e-6, "{} tells {told} for {real}", clock.name());
        }
    }

    #[test]
    fn the_kernels_clock_never_runs_backwards() {
        let clock = Monotonic;
        let mut last = clock.now();
        for _ in 0..10_000 {
            let now = clock.now();
            assert!(now >= last);
            last = now;
        }
    }
}
