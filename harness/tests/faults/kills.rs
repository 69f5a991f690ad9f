//! Signals to workers, SIGKILL of the harness, and what two runs in one data folder mean to each
//! other.

use stowmark_results::Status;

use super::hangs::open_the_gate_of;
use super::processes::{Worker, eventually, hanging, left_by, with_plugin, workers};
use super::{
    CASES, Moment, at, bad, is_whole, leaves_only_its_result, others_are_whole, outlived, with,
};
use crate::support::{Place, Running, names_in};

/// Starts a run and waits until its engine `bad` hangs. Returns the worker in which it does.
#[track_caller]
fn start_until_it_hangs(place: &Place, line: &str) -> (Running, Worker) {
    let mut running = place.start(line);
    let pid = running.pid();
    let mut worker = None;
    running.until("a call that hangs", || {
        worker = hanging(pid);
        worker.is_some()
    });
    (running, worker.unwrap())
}

#[test]
fn a_worker_killed_in_its_round_is_told_by_the_signal() {
    for name in ["KILL", "TERM"] {
        let place = Place::new();
        let (running, worker) = start_until_it_hangs(&place, &at("hang-put", Moment::SecondRound));
        worker.signal(name);
        let outlived = outlived(&place, running.pid(), running.wait());
        assert_eq!(outlived.row.cause, format!("signal SIG{name}"));
        assert_eq!(outlived.row.phase, "round");
        assert_eq!(outlived.rounds(), Moment::SecondRound.rounds_before());
    }
}

#[test]
fn a_worker_killed_while_another_has_its_turn_fails_alone() {
    for (plugin, label) in [("memory", "memory"), ("null", "(floor)")] {
        let place = Place::new();
        let (running, _) = start_until_it_hangs(&place, &at("hang-put", Moment::SecondRound));
        let pid = running.pid();
        with_plugin(pid, plugin).unwrap().signal("KILL");
        open_the_gate_of(&place, "bad");
        let outcome = running.wait();
        outcome.exits(3);
        leaves_only_its_result(&place, pid);
        let result = place.result("result.json");
        let [row] = &result.failures[..] else { panic!("{:#?}\n{outcome}", result.failures) };
        assert_eq!((row.label.as_str(), row.cause.as_str()), (label, "signal SIGKILL"));
        for case in CASES {
            is_whole(&result, case, "bad");
        }
    }
}

#[test]
fn a_worker_stopped_from_outside_is_ended() {
    let place = Place::new();
    let line = format!("{} --timeout 2s", at("hang-put", Moment::SecondRound));
    let (mut running, worker) = start_until_it_hangs(&place, &line);
    worker.signal("STOP");
    running.until("a stopped worker", || worker.is_stopped());
    // It could go on now, were it not stopped.
    open_the_gate_of(&place, "bad");
    let outlived = outlived(&place, running.pid(), running.wait());
    assert_eq!((outlived.row.cause.as_str(), outlived.row.phase.as_str()), ("timeout", "round"));
    assert_eq!(outlived.rounds(), Moment::SecondRound.rounds_before());
}

#[test]
fn workers_of_a_killed_harness_end_and_the_next_run_sweeps() {
    let place = Place::new();
    let (running, _) = start_until_it_hangs(&place, &at("hang-get", Moment::SecondRoundOfGet));
    let pid = running.pid();
    // Those whose turn it is not are stopped, and end all the same.
    let stopped = workers(pid).iter().filter(|worker| worker.is_stopped()).count();
    assert_eq!((workers(pid).len(), stopped), (3, 2));
    running.signal("KILL");
    assert_eq!(running.wait().status.code(), None);
    eventually("the workers' end", || left_by(pid).is_empty());
    // What was measured before the case in which it was killed.
    let result = place.result("result.json");
    assert_eq!(result.status, Status::Running);
    for label in ["memory", "bad"] {
        is_whole(&result, CASES[0], label);
    }
    assert!(bad(&result, CASES[1]).rounds.is_empty());
    // The result can be shown, as can any.
    place.stowmark("report result.json").exits(0);
    // Its folder and its lock are left, and are no hindrance.
    let left = place.path("stowmark-data").join(format!("run-{pid}"));
    assert!(left.exists() && place.path("stowmark-data/.stowmark.lock").exists());
    let outcome = place.run(&with("none"));
    outcome.exits(0);
    let swept = format!("swept {}, left by a killed run", left.display());
    assert_eq!(outcome.stderr.lines().collect::<Vec<_>>(), [swept], "{outcome}");
    others_are_whole(&place.result("result.json"));
    assert_eq!(place.files(), ["result.json"], "the folder made for the killed run goes too");
}

#[test]
fn a_folder_that_was_there_before_a_killed_run_stays() {
    let place = Place::new();
    std::fs::create_dir(place.path("stowmark-data")).unwrap();
    std::fs::write(place.path("stowmark-data/mine"), "x").unwrap();
    let (running, _) = start_until_it_hangs(&place, &at("hang-put", Moment::WarmUp));
    let pid = running.pid();
    running.signal("KILL");
    running.wait();
    eventually("the workers' end", || left_by(pid).is_empty());
    assert!(!place.path("result.json").exists(), "nothing was measured yet");
    place.run(&with("none")).exits(0);
    assert_eq!(names_in(&place.path("stowmark-data")), ["mine"]);
}

#[test]
fn of_two_runs_in_one_folder_the_second_is_refused_and_the_first_unharmed() {
    let place = Place::new();
    let (running, _) = start_until_it_hangs(&place, &at("hang-put", Moment::SecondRound));
    let pid = running.pid();
    let second = place.run(&format!("{} --out second.json", with("none")));
    second.refused_with(
        1,
        &["stowmark-data", "is in use", &format!("(process {pid})"), "--data-dir"],
    );
    assert!(!place.path("second.json").exists());
    open_the_gate_of(&place, "bad");
    running.wait().exits(0);
    for case in CASES {
        is_whole(&place.result("result.json"), case, "bad");
    }
    others_are_whole(&place.result("result.json"));
    leaves_only_its_result(&place, pid);
}
