//! Sizes and durations as people type and read them.
//!
//! Sizes count in powers of 1024 in **every** spelling: `1k`, `1kB`, `1KiB` and `1024` are one size,
//! as in the benchmarks that the suites follow, so that nobody compares 1000 bytes with 1024 because
//! of a letter. Durations need a unit, because a bare number is read as seconds by one person and as
//! milliseconds by the next. A fraction is taken when it means a whole number (`1.5k` is 1536 bytes)
//! and refused when it does not: a benchmark that quietly rounds is asked about later.
//!
//! What is written is read back as the same value: [`format_size`] and [`format_duration`] take the
//! largest unit that leaves no fraction.

use std::time::Duration;

use thiserror::Error;

/// The valid forms of a size, for messages.
pub const SIZE_FORMS: &str = "4096, 1k, 10k, 64KiB, 1.5M, 1G (k, M, G and T are powers of 1024)";

/// The valid forms of a duration, for messages.
pub const DURATION_FORMS: &str = "100ns, 20us, 500ms, 10s, 1.5s, 5m, 1h";

/// Longer numbers than this cannot be meant, and shorter ones cannot overflow 128 bits below.
const MAX_DIGITS: usize = 24;

const SIZE_UNITS: [(u64, &str); 5] =
    [(1 << 40, "T"), (1 << 30, "G"), (1 << 20, "M"), (1 << 10, "k"), (1, "")];

const DURATION_UNITS: [(u64, &str); 6] = [
    (3_600_000_000_000, "h"),
    (60_000_000_000, "m"),
    (1_000_000_000, "s"),
    (1_000_000, "ms"),
    (1_000, "us"),
    (1, "ns"),
];

/// A size or a duration that cannot be read. Each message names the text and the valid forms.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UnitError {
    /// Nothing was given.
    #[error("an empty text is no {what}: give one such as {forms}", forms = what.forms())]
    Empty {
        /// What was expected.
        what: Quantity,
    },
    /// The text begins with a minus sign.
    #[error("{what} \"{text}\" is negative: give one such as {forms}", forms = what.forms())]
    Negative {
        /// What was expected.
        what: Quantity,
        /// The text as given.
        text: String,
    },
    /// The text does not begin with a decimal number.
    #[error("\"{text}\" is no {what}: give one such as {forms}", forms = what.forms())]
    NotANumber {
        /// What was expected.
        what: Quantity,
        /// The text as given.
        text: String,
    },
    /// What follows the number is no known unit, or the unit is missing where one is needed.
    #[error("{what} \"{text}\" {problem}: give one such as {forms}", forms = what.forms(),
        problem = if unit.is_empty() { "lacks its unit".to_owned() } else { format!("has the unknown unit \"{unit}\"") })]
    UnknownUnit {
        /// What was expected.
        what: Quantity,
        /// The text as given.
        text: String,
        /// The unit as given; empty if there is none.
        unit: String,
    },
    /// A fraction that is no whole number of bytes or nanoseconds.
    #[error("{what} \"{text}\" is no whole number of {atom}: give one such as {forms}",
        atom = what.atom(), forms = what.forms())]
    Fraction {
        /// What was expected.
        what: Quantity,
        /// The text as given.
        text: String,
    },
    /// More than 64 bits of bytes or nanoseconds.
    #[error("{what} \"{text}\" is too large: the largest is {max}", max = what.max())]
    TooLarge {
        /// What was expected.
        what: Quantity,
        /// The text as given.
        text: String,
    },
}

/// What a text was read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// A number of bytes.
    Size,
    /// A length of time.
    Duration,
}

impl Quantity {
    fn forms(self) -> &'static str {
        match self {
            Self::Size => SIZE_FORMS,
            Self::Duration => DURATION_FORMS,
        }
    }

    fn atom(self) -> &'static str {
        match self {
            Self::Size => "bytes",
            Self::Duration => "nanoseconds",
        }
    }

    fn max(self) -> &'static str {
        match self {
            Self::Size => "16777215T",
            Self::Duration => "5124095h",
        }
    }
}

impl std::fmt::Display for Quantity {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(match self {
            Self::Size => "size",
            Self::Duration => "duration",
        })
    }
}

/// Reads a size: a number, whole or with a fraction, and a unit: none or `B` for bytes, or `k`, `M`,
/// `G`, `T`, each also with `B`, `i` or `iB` behind it, in either case. Returns bytes.
///
/// # Errors
/// If it is empty, negative, no number, of an unknown unit, no whole number of bytes, or above 2^64 - 1.
pub fn parse_size(text: &str) -> Result<u64, UnitError> {
    parse(text, Quantity::Size, |unit| {
        let unit = unit.to_ascii_lowercase();
        Some(match unit.as_str() {
            "" | "b" => 1,
            "k" | "kb" | "ki" | "kib" => 1 << 10,
            "m" | "mb" | "mi" | "mib" => 1 << 20,
            "g" | "gb" | "gi" | "gib" => 1 << 30,
            "t" | "tb" | "ti" | "tib" => 1 << 40,
            _ => return None,
        })
    })
}

