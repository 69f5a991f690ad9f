//! What the command tells without a run: engines, suites, completions, help.

use serde_json::Value;

use crate::support::{Place, library};

const COMMANDS: [&str; 6] = ["run", "list", "info", "suites", "report", "completions"];

fn json(place: &Place, line: &str) -> Value {
    let outcome = place.stowmark(line);
    outcome.exits(0);
    assert_eq!(outcome.stderr, "");
    serde_json::from_str(&outcome.stdout).unwrap_or_else(|error| panic!("{error}: {outcome}"))
}

#[test]
fn list_shows_each_engine_with_its_models_and_file() {
    let outcome = Place::new().stowmark("list");
    outcome.exits(0);
    assert_eq!(outcome.stderr, "");
    for (engine, models) in [("redb", "blobs"), ("null", "blobs"), ("memory", "blobs, records")] {
        let line = outcome.stdout.lines().find(|line| line.starts_with(&format!("{engine} ")));
        let line = line.unwrap_or_else(|| panic!("no {engine}: {outcome}"));
        assert!(line.contains(&format!(" {models} ")), "{line}");
        assert!(outcome.stdout.contains(library(engine).to_str().unwrap()), "{outcome}");
    }
}

#[test]
fn list_without_any_plugin_says_how_to_name_some() {
    let outcome = Place::without_plugins().stowmark("list");
    outcome.exits(0);
    assert!(outcome.stdout.contains("no plugins found"), "{outcome}");
    assert!(outcome.stdout.contains("--plugin-dir DIR"), "{outcome}");
}

#[test]
fn list_as_json_has_all_that_manifests_say() {
    let place = Place::new();
    let plugins = json(&place, "list --json");
    let plugins = plugins.as_array().unwrap();
    let redb = plugins.iter().find(|plugin| plugin["plugin"] == "redb").unwrap();
    assert_eq!(redb["path"].as_str(), library("redb").to_str());
    let engine = &redb["engines"][0];
    assert_eq!(engine["name"], "redb");
    assert_eq!(engine["default_tier"], "media");
    let options = engine["options"].as_array().unwrap();
    let cache = options.iter().find(|option| option["name"] == "cache").unwrap();
    assert_eq!(cache["default"], "1G");
}

#[test]
fn info_shows_tiers_options_and_versions() {
    let place = Place::new();
    let outcome = place.stowmark("info redb");
    outcome.exits(0);
    let expected = [
        "redb: ",
        "  plugin    redb ",
        "  library   redb ",
        "  built by  rustc ",
        "  abi       1.",
        "  media (default): ",
        "  cache (size; ",
        "1M to 256G",
    ];
    for text in expected {
        assert!(outcome.stdout.contains(text), "no {text:?}: {outcome}");
    }
    assert!(place.stowmark("info null").stdout.contains("  stores    nothing"));
    let choice = "one of none, panic, ";
    assert!(place.stowmark("info faults").stdout.contains(choice));
}

#[test]
fn what_is_printed_for_people_fits_a_terminal() {
    let place = Place::new();
    for line in ["info redb", "info filesystem", "info null", "info memory", "suites"] {
        let outcome = place.stowmark(line);
        let prose = outcome.stdout.lines().filter(|line| !line.contains('/'));
        let widest = prose.map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= 100, "{widest} columns: {outcome}");
    }
}

#[test]
fn the_help_tells_the_defaults_of_the_suite_that_runs_without_flags() {
    let help = Place::new().stowmark("run --help").stdout;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let workload = &stowmark_workload::builtin_suite("blob-store").unwrap().workload;
    let list = |words: Vec<String>| words.join(",");
    let defaults = [
        ("--op", list(workload.op.iter().map(ToString::to_string).collect())),
        (
            "--size",
            list(workload.size.iter().copied().map(stowmark_workload::format_size).collect()),
        ),
        ("--data", workload.data.to_string()),
        ("--key-order", workload.key_order.to_string()),
        ("--clients", workload.clients.to_string()),
        ("--rounds", workload.rounds.to_string()),
        ("--executions", workload.executions.to_string()),
        ("--verify", workload.verify.to_string()),
    ];
    for (flag, value) in defaults {
        let (_, about) = help.split_once(&format!(" {flag} <")).unwrap();
        let about = about.split(" --").next().unwrap();
        let expected = format!("[default: the suite's; blob-store: {value}]");
        assert!(about.contains(&expected), "{flag}: {about}");
    }
}

