//! `cargo xtask bench-self --aa`: can the verdicts be believed?
//!
//! Runs of the engine redb against itself under two names, with fresh processes and stores as in any
//! run. Whatever verdict names a faster one is wrong, so the share of such verdicts is the harness's
//! rate of false alarms on this machine; it promises at most 3 of 100.
//!
//! The harness adjusts for all verdicts of a clock in a run together, which makes each of them
//! stricter than 1 %. So the count that its unadjusted p-values give at 1 % stands beside: that is the
//! sharper check of rounds, pairing and analysis, and about 1 of 100 is right.
//!
//! Half of the runs acknowledge from memory, half flush to the device: noise of processors and of
//! disks are not alike. How large both are is printed, with the smallest difference that such runs
//! can show.

mod print;
mod tally;

use std::time::Instant;

use super::load::Load;
use super::programs::Programs;
use crate::failure::Failure;
use tally::{Judged, judged};

/// Put and get at each make a verdict on each clock.
const SIZES: &str = "100,1k,4k,10k,30k,100k,1M";
const TIERS: [&str; 2] = ["acknowledged", "media"];
/// With 7 sizes and 2 operations: 112 verdicts on the wall clock.
const RUNS_PER_TIER: u64 = 4;

/// Runs, counts and prints. It fails only if a run does: what the figures say is for the reader.
pub(super) fn check(programs: &Programs, json: bool) -> Result<(), Failure> {
    let started = Instant::now();
    let mut load = Load::default();
    let mut all: Vec<Judged> = Vec::new();
    let runs = RUNS_PER_TIER * TIERS.len() as u64;
    for run in 0..runs {
        // By turns, so that what changes with the hour meets both alike.
        let tier = TIERS[usize::from(run % 2 == 1)];
        eprintln!("xtask: run {} of {runs}, {tier}", run + 1);
        load.watch();
        let seed = run + 1;
        let result = programs.same_twice(SIZES, tier, seed)?;
        load.note(&result);
        all.extend(judged(&result, tier, seed));
    }
    let facts = print::Facts { runs, seconds: started.elapsed().as_secs(), load: &load };
    super::print(&print::text(&all, &facts), json.then(|| print::object(&all, &facts)));
    Ok(())
}
