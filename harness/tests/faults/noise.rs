//! Plugins that write where they should not, and plugins that log as they should.

use super::{CASES, Moment, at, is_whole, outlives, with};
use crate::support::Place;

#[test]
fn noise_on_the_standard_streams_spoils_neither_figures_nor_table() {
    let place = Place::new();
    let (outcome, result) = place.weigh(&with("flood").replace("--ops 40", "--ops 4"));
    for case in CASES {
        let figures = super::bad(&result, case);
        assert!(figures.rounds.iter().all(|round| round.ops == 4 && round.errors.is_empty()));
        assert_eq!(figures.verification.as_ref().unwrap().outcome, "matched");
    }
    assert!(!outcome.stdout.contains("noise"), "{outcome}");
    assert!(outcome.stderr.lines().all(|line| line.starts_with("bad: {\"type\":\"done\"")));
    // It wrote more than a hundred MiB.
    assert!(outcome.stderr.len() < 100_000, "{} bytes are shown", outcome.stderr.len());
    place.is_clean();
}

#[test]
fn noise_in_the_harness_s_own_pipe_is_nonsense() {
    for moment in Moment::ALL {
        let outlived = outlives(&Place::new(), &at("babble", moment));
        assert_eq!(
            (outlived.row.cause.as_str(), outlived.row.phase.as_str()),
            ("nonsense", moment.phase())
        );
        assert!(outlived.row.message.contains("wrote to our pipe"), "{}", outlived.outcome);
        assert_eq!(outlived.rounds(), moment.rounds_before());
    }
}

#[test]
fn an_answer_that_was_not_asked_for_is_nonsense() {
    for moment in Moment::ALL {
        let outlived = outlives(&Place::new(), &at("forge", moment));
        assert_eq!(
            (outlived.row.cause.as_str(), outlived.row.phase.as_str()),
            ("nonsense", moment.phase())
        );
        assert_eq!(outlived.rounds(), moment.rounds_before());
    }
}

#[test]
fn another_current_folder_and_umask_of_a_worker_change_nothing() {
    let place = Place::new();
    let (outcome, result) = place.weigh(&with("meddle"));
    for case in CASES {
        is_whole(&result, case, "bad");
    }
    assert_eq!(outcome.stderr, "", "{outcome}");
    assert_eq!(place.files(), ["result.json"]);
}

#[test]
fn a_plugins_log_is_shown_under_its_engines_label() {
    let place = Place::new();
    let (outcome, _) = place.weigh(&with("log"));
    for line in [
        "bad error: stowmark_faults::strike: an error, as asked",
        "bad warn: stowmark_faults::strike: a warning, as asked",
        "bad info: stowmark_faults::strike: a piece of news, as asked",
        "bad warn: stowmark_faults::strike: a traced warning, as asked blob=7",
        "bad info: stowmark_faults::strike: two lines",
    ] {
        assert!(outcome.stderr.lines().any(|said| said == line), "no {line:?}: {outcome}");
    }
    assert!(!outcome.stderr.contains("a detail that nobody asked for"), "{outcome}");
    outcome.no_escapes();
    assert!(!outcome.stderr.contains('\u{7}'), "{outcome}");
}

#[test]
fn quiet_hides_a_plugins_lines_and_not_its_failure() {
    let place = Place::new();
    for fault in ["log", "panic-thread"] {
        let (outcome, _) = place.weigh(&format!("{} --quiet", with(fault)));
        assert_eq!(outcome.stderr, "", "{outcome}");
    }
    let outlived = outlives(&place, &format!("{} --quiet", at("stack-overflow", Moment::WarmUp)));
    assert_eq!(outlived.outcome.stderr.lines().count(), 1, "{}", outlived.outcome);
    assert!(!outlived.row.log.is_empty(), "the lines are in the result");
}
