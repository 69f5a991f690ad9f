//! SIGINT and SIGTERM: the first asks the run to end, the second ends it at once.

use std::io;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use stowmark_runner::supervisor::Stop;

use crate::exit;

/// Handles both signals from now on.
pub(crate) fn handle() -> io::Result<Stop> {
    let stop = Stop::default();
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let asked = stop.clone();
    std::thread::spawn(move || {
        for signal in signals.forever() {
            let signal = u8::try_from(signal).unwrap_or(u8::MAX);
            if asked.request(signal) {
                // Workers die with us; the next run sweeps what they stored.
                std::process::exit(i32::from(128 + signal));
            }
            // On a thread of its own: a standard error that nobody reads must not keep us from
            // hearing the second signal.
            std::thread::spawn(|| exit::say("stowmark: ending; once more ends at once"));
        }
    });
    Ok(stop)
}
