//! Counting verdicts, and how much samples of the same thing differ.

use std::collections::BTreeMap;

use super::super::read::{Case, EngineOfCase, Run, Verdict};
use super::super::statistics::{mean, median, variance};

/// The error rate at which unadjusted p-values are counted.
pub(super) const ALPHA: f64 = 0.01;

/// A verdict with its place, and the spread of what it was made of.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    pub(super) tier: &'static str,
    pub(super) seed: u64,
    pub(super) case: String,
    pub(super) op: String,
    pub(super) verdict: Verdict,
    /// Standard deviation of an engine's samples within an execution, in percent, for both engines.
    round_spread_percent: Vec<f64>,
    /// Standard deviation of the executions' effects, in percent.
    execution_spread_percent: Option<f64>,
}

impl Judged {
    pub(super) fn flagged(&self) -> bool {
        ["faster", "slower"].contains(&self.verdict.outcome.as_str())
    }
}

/// All verdicts of a run.
pub(super) fn judged(run: &Run, tier: &'static str, seed: u64) -> Vec<Judged> {
    let of_case = |case: &Case| {
        let judge = |verdict: &Verdict| {
            let of = |label: &str| case.engines.iter().find(|engine| engine.label == label);
            let engines: Vec<_> =
                [&verdict.engine, &verdict.baseline].into_iter().filter_map(|l| of(l)).collect();
            let clock = verdict.clock.as_str();
            Judged {
                tier,
                seed,
                case: case.id.clone(),
                op: case.op.clone(),
                round_spread_percent: engines.iter().filter_map(|e| spread(e, clock)).collect(),
                execution_spread_percent: match engines.as_slice() {
                    [engine, baseline] => effects_spread(engine, baseline, clock),
                    _ => None,
                },
                verdict: verdict.clone(),
            }
        };
        case.verdicts.iter().map(judge).collect::<Vec<_>>()
    };
    run.cases().iter().flat_map(of_case).collect()
}

/// The samples' logarithms by execution and round.
fn logarithms(engine: &EngineOfCase, clock: &str) -> BTreeMap<(u64, u64), f64> {
    let rounds = engine.rounds.iter();
    let samples = rounds.filter_map(|round| {
        let sample = round.sample_ns(clock).filter(|ns| *ns > 0.0)?;
        Some(((round.execution, round.index), sample.ln()))
    });
    samples.collect()
}

fn by_execution(values: impl IntoIterator<Item = ((u64, u64), f64)>) -> Vec<Vec<f64>> {
    let mut executions: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for ((execution, _), value) in values {
        executions.entry(execution).or_default().push(value);
    }
    executions.into_values().collect()
}

/// How much rounds of one execution differ: what differs between executions is left out.
fn spread(engine: &EngineOfCase, clock: &str) -> Option<f64> {
    let executions = by_execution(logarithms(engine, clock));
    let variances: Vec<_> = executions.iter().filter_map(|rounds| variance(rounds)).collect();
    Some(percent(mean(&variances)?.sqrt()))
}

/// How much the effects that executions find differ: the medians over rounds of the log ratios, on
/// which the verdict rests.
fn effects_spread(engine: &EngineOfCase, baseline: &EngineOfCase, clock: &str) -> Option<f64> {
    let [engine, baseline] = [engine, baseline].map(|engine| logarithms(engine, clock));
    let ratios = engine.iter().filter_map(|(at, log)| Some((*at, log - baseline.get(at)?)));
    let effects: Vec<_> = by_execution(ratios).iter().filter_map(|rounds| median(rounds)).collect();
    Some(percent(variance(&effects)?.sqrt()))
}

/// A small difference of logarithms as a percentage.
fn percent(logarithm: f64) -> f64 {
    100.0 * logarithm
}

/// What some of the verdicts come to.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Verdicts that say something.
    pub(super) verdicts: usize,
    pub(super) faster: usize,
    pub(super) slower: usize,
    /// Those whose unadjusted p-value is at most [`ALPHA`].
    pub(super) unadjusted: usize,
    /// Cases without a verdict: too few samples, below the clock's resolution.
    pub(super) none: usize,
    pub(super) round_spread_percent: Vec<f64>,
    pub(super) execution_spread_percent: Vec<f64>,
    pub(super) smallest_detectable_percent: Vec<f64>,
}

