//! Reports from a result file.

use std::fs;
use std::path::Path;
use std::process::Command;

use stowmark_results::RunResult;

use crate::support::{Place, finish, names_in};

/// A place with a result of enough rounds for every format.
fn place_with_result() -> (Place, RunResult, String) {
    let place = Place::in_memory();
    let line = "--engine redb --engine memory --engine other=redb:chunk=64k --executions 2 \
                --rounds 3 --clients 2";
    let (outcome, result) = place.weigh(line);
    (place, result, outcome.stdout)
}

#[test]
fn the_table_is_the_one_that_the_run_printed() {
    let (place, _, printed) = place_with_result();
    let outcome = place.stowmark("report result.json");
    outcome.exits(0);
    assert_eq!(outcome.stderr, "");
    let table = printed.strip_suffix("\nresult: result.json\n").unwrap();
    assert_eq!(outcome.stdout, table);
    assert_eq!(place.stowmark("report result.json --format table").stdout, table);
    assert_eq!(place.files(), ["result.json"]);
}

#[test]
fn a_report_goes_to_the_file_that_is_named() {
    let (place, _, _) = place_with_result();
    for format in ["table", "markdown", "csv", "json", "ministat"] {
        let printed = place.stowmark(&format!("report result.json --format {format}"));
        printed.exits(0);
        let written = place.stowmark(&format!("report result.json --format {format} -o report"));
        written.exits(0);
        assert_eq!((written.stdout.as_str(), written.stderr.as_str()), ("", ""));
        assert_eq!(fs::read_to_string(place.path("report")).unwrap(), printed.stdout, "{format}");
    }
}

/// What the real program prints for these files, run in their folder.
fn real_ministat(folder: &Path, files: &[String]) -> String {
    let mut command = Command::new("ministat");
    command.args(["-c", "99", "-w", "74"]).args(files).current_dir(folder);
    assert!(
        Command::new("ministat").arg("-h").output().is_ok(),
        "this test needs the program ministat; `cargo xtask setup` installs it"
    );
    finish(&mut command).stdout
}

#[test]
fn ministat_is_what_the_program_prints_for_the_raw_files() {
    let (place, result, _) = place_with_result();
    fs::create_dir(place.path("raw")).unwrap();
    let outcome = place.stowmark("report result.json --format ministat --raw raw");
    outcome.exits(0);
    let mut expected = String::new();
    let mut files = Vec::new();
    for case in &result.cases {
        for clock in ["wall", "cpu"] {
            let of_case: Vec<_> = case
                .engines
                .iter()
                .map(|engine| format!("{}-{}-{clock}.txt", engine.label, case.id))
                .collect();
            expected += &real_ministat(&place.path("raw"), &of_case);
            files.extend(of_case);
        }
    }
    assert_eq!(outcome.stdout, expected);
    files.sort();
    assert_eq!(names_in(&place.path("raw")), files);
    let samples = fs::read_to_string(place.path("raw").join(&files[0])).unwrap();
    assert_eq!(samples.lines().count(), 6);
    assert!(samples.lines().all(|line| line.parse::<f64>().is_ok_and(|s| s > 0.0 && s < 1.0)));
}

#[test]
fn ministat_tells_what_it_cannot_show() {
    let place = Place::in_memory();
    place.weigh("--engine memory --op put");
    let outcome = place.stowmark("report result.json --format ministat");
    outcome.refused_with(1, &["at least 3 samples", "--format table"]);
}

#[test]
fn csv_has_a_row_for_each_round() {
    let (place, result, _) = place_with_result();
    let outcome = place.stowmark("report result.json --format csv");
    outcome.exits(0);
    let mut rows = csv::Reader::from_reader(outcome.stdout.as_bytes());
    let heads = rows.headers().unwrap().clone();
    let column = |name: &str| heads.iter().position(|head| head == name).unwrap();
    let (wall, label) = (column("wall_ns"), column("label"));
    let rows: Vec<_> = rows.records().map(Result::unwrap).collect();
    let rounds: Vec<_> = result
        .cases
        .iter()
        .flat_map(|case| case.engines.iter().chain(&case.floor))
        .flat_map(|engine| engine.rounds.iter().map(move |round| (&engine.label, round)))
        .collect();
    // Two cases, three engines and the floor, two executions of three rounds.
    assert_eq!((rounds.len(), rows.len()), (2 * 4 * 6, 2 * 4 * 6));
    for (row, (of, round)) in rows.iter().zip(rounds) {
        assert_eq!((&row[label], &row[wall]), (of.as_str(), round.wall_ns.to_string().as_str()));
    }
}

#[test]
fn json_is_one_document_with_all_cases() {
    let (place, result, _) = place_with_result();
    let outcome = place.stowmark("report result.json --format json");
    outcome.exits(0);
    let report: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(report["schema"], "stowmark.report/1");
    assert_eq!(report["seed"], "7");
    assert_eq!(report["cases"].as_array().unwrap().len(), result.cases.len());
}

