//! One file for each format; each takes a result and returns text or bytes.

pub(crate) mod csv;
pub(crate) mod json;
pub(crate) mod markdown;
pub(crate) mod ministat;
pub(crate) mod table;
