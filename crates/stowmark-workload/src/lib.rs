//! Pure workloads: units, payloads, keys, operation streams and suite files.
