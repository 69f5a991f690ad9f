//! From any key to a safe path below the store's folder, no two keys to the same one.
//!
//! **File name.** Lower-case letters, digits, `-`, `_` and a `.` that is not the first byte stand
//! for themselves; every other byte becomes `%` and two lower-case hexadecimal digits. Upper-case
//! letters are escaped too, so that keys that differ only in case stay apart on a file system that
//! folds it. A name so made can be read back, hence no two keys share one. Where it would be longer
//! than the 255 bytes that file systems take, the name is `%sha256-` and the digest of the key: `%s`
//! is no escape, so that such a name is nobody else's, and no two keys with one digest are known.
//! The empty key's name is a lone `%`.
//!
//! **Folder.** Each fan-out level is one of 256 folders, chosen by a byte of a hash of the key. The
//! hash is written out here because it must be the same in every later version.
//!
//! **Temporary name.** `.put-` and 16 hexadecimal digits: no key's name begins with a dot.

use std::ffi::CStr;
use std::hash::{BuildHasher, Hasher, RandomState};

use sha2::{Digest, Sha256};

/// How many folders a fan-out level has.
pub(crate) const FOLDERS: usize = 256;

const NAME_MAX: usize = 255;
const HEX: &[u8; 16] = b"0123456789abcdef";
const TEMPORARY: &[u8; 5] = b".put-";
const DIGEST: &[u8; 8] = b"%sha256-";

/// A path relative to the store's folder, in memory that is used again for the next one.
#[derive(Debug)]
pub(crate) struct RelativePath {
    /// The path and the NUL that ends it.
    bytes: Vec<u8>,
}

impl RelativePath {
    pub(crate) fn new() -> Self {
        Self { bytes: vec![0] }
    }

    /// The path of the key's blob.
    pub(crate) fn set_blob(&mut self, leaf: Leaf, key: &[u8]) {
        self.set(leaf, |bytes| push_name(key, bytes));
    }

    /// The path of the temporary file in that folder.
    pub(crate) fn set_temporary(&mut self, leaf: Leaf, name: &TemporaryName) {
        self.set(leaf, |bytes| bytes.extend_from_slice(&name.0));
    }

    fn set(&mut self, leaf: Leaf, push_name: impl FnOnce(&mut Vec<u8>)) {
        self.bytes.clear();
        self.bytes.extend_from_slice(leaf.prefix());
        push_name(&mut self.bytes);
        self.bytes.push(0);
    }

    pub(crate) fn as_c_str(&self) -> &CStr {
        #[expect(clippy::expect_used, reason = "NUL is escaped in names, and `set` ends with one")]
        CStr::from_bytes_with_nul(&self.bytes).expect("one NUL, at the end")
    }
}

/// One of the folders that hold blobs: at no fan-out the store's own, else one of the last level's.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Leaf {
    levels: u8,
    /// `ab/cd/`; each level is three bytes of it.
    path: [u8; 6],
    /// The folder's number at each level.
    numbers: [u8; 2],
}

impl Leaf {
    /// The folder of the key at that many fan-out levels, 0 to 2.
    pub(crate) fn of(key: &[u8], levels: u8) -> Self {
        let [first, second, ..] = hash(key).to_be_bytes();
        let ([a, b], [c, d]) = (folder_name(first), folder_name(second));
        Self { levels, path: [a, b, b'/', c, d, b'/'], numbers: [first, second] }
    }

    /// The path of the folder on the way to this one at that level, from 1 up to the last.
    pub(crate) fn folder(&self, level: u8) -> &[u8] {
        &self.path[..usize::from(level) * 3 - 1]
    }

    /// The number of that folder among all of its level.
    pub(crate) fn number(&self, level: u8) -> usize {
        self.numbers[..level.into()].iter().fold(0, |sum, number| sum * FOLDERS + *number as usize)
    }

    /// What stands before a file's name: `ab/` or `ab/cd/`, or nothing.
    fn prefix(&self) -> &[u8] {
        &self.path[..usize::from(self.levels) * 3]
    }
}

/// A fan-out folder's name: two hexadecimal digits.
pub(crate) fn folder_name(number: u8) -> [u8; 2] {
    [HEX[usize::from(number >> 4)], HEX[usize::from(number & 15)]]
}

/// Whether a name is a fan-out folder's.
pub(crate) fn is_folder(name: &CStr) -> bool {
    name.to_bytes().len() == 2 && name.to_bytes().iter().all(|byte| HEX.contains(byte))
}

/// A session's own name for the file that it is about to put: 64 random bits tell it from those of
/// all other sessions, also of other processes and machines.
#[derive(Debug)]
pub(crate) struct TemporaryName([u8; TEMPORARY.len() + 16]);

impl TemporaryName {
    pub(crate) fn new() -> Self {
        // The standard library seeds this from the system's randomness, anew for each instance.
        let random = RandomState::new().build_hasher().finish();
        let mut name = [0; TEMPORARY.len() + 16];
        let (prefix, digits) = name.split_at_mut(TEMPORARY.len());
        prefix.copy_from_slice(TEMPORARY);
        for (digits, byte) in digits.as_chunks_mut::<2>().0.iter_mut().zip(random.to_be_bytes()) {
            *digits = folder_name(byte);
        }
        Self(name)
    }

