//! Warnings: what a reader must know before believing a figure, each with its remedy.

use crate::WarningRecord;

/// What is so.
#[derive(Clone, PartialEq, Debug)]
pub enum Warning {
    /// Samples rose or fell over the rounds.
    Drift {
        /// From the first to the last round, in percent.
        percent: f64,
    },
    /// A sample depends on the one before.
    Autocorrelation {
        /// The coefficient at lag 1.
        coefficient: f64,
    },
    /// Executions are calm in themselves and far apart.
    ExecutionsDiffer {
        /// The slowest execution's median over the fastest one's.
        times: f64,
    },
    /// Some samples lie far from the others.
    Outliers {
        /// How many.
        count: usize,
        /// Of how many.
        of: usize,
    },
    /// The samples fall into two groups.
    TwoHumps,
    /// The figure is within 10 times the harness's own cost.
    NearFloor {
        /// The figure over the floor.
        times: f64,
    },
    /// The engines promise different things.
    UnequalTiers {
        /// Each label with its tier.
        tiers: String,
    },
    /// One clock names another winner than the other.
    ClocksDisagree {
        /// The verdict on the wall clock.
        wall: String,
        /// The verdict on the CPU clock.
        cpu: String,
    },
    /// The plugin or the harness was built without optimisation.
    DebugBuild {
        /// Which.
        what: String,
    },
    /// The hypervisor took time away.
    Steal {
        /// Percent of the measured time.
        percent: f64,
    },
    /// Other work wanted the processors.
    Pressure {
        /// Percent of the measured time.
        percent: f64,
    },
    /// The processor may change its frequency.
    Governor {
        /// The governor.
        name: String,
    },
    /// The disk is nearly full.
    NearlyFull {
        /// What is free, in percent.
        free_percent: f64,
    },
    /// Swap was in use.
    Swap,
    /// Power loss empties the data folder.
    Volatile {
        /// The file system.
        file_system: String,
    },
    /// A flush costs suspiciously little.
    FreeFsync {
        /// Median in nanoseconds.
        median_ns: u64,
        /// Whether the device saw flushes.
        flush_seen: Option<bool>,
    },
    /// Rounds were short bursts.
    ShortBurst {
        /// The longest usual round in nanoseconds.
        round_ns: u64,
        /// The id of its case.
        case: String,
        /// How many operations would make it last about 1 s, where that is known.
        ops: Option<u64>,
    },
    /// The effective settings could not be read back.
    SettingsUnknown {
        /// Why.
        why: String,
    },
    /// Operations failed; they are not in any figure.
    Errors {
        /// How many.
        count: u64,
        /// Their classes.
        classes: String,
    },
}

