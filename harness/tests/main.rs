//! The command as users meet it: run as a process, with plugins that `cargo xtask test` builds, and
//! judged by what it prints, what it leaves and how it ends.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "what tests share stops at a surprise, as a test does"
)]

mod disk;
mod docs;
mod faults;
mod look;
mod plugins;
mod report;
mod run;
mod settings;
mod support;
mod usage;
