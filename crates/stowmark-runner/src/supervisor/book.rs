//! The result in the making: takes what workers report and writes the file.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;
use sha2::{Digest, Sha256};
use stowmark_results::{
    Case, CaseEngine, EngineFacts, Failure, PublishedDifference, PublishedFigure, Round, RunResult,
    SCHEMA, StorageFigures, Verification, Versions, analysis, file, histogram,
};
use stowmark_workload::{Payloads, compressibility, format_size};

use super::Settings;
use super::crew::Cause;
use crate::plan::{Plan, PlannedEngine};
use crate::protocol::{Opened, Stored, Worked};

/// A result, and what it needs until it is whole.
pub(crate) struct Book {
    pub(crate) result: RunResult,
    out: std::path::PathBuf,
    /// Merged histograms by case and engine: operations, first bytes.
    histograms: BTreeMap<(usize, usize), (Histogram<u64>, Histogram<u64>)>,
    start_ns: u64,
}

/// The moment now, RFC 3339 in UTC, to the second.
pub(crate) fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

impl Book {
    /// A result that knows its plan and nothing yet.
    pub(crate) fn open(plan: &Plan, settings: &Settings) -> Self {
        let abi = stowmark_host::AbiVersion::OURS;
        let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
        let result = RunResult {
            schema: SCHEMA.into(),
            started: Some(now()),
            command_line: settings.command_line.clone(),
            seed: Some(plan.seed.to_string()),
            plan: plan_facts(plan),
            versions: Versions {
                harness: Some(settings.harness_version.clone()),
                abi: Some(format!("{}.{}", abi.major, abi.minor)),
                profile: Some(profile.into()),
                ..Versions::default()
            },
            engines: plan.engines.iter().map(engine_facts).collect(),
            cases: cases(plan),
            ..RunResult::default()
        };
        Self {
            result,
            out: settings.out.clone(),
            histograms: BTreeMap::new(),
            start_ns: crate::platform::monotonic_ns(),
        }
    }

    /// Writes the file with all that is known.
    pub(crate) fn write(&mut self) -> Result<(), file::FileError> {
        for ((case, engine), (times, first_bytes)) in &self.histograms {
            let text = (!times.is_empty()).then(|| histogram::encode(times));
            let first = (!first_bytes.is_empty()).then(|| histogram::encode(first_bytes));
            if let Some(figures) = figures(&mut self.result, *case, *engine) {
                figures.histogram = text;
                figures.first_byte_histogram = first;
            }
        }
        analysis::analyse(&mut self.result);
        file::write(&self.out, &self.result)
    }

    pub(crate) fn figures(&mut self, case: usize, engine: usize) -> Option<&mut CaseEngine> {
        figures(&mut self.result, case, engine)
    }

    /// A store was opened.
    pub(crate) fn opened(&mut self, engine: usize, opened: &Opened) {
        let facts = &mut self.result.engines[engine];
        facts.settings.clone_from(&opened.settings);
        facts.settings_error.clone_from(&opened.settings_error);
        facts.server_pid = opened.server_pid;
        let clock = &mut self.result.clock;
        clock.wall = Some(opened.clock.clone());
        clock.wall_read_ns = Some(opened.clock_read_ns);
        clock.wall_step_ns = Some(opened.clock_step_ns);
        clock.cpu = Some("CLOCK_PROCESS_CPUTIME_ID".into());
        clock.cpu_resolution_ns = Some(opened.cpu_resolution_ns as f64);
    }

    /// The number of operations of a case was found.
    pub(crate) fn ops_found(&mut self, case: usize, ops: u64, found_by: &str) {
        self.result.cases[case].ops_per_round = ops;
        self.result.cases[case].ops_found_by = Some(found_by.into());
    }

