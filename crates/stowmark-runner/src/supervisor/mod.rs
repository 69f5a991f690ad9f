//! The supervisor: carries out a plan with one worker process for each engine and execution.
//!
//! It locks the data folder, looks at the machine, and then, execution by execution and case by
//! case, has every engine warm up, take its turns and give back what it stored. After each case the
//! result file is written anew, so nothing measured is lost to what comes later.

mod book;
mod calibrate;
mod crew;
mod folder;
mod machine;
mod probe;
mod process;
mod progress;
mod schedule;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use stowmark_results::{RunResult, Status, file};

use crate::event::Event;
use crate::plan::Plan;
use book::Book;
use folder::DataFolder;
pub use folder::FolderError;
use process::Processes;
use schedule::{End, Schedule};

/// How the user's wish to end reaches a run: shared with whoever handles signals.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicU8>);

impl Stop {
    /// Asks the run to end because of that signal (`SIGINT` 2, `SIGTERM` 15). Returns whether it
    /// had been asked before.
    pub fn request(&self, signal: u8) -> bool {
        self.0.swap(signal, Ordering::SeqCst) != 0
    }

    /// Whether the run was asked to end.
    #[must_use]
    pub fn requested(&self) -> bool {
        self.signal() != 0
    }

    /// The signal that asked, or 0.
    #[must_use]
    pub fn signal(&self) -> u8 {
        self.0.load(Ordering::SeqCst)
    }
}

/// Where a run works and what it is called.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The data folder.
    pub data_dir: PathBuf,
    /// The result file; its folder exists.
    pub out: PathBuf,
    /// Whether `media` may be claimed where power loss empties the data folder.
    pub allow_volatile: bool,
    /// The harness's version, for the result.
    pub harness_version: String,
    /// The command line, for the result.
    pub command_line: Vec<String>,
    /// The program that is a worker.
    pub worker_program: PathBuf,
    /// The arguments that make it one.
    pub worker_arguments: Vec<String>,
}

/// Why a run could not start. Nothing was measured, and nothing is left behind.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The data folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The result file.
    #[error(transparent)]
    Result(#[from] file::FileError),
    /// A plugin cannot be loaded.
    #[error("{0}")]
    Plugin(String),
    /// The disk below the data folder could not be tried.
    #[error(
        "the data folder cannot be tried by a few flushed writes: {0}; name another with --data-dir DIR"
    )]
    Probe(std::io::Error),
    /// `media` on what power loss empties.
    #[error(
        "tier media is refused: the data folder is on {file_system}, which power loss empties. Name \
         a folder on a disk with --data-dir DIR, ask for a weaker tier with --durability, or label the figures \
         volatile with --allow-volatile"
    )]
    Volatile {
        /// The file system.
        file_system: String,
    },
}

/// A run that took place.
#[derive(Debug)]
pub struct Done {
    /// What was measured; its status says how far the run came.
    pub result: RunResult,
    /// Why the result file could not be written in the end. It holds what was written before, if
    /// anything was.
    pub unwritten: Option<file::FileError>,
}

/// Carries out a plan and writes the result file.
///
/// # Errors
///
/// [`StartError`], before anything was measured.
pub fn run(
    plan: &Plan,
    settings: &Settings,
    stop: &Stop,
    emit: &mut dyn FnMut(Event),
) -> Result<Done, StartError> {
    file::check_writable(&settings.out)?;
    let (folder, swept) = DataFolder::take(&settings.data_dir)?;
    if !swept.is_empty() {
        emit(Event::Swept { folders: swept });
    }
    let mut book = Book::open(plan, settings);
    book.result.machine = machine::facts();
    let storage = machine::storage(folder.run());
    refuse_volatile(plan, settings, &storage)?;
    let probe = probe::fsync(folder.run()).map_err(StartError::Probe)?;
    book.result.machine.storage =
        Some(stowmark_results::Storage { fsync_probe: Some(probe), ..storage });
    let crew = Processes {
        program: settings.worker_program.clone(),
        arguments: settings.worker_arguments.clone(),
        timeout: plan.timeout,
        stop: stop.clone(),
    };
    let end = Schedule::new(plan, crew, &folder, &mut book, stop, emit).run();
    let run_folder = folder.run().to_path_buf();
    drop(folder);
    if run_folder.exists() {
        emit(Event::Log {
            label: "harness".into(),
            level: Some("warn".into()),
            line: format!("{} could not be removed whole: remove it", run_folder.display()),
        });
    }
    if let End::Unusable(message) = end {
        return Err(StartError::Plugin(message));
    }
    let stopped = end == End::Stopped;
    book.result.finished = Some(book::now());
    book.result.status = match (stopped, stop.signal()) {
        (true, 15) => Status::Terminated,
        (true, _) => Status::Interrupted,
        (false, _) if book.anything_failed() => Status::Failed,
        (false, _) => Status::Complete,
    };
    let unwritten = book.write().err();
    if unwritten.is_none() {
        emit(Event::Written { path: settings.out.clone() });
    }
    Ok(Done { result: book.result, unwritten })
}

fn refuse_volatile(
    plan: &Plan,
    settings: &Settings,
    storage: &stowmark_results::Storage,
) -> Result<(), StartError> {
    let media = plan.listed().any(|engine| engine.tier == "media");
    if media && storage.volatile && !settings.allow_volatile {
        let file_system = storage.file_system.clone().unwrap_or_else(|| "memory".into());
        return Err(StartError::Volatile { file_system });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
