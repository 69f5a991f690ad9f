//! All plugins of a search path: which there are, which engines they export, and which of several
//! engines of one name is meant.

use std::collections::HashSet;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::inspect::{InspectError, PluginFile, inspect};
use crate::manifest::EngineManifest;
use crate::platform::file_id;

/// The folders to look for plugins in, in order: those named on the command line, those of
/// `STOWMARK_PLUGIN_PATH` (a list as in `PATH`), `stowmark/plugins` in the user's data folder,
/// `../lib/stowmark/plugins` beside the executable's folder, and that folder itself. A folder need
/// not exist; one that is named twice comes once.
#[must_use]
pub fn search_path(
    plugin_dirs: &[PathBuf],
    env_path: Option<&OsStr>,
    data_home: Option<&Path>,
    exe: Option<&Path>,
) -> Vec<PathBuf> {
    let mut path = plugin_dirs.to_vec();
    path.extend(env_path.into_iter().flat_map(std::env::split_paths));
    path.extend(data_home.map(|home| home.join("stowmark").join("plugins")));
    if let Some(beside) = exe.and_then(Path::parent) {
        path.extend(
            beside.parent().map(|above| above.join("lib").join("stowmark").join("plugins")),
        );
        path.push(beside.into());
    }
    let mut seen = HashSet::new();
    path.retain(|folder| !folder.as_os_str().is_empty() && seen.insert(folder.clone()));
    path
}

/// The user's data folder from the values of `XDG_DATA_HOME` and `HOME`, as the XDG base directory
/// specification has it: a relative path does not count.
#[must_use]
pub fn data_home(xdg_data_home: Option<&OsStr>, home: Option<&OsStr>) -> Option<PathBuf> {
    let absolute =
        |value: Option<&OsStr>| value.map(PathBuf::from).filter(|path| path.is_absolute());
    absolute(xdg_data_home).or_else(|| Some(absolute(home)?.join(".local").join("share")))
}

/// The plugins of a search path, inspected and not loaded.
#[derive(Debug, Default)]
pub struct Catalog {
    plugins: Vec<PluginFile>,
    unreadable: Vec<(PathBuf, InspectError)>,
}

/// An engine that another of the same name, earlier in the search order, hides.
#[derive(Copy, Clone, Debug)]
pub struct Shadowed<'a> {
    /// The engine's name.
    pub engine: &'a str,
    /// The file whose engine is hidden.
    pub hidden: &'a PluginFile,
    /// The file whose engine is taken.
    pub taken: &'a PluginFile,
}

impl Catalog {
    /// A catalog of plugins that were inspected already, in search order.
    #[must_use]
    pub fn from_plugins(plugins: Vec<PluginFile>) -> Self {
        Self { plugins, unreadable: Vec::new() }
    }

    /// Looks into each candidate of these folders, in order, and in each folder by name. A folder
    /// that does not exist is skipped; a file reached by two names counts once.
    #[must_use]
    pub fn scan(folders: &[PathBuf]) -> Self {
        let mut catalog = Self::default();
        let mut seen = HashSet::new();
        for folder in folders {
            let candidates = match candidates(folder) {
                Ok(candidates) => candidates,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(source) => {
                    let error = InspectError::NotReadable { path: folder.clone(), source };
                    catalog.unreadable.push((folder.clone(), error));
                    continue;
                }
            };
            for path in candidates {
                // A file that cannot be asked is not dropped here: inspecting it says why.
                let id = fs::metadata(&path).ok().map(|metadata| file_id(&path, &metadata));
                if id.is_none_or(|id| seen.insert(id)) {
                    catalog.add(path);
                }
            }
        }
        catalog
    }

    fn add(&mut self, path: PathBuf) {
        match inspect(&path) {
            Ok(plugin) => self.plugins.push(plugin),
            Err(error) => self.unreadable.push((path, error)),
        }
    }

    /// The usable plugins, in search order.
    #[must_use]
    pub fn plugins(&self) -> &[PluginFile] {
        &self.plugins
    }

