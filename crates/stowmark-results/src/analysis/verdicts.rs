//! The verdicts of one clock, decided together over all cases of a run.

use super::{facts, returned_wrong_data, samples};
use crate::samples::Clock;
use crate::stats::summary::Summary;
use crate::stats::verdict::{
    Case as Question, ClockReach, Decision, Verdict, decide as decide_all,
};
use crate::{CaseEngine, RunResult, VerdictRecord};

/// The confidence of a run that does not say.
const USUAL_CONFIDENCE: f64 = 0.99;

/// One engine against the baseline in one case, with what the statistics need.
struct Pair {
    case: usize,
    engine: String,
    engine_samples: Vec<Vec<Option<f64>>>,
    baseline_samples: Vec<Vec<Option<f64>>>,
    same_promise: bool,
    reach: Option<ClockReach>,
    /// Why there is nothing to decide.
    spoilt: Option<String>,
}

/// Adds the verdicts of this clock to their cases.
pub(super) fn decide(result: &mut RunResult, clock: Clock) {
    let Some(baseline) = result.plan.baseline.clone() else { return };
    let pairs = pairs(result, &baseline, clock);
    let questions: Vec<Question<'_>> = pairs
        .iter()
        .map(|pair| Question {
            engine: &pair.engine_samples,
            baseline: &pair.baseline_samples,
            same_promise: pair.same_promise,
            clock: pair.reach,
        })
        .collect();
    let alpha = 1.0 - result.plan.confidence.unwrap_or(USUAL_CONFIDENCE);
    let records: Vec<_> = pairs
        .iter()
        .zip(decide_all(&questions, alpha))
        .map(|(pair, decision)| (pair.case, record(pair, &baseline, clock, &decision)))
        .collect();
    for (case, record) in records {
        result.cases[case].verdicts.push(record);
    }
}

fn pairs(result: &RunResult, baseline: &str, clock: Clock) -> Vec<Pair> {
    let tier = |label: &str| facts(result, label).and_then(|facts| facts.tier.clone());
    let baseline_tier = tier(baseline);
    let mut pairs = Vec::new();
    for (at, case) in result.cases.iter().enumerate() {
        let Some(against) = case.engines.iter().find(|engine| engine.label == baseline) else {
            continue;
        };
        for engine in case.engines.iter().filter(|engine| engine.label != baseline) {
            // Nothing was measured yet: no verdict, not even that there is none.
            if engine.rounds.is_empty() && against.rounds.is_empty() {
                continue;
            }
            let spoilt = [engine, against]
                .into_iter()
                .find(|engine| returned_wrong_data(engine))
                .map(|engine| format!("{} returned wrong data", engine.label));
            let usable = |engine: &CaseEngine| match spoilt {
                Some(_) => Vec::new(),
                None => samples(engine, clock),
            };
            pairs.push(Pair {
                case: at,
                engine: engine.label.clone(),
                engine_samples: usable(engine),
                baseline_samples: usable(against),
                same_promise: tier(&engine.label) == baseline_tier,
                reach: reach(result, engine, against, clock).filter(|_| spoilt.is_none()),
                spoilt,
            });
        }
    }
    pairs
}

/// How far the CPU clock's count of a usual round lies above its smallest step.
fn reach(
    result: &RunResult,
    engine: &CaseEngine,
    baseline: &CaseEngine,
    clock: Clock,
) -> Option<ClockReach> {
    if clock != Clock::Cpu {
        return None;
    }
    let resolution_ns = result.clock.cpu_resolution_ns?;
    let usual = |engine: &CaseEngine| {
        let totals: Vec<f64> = engine
            .rounds
            .iter()
            .filter_map(|round| {
                Some((round.cpu_client_ns? + round.cpu_server_ns.unwrap_or(0)) as f64)
            })
            .collect();
        Some(Summary::of(&totals)?.median)
    };
    Some(ClockReach { total_ns: usual(engine)?.min(usual(baseline)?), resolution_ns })
}

fn record(pair: &Pair, baseline: &str, clock: Clock, decision: &Decision) -> VerdictRecord {
    let mut record = VerdictRecord {
        engine: pair.engine.clone(),
        baseline: baseline.into(),
        clock: clock.name().into(),
        ratio: decision.ratio,
        ratio_low: decision.low,
        ratio_high: decision.high,
        level: Some(decision.level),
        p_value: decision.p,
        within_this_execution: decision.within_this_execution,
        ..VerdictRecord::default()
    };
    record.outcome = match &decision.verdict {
        Verdict::Faster => "faster",
        Verdict::Slower => "slower",
        Verdict::NoDifferenceShown { smallest_detectable_percent, executions_to_settle } => {
            record.smallest_detectable_percent = Some(*smallest_detectable_percent);
            record.executions_to_settle = executions_to_settle.map(Into::into);
            "no-difference-shown"
        }
        Verdict::TooFewSamples { reason } => {
            record.reason = Some(reason.to_string());
            "too-few-samples"
        }
        Verdict::DifferentPromises => "different-promises",
        Verdict::BelowResolution => "below-resolution",
    }
    .into();
    if pair.spoilt.is_some() {
        record.reason.clone_from(&pair.spoilt);
    }
    record
}
