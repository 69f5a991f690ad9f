//! The project's chores in Rust: setup, run, test, bench-self, tidy.
fn main() {}