#[test]
fn markdown_has_a_row_for_each_engine_and_case() {
    let (place, _, _) = place_with_result();
    let outcome = place.stowmark("report result.json --format markdown");
    outcome.exits(0);
    assert!(outcome.stdout.starts_with("### blob-store: "), "{outcome}");
    let rows: Vec<_> =
        outcome.stdout.lines().filter(|line| line.starts_with("| put 1k |")).collect();
    assert_eq!(rows.len(), 3, "{outcome}");
    let columns = |row: &str| row.matches(" |").count();
    let head = outcome.stdout.lines().find(|line| line.starts_with("| case |")).unwrap();
    assert!(rows.iter().all(|row| columns(row) == columns(head)), "{outcome}");
}

/// The names of all keys; those of maps (errors by class, an engine's own storage figures) are free.
fn keys_of(value: &serde_json::Value, keys: &mut Vec<String>) {
    match value {
        serde_json::Value::Array(values) => values.iter().for_each(|value| keys_of(value, keys)),
        serde_json::Value::Object(object) => {
            for (key, value) in object {
                keys.push(key.clone());
                if key != "storage" {
                    keys_of(value, keys);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn every_key_of_the_json_report_is_documented() {
    let (place, _, _) = place_with_result();
    let outcome = place.stowmark("report result.json --format json");
    outcome.exits(0);
    let mut keys = Vec::new();
    keys_of(&serde_json::from_str(&outcome.stdout).unwrap(), &mut keys);
    assert!(keys.iter().any(|key| key == "median_ns"), "{outcome}");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/result-format.md");
    let page = fs::read_to_string(page).unwrap();
    for key in keys {
        assert!(page.contains(&format!("`{key}`")), "no {key} in docs/result-format.md");
    }
}

#[test]
fn a_result_file_that_is_none_is_told() {
    let place = Place::new();
    let says = |content: &[u8], words: &[&str]| {
        fs::write(place.path("r.json"), content).unwrap();
        place.stowmark("report r.json").refused_with(1, &["r.json is no Stowmark result"]);
        place.stowmark("report r.json").refused_with(1, words);
    };
    says(b"", &["it is no JSON"]);
    says(b"name = \"mine\"\n", &["it is no JSON"]);
    says(&[0x7f, b'E', b'L', b'F', 0xff, 0xfe], &["it is no JSON"]);
    says(b"[]", &["expected the object that a result is"]);
    says(b"{}", &["it names no schema", "stowmark.result/1"]);
    says(b"{\"schema\": \"other/9\"}", &["\"other/9\"", "stowmark.result/1"]);
    says(b"{\"schema\": \"stowmark.result/1\",\n \"cases\": 7}", &["line 2"]);
    place.stowmark("report none.json").refused_with(1, &["none.json", "No such file"]);
    place.stowmark("report .").refused_with(1, &["directory"]);
}

#[test]
fn a_truncated_result_is_told_with_the_place() {
    let place = Place::in_memory();
    place.weigh("--engine memory --op put");
    let whole = fs::read(place.path("result.json")).unwrap();
    fs::write(place.path("cut.json"), &whole[..whole.len() / 2]).unwrap();
    place.stowmark("report cut.json").refused_with(1, &["damaged", "line "]);
}

#[test]
fn keys_of_a_later_version_do_not_disturb() {
    let place = Place::in_memory();
    place.weigh("--engine memory --op put");
    let text = fs::read_to_string(place.path("result.json")).unwrap();
    let mut later: serde_json::Value = serde_json::from_str(&text).unwrap();
    later["new"] = "something".into();
    later["cases"][0]["new"] = 7.into();
    fs::write(place.path("later.json"), later.to_string()).unwrap();
    let table = |file: &str| place.stowmark(&format!("report {file}")).stdout;
    assert_eq!(table("later.json"), table("result.json"));
}

#[test]
fn an_unknown_format_is_told_with_the_nearest() {
    let place = Place::new();
    let words = ["unknown format \"tabel\"", "did you mean \"table\"?", "ministat, markdown, csv"];
    place.stowmark("report r.json --format tabel").refused_with(2, &words);
}

#[test]
fn a_place_where_no_report_can_be_is_told() {
    let place = Place::in_memory();
    place.weigh("--engine memory --op put");
    let refused = |flags: &str, code: i32, words: &[&str]| {
        place.stowmark(&format!("report result.json {flags}")).refused_with(code, words);
    };
    refused("--out none/x", 1, &["--out none/x", "the folder none does not exist"]);
    refused("--out .", 1, &["is a folder"]);
    refused("--out /proc/x", 1, &["cannot write /proc/x"]);
    refused("--raw none", 1, &["--raw none", "does not exist"]);
    refused("--raw result.json", 1, &["--raw result.json", "no folder"]);
    let before = fs::read(place.path("result.json")).unwrap();
    refused("--out ./result.json", 2, &["the result file itself"]);
    assert_eq!(fs::read(place.path("result.json")).unwrap(), before);
    assert_eq!(place.files(), ["result.json"]);
}
