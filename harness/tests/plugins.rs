//! Files that are no usable plugins: named by `--engine ENGINE@FILE` they end the run before it
//! begins, with one line and no trace; in a folder of plugins they are listed with their reason.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::libraries::{
    ABI_MAJOR_AT, c_library, c_manifest, changed, manifest_json, set_header,
};
use crate::support::{Place, library};

/// Makes one wrong file at that path.
type Make = fn(&Path);

/// What may be wrong with a file, how to make it, and words of the message.
const WRONG: [(&str, Make, &[&str]); 9] = [
    ("text", |path| fs::write(path, "just some words\n").unwrap(), &["text file"]),
    ("empty", |path| fs::write(path, "").unwrap(), &["empty file"]),
    ("folder", |path| fs::create_dir(path).unwrap(), &["a folder"]),
    (
        "truncated",
        |path| changed(&library("null"), path, |bytes| bytes.truncate(bytes.len() / 2)),
        &["truncated", "bytes"],
    ),
    (
        "other-cpu",
        |path| changed(&library("null"), path, |bytes| bytes[18..20].copy_from_slice(&OTHER_CPU)),
        &[std::env::consts::ARCH],
    ),
    (
        "plain",
        |path| plain_library(path, "int answer(void) { return 42; }", &[]),
        &["no Stowmark plugin"],
    ),
    (
        "newer-abi",
        |path| changed(&library("null"), path, |bytes| set_header(bytes, ABI_MAJOR_AT, 7)),
        &["ABI 7.0", "update stowmark"],
    ),
    (
        "older-abi",
        |path| changed(&library("null"), path, |bytes| set_header(bytes, ABI_MAJOR_AT, 0)),
        &["ABI 0.0", "update the plugin"],
    ),
    (
        "damaged",
        |path| changed(&library("null"), path, |bytes| manifest_json(bytes)[0] = b'['),
        &["manifest"],
    ),
];

/// The number in an ELF file of a machine that this is not.
const OTHER_CPU: [u8; 2] = u16::to_le_bytes(if cfg!(target_arch = "aarch64") { 62 } else { 183 });

/// A library made from C, at that very path.
fn plain_library(path: &Path, source: &str, arguments: &[&str]) {
    let folder = path.parent().unwrap();
    fs::rename(c_library(folder, "made", source, arguments), path).unwrap();
}

#[test]
fn a_named_file_that_is_no_plugin_ends_the_run_before_it_begins() {
    for (what, make, words) in WRONG {
        let place = Place::new();
        let file = format!("{what}.so");
        make(&place.path(&file));
        for line in ["run --engine filesystem --engine x=null@", "info null@"] {
            let outcome = place.stowmark(&format!("{line}{file}"));
            outcome.refused_with(1, &[&file]);
            outcome.refused_with(1, words);
            assert_eq!(outcome.stderr.lines().count(), 1, "{outcome}");
        }
        assert_eq!(place.files(), [file]);
    }
    let place = Place::new();
    place.stowmark("run --engine null@none.so").refused_with(1, &["none.so", "No such file"]);
    assert_eq!(place.files(), [""; 0]);
}

#[test]
fn the_only_file_with_an_engine_tells_why_it_is_unusable() {
    let place = Place::without_plugins();
    fs::copy(library("null"), place.path("bin/libstowmark_null.so")).unwrap();
    let redb = place.path("bin/libstowmark_redb.so");
    changed(&library("redb"), &redb, |bytes| bytes.truncate(bytes.len() / 2));
    for line in ["run --engine redb", "info redb"] {
        place.stowmark(line).refused_with(1, &["libstowmark_redb.so", "truncated"]);
    }
    // A name that no file bears is a mistake of the user's, with a hint at the unusable file.
    let words = ["no engine other", "There are: null", "1 plugin file is unusable: stowmark list"];
    place.stowmark("run --engine other").refused_with(2, &words);
    assert_eq!(place.files(), ["bin"]);
}

#[test]
fn an_engine_that_the_named_file_lacks_is_told_with_those_that_it_has() {
    let place = Place::new();
    fs::copy(library("memory"), place.path("m.so")).unwrap();
    let words = ["m.so: unknown engine \"redb\"", "valid: memory"];
    place.stowmark("run --engine redb@m.so").refused_with(2, &words);
    place.stowmark("info redb@m.so").refused_with(2, &words);
}

