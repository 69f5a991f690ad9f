//! `cargo xtask test`: set up, build every plugin in the tests' profile, then `cargo test`.
//!
//! Tests that load plugins learn from the environment where they are; a test that lacks a variable
//! fails and names this command. The variables:
//!
//! | variable | holds |
//! |---|---|
//! | `STOWMARK_PLUGIN_PATH` | the folder of all plugins, built as they are |
//! | `STOWMARK_NEXT_ABI_PLUGIN` | the plugin `memory`, built against a pretended ABI 1.1 |
//! | `STOWMARK_OLD_ABI_PLUGIN_DIR` | the first folder again, for the host that pretends to be 1.1 |

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo::{Built, build, cargo};
use crate::failure::Failure;
use crate::process::pass;
use crate::run::{PLUGIN_PATH, folder_of};
use crate::setup;
use crate::workspace::Workspace;

/// The feature of the ABI crate that pretends to be one minor version ahead; others forward it.
const NEXT_ABI: &str = "test-next";
/// The plugin that holds both models, and so meets every method of the ABI.
const NEXT_ABI_PLUGIN: &str = "stowmark-memory";

/// Runs all tests, or those that the arguments of `cargo test` choose.
pub(crate) fn test(workspace: &Workspace, arguments: &[OsString]) -> Result<(), Failure> {
    setup::for_tests(workspace)?;
    let next = next_abi_plugin(workspace)?;
    let built = build_everything(workspace)?;
    let plugins = folder_of(built.library(NEXT_ABI_PLUGIN)?);
    pass(cargo_test(workspace, plugins, &next).args(chosen(arguments)))?;
    if !arguments.is_empty() {
        return Ok(());
    }
    let again = ["--package", "stowmark-host", "--features", NEXT_ABI, "--tests"];
    pass(cargo_test(workspace, plugins, &next).args(again))
}

/// Every target of every member. Tests are among them so that cargo resolves the same features as
/// `cargo test` will, and builds nothing twice.
pub(crate) fn build_everything(workspace: &Workspace) -> Result<Built, Failure> {
    build(workspace, ["--workspace", "--all-targets"])
}

/// Builds the plugin of the pretended next ABI and sets it aside under a path of its own, since the
/// ordinary build of it, which follows, puts its file in the same place.
fn next_abi_plugin(workspace: &Workspace) -> Result<PathBuf, Failure> {
    let built = build(workspace, ["--package", NEXT_ABI_PLUGIN, "--features", NEXT_ABI])?;
    let made = built.library(NEXT_ABI_PLUGIN)?;
    let folder = workspace.target.join("next-abi");
    fs::create_dir_all(&folder).map_err(Failure::file(&folder))?;
    let kept = folder.join(made.file_name().unwrap_or_default());
    install(made, &kept)?;
    Ok(kept)
}

/// Puts a copy in place by renaming: writing into a library that a process has mapped breaks it.
fn install(from: &Path, to: &Path) -> Result<(), Failure> {
    let fresh = to.with_extension("new");
    fs::copy(from, &fresh).map_err(Failure::file(&fresh))?;
    fs::rename(&fresh, to).map_err(Failure::file(to))
}

fn cargo_test(workspace: &Workspace, plugins: &Path, next: &Path) -> Command {
    let mut command = cargo(workspace, "test");
    command.env(PLUGIN_PATH, plugins);
    command.env("STOWMARK_OLD_ABI_PLUGIN_DIR", plugins);
    command.env("STOWMARK_NEXT_ABI_PLUGIN", next);
    command
}

/// The arguments given, for the whole workspace unless they choose packages themselves.
fn chosen(arguments: &[OsString]) -> Vec<OsString> {
    let chooses = |word: &OsString| {
        let word = word.to_string_lossy();
        let short = word.starts_with("-p") && !word.starts_with("--");
        let long = ["--package", "--workspace", "--all"];
        short || long.iter().any(|flag| word.split('=').next() == Some(flag))
    };
    let cargo_s = arguments.iter().take_while(|word| *word != "--");
    let whole = (!cargo_s.clone().any(chooses)).then(|| "--workspace".into());
    whole.into_iter().chain(arguments.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &str) {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let chosen: Vec<_> = chosen(&words).into_iter().map(|w| w.into_string().unwrap()).collect();
        assert_eq!(chosen.join(" "), expected, "{line}");
    }

    #[test]
    fn the_whole_workspace_is_tested_unless_packages_are_chosen() {
        check("", "--workspace");
        check("a_name", "--workspace a_name");
        check("-p stowmark-host", "-p stowmark-host");
        check("-pstowmark-host", "-pstowmark-host");
        check("--package=stowmark-host a_name", "--package=stowmark-host a_name");
    }

    #[test]
    fn what_is_for_the_test_programs_chooses_no_package() {
        check("--lib -- -p", "--workspace --lib -- -p");
    }

    #[test]
    fn installing_over_an_old_copy_replaces_the_file_and_leaves_the_old_one_alive() {
        let folder = tempfile::tempdir().unwrap();
        let [from, to] = ["from.so", "to.so"].map(|name| folder.path().join(name));
        fs::write(&from, "new").unwrap();
        fs::write(&to, "old").unwrap();
        let held = fs::File::open(&to).unwrap();
        install(&from, &to).unwrap();
        assert_eq!(fs::read_to_string(&to).unwrap(), "new");
        assert_eq!(std::io::read_to_string(held).unwrap(), "old");
    }
}
