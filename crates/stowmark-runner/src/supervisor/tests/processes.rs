//! Workers as processes, with a shell in a worker's place: what becomes of one that does not answer
//! as it should.

use std::time::{Duration, Instant};

use super::support::plan;
use crate::event::Event;
use crate::platform;
use crate::protocol::{Answer, Order};
use crate::supervisor::Stop;
use crate::supervisor::crew::{Cause, Crew, Trouble, Worker};
use crate::supervisor::process::{Process, Processes};

/// Longer than any of these tests may take where nothing is wrong.
const PATIENCE: Duration = Duration::from_secs(60);

/// A script that is a worker, and the wish to end that it is shown.
fn start_with(script: &str, timeout: Duration) -> (Process, Stop) {
    let stop = Stop::default();
    let mut crew = Processes {
        program: "/bin/sh".into(),
        arguments: vec!["-c".into(), script.into()],
        timeout,
        stop: stop.clone(),
    };
    (crew.start(&plan(&["a"], |_| {}).engines[0]).unwrap(), stop)
}

fn start(script: &str) -> Process {
    start_with(script, PATIENCE).0
}

/// What the worker's failure to answer is put down to.
fn cause_of(mut worker: Process) -> Cause {
    match worker.order(&Order::Case) {
        Err(Trouble::Failed(cause)) => {
            worker.end();
            Cause { log: worker.last_lines(), ..cause }
        }
        other => panic!("{other:?}"),
    }
}

/// The number that the worker gives as its answer.
fn number(worker: &mut Process) -> u32 {
    match worker.order(&Order::Case) {
        Ok(Answer::Worked(worked)) => u32::try_from(worked.ops).unwrap(),
        other => panic!("{other:?}"),
    }
}

/// Shell: answers with a number.
fn answer(number: &str) -> String {
    let fields = "\"bytes\":0,\"start_ns\":0,\"wall_ns\":0,\"op_wall_ns\":0,\"first_byte_ns\":null,\
        \"cpu_client_ns\":0,\"errors\":{},\"histogram\":\"\"";
    format!("printf '{{\"answer\":\"worked\",\"ops\":%d,{fields}}}\\n' {number}")
}

fn state(pid: u32) -> Option<char> {
    platform::process_state(pid).map(|(state, _)| state)
}

