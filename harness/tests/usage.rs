//! Wrong usage: found before anything starts, told in one short message that names what is valid,
//! and without a trace in the folder.

use std::fs;

use crate::support::Place;

/// `stowmark LINE` is refused with that code by a message that holds the words, and leaves nothing.
#[track_caller]
fn check(line: &str, code: i32, words: &[&str]) {
    let place = Place::new();
    place.stowmark(line).refused_with(code, words);
    assert_eq!(place.files(), [""; 0], "stowmark {line}");
}

#[test]
fn an_unknown_engine_is_told_with_the_nearest_and_all() {
    check("run --engine redbb", 2, &["no engine redbb", "Did you mean redb?", "filesystem, "]);
    check("run --engine redb --engine quite-another", 2, &["quite-another", "stowmark list"]);
    check("info filesytem", 2, &["no engine filesytem", "Did you mean filesystem?"]);
}

#[test]
fn an_engine_spec_of_another_form_is_told_with_the_form() {
    for spec in
        ["=redb", "a=b=c", "redb@", "redb:cache", "redb:cache=1M,cache=2M", "a/b=redb", "x y"]
    {
        let place = Place::new();
        let outcome = crate::support::finish(place.command().args(["run", "--engine", spec]));
        outcome.refused_with(2, &["[LABEL=]ENGINE[@PLUGIN_FILE][:key=value,...]"]);
    }
    check("info big=redb", 2, &["ENGINE@PLUGIN_FILE"]);
    check("info redb:cache=1M", 2, &["ENGINE@PLUGIN_FILE"]);
}

#[test]
fn an_unknown_option_of_an_engine_is_told_with_the_nearest_and_all() {
    let words = ["engine redb", "\"cach\"", "did you mean \"cache\"?", "two-phase-commit"];
    check("run --engine redb:cach=1M", 2, &words);
    check("run --engine memory:cache=1M", 2, &["engine memory has no options"]);
}

#[test]
fn a_value_that_an_option_cannot_take_is_told_with_what_it_takes() {
    check("run --engine redb:cache=lots", 2, &["option cache of engine redb", "64KiB"]);
    check("run --engine redb:cache=1k", 2, &["1k is below the least, 1M"]);
    check("run --engine redb:cache=1T", 2, &["1T is above the most, 256G"]);
    check("run --engine redb:quick-repair=yes", 2, &["neither true nor false"]);
    check("run --engine null:delay=5", 2, &["option delay of engine null", "unit"]);
    check("run --engine null:fail-every=some", 2, &["whole number"]);
    let words = ["unknown value \"panik\"", "did you mean \"panic\"?", "hang-open"];
    check("run --engine faults:fault=panik", 2, &words);
}

#[test]
fn a_size_or_a_duration_that_cannot_be_read_is_told_with_examples() {
    check("run --size 10q", 2, &["\"10q\"", "64KiB"]);
    check("run --size 1k,", 2, &["--size"]);
    check("run --size 0", 2, &["at least one byte"]);
    check("run --size 1k,1024", 2, &["--size names 1k twice"]);
    check("run --timeout 5", 2, &["lacks its unit", "500ms"]);
    check("run --timeout 0", 2, &["lacks its unit", "500ms"]);
    check("run --timeout 0s", 2, &["longer than nothing"]);
}

#[test]
fn a_tier_that_is_unknown_or_cannot_be_honoured_is_told_with_those_that_can() {
    let words = ["unknown tier \"medai\"", "did you mean \"media\"?", "acknowledged, os, media"];
    check("run --durability medai", 2, &words);
    let words =
        ["engine redb cannot honour tier os", "acknowledged, media; all of the engines have media"];
    check("run --durability os", 2, &words);
    let words = ["no tier that all", "memory has acknowledged", "--durability default"];
    check("run --engine filesystem --engine memory", 2, &words);
}

#[test]
fn an_unknown_suite_is_told_with_the_nearest() {
    let words = ["unknown suite \"blob-stor\"", "did you mean \"blob-store\"?", "./FILE.toml"];
    check("run --suite blob-stor", 2, &words);
    check("suites --show blob-stor", 2, &["did you mean \"blob-store\"?"]);
}

#[test]
fn a_suite_file_that_is_missing_or_no_file_is_named() {
    check("run --suite mine.toml", 2, &["mine.toml", "No such file"]);
    check("run --suite ./", 2, &["./", "directory"]);
}

