//! The engine filesystem: a file for each blob.
