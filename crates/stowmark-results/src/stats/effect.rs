//! The ratio of an engine to its baseline, with its interval: the one
//! analysis that decides.
//!
//! **Several executions.** In each execution the median over its rounds of
//! ln(engine / baseline); the effect is the mean of these over the executions
//! and the interval Student's t with executions - 1 degrees of freedom. The
//! executions alone carry the uncertainty: what a process got by luck (its
//! memory layout, its store's shape on the disk) stays the same for all its
//! rounds. Source: T. Kalibera and R. Jones, "Rigorous benchmarking in
//! reasonable time" (ISMM 2013), restricted to the execution level; the median
//! within an execution keeps a single disturbed round from deciding.
//!
//! **One execution.** Nothing can be said about other executions; what can be
//! asked is whether the difference stands out from the noise within this one.
//! Its effect is the median over the rounds, its standard error comes from a
//! circular block bootstrap (D. Politis and J. Romano, "A circular
//! block-resampling procedure for stationary data", 1992), which resamples
//! runs of neighbouring rounds and so keeps their dependence. The block length
//! is the cube root of the number of rounds, rounded: the order that is
//! optimal for a variance (P. Hall, J. Horowitz and B.-Y. Jing, Biometrika 82,
//! 1995). The interval is then Student's t with blocks - 1 degrees of freedom,
//! where blocks = rounds / block length, and the error is widened by
//! sqrt(blocks / (blocks - 1)), the share that blocks cut from a sample of
//! that size lose.
//!
//! The plain percentile interval of the same bootstrap was tried and refused:
//! at 1 % it raised a false alarm in about 4 of 100 simulated cases of 20
//! independent rounds and in 14 of 100 with 6 rounds, for want of resamples
//! that differ enough. The interval used raises about one in 200, hardly any,
//! and 2 of 100 with 20 rounds whose noise is correlated by 0.5;
//! `examples/power.rs` prints such figures anew. What no interval can see in
//! one execution is how the next would differ: equal engines whose processes
//! differ are told apart here, and rightly so, within this execution only.

use std::fmt;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::basics::{mean, median, median_in_place, standard_deviation};
use super::paired::{Pairing, Samples};
use super::student;

/// An execution counts from this many paired rounds on, or from as many as
/// were planned if that is fewer: below, its median is one disturbed round.
pub const ROUNDS_PER_EXECUTION: usize = 3;

/// A single execution can be judged from this many paired rounds on: three
/// blocks of two.
pub const ROUNDS_OF_ONE_EXECUTION: usize = 6;

/// The chance with which [`Effect::smallest_detectable_percent`] is found.
pub const POWER: f64 = 0.9;

/// [`Effect::executions_to_settle`] looks no further.
pub const MOST_EXECUTIONS: u64 = 10_000;

const RESAMPLES: usize = 2_000;

/// Any constant will do, so long as it stays the same: verdicts must not
/// depend on when the report is made.
const BOOTSTRAP_SEED: u64 = 0x5707_0A12;

/// Standard errors below this (relative, as these are logarithms) are rounding
/// in the last digits of a double, not measurement.
const SMALLEST_STANDARD_ERROR: f64 = 1e-12;

/// How an engine's time relates to its baseline's, at one level.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// Engine time / baseline time: above 1 the engine is slower.
    pub ratio: f64,
    /// The lower end of the interval, a ratio; positive and finite.
    pub low: f64,
    /// The upper end of the interval, a ratio; positive and finite.
    pub high: f64,
    /// The level of that interval as an error rate: 0.01 for 99 %.
    pub alpha: f64,
    /// The two-sided p-value of "no difference". It is at most `alpha` exactly
    /// when `low..=high` leaves out 1.
    pub p: f64,
    /// Degrees of freedom of the t interval; with one execution not whole.
    pub df: f64,
    /// The effect's standard error, on the logarithmic scale.
    pub standard_error: f64,
    /// The standard deviation between the executions' effects, logarithmic;
    /// none with one execution.
    pub between_executions: Option<f64>,
    /// Executions that counted.
    pub executions: usize,
    /// Paired rounds in them.
    pub rounds: usize,
    /// Rounds that one side lacks, over all executions.
    pub unpaired: usize,
    /// Paired rounds without a ratio, because a figure was not positive.
    pub non_positive: usize,
    /// Only one execution counted: the verdict holds within it and nowhere
    /// else.
    pub within_this_execution: bool,
}

