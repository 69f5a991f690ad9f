//! Numbers as C's `printf("%.<digits>g")` writes them, which Rust has no format for.

/// `value` with `digits` significant digits (at least 1): plain decimals, or an exponent where it
/// is under -4 or not less than `digits`; zeros at the end dropped.
///
/// Not-a-number is `-nan`: on x86 that is what the arithmetic of infinities and square roots of
/// negative numbers gives there, and samples that are NaN themselves never come here.
pub(super) fn general(value: f64, digits: usize) -> String {
    if value.is_nan() {
        return "-nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let decimals = digits.saturating_sub(1);
    let scientific = format!("{value:.decimals$e}");
    // Rust writes every finite number in this format as `<mantissa>e<exponent>`.
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);

    // The exponent after rounding decides, so 9999999.99 with six digits is 1e+07.
    if exponent < -4 || exponent > decimals as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", without_trailing_zeros(mantissa), exponent.abs());
    }
    let places = (decimals as i32 - exponent) as usize;
    without_trailing_zeros(&format!("{value:.places$}")).to_owned()
}

/// Drops the zeros at the end of a fraction, and its point if nothing is left of it.
fn without_trailing_zeros(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}