#[test]
fn without_the_floor_no_run_begins() {
    let place = Place::without_plugins();
    let file = place.path("redb.so");
    fs::copy(library("redb"), file).unwrap();
    let words = ["plugin of engine null is missing", "--plugin-dir"];
    place.stowmark("run --engine redb@redb.so").refused_with(1, &words);
    let words = ["no engine redb", "--plugin-dir"];
    place.stowmark("run").refused_with(2, &words);
    assert_eq!(place.files(), ["bin", "redb.so"]);
}

/// A plugin that needs a library which is not there any more.
fn plugin_without_its_dependency(place: &Place) -> PathBuf {
    let folder = place.path("");
    let needed = c_library(&folder, "gone", "int gone(void) { return 1; }", &[]);
    let source =
        format!("{}int gone(void); int f(void) {{ return gone(); }}", c_manifest("lonely"));
    let libraries = ["-L", folder.to_str().unwrap(), "-lgone"];
    let plugin = c_library(&folder, "stowmark_lonely", &source, &libraries);
    fs::remove_file(needed).unwrap();
    plugin
}

#[test]
fn a_plugin_that_lacks_a_library_names_it_and_nothing_begins() {
    let place = Place::new();
    plugin_without_its_dependency(&place);
    let file = "libstowmark_lonely.so";
    let outcome = place.stowmark(&format!("run --engine lonely@./{file} --size 1k"));
    outcome.refused_with(1, &[file, "libgone.so"]);
    assert_eq!(outcome.stderr.lines().count(), 1, "{outcome}");
    assert_eq!(place.files(), [file]);
}

#[test]
fn a_manifest_without_a_plugin_behind_it_is_told_when_it_is_loaded() {
    let place = Place::new();
    c_library(&place.path(""), "stowmark_hollow", &c_manifest("hollow"), &[]);
    let file = "libstowmark_hollow.so";
    let outcome = place.stowmark(&format!("run --engine hollow@./{file} --size 1k"));
    outcome.refused_with(1, &[file]);
    assert_eq!(outcome.stderr.lines().count(), 1, "{outcome}");
    assert_eq!(place.files(), [file]);
}

#[test]
fn list_names_unusable_files_with_their_reason_and_ends_well() {
    let place = Place::without_plugins();
    fs::create_dir(place.path("plugins")).unwrap();
    fs::copy(library("null"), place.path("plugins/libstowmark_null.so")).unwrap();
    for (what, make, _) in WRONG {
        make(&place.path(format!("plugins/libstowmark_{what}.so")));
    }
    let outcome = place.stowmark("list --plugin-dir plugins");
    outcome.exits(0);
    outcome.no_dump();
    assert!(outcome.stdout.starts_with("null  blobs  "), "{outcome}");
    for (what, _, words) in WRONG {
        let file = format!("plugins/libstowmark_{what}.so");
        let line = outcome.stdout.lines().find(|line| line.contains(&file));
        let line = line.unwrap_or_else(|| panic!("no {file}: {outcome}"));
        assert!(line.starts_with("unusable: "), "{line}");
        assert!(words.iter().all(|word| line.contains(word)), "{line}");
    }

    let outcome = place.stowmark("list --json --plugin-dir plugins");
    let listed: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    let unusable: Vec<_> =
        listed.as_array().unwrap().iter().filter(|plugin| plugin["error"].is_string()).collect();
    assert_eq!(unusable.len(), WRONG.len(), "{outcome}");
    assert!(unusable.iter().all(|plugin| plugin["path"].is_string()));
}

/// A plugin by its manifest, whose code tells when it runs.
fn loud_plugin(folder: &Path) {
    let source = format!(
        "{}#include <stdio.h>\n#include <stdlib.h>\n__attribute__((constructor)) static void \
         loud(void) {{ puts(\"plugin code ran\"); fflush(stdout); exit(9); }}",
        c_manifest("loud")
    );
    c_library(folder, "stowmark_loud", &source, &[]);
}

#[test]
fn manifests_are_read_without_running_plugin_code() {
    let place = Place::without_plugins();
    let bin = place.path("bin");
    loud_plugin(&bin);
    fs::copy(library("null"), bin.join("libstowmark_null.so")).unwrap();
    let mistakes = ["run --engine loud --durability media", "run --engine loud:a=1"];
    for line in ["list", "list --json", "info loud", "info loud --json"].iter().chain(&mistakes) {
        let outcome = place.stowmark(line);
        outcome.exits(if mistakes.contains(line) { 2 } else { 0 });
        assert!(!format!("{outcome}").contains("plugin code ran"), "{outcome}");
        assert!(format!("{outcome}").contains("loud"), "{outcome}");
    }
    // And this one does run it, in a worker: what it prints does not mix with the result's text.
    let outcome = place.run("--engine loud");
    assert!(outcome.stderr.contains("plugin code ran"), "{outcome}");
    assert!(outcome.stdout.starts_with("blob-store: "), "{outcome}");
    assert!(!outcome.stdout.lines().any(|line| line == "plugin code ran"), "{outcome}");
    outcome.no_dump();
    place.is_clean();
}

