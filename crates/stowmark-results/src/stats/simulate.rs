//! Samples whose truth is known, to check the analysis against it.
//!
//! The model of a sample's logarithm is a sum of what real samples show:
//!
//! - a centre, and for the engine the logarithm of the true ratio;
//! - a drift, rising evenly over the rounds of an execution, the same for
//!   both engines (a disk that fills, a core that warms);
//! - a shift of the execution: one shared by both (the machine at that time)
//!   and one of each engine's own process (its memory layout, its store);
//! - noise of the round: one shared by both and one of each engine's own,
//!   which may be correlated from round to round.
//!
//! Pairing cancels everything shared. Averaging over rounds wears down the
//! rounds' own noise; nothing but more executions wears down the executions'
//! own. So a "spread of 5 %" alone says little about what can be found: it
//! matters in which of these parts it lies.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Sizes of the parts of the noise, as standard deviations of logarithms
/// (0.05 is a spread of 5 %). The default is no noise at all.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Noise {
    /// Of each engine in each round.
    pub round: f64,
    /// Of a round, the same for both engines.
    pub shared_round: f64,
    /// Of each engine's process in an execution.
    pub execution: f64,
    /// Of an execution, the same for both engines.
    pub shared_execution: f64,
    /// Correlation of `round` noise with that of the round before, from 0
    /// up to but not including 1.
    pub correlation: f64,
    /// Rise from the first to the last round of an execution (a logarithm, not
    /// a deviation), the same for both engines.
    pub drift: f64,
}

impl Noise {
    /// Independent noise of each engine in each round and nothing else.
    #[must_use]
    pub fn of_rounds(spread: f64) -> Self {
        Self { round: spread, ..Self::default() }
    }

    /// The standard deviation of a sample's logarithm, drift left out.
    #[must_use]
    pub fn spread(&self) -> f64 {
        [self.round, self.shared_round, self.execution, self.shared_execution]
            .iter()
            .map(|part| part * part)
            .sum::<f64>()
            .sqrt()
    }
}

/// An engine and its baseline, in seconds: executions, and in each its rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The engine's samples.
    pub engine: Vec<Vec<Option<f64>>>,
    /// The baseline's samples.
    pub baseline: Vec<Vec<Option<f64>>>,
}

/// Draws pairs one after the other from one seed.
#[derive(Debug, Clone)]
pub struct Simulation {
    random: Xoshiro256PlusPlus,
}

impl Simulation {
    /// The same seed draws the same samples.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { random: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// One measurement of an engine that truly takes `ratio` times as long as
    /// its baseline.
    pub fn pair(&mut self, ratio: f64, executions: usize, rounds: usize, noise: &Noise) -> Pair {
        let mut pair = Pair { engine: Vec::new(), baseline: Vec::new() };
        for _ in 0..executions {
            let (engine, baseline) = self.execution(ratio, rounds, noise);
            pair.engine.push(engine);
            pair.baseline.push(baseline);
        }
        pair
    }

    fn execution(
        &mut self,
        ratio: f64,
        rounds: usize,
        noise: &Noise,
    ) -> (Vec<Option<f64>>, Vec<Option<f64>>) {
        const CENTRE_SECONDS: f64 = 1e-3;
        let centre = CENTRE_SECONDS.ln() + noise.shared_execution * self.normal();
        let engine_shift = ratio.ln() + noise.execution * self.normal();
        let baseline_shift = noise.execution * self.normal();
        let engine_noise = self.correlated(rounds, noise);
        let baseline_noise = self.correlated(rounds, noise);
        let last = rounds.saturating_sub(1).max(1) as f64;
        (0..rounds)
            .map(|round| {
                let moment =
                    centre + noise.drift * round as f64 / last + noise.shared_round * self.normal();
                (
                    Some((moment + engine_shift + engine_noise[round]).exp()),
                    Some((moment + baseline_shift + baseline_noise[round]).exp()),
                )
            })
            .unzip()
    }

    /// An autoregressive series of first order with the wanted deviation.
    fn correlated(&mut self, rounds: usize, noise: &Noise) -> Vec<f64> {
        let fresh = (1.0 - noise.correlation * noise.correlation).sqrt();
        let mut state = self.normal();
        (0..rounds)
            .map(|_| {
                state = noise.correlation * state + fresh * self.normal();
                noise.round * state
            })
            .collect()
    }

    /// A standard normal number, by Box and Muller.
    pub fn normal(&mut self) -> f64 {
        let (angle, radius) = (self.uniform(), self.uniform());
        (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
    }

    /// A number between 0 and 1, neither included.
    pub fn uniform(&mut self) -> f64 {
        const STEPS: f64 = (1u64 << 53) as f64;
        ((self.random.next_u64() >> 11) as f64 + 0.5) / STEPS
    }
}

#[cfg(test)]
mod tests {
    use super::super::basics::{mean, standard_deviation};
    use super::super::paired::{Pairing, logarithms};
    use super::*;

    #[test]
    fn the_same_seed_draws_the_same_samples() {
        let noise = Noise::of_rounds(0.05);
        let draw = |seed| Simulation::new(seed).pair(1.1, 2, 3, &noise);
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn samples_spread_as_the_noise_says() {
        let noise = Noise {
            round: 0.03,
            shared_round: 0.02,
            execution: 0.02,
            shared_execution: 0.01,
            correlation: 0.5,
            drift: 0.0,
        };
        let pair = Simulation::new(3).pair(1.2, 4000, 4, &noise);
        let logs = logarithms(&pair.engine).concat();
        assert!((standard_deviation(&logs) / noise.spread() - 1.0).abs() < 0.03);
        let ratios = Pairing::of(&pair.engine, &pair.baseline).log_ratios.concat();
        assert!((mean(&ratios) - 1.2f64.ln()).abs() < 0.002);
        let own = (2.0 * (0.03f64.powi(2) + 0.02f64.powi(2))).sqrt();
        assert!((standard_deviation(&ratios) / own - 1.0).abs() < 0.03);
    }

    #[test]
    fn without_noise_only_ratio_and_drift_are_left() {
        let noise = Noise { drift: 2f64.ln(), ..Noise::default() };
        let pair = Simulation::new(1).pair(3.0, 1, 5, &noise);
        let first = pair.engine[0][0].unwrap();
        assert!((first - 3e-3).abs() < 1e-12);
        assert!((pair.engine[0][4].unwrap() / first - 2.0).abs() < 1e-12);
    }
}
