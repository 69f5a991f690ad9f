//! Runs the built command as a user would: in a folder of its own, with an environment of its own,
//! and never without a bound in time.
//!
//! A test has a [`Place`], which is the current folder of all that it runs: so tests name files by
//! short relative paths, and command lines are written as one text. What came out is an [`Outcome`],
//! whose checks show everything that was printed when they fail.

pub(crate) mod libraries;

use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use stowmark_results::{CaseEngine, RunResult};
use tempfile::TempDir;

/// How long anything may take. Far above what it does take: a run that hangs is found, one on a
/// busy machine is not.
pub(crate) const BOUND: Duration = Duration::from_secs(120);

/// What makes a run short; each holds where the test's own line does not say otherwise.
const SMALL: [(&str, &str); 7] = [
    ("--executions", "1"),
    ("--rounds", "2"),
    ("--size", "1k"),
    ("--ops", "8"),
    ("--seed", "7"),
    ("--timeout", "30s"),
    ("--out", "result.json"),
];

/// The folders of built plugins, from the environment.
pub(crate) fn plugin_path() -> OsString {
    std::env::var_os("STOWMARK_PLUGIN_PATH").unwrap_or_else(|| {
        panic!("STOWMARK_PLUGIN_PATH is not set; run `cargo xtask test`, which builds the plugins")
    })
}

/// The built library of that plugin.
pub(crate) fn library(plugin: &str) -> PathBuf {
    let file = format!("libstowmark_{plugin}.so");
    std::env::split_paths(&plugin_path())
        .map(|folder| folder.join(&file))
        .find(|p| p.exists())
        .unwrap_or_else(|| {
            panic!("{file} is in no folder of STOWMARK_PLUGIN_PATH; run `cargo xtask test`")
        })
}

/// A folder to run the command in. Goes with all that is in it.
pub(crate) struct Place {
    folder: TempDir,
    program: PathBuf,
    plugins: OsString,
}

impl Place {
    /// An empty folder, on the disk of the target folder: the usual place for temporary files may be
    /// memory, where tier `media` is refused.
    pub(crate) fn new() -> Self {
        Self::in_folder(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap())
    }

    /// The same in memory, where there is such a file system: for what has nothing to do with disks
    /// and would only wait for flushes. Tier `media` is refused there.
    pub(crate) fn in_memory() -> Self {
        tempfile::tempdir_in("/dev/shm").map_or_else(|_| Self::new(), Self::in_folder)
    }

    fn in_folder(folder: TempDir) -> Self {
        let program = env!("CARGO_BIN_EXE_stowmark").into();
        Self { folder, program, plugins: plugin_path() }
    }

    /// The same where the command finds no plugins: it looks beside its own file too, so it gets
    /// another one, `bin/stowmark`.
    pub(crate) fn without_plugins() -> Self {
        let mut place = Self::new();
        let program = place.path("bin/stowmark");
        fs::create_dir(place.path("bin")).unwrap();
        if fs::hard_link(&place.program, &program).is_err() {
            fs::copy(&place.program, &program).unwrap();
        }
        place.program = program;
        place.plugins = OsString::new();
        place
    }

    /// The absolute path of a file or folder here.
    pub(crate) fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(relative)
    }

    /// What is here, by name, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        names_in(self.folder.path())
    }

    /// The command, ready for arguments: in this folder, in an environment without traces of the
    /// one that the tests run in, with nothing on standard input.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        self.prepare(&mut command);
        command
    }

    /// Gives another program (a wrapper, a shell) the folder and environment of [`Self::command`].
    pub(crate) fn prepare(&self, command: &mut Command) {
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "XDG_DATA_HOME", "COLUMNS", "RUST_BACKTRACE"] {
            command.env_remove(name);
        }
        command.env("HOME", self.folder.path()).env("STOWMARK_PLUGIN_PATH", &self.plugins);
    }

    /// The command's file.
    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    /// Runs `stowmark LINE`; the line is split at spaces.
    pub(crate) fn stowmark(&self, line: &str) -> Outcome {
        finish(self.command().args(line.split_whitespace()))
    }

    /// Runs `stowmark run LINE`, made short, with the result in `result.json` unless the line says
    /// otherwise.
    pub(crate) fn run(&self, line: &str) -> Outcome {
        finish(self.command().arg("run").args(small(line)))
    }

    /// Starts `stowmark run LINE` as [`Self::run`] does and lets it go on.
    pub(crate) fn start(&self, line: &str) -> Running {
        Running::start(self.command().arg("run").args(small(line)))
    }

    /// Runs `stowmark run LINE`, which ends with 0. Returns the result file too.
    pub(crate) fn weigh(&self, line: &str) -> (Outcome, RunResult) {
        let outcome = self.run(line);
        outcome.exits(0);
        (outcome, self.result("result.json"))
    }

    /// A result file that is here.
    pub(crate) fn result(&self, relative: &str) -> RunResult {
        stowmark_results::file::read(&self.path(relative)).unwrap()
    }

    /// Neither stores, locks nor folders are left of a run here.
    #[track_caller]
    pub(crate) fn is_clean(&self) {
        assert!(
            !self.path("stowmark-data").exists(),
            "{:?}",
            names_in(&self.path("stowmark-data"))
        );
    }
}

/// The names in a folder, sorted.
pub(crate) fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The words of a line, and what makes a run short.
pub(crate) fn small(line: &str) -> Vec<String> {
    let mut words: Vec<String> = line.split_whitespace().map(String::from).collect();
    for (flag, value) in SMALL {
        if !words.iter().any(|word| word == flag) {
            words.extend([flag.into(), value.into()]);
        }
    }
    words
}

