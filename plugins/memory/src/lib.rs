//! The engine `memory`: blobs and records in ordered maps, for tests.
//!
//! It meets every method of the contract in the plainest way, so that the harness, the ABI and the
//! conformance rules have an engine of both models that needs no library and no disk. It is never
//! part of a release. A store lives as long as its process leaves it open: reopening a folder gives
//! an empty one.

mod blobs;
mod config;
mod records;
mod store;

#[cfg(test)]
mod tests;

use stowmark_plugin::{Engine, OpenRequest, Result, Store};

/// The engine.
pub struct Memory;

impl Engine for Memory {
    fn open(&self, request: &OpenRequest) -> Result<Box<dyn Store>> {
        config::check(request)?;
        Ok(Box::new(store::MemoryStore::default()))
    }
}

stowmark_plugin::export! { engines: [config::INFO => Memory] }
