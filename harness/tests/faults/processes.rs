//! The workers of a run as `/proc` shows them. Only children of a harness that a test started are
//! ever found here, so only they are ever sent a signal.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::BOUND;

/// A worker: a process that the harness started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Worker {
    pub(super) pid: u32,
    /// In ticks since boot: its number may be another's later.
    started: u64,
}

/// All workers of that harness.
pub(super) fn workers(harness: u32) -> Vec<Worker> {
    let all = pids().into_iter().filter_map(|pid| Some((pid, Stat::of(pid)?)));
    let children = all.filter(|(_, stat)| stat.parent == harness && stat.state != 'Z');
    children.map(|(pid, stat)| Worker { pid, started: stat.started }).collect()
}

/// The worker whose engine hangs, if there is one.
pub(super) fn hanging(harness: u32) -> Option<Worker> {
    hanging_in(harness, "hang-")
}

/// The worker whose engine hangs in that call, if there is one.
pub(super) fn hanging_in(harness: u32, call: &str) -> Option<Worker> {
    workers(harness).into_iter().find(|worker| worker.hangs(call))
}

/// The worker that has loaded that plugin, if there is one.
pub(super) fn with_plugin(harness: u32, plugin: &str) -> Option<Worker> {
    let library = format!("libstowmark_{plugin}.so");
    workers(harness).into_iter().find(|worker| worker.has_loaded(&library))
}

/// All processes that were made a worker of that harness, whosever children they are by now.
pub(super) fn left_by(harness: u32) -> Vec<u32> {
    let mark = format!("STOWMARK_SUPERVISOR_PID={harness}");
    let is_marked = |pid: &u32| {
        let environment = fs::read(folder(*pid).join("environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
    };
    pids().into_iter().filter(is_marked).collect()
}

/// Waits until something is so.
#[track_caller]
pub(super) fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + BOUND;
    while !is_so() {
        assert!(Instant::now() < deadline, "{BOUND:?} went by without {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Sends a signal by its name to a process, or to a process group by its negative number.
#[track_caller]
pub(super) fn signal(name: &str, target: i64) {
    let target = target.to_string();
    let kill = ["-c", "kill -s \"$0\" -- \"$1\"", name, &target];
    assert!(Command::new("sh").args(kill).status().unwrap().success(), "kill -s {name} {target}");
}

/// Whether that process has ended and waits for its parent to notice.
pub(super) fn has_ended(pid: u32) -> bool {
    Stat::of(pid).is_none_or(|stat| stat.state == 'Z')
}

impl Worker {
    fn stat(&self) -> Option<Stat> {
        Stat::of(self.pid).filter(|stat| stat.started == self.started)
    }

    /// Whether it is stopped where it was.
    pub(super) fn is_stopped(&self) -> bool {
        self.stat().is_some_and(|stat| stat.state == 'T')
    }

    /// The process group that it is in.
    pub(super) fn group(&self) -> Option<u32> {
        self.stat().map(|stat| stat.group)
    }

    /// Whether a thread's name shows that a call of the engine hangs.
    fn hangs(&self, call: &str) -> bool {
        let Ok(tasks) = fs::read_dir(folder(self.pid).join("task")) else { return false };
        tasks.filter_map(Result::ok).any(|task| {
            let name = fs::read_to_string(task.path().join("comm"));
            name.is_ok_and(|name| name.starts_with(call))
        })
    }

    fn has_loaded(&self, library: &str) -> bool {
        let maps = fs::read_to_string(folder(self.pid).join("maps"));
        maps.is_ok_and(|maps| maps.lines().any(|line| line.ends_with(library)))
    }

    #[track_caller]
    pub(super) fn signal(&self, name: &str) {
        assert!(self.stat().is_some(), "worker {} is gone", self.pid);
        signal(name, self.pid.into());
    }
}

/// What a process's `stat` says.
struct Stat {
    state: char,
    parent: u32,
    group: u32,
    started: u64,
}

impl Stat {
    fn of(pid: u32) -> Option<Self> {
        let text = fs::read_to_string(folder(pid).join("stat")).ok()?;
        // The name may hold anything; what follows its bracket begins with the third field.
        let fields: Vec<_> = text.rsplit_once(')')?.1.split_whitespace().collect();
        Some(Self {
            state: fields.first()?.chars().next()?,
            parent: fields.get(1)?.parse().ok()?,
            group: fields.get(2)?.parse().ok()?,
            started: fields.get(19)?.parse().ok()?,
        })
    }
}

fn pids() -> Vec<u32> {
    let entries = fs::read_dir("/proc").unwrap();
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect()
}

fn folder(pid: u32) -> PathBuf {
    Path::new("/proc").join(pid.to_string())
}