/// Reads a duration: a number, whole or with a fraction, and one of `ns`, `us` (or `µs`), `ms`, `s`,
/// `m` (or `min`), `h`.
///
/// # Errors
/// If it is empty, negative, no number, without or of an unknown unit, no whole number of
/// nanoseconds, or above 2^64 - 1 nanoseconds (584 years).
pub fn parse_duration(text: &str) -> Result<Duration, UnitError> {
    let nanoseconds = parse(text, Quantity::Duration, |unit| {
        let unit = match unit {
            "µs" | "μs" => "us",
            "min" => "m",
            other => other,
        };
        let known = DURATION_UNITS.iter().find(|(_, name)| *name == unit);
        known.map(|(factor, _)| *factor)
    })?;
    Ok(Duration::from_nanos(nanoseconds))
}

/// Writes a size in the largest unit that leaves no fraction: `1k`, `1M`, `1500`, `3G`.
/// [`parse_size`] gives the same number back.
pub fn format_size(bytes: u64) -> String {
    format(bytes, &SIZE_UNITS, "0")
}

/// Writes a duration in the largest unit that leaves no fraction: `500ms`, `90s`, `2m`.
/// [`parse_duration`] gives the same duration back, if it is below 584 years; longer ones are
/// written in seconds.
pub fn format_duration(duration: Duration) -> String {
    match u64::try_from(duration.as_nanos()) {
        Ok(nanoseconds) => format(nanoseconds, &DURATION_UNITS, "0s"),
        Err(_) => format!("{}s", duration.as_secs()),
    }
}

fn format(value: u64, units: &[(u64, &str)], zero: &str) -> String {
    if value == 0 {
        return zero.to_owned();
    }
    let unit = units.iter().find(|(factor, _)| value.is_multiple_of(*factor));
    // The last unit is one, which divides everything, so the default is never taken.
    let (factor, name) = unit.copied().unwrap_or((1, ""));
    format!("{}{name}", value / factor)
}

/// Reads number and unit, and multiplies them without rounding anything.
fn parse(
    text: &str,
    what: Quantity,
    unit_factor: impl Fn(&str) -> Option<u64>,
) -> Result<u64, UnitError> {
    let trimmed = text.trim();
    let given = || trimmed.to_owned();
    if trimmed.is_empty() {
        return Err(UnitError::Empty { what });
    }
    if trimmed.starts_with('-') {
        return Err(UnitError::Negative { what, text: given() });
    }
    let is_number = |letter: char| letter.is_ascii_digit() || letter == '.';
    let end = trimmed.find(|letter| !is_number(letter)).unwrap_or(trimmed.len());
    let (number, unit) = trimmed.split_at(end);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(whole) || !is_digits(fraction) {
        return Err(UnitError::NotANumber { what, text: given() });
    }
    let factor = unit_factor(unit).ok_or_else(|| UnitError::UnknownUnit {
        what,
        text: given(),
        unit: unit.to_owned(),
    })?;
    // Zeros at either end carry no value and must not count against the number of digits.
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    if whole.len() > MAX_DIGITS {
        return Err(UnitError::TooLarge { what, text: given() });
    }
    if fraction.len() > MAX_DIGITS {
        return Err(UnitError::Fraction { what, text: given() });
    }
    multiply(whole, fraction, factor).map_err(|problem| match problem {
        Problem::Fraction => UnitError::Fraction { what, text: given() },
        Problem::TooLarge => UnitError::TooLarge { what, text: given() },
    })
}

enum Problem {
    Fraction,
    TooLarge,
}

