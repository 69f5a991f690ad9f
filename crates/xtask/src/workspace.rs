//! The workspace as `cargo metadata` tells it: where it is, what it builds into, and its plugins with
//! what each needs. The plugins' own `Cargo.toml` is the only place where that is written:
//!
//! ```toml
//! [package.metadata.stowmark]
//! engines = ["gridfs"]      # the engines that the plugin holds
//! services = ["mongodb"]    # the servers that they talk to
//! debian = ["pkg-config"]   # the system packages that building or running them takes
//! tools = ["name@1.2.3"]    # programs to `cargo install` into the project's cache
//! test-only = true          # an engine for our tests, left out of the documents
//! ```

use std::path::PathBuf;

use cargo_metadata::{Metadata, MetadataCommand, Package};
use serde::Deserialize;

use crate::cargo::bare;
use crate::failure::Failure;
use crate::process::output;

/// Where things are, and the packages.
pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    pub(crate) target: PathBuf,
    /// Our own packages, without their dependencies' metadata.
    pub(crate) packages: Vec<Package>,
    pub(crate) plugins: Vec<Plugin>,
}

/// A package under `plugins/`.
pub(crate) struct Plugin {
    pub(crate) package: String,
    /// Its folder's name.
    pub(crate) folder: String,
    /// Whether a plain `cargo build` builds it.
    pub(crate) embedded: bool,
    pub(crate) says: Declared,
}

/// What a plugin declares in its `Cargo.toml`.
#[derive(Default, Deserialize, Debug)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Declared {
    pub(crate) engines: Vec<String>,
    pub(crate) services: Vec<String>,
    pub(crate) debian: Vec<String>,
    pub(crate) tools: Vec<String>,
    pub(crate) test_only: bool,
}

impl Workspace {
    /// Asks cargo about the workspace around the current folder; quick, for it resolves nothing.
    pub(crate) fn load() -> Result<Self, Failure> {
        // From inside a member cargo would take that one for the only default member.
        let locate = ["locate-project", "--workspace", "--message-format", "plain"];
        let manifest = output(bare().args(locate))?;
        let metadata =
            MetadataCommand::new().manifest_path(manifest.trim_end()).no_deps().exec()?;
        let plugins = plugins(&metadata)?;
        Ok(Self {
            root: metadata.workspace_root.into(),
            target: metadata.target_directory.into(),
            packages: metadata.packages,
            plugins,
        })
    }

    /// The whole locked tree of dependencies.
    pub(crate) fn resolved(&self) -> Result<Metadata, Failure> {
        let mut command = MetadataCommand::new();
        command.manifest_path(self.root.join("Cargo.toml"));
        Ok(command.other_options(["--locked".to_owned()]).exec()?)
    }

    /// The plugin that holds an engine.
    pub(crate) fn plugin_of(&self, engine: &str) -> Option<&Plugin> {
        self.plugins.iter().find(|plugin| plugin.says.engines.iter().any(|name| name == engine))
    }

    /// All engines of all plugins here, in order of their names.
    pub(crate) fn engines(&self) -> Vec<String> {
        let mut names: Vec<_> = self.plugins.iter().flat_map(|p| p.says.engines.clone()).collect();
        names.sort();
        names
    }
}

fn plugins(metadata: &Metadata) -> Result<Vec<Plugin>, Failure> {
    let folder = metadata.workspace_root.join("plugins");
    let embedded = metadata.workspace_default_packages();
    let mut plugins = Vec::new();
    for package in &metadata.packages {
        let Some(own) = package.manifest_path.parent().filter(|p| p.parent() == Some(&*folder))
        else {
            continue;
        };
        plugins.push(Plugin {
            package: package.name.to_string(),
            folder: own.file_name().unwrap_or_default().to_owned(),
            embedded: embedded.iter().any(|other| other.id == package.id),
            says: declared(package)?,
        });
    }
    plugins.sort_by(|a, b| a.folder.cmp(&b.folder));
    Ok(plugins)
}

fn declared(package: &Package) -> Result<Declared, Failure> {
    match package.metadata.get("stowmark") {
        None => Ok(Declared::default()),
        Some(value) => Declared::deserialize(value).map_err(|error| Failure::Unreadable {
            what: format!("[package.metadata.stowmark] of {}", package.manifest_path),
            why: error.to_string(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_workspace_knows_its_plugins_and_which_are_embedded() {
        let workspace = Workspace::load().expect("cargo metadata works in tests");
        let redb = workspace.plugin_of("redb").expect("the engine redb is here");
        assert_eq!((redb.package.as_str(), redb.embedded), ("stowmark-redb", true));
        let memory = workspace.plugin_of("memory").expect("the engine memory is here");
        assert!(!memory.embedded, "an engine for tests is not what a newcomer waits for");
        assert!(workspace.plugin_of("no-such-engine").is_none());
    }

    #[test]
    fn a_misspelt_key_is_an_error_and_not_ignored() {
        let text = r#"{"engines": ["a"], "debain": ["b"]}"#;
        let error = serde_json::from_str::<Declared>(text).unwrap_err().to_string();
        assert!(error.contains("debain") && error.contains("debian"), "{error}");
    }
}
