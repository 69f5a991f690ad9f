//! The bytes that are stored: exact in size, the same for every engine, and never the same twice.
//!
//! What a store is given decides much of what it shows. An engine that compresses wins on text and
//! pays for nothing on noise; a file system that finds holes stores zeros for free; a deduplicating
//! device keeps one copy of what is always the same. So the kind of payload is named in the result,
//! its compressibility is measured rather than believed ([`compressibility`]), and every payload of
//! a run differs from every other one.
//!
//! | kind | bytes | zstd level 1 leaves about |
//! |---|---|---|
//! | `text` | words from a list that is turned by seeded digits | a quarter from 1M up, a third at 10k, half at 1k |
//! | `random` | noise | all |
//! | `ratio:R` | short stretches of noise, each followed by a repeated piece of it | R |
//! | `zero` | zeros, so all payloads of a size are equal | nothing |
//! | `file:PATH` | the file's bytes round and round, from a place of their own for each payload | what the file does |
//!
//! A payload is a function of the kind, the seed, its number and its length, on any machine. Payloads
//! up to [`Payloads::WHOLE_MAX`] are made by [`Payloads::fill`], before any clock starts. Longer ones
//! do not fit into memory with everything else and come as a [`PayloadStream`], whose blocks are lent
//! from a pool; what that means for such figures stands there.
//!
//! How distinct: payloads with numbers below 256^n differ if they are at least n bytes long (`text`:
//! below 32^n), so any two of 8 bytes or more (`text`: 13) do. The first bytes carry the number for
//! that. Payloads of a file differ as far as the file's own stretches do.

mod kind;
mod ratio;
mod stream;
mod text;

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::OnceLock;

use thiserror::Error;

use crate::files;
use crate::seed::{Generator, derive_seed};
use crate::suggest::UnknownWord;
use crate::units::format_size;

pub use kind::PayloadKind;
pub use stream::PayloadStream;

use ratio::Ratio;

/// An odd number, so that multiplying by it maps the lowest n bytes of a number onto all values of n
/// bytes: what keeps even the shortest payloads apart.
const SCATTER: u64 = 0xd134_2543_de82_ef95;

/// A kind of payload that cannot be had.
#[derive(Debug, Error)]
pub enum PayloadError {
    /// A word that names no kind.
    #[error(transparent)]
    UnknownKind(#[from] UnknownWord),
    /// The ratio is no number above 0 and up to 1.
    #[error(
        "payload ratio \"{0}\" is out of range: give what should be left after compression, above 0 and at most 1, such as ratio:0.5"
    )]
    Ratio(String),
    /// `file:` without a path.
    #[error("payload \"file:\" lacks its path: give it as file:PATH")]
    NoPath,
    /// The file cannot be read.
    #[error("cannot read the payload file {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The file has no bytes to store.
    #[error("the payload file {} is empty: name one with at least one byte", .0.display())]
    Empty(PathBuf),
    /// The file is longer than what is held in memory.
    #[error("the payload file {} is longer than {max}: cut a piece of it first, such as with `head -c {max}`",
        .0.display(), max = format_size(Payloads::FILE_MAX))]
    TooLong(PathBuf),
}

/// The payloads of a run: any number of them, each made when it is asked for. Shared by all client
/// threads; nothing in it changes but the stream pool, which is made once.
#[derive(Debug)]
pub struct Payloads {
    kind: PayloadKind,
    source: Source,
    seed: u64,
    pool: OnceLock<Vec<u8>>,
}

/// Where the bytes come from, with all that can be computed beforehand.
#[derive(Debug)]
enum Source {
    Text,
    Random,
    Zero,
    Ratio(Ratio),
    File(Vec<u8>),
}

impl Payloads {
    /// Payloads up to this many bytes are made whole by [`Payloads::fill`]; longer ones are streamed.
    pub const WHOLE_MAX: u64 = 64 << 20;

    /// The longest file that `file:PATH` takes, in bytes: it is held in memory.
    pub const FILE_MAX: u64 = 32 << 20;

    /// Prepares payloads of a kind; a `file:PATH` is read now, and never again.
    ///
    /// # Errors
    /// If the file cannot be read, is empty or longer than [`Payloads::FILE_MAX`], or if a ratio is
    /// not above 0 and at most 1.
    pub fn new(kind: &PayloadKind, seed: u64) -> Result<Self, PayloadError> {
        let source = match kind {
            PayloadKind::Text => Source::Text,
            PayloadKind::Random => Source::Random,
            PayloadKind::Zero => Source::Zero,
            PayloadKind::Ratio(ratio) => {
                let wrong = || PayloadError::Ratio(ratio.to_string());
                Source::Ratio(Ratio::new(*ratio).ok_or_else(wrong)?)
            }
            PayloadKind::File(path) => {
                let bytes = files::read_payload(path, Self::FILE_MAX)
                    .map_err(|source| PayloadError::Read { path: path.clone(), source })?;
                if bytes.is_empty() {
                    return Err(PayloadError::Empty(path.clone()));
                }
                if bytes.len() as u64 > Self::FILE_MAX {
                    return Err(PayloadError::TooLong(path.clone()));
                }
                Source::File(bytes)
            }
        };
        Ok(Self { kind: kind.clone(), source, seed, pool: OnceLock::new() })
    }

