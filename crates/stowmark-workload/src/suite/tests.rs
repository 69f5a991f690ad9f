//! Suite files: what they may say, and what is said of their mistakes.

use super::*;
use crate::suggest::nearest;
use proptest::prelude::*;

const VALID: &str = r#"
name = "mine"
title = "My own"
model = "blobs"

[workload]
op = ["put", "get"]
size = ["1k", 2048]

[options]
chunk = "512k"
cache = 64
sync = true

[published]
op = ["put"]
rounds = 20
ops = 1

[[published.figure]]
op = "put"
size = "1k"
clock = "wall"
engine = "redb"
mean-s = 0.5

[[published.difference]]
op = "put"
size = "1k"
clock = "wall"
engine = "redb"
baseline = "null"
percent = -20
plus-minus-percent = 1.5
confidence-percent = 99
"#;

#[test]
fn what_a_file_leaves_out_is_as_by_default() {
    let workload = Suite::parse("mine.toml", VALID).unwrap().workload;
    assert_eq!(
        workload,
        Workload {
            op: vec![Op::Put, Op::Get],
            size: vec![1024, 2048],
            data: PayloadKind::Text,
            key_order: KeyOrder::Random,
            executions: 5,
            rounds: 6,
            clients: 1,
            ops: None,
            verify: Verify::Full,
        }
    );
}

#[test]
fn options_are_kept_as_they_are_typed_for_an_engine() {
    let options = Suite::parse("mine.toml", VALID).unwrap().options;
    let options: Vec<(&str, &str)> =
        options.iter().map(|(key, value)| (&**key, &**value)).collect();
    assert_eq!(options, [("cache", "64"), ("chunk", "512k"), ("sync", "true")]);
}

#[test]
fn published_settings_stand_in_for_the_suites_own() {
    let suite = Suite::parse("mine.toml", VALID).unwrap();
    let published = suite.published.unwrap();
    assert_eq!(
        published.workload,
        Workload { op: vec![Op::Put], rounds: 20, ops: Some(1), ..suite.workload }
    );
    assert_eq!(published.figures[0].mean_s, 0.5);
    assert_eq!(published.differences[0].percent, -20.0);
    assert_eq!(published.differences[0].baseline, "null");
}

/// Replaces a piece of the valid file and expects this message, which begins with the place.
#[track_caller]
fn check(from: &str, to: &str, expected: &str) {
    assert!(VALID.contains(from), "{from:?} is not in the file");
    let text = VALID.replacen(from, to, 1);
    let message = match Suite::parse("mine.toml", &text) {
        Ok(_) => "no mistake was found".to_owned(),
        Err(error) => error.to_string(),
    };
    assert!(message.starts_with(expected), "\n     got: {message}\nexpected: {expected}");
    assert_eq!(message.lines().count(), 1, "{message}");
}

#[test]
fn a_wrong_key_is_told_with_its_place_and_the_nearest() {
    check(
        "size = [",
        "szie = [",
        "mine.toml:8:1: unknown key \"szie\" in [workload]; did you mean \"size\"? Valid: op, size,",
    );
    check(
        "model =",
        "modle =",
        "mine.toml:4:1: unknown key \"modle\" in the suite; did you mean \"model\"?",
    );
    check(
        "percent = -20",
        "per-cent = -20",
        "mine.toml:33:1: unknown key \"per-cent\" in [published.difference]; did you mean \"percent\"?",
    );
    check(
        "rounds = 20",
        "notes = \"x\"",
        "mine.toml:17:1: unknown key \"notes\" in [published]; did you mean \"note\"?",
    );
}

#[test]
fn a_missing_key_is_told_with_its_table() {
    check("name = \"mine\"", "", "mine.toml:1:1: the suite lacks the key \"name\"");
    check(
        "model = \"blobs\"",
        "",
        "mine.toml:1:1: the suite lacks the key \"model\"; valid: blobs, records",
    );
    check(
        "op = [\"put\", \"get\"]",
        "",
        "mine.toml:6:1: [workload] lacks the key \"op\"; valid: put, get, delete",
    );
    check("mean-s = 0.5", "", "mine.toml:20:1: [published.figure] lacks the key \"mean-s\"");
}

