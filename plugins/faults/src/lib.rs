//! The engine `faults`: misbehaves on request, for tests.
//!
//! Until its fault strikes it is an honest engine that holds blobs in memory. Then it panics,
//! crashes, hangs, lies or makes noise, as its options say: the harness must survive each of these,
//! name it, and let the other engines go on. It is never part of a release.

mod config;
mod store;
mod strike;

#[cfg(test)]
mod tests;

use stowmark_plugin::{Engine, OpenRequest, Result, Store};

use config::{Config, Fault};

/// The engine.
pub struct Faults;

impl Engine for Faults {
    fn open(&self, request: &OpenRequest) -> Result<Box<dyn Store>> {
        let config = Config::read(request)?;
        let gate = strike::Gate::new(request.data_dir());
        if config.fault == Fault::HangOpen {
            gate.hang(config.fault);
        }
        Ok(Box::new(store::FaultyStore::new(config, gate)))
    }
}

stowmark_plugin::export! { engines: [config::INFO => Faults] }
