//! From samples to words: who is faster, by how much, and what cannot be said.
//!
//! A family is all engine-against-baseline verdicts of one clock in a run; it
//! is decided together, because Holm shares one error rate among its members.
//! A case that cannot have a winner takes no share:
//!
//! - different promises of durability: the ratio is shown, with an interval at
//!   the family's strictest level, but no winner is named. (Naming none, it
//!   can name no wrong one.)
//! - below the clock's resolution: the figures are the clock's ticks, not the
//!   engines' times, so not even a ratio is shown.
//! - too few samples: there is no interval.
//!
//! If several apply, the first of these is the verdict: it is the one that
//! more measuring would not cure.

use super::effect::{self, Effect, TooFew};
use super::holm;
use super::paired::Samples;

/// A clock must have counted at least this many of its smallest steps.
pub const LEAST_STEPS_OF_THE_CLOCK: f64 = 20.0;

/// One verdict to be made: an engine against the baseline, in one case.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    /// The engine's samples.
    pub engine: Samples<'a>,
    /// The baseline's samples, in the same unit.
    pub baseline: Samples<'a>,
    /// Whether both acknowledged with the same tier.
    pub same_promise: bool,
    /// What the clock could resolve; none for a clock that counts nanoseconds.
    pub clock: Option<ClockReach>,
}

/// How far a clock's count lies above its smallest step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClockReach {
    /// What the clock counted, in nanoseconds, for the side that used less of
    /// it. As each round gives one sample, give the total of a typical
    /// (median) round: a sum over many rounds of less than a step each would
    /// look large while every single sample is a tick or none.
    pub total_ns: f64,
    /// The clock's smallest step, in nanoseconds.
    pub resolution_ns: f64,
}

impl ClockReach {
    /// Whether the total is at least [`LEAST_STEPS_OF_THE_CLOCK`] steps, so
    /// that a step more or less is at most 5 %.
    #[must_use]
    pub fn suffices(&self) -> bool {
        self.total_ns >= LEAST_STEPS_OF_THE_CLOCK * self.resolution_ns
    }
}

/// What may be said of an engine against its baseline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// The interval lies below 1: the engine takes less time.
    Faster,
    /// The interval lies above 1: the engine takes more time.
    Slower,
    /// The interval includes 1. That is not a proof of equality.
    NoDifferenceShown {
        /// The smallest difference, in percent, that this measurement would
        /// have shown with a chance of [`effect::POWER`]. Finite.
        smallest_detectable_percent: f64,
        /// How many executions would show a difference of the measured size
        /// with that chance; see [`Effect::executions_to_settle`] for none.
        executions_to_settle: Option<u64>,
    },
    /// There is no interval, for this reason.
    TooFewSamples {
        /// What is missing.
        reason: TooFew,
    },
    /// The two promise different things: no winner, whatever the ratio.
    DifferentPromises,
    /// The clock is too coarse for what it measured.
    BelowResolution,
}

/// A verdict and the figures that belong to it.
///
/// `ratio`, `low`, `high` and `p` are there together or not at all; where they
/// are, all are finite.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The verdict.
    pub verdict: Verdict,
    /// Engine time / baseline time: above 1 the engine is slower.
    pub ratio: Option<f64>,
    /// The lower end of the interval of the ratio.
    pub low: Option<f64>,
    /// The upper end of the interval of the ratio.
    pub high: Option<f64>,
    /// The confidence of that interval, adjusted by Holm: 0.99875 for the
    /// strictest of eight verdicts at 1 %.
    pub level: f64,
    /// The p-value of "no difference", as it is before Holm; compare it with
    /// 1 - `level`.
    pub p: Option<f64>,
    /// The interval comes from one execution and holds within it only.
    pub within_this_execution: bool,
    /// Executions that counted.
    pub executions: usize,
    /// Paired rounds in them.
    pub rounds: usize,
    /// Rounds left out, for want of a partner or of a positive figure.
    pub rounds_left_out: usize,
}

/// A figure with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figure {
    /// The figure.
    pub value: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end of its interval.
    pub high: f64,
}

