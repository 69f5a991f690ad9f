//! What a plugin, a user and the system do to a run, and what must be left of it.
//!
//! Every test here runs the command on the honest engine `memory` and on `bad`, which is the engine
//! `faults` with a fault on request. Whatever `bad` does, the same holds: the run goes on, one row
//! says what happened, the other engines' figures are whole, and neither a process nor a folder
//! stays. Nothing waits for luck: tests look at facts (files, `/proc`) until they are so.

mod crashes;
mod hangs;
mod kills;
mod lies;
mod noise;
mod processes;
mod result_file;
mod signals;

use stowmark_results::{CaseEngine, Failure, RunResult, Status};

use crate::support::{Outcome, Place, figures};

/// Operations of each round.
const OPS: u64 = 40;

/// The cases of all these runs.
const CASES: [&str; 2] = ["put-1k", "get-1k"];

/// When a fault strikes, counted in operations of the store. With 40 operations a round the
/// warm-up of `put` does 14 (a quarter of a round, and four to settle), its two rounds 44 each,
/// reading back 80; then come 14 and twice 44 of `get`. Each moment is well inside its phase.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Moment {
    WarmUp,
    SecondRound,
    Verify,
    SecondRoundOfGet,
}

impl Moment {
    const ALL: [Self; 4] = [Self::WarmUp, Self::SecondRound, Self::Verify, Self::SecondRoundOfGet];

    const fn after(self) -> u64 {
        match self {
            Self::WarmUp => 0,
            Self::SecondRound => 70,
            Self::Verify => 140,
            Self::SecondRoundOfGet => 262,
        }
    }

    const fn phase(self) -> &'static str {
        match self {
            Self::WarmUp => "warm-up",
            Self::SecondRound | Self::SecondRoundOfGet => "round",
            Self::Verify => "verify",
        }
    }

    const fn case(self) -> &'static str {
        match self {
            Self::SecondRoundOfGet => CASES[1],
            _ => CASES[0],
        }
    }

    /// How many rounds of each case were whole before.
    const fn rounds_before(self) -> [usize; 2] {
        match self {
            Self::WarmUp => [0, 0],
            Self::SecondRound => [1, 0],
            Self::Verify => [2, 0],
            Self::SecondRoundOfGet => [2, 1],
        }
    }
}

/// The command line of a run with that fault (and its options, `fault,after=7`).
fn with(fault: &str) -> String {
    format!("--engine memory --engine bad=faults:fault={fault} --op put,get --ops {OPS}")
}

/// The same with a fault that strikes at that moment.
fn at(fault: &str, moment: Moment) -> String {
    with(&format!("{fault},after={}", moment.after()))
}

/// A run that outlived the fault of its engine `bad`.
struct Outlived {
    outcome: Outcome,
    result: RunResult,
    row: Failure,
}

impl Outlived {
    /// How many rounds `bad` did of each case.
    fn rounds(&self) -> [usize; 2] {
        CASES.map(|case| bad(&self.result, case).rounds.len())
    }
}

/// Runs that line to its end and sees that all is as it must be after one engine failed.
#[track_caller]
fn outlives(place: &Place, line: &str) -> Outlived {
    let running = place.start(line);
    let pid = running.pid();
    outlived(place, pid, running.wait())
}

/// Sees that a run which ended is as it must be after one engine failed.
#[track_caller]
fn outlived(place: &Place, pid: u32, outcome: Outcome) -> Outlived {
    outcome.exits(3);
    leaves_only_its_result(place, pid);
    let result = place.result("result.json");
    assert_eq!(result.status, Status::Failed, "{outcome}");
    others_are_whole(&result);
    let [row] = &result.failures[..] else { panic!("{:#?}\n{outcome}", result.failures) };
    assert_eq!((row.label.as_str(), row.execution), ("bad", Some(0)), "{outcome}");
    told_once(&outcome, row);
    Outlived { row: row.clone(), result, outcome }
}

/// The failure is said in one short line on standard error, beside lines of the plugin itself, and
/// in one place of the table.
#[track_caller]
fn told_once(outcome: &Outcome, row: &Failure) {
    let said = format!("bad failed and takes no further part: {}", row.message);
    let lines: Vec<_> = outcome.stderr.lines().filter(|line| line.contains(" failed ")).collect();
    assert_eq!(lines, [said], "{outcome}");
    assert!(lines[0].len() < 200, "too long: {outcome}");
    assert!(outcome.stderr.lines().all(|line| line.starts_with("bad")), "{outcome}");
    let table = outcome.stdout.split_once("\nFailed:\n").map(|(_, rest)| rest);
    let rows = table.unwrap_or_else(|| panic!("no row: {outcome}")).split("\n\n").next().unwrap();
    assert_eq!(rows.lines().filter(|line| line.starts_with("- ")).count(), 1, "{outcome}");
    assert!(rows.starts_with("- bad"), "{outcome}");
}

/// The other engines did all their work.
#[track_caller]
fn others_are_whole(result: &RunResult) {
    for case in CASES {
        is_whole(result, case, "memory");
        assert_eq!(figures(result, case, "(floor)").rounds.len(), 2, "{case}");
    }
}

/// That engine did all its work at that case.
#[track_caller]
fn is_whole(result: &RunResult, case: &str, label: &str) {
    let figures = figures(result, case, label);
    assert_eq!(figures.rounds.len(), 2, "{case} {label}");
    assert!(figures.rounds.iter().all(|round| round.ops == OPS), "{case} {label}");
    assert!(figures.rounds.iter().all(|round| round.errors.is_empty()), "{case} {label}");
    assert!(figures.histogram.is_some(), "{case} {label}");
    assert_eq!(figures.verification.as_ref().unwrap().outcome, "matched", "{case} {label}");
}

/// The figures of the engine with the fault.
fn bad<'a>(result: &'a RunResult, case: &str) -> &'a CaseEngine {
    figures(result, case, "bad")
}

/// Nothing of an ended run is left but its result: no process, no store, no temporary file. A system
/// may be set to keep a memory image of a process that crashed.
#[track_caller]
fn leaves_only_its_result(place: &Place, pid: u32) {
    assert_eq!(processes::left_by(pid), Vec::<u32>::new());
    place.is_clean();
    let files = place.files().into_iter().filter(|name| !name.starts_with("core"));
    assert_eq!(files.collect::<Vec<_>>(), ["result.json"]);
}
