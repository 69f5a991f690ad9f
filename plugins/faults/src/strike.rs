//! The faults that take the process down, block it, or make noise. None needs unsafe code: what a
//! supervisor sees of a segmentation fault is the signal.

use std::fs::{self, OpenOptions};
use std::hint::black_box;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rustix::fs::Mode;
use rustix::process::{Signal, getpid, kill_process};

use crate::config::Fault;

/// How often a call that hangs looks whether it may go on.
const LOOK: Duration = Duration::from_millis(5);

/// Where calls hang: until the file `go` is in the store's folder, which is never unless a test
/// makes it.
pub(crate) struct Gate {
    go: PathBuf,
}

impl Gate {
    pub(crate) fn new(folder: &Path) -> Self {
        Self { go: folder.join("go") }
    }

    /// Holds the call. The waiting is done by a thread that bears the fault's name, so that whoever
    /// looks at this process from outside sees that the fault has struck.
    pub(crate) fn hang(&self, fault: Fault) {
        log::info!("{} from here on, as asked", fault.name());
        let wait = || {
            while !self.go.exists() {
                std::thread::sleep(LOOK);
            }
        };
        std::thread::scope(|scope| {
            let named = std::thread::Builder::new().name(fault.name().into());
            if named.spawn_scoped(scope, wait).is_err() {
                // Without a thread it hangs all the same.
                wait();
            }
        });
    }
}

/// Ends the process by the signal of a segmentation fault.
pub(crate) fn segfault() -> ! {
    loop {
        // More than once: the first may meet the handler with which Rust tells stack overflows,
        // which steps aside and expects the fault to come again.
        let _ = kill_process(getpid(), Signal::SEGV);
    }
}

/// Uses up the stack.
#[expect(unconditional_recursion, reason = "that is the fault")]
pub(crate) fn overflow(depth: u64) -> u64 {
    let frame = black_box([depth; 64]);
    // The frame is used after the call, so that no tail call takes the place of a deeper one.
    overflow(depth + 1) + black_box(frame)[0]
}

/// Panics on a thread of the plugin's own.
pub(crate) fn panic_on_a_thread() {
    let thread = std::thread::spawn(|| panic!("a panic on the plugin's own thread, as asked"));
    // The panic is what was wanted.
    let _ = thread.join();
}

/// Writes far more than a pipe holds to both standard streams, some of it in the harness's own
/// manner and some of it no text at all.
pub(crate) fn flood() {
    let line = b"{\"type\":\"done\",\"ok\":true} noise \xff\xfe noise\n";
    let noise = line.repeat((1 << 20) / line.len());
    // A closed stream is no reason to stop.
    let _ = std::io::stdout().write_all(&noise);
    let _ = std::io::stdout().flush();
    let _ = std::io::stderr().write_all(&noise);
}

/// A line of each level through `log`, one through `tracing`, and one with escape codes that has no
/// business on a terminal.
pub(crate) fn log_lines() {
    log::error!("an error, as asked");
    log::warn!("a warning, as asked");
    log::info!("a piece of news, as asked");
    log::debug!("a detail that nobody asked for");
    tracing::warn!(blob = 7, "a traced warning, as asked");
    log::info!("\u{1b}[31mred\u{1b}[0m\u{7} in\ntwo lines");
}

/// Writes into every pipe that this process can write to, its standard streams excepted: one of them
/// is the harness's own.
pub(crate) fn speak_up(line: &[u8]) {
    let Ok(descriptors) = fs::read_dir("/proc/self/fd") else { return };
    for path in descriptors.filter_map(|entry| Some(entry.ok()?.path())) {
        let number = path.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok());
        let is_pipe =
            fs::read_link(&path).is_ok_and(|target| target.to_string_lossy().starts_with("pipe:"));
        let Some(number) = number.filter(|number| *number > 2 && is_pipe) else { continue };
        // Its flags, octal, end in the access mode: 1 is writing only.
        let facts = fs::read_to_string(format!("/proc/self/fdinfo/{number}")).unwrap_or_default();
        let flags = facts.lines().find_map(|line| line.strip_prefix("flags:"));
        if flags.is_some_and(|flags| flags.trim().ends_with('1'))
            && let Ok(mut pipe) = OpenOptions::new().write(true).open(&path)
        {
            // A pipe that is closed at the other end is no reason to stop.
            let _ = pipe.write_all(line);
        }
    }
}

/// Makes this process another program, which closes the harness's pipes and lives on.
pub(crate) fn become_another_program() {
    // Returns only if it could not be done.
    let error = Command::new("sleep").arg("3600").exec();
    log::error!("sleep cannot be started: {error}");
}

/// Changes what belongs to the whole process: the current folder, and what others may do with new
/// files.
pub(crate) fn meddle() {
    let _ = std::env::set_current_dir("/");
    rustix::process::umask(Mode::from_raw_mode(0o777));
}
