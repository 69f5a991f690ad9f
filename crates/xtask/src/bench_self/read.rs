//! Reading what the measured programs write. All that `bench-self` assumes of a result file and of the
//! examples' output stands here; keys that are not needed are skipped, as every reader of a result
//! file does.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::statistics::median;
use crate::failure::Failure;

/// A run, with the command that made it for messages.
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
pub(super) struct Case {
    #[serde(default)]
    pub(super) id: String,
    #[serde(default)]
    pub(super) op: String,
    #[serde(default)]
    pub(super) engines: Vec<EngineOfCase>,
    #[serde(default)]
    pub(super) verdicts: Vec<Verdict>,
}

#[derive(Deserialize, Debug)]
pub(super) struct EngineOfCase {
    #[serde(default)]
    pub(super) label: String,
    #[serde(default)]
    pub(super) rounds: Vec<Round>,
    peak_rss_client_bytes: Option<u64>,
}

#[derive(Deserialize, Debug, Default, Clone)]
pub(super) struct Round {
    #[serde(default)]
    pub(super) execution: u64,
    #[serde(default)]
    pub(super) index: u64,
    /// Operations of all clients together.
    ops: u64,
    /// From the round's start to its end.
    wall_ns: u64,
    /// The operations' times added up.
    op_wall_ns: Option<f64>,
    cpu_client_ns: Option<u64>,
    cpu_server_ns: Option<u64>,
    /// Time in which some task waited for a processor.
    pressure_ns: Option<u64>,
}

/// What the harness says of an engine against the baseline on one clock.
#[derive(Deserialize, Debug, Clone)]
pub(super) struct Verdict {
    pub(super) engine: String,
    pub(super) baseline: String,
    pub(super) clock: String,
    pub(super) outcome: String,
    pub(super) ratio: Option<f64>,
    pub(super) p_value: Option<f64>,
    pub(super) smallest_detectable_percent: Option<f64>,
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
    /// The cases, in the order in which they ran.
    pub(super) fn cases(&self) -> &[Case] {
        &self.result.cases
    }

    /// The median over all rounds of the listed engines of the time of an operation: a round's time by
    /// its operations, so that it shrinks as clients work side by side.
    pub(super) fn ns_per_op(&self) -> Result<f64, Failure> {
        let times: Vec<_> = self.rounds().filter_map(Round::ns_per_op).collect();
        median(&times).ok_or_else(|| self.lacks("rounds with operations"))
    }

    /// The largest peak memory of a listed engine's worker over the cases, in bytes.
    pub(super) fn peak_rss_bytes(&self) -> Result<f64, Failure> {
        let peak = self.engines().filter_map(|engine| engine.peak_rss_client_bytes).max();
        #[expect(clippy::cast_precision_loss, reason = "memory is far smaller than 2^53 bytes")]
        peak.map(|bytes| bytes as f64).ok_or_else(|| self.lacks("peak_rss_client_bytes"))
    }

    /// The name of the wall clock that timed it.
    pub(super) fn clock(&self) -> Option<String> {
        self.result.clock.wall.clone()
    }

    /// The share of the rounds' time in which some task waited for a processor.
    pub(super) fn waiting(&self) -> Option<f64> {
        let mut waited_ns = 0;
        let mut all_ns = 0;
        for round in self.rounds() {
            waited_ns += round.pressure_ns?;
            all_ns += round.wall_ns;
        }
        #[expect(clippy::cast_precision_loss, reason = "a run is far shorter than 2^53 ns")]
        (all_ns > 0).then(|| waited_ns as f64 / all_ns as f64)
    }

    fn engines(&self) -> impl Iterator<Item = &EngineOfCase> {
        self.result.cases.iter().flat_map(|case| &case.engines)
    }

    fn rounds(&self) -> impl Iterator<Item = &Round> {
        self.engines().flat_map(|engine| &engine.rounds)
    }

    fn lacks(&self, what: &str) -> Failure {
        let result = format!("the result file of `{}`", self.command);
        unreadable(&result, &format!("it has no {what}"))
    }
}

