//! The manifest: what a plugin says of itself, read from the file without running any of its code.
//!
//! The export macro of the kit emits a static of pointer-free bytes under the symbol
//! [`SYMBOL`]: a fixed [`Header`], little-endian, then a JSON text. Being free of pointers it needs
//! no relocation, so a reader takes it from the file as it lies there.

/// The exported symbol.
pub const SYMBOL: &str = "STOWMARK_MANIFEST";

/// The first bytes of a manifest.
pub const MAGIC: [u8; 16] = *b"stowmark\x00manif\x1a\n";

/// The length of the header in bytes: magic, then four little-endian `u32`: the JSON text's length,
/// ABI major, ABI minor, and one that is zero for now.
pub const HEADER_LEN: usize = 32;

/// The largest JSON text that a host reads, in bytes.
pub const MAX_JSON_LEN: usize = 1 << 20;

/// The numbers after the magic.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The JSON text's length in bytes.
    pub json_len: u32,
    /// The plugin's ABI, major number.
    pub abi_major: u32,
    /// The plugin's ABI, minor number.
    pub abi_minor: u32,
}

impl Header {
    /// The header's bytes.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        write(&mut bytes, 0, &MAGIC);
        write(&mut bytes, 16, &self.json_len.to_le_bytes());
        write(&mut bytes, 20, &self.abi_major.to_le_bytes());
        write(&mut bytes, 24, &self.abi_minor.to_le_bytes());
        bytes
    }

    /// The header at the start of `bytes`; none if they are too few or begin with another magic.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        if bytes.get(..MAGIC.len())? != MAGIC {
            return None;
        }
        let number = |at: usize| -> Option<u32> {
            Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
        };
        bytes.get(..HEADER_LEN)?;
        Some(Self { json_len: number(16)?, abi_major: number(20)?, abi_minor: number(24)? })
    }
}

const fn write(to: &mut [u8; HEADER_LEN], at: usize, from: &[u8]) {
    let mut i = 0;
    while i < from.len() {
        to[at + i] = from[i];
        i += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read_back_as_it_was_written() {
        let header = Header { json_len: 7, abi_major: 1, abi_minor: 2 };
        assert_eq!(Header::read(&header.to_bytes()), Some(header));
    }

    #[test]
    fn other_or_too_few_bytes_are_no_header() {
        let bytes = Header { json_len: 7, abi_major: 1, abi_minor: 2 }.to_bytes();
        assert_eq!(Header::read(&bytes[..31]), None);
        let mut other = bytes;
        other[3] ^= 1;
        assert_eq!(Header::read(&other), None);
    }
}