impl Warning {
    /// The kind's name in the result file.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Drift { .. } => "drift",
            Self::Autocorrelation { .. } => "autocorrelation",
            Self::ExecutionsDiffer { .. } => "executions-differ",
            Self::Outliers { .. } => "outliers",
            Self::TwoHumps => "two-humps",
            Self::NearFloor { .. } => "near-floor",
            Self::UnequalTiers { .. } => "unequal-tiers",
            Self::ClocksDisagree { .. } => "clocks-disagree",
            Self::DebugBuild { .. } => "debug-build",
            Self::Steal { .. } => "steal",
            Self::Pressure { .. } => "pressure",
            Self::Governor { .. } => "governor",
            Self::NearlyFull { .. } => "nearly-full",
            Self::Swap => "swap",
            Self::Volatile { .. } => "volatile",
            Self::FreeFsync { .. } => "free-fsync",
            Self::ShortBurst { .. } => "short-burst",
            Self::SettingsUnknown { .. } => "settings-unknown",
            Self::Errors { .. } => "errors",
        }
    }

    /// What is so.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Drift { percent } => {
                format!("samples drift by {percent:+.0} % from the first round to the last")
            }
            Self::Autocorrelation { coefficient } => {
                format!("a sample depends on the one before (lag 1: {coefficient:.2})")
            }
            Self::ExecutionsDiffer { times } => {
                format!("the slowest execution's median is {times:.2} times the fastest one's")
            }
            Self::Outliers { count, of } => {
                let lie = if *count == 1 { "lies" } else { "lie" };
                format!("{count} of {of} samples {lie} far from the others")
            }
            Self::TwoHumps => "the samples fall into two groups".into(),
            Self::NearFloor { times } => format!("within {times:.1} times the harness's own cost"),
            Self::UnequalTiers { tiers } => {
                format!("the engines promise different things ({tiers}): no winner")
            }
            Self::ClocksDisagree { wall, cpu } => {
                format!("the clocks disagree: on the wall clock {wall}, by CPU time {cpu}")
            }
            Self::DebugBuild { what } => format!("built without optimisation: {what}"),
            Self::Steal { percent } => {
                format!("the hypervisor took {percent:.1} % of the measured time")
            }
            Self::Pressure { percent } => {
                format!("some task waited for a processor in {percent:.0} % of the measured time")
            }
            Self::Governor { name } => format!("the frequency governor is {name}"),
            Self::NearlyFull { free_percent } => {
                format!("only {free_percent:.0} % of the disk is free")
            }
            Self::Swap => "swap was in use".into(),
            Self::Volatile { file_system } => format!(
                "the data folder is on {file_system}, which power loss empties: no tier there \
                 survives it"
            ),
            Self::FreeFsync { median_ns, flush_seen } => {
                let seen = match flush_seen {
                    Some(false) => "and the device saw no flush",
                    _ => "which is less than a device needs",
                };
                let median_us = *median_ns as f64 / 1e3;
                format!("a flush costs {median_us:.0} us here, {seen}")
            }
            Self::ShortBurst { round_ns, case, ops } => short_burst(*round_ns, case, *ops),
            Self::SettingsUnknown { why } => {
                format!("the effective settings could not be read back ({why})")
            }
            Self::Errors { count, classes } => {
                format!(
                    "{count} operations failed ({classes}): no sample on the wall clock holds them, but \
                         rates and CPU times do"
                )
            }
        }
    }

    /// What helps.
    #[must_use]
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Drift { .. } => {
                "the store may grow or warm up, or the machine change its pace: take more rounds, or \
                 each operation in a run of its own"
            }
            Self::Autocorrelation { .. } => {
                "trust verdicts over several executions (--executions 5 or more), not over one"
            }
            Self::ExecutionsDiffer { .. } => {
                "the state of the machine or of the store may have changed between executions: look at \
                 the rounds by execution (report --format csv), and take more executions"
            }
            Self::Outliers { .. } => {
                "something else ran, or the engine itself paused: end what else runs and run again; if \
                 it stays, it may be the engine"
            }
            Self::TwoHumps => {
                "there may be two ways of doing the same work, or two states of the machine: look at the rounds (report --format csv), and run \
                 again with more --rounds"
            }
            Self::NearFloor { .. } => {
                "the harness's cost is in both engines' figures, so that they may differ by more than is \
                 shown: take larger blobs"
            }
            Self::UnequalTiers { .. } => "name one with --durability TIER, or leave the flag out",
            Self::ClocksDisagree { .. } => {
                "waiting (for a disk, a server, a lock) is in the one and not in the other: say which \
                 you mean"
            }
            Self::DebugBuild { .. } => "build it with --release",
            Self::Steal { .. } => "run again when the host is quieter",
            Self::Pressure { .. } => {
                "end what else runs and run again; threads of the engine's own may also wait"
            }
            Self::Governor { .. } => {
                "set it to performance (cpupower frequency-set -g performance) for steadier figures"
            }
            Self::NearlyFull { .. } => "free some, or choose another --data-dir",
            Self::Swap => "free memory, or swapoff, and run again",
            Self::Volatile { .. } => "choose a --data-dir on a disk",
            Self::FreeFsync { .. } => {
                "media may promise more than this disk keeps: choose a --data-dir on a device that \
                 flushes"
            }
            Self::ShortBurst { .. } => {
                "caches and write-back under a lasting load do not show: raise --ops for longer rounds"
            }
            Self::SettingsUnknown { .. } => "check by hand that the tier is kept",
            Self::Errors { .. } => "see the engine's log",
        }
    }

    /// The warning as the result file carries it.
    #[must_use]
    pub fn record(&self) -> WarningRecord {
        WarningRecord {
            kind: self.kind().into(),
            message: self.message(),
            remedy: Some(self.remedy().into()),
            ..WarningRecord::default()
        }
    }
}

fn short_burst(round_ns: u64, case: &str, ops: Option<u64>) -> String {
    let ms = round_ns as f64 / 1e6;
    let longest = format!("rounds are short bursts: the longest, of {case}, usually {ms:.0} ms");
    match ops {
        // The number would be far too many for larger blobs.
        Some(ops) => {
            format!("{longest}; alone (--op, --size) with --ops {ops} it would take about 1 s")
        }
        None => longest,
    }
}
