//! The schedule without a process and without a second passing: what is ordered of whom and when,
//! and what reaches the result file.

mod blobs;
mod ending;
mod failures;
mod fake;
mod processes;
mod support;
mod turns;
mod verdicts;
mod warm_up;
