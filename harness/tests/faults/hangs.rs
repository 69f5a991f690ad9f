//! Calls that do not return: they end with `--timeout`.

use std::fs;
use std::time::{Duration, Instant};

use super::processes::hanging;
use super::{CASES, Moment, at, is_whole, outlives, with};
use crate::support::{Place, names_in};

/// How long these runs wait.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Lets the calls of that engine that hang go on.
#[track_caller]
pub(super) fn open_the_gate_of(place: &Place, label: &str) {
    let number = ["memory", "bad", "later"].iter().position(|one| *one == label).unwrap();
    let data = place.path("stowmark-data");
    let runs = names_in(&data).into_iter().filter(|name| name.starts_with("run-"));
    let [run] = &runs.collect::<Vec<_>>()[..] else { panic!("one run: {:?}", names_in(&data)) };
    fs::write(data.join(run).join(format!("store-{number}-0/go")), "").unwrap();
}

/// A call that hangs costs its engine exactly what came after it.
#[track_caller]
fn check_hang(fault: &str, moment: Option<Moment>, phase: &str, rounds: [usize; 2]) {
    let place = Place::new();
    let line = moment.map_or_else(|| with(fault), |moment| at(fault, moment));
    let start = Instant::now();
    let outlived = outlives(&place, &format!("{line} --timeout 2s"));
    assert!(start.elapsed() >= TIMEOUT, "{}", outlived.outcome);
    let row = &outlived.row;
    assert_eq!((row.cause.as_str(), row.phase.as_str()), ("timeout", phase));
    assert_eq!(row.case.as_deref(), moment.map(Moment::case));
    assert_eq!(row.message, "the worker gave no sign of life for 2s and was ended (--timeout)");
    // The plugin's last line came through its log.
    let last = format!("info stowmark_faults::strike: {fault} from here on, as asked");
    assert_eq!(row.log, [last]);
    assert_eq!(outlived.rounds(), rounds);
}

#[test]
fn an_open_that_hangs_is_ended() {
    check_hang("hang-open", None, "open", [0, 0]);
}

#[test]
fn a_put_that_hangs_in_the_warm_up_is_ended() {
    check_hang("hang-put", Some(Moment::WarmUp), "warm-up", [0, 0]);
}

#[test]
fn a_put_that_hangs_in_a_round_is_ended() {
    check_hang("hang-put", Some(Moment::SecondRound), "round", [1, 0]);
}

#[test]
fn a_get_that_hangs_in_reading_back_is_ended() {
    check_hang("hang-get", Some(Moment::Verify), "verify", [2, 0]);
}

#[test]
fn a_get_that_hangs_in_a_round_is_ended() {
    check_hang("hang-get", Some(Moment::SecondRoundOfGet), "round", [2, 1]);
}

#[test]
fn a_close_that_hangs_is_ended_and_loses_no_figure() {
    check_hang("hang-close", None, "close", [2, 2]);
}

#[test]
fn a_call_that_is_only_slow_is_waited_for() {
    let place = Place::new();
    let mut running = place.start(&at("hang-put", Moment::SecondRound));
    let pid = running.pid();
    running.until("a round that hangs", || hanging(pid).is_some());
    open_the_gate_of(&place, "bad");
    running.wait().exits(0);
    for case in CASES {
        is_whole(&place.result("result.json"), case, "bad");
    }
}