    /// Whether a name is such a one.
    pub(crate) fn matches(name: &CStr) -> bool {
        name.to_bytes().strip_prefix(TEMPORARY).is_some_and(|digits| {
            digits.len() == 16 && digits.iter().all(|digit| HEX.contains(digit))
        })
    }
}

fn push_name(key: &[u8], path: &mut Vec<u8>) {
    let start = path.len();
    for (at, byte) in key.iter().enumerate() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' => path.push(*byte),
            b'.' if at > 0 => path.push(b'.'),
            _ => {
                let [high, low] = folder_name(*byte);
                path.extend_from_slice(&[b'%', high, low]);
            }
        }
        if path.len() - start > NAME_MAX {
            path.truncate(start);
            path.extend_from_slice(DIGEST);
            path.extend(Sha256::digest(key).iter().flat_map(|byte| folder_name(*byte)));
            return;
        }
    }
    if key.is_empty() {
        path.push(b'%');
    }
}

/// FNV-1a of 64 bits, its bits then mixed so that every one of them depends on every byte.
fn hash(key: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in key {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn name(key: &[u8]) -> String {
        let mut path = Vec::new();
        push_name(key, &mut path);
        String::from_utf8(path).unwrap()
    }

    #[test]
    fn plain_keys_keep_their_name_and_all_else_is_escaped() {
        assert_eq!(name(b"report-2024_1.txt"), "report-2024_1.txt");
        assert_eq!(name(b"."), "%2e");
        assert_eq!(name(b".."), "%2e.");
        assert_eq!(name(b"a/b\0c"), "a%2fb%00c");
        assert_eq!(name(b"Ab\xff"), "%41b%ff");
        assert_eq!(name(b"%41b"), "%2541b");
        assert_eq!(name(b""), "%");
    }

    #[test]
    fn no_two_keys_of_up_to_two_bytes_share_a_name() {
        let mut names = HashSet::from([name(b"")]);
        for first in 0..=255_u8 {
            assert!(names.insert(name(&[first])));
            for second in 0..=255_u8 {
                assert!(names.insert(name(&[first, second])));
            }
        }
        let clash = |name: &String| {
            name.starts_with('.') || name.chars().any(|c| c.is_ascii_uppercase() || c == '/')
        };
        assert!(!names.iter().any(clash));
    }

    #[test]
    fn the_longest_name_is_255_bytes_and_longer_ones_become_a_digest() {
        assert_eq!(name(&[b'k'; 255]).len(), 255);
        assert_eq!(name(&[0; 85]).len(), 255);
        for key in [&[b'k'; 256][..], &[0; 86], &[0; 100_000]] {
            let name = name(key);
            assert_eq!(name.len(), 8 + 64);
            assert!(name.starts_with("%sha256-"), "{name}");
        }
        assert_ne!(name(&[0; 300]), name(&[0; 301]));
        // The key that spells a digest's name is itself escaped.
        assert_ne!(name(name(&[0; 300]).as_bytes()), name(&[0; 300]));
    }

    #[test]
    fn numbers_that_follow_each_other_spread_evenly_over_the_folders() {
        let mut counts = vec![0_u32; FOLDERS * FOLDERS];
        let mut firsts = [0_u32; FOLDERS];
        for number in 0..65_536_u64 {
            let leaf = Leaf::of(&number.to_be_bytes(), 2);
            counts[leaf.number(2)] += 1;
            firsts[leaf.number(1)] += 1;
        }
        // 256 a folder are expected with a deviation of 16; of 65,536 folders about 37 % stay empty.
        assert!(firsts.iter().all(|count| (160..=352).contains(count)), "{firsts:?}");
        let empty = counts.iter().filter(|count| **count == 0).count();
        assert!((20_000..=28_000).contains(&empty), "{empty} folders are empty");
    }

    #[test]
    fn a_key_keeps_its_folder_in_every_version() {
        let path = |levels| {
            let mut path = RelativePath::new();
            path.set_blob(Leaf::of(b"key", levels), b"key");
            path.as_c_str().to_str().unwrap().to_owned()
        };
        assert_eq!([path(0), path(1), path(2)], ["key", "b3/key", "b3/c6/key"]);
    }

    #[test]
    fn temporary_names_differ_and_only_they_match() {
        let names: HashSet<_> = (0..1000).map(|_| TemporaryName::new().0).collect();
        assert_eq!(names.len(), 1000);
        let mut path = RelativePath::new();
        path.set_temporary(Leaf::of(b"", 0), &TemporaryName::new());
        assert!(TemporaryName::matches(path.as_c_str()));
        for other in [c".put-", c".put-0123", c".put-0123456789abcdeF", c"put-0123456789abcdef"] {
            assert!(!TemporaryName::matches(other), "{other:?}");
        }
    }
}
