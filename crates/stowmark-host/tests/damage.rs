//! Files that nobody made on purpose: whatever their bytes are, inspecting them ends in a plugin or
//! in one line, without a panic and without much memory.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use stowmark_host::{InspectError, inspect};

use crate::support::{c_library, c_manifest, changed, json, library, line};

/// Numbers that look like chance and are the same in every run (xorshift64*, Vigna 2016).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32;
        usize::try_from(number).unwrap() % end
    }
}

/// A plugin that is small enough to be damaged many times.
fn small_plugin(folder: &Path) -> PathBuf {
    c_library(folder, "stowmark_small", &c_manifest(&json("small")), &["-lm", "-nostartfiles"])
}

/// Inspects these bytes. Returns whether they are a plugin.
fn check(bytes: &[u8], path: &Path) -> bool {
    fs::write(path, bytes).unwrap();
    inspect(path).inspect_err(|error| drop(line(error))).is_ok()
}

#[test]
fn no_truncated_plugin_is_taken_for_a_whole_one() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read(small_plugin(folder.path())).unwrap();
    let path = folder.path().join("x");
    assert!(check(&whole, &path));
    for left in (0..whole.len()).step_by(37) {
        assert!(!check(&whole[..left], &path), "{left} of {}", whole.len());
    }
}

#[test]
fn damaged_plugins_are_refused_or_read_and_never_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read(small_plugin(folder.path())).unwrap();
    let path = folder.path().join("x");
    let mut chance = Chance(0x5107);
    let sections = usize::try_from(number_at(&whole, 0x28)).unwrap();
    let mut refused = 0;
    for _ in 0..3000 {
        let mut bytes = whole.clone();
        for _ in 0..=chance.below(4) {
            // Half of the damage hits the tables, where it does most.
            let at = match chance.below(4) {
                0 => chance.below(0x40 + 56 * 8),
                1 => sections + chance.below(whole.len() - sections),
                _ => chance.below(whole.len()),
            };
            let extreme = [0, 1, 0x7f, 0x80, 0xff];
            bytes[at] = match chance.below(2) {
                0 => extreme[chance.below(extreme.len())],
                _ => bytes[at] ^ (1 << chance.below(8)),
            };
        }
        refused += usize::from(!check(&bytes, &path));
    }
    assert!(refused > 100, "the damage is felt: {refused}");
}

#[test]
fn a_huge_file_is_not_read_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = changed(&library("null"), &folder.path().join("x"), |_| ());
    OpenOptions::new().write(true).open(&path).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(inspect(&path).unwrap().manifest.name, "null");
}

#[test]
fn a_table_that_claims_gigabytes_is_not_read() {
    const DYNAMIC_SYMBOLS: u32 = 11;
    let folder = tempfile::tempdir().unwrap();
    let path = changed(&library("null"), &folder.path().join("x"), |bytes| {
        let first = usize::try_from(number_at(bytes, 0x28)).unwrap();
        let kind = |at: usize| u32::from_le_bytes(bytes[at + 4..at + 8].try_into().unwrap());
        let at = (first..).step_by(64).find(|at| kind(*at) == DYNAMIC_SYMBOLS).unwrap();
        bytes[at + 32..at + 40].copy_from_slice(&(24_u64 << 33).to_le_bytes());
    });
    OpenOptions::new().write(true).open(&path).unwrap().set_len(1 << 40).unwrap();
    let error = inspect(&path).unwrap_err();
    assert!(matches!(error, InspectError::DamagedLibrary { .. }), "{error:?}");
}

fn number_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}
