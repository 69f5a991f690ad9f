//! What the formats show of a case, computed once for all of them.
//!
//! These figures describe; none decides. Points are medians over all rounds, because a single
//! disturbed round should not move what a reader remembers.

use stowmark_results::analysis::NEAR_FLOOR_TIMES;
use stowmark_results::samples::{self, Clock, by_operation, rounds_in_order};
use stowmark_results::stats::summary::{Summary, percentile_allowed};
use stowmark_results::{Case, CaseEngine, Round, RunResult, histogram};

/// The percentiles that are shown where there are operations enough.
const PERCENTILES: [f64; 4] = [0.5, 0.99, 0.999, 0.9999];

/// Standard deviations in a median absolute deviation of a normal distribution.
const NORMAL_DEVIATIONS: f64 = 1.4826;

/// One case with its engines, in the plan's order.
pub(crate) struct CaseFigures<'a> {
    pub(crate) case: &'a Case,
    pub(crate) engines: Vec<EngineFigures<'a>>,
    pub(crate) floor: Option<EngineFigures<'a>>,
}

/// One engine's figures in a case; what was not measured is absent.
pub(crate) struct EngineFigures<'a> {
    pub(crate) measured: &'a CaseEngine,
    pub(crate) tier: Option<&'a str>,
    pub(crate) wall: Option<ClockFigures>,
    pub(crate) cpu: Option<ClockFigures>,
    /// Median over the rounds of payload bytes by the round's time.
    pub(crate) bytes_per_second: Option<f64>,
    /// Median over the rounds of operations by the round's time.
    pub(crate) operations_per_second: Option<f64>,
    /// An operation and its share of writing out what it left, for tiers below `media`.
    pub(crate) with_drain: Option<Summary>,
    /// Until the first byte of a get, in nanoseconds.
    pub(crate) first_byte: Option<Summary>,
    /// Service times of single operations: percentile (0.99) and nanoseconds.
    pub(crate) percentiles: Vec<(f64, u64)>,
}

/// The samples of one clock.
pub(crate) struct ClockFigures {
    /// In nanoseconds an operation.
    pub(crate) summary: Summary,
    /// The median over the floor's.
    pub(crate) floor_times: Option<f64>,
}

impl ClockFigures {
    /// How far a usual round lies from the median, in percent of it: the median distance, scaled to
    /// what is a standard deviation where figures are normally distributed. A deviation of the mean
    /// would tell of a few slow rounds rather than of the usual one. None for a single sample.
    pub(crate) fn spread_percent(&self) -> Option<f64> {
        let deviation = NORMAL_DEVIATIONS * self.summary.median_absolute_deviation;
        let percent = 100.0 * deviation / self.summary.median;
        (self.summary.n > 1 && percent.is_finite()).then_some(percent)
    }

    /// Whether the harness's own cost is a tenth of the figure or more.
    pub(crate) fn is_near_floor(&self) -> bool {
        self.floor_times.is_some_and(|times| times <= NEAR_FLOOR_TIMES)
    }
}

impl<'a> CaseFigures<'a> {
    /// The figures of all cases of a result.
    pub(crate) fn of_all(result: &'a RunResult) -> Vec<Self> {
        result.cases.iter().map(|case| Self::of(case, result)).collect()
    }

    fn of(case: &'a Case, result: &'a RunResult) -> Self {
        let floor = case.floor.as_ref();
        let figures = |engine: &'a CaseEngine, floor| {
            EngineFigures::of(engine, tier_of(&engine.label, result), floor, case)
        };
        Self {
            case,
            engines: case.engines.iter().map(|engine| figures(engine, floor)).collect(),
            floor: floor.map(|floor| figures(floor, None)),
        }
    }
}

fn tier_of<'a>(label: &str, result: &'a RunResult) -> Option<&'a str> {
    result.engines.iter().find(|facts| facts.label == label)?.tier.as_deref()
}

impl<'a> EngineFigures<'a> {
    fn of(
        measured: &'a CaseEngine,
        tier: Option<&'a str>,
        floor: Option<&CaseEngine>,
        case: &Case,
    ) -> Self {
        let clock = |clock| {
            let summary = Summary::of(&samples::samples_ns(measured, clock))?;
            let floor = floor.and_then(|floor| Summary::of(&samples::samples_ns(floor, clock)));
            let times = floor.map(|floor| summary.median / floor.median);
            Some(ClockFigures { summary, floor_times: times.filter(|times| times.is_finite()) })
        };
        let rate = |total: fn(&Round) -> u64| over_rounds(measured, |round| rate(total, round));
        let drains = case.op != "get" && tier.is_some_and(|tier| tier != "media");
        let with_drain = |round: &Round| time_with_drain(round, case.clients);
        let first_byte = |round: &Round| by_operation(round.first_byte_ns?, round);
        Self {
            measured,
            tier,
            wall: clock(Clock::Wall),
            cpu: clock(Clock::Cpu),
            bytes_per_second: rate(|round| round.bytes).map(|rate| rate.median),
            operations_per_second: rate(|round| round.ops).map(|rate| rate.median),
            with_drain: drains.then(|| over_rounds(measured, with_drain)).flatten(),
            first_byte: over_rounds(measured, first_byte),
            percentiles: percentiles(measured),
        }
    }

    /// The samples' figures on this clock.
    pub(crate) fn on(&self, clock: Clock) -> Option<&ClockFigures> {
        match clock {
            Clock::Wall => self.wall.as_ref(),
            Clock::Cpu => self.cpu.as_ref(),
        }
    }
}

fn over_rounds(engine: &CaseEngine, figure: impl Fn(&Round) -> Option<f64>) -> Option<Summary> {
    let figures: Vec<f64> = rounds_in_order(engine).into_iter().filter_map(figure).collect();
    Summary::of(&figures)
}

/// A round's total by its time; none where nothing was moved.
fn rate(total: fn(&Round) -> u64, round: &Round) -> Option<f64> {
    let total = total(round);
    (total > 0 && round.wall_ns > 0).then(|| total as f64 * 1e9 / round.wall_ns as f64)
}

/// The sample, and the drain shared among the operations. The drain follows the round, so that
/// with several clients each waits for the whole of it.
fn time_with_drain(round: &Round, clients: u64) -> Option<f64> {
    let drain_ns = round.drain_wall_ns? as f64 * clients.max(1) as f64;
    by_operation(round.op_wall_ns? + drain_ns, round)
}

fn percentiles(engine: &CaseEngine) -> Vec<(f64, u64)> {
    let Some(histogram) = engine.histogram.as_deref().and_then(histogram::decode) else {
        return Vec::new();
    };
    let allowed = PERCENTILES.into_iter().filter(|p| percentile_allowed(*p, histogram.len()));
    allowed.map(|p| (p, histogram.value_at_quantile(p))).collect()
}
