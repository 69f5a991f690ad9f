//! Reasons not to believe the samples: detectors only.
//!
//! Each looks at one engine's samples of one case on one clock and answers
//! `None` or what it found, in figures. What to tell the user is for others to
//! word. They look at logarithms, execution by execution, so that a slow
//! engine and a fast one are judged alike.
//!
//! A warning that comes up in every run teaches people to overlook warnings.
//! So each detector asks for two things at once: it must be improbable that
//! chance made the finding ([`LEVEL`] or the figure stated there), and the
//! finding must be large enough to matter. `simulation_tests.rs` holds their
//! false alarms on well-behaved samples below 1 of 100, all five together
//! below 2 of 100.

mod autocorrelation;
mod drift;
mod executions;
mod humps;
mod outliers;

pub use autocorrelation::{Autocorrelation, LEAST_CORRELATION, autocorrelation};
pub use drift::{Drift, LEAST_DRIFT, drift};
pub use executions::{ExecutionsDiffer, LEAST_EXECUTION_TIMES, executions_differ};
pub use humps::{LEAST_HUMP_DISTANCE, TwoHumps, two_humps};
pub use outliers::{LEAST_OUTLIER_DISTANCE, OUTLIER_DEVIATIONS, Outliers, outliers};

use super::paired::{Samples, logarithms};

/// The p-value from which drift, autocorrelation and executions that differ
/// are reported: far below
/// the verdicts' level, as every engine, case and clock is looked at.
pub const LEVEL: f64 = 0.001;

/// Everything that was found in one engine's samples.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Findings {
    /// Times rise or fall over the rounds.
    pub drift: Option<Drift>,
    /// Neighbouring rounds resemble each other.
    pub autocorrelation: Option<Autocorrelation>,
    /// Executions are calm in themselves and far apart.
    pub executions_differ: Option<ExecutionsDiffer>,
    /// Single rounds lie far from the others.
    pub outliers: Option<Outliers>,
    /// Times gather in two places.
    pub two_humps: Option<TwoHumps>,
}

impl Findings {
    /// Runs all detectors over the usable samples.
    #[must_use]
    pub fn of(samples: Samples) -> Self {
        let logs = logarithms(samples);
        Self {
            drift: drift(&logs),
            autocorrelation: autocorrelation(&logs),
            executions_differ: executions_differ(&logs),
            outliers: outliers(&logs),
            two_humps: two_humps(&logs),
        }
    }
}

/// A distance of logarithms as a change in percent.
fn percent(log_distance: f64) -> f64 {
    100.0 * log_distance.exp_m1()
}