/// Why there is no effect to speak of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TooFew {
    /// No round has a positive figure on both sides.
    NoPairs {
        /// Rounds that at least one side lacks.
        unpaired: usize,
        /// Rounds with a figure that is not positive.
        non_positive: usize,
    },
    /// One execution counted, and it is too short.
    OneShortExecution {
        /// Its paired rounds.
        rounds: usize,
    },
    /// Every execution lost so many rounds that none counts.
    NoWholeExecution {
        /// Paired rounds of the best of them.
        rounds: usize,
        /// Paired rounds that an execution needs.
        needed: usize,
    },
}

impl fmt::Display for TooFew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPairs { unpaired, non_positive } => write!(
                f,
                "no round was measured on both sides ({unpaired} missing, {non_positive} not positive)"
            ),
            Self::OneShortExecution { rounds } => write!(
                f,
                "1 execution with {rounds} paired rounds; it takes 2 executions, or 1 of at least \
                 {ROUNDS_OF_ONE_EXECUTION} rounds"
            ),
            Self::NoWholeExecution { rounds, needed } => {
                write!(f, "no execution kept {needed} paired rounds (the best kept {rounds})")
            }
        }
    }
}

/// Compares an engine with its baseline at the level `alpha` (0.01 for a 99 %
/// interval), two-sided.
///
/// # Errors
///
/// [`TooFew`], when no interval can be drawn from what was measured.
pub fn analyse(engine: Samples, baseline: Samples, alpha: f64) -> Result<Effect, TooFew> {
    analyse_pairs(&Pairing::of(engine, baseline), alpha)
}

/// As [`analyse`], for rounds that are already paired.
///
/// # Errors
///
/// [`TooFew`], when no interval can be drawn from the pairs.
pub fn analyse_pairs(pairing: &Pairing, alpha: f64) -> Result<Effect, TooFew> {
    let needed = ROUNDS_PER_EXECUTION.min(pairing.planned_rounds).max(1);
    let whole: Vec<&[f64]> = pairing
        .log_ratios
        .iter()
        .map(Vec::as_slice)
        .filter(|rounds| rounds.len() >= needed)
        .collect();
    let estimate = match whole.as_slice() {
        [] => return Err(why_none(pairing, needed)),
        [only] if only.len() < ROUNDS_OF_ONE_EXECUTION => {
            return Err(TooFew::OneShortExecution { rounds: only.len() });
        }
        [only] => Estimate::within_one_execution(only),
        several => Estimate::over_executions(several),
    };
    let effect = Effect {
        ratio: to_ratio(estimate.log_ratio),
        low: f64::NAN,
        high: f64::NAN,
        alpha,
        p: student::two_sided_p(estimate.log_ratio / estimate.standard_error, estimate.df),
        df: estimate.df,
        standard_error: estimate.standard_error,
        between_executions: estimate.between_executions,
        executions: whole.len(),
        rounds: whole.iter().map(|rounds| rounds.len()).sum(),
        unpaired: pairing.unpaired,
        non_positive: pairing.non_positive,
        within_this_execution: whole.len() == 1,
    };
    Ok(effect.at(alpha))
}

fn why_none(pairing: &Pairing, needed: usize) -> TooFew {
    match pairing.log_ratios.iter().map(Vec::len).max().unwrap_or(0) {
        0 => TooFew::NoPairs { unpaired: pairing.unpaired, non_positive: pairing.non_positive },
        rounds => TooFew::NoWholeExecution { rounds, needed },
    }
}

/// A location and its error on the logarithmic scale, before any level.
struct Estimate {
    log_ratio: f64,
    standard_error: f64,
    df: f64,
    between_executions: Option<f64>,
}

impl Estimate {
    fn over_executions(executions: &[&[f64]]) -> Self {
        let effects: Vec<f64> = executions.iter().map(|rounds| median(rounds)).collect();
        let between = standard_deviation(&effects);
        let count = effects.len() as f64;
        Self {
            log_ratio: mean(&effects),
            standard_error: (between / count.sqrt()).max(SMALLEST_STANDARD_ERROR),
            df: count - 1.0,
            between_executions: Some(between),
        }
    }