/// A suite file with that text is refused at that place, with these words.
#[track_caller]
fn check_suite(text: &str, place_in_file: &str, words: &[&str]) {
    let place = Place::new();
    fs::write(place.path("mine.toml"), text).unwrap();
    let outcome = place.stowmark("run --suite mine.toml");
    outcome.refused_with(2, &[format!("mine.toml:{place_in_file}: ").as_str()]);
    outcome.refused_with(2, words);
    assert_eq!(place.files(), ["mine.toml"]);
}

const SUITE: &str = "name = \"mine\"\ntitle = \"Mine\"\nmodel = \"blobs\"\n\n[workload]\n";

#[test]
fn a_mistake_in_a_suite_file_is_told_with_line_and_column() {
    check_suite("name = \"mine\n", "1:13", &["not valid TOML"]);
    let workload = |lines: &str| format!("{SUITE}{lines}\n");
    let sizes = workload("op = [\"put\"]\nsizes = [\"1k\"]");
    check_suite(&sizes, "7:1", &["unknown key \"sizes\"", "did you mean \"size\"?", "key-order"]);
    let op = workload("op = [\"put\", \"gett\"]\nsize = [\"1k\"]");
    check_suite(&op, "6:14", &["workload.op", "did you mean \"get\"?", "delete"]);
    let rounds = workload("op = [\"put\"]\nsize = [\"1k\"]\nrounds = 0");
    check_suite(&rounds, "8:10", &["workload.rounds is 0"]);
    check_suite(&workload("op = [\"put\"]\nsize = 7"), "7:8", &["workload.size"]);
    check_suite(&SUITE.replace("model = \"blobs\"\n", ""), "1:1", &["\"model\"; valid: blobs"]);
}

#[test]
fn an_option_of_a_suite_file_that_no_engine_has_is_told_with_the_nearest() {
    let place = Place::new();
    let text = format!("{SUITE}op = [\"put\"]\nsize = [\"1k\"]\n[options]\nchnk = \"64k\"\n");
    fs::write(place.path("mine.toml"), text).unwrap();
    let words = ["suite mine, [options]", "\"chnk\"", "did you mean \"chunk\"?", "fanout"];
    place.stowmark("run --suite mine.toml").refused_with(2, &words);
    assert_eq!(place.files(), ["mine.toml"]);
}

#[test]
fn a_suite_of_records_is_refused_for_now() {
    let place = Place::new();
    let text = "name = \"mine\"\ntitle = \"Mine\"\nmodel = \"records\"\n\n[workload]\nop = [\"put\"]\n\
                size = [\"1k\"]\n";
    fs::write(place.path("mine.toml"), text).unwrap();
    place.stowmark("run --suite mine.toml").refused_with(2, &["records", "cannot measure yet"]);
}

#[test]
fn two_engines_of_one_label_are_refused_with_a_way_out() {
    let words = ["two engines are labelled redb", "--engine redb2=redb"];
    check("run --engine redb --engine redb", 2, &words);
    check("run --engine a=redb --engine a=filesystem", 2, &["two engines are labelled a"]);
}

#[test]
fn a_word_that_a_flag_does_not_know_is_told_with_those_that_it_does() {
    check("run --op putt", 2, &["\"putt\"", "did you mean \"put\"?", "put, get, delete"]);
    check("run --op put,put", 2, &["--op names put twice"]);
    check("run --data txt", 2, &["did you mean \"text\"?", "ratio:0.5, file:PATH"]);
    check("run --data ratio:7", 2, &["at most 1"]);
    check("run --order sequental", 2, &["did you mean \"sequential\"?", "interleaved"]);
    check("run --key-order randum", 2, &["did you mean \"random\"?", "sequential"]);
    check("run --verify al", 2, &["full, none"]);
    check("run --baseline rdb", 2, &["did you mean \"redb\"?", "redb, filesystem"]);
    check("completions bsh", 2, &["bash", "fish"]);
}

#[test]
fn a_payload_file_that_cannot_be_stored_is_told_before_the_run() {
    check("run --data file:none", 2, &["payload file none", "No such file"]);
    check("run --data file:", 2, &["lacks its path"]);
    check("run --data file:.", 2, &["payload file .", "directory"]);
    let place = Place::new();
    fs::write(place.path("empty"), "").unwrap();
    place.stowmark("run --data file:empty").refused_with(2, &["is empty"]);
}

