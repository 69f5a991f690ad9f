//! The host against real plugins and against everything else that may bear a plugin's name.
//!
//! The plugins are those that `cargo xtask test` builds and names in the environment; what is wrong
//! with a library is made here, with the C compiler or by changing bytes of a copy.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "what tests share stops at a surprise, as a test does"
)]

mod blobs;
mod catalog;
mod damage;
mod growth;
mod inspecting;
mod loading;
mod records;
mod support;
