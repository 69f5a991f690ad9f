//! Looks into a plugin's file without running any of its code, and says what is wrong with it.
//!
//! Whatever a file may be, each thing that can be wrong has its own variant with the path, what was
//! expected and what was found, and one line of text that says what to do.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use stowmark_abi::manifest::Header;

use crate::elf;
use crate::manifest::{AbiVersion, Manifest};

/// A plugin's file, inspected and not loaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PluginFile {
    /// Where it lies, as it was named.
    pub path: PathBuf,
    /// What it says of itself.
    pub manifest: Manifest,
    /// The libraries that the system must find to load it.
    pub needed: Vec<String>,
}

/// Why a file is no plugin that this host can use.
#[derive(Debug, thiserror::Error)]
pub enum InspectError {
    /// The file cannot be read at all.
    #[error("{}: cannot be read: {source}", path.display())]
    NotReadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is something other than a shared library.
    #[error("{}: is {found}, not a shared library", path.display())]
    NotALibrary {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: &'static str,
    },
    /// The file ends before its own headers say.
    #[error(
        "{}: is truncated: its headers speak of {expected} bytes, it has {found}; copy it again",
        path.display()
    )]
    Truncated {
        /// The file.
        path: PathBuf,
        /// How many bytes it must have at least.
        expected: u64,
        /// How many it has.
        found: u64,
    },
    /// The library is for another processor.
    #[error(
        "{}: is built for {found}, this machine is {ours}; build or fetch it for {ours}",
        path.display()
    )]
    OtherCpu {
        /// The file.
        path: PathBuf,
        /// The processor it is for.
        found: String,
        /// The processor here.
        ours: &'static str,
    },
    /// The library is for 32 bits.
    #[error("{}: is a 32-bit library, this is a 64-bit program; build it for 64 bits", path.display())]
    OtherBits {
        /// The file.
        path: PathBuf,
    },
    /// The library's own tables make no sense.
    #[error("{}: is a damaged library: {why}; build or copy it again", path.display())]
    DamagedLibrary {
        /// The file.
        path: PathBuf,
        /// What makes no sense.
        why: String,
    },
    /// A shared library, but no plugin.
    #[error(
        "{}: is a shared library but no Stowmark plugin: it exports no {}",
        path.display(),
        stowmark_abi::manifest::SYMBOL
    )]
    NoManifest {
        /// The file.
        path: PathBuf,
    },
    /// A plugin whose manifest cannot be understood.
    #[error("{}: its manifest is damaged: {why}; build it again", path.display())]
    DamagedManifest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A plugin of a later major version of the ABI.
    #[error(
        "{}: is built for plugin ABI {theirs}, this stowmark has {ours}; update stowmark",
        path.display()
    )]
    AbiTooNew {
        /// The file.
        path: PathBuf,
        /// The plugin's ABI.
        theirs: AbiVersion,
        /// This host's ABI.
        ours: AbiVersion,
    },
    /// A plugin of an earlier major version of the ABI.
    #[error(
        "{}: is built for plugin ABI {theirs}, this stowmark has {ours}; update the plugin",
        path.display()
    )]
    AbiTooOld {
        /// The file.
        path: PathBuf,
        /// The plugin's ABI.
        theirs: AbiVersion,
        /// This host's ABI.
        ours: AbiVersion,
    },
}

impl InspectError {
    /// The file that it is about.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::NotReadable { path, .. }
            | Self::NotALibrary { path, .. }
            | Self::Truncated { path, .. }
            | Self::OtherCpu { path, .. }
            | Self::OtherBits { path }
            | Self::DamagedLibrary { path, .. }
            | Self::NoManifest { path }
            | Self::DamagedManifest { path, .. }
            | Self::AbiTooNew { path, .. }
            | Self::AbiTooOld { path, .. } => path,
        }
    }
}

/// Reads a plugin's manifest from its file. None of its code runs.
///
/// # Errors
///
/// Whatever keeps the file from being a plugin that this host can use.
pub fn inspect(path: &Path) -> Result<PluginFile, InspectError> {
    let not_readable = |source| InspectError::NotReadable { path: path.into(), source };
    // Asked before opening: opening a pipe would wait for its other end.
    let metadata = std::fs::metadata(path).map_err(not_readable)?;
    if metadata.is_dir() {
        return Err(InspectError::NotALibrary { path: path.into(), found: "a folder" });
    }
    if !metadata.is_file() {
        return Err(InspectError::NotALibrary { path: path.into(), found: "no regular file" });
    }
    let library = elf::read(path, File::open(path).map_err(not_readable)?)?;
    let abi = abi_version(path, library.header)?;
    let manifest = Manifest::read(&library.json, abi)
        .map_err(|why| InspectError::DamagedManifest { path: path.into(), why })?;
    Ok(PluginFile { path: path.into(), manifest, needed: library.needed })
}

fn abi_version(path: &Path, header: Header) -> Result<AbiVersion, InspectError> {
    let theirs = AbiVersion { major: header.abi_major, minor: header.abi_minor };
    let ours = AbiVersion::OURS;
    match theirs.major.cmp(&ours.major) {
        std::cmp::Ordering::Equal => Ok(theirs),
        std::cmp::Ordering::Greater => {
            Err(InspectError::AbiTooNew { path: path.into(), theirs, ours })
        }
        std::cmp::Ordering::Less => {
            Err(InspectError::AbiTooOld { path: path.into(), theirs, ours })
        }
    }
}