/// Decides all verdicts of one clock together, at the error rate `alpha` for
/// the whole family (0.01 for 1 %). The answer is in the order of the cases.
#[must_use]
pub fn decide(family: &[Case], alpha: f64) -> Vec<Decision> {
    let effects: Vec<Result<Effect, TooFew>> =
        family.iter().map(|case| effect::analyse(case.engine, case.baseline, alpha)).collect();
    let tested: Vec<f64> = family
        .iter()
        .zip(&effects)
        .filter(|(case, _)| can_have_a_winner(case))
        .filter_map(|(_, effect)| Some(effect.as_ref().ok()?.p))
        .collect();
    let strictest = alpha / tested.len().max(1) as f64;

    let mut steps = holm::step_down(&tested, alpha).into_iter();
    family
        .iter()
        .zip(effects)
        .map(|(case, effect)| match effect {
            _ if case.same_promise && !resolved(case) => {
                Decision::bare(Verdict::BelowResolution, strictest)
            }
            Ok(effect) if can_have_a_winner(case) => {
                let level = steps.next().map_or(strictest, |step| step.alpha);
                Decision::tested(&effect.at(level))
            }
            // Different promises from here on, or too few samples.
            Ok(effect) if resolved(case) => {
                Decision::showing(Verdict::DifferentPromises, &effect.at(strictest))
            }
            Err(reason) if case.same_promise => {
                Decision::bare(Verdict::TooFewSamples { reason }, strictest)
            }
            _ => Decision::bare(Verdict::DifferentPromises, strictest),
        })
        .collect()
}

fn can_have_a_winner(case: &Case) -> bool {
    case.same_promise && resolved(case)
}

fn resolved(case: &Case) -> bool {
    case.clock.is_none_or(|clock| clock.suffices())
}

impl Decision {
    /// A decision on an effect whose interval is at its own adjusted level.
    fn tested(effect: &Effect) -> Self {
        let verdict = match (effect.is_shown(), effect.low > 1.0) {
            (true, true) => Verdict::Slower,
            (true, false) => Verdict::Faster,
            (false, _) => Verdict::NoDifferenceShown {
                smallest_detectable_percent: effect.smallest_detectable_percent(),
                executions_to_settle: effect.executions_to_settle(),
            },
        };
        Self::showing(verdict, effect)
    }

    fn showing(verdict: Verdict, effect: &Effect) -> Self {
        Self {
            verdict,
            ratio: Some(effect.ratio),
            low: Some(effect.low),
            high: Some(effect.high),
            level: 1.0 - effect.alpha,
            p: Some(effect.p),
            within_this_execution: effect.within_this_execution,
            executions: effect.executions,
            rounds: effect.rounds,
            rounds_left_out: effect.unpaired + effect.non_positive,
        }
    }

    /// A decision without a figure.
    fn bare(verdict: Verdict, alpha: f64) -> Self {
        Self {
            verdict,
            ratio: None,
            low: None,
            high: None,
            level: 1.0 - alpha,
            p: None,
            within_this_execution: false,
            executions: 0,
            rounds: 0,
            rounds_left_out: 0,
        }
    }

    /// The ratio with its interval.
    #[must_use]
    pub fn times_slower(&self) -> Option<Figure> {
        Some(Figure { value: self.ratio?, low: self.low?, high: self.high? })
    }

    /// How many times faster the engine is: the ratio and its interval turned
    /// over, 2 where it takes half the time.
    #[must_use]
    pub fn times_faster(&self) -> Option<Figure> {
        let ratio = self.times_slower()?;
        Some(Figure { value: 1.0 / ratio.value, low: 1.0 / ratio.high, high: 1.0 / ratio.low })
    }

    /// The change of time in percent of the baseline's: 10 where the engine
    /// takes a tenth more, -50 where it takes half.
    #[must_use]
    pub fn percent(&self) -> Option<Figure> {
        let ratio = self.times_slower()?;
        let percent = |ratio: f64| (100.0 * (ratio - 1.0)).min(f64::MAX);
        Some(Figure {
            value: percent(ratio.value),
            low: percent(ratio.low),
            high: percent(ratio.high),
        })
    }
}

#[cfg(test)]
#[path = "verdict_tests.rs"]
mod tests;
