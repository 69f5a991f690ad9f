//! The result file's schema, `stowmark.result/1`: plain data, every field optional to a reader.
//!
//! What was not measured is absent, never zero. Numbers carry their unit in the name, are never
//! scaled for people, and are 64-bit or wider. A reader ignores keys that it does not know and keeps
//! them (`extra`) when it writes the document again.

mod case;
mod machine;
mod plan;
mod run;

pub use case::{
    Case, CaseEngine, Failure, Round, StorageFigures, VerdictRecord, Verification, WarningRecord,
};
pub use machine::{FsyncProbe, Machine, Storage};
pub use plan::{Plan, PublishedDifference, PublishedFigure};
pub use run::{ClockFacts, EngineFacts, RunResult, SCHEMA, Status, Versions};

/// Keys of later versions.
pub type Extra = serde_json::Map<String, serde_json::Value>;
