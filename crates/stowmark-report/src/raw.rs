//! Raw files: the samples alone, one a line, for `ministat` and whatever else reads numbers.
//!
//! The published benchmarks kept one such file for each backend, size and count. Here there is
//! one for each engine's label, operation, size and clock, and a report in the format `ministat`
//! names its data sets by these files, so that the real program on them prints the same page.

/// The clocks that a figure exists on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RawClock {
    /// Wall time.
    Wall,
    /// CPU time, client plus local server.
    Cpu,
}

/// The name of the file with one label's samples of an operation at a size (as the user wrote it,
/// such as `10k`) on a clock: `<label>-<op>-<size>-<wall|cpu>.txt`.
///
/// A label may hold characters that would change the folder; these become `_`.
pub fn raw_file_name(label: &str, op: &str, size_text: &str, clock: RawClock) -> String {
    let clock = match clock {
        RawClock::Wall => "wall",
        RawClock::Cpu => "cpu",
    };
    format!("{label}-{op}-{size_text}-{clock}.txt").replace(['/', '\\', '\0'], "_")
}

/// The samples in seconds, one a line, in the shortest decimal form that reads back as the same
/// number; never with an exponent.
pub fn raw_text(samples_s: &[f64]) -> String {
    samples_s.iter().map(|sample| format!("{sample}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raw_file_is_named_by_label_operation_size_and_clock() {
        assert_eq!(raw_file_name("big", "put", "10k", RawClock::Wall), "big-put-10k-wall.txt");
        assert_eq!(raw_file_name("a/b", "get", "1M", RawClock::Cpu), "a_b-get-1M-cpu.txt");
    }

    #[test]
    fn every_sample_reads_back_as_the_same_number() {
        let samples = [0.1 + 0.2, 1e-9, 3.0, f64::MIN_POSITIVE, 5e-324, f64::MAX];
        let text = raw_text(&samples);
        let read: Vec<f64> = text.lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(read, samples);
        assert!(text.chars().all(|c| c.is_ascii_digit() || c == '.' || c == '\n'), "{text}");
    }
}
