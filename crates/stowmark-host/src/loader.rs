//! Brings an inspected plugin into this process, and says in one line why it does not come.
//!
//! Two things are done otherwise than `abi_stable` would do them. Its `load_from_file` keeps one
//! library for each type and would return the first plugin for every later path, so the header is
//! taken from the path instead. And it refuses a plugin that is older than the host, whose layout
//! lacks what was added since; for such a plugin the check is made the other way round, which holds
//! it to the same rules: whatever the plugin knows must lie where the host looks for it, and what
//! the host knows beyond that is found to be absent when it is asked for.

#![expect(unsafe_code, reason = "a root module whose layout was checked the other way round")]

use std::fs;
use std::path::{Path, PathBuf};

use abi_stable::StableAbi;
use abi_stable::abi_stability::check_layout_compatibility;
use abi_stable::library::{LibraryError, lib_header_from_path};
use abi_stable::std_types::RResult;
use stowmark_abi::{LibHeader, PluginRef, RStr};

use crate::blob::plain;
use crate::engine::Engine;
use crate::error::OpError;
use crate::inspect::PluginFile;
use crate::manifest::AbiVersion;
use crate::platform;

/// The longest text of another's making that an error quotes, in characters.
const MAX_QUOTED: usize = 300;

/// A loaded plugin. It stays loaded until the process ends, also when this is dropped.
pub struct Plugin {
    root: PluginRef,
    name: String,
}

/// Why an inspected plugin could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A library that the plugin needs is not on this machine.
    #[error("{}: needs {library}, which is not installed here ({reason})", path.display())]
    MissingDependency {
        /// The plugin's file.
        path: PathBuf,
        /// The library that was not found.
        library: String,
        /// What the system's loader said.
        reason: String,
    },
    /// The system's loader refused the library.
    #[error("{}: the system's loader refused it: {reason}", path.display())]
    Refused {
        /// The plugin's file.
        path: PathBuf,
        /// What the system's loader said.
        reason: String,
    },
    /// The library has a manifest but not what is needed to call it.
    #[error("{}: cannot be called: {reason}; build it again with the authors' kit", path.display())]
    NotCallable {
        /// The plugin's file.
        path: PathBuf,
        /// What is missing or different.
        reason: String,
    },
    /// What the plugin takes for the ABI is not what the host takes for it.
    #[error(
        "{}: plugin {plugin} (ABI {theirs}) does not fit this stowmark (ABI {ours}); {remedy}{}",
        path.display(),
        details_phrase(details.as_deref())
    )]
    Layout {
        /// The plugin's file.
        path: PathBuf,
        /// The plugin's name.
        plugin: String,
        /// The plugin's ABI, as its manifest says.
        theirs: AbiVersion,
        /// This host's ABI.
        ours: AbiVersion,
        /// Who must update.
        remedy: &'static str,
        /// The file that holds the whole comparison, if it could be written.
        details: Option<PathBuf>,
    },
    /// The plugin's own start failed.
    #[error("{}: failed to start: {reason}", path.display())]
    Start {
        /// The plugin's file.
        path: PathBuf,
        /// What it said.
        reason: String,
    },
    /// The library that was loaded is not the one that was inspected.
    #[error(
        "{}: was {expected} when it was inspected and is {found} now; was it replaced meanwhile?",
        path.display()
    )]
    Replaced {
        /// The plugin's file.
        path: PathBuf,
        /// The plugin's name in the manifest.
        expected: String,
        /// The plugin's name as it says it itself.
        found: String,
    },
}

fn details_phrase(details: Option<&Path>) -> String {
    details.map(|path| format!(" (details: {})", path.display())).unwrap_or_default()
}

impl Plugin {
    /// Loads a plugin: its initialisers run, and whatever it does from here on it does to this
    /// process. Only a worker process does this. A long account of a layout that does not fit is
    /// written into `details_dir`, if there is one.
    ///
    /// # Errors
    ///
    /// Whatever kept it from being loaded, in one line.
    pub fn load(file: &PluginFile, details_dir: Option<&Path>) -> Result<Self, LoadError> {
        let loading = Loading { file, details_dir };
        let root = loading.root()?;
        let name = root.name().as_str();
        if name != file.manifest.name {
            return Err(LoadError::Replaced {
                path: file.path.clone(),
                expected: file.manifest.name.clone(),
                found: one_line(name),
            });
        }
        Ok(Self { root, name: name.into() })
    }

    /// The plugin's name, as the plugin itself says it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The engine of that name.
    ///
    /// # Errors
    ///
    /// `Other`, with the names that there are, for an engine that the plugin does not export;
    /// `Panicked`, if making it panicked.
    pub fn engine(&self, name: &str) -> Result<Engine, OpError> {
        plain((self.root.engine())(RStr::from_str(name))).map(Engine::new)
    }

    /// The field that only the pretended next ABI has, for the tests of growth.
    #[cfg(feature = "test-next")]
    #[must_use]
    pub fn added_later(&self) -> Option<u64> {
        self.root.added_later()
    }
}

struct Loading<'a> {
    file: &'a PluginFile,
    details_dir: Option<&'a Path>,
}

