//! Workers as processes: this same binary under a hidden subcommand, each in a process group of its
//! own, so that a Ctrl-C at the terminal reaches the supervisor alone.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use super::Stop;
use super::crew::{Cause, Crew, Trouble, Worker};
use crate::event::Event;
use crate::plan::PlannedEngine;
use crate::platform;
use crate::protocol::{Answer, LogLine, Order};
use crate::worker::PARENT_VARIABLE;

/// How many last lines of a worker are kept.
const KEPT_LINES: usize = 20;

/// The longest line of a worker that is kept, in bytes.
const LONGEST_LINE: u64 = 2_000;

/// An answer longer than this is nonsense, in bytes.
const LONGEST_ANSWER: usize = 64 << 20;

/// How often a waiting supervisor looks whether the user wants to end.
const LOOK: Duration = Duration::from_millis(50);

/// How long a worker that ended is listened to.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Starts worker processes.
pub(crate) struct Processes {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    pub(crate) timeout: Duration,
    pub(crate) stop: Stop,
}

impl Crew for Processes {
    type Worker = Process;

    fn start(&mut self, engine: &PlannedEngine) -> Result<Process, Trouble> {
        let mut command = Command::new(&self.program);
        command
            .arg0("stowmark")
            .args(&self.arguments)
            .env(PARENT_VARIABLE, std::process::id().to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let mut child = command.spawn().map_err(|error| {
            failed("start", format!("cannot start a worker ({}): {error}", self.program.display()))
        })?;
        let lines = Arc::new(Mutex::new(Lines::default()));
        if let Some(stderr) = child.stderr.take() {
            listen(stderr, lines.clone())
                .map_err(|error| failed("start", format!("no thread for a worker: {error}")))?;
        }
        let Some(answers) = child.stdout.take() else {
            return Err(failed("start", "a worker without output".into()));
        };
        Ok(Process {
            label: engine.label.clone(),
            child,
            answers,
            unread: Vec::new(),
            lines,
            events: Vec::new(),
            timeout: self.timeout,
            stop: self.stop.clone(),
            server: None,
            ended: None,
        })
    }

    fn now_ns(&self) -> u64 {
        platform::monotonic_ns()
    }
}

fn failed(cause: &str, message: String) -> Trouble {
    Trouble::Failed(Cause { cause: cause.into(), message, log: Vec::new() })
}

/// What a worker and its plugin wrote to standard error.
#[derive(Default)]
struct Lines {
    kept: VecDeque<String>,
    /// Lines not yet told as events; bounded, since a plugin may flood.
    news: Vec<String>,
    finished: bool,
}

impl Lines {
    fn keep(&mut self, line: String) {
        if self.kept.len() == KEPT_LINES {
            self.kept.pop_front();
        }
        self.kept.push_back(line);
    }
}

/// A line as it may be shown anywhere: a plugin's escape codes have no business on our streams.
fn printable(line: &str) -> String {
    line.trim_end().chars().filter(|char| !char.is_control() || *char == '\t').collect()
}

/// Reads the worker's standard error to its end, so that the worker never waits for us.
fn listen(stderr: ChildStderr, lines: Arc<Mutex<Lines>>) -> io::Result<()> {
    let listener = std::thread::Builder::new();
    let thread = listener.spawn(move || {
        let mut reader = BufReader::new(stderr);
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = (&mut reader).take(LONGEST_LINE).read_until(b'\n', &mut line);
            let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
            if !matches!(read, Ok(1..)) {
                lines.finished = true;
                return;
            }
            let text = printable(&String::from_utf8_lossy(&line));
            // Panics begin with an empty line, which tells nothing.
            if text.is_empty() {
                continue;
            }
            lines.keep(text.clone());
            if lines.news.len() < KEPT_LINES {
                lines.news.push(text);
            }
        }
    });
    thread.map(drop)
}

