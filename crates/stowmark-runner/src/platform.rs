//! All that is Linux's own: clocks, process facts, signals, file systems. Safe wrappers only.
//!
//! What a platform lacks is `None` here and absent in the result.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::process::{Pid, Signal};
use rustix::time::ClockId;

/// Nanoseconds of the kernel's monotonic clock.
#[inline]
#[must_use]
pub fn monotonic_ns() -> u64 {
    clock_ns(ClockId::Monotonic)
}

/// CPU time of this whole process in nanoseconds, ended threads included.
#[must_use]
pub fn process_cpu_ns() -> u64 {
    clock_ns(ClockId::ProcessCPUTime)
}

#[inline]
#[expect(clippy::cast_sign_loss, reason = "neither clock is negative")]
fn clock_ns(id: ClockId) -> u64 {
    let time = rustix::time::clock_gettime(id);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// The smallest step of the process CPU clock that can be seen, in nanoseconds.
#[must_use]
pub fn cpu_resolution_ns() -> u64 {
    let mut smallest = u64::MAX;
    for _ in 0..20 {
        let start = process_cpu_ns();
        let mut now = process_cpu_ns();
        while now == start {
            now = process_cpu_ns();
        }
        smallest = smallest.min(now - start);
    }
    smallest
}

/// Whether the time-stamp counter runs at one rate on all processors in all power states: the
/// processor says so, and the kernel has not found otherwise.
#[must_use]
pub fn counter_is_invariant() -> bool {
    let flags = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = flags.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
    let has = |flag: &str| flags.split_whitespace().any(|word| word == flag);
    let sources = "/sys/devices/system/clocksource/clocksource0/available_clocksource";
    let trusted = std::fs::read_to_string(sources).unwrap_or_default();
    cfg!(target_arch = "x86_64")
        && has("constant_tsc")
        && has("nonstop_tsc")
        && has("rdtscp")
        && trusted.split_whitespace().any(|word| word == "tsc")
}

/// User and system CPU time of this process in nanoseconds, from ticks of 10 ms.
#[must_use]
pub fn process_cpu_split_ns() -> Option<(u64, u64)> {
    let stat = procfs::process::Process::myself().ok()?.stat().ok()?;
    let tick_ns = 1_000_000_000 / procfs::ticks_per_second();
    Some((stat.utime * tick_ns, stat.stime * tick_ns))
}

/// CPU time that the hypervisor gave to others since boot, all processors, in nanoseconds.
#[must_use]
pub fn steal_ns() -> Option<u64> {
    use procfs::CurrentSI;
    let stat = procfs::KernelStats::current().ok()?;
    Some(stat.total.steal? * (1_000_000_000 / procfs::ticks_per_second()))
}

/// Time since boot in which some task waited for a processor, in nanoseconds.
#[must_use]
pub fn cpu_pressure_ns() -> Option<u64> {
    use procfs::Current;
    let pressure = procfs::CpuPressure::current().ok()?;
    Some(pressure.some.total * 1_000)
}

/// This process's peak resident memory in bytes since the last reset.
#[must_use]
pub fn peak_rss_bytes() -> Option<u64> {
    let status = procfs::process::Process::myself().ok()?.status().ok()?;
    Some(status.vmhwm? * 1024)
}

/// Lets the peak of resident memory begin anew.
pub fn reset_peak_rss() {
    // Not every kernel allows it; the peak then covers the cases before too.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Writes what is dirty on the folder's file system to its device.
///
/// # Errors
///
/// The system's.
pub fn sync_file_system(folder: &File) -> io::Result<()> {
    rustix::fs::syncfs(folder).map_err(Into::into)
}

/// Ends this process when the thread that started it ends. Call it first thing; `false` if that
/// thread ended before.
#[must_use]
pub fn end_with_parent(parent: u32) -> bool {
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    rustix::process::getppid()
        .is_some_and(|pid| pid.as_raw_nonzero().get().cast_unsigned() == parent)
}

/// Takes standard output for the caller alone: what is printed from now on goes to standard error,
/// and reading standard input gives its end. Returns the old output and input.
///
/// # Errors
///
/// The system's.
pub fn take_standard_streams() -> io::Result<(OwnedFd, OwnedFd)> {
    let output = rustix::io::fcntl_dupfd_cloexec(std::io::stdout(), 3)?;
    let input = rustix::io::fcntl_dupfd_cloexec(std::io::stdin(), 3)?;
    rustix::stdio::dup2_stdout(std::io::stderr())?;
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    Ok((output, input))
}

/// A signal to a process of ours.
///
/// # Errors
///
/// The system's; a process that is gone counts as done.
pub fn signal(pid: u32, signal: Signal) -> io::Result<()> {
    let Some(pid) = Pid::from_raw(pid.cast_signed()) else { return Ok(()) };
    match rustix::process::kill_process(pid, signal) {
        Err(rustix::io::Errno::SRCH) | Ok(()) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Whether this process was started with that signal ignored.
#[must_use]
pub fn ignores(signal: i32) -> bool {
    let status = procfs::process::Process::myself().and_then(|process| process.status());
    let bit = signal.checked_sub(1).and_then(|bit| 1_u64.checked_shl(bit.cast_unsigned()));
    status.is_ok_and(|status| bit.is_some_and(|bit| status.sigign & bit != 0))
}

/// The state letter of a process (`T` when stopped) and when it started, in ticks since boot.
#[must_use]
pub fn process_state(pid: u32) -> Option<(char, u64)> {
    let stat = procfs::process::Process::new(pid.cast_signed()).ok()?.stat().ok()?;
    Some((stat.state, stat.starttime))
}

/// Takes an exclusive lock without waiting. `false` if another has it.
///
/// # Errors
///
/// The system's.
pub fn try_lock(file: &File) -> io::Result<bool> {
    match rustix::fs::flock(file, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Whether two handles, or a handle and a path, are the same file.
#[must_use]
pub fn same_file(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), path.metadata()) {
        (Ok(a), Ok(b)) => a.dev() == b.dev() && a.ino() == b.ino(),
        _ => false,
    }
}

/// Waits until the descriptor has something to read, or its other end is closed. `false` after the
/// time without.
///
/// # Errors
///
/// The system's; an interruption by a signal counts as nothing to read.
pub fn wait_readable(fd: &impl std::os::fd::AsFd, wait: std::time::Duration) -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let mut fds = [PollFd::new(fd, PollFlags::IN)];
    let wait =
        Timespec { tv_sec: wait.as_secs().cast_signed(), tv_nsec: wait.subsec_nanos().into() };
    match poll(&mut fds, Some(&wait)) {
        Ok(ready) => Ok(ready > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Bytes that the folder's files occupy, in allocated blocks.
#[must_use]
pub fn occupied_bytes(folder: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    let mut total = 0;
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).ok()? {
            // A file that goes while we look is not there: no reason to give no figure.
            let Ok(entry) = entry else { continue };
            let Ok(facts) = entry.metadata() else { continue };
            total += facts.blocks() * 512;
            if facts.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    Some(total)
}
