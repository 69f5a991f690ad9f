//! The kit for authors of Stowmark plugins: plain Rust traits, carried over the stable ABI.
