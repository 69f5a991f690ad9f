//! A case: its figures, what they mean, and what was published for it.

use std::fmt::Display;

use stowmark_results::{Case, Plan, PublishedDifference};

use super::{clock, counted};
use crate::figures::{CaseFigures, ClockFigures, EngineFigures};
use crate::units::{byte_rate, operation_rate, percent, time};
use stowmark_results::samples::Clock;

/// Stands for a figure that was not measured.
const ABSENT: &str = "-";

/// Marks a figure near its floor.
const NEAR_FLOOR_MARK: &str = "*";

/// A case: operation, size, how many operations a round, how far the payload compresses, and the
/// floor.
pub(crate) fn case(figures: &CaseFigures<'_>) -> String {
    let case = figures.case;
    let mut notes = vec![format!("{} a round", counted(case.ops_per_round, "operation"))];
    if case.clients > 1 {
        notes.push(counted(case.clients, "client"));
    }
    if let Some(share) = case.payload_compressibility {
        notes.push(format!("payload compresses to {}", percent(100.0 * share)));
    }
    if let Some(floor) = &figures.floor {
        let each = Clock::ALL.into_iter().filter_map(|on| {
            Some(format!("{} {}", time(floor.on(on)?.summary.median), clock(on.name())))
        });
        let each: Vec<String> = each.collect();
        if !each.is_empty() {
            notes.push(format!("floor {}", each.join(", ")));
        }
    }
    format!("{} ({})", case_name(case), notes.join(", "))
}

/// A case in two words.
pub(crate) fn case_name(case: &Case) -> String {
    format!("{} {}", case.op, case.size_label)
}

/// The heads of an engine's figures, as [`figures`] gives them.
pub(crate) const FIGURE_HEADS: [&str; 6] =
    ["engine", "tier", "wall each", "CPU each", "rate", "with drain"];

/// An engine's row: label, tier, median time of an operation on both clocks, rate, and time with
/// the drain where the tier leaves one.
pub(crate) fn figures(engine: &EngineFigures<'_>) -> [String; FIGURE_HEADS.len()] {
    let bytes = engine.bytes_per_second.map(byte_rate);
    let rate = bytes.or_else(|| engine.operations_per_second.map(operation_rate));
    let absent = || ABSENT.to_owned();
    let on = |clock| engine.on(clock).map_or_else(absent, clock_figure);
    [
        engine.measured.label.clone(),
        engine.tier.unwrap_or(ABSENT).to_owned(),
        on(Clock::Wall),
        on(Clock::Cpu),
        rate.unwrap_or_else(absent),
        engine.with_drain.as_ref().map_or_else(String::new, |drain| time(drain.median)),
    ]
}

/// Median, the mark of the floor, and the spread.
fn clock_figure(figures: &ClockFigures) -> String {
    let mark = if figures.is_near_floor() { NEAR_FLOOR_MARK } else { "" };
    let spread = figures
        .spread_percent()
        .map_or_else(String::new, |spread| format!(" ± {}", percent(spread)));
    format!("{}{mark}{spread}", time(figures.summary.median))
}

/// How many executions and rounds each engine's figures rest on, where that is fewer than planned.
pub(crate) fn evidence(plan: &Plan, case: &CaseFigures<'_>) -> Option<String> {
    let (executions, rounds) = (plan.executions?, plan.rounds?);
    let counts = |engine: &EngineFigures<'_>| {
        let measured = engine.measured.rounds.iter().filter(|round| round.ops > 0);
        let mut of: Vec<u64> = measured.map(|round| round.execution).collect();
        let rounds = of.len() as u64;
        of.sort_unstable();
        of.dedup();
        (of.len() as u64, rounds)
    };
    let planned = (executions, executions * rounds);
    let words = |(some_executions, some_rounds): (u64, u64)| {
        format!(
            "({some_executions} of {}, {some_rounds} of {})",
            counted(planned.0, "execution"),
            counted(planned.1, "round")
        )
    };
    let each: Vec<_> = case
        .engines
        .iter()
        .map(|engine| (engine.measured.label.as_str(), counts(engine)))
        .collect();
    let is_short = |(_, found): &&(&str, (u64, u64))| found.0 < planned.0 || found.1 < planned.1;
    let (_, first) = each.first()?;
    if each.iter().all(|(_, found)| found == first) {
        return each
            .first()
            .filter(is_short)
            .map(|_| format!("not all was measured {}", words(*first)));
    }
    let short =
        each.iter().filter(is_short).map(|(label, found)| format!("{label} {}", words(*found)));
    Some(format!("not all was measured: {}", short.collect::<Vec<_>>().join(", ")))
}

/// What the marks mean, if a figure has one.
pub(crate) fn floor_note(cases: &[CaseFigures<'_>]) -> Option<String> {
    let figures = cases.iter().flat_map(|case| &case.engines);
    let near = |engine: &EngineFigures<'_>| {
        Clock::ALL.iter().any(|clock| engine.on(*clock).is_some_and(ClockFigures::is_near_floor))
    };
    figures.into_iter().any(near).then(|| {
        format!(
            "{NEAR_FLOOR_MARK} within 10 times the floor, which is what the harness itself costs in \
             that case; nothing is subtracted"
        )
    })
}