#[test]
fn info_as_json_is_the_engine_with_its_plugin() {
    let place = Place::new();
    let info = json(&place, "info filesystem --json");
    assert_eq!(info["engine"]["name"], "filesystem");
    assert_eq!(info["plugin"]["plugin"], "filesystem");
    std::fs::copy(library("redb"), place.path("other.so")).unwrap();
    assert_eq!(json(&place, "info redb@other.so --json")["plugin"]["path"], "other.so");
}

#[test]
fn suites_are_listed_with_what_they_follow_and_shown_as_files_that_run() {
    let place = Place::in_memory();
    let outcome = place.stowmark("suites");
    outcome.exits(0);
    for text in
        ["blob-store: ", "\n  follows   ", "\n  measures  put, get of 1k, 10k", "\n  repeats "]
    {
        assert!(outcome.stdout.contains(text), "no {text:?}: {outcome}");
    }
    let shown = place.stowmark("suites --show blob-store");
    shown.exits(0);
    std::fs::write(place.path("mine.toml"), &shown.stdout).unwrap();
    let (_, result) = place.weigh("--suite mine.toml --engine memory");
    assert_eq!(result.plan.suite.as_deref(), Some("blob-store"));
    assert_eq!(result.plan.suite_file.as_deref(), Some("mine.toml"));
}

#[test]
fn completions_know_the_flags_of_each_shell() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let outcome = place.stowmark(&format!("completions {shell}"));
        outcome.exits(0);
        for word in ["stowmark", "durability", "plugin-dir", "suites"] {
            assert!(outcome.stdout.contains(word), "no {word} for {shell}");
        }
    }
    std::fs::write(place.path("bash"), place.stowmark("completions bash").stdout).unwrap();
    let mut check = std::process::Command::new("bash");
    crate::support::finish(check.args(["-n"]).arg(place.path("bash"))).exits(0);
}

#[test]
fn help_shows_examples_and_fits_a_terminal() {
    let place = Place::new();
    let lines = COMMANDS.map(|command| format!("{command} --help"));
    for line in lines.iter().map(String::as_str).chain(["--help", "help", "help run"]) {
        let outcome = place.stowmark(line);
        outcome.exits(0);
        assert_eq!(outcome.stderr, "");
        assert!(outcome.stdout.contains("\nExamples:\n  stowmark "), "{outcome}");
        let widest = outcome.stdout.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= 100, "{widest} columns: {outcome}");
        assert!(!outcome.stdout.contains("orker;"), "the hidden command shows: {outcome}");
    }
    let help = place.stowmark("--help").stdout;
    assert!(COMMANDS.iter().all(|command| help.contains(&format!("\n  {command} "))), "{help}");
    assert!(help.contains("\nExit codes:\n"), "{help}");
}

#[test]
fn the_examples_of_help_are_commands_that_it_takes() {
    let place = Place::new();
    for command in COMMANDS {
        let help = place.stowmark(&format!("{command} --help")).stdout;
        let (_, examples) = help.split_once("\nExamples:\n").unwrap();
        for example in examples.lines() {
            let line = example.trim().strip_prefix("stowmark ").unwrap_or_else(|| panic!("{help}"));
            crate::docs::check_flags(&place, line);
        }
    }
}

#[test]
fn the_version_is_printed() {
    let outcome = Place::new().stowmark("--version");
    outcome.exits(0);
    assert_eq!(outcome.stdout, format!("stowmark {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_worker_started_by_hand_says_who_starts_it() {
    Place::new().stowmark("worker").refused_with(2, &["stowmark run", "by hand"]);
}
