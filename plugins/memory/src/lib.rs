//! The engine memory: both models in memory, for tests.