#[test]
fn one_file_under_two_names_is_one_plugin() {
    let place = Place::without_plugins();
    fs::create_dir(place.path("plugins")).unwrap();
    let file = place.path("plugins/libstowmark_null.so");
    fs::copy(library("null"), &file).unwrap();
    fs::hard_link(&file, place.path("plugins/libstowmark_zero.so")).unwrap();
    std::os::unix::fs::symlink(&file, place.path("plugins/libstowmark_link.so")).unwrap();
    std::os::unix::fs::symlink(place.path("plugins"), place.path("again")).unwrap();
    let outcome = place.stowmark("list --plugin-dir plugins --plugin-dir again");
    outcome.exits(0);
    assert_eq!(outcome.stdout.matches("libstowmark_").count(), 1, "{outcome}");
    assert!(!outcome.stdout.contains("shadowed"), "{outcome}");
}

#[test]
fn of_two_files_with_one_engine_the_first_counts_and_the_other_is_shown() {
    let place = Place::without_plugins();
    for folder in ["first", "second"] {
        fs::create_dir(place.path(folder)).unwrap();
        fs::copy(library("null"), place.path(folder).join("libstowmark_null.so")).unwrap();
    }
    let outcome = place.stowmark("list --plugin-dir second --plugin-dir first");
    let line =
        "shadowed: null in first/libstowmark_null.so (taken from second/libstowmark_null.so)";
    assert!(outcome.stdout.contains(line), "{outcome}");
    let outcome = place.stowmark("info null --plugin-dir second --plugin-dir first");
    assert!(outcome.stdout.contains("second/libstowmark_null.so"), "{outcome}");
}

#[test]
fn plugins_are_found_by_each_way_that_help_names() {
    let place = Place::without_plugins();
    let found = |change: &dyn Fn(&mut Command)| {
        let mut command = place.command();
        change(command.args(["info", "null"]));
        crate::support::finish(&mut command).status.success()
    };
    let put = |folder: &str| {
        fs::create_dir_all(place.path(folder)).unwrap();
        let file = place.path(folder).join("libstowmark_null.so");
        fs::copy(library("null"), &file).unwrap();
        file
    };
    assert!(!found(&|_| ()));
    put("named");
    assert!(found(&|command| _ = command.args(["--plugin-dir", "named"])));
    assert!(found(&|command| _ = command.env("STOWMARK_PLUGIN_PATH", "none:named")));
    put("data/stowmark/plugins");
    assert!(found(&|command| _ = command.env("XDG_DATA_HOME", place.path("data"))));
    assert!(!found(&|_| ()));
    for folder in [".local/share/stowmark/plugins", "lib/stowmark/plugins", "bin"] {
        let file = put(folder);
        assert!(found(&|_| ()), "{folder}");
        fs::remove_file(file).unwrap();
    }
}

#[test]
fn a_plugin_that_is_replaced_during_a_run_is_not_measured_under_the_old_ones_name() {
    let place = Place::new();
    let plugin = place.path("mine.so");
    fs::copy(library("memory"), &plugin).unwrap();
    let line = "--engine memory --engine mine=memory@mine.so --op put --size 1k --ops 20 \
                --rounds 2 --executions 500 --out result.json";
    let mut running = place.start(line);
    running.until("a first result", || place.path("result.json").exists());
    let newer = place.path("newer.so");
    changed(&library("memory"), &newer, |bytes| bytes.extend(b"another build"));
    fs::rename(&newer, &plugin).unwrap();
    running.until("the failure", || {
        let result = place.result("result.json");
        result.failures.iter().any(|failure| failure.cause == "plugin-replaced")
    });
    running.signal("INT");
    running.wait().exits(130);
    let result = place.result("result.json");
    assert_eq!(result.failures.len(), 1);
    assert_eq!(result.failures[0].label, "mine");
    assert!(result.failures[0].message.contains("mine.so was replaced"));
}
