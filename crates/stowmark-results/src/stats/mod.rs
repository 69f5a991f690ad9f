//! The statistics that decide, and those that only stand beside.
//!
//! Everything here is a pure function over plain slices: no schema, no files,
//! no clock, no randomness but a fixed seed. The same samples give the same
//! verdict on every machine, so a report re-made from a result file years
//! later says what the run said.
//!
//! **One analysis decides.** [`effect`] turns the paired rounds of an engine
//! and its baseline into a ratio with an interval, [`holm`] shares the error
//! rate among all verdicts of a clock, and [`verdict`] puts both into words.
//! The rest never decides: [`summary`] describes, [`mod@reference`] holds the
//! tests that readers know from elsewhere, [`warnings`] looks for reasons not
//! to believe the samples, and [`simulate`] makes samples whose truth is
//! known, so that all of the above can be checked.
//!
//! The unit of evidence is the execution: one fresh process with a fresh
//! store. Rounds inside one execution share its memory layout, its store and
//! its moment, so more rounds cannot replace more executions. This follows
//! T. Kalibera and R. Jones, "Rigorous benchmarking in reasonable time"
//! (ISMM 2013), who repeat at the highest level at which times vary.
//!
//! A ratio is always engine time / baseline time: above 1 the engine is
//! slower. Work is done on logarithms, where "twice" and "half" are equally
//! far from "the same" and noise that multiplies becomes noise that adds.

mod basics;
pub mod effect;
pub mod holm;
pub mod paired;
pub mod reference;
pub mod simulate;
mod student;
pub mod summary;
pub mod verdict;
pub mod warnings;

#[cfg(test)]
mod simulation_tests;
