//! Which warnings a result deserves.

use std::collections::BTreeMap;

use super::{NEAR_FLOOR_TIMES, floor_times, samples};
use crate::samples::Clock;
use crate::stats::summary::Summary;
use crate::stats::warnings::Findings;
use crate::{Case, CaseEngine, RunResult, Warning, WarningRecord};

/// More stolen time than this, in percent, is worth a word.
const STEAL_PERCENT: f64 = 1.0;
/// More waiting for processors than this, in percent.
const PRESSURE_PERCENT: f64 = 20.0;
/// Less free disk than this, in percent.
const FREE_PERCENT: f64 = 10.0;
/// A faster flush than this is suspicious, in nanoseconds.
const FREE_FSYNC_NS: u64 = 20_000;
/// Rounds shorter than this are bursts, in nanoseconds.
const BURST_NS: f64 = 1e9;

/// All warnings: the run's own, then those of each case and engine.
pub(super) fn find(result: &RunResult) -> Vec<WarningRecord> {
    let mut found: Vec<WarningRecord> =
        of_run(result).iter().chain(&of_disk(result)).map(Warning::record).collect();
    for engine in &result.engines {
        if let Some(why) = &engine.settings_error {
            let warning = Warning::SettingsUnknown { why: why.clone() };
            found.push(WarningRecord { label: Some(engine.label.clone()), ..warning.record() });
        }
    }
    for case in &result.cases {
        of_case(case, &mut found);
    }
    found
}

fn of_run(result: &RunResult) -> Vec<Warning> {
    let mut found = Vec::new();
    let listed = || result.engines.iter().filter(|engine| !engine.is_floor);
    let tiers: Vec<_> = listed().map(|engine| engine.tier.as_deref().unwrap_or("?")).collect();
    if tiers.iter().any(|tier| *tier != tiers[0]) {
        let each: Vec<_> =
            listed().zip(&tiers).map(|(engine, tier)| format!("{} {tier}", engine.label)).collect();
        found.push(Warning::UnequalTiers { tiers: each.join(", ") });
    }
    if result.versions.profile.as_deref() == Some("debug") {
        found.push(Warning::DebugBuild { what: "the harness".into() });
    }
    let mut debug: Vec<_> = result
        .engines
        .iter()
        .filter(|engine| engine.plugin_profile.as_deref() == Some("debug"))
        .filter_map(|engine| engine.plugin.clone())
        .collect();
    debug.dedup();
    if !debug.is_empty() {
        found.push(Warning::DebugBuild { what: format!("plugin {}", debug.join(", ")) });
    }
    let machine = &result.machine;
    if let Some(name) = machine.governor.as_ref().filter(|name| *name != "performance") {
        found.push(Warning::Governor { name: name.clone() });
    }
    if machine.swap_used_bytes.is_some_and(|bytes| bytes > 0) {
        found.push(Warning::Swap);
    }
    found.extend(of_time(result));
    found
}

/// What others took of the measured time, and how long rounds were.
fn of_time(result: &RunResult) -> Vec<Warning> {
    let mut found = Vec::new();
    let cores = result.machine.cores.unwrap_or(1).max(1);
    let engines = || result.cases.iter().flat_map(|case| &case.engines);
    let rounds = || engines().flat_map(|engine| &engine.rounds);
    let wall_ns = rounds().map(|round| round.wall_ns as f64).sum::<f64>();
    let percent = |part_ns: f64, processors: f64| 100.0 * part_ns / (wall_ns * processors);
    if wall_ns > 0.0 {
        let steal_ns = rounds().filter_map(|round| round.steal_ns).sum::<u64>() as f64;
        let steal = percent(steal_ns, cores as f64);
        if steal > STEAL_PERCENT {
            found.push(Warning::Steal { percent: steal });
        }
        let pressure_ns = rounds().filter_map(|round| round.pressure_ns).sum::<u64>() as f64;
        let pressure = percent(pressure_ns, 1.0).min(100.0);
        // With more clients than processors they wait for each other, as asked.
        if pressure > PRESSURE_PERCENT && result.plan.clients.unwrap_or(1) < cores {
            found.push(Warning::Pressure { percent: pressure });
        }
    }
    found.extend(short_burst(result));
    found
}

/// Whether even the case with the longest rounds has only bursts.
fn short_burst(result: &RunResult) -> Option<Warning> {
    let usual = |case| Some((usual_round_ns(case)?, case));
    let usual = result.cases.iter().filter_map(usual);
    let (round_ns, case) = usual.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    (round_ns > 0.0 && round_ns < BURST_NS).then(|| {
        let ops = (case.ops_per_round as f64 * BURST_NS / round_ns).ceil();
        Warning::ShortBurst {
            round_ns: round_ns as u64,
            case: case.id.clone(),
            ops: (ops >= 1.0).then(|| two_digits(ops)),
        }
    })
}

