//! SIGINT and SIGTERM to the harness: the first ends the run in order, the second at once.

use std::io::{PipeReader, Write, pipe};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use stowmark_results::Status;

use super::processes::{eventually, hanging, has_ended, left_by, signal, workers};
use super::{CASES, Moment, at, is_whole, leaves_only_its_result, with};
use crate::support::{Outcome, Place, Running, figures, small};

const SIGNALS: [(&str, i32, Status); 2] =
    [("INT", 130, Status::Interrupted), ("TERM", 143, Status::Terminated)];

/// The run ended because of the signal, in order.
#[track_caller]
fn ended_in_order(place: &Place, pid: u32, outcome: &Outcome, code: i32, status: &Status) {
    outcome.exits(code);
    leaves_only_its_result(place, pid);
    let result = place.result("result.json");
    assert_eq!(result.status, *status, "{outcome}");
    assert_eq!(result.failures, [], "nobody failed: {outcome}");
    assert!(result.finished.is_some());
    assert!(outcome.stderr.contains("stowmark: ending; once more ends at once"), "{outcome}");
    assert!(outcome.stdout.ends_with("result: result.json\n"), "{outcome}");
}

/// In a phase in which the engine hangs, so that the signal finds the run just there.
#[track_caller]
fn check_phase(line: &str, rounds: [usize; 2]) {
    for (name, code, status) in SIGNALS {
        let place = Place::new();
        let mut running = place.start(line);
        let pid = running.pid();
        running.until("a call that hangs", || hanging(pid).is_some());
        running.signal(name);
        let outcome = running.wait();
        ended_in_order(&place, pid, &outcome, code, &status);
        let result = place.result("result.json");
        assert_eq!(CASES.map(|case| figures(&result, case, "bad").rounds.len()), rounds, "{line}");
        for (case, rounds) in CASES.into_iter().zip(rounds) {
            if rounds == 2 && line.contains("hang-close") {
                is_whole(&result, case, "memory");
            }
        }
    }
}

#[test]
fn a_signal_while_a_store_opens_ends_the_run_in_order() {
    check_phase(&with("hang-open"), [0, 0]);
}

#[test]
fn a_signal_in_the_warm_up_ends_the_run_in_order() {
    check_phase(&at("hang-put", Moment::WarmUp), [0, 0]);
}

#[test]
fn a_signal_in_a_round_keeps_the_rounds_before() {
    check_phase(&at("hang-put", Moment::SecondRound), [1, 0]);
}

#[test]
fn a_signal_while_blobs_are_read_back_keeps_the_rounds_before() {
    check_phase(&at("hang-get", Moment::Verify), [2, 0]);
}

#[test]
fn a_signal_in_a_later_case_keeps_the_case_before() {
    check_phase(&at("hang-get", Moment::SecondRoundOfGet), [2, 1]);
}

#[test]
fn a_signal_while_a_store_closes_keeps_all_figures() {
    check_phase(&with("hang-close"), [2, 2]);
}

#[test]
fn a_signal_between_cases_and_turns_ends_the_run_in_order() {
    for (name, code, status) in SIGNALS {
        let place = Place::new();
        // So long that it is far from its end, wherever the signal finds it.
        let mut running = place.start(&format!("{} --executions 1000", with("none")));
        let pid = running.pid();
        let result = place.path("result.json");
        running.until("the first case's result", || result.exists());
        running.signal(name);
        ended_in_order(&place, pid, &running.wait(), code, &status);
        let result = place.result("result.json");
        for label in ["memory", "bad"] {
            assert!(figures(&result, CASES[0], label).rounds.len() >= 2);
        }
    }
}

