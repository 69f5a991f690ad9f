//! `cargo xtask run`: build for release, then become `stowmark run`.
//!
//! The default members are what is always built. An engine named with `--engine` whose plugin is not
//! among them is found through the plugins' metadata and built as well; a name that nobody here knows
//! is left to the harness, which has the better message and may find it in another folder.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use crate::cargo::build;
use crate::failure::Failure;
use crate::workspace::Workspace;
use crate::{process, setup};

/// Where the harness looks for plugins.
pub(crate) const PLUGIN_PATH: &str = "STOWMARK_PLUGIN_PATH";

/// Builds what the arguments need and replaces this process by `stowmark run`.
pub(crate) fn run(workspace: &Workspace, arguments: &[OsString]) -> Result<(), Failure> {
    let words: Vec<_> = arguments.iter().map(|a| a.to_string_lossy().into_owned()).collect();
    let engines = engines_named(&words);
    if words.iter().any(|word| word == "--private-services") {
        setup::for_plugins(engines.iter().filter_map(|e| workspace.plugin_of(e)))?;
    }
    let built = build(workspace, release_of(workspace, &engines))?;
    let stowmark = built.program("stowmark")?;
    let mut command = Command::new(stowmark);
    command.arg("run").args(arguments).env(PLUGIN_PATH, plugin_path(folder_of(stowmark)));
    become_it(&mut command)
}

/// The arguments of a release build of the harness and the plugins that a run of these engines takes.
pub(crate) fn release_of(workspace: &Workspace, engines: &[String]) -> Vec<String> {
    let named = engines.iter().filter_map(|engine| workspace.plugin_of(engine));
    let further: BTreeSet<_> =
        named.filter(|plugin| !plugin.embedded).map(|plugin| plugin.package.as_str()).collect();
    let mut words = vec!["--release".to_owned()];
    if further.is_empty() {
        return words;
    }
    // Naming one package drops the default members, so they are named as well.
    let embedded = workspace.plugins.iter().filter(|plugin| plugin.embedded);
    let embedded = embedded.map(|plugin| plugin.package.as_str());
    for package in embedded.chain(further).chain(["stowmark"]) {
        words.extend(["--package".to_owned(), package.to_owned()]);
    }
    words
}

/// Ours first, so that what was just built is what is measured; then the user's own folders.
pub(crate) fn plugin_path(ours: &Path) -> OsString {
    let theirs = env::var_os(PLUGIN_PATH).unwrap_or_default();
    let folders = std::iter::once(ours.to_owned()).chain(env::split_paths(&theirs));
    let folders = folders.filter(|folder| !folder.as_os_str().is_empty());
    // Joining fails only where a folder's name holds the separator; then ours alone must do.
    env::join_paths(folders).unwrap_or_else(|_| ours.as_os_str().to_owned())
}

/// The folder of a built file, where its plugins are too.
pub(crate) fn folder_of(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new("."))
}

/// The engines whose plugins we have to build: those named with `--engine`, but for the ones that name
/// their plugin's file.
fn engines_named(words: &[String]) -> Vec<String> {
    let mut named = Vec::new();
    let mut words = words.iter().take_while(|word| *word != "--");
    while let Some(word) = words.next() {
        let spec = match word.strip_prefix("--engine") {
            Some("") => words.next().map(String::as_str),
            Some(rest) => rest.strip_prefix('='),
            None => None,
        };
        named.extend(spec.and_then(engine_of).map(str::to_owned));
    }
    named
}

/// The engine of `[LABEL=]ENGINE[@PLUGIN_FILE][:key=value,...]`; none if a file is named.
fn engine_of(spec: &str) -> Option<&str> {
    let end = spec.find(['@', ':']).unwrap_or(spec.len());
    let (head, rest) = spec.split_at(end);
    let engine = head.split_once('=').map_or(head, |(_, engine)| engine);
    (!rest.starts_with('@') && !engine.is_empty()).then_some(engine)
}

/// Replaces this process, so that signals, terminal and exit code are the program's own.
#[cfg(unix)]
fn become_it(command: &mut Command) -> Result<(), Failure> {
    let source = std::os::unix::process::CommandExt::exec(command);
    Err(process::not_started(command)(source))
}

#[cfg(not(unix))]
fn become_it(command: &mut Command) -> Result<(), Failure> {
    process::pass(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &[&str]) {
        let words: Vec<_> = line.split(' ').map(str::to_owned).collect();
        assert_eq!(engines_named(&words), expected, "{line}");
    }

    #[test]
    fn engines_are_found_in_every_form_of_a_spec() {
        check("--engine redb --engine=null", &["redb", "null"]);
        check("--engine big=redb:cache=1GiB,x=y", &["redb"]);
        check("--engine redb:cache=1GiB --ops 5", &["redb"]);
    }

    #[test]
    fn a_plugin_named_by_file_is_not_ours_to_build() {
        check("--engine old=redb@./lib_2.so --engine redb@/x:cache=1k --engine a=b", &["b"]);
    }

    #[test]
    fn other_flags_and_what_follows_two_dashes_name_no_engine() {
        check("--engines redb --size 1k -- --engine memory", &[]);
        check("--engine", &[]);
    }

    #[test]
    fn a_further_engine_does_not_drop_the_default_members() {
        let workspace = Workspace::load().expect("cargo metadata works in tests");
        assert_eq!(release_of(&workspace, &["redb".into()]), ["--release"]);
        let words = release_of(&workspace, &["memory".into(), "memory".into()]);
        for package in ["stowmark", "stowmark-redb", "stowmark-null", "stowmark-memory"] {
            assert_eq!(words.iter().filter(|word| *word == package).count(), 1, "{words:?}");
        }
        assert!(!words.contains(&"stowmark-faults".to_owned()), "{words:?}");
    }
}