#[test]
fn a_wrong_word_is_told_with_its_place_and_the_nearest() {
    check(
        "\"get\"]",
        "\"gte\"]",
        "mine.toml:7:14: workload.op: unknown operation \"gte\"; did you mean \"get\"? Valid: put, get, delete",
    );
    check(
        "\"blobs\"",
        "\"blob\"",
        "mine.toml:4:9: model: unknown model \"blob\"; did you mean \"blobs\"?",
    );
    check(
        "clock = \"wall\"",
        "clock = \"cpu\"",
        "mine.toml:23:9: published.figure.clock: unknown clock \"cpu\"; did you mean \"cpu-client\"?",
    );
    check(
        "size = [\"1k\"",
        "data = \"txt\"\nsize = [\"1k\"",
        "mine.toml:8:8: workload.data: unknown payload \"txt\"; did you mean \"text\"?",
    );
    check(
        "size = [\"1k\"",
        "key-order = \"sequentiel\"\nsize = [\"1k\"",
        "mine.toml:8:13: workload.key-order: unknown key order \"sequentiel\"; did you mean \"sequential\"?",
    );
    check(
        "size = [\"1k\"",
        "verify = \"some\"\nsize = [\"1k\"",
        "mine.toml:8:10: workload.verify: unknown verification \"some\"",
    );
}

#[test]
fn a_wrong_size_is_told_with_its_place() {
    check(
        "\"1k\", 2048",
        "\"1k\", \"2x\"",
        "mine.toml:8:15: workload.size: size \"2x\" has the unknown unit \"x\"",
    );
    check("2048]", "0]", "mine.toml:8:15: workload.size is 0, but must be at least 1");
    check("2048]", "-1]", "mine.toml:8:15: workload.size is -1, but must be at least 1");
    check(
        "2048]",
        "1.5]",
        "mine.toml:8:15: workload.size takes a size such as \"10k\", not the number 1.5",
    );
}

#[test]
fn empty_lists_and_repeated_values_are_refused() {
    check("[\"1k\", 2048]", "[]", "mine.toml:8:8: workload.size is an empty list");
    check("[\"put\", \"get\"]", "[]", "mine.toml:7:6: workload.op is an empty list");
    check("2048]", "\"1KiB\"]", "mine.toml:8:15: workload.size names \"1KiB\" twice");
    check("\"get\"]", "\"put\"]", "mine.toml:7:14: workload.op names \"put\" twice");
}

#[test]
fn counts_begin_at_one_and_fit_their_type() {
    check(
        "rounds = 20",
        "rounds = 0",
        "mine.toml:17:10: published.rounds is 0, but must be at least 1",
    );
    check("ops = 1", "ops = 0", "mine.toml:18:7: published.ops is 0");
    for key in ["executions", "rounds", "clients", "ops"] {
        for wrong in ["0", "-1", "99999999999999999999999"] {
            check(
                "size = [\"1k\"",
                &format!("{key} = {wrong}\nsize = [\"1k\""),
                &format!(
                    "mine.toml:8:{}: workload.{key} is {wrong}, but must be at {}",
                    key.len() + 4,
                    if wrong.len() < 3 { "least 1" } else { "most " }
                ),
            );
        }
    }
    check(
        "rounds = 20",
        "rounds = \"20\"",
        "mine.toml:17:10: published.rounds takes a whole number, without quotes, not the text \"20\"",
    );
    check("rounds = 20", "rounds = 2.5", "mine.toml:17:10: published.rounds takes a whole number");
}