/// Waits until it is so; a process takes a while to change.
fn assert_soon(what: &str, so: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !so() {
        assert!(Instant::now() < deadline, "not so yet: {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn signs_of_life_and_logs_come_before_an_answer() {
    let mut worker = start(
        r#"read -r order
        echo '{"answer":"alive"}'
        printf '%s\n' '{"answer":"log","level":"warn","target":"engine","message":"low\non space"}'
        echo "$order" >&2
        echo '{"answer":"ready"}'
        read -r order"#,
    );
    assert_eq!(worker.order(&Order::Case), Ok(Answer::Ready));
    let log = |line: &str| Event::Log {
        label: "a".into(),
        level: Some("warn".into()),
        line: format!("engine: {line}"),
    };
    let events = worker.take_events();
    assert_eq!(events[..2], [log("low"), log("on space")]);
    worker.end();
    let lines = worker.last_lines();
    assert!(lines.contains(&r#"{"order":"case"}"#.to_string()), "{lines:?}");
}

#[test]
fn an_exit_is_told_by_its_code_even_if_that_is_0() {
    for code in [0, 7] {
        let cause = cause_of(start(&format!("read -r order; echo so long >&2; exit {code}")));
        assert_eq!(cause.cause, format!("exit code {code}"));
        assert_eq!(cause.log, ["so long"]);
    }
}

#[test]
fn a_signal_is_told_by_its_name() {
    for name in ["SEGV", "KILL", "ABRT"] {
        let cause = cause_of(start(&format!("read -r order; kill -{name} $$")));
        assert_eq!(cause.cause, format!("signal SIG{name}"));
    }
}

#[test]
fn what_is_no_answer_is_nonsense() {
    for line in ["hello", r#"{"answer":"maybe"}"#, "{}"] {
        let cause = cause_of(start(&format!("read -r order; echo '{line}'; read -r order")));
        assert_eq!(cause.cause, "nonsense", "{line}");
    }
}

#[test]
fn an_engines_error_keeps_its_class_and_message() {
    let failed = r#"{"answer":"failed","class":"denied","message":"wrong password"}"#;
    let cause = cause_of(start(&format!("read -r order; echo '{failed}'; read -r order")));
    assert_eq!((&*cause.cause, &*cause.message), ("denied", "wrong password"));
}

#[test]
fn silence_beyond_the_timeout_is_one() {
    let script = format!("read -r order; {}; read -r order; exec sleep 1000", answer("$$"));
    let (mut worker, _) = start_with(&script, Duration::from_secs(2));
    let pid = number(&mut worker);
    let cause = cause_of(worker);
    assert_eq!(cause.cause, "timeout");
    assert!(cause.message.contains("for 2s") && cause.message.contains("--timeout"));
    assert_eq!(state(pid), None, "it was ended");
}

#[test]
fn the_last_lines_are_kept_and_show_no_escape_codes() {
    let script = r"read -r order
        for at in $(seq 1 50); do printf '\033[31mline %d\r\n\n' $at >&2; done
        exit 1";
    let log = cause_of(start(script)).log;
    assert_eq!(log.len(), 20);
    assert_eq!(log.last().unwrap(), "[31mline 50");
}

#[test]
fn a_worker_that_floods_standard_error_is_not_kept_from_answering() {
    let script = "read -r order; head -c 3000000 /dev/zero >&2; echo '{\"answer\":\"ready\"}'; read -r order";
    let mut worker = start(script);
    assert_eq!(worker.order(&Order::Case), Ok(Answer::Ready));
}

#[test]
fn a_user_who_wants_to_end_does_not_wait_for_an_answer() {
    let (mut worker, stop) = start_with("read -r order; exec sleep 1000", PATIENCE);
    stop.request(2);
    assert_eq!(worker.order(&Order::Case), Err(Trouble::Stopped));
}

#[test]
fn a_paused_worker_stands_still_until_it_is_resumed() {
    let mut worker = start(&format!("while read -r order; do {}; done", answer("$$")));
    let pid = number(&mut worker);
    worker.pause().unwrap();
    assert_eq!(state(pid), Some('T'));
    worker.resume().unwrap();
    assert_eq!(number(&mut worker), pid);
    assert_ne!(state(pid), Some('T'));
}

#[test]
fn a_worker_that_died_cannot_be_paused() {
    let mut worker = start(&format!("read -r order; {}; exit 3", answer("$$")));
    let pid = number(&mut worker);
    assert_soon("it has exited", || state(pid) == Some('Z'));
    let Err(Trouble::Failed(cause)) = worker.pause() else { panic!("it was paused") };
    assert_eq!(cause.cause, "exit code 3");
}

#[test]
fn whatever_a_worker_started_ends_with_it() {
    let script = format!("sleep 1000 & read -r order; {}; read -r order", answer("$!"));
    let mut worker = start(&script);
    let grandchild = number(&mut worker);
    assert!(state(grandchild).is_some());
    worker.pause().unwrap();
    drop(worker);
    assert_soon("it is gone", || matches!(state(grandchild), None | Some('Z' | 'X')));
}

#[test]
fn a_program_that_cannot_be_started_is_named() {
    let mut crew = Processes {
        program: "/no/such/program".into(),
        arguments: Vec::new(),
        timeout: PATIENCE,
        stop: Stop::default(),
    };
    let Err(Trouble::Failed(cause)) = crew.start(&plan(&["a"], |_| {}).engines[0]) else {
        panic!("it was started")
    };
    assert!(cause.message.contains("/no/such/program"), "{}", cause.message);
}
