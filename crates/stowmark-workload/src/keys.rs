//! The names under which blobs are stored.
//!
//! A key is 16 printable bytes whose byte order is the numeric order: four hexadecimal digits for
//! the population, twelve for the index in it, both big-endian with leading zeros. Every engine gets
//! the same bytes, so that none sorts what another one scatters (native-endian integers are in order
//! in one store and in disorder in the next). They are printable because they turn up in messages,
//! in SQL and as file names, where a zero byte would cost one engine an escape and another nothing.
//!
//! A population is what one case stores: each has its own, so that the blobs of one case never
//! overwrite, or are found by, another's. All keys are of one length, so none costs more than another.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

const POPULATION_DIGITS: usize = 4;
const HEX: &[u8; 16] = b"0123456789abcdef";

/// The name of one blob: 16 lower-case hexadecimal digits. Keys compare as their numbers do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key([u8; Self::LEN]);

impl Key {
    /// The length of every key, in bytes.
    pub const LEN: usize = 16;

    /// How many indexes a population has: indexes are below this.
    pub const INDEXES: u64 = 1 << 48;

    /// The key of the blob number `index` of a `population`.
    ///
    /// An index is below [`Key::INDEXES`]; the bits above are ignored, as no run can store so much.
    pub fn new(population: u16, index: u64) -> Self {
        debug_assert!(index < Self::INDEXES, "an index has 48 bits: {index}");
        let number = u64::from(population) << 48 | index & (Self::INDEXES - 1);
        let mut digits = [0; Self::LEN];
        for (position, digit) in digits.iter_mut().enumerate() {
            *digit = HEX[(number >> (60 - 4 * position) & 15) as usize];
        }
        Self(digits)
    }

    /// The bytes that are given to an engine.
    pub fn as_bytes(&self) -> &[u8; Self::LEN] {
        &self.0
    }

    /// The key as text.
    pub fn as_str(&self) -> &str {
        // Only digits are ever put in, so the fallback is never taken.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// The population that the key belongs to.
    pub fn population(&self) -> u16 {
        (self.number() >> 48) as u16
    }

    /// The index in the population.
    pub fn index(&self) -> u64 {
        self.number() & (Self::INDEXES - 1)
    }

    /// Reads a key that an engine gave back.
    ///
    /// # Errors
    /// If these are not 16 lower-case hexadecimal digits.
    pub fn parse(bytes: &[u8]) -> Result<Self, KeyError> {
        let wrong = || KeyError(String::from_utf8_lossy(bytes).into_owned());
        let digits: [u8; Self::LEN] = bytes.try_into().map_err(|_| wrong())?;
        if digits.iter().all(|digit| HEX.contains(digit)) { Ok(Self(digits)) } else { Err(wrong()) }
    }

    fn number(&self) -> u64 {
        self.0.iter().fold(0, |number, digit| {
            let value = match digit {
                b'0'..=b'9' => digit - b'0',
                _ => digit - b'a' + 10,
            };
            number << 4 | u64::from(value)
        })
    }
}

impl AsRef<[u8]> for Key {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (population, index) = self.as_str().split_at(POPULATION_DIGITS);
        write!(formatter, "Key({population}:{index})")
    }
}

impl FromStr for Key {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text.as_bytes())
    }
}

/// Bytes that are no key of ours.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0:?} is no Stowmark key: a key is 16 lower-case hexadecimal digits")]
pub struct KeyError(String);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_key_shows_population_and_index_as_digits() {
        let key = Key::new(0x2a, 0xbeef);
        assert_eq!(key.as_str(), "002a00000000beef");
        assert_eq!(format!("{key:?}"), "Key(002a:00000000beef)");
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for text in ["", "002a", "002A00000000BEEF", "002a00000000beefx", "002a 0000000beef"] {
            assert!(text.parse::<Key>().is_err(), "{text:?} was taken");
        }
    }

    proptest! {
        #[test]
        fn a_key_gives_back_what_it_was_made_of(population: u16, index in 0..Key::INDEXES) {
            let key = Key::new(population, index);
            prop_assert_eq!((key.population(), key.index()), (population, index));
            prop_assert_eq!(Key::parse(key.as_bytes()), Ok(key));
            prop_assert!(key.as_bytes().iter().all(u8::is_ascii_graphic));
        }

        #[test]
        fn keys_sort_as_their_numbers(
            a in (any::<u16>(), 0..Key::INDEXES),
            b in (any::<u16>(), 0..Key::INDEXES),
        ) {
            let (left, right) = (Key::new(a.0, a.1), Key::new(b.0, b.1));
            prop_assert_eq!(left.as_bytes().cmp(right.as_bytes()), a.cmp(&b));
        }
    }
}
