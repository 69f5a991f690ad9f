//! The data folder: one run at a time, a subfolder of its own for each, and what a killed run left
//! is swept by the next.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::platform;

const LOCK: &str = ".stowmark.lock";
const MARKER: &str = "stowmark-run.json";
const PREFIX: &str = "run-";

/// Why a data folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// It cannot be made or written.
    #[error("the data folder {} cannot be used: {source}; name another with --data-dir DIR", path.display())]
    Unusable {
        /// The folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Another run has it.
    #[error(
        "the data folder {} is in use by another run (process {owner}): two runs would spoil each \
         other's figures; wait for it, or name another with --data-dir DIR",
        path.display()
    )]
    InUse {
        /// The folder.
        path: PathBuf,
        /// The other run's process, as far as it said.
        owner: String,
    },
}

/// Who made a run's folder.
#[derive(Serialize, Deserialize)]
struct Marker {
    pid: u32,
    /// In ticks since boot: tells a process from a later one of the same number.
    started_ticks: u64,
    /// The folders that were made for the run and go with it, innermost first.
    #[serde(default)]
    made: Vec<PathBuf>,
}

/// A locked data folder with a subfolder for this run; both go when it is dropped.
pub(crate) struct DataFolder {
    root: PathBuf,
    run: PathBuf,
    lock: File,
    /// The folders that were made for this run and go with it, innermost first.
    made: Vec<PathBuf>,
}

impl DataFolder {
    /// Locks the folder, sweeps what killed runs left, and makes this run's subfolder. Returns the
    /// swept folders too.
    pub(crate) fn take(root: &Path) -> Result<(Self, Vec<PathBuf>), FolderError> {
        let unusable = |source| FolderError::Unusable { path: root.into(), source };
        let made = make_folders(root).map_err(unusable)?;
        let root = root.canonicalize().map_err(unusable)?;
        let lock = match lock(&root).map_err(unusable)? {
            Ok(lock) => lock,
            Err(owner) => return Err(FolderError::InUse { path: root, owner }),
        };
        let (swept, made_for_swept) = sweep(&root).map_err(unusable)?;
        let made = if made.is_empty() { made_for_swept } else { made };
        // Made before anything is that would remove it: a folder that is there is somebody's own.
        let run = make_run(&root).map_err(unusable)?;
        let folder = Self { root, run, lock, made };
        folder.mark().map_err(unusable)?;
        Ok((folder, swept))
    }

    fn mark(&self) -> io::Result<()> {
        let pid = std::process::id();
        let started_ticks = platform::process_state(pid).map_or(0, |(_, started)| started);
        let marker = serde_json::to_vec(&Marker { pid, started_ticks, made: self.made.clone() })?;
        fs::write(self.run.join(MARKER), marker)
    }

    /// This run's own folder.
    pub(crate) fn run(&self) -> &Path {
        &self.run
    }

    /// A fresh folder for a store.
    pub(crate) fn store(&self, number: usize, execution: u64) -> io::Result<PathBuf> {
        let path = self.run.join(format!("store-{number}-{execution}"));
        fs::create_dir(&path)?;
        Ok(path)
    }
}

impl Drop for DataFolder {
    fn drop(&mut self) {
        // Whatever cannot be removed now is swept by the next run.
        let _ = remove_run(&self.run);
        let _ = fs::remove_file(self.root.join(LOCK));
        for folder in &self.made {
            // Only what is empty: others may have put something there.
            let _ = fs::remove_dir(folder);
        }
        // Closing it frees the lock, after the last change.
        let _ = self.lock.flush();
    }
}

