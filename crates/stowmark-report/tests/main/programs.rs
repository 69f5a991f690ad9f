//! The formats that programs read.

use std::process::Command;

use serde_json::Value;
use stowmark_report::raw::raw_files;
use stowmark_report::{Format, Options, ReportError, render};
use stowmark_results::RunResult;

use crate::fixture::{as_published, broken, case, facts, measured, ordinary, rounds};

fn text(result: &RunResult, format: Format) -> String {
    String::from_utf8(render(result, format, Options::default()).unwrap()).unwrap()
}

/// One case with two rounds of one engine and one of the floor.
fn tiny() -> RunResult {
    let mut put = case("put", "10k", 10_240, vec![measured("redb", rounds(1, 2, 1e6, 45_000.0))]);
    put.engines[0].rounds[1].cpu_client_ns = None;
    put.engines[0].rounds[1].errors = [("Full".to_owned(), 2), ("Other".to_owned(), 1)].into();
    put.floor = Some(measured("null", rounds(1, 1, 60.0, 55.0)));
    let mut result = ordinary();
    result.engines = vec![facts("redb", "redb", "media"), facts("null", "null", "media")];
    result.cases = vec![put];
    result.warnings.clear();
    result
}

#[test]
fn csv_has_one_row_for_each_round_and_leaves_empty_what_was_not_measured() {
    let csv = text(&tiny(), Format::Csv);
    insta::assert_snapshot!("csv", csv);

    let rows = text(&ordinary(), Format::Csv).lines().count() - 1;
    let counted: usize = ordinary()
        .cases
        .iter()
        .flat_map(|case| case.engines.iter().chain(&case.floor))
        .map(|engine| engine.rounds.len())
        .sum();
    assert_eq!(rows, counted);
}

#[test]
fn json_holds_summaries_and_verdicts_with_units_in_the_names() {
    insta::assert_snapshot!("json", text(&tiny(), Format::Json));

    let report: Value = serde_json::from_str(&text(&ordinary(), Format::Json)).unwrap();
    let put = &report["cases"][0];
    assert_eq!(put["verdicts"][0]["outcome"], "faster");
    assert_eq!(put["verdicts"][0]["ratio"], 0.47);
    assert!(put["verdicts"][0]["reference"]["mann_whitney_p_value"].as_f64().unwrap() < 0.01);
    assert_eq!(put["engines"][0]["wall"]["n"], 30);
    assert!(put["engines"][0]["wall"].get("floor_times").is_some());
    assert!(put["engines"][0].get("first_byte").is_none());
    assert_eq!(report["seed"], "18446744073709551615");
    let get = &report["cases"][2]["engines"][0];
    assert_eq!(get["service_time_percentiles"][1]["percentile"], 0.99);
}

/// What the real program prints for the raw files of each case and clock, one after the other.
fn real_ministat(result: &RunResult) -> String {
    let folder = tempfile::tempdir().unwrap();
    let files = raw_files(result);
    for file in &files {
        std::fs::write(folder.path().join(&file.name), &file.text).unwrap();
    }
    // The baseline stands first in these results, as in the list of files.
    let of_one_page =
        |a: &str, b: &str| a.split_once('-').unwrap().1 == b.split_once('-').unwrap().1;
    let pages = files.chunk_by(|a, b| of_one_page(&a.name, &b.name)).map(|page| {
        let names = page.iter().map(|file| &file.name);
        let mut command = Command::new("ministat");
        command.current_dir(folder.path()).args(["-c", "99", "-w", "74"]).args(names);
        let output = command.output().unwrap_or_else(|error| {
            panic!(
                "cannot run the program `ministat` ({error}), which this test compares with: run \
                 the tests by `cargo xtask test`, which installs it"
            )
        });
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    });
    pages.collect()
}

#[test]
fn the_ministat_report_is_the_real_programs_output_on_the_raw_files() {
    for result in [ordinary(), as_published()] {
        let ours = text(&result, Format::Ministat);
        assert!(ours.contains("x redb-put-1k-wall.txt\n+ filesystem-put-1k-wall.txt\n"));
        assert_eq!(ours, real_ministat(&result));
    }
}

#[test]
fn the_baseline_comes_first_in_the_ministat_report() {
    let mut result = ordinary();
    result.plan.baseline = Some("filesystem".into());
    let ours = text(&result, Format::Ministat);
    assert!(ours.starts_with("x filesystem-put-1k-wall.txt\n+ redb-put-1k-wall.txt\n"), "{ours}");
}

#[test]
fn a_page_that_ministat_would_refuse_is_replaced_by_the_reason() {
    let mut result = ordinary();
    result.cases[0].engines[1].rounds.truncate(2);
    let ours = text(&result, Format::Ministat);
    let reason = ours.lines().next().unwrap();
    assert!(reason.starts_with("[no page for put-1k, wall: "), "{reason}");
    assert!(reason.contains("filesystem-put-1k-wall.txt has 2"), "{reason}");

    result.cases.truncate(1);
    let refusal = render(&result, Format::Ministat, Options::default()).unwrap_err();
    assert!(matches!(refusal, ReportError::Ministat(_)), "{refusal}");
}

#[test]
fn a_result_without_samples_has_no_ministat_report() {
    let mut result = broken();
    result.cases[0].engines.truncate(1);
    let refusal = render(&result, Format::Ministat, Options::default()).unwrap_err();
    assert!(matches!(refusal, ReportError::NoSamples), "{refusal}");
}

#[test]
fn raw_files_hold_the_seconds_of_each_round_in_order() {
    let files = raw_files(&tiny());
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["redb-put-10k-wall.txt", "redb-put-10k-cpu.txt"]);
    let seconds: Vec<f64> = files[0].text.lines().map(|line| line.parse().unwrap()).collect();
    let expected = tiny().cases[0].engines[0].rounds.clone();
    let expected: Vec<f64> = expected.iter().map(|r| r.op_wall_ns.unwrap() / 100.0 / 1e9).collect();
    assert_eq!(seconds, expected);
    // One of the two rounds has no reading of the CPU clock.
    assert_eq!(files[1].text.lines().count(), 1);
}