/// One worker process.
pub(crate) struct Process {
    label: String,
    child: Child,
    answers: ChildStdout,
    /// Bytes read beyond the last whole line.
    unread: Vec<u8>,
    lines: Arc<Mutex<Lines>>,
    events: Vec<Event>,
    timeout: Duration,
    stop: Stop,
    /// The root of the server's process tree, stopped and resumed with the worker.
    server: Option<u32>,
    /// How it ended, once it was waited for.
    ended: Option<Option<ExitStatus>>,
}

impl Process {
    fn send(&mut self, order: &Order) -> Result<(), Trouble> {
        let mut line = serde_json::to_vec(order)
            .map_err(|error| failed("other", format!("an order cannot be written: {error}")))?;
        line.push(b'\n');
        let written = match self.child.stdin.as_mut() {
            Some(stdin) => stdin.write_all(&line).and_then(|()| stdin.flush()),
            None => Ok(()),
        };
        // A worker that is gone shows what it died of when its answer is missed.
        let _ = written;
        Ok(())
    }

    /// The next line of the worker, or none at its end.
    fn line(&mut self, deadline: Instant) -> Result<Option<Vec<u8>>, Trouble> {
        loop {
            if let Some(end) = self.unread.iter().position(|byte| *byte == b'\n') {
                let rest = self.unread.split_off(end + 1);
                return Ok(Some(std::mem::replace(&mut self.unread, rest)));
            }
            if self.stop.requested() {
                return Err(Trouble::Stopped);
            }
            if Instant::now() >= deadline {
                return Err(self.hangs());
            }
            if self.unread.len() > LONGEST_ANSWER {
                return Err(self.nonsense());
            }
            let ready = platform::wait_readable(&self.answers, LOOK)
                .map_err(|error| failed("other", format!("a worker's pipe: {error}")))?;
            if ready {
                let mut piece = [0; 1 << 16];
                match self.answers.read(&mut piece) {
                    Ok(0) => return Ok(None),
                    Ok(count) => self.unread.extend_from_slice(&piece[..count]),
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                    Err(_) => return Ok(None),
                }
            }
        }
    }

    fn hangs(&mut self) -> Trouble {
        self.end();
        let message = format!(
            "the worker gave no sign of life for {} and was ended (--timeout)",
            stowmark_workload::format_duration(self.timeout)
        );
        Trouble::Failed(Cause { cause: "timeout".into(), message, log: Vec::new() })
    }

    fn nonsense(&mut self) -> Trouble {
        self.end();
        let message =
            "the worker's answer makes no sense: something in it wrote to our pipe".into();
        Trouble::Failed(Cause { cause: "nonsense".into(), message, log: Vec::new() })
    }

    /// The worker's pipe is closed: says what it died of.
    fn death(&mut self) -> Trouble {
        let ended = self.has_ended();
        if !ended && self.stop.requested() {
            return Trouble::Stopped;
        }
        self.end();
        let (cause, message) = describe(self.ended.flatten().filter(|_| ended));
        Trouble::Failed(Cause { cause, message, log: Vec::new() })
    }

    /// Whether the process ends soon, as a closed pipe makes one expect: a plugin may have closed
    /// it. The process is not reaped yet, so that its group can still be ended by its number.
    fn has_ended(&self) -> bool {
        let deadline = Instant::now() + Duration::from_secs(5);
        loop {
            match platform::process_state(self.child.id()) {
                None | Some(('Z' | 'X', _)) => return true,
                _ if Instant::now() >= deadline || self.stop.requested() => return false,
                _ => std::thread::sleep(LOOK / 10),
            }
        }
    }