/// Makes a run's folder under a name that is free: process numbers come again.
fn make_run(root: &Path) -> io::Result<PathBuf> {
    let name = format!("{PREFIX}{}", std::process::id());
    let mut path = root.join(&name);
    for next in 2.. {
        match fs::create_dir(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && next < 1_000 => {
                path = root.join(format!("{name}-{next}"));
            }
            made => return made.map(|()| path),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Removes a run's folder, its marker last: whoever is killed meanwhile leaves a folder that the
/// next run knows for a run's.
fn remove_run(run: &Path) -> io::Result<()> {
    for entry in fs::read_dir(run)? {
        let entry = entry?;
        if entry.file_name() == MARKER {
            continue;
        }
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    fs::remove_dir_all(run)
}

/// Makes the folder and what is above it. Returns what was not there before, innermost first.
fn make_folders(path: &Path) -> io::Result<Vec<PathBuf>> {
    let missing: Vec<_> = path
        .ancestors()
        .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists())
        .map(Path::to_path_buf)
        .collect();
    fs::create_dir_all(path)?;
    missing.into_iter().map(|folder| folder.canonicalize()).collect()
}

/// The lock, or who has it.
fn lock(root: &Path) -> io::Result<Result<File, String>> {
    let path = root.join(LOCK);
    loop {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path)?;
        if !platform::try_lock(&file)? {
            return Ok(Err(owner(&mut file)?));
        }
        // Its holder may have removed it between our opening and locking: then it locks nothing.
        if platform::same_file(&file, &path) {
            file.set_len(0)?;
            file.rewind()?;
            write!(file, "{}", std::process::id())?;
            return Ok(Ok(file));
        }
    }
}

/// Who has the lock, as the file says. Its owner may have locked it this moment and not written yet.
fn owner(file: &mut File) -> io::Result<String> {
    let mut owner = String::new();
    for _ in 0..100 {
        file.rewind()?;
        file.read_to_string(&mut owner)?;
        if !owner.is_empty() {
            return Ok(owner);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok("unknown".into())
}

/// Removes the folders of runs whose process is gone. We hold the lock, so no other run is alive;
/// the marker proves that the folder is a run's and not somebody's own. Returns what was removed, and
/// the folders that were made for those runs: it is now on us to remove them.
fn sweep(root: &Path) -> io::Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    let mut swept = Vec::new();
    let mut made = Vec::new();
    for entry in fs::read_dir(root)? {
        let path = entry?.path();
        let is_run =
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX));
        let marker = fs::read(path.join(MARKER)).ok();
        let marker = marker.and_then(|text| serde_json::from_slice::<Marker>(&text).ok());
        let Some(marker) = marker.filter(|_| is_run) else { continue };
        let alive = platform::process_state(marker.pid)
            .is_some_and(|(state, started)| started == marker.started_ticks && state != 'Z');
        if !alive {
            remove_run(&path)
                .map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", path.display())))?;
            swept.push(path);
            made.extend(marker.made.into_iter().filter(|folder| root.starts_with(folder)));
        }
    }
    Ok((swept, made))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_leaves_the_folder_as_it_was() {
        let temporary = tempfile::tempdir().unwrap();
        let root = temporary.path().join("a").join("b");
        let (folder, swept) = DataFolder::take(&root).unwrap();
        assert!(folder.store(0, 0).unwrap().is_dir());
        assert!(swept.is_empty());
        drop(folder);
        assert!(!temporary.path().join("a").exists());
    }

    #[test]
    fn what_was_there_before_stays() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("mine"), "x").unwrap();
        fs::create_dir(root.path().join("run-1")).unwrap();
        drop(DataFolder::take(root.path()).unwrap());
        assert_eq!(fs::read_to_string(root.path().join("mine")).unwrap(), "x");
        assert!(root.path().join("run-1").exists(), "without a marker it is not ours");
    }

    #[test]
    fn a_folder_of_the_users_with_this_runs_name_stays() {
        let root = tempfile::tempdir().unwrap();
        let own = root.path().join(format!("run-{}", std::process::id()));
        fs::create_dir(&own).unwrap();
        fs::write(own.join("thesis"), "x").unwrap();
        let (folder, _) = DataFolder::take(root.path()).unwrap();
        assert_ne!(folder.run().file_name(), own.file_name());
        drop(folder);
        assert_eq!(fs::read_to_string(own.join("thesis")).unwrap(), "x");
    }

    #[test]
    fn a_second_run_is_refused_and_told_by_whom() {
        let root = tempfile::tempdir().unwrap();
        let (_first, _) = DataFolder::take(root.path()).unwrap();
        let error = DataFolder::take(root.path()).err().unwrap().to_string();
        assert!(error.contains(&format!("process {}", std::process::id())), "{error}");
    }

    #[test]
    fn what_a_killed_run_left_is_swept() {
        let root = tempfile::tempdir().unwrap();
        let left = root.path().join("run-77");
        fs::create_dir(&left).unwrap();
        mark(&left, Vec::new());
        let (folder, swept) = DataFolder::take(root.path()).unwrap();
        assert_eq!(swept, [root.path().canonicalize().unwrap().join("run-77")]);
        assert!(!left.exists());
        drop(folder);
        assert!(root.path().exists(), "it was there before the killed run");
    }

    #[test]
    fn the_folder_that_was_made_for_a_killed_run_goes_with_the_next() {
        let temporary = tempfile::tempdir().unwrap();
        let above = temporary.path().canonicalize().unwrap();
        let root = above.join("data");
        let left = root.join("run-77");
        fs::create_dir_all(&left).unwrap();
        fs::create_dir(above.join("else")).unwrap();
        mark(&left, vec![root.clone(), above.join("else")]);
        drop(DataFolder::take(&root).unwrap());
        assert!(!root.exists());
        assert!(above.join("else").exists(), "it is not above the data folder");
    }

    /// What a run left whose process is gone: this one is alive, but did not start at tick 1.
    fn mark(folder: &Path, made: Vec<PathBuf>) {
        let marker = Marker { pid: std::process::id(), started_ticks: 1, made };
        fs::write(folder.join(MARKER), serde_json::to_vec(&marker).unwrap()).unwrap();
    }
}
