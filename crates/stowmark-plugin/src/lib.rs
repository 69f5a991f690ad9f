//! The kit for authors of Stowmark plugins.
//!
//! A plugin is a dynamic library that exports one or more engines. You write ordinary Rust: an
//! [`Engine`] that opens a [`Store`], whose sessions ([`BlobSession`], [`RecordSession`]) do the
//! work. [`export!`] adapts them to the stable ABI, catches panics at the border, and puts the
//! manifest into the library, from which the harness learns what the plugin can do without running
//! any of its code.
//!
//! ```
//! use std::collections::HashMap;
//! use std::sync::{Arc, Mutex};
//! use stowmark_plugin::{
//!     BlobSession, BlobSink, BlobSource, Engine, EngineInfo, Error, Model, OpenRequest, Result,
//!     Store, Tier, TierInfo,
//! };
//!
//! const INFO: EngineInfo = EngineInfo::new("shelf", "Blobs in a map, until the process ends.")
//!     .models(&[Model::Blobs])
//!     .tiers(&[TierInfo::new(Tier::Acknowledged, "in this process's memory")]);
//!
//! struct Shelf;
//! type Blobs = Arc<Mutex<HashMap<Vec<u8>, Vec<u8>>>>;
//! struct ShelfStore(Blobs);
//! struct ShelfSession(Blobs);
//!
//! impl Engine for Shelf {
//!     fn open(&self, _request: &OpenRequest) -> Result<Box<dyn Store>> {
//!         Ok(Box::new(ShelfStore(Blobs::default())))
//!     }
//! }
//!
//! impl Store for ShelfStore {
//!     fn blob_session(&self, _client: u32) -> Result<Box<dyn BlobSession>> {
//!         Ok(Box::new(ShelfSession(self.0.clone())))
//!     }
//! }
//!
//! impl BlobSession for ShelfSession {
//!     fn put(&mut self, key: &[u8], source: &mut BlobSource<'_>) -> Result<u64> {
//!         let blob = source.read_all()?;
//!         let len = blob.len() as u64;
//!         self.0.lock().unwrap().insert(key.to_vec(), blob);
//!         Ok(len)
//!     }
//!
//!     fn get(&mut self, key: &[u8], sink: &mut BlobSink<'_>) -> Result<u64> {
//!         let blobs = self.0.lock().unwrap();
//!         let blob = blobs.get(key).ok_or_else(|| Error::not_found("get", key))?;
//!         sink.write(blob)?;
//!         Ok(blob.len() as u64)
//!     }
//! }
//!
//! stowmark_plugin::export! { engines: [INFO => Shelf] }
//! # fn main() {}
//! ```
//!
//! Build it as `crate-type = ["cdylib"]` with unwinding panics (the default): a plugin that aborts
//! on panic would take its worker down, and is refused at compile time.

mod adapter;
mod blob;
mod engine;
mod error;
mod export;
mod info;
mod json;
mod logging;
mod record;
mod request;
pub mod testing;

pub use blob::{BlobSink, BlobSource};
pub use engine::{BlobSession, Engine, RecordSession, Stat, Store};
pub use error::{Error, ErrorClass, Result};
pub use info::{EngineInfo, Model, OptionInfo, OptionKind, Tier, TierInfo};
pub use record::{
    Change, FieldSpec, IndexSpec, KeyKind, KeySink, Record, RecordSink, Records, Schema, Value,
    ValueKind, ValueRef,
};
pub use request::OpenRequest;

/// What [`export!`] expands to; not for use by hand.
#[doc(hidden)]
pub mod __private {
    pub use crate::adapter::engine_box;
    pub use crate::export::{find, header, plugin_module, plugin_name};
    pub use crate::json::{Manifest, manifest, manifest_len};
    pub use stowmark_abi::{
        EngineBox, LibHeader, OpResult, PluginRef, RStr, RootModuleResult, call_root,
    };
}