    /// A line, or several, of the plugin's log.
    fn log(&mut self, line: &LogLine) {
        for text in line.message.lines() {
            let text = format!("{}: {}", line.target, printable(text));
            self.lock().keep(format!("{} {text}", line.level));
            if self.events.len() < KEPT_LINES {
                self.events.push(Event::Log {
                    label: self.label.clone(),
                    level: Some(line.level.clone()),
                    line: text,
                });
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn signal(&self, signal: Signal) -> Result<(), Trouble> {
        let server = self.server.into_iter().flat_map(process_tree);
        for pid in std::iter::once(self.child.id()).chain(server) {
            platform::signal(pid, signal).map_err(|error| {
                failed("other", format!("cannot signal process {pid}: {error}"))
            })?;
        }
        Ok(())
    }
}

/// A server's process and all that descend from it.
fn process_tree(root: u32) -> Vec<u32> {
    let mut tree = vec![root];
    let Ok(all) = procfs::process::all_processes() else { return tree };
    let parents: Vec<(u32, u32)> = all
        .filter_map(|process| {
            let stat = process.ok()?.stat().ok()?;
            Some((stat.pid.cast_unsigned(), stat.ppid.cast_unsigned()))
        })
        .collect();
    let mut at = 0;
    while at < tree.len() {
        let parent = tree[at];
        tree.extend(parents.iter().filter(|(_, p)| *p == parent).map(|(pid, _)| *pid));
        at += 1;
    }
    tree
}

fn describe(status: Option<ExitStatus>) -> (String, String) {
    let Some(status) = status else {
        return ("nonsense".into(), "the worker closed its pipe and went on; it was ended".into());
    };
    if let Some(signal) = status.signal() {
        let name = signal_hook::low_level::signal_name(signal)
            .map_or_else(|| format!("signal {signal}"), Into::into);
        return (format!("signal {name}"), format!("the worker was ended by {name}"));
    }
    let code = status.code().unwrap_or_default();
    (
        format!("exit code {code}"),
        format!("the worker exited with code {code} before its work was done"),
    )
}

impl Worker for Process {
    fn order(&mut self, order: &Order) -> Result<Answer, Trouble> {
        self.send(order)?;
        // Only the worker itself shows that it lives: a plugin's log may go on while its engine hangs.
        let mut deadline = Instant::now() + self.timeout;
        loop {
            let Some(line) = self.line(deadline)? else { return Err(self.death()) };
            match serde_json::from_slice(&line) {
                Ok(Answer::Alive) => deadline = Instant::now() + self.timeout,
                Ok(Answer::Log(line)) => self.log(&line),
                Ok(Answer::Failed(error)) => {
                    return Err(Trouble::Failed(Cause {
                        cause: error.class,
                        message: error.message,
                        log: Vec::new(),
                    }));
                }
                Ok(answer) => {
                    if let Answer::Opened(opened) = &answer {
                        self.server = opened.server_pid;
                    }
                    return Ok(answer);
                }
                Err(_) => return Err(self.nonsense()),
            }
        }
    }

    fn pause(&mut self) -> Result<(), Trouble> {
        self.signal(Signal::STOP)?;
        let deadline = Instant::now() + self.timeout;
        loop {
            match platform::process_state(self.child.id()) {
                Some(('T', _)) => return Ok(()),
                None | Some(('Z' | 'X', _)) => return Err(self.death()),
                _ if self.stop.requested() => return Err(Trouble::Stopped),
                _ if Instant::now() >= deadline => return Err(self.hangs()),
                _ => std::thread::sleep(Duration::from_micros(100)),
            }
        }
    }

    fn resume(&mut self) -> Result<(), Trouble> {
        self.signal(Signal::CONT)
    }

    fn take_events(&mut self) -> Vec<Event> {
        let news = std::mem::take(&mut self.lock().news);
        let label = &self.label;
        self.events.extend(news.into_iter().map(|line| Event::Log {
            label: label.clone(),
            level: None,
            line,
        }));
        std::mem::take(&mut self.events)
    }

    fn last_lines(&self) -> Vec<String> {
        self.lock().kept.iter().cloned().collect()
    }

    fn end(&mut self) {
        if self.ended.is_some() {
            return;
        }
        // The group, so that whatever the plugin started ends too. The child is not reaped yet, so
        // its number cannot be another's.
        if let Some(group) = Pid::from_raw(self.child.id().cast_signed()) {
            let _ = rustix::process::kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.kill();
        self.ended = Some(self.child.wait().ok());
        // What it said last is on its way. A process that left the group may keep the pipe open.
        let deadline = Instant::now() + LAST_WORDS;
        while !self.lock().finished && Instant::now() < deadline {
            std::thread::sleep(LOOK / 10);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}