#[expect(clippy::cast_precision_loss, reason = "a round is far shorter than 2^53 ns")]
impl Round {
    /// The round's time by its operations.
    fn ns_per_op(&self) -> Option<f64> {
        (self.ops > 0).then(|| self.wall_ns as f64 / self.ops as f64)
    }

    /// What the harness compares on that clock, in nanoseconds an operation.
    pub(super) fn sample_ns(&self, clock: &str) -> Option<f64> {
        let total_ns = match clock {
            "wall" => self.op_wall_ns?,
            "cpu" => (self.cpu_client_ns? + self.cpu_server_ns.unwrap_or(0)) as f64,
            "cpu-client" => self.cpu_client_ns? as f64,
            _ => return None,
        };
        (self.ops > 0).then(|| total_ns / self.ops as f64)
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
                "cases": [{{"op": "put", "engines": {engines},
                            "floor": {{"label": "null (floor)", "peak_rss_client_bytes": 99,
                                       "rounds": [{{"ops": 1, "wall_ns": 1, "pressure_ns": 1}}]}}}}]}}"#
        );
        run_of(&text, "stowmark run").expect("a result")
    }

    #[test]
    fn time_an_operation_is_the_median_over_listed_rounds_of_time_by_operations() {
        let run = run(r#"[{"label": "null", "rounds": [
            {"ops": 10, "wall_ns": 400}, {"ops": 10, "wall_ns": 9000}, {"ops": 20, "wall_ns": 1000}]}]"#);
        assert_eq!(run.ns_per_op().ok(), Some(50.0));
        assert_eq!(run.clock().as_deref(), Some("tsc"));
        assert_eq!(run.waiting(), None, "the rounds do not say");
    }

    #[test]
    fn waiting_is_a_share_of_the_rounds_time() {
        let run = run(r#"[{"rounds": [{"ops": 1, "wall_ns": 300, "pressure_ns": 0},
                                      {"ops": 1, "wall_ns": 100, "pressure_ns": 100}]}]"#);
        assert_eq!(run.waiting(), Some(0.25));
    }

    #[test]
    fn what_was_not_measured_is_named_with_the_command() {
        let run = run(r#"[{"rounds": []}]"#);
        for failure in [run.ns_per_op().unwrap_err(), run.peak_rss_bytes().unwrap_err()] {
            assert!(failure.to_string().contains("`stowmark run`"), "{failure}");
        }
    }

    #[test]
    fn peak_memory_is_the_largest_over_cases_and_listed_engines() {
        let run = run(r#"[{"rounds": [], "peak_rss_client_bytes": 5},
            {"rounds": [], "peak_rss_client_bytes": 7}, {"rounds": []}]"#);
        assert_eq!(run.peak_rss_bytes().ok(), Some(7.0));
    }

    #[test]
    fn a_sample_is_the_operations_own_time_or_cpu_by_their_number() {
        let text = r#"{"ops": 4, "wall_ns": 90, "op_wall_ns": 80.0, "cpu_client_ns": 40}"#;
        let round: Round = serde_json::from_str(text).expect("a round");
        let samples = ["wall", "cpu", "cpu-client", "sun"].map(|clock| round.sample_ns(clock));
        assert_eq!(samples, [Some(20.0), Some(10.0), Some(10.0), None]);
        let served = Round { cpu_server_ns: Some(8), ..round };
        assert_eq!(served.sample_ns("cpu"), Some(12.0));
    }

    #[test]
    fn the_direct_loop_gives_the_median_of_its_rounds() {
        assert_eq!(redb_direct(r#"{"ns_per_op": [3, 1, 8.5]}"#).ok(), Some(3.0));
        assert!(redb_direct(r#"{"ns_per_op": []}"#).is_err());
        let failure = redb_direct("usage: direct").unwrap_err().to_string();
        assert!(failure.contains("the example direct"), "{failure}");
    }
}
