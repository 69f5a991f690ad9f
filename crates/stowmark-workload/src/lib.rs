//! What the engines are given to do, and nothing of how it is measured.
//!
//! A comparison is worth something only if every engine gets the same bytes under the same keys in
//! the same order, and if somebody else can make that work again from the number printed in the
//! result. So everything here is a pure function of its arguments, of which one is usually a seed:
//! the same build, on any machine, makes the same payloads, keys, orders and suites. No function
//! reads a clock, an environment variable or a random device. The only two that touch a file, the
//! payload of `file:PATH` and a user's suite file, stand together in `files.rs`.
//!
//! - [`units`] reads and writes sizes and durations as people type them.
//! - [`payload`] makes the bytes that are stored.
//! - [`keys`] makes the names that they are stored under.
//! - [`order`] decides in which order keys are used and engines take their turns.
//! - [`suite`] reads what a benchmark consists of, from one TOML format for ours and for users'.
//! - [`suggest`] finds what was probably meant by a word that nobody knows.
//!
//! Every word that a user may type (an operation, an order, a payload kind, a key of a suite file)
//! is known to this crate as a type that parses and prints itself, and whose error names the
//! nearest valid word.

pub mod keys;
pub mod op;
pub mod order;
pub mod payload;
pub mod suggest;
pub mod suite;
pub mod units;

mod files;
mod seed;

pub use keys::{Key, KeyError};
pub use op::{Model, Op, Verify};
pub use order::{KeyOrder, balanced_orders, indexes};
pub use payload::{PayloadError, PayloadKind, PayloadStream, Payloads, compressibility};
pub use seed::derive_seed;
pub use suggest::{UnknownWord, nearest};
pub use suite::{Suite, SuiteError, Workload, builtin, builtin_suite};
pub use units::{UnitError, format_duration, format_size, parse_duration, parse_size};
