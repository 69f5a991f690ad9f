//! Histograms of nanoseconds as the result file carries them: HdrHistogram V2, base64.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer, V2Serializer};

/// The largest time that is told apart, an hour; longer ones count as this.
pub const MAX_NS: u64 = 3_600_000_000_000;

/// Significant decimal digits of each recorded time.
pub const DIGITS: u8 = 3;

/// An empty histogram of nanoseconds.
#[must_use]
pub fn empty() -> Histogram<u64> {
    #[expect(clippy::expect_used, reason = "the bounds are constants that the crate accepts")]
    Histogram::new_with_bounds(1, MAX_NS, DIGITS).expect("constant bounds")
}

/// The histogram as text.
#[must_use]
pub fn encode(histogram: &Histogram<u64>) -> String {
    let mut bytes = Vec::new();
    #[expect(clippy::expect_used, reason = "writing to memory fails only for counts over 2^63")]
    V2Serializer::new().serialize(histogram, &mut bytes).expect("writing to memory");
    STANDARD.encode(bytes)
}

/// The histogram of that text; none if it is damaged.
#[must_use]
pub fn decode(text: &str) -> Option<Histogram<u64>> {
    let bytes = STANDARD.decode(text).ok()?;
    Deserializer::new().deserialize(&mut bytes.as_slice()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_survive_the_text() {
        let mut histogram = empty();
        histogram.record_n(1_234_567, 5_000_000_000).unwrap();
        histogram.record(41).unwrap();
        let back = decode(&encode(&histogram)).unwrap();
        assert_eq!(back, histogram);
        assert_eq!(back.len(), 5_000_000_001);
    }

    #[test]
    fn damaged_text_is_no_histogram() {
        assert!(decode("AAAA").is_none());
        assert!(decode("?").is_none());
    }
}
