//! The FFI contract between the Stowmark harness and its plugins.
//!
//! Only types with a stable layout live here, carried by `abi_stable`: a host and a plugin that
//! were built by different compilers, with different allocators, years apart, agree on every byte.
//! Neither authors nor users of plugins see this crate: authors write the plain traits of
//! `stowmark-plugin`, which adapts them, and the harness calls through `stowmark-host`.
//!
//! # How it may grow
//!
//! The major number never changes without refusing every older plugin. Within a major number:
//!
//! - a trait gains methods only after its last prefix field, and always with a default body;
//! - the root module gains fields only after its last prefix field;
//! - a `#[repr(C)]` struct never gains a field: what is not known yet crosses in its key/value
//!   list (`extra`, options, settings, statistics);
//! - an open set ([`ErrorClass`], [`Tier`], [`KeyKind`], [`ValueKind`], [`LogLevel`]) is a
//!   transparent number: a new constant is no change of layout, and an unknown one is legal.
//!
//! Each step raises [`ABI_MINOR`]. The crate's own version stays 1.x for as long as the major
//! number is 1, since `abi_stable` compares it too.

// A source has a length before any byte is read: "empty" would be another question.
#![allow(clippy::len_without_is_empty)]
// Each #[sabi_trait] implements its traits inside a hidden function.
#![allow(non_local_definitions)]
#![expect(
    unsafe_code,
    reason = "derives of abi_stable, and the header static that it loads, are unsafe by nature"
)]

mod blob;
mod engine;
mod error;
mod log;
pub mod manifest;
mod record;
mod root;
mod tier;
mod value;

pub use abi_stable::sabi_trait::TD_Opaque;
pub use abi_stable::sabi_types::RMut;
pub use abi_stable::std_types::{RBox, ROption, RResult, RSlice, RStr, RString, RVec};
pub use blob::{
    BlobSession, BlobSession_TO, BlobSessionBox, Sink, Sink_TO, SinkRef, Source, Source_TO,
    SourceRef,
};
pub use engine::{
    Engine, Engine_TO, EngineBox, OpenRequest, OwnedPair, Pair, Stat, Store, Store_TO, StoreBox,
};
pub use error::{ErrorClass, OpError, OpResult};
pub use log::{LogLevel, LogSink, LogSink_TO, LogSinkBox};
pub use record::{
    FieldSpec, FieldValue, IndexSpec, KeyKind, KeySink, KeySink_TO, KeySinkRef, Record,
    RecordSession, RecordSession_TO, RecordSessionBox, RecordSink, RecordSink_TO, RecordSinkRef,
    Schema,
};
pub use root::{
    LibHeader, Plugin, PluginRef, ROOT_SYMBOL, RootModuleResult, call_root, lib_header, plugin_ref,
};
pub use tier::Tier;
pub use value::{Value, ValueKind};

/// The ABI's major number: a plugin of another major number is refused.
pub const ABI_MAJOR: u32 = 1;

/// The ABI's minor number: raised when a method, a field or a well-known key is added.
pub const ABI_MINOR: u32 = if cfg!(feature = "test-next") { 1 } else { 0 };
