//! Numbers as people read them: three digits and a unit.
//!
//! Only the formats for people scale and round; `csv`, `json` and the raw files never do.

/// A time in ns, us, ms or s.
pub(crate) fn time(ns: f64) -> String {
    scaled(ns, &[(1.0, "ns"), (1e3, "us"), (1e6, "ms"), (1e9, "s")])
}

/// Bytes a second, powers of 1000.
pub(crate) fn byte_rate(bytes_per_second: f64) -> String {
    scaled(bytes_per_second, &[(1.0, "B/s"), (1e3, "kB/s"), (1e6, "MB/s"), (1e9, "GB/s")])
}

/// Operations a second.
pub(crate) fn operation_rate(operations_per_second: f64) -> String {
    scaled(operations_per_second, &[(1.0, "op/s"), (1e3, "kop/s"), (1e6, "Mop/s")])
}

/// Memory, powers of 1024 as it is sold.
pub(crate) fn gibibytes(bytes: u64) -> String {
    format!("{:.1} GiB", bytes as f64 / (1_u64 << 30) as f64)
}

/// A size as users write it, powers of 1024: `512k`, `1G`; none where it is not a whole number of
/// them, or so small that it may be a port or a count.
pub(crate) fn size(bytes: &str) -> Option<String> {
    let mut count: u64 = bytes.parse().ok()?;
    if count < 1 << 16 || !count.is_multiple_of(1024) {
        return None;
    }
    let mut unit = "";
    for larger in ["k", "M", "G", "T"] {
        if !count.is_multiple_of(1024) {
            break;
        }
        count /= 1024;
        unit = larger;
    }
    Some(format!("{count}{unit}"))
}

/// A percentage without its sign: one decimal below 10, none above.
pub(crate) fn percent(percent: f64) -> String {
    if percent.abs() < 9.95 { format!("{percent:.1} %") } else { format!("{percent:.0} %") }
}

/// A factor above 1 alone: `2.1x`, `1.04x`.
pub(crate) fn factor(value: f64) -> String {
    times(value, decimals_apart_from_one(value))
}

/// A factor and the ends of its interval: `2.1x`, `1.9x`, `2.4x`. So many decimals that an end that
/// is not 1 is not shown as 1, for that would contradict the verdict, and two where one is below 1,
/// as tenths are coarse there.
pub(crate) fn interval_of_factors(value: f64, low: f64, high: f64) -> [String; 3] {
    let least = if low < 1.0 { 2 } else { 1 };
    let decimals = decimals_apart_from_one(low).max(decimals_apart_from_one(high)).max(least);
    [value, low, high].map(|factor| times(factor, decimals))
}

/// The fewest decimals (1 to 5) that tell this factor from 1 by its leading digit or two.
fn decimals_apart_from_one(factor: f64) -> usize {
    match (factor - 1.0).abs() {
        d if d >= 0.1 => 1,
        d if d >= 0.01 => 2,
        d if d >= 0.001 => 3,
        d if d >= 0.0001 => 4,
        _ => 5,
    }
}

/// One factor. Intervals from two executions at a strict level reach beyond all sense: cut there.
fn times(factor: f64, decimals: usize) -> String {
    if factor >= 10_000.0 {
        "over 10000x".to_owned()
    } else if factor >= 100.0 {
        format!("{factor:.0}x")
    } else if factor < 0.1 {
        if factor < 0.0001 { "under 0.0001x".to_owned() } else { format!("{factor:.4}x") }
    } else {
        format!("{factor:.decimals$}x")
    }
}

/// Three significant digits in the largest unit that leaves at least 1.
fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    // 999.6 ns would round to 1000 ns: such values belong to the next unit.
    let fitting = units.iter().rev().find(|(size, _)| value.abs() >= size * 0.9995);
    let Some((size, unit)) = fitting.or(units.first()) else { return value.to_string() };
    format!("{} {unit}", three_digits(value / size))
}

fn three_digits(value: f64) -> String {
    match value.abs() {
        v if v < 9.995 => format!("{value:.2}"),
        v if v < 99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_and_the_unit_that_fits() {
        let shown = [0.41, 37.04, 999.4, 999.6, 45_149.0, 1_234_567.0, 2.5e9, 123e9].map(time);
        let expected =
            ["0.41 ns", "37.0 ns", "999 ns", "1.00 us", "45.1 us", "1.23 ms", "2.50 s", "123 s"];
        assert_eq!(shown, expected);
    }

    #[test]
    fn rates_count_in_thousands() {
        assert_eq!(byte_rate(8_312_345.0), "8.31 MB/s");
        assert_eq!(byte_rate(2.0e9), "2.00 GB/s");
        assert_eq!(operation_rate(812.4), "812 op/s");
        assert_eq!(operation_rate(12_345.0), "12.3 kop/s");
    }

    #[test]
    fn memory_counts_in_powers_of_two() {
        assert_eq!(gibibytes(8 << 30), "8.0 GiB");
    }

    #[test]
    fn sizes_are_as_people_write_them_and_small_numbers_stay() {
        assert_eq!(size("1073741824").as_deref(), Some("1G"));
        assert_eq!(size("524288").as_deref(), Some("512k"));
        assert_eq!(size("1536000").as_deref(), Some("1500k"));
        for other in ["1024", "27017", "100000", "0", "false"] {
            assert_eq!(size(other), None);
        }
    }

    #[test]
    fn an_end_of_an_interval_that_is_not_one_is_not_shown_as_one() {
        assert_eq!(interval_of_factors(2.14, 1.92, 2.41), ["2.1x", "1.9x", "2.4x"]);
        assert_eq!(interval_of_factors(1.04, 1.004, 1.08), ["1.040x", "1.004x", "1.080x"]);
        assert_eq!(interval_of_factors(0.81, 0.52, 1.27), ["0.81x", "0.52x", "1.27x"]);
        let close = interval_of_factors(1.3, 1.000_04, 1.6);
        assert_eq!(close, ["1.30000x", "1.00004x", "1.60000x"]);
        assert_eq!([factor(1.042), factor(5.98)], ["1.04x", "6.0x"]);
    }

    #[test]
    fn factors_beyond_sense_are_cut() {
        assert_eq!(interval_of_factors(250.4, 1.2, f64::MAX), ["250x", "1.2x", "over 10000x"]);
        let low = interval_of_factors(0.5, 1e-300, 0.0123);
        assert_eq!(low, ["0.50x", "under 0.0001x", "0.0123x"]);
    }
}
