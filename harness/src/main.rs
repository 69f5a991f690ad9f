//! The stowmark command.
fn main() {}
