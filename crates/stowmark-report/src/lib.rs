//! Results in, bytes out: one pure exporter for each format.
