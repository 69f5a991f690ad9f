//! Shows what happens: a line that moves on a terminal, now and then a plain line elsewhere.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use stowmark_runner::Event;

use crate::exit::say;

/// How often a line is written where it cannot move.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

/// The progress of a run.
pub(crate) struct Progress {
    quiet: bool,
    bar: Option<ProgressBar>,
    case: String,
    last_plain: Instant,
}

impl Progress {
    pub(crate) fn new(quiet: bool) -> Self {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        // Moving takes escape codes too, so NO_COLOR rules out more than colours.
        let moves = stderr().is_terminal()
            && set("NO_COLOR").is_none()
            && set("TERM").is_none_or(|terminal| terminal != "dumb");
        let bar = (!quiet && moves).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
            // A template that is no template would leave the plain style in place.
            if let Ok(style) =
                ProgressStyle::with_template("{wide_msg} [{bar:20.cyan}] {percent:>3}%")
            {
                bar.set_style(style.progress_chars("=> "));
            }
            bar
        });
        Self { quiet, bar, case: String::new(), last_plain: Instant::now() }
    }

    /// Shows one event.
    pub(crate) fn show(&mut self, event: Event) {
        match event {
            Event::Started { turns } => {
                if let Some(bar) = &self.bar {
                    bar.set_length(turns);
                }
            }
            Event::Swept { folders } => {
                for folder in folders {
                    self.line(&format!("swept {}, left by a killed run", folder.display()));
                }
            }
            Event::Case { execution, executions, case } => {
                self.case = format!("execution {} of {executions}, {case}", execution + 1);
            }
            Event::Phase { label, phase } => {
                if let Some(bar) = &self.bar {
                    bar.set_message(format!("{}: {label} {phase}", self.case));
                }
            }
            Event::Progress { done, turns, left } => self.moved(done, turns, left),
            Event::Failed { label, message } => {
                self.always(&format!("{label} failed and takes no further part: {message}"));
            }
            Event::Unwritten { message } => {
                self.always(&format!(
                    "{message}; the run goes on, and tries again after each case"
                ));
            }
            Event::Log { label, level, line } => {
                let level = level.map_or(String::new(), |level| format!(" {level}"));
                self.line(&format!("{label}{level}: {line}"));
            }
            _ => {}
        }
    }

    fn moved(&mut self, done: u64, turns: u64, left: Option<Duration>) {
        let left = left.map_or(String::new(), |left| format!(", about {} left", about(left)));
        if let Some(bar) = &self.bar {
            bar.set_length(turns);
            bar.set_position(done);
            bar.set_message(format!("{}{left}", self.case));
        } else if !self.quiet && self.last_plain.elapsed() >= PLAIN_EVERY {
            self.last_plain = Instant::now();
            say(&format!("{}{left} ({done} of {turns} turns)", self.case));
        }
    }

    /// A line that `--quiet` hides.
    fn line(&self, line: &str) {
        if !self.quiet {
            self.always(line);
        }
    }

    /// A line that is said in any case.
    fn always(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| say(line)),
            None => say(line),
        }
    }

    /// Takes the moving line away.
    pub(crate) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// A time to wait, as roughly as it is known.
fn about(left: Duration) -> String {
    match left.as_secs() {
        seconds @ 0..=89 => format!("{} s", seconds.max(1)),
        seconds => format!("{} min", seconds.div_ceil(60)),
    }
}