#[test]
fn values_of_another_type_are_refused() {
    check(
        "name = \"mine\"",
        "name = 3",
        "mine.toml:2:8: name takes a text in quotes, not the whole number 3",
    );
    check(
        "name = \"mine\"",
        "name = \"My suite\"",
        "mine.toml:2:8: name is \"My suite\", but a name is of lower-case",
    );
    check("title = \"My own\"", "title = \" \"", "mine.toml:3:9: title is empty");
    check(
        "op = [\"put\", \"get\"]",
        "op = \"put\"",
        "mine.toml:7:6: workload.op takes a list such as",
    );
    check(
        "sync = true",
        "sync = [1]",
        "mine.toml:13:8: options.sync takes a text, a number, true or false, not a list",
    );
    check("[options]", "[options.redb]", "mine.toml:10:1: options.redb takes a text");
    check(
        "[[published.figure]]",
        "[published.figure]",
        "mine.toml:20:1: published.figure takes tables under [[published.figure]], not a table",
    );
}

#[test]
fn published_rows_must_make_sense() {
    check(
        "mean-s = 0.5",
        "mean-s = 0",
        "mine.toml:25:10: published.figure.mean-s is 0, but must be above 0",
    );
    check("mean-s = 0.5", "mean-s = nan", "mine.toml:25:10: published.figure.mean-s is nan");
    check(
        "confidence-percent = 99",
        "confidence-percent = 100",
        "mine.toml:35:22: published.difference.confidence-percent is 100",
    );
    check(
        "baseline = \"null\"",
        "baseline = \"redb\"",
        "mine.toml:32:12: published.difference.baseline is \"redb\", the engine itself",
    );
    check(
        "op = \"put\"",
        "op = \"get\"",
        "mine.toml:21:6: published.figure.op is get, which the published workload does not have; it has put",
    );
    check(
        "size = \"1k\"",
        "size = \"3k\"",
        "mine.toml:22:8: published.figure.size is 3k, which the published workload does not have; it has 1k, 2k",
    );
    let (row, _) = VALID.split_once("[[published.difference]]").unwrap();
    let (_, row) = row.split_once("[[published.figure]]").unwrap();
    check(
        "[[published.difference]]",
        &format!("[[published.figure]]{row}[[published.difference]]"),
        "mine.toml:27:1: published.figure names put 1k of redb by wall twice",
    );
}

#[test]
fn what_is_no_toml_is_told_with_its_place() {
    check("name = \"mine\"", "name = mine\"", "mine.toml:2:");
    check(
        "name = \"mine\"",
        "name = \"a\"\nname = \"b\"",
        "mine.toml:3:1: this is not valid TOML: duplicate key, at `name`",
    );
    check("[workload]", "[workload", "mine.toml:6:");
    check("rounds = 20", "rounds =", "mine.toml:17:");
}

#[test]
fn columns_count_characters() {
    check(
        "name = \"mine\"",
        "name = \"mine\" # ö\n\"\u{e4}\u{f6}\" = 1",
        "mine.toml:3:1: unknown key \"äö\"",
    );
    check(
        "op = [\"put\", \"get\"]",
        "op = [\"p\u{fc}t\", \"get\"]",
        "mine.toml:7:7: workload.op: unknown operation \"püt\"; did you mean \"put\"?",
    );
    check(
        "size = [\"1k\", 2048]",
        "size = [\"1k\", 2048, \"\u{fc}\", \"1x\"]",
        "mine.toml:8:21: workload.size: \"ü\" is no size",
    );
}

#[test]
fn windows_line_ends_do_not_move_the_place() {
    let text = VALID.replace("size = [", "szie = [").replace('\n', "\r\n");
    let error = Suite::parse("mine.toml", &text).unwrap_err().to_string();
    assert!(error.starts_with("mine.toml:8:1: unknown key"), "{error}");
}

/// The ```toml blocks of the page about suite files.
fn documented() -> Vec<String> {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/suites.md");
    let page = std::fs::read_to_string(page).unwrap();
    let blocks = page.split("\n```toml\n").skip(1);
    blocks.map(|block| block.split("\n```").next().unwrap().to_owned() + "\n").collect()
}