    /// The candidates that are no usable plugin, and why.
    #[must_use]
    pub fn unreadable(&self) -> &[(PathBuf, InspectError)] {
        &self.unreadable
    }

    /// All engines with their plugins, in search order; those that are not shadowed.
    pub fn engines(&self) -> impl Iterator<Item = (&PluginFile, &EngineManifest)> {
        let mut seen = HashSet::new();
        self.all_engines().filter(move |(_, engine)| seen.insert(engine.name.as_str()))
    }

    /// The engine of that name that comes first in search order.
    #[must_use]
    pub fn find(&self, engine: &str) -> Option<(&PluginFile, &EngineManifest)> {
        self.all_engines().find(|(_, candidate)| candidate.name == engine)
    }

    /// The engines that others hide.
    #[must_use]
    pub fn shadowed(&self) -> Vec<Shadowed<'_>> {
        let hidden = self.all_engines().filter_map(|(hidden, engine)| {
            let (taken, _) = self.find(&engine.name)?;
            let is_other = !std::ptr::eq(taken, hidden);
            is_other.then_some(Shadowed { engine: &engine.name, hidden, taken })
        });
        hidden.collect()
    }

    /// The names of all engines, sorted.
    #[must_use]
    pub fn engine_names(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.engines().map(|(_, engine)| engine.name.as_str()).collect();
        names.sort_unstable();
        names
    }

    fn all_engines(&self) -> impl Iterator<Item = (&PluginFile, &EngineManifest)> {
        self.plugins
            .iter()
            .flat_map(|plugin| plugin.manifest.engines.iter().map(move |engine| (plugin, engine)))
    }
}

/// The files of a folder that are named as a plugin is, sorted by name.
fn candidates(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if is_plugin_name(&entry.file_name()) {
            found.push(entry.path());
        }
    }
    found.sort_unstable();
    Ok(found)
}

fn is_plugin_name(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.strip_prefix(DLL_PREFIX.as_bytes())
        .and_then(|rest| rest.strip_prefix(b"stowmark_"))
        .and_then(|rest| rest.strip_suffix(DLL_SUFFIX.as_bytes()))
        .is_some_and(|rest| !rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_order_is_flags_then_environment_then_data_folder_then_executable() {
        let path = search_path(
            &["/flag/2".into(), "/flag/1".into()],
            Some(OsStr::new("/env/a::/flag/1")),
            Some(Path::new("/data")),
            Some(Path::new("/opt/x/bin/stowmark")),
        );
        let expected = [
            "/flag/2",
            "/flag/1",
            "/env/a",
            "/data/stowmark/plugins",
            "/opt/x/lib/stowmark/plugins",
            "/opt/x/bin",
        ];
        assert_eq!(path, expected.map(PathBuf::from));
    }

    #[test]
    fn the_data_folder_is_the_one_of_xdg_unless_that_is_relative() {
        let of = |xdg: Option<&str>, home: Option<&str>| {
            data_home(xdg.map(OsStr::new), home.map(OsStr::new))
        };
        assert_eq!(of(Some("/d"), Some("/h")), Some("/d".into()));
        assert_eq!(of(Some("d"), Some("/h")), Some("/h/.local/share".into()));
        assert_eq!(of(None, None), None);
    }

    #[test]
    fn only_files_named_as_plugins_are_candidates() {
        let named = |name: String| is_plugin_name(OsStr::new(&name));
        assert!(named(format!("{DLL_PREFIX}stowmark_redb_2{DLL_SUFFIX}")));
        for other in ["stowmark_", "stowmark_abi.rlib", "z"] {
            assert!(!named(format!("{DLL_PREFIX}{other}")), "{other}");
        }
        assert!(!named(format!("{DLL_PREFIX}stowmark_{DLL_SUFFIX}")));
        assert!(!named(format!("{DLL_PREFIX}stowmark_redb{DLL_SUFFIX}.new")));
    }
}
