//! Numbers and words as readers see them, in HTML and in Markdown.

use super::Cell;
use afterstate_lab::number::grouped;

/// A number with its thousands set apart and so many digits after the point: `51,320`, `−0.5`.
pub(crate) fn number(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return "–".into();
    }
    grouped(value, digits).replace('-', "−")
}

/// A share in percent, with as many digits as its size needs: `98.9 %`, `0.03 %`.
pub(crate) fn percent(share: f64) -> String {
    let value = share * 100.0;
    let digits = match value.abs().min((100.0 - value).abs()) {
        rest if rest < 1e-9 => 0,
        rest if rest < 0.1 => 2,
        _ => 1,
    };
    format!("{} %", number(value, digits))
}

/// A cell as plain text.
pub(crate) fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Number { value, margin: None, digits } => number(*value, *digits),
        Cell::Number { value, margin: Some(margin), digits } => {
            format!("{} ± {}", number(*value, *digits), number(*margin, *digits))
        }
        Cell::Share { share, interval: None } => percent(*share),
        Cell::Share { share, interval: Some([low, high]) } => {
            let digits = if high - low < 0.002 { 2 } else { 1 };
            let end = |share: f64| number(share * 100.0, digits);
            format!("{} ({} – {})", percent(*share), end(*low), end(*high))
        }
        Cell::Missing => "–".into(),
    }
}

/// True if a cell is a number, set to the right.
pub(crate) fn is_number(cell: &Cell) -> bool {
    !matches!(cell, Cell::Text(_))
}

/// Text that HTML and XML show as it is, also inside quoted attributes.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            '\n' | '\t' => safe.push(c),
            // Characters XML does not allow.
            c if c.is_control() => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

/// Text cut at its `` ` ``: pieces, and whether each is code. A lone `` ` `` is a character like
/// others.
pub(crate) fn pieces(text: &str) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((code, after)) = after.split_once('`') else { break };
        if !before.is_empty() {
            found.push((before, false));
        }
        if !code.is_empty() {
            found.push((code, true));
        }
        rest = after;
    }
    if !rest.is_empty() {
        found.push((rest, false));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_written_as_people_read_them() {
        assert_eq!(number(51_320.4, 0), "51,320");
        assert_eq!(number(-1_234_567.891, 2), "−1,234,567.89");
        assert_eq!(number(999.6, 0), "1,000");
        assert_eq!(number(-0.4, 0), "0");
        assert_eq!(number(f64::NAN, 1), "–");
        assert_eq!(
            [percent(0.989), percent(1.0), percent(0.0), percent(0.0003)],
            ["98.9 %", "100 %", "0 %", "0.03 %"]
        );
        assert_eq!(cell(&Cell::mean(51_320.0, Some([50_000.0, 52_640.0]), 0)), "51,320 ± 1,320");
        assert_eq!(
            cell(&Cell::Share { share: 0.918, interval: Some([0.899, 0.934]) }),
            "91.8 % (89.9 – 93.4)"
        );
        assert_eq!(cell(&Cell::Missing), "–");
    }

    #[test]
    fn code_stands_between_ticks() {
        assert_eq!(pieces("a `b` c"), [("a ", false), ("b", true), (" c", false)]);
        assert_eq!(pieces("a ` c"), [("a ` c", false)]);
        assert_eq!(pieces(""), []);
    }

    proptest! {
        #[test]
        fn nothing_escapes_as_markup(text in any::<String>()) {
            let safe = escaped(&text);
            prop_assert!(!safe.contains(['<', '>', '"', '\'']));
            let mut rest = safe.as_str();
            while let Some(at) = rest.find('&') {
                rest = &rest[at + 1..];
                prop_assert!(["amp;", "lt;", "gt;", "quot;", "#39;"].iter().any(|name| rest.starts_with(name)));
            }
            let names = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
            let back = names.iter().fold(safe.clone(), |text, (name, c)| text.replace(name, c));
            let plain: String =
                text.chars().map(|c| if c.is_control() && c != '\n' && c != '\t' { '\u{fffd}' } else { c }).collect();
            prop_assert_eq!(back, plain);
        }

        #[test]
        fn grouping_changes_no_digit(value in -1e12..1e12f64, digits in 0usize..4) {
            let text = number(value, digits).replace(',', "").replace('−', "-");
            let back: f64 = text.parse().unwrap();
            prop_assert!((back - value).abs() <= 0.51 * 10f64.powi(-(digits as i32)));
        }
    }
}
