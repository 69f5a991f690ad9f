//! The measurement: plan, supervisor, worker, clocks and histograms.
//!
//! [`plan`] turns flags, suite and manifests into a validated plan or a list of mistakes;
//! [`supervisor`] carries it out with one worker process for each engine and execution, and fills
//! in a [`RunResult`](stowmark_results::RunResult); [`worker_main`] is that process. What happens is
//! told as [`Event`]s: nothing here prints.

pub mod clock;
mod event;
pub mod plan;
pub mod platform;
mod protocol;
pub mod supervisor;
mod worker;

pub use event::Event;
pub use worker::worker_main;

/// The moment now for a file name: UTC, to the second, without colons.
#[must_use]
pub fn file_time() -> String {
    jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string()
}
