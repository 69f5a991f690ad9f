//! Reading what the measured programs write. All that `bench-self` assumes of a result file and of the
//! examples' output stands here; keys that are not needed are skipped, as every reader of a result
//! file does.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::figures::median;
use crate::failure::Failure;

/// A run of one engine, with the command that made it for messages.
#[derive(Debug)]
pub(super) struct Run {
    command: String,
    result: ResultFile,
}

/// The part of a `stowmark.result/1` document that is used.
#[derive(Deserialize, Debug)]
struct ResultFile {
    #[serde(default)]
    clock: Clocks,
    cases: Vec<Case>,
}

#[derive(Deserialize, Debug, Default)]
struct Clocks {
    wall: Option<String>,
}

/// One operation at one size. `null`, which takes part in every case, has a place of its own.
#[derive(Deserialize, Debug)]
struct Case {
    #[serde(default)]
    engines: Vec<EngineOfCase>,
    floor: Option<EngineOfCase>,
}

#[derive(Deserialize, Debug)]
struct EngineOfCase {
    #[serde(default)]
    rounds: Vec<Round>,
    peak_rss_client_bytes: Option<u64>,
}

#[derive(Deserialize, Debug)]
struct Round {
    /// Operations of all clients together.
    ops: u64,
    /// From the round's start to its end.
    wall_ns: u64,
}

/// Gigabytes (10^9 bytes) a second by kind of payload.
#[derive(Deserialize, Debug)]
pub(super) struct PayloadSpeed {
    pub(super) random: f64,
    pub(super) ratio: f64,
    pub(super) text: f64,
}

/// Reads a result file's text.
pub(super) fn run_of(text: &str, command: &str) -> Result<Run, Failure> {
    let result = parse(text, &format!("the result file of `{command}`"))?;
    Ok(Run { command: command.to_owned(), result })
}

/// Reads what the example `payload_speed` prints.
pub(super) fn payload_speed(text: &str) -> Result<PayloadSpeed, Failure> {
    parse(text, "what the example payload_speed printed")
}

/// Reads what the example `direct` prints: the median over its rounds, in nanoseconds an operation.
pub(super) fn redb_direct(text: &str) -> Result<f64, Failure> {
    #[derive(Deserialize)]
    struct Direct {
        ns_per_op: Vec<f64>,
    }
    let what = "what the example direct of stowmark-redb printed";
    let direct: Direct = parse(text, what)?;
    median(&direct.ns_per_op).ok_or_else(|| unreadable(what, "it has no rounds"))
}

impl Run {
    /// The median over all rounds of the time of an operation: a round's time by its operations, so
    /// that it shrinks as clients work side by side.
    pub(super) fn ns_per_op(&self) -> Result<f64, Failure> {
        let rounds = self.engines().flat_map(|engine| &engine.rounds).filter(|round| round.ops > 0);
        #[expect(clippy::cast_precision_loss, reason = "a round is far shorter than 2^53 ns")]
        let times: Vec<_> = rounds.map(|round| round.wall_ns as f64 / round.ops as f64).collect();
        median(&times).ok_or_else(|| self.lacks("rounds with operations"))
    }

    /// The largest peak memory of the engine's worker over the cases, in bytes.
    pub(super) fn peak_rss_bytes(&self) -> Result<f64, Failure> {
        let peak = self.engines().filter_map(|engine| engine.peak_rss_client_bytes).max();
        #[expect(clippy::cast_precision_loss, reason = "memory is far smaller than 2^53 bytes")]
        peak.map(|bytes| bytes as f64).ok_or_else(|| self.lacks("peak_rss_client_bytes"))
    }

    /// The name of the wall clock that timed it.
    pub(super) fn clock(&self) -> Option<String> {
        self.result.clock.wall.clone()
    }

    /// The engine that the run was of: the one listed, or the floor where none is.
    fn engines(&self) -> impl Iterator<Item = &EngineOfCase> {
        self.result.cases.iter().flat_map(|case| {
            let floor = case.floor.as_ref().filter(|_| case.engines.is_empty());
            case.engines.iter().chain(floor)
        })
    }

    fn lacks(&self, what: &str) -> Failure {
        let result = format!("the result file of `{}`", self.command);
        unreadable(&result, &format!("it has no {what}"))
    }
}

fn parse<T: DeserializeOwned>(text: &str, what: &str) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|error| unreadable(what, &error.to_string()))
}

fn unreadable(what: &str, why: &str) -> Failure {
    Failure::Unreadable { what: what.to_owned(), why: why.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(engines: &str) -> Run {
        let text = format!(
            r#"{{"schema": "stowmark.result/1", "clock": {{"wall": "tsc", "wall_read_ns": 11.5}},
                "cases": [{{"op": "put", "engines": {engines}}}]}}"#
        );
        run_of(&text, "stowmark run").expect("a result")
    }

    #[test]
    fn time_an_operation_is_the_median_over_rounds_of_time_by_operations() {
        let run = run(r#"[{"label": "null", "rounds": [
            {"ops": 10, "wall_ns": 400}, {"ops": 10, "wall_ns": 9000}, {"ops": 20, "wall_ns": 1000}]}]"#);
        assert_eq!(run.ns_per_op().ok(), Some(50.0));
        assert_eq!(run.clock().as_deref(), Some("tsc"));
    }

    #[test]
    fn the_floor_counts_only_where_no_engine_is_listed() {
        let floor = r#""floor": {"label": "null", "rounds": [{"ops": 1, "wall_ns": 40}]}"#;
        let alone = run_of(&format!(r#"{{"cases": [{{{floor}}}]}}"#), "a").expect("a result");
        assert_eq!(alone.ns_per_op().ok(), Some(40.0));
        let engines = r#"[{"label": "redb", "rounds": [{"ops": 1, "wall_ns": 900}]}]"#;
        let text = format!(r#"{{"cases": [{{{floor}, "engines": {engines}}}]}}"#);
        assert_eq!(run_of(&text, "a").expect("a result").ns_per_op().ok(), Some(900.0));
    }

    #[test]
    fn what_was_not_measured_is_named_with_the_command() {
        let run = run(r#"[{"rounds": []}]"#);
        for failure in [run.ns_per_op().unwrap_err(), run.peak_rss_bytes().unwrap_err()] {
            assert!(failure.to_string().contains("`stowmark run`"), "{failure}");
        }
    }

    #[test]
    fn peak_memory_is_the_largest_over_cases_and_engines() {
        let run = run(r#"[{"rounds": [], "peak_rss_client_bytes": 5},
            {"rounds": [], "peak_rss_client_bytes": 7}, {"rounds": []}]"#);
        assert_eq!(run.peak_rss_bytes().ok(), Some(7.0));
    }

    #[test]
    fn the_direct_loop_gives_the_median_of_its_rounds() {
        assert_eq!(redb_direct(r#"{"ns_per_op": [3, 1, 8.5]}"#).ok(), Some(3.0));
        assert!(redb_direct(r#"{"ns_per_op": []}"#).is_err());
        let failure = redb_direct("usage: direct").unwrap_err().to_string();
        assert!(failure.contains("the example direct"), "{failure}");
    }
}
