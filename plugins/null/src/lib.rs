//! The engine `null`: stores nothing, so that the harness can weigh itself.
//!
//! It takes part in every case, unlisted: what a figure of `null` says is what the harness, the ABI
//! and the moving of the bytes cost, the floor under every other engine's figure. A put reads every
//! byte of its source; a get writes as many zeros as the last put had bytes.

mod config;
mod store;

#[cfg(test)]
mod tests;

use stowmark_plugin::{Engine, OpenRequest, Result, Store};

/// The engine.
pub struct Null;

impl Engine for Null {
    fn open(&self, request: &OpenRequest) -> Result<Box<dyn Store>> {
        Ok(Box::new(store::NullStore::new(config::Config::read(request)?)))
    }
}

stowmark_plugin::export! { engines: [config::INFO => Null] }
