//! The formats on made-up results: what they print, and what they must never print.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod fixture;
mod people;
mod programs;
