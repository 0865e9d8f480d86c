//! Names of what is shown: in rows above a plot, or at the ends of curves.

use super::super::draw::{Anchor, Ink, Shape, Spot, width};
use super::{Look, Sheet};

/// The mark before a name, and what is kept free around it.
const MARK: f64 = 20.0;
const GAP: f64 = 16.0;

/// A text cut at its blanks so that each line fits; a word too long for a line ends in `…`.
pub(super) fn lines(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let longer = all.last().map(|line| format!("{line} {word}")).filter(|line| width(line, size) <= room);
        match longer {
            Some(longer) => *all.last_mut().expect("it was just read") = longer,
            None => all.push(shortened(word, size, room)),
        }
    }
    all
}

/// A word that fits.
fn shortened(word: &str, size: f64, room: f64) -> String {
    let mut short: Vec<char> = word.chars().collect();
    let whole = short.len();
    let text =
        |short: &[char]| short.iter().collect::<String>() + if short.len() < whole { "…" } else { "" };
    while !short.is_empty() && width(&text(&short), size) > room {
        short.pop();
    }
    text(&short)
}

/// Draws names in rows; where they end.
pub(super) fn rows(sheet: &mut Sheet, names: &[(&str, Look)], size: f64, top: f64) -> f64 {
    let (mut x, mut y) = (0.0, top);
    for (name, look) in names {
        let texts = lines(name, size, sheet.width - MARK - 6.0);
        let long = texts.iter().map(|line| width(line, size)).fold(0.0, f64::max) + MARK + 6.0;
        if x > 0.0 && (x + long > sheet.width || texts.len() > 1) {
            (x, y) = (0.0, y + size * 1.5);
        }
        mark(sheet, (x, y + size * 0.65), *look);
        for (i, line) in texts.iter().enumerate() {
            if i > 0 {
                y += size * 1.3;
            }
            sheet.text((x + MARK + 6.0, y + size), line, size, Anchor::Start, Ink::Text);
        }
        x += long + GAP;
        if texts.len() > 1 {
            (x, y) = (0.0, y + size * 1.5);
        }
    }
    if names.is_empty() { top } else { y + if x > 0.0 { size * 1.9 } else { size * 0.4 } }
}

fn mark(sheet: &mut Sheet, (x, y): Spot, look: Look) {
    let width = look.width + 1.0;
    let half = width / 2.0;
    sheet.shapes.push(Shape::Line {
        spots: vec![(x + half, y), (x + MARK - half, y)],
        ink: look.ink,
        width,
        dash: look.dash,
    });
}

/// Heights for names at the ends of curves, as near to the wanted ones as they can be `apart`
/// between `top` and `bottom`; none if there is no room for all.
pub(super) fn spread(wanted: &[f64], apart: f64, top: f64, bottom: f64) -> Option<Vec<f64>> {
    if wanted.len() as f64 * apart > bottom - top + apart {
        return None;
    }
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    // Blocks of names that touch: where the first stands if all are as near as possible, and how
    // many.
    let mut blocks: Vec<(f64, Vec<usize>)> = Vec::new();
    for &i in &order {
        let mut block = (wanted[i].clamp(top, bottom), vec![i]);
        while let Some((y, members)) = blocks.pop() {
            if y + members.len() as f64 * apart <= block.0 {
                blocks.push((y, members));
                break;
            }
            let joined: Vec<usize> = members.into_iter().chain(block.1).collect();
            let ideal = joined.iter().enumerate().map(|(k, &j)| wanted[j] - k as f64 * apart).sum::<f64>()
                / joined.len() as f64;
            let lowest = bottom - (joined.len() - 1) as f64 * apart;
            block = (ideal.min(lowest).max(top), joined);
        }
        blocks.push(block);
    }
    let mut found = vec![0.0; wanted.len()];
    for (y, members) in blocks {
        for (k, i) in members.into_iter().enumerate() {
            found[i] = y + k as f64 * apart;
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn texts_are_cut_at_blanks() {
        assert_eq!(lines("one two", 10.0, 1000.0), ["one two"]);
        assert_eq!(lines("one two", 10.0, width("one tw", 10.0)), ["one", "two"]);
        let cut = lines("aaaaaaaaaaaaaaaa", 10.0, 40.0);
        assert!(cut.len() == 1 && cut[0].ends_with('…') && width(&cut[0], 10.0) <= 40.0);
    }

    proptest! {
        #[test]
        fn names_keep_apart_and_inside(wanted in prop::collection::vec(-50.0..350.0f64, 1..12)) {
            let found = spread(&wanted, 20.0, 0.0, 300.0).unwrap();
            let mut sorted = found.clone();
            sorted.sort_by(f64::total_cmp);
            prop_assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= 20.0 - 1e-9), "{found:?}");
            prop_assert!(found.iter().all(|y| (-1e-9..=300.0 + 1e-9).contains(y)), "{found:?}");
            for (i, j) in (0..wanted.len()).flat_map(|i| (0..wanted.len()).map(move |j| (i, j))) {
                prop_assert!(wanted[i] >= wanted[j] || found[i] < found[j]);
            }
        }
    }

    #[test]
    fn names_without_conflict_stay_and_too_many_are_refused() {
        assert_eq!(spread(&[10.0, 100.0], 20.0, 0.0, 300.0).unwrap(), [10.0, 100.0]);
        assert_eq!(spread(&[100.0, 100.0], 20.0, 0.0, 300.0).unwrap(), [90.0, 110.0]);
        assert_eq!(spread(&[0.0; 20], 20.0, 0.0, 300.0), None);
    }
}
