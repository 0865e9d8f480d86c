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
    let decimals = if unit.is_empty() || scaled >= 100.0 {
        0
    } else if scaled >= 10.0 {
        1
    } else {
        2
    };
    format!("{scaled:.decimals$}{unit}")
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
            (short(8_312_345.0), short(950.2), short(12_400.0)),
            ("8.31 M".into(), "950".into(), "12.4 k".into())
        );
    }
}
