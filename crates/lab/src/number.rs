//! Numbers as people read them.

/// A number with its thousands set apart and so many decimals.
///
/// ```
/// use afterstate_lab::number::grouped;
/// assert_eq!(grouped(1234567.891, 1), "1,234,567.9");
/// assert_eq!([grouped(-1234.0, 0), grouped(-0.001, 1), grouped(999.96, 1)], ["-1,234", "0.0", "1,000.0"]);
/// ```
pub fn grouped(value: f64, decimals: usize) -> String {
    let plain = format!("{:.decimals$}", value.abs());
    let (whole, rest) = plain.split_at(plain.find('.').unwrap_or(plain.len()));
    let zero = plain.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    let mut text = String::from(if value < 0.0 && !zero { "-" } else { "" });
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + rest
}