#[test]
fn a_number_that_makes_no_sense_is_told_with_the_range() {
    for flag in ["--rounds", "--executions", "--clients", "--ops"] {
        for value in ["0", "-1", "many", "1.5", "99999999999999999999"] {
            check(&format!("run {flag} {value}"), 2, &[flag, "whole number from 1"]);
        }
    }
    check("run --seed x", 2, &["--seed", "whole number from 0"]);
    for value in ["2", "1", "0.5", "x", "NaN", "-1", "inf"] {
        check(&format!("run --confidence {value}"), 2, &["--confidence", "between 0.5 and 1"]);
    }
    check("run --clients 5000", 2, &["--clients 5000: at most 1024"]);
    check("run --ops 2 --clients 3", 2, &["--ops 2", "3 clients"]);
}

#[test]
fn published_is_refused_for_a_suite_that_follows_nothing() {
    let place = Place::new();
    fs::write(place.path("mine.toml"), format!("{SUITE}op = [\"put\"]\nsize = [\"1k\"]\n"))
        .unwrap();
    let outcome = place.stowmark("run --suite mine.toml --published");
    outcome.refused_with(2, &["suite mine", "leave out --published"]);
}

#[test]
fn an_unknown_flag_or_command_is_told_with_the_nearest() {
    check("run --roundz 3", 2, &["--roundz", "'--rounds'"]);
    check("run extra", 2, &["'extra'", "'--engine extra'", "--help"]);
    check("run --rounds 3 redb filesystem", 2, &["'redb'", "'--engine redb'"]);
    check("run blob-store", 2, &["'--suite blob-store'"]);
    check("run ./mine.toml", 2, &["'--suite ./mine.toml'"]);
    check("rum", 2, &["'rum'", "'run'"]);
    check("list --jsn", 2, &["'--json'"]);
    check("info", 2, &["<ENGINE>"]);
    check("report", 2, &["<RESULT>"]);
}

#[test]
fn without_a_command_the_help_is_shown_and_the_code_is_usage() {
    let outcome = Place::new().stowmark("");
    outcome.exits(2);
    assert_eq!(outcome.stdout, "");
    assert!(outcome.stderr.contains("Usage: stowmark <COMMAND>"), "{outcome}");
}

#[test]
fn a_folder_of_plugins_that_is_missing_is_told_by_every_command() {
    for command in ["run", "list", "info redb"] {
        let line = format!("{command} --plugin-dir nowhere");
        check(&line, 2, &["--plugin-dir nowhere", "no such folder"]);
    }
}

#[test]
fn a_result_that_could_not_be_written_is_told_before_the_run() {
    check("run --out none/r.json", 1, &["none/r.json", "the folder none does not exist"]);
    check("run --out ./", 1, &["./", "is a folder"]);
    check("run --out not-there/", 1, &["not-there/", "is a folder"]);
    check("run --out /dev/null", 1, &["/dev/null", "no regular file"]);
    let words = ["cannot write the result /proc/r.json: ", "--out FILE"];
    check("run --out /proc/r.json", 1, &words);
    check("run --out /proc/none/r.json", 1, &["the folder /proc/none does not exist"]);
}

#[test]
fn a_data_folder_that_cannot_be_made_is_told_with_the_flag() {
    check("run --data-dir /proc/none", 1, &["/proc/none", "--data-dir DIR"]);
    check("run --data-dir /dev/null/x", 1, &["/dev/null/x", "Not a directory", "--data-dir DIR"]);
    let place = Place::new();
    fs::write(place.path("file"), "").unwrap();
    place.stowmark("run --data-dir file").refused_with(1, &["data folder file", "--data-dir DIR"]);
    assert_eq!(place.files(), ["file"]);
}

#[test]
fn two_runs_in_one_data_folder_would_disturb_each_other() {
    let place = Place::new();
    // Longer than the second run takes to be refused; it is ended below.
    let mut first = place.start("--rounds 1000 --executions 1000");
    let lock = place.path("stowmark-data/.stowmark.lock");
    first.until("the lock", || fs::read(&lock).is_ok_and(|owner| !owner.is_empty()));
    let second = place.run("--out second.json");
    let words = ["in use by another run", &format!("process {}", first.pid()), "--data-dir DIR"];
    second.refused_with(1, &words);
    assert!(!place.path("second.json").exists());
    first.signal("TERM");
    first.wait().exits(143);
    place.is_clean();
}
