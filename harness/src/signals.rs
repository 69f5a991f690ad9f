//! SIGINT, SIGTERM and SIGHUP: the first asks the run to end, the second ends it at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use stowmark_runner::platform;
use stowmark_runner::supervisor::Stop;

use crate::exit;

/// Equal signals that come this close together are one wish: `timeout` signals its child and then
/// the child's group.
const ONE_WISH: Duration = Duration::from_millis(30);

/// Handles the signals from now on. A file that may not grow becomes an error of its write.
pub(crate) fn handle() -> io::Result<Stop> {
    let stop = Stop::default();
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    // Under nohup the terminal's end is to be outlived.
    if !platform::ignores(SIGHUP) {
        signals.add_signal(SIGHUP)?;
    }
    let asked = stop.clone();
    std::thread::Builder::new().spawn(move || {
        let mut first: Option<(u8, Instant)> = None;
        for signal in signals.forever() {
            // A terminal that is gone ends the run as SIGTERM does.
            let signal = if signal == SIGHUP { SIGTERM } else { signal };
            let signal = u8::try_from(signal).unwrap_or(u8::MAX);
            if first.is_some_and(|(same, at)| same == signal && at.elapsed() < ONE_WISH) {
                continue;
            }
            first.get_or_insert_with(|| (signal, Instant::now()));
            if asked.request(signal) {
                // Workers die with us; the next run sweeps what they stored.
                std::process::exit(i32::from(128 + signal));
            }
            // On a thread of its own: a standard error that nobody reads must not keep us from
            // hearing the second signal.
            let say = || exit::say("stowmark: ending; once more ends at once");
            // Without another thread it goes unsaid.
            let _ = std::thread::Builder::new().spawn(say);
        }
    })?;
    Ok(stop)
}
