//! Shows what happens: a line that moves on a terminal, now and then a plain line elsewhere.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use stowmark_runner::Event;
use stowmark_runner::plan::FLOOR_LABEL;

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
                ProgressStyle::with_template("{wide_msg} {prefix} [{bar:10.cyan}] {percent:>3}%")
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
                self.case = format!("{case}, execution {} of {executions}", execution + 1);
            }
            Event::Phase { label, phase } => {
                if let Some(bar) = &self.bar {
                    bar.set_message(format!("{}: {}{}", self.case, name(&label), words(phase)));
                }
            }
            Event::Progress { done, turns, left } => self.moved(done, turns, left),
            Event::Failed { label, message } => {
                let name = name(&label);
                self.always(&format!("{name} failed and takes no further part: {message}"));
            }
            Event::Unwritten { message } => {
                self.always(&format!(
                    "{message}; the run goes on, and tries again after each case"
                ));
            }
            Event::Log { label, level, line } => {
                let level = level.map_or(String::new(), |level| format!(" {level}"));
                self.line(&format!("{}{level}: {line}", name(&label)));
            }
            _ => {}
        }
    }

    fn moved(&mut self, done: u64, turns: u64, left: Option<Duration>) {
        let left = left.map(|left| format!("about {} left", about(left)));
        if let Some(bar) = &self.bar {
            bar.set_length(turns);
            bar.set_position(done);
            // Apart from the message, which the next phase replaces.
            bar.set_prefix(left.unwrap_or_default());
        } else if !self.quiet && self.last_plain.elapsed() >= PLAIN_EVERY {
            self.last_plain = Instant::now();
            let left = left.map_or(String::new(), |left| format!(", {left}"));
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

/// The engine as people know it: the floor's label is for tables.
fn name(label: &str) -> &str {
    if label == FLOOR_LABEL { "the harness's own floor" } else { label }
}

/// What an engine is doing, in words.
fn words(phase: &str) -> &'static str {
    match phase {
        "open" => ", opening its store",
        "warm-up" => ", warming up",
        "verify" => ", reading back",
        "close" => ", closing its store",
        // Rounds are what a run is about, and the line is short.
        _ => "",
    }
}

/// A time to wait, as roughly as it is known.
fn about(left: Duration) -> String {
    match left.as_secs() {
        seconds @ 0..=89 => format!("{} s", seconds.max(1)),
        seconds => format!("{} min", seconds.div_ceil(60)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_outlives_the_next_phase_and_is_said_without_jargon() {
        let mut progress = Progress::new(true);
        let bar = ProgressBar::hidden();
        progress.bar = Some(bar.clone());
        let phase = |phase| Event::Phase { label: FLOOR_LABEL.into(), phase };
        progress.show(Event::Case { execution: 0, executions: 5, case: "put-1k".into() });
        let left = Some(Duration::from_secs(40));
        progress.show(Event::Progress { done: 3, turns: 90, left });
        progress.show(phase("verify"));
        assert_eq!(bar.prefix(), "about 40 s left");
        let message = "put-1k, execution 1 of 5: the harness's own floor, reading back";
        assert_eq!(bar.message(), message);
    }
}
