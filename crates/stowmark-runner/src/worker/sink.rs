//! Where gets go: into a buffer when measured, against the expected bytes when verified.

use stowmark_host::{OpError, Sink};
use stowmark_workload::PayloadStream;

use crate::clock::Ticks;

/// The most that a sink keeps of a blob.
const BUFFER: usize = 1 << 20;

/// The measured sink: copies every byte into a buffer that it uses again, alike for all engines, so
/// that a mapped file is really read; notes when the first byte came.
pub(super) struct CopySink<'a, T> {
    clock: &'a T,
    buffer: &'a mut [u8],
    /// Bytes taken.
    pub(super) len: u64,
    /// The clock's ticks at the first byte, or 0 before it.
    pub(super) first_ticks: u64,
}

/// A buffer for [`CopySink`].
pub(super) fn buffer() -> Box<[u8]> {
    // Written once here, so that no page is first touched while the clock runs.
    vec![1; BUFFER].into_boxed_slice()
}

impl<'a, T: Ticks> CopySink<'a, T> {
    #[inline]
    pub(super) fn new(clock: &'a T, buffer: &'a mut [u8]) -> Self {
        Self { clock, buffer, len: 0, first_ticks: 0 }
    }
}

impl<T: Ticks> Sink for CopySink<'_, T> {
    #[inline]
    fn write(&mut self, chunk: &[u8]) -> Result<(), OpError> {
        if self.len == 0 {
            self.first_ticks = self.clock.now();
        }
        for piece in chunk.chunks(self.buffer.len()) {
            self.buffer[..piece.len()].copy_from_slice(piece);
            std::hint::black_box(&mut *self.buffer);
        }
        self.len += chunk.len() as u64;
        Ok(())
    }
}

/// The verifying sink: compares with what was put.
pub(super) struct CompareSink<'a> {
    expected: Expected<'a>,
    /// Bytes compared.
    pub(super) len: u64,
    /// The place of the first byte that differs.
    pub(super) differs_at: Option<u64>,
}

/// What was put.
pub(super) enum Expected<'a> {
    Whole(&'a [u8]),
    Stream(PayloadStream<'a>),
}

impl<'a> CompareSink<'a> {
    pub(super) fn new(expected: Expected<'a>) -> Self {
        Self { expected, len: 0, differs_at: None }
    }

    fn compare(&mut self, got: &[u8], expected: &[u8]) {
        if self.differs_at.is_none() && got != expected {
            let same = got.iter().zip(expected).take_while(|(a, b)| a == b).count();
            self.differs_at = Some(self.len + same as u64);
        }
        self.len += got.len() as u64;
    }
}

impl Sink for CompareSink<'_> {
    fn write(&mut self, chunk: &[u8]) -> Result<(), OpError> {
        let mut rest = chunk;
        while !rest.is_empty() {
            let expected: &[u8] = match &mut self.expected {
                Expected::Whole(bytes) => {
                    let (now, later) = bytes.split_at(rest.len().min(bytes.len()));
                    *bytes = later;
                    now
                }
                Expected::Stream(stream) => stream.next(rest.len()),
            };
            if expected.is_empty() {
                // Longer than what was put: the length tells.
                self.len += rest.len() as u64;
                return Ok(());
            }
            let (now, later) = rest.split_at(expected.len());
            self.compare(now, expected);
            rest = later;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(expected: &[u8], chunks: &[&[u8]]) -> (u64, Option<u64>) {
        let mut sink = CompareSink::new(Expected::Whole(expected));
        for chunk in chunks {
            sink.write(chunk).unwrap();
        }
        (sink.len, sink.differs_at)
    }

    #[test]
    fn equal_bytes_match_however_they_are_cut() {
        assert_eq!(compare(b"abcdef", &[b"abcdef"]), (6, None));
        assert_eq!(compare(b"abcdef", &[b"a", b"", b"bcd", b"ef"]), (6, None));
    }

    #[test]
    fn the_first_difference_is_placed() {
        assert_eq!(compare(b"abcdef", &[b"abc", b"dXf"]), (6, Some(4)));
    }

    #[test]
    fn a_longer_or_shorter_blob_shows_in_the_length() {
        assert_eq!(compare(b"abc", &[b"abcd"]), (4, None));
        assert_eq!(compare(b"abc", &[b"ab"]), (2, None));
    }
}