impl Tally {
    pub(super) fn of<'a>(judged: impl IntoIterator<Item = &'a Judged>) -> Self {
        let mut tally = Self::default();
        judged.into_iter().for_each(|judged| tally.add(judged));
        tally
    }

    fn add(&mut self, judged: &Judged) {
        match judged.verdict.outcome.as_str() {
            "faster" => self.faster += 1,
            "slower" => self.slower += 1,
            "no-difference-shown" => {}
            _ => {
                self.none += 1;
                return;
            }
        }
        self.verdicts += 1;
        self.unadjusted += usize::from(judged.verdict.p_value.is_some_and(|p| p <= ALPHA));
        self.round_spread_percent.extend(&judged.round_spread_percent);
        self.execution_spread_percent.extend(judged.execution_spread_percent);
        self.smallest_detectable_percent.extend(judged.verdict.smallest_detectable_percent);
    }

    pub(super) fn flagged(&self) -> usize {
        self.faster + self.slower
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::super::read::run_of;
    use super::*;

    /// Two executions of two rounds at one case, with a verdict on each of two clocks.
    pub(in crate::bench_self::aa) fn example() -> Vec<Judged> {
        let round = |execution: u64, index: u64, ns: f64| {
            format!(
                r#"{{"execution": {execution}, "index": {index}, "ops": 1, "wall_ns": 1,
                     "op_wall_ns": {ns}, "cpu_client_ns": 7}}"#
            )
        };
        let rounds = |ns: [f64; 4]| {
            let [a, b, c, d] = ns;
            [round(0, 0, a), round(0, 1, b), round(1, 0, c), round(1, 1, d)].join(",")
        };
        let verdict = |clock: &str, outcome: &str, p: f64, detectable: &str| {
            format!(
                r#"{{"engine": "again", "baseline": "redb", "clock": "{clock}",
                    "outcome": "{outcome}", "ratio": 1.1, "p_value": {p} {detectable}}}"#
            )
        };
        let text = format!(
            r#"{{"cases": [{{"id": "put-1k", "op": "put", "engines": [
                {{"label": "redb", "rounds": [{}]}}, {{"label": "again", "rounds": [{}]}}],
                "verdicts": [{}, {}]}}]}}"#,
            rounds([100.0, 100.0, 100.0, 100.0]),
            rounds([110.0, 110.0, 121.0, 121.0]),
            verdict("wall", "slower", 0.0005, ""),
            verdict("cpu", "no-difference-shown", 0.009, r#", "smallest_detectable_percent": 4.5"#),
        );
        judged(&run_of(&text, "stowmark run").expect("a result"), "media", 3)
    }

    #[test]
    fn verdicts_are_counted_as_given_and_by_their_own_p_value() {
        let judged = example();
        let tally = Tally::of(&judged);
        assert_eq!((tally.verdicts, tally.faster, tally.slower), (2, 0, 1));
        assert_eq!((tally.flagged(), tally.unadjusted), (1, 2));
        assert_eq!(tally.smallest_detectable_percent, [4.5]);
    }

    #[test]
    fn what_differs_between_executions_is_no_spread_of_rounds_but_of_effects() {
        let judged = example();
        let wall = Tally::of(judged.iter().filter(|judged| judged.verdict.clock == "wall"));
        assert_eq!(wall.round_spread_percent, [0.0, 0.0]);
        // Effects of ln 1.1 and 2 ln 1.1: their standard deviation is ln 1.1 by the root of 2.
        let expected = 100.0 * 1.1_f64.ln() / 2_f64.sqrt();
        assert!((wall.execution_spread_percent[0] - expected).abs() < 1e-9);
    }

    #[test]
    fn a_case_without_a_verdict_counts_neither_for_nor_against() {
        let mut judged = example();
        judged[0].verdict.outcome = "below-resolution".into();
        let tally = Tally::of(&judged);
        assert_eq!((tally.verdicts, tally.none, tally.flagged()), (1, 1, 0));
    }
}
