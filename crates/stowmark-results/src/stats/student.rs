//! Student's t: p-values, the critical values that belong to them, and the
//! chance of finding a difference of a given size.
//!
//! Critical values are found by bisection on the very function that gives the
//! p-values, so that "p is below the level" and "the interval leaves out zero"
//! are one statement and not two that rounding could set against each other.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};
use statrs::function::gamma::ln_gamma;

/// The chance of a |t| at least this large where nothing differs.
///
/// NaN if `df` is not positive or `t` is not a number.
pub(super) fn two_sided_p(t: f64, df: f64) -> f64 {
    if t.is_nan() {
        return f64::NAN;
    }
    match StudentsT::new(0.0, 1.0, df) {
        Ok(_) if t.is_infinite() => 0.0,
        Ok(distribution) => (2.0 * distribution.sf(t.abs())).min(1.0),
        Err(_) => f64::NAN,
    }
}

/// The |t| whose two-sided p-value is `level`: infinite for a level of zero.
pub(super) fn critical(level: f64, df: f64) -> f64 {
    if level >= 1.0 {
        return 0.0;
    }
    if level <= 0.0 {
        return f64::INFINITY;
    }
    let (mut low, mut high) = (0.0, 1.0);
    while two_sided_p(high, df) > level {
        low = high;
        high *= 2.0;
        if high > 1e100 {
            return f64::INFINITY;
        }
    }
    // The bracket is at most a factor of two wide: 60 halvings reach the last
    // bit of any value in it.
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if two_sided_p(middle, df) > level {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The chance that t exceeds `critical` when the true difference is `shift`
/// standard errors: the upper tail of the noncentral t distribution.
///
/// t is (Z + shift) / s with s the estimated over the true standard error, so
/// the chance is that of Z > critical * s - shift, averaged over the
/// distribution of s (a chi divided by the root of its degrees of freedom),
/// here by Simpson's rule. The other tail (naming the wrong side) is left out.
pub(super) fn power(shift: f64, critical: f64, df: f64) -> f64 {
    const PANELS: usize = 200;
    if !critical.is_finite() || df <= 0.0 {
        return 0.0;
    }
    let reach = 10.0 / (2.0 * df).sqrt();
    let (from, to) = ((1.0 - reach).max(0.0), 1.0 + reach);
    let width = (to - from) / PANELS as f64;
    let normal = Normal::standard();
    let (mut sum, mut mass) = (0.0, 0.0);
    for panel in 0..=PANELS {
        let s = from + width * panel as f64;
        let simpson = match panel {
            0 | PANELS => 1.0,
            odd if odd % 2 == 1 => 4.0,
            _ => 2.0,
        };
        let weight = simpson * chi_density(s, df);
        mass += weight;
        sum += weight * normal.cdf(shift - critical * s);
    }
    // Dividing by the mass takes out what the rule loses at the ends.
    sum / mass
}

/// The true difference, in standard errors, that exceeds `critical` with a
/// chance of `wanted`.
pub(super) fn detectable(critical: f64, df: f64, wanted: f64) -> f64 {
    if !critical.is_finite() {
        return f64::INFINITY;
    }
    let (mut low, mut high) = (0.0, critical.max(1.0));
    while power(high, critical, df) < wanted {
        low = high;
        high *= 2.0;
        if high > 1e12 {
            return f64::INFINITY;
        }
    }
    for _ in 0..25 {
        let middle = 0.5 * (low + high);
        if power(middle, critical, df) < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The density of chi / sqrt(df) at `s`.
fn chi_density(s: f64, df: f64) -> f64 {
    if s <= 0.0 {
        // Only one degree of freedom (or fewer) has a density at zero.
        return if df <= 1.0 { (2.0 / std::f64::consts::PI).sqrt() } else { 0.0 };
    }
    let half = 0.5 * df;
    let log = std::f64::consts::LN_2 + half * half.ln() - ln_gamma(half) + (df - 1.0) * s.ln()
        - half * s * s;
    log.exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(got: f64, expected: f64, tolerance: f64) {
        assert!((got - expected).abs() <= tolerance * expected.abs(), "{got} is not {expected}");
    }

    #[test]
    fn critical_values_agree_with_the_printed_tables() {
        for (level, df, expected) in [
            (0.01, 1.0, 63.6567),
            (0.01, 4.0, 4.604_095),
            (0.05, 4.0, 2.776_445),
            (0.001, 4.0, 8.610_302),
            (0.01, 19.0, 2.860_935),
            (0.01, 1000.0, 2.580_755),
        ] {
            close(critical(level, df), expected, 1e-6);
        }
    }

    #[test]
    fn the_ends_of_the_scale_are_no_trap() {
        assert_eq!(critical(0.0, 4.0), f64::INFINITY);
        assert_eq!(critical(1.0, 4.0), 0.0);
        assert_eq!(two_sided_p(f64::INFINITY, 4.0), 0.0);
        assert!(two_sided_p(f64::NAN, 4.0).is_nan());
        assert!(two_sided_p(1.0, 0.0).is_nan());
    }

    #[test]
    fn power_agrees_with_known_values_of_the_noncentral_t() {
        // Where nothing differs, one tail holds half the level.
        for df in [4.0, 5.67, 30.0] {
            close(power(0.0, critical(0.01, df), df), 0.005, 1e-3);
        }
        // With one degree of freedom the step is narrower than a panel.
        close(power(0.0, critical(0.01, 1.0), 1.0), 0.005, 0.2);
        // With very many degrees of freedom it is the normal distribution.
        close(power(3.857, 2.5758, 1e6), 0.9, 1e-3);
    }

    #[test]
    fn what_is_detectable_is_detected_with_the_wanted_chance() {
        for df in [1.0, 2.0, 4.0, 19.0] {
            let critical = critical(0.01, df);
            let shift = detectable(critical, df, 0.9);
            close(power(shift, critical, df), 0.9, 1e-5);
            assert!(shift > critical);
        }
    }

    proptest! {
        #[test]
        fn critical_values_and_p_values_are_inverse(level in 1e-7..0.5f64, df in 1.0..200f64) {
            let critical = critical(level, df);
            prop_assert!((two_sided_p(critical, df) / level - 1.0).abs() < 1e-9);
        }
    }
}
