//! Results in, bytes out: one pure exporter for each format.

pub mod ministat;
pub mod raw;