    /// A round was measured. `round` knows its place; the figures come from the worker.
    pub(crate) fn round(&mut self, case: usize, engine: usize, round: Round, worked: &Worked) {
        let (times, first_bytes) = self
            .histograms
            .entry((case, engine))
            .or_insert_with(|| (histogram::empty(), histogram::empty()));
        for (into, text) in
            [(times, Some(&worked.histogram)), (first_bytes, worked.first_byte_histogram.as_ref())]
        {
            if let Some(more) = text.and_then(|text| histogram::decode(text)) {
                // All have the same bounds, so adding cannot fail.
                let _ = into.add(more);
            }
        }
        let start_ns = worked.start_ns.saturating_sub(self.start_ns);
        let round = Round {
            start_ns,
            ops: worked.ops,
            bytes: worked.bytes,
            wall_ns: worked.wall_ns,
            op_wall_ns: (worked.ops > 0).then_some(worked.op_wall_ns),
            first_byte_ns: worked.first_byte_ns,
            cpu_client_ns: Some(worked.cpu_client_ns),
            cpu_client_user_ns: worked.cpu_split_ns.map(|(user, _)| user),
            cpu_client_system_ns: worked.cpu_split_ns.map(|(_, system)| system),
            drain_wall_ns: worked.drain_wall_ns,
            steal_ns: worked.steal_ns,
            pressure_ns: worked.pressure_ns,
            errors: worked.errors.clone(),
            ..round
        };
        if let Some(figures) = self.figures(case, engine) {
            figures.rounds.push(round);
        }
    }

    /// What is stored at the end of a case.
    pub(crate) fn stored(&mut self, case: usize, engine: usize, execution: u64, stored: Stored) {
        let Some(figures) = self.figures(case, engine) else { return };
        figures.peak_rss_client_bytes = figures.peak_rss_client_bytes.max(stored.peak_rss_bytes);
        figures.storage.push(StorageFigures {
            execution,
            files_bytes: stored.files_bytes,
            engine: stored.engine,
            ..StorageFigures::default()
        });
    }

    /// What reading back showed; adds up over executions, the first difference stays.
    pub(crate) fn verified(&mut self, case: usize, engine: usize, outcome: Verification) {
        let Some(figures) = self.figures(case, engine) else { return };
        let total = figures.verification.get_or_insert_with(Verification::default);
        total.blobs += outcome.blobs;
        total.bytes += outcome.bytes;
        if total.outcome != "mismatch" {
            total.outcome = outcome.outcome;
            total.message = outcome.message;
        }
    }

    /// An engine failed.
    pub(crate) fn failed(
        &mut self,
        label: &str,
        execution: u64,
        case: Option<&str>,
        phase: &str,
        cause: Cause,
    ) {
        self.result.failures.push(Failure {
            label: label.into(),
            execution: Some(execution),
            case: case.map(Into::into),
            phase: phase.into(),
            cause: cause.cause,
            message: cause.message,
            log: cause.log,
            ..Failure::default()
        });
    }

    /// Whether an engine or any of its operations failed.
    pub(crate) fn anything_failed(&self) -> bool {
        let errors = self
            .result
            .cases
            .iter()
            .flat_map(|case| &case.engines)
            .flat_map(|figures| &figures.rounds)
            .any(|round| !round.errors.is_empty());
        errors || !self.result.failures.is_empty()
    }
}

/// The figures of an engine in a case; the floor has a place of its own.
fn figures(result: &mut RunResult, case: usize, engine: usize) -> Option<&mut CaseEngine> {
    let is_floor = result.engines.get(engine)?.is_floor;
    let case = result.cases.get_mut(case)?;
    if is_floor { case.floor.as_mut() } else { case.engines.get_mut(engine) }
}

fn cases(plan: &Plan) -> Vec<Case> {
    let figures = |engine: &PlannedEngine| CaseEngine {
        label: engine.label.clone(),
        ..CaseEngine::default()
    };
    let payloads = Payloads::new(&plan.workload.data, plan.seed).ok();
    plan.cases
        .iter()
        .map(|case| Case {
            id: case.id.clone(),
            op: case.op.to_string(),
            size_bytes: case.size,
            size_label: format_size(case.size),
            clients: plan.workload.clients.into(),
            ops_per_round: plan.workload.ops.unwrap_or_default(),
            ops_found_by: plan.workload.ops.map(|_| "given".into()),
            payload_compressibility: payloads.as_ref().map(|p| compressibility(p, case.size)),
            engines: plan.listed().map(figures).collect(),
            floor: plan.engines.iter().find(|engine| engine.is_floor).map(figures),
            ..Case::default()
        })
        .collect()
}