impl Loading<'_> {
    fn root(&self) -> Result<PluginRef, LoadError> {
        // A path without a folder would be looked for in the system's folders.
        let path = std::path::absolute(&self.file.path)
            .map_err(|error| LoadError::Refused { path: self.path(), reason: error.to_string() })?;
        platform::load_for_good(&path).map_err(|error| self.refused(&error))?;
        let header = lib_header_from_path(&path).map_err(|error| self.library_error(error))?;
        if self.file.manifest.abi < AbiVersion::OURS {
            self.older_root(header)
        } else {
            // Checked here, since the check below lets a plugin without a layout pass.
            self.layout(header)?;
            header.init_root_module::<PluginRef>().map_err(|error| self.library_error(error))
        }
    }

    /// The root module of a plugin that is older than the host.
    fn older_root(&self, header: &'static LibHeader) -> Result<PluginRef, LoadError> {
        let theirs = self.layout(header)?;
        let ours = <PluginRef as StableAbi>::LAYOUT;
        if let RResult::RErr(error) = check_layout_compatibility(theirs, ours) {
            return Err(self.layout_error(&error.to_string()));
        }
        // SAFETY: the layouts were compared just now: all that the plugin has lies where the host
        // looks for it. What the host's layout has beyond that stands after the last prefix field
        // of a prefix type, where every access asks first whether it is there.
        unsafe { header.init_root_module_with_unchecked_layout::<PluginRef>() }
            .map_err(|error| self.library_error(error))
    }

    fn layout(
        &self,
        header: &'static LibHeader,
    ) -> Result<&'static abi_stable::type_layout::TypeLayout, LoadError> {
        header.layout().ok_or_else(|| self.not_callable("it carries no layout to check"))
    }

    fn refused(&self, error: &libloading::Error) -> LoadError {
        // libloading's own text says only that it failed; the loader's text is its source.
        let reason = std::error::Error::source(error)
            .map_or_else(|| error.to_string(), std::string::ToString::to_string);
        let reason = one_line(&reason);
        match missing_library(&reason, &self.file.needed, &self.file.path) {
            Some(library) => LoadError::MissingDependency { path: self.path(), library, reason },
            None => LoadError::Refused { path: self.path(), reason },
        }
    }

    fn library_error(&self, error: LibraryError) -> LoadError {
        match error {
            LibraryError::AbiInstability(error) => self.layout_error(&error.to_string()),
            LibraryError::GetSymbolError { .. } => self.not_callable("it exports no root module"),
            LibraryError::InvalidAbiHeader(_) => {
                self.not_callable("its root module is of another generation of abi_stable")
            }
            LibraryError::InvalidCAbi { .. } => {
                self.not_callable("its compiler calls C functions in another way")
            }
            LibraryError::IncompatibleVersionNumber { .. } => self.layout_error(&error.to_string()),
            other => LoadError::Start { path: self.path(), reason: one_line(&other.to_string()) },
        }
    }

    fn not_callable(&self, reason: &str) -> LoadError {
        LoadError::NotCallable { path: self.path(), reason: reason.into() }
    }

    /// One line instead of thousands; they go into a file.
    fn layout_error(&self, whole: &str) -> LoadError {
        let manifest = &self.file.manifest;
        let details = self.details_dir.and_then(|folder| {
            let path = folder.join(format!("layout-{}.txt", manifest.name));
            fs::write(&path, whole).ok().map(|()| path)
        });
        let remedy = match manifest.abi.cmp(&AbiVersion::OURS) {
            std::cmp::Ordering::Greater => "update stowmark",
            std::cmp::Ordering::Less => "update the plugin",
            std::cmp::Ordering::Equal => {
                "the plugin was built with a changed kit: build it again with the released one"
            }
        };
        LoadError::Layout {
            path: self.path(),
            plugin: manifest.name.clone(),
            theirs: manifest.abi,
            ours: AbiVersion::OURS,
            remedy,
            details,
        }
    }

    fn path(&self) -> PathBuf {
        self.file.path.clone()
    }
}

/// The library that the system's loader did not find, if that is what it said. Loaders word it
/// differently, and all begin with or quote the library's name.
fn missing_library(reason: &str, needed: &[String], plugin: &Path) -> Option<String> {
    if !reason.contains("No such file") && !reason.contains("cannot open shared object") {
        return None;
    }
    if let Some(direct) = needed.iter().find(|library| reason.contains(library.as_str())) {
        return Some(direct.clone());
    }
    // What a needed library needs in its turn: glibc begins with its name.
    let (name, _) = reason.split_once(": ")?;
    (Path::new(name).file_name() != plugin.file_name()).then(|| name.to_owned())
}

/// A text of another's making as one line that is not too long.
fn one_line(text: &str) -> String {
    let words: Vec<_> = text.split(|c: char| c.is_whitespace() || c.is_control()).collect();
    let line = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_library_is_found_in_what_loaders_say() {
        let needed = ["libtc.so.9".to_owned()];
        let of = |reason: &str| missing_library(reason, &needed, Path::new("/p/libstowmark_tc.so"));
        let glibc = "cannot open shared object file: No such file or directory";
        assert_eq!(of(&format!("libtc.so.9: {glibc}")), Some("libtc.so.9".into()));
        assert_eq!(of(&format!("libbz2.so.1: {glibc}")), Some("libbz2.so.1".into()));
        let musl = "Error loading shared library libtc.so.9: No such file or directory \
                    (needed by /p/libstowmark_tc.so)";
        assert_eq!(of(musl), Some("libtc.so.9".into()));
        assert_eq!(of(&format!("/p/libstowmark_tc.so: {glibc}")), None);
        assert_eq!(of("/p/libstowmark_tc.so: undefined symbol: tcbdbnew"), None);
    }

    #[test]
    fn a_long_text_becomes_one_short_line() {
        let line = one_line(&"\n\tmany  words\x1b".repeat(100));
        assert!(line.starts_with("many words many"), "{line}");
        assert!(!line.contains(char::is_control));
        assert_eq!(line.chars().count(), MAX_QUOTED + 3);
    }
}
