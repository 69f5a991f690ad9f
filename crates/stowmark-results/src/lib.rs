//! The result file: its schema, machine facts as data, and the statistics that decide.
//!
//! Pure but for [`mod@file`]: a [`RunResult`] is data, [`stats`] are functions on numbers, and
//! [`analysis`] fills in the verdicts and warnings that follow from the rounds.

pub mod analysis;
pub mod file;
pub mod histogram;
pub mod samples;
mod schema;
pub mod stats;
mod warning;

pub use schema::{
    Case, CaseEngine, ClockFacts, EngineFacts, Extra, Failure, FsyncProbe, Machine, Plan,
    PublishedDifference, PublishedFigure, Round, RunResult, SCHEMA, Status, Storage,
    StorageFigures, VerdictRecord, Verification, Versions, WarningRecord,
};
pub use warning::Warning;
