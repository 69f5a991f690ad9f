//! The engine faults: misbehaves on request, for tests.