fn usual_round_ns(case: &Case) -> Option<f64> {
    let rounds = case.engines.iter().flat_map(|engine| &engine.rounds);
    let walls: Vec<f64> = rounds.map(|round| round.wall_ns as f64).collect();
    Some(Summary::of(&walls)?.median)
}

/// Rounded up to two digits, as the figure is a proposal.
fn two_digits(count: f64) -> u64 {
    let unit = 10_f64.powf((count.log10().floor() - 1.0).max(0.0));
    ((count / unit).ceil() * unit) as u64
}

fn of_disk(result: &RunResult) -> Vec<Warning> {
    let mut found = Vec::new();
    let Some(storage) = &result.machine.storage else { return found };
    if storage.volatile {
        let file_system = storage.file_system.clone().unwrap_or_else(|| "memory".into());
        found.push(Warning::Volatile { file_system });
    }
    if let (Some(free), Some(total)) = (storage.free_bytes, storage.total_bytes) {
        let free_percent = 100.0 * free as f64 / total.max(1) as f64;
        if free_percent < FREE_PERCENT {
            found.push(Warning::NearlyFull { free_percent });
        }
    }
    let media = result.engines.iter().any(|e| !e.is_floor && e.tier.as_deref() == Some("media"));
    if let Some(probe) = storage.fsync_probe.as_ref().filter(|_| media && !storage.volatile) {
        let flush_seen = probe.device_flushes.map(|flushes| flushes > 0);
        if probe.median_ns < FREE_FSYNC_NS || flush_seen == Some(false) {
            found.push(Warning::FreeFsync { median_ns: probe.median_ns, flush_seen });
        }
    }
    found
}

fn of_case(case: &Case, found: &mut Vec<WarningRecord>) {
    for engine in &case.engines {
        let warnings = of_samples(case, engine).into_iter().chain(of_errors(engine));
        found.extend(warnings.map(|(warning, clock)| WarningRecord {
            case: Some(case.id.clone()),
            label: Some(engine.label.clone()),
            clock,
            ..warning.record()
        }));
    }
    let verdict = |clock: Clock, engine: &str| {
        let mut verdicts = case.verdicts.iter();
        verdicts.find(|v| v.clock == clock.name() && v.engine == engine).map(|v| &v.outcome)
    };
    for engine in &case.engines {
        let (Some(wall), Some(cpu)) =
            (verdict(Clock::Wall, &engine.label), verdict(Clock::Cpu, &engine.label))
        else {
            continue;
        };
        let opposite = [("faster", "slower"), ("slower", "faster")];
        if opposite.contains(&(wall.as_str(), cpu.as_str())) {
            let say = |outcome: &str| format!("{} is {outcome}", engine.label);
            let warning = Warning::ClocksDisagree { wall: say(wall), cpu: say(cpu) };
            found.push(WarningRecord {
                case: Some(case.id.clone()),
                label: Some(engine.label.clone()),
                ..warning.record()
            });
        }
    }
}

/// What the samples on the wall clock show of themselves.
fn of_samples(case: &Case, engine: &CaseEngine) -> Vec<(Warning, Option<String>)> {
    let findings = Findings::of(&samples(engine, Clock::Wall));
    let mut found = Vec::new();
    if let Some(drift) = findings.drift {
        found.push(Warning::Drift { percent: drift.percent });
    }
    if let Some(autocorrelation) = findings.autocorrelation {
        found.push(Warning::Autocorrelation { coefficient: autocorrelation.correlation });
    }
    if let Some(differ) = findings.executions_differ {
        found.push(Warning::ExecutionsDiffer { times: differ.times });
    }
    if let Some(outliers) = findings.outliers {
        found.push(Warning::Outliers { count: outliers.count, of: outliers.of });
    }
    if findings.two_humps.is_some() {
        found.push(Warning::TwoHumps);
    }
    let times = floor_times(case, engine, Clock::Wall);
    if let Some(times) = times.filter(|times| *times <= NEAR_FLOOR_TIMES) {
        found.push(Warning::NearFloor { times });
    }
    let wall = Some(Clock::Wall.name().to_string());
    found.into_iter().map(|warning| (warning, wall.clone())).collect()
}

fn of_errors(engine: &CaseEngine) -> Option<(Warning, Option<String>)> {
    let mut classes: BTreeMap<&str, u64> = BTreeMap::new();
    for (class, count) in engine.rounds.iter().flat_map(|round| &round.errors) {
        *classes.entry(class).or_default() += count;
    }
    let count = classes.values().sum();
    let each: Vec<_> = classes.iter().map(|(class, count)| format!("{class} {count}")).collect();
    (count > 0).then(|| (Warning::Errors { count, classes: each.join(", ") }, None))
}
