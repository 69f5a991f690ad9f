//! What the built plugins say of themselves, and whether it agrees with their `Cargo.toml`.
//!
//! The manifests are asked of the harness, `stowmark list --json` from the tests' build, since reading
//! them from a library file is the host's work and is not done twice. All that this chore knows of
//! that command's output stands in this file.

use std::path::Path;
use std::process::Command;

use serde::Deserialize;

use super::Problem;
use crate::failure::Failure;
use crate::process::output;
use crate::run::{PLUGIN_PATH, folder_of};
use crate::test::build_everything;
use crate::workspace::{Plugin, Workspace};

/// A plugin in the harness's list. Keys that are not needed here are left out.
#[derive(Deserialize, Debug)]
pub(super) struct Listed {
    /// The library's file.
    path: String,
    #[serde(default)]
    engines: Vec<Engine>,
    /// Why the file could not be read, if so.
    #[serde(default)]
    error: Option<String>,
}

/// What its manifest says of an engine, in the manifest's own keys.
#[derive(Deserialize, Debug, Default)]
pub(super) struct Engine {
    pub(super) name: String,
    #[serde(default)]
    pub(super) models: Vec<String>,
    #[serde(default)]
    pub(super) tiers: Vec<Honoured>,
    #[serde(default)]
    pub(super) default_tier: Option<String>,
}

/// A tier that the engine can honour; how it does so is for `stowmark info`.
#[derive(Deserialize, Debug)]
pub(super) struct Honoured {
    pub(super) tier: String,
}

/// Builds everything in the tests' profile and lists the plugins, by the names of their files.
pub(super) fn listed(workspace: &Workspace) -> Result<Vec<Listed>, Failure> {
    let built = build_everything(workspace)?;
    let stowmark = built.program("stowmark")?;
    let mut list = Command::new(stowmark);
    list.args(["list", "--json"]).env(PLUGIN_PATH, folder_of(stowmark));
    let text = output(&mut list)?;
    serde_json::from_str(&text).map_err(|error| Failure::Unreadable {
        what: "what `stowmark list --json` wrote".into(),
        why: error.to_string(),
    })
}

/// The engines of a plugin as its manifest gives them; none where it is not listed.
pub(super) fn engines_of<'a>(plugin: &Plugin, listed: &'a [Listed]) -> Option<&'a Listed> {
    let stem = plugin.package.replace('-', "_");
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let file = format!("{prefix}{stem}{suffix}");
    listed.iter().find(|listed| Path::new(&listed.path).file_name().is_some_and(|n| *n == *file))
}

impl Listed {
    /// What the manifest says of the engines.
    pub(super) fn engines(&self) -> &[Engine] {
        &self.engines
    }
}

/// Each plugin is listed, readable, and holds just the engines that its `Cargo.toml` declares.
pub(super) fn agree(workspace: &Workspace, listed: &[Listed]) -> Vec<Problem> {
    workspace.plugins.iter().filter_map(|plugin| agrees(plugin, listed)).collect()
}

fn agrees(plugin: &Plugin, listed: &[Listed]) -> Option<Problem> {
    let place = format!("plugins/{}", plugin.folder);
    let Some(found) = engines_of(plugin, listed) else {
        return Some(Problem::error(place, "`stowmark list --json` does not show it"));
    };
    if let Some(error) = &found.error {
        return Some(Problem::error(place, format!("its manifest cannot be read: {error}")));
    }
    let mut manifest: Vec<_> = found.engines.iter().map(|engine| engine.name.as_str()).collect();
    let mut declared: Vec<_> = plugin.says.engines.iter().map(String::as_str).collect();
    manifest.sort_unstable();
    declared.sort_unstable();
    (manifest != declared).then(|| {
        let [manifest, declared] = [manifest, declared].map(|names| names.join(", "));
        let text =
            format!("Cargo.toml declares the engines [{declared}], its manifest [{manifest}]");
        Problem::error(place, text)
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::workspace::Declared;

    pub(in crate::tidy) fn plugin(folder: &str, engines: &[&str]) -> Plugin {
        let engines = engines.iter().map(|name| (*name).to_owned()).collect();
        let says = Declared { engines, ..Declared::default() };
        let package = format!("stowmark-{folder}");
        Plugin { package, folder: folder.into(), embedded: true, says }
    }

    pub(in crate::tidy) fn listing(text: &str) -> Vec<Listed> {
        serde_json::from_str(text).expect("a listing")
    }

    fn file(folder: &str) -> String {
        let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        format!("a/{prefix}stowmark_{folder}{suffix}")
    }

    #[test]
    fn agreement_does_not_depend_on_order() {
        let listed = listing(&format!(
            r#"[{{"path": "{}", "version": "1", "engines": [{{"name": "b"}}, {{"name": "a"}}]}}]"#,
            file("two")
        ));
        assert_eq!(agrees(&plugin("two", &["a", "b"]), &listed), None);
        let problem = agrees(&plugin("two", &["a", "c"]), &listed).expect("a problem");
        assert!(problem.text.contains("[a, c]") && problem.text.contains("[a, b]"), "{problem:?}");
    }

    #[test]
    fn an_absent_and_an_unreadable_plugin_are_problems() {
        let listed = listing(&format!(r#"[{{"path": "{}", "error": "truncated"}}]"#, file("bad")));
        let problem = agrees(&plugin("bad", &[]), &listed).expect("a problem");
        assert!(problem.text.contains("truncated"), "{problem:?}");
        let problem = agrees(&plugin("none", &[]), &listed).expect("a problem");
        assert!(problem.text.contains("does not show it"), "{problem:?}");
    }
}
