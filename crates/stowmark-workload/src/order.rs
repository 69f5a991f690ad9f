//! In which order keys are used, and in which order engines take their turns.
//!
//! Both decide what a figure means. Keys in ascending order are the best case of a B-tree and hide
//! what a read costs that finds nothing cached, so the default is a seeded shuffle. Engines that
//! always run in one order inherit each other's mess (a full page cache, a warm device, a clock that
//! went up or down), so their turns are counterbalanced: over the rounds every engine is equally
//! often in each position and comes equally often directly after each other one.
//!
//! The design for the latter is E. J. Williams's ("Experimental designs balanced for the estimation
//! of residual effects of treatments", 1949): from one zigzag row `0, 1, n-1, 2, n-2, ...` the others
//! follow by adding one modulo n. For an even n these n rows are balanced in both respects; for an
//! odd n the rows and their reverses together are.

use crate::seed::Generator;
use crate::suggest::word_enum;

pub use crate::seed::derive_seed;

word_enum! {
    /// In which order the keys of a case are used.
    pub enum KeyOrder as "key order" {
        /// A seeded shuffle: every key once before any comes again.
        Random = "random",
        /// Ascending, and from the beginning again.
        Sequential = "sequential",
    }
}

/// The indexes of `count` operations on keys `0..population`.
///
/// `random` gives one seeded shuffle of all indexes after another, `sequential` counts up and wraps
/// round; so both use every key before they use one again, and no key is used more than once more
/// than another. The beginning does not depend on `count`. Empty if the population is. `random` holds
/// the whole population, 8 bytes for each index, while it works.
pub fn indexes(order: KeyOrder, population: u64, count: usize, seed: u64) -> Vec<u64> {
    if population == 0 {
        return Vec::new();
    }
    match order {
        KeyOrder::Sequential => (0..population).cycle().take(count).collect(),
        KeyOrder::Random => {
            let mut generator = Generator::new(derive_seed(seed, &[population]));
            let mut found = Vec::with_capacity(count);
            let mut all: Vec<u64> = (0..population).collect();
            while found.len() < count {
                generator.shuffle(&mut all);
                let wanted = (count - found.len()).min(all.len());
                found.extend_from_slice(&all[..wanted]);
            }
            found
        }
    }
}

/// For each round the order in which `engines` take their turns: a permutation of `0..engines`.
///
/// Within each full design (`engines` rounds for an even number, twice as many for an odd one) every
/// engine is equally often in each position, and follows each other engine equally often within
/// rounds. A run that stops in the middle of a design is as even as a greedy choice makes it: no count
/// is more than two above another. Where it costs nothing, an engine that ended a round does not
/// begin the next. The seed decides which engine plays which part and breaks all ties; each further
/// design is drawn anew.
pub fn balanced_orders(engines: usize, rounds: usize, seed: u64) -> Vec<Vec<usize>> {
    let mut generator = Generator::new(derive_seed(seed, &[engines as u64]));
    let mut tally = Tally::new(engines);
    let mut orders: Vec<Vec<usize>> = Vec::with_capacity(rounds);
    let mut design = Vec::new();
    while orders.len() < rounds {
        if design.is_empty() {
            design = williams_design(engines, &mut generator);
        }
        let chosen = (0..design.len()).min_by_key(|&row| tally.cost(&design[row]));
        let row = design.swap_remove(chosen.unwrap_or(0));
        tally.add(&row);
        orders.push(row);
    }
    orders
}

/// One balanced design, its engines relabelled and its rows shuffled.
fn williams_design(engines: usize, generator: &mut Generator) -> Vec<Vec<usize>> {
    let mut labels: Vec<usize> = (0..engines).collect();
    generator.shuffle(&mut labels);
    let zigzag = |step: usize| match step {
        0 => 0,
        odd if odd % 2 == 1 => odd.div_ceil(2),
        even => engines - even / 2,
    };
    let mut rows: Vec<Vec<usize>> = (0..engines.max(1))
        .map(|shift| {
            let row = (0..engines).map(|step| labels[(zigzag(step) + shift) % engines]);
            row.collect()
        })
        .collect();
    if engines > 1 && engines % 2 == 1 {
        let reversed: Vec<Vec<usize>> =
            rows.iter().map(|row| row.iter().rev().copied().collect()).collect();
        rows.extend(reversed);
    }
    generator.shuffle(&mut rows);
    rows
}

/// How often each engine has been in each position and directly after each other one so far.
struct Tally {
    positions: Vec<Vec<usize>>,
    followers: Vec<Vec<usize>>,
    across_rounds: Vec<Vec<usize>>,
    last: Option<usize>,
}

impl Tally {
    fn new(engines: usize) -> Self {
        let square = vec![vec![0; engines]; engines];
        Self {
            positions: square.clone(),
            followers: square.clone(),
            across_rounds: square,
            last: None,
        }
    }

