//! Payloads of which a compressor leaves a given share.
//!
//! A payload is a row of short segments: first noise, which no compressor can shorten, then the last
//! 8 bytes of it again and again, which every compressor removes. The share of noise is the ratio,
//! less what the compressor spends on saying how long each stretch is. Segments are short because
//! fast compressors skip ever more positions while they find nothing; after kilobytes of noise they
//! would miss the beginning of the repeat, or all of it. They are as long as the ratio asks for,
//! because for a small one the cost of a segment must be small against its noise.
//!
//! How close it comes, under zstd level 1: within 0.01 of the ratio from 10k up, for ratios from 0.05
//! to 1. At 1k the compressor's header adds about 0.02, or up to 0.04 near a ratio of 1. Below 256
//! bytes the header outweighs the proportion: what is left is 0.1 to 0.25 too much or nothing is
//! saved at all, and 16 bytes are larger compressed than plain, whatever the ratio. Ratios below
//! 0.05 want payloads of some hundred segments, which are about 30 / ratio bytes each.
//!
//! The repeated piece is noise as well, not zeros: zeros are special to some stores (holes in files),
//! and the ratio is to be reached by compression only.

use super::fill_random;
use super::kind::is_ratio;
use crate::seed::Generator;

/// What zstd at level 1 spends on one segment, in bytes: a match and the lengths that go with it. It
/// follows from the format; the tests hold it against the library in use.
const SEGMENT_COST: f64 = 1.75;

/// Segments are not shorter and not longer than this, in bytes.
const SEGMENT_MIN: f64 = 256.0;
const SEGMENT_MAX: f64 = 32_768.0;

/// The repeated piece, in bytes.
const PIECE: usize = 8;

/// How a payload of a given ratio is laid out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ratio {
    segment: usize,
    noise: usize,
}

impl Ratio {
    /// The layout for a ratio above 0 and at most 1; none for other numbers.
    pub(super) fn new(ratio: f64) -> Option<Self> {
        if !is_ratio(ratio) {
            return None;
        }
        if ratio == 1.0 {
            return Some(Self { segment: 4096, noise: 4096 });
        }
        // At this length a segment's cost is a sixteenth of what it should leave.
        let segment = (16.0 * SEGMENT_COST / ratio).clamp(SEGMENT_MIN, SEGMENT_MAX);
        let segment = segment as usize / PIECE * PIECE;
        let noise = ratio * segment as f64 - SEGMENT_COST;
        Some(Self { segment, noise: (noise.round().max(0.0) as usize).clamp(PIECE, segment) })
    }

    pub(super) fn fill(&self, generator: &mut Generator, buf: &mut [u8]) {
        for segment in buf.chunks_mut(self.segment) {
            // The last segment may be cut short, and keeps the proportion.
            let noise = (self.noise * segment.len()).div_ceil(self.segment);
            let (noise, repeat) = segment.split_at_mut(noise);
            fill_random(generator, noise);
            let Some(piece) = noise.last_chunk::<PIECE>() else {
                fill_random(generator, repeat);
                continue;
            };
            let (pieces, rest) = repeat.as_chunks_mut::<PIECE>();
            pieces.fill(*piece);
            rest.copy_from_slice(&piece[..rest.len()]);
        }
    }
}
