//! Tells the manifest which redb was built in: redb exports no version, so it is read from the
//! lock file, the only place that says which version the requirement came to.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

const LIBRARY: &str = "redb";

fn main() -> Result<(), Box<dyn Error>> {
    let package = env::var("CARGO_PKG_NAME")?;
    let folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let lock = nearest_lock(&folder)
        .ok_or_else(|| format!("no Cargo.lock in {} or above it", folder.display()))?;
    let version = locked_version(&fs::read_to_string(&lock)?, &package)
        .ok_or_else(|| format!("{} does not say which {LIBRARY} {package} uses", lock.display()))?;
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", lock.display());
    println!("cargo::rustc-env=STOWMARK_REDB_VERSION={version}");
    Ok(())
}

fn nearest_lock(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().map(|folder| folder.join("Cargo.lock")).find(|lock| lock.is_file())
}

/// The version in the package's list of dependencies, where several are locked (`redb 4.6.0`), or
/// that of the only one.
fn locked_version(lock: &str, package: &str) -> Option<String> {
    let packages = || lock.split("[[package]]").skip(1);
    let ours = packages().find(|block| field(block, "name") == Some(package))?;
    let wanted = ours
        .lines()
        .filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\","))
        .find(|entry| entry.split(' ').next() == Some(LIBRARY))?;
    if let Some(version) = wanted.split(' ').nth(1) {
        return Some(version.into());
    }
    let library = packages().find(|block| field(block, "name") == Some(LIBRARY))?;
    field(library, "version").map(Into::into)
}

fn field<'a>(block: &'a str, name: &str) -> Option<&'a str> {
    block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = \"")?.strip_suffix('"'))
}