/// `whole.fraction` times `factor`, exactly. Both parts are at most [`MAX_DIGITS`] digits; an empty
/// one is zero.
fn multiply(whole: &str, fraction: &str, factor: u64) -> Result<u64, Problem> {
    let number = |digits: &str| {
        digits.bytes().fold(0_u128, |number, digit| number * 10 + u128::from(digit - b'0'))
    };
    let factor = u128::from(factor);
    let scale = 10_u128.pow(fraction.len() as u32);
    // Up to 24 digits times a factor below 2^42 fits 128 bits with room to spare.
    let part = number(fraction) * factor;
    if !part.is_multiple_of(scale) {
        return Err(Problem::Fraction);
    }
    let total = number(whole) * factor + part / scale;
    u64::try_from(total).map_err(|_| Problem::TooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check_size(text: &str, bytes: u64) {
        assert_eq!(parse_size(text), Ok(bytes), "for {text:?}");
    }

    #[test]
    fn every_spelling_of_a_size_is_a_power_of_1024() {
        for text in ["1k", "1K", "1kB", "1KB", "1Ki", "1KiB", "1kib", "1024", "1024B", " 1k "] {
            check_size(text, 1024);
        }
        check_size("0", 0);
        check_size("10k", 10_240);
        check_size("64KiB", 65_536);
        check_size("50M", 52_428_800);
        check_size("1G", 1 << 30);
        check_size("1GiB", 1 << 30);
        check_size("2T", 2 << 40);
        check_size("18446744073709551615", u64::MAX);
    }

    #[test]
    fn a_fraction_is_taken_only_when_it_is_a_whole_number_of_bytes() {
        check_size("1.5k", 1536);
        check_size("2.50M", 2_621_440);
        assert!(matches!(parse_size("0.5"), Err(UnitError::Fraction { .. })));
    }

    #[test]
    fn what_is_no_size_is_refused_with_the_valid_forms() {
        use UnitError::*;
        let error = |text: &str| parse_size(text).unwrap_err();
        assert!(matches!(error(""), Empty { .. }));
        assert!(matches!(error("  "), Empty { .. }));
        assert!(matches!(error("-1k"), Negative { .. }));
        assert!(matches!(error("k"), NotANumber { .. }));
        assert!(matches!(error("big"), NotANumber { .. }));
        assert!(matches!(error(".5k"), NotANumber { .. }));
        assert!(matches!(error("1."), NotANumber { .. }));
        assert!(matches!(error("1.2.3k"), NotANumber { .. }));
        assert!(matches!(error("1 k"), UnknownUnit { .. }));
        assert!(matches!(error("10x"), UnknownUnit { .. }));
        assert!(matches!(error("1e3"), UnknownUnit { .. }));
        assert!(matches!(error("0.3k"), Fraction { .. }));
        assert!(matches!(error("16777216T"), TooLarge { .. }));
        assert!(matches!(error(&"9".repeat(60)), TooLarge { .. }));
        for text in ["", "-1k", "big", "10x", "0.3k"] {
            assert!(error(text).to_string().contains("64KiB"), "{}", error(text));
        }
    }

    #[test]
    fn durations_need_a_unit_and_know_minutes_from_milliseconds() {
        let nanoseconds = |text: &str| parse_duration(text).map(|found| found.as_nanos());
        assert_eq!(nanoseconds("100ns"), Ok(100));
        assert_eq!(nanoseconds("20us"), Ok(20_000));
        assert_eq!(nanoseconds("20µs"), Ok(20_000));
        assert_eq!(nanoseconds("500ms"), Ok(500_000_000));
        assert_eq!(nanoseconds("1.5s"), Ok(1_500_000_000));
        assert_eq!(nanoseconds("5m"), Ok(300_000_000_000));
        assert_eq!(nanoseconds("1h"), Ok(3_600_000_000_000));
        assert!(matches!(parse_duration("0.5ns"), Err(UnitError::Fraction { .. })));
        assert!(matches!(parse_duration("6000000h"), Err(UnitError::TooLarge { .. })));
        let error = parse_duration("10").unwrap_err().to_string();
        assert!(error.contains("lacks its unit") && error.contains("500ms"), "{error}");
    }

    #[test]
    fn sizes_are_written_in_the_largest_unit_that_leaves_no_fraction() {
        assert_eq!(format_size(0), "0");
        assert_eq!(format_size(1024), "1k");
        assert_eq!(format_size(1500), "1500");
        assert_eq!(format_size(1_048_576), "1M");
        assert_eq!(format_size(1536 * 1024), "1536k");
        assert_eq!(format_size(3 << 30), "3G");
    }

    #[test]
    fn durations_are_written_in_the_largest_unit_that_leaves_no_fraction() {
        assert_eq!(format_duration(Duration::ZERO), "0s");
        assert_eq!(format_duration(Duration::from_millis(1500)), "1500ms");
        assert_eq!(format_duration(Duration::from_secs(90)), "90s");
        assert_eq!(format_duration(Duration::from_secs(120)), "2m");
    }

    proptest! {
        #[test]
        fn a_written_size_is_read_as_itself(bytes in prop_oneof![any::<u64>(), (0_u64..1 << 20).prop_map(|k| k << 20)]) {
            prop_assert_eq!(parse_size(&format_size(bytes)), Ok(bytes));
        }

        #[test]
        fn a_written_duration_is_read_as_itself(nanoseconds: u64) {
            let duration = Duration::from_nanos(nanoseconds);
            prop_assert_eq!(parse_duration(&format_duration(duration)), Ok(duration));
        }

        #[test]
        fn no_text_makes_the_parsers_panic(text in ".{0,40}") {
            let _ = parse_size(&text);
            let _ = parse_duration(&text);
        }

        #[test]
        fn no_number_makes_the_parsers_panic(text in "[0-9]{0,40}\\.?[0-9]{0,40}[kMGTmnush]{0,2}") {
            let _ = parse_size(&text);
            let _ = parse_duration(&text);
        }
    }
}
