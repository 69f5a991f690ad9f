//! The engine `redb`: blobs in a redb database, one file.
//!
//! A blob up to the chunk size is one value; a larger one is cut into rows of that size, all
//! written in one transaction. Each put and delete is a write transaction of its own, each get a
//! read transaction: that is what a program gets that uses redb in the plain way, and
//! `examples/direct.rs` is that program, for weighing what the harness adds.
//!
//! - `config`: what the engine says of itself, and its options.
//! - `layout`: the tables and how a blob lies in them.
//! - `blobs`: reading and writing blobs inside a transaction.
//! - `session`: one client; makes the transactions.
//! - `store`: the open database. `stats`: its figures.
//! - `error`: what can go wrong, and its class.

mod blobs;
mod config;
mod error;
mod layout;
mod session;
mod stats;
mod store;

#[cfg(test)]
mod tests;

use stowmark_plugin::{Engine, OpenRequest, Result, Store};

/// The engine.
pub struct Redb;

impl Engine for Redb {
    fn open(&self, request: &OpenRequest) -> Result<Box<dyn Store>> {
        let config = config::Config::read(request)?;
        Ok(Box::new(store::RedbStore::open(request.data_dir(), config)?))
    }
}

stowmark_plugin::export! { engines: [config::INFO => Redb] }
