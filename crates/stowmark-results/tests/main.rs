//! The pages about results say what the code does: every key of the schema, with its type and whether it
//! may be absent, and every kind of warning. The sources are read as text, since a serialised value
//! shows neither types nor what was left out.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use stowmark_results::{RunResult, SCHEMA};

/// Struct by struct, each key with its type in the page's words: `integer?` where it may be absent.
type Keys = BTreeMap<String, BTreeMap<String, String>>;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn page(name: &str) -> String {
    text(&here("../../docs").join(name))
}

fn keys_of_the_schema() -> Keys {
    let mut keys = Keys::new();
    for file in fs::read_dir(here("src/schema")).unwrap() {
        let mut of_struct = None;
        let mut may_be_absent = false;
        for line in text(&file.unwrap().path()).lines().map(str::trim) {
            if let Some(name) = line.strip_prefix("pub struct ") {
                of_struct = Some(name.trim_end_matches(" {").to_owned());
            } else if line == "}" {
                of_struct = None;
            } else if line.contains("skip_serializing_if") {
                may_be_absent = true;
            } else if let (Some(name), Some(field)) = (&of_struct, line.strip_prefix("pub ")) {
                let (key, rust_type) = field.trim_end_matches(',').split_once(": ").unwrap();
                let mark = if std::mem::take(&mut may_be_absent) { "?" } else { "" };
                if key != "extra" {
                    let word = word(rust_type) + mark;
                    keys.entry(name.clone()).or_default().insert(key.to_owned(), word);
                }
            }
        }
    }
    keys
}

/// The page's word for a type of a field.
fn word(rust_type: &str) -> String {
    let inside = |outer: &str| rust_type.strip_prefix(outer)?.strip_suffix('>');
    if let Some(inner) = inside("Option<") {
        return word(inner);
    }
    if let Some(inner) = inside("Vec<") {
        return format!("list of {}", word(inner));
    }
    if let Some(inner) = inside("BTreeMap<String, ") {
        return format!("map to {}", word(inner));
    }
    match rust_type {
        "u64" | "u32" => "integer",
        "f64" => "number",
        "bool" => "boolean",
        "String" | "Status" => "text",
        of_ours => of_ours,
    }
    .to_owned()
}

/// The tables of the page that stand under a heading of the third rank.
fn keys_of_the_page(page: &str) -> Keys {
    let mut keys = Keys::new();
    let mut of_struct = None;
    for line in page.lines() {
        if line.starts_with('#') {
            of_struct = line.strip_prefix("### ").map(str::to_owned);
        } else if let (Some(name), Some((key, word))) = (&of_struct, row(line)) {
            keys.entry(name.clone()).or_default().insert(key, word);
        }
    }
    keys
}

/// The first two cells of a table's row, if the first is a key in backticks.
fn row(line: &str) -> Option<(String, String)> {
    let mut cells = line.strip_prefix("| ")?.split(" | ");
    let key = cells.next()?.strip_prefix('`')?.strip_suffix('`')?;
    Some((key.to_owned(), cells.next()?.to_owned()))
}

#[test]
fn the_page_has_every_key_of_the_schema_with_its_type_and_no_other() {
    let schema = keys_of_the_schema();
    assert!(schema["Round"].len() > 10, "the schema was not found: {schema:?}");
    let page = keys_of_the_page(&page("result-format.md"));
    let structs = |keys: &Keys| keys.keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(structs(&page), structs(&schema));
    for (name, keys) in &schema {
        assert_eq!(&page[name], keys, "the table of {name} in docs/result-format.md");
    }
}

/// A key of the excerpt that the schema lacks would be kept as one of a later version; a value of
/// another type would not be read at all.
#[test]
fn the_excerpt_is_a_result_and_has_no_key_that_the_schema_lacks() {
    let page = page("result-format.md");
    let (_, after) = page.split_once("```json\n").expect("the page shows an excerpt");
    let (excerpt, _) = after.split_once("```").expect("the excerpt ends");
    let result: RunResult = serde_json::from_str(excerpt).unwrap();
    assert_eq!(result.schema, SCHEMA);
    assert!(!result.cases[0].verdicts.is_empty() && !result.warnings.is_empty());

    let known: BTreeSet<String> =
        keys_of_the_schema().into_values().flat_map(BTreeMap::into_keys).collect();
    let mut unknown = BTreeSet::new();
    collect_keys(&serde_json::from_str(excerpt).unwrap(), &mut unknown);
    // Two maps have keys of the engine's own.
    let round = &result.cases[0].engines[0];
    let free = round.storage.iter().flat_map(|storage| storage.engine.keys());
    let free = free.chain(result.engines.iter().flat_map(|engine| engine.options.keys()));
    let free: BTreeSet<&String> = free.collect();
    unknown.retain(|key| !known.contains(key) && !free.contains(key));
    assert_eq!(unknown, BTreeSet::new());
}

fn collect_keys(value: &serde_json::Value, keys: &mut BTreeSet<String>) {
    match value {
        serde_json::Value::Object(members) => {
            for (key, value) in members {
                keys.insert(key.clone());
                collect_keys(value, keys);
            }
        }
        serde_json::Value::Array(elements) => {
            elements.iter().for_each(|element| collect_keys(element, keys));
        }
        _ => {}
    }
}

#[test]
fn the_methodology_lists_every_kind_of_warning_and_no_other() {
    let source = text(&here("src/warning.rs"));
    let kinds = source.lines().filter_map(|line| {
        let (variant, kind) = line.trim().split_once(" => \"")?;
        variant.starts_with("Self::").then(|| kind.trim_end_matches("\",").to_owned())
    });
    // Only kinds are single words in a match's arm; other texts have spaces.
    let kinds: BTreeSet<String> = kinds.filter(|kind| !kind.contains(' ')).collect();
    assert!(kinds.len() > 10, "the kinds were not found: {kinds:?}");

    let page = page("methodology.md");
    let (_, section) = page.split_once("\n## Warnings\n").expect("the page has its section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let listed: BTreeSet<String> = section.lines().filter_map(row).map(|(kind, _)| kind).collect();
    assert_eq!(listed, kinds, "the table of warnings in docs/methodology.md");
}
