//! One seed in, as many independent ones as are needed out.
//!
//! A run has a single seed, the one that is printed and can be given again. Payloads, key orders and
//! the engines' turns each need randomness of their own, and none of them may depend on how much of
//! it another one used: a suite with one more size must not change the bytes of the others. So a
//! sub-seed is a hash of the run's seed and of the numbers that say what it is for.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

/// An odd constant close to 2^64 divided by the golden ratio, as in SplitMix64 (Steele, Lea, Flood,
/// "Fast splittable pseudorandom number generators", 2014): its multiples spread over all 64 bits.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A seed of its own for each list of `parts`, all from one `seed`.
///
/// The list's length and order count: `[1]`, `[1, 0]` and `[0, 1]` give three unrelated seeds. The
/// mapping is fixed: results name only the run's seed, and old ones must stay repeatable.
pub fn derive_seed(seed: u64, parts: &[u64]) -> u64 {
    let start = mix(seed.wrapping_add(STEP));
    parts.iter().fold(start, |state, part| {
        // The state is stepped before a part comes in, so that a part of zero changes it as well.
        mix(state.wrapping_add(STEP) ^ mix(part.wrapping_add(STEP)))
    })
}

/// The output function of SplitMix64: a bijection of 64 bits in which every input bit reaches every
/// output bit.
fn mix(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// The generator that all randomness of this crate comes from: fast enough to make payloads with,
/// and specified, so that its numbers do not change under a library update.
pub(crate) struct Generator(Xoshiro256PlusPlus);

impl Generator {
    /// A generator for one purpose; equal seeds give equal numbers.
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The next 64 bits.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`, which must not be zero. Taken from the high bits of a product, whose
    /// bias is below `bound` / 2^64: nothing for the bounds used here.
    #[inline]
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        let product = u128::from(self.next()) * u128::from(bound);
        (product >> 64) as u64
    }

    /// Puts `items` into a random order, each of them equally likely.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u64 + 1) as usize;
            items.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn sub_seeds_differ_by_seed_by_part_by_order_and_by_length() {
        let lists: [&[u64]; 8] = [&[], &[0], &[0, 0], &[1], &[1, 0], &[0, 1], &[2], &[u64::MAX]];
        let seeds: HashSet<u64> =
            (0..100).flat_map(|seed| lists.map(|parts| derive_seed(seed, parts))).collect();
        assert_eq!(seeds.len(), 800);
    }

    #[test]
    fn a_sub_seed_never_changes_between_versions() {
        // Not figures of a run but the contract itself: a result names only its seed.
        assert_eq!(derive_seed(0, &[]), 0xe220_a839_7b1d_cdaf);
        assert_eq!(derive_seed(42, &[1, 2, 3]), derive_seed(42, &[1, 2, 3]));
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..1000).collect();
        Generator::new(7).shuffle(&mut items);
        assert_ne!(items, (0..1000).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..1000).collect::<Vec<_>>());
    }
}
