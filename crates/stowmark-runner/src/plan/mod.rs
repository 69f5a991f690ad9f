//! Flags, suite and manifests become a validated plan: all mistakes are found before anything
//! starts.

mod engines;
mod options;
mod spec;
mod tier;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use stowmark_host::{Catalog, EngineManifest, PluginFile};
use stowmark_workload::suite::Published;
use stowmark_workload::{
    KeyOrder, Model, Op, PayloadKind, Payloads, Suite, UnknownWord, Verify, Workload,
};

pub use engines::find;
pub use spec::{EngineSpec, SpecError};
pub use tier::Durability;

/// The engine that measures the harness itself.
pub const FLOOR_ENGINE: &str = "null";

/// The floor's label in a run; users cannot choose it.
pub const FLOOR_LABEL: &str = "(floor)";

/// In which order engines have their turns.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Each round in a balanced random order; who waits is stopped.
    #[default]
    Interleaved,
    /// All rounds of one engine, then of the next; nobody is stopped.
    Sequential,
}

impl Order {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Interleaved => "interleaved",
            Self::Sequential => "sequential",
        }
    }
}

impl std::str::FromStr for Order {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        match word {
            "interleaved" => Ok(Self::Interleaved),
            "sequential" => Ok(Self::Sequential),
            _ => Err(UnknownWord::new("order", word, &["interleaved", "sequential"])),
        }
    }
}

/// What the user asked for; `None` leaves it to the suite or the default.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The engines, the baseline first unless `baseline` names another.
    pub engines: Vec<EngineSpec>,
    /// Whether to do it as published.
    pub published: bool,
    /// The operations.
    pub ops: Option<Vec<Op>>,
    /// The sizes in bytes.
    pub sizes: Option<Vec<u64>>,
    /// The payload.
    pub data: Option<PayloadKind>,
    /// The key order.
    pub key_order: Option<KeyOrder>,
    /// Executions.
    pub executions: Option<u32>,
    /// Rounds.
    pub rounds: Option<u32>,
    /// Operations a round.
    pub ops_per_round: Option<u64>,
    /// Sessions at once.
    pub clients: Option<u32>,
    /// What is read back.
    pub verify: Option<Verify>,
    /// The tier.
    pub durability: Durability,
    /// The order of turns.
    pub order: Order,
    /// The label to compare with.
    pub baseline: Option<String>,
    /// The family-wise confidence, such as 0.99.
    pub confidence: Option<f64>,
    /// The seed; none: one from the clock.
    pub seed: Option<u64>,
    /// After which a silent worker is ended.
    pub timeout: Option<Duration>,
}

/// One engine of a plan.
#[derive(Clone, Debug)]
pub struct PlannedEngine {
    /// Its label, unique.
    pub label: String,
    /// The plugin.
    pub plugin: PluginFile,
    /// What its manifest says.
    pub manifest: EngineManifest,
    /// Its options in plain form: bytes, nanoseconds.
    pub options: BTreeMap<String, String>,
    /// Its tier's name.
    pub tier: String,
    /// Whether it is the floor.
    pub is_floor: bool,
}

/// One case of a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedCase {
    /// Unique: operation and size.
    pub id: String,
    /// The operation.
    pub op: Op,
    /// The size in bytes.
    pub size: u64,
}

/// A validated plan.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The suite.
    pub suite: Suite,
    /// The suite's file where it is the user's.
    pub suite_file: Option<PathBuf>,
    /// The published benchmark, with its figures, where the suite follows one.
    pub published: Option<Published>,
    /// Whether it is done as published.
    pub as_published: bool,
    /// The workload: the suite's with the user's words over it.
    pub workload: Workload,
    /// The engines, the floor last.
    pub engines: Vec<PlannedEngine>,
    /// The cases, in order.
    pub cases: Vec<PlannedCase>,
    /// The label that others are compared with.
    pub baseline: String,
    /// What was asked about tiers.
    pub durability: Durability,
    /// The order of turns.
    pub order: Order,
    /// The family-wise confidence.
    pub confidence: f64,
    /// The seed.
    pub seed: u64,
    /// After which a silent worker is ended.
    pub timeout: Duration,
}

/// A mistake in what was asked. The text says what is valid.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The words, the suite or the manifests show it to be wrong.
    #[error("{0}")]
    Usage(String),
    /// A plugin is unusable that was named by file or is the only one with that engine.
    #[error("{0}")]
    Plugin(String),
}

fn usage(message: impl Into<String>) -> PlanError {
    PlanError::Usage(message.into())
}

/// The most executions of a run.
const MOST_EXECUTIONS: u32 = 10_000;
/// The most rounds of an execution: each is kept in the result, which is written after each case.
const MOST_ROUNDS: u32 = 100_000;

/// The default of [`Request::timeout`].
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(120);