    fn within_one_execution(rounds: &[f64]) -> Self {
        let block = block_length(rounds.len());
        let blocks = rounds.len() as f64 / block as f64;
        let spread = standard_deviation(&resampled_medians(rounds, block));
        let widened = spread * (blocks / (blocks - 1.0)).sqrt();
        Self {
            log_ratio: median(rounds),
            standard_error: widened.max(SMALLEST_STANDARD_ERROR),
            df: blocks - 1.0,
            between_executions: None,
        }
    }
}

fn block_length(rounds: usize) -> usize {
    ((rounds as f64).cbrt().round() as usize).max(1)
}

/// The medians of the bootstrap's resamples: blocks of neighbouring rounds,
/// each from a random start, the last round followed by the first.
fn resampled_medians(rounds: &[f64], block: usize) -> Vec<f64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(BOOTSTRAP_SEED);
    let mut resample = Vec::with_capacity(rounds.len());
    (0..RESAMPLES)
        .map(|_| {
            resample.clear();
            while resample.len() < rounds.len() {
                let start = (random.next_u64() % rounds.len() as u64) as usize;
                let length = block.min(rounds.len() - resample.len());
                resample.extend((start..start + length).map(|round| rounds[round % rounds.len()]));
            }
            median_in_place(&mut resample)
        })
        .collect()
}

impl Effect {
    /// The same effect with its interval drawn at another level.
    #[must_use]
    pub fn at(&self, alpha: f64) -> Self {
        let effect = self.ratio.ln();
        let half = student::critical(alpha, self.df) * self.standard_error;
        let (mut low, mut high) = (to_ratio(effect - half), to_ratio(effect + half));
        // Verdict and interval are one statement. Rounding near 1 could still
        // part them by the last digit, so the p-value has the last word.
        if self.p > alpha {
            low = low.min(1.0);
            high = high.max(1.0);
        } else if effect > 0.0 {
            low = low.max(1f64.next_up());
        } else {
            high = high.min(1f64.next_down());
        }
        Self { low, high, alpha, ..self.clone() }
    }

    /// Whether the interval leaves out 1: a difference is shown.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.p <= self.alpha
    }

    /// The smallest slowdown, in percent, that a measurement with this spread
    /// and this many executions shows at this level with a chance of
    /// [`POWER`]. From the noncentral t distribution; always finite, so that it
    /// can be written down, but astronomical where the level is out of reach.
    #[must_use]
    pub fn smallest_detectable_percent(&self) -> f64 {
        let critical = student::critical(self.alpha, self.df);
        let shift = student::detectable(critical, self.df, POWER);
        (100.0 * (shift * self.standard_error).exp_m1()).min(f64::MAX)
    }

    /// The fewest executions with which a true difference of the measured size
    /// is shown at this level with a chance of [`POWER`], the spread between
    /// executions being as measured.
    ///
    /// None with one execution (the spread between executions is unknown),
    /// where the effect is nil, and beyond [`MOST_EXECUTIONS`].
    #[must_use]
    pub fn executions_to_settle(&self) -> Option<u64> {
        let between = self.between_executions?;
        let effect = self.ratio.ln().abs();
        let settles = |executions: u64| {
            let count = executions as f64;
            let error = (between / count.sqrt()).max(SMALLEST_STANDARD_ERROR);
            let critical = student::critical(self.alpha, count - 1.0);
            student::power(effect / error, critical, count - 1.0) >= POWER
        };
        let (mut low, mut high) = (2, MOST_EXECUTIONS);
        if !settles(high) {
            return None;
        }
        while low < high {
            let middle = low.midpoint(high);
            if settles(middle) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Some(low)
    }
}

/// Back from logarithms, kept positive and finite so that it can be written
/// down: two executions at a strict level have intervals beyond any number.
fn to_ratio(log: f64) -> f64 {
    log.exp().clamp(f64::MIN_POSITIVE, f64::MAX)
}

#[cfg(test)]
#[path = "effect_tests.rs"]
mod tests;
