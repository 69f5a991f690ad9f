//! The engine redb: blobs in a redb database.
