//! A result file that cannot be written in mid-run: the run goes on and says so once. If it could
//! not be written in the end either, the table is all there is and the exit code is 1, whatever else
//! happened: every other code promises that what was measured is in the file. (A disk too small for
//! it is in `disk.rs`; here its folder is taken away, which needs no rights to mount.)

use std::fs;

use stowmark_results::{Status, file};

use super::hangs::open_the_gate_of;
use super::processes::{hanging_in, left_by};
use super::{CASES, Moment, at, is_whole, others_are_whole};
use crate::support::{Outcome, Place, Running};

/// A run with its result in `out`, in mid-round of its engine `bad`.
fn start(place: &Place, line: &str) -> Running {
    fs::create_dir(place.path("out")).unwrap();
    let mut running = place.start(&format!("{line} --out out/result.json"));
    let pid = running.pid();
    running.until("a round that hangs", || hanging_in(pid, "hang-put").is_some());
    running
}

/// It was said once that the result cannot be written, at the first case.
#[track_caller]
fn said_once(outcome: &Outcome) {
    let said = "cannot write the result out/result.json: No such file or directory";
    let lines = outcome.stderr.lines().filter(|line| line.contains("the run goes on"));
    let lines: Vec<_> = lines.collect();
    assert!(lines.len() == 1 && lines[0].starts_with(said), "{outcome}");
}

/// The run was done and its result is only in the table.
#[track_caller]
fn ended_unwritten(place: &Place, pid: u32, outcome: &Outcome) {
    outcome.exits(1);
    let last = outcome.stderr.lines().last().unwrap();
    assert!(last.starts_with("stowmark: cannot write the result out/result.json"), "{outcome}");
    assert!(outcome.stdout.contains("get 1k") && !outcome.stdout.contains("result: "), "{outcome}");
    assert_eq!(left_by(pid), Vec::<u32>::new());
    place.is_clean();
    assert_eq!(place.files(), ["elsewhere"]);
}

#[test]
fn a_result_folder_that_goes_and_comes_back_costs_nothing() {
    let place = Place::new();
    // `later` holds the run once more, after the first case was to be written.
    let later = format!("later=faults:fault=hang-get,after={}", Moment::SecondRoundOfGet.after());
    let line = format!("{} --engine {later}", at("hang-put", Moment::SecondRound));
    let mut running = start(&place, &line);
    let pid = running.pid();
    fs::rename(place.path("out"), place.path("elsewhere")).unwrap();
    open_the_gate_of(&place, "bad");
    running.until("a later round that hangs", || hanging_in(pid, "hang-get").is_some());
    fs::rename(place.path("elsewhere"), place.path("out")).unwrap();
    open_the_gate_of(&place, "later");
    let outcome = running.wait();
    outcome.exits(0);
    said_once(&outcome);
    assert!(outcome.stdout.ends_with("result: out/result.json\n"), "{outcome}");
    let result = place.result("out/result.json");
    others_are_whole(&result);
    for (case, label) in CASES.iter().zip(["bad", "later"]) {
        is_whole(&result, case, label);
    }
}

#[test]
fn a_result_that_cannot_be_written_in_the_end_is_an_exit_of_1() {
    let place = Place::new();
    let running = start(&place, &at("hang-put", Moment::SecondRound));
    let pid = running.pid();
    fs::rename(place.path("out"), place.path("elsewhere")).unwrap();
    open_the_gate_of(&place, "bad");
    let outcome = running.wait();
    said_once(&outcome);
    ended_unwritten(&place, pid, &outcome);
}

#[test]
fn that_exit_goes_before_those_of_a_failed_engine_and_of_a_signal() {
    let place = Place::new();
    let running = start(&place, &format!("{} --timeout 2s", at("hang-put", Moment::SecondRound)));
    let pid = running.pid();
    fs::rename(place.path("out"), place.path("elsewhere")).unwrap();
    let outcome = running.wait();
    assert!(outcome.stderr.contains("bad failed and takes no further part"), "{outcome}");
    ended_unwritten(&place, pid, &outcome);

    let place = Place::new();
    let running = start(&place, &at("hang-put", Moment::SecondRound));
    let pid = running.pid();
    fs::rename(place.path("out"), place.path("elsewhere")).unwrap();
    running.signal("INT");
    ended_unwritten(&place, pid, &running.wait());
}

#[test]
fn what_was_written_before_the_folder_went_is_a_result() {
    let place = Place::new();
    fs::create_dir(place.path("out")).unwrap();
    let line = format!("{} --out out/result.json", at("hang-get", Moment::SecondRoundOfGet));
    let mut running = place.start(&line);
    let pid = running.pid();
    running.until("a round that hangs", || hanging_in(pid, "hang-get").is_some());
    fs::rename(place.path("out"), place.path("elsewhere")).unwrap();
    open_the_gate_of(&place, "bad");
    let outcome = running.wait();
    ended_unwritten(&place, pid, &outcome);
    let result = file::read(&place.path("elsewhere/result.json")).unwrap();
    assert_eq!(result.status, Status::Running);
    for label in ["memory", "bad"] {
        is_whole(&result, CASES[0], label);
    }
}
