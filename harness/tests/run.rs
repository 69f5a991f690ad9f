//! What a run prints and leaves, on both streams and in its folder.

use std::fs;
use std::process::Stdio;

use crate::support::{Place, Running, figures, finish};

#[test]
fn a_run_prints_its_table_and_leaves_one_result_file() {
    let place = Place::new();
    let (outcome, result) = place.weigh("");
    assert_eq!(place.files(), ["result.json"]);
    assert!(outcome.stdout.starts_with("blob-store: "), "{outcome}");
    assert!(outcome.stdout.contains("\nput 1k (8 operations a round"), "{outcome}");
    assert!(outcome.stdout.ends_with("\nresult: result.json\n"), "{outcome}");
    let cases: Vec<_> = result.cases.iter().map(|case| case.id.as_str()).collect();
    assert_eq!(cases, ["put-1k", "get-1k"]);
    let labels: Vec<_> = result.engines.iter().map(|engine| engine.label.as_str()).collect();
    assert_eq!(labels, ["redb", "filesystem", "(floor)"]);
    for case in cases {
        for label in &labels {
            let rounds = &figures(&result, case, label).rounds;
            assert_eq!(rounds.len(), 2, "{case} {label}");
            assert!(rounds.iter().all(|round| round.ops == 8 && round.wall_ns > 0));
        }
    }
}

#[test]
fn the_result_file_is_read_and_written_without_loss() {
    let place = Place::new();
    let (_, result) = place.weigh("");
    let json = |file: &str| -> serde_json::Value {
        serde_json::from_slice(&fs::read(place.path(file)).unwrap()).unwrap()
    };
    assert_eq!(json("result.json")["schema"], "stowmark.result/1");
    assert_eq!(json("result.json")["status"], "complete");
    stowmark_results::file::write(&place.path("again.json"), &result).unwrap();
    assert_eq!(json("again.json"), json("result.json"));
}

#[test]
fn a_result_without_a_name_gets_one_of_suite_and_time_and_replaces_none() {
    let place = Place::in_memory();
    let line = "run --engine memory --size 1k --executions 1 --rounds 1 --ops 1 --quiet";
    let runs = 3;
    for _ in 0..runs {
        place.stowmark(line).exits(0);
    }
    let files = place.files();
    assert_eq!(files.len(), runs, "{files:?}");
    for file in &files {
        let time = file.strip_prefix("stowmark-blob-store-20").unwrap();
        let (time, end) = time.split_once('Z').unwrap();
        assert!(time.len() == 13 && time.as_bytes()[6] == b'T', "{file}");
        assert!(end == ".json" || end.starts_with('-'), "{file}");
    }
}

#[test]
fn an_old_result_is_replaced_whole() {
    let place = Place::new();
    fs::write(place.path("result.json"), "not JSON, and longer than nothing").unwrap();
    place.weigh("--engine null");
    assert_eq!(place.files(), ["result.json"]);
}

#[test]
fn a_data_folder_that_was_there_stays_with_what_it_held() {
    let place = Place::new();
    fs::create_dir(place.path("data")).unwrap();
    fs::write(place.path("data/mine"), "mine").unwrap();
    place.weigh("--engine filesystem --data-dir data");
    assert_eq!(crate::support::names_in(&place.path("data")), ["mine"]);
    let place = Place::new();
    place.weigh("--engine filesystem --data-dir far/below");
    assert_eq!(place.files(), ["result.json"]);
}

#[test]
fn quiet_is_quiet() {
    let outcome = Place::new().run("--quiet");
    outcome.exits(0);
    assert_eq!(outcome.stderr, "");
    assert!(outcome.stdout.contains("put 1k"), "{outcome}");
}

#[test]
fn into_a_pipe_go_no_escape_codes() {
    let place = Place::new();
    let (outcome, _) = place.weigh("");
    outcome.no_escapes();
    for line in ["list", "info redb", "suites", "report result.json", "--help", "run --roundz"] {
        place.stowmark(line).no_escapes();
    }
}

/// Runs the command on a terminal, a short one of `script`; returns what the terminal got.
fn on_a_terminal(place: &Place, line: &str, variables: &[(&str, &str)]) -> String {
    let words = "--engine memory --executions 1 --rounds 2 --size 1k --ops 8 --out result.json";
    let line = format!("exec '{}' run {words} {line}", place.program().display());
    let mut command = std::process::Command::new("script");
    command.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
    place.prepare(&mut command);
    command.env("TERM", "xterm").envs(variables.iter().copied());
    let outcome = finish(&mut command);
    outcome.exits(0);
    outcome.stdout
}

#[test]
fn on_a_terminal_a_line_moves_unless_that_is_not_wanted() {
    let place = Place::in_memory();
    let moves = on_a_terminal(&place, "", &[]);
    assert!(moves.contains('\u{1b}'), "{moves}");
    assert!(moves.contains(", execution 1 of 1"), "{moves}");
    let still = |line: &str, variables: &[(&str, &str)]| {
        let text = on_a_terminal(&place, line, variables);
        assert!(!text.contains('\u{1b}'), "{line} {variables:?}: {text:?}");
        assert!(text.contains("put 1k"), "{text}");
    };
    still("", &[("NO_COLOR", "1")]);
    still("", &[("TERM", "dumb")]);
    still("--quiet", &[]);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let place = Place::in_memory();
    place.weigh("--engine memory");
    let run = "run --engine memory --executions 1 --rounds 2 --size 1k --ops 8 --out closed.json";
    for line in
        [run, "list", "info redb", "suites", "report result.json", "completions bash", "--help"]
    {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = place.command();
        command.args(line.split_whitespace()).stdout(writer).stderr(Stdio::piped());
        let outcome = Running::start_as_it_is(&mut command).wait();
        outcome.exits(0);
        assert_eq!(outcome.stderr, "", "{outcome}");
    }
    assert_eq!(place.result("closed.json").status, stowmark_results::Status::Complete);
}

#[test]
fn a_closed_standard_error_does_not_matter() {
    let place = Place::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = place.command();
    command.args(["run", "--engine", "faults:fault=fail-every", "--size", "1k", "--ops", "1"]);
    command.args(["--executions", "1", "--rounds", "1", "--out", "result.json"]);
    let running = Running::start_as_it_is(command.stderr(writer).stdout(Stdio::piped()));
    running.wait().exits(3);
}

#[test]
fn what_was_asked_is_in_the_result_with_the_command_line() {
    let (_, result) = Place::new().weigh("--engine null --clients 2 --confidence 0.95");
    let plan = &result.plan;
    assert_eq!(plan.suite.as_deref(), Some("blob-store"));
    assert_eq!((plan.executions, plan.rounds, plan.clients), (Some(1), Some(2), Some(2)));
    assert_eq!((plan.confidence, plan.sizes_bytes.as_slice()), (Some(0.95), &[1024][..]));
    assert_eq!(result.seed.as_deref(), Some("7"));
    assert!(result.command_line.iter().any(|word| word == "--clients"));
    assert!(result.started.is_some() && result.finished.is_some());
}