fn engine_facts(engine: &PlannedEngine) -> EngineFacts {
    let manifest = &engine.plugin.manifest;
    let how = engine.manifest.tiers.iter().find(|tier| tier.tier == engine.tier);
    EngineFacts {
        label: engine.label.clone(),
        engine: engine.manifest.name.clone(),
        is_floor: engine.is_floor,
        plugin: Some(manifest.name.clone()),
        plugin_version: Some(manifest.version.clone()),
        plugin_path: Some(engine.plugin.path.display().to_string()),
        plugin_sha256: file_sha256(&engine.plugin.path),
        plugin_abi: Some(format!("{}.{}", manifest.abi.major, manifest.abi.minor)),
        plugin_profile: Some(manifest.profile.clone()),
        plugin_rustc: Some(manifest.rustc.clone()),
        library: engine.manifest.library.clone(),
        stores: engine.manifest.stores,
        tier: Some(engine.tier.clone()),
        tier_how: how.map(|tier| tier.how.clone()).filter(|how| !how.is_empty()),
        options: engine.options.clone(),
        ..EngineFacts::default()
    }
}

/// A file's SHA-256 in hexadecimal.
pub(crate) fn file_sha256(path: &std::path::Path) -> Option<String> {
    use std::fmt::Write as _;
    let bytes = std::fs::read(path).ok()?;
    let text = Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    });
    Some(text)
}

fn plan_facts(plan: &Plan) -> stowmark_results::Plan {
    let workload = &plan.workload;
    let published = plan.published.as_ref();
    stowmark_results::Plan {
        suite: Some(plan.suite.name.clone()),
        suite_file: plan.suite_file.as_ref().map(|path| path.display().to_string()),
        title: Some(plan.suite.title.clone()),
        follows: plan.suite.follows.clone(),
        published: plan.as_published,
        model: Some(plan.suite.model.to_string()),
        ops: workload.op.iter().map(ToString::to_string).collect(),
        sizes_bytes: workload.size.clone(),
        data: Some(workload.data.to_string()),
        key_order: Some(workload.key_order.to_string()),
        executions: Some(workload.executions.into()),
        rounds: Some(workload.rounds.into()),
        ops_per_round: workload.ops,
        clients: Some(workload.clients.into()),
        confidence: Some(plan.confidence),
        baseline: Some(plan.baseline.clone()),
        durability: Some(plan.durability.as_str().into()),
        order: Some(plan.order.as_str().into()),
        verify: Some(workload.verify.to_string()),
        timeout_ns: u64::try_from(plan.timeout.as_nanos()).ok(),
        published_note: published.and_then(|published| published.note.clone()),
        published_figures: published.map_or(Vec::new(), |published| {
            let figures = published.figures.iter();
            figures
                .map(|figure| PublishedFigure {
                    op: figure.op.to_string(),
                    size_bytes: figure.size,
                    clock: figure.clock.to_string(),
                    engine: figure.engine.clone(),
                    mean_s: figure.mean_s,
                    ..PublishedFigure::default()
                })
                .collect()
        }),
        published_differences: published.map_or(Vec::new(), |published| {
            let differences = published.differences.iter();
            differences
                .map(|difference| PublishedDifference {
                    op: difference.op.to_string(),
                    size_bytes: difference.size,
                    clock: difference.clock.to_string(),
                    engine: difference.engine.clone(),
                    baseline: difference.baseline.clone(),
                    percent: difference.percent,
                    plus_minus_percent: Some(difference.plus_minus_percent),
                    confidence_percent: Some(difference.confidence_percent),
                    ..PublishedDifference::default()
                })
                .collect()
        }),
        ..stowmark_results::Plan::default()
    }
}