    /// How uneven a row would make things: first what it repeats within rounds, then whether an
    /// engine would follow itself, then what it repeats across the border of two rounds.
    fn cost(&self, row: &[usize]) -> (usize, bool, usize) {
        let positions =
            row.iter().enumerate().map(|(position, &engine)| self.positions[engine][position]);
        let followers = row.windows(2).map(|pair| self.followers[pair[0]][pair[1]]);
        let border = self.last.zip(row.first().copied());
        (
            positions.chain(followers).sum(),
            border.is_some_and(|(last, first)| last == first),
            border.map_or(0, |(last, first)| self.across_rounds[last][first]),
        )
    }

    fn add(&mut self, row: &[usize]) {
        for (position, &engine) in row.iter().enumerate() {
            self.positions[engine][position] += 1;
        }
        for pair in row.windows(2) {
            self.followers[pair[0]][pair[1]] += 1;
        }
        if let Some((last, &first)) = self.last.zip(row.first()) {
            self.across_rounds[last][first] += 1;
        }
        self.last = row.last().copied().or(self.last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    /// Counts of (engine, position) and of (engine, the one directly after it within a round).
    fn counts(orders: &[Vec<usize>], engines: usize) -> (Vec<usize>, Vec<usize>) {
        let mut tally = Tally::new(engines);
        orders.iter().for_each(|row| tally.add(row));
        let pairs = (0..engines).flat_map(|a| (0..engines).map(move |b| (a, b)));
        let followers = pairs.filter(|(a, b)| a != b).map(|(a, b)| tally.followers[a][b]).collect();
        (tally.positions.concat(), followers)
    }

    fn spread(counts: &[usize]) -> usize {
        let least = counts.iter().min().copied().unwrap_or(0);
        counts.iter().max().copied().unwrap_or(0) - least
    }

    fn design_rounds(engines: usize) -> usize {
        if engines.is_multiple_of(2) { engines } else { 2 * engines }
    }

    #[test]
    fn full_designs_balance_positions_and_followers_exactly() {
        for engines in 2..=6 {
            for designs in 1..=3 {
                for seed in 0..20 {
                    let rounds = designs * design_rounds(engines);
                    let orders = balanced_orders(engines, rounds, seed);
                    let (positions, followers) = counts(&orders, engines);
                    assert_eq!((spread(&positions), spread(&followers)), (0, 0), "{orders:?}");
                }
            }
        }
    }

    #[test]
    fn any_number_of_rounds_is_nearly_balanced() {
        for engines in 2..=6 {
            for rounds in 1..=25 {
                for seed in 0..20 {
                    let orders = balanced_orders(engines, rounds, seed);
                    let (positions, followers) = counts(&orders, engines);
                    assert!(spread(&positions) <= 2, "{orders:?}");
                    assert!(spread(&followers) <= 2, "{orders:?}");
                }
            }
        }
    }

    #[test]
    fn each_round_is_a_permutation_and_one_engine_needs_no_design() {
        for engines in 0..=7 {
            for row in balanced_orders(engines, 9, 3) {
                assert_eq!(row.iter().collect::<HashSet<_>>().len(), engines);
                assert!(row.iter().all(|&engine| engine < engines));
            }
            assert_eq!(balanced_orders(engines, 9, 3).len(), 9);
        }
    }

    #[test]
    fn the_seed_decides_and_every_engine_gets_to_begin() {
        let first: HashSet<usize> = (0..40).map(|seed| balanced_orders(3, 1, seed)[0][0]).collect();
        assert_eq!(first.len(), 3);
        assert_eq!(balanced_orders(4, 12, 8), balanced_orders(4, 12, 8));
        assert_ne!(balanced_orders(4, 12, 8), balanced_orders(4, 12, 9));
    }

    #[test]
    fn sequential_indexes_count_up_and_wrap() {
        assert_eq!(indexes(KeyOrder::Sequential, 3, 7, 1), [0, 1, 2, 0, 1, 2, 0]);
        assert!(indexes(KeyOrder::Random, 0, 7, 1).is_empty());
    }

    proptest! {
        #[test]
        fn random_indexes_use_every_key_before_any_again(
            population in 1_u64..200, count in 0_usize..500, seed: u64,
        ) {
            let found = indexes(KeyOrder::Random, population, count, seed);
            prop_assert_eq!(found.len(), count);
            for lap in found.chunks(population as usize) {
                prop_assert!(lap.iter().all(|&index| index < population));
                prop_assert_eq!(lap.iter().collect::<HashSet<_>>().len(), lap.len());
            }
            let longer = indexes(KeyOrder::Random, population, count + 50, seed);
            prop_assert_eq!(&longer[..count], &found[..]);
        }
    }

    #[test]
    fn random_indexes_are_not_in_order_and_depend_on_the_seed() {
        let sorted: Vec<u64> = (0..100).collect();
        let one = indexes(KeyOrder::Random, 100, 100, 1);
        let two = indexes(KeyOrder::Random, 100, 200, 2);
        assert_ne!(one, sorted);
        assert_ne!(one[..], two[..100]);
        assert_ne!(two[..100], two[100..], "each lap is shuffled anew");
    }
}
