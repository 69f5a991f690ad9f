//! Raw files: the samples alone, one a line, for `ministat` and whatever else reads numbers.
//!
//! The published benchmarks kept one such file for each backend, size and count. Here there is
//! one for each engine's label, operation, size and clock, and a report in the format `ministat`
//! names its data sets by these files, so that the real program on them prints the same page.

use stowmark_results::RunResult;

use stowmark_results::samples::{Clock, samples_s};

/// One raw file that a result gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawFile {
    /// Its name, without a folder.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// All raw files of a result: each case, each clock, each engine that has samples (not the floor).
#[must_use]
pub fn raw_files(result: &RunResult) -> Vec<RawFile> {
    let mut files = Vec::new();
    for case in &result.cases {
        for clock in Clock::ALL {
            for engine in &case.engines {
                let samples = samples_s(engine, clock);
                if !samples.is_empty() {
                    let name = raw_file_name(&engine.label, &case.op, &case.size_label, clock);
                    files.push(RawFile { name, text: raw_text(&samples) });
                }
            }
        }
    }
    files
}

/// The name of the file with one label's samples of an operation at a size (as the user wrote it,
/// such as `10k`) on a clock: `<label>-<op>-<size>-<wall|cpu>.txt`.
///
/// A label may hold characters that would change the folder, or a line end; these become `_`.
#[must_use]
pub fn raw_file_name(label: &str, op: &str, size_text: &str, clock: Clock) -> String {
    let name = format!("{label}-{op}-{size_text}-{}.txt", clock.name());
    name.replace(|c: char| matches!(c, '/' | '\\') || c.is_control(), "_")
}

/// The samples in seconds, one a line, in the shortest decimal form that reads back as the same
/// number; never with an exponent.
#[must_use]
pub fn raw_text(samples_s: &[f64]) -> String {
    samples_s.iter().map(|sample| format!("{sample}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raw_file_is_named_by_label_operation_size_and_clock() {
        assert_eq!(raw_file_name("big", "put", "10k", Clock::Wall), "big-put-10k-wall.txt");
        assert_eq!(raw_file_name("a/b\n", "get", "1M", Clock::Cpu), "a_b_-get-1M-cpu.txt");
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
