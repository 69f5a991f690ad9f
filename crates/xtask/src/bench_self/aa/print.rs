//! The check's outcome, for people and for programs.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::super::load::Load;
use super::super::statistics::quartiles;
use super::tally::{ALPHA, Judged, Tally};

/// How often in a hundred a verdict may name a faster one of two equals.
const ALLOWED_PERCENT: f64 = 3.0;

/// What is known beside the verdicts.
pub(super) struct Facts<'a> {
    pub(super) runs: u64,
    pub(super) seconds: u64,
    pub(super) load: &'a Load,
}

/// A table with a row for each tier and operation on the wall clock and one for each clock; then
/// what was flagged, and the sentence that matters.
pub(super) fn text(all: &[Judged], facts: &Facts) -> String {
    let mut text = format!(
        "{:<24} {:>8} {:>6} {:>6} {:>5} {:>4}  {:>7} {:>9}  {:>20}\n",
        "", "", "", "", "p <=", "", "rounds", "execution", "smallest shown, %"
    );
    text += &format!(
        "{:<24} {:>8} {:>6} {:>6} {:>5} {:>4}  {:>7} {:>9}  {:>20}\n",
        "clock, tier, op",
        "verdicts",
        "faster",
        "slower",
        "1 %",
        "none",
        "+- %",
        "+- %",
        "quart. median quart."
    );
    for (tier, op) in kinds(all) {
        let of_kind =
            on(all, "wall").filter(|judged| (judged.tier, judged.op.as_str()) == (tier, op));
        row(&mut text, &format!("wall, {tier}, {op}"), &Tally::of(of_kind));
    }
    for clock in clocks(all) {
        row(&mut text, clock, &Tally::of(on(all, clock)));
    }
    for judged in all.iter().filter(|judged| judged.flagged()) {
        let Judged { tier, seed, case, verdict, .. } = judged;
        // Writing into a String cannot fail.
        let _ = writeln!(
            text,
            "flagged: {case}, {tier}, clock {}: ratio {:.4}, p {:.5} (seed {seed})",
            verdict.clock,
            verdict.ratio.unwrap_or(f64::NAN),
            verdict.p_value.unwrap_or(f64::NAN),
        );
    }
    for clock in clocks(all) {
        text += &sentence(clock, &Tally::of(on(all, clock)));
    }
    let _ = writeln!(text, "{} runs in {} s", facts.runs, facts.seconds);
    text + &facts.load.lines()
}

fn row(text: &mut String, name: &str, tally: &Tally) {
    let median = |values: &[f64]| {
        quartiles(values).map_or_else(|| "-".to_owned(), |values| format!("{:.2}", values.median))
    };
    let shown = quartiles(&tally.smallest_detectable_percent).map_or_else(
        || "-".to_owned(),
        |shown| format!("{:>6.1} {:>6.1} {:>6.1}", shown.lower, shown.median, shown.upper),
    );
    let _ = writeln!(
        text,
        "{name:<24} {:>8} {:>6} {:>6} {:>5} {:>4}  {:>7} {:>9}  {shown:>20}",
        tally.verdicts,
        tally.faster,
        tally.slower,
        tally.unadjusted,
        tally.none,
        median(&tally.round_spread_percent),
        median(&tally.execution_spread_percent),
    );
}

fn sentence(clock: &str, tally: &Tally) -> String {
    let verdict = match percent(tally.flagged(), tally.verdicts) {
        None => "nothing to tell".to_owned(),
        Some(share) if share <= ALLOWED_PERCENT => format!("{share:.1} %, reached"),
        Some(share) => format!("{share:.1} %, MISSED"),
    };
    format!(
        "{clock}: {} of {} verdicts name a winner ({verdict}; at most {ALLOWED_PERCENT} %), {} at {} % \
         unadjusted\n",
        tally.flagged(),
        tally.verdicts,
        tally.unadjusted,
        100.0 * ALPHA,
    )
}