/// Runs a command to its end.
pub(crate) fn finish(command: &mut Command) -> Outcome {
    Running::start(command).wait()
}

/// A command that was started. Ended if the test forgets it.
pub(crate) struct Running {
    child: Child,
    line: String,
    stdout: Option<JoinHandle<String>>,
    stderr: Option<JoinHandle<String>>,
    deadline: Instant,
}

impl Running {
    /// Starts a command and reads what it prints. A stream that the command was given elsewhere
    /// stays there: set it after [`Place::command`] and use [`Self::start_as_it_is`].
    pub(crate) fn start(command: &mut Command) -> Self {
        Self::start_as_it_is(command.stdout(Stdio::piped()).stderr(Stdio::piped()))
    }

    /// Starts a command whose streams are set already; those that are pipes are read.
    pub(crate) fn start_as_it_is(command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        Self {
            stdout: child.stdout.take().map(reader),
            stderr: child.stderr.take().map(reader),
            child,
            line: format!("{command:?}"),
            deadline: Instant::now() + BOUND,
        }
    }

    /// Its process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal by its name, such as `TERM`.
    #[track_caller]
    pub(crate) fn signal(&self, name: &str) {
        let pid = self.pid().to_string();
        let kill = ["-c", "kill -s \"$0\" \"$1\"", name, &pid];
        let status = Command::new("sh").args(kill).status().unwrap();
        assert!(status.success(), "kill -s {name} {pid}");
    }

    /// Waits until something is so, and fails when the time is up or the command ended before.
    #[track_caller]
    pub(crate) fn until(&mut self, what: &str, mut is_so: impl FnMut() -> bool) {
        while !is_so() {
            if let Some(status) = self.child.try_wait().unwrap() {
                let outcome = self.outcome(status);
                panic!("ended before {what}: {outcome}");
            }
            self.check_time(what);
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for its end.
    #[track_caller]
    pub(crate) fn wait(mut self) -> Outcome {
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return self.outcome(status);
            }
            self.check_time("its end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[track_caller]
    fn check_time(&mut self, what: &str) {
        if Instant::now() > self.deadline {
            self.child.kill().unwrap();
            let status = self.child.wait().unwrap();
            let outcome = self.outcome(status);
            panic!("{BOUND:?} went by without {what}: {outcome}");
        }
    }

    fn outcome(&mut self, status: ExitStatus) -> Outcome {
        let text = |stream: Option<JoinHandle<String>>| {
            stream.map_or_else(String::new, |reader| reader.join().unwrap())
        };
        let (stdout, stderr) = (self.stdout.take(), self.stderr.take());
        Outcome { line: self.line.clone(), status, stdout: text(stdout), stderr: text(stderr) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // An error says that it ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn reader(mut stream: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// How a command ended and what it printed.
pub(crate) struct Outcome {
    line: String,
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Outcome {
    /// It ended with that code.
    #[track_caller]
    pub(crate) fn exits(&self, code: i32) -> &Self {
        assert_eq!(self.status.code(), Some(code), "{self}");
        self
    }

    /// It was refused with that code and one short message, and printed nothing else. Returns the
    /// message.
    #[track_caller]
    pub(crate) fn refused(&self, code: i32) -> &str {
        self.exits(code);
        assert_eq!(self.stdout, "", "{self}");
        let lines = self.stderr.lines().filter(|line| !line.trim().is_empty()).count();
        assert!((1..=5).contains(&lines), "{lines} lines: {self}");
        assert!(self.stderr.len() < 900, "too long: {self}");
        self.no_dump();
        &self.stderr
    }

    /// It was refused with that code, and the message holds each of the words.
    #[track_caller]
    pub(crate) fn refused_with(&self, code: i32, words: &[&str]) {
        let message = self.refused(code);
        for word in words {
            assert!(message.contains(word), "no {word:?}: {self}");
        }
    }

    /// Nothing that it printed is a panic's text or a value as a programmer sees it.
    #[track_caller]
    pub(crate) fn no_dump(&self) {
        for dump in ["panicked", "thread '", "RUST_BACKTRACE", "backtrace", " { ", "Some(", "Os {"]
        {
            for text in [&self.stdout, &self.stderr] {
                assert!(!text.contains(dump), "a dump ({dump}): {self}");
            }
        }
    }

    /// No escape codes, on either stream.
    #[track_caller]
    pub(crate) fn no_escapes(&self) {
        assert!(!self.stdout.contains('\u{1b}'), "{self}");
        assert!(!self.stderr.contains('\u{1b}'), "{self}");
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { line, status, stdout, stderr } = self;
        let signal = status.signal();
        write!(
            f,
            "{line}\n{status} (signal {signal:?})\n--- stdout\n{stdout}\n--- stderr\n{stderr}"
        )
    }
}

/// A case's figures of the engine with that label; `(floor)` is the floor's.
#[track_caller]
pub(crate) fn figures<'a>(result: &'a RunResult, case: &str, label: &str) -> &'a CaseEngine {
    let ids: Vec<_> = result.cases.iter().map(|case| case.id.as_str()).collect();
    let found = result.cases.iter().find(|found| found.id == case);
    let found = found.unwrap_or_else(|| panic!("no case {case}; there are {ids:?}"));
    let mut all = found.engines.iter().chain(&found.floor);
    all.find(|engine| engine.label == label).unwrap_or_else(|| panic!("no {label} in {case}"))
}