/// How to read the figures.
pub(crate) fn legend(plan: &Plan, cases: &[CaseFigures<'_>]) -> String {
    let mut text =
        "Each: the median over all rounds of an operation's mean time; ±: how far a usual \
                    round lies from it, in percent (1.48 times the median distance, which single \
                    rounds hardly move). Rate: payload by the round's time, MB = 10^6 bytes."
            .to_owned();
    if cases.iter().any(|case| case.case.op == "get") {
        text += " Tier: how the blobs were stored, also where they are got.";
    }
    if cases.iter().flat_map(|case| &case.engines).any(|engine| engine.with_drain.is_some()) {
        text +=
            " With drain: wall each, with its share of writing out what was left to the kernel.";
    }
    if let Some(confidence) = plan.confidence {
        // 100 times a binary fraction may end in 0000000001.
        let level = (1e6 * confidence).round() / 1e4;
        text += &format!(
            " Verdicts: the engine's time over the baseline's, by rounds run side by side and not by \
             the medians above; {level} % confidence for all of one clock together (Holm); each interval \
             is of the level at which its verdict was decided."
        );
    }
    text
}

/// The median time until the first byte of a get, by engine.
pub(crate) fn first_bytes(case: &CaseFigures<'_>) -> Option<String> {
    let first = |engine: &EngineFigures<'_>| {
        let summary = engine.first_byte.as_ref()?;
        Some(format!("{} {}", engine.measured.label, time(summary.median)))
    };
    let each: Vec<String> = case.engines.iter().filter_map(first).collect();
    (!each.is_empty()).then(|| format!("first byte after: {}", each.join(", ")))
}

/// The high percentiles of single operations, where there were enough of them.
pub(crate) fn service_times(case: &CaseFigures<'_>) -> Option<String> {
    let of = |engine: &EngineFigures<'_>| {
        // The middle alone says nothing that the table does not.
        let [_, _, ..] = engine.percentiles[..] else { return None };
        let each = engine
            .percentiles
            .iter()
            .map(|(p, ns)| format!("p{} {}", (p * 1e6).round() / 1e4, time(*ns as f64)));
        Some(format!("{} {}", engine.measured.label, each.collect::<Vec<_>>().join(", ")))
    };
    let each: Vec<String> = case.engines.iter().filter_map(of).collect();
    (!each.is_empty()).then(|| format!("service time, closed loop: {}", each.join("; ")))
}

/// What reading back found wrong, by engine.
pub(crate) fn wrong_data(case: &CaseFigures<'_>) -> Vec<String> {
    let wrong = |engine: &EngineFigures<'_>| {
        let verification = engine.measured.verification.as_ref()?;
        let message = verification.message.as_deref().unwrap_or("what was read back differs");
        (verification.outcome == "mismatch")
            .then(|| format!("WRONG DATA from {}: {message}", engine.measured.label))
    };
    case.engines.iter().filter_map(wrong).collect()
}

/// What to know about the published figures, if the run is as published; else empty.
pub(crate) fn published_note(plan: &Plan) -> &str {
    plan.published_note.as_deref().filter(|_| plan.published).unwrap_or_default()
}

/// The published figures for this case, a sentence for each clock, if the run is as published.
pub(crate) fn published(plan: &Plan, case: &Case) -> Vec<String> {
    if !plan.published {
        return Vec::new();
    }
    let mut sentences = Vec::new();
    for clock_name in ["cpu-client", "cpu", "wall"] {
        let here = |op: &str, size, clock: &str| {
            (op, size, clock) == (case.op.as_str(), case.size_bytes, clock_name)
        };
        let means = plan
            .published_figures
            .iter()
            .filter(|figure| here(&figure.op, figure.size_bytes, &figure.clock))
            .map(|figure| format!("{} {}", figure.engine, time(figure.mean_s * 1e9)));
        let differences = plan
            .published_differences
            .iter()
            .filter(|difference| here(&difference.op, difference.size_bytes, &difference.clock))
            .map(published_difference);
        let parts: Vec<String> = means.chain(differences).collect();
        if !parts.is_empty() {
            sentences.push(format!(
                "for comparison, published (other engines, another machine), {}: {}",
                clock(clock_name),
                parts.join(", ")
            ));
        }
    }
    sentences
}

fn published_difference(published: &PublishedDifference) -> String {
    let error = published.plus_minus_percent.map(|error| format!(" +/- {error}"));
    let level = published.confidence_percent.map(|level| format!(" at {level} %"));
    format!(
        "{} against {} {:+} %{}{}",
        published.engine,
        published.baseline,
        published.percent,
        error.unwrap_or_default(),
        level.unwrap_or_default()
    )
}

/// In place of a page that `ministat` would not print.
pub(crate) fn no_ministat_page(case: &Case, clock: Clock, why: &impl Display) -> String {
    format!("[no page for {}, {}: {why}]\n", case.id, clock.name())
}
