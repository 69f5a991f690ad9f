//! Finds, inspects and loads Stowmark plugins; owns every loading error.
//!
//! The way from a folder to an operation has three steps, each a module of its own:
//!
//! - [`inspect()`] reads one file's manifest and runs none of its code; [`Catalog`] does so for all
//!   files of the search path. What `list`, `info` and a plan's checks say comes from these alone.
//! - [`Plugin::load`] brings a library into this process, for good. It belongs into a worker
//!   process: whatever the plugin does from there on, it does to the process.
//! - [`Engine`], [`Store`] and the sessions call it. They add a panic guard around the caller's own
//!   sources and sinks, and a conversion of errors, and nothing else: a successful operation costs
//!   what the stable ABI costs, without allocation.
//!
//! No name of `abi_stable` appears in this interface, so that the ABI can be carried by something
//! else one day without a change above this crate.

mod blob;
pub mod catalog;
mod elf;
mod engine;
mod error;
mod inspect;
mod loader;
pub mod manifest;
mod platform;
mod record;
mod schema;
mod store;

pub use blob::{BlobSession, Sink, SliceSource, Source};
pub use catalog::{Catalog, search_path};
pub use engine::{Engine, LogLevel, LogSink, OpenSpec};
pub use error::{ErrorClass, OpError};
pub use inspect::{InspectError, PluginFile, inspect};
pub use loader::{LoadError, Plugin};
pub use manifest::{AbiVersion, EngineManifest, Manifest, OptionManifest, TierManifest};
pub use record::{FieldValue, Record, RecordSession, RecordView, Value};
pub use schema::{FieldSpec, IndexSpec, KeyKind, Schema, ValueKind};
pub use store::Store;
pub use stowmark_abi::Tier;