impl Plan {
    /// The plan for a suite on the engines of a catalog.
    ///
    /// # Errors
    ///
    /// The first mistake found.
    pub fn new(
        suite: Suite,
        suite_file: Option<PathBuf>,
        request: Request,
        catalog: &Catalog,
    ) -> Result<Self, PlanError> {
        let workload = workload(&suite, &request)?;
        check_workload(&workload, request.confidence)?;
        if matches!(workload.data, PayloadKind::File(_)) {
            // Each worker reads it anew; that it can be read at all is found here.
            Payloads::new(&workload.data, 0).map_err(|error| usage(error.to_string()))?;
        }
        let engines = engines::resolve(&suite, &request, catalog)?;
        if suite_file.is_some() {
            engines::check_suite_options(&suite, &engines, catalog)?;
        }
        let baseline = engines::baseline(&engines, request.baseline.as_deref())?;
        let mut cases = Vec::new();
        for size in &workload.size {
            for op in &workload.op {
                let id = format!("{op}-{}", stowmark_workload::format_size(*size));
                cases.push(PlannedCase { id, op: *op, size: *size });
            }
        }
        Ok(Self {
            published: suite.published.clone(),
            as_published: request.published,
            suite,
            suite_file,
            workload,
            engines,
            cases,
            baseline,
            durability: request.durability,
            order: request.order,
            confidence: request.confidence.unwrap_or(0.99),
            seed: request.seed.unwrap_or_else(seed_from_clock),
            timeout: request.timeout.unwrap_or(DEFAULT_TIMEOUT),
        })
    }

    /// The engines that the user named, without the floor.
    pub fn listed(&self) -> impl Iterator<Item = &PlannedEngine> {
        self.engines.iter().filter(|engine| !engine.is_floor)
    }
}

/// A seed for who gave none; the result file tells it, so that the run can be done again.
fn seed_from_clock() -> u64 {
    let ns = crate::platform::monotonic_ns();
    stowmark_workload::derive_seed(ns, &[u64::from(std::process::id())])
}

fn workload(suite: &Suite, request: &Request) -> Result<Workload, PlanError> {
    let mut workload = match (&suite.published, request.published) {
        (Some(published), true) => published.workload.clone(),
        (None, true) => {
            return Err(usage(format!(
                "suite {} follows no published benchmark: leave out --published",
                suite.name
            )));
        }
        (_, false) => suite.workload.clone(),
    };
    if let Some(ops) = &request.ops {
        workload.op.clone_from(ops);
    }
    if let Some(sizes) = &request.sizes {
        workload.size.clone_from(sizes);
    }
    if let Some(data) = &request.data {
        workload.data = data.clone();
    }
    workload.key_order = request.key_order.unwrap_or(workload.key_order);
    workload.executions = request.executions.unwrap_or(workload.executions);
    workload.rounds = request.rounds.unwrap_or(workload.rounds);
    workload.ops = request.ops_per_round.or(workload.ops);
    workload.clients = request.clients.unwrap_or(workload.clients);
    workload.verify = request.verify.unwrap_or(workload.verify);
    if suite.model != Model::Blobs {
        return Err(usage(format!(
            "suite {} works on {}, which this version of the harness cannot measure yet",
            suite.name, suite.model
        )));
    }
    Ok(workload)
}

fn check_workload(workload: &Workload, confidence: Option<f64>) -> Result<(), PlanError> {
    let positive = [
        ("--executions", u64::from(workload.executions)),
        ("--rounds", workload.rounds.into()),
        ("--clients", workload.clients.into()),
        ("--ops", workload.ops.unwrap_or(1)),
    ];
    for (flag, value) in positive {
        if value == 0 {
            return Err(usage(format!("{flag} must be at least 1")));
        }
    }
    let bounded = [
        ("--executions", workload.executions, MOST_EXECUTIONS),
        ("--rounds", workload.rounds, MOST_ROUNDS),
    ];
    for (flag, value, most) in bounded {
        if value > most {
            return Err(usage(format!("{flag} {value}: at most {most}")));
        }
    }
    if workload.clients > 1024 {
        return Err(usage(format!("--clients {}: at most 1024", workload.clients)));
    }
    if let Some(ops) = workload.ops
        && ops < workload.clients.into()
    {
        return Err(usage(format!(
            "--ops {ops} leaves some of {} clients idle: give at least one operation for each",
            workload.clients
        )));
    }
    if confidence.is_some_and(|confidence| !(confidence > 0.5 && confidence < 1.0)) {
        return Err(usage("--confidence takes a number between 0.5 and 1, such as 0.99"));
    }
    if workload.op.is_empty() || workload.size.is_empty() {
        return Err(usage(
            "no case: name at least one operation with --op and one size with --size",
        ));
    }
    for (at, size) in workload.size.iter().enumerate() {
        if *size == 0 {
            return Err(usage("--size 0: a blob has at least one byte"));
        }
        if workload.size[..at].contains(size) {
            let size = stowmark_workload::format_size(*size);
            return Err(usage(format!("--size names {size} twice")));
        }
    }
    for (at, op) in workload.op.iter().enumerate() {
        if workload.op[..at].contains(op) {
            return Err(usage(format!("--op names {op} twice")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