/// One object with everything that the table shows.
pub(super) fn object(all: &[Judged], facts: &Facts) -> Value {
    let clocks: Map<_, _> = clocks(all)
        .into_iter()
        .map(|clock| (clock.to_owned(), tally_object(&Tally::of(on(all, clock)))))
        .collect();
    let kinds = kinds(all).into_iter().map(|(tier, op)| {
        let of_kind =
            on(all, "wall").filter(|judged| (judged.tier, judged.op.as_str()) == (tier, op));
        let mut object = tally_object(&Tally::of(of_kind));
        object["tier"] = tier.into();
        object["op"] = op.into();
        object
    });
    let flagged = all.iter().filter(|judged| judged.flagged()).map(|judged| {
        let Judged { tier, seed, case, verdict, .. } = judged;
        json!({
            "case": case, "tier": tier, "seed": seed, "clock": verdict.clock,
            "outcome": verdict.outcome, "ratio": verdict.ratio, "p_value": verdict.p_value,
        })
    });
    json!({
        "allowed_percent": ALLOWED_PERCENT,
        "runs": facts.runs,
        "seconds": facts.seconds,
        "clocks": clocks,
        "wall_by_kind": kinds.collect::<Vec<_>>(),
        "flagged": flagged.collect::<Vec<_>>(),
        "busy_machine": facts.load.is_busy(),
        "others_processors": facts.load.processors().map(|(median, _)| median),
        "waiting_share": facts.load.waiting(),
    })
}

fn tally_object(tally: &Tally) -> Value {
    let spread = |values: &[f64]| {
        quartiles(values).map(|values| {
            json!({
                "lower_quartile": values.lower, "median": values.median,
                "upper_quartile": values.upper,
            })
        })
    };
    json!({
        "verdicts": tally.verdicts,
        "faster": tally.faster,
        "slower": tally.slower,
        "flagged_percent": percent(tally.flagged(), tally.verdicts),
        "flagged_unadjusted": tally.unadjusted,
        "without_verdict": tally.none,
        "round_spread_percent": spread(&tally.round_spread_percent),
        "execution_spread_percent": spread(&tally.execution_spread_percent),
        "smallest_detectable_percent": spread(&tally.smallest_detectable_percent),
    })
}

fn on<'a>(all: &'a [Judged], clock: &str) -> impl Iterator<Item = &'a Judged> {
    all.iter().filter(move |judged| judged.verdict.clock == clock)
}

/// The clocks in the order in which they first come.
fn clocks(all: &[Judged]) -> Vec<&str> {
    distinct(all.iter().map(|judged| judged.verdict.clock.as_str()))
}

/// The tiers and operations, likewise.
fn kinds(all: &[Judged]) -> Vec<(&'static str, &str)> {
    distinct(all.iter().map(|judged| (judged.tier, judged.op.as_str())))
}

fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen
}

#[expect(clippy::cast_precision_loss, reason = "there are few verdicts")]
fn percent(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| 100.0 * part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::super::tally::tests::example;
    use super::*;

    fn facts(load: &Load) -> Facts<'_> {
        Facts { runs: 1, seconds: 2, load }
    }

    #[test]
    fn the_text_counts_by_clock_and_names_what_was_flagged() {
        let load = Load::default();
        let text = text(&example(), &facts(&load));
        assert!(text.contains("wall: 1 of 1 verdicts") && text.contains("MISSED"), "{text}");
        assert!(text.contains("cpu: 0 of 1 verdicts") && text.contains("1 at 1 %"), "{text}");
        assert!(text.contains("flagged: put-1k, media, clock wall: ratio 1.1000"), "{text}");
        assert!(text.contains("(seed 3)"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }

    #[test]
    fn the_object_says_the_same() {
        let load = Load::default();
        let object = object(&example(), &facts(&load));
        assert_eq!(object["clocks"]["wall"]["slower"], 1);
        assert_eq!(object["clocks"]["wall"]["flagged_percent"], 100.0);
        assert_eq!(object["clocks"]["cpu"]["flagged_unadjusted"], 1);
        assert_eq!(object["clocks"]["cpu"]["smallest_detectable_percent"]["median"], 4.5);
        assert_eq!(object["wall_by_kind"][0]["op"], "put");
        assert_eq!(object["flagged"][0]["case"], "put-1k");
        assert_eq!(object["others_processors"], Value::Null);
    }

    #[test]
    fn three_of_a_hundred_may_be_flagged_and_no_more() {
        let tally = |slower| Tally { verdicts: 100, slower, ..Tally::default() };
        assert!(sentence("wall", &tally(3)).contains("reached"));
        assert!(sentence("wall", &tally(4)).contains("MISSED"));
        assert!(sentence("wall", &Tally::default()).contains("nothing to tell"));
    }
}
