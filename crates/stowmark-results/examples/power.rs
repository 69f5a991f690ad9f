//! Prints what the statistics find and how often they cry wolf, on samples
//! whose truth is known: the tables behind the figures in the methodology.
//!
//! `cargo run --release -p stowmark-results --example power [RUNS]`

#![expect(clippy::print_stdout, reason = "an example that prints tables")]

use stowmark_results::stats::effect;
use stowmark_results::stats::simulate::{Noise, Simulation};
use stowmark_results::stats::warnings::Findings;

const ALPHA: f64 = 0.01;

/// Sizes of families, as Holm's first step divides the level by them.
const FAMILIES: [usize; 4] = [1, 2, 8, 16];

fn main() {
    let runs = std::env::args().nth(1).and_then(|runs| runs.parse().ok()).unwrap_or(5_000);
    println!("Percent of {runs} simulated runs in which a difference is shown at 1 %,");
    println!("alone and as the first of 2, 8 and 16 verdicts. A ratio of 1 is a false alarm.\n");
    for (executions, rounds) in [(5, 6), (10, 6), (1, 6), (1, 20), (1, 50)] {
        println!("{executions} executions of {rounds} rounds");
        println!("  {:<44}{:>7}{:>8}{:>8}{:>8}{:>8}", "spread of a sample", "ratio", 1, 2, 8, 16);
        for (name, noise) in noises() {
            for ratio in [1.0, 1.1, 0.9] {
                let shown = shown(runs, executions, rounds, ratio, &noise);
                print!("  {name:<44}{ratio:>7}");
                for share in shown {
                    print!("{share:>8.2}");
                }
                println!();
            }
        }
        println!();
    }
    warnings(runs);
}

fn noises() -> Vec<(&'static str, Noise)> {
    let own = Noise::of_rounds(0.05);
    vec![
        ("5 %, all of it the rounds' own", own),
        (
            "5 %, a tenth of the variance shared",
            Noise { round: 0.05 * 0.9f64.sqrt(), shared_round: 0.05 * 0.1f64.sqrt(), ..own },
        ),
        (
            "5 %, a tenth the executions' own",
            Noise { round: 0.05 * 0.9f64.sqrt(), execution: 0.05 * 0.1f64.sqrt(), ..own },
        ),
        (
            "5 %, half the executions' own",
            Noise { round: 0.05 * 0.5f64.sqrt(), execution: 0.05 * 0.5f64.sqrt(), ..own },
        ),
        ("5 %, correlated by 0.3", Noise { correlation: 0.3, ..own }),
        ("5 %, correlated by 0.5", Noise { correlation: 0.5, ..own }),
        (
            "5 %, and 30 % drift and 20 % noise shared",
            Noise { shared_round: 0.2, drift: 0.3, ..own },
        ),
        ("2 %, all of it the rounds' own", Noise::of_rounds(0.02)),
    ]
}

fn shown(runs: usize, executions: usize, rounds: usize, ratio: f64, noise: &Noise) -> [f64; 4] {
    let mut simulation = Simulation::new(1);
    let mut counts = [0usize; 4];
    for _ in 0..runs {
        let pair = simulation.pair(ratio, executions, rounds, noise);
        let Ok(effect) = effect::analyse(&pair.engine, &pair.baseline, ALPHA) else {
            continue;
        };
        for (count, family) in counts.iter_mut().zip(FAMILIES) {
            *count += usize::from(effect.p <= ALPHA / family as f64);
        }
    }
    counts.map(|count| 100.0 * count as f64 / runs as f64)
}

fn warnings(runs: usize) {
    println!("Percent of one engine's series that draw a warning\n");
    println!(
        "  {:<46}{:>8}{:>8}{:>9}{:>7}{:>7}{:>7}",
        "samples", "drift", "autoc.", "outliers", "humps", "execs", "any"
    );
    for (executions, rounds) in [(5, 6), (1, 20), (10, 20)] {
        for (name, noise) in noises() {
            let mut simulation = Simulation::new(8);
            let mut counts = [0usize; 6];
            for _ in 0..runs {
                let pair = simulation.pair(1.0, executions, rounds, &noise);
                let found = Findings::of(&pair.engine);
                let each = [
                    found.drift.is_some(),
                    found.autocorrelation.is_some(),
                    found.outliers.is_some(),
                    found.two_humps.is_some(),
                    found.executions_differ.is_some(),
                    found != Findings::default(),
                ];
                for (count, spoke) in counts.iter_mut().zip(each) {
                    *count += usize::from(spoke);
                }
            }
            let [drift, correlation, outliers, humps, executions, any] =
                counts.map(|count| 100.0 * count as f64 / runs as f64);
            let samples = format!("{executions}x{rounds}: {name}");
            println!(
                "  {samples:<50}{drift:>6.2}{correlation:>8.2}{outliers:>8.2}{humps:>7.2}\
                 {executions:>7.2}{any:>7.2}"
            );
        }
    }
}