#[test]
fn every_suite_that_is_documented_can_be_read_and_the_first_has_every_key() {
    let blocks = documented();
    assert!(!blocks.is_empty(), "the page has an example");
    for block in &blocks {
        if let Err(error) = Suite::parse("suites.md", block) {
            panic!("{error} in\n{block}");
        }
    }
    for key in parse::all_keys() {
        let sets = |line: &str| {
            line.trim_start_matches("# ").starts_with(&format!("{key} = "))
                || line.trim_matches(['[', ']']).split('.').next_back() == Some(key)
        };
        assert!(blocks[0].lines().any(sets), "the example lacks {key}");
    }
}

#[test]
fn what_the_page_calls_a_default_is_one() {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/suites.md");
    let page = std::fs::read_to_string(page).unwrap();
    let workload = Suite::parse("mine.toml", VALID).unwrap().workload;
    let defaults = [
        ("data", workload.data.to_string()),
        ("key-order", workload.key_order.to_string()),
        ("executions", workload.executions.to_string()),
        ("rounds", workload.rounds.to_string()),
        ("clients", workload.clients.to_string()),
        ("verify", workload.verify.to_string()),
    ];
    for (key, value) in defaults {
        let row = page.lines().find(|line| line.starts_with(&format!("| `{key}` |"))).unwrap();
        assert!(row.contains(&format!("| `{value}` |")), "{key} is {value} by default: {row}");
    }
}

#[test]
fn built_in_suites_are_read_and_named_as_their_files() {
    assert_eq!(builtin().len(), 1);
    let suite = builtin_suite("blob-store").unwrap();
    assert_eq!(suite.workload.size, [1 << 10, 10 << 10, 1 << 20, 10 << 20]);
    assert_eq!(suite.options["chunk"], "512k");
}

#[test]
fn the_published_blob_benchmark_is_whole() {
    let published = builtin_suite("blob-store").unwrap().published.as_ref().unwrap();
    let workload = &published.workload;
    assert_eq!((workload.executions, workload.rounds, workload.ops), (1, 20, Some(1)));
    assert_eq!(workload.size.len(), 5);
    assert_eq!(published.figures.len(), 10);
    assert_eq!(published.differences.len(), 5);
    // The published differences follow from the published means: a slip of the pen would show.
    for difference in &published.differences {
        let mean = |engine: &str| {
            let mut figures = published.figures.iter();
            let figure =
                figures.find(|figure| figure.engine == engine && figure.size == difference.size);
            figure.unwrap().mean_s
        };
        let percent = 100.0 * (mean(&difference.engine) / mean(&difference.baseline) - 1.0);
        assert!((percent - difference.percent).abs() < 0.06, "{difference:?}: {percent}");
    }
}

#[test]
fn an_unknown_suite_names_the_nearest_and_the_way_to_a_file() {
    let error = find("blobstore").unwrap_err().to_string();
    assert!(error.contains("did you mean \"blob-store\"?"), "{error}");
    assert!(error.contains("--suite ./FILE.toml"), "{error}");
    assert!(nearest("blobstore", &["blob-store"]).is_some());
}

#[test]
fn a_suite_file_is_found_by_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let text_path = path.to_str().unwrap();
    let error = find(text_path).unwrap_err();
    assert!(matches!(error, SuiteError::Read { .. }), "{error}");
    std::fs::write(&path, VALID).unwrap();
    assert_eq!(find(text_path).unwrap().name, "mine");
    std::fs::write(&path, "name = 1").unwrap();
    let error = find(text_path).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{text_path}:1:8: ")), "{error}");
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(
        at in 0..VALID.len(), removed in 0_usize..20, inserted in "[ -~\u{e4}\n]{0,8}",
    ) {
        let end = (at + removed).min(VALID.len());
        let text = format!("{}{inserted}{}", &VALID[..at], &VALID[end..]);
        if let Err(error) = Suite::parse("mine.toml", &text) {
            let message = error.to_string();
            prop_assert!(message.starts_with("mine.toml:"), "{}", message);
            prop_assert_eq!(message.lines().count(), 1, "{}", message);
        }
    }
}
