//! The format `csv`: one row for each round of each engine, tidy, for whatever draws or counts.
//!
//! Units are in the columns' names and nothing is scaled. What was not measured is an empty cell,
//! never zero. The floor's rounds are there too, told by the column `is_floor`.

use stowmark_results::{Case, CaseEngine, Round, RunResult};

use stowmark_results::samples::{Clock, rounds_in_order, sample_ns};

const COLUMNS: [&str; 28] = [
    "case",
    "op",
    "size_bytes",
    "clients",
    "label",
    "engine",
    "tier",
    "is_floor",
    "execution",
    "round",
    "position",
    "predecessor",
    "start_ns",
    "ops",
    "bytes",
    "wall_ns",
    "op_wall_ns",
    "first_byte_ns",
    "cpu_client_ns",
    "cpu_client_user_ns",
    "cpu_client_system_ns",
    "cpu_server_ns",
    "drain_wall_ns",
    "steal_ns",
    "pressure_ns",
    "errors",
    "sample_wall_ns",
    "sample_cpu_ns",
];

/// A header, then a row for each round.
pub(crate) fn render(result: &RunResult) -> Result<Vec<u8>, csv::Error> {
    let mut rows = csv::Writer::from_writer(Vec::new());
    rows.write_record(COLUMNS)?;
    for case in &result.cases {
        let floor = case.floor.iter().map(|floor| (floor, true));
        for (engine, is_floor) in case.engines.iter().map(|engine| (engine, false)).chain(floor) {
            for round in rounds_in_order(engine) {
                rows.write_record(row(result, case, engine, is_floor, round))?;
            }
        }
    }
    rows.into_inner().map_err(|error| csv::Error::from(error.into_error()))
}

/// The cells in the order of [`COLUMNS`].
fn row(
    result: &RunResult,
    case: &Case,
    engine: &CaseEngine,
    is_floor: bool,
    round: &Round,
) -> [String; COLUMNS.len()] {
    let facts = result.engines.iter().find(|facts| facts.label == engine.label);
    [
        case.id.clone(),
        case.op.clone(),
        case.size_bytes.to_string(),
        case.clients.to_string(),
        engine.label.clone(),
        facts.map(|facts| facts.engine.clone()).unwrap_or_default(),
        cell(facts.and_then(|facts| facts.tier.as_ref())),
        is_floor.to_string(),
        round.execution.to_string(),
        round.index.to_string(),
        round.position.to_string(),
        cell(round.predecessor.as_ref()),
        round.start_ns.to_string(),
        round.ops.to_string(),
        round.bytes.to_string(),
        round.wall_ns.to_string(),
        cell(round.op_wall_ns),
        cell(round.first_byte_ns),
        cell(round.cpu_client_ns),
        cell(round.cpu_client_user_ns),
        cell(round.cpu_client_system_ns),
        cell(round.cpu_server_ns),
        cell(round.drain_wall_ns),
        cell(round.steal_ns),
        cell(round.pressure_ns),
        round.errors.values().sum::<u64>().to_string(),
        cell(sample_ns(round, Clock::Wall)),
        cell(sample_ns(round, Clock::Cpu)),
    ]
}

/// Empty where there is nothing.
fn cell(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}