#[test]
fn a_ctrl_c_of_the_terminal_reaches_no_worker() {
    let place = Place::new();
    let line = at("hang-put", Moment::SecondRound);
    // A terminal signals the whole group that is in its foreground.
    let command = &mut place.command();
    let mut running = Running::start(command.arg("run").args(small(&line)).process_group(0));
    let pid = running.pid();
    running.until("a round that hangs", || hanging(pid).is_some());
    let workers = workers(pid);
    assert_eq!(workers.len(), 3);
    for worker in &workers {
        assert_eq!(worker.group(), Some(worker.pid), "a worker has a group of its own");
    }
    signal("INT", -i64::from(pid));
    ended_in_order(&place, pid, &running.wait(), 130, &Status::Interrupted);
}

/// A pipe that is full and stays so until its reader is dropped: whoever writes to it waits.
fn full_pipe() -> (PipeReader, Stdio) {
    let (reader, writer) = pipe().unwrap();
    let mut filler = writer.try_clone().unwrap();
    std::thread::spawn(move || while filler.write_all(&[b'x'; 4096]).is_ok() {});
    (reader, writer.into())
}

#[test]
fn the_second_signal_ends_a_run_that_cannot_print_its_table() {
    let place = Place::new();
    let (reader, writer) = full_pipe();
    let line = at("hang-put", Moment::SecondRound);
    let command = &mut place.command();
    let command = command.arg("run").args(small(&line)).stdout(writer).stderr(Stdio::piped());
    let mut running = Running::start_as_it_is(command);
    let pid = running.pid();
    running.until("a round that hangs", || hanging(pid).is_some());
    running.signal("INT");
    let result = place.path("result.json");
    running.until("the result", || result.exists() && !place.path("stowmark-data").exists());
    running.signal("TERM");
    running.wait().exits(143);
    assert_eq!(place.result("result.json").status, Status::Interrupted);
    leaves_only_its_result(&place, pid);
    drop(reader);
}

#[test]
fn the_second_signal_ends_a_run_that_nobody_listens_to() {
    let place = Place::new();
    let (reader, writer) = full_pipe();
    let line = at("hang-put", Moment::SecondRound);
    let command = &mut place.command();
    let command = command.arg("run").args(small(&line)).stdout(Stdio::null()).stderr(writer);
    let mut running = Running::start_as_it_is(command);
    let pid = running.pid();
    running.until("a round that hangs", || hanging(pid).is_some());
    // Two that come at once are one to the system, so they are sent until one more was heard.
    eventually("an end", || {
        running.signal("INT");
        std::thread::sleep(Duration::from_millis(20));
        has_ended(pid)
    });
    running.wait().exits(130);
    eventually("the workers' end", || left_by(pid).is_empty());
    drop(reader);
    // It could not clear up; the next run does.
    let outcome = place.run(&with("none"));
    outcome.exits(0);
    assert!(outcome.stderr.contains("left by a killed run"), "{outcome}");
    place.is_clean();
}

/// A run that hangs in a round, started with SIGHUP as `env` is told.
fn hanging_under(place: &Place, hangup: &str) -> Running {
    let mut command = Command::new("env");
    command.arg(hangup).arg(place.program());
    place.prepare(&mut command);
    command.arg("run").args(small(&at("hang-put", Moment::SecondRound)));
    let mut running = Running::start(&mut command);
    let pid = running.pid();
    running.until("a round that hangs", || hanging(pid).is_some());
    running
}

#[test]
fn a_terminal_that_is_gone_ends_a_run_as_sigterm_does() {
    let place = Place::new();
    let running = hanging_under(&place, "--default-signal=HUP");
    let pid = running.pid();
    running.signal("HUP");
    ended_in_order(&place, pid, &running.wait(), 143, &Status::Terminated);
}

#[test]
fn under_nohup_a_terminal_that_is_gone_is_outlived() {
    let place = Place::new();
    let running = hanging_under(&place, "--ignore-signal=HUP");
    let pid = running.pid();
    running.signal("HUP");
    running.signal("INT");
    ended_in_order(&place, pid, &running.wait(), 130, &Status::Interrupted);
}