    /// The kind that these payloads are of.
    pub fn kind(&self) -> &PayloadKind {
        &self.kind
    }

    /// Whether a payload of `len` bytes is taken from [`Payloads::stream`] rather than from
    /// [`Payloads::fill`].
    pub fn is_streamed(len: u64) -> bool {
        len > Self::WHOLE_MAX
    }

    /// Makes the payload number `id` whose length is that of `buf`, and fills `buf` with it.
    ///
    /// The bytes depend on kind, seed, `id` and length only. Allocates nothing.
    pub fn fill(&self, id: u64, buf: &mut [u8]) {
        match &self.source {
            Source::Zero => buf.fill(0),
            Source::File(bytes) => fill_cyclic(bytes, self.first_place(id, bytes.len()), buf),
            Source::Text => text::fill(self.number(id), &mut self.generator(id), buf),
            Source::Random => {
                fill_random(&mut self.generator(id), buf);
                stamp(self.number(id), buf);
            }
            Source::Ratio(ratio) => {
                ratio.fill(&mut self.generator(id), buf);
                stamp(self.number(id), buf);
            }
        }
    }

    /// The randomness of one payload.
    fn generator(&self, id: u64) -> Generator {
        Generator::new(derive_seed(self.seed, &[id]))
    }

    /// A number that is another one for each `id`, in its lowest bytes too.
    fn number(&self, id: u64) -> u64 {
        id.wrapping_mul(SCATTER).wrapping_add(derive_seed(self.seed, &[]))
    }

    /// A place below `places` that is another one for each of `places` successive ids.
    fn first_place(&self, id: u64, places: usize) -> usize {
        let places = places as u64;
        let base = derive_seed(self.seed, &[]) % places;
        // A step near the golden section spreads successive ids far apart.
        let mut step = (places as f64 * 0.618) as u64;
        while common_divisor(step, places) > 1 {
            step += 1;
        }
        let product = u128::from(id % places) * u128::from(step) + u128::from(base);
        (product % u128::from(places)) as usize
    }
}

/// How much of a payload of `size` bytes zstd at level 1 leaves: compressed size / size.
///
/// Measured on payload number 0, or on its first 4 MiB if it is longer. A tiny payload comes out
/// above 1, because the compressor's own header is larger than what it saves; no payload (`size` 0)
/// counts as 1.
pub fn compressibility(payloads: &Payloads, size: u64) -> f64 {
    const SAMPLE_MAX: u64 = 4 << 20;
    if size == 0 {
        return 1.0;
    }
    let sample = if Payloads::is_streamed(size) {
        let mut stream = payloads.stream(0, size);
        let mut sample = Vec::with_capacity(SAMPLE_MAX as usize);
        while sample.len() < SAMPLE_MAX as usize {
            let piece = stream.next(SAMPLE_MAX as usize - sample.len());
            sample.extend_from_slice(piece);
        }
        sample
    } else {
        // The beginning of a payload is like the rest of it, and costs less to compress.
        let mut sample = vec![0; size.min(SAMPLE_MAX) as usize];
        payloads.fill(0, &mut sample);
        sample
    };
    #[expect(
        clippy::expect_used,
        reason = "the library fails only for a full output or a lack of memory, and its own bound sizes the output"
    )]
    let compressed = zstd::bulk::compress(&sample, 1).expect("zstd compresses into its own bound");
    compressed.len() as f64 / sample.len() as f64
}

/// Writes the number into the first bytes, or as much of it as fits, lowest byte first.
fn stamp(number: u64, buf: &mut [u8]) {
    let bytes = number.to_le_bytes();
    let len = buf.len().min(bytes.len());
    buf[..len].copy_from_slice(&bytes[..len]);
}

fn fill_random(generator: &mut Generator, buf: &mut [u8]) {
    let (words, rest) = buf.as_chunks_mut::<8>();
    for word in words {
        *word = generator.next().to_le_bytes();
    }
    let last = generator.next().to_le_bytes();
    rest.copy_from_slice(&last[..rest.len()]);
}

/// Fills `buf` with the bytes from `start` on, beginning again at the end.
fn fill_cyclic(bytes: &[u8], start: usize, buf: &mut [u8]) {
    let mut start = start;
    let mut rest = buf;
    while !rest.is_empty() {
        let len = rest.len().min(bytes.len() - start);
        let (piece, after) = rest.split_at_mut(len);
        piece.copy_from_slice(&bytes[start..start + len]);
        rest = after;
        start = 0;
    }
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}
