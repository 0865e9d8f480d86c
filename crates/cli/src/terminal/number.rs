//! Numbers as people read them.

pub(crate) use afterstate_lab::number::grouped;

/// A share in percent, with the decimals that matter: `97.32 %`, `0.0012 %`.
pub(crate) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let decimals = if percent > 0.0 && percent < 0.01 { 4 } else { 2 };
    format!("{percent:.decimals$} %")
}

/// Four digits and a unit: `8.31 M`, `950`, `12.4 k`.
pub(crate) fn short(value: f64) -> String {
    let (scaled, unit) = match value.abs() {
        v if v >= 1e9 => (value / 1e9, " G"),
        v if v >= 1e6 => (value / 1e6, " M"),
        v if v >= 1e4 => (value / 1e3, " k"),
        _ => (value, ""),
    };
    let decimals = match scaled.abs() {
        _ if unit.is_empty() => return grouped(value, 0),
        v if v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        _ => 2,
    };
    format!("{scaled:.decimals$}{unit}")
}

/// `1:02:03`, `2:03`, or a word.
pub(crate) fn duration(seconds: f64) -> String {
    if !seconds.is_finite() || seconds > 1e7 {
        return "some time".into();
    }
    let whole = seconds.round() as u64;
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(percent(0.97321), "97.32 %");
        assert_eq!(percent(0.000012), "0.0012 %");
        assert_eq!(percent(0.0), "0.00 %");
        assert_eq!(
            [short(8_312_345.0), short(950.2), short(9_514.0), short(12_400.0)],
            ["8.31 M", "950", "9,514", "12.4 k"]
        );
    }

    #[test]
    fn durations_read_well() {
        assert_eq!([duration(5.0), duration(125.0), duration(3723.0)], ["0:05", "2:05", "1:02:03"]);
        assert_eq!(duration(f64::INFINITY), "some time");
    }
}
