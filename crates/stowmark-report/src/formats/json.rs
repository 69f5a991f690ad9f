//! The format `json`: summaries and verdicts for programs, `schema: "stowmark.report/1"`.
//!
//! The rounds themselves, and all facts about engines and machine, are in the result file; this is
//! what a dashboard or a check in a build needs without doing statistics. Numbers carry their unit
//! in the name and are never scaled; what was not measured is absent. Beside each verdict stand two
//! tests that readers know from elsewhere; they take every round for independent and decide nothing.

use serde::Serialize;
use stowmark_results::stats::reference::{mann_whitney, welch};
use stowmark_results::stats::summary::Summary as Samples;
use stowmark_results::{
    Case, Failure, FsyncProbe, RunResult, Status, StorageFigures, VerdictRecord, Verification,
    WarningRecord,
};

use crate::figures::{CaseFigures, ClockFigures, EngineFigures};
use stowmark_results::samples::{Clock, samples_ns};

/// The whole report.
#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    status: &'a Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    started: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suite: Option<&'a str>,
    published: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fsync_probe: Option<&'a FsyncProbe>,
    cases: Vec<CaseReport<'a>>,
    failures: &'a [Failure],
    warnings: &'a [WarningRecord],
}

#[derive(Serialize)]
struct CaseReport<'a> {
    id: &'a str,
    op: &'a str,
    size_bytes: u64,
    clients: u64,
    ops_per_round: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload_compressibility: Option<f64>,
    engines: Vec<EngineReport<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    floor: Option<EngineReport<'a>>,
    verdicts: Vec<VerdictReport<'a>>,
}

#[derive(Serialize)]
struct EngineReport<'a> {
    label: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tier: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wall: Option<SummaryReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu: Option<SummaryReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wall_with_drain: Option<SummaryReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_byte: Option<SummaryReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_per_second: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operations_per_second: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    service_time_percentiles: Vec<PercentileReport>,
    errors: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_rss_client_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_pss_server_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verification: Option<&'a Verification>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    storage: &'a [StorageFigures],
}

#[derive(Serialize)]
struct SummaryReport {
    n: usize,
    min_ns: f64,
    max_ns: f64,
    median_ns: f64,
    mean_ns: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    standard_deviation_ns: Option<f64>,
    median_absolute_deviation_ns: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    floor_times: Option<f64>,
}

#[derive(Serialize)]
struct PercentileReport {
    percentile: f64,
    ns: u64,
}

#[derive(Serialize)]
struct VerdictReport<'a> {
    #[serde(flatten)]
    verdict: &'a VerdictRecord,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<ReferenceReport>,
}

#[derive(Serialize)]
struct ReferenceReport {
    #[serde(skip_serializing_if = "Option::is_none")]
    welch_p_value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mann_whitney_p_value: Option<f64>,
}

/// One JSON object, indented, with a line end.
pub(crate) fn render(result: &RunResult) -> Result<Vec<u8>, serde_json::Error> {
    let report = Report {
        schema: "stowmark.report/1",
        status: &result.status,
        started: result.started.as_deref(),
        suite: result.plan.suite.as_deref(),
        published: result.plan.published,
        seed: result.seed.as_deref(),
        baseline: result.plan.baseline.as_deref(),
        confidence: result.plan.confidence,
        fsync_probe: result.machine.storage.as_ref().and_then(|s| s.fsync_probe.as_ref()),
        cases: CaseFigures::of_all(result).iter().map(case).collect(),
        failures: &result.failures,
        warnings: &result.warnings,
    };
    let mut bytes = serde_json::to_vec_pretty(&report)?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn case<'a>(figures: &CaseFigures<'a>) -> CaseReport<'a> {
    let case = figures.case;
    let verdict = |verdict| VerdictReport { verdict, reference: reference(case, verdict) };
    CaseReport {
        id: &case.id,
        op: &case.op,
        size_bytes: case.size_bytes,
        clients: case.clients,
        ops_per_round: case.ops_per_round,
        payload_compressibility: case.payload_compressibility,
        engines: figures.engines.iter().map(engine).collect(),
        floor: figures.floor.as_ref().map(engine),
        verdicts: case.verdicts.iter().map(verdict).collect(),
    }
}

fn engine<'a>(figures: &EngineFigures<'a>) -> EngineReport<'a> {
    let measured = figures.measured;
    let percentile = |&(percentile, ns)| PercentileReport { percentile, ns };
    EngineReport {
        label: &measured.label,
        tier: figures.tier,
        wall: figures.wall.as_ref().map(on_clock),
        cpu: figures.cpu.as_ref().map(on_clock),
        wall_with_drain: figures.with_drain.as_ref().map(summary),
        first_byte: figures.first_byte.as_ref().map(summary),
        bytes_per_second: figures.bytes_per_second,
        operations_per_second: figures.operations_per_second,
        service_time_percentiles: figures.percentiles.iter().map(percentile).collect(),
        errors: measured.rounds.iter().flat_map(|round| round.errors.values()).sum(),
        peak_rss_client_bytes: measured.peak_rss_client_bytes,
        peak_pss_server_bytes: measured.peak_pss_server_bytes,
        verification: measured.verification.as_ref(),
        storage: &measured.storage,
    }
}

fn on_clock(figures: &ClockFigures) -> SummaryReport {
    SummaryReport { floor_times: figures.floor_times, ..summary(&figures.summary) }
}

fn summary(samples: &Samples) -> SummaryReport {
    SummaryReport {
        n: samples.n,
        min_ns: samples.min,
        max_ns: samples.max,
        median_ns: samples.median,
        mean_ns: samples.mean,
        standard_deviation_ns: samples.standard_deviation,
        median_absolute_deviation_ns: samples.median_absolute_deviation,
        floor_times: None,
    }
}

/// The known tests on the verdict's samples. The client's CPU alone has no samples of its own here.
fn reference(case: &Case, verdict: &VerdictRecord) -> Option<ReferenceReport> {
    let clock = match verdict.clock.as_str() {
        "wall" => Clock::Wall,
        "cpu" => Clock::Cpu,
        _ => return None,
    };
    let samples = |label: &str| {
        let engine = case.engines.iter().find(|engine| engine.label == label)?;
        Some(samples_ns(engine, clock))
    };
    let (engine, baseline) = (samples(&verdict.engine)?, samples(&verdict.baseline)?);
    Some(ReferenceReport {
        welch_p_value: welch(&engine, &baseline).map(|test| test.p),
        mann_whitney_p_value: mann_whitney(&engine, &baseline).map(|test| test.p),
    })
}
